"""What a worker has done in its game so far, in memory that outlives it.

A process that hangs, or that a bot has ended, can't say any more what became of its game. So while
it plays it notes every move, and whom it asks until when, in memory that it shares with the one who
waits for it. A note takes a few microseconds.
"""

from __future__ import annotations

import ctypes
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from multiprocessing.context import SpawnContext
from time import monotonic

from .model import MoveRecord

ROOM_BYTES = 1 << 18  # for the moves of a game; about 15,000
UNLIMITED_SECONDS = 3600.0  # after which a bot hangs, where there is no clock


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision that a bot owes.

    Attributes:
        seat: who is asked, from 1.
        began: when, by the monotonic clock, which all processes of a machine share; seconds.
        deadline: when its time is over.
    """

    seat: int
    began: float
    deadline: float


class _Notes(ctypes.Structure):
    _fields_ = (
        ("seat", ctypes.c_int),  # 0: nobody is asked
        ("began", ctypes.c_double),
        ("deadline", ctypes.c_double),
        ("num_bytes", ctypes.c_long),  # of the moves; -1: there was no room for all
    )


class Journal:
    """Notes about one game, written by a worker and read by the one who has started it.

    What is read while the worker writes may be of two moments; what a dead one left, or one that
    hangs, is of one.
    """

    def __init__(self, context: SpawnContext) -> None:
        self._notes = context.RawValue(_Notes)
        self._moves = context.RawArray(ctypes.c_ubyte, ROOM_BYTES)  # a line each

    def begin(self) -> None:
        """Forget the game before."""
        self._notes.seat = self._notes.num_bytes = 0

    def ask(self, seat: int, left_ms: float | None) -> None:
        """Note that a bot is asked for a move, and how long it may think; None: no limit."""
        notes = self._notes
        notes.began = monotonic()
        notes.deadline = notes.began + (UNLIMITED_SECONDS if left_ms is None else left_ms / 1000)
        notes.seat = seat

    def hear(self) -> None:
        """Note that it has answered."""
        self._notes.seat = 0

    def add(self, move: MoveRecord) -> None:
        """Note a move or outcome that happened."""
        line = f"{move.seat} {move.ms!r} {move.token}\n".encode()
        begin = self._notes.num_bytes
        end = begin + len(line)
        if begin < 0 or end > ROOM_BYTES:
            end = -1
        else:
            self._view[begin:end] = line
        self._notes.num_bytes = end  # last: what is counted is whole

    @property
    def open_decision(self) -> OpenDecision | None:
        """The decision that is owed; None between two."""
        notes = self._notes
        seat = notes.seat  # first: it may have answered since, but no deadline is over by that
        return OpenDecision(seat, notes.began, notes.deadline) if seat else None

    @property
    def moves(self) -> tuple[MoveRecord, ...] | None:
        """What happened in the game; None if there was no room for it."""
        num_bytes = self._notes.num_bytes
        if num_bytes < 0:
            return None
        *lines, _ = bytes(self._moves[:num_bytes]).decode().split("\n")
        parts = (line.split(" ", 2) for line in lines)
        return tuple(MoveRecord(int(seat), token, float(ms)) for seat, ms, token in parts)

    @cached_property
    def _view(self) -> memoryview:
        # The writer's alone: it can't be sent to another process, as the rest can.
        return memoryview(self._moves).cast("B")


JOURNAL: ContextVar[Journal | None] = ContextVar("JOURNAL", default=None)
"""Where the games that are played here are noted, if somebody watches."""
