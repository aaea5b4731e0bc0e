"""Analyze: pace, the newest first, one end, and what ends it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

import grpc
import pytest

from kingmaker.search import run
from kingmaker.search.analysis import Analysis, Budget, StopReason
from kingmaker.search.run import Search
from kingmaker.server.pool.lines import Claim
from kingmaker.server.pool.searches import SearchPool
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import (
    SearchTask,
    Service,
    failure_of,
    midgame,
    observation_of,
    position_of,
    seconds,
    serving,
    simulations,
    until,
)


def request(budget: types_pb2.SearchBudget | None = None, interval: float = 0) -> pb.AnalyzeRequest:
    asked = pb.AnalyzeRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=budget)
    )
    if interval:
        asked.report_interval.FromMilliseconds(round(interval * 1000))
    return asked


@pytest.mark.slow
async def test_there_are_at_least_five_snapshots_a_second(service: Service) -> None:
    answers = [each async for each in service.analysis.Analyze(request(seconds(2)))]
    assert sum(not answer.is_final for answer in answers) >= 10


async def test_the_interval_can_be_chosen(service: Service) -> None:
    stream = service.analysis.Analyze(request(seconds(1), interval=0.4))
    assert 2 <= len([answer async for answer in stream]) <= 3


async def test_a_budget_in_simulations_ends_with_one_final(service: Service) -> None:
    answers = [each async for each in service.analysis.Analyze(request(simulations(500)))]
    assert [answer.is_final for answer in answers].count(True) == 1
    assert answers[-1].is_final
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_SIMULATIONS
    assert answers[-1].report.simulations == 500


async def test_streaming_changes_nothing_about_the_answer(service: Service) -> None:
    asked = request(simulations(30_000), interval=0.02)
    asked.search.seed = 5
    *_, first = [each async for each in service.analysis.Analyze(asked)]
    *_, second = [each async for each in service.analysis.Analyze(asked)]
    for answer in (first, second):
        answer.report.ClearField("elapsed")
    assert first == second


async def test_a_stream_ends_however_late_its_threads_begin(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    class LateThreads(ThreadPoolExecutor):
        def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
            def late() -> Any:
                time.sleep(0.03)  # longer than a slice
                return work(*arguments, **named)

            return super().submit(late)

    monkeypatch.setattr(run, "ThreadPoolExecutor", LateThreads)
    asked = request(simulations(50), interval=0.02)
    asked.search.threads = 2
    answers = [each async for each in service.analysis.Analyze(asked, timeout=60)]
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_SIMULATIONS


async def test_the_deadline_ends_it_with_an_answer() -> None:
    """Half a second is for the search, as much for the answer of a busy machine."""
    async with serving(deadline_margin_seconds=0.5) as service:
        answers = [each async for each in service.analysis.Analyze(request(), timeout=1.0)]
    assert answers[-1].is_final
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_DEADLINE
    assert 0.3 < answers[-1].report.elapsed.ToMilliseconds() / 1000 < 0.8


async def test_it_goes_on_as_long_as_the_server_allows() -> None:
    async with serving(max_analyze_seconds=0.3) as service:
        for asked in (request(), request(seconds(3600))):
            answers = [each async for each in service.analysis.Analyze(asked)]
            assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_SERVER_CAP
            assert answers[-1].report.budget.time.ToMilliseconds() == 300


async def test_cancelling_it_frees_the_slot(service: Service) -> None:
    stream = service.analysis.Analyze(request(seconds(60)))
    for _ in range(3):
        assert not (await stream.read()).is_final
    stream.cancel()
    assert await until(lambda: service.server.status().running == 0) < 0.5
    with pytest.raises(asyncio.CancelledError):
        await stream.read()


async def test_a_refused_analysis_sends_nothing(service: Service) -> None:
    asked = pb.AnalyzeRequest(search=pb.Search(position=position_of(midgame()), seat=9))
    failed = await failure_of(service.analysis.Analyze(asked))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_reader_that_stalls_holds_nothing_up(service: Service) -> None:
    stream = service.analysis.Analyze(request(seconds(0.5), interval=0.02))
    reader = aiter(stream)
    await anext(reader)
    await until(lambda: service.server.status().running == 0, limit=3)
    other = await service.analysis.SelectMove(
        pb.SelectMoveRequest(
            search=pb.Search(observation=observation_of(midgame()), budget=simulations(10))
        )
    )
    assert other.move.text
    rest = [answer async for answer in reader]
    assert [answer.is_final for answer in rest] == [False] * (len(rest) - 1) + [True]
    assert len(rest) <= 26


OBSERVATION = midgame().observe(midgame().seat)
BULK = Claim("test", is_bulk=True)


def job(milliseconds: float, kind: type[Search] = Search) -> SearchTask:
    budget = Budget(milliseconds=milliseconds)
    return SearchTask(lambda: kind(OBSERVATION, budget, seed=1), budget)


@pytest.fixture
async def pool() -> AsyncIterator[SearchPool]:
    pool = SearchPool(ServerSettings(slots=1, isolation=False))
    yield pool
    pool.close()


async def test_a_slow_reader_gets_the_newest_and_misses_the_rest(pool: SearchPool) -> None:
    stream = pool.stream(BULK, 0.02, lambda: job(600))
    start, gaps = time.monotonic(), []
    async with aclosing(stream):
        async for analysis in stream:
            gaps.append(time.monotonic() - start - analysis.seconds)
            if analysis.stop_reason is None:
                time.sleep(0)  # noqa: ASYNC251 - lets the search thread take the GIL
                await asyncio.sleep(0.2)
    # Ready after 20 ms each, some thirty in all; taken every 200 ms.
    assert len(gaps) <= 5
    # What was taken was at most two slices of the search old, though it was offered for longer.
    assert min(gaps[:-1]) < 0.1
    assert await until(lambda: pool.status().running == 0) < 0.5


async def test_answers_are_built_only_when_they_are_due(pool: SearchPool) -> None:
    built: list[Analysis] = []

    class Counted(Search):
        def snapshot(self) -> Analysis:
            built.append(super().snapshot())
            return built[-1]

    answers = [answer async for answer in pool.stream(BULK, 0.3, lambda: job(1000, Counted))]
    assert len(answers) >= 3
    assert len(built) <= 1 + answers[-1].seconds / 0.3
    # On a busy machine one may be followed by the last before it is taken.
    assert [answer for answer in built if answer in answers] == answers


async def test_an_abandoned_stream_ends_its_search(pool: SearchPool) -> None:
    stream = pool.stream(BULK, 0.02, lambda: job(60_000))
    async with aclosing(stream):
        async for _ in stream:
            break
    assert await until(lambda: pool.status().running == 0) < 0.5


async def test_an_analysis_that_gave_way_still_ends_when_the_server_drains(
    pool: SearchPool,
) -> None:
    stream = pool.stream(BULK, 0.02, lambda: job(60_000))
    await anext(stream)
    player = asyncio.create_task(pool.run(Claim("test"), lambda: job(60_000)))
    await until(lambda: pool.status().waiting_bulk == 1)
    pool.finish_all()
    *_, last = [each async for each in stream]
    assert last.stop_reason is StopReason.CANCELLED
    assert (await player).stop_reason is StopReason.CANCELLED


async def test_a_stream_that_gave_way_is_not_silent(
    pool: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise nobody could tell it from one whose connection is lost."""
    monkeypatch.setattr("kingmaker.server.pool.searches.ALIVE_SECONDS", 0.05)
    stream = pool.stream(BULK, 0.02, lambda: job(60_000))
    await anext(stream)
    player = asyncio.create_task(pool.run(Claim("test"), lambda: job(60_000)))
    await until(lambda: pool.status().waiting_bulk == 1)
    async with asyncio.timeout(10):
        answers = [await anext(stream) for _ in range(4)]
    assert answers[-1] is answers[-2]
    pool.finish_all()
    await stream.aclose()
    await player


async def test_the_words_of_a_hint_are_not_looked_for_when_the_caller_left(
    pool: SearchPool,
) -> None:
    finished: list[Analysis] = []

    class Worded(SearchTask):
        def answer(self, search: Search, found: Analysis) -> Analysis:
            finished.append(found)
            return found

    call = asyncio.create_task(pool.run(Claim("test"), lambda: Worded(job(60_000).search)))
    await until(lambda: pool.status().running == 1)
    call.cancel()
    await until(lambda: pool.status().running == 0)
    assert not finished


async def test_a_stream_that_gave_way_still_ends_when_its_time_is_spent(pool: SearchPool) -> None:
    stream = pool.stream(BULK, 0.02, lambda: job(400))
    await anext(stream)
    player = asyncio.create_task(pool.run(Claim("test"), lambda: job(60_000)))
    async with asyncio.timeout(10):
        *_, last = [each async for each in stream]
    assert last.stop_reason is StopReason.TIME
    assert pool.status().waiting_bulk == 0
    assert pool.status().running == 1
    pool.finish_all()
    await player
    assert await until(lambda: pool.status().running == 0) < 0.5
