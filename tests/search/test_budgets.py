"""Budgets, memory limits, snapshots and cancel."""

import math
import re
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import (
    MAX_THREADS,
    MEGABYTE,
    MIN_MEMORY_BYTES,
    Analysis,
    Budget,
    StopReason,
)
from kingmaker.search.engine_options import check_options
from kingmaker.search.growing_tree import GrowingTreeSearcher
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.mcts import MctsSearcher
from kingmaker.search.mo_ismcts import MoIsmctsSearcher
from kingmaker.search.position import Observation, new_game, parse_observation
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search, analyze
from kingmaker.search.searcher import Searcher


@pytest.fixture
def observation() -> Observation:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    return position.observe(position.seat)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("simulations", [1, 2, 1001])
def test_simulations_are_spent_to_the_last(
    observation: Observation, simulations: int, threads: int
) -> None:
    analysis = analyze(observation, Budget(simulations=simulations), seed=1, threads=threads)
    assert analysis.simulations == simulations
    assert analysis.stop_reason is StopReason.SIMULATIONS


def test_time_ends_a_search_without_other_limit(observation: Observation) -> None:
    analysis = analyze(observation, Budget(milliseconds=30), seed=1)
    assert analysis.stop_reason is StopReason.TIME
    assert analysis.seconds >= 0.03
    assert analysis.simulations > 0


def test_the_limit_reached_first_ends_the_search(observation: Observation) -> None:
    few = analyze(observation, Budget(milliseconds=60_000, simulations=50), seed=1)
    assert few.stop_reason is StopReason.SIMULATIONS
    short = analyze(observation, Budget(milliseconds=5, simulations=10**9), seed=1)
    assert short.stop_reason is StopReason.TIME


@pytest.mark.parametrize("game", ["kingdom_coinquest", "connect_four"])
def test_a_full_arena_stops_growing_and_the_search_goes_on(game: str) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    budget = Budget(simulations=150_000, memory_bytes=MEGABYTE)
    search = Search(observation, budget, seed=1)
    analysis = search.run()
    assert analysis.simulations == 150_000
    assert analysis.memory_bytes <= MEGABYTE
    roomy = analyze(observation, Budget(simulations=150_000), seed=1)
    assert roomy.num_nodes > 2 * analysis.num_nodes


def test_slices_give_the_same_answer_as_one_run(observation: Observation) -> None:
    whole = analyze(observation, Budget(simulations=20_000), seed=4, threads=2)
    search = Search(observation, Budget(simulations=20_000), seed=4, threads=2)
    snapshots = [search.advance(2)]
    while not search.is_finished:
        snapshots.append(search.advance(2))
    assert snapshots[-1] == whole
    assert [each.stop_reason for each in snapshots[:-1]] == [None] * (len(snapshots) - 1)
    assert len(snapshots) > 2
    counts = [each.simulations for each in snapshots]
    assert counts == sorted(counts)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("engine", ["ismcts", "flat"])
def test_cancel_from_another_thread_ends_a_search(
    observation: Observation, engine: str, threads: int
) -> None:
    search = Search(observation, Budget(milliseconds=60_000), engine=engine, threads=threads)
    threading.Timer(0.05, search.cancel).start()
    start = time.monotonic()
    analysis = search.run()
    assert analysis.stop_reason is StopReason.CANCELLED
    assert time.monotonic() - start < 10
    assert analysis.moves


def test_a_search_cancelled_before_it_began_still_answers(observation: Observation) -> None:
    search = Search(observation, Budget(milliseconds=60_000), seed=1)
    search.cancel()
    analysis = search.run()
    assert analysis.stop_reason is StopReason.CANCELLED
    assert analysis.simulations == 0
    assert [move.visits for move in analysis.moves] == [0] * len(observation.legal_moves())


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        ({}, "budget"),
        ({"simulations": 0}, "budget.simulations"),
        ({"simulations": -5}, "budget.simulations"),
        ({"simulations": 10**13}, "budget.simulations"),
        ({"milliseconds": 0}, "budget.milliseconds"),
        ({"milliseconds": -1}, "budget.milliseconds"),
        ({"milliseconds": float("nan")}, "budget.milliseconds"),
        ({"milliseconds": 1e12}, "budget.milliseconds"),
        ({"simulations": 1, "memory_bytes": 0}, "budget.memory_bytes"),
        ({"simulations": 1, "memory_bytes": 1 << 50}, "budget.memory_bytes"),
        ({"simulations": 1, "memory_bytes": None}, "budget.memory_bytes"),
    ],
)
def test_an_absurd_budget_is_refused(limits: dict[str, float], field: str) -> None:
    with pytest.raises(InputError) as refused:
        Budget(**limits)  # type: ignore[arg-type]
    assert refused.value.field == field


@pytest.mark.parametrize("game", ["kingdom_coinquest", "connect_four"])
def test_most_threads_share_the_least_memory(game: str) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    budget = Budget(simulations=5 * MAX_THREADS, memory_bytes=MIN_MEMORY_BYTES)
    analysis = analyze(position.observe(position.seat), budget, seed=1, threads=MAX_THREADS)
    assert analysis.simulations == 5 * MAX_THREADS
    assert analysis.memory_bytes <= MIN_MEMORY_BYTES


def test_a_tree_without_room_for_a_node_is_refused(observation: Observation) -> None:
    options = {
        "exploration": 0.7,
        "playout": "policy",
        "playout_plies": 0,
        "max_depth": 0,
        "rivals": "selfish",
    }
    with pytest.raises(MemoryError):
        IsmctsSearcher(observation.game, observation.state, Seed(1), options, 256)


@pytest.mark.parametrize(
    ("game", "num_past", "kind", "options", "little"),
    [
        ("connect_four", 3, MctsSearcher, {}, 200),
        ("knaves_out", 0, IsmctsSearcher, {"observers": "single", "selection": "ucb"}, 900),
        ("knaves_out", 0, MoIsmctsSearcher, {"selection": "ucb"}, 900),
        ("goofspiel", 15, MoIsmctsSearcher, {}, 500),
        ("goofspiel", 15, GrowingTreeSearcher, {}, 900),
        ("leduc_poker", 3, GrowingTreeSearcher, {}, 900),
    ],
)
def test_a_memory_without_room_for_the_moves_is_refused_with_one_that_is_enough(
    game: str, num_past: int, kind: Any, options: dict[str, str], little: int
) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    for _ in range(num_past):
        position, _ = position.apply(position.legal_moves()[0]).settle(np.random.SFC64(1))
    rules, state = position.game, position.observe(position.seat).state
    engine = ENGINES["mcts" if kind is MctsSearcher else "ismcts"]

    def searcher(memory_bytes: int) -> Searcher:
        seed = Seed(1)
        found: Searcher = kind(
            rules, state, seed, check_options(engine, rules, options), memory_bytes
        )
        return found

    with pytest.raises(InputError, match=f"memory_bytes is {little} for each thread") as refused:
        searcher(little)
    assert refused.value.field == "budget.memory_bytes"
    said = re.search(r"(\d+) are enough", str(refused.value))
    assert said
    searcher(int(said[1]))
    num_taken = 0
    for memory_bytes in range(little, int(said[1]), 100):
        with suppress(InputError):
            accepted = searcher(memory_bytes)
            accepted.run(2 * rules.max_moves, 0)
            num_taken += 1
            assert len(accepted.root_moves()) > 1
    assert num_taken or kind is MctsSearcher  # which says exactly what is needed


def test_few_simulations_get_the_memory_that_the_moves_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position, _ = new_game("leduc_poker").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    found = analyze(observation, Budget(simulations=5), seed=1)
    info = replace(ENGINES["ismcts"], memory_of=lambda game, simulations: 900)
    monkeypatch.setitem(ENGINES, "ismcts", info)
    again = analyze(observation, Budget(simulations=5), seed=1)
    assert again == found


def test_a_short_search_clears_no_large_table() -> None:
    position, _ = new_game("chessault").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)

    def memory(milliseconds: float, simulations: int | None = None, limit: int = 1 << 26) -> int:
        budget = Budget(milliseconds, simulations, limit)
        search = Search(observation, budget, engine="expectimax", seed=1)
        search.step(0)
        return search.snapshot().memory_bytes

    assert 1 << 22 <= memory(5) < memory(50) < 1 << 25
    assert memory(60_000) == 1 << 26
    assert memory(50, limit=1 << 21) == 1 << 21
    assert memory(5, simulations=10_000) == memory(60_000, simulations=10_000) < 1 << 22


def test_threads_that_get_too_little_memory_are_refused() -> None:
    position, _ = new_game("knaves_out").settle(np.random.SFC64(1))
    budget = Budget(simulations=MAX_THREADS, memory_bytes=MIN_MEMORY_BYTES)
    observation = position.observe(position.seat)
    with pytest.raises(InputError, match="memory_bytes is 4096 for each thread"):
        analyze(observation, budget, seed=1, threads=MAX_THREADS)
    assert analyze(observation, budget, seed=1, threads=MAX_THREADS // 16).moves


@pytest.mark.parametrize("slice_ms", [0.2, 1.5])
def test_slices_give_the_same_proof_as_one_run(slice_ms: float) -> None:
    observation = new_game("tic_tac_toe").apply("b2").observe(2)
    budget = Budget(simulations=60_000)
    whole = analyze(observation, budget, seed=1, threads=3)
    assert whole.stop_reason is StopReason.SOLVED
    search = Search(observation, budget, seed=1, threads=3)
    last = search.advance(slice_ms)
    while not search.is_finished:
        last = search.advance(slice_ms)
    assert last == whole


def test_without_promised_simulations_one_proof_ends_a_sliced_search() -> None:
    observation = new_game("tic_tac_toe").apply("b2").observe(2)
    search = Search(observation, Budget(milliseconds=60_000), seed=1, threads=2)
    while not search.is_finished:
        last = search.advance(1)
    assert last.stop_reason is StopReason.SOLVED


def test_a_slice_may_be_of_any_length(observation: Observation) -> None:
    for milliseconds in (1e300, math.inf):
        analysis = Search(observation, Budget(simulations=20), seed=1).advance(milliseconds)
        assert analysis.simulations == 20


def test_one_search_is_not_run_by_two_threads_at_once(observation: Observation) -> None:
    search = Search(observation, Budget(milliseconds=60_000), seed=1)
    first = threading.Thread(target=search.run)
    first.start()
    time.sleep(0.05)
    try:
        with pytest.raises(RuntimeError, match="already runs"):
            search.advance(1)
    finally:
        search.cancel()
        first.join()


@pytest.mark.parametrize("engine", ["ismcts", "flat", "greedy"])
def test_a_search_without_time_has_no_opinion(engine: str) -> None:
    observation = parse_observation("kuhn_poker", "kuhn p1=? p2=k bets=b node=play:p2 @p2")
    search = Search(observation, Budget(milliseconds=60_000), seed=1, engine=engine)
    search.cancel()
    analysis = search.run()
    assert [move.visit_share for move in analysis.moves] == [0.5, 0.5]
    assert sum(analysis.policy) == 1


@pytest.mark.parametrize("wrong", [1.5, 2.0, "3", True])
@pytest.mark.parametrize("field", ["simulations", "memory_bytes"])
def test_a_count_that_is_no_whole_number_is_refused(field: str, wrong: Any) -> None:
    with pytest.raises(InputError, match=f"{field} is .*; it must be a whole number") as refused:
        Budget(**{"milliseconds": 5, field: wrong})
    assert refused.value.field == f"budget.{field}"
    assert refused.value.value == str(wrong)


@pytest.mark.parametrize("game", [name for name in GAMES if not new_game(name).game.is_hidden])
def test_the_memory_of_few_states_is_enough_for_them(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    info = ENGINES["expectimax"]

    def answer(simulations: int) -> Analysis:
        budget = Budget(simulations=simulations)
        return replace(Search(observation, budget, engine=info.name, seed=1).run(), memory_bytes=0)

    asked = (1, 2, 3, 10, 100, 1000)
    found = [answer(simulations) for simulations in asked]
    assert info.memory_of is not None
    assert info.memory_of(observation.game, 1) < 1 << 18
    monkeypatch.setitem(ENGINES, info.name, replace(info, memory_of=None))
    assert found == [answer(simulations) for simulations in asked]
