"""Runs the batches of a database, in the slots that calls leave.

Each task is a search of the pool, of the class of bulk calls and for the client that owns the
batch: calls for moves go first, its share of the slots and its quota hold, and a crash takes along
one attempt of one task. Nothing but the database knows of a batch: another server can go on with
it, and creates and cancels them at any time.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import structlog

from kingmaker.batch.results import Results
from kingmaker.batch.store import Batch, BatchState, BatchStore
from kingmaker.batch.tasks import AnyTask, TaskResult
from kingmaker.cext.errors import ContractError
from kingmaker.ladder.errors import NewerVersionError, StoreError
from kingmaker.tasks.retries import MAX_ATTEMPTS

from ..database import Database
from ..errors import DrainingError, OverloadError
from ..gate import Gate
from ..pool.lines import Claim
from ..pool.searches import SearchPool
from ..settings import ServerSettings
from .job import TaskJob

NUM_THREADS = 2  # threads that work with the database
LOOK_SECONDS = 1.0  # interval at which batches are looked for
LEASE_SECONDS = 10.0  # after which another server goes on with those of a dead one
LEFT_SECONDS = 600.0  # for which batches of a newer version are left to other servers
RELEASE_SECONDS = 0.5  # to tell others that they may at once
PAGE_SIZE = 100  # tasks read at once
WAIT_SECONDS = 1.0  # after the pool or a quota had no room
PATIENCE_SECONDS = 3600.0  # of a task that waits for a slot
USUAL_SECONDS = 5.0  # of a task, for the order of calls that wait
DELETE_SECONDS = 3600.0  # interval at which old batches are deleted
DAY_SECONDS = 24 * 3600.0
ANONYMOUS = "anonymous batches"  # the client of batches without an owner

T = TypeVar("T")

log = structlog.get_logger()


class Batches:
    """The batches of a database; on the event loop.

    Every method that reads or writes raises StoreError if the database fails; it is opened on first
    use, so that a server can start without it.

    Args:
        database: path of an SQLite file, or a URL.
        settings: of the server.
        pool: runs the tasks.
        gate: knows the quotas of owners.

    Attributes:
        database: of the batches.
    """

    def __init__(
        self, database: str, settings: ServerSettings, pool: SearchPool, gate: Gate
    ) -> None:
        self._settings = settings
        self._pool = pool
        self._gate = gate
        self._name = secrets.token_hex(8)
        self.database = Database(database, NUM_THREADS, "batches")
        self._free = asyncio.Semaphore(settings.slots)  # tasks that may be in the pool
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._left: dict[str, float] = {}  # to other servers, up to a monotonic time
        self._looking: asyncio.Task[None] | None = None
        self._has_news = asyncio.Event()
        self._is_closing = asyncio.Event()

    def start(self) -> None:
        """Begin to run batches."""
        self._looking = asyncio.create_task(self._look_for_ever())

    def look(self) -> None:
        """Look for batches now."""
        self._has_news.set()

    async def wait(self, seconds: float) -> None:
        """Wait for some time.

        Raises:
            DrainingError: the server shuts down.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_closing.wait()
            raise DrainingError("the server shuts down")

    async def stop(self) -> None:
        """Drop all tasks, and leave the batches to others."""
        self._is_closing.set()
        if self._looking is None:
            return
        running = [self._looking, *self._runs.values()]
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(RELEASE_SECONDS):
                await self.call(lambda batches, results: batches.release(self._name))

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    async def call(self, work: Callable[[BatchStore, Results], T]) -> T:
        """Run a function on the database, on a thread."""
        return await self.database.call(lambda store: work(BatchStore(store), Results(store)))

    async def _look_for_ever(self) -> None:
        delete_at = 0.0
        while True:
            self._has_news.clear()
            try:
                await self._look()
                if time.monotonic() >= delete_at:
                    await self._delete()
                    delete_at = time.monotonic() + DELETE_SECONDS
            except StoreError as error:
                log.warning("batches wait for their database", why=str(error))
            except Exception as error:  # later batches must not wait for a restart
                log.error("fault", work="batches", exc_info=error)
            # Not `wait_for`, which hides a cancel that comes together with news (Python 3.11).
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._has_news.wait()

    async def _delete(self) -> None:
        """Delete the batches that are old enough."""
        before = time.time() - self._settings.batch_days * DAY_SECONDS
        await self.call(lambda batches, results: batches.delete(before))

    async def _look(self) -> None:
        """Begin to run the batches that are ours, and end those that are no longer."""
        now = time.time()
        limit = self._settings.max_batches
        self._left = {key: end for key, end in self._left.items() if time.monotonic() < end}
        left, until = list(self._left), now + LEASE_SECONDS
        found = await self.call(
            lambda batches, results: batches.claim(self._name, now, until, limit, but=left)
        )
        ours = {batch.id: batch for batch in found}
        for batch_id, run in list(self._runs.items()):
            if run.done():
                del self._runs[batch_id]
                if not run.cancelled() and (error := run.exception()) is not None:
                    log.warning("batch waits", batch=batch_id, why=str(error))
            elif batch_id not in ours:
                run.cancel()
        for batch_id, batch in ours.items():
            if batch_id not in self._runs:
                self._runs[batch_id] = asyncio.create_task(self._run(batch))

    async def _run(self, batch: Batch) -> None:
        """Run a batch to its end, a few tasks at a time: batches take turns for the slots."""
        room = asyncio.Semaphore(self._settings.slots)
        running: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                try:
                    tasks = await self.call(
                        lambda batches, results: batches.pending(batch.id, PAGE_SIZE)
                    )
                except NewerVersionError as error:
                    await self._leave(batch, error)
                    return
                if not tasks:
                    break
                for task_id, task in tasks.items():
                    await room.acquire()
                    running[task_id] = asyncio.create_task(self._run_task(batch, task))
                    # Also of a task that is cancelled before it begins.
                    running[task_id].add_done_callback(lambda _: room.release())
                await asyncio.gather(*running.values())
                running.clear()
            await self.call(lambda batches, results: batches.end(batch.id, BatchState.FINISHED))
            log.info("batch ends", batch=batch.id, tasks=batch.num_tasks)
        finally:
            for each in running.values():
                each.cancel()
            await asyncio.gather(*running.values(), return_exceptions=True)

    async def _leave(self, batch: Batch, error: NewerVersionError) -> None:
        """Leave a batch to newer servers."""
        log.warning("batch can't go on here", batch=batch.id, why=str(error))
        self._left[batch.id] = time.monotonic() + LEFT_SECONDS
        await self.call(lambda batches, results: batches.release(self._name, batch.id))

    async def _run_task(self, batch: Batch, task: AnyTask) -> None:
        """Run a task until it has a result, or has broken too often."""
        error = ""
        for _ in range(MAX_ATTEMPTS):
            try:
                result = await self._search(batch.owner or ANONYMOUS, task)
            except DrainingError:
                return
            except Exception as fault:
                error = f"{type(fault).__name__}: {fault}"
                log.warning("task breaks", batch=batch.id, task=task.id, why=error)
                if isinstance(fault, ContractError):
                    break  # it would come again
                continue
            await self._store_result(result)
            return
        await self.call(lambda batches, results: batches.fail(batch.id, task.id, error))

    async def _store_result(self, result: TaskResult) -> None:
        """Store what a task has found; nothing if it was ended early."""
        if result.text:
            await self.call(lambda batches, results: results.add([result]))

    async def _search(self, client: str, task: AnyTask) -> TaskResult:
        """Run a task in the pool as soon as there is room; no place is held without search time."""
        claim = Claim(
            client,
            is_bulk=True,
            seconds=USUAL_SECONDS,
            patience=PATIENCE_SECONDS,
            memory_bytes=task.budget.memory_bytes,
        )
        while True:
            try:
                async with self._free:
                    self._gate.check_search(client)
                    return await self._pool.run(claim, lambda: TaskJob(task))
            except OverloadError as error:
                await asyncio.sleep(min(max(error.retry_seconds, WAIT_SECONDS), 30.0))
