"""The ladders of a database, and the processes that play them for this server."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Event, Thread
from typing import TypeVar

import structlog

from kingmaker.cext.errors import InputError, StateError
from kingmaker.ladder.coordinator import Ending, begin_ladder, check_servers
from kingmaker.ladder.errors import (
    LadderError,
    LadderExistsError,
    StoreError,
    UnknownLadderError,
)
from kingmaker.ladder.games import Overview, overview
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Ladder, Store

from ..database import Database
from ..errors import DrainingError, OverloadError, RequestError
from ..settings import ServerSettings
from .addresses import AllowList
from .clerk import Clerk, Standings
from .process import Failure, Job, Message, News, play_ladder

NUM_THREADS = 4  # threads that work with the database
PAGE_SIZE = 50  # games read at once for a stream
WATCH_SECONDS = 0.25  # least time between news
KILL_SECONDS = 1.0  # for the end of a killed process
RETRY_SECONDS = 10.0  # after which the stored state is read again

T = TypeVar("T")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Look:
    """The status of a ladder.

    Attributes:
        overview: stored data.
        is_here: whether this server plays it.
        news: the latest, if this server plays it; None before the first.
        reason: of its end, if this server played it; else empty.
    """

    overview: Overview
    is_here: bool
    news: News | None
    reason: str


class Ladders:
    """The ladders of a database; used on the event loop.

    Every method that reads or writes raises StoreError if the database fails; it is opened on first
    use, so that a server can start without it. A `RequestError` is about `name`.

    Args:
        database: path of an SQLite file, or a URL.
        settings: of the server.

    Attributes:
        addresses: that bots may have.
        database: of the ladders.
    """

    def __init__(self, database: str, settings: ServerSettings) -> None:
        self.addresses = AllowList(settings.bot_addresses.replace(",", " ").split())
        self._database = database
        self._num_workers = settings.ladder_workers
        self._max_ladders = settings.max_ladders
        self.database = Database(database, NUM_THREADS, "ladders")
        self._probes = ThreadPoolExecutor(settings.max_ladders, "probes")
        self._clerk = Clerk(database)
        self._runs: dict[str, _Run] = {}
        self._reasons: dict[str, str] = {}
        self._is_closing = False

    async def start(self, name: str, plan: LadderPlan, owner: str) -> None:
        """Start a ladder; returns when it is being played.

        Args:
            name: of the ladder.
            plan: what it plays.
            owner: name of the caller; empty: anonymous.

        Raises:
            RequestError: the name is taken or not valid, or a bot's address is not allowed.
            LadderError: a bot's server does not answer.
            OverloadError: the limit of ladders in play is reached.
        """

        def create(store: Store) -> None:
            begin_ladder(store, name, plan, owner)

        with _about(name):
            self.addresses.check(plan)
            if name in self._runs:
                raise LadderExistsError(f"there is a ladder {name!r} already", value=name)
            await self._begin(name, plan, owner, create)

    async def resume(self, name: str) -> None:
        """Continue a ladder; returns when it is being played.

        Raises:
            RequestError: there is no such ladder, it is being played, or its rules have changed.
            LadderError, OverloadError: as `start`.
        """
        with _about(name):
            ladder = await self.call(lambda store: store.ladder(name))
            plan = self._stored_plan(ladder)
            if name in self._runs:
                raise StateError(f"this server plays ladder {name!r} already", value=name)
            await self._begin(name, plan, ladder.owner, lambda _: None)

    async def stop(self, name: str) -> None:
        """Stop a ladder; returns when it has stopped, at once if it is not played.

        Raises:
            RequestError: there is no such ladder, or it is played elsewhere.
        """
        run = self._runs.get(name)
        if run is not None:
            run.stop()
            await run.ended.wait()
            return
        with _about(name):
            if (await self.call(lambda store: store.ladder(name).state)) is LadderState.RUNNING:
                raise StateError(
                    f"this server does not play ladder {name!r}, so it can't stop it; resume it "
                    "if its process was killed",
                    value=name,
                )

    async def owner(self, name: str) -> str:
        """Return the owner of a ladder; empty: anonymous.

        Raises:
            RequestError: there is no such ladder.
        """
        run = self._runs.get(name)
        if run is not None:
            return run.owner
        with _about(name):
            return await self.call(lambda store: store.ladder(name).owner)

    async def look(self, name: str) -> Look:
        """Return the status of a ladder.

        Raises:
            RequestError: there is no such ladder.
        """
        with _about(name):
            return self._look(await self._read_last(lambda store: overview(store.ladder(name))))

    async def look_at_page(self, after: int, limit: int) -> list[tuple[int, Look]]:
        """Return number and status of ladders, the oldest first.

        Args:
            after: only those with a greater number.
            limit: most of them.
        """

        def read(store: Store) -> list[tuple[int, Overview]]:
            return [(each.number, overview(each)) for each in store.ladders(after, limit)]

        return [(number, self._look(each)) for number, each in await self._read_last(read)]

    def news(self) -> list[News | None]:
        """List the latest news of each ladder that this server plays; None: none yet."""
        return [run.news for run in self._runs.values()]

    async def follow(self, name: str) -> AsyncGenerator[Look]:
        """Yield the status of a ladder, now and at each news, until it ends.

        Raises:
            RequestError: there is no such ladder.
        """
        look = await self.look(name)
        while (run := self._runs.get(name)) is not None:
            has_news = run.has_news
            yield self._look(look.overview)
            await has_news.wait()
            await asyncio.sleep(WATCH_SECONDS)
            if run.ended.is_set():
                look = await self.look(name)
        yield look

    async def read(self, name: str, work: Callable[[Ladder], T]) -> T:
        """Run `work` on a ladder, for example a rating, on a thread.

        Raises:
            RequestError: there is no such ladder, or `work` raises InputError.
        """
        with _about(name):
            return await self.call(lambda store: work(store.ladder(name)))

    async def standings(self, name: str) -> Standings:
        """Compute the standings of a ladder, in a process of their own.

        Raises:
            RequestError: there is no such ladder, or its game or a bot is not installed.
        """
        with _about(name):
            return await self.database.run(partial(self._clerk.ask, name))

    async def pages(self, items: Iterator[T]) -> AsyncIterator[list[T]]:
        """Iterate over rows of the database, read in batches on a thread."""
        while page := await self.call(lambda _: list(islice(items, PAGE_SIZE))):
            yield page

    async def call(self, work: Callable[[Store], T]) -> T:
        """Run a function on the database, on a thread."""
        return await self.database.call(work)

    async def stop_all(self, seconds: float) -> None:
        """Refuse new ladders and stop all; kill those that take too long."""
        self._is_closing = True
        runs = list(self._runs.values())
        for run in runs:
            run.stop()
        ends = [asyncio.create_task(run.ended.wait()) for run in runs]
        if ends:
            _, late = await asyncio.wait(ends, timeout=max(seconds, 0))
            for run in runs:
                run.kill()
            if late:
                await asyncio.wait(late, timeout=KILL_SECONDS)

    def close(self) -> None:
        """Close the database."""
        self._clerk.close()
        self._probes.shutdown(wait=False, cancel_futures=True)
        self.database.close()

    def _stored_plan(self, ladder: Ladder) -> LadderPlan:
        """Read the plan of a ladder.

        Raises:
            StateError: a game or bot of it is not installed here, or not allowed; it was valid when
                it was stored.
        """
        try:
            plan = LadderPlan.of(**ladder.plan)
            self.addresses.check(plan)
        except InputError as error:
            raise StateError(str(error), value=ladder.name) from error
        return plan

    async def _read_last(self, read: Callable[[Store], T]) -> T:
        """Read from the database; again if a ladder ends meanwhile, which outdates its state."""
        runs = list(self._runs.values())
        found = await self.call(read)
        return await self.call(read) if any(run.ended.is_set() for run in runs) else found

    def _look(self, seen: Overview) -> Look:
        run = self._runs.get(seen.name)
        return Look(
            overview=seen,
            is_here=run is not None,
            news=None if run is None else run.news,
            reason="" if run is not None else self._reasons.get(seen.name, ""),
        )

    async def _begin(
        self, name: str, plan: LadderPlan, owner: str, prepare: Callable[[Store], None]
    ) -> None:
        """Play a ladder as soon as it is prepared, even if the caller disconnects meanwhile."""
        if self._is_closing:
            raise DrainingError("the server shuts down")
        if len(self._runs) >= self._max_ladders:
            raise OverloadError(
                f"{len(self._runs)} of at most {self._max_ladders} ladders are being played: "
                f"{', '.join(self._runs)}; stop one, or wait for its end",
                "ladders",
                RETRY_SECONDS,
            )
        run = self._runs[name] = _Run(Job(self._database, name, self._num_workers), owner)
        await asyncio.shield(asyncio.create_task(self._launch(run, plan, prepare)))

    async def _launch(self, run: _Run, plan: LadderPlan, prepare: Callable[[Store], None]) -> None:
        try:
            # Not on a thread for the database, as it may last until its deadline.
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._probes, check_servers, plan, run.stopping)
            run.check_wanted()
            await self.call(prepare)
            run.start()
        except LadderError as error:
            log.warning("ladder not begun", ladder=run.name, why=str(error))
            self._forget(run)
            raise
        except BaseException:
            self._forget(run)
            raise
        run.attendant = asyncio.create_task(self._attend(run))
        await run.has_news.wait()
        if run.news is None:  # it has ended before any news
            await run.ended.wait()
            run.raise_failure()

    async def _attend(self, run: _Run) -> None:
        """Wait for the end of a ladder's process, and record that it is no longer played."""
        await run.is_over.wait()
        self._reasons[run.name] = run.reason
        write = log.warning if run.has_failed else log.info
        write("ladder ends", ladder=run.name, why=run.reason, detail=run.detail)
        # Else another process plays it, or it has stored its state itself.
        if not isinstance(run.last, StateError):
            with suppress(StoreError, UnknownLadderError):
                await self.call(lambda store: _note_stop(store.ladder(run.name)))
        self._forget(run)

    def _forget(self, run: _Run) -> None:
        del self._runs[run.name]
        run.ended.set()
        run.tell()


class _Run:
    """A ladder that is played by its own process; used on the event loop.

    Attributes:
        name: of the ladder.
        owner: name of the caller that started it; empty: anonymous.
        news: the latest; None before it has begun.
        has_news: set at the next news, and then replaced by a new event.
        last: final message of the process; None: none yet, or it was killed.
        is_over: set when the process is gone.
        ended: set when that has been recorded.
        attendant: the task that waits for the process.
        stopping: set when it is to be stopped.
    """

    def __init__(self, job: Job, owner: str) -> None:
        self.name = job.name
        self.owner = owner
        self.news: News | None = None
        self.has_news = asyncio.Event()
        self.last: Ending | Failure | None = None
        self.is_over = asyncio.Event()
        self.ended = asyncio.Event()
        self.attendant: asyncio.Task[None] | None = None
        self._job = job
        self.stopping = Event()
        self._loop = asyncio.get_running_loop()
        self._process: SpawnProcess | None = None

    @property
    def reason(self) -> str:
        """The reason of its end, in a sentence."""
        if isinstance(self.last, Ending):
            return self.last.reason
        if isinstance(self.last, LadderError):
            return self.last.message
        if isinstance(self.last, StoreError):
            return self.last.public
        if self.last is not None:
            return str(self.last)
        if self.stopping.is_set():
            return "stopped"
        code = None if self._process is None else self._process.exitcode
        return f"the process that played it ended with code {code}"

    @property
    def has_failed(self) -> bool:
        """Whether it ended though it was neither finished nor to be stopped."""
        return not isinstance(self.last, Ending) and not self.stopping.is_set()

    @property
    def detail(self) -> str:
        """More on the reason, for the log alone."""
        if isinstance(self.last, LadderError):
            return self.last.detail
        return str(self.last) if isinstance(self.last, StoreError) else ""

    def check_wanted(self) -> None:
        """Raise LadderError if it was stopped before it was played."""
        if self.stopping.is_set():
            raise LadderError(f"ladder {self.name!r} was stopped before it was played")

    def start(self) -> None:
        """Start the process.

        Raises:
            LadderError: it was stopped before.
        """
        self.check_wanted()
        context = multiprocessing.get_context("spawn")
        ours, its = context.Pipe(duplex=False)
        self._process = context.Process(target=play_ladder, args=(its, self._job))
        with its:  # otherwise the pipe would not end with the process
            self._process.start()
        Thread(target=self._listen, args=(ours, self._process), daemon=True).start()
        log.info("ladder begins", ladder=self.name, process=self._process.pid)

    def stop(self) -> None:
        """Stop the process with SIGTERM."""
        self.stopping.set()
        if self._process is not None and not self.is_over.is_set():
            self._process.terminate()

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None and not self.is_over.is_set():
            self._process.kill()

    def tell(self) -> None:
        """Wake the tasks that wait for news."""
        event, self.has_news = self.has_news, asyncio.Event()
        event.set()

    def raise_failure(self) -> None:
        """Raise the error of its start, if there is one."""
        if isinstance(self.last, InputError):
            # Its plan is stored, and was valid then.
            raise StateError(str(self.last), value=self.name) from self.last
        if isinstance(self.last, Exception):
            raise self.last
        if self.last is None:
            raise LadderError(self.reason)

    def _listen(self, connection: Connection, process: SpawnProcess) -> None:
        """Receive the messages of the process until it is gone; runs on a thread."""
        with connection, suppress(EOFError, OSError):
            while True:
                self._loop.call_soon_threadsafe(self._note, connection.recv())
        process.join()
        self._loop.call_soon_threadsafe(self._note_end)

    def _note(self, message: Message) -> None:
        if isinstance(message, News):
            self.news = message
            self.tell()
        else:
            self.last = message

    def _note_end(self) -> None:
        self.is_over.set()
        if self.news is None:
            self.tell()


@contextmanager
def _about(name: str) -> Iterator[None]:
    """Turn errors of a name into mistakes of the caller."""
    try:
        yield
    except InputError as error:
        error.field = error.field or "name"
        error.value = error.value or name
        raise RequestError([error]) from error


def _note_stop(ladder: Ladder) -> None:
    """Store the state of a ladder whose process could not do so itself."""
    if ladder.state is LadderState.RUNNING:
        ladder.state = LadderState.STOPPED
