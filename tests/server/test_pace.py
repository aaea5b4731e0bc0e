"""Searches of few simulations run on the event loop, if others like them were short."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.run import Search
from kingmaker.server.pool.lines import Claim
from kingmaker.server.pool.pace import MAX_SIMULATIONS, kind_of
from kingmaker.server.pool.searches import SearchPool
from kingmaker.server.settings import ServerSettings

from .support import SearchTask, midgame, until

POSITION = midgame()
OBSERVATION = POSITION.observe(POSITION.seat)


CLAIM = Claim("test")


@pytest.fixture
async def pool() -> AsyncIterator[SearchPool]:
    pool = SearchPool(ServerSettings(slots=2, isolation=False))
    yield pool
    pool.close()


def search(simulations: int = 1, kind: type[Search] = Search, **more: Any) -> Search:
    return kind(OBSERVATION, Budget(60_000, simulations), seed=1, **more)


class Place(SearchTask):
    """A job whose answer says whether it was built on the event loop."""

    def answer(self, search: Search, found: Analysis) -> Any:
        return threading.current_thread() is threading.main_thread()


def job(of: type[SearchTask] = Place, **asked: Any) -> SearchTask:
    game = OBSERVATION.game
    simulations, threads = asked.get("simulations", 1), asked.get("threads", 1)
    kind = kind_of("test", game, simulations, threads, "", {})
    return of(lambda: search(**asked), kind=kind)


async def threads_of(pool: SearchPool, calls: int, **asked: Any) -> list[Any]:
    """Make calls; returns of each whether its answer was built on the event loop."""
    return [await pool.run(CLAIM, lambda: job(**asked)) for _ in range(calls)]


async def test_only_the_first_of_its_kind_needs_a_thread(pool: SearchPool) -> None:
    first, *others = await threads_of(pool, 30)
    assert not first
    assert sum(others) > 5  # the machine may be slow for a moment
    assert await until(lambda: pool.status().running == 0) < 0.5


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
    class Worded(Place):
        def answer(self, search: Search, found: Analysis) -> Any:
            end = time.thread_time() + 0.003
            while time.thread_time() < end:
                pass
            return super().answer(search, found)

    assert not any([await pool.run(CLAIM, lambda: job(Worded)) for _ in range(10)])


class Unfinished(Search):
    """A search that its first step leaves unfinished, however long it is."""

    is_first = True

    def step(self, milliseconds: float) -> None:
        super().step(0 if self.is_first else milliseconds)
        self.is_first = False


class Told(Place):
    """A job whose answer has the analysis too."""

    def answer(self, search: Search, found: Analysis) -> Any:
        return super().answer(search, found), found


async def test_what_is_not_finished_on_the_event_loop_starts_over_on_a_thread(
    pool: SearchPool,
) -> None:
    await threads_of(pool, 1)
    _, alone = await pool.run(CLAIM, lambda: job(Told, simulations=8))
    was_here, again = await pool.run(CLAIM, lambda: job(Told, simulations=8, kind=Unfinished))
    assert not was_here
    assert again == alone == search(8).run()
    assert await until(lambda: pool.status().running == 0) < 0.5


class Broken(Search):
    """A search that a game's fault ends."""

    def step(self, milliseconds: float) -> None:
        raise RuntimeError("the game broke its contract")


async def test_a_fault_on_the_event_loop_frees_the_slot(pool: SearchPool) -> None:
    await threads_of(pool, 2)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="broke its contract"):
            await threads_of(pool, 1, kind=Broken)
    assert await until(lambda: pool.status().running == 0) < 0.5


async def test_the_thread_does_not_change_the_answer(pool: SearchPool) -> None:
    answers: list[Any] = []
    while len({was_here for was_here, _ in answers}) < 2:  # on a busy machine all may be long
        answers.append(await pool.run(CLAIM, lambda: job(Told, simulations=16)))
    assert [found for _, found in answers] == [search(16).run()] * len(answers)
