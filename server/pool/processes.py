"""Searches in worker processes.

Each live search has a process of its own, so a crash affects no other search. Some workers wait in
reserve, for searches that begin while others are paused and to replace workers that died.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
from collections import deque
from contextlib import suppress
from contextvars import Context
from typing import Any

import structlog

from .live import Live
from .nursery import END, start_nursery
from .slices import Command, Event, Job
from .worker import Messages, frame

RESERVE = 2  # workers that wait beyond one for each slot
RESTART_SECONDS = 1.0  # before another try when a worker could not start
START_SECONDS = 60.0  # for the first workers

log = structlog.get_logger()


class WorkerDiedError(Exception):
    """The process of a search has died."""


class ProcessHost:
    """Runs searches in supervised processes.

    Args:
        slots: number of searches that run at the same time.

    Attributes:
        num_deaths: workers that died while they searched.
        num_restarts: workers that had to be replaced.
    """

    is_isolated = True

    def __init__(self, slots: int) -> None:
        self._wanted = slots + RESERVE
        self._nursery: _Nursery | None = None
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._pending: deque[Live[Any]] = deque()
        self._num_starting = 0
        self._has_settled = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._retry: asyncio.TimerHandle | None = None  # for workers that could not start
        self._is_closed = False
        self.num_deaths = self.num_restarts = 0

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that are ready or search."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def start(self) -> None:
        """Start the first workers.

        Raises:
            RuntimeError: none of them starts.
        """
        self._num_starting += self._wanted
        await asyncio.gather(*(self._start_one() for _ in range(self._wanted)))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._has_settled.wait(), START_SECONDS)
        if not self._idle:
            raise RuntimeError("worker processes can't start; their errors are above")

    def assign(self, live: Live[Any]) -> None:
        """Give a search to an idle worker, now or as soon as there is one."""
        self._pending.append(live)
        self._distribute()

    def close(self) -> None:
        """End all workers at once."""
        self._is_closed = True
        for worker in self._workers:
            worker.end()
        if self._nursery is not None:
            self._nursery.end()

    def ready(self, worker: _Worker, *, is_first: bool) -> None:
        """Take a worker that has nothing to do."""
        self._count_start(is_first)
        if len(self._idle) >= self._wanted and not self._pending:
            worker.retire()
            return
        self._idle.append(worker)
        self._distribute()

    def gone(self, worker: _Worker, *, was_ready: bool, was_busy: bool) -> None:
        """Replace a worker that has ended."""
        self._workers.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        self._count_start(not was_ready)
        if self._is_closed:
            return
        self.num_deaths += was_busy
        self.num_restarts += not worker.is_retired
        if was_ready or worker.nursery.has_died_after_work():
            self._distribute()
            return
        log.error("worker did not start")
        self._try_again_later()

    def _try_again_later(self) -> None:
        """Start workers later: one could not start, and the next one would neither."""
        while self._pending and not self._num_starting:  # no call waits for that
            self._pending.popleft().fail(WorkerDiedError("worker processes can't start"))
        if self._retry is None:  # else there would be more tries each time
            loop = asyncio.get_running_loop()
            self._retry = loop.call_later(RESTART_SECONDS, self._try_again)

    def _try_again(self) -> None:
        self._retry = None
        self._distribute()

    def _count_start(self, is_start: bool) -> None:
        """Count the end of a start, good or bad."""
        self._num_starting -= is_start
        if not self._num_starting:
            self._has_settled.set()

    def _distribute(self) -> None:
        while self._pending and self._idle:
            if self._idle[-1].take(self._pending.popleft()):
                self._idle.pop()
        missing = len(self._pending) + RESERVE - len(self._idle) - self._num_starting
        for _ in range(0 if self._is_closed else missing):
            self._num_starting += 1
            # Not in the context of the call that needs it: others come after that.
            task = asyncio.get_running_loop().create_task(self._start_one(), context=Context())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _start_one(self) -> None:
        """Start a worker that counts as starting; it reports when it is ready."""
        if self._is_closed:
            self._count_start(is_start=True)
            return
        try:
            if self._nursery is None or self._nursery.is_gone:
                self._nursery = _Nursery()
            here, there = socket.socketpair()
        except OSError as error:  # there are too many open files, or processes
            log.error("worker can't start", why=str(error))
            self._count_start(is_start=True)
            if not self._is_closed:
                self._try_again_later()
            return
        here.setblocking(False)
        with there:
            self._nursery.fork(there)
        worker = _Worker(self, self._nursery)
        self._workers.add(worker)
        await asyncio.get_running_loop().create_connection(lambda: worker, sock=here)


class _Nursery:
    """The process that forks workers, the server's end.

    Attributes:
        is_gone: whether it has ended.
        has_worked: whether a worker of it has started.
    """

    def __init__(self) -> None:
        self._control, there = socket.socketpair()
        self._control.setblocking(False)
        with there:
            self._process: subprocess.Popen[bytes] = start_nursery(there)
        self.is_gone = self.has_worked = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._control, self._read)
        self._bytes = b""

    def fork(self, connection: socket.socket) -> None:
        """Ask for a worker with its end of a socket, which closes if there will be none."""
        with suppress(OSError):
            socket.send_fds(self._control, [b"f"], [connection.fileno()])

    def end(self) -> None:
        """End the process, once; its workers end by themselves."""
        if self.is_gone:
            return
        self.is_gone = True
        self._loop.remove_reader(self._control)
        self._control.close()
        self._process.kill()
        self._process.wait()

    def has_died_after_work(self) -> bool:
        """Whether workers that it did not start may start in another one.

        A worker that was asked for is lost a moment before the loop sees that the process has died.
        """
        self._read()
        return self.is_gone and self.has_worked

    def _read(self) -> None:
        """Log the ends of workers that were not meant to end."""
        if self.is_gone:  # since the loop saw that there is something to read
            return
        with suppress(BlockingIOError):
            try:
                data = self._control.recv(1 << 12)
            except ConnectionResetError:  # it died with requests that it had not read
                data = b""
            if not data:
                log.error("nursery of workers died")
                self.end()
                return
            self._bytes += data
        while len(self._bytes) >= END.size:
            pid, code = END.unpack_from(self._bytes)
            self._bytes = self._bytes[END.size :]
            if code != 0:
                how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
                log.error("worker died", pid=pid, how=how)


class _Worker(asyncio.Protocol):
    """A worker process, the server's end; also the link to the search that it has.

    Attributes:
        nursery: that forks it.
        pid: of the process; None: it is not ready yet.
        is_retired: whether it was told to end.
    """

    def __init__(self, host: ProcessHost, nursery: _Nursery) -> None:
        self._host = host
        self.nursery = nursery
        self._messages = Messages()
        self._live: Live[Any] | None = None
        self.pid: int | None = None
        self.is_retired = False
        self._why = ""  # it was killed
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: Any) -> None:
        """Keep the transport."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Pass messages on to the search."""
        for message in self._messages.feed(data):
            live, (event, value, _) = self._live, message
            if event is not Event.FREED:
                if live is not None:
                    live.receive(message)
                continue
            self._live = None
            is_first = self.pid is None
            if is_first:
                self.pid = value
                self.nursery.has_worked = True
            if live is not None:
                live.receive(message)
            self._host.ready(self, is_first=is_first)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail the call of the search; nobody else notices."""
        live, self._live = self._live, None
        self._host.gone(self, was_ready=self.pid is not None, was_busy=live is not None)
        if live is not None:
            why = self._why or f"a search has crashed its worker process, {self.pid}"
            live.fail(WorkerDiedError(why))

    def take(self, live: Live[Any]) -> bool:
        """Begin a search; False if nobody wants it any more."""
        self._live = live
        if live.attach(self):
            return True
        self._live = None
        return False

    def send(self, command: Command, job: Job[Any] | None = None) -> None:
        """Pass a command on."""
        assert self._transport is not None
        self._transport.write(frame((command, job)))

    def kill(self, why: str) -> None:
        """End the process by force; it still exists, as its socket is open."""
        self._why = why
        log.error("worker killed", pid=self.pid, why=why)
        self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        is_open = self._transport is not None and not self._transport.is_closing()
        if is_open and self.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def retire(self) -> None:
        """End the process, which is idle."""
        assert self._transport is not None
        self.is_retired = True
        self._transport.close()
