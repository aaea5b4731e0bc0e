"""PIMC: means over worlds, their errors, the risk of strategy fusion, and its limits."""

import math
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from kingmaker.search.analysis import MEGABYTE, Bound, Budget, StopReason
from kingmaker.search.engine import Search, analyze
from kingmaker.search.pimc import PimcSearcher
from kingmaker.search.position import Observation, Position, new_game, parse_observation
from tests.plain_expectimax import share

WHOLE_GAME = 99
OPTIONS = {"depth": 4, "rivals": "selfish"}


def observations(game: str, count: int, **options: str | int) -> Iterator[tuple[Position, int]]:
    """Yield positions in which a seat decides, of games by the playout policy, and the seat."""
    stream = np.random.SFC64(8)
    position, _ = new_game(game, options).settle(stream)
    for _ in range(count):
        yield position, position.seat
        move = position.game.policy_move(position.state, stream)
        position, _ = position.apply(position.game.move_text(move)).settle(stream)
        if position.is_terminal:
            position, _ = new_game(game, options).settle(stream)


def worlds_of(observation: Observation) -> set[Position]:
    """All states that an observation of a small game can stand for."""
    stream = np.random.SFC64(1)
    return {observation.determinize(stream) for _ in range(200)}


def plain_shares(observation: Observation) -> dict[str, list[float]]:
    """The observer's share after each move, in each world, with open hands to the end."""
    seat = observation.observer - 1
    return {
        move: [
            share(world.game, world.apply(move).state, WHOLE_GAME, seat)
            for world in sorted(worlds_of(observation), key=str)
        ]
        for move in observation.legal_moves()
    }


def test_a_move_is_worth_the_mean_of_its_values_over_the_worlds() -> None:
    num_spread = 0
    for position, seat in observations("kuhn_poker", 12):
        observation = position.observe(seat)
        analysis = analyze(
            observation,
            Budget(simulations=20_000),
            engine="pimc",
            seed=1,
            options={"depth": 10},
        )
        expected = plain_shares(observation)
        for move in analysis.moves:
            shares = np.array(expected[move.move])  # the worlds of Kuhn poker are equally likely
            assert move.visits == 20_000
            assert move.values[seat - 1] == pytest.approx(shares.mean(), abs=0.01)
            assert move.standard_error == pytest.approx(
                shares.std() / math.sqrt(20_000), rel=0.05, abs=1e-9
            )
            num_spread += shares.std() > 0
    assert num_spread > 5


def test_the_risk_of_fusion_is_the_part_of_worlds_where_another_move_was_better() -> None:
    risks = set()
    for position, seat in observations("kuhn_poker", 12):
        observation = position.observe(seat)
        analysis = analyze(
            observation,
            Budget(simulations=20_000),
            engine="pimc",
            seed=1,
            options={"depth": 10},
        )
        table = np.array([plain_shares(observation)[move.move] for move in analysis.moves])
        best = (table >= table.max(axis=0) - 1e-9).mean(axis=1)
        for move, part in zip(analysis.moves, best, strict=True):
            assert move.best_share == pytest.approx(part, abs=0.02)
        assert analysis.fusion_risk == pytest.approx(1 - best[0], abs=0.02)
        risks.add(round(analysis.fusion_risk, 1))
    assert len(risks) > 1


def test_values_count_and_not_votes() -> None:
    # Against a bet the king wins, whatever the rival holds, and folding it never does.
    observation = parse_observation(
        "kuhn_poker", next(text for text in kuhn_lines() if "p2=k" in text and "bet" in text)
    )
    analysis = analyze(observation, Budget(simulations=500), engine="pimc", seed=1)
    assert analysis.best_move == "bet"
    assert analysis.fusion_risk == 0


def kuhn_lines() -> Iterator[str]:
    for position, seat in observations("kuhn_poker", 200):
        yield position.observe(seat).text


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["kingdom_coinquest", "leduc_poker"])
def test_slices_give_the_answer_of_one_run(game: str, threads: int) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    budget = Budget(simulations=3_000)
    whole = analyze(observation, budget, engine="pimc", seed=3, threads=threads)
    search = Search(observation, budget, engine="pimc", seed=3, threads=threads)
    snapshots = [search.advance(0.5)]
    while not search.is_finished:
        snapshots.append(search.advance(0.5))
    assert len(snapshots) > 2
    assert snapshots[-1] == whole
    assert whole.simulations == 3_000
    assert whole.stop_reason is StopReason.SIMULATIONS


def test_threads_share_the_worlds() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    search = Search(
        position.observe(position.seat), Budget(simulations=101), engine="pimc", seed=3, threads=2
    )
    assert {move.visits for move in search.run().moves} == {101}


def test_what_a_seat_cannot_see_changes_nothing() -> None:
    stream = np.random.SFC64(3)
    num_different = 0
    for position, seat in observations("kingdom_coinquest", 15):
        observation = position.observe(seat)
        other = observation.determinize(stream)
        num_different += other != position
        first, second = (
            analyze(each.observe(seat), Budget(simulations=50), engine="pimc", seed=2)
            for each in (position, other)
        )
        assert first == second
    assert num_different > 5


def searcher(observation: Observation, depth: int) -> PimcSearcher:
    return PimcSearcher(
        observation.game,
        observation.state,
        np.random.SeedSequence(1),
        {**OPTIONS, "depth": depth},
        4 * MEGABYTE,
    )


@pytest.fixture
def endless() -> PimcSearcher:
    """A search that doesn't come to the end of its first world."""
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    return searcher(position.observe(position.seat), depth=40)


def test_cancel_ends_a_search_inside_a_world_which_then_does_not_count(
    endless: PimcSearcher,
) -> None:
    threading.Timer(0.05, endless.cancel).start()
    assert endless.run(0, 0) == 3
    assert endless.num_nodes > 0
    assert endless.simulations == 0
    assert {visits for _, visits, *_ in endless.root_moves()} == {0}


def test_time_ends_a_search_inside_a_world(endless: PimcSearcher) -> None:
    assert endless.run(0, 1) == 0
    assert endless.simulations == 0


def test_memory_stays_within_its_limit(endless: PimcSearcher) -> None:
    assert endless.memory_bytes <= 4 * MEGABYTE


def test_a_full_state_is_refused() -> None:
    position, _ = new_game("kuhn_poker").settle(np.random.SFC64(1))
    with pytest.raises(TypeError, match="never a full state"):
        PimcSearcher(
            position.game, position.state, np.random.SeedSequence(1), OPTIONS, 4 * MEGABYTE
        )


@pytest.mark.parametrize("game", ["kuhn_poker", "kingdom_coinquest"])
def test_who_is_not_to_decide_gets_values_without_moves(game: str) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    for seat in (0, 3 - position.seat):
        analysis = analyze(position.observe(seat), Budget(simulations=200), engine="pimc", seed=1)
        assert analysis.moves == ()
        assert sum(analysis.values) == pytest.approx(1)
        assert (analysis.bound, analysis.fusion_risk) == (Bound.HEURISTIC, 0.0)


@pytest.mark.parametrize("rivals", ["selfish", "paranoid"])
def test_more_than_two_seats_are_searched(rivals: str) -> None:
    for position, seat in observations("kingdom_coinquest", 8, players=4):
        analysis = analyze(
            position.observe(seat),
            Budget(simulations=20),
            engine="pimc",
            seed=1,
            options={"rivals": rivals, "depth": 2},
        )
        assert analysis.simulations == 20
        assert sum(analysis.values) == pytest.approx(1)
        if rivals == "paranoid":
            others = [value for i, value in enumerate(analysis.values) if i != seat - 1]
            assert others == pytest.approx([others[0]] * 3)
