"""Playing strength in levels."""

from dataclasses import replace

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.analysis import Budget, MoveAnalysis
from kingmaker.search.engine import analyze
from kingmaker.search.levels import LEVELS, SETTINGS, LevelSearch, select_move
from kingmaker.search.position import new_game, parse_position

WIN = parse_position("tic_tac_toe", "ttt board=oo./.../xx. node=play:p1").observe(1)


def test_there_are_ten_levels_each_at_most_as_limited_as_the_one_below() -> None:
    assert list(LEVELS) == list(range(1, 11)) == sorted(SETTINGS)
    for below, above in zip(range(1, 10), range(2, 11), strict=True):
        weaker, stronger = SETTINGS[below], SETTINGS[above]
        assert (weaker.max_simulations or 0) < (stronger.max_simulations or 10**9)
        assert weaker.noise >= stronger.noise


def test_level_10_is_the_search_itself() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    move, analysis = select_move(observation, Budget(simulations=500), level=10, seed=3)
    assert analysis == analyze(observation, Budget(simulations=500), seed=3)
    assert move == analysis.best_move


def test_low_levels_spend_less() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    _, analysis = select_move(observation, Budget(milliseconds=10_000), level=1, seed=3)
    assert analysis.simulations == SETTINGS[1].max_simulations
    _, analysis = select_move(observation, Budget(simulations=5), level=1, seed=3)
    assert analysis.simulations == 5


@pytest.mark.parametrize("level", LEVELS)
def test_a_certain_win_is_seen_at_every_level(level: int) -> None:
    for seed in range(20):
        move, analysis = select_move(WIN, Budget(simulations=3000), level=level, seed=seed)
        if any(each.move == "c1" and each.is_exact for each in analysis.moves):
            assert move == "c1"


def test_low_levels_misjudge_and_a_seed_repeats_it() -> None:
    observation = new_game("connect_four").observe(1)
    chosen = [
        select_move(observation, Budget(simulations=2000), level=1, seed=seed)[0]
        for seed in range(30)
    ]
    assert len(set(chosen)) > 3
    assert chosen == [
        select_move(observation, Budget(simulations=2000), level=1, seed=seed)[0]
        for seed in range(30)
    ]


@pytest.mark.parametrize("level", [0, 11, -3])
def test_other_levels_are_refused(level: int) -> None:
    with pytest.raises(InputError, match="level is"):
        select_move(WIN, Budget(simulations=10), level=level)


def test_a_level_plays_only_when_its_seat_is_to_decide() -> None:
    with pytest.raises(StateError, match="p1 is to move"):
        LevelSearch(new_game("tic_tac_toe").observe(2), Budget(simulations=10))


def test_no_level_takes_a_certain_loss_for_a_poor_move() -> None:
    observation = new_game("connect_four").observe(1)
    moves = tuple(
        MoveAnalysis(
            token,
            visits=100,
            share=0.5,
            values=(value, 1 - value),
            standard_error=0.0,
            line=(token,),
            is_exact=value == 0,
        )
        for token, value in (("a", 0.0), ("b", 0.01))
    )
    for seed in range(40):
        search = LevelSearch(observation, Budget(simulations=20), level=1, seed=seed)
        assert search.choose(replace(search.run(), moves=moves)) == "b"
