"""Bots' servers that take connections and never answer hold nobody up."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub
from tests.server.process import ServerProcess, server_process
from tests.server.support import failure

pytestmark = pytest.mark.chaos

NUM_BOTS = 20
PROBE_SECONDS = 10
PATIENCE = 30


@contextmanager
def tarpit() -> Iterator[str]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()  # connections wait in the backlog
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def addresses() -> Iterator[list[str]]:
    with ExitStack() as stack:
        yield [stack.enter_context(tarpit()) for _ in range(NUM_BOTS)]


@contextmanager
def probing(folder: Path, addresses: list[str]) -> Iterator[tuple[ServerProcess, Any, Any]]:
    """A server that has just been asked to start a ladder of such bots, a stub, and the call."""
    bots = [pb.LadderBot(name="a", spec="random")]
    for number, address in enumerate(addresses):
        bots.append(pb.LadderBot(name=f"grpc{number}", spec=f"grpc://{address}/level=1"))
        bots.append(pb.LadderBot(name=f"bot{number}", spec=f"bot:rook@{address}"))
    request = pb.StartLadderRequest(name="stuck", plan=pb.LadderPlan(game="tic_tac_toe", bots=bots))
    with (
        server_process(
            folder, ladders=str(folder / "ladder.sqlite"), bot_addresses="127.0.0.1:*"
        ) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        stub = LadderServiceStub(channel)
        stub.ListLadders(pb.ListLaddersRequest())
        call = stub.StartLadder.future(request)
        time.sleep(1)
        yield server, stub, call


def test_all_are_given_up_after_one_deadline(tmp_path: Path, addresses: list[str]) -> None:
    start = time.monotonic()
    with probing(tmp_path, addresses) as (_, _, call), pytest.raises(grpc.RpcError) as refused:
        call.result(60)
    assert failure(refused.value).code is grpc.StatusCode.FAILED_PRECONDITION
    assert time.monotonic() - start < PROBE_SECONDS + PATIENCE / 2


def test_stopping_the_ladder_cuts_the_waiting(tmp_path: Path, addresses: list[str]) -> None:
    with probing(tmp_path, addresses) as (_, stub, call):
        start = time.monotonic()
        with pytest.raises(grpc.RpcError) as unknown:  # it is not stored yet
            stub.StopLadder(pb.StopLadderRequest(name="stuck"), timeout=PATIENCE)
        assert failure(unknown.value).code is grpc.StatusCode.NOT_FOUND
        with pytest.raises(grpc.RpcError):
            call.result(PATIENCE)
        assert time.monotonic() - start < 3


def test_the_end_of_the_server_cuts_the_waiting(tmp_path: Path, addresses: list[str]) -> None:
    with probing(tmp_path, addresses) as (server, _, call):
        start = time.monotonic()
        server.stop()
        assert server.exit_code(PATIENCE + 30) == 0
        assert time.monotonic() - start < 5
        with pytest.raises(grpc.RpcError):
            call.result(PATIENCE)
