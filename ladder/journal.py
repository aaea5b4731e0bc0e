"""The progress of a worker's game, in memory that outlives the worker.

A process that hangs, or that a bot has crashed, can't report its game. So while it plays it records
every move, the seat to decide and its deadline in memory shared with the process that waits for it.
An entry takes a few microseconds.
"""

from __future__ import annotations

import ctypes
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from multiprocessing.context import SpawnContext
from time import monotonic

from .model import MoveRecord

ROOM_BYTES = 1 << 18  # for about 15,000 moves
UNLIMITED_SECONDS = 3600.0  # after which a bot counts as hung if there is no clock


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A pending decision of a bot.

    Attributes:
        seat: of the bot, from 1.
        began: start, in seconds of the monotonic clock, which all processes of a machine share.
        deadline: end of its time, on the same clock.
    """

    seat: int
    began: float
    deadline: float


class _Notes(ctypes.Structure):
    _fields_ = (
        ("seat", ctypes.c_int),  # 0: no decision is pending
        ("began", ctypes.c_double),
        ("deadline", ctypes.c_double),
        ("num_bytes", ctypes.c_long),  # of the moves; -1: the memory was too small
    )


class Journal:
    """Entries on one game, written by a worker and read by the process that started it.

    Reads while the worker writes may mix two moments; the journal of a dead or hung worker is
    consistent.
    """

    def __init__(self, context: SpawnContext) -> None:
        self._notes = context.RawValue(_Notes)
        self._moves = context.RawArray(ctypes.c_ubyte, ROOM_BYTES)  # one line each

    def begin(self) -> None:
        """Forget the game before."""
        self._notes.seat = self._notes.num_bytes = 0

    def ask(self, seat: int, left_ms: float | None) -> None:
        """Record a pending decision and its time limit; None: no limit."""
        notes = self._notes
        notes.began = monotonic()
        notes.deadline = notes.began + (UNLIMITED_SECONDS if left_ms is None else left_ms / 1000)
        notes.seat = seat

    def hear(self) -> None:
        """Record that the bot has answered."""
        self._notes.seat = 0

    def add(self, move: MoveRecord) -> None:
        """Record a move or outcome."""
        line = f"{move.seat} {move.ms!r} {move.token}\n".encode()
        begin = self._notes.num_bytes
        end = begin + len(line)
        if begin < 0 or end > ROOM_BYTES:
            end = -1
        else:
            self._view[begin:end] = line
        self._notes.num_bytes = end  # last, so that counted entries are complete

    @property
    def open_decision(self) -> OpenDecision | None:
        """The pending decision; None between two decisions."""
        notes = self._notes
        seat = notes.seat  # first: the bot may have answered since, but then no deadline has passed
        return OpenDecision(seat, notes.began, notes.deadline) if seat else None

    @property
    def moves(self) -> tuple[MoveRecord, ...] | None:
        """The moves of the game; None if the memory was too small."""
        num_bytes = self._notes.num_bytes
        if num_bytes < 0:
            return None
        *lines, _ = bytes(self._moves[:num_bytes]).decode().split("\n")
        parts = (line.split(" ", 2) for line in lines)
        return tuple(MoveRecord(int(seat), token, float(ms)) for seat, ms, token in parts)

    @cached_property
    def _view(self) -> memoryview:
        # Used by the writer only: it can't be sent to another process.
        return memoryview(self._moves).cast("B")


JOURNAL: ContextVar[Journal | None] = ContextVar("JOURNAL", default=None)
"""The journal of this process, if another process watches it."""
