"""Accepts the connections of the HTTP port: counts them, and makes the handshake of TLS.

A server of asyncio tells of a connection only after its handshake. Clients that send nothing would
not be counted, and could hold all the files that the process may open.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Any

import structlog

from .protocol import REQUEST_SECONDS, Connections, Protocol, closed

RETRY_SECONDS = 1.0
"""After an error of the system, for example that the process may open no more files."""

log = structlog.get_logger()


class Acceptor:
    """Accepts connections from now on.

    Args:
        listener: a socket that listens.
        connections: those that are open.
        tls: for each of them; None: they are not encrypted.
        make_protocol: for one of them.
    """

    def __init__(
        self,
        listener: socket.socket,
        connections: Connections,
        tls: ssl.SSLContext | None,
        make_protocol: Callable[[], Protocol],
    ) -> None:
        listener.setblocking(False)
        self._listener = listener
        self._connections = connections
        self._tls = tls
        self._make_protocol = make_protocol
        self._loop = asyncio.get_running_loop()
        self._serving: set[asyncio.Task[None]] = set()
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Accept no more connections, and break off handshakes; the socket stays open."""
        tasks = {self._running, *self._serving}
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    async def _run(self) -> None:
        while True:
            try:
                connection, address = await self._loop.sock_accept(self._listener)
            except OSError as error:
                log.error("connection not accepted", why=error.strerror or str(error))
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if self._connections.add(address[0]):
                task = asyncio.create_task(self._serve(connection, address))
                self._serving.add(task)
                task.add_done_callback(self._serving.discard)
            else:
                connection.close()
                closed(address, "there are too many connections")
            await asyncio.sleep(0)  # sock_accept returns at once while others wait

    async def _serve(self, connection: socket.socket, address: tuple[Any, ...]) -> None:
        """Serve a connection until it is closed."""
        protocol = self._make_protocol()
        try:
            await self._loop.connect_accepted_socket(
                lambda: protocol,
                connection,
                ssl=self._tls,
                ssl_handshake_timeout=None if self._tls is None else REQUEST_SECONDS,
            )
            await protocol.closed.wait()
        except OSError as error:
            closed(address, f"the handshake of TLS failed: {error}")
        finally:
            self._connections.remove(address[0])
