"""HAProxy before the gRPC port, with the configuration that is shipped; where it is installed."""

from __future__ import annotations

import asyncio
import shutil
import socket
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .certificates import Authority
from .match_client import Player, create, ended, keeping, new_match
from .support import failure_of

CONFIG = Path(__file__).parents[2] / "deploy" / "haproxy" / "haproxy.cfg"
PROGRAM = shutil.which("haproxy")
LIMIT = 64  # connections of an address, as in the file

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="needs haproxy")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def num_kept(port: int, source: str, number: int, opened: ExitStack) -> int:
    """Connect several times from an address; returns how many connections the proxy keeps."""
    connections = []
    for _ in range(number):
        with suppress(ConnectionResetError):
            connection = socket.create_connection(("127.0.0.1", port), 5, (source, 0))
            connections.append(opened.enter_context(connection))
    time.sleep(0.5)  # for the proxy to close the others
    return sum(map(is_open, connections))


def is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return bool(connection.recv(1))
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


@asynccontextmanager
async def proxied(folder: Path, **settings: Any) -> AsyncIterator[tuple[int, Any]]:
    """Run a server behind the proxy; yields the proxy's port and a stub that uses it."""
    authority = Authority(folder)
    certificate, key = authority.sign("server")
    both = folder / "both.pem"
    both.write_bytes(certificate.read_bytes() + key.read_bytes())
    port = free_port()
    async with keeping(folder, trusted_proxies="127.0.0.1", anonymous="player", **settings) as (
        service,
        _,
    ):
        text = CONFIG.read_text()
        for old, new in (
            ("bind :443", f"bind 127.0.0.1:{port}"),
            ("/etc/haproxy/kingmaker.pem", str(both)),
            ("127.0.0.1:50051", service.server.address),
        ):
            assert text.count(old) == 1
            text = text.replace(old, new)
        config = folder / "haproxy.cfg"
        config.write_text(text)
        assert PROGRAM is not None
        proxy = await asyncio.create_subprocess_exec(PROGRAM, "-db", "-f", config)
        try:
            credentials = grpc.ssl_channel_credentials(authority.certificate.read_bytes())
            async with grpc.aio.secure_channel(f"localhost:{port}", credentials) as channel:
                await asyncio.wait_for(channel.channel_ready(), 10)
                yield port, MatchServiceStub(channel)
        finally:
            proxy.terminate()
            await proxy.wait()


async def test_a_match_is_played_and_watched_through_the_proxy(tmp_path: Path) -> None:
    async with proxied(tmp_path) as (_, matches):
        match_id = await create(matches, "tic_tac_toe", "", "random")
        ann = await Player.join(matches, match_id)
        watching = asyncio.create_task(ended(matches, match_id))
        await ann.play_out()
        assert (await watching).status.result.end == pb.MATCH_END_FINISHED


async def test_one_address_holds_a_limited_number_of_connections(tmp_path: Path) -> None:
    async with proxied(tmp_path) as (port, matches):
        with ExitStack() as opened:
            kept = await asyncio.to_thread(num_kept, port, "127.0.0.2", LIMIT + 5, opened)
            others = await asyncio.to_thread(num_kept, port, "127.0.0.3", 2, opened)
            assert (kept, others) == (LIMIT, 2)
            await matches.ListMatches(pb.ListMatchesRequest())


async def test_what_a_client_says_of_its_address_is_not_believed(tmp_path: Path) -> None:
    async with proxied(tmp_path, max_client_matches=1) as (_, matches):
        request = new_match("tic_tac_toe", "", "")
        forged = [(("x-forwarded-for", f"198.51.100.{i}"),) for i in (1, 2)]
        await matches.CreateMatch(request, metadata=forged[0])
        failed = await failure_of(matches.CreateMatch(request, metadata=forged[1]))
        assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
