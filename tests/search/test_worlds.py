"""Sampled worlds."""

from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.draws import MAX_SEED
from kingmaker.search.position import new_game, parse_observation
from kingmaker.search.worlds import MAX_WORLDS, believed_worlds, sample_worlds, weigh_worlds

KUHN = parse_observation("kuhn_poker", "kuhn p1=q p2=? bets=- node=play:p1 @p1")


def test_worlds_are_what_the_seat_may_believe() -> None:
    worlds = sample_worlds(KUHN, 200, seed=1)
    counts = {card: sum(f"p2={card}" in world.text for world in worlds) for card in ("j", "q", "k")}
    assert counts["q"] == 0
    assert counts["j"] + counts["k"] == 200
    assert 70 < counts["j"] < 130


def test_the_seed_repeats_the_worlds() -> None:
    assert sample_worlds(KUHN, 20, seed=3) == sample_worlds(KUHN, 20, seed=3)


@pytest.mark.parametrize("count", [0, -1, MAX_WORLDS + 1])
def test_a_count_out_of_range_is_refused(count: int) -> None:
    with pytest.raises(InputError, match="count"):
        sample_worlds(KUHN, count, seed=1)


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    for draw in (sample_worlds, believed_worlds):
        with pytest.raises(InputError, match=f"seed is {seed}; it must be 0 to {MAX_SEED}"):
            draw(KUHN, 1, seed)
    with pytest.raises(InputError, match=f"seed is {seed}; it must be 0 to {MAX_SEED}"):
        weigh_worlds(KUHN, sample_worlds(KUHN, 1, 1), seed)


@pytest.mark.parametrize("wrong", [new_game("kuhn_poker"), KUHN.text, None])
def test_worlds_are_those_of_an_observation(wrong: Any) -> None:
    for draw in (sample_worlds, believed_worlds):
        with pytest.raises(TypeError, match=r"^observation is .* position\.observe\(seat\)"):
            draw(wrong, 2, 1)
    with pytest.raises(TypeError, match=r"^observation is .* position\.observe\(seat\)"):
        weigh_worlds(wrong, [], 1)
