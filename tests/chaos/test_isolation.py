"""A game of another package that crashes or hangs takes nothing along but its own call."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from tests.compiled import compiled
from tests.server.process import ServerProcess, server_process
from tests.server.support import failure, midgame, observation_of, seconds, simulations

pytestmark = pytest.mark.chaos

CRASHES = ["null", "abort", "exit"]
LOOPS = ["loop", "hold"]
GRACE_SECONDS = 2.0
OVERRUN_SECONDS = 0.5


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the deadly game, and install it in a folder as pip would."""
    folder = tmp_path_factory.mktemp("deadly_game")
    compiled("deadly_game", folder)
    info = folder / "deadly_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[kingmaker.games]\ndeadly_game = deadly_game:DeadlyGame\n"
    )
    return folder


@pytest.fixture
def server(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    path = [str(games), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    with server_process(
        tmp_path,
        grace_seconds=str(GRACE_SECONDS),
        overrun_seconds=str(OVERRUN_SECONDS),
        slots="2",
    ) as it:
        yield it


@pytest.fixture
def stub(server: ServerProcess) -> Iterator[Any]:
    with grpc.insecure_channel(server.address) as channel:
        yield AnalysisServiceStub(channel)


def deadly(fault: str, budget: types_pb2.SearchBudget) -> pb.Search:
    line = f"dg fault={fault} stones=60 to_move=0 @1"
    seen = types_pb2.Observation(game="deadly_game", text=line)
    return pb.Search(observation=seen, budget=budget)


def harmless(length: float) -> pb.SelectMoveRequest:
    seen = observation_of(midgame())
    return pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=seconds(length)))


def end_of(call: Any) -> tuple[Any, float]:
    """Wait for a call that must fail; returns the failure and the seconds that it took."""
    start = time.monotonic()
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return failure(caught.value), time.monotonic() - start


def test_without_a_fault_the_game_is_searched(stub: Any) -> None:
    request = pb.SelectMoveRequest(search=deadly("none", simulations(50)))
    assert stub.SelectMove(request).report.simulations == 50


@pytest.mark.parametrize("fault", CRASHES)
def test_a_crash_is_internal_at_once_and_nobody_else_notices(
    server: ServerProcess, stub: Any, fault: str
) -> None:
    other = stub.SelectMove.future(harmless(1.5))
    stream = iter(stub.Analyze(pb.AnalyzeRequest(search=harmless(1.5).search)))
    assert not next(stream).is_final
    for budget in (simulations(1), seconds(60)):
        request = pb.SelectMoveRequest(search=deadly(fault, budget))
        failed, took = end_of(lambda request=request: stub.SelectMove(request))
        assert failed.code is grpc.StatusCode.INTERNAL
        assert took < 1
    *_, last = stream
    assert last.is_final
    assert other.result(5).report.stop_reason == types_pb2.STOP_REASON_TIME
    line = server.wait_for_line("worker died")
    assert line["how"] == {"null": "SIGSEGV", "abort": "SIGABRT", "exit": "exit code 3"}[fault]


@pytest.mark.parametrize("fault", LOOPS)
def test_a_loop_is_killed_when_it_overruns_its_budget(
    server: ServerProcess, stub: Any, fault: str
) -> None:
    request = pb.SelectMoveRequest(search=deadly(fault, seconds(0.2)))
    failed, took = end_of(lambda: stub.SelectMove(request))
    assert failed.code is grpc.StatusCode.INTERNAL
    assert 0.2 < took < 0.2 + OVERRUN_SECONDS + 1
    assert stub.SelectMove(harmless(0.05)).move.text
    assert "deadly_game" in server.wait_for_line("worker killed")["why"]


@pytest.mark.parametrize("fault", LOOPS)
def test_a_loop_gives_its_slot_back_to_others(stub: Any, fault: str) -> None:
    """It can't be paused, so it is killed long before its budget is spent."""
    request = pb.SelectMoveRequest(search=deadly(fault, seconds(50)))
    loops = [stub.SelectMove.future(request) for _ in range(2)]
    time.sleep(0.3)
    start = time.monotonic()
    assert all(stub.SelectMove(harmless(0.05)).move.text for _ in range(3))
    assert time.monotonic() - start < 3
    for loop in loops:
        loop.cancel()


@pytest.mark.parametrize("fault", LOOPS)
def test_a_loop_that_nobody_waits_for_is_killed(
    server: ServerProcess, stub: Any, fault: str
) -> None:
    stream = stub.Analyze(pb.AnalyzeRequest(search=deadly(fault, seconds(60))))
    time.sleep(0.3)
    stream.cancel()
    server.wait_for_line("worker killed")


@pytest.mark.parametrize("fault", ["none", *LOOPS])
def test_a_signal_ends_the_server_within_its_grace(
    server: ServerProcess, stub: Any, fault: str
) -> None:
    calls = [
        stub.SelectMove.future(pb.SelectMoveRequest(search=deadly(fault, seconds(60))))
        for _ in range(3)
    ]
    time.sleep(0.3)
    start = time.monotonic()
    server.stop(signal.SIGTERM)
    assert server.exit_code(30) == 0
    assert time.monotonic() - start < GRACE_SECONDS + 0.5
    assert all(call.done() for call in calls)


def test_a_series_of_crashes_wears_nothing_out(server: ServerProcess, stub: Any) -> None:
    request = pb.SelectMoveRequest(search=deadly("abort", simulations(10)))
    before = resources(server)
    for _ in range(4):
        with ThreadPoolExecutor(8) as threads:
            ends = list(threads.map(lambda _: stub.SelectMove.future(request).code(), range(25)))
        assert set(ends) <= {grpc.StatusCode.INTERNAL, grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert stub.SelectMove(harmless(0.05)).move.text
    time.sleep(1)
    after = resources(server)
    assert after == pytest.approx(before, abs=3)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_workers_end_with_a_server_that_is_killed(server: ServerProcess, stub: Any) -> None:
    stub.SelectMove.future(harmless(60))
    time.sleep(0.3)
    family = descendants(server.process.pid)
    assert len(family) >= 3
    server.stop(signal.SIGKILL)
    server.exit_code(5)
    end = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in family):
        assert time.monotonic() < end, "a worker outlives its server"
        time.sleep(0.05)


def resources(server: ServerProcess) -> list[int]:
    """Count open files, threads and descendants of a server."""
    pid = server.process.pid
    counts = [len(os.listdir(f"/proc/{pid}/{kind}")) for kind in ("fd", "task")]
    return [*counts, len(descendants(pid))]


def descendants(pid: int) -> list[int]:
    """List the processes below one."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    found = [int(child) for child in children]
    return found + [each for child in found for each in descendants(child)]
