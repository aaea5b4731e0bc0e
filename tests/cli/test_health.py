"""`kingmaker health`: the exit code tells a supervisor what to do."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import grpc

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from tests.server.process import server_process
from tests.server.support import midgame, observation_of


def health(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kingmaker", "health", *words], capture_output=True, text=True
    )


def test_a_server_that_takes_calls_is_healthy(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        done = health(server.address)
    assert (done.returncode, done.stdout) == (0, "SERVING\n")


def test_a_port_where_nobody_listens_is_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    done = health(f"127.0.0.1:{port}", "--timeout", "30")
    assert done.returncode == 1
    assert "can't be reached" in done.stderr


def test_a_server_that_shuts_down_is_not(tmp_path: Path) -> None:
    search = pb.Search(observation=observation_of(midgame()))
    with (
        server_process(tmp_path, grace_seconds="60") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        stream = AnalysisServiceStub(channel).Analyze(pb.AnalyzeRequest(search=search))
        next(stream)  # something that lasts
        server.stop()
        server.wait_for_line("draining")
        done = health(server.address)
        assert done.returncode == 1
        assert "NOT_SERVING" in done.stdout
        assert "takes no calls" in done.stderr
        stream.cancel()
