"""A database of the service, and the threads that work with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import TypeVar

from kingmaker.ladder.errors import StoreError
from kingmaker.ladder.store import Store

from .pool.threads import Threads

CLOSE_SECONDS = 0.2  # to wait for work that is being done

T = TypeVar("T")


class Database:
    """A database that is opened on first use, so that a server can start without it.

    The threads are not those of an executor, which would keep the process alive as long as one
    waits for the database: another program may lock it for half a minute.

    Args:
        address: path of an SQLite file, or a URL.
        num_threads: that work with it.
        name: prefix of the threads' names.
        is_temporary: whether an SQLite file need not outlive the server.

    Attributes:
        store: the open database; None: not yet.
        name: the same.
        num_failures: how often it failed.
    """

    def __init__(
        self, address: str, num_threads: int, name: str, *, is_temporary: bool = False
    ) -> None:
        self.store: Store | None = None
        self.name = name
        self.num_failures = 0
        self._address = address
        self._is_temporary = is_temporary
        self._threads = Threads(num_threads, name)
        self._opening = Lock()
        self._is_closed = False

    async def call(self, work: Callable[[Store], T]) -> T:
        """Run a function on the database, on a thread.

        Raises:
            StoreError: the database fails, or was closed.
        """
        return await self.run(lambda: work(self._open()))

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function that opens the database by itself, on a thread.

        Raises:
            StoreError: the database was closed.
        """
        if self._is_closed:
            raise StoreError("the database was closed, as the server shuts down")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, error: BaseException | None) -> None:
            self.num_failures += isinstance(error, StoreError)
            if answer.cancelled():
                return
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(result)  # type: ignore[arg-type]  # it has one

        def serve() -> None:
            if answer.cancelled():
                return
            result, error = None, None
            try:
                result = work()
            except BaseException as raised:
                error = raised
            with suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(settle, result, error)

        self._threads.put(serve)
        return await answer

    def close(self) -> None:
        """Close it; work that waits for it is left behind."""
        self._is_closed = True
        self._threads.close(CLOSE_SECONDS)
        if self.store is not None:
            self.store.close()

    def _open(self) -> Store:
        with self._opening:
            if self.store is None:
                self.store = Store(self._address, is_temporary=self._is_temporary)
            return self.store
