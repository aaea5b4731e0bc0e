"""What hostile requests of some clients cost the others."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import grpc
import pytest

from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub
from tests.server.process import ServerProcess, server_process
from tests.server.support import midgame, position_of

from . import attack

pytestmark = pytest.mark.chaos

SECONDS = 10.0
NUM_TRIES = 3
PAUSE_SECONDS = 0.01
MAX_P99_SECONDS = 0.050
MAX_RSS_BYTES = 300 << 20


def latencies(server: ServerProcess, seconds: float) -> list[float]:
    """Time a small call, again and again; sorted."""
    found = []
    with grpc.insecure_channel(server.address) as channel:
        stub = GameServiceStub(channel)
        request = games_pb.ListMovesRequest(position=position_of(midgame()))
        stub.ListMoves(request)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            start = time.perf_counter()
            stub.ListMoves(request)
            found.append(time.perf_counter() - start)
            time.sleep(PAUSE_SECONDS)
    return sorted(found)


def peak_bytes(server: ServerProcess) -> int:
    """The most memory that the process has had."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) << 10


@contextmanager
def attacked(kind: str, server: ServerProcess) -> Iterator[None]:
    line = server.wait_for_line("listening")
    address = {"grpc": server.address, "json": urlsplit(line["url"]).netloc}[kind]
    attacker = subprocess.Popen([sys.executable, "-m", attack.__name__, kind, address])
    try:
        yield
    finally:
        attacker.kill()
        attacker.wait()


@pytest.mark.parametrize("kind", ["grpc", "json"])
def test_hostile_requests_cost_others_no_time_and_the_server_no_memory(
    kind: str, tmp_path: Path
) -> None:
    databases = {name: str(tmp_path / f"{name}.sqlite") for name in ("ladders", "batches")}
    with server_process(tmp_path, 0, web="127.0.0.1:0", **databases) as server:
        p99 = math.inf
        for _ in range(NUM_TRIES):  # other work of the machine can only add time
            with attacked(kind, server):
                found = latencies(server, SECONDS)
            p99 = min(p99, found[len(found) * 99 // 100])
            if p99 < MAX_P99_SECONDS:
                break
        num_refused = sum(line.get("code", "OK") != "OK" for line in server.lines())
        print(
            f"p99 {p99 * 1000:.1f} ms of {len(found)}, peak {peak_bytes(server) >> 20} MB, "
            f"{num_refused} refused"
        )
        assert num_refused > 10
        assert p99 < MAX_P99_SECONDS
        assert peak_bytes(server) < MAX_RSS_BYTES
