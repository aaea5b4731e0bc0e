"""A search or solver in slices comes to its end, whatever their length and however late threads."""

from __future__ import annotations

import math
import os
import random
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from numpy.random import SFC64

from kingmaker.search import run as runs
from kingmaker.search.analysis import Budget, StopReason
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search
from kingmaker.search.solution import Limits, Method, Solution
from kingmaker.search.solver import Solver
from tests.interrupts import interrupted

LATE_SECONDS = 0.001
SLICES_MS = (0.0, 0.01, 0.2)


class LateThreads(ThreadPoolExecutor):
    """Threads that begin long after the slices that they are for have ended."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        def late() -> Any:
            time.sleep(LATE_SECONDS)
            return work(*arguments, **named)

        return super().submit(late)


@pytest.fixture(autouse=True)
def late_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "ThreadPoolExecutor", LateThreads)


def observation(game: str, **options: str | int) -> Observation:
    position, _ = new_game(game, options).settle(SFC64(1))
    return position.observe(position.seat)


SEARCHES: list[tuple[str, dict[str, str | int | float], str, int]] = [
    # engine, options, game, simulations
    ("mcts", {}, "tic_tac_toe", 150),
    ("mcts", {}, "chessault", 60),
    ("ismcts", {"observers": "single"}, "kingdom_coinquest", 100),
    ("ismcts", {"observers": "multiple", "selection": "ucb"}, "code_of_chivalry", 60),
    ("ismcts", {"observers": "multiple", "selection": "regret"}, "leduc_poker", 100),
    ("ismcts", {"observers": "multiple", "selection": "regret"}, "knights_duty", 60),
    ("pimc", {"depth": 2}, "goofspiel", 4),
    ("expectimax", {}, "connect_four", 400),
    ("flat", {}, "hearts", 60),
    ("greedy", {}, "kuhn_poker", 60),
    ("random", {}, "kuhn_poker", 60),
]


def test_every_engine_is_searched_in_slices_here() -> None:
    assert {engine for engine, *_ in SEARCHES} == set(ENGINES)


@pytest.mark.parametrize("slice_ms", SLICES_MS)
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize(("engine", "options", "game", "simulations"), SEARCHES)
def test_every_slice_makes_progress(
    engine: str,
    options: dict[str, str | int | float],
    game: str,
    simulations: int,
    threads: int,
    slice_ms: float,
) -> None:
    budget = Budget(simulations=simulations)
    asked: dict[str, Any] = {"engine": engine, "options": options, "threads": threads, "seed": 1}
    search = Search(observation(game), budget, **asked)
    found = search.advance(slice_ms)
    num_slices = 1
    while not search.is_finished:
        before = found
        found = search.advance(slice_ms)
        num_slices += 1
        assert (found.simulations, found.num_nodes) > (before.simulations, before.num_nodes)
    # A simulation of pimc is a world, whose states are entered one by one.
    units = found.num_nodes if engine == "pimc" else simulations
    assert num_slices <= units + 1
    assert found == Search(observation(game), budget, **asked).run()


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_every_thread_makes_a_simulation_in_each_slice(threads: int) -> None:
    search = Search(observation("hearts"), Budget(milliseconds=60_000), seed=1, threads=threads)
    for num_slices in range(1, 6):
        assert search.advance(0).simulations == num_slices * threads


def test_a_search_starts_its_threads_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[ThreadPoolExecutor] = []

    class Counted(ThreadPoolExecutor):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            pools.append(self)

    monkeypatch.setattr(runs, "ThreadPoolExecutor", Counted)
    search = Search(observation("hearts"), Budget(milliseconds=60_000), seed=1, threads=3)
    for _ in range(20):
        search.advance(0)
    [pool] = pools
    assert len(pool._threads) <= 2  # the first searcher runs on the caller's own


def test_the_threads_of_a_search_end_with_it() -> None:
    search = Search(observation("hearts"), Budget(milliseconds=60_000), seed=1, threads=3)
    search.advance(0)
    assert search._threads is not None
    threads = list(search._threads._threads)
    del search
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


def solvers() -> list[tuple[Method, Position, Limits, dict[str, Any]]]:
    return [
        (Method.EXACT, new_game("tic_tac_toe").apply("b2").apply("a1"), Limits(), {}),
        (Method.LIMITED, new_game("connect_four"), Limits(nodes=2_000), {}),
        (Method.LIMITED, new_game("connect_four"), Limits(), {"depth": 5}),
        (Method.EQUILIBRIUM, new_game("kuhn_poker"), Limits(), {"target": 1e-3}),
        (Method.EQUILIBRIUM, new_game("leduc_poker"), Limits(), {"target": 1e-2}),
    ]


@pytest.mark.parametrize("slice_ms", SLICES_MS)
@pytest.mark.parametrize("number", range(len(solvers())))
def test_every_slice_of_a_solver_makes_progress(number: int, slice_ms: float) -> None:
    method, position, limits, options = solvers()[number]
    solver = Solver(position, limits, method=method, **options)
    found = solver.advance(slice_ms)
    num_slices = 1
    while not solver.is_finished:
        found = solver.advance(slice_ms)
        num_slices += 1
        assert num_slices <= found.nodes + 1
    whole: Solution = Solver(position, limits, method=method, **options).run()
    assert (found.values, found.moves) == (whole.values, whole.moves)
    assert found.stop_reason is not StopReason.TIME


def test_slices_of_mixed_lengths_end() -> None:
    rng = random.Random(1)
    for threads in range(1, 9):
        search = Search(observation("chessault"), Budget(simulations=40), seed=1, threads=threads)
        num_slices = 0
        while not search.is_finished:
            search.advance(rng.choice(SLICES_MS) * rng.random())
            num_slices += 1
        assert num_slices <= 40


def test_a_search_goes_on_in_a_forked_process() -> None:
    search = Search(observation("hearts"), Budget(milliseconds=60_000), seed=1, threads=3)
    search.advance(0)
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os._exit(0 if search.advance(0).simulations == 6 else 1)
    assert os.waitpid(child, 0) == (child, 0)


@pytest.mark.parametrize("milliseconds", [-1.0, -math.inf, math.nan])
def test_a_slice_of_no_sensible_length_is_as_short_as_can_be(milliseconds: float) -> None:
    search = Search(observation("hearts"), Budget(milliseconds=60_000), seed=1)
    assert search.advance(milliseconds).simulations == 1


@pytest.mark.parametrize("runs_threads", [1, 2])
def test_an_interrupt_ends_a_search(runs_threads: int) -> None:
    search = Search(
        new_game("connect_four").observe(1),
        Budget(milliseconds=60_000),
        engine="mcts",
        threads=runs_threads,
    )
    with pytest.raises(KeyboardInterrupt):
        interrupted(search.run)
    assert not search.is_finished
    search.cancel()


def test_an_interrupt_ends_a_solver() -> None:
    limits = Limits(milliseconds=60_000)
    solver = Solver(new_game("connect_four"), limits, method=Method.LIMITED, depth=40)
    with pytest.raises(KeyboardInterrupt):
        interrupted(solver.run)
    assert not solver.is_finished
