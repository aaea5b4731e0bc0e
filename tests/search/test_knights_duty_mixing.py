"""Mixing in A Knight's Duty, against equilibria of last turns; and searches of given worlds."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.benchmarks.exploit import (
    DUELS,
    MIXED,
    ROOT_SEEDS,
    ROOT_SIMULATIONS,
    equilibrium,
    mixed,
    total_variation,
)
from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Budget
from kingmaker.search.position import Position, new_game, parse_position
from kingmaker.search.run import Search, analyze
from kingmaker.search.worlds import sample_worlds

BELIEVING = {"observers": "multiple", "selection": "ucb"}


def second_bidder(bid: int) -> Position:
    position, _ = new_game("goofspiel", {"cards": 4}).settle(np.random.SFC64(1))
    return position.apply(f"bid:{bid}")


@pytest.mark.slow
@pytest.mark.parametrize("name", MIXED)
def test_first_tokens_are_drawn_like_those_of_the_equilibrium(name: str) -> None:
    position = parse_position("knights_duty", MIXED[name])
    for seed in ROOT_SEEDS:
        found = mixed(position.observe(1), seed, simulations=ROOT_SIMULATIONS)
        assert total_variation(found, equilibrium(position)) < 0.1


@pytest.mark.parametrize("name", DUELS)
def test_the_tree_of_a_last_turn_soon_holds_all_of_it(name: str) -> None:
    observation = parse_position("knights_duty", DUELS[name]).observe(1)
    sizes = {
        Search(observation, Budget(simulations=simulations), seed=simulations).run().num_nodes
        for simulations in (12_000, 15_000)
    }
    assert len(sizes) == 1


@pytest.mark.parametrize("name", MIXED)
def test_no_first_token_of_these_equilibria_is_nearly_sure(name: str) -> None:
    assert max(equilibrium(parse_position("knights_duty", MIXED[name])).values()) < 0.95


def test_seats_that_choose_targets_hardly_expect_more_than_one_win_together() -> None:
    """Each would expect much more if it took the face-down tokens of its rival for random ones."""
    stream = np.random.SFC64(1)
    excess: list[float] = []
    while len(excess) < 40:
        position, _ = new_game("knights_duty", {"players": 2}).settle(stream)
        while not position.is_terminal and len(excess) < 40:
            if " 1.target " in position.text or " 2.target " in position.text:
                found = (
                    analyze(position.observe(seat), Budget(simulations=500), seed=len(excess))
                    for seat in (1, 2)
                )
                excess.append(sum(each.values[seat] for seat, each in enumerate(found)) - 1)
            move = position.game.policy_move(position.state, stream)
            position, _ = position.apply(position.game.move_text(move)).settle(stream)
    assert np.mean(excess) < 0.05


def test_an_anchor_keeps_to_the_playout_policy_where_values_are_about_equal() -> None:
    position = new_game("knights_duty")
    stream = np.random.SFC64(1)
    drawn = [position.game.policy_move(position.state, stream) for _ in range(2000)]
    policy = {position.game.move_text(each): drawn.count(each) / len(drawn) for each in set(drawn)}

    def distance(anchor: float) -> float:
        """Return the mean over three seeds."""
        found = []
        for seed in (1, 2, 3):
            search = Search(
                position.observe(1),
                Budget(simulations=2000),
                seed=seed,
                options={"selection": "regret", "anchor": anchor},
            )
            analysis = search.run()
            moves = [each.move for each in analysis.moves]
            found.append(total_variation(dict(zip(moves, analysis.policy, strict=True)), policy))
        return float(np.mean(found))

    assert distance(anchor=0.5) < 0.4 < distance(anchor=0.0)


@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize(("bid", "reply"), [(1, "bid:2"), (4, "bid:1")])
def test_who_knows_the_hidden_bid_answers_it(bid: int, reply: str, observers: str) -> None:
    position = second_bidder(bid)
    search = Search(
        position.observe(2),
        Budget(simulations=3000),
        engine="ismcts",
        seed=1,
        options={"observers": observers, "selection": "ucb"},
        worlds=[position],
    )
    assert search.run().best_move == reply


def test_a_world_given_more_often_weighs_more() -> None:
    position = second_bidder(1)
    replies = [
        Search(
            position.observe(2),
            Budget(simulations=3000),
            seed=1,
            options=BELIEVING,
            worlds=[second_bidder(1)] * low + [second_bidder(4)] * high,
        )
        .run()
        .best_move
        for low, high in ((9, 1), (1, 9))
    ]
    assert replies == ["bid:2", "bid:1"]


def test_worlds_are_for_searches_that_draw_them_freely() -> None:
    position = parse_position("knights_duty", DUELS["sword_bow"])
    with pytest.raises(InputError, match="selection=ucb") as caught:
        Search(position.observe(1), Budget(simulations=1), worlds=[position])
    assert caught.value.field == "worlds"


@pytest.mark.parametrize(
    ("worlds", "why"), [([], "empty"), ([second_bidder(1).apply("bid:1")], "does not fit")]
)
def test_worlds_that_cannot_be_are_refused(worlds: list[Position], why: str) -> None:
    observation = second_bidder(1).observe(2)
    with pytest.raises(InputError, match=why):
        Search(observation, Budget(simulations=1), options=BELIEVING, worlds=worlds)


def test_an_observation_is_no_world() -> None:
    observation = second_bidder(1).observe(2)
    with pytest.raises(TypeError, match=r"^worlds is .* a full state"):
        Search(
            observation,
            Budget(simulations=1),
            options=BELIEVING,
            worlds=[observation],  # type: ignore[list-item]
        )


def test_worlds_may_come_one_by_one() -> None:
    observation = second_bidder(1).observe(2)
    worlds = sample_worlds(observation, 4, 1)
    budget = Budget(simulations=50)
    found = [
        Search(observation, budget, seed=1, options=BELIEVING, worlds=each).run()
        for each in (worlds, iter(worlds))
    ]
    assert found[0].values == found[1].values
