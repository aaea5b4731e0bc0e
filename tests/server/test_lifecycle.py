"""Signals, draining and exit codes of a server in a process of its own."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kingmaker.server.app import LATE_SECONDS
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

from .process import SERVE, ServerProcess, failed_start, server_process
from .support import failure, midgame, observation_of, seconds


def select(channel: grpc.Channel, length: float) -> Any:
    """Begin a search; returns the call to wait for."""
    request = pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=seconds(length))
    )
    return AnalysisServiceStub(channel).SelectMove.future(request)


def wait_until_drain(server: ServerProcess) -> None:
    server.wait_for_line("draining")


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_an_idle_server_stops_at_once(tmp_path: Path, number: int) -> None:
    with server_process(tmp_path, grace_seconds="20") as server:
        server.stop(number)
        assert server.exit_code(10) == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_during_the_start_is_no_error(tmp_path: Path, number: int) -> None:
    """A terminal sends Ctrl-C to all processes of a command, also to one that has just begun."""
    log = tmp_path / "log"
    with log.open("w") as stream:
        command = [sys.executable, "-c", SERVE.format(on_ready="None"), "0"]
        server = subprocess.Popen(command, stderr=stream, start_new_session=True)
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    while not children.read_text():
        time.sleep(0.005)
    time.sleep(0.05)  # Python has begun, and has imported nothing of ours
    os.killpg(server.pid, number)
    assert server.wait(60) == 0
    assert '"level": "error"' not in log.read_text().replace('":"', '": "')


@pytest.mark.slow
@pytest.mark.parametrize("hang", ["time.sleep(100)", "exec('while True: pass')"])
def test_a_server_that_hangs_ends_in_time_too(tmp_path: Path, hang: str) -> None:
    with server_process(tmp_path, grace_seconds="1", on_ready=f"lambda server: {hang}") as server:
        time.sleep(0.5)
        start = time.monotonic()
        server.stop()
        assert server.exit_code(30) == 1
        assert time.monotonic() - start < 1 + LATE_SECONDS + 1
        assert server.wait_for_line("killed, as it did not end in time")


def test_running_calls_get_their_answer(tmp_path: Path) -> None:
    with (
        server_process(tmp_path, grace_seconds="20") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        call = select(channel, 1.5)
        _wait_until_busy(channel, server)
        server.stop()
        wait_until_drain(server)
        with pytest.raises(grpc.RpcError) as refused:
            GameServiceStub(channel).ListGames(games_pb.ListGamesRequest())
        assert failure(refused.value).code is grpc.StatusCode.UNAVAILABLE
        assert failure(refused.value).info.reason == "SHUTTING_DOWN"
        health = health_pb2_grpc.HealthStub(channel)
        state = health.Check(health_pb2.HealthCheckRequest()).status
        assert state == health_pb2.HealthCheckResponse.NOT_SERVING
        assert call.result(30).report.stop_reason == types_pb2.STOP_REASON_TIME
        assert server.exit_code() == 0


@pytest.mark.slow
def test_long_searches_answer_with_what_they_have(tmp_path: Path) -> None:
    with (
        server_process(tmp_path, grace_seconds="3", slots="2") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        call = select(channel, 60)
        stream = AnalysisServiceStub(channel).Analyze(
            pb.AnalyzeRequest(search=pb.Search(observation=observation_of(midgame())))
        )
        assert not next(stream).is_final
        start = time.monotonic()
        server.stop()
        last = list(stream)[-1]
        assert last.is_final
        assert last.report.stop_reason == types_pb2.STOP_REASON_CANCELLED
        answer = call.result(30)
        assert answer.move.text
        assert answer.report.simulations > 0
        assert answer.report.stop_reason == types_pb2.STOP_REASON_CANCELLED
        assert server.exit_code() == 0
        assert time.monotonic() - start < 3.5


@pytest.mark.slow
def test_who_waits_in_the_queue_is_sent_to_another_server(tmp_path: Path) -> None:
    with (
        server_process(tmp_path, grace_seconds="2", slots="1") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        calls = [select(channel, 60) for _ in range(4)]  # two of them may begin, in turns
        _wait_until_busy(channel, server)
        server.stop()
        outcomes = [_outcome(call) for call in calls]
        assert set(outcomes) == {"OK", "UNAVAILABLE"}
        assert outcomes.count("OK") <= 2
        assert server.exit_code() == 0


@pytest.mark.slow
def test_the_server_may_open_many_files(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        with server_process(tmp_path) as server:
            its, _ = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert its >= min(hard, 1 << 16)


def test_a_port_that_is_taken_is_an_error_of_one_line(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        port = int(server.address.rpartition(":")[2])
        [line] = failed_start(tmp_path, port=port)
    assert line["event"] == "can't start"
    why = f"can't listen on port {port} of 127.0.0.1: another program listens on it"
    assert line["why"] == why


def test_log_lines_are_json_with_method_and_code(tmp_path: Path) -> None:
    with (
        server_process(tmp_path) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        GameServiceStub(channel).ListGames(games_pb.ListGamesRequest())
        line = server.wait_for_line("call")
    assert line["method"] == "/kingmaker.v1.GameService/ListGames"
    assert line["code"] == "OK"
    assert line["ms"] >= 0
    assert line["peer"].startswith("ipv4:127.0.0.1:")


def _outcome(call: Any) -> str:
    error = call.exception(30)
    return "OK" if error is None else str(error.code().name)


def _wait_until_busy(channel: grpc.Channel, server: ServerProcess) -> None:
    """Wait until calls made before have arrived: those made later over the channel are answered."""
    _retry(lambda: GameServiceStub(channel).ListGames(games_pb.ListGamesRequest()))
    server.wait_for_line("call")


def _retry(call: Callable[[], Any]) -> None:
    for _ in range(3):
        call()
        time.sleep(0.05)
