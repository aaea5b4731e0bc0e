"""The life cycle of the service: start, listen, drain, stop."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import grpc
import structlog
import uvloop
from grpc_health.v1 import health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from kingmaker import __version__
from kingmaker.cext.errors import InputError
from kingmaker.ladder.errors import StoreError
from kingmaker.search.games import game_types
from kingmaker.v1 import (
    analysis_service_pb2_grpc,
    bot_service_pb2_grpc,
    game_service_pb2_grpc,
    review_service_pb2_grpc,
)

from .analysis.service import AnalysisServicer
from .bots.hub import BotHub
from .bots.service import BotServicer
from .game_service import GameServicer
from .gate import Gate
from .health import HealthServicer
from .interceptor import CallInterceptor, Intercepted
from .limits import MAX_REQUEST_BYTES
from .listening import ListenError, listen
from .log_writer import LogWriter
from .logs import logs
from .pool.admission import AdmissionStatus
from .pool.searches import SearchPool
from .reviews.service import ReviewServicer
from .services import (
    BATCH_SERVICE,
    HEALTH_SERVICE,
    LADDER_SERVICE,
    MATCH_SERVICE,
    SERVICES,
    GenericMethods,
    add_batches,
    add_ladders,
    add_matches,
)
from .settings import ServerSettings
from .signals import Signals
from .telemetry import sources
from .telemetry.metrics import Metrics
from .telemetry.port import MetricsPort
from .telemetry.sampler import Sampler, Source
from .telemetry.traces import Traces

if TYPE_CHECKING:
    from .database import Database
    from .web.door import Door

FINISH_SHARE = 0.5  # part of the grace time after which running searches are ended
MAX_CONCURRENT_CALLS = 1024
MANY_FILES = 1 << 16
GRPC_FILES_SHARE = 4  # one connection to the port of gRPC for so many files that may be open
GRPC_HANDSHAKE_SECONDS = 30.0  # of TLS and HTTP/2; gRPC's own limit is two minutes
# How long a thread that computes keeps the interpreter from the event loop. Under requests of 1 MB
# of JSON, read on a thread, other calls wait 16 ms (p99) with it, and 115 ms with Python's 5 ms.
SWITCH_SECONDS = 0.0005
REFRESH_SECONDS = 1.0  # after which a change of the tokens counts
LATE_SECONDS = 1.0  # beyond the grace time, after which the process is ended from within
CLOSE_SECONDS = 0.3  # for pending answers and health checks
QUIET_SECONDS = 0.25  # without calls, after which all clients have seen that this server stops
MAX_QUIET_SECONDS = 2.0  # to wait for that

log = structlog.get_logger()


class RunningServer:
    """A server that listens.

    Attributes:
        settings: all of them.
        address: `host:port`, with the real port.
        url: of the HTTP port; None: there is none.
        metrics_url: of the metrics; None: they have no port.
        metrics: of this server.

    Args:
        settings: all of them.
        writer: of its log lines; None: somebody else's.

    Raises:
        ListenError: an address can't be bound.
    """

    def __init__(self, settings: ServerSettings, writer: LogWriter | None = None) -> None:
        game_types()  # finds the games of other packages, which would hold up the first call
        self.settings = settings
        self._gate = Gate(settings)
        self._chores: list[asyncio.Task[None]] = []
        self._listening: asyncio.Future[None] | None = None  # gRPC's start
        self.metrics = Metrics()
        self._bots = BotHub(settings)
        self._interceptor = CallInterceptor(self._gate, self.metrics, Traces())
        self._health = HealthServicer(SERVICES)
        interceptors = (self._interceptor,)
        self._server = grpc.aio.server(options=_channel_options(settings))
        methods = GenericMethods()
        intercepted = Intercepted(self._interceptor, methods.handlers)
        self._server.add_generic_rpc_handlers((intercepted,))
        game_service_pb2_grpc.add_GameServiceServicer_to_server(GameServicer(), methods)
        bot_service_pb2_grpc.add_BotServiceServicer_to_server(
            BotServicer(settings, self._bots, self._gate.identities), methods
        )
        with ExitStack() as opened:  # what is open if a port is taken
            self._pool = SearchPool(settings, self._gate.share_of, self._gate.charge, self.metrics)
            opened.callback(self._pool.close)
            analysis = AnalysisServicer(settings, self._pool)
            analysis_service_pb2_grpc.add_AnalysisServiceServicer_to_server(analysis, methods)
            review_service_pb2_grpc.add_ReviewServiceServicer_to_server(
                ReviewServicer(settings, self._pool), methods
            )
            self._ladders = add_ladders(settings, methods)
            if self._ladders is not None:
                opened.callback(self._ladders.close)
            self._matches = add_matches(
                settings, methods, analysis, self._pool, self._bots, self._gate
            )
            if self._matches is not None:
                opened.callback(self._matches.close)
            self._batches = add_batches(settings, methods, self._pool, self._gate)
            if self._batches is not None:
                opened.callback(self._batches.close)
            parts = (self._ladders, self._matches, self._batches)
            kinds = (LADDER_SERVICE, MATCH_SERVICE, BATCH_SERVICE)
            self._health.turn_off(
                kind.full_name for kind, part in zip(kinds, parts, strict=True) if part is None
            )
            health_pb2_grpc.add_HealthServicer_to_server(self._health, methods)
            if settings.reflection:
                names = (*SERVICES, HEALTH_SERVICE, reflection.SERVICE_NAME)
                # That of the event loop: the other one holds a thread for each open call.
                reflection_pb2_grpc.add_ServerReflectionServicer_to_server(
                    reflection.aio.ReflectionServicer(names), methods
                )
            self._door = _open_door(settings, methods.handlers, interceptors, self._pool)
            if self._door is not None:
                opened.callback(self._door.close)
            self.url = self._door.url if self._door else None
            self._sampler = Sampler(self.metrics, self._sources(writer), lambda: self.worker_pids)
            self._port = MetricsPort(settings, self.metrics) if settings.metrics else None
            if self._port is not None:
                opened.callback(self._port.close)
            self.metrics_url = self._port.url if self._port else None
            # Last, as only a server that was started returns its port.
            port = listen(self._server, settings)
            self._opened = opened.pop_all()
        self.address = f"{settings.host}:{port}"
        if self._ladders is not None:
            self._ladders.addresses.add_self(settings.host, port)

    def status(self) -> AdmissionStatus:
        """Return the current load."""
        return self._pool.status()

    @property
    def worker_pids(self) -> list[int]:
        """The processes for searches."""
        return self._pool.worker_pids

    def _sources(self, writer: LogWriter | None) -> list[Source]:
        """List what the sampler reads."""
        found: list[Source] = [
            partial(sources.of_pool, self._pool),
            partial(sources.of_gate, self._gate),
            partial(sources.of_bots, self._bots),
        ]
        if self._ladders is not None:
            found.append(partial(sources.of_ladders, self._ladders))
        if self._matches is not None:
            found.append(partial(sources.of_matches, self._matches))
        if databases := self._databases:
            found.append(partial(sources.of_databases, databases))
        if writer is not None:
            found.append(partial(sources.of_log, writer))
        return found

    @property
    def _databases(self) -> list[Database]:
        owners = (self._ladders, self._matches, self._batches)
        return [each.database for each in owners if each is not None]

    async def _refresh(self) -> None:
        """Read the file of tokens again whenever it has changed."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            await asyncio.to_thread(self._gate.identities.tokens.refresh)

    async def check_databases(self) -> None:
        """Open the databases, those that there are.

        Raises:
            StoreError: one can't be reached, or is not one of Kingmaker.
        """
        for each in self._databases:
            await each.call(lambda store: None)

    async def start(self) -> None:
        """Start to accept calls.

        Raises:
            RuntimeError: worker processes can't start.
        """
        await self._pool.start()
        await self._listen()
        if self._matches is not None:
            self._matches.start()
        if self._batches is not None:
            self._batches.start()
        if self._door is not None:
            await self._door.start()
        self._chores = [
            asyncio.create_task(each) for each in (self._refresh(), self._sampler.run())
        ]
        self._health.set_serving(True)

    async def _listen(self) -> None:
        """Start gRPC, once, even if the first caller is cancelled."""
        if self._listening is None:
            self._listening = asyncio.ensure_future(self._server.start())
        await asyncio.shield(self._listening)

    async def drain(self, *, is_quiet: bool = False) -> None:
        """Refuse new calls, let the running ones finish, and stop.

        Searches that still run after half of the grace time end with their current answer. Bots
        are disconnected at once; they can connect elsewhere. Calls that arrive at the moment of
        the stop are lost, as gRPC cancels them. Returns within the grace time.

        Args:
            is_quiet: whether to wait with the stop until no more calls come.
        """
        start = time.monotonic()
        grace = self.settings.grace_seconds
        log.info("draining", grace_seconds=grace, running=self.status().running)
        self._interceptor.start_draining()
        self._health.set_serving(False)
        if self._ladders is not None:  # before the bots, which may play in the ladders
            await self._ladders.stop_all(grace * FINISH_SHARE)
        if self._matches is not None:  # their streams have no end of their own
            self._matches.stop()
        if self._batches is not None:  # before the calls, which their tasks would hold up
            await self._batches.stop()
        self._bots.close()
        half = start + grace * FINISH_SHARE - time.monotonic()
        if not await self._interceptor.wait_idle(half):
            self._pool.finish_all()
            await self._interceptor.wait_idle(start + grace - CLOSE_SECONDS - time.monotonic())
        self._pool.finish_all()
        rest = start + grace - time.monotonic()
        if is_quiet:
            limit = min(MAX_QUIET_SECONDS, rest - CLOSE_SECONDS)
            await self._interceptor.wait_quiet(QUIET_SECONDS, limit)
            rest = start + grace - time.monotonic()
        self._interceptor.flush_log()
        await self._close(min(CLOSE_SECONDS, max(rest, 0)))
        log.info("stopped", seconds=round(time.monotonic() - start, 3))

    async def abandon(self) -> None:
        """Return everything, as the server could not start, or its drain was broken off."""
        self._interceptor.start_draining()
        await self._listen()  # else gRPC would keep the port
        if self._matches is not None:
            self._matches.stop()
        if self._batches is not None:
            await self._batches.stop()
        self._pool.finish_all()
        await self._close(0.0)

    async def _close(self, seconds: float) -> None:
        """Close all ports and databases; calls that run after so many seconds are cancelled."""
        door = [self._door.stop(seconds)] if self._door is not None else []
        port = [self._port.stop()] if self._port is not None else []
        try:
            await asyncio.gather(self._server.stop(seconds), *door, *port)
            for chore in self._chores:
                chore.cancel()
            if self._matches is not None:
                await self._matches.release()
        finally:
            self._opened.close()


OnReady = Callable[[RunningServer], None]


@asynccontextmanager
async def running_server(
    settings: ServerSettings, *, is_alone: bool = False, writer: LogWriter | None = None
) -> AsyncIterator[RunningServer]:
    """Run a server in this event loop; it drains at the end of the block.

    Args:
        settings: all of them.
        is_alone: whether the process is its own: it does not start while a database can't
            be opened, and stops when no more calls come.
        writer: of its log lines; None: somebody else's.

    Raises:
        ListenError: an address can't be bound.
        InputError: a file of TLS or tokens can't be used.
        StoreError: a database can't be reached, or is not one of Kingmaker.
    """
    server = RunningServer(settings, writer)
    try:
        if is_alone:
            await server.check_databases()
        await server.start()
    except BaseException:
        await server.abandon()
        raise
    try:
        yield server
    finally:
        try:
            await server.drain(is_quiet=is_alone)
        except BaseException:  # a cancelled drain, too, returns everything
            await server.abandon()
            raise


def serve(settings: ServerSettings, on_ready: OnReady | None = None) -> int:
    """Run a server until SIGTERM or SIGINT; returns the exit code of the process.

    Args:
        settings: all of them.
        on_ready: called with the server as soon as it answers.
    """
    _allow_many_files()
    _fill_standard_files()
    sys.setswitchinterval(SWITCH_SECONDS)
    runner, stop = asyncio.Runner(loop_factory=uvloop.new_event_loop), asyncio.Event()
    loop = runner.get_loop()

    def stop_soon() -> None:
        with suppress(RuntimeError):  # it has stopped by itself
            loop.call_soon_threadsafe(stop.set)

    with (
        logs(settings.log_format, settings.log_level) as writer,
        Signals(stop_soon, settings.grace_seconds + LATE_SECONDS) as signals,
        runner,
    ):
        return runner.run(_serve(settings, on_ready, writer, signals, stop))


def _allow_many_files() -> None:
    """Raise the limit of open files, connections among them, as far as the process may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY_FILES if hard == resource.RLIM_INFINITY else min(hard, MANY_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _fill_standard_files() -> None:
    """Open those of standard input, output and error that are closed.

    Else the event loop may get their numbers for files of its own, and ends the process when it
    closes one of these.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free


async def _serve(
    settings: ServerSettings,
    on_ready: OnReady | None,
    writer: LogWriter,
    signals: Signals,
    stop: asyncio.Event,
) -> int:
    signals.listen()  # again, as the event loop has begun to
    try:
        async with running_server(settings, is_alone=True, writer=writer) as server:
            # Objects of the start-up stay for ever, so collections need to scan only later ones.
            gc.collect()
            gc.freeze()
            log.info(
                "listening",
                address=server.address,
                url=server.url,
                metrics=server.metrics_url,
                version=__version__,
            )
            if on_ready is not None:
                on_ready(server)
            await stop.wait()
    except (ListenError, StoreError, InputError) as error:
        log.error("can't start", why=str(error))
        return 1
    return 0


def _open_door(
    settings: ServerSettings,
    handlers: Sequence[grpc.GenericRpcHandler],
    interceptors: Sequence[grpc.aio.ServerInterceptor],
    pool: SearchPool,
) -> Door | None:
    """Open the HTTP port; None if it is off."""
    if settings.web is None:
        return None
    # Imported here so that a server without them does not load their libraries.
    from .web.door import Door

    if not settings.mcp:
        return Door(settings, SERVICES, handlers, interceptors)
    from .web.agents import AgentCalls

    agents = AgentCalls(settings, interceptors, pool)
    return Door(settings, SERVICES, handlers, interceptors, agents)


def _channel_options(settings: ServerSettings) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
        ("grpc.max_send_message_length", settings.max_message_bytes),
        ("grpc.so_reuseport", 0),  # a port that is taken is an error, not a second server
        # Of a connection; calls count before their request has arrived, and anything is known.
        ("grpc.max_concurrent_streams", MAX_CONCURRENT_CALLS),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
        # Connections are renewed so that load balancers can spread them again; calls that run
        # longer than that, such as the streams of bots, stay on the old one until they end.
        ("grpc.max_connection_age_ms", 30 * 60_000),
        # They count from their first moment. gRPC can't limit those of one client.
        ("grpc.max_allowed_incoming_connections", _files() // GRPC_FILES_SHARE),
        ("grpc.server_handshake_timeout_ms", round(1000 * GRPC_HANDSHAKE_SECONDS)),
    ]


def _files() -> int:
    """Return how many files the process may open, as far as it needs them."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MANY_FILES if soft == resource.RLIM_INFINITY else min(soft, MANY_FILES)
