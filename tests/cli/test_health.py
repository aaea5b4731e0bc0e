"""`kingmaker health`: the exit code tells a supervisor what to do."""

from __future__ import annotations

from pathlib import Path

import grpc
from typer.testing import CliRunner

from kingmaker.cli.app import app
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from tests.server.process import server_process
from tests.server.support import midgame, observation_of


def test_only_a_server_that_takes_calls_is_healthy(tmp_path: Path) -> None:
    search = pb.Search(observation=observation_of(midgame()))
    with (
        server_process(tmp_path, grace_seconds="60") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        here = ["health", server.address, "--timeout", "30"]
        healthy = CliRunner().invoke(app, here)
        assert (healthy.exit_code, healthy.stdout) == (0, "SERVING\n")
        stream = AnalysisServiceStub(channel).Analyze(pb.AnalyzeRequest(search=search))
        next(stream)  # something that lasts
        server.stop()
        server.wait_for_line("draining")
        draining = CliRunner().invoke(app, here)
        assert (draining.exit_code, draining.stdout) == (1, "NOT_SERVING\n")
        assert "takes no calls" in draining.stderr
        stream.cancel()
        assert server.exit_code(60) == 0
    gone = CliRunner().invoke(app, here)
    assert gone.exit_code == 1
    assert "can't be reached" in gone.stderr
