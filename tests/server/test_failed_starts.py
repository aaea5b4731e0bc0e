"""A server that can't start leaves nothing open in a process that goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kingmaker.ladder.errors import StoreError
from kingmaker.server.app import RunningServer, running_server
from kingmaker.server.listening import ListenError
from kingmaker.server.settings import ServerSettings

HOST = "127.0.0.1"


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.create_server((HOST, 0)) as listener:
        yield listener.getsockname()[1]


def settings_of(folder: Path, **fields: Any) -> ServerSettings:
    """Everything on."""
    chosen: dict[str, Any] = {"port": 0, "web": f"{HOST}:0", "metrics": f"{HOST}:0"}
    for name in ("ladders", "matches", "batches"):
        chosen[name] = str(folder / f"{name}.sqlite")
    return ServerSettings(isolation=False, **(chosen | fields))


async def fail(settings: ServerSettings) -> None:
    """Try to run a server."""
    with pytest.raises((ListenError, StoreError)):
        async with running_server(settings, is_alone=True):
            pass


async def leftovers(settings: ServerSettings) -> tuple[int, int]:
    """Count threads and open files that remain of a start, after those of a first one."""
    counts = []
    for _ in range(2):
        await fail(settings)
        counts.append((threading.active_count(), len(os.listdir("/proc/self/fd"))))
    (threads, files), (more_threads, more_files) = counts
    return more_threads - threads, more_files - files


@pytest.mark.parametrize("port", ["port", "web", "metrics"])
async def test_a_port_that_is_taken_costs_nothing(tmp_path: Path, taken: int, port: str) -> None:
    address = taken if port == "port" else f"{HOST}:{taken}"
    assert await leftovers(settings_of(tmp_path, **{port: address})) == (0, 0)


async def test_a_database_that_can_not_be_opened_costs_nothing(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere" / "matches.sqlite")
    assert await leftovers(settings_of(tmp_path, matches=nowhere)) == (0, 0)


async def test_the_ports_of_a_failed_start_are_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[RunningServer] = []

    async def check(server: RunningServer) -> None:
        found.append(server)
        raise StoreError("no database")

    monkeypatch.setattr(RunningServer, "check_databases", check)
    await fail(settings_of(tmp_path))
    [server] = found
    await check_ports(server)


async def check_ports(server: RunningServer) -> None:
    """Check that no port is open any more."""
    for address in (server.address, server.url, server.metrics_url):
        port = int(str(address).removesuffix("/metrics").rpartition(":")[2])
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(HOST, port)


async def run(settings: ServerSettings, started: asyncio.Future[RunningServer]) -> None:
    """Run a server that ends as soon as it has started."""
    async with running_server(settings) as server:
        started.set_result(server)


async def test_a_start_that_is_cancelled_while_grpc_starts_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, listening = list[RunningServer](), asyncio.Event()
    listen = RunningServer._listen

    async def observed(server: RunningServer) -> None:
        found.append(server)
        listening.set()
        await listen(server)

    monkeypatch.setattr(RunningServer, "_listen", observed)
    task = asyncio.create_task(run(settings_of(tmp_path), asyncio.Future()))
    await listening.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await check_ports(found[0])


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.1])
async def test_a_drain_that_is_cancelled_closes_all_ports(tmp_path: Path, seconds: float) -> None:
    started: asyncio.Future[RunningServer] = asyncio.Future()
    task = asyncio.create_task(run(settings_of(tmp_path), started))
    server = await started
    await asyncio.sleep(seconds)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):  # it may have ended before
        await task
    await check_ports(server)
