"""The program of a worker process: one search at a time, commands over a socket.

It is forked by nursery.py and ends with the server, even if that is killed. It loads neither gRPC
nor the settings of the server.

A message is its length in four bytes and a pickle. Both ends are of one version and trust each
other.
"""

from __future__ import annotations

import os
import pickle
import socket
import struct
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any, NoReturn

from kingmaker.search.games import game_types

# Jobs are loaded here for the same reason as games below.
from ..analysis import jobs, solve_job  # noqa: F401
from ..matches import jobs as match_jobs  # noqa: F401
from ..reviews import job  # noqa: F401
from .slices import Event, Message, Runner

game_types()  # loaded once, before workers are forked, so that no search waits for them

LENGTH = struct.Struct("!I")
CHUNK_BYTES = 1 << 16
NICENESS = 5
"""Of a search: the event loop gets three times its part of a core where both want it. Else a flood
of calls that are refused in 1 ms each makes all others wait for seconds on a busy machine."""


class Messages:
    """Puts messages together from bytes as they arrive."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Take bytes, and yield the messages that they complete."""
        self._bytes += data
        while len(self._bytes) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._bytes)
            end = LENGTH.size + length
            if len(self._bytes) < end:
                return
            message = pickle.loads(bytes(self._bytes[LENGTH.size : end]))
            del self._bytes[:end]
            yield message


def frame(message: object) -> bytes:
    """Return the bytes of a message.

    Raises:
        Exception: the message holds what can't be pickled.
    """
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def serve_searches(connection: socket.socket) -> NoReturn:
    """Run searches until the server is gone; the process does nothing else."""
    os.nice(NICENESS)
    work: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def post(message: Message) -> None:
        try:
            data = frame(message)
        except Exception as error:  # of an answer or error of another package
            data = frame((Event.FAILED, RuntimeError(f"can't be sent: {error!r}"), 0.0))
        connection.sendall(data)

    Thread(target=_obey, args=(connection, Runner(work.put, post)), daemon=True).start()
    post((Event.FREED, os.getpid(), 0.0))
    while True:
        work.get()()


def _obey(connection: socket.socket, runner: Runner) -> None:
    """Carry out what the server says; a thread of its own, as a search takes the main one."""
    messages = Messages()
    try:
        while data := connection.recv(CHUNK_BYTES):
            for command, job in messages.feed(data):
                runner.do(command, job)
    finally:
        os._exit(0)
