"""A server whose log lines nobody reads, or whose disk is full, works and drains as any other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import grpc
import pytest

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub
from tests.server.support import midgame, observation_of, seconds

pytestmark = pytest.mark.chaos

NUM_CALLS = 3000  # a pipe holds the lines of some 400
GRACE_SECONDS = 5
SERVE = f"""
import sys
from kingmaker.server.app import serve
from kingmaker.server.settings import ServerSettings
settings = ServerSettings(port=0, log_format="json", grace_seconds={GRACE_SECONDS})
sys.exit(serve(settings, lambda server: print(server.address, flush=True)))
"""


@contextmanager
def unread_pipe() -> Iterator[int]:
    read_end, write_end = os.pipe()
    yield write_end
    os.close(read_end)
    os.close(write_end)


@contextmanager
def full_disk() -> Iterator[int]:
    with Path("/dev/full").open("wb") as full:
        yield full.fileno()


@contextmanager
def closed() -> Iterator[None]:
    yield None


@pytest.mark.parametrize("log", [unread_pipe, full_disk, closed])
def test_calls_and_drain_go_on(log: Callable[[], AbstractContextManager[int | None]]) -> None:
    with log() as stderr:
        command = [sys.executable, "-c", SERVE]
        if stderr is None:
            command = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with grpc.insecure_channel(address) as channel:
                games = GameServiceStub(channel)
                for _ in range(NUM_CALLS):
                    games.ListGames(games_pb.ListGamesRequest(), timeout=10)
                search = pb.Search(observation=observation_of(midgame()), budget=seconds(1))
                call = AnalysisServiceStub(channel).SelectMove.future(
                    pb.SelectMoveRequest(search=search)
                )
                games.ListGames(games_pb.ListGamesRequest(), timeout=10)  # now it has arrived
                start = time.monotonic()
                server.send_signal(signal.SIGTERM)
                assert call.result(30).move.text
                assert server.wait(30) == 0
                assert time.monotonic() - start < GRACE_SECONDS
        finally:
            server.kill()
            server.wait()
