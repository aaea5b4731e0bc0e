"""Searches of few simulations run on the event loop, if others like them were short."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.run import Search
from kingmaker.server.pool.pace import MAX_SIMULATIONS
from kingmaker.server.pool.searches import SearchPool
from kingmaker.server.settings import ServerSettings

from .support import midgame

POSITION = midgame()
OBSERVATION = POSITION.observe(POSITION.seat)


@pytest.fixture
async def pool() -> AsyncIterator[SearchPool]:
    pool = SearchPool(ServerSettings(slots=2))
    yield pool
    pool.close()


def search(simulations: int = 1, kind: type[Search] = Search, **more: Any) -> Search:
    return kind(OBSERVATION, Budget(60_000, simulations), seed=1, **more)


async def threads_of(pool: SearchPool, calls: int, **asked: Any) -> list[bool]:
    """Make calls; returns of each whether its answer was built on the event loop."""
    return [
        await pool.run(
            "test",
            asked.get("threads", 1),
            lambda: search(**asked),
            lambda _, analysis: threading.current_thread() is threading.main_thread(),
        )
        for _ in range(calls)
    ]


async def test_only_the_first_of_its_kind_needs_a_thread(pool: SearchPool) -> None:
    first, *others = await threads_of(pool, 30)
    assert not first
    assert sum(others) > 20  # the machine may be slow for a moment
    assert pool.status().running == 0


@pytest.mark.parametrize("asked", [{"simulations": MAX_SIMULATIONS + 1}, {"threads": 2}])
async def test_larger_searches_always_get_threads(pool: SearchPool, asked: dict[str, int]) -> None:
    asked = {"simulations": 2, **asked}
    assert not any(await threads_of(pool, 10, **asked))


class Slow(Search):
    """A search whose steps take a while, as with a huge game."""

    def step(self, milliseconds: float) -> None:
        end = time.thread_time() + 0.003
        while time.thread_time() < end:
            pass
        super().step(milliseconds)


async def test_slow_simulations_never_hold_the_event_loop_up(pool: SearchPool) -> None:
    assert not any(await threads_of(pool, 10, kind=Slow))


async def test_the_words_of_the_answer_count_as_well(pool: SearchPool) -> None:
    def finish(_: Search, analysis: Analysis) -> bool:
        end = time.thread_time() + 0.003
        while time.thread_time() < end:
            pass
        return threading.current_thread() is threading.main_thread()

    assert not any([await pool.run("test", 1, search, finish) for _ in range(10)])


class Unfinished(Search):
    """A search that its first step leaves unfinished, however long it is."""

    steps = 0

    def step(self, milliseconds: float) -> None:
        Unfinished.steps += 1
        super().step(0 if Unfinished.steps % 2 else milliseconds)


async def test_what_is_not_finished_on_the_event_loop_goes_on_on_a_thread(
    pool: SearchPool,
) -> None:
    def finish(_: Search, analysis: Analysis) -> tuple[bool, Analysis]:
        return threading.current_thread() is threading.main_thread(), analysis

    await threads_of(pool, 1)  # another answer: another kind
    found = await pool.run("test", 1, lambda: search(8), finish)
    _, analysis = await pool.run("test", 1, lambda: search(8), finish)
    was_here, continued = await pool.run("test", 1, lambda: search(8, Unfinished), finish)
    assert Unfinished.steps == 2
    assert not was_here
    assert continued == analysis == found[1]
    assert pool.status().running == 0


class Broken(Search):
    """A search that a game's fault ends."""

    def step(self, milliseconds: float) -> None:
        raise RuntimeError("the game broke its contract")


async def test_a_fault_on_the_event_loop_frees_the_slot(pool: SearchPool) -> None:
    await threads_of(pool, 2)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="broke its contract"):
            await threads_of(pool, 1, kind=Broken)
    assert pool.status().running == 0


async def test_the_thread_does_not_change_the_answer(pool: SearchPool) -> None:
    answers = [
        await pool.run("test", 1, lambda: search(16), lambda _, analysis: analysis)
        for _ in range(5)
    ]
    assert answers == [search(16).run()] * 5
