"""The process that computes standings: on a thread it would hold up the event loop for seconds.

It is started with the first question, niced like those that play ladders, and ends when nobody has
asked it for a while, or with the server.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock
from typing import TypeAlias

from kingmaker.cext.errors import InputError
from kingmaker.ladder.errors import StoreError
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Ladder, Store

from .process import NICENESS

IDLE_SECONDS = 60.0
ATTEMPTS = 2  # the first may meet a process that ends at this moment

Stamp: TypeAlias = tuple[LadderState, int, int]
"""What changes with the standings of a ladder: its state, and its games and run reports."""
Standings: TypeAlias = tuple[Stamp, bytes]
"""A stamp, and the serialized `GetLadderResponse` without its status."""


class Clerk:
    """The process, on the side of the server; from any thread.

    Args:
        database: path or URL.
    """

    def __init__(self, database: str) -> None:
        self._database = database
        self._turn = Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._is_closed = False

    def ask(self, name: str) -> Standings:
        """Compute the standings of a ladder; waits for questions that were asked before.

        Raises:
            InputError: there is no such ladder, or its game or a bot is not installed.
            StoreError: the database fails.
            RuntimeError: the process has died, or was closed.
        """
        with self._turn:
            for _ in range(ATTEMPTS):
                try:
                    connection = self._connection or self._start()
                    connection.send(name)
                    answer: Standings | Exception = connection.recv()
                except (EOFError, OSError):
                    self._connection = None
                    continue
                if isinstance(answer, Exception):
                    raise answer
                return answer
        raise RuntimeError("the process that computes standings has died")

    def close(self) -> None:
        """End the process at once."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()

    def _start(self) -> Connection:
        if self._is_closed:
            raise EOFError
        context = multiprocessing.get_context("spawn")
        ours, its = context.Pipe()
        self._process = context.Process(target=serve, args=(its, self._database), daemon=True)
        with its:  # otherwise the pipe would not end with the process
            self._process.start()
        self._connection = ours
        return ours


def stamp_of(ladder: Ladder) -> Stamp:
    """Return what changes with the standings; to be read before them."""
    return ladder.state, ladder.num_games, ladder.num_reports


def serve(connection: Connection, database: str) -> None:
    """Answer questions until none comes for a while; the main function of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's to handle
    os.nice(NICENESS)
    while connection.poll(IDLE_SECONDS):
        try:
            name = connection.recv()
        except EOFError:  # the server is gone
            return
        connection.send(_answer(database, name))


def _answer(database: str, name: str) -> Standings | Exception:
    from .messages import figures_message  # of the process alone

    try:
        with Store(database, create=False) as store:
            ladder = store.ladder(name)
            stamp = stamp_of(ladder)
            return stamp, figures_message(ladder).SerializeToString()
    except (InputError, StoreError) as error:
        return error
