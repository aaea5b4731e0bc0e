"""What Prometheus reads: counters of calls and searches, figures of the present, bounded labels."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import grpc
import pytest
import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families

from kingmaker.server.errors import OverloadError
from kingmaker.server.ladders.process import News
from kingmaker.server.log_writer import LogWriter
from kingmaker.server.telemetry import sources
from kingmaker.server.telemetry.metrics import Metrics
from kingmaker.server.telemetry.port import MAX_READERS, MetricsHandler
from kingmaker.server.telemetry.sampler import Sampler
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .match_client import new_match
from .process import failed_start
from .support import (
    KINGDOM,
    Service,
    failure_of,
    midgame,
    observation_of,
    seconds,
    serving,
    simulations,
    until,
)

METHOD = {"grpc_service": "kingmaker.v1.AnalysisService", "grpc_method": "SelectMove"}
SEARCH = {"game": KINGDOM, "engine": "ismcts"}
FREE_TEXT = "whatever-a-caller-writes"


def select(**fields: Any) -> pb.SelectMoveRequest:
    search = pb.Search(**{"observation": observation_of(midgame()), **fields})
    return pb.SelectMoveRequest(search=search)


def value(service: Service, name: str, **labels: str) -> float:
    """A metric as it would be shown now; 0 if there is none."""
    return service.server.metrics.registry.get_sample_value(name, labels) or 0.0


@pytest_asyncio.fixture
async def service() -> AsyncIterator[Service]:
    async with serving(slots=2, client_share=1.0, metrics="127.0.0.1:0") as running:
        yield running


async def scrape(service: Service) -> str:
    def read() -> str:
        with urlopen(str(service.server.metrics_url), timeout=20) as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(read)


async def test_calls_are_counted_by_method_and_code(service: Service) -> None:
    await service.analysis.SelectMove(select(budget=simulations(5)))
    await failure_of(service.analysis.SelectMove(select(engine="none")))
    assert value(service, "grpc_server_started_total", **METHOD) == 2
    assert value(service, "grpc_server_handled_total", **METHOD, grpc_code="OK") == 1
    assert value(service, "grpc_server_handled_total", **METHOD, grpc_code="INVALID_ARGUMENT") == 1
    assert value(service, "grpc_server_handling_seconds_count", **METHOD) == 2
    assert value(service, "grpc_server_handling_seconds_sum", **METHOD) > 0
    assert value(service, "kingmaker_refusals_total", reason="INVALID_FIELD", limit="") == 1


async def test_searches_are_counted_by_game_and_engine(service: Service) -> None:
    answer = await service.analysis.SelectMove(select(budget=simulations(500)))
    report = answer.report
    assert report.stamp.engine == SEARCH["engine"]
    assert value(service, "kingmaker_searches_total", **SEARCH) == 1
    assert value(service, "kingmaker_simulations_total", **SEARCH) == report.simulations == 500
    assert value(service, "kingmaker_nodes_total", **SEARCH) == report.nodes > 0
    assert value(service, "kingmaker_search_depth_sum", **SEARCH) == report.depth > 0
    assert value(service, "kingmaker_search_seconds_total", **SEARCH) > 0
    labels = {"class": "interactive"}
    await until(lambda: value(service, "kingmaker_search_slot_seconds_count", **labels) == 1)
    assert value(service, "kingmaker_search_slot_seconds_sum", **labels) > 0
    assert value(service, "kingmaker_search_wait_seconds_count", **labels) == 1


async def test_searches_of_streams_are_counted_once(service: Service) -> None:
    request = pb.AnalyzeRequest(search=select(budget=seconds(0.3)).search)
    request.report_interval.FromMilliseconds(50)
    reports = [answer async for answer in service.analysis.Analyze(request)]
    assert len(reports) > 1
    assert value(service, "kingmaker_searches_total", **SEARCH) == 1
    assert value(service, "kingmaker_simulations_total", **SEARCH) == reports[-1].report.simulations


async def test_bots_of_matches_are_counted() -> None:
    async with serving(web="127.0.0.1:0", slots=1, client_share=1.0) as service:
        stub: Any = MatchServiceStub(service.channel)
        bot = "ismcts:simulations=20"
        await stub.CreateMatch(new_match("leduc_poker", bot, bot))
        labels = {"game": "leduc_poker", "engine": "ismcts"}
        await until(lambda: value(service, "kingmaker_simulations_total", **labels) >= 20, 20)
        await until(lambda: value(service, "kingmaker_matches") == 1)


async def test_the_wait_for_slots_is_told_from_the_search() -> None:
    async with serving(slots=1, client_share=1.0) as service:
        calls = [service.analysis.SelectMove(select(budget=seconds(0.6))) for _ in range(3)]
        oldest = {"class": "interactive"}
        await until(lambda: value(service, "kingmaker_queue_age_seconds", **oldest) > 0)
        assert value(service, "kingmaker_queue_calls", **oldest) > 0
        assert value(service, "kingmaker_queue_age_seconds", **{"class": "bulk"}) == 0
        assert value(service, "kingmaker_slots_taken") == 1
        await asyncio.gather(*calls)
        name = "kingmaker_search_{}_seconds_sum"
        await until(lambda: value(service, "kingmaker_slots_taken") == 0)
        assert value(service, name.format("wait"), **oldest) > 0.6
        assert value(service, name.format("slot"), **oldest) > 0.6


async def test_refusals_are_counted_by_the_limit_that_was_met() -> None:
    async with serving(slots=1, interactive_queue=0) as service:
        busy = service.analysis.SelectMove(select(budget=seconds(20)))
        await until(lambda: service.server.status().running == 1)
        assert (
            await failure_of(service.analysis.SelectMove(select()))
        ).info.reason == "SERVER_BUSY"
        labels = {"reason": "SERVER_BUSY", "limit": "queue"}
        assert value(service, "kingmaker_refusals_total", **labels) == 1
        busy.cancel()


async def test_no_label_is_free_text_of_a_caller(service: Service) -> None:
    path = f"/{FREE_TEXT}.Service/{FREE_TEXT}"
    unknown: Any = service.channel.unary_unary(path)
    with pytest.raises(grpc.aio.AioRpcError, match="UNIMPLEMENTED"):
        await unknown(b"", metadata=[("x-request-id", FREE_TEXT)])
    await failure_of(service.games.StartGame(games_pb.StartGameRequest(game=FREE_TEXT)))
    search = {"engine": FREE_TEXT, "engine_options": {FREE_TEXT: FREE_TEXT}}
    await failure_of(service.analysis.SelectMove(select(**search)))
    await service.games.ListGames(
        games_pb.ListGamesRequest(), metadata=[("x-request-id", FREE_TEXT)]
    )
    text = await scrape(service)
    assert FREE_TEXT not in text
    labels = {"grpc_service": "unknown", "grpc_method": "unknown", "grpc_code": "UNIMPLEMENTED"}
    assert value(service, "grpc_server_handled_total", **labels) == 1


async def test_limits_of_refusals_name_nobody() -> None:
    assert OverloadError("", f"client:{FREE_TEXT}", 1.0).limit == "client"
    assert OverloadError("", "deadline", 1.0).limit == "deadline"


async def test_what_is_shown_can_be_parsed(service: Service) -> None:
    await service.analysis.SelectMove(select(budget=simulations(5)))
    families = {each.name for each in text_string_to_metric_families(await scrape(service))}
    assert {"grpc_server_handled", "kingmaker_slots", "kingmaker_build_info"} < families
    assert {"kingmaker_event_loop_lag_seconds", "process_resident_memory_bytes"} < families


async def test_a_reader_that_stalls_holds_up_nobody(service: Service) -> None:
    host, _, port = str(service.server.metrics_url).removesuffix("/metrics")[7:].partition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /metrics HT")
    assert "kingmaker_slots" in await scrape(service)
    await service.games.ListGames(games_pb.ListGamesRequest())
    writer.close()


async def test_many_readers_that_stall_take_few_threads_and_hold_up_nobody(
    service: Service,
) -> None:
    address = urlsplit(str(service.server.metrics_url))
    before = threading.active_count()
    stalled = [await asyncio.open_connection(address.hostname, address.port) for _ in range(100)]
    for _, writer in stalled:
        writer.write(b"GET /metrics HT")
    assert "kingmaker_slots" in await scrape(service)
    # Those that were ended may have an instant left, which a busy machine makes longer.
    await until(lambda: threading.active_count() <= before + MAX_READERS + 1)
    for _, writer in stalled:
        writer.close()


async def test_a_reader_that_is_silent_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(MetricsHandler, "timeout", 0.2)
    async with serving(metrics="127.0.0.1:0") as service:
        address = urlsplit(str(service.server.metrics_url))
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()
    assert "Traceback" not in capfd.readouterr().err


async def test_a_blocked_event_loop_shows_in_its_lag(service: Service) -> None:
    await until(lambda: value(service, "kingmaker_event_loop_lag_seconds_count") > 0)
    before = value(service, "kingmaker_event_loop_lag_seconds_sum")
    time.sleep(0.4)  # noqa: ASYNC251 the event loop of the server is this one
    # As the thread sees it that answers, before the event loop goes on.
    assert value(service, "kingmaker_event_loop_silence_seconds") > 0.2
    await until(lambda: value(service, "kingmaker_event_loop_lag_seconds_sum") > before + 0.2)


async def test_replaced_workers_are_counted() -> None:
    async with serving(slots=1, isolation=True) as service:
        await until(lambda: value(service, "kingmaker_workers_resident_bytes") > 1 << 20)
        assert value(service, "kingmaker_worker_restarts_total") == 0
        os.kill(service.server.worker_pids[0], signal.SIGKILL)
        await until(lambda: value(service, "kingmaker_worker_restarts_total") == 1)


async def test_the_progress_of_ladders_is_summed() -> None:
    class TwoLadders:
        def news(self) -> list[News | None]:
            return [News(10, 2, 1, 0.5, (), None, None, 0, ""), None]

    metrics = Metrics()
    ladders: Any = TwoLadders()
    sampler = Sampler(metrics, [lambda: sources.of_ladders(ladders)], list)
    task = asyncio.create_task(sampler.run())
    read = metrics.registry.get_sample_value
    await until(lambda: read("kingmaker_ladders") == 2)
    task.cancel()
    assert read("kingmaker_ladder_games_per_second") == 0.5
    assert read("kingmaker_ladder_games_in_play") == 2
    assert read("kingmaker_ladder_games_given_up") == 1


async def test_lost_log_lines_are_counted() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    writer = LogWriter(full)
    writer.write("a line")
    await until(lambda: writer.num_dropped == 1)
    [metric] = sources.of_log(writer)
    assert [(each.name, each.value) for each in metric.samples] == [
        ("kingmaker_log_lines_dropped_total", 1)
    ]
    writer.close(10)
    os.close(full)


def test_a_port_that_is_taken_is_an_error_of_one_line(tmp_path: Any) -> None:
    with asyncio.Runner() as runner:

        async def start() -> list[dict[str, Any]]:
            async with serving(metrics="127.0.0.1:0") as service:
                url = str(service.server.metrics_url)
                address = url.removeprefix("http://").removesuffix("/metrics")
                return await asyncio.to_thread(failed_start, tmp_path, metrics=address)

        [line] = runner.run(start())
    assert line["event"] == "can't start"
    assert "another program listens on it" in line["why"]
