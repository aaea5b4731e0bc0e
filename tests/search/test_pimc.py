"""PIMC: means over worlds, their errors, the risk of strategy fusion, and its limits."""

import math
import threading
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import MEGABYTE, Analysis, Bound, Budget, MoveAnalysis, StopReason
from kingmaker.search.merge import fusion_risk_of
from kingmaker.search.pimc import PimcSearcher
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.run import Search, analyze
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


def plain_shares(observation: Observation) -> tuple[np.ndarray, np.ndarray]:
    """The observer's share with open hands to the end, `[num_moves, num_worlds]`, and the chances.

    All worlds that an observation of a small game stands for, and how likely each is.
    """
    stream = np.random.SFC64(1)
    worlds = Counter(observation.determinize(stream) for _ in range(20_000))
    shares = [
        [
            share(world.game, world.apply(move).state, WHOLE_GAME, observation.observer - 1)
            for world in worlds
        ]
        for move in observation.legal_moves()
    ]
    return np.array(shares), np.array(list(worlds.values())) / 20_000


def to_the_end(observation: Observation) -> Analysis:
    return analyze(
        observation, Budget(simulations=20_000), engine="pimc", seed=1, options={"depth": 60}
    )


@pytest.mark.parametrize(
    ("game", "options"), [("kuhn_poker", {}), ("leduc_poker", {}), ("goofspiel", {"cards": 4})]
)
def test_values_are_means_over_the_worlds_and_tell_where_each_move_is_best(
    game: str, options: dict[str, str | int]
) -> None:
    num_spread = 0
    for position, seat in observations(game, 9, **options):
        observation = position.observe(seat)
        analysis = to_the_end(observation)
        table, chances = plain_shares(observation)
        is_best = table >= table.max(axis=0) - 1e-9
        for move in analysis.moves:
            row = observation.legal_moves().index(move.move)
            mean = table[row] @ chances
            deviation = math.sqrt(max((table[row] ** 2) @ chances - mean**2, 0))
            assert move.visits == 20_000
            assert move.values[seat - 1] == pytest.approx(mean, abs=0.02)
            assert move.standard_error == pytest.approx(
                deviation / math.sqrt(20_000), rel=0.1, abs=1e-4
            )
            assert move.world_share == pytest.approx(is_best[row] @ chances, abs=0.02)
            num_spread += deviation > 0.01
        assert analysis.fusion_risk == 1 - (analysis.moves[0].world_share or 0)
    assert num_spread > 5


def test_values_count_and_not_votes() -> None:
    num_outvoted = 0
    for position, seat in observations("goofspiel", 12, cards=4):
        analysis = to_the_end(position.observe(seat))
        best = analysis.moves[0]
        assert best.values[seat - 1] == max(move.values[seat - 1] for move in analysis.moves)
        num_outvoted += any(
            (move.world_share or 0) > (best.world_share or 0) for move in analysis.moves
        )
    assert num_outvoted > 0


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


@pytest.mark.parametrize(("world_share", "risk"), [(None, 0.0), (0.0, 1.0), (0.75, 0.25)])
def test_a_move_that_is_best_in_no_world_is_all_risk(
    world_share: float | None, risk: float
) -> None:
    move = MoveAnalysis("a1", 8, 1.0, (0.5, 0.5), 0.1, ("a1",), world_share=world_share)
    assert fusion_risk_of([move]) == risk


def searcher(observation: Observation, depth: int) -> PimcSearcher:
    return PimcSearcher(
        observation.game,
        observation.state,
        Seed(1),
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
        PimcSearcher(position.game, position.state, Seed(1), OPTIONS, 4 * MEGABYTE)


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
