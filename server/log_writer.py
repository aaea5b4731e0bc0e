"""Log lines, written by a thread of their own.

Writing can block for as long as nobody reads the pipe behind it, and fail while a disk is full.
Then lines are dropped and counted, but no call waits: logging only appends to a queue.
"""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Callable
from threading import Condition, Thread

MAX_PENDING_BYTES = 4 << 20
MAX_LINE_BYTES = 1 << 16  # of a line; the rest is cut off
CHUNK_BYTES = 1 << 16  # of one write


class LogWriter:
    """A bounded queue of lines before a file descriptor.

    Lines that don't fit the queue or can't be written are dropped.

    Args:
        descriptor: of an open file, pipe or terminal.
        on_drop: called on the thread with the number of lines dropped since the last call, when
            lines can be written again.

    Attributes:
        num_dropped: lines dropped so far.
    """

    def __init__(
        self, descriptor: int, on_drop: Callable[[int], None] = lambda number: None
    ) -> None:
        self.num_dropped = 0
        self._num_reported = 0
        self._descriptor = descriptor
        self._on_drop = on_drop
        self._lines: deque[bytes] = deque()
        self._pending_bytes = 0
        self._changed = Condition()
        self._is_closing = False
        self._is_line_broken = False  # the last write ended within a line
        self._thread = Thread(target=self._serve, name="log", daemon=True)
        self._thread.start()

    def write(self, line: str | bytes) -> None:
        """Queue a line, with or without its end; never blocks for long and never fails."""
        text = line.encode(errors="backslashreplace") if isinstance(line, str) else line
        data = text.rstrip(b"\n")[:MAX_LINE_BYTES] + b"\n"
        with self._changed:
            if self._pending_bytes + len(data) > MAX_PENDING_BYTES:
                self.num_dropped += 1
                return
            if not self._lines:  # else the thread is awake, or about to be
                self._changed.notify()
            self._lines.append(data)
            self._pending_bytes += len(data)

    def close(self, seconds: float) -> None:
        """Write what is queued, for as long as that, and end the thread.

        A thread that can't write even then is left behind; it does not keep the process alive.
        """
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join(seconds)

    def _serve(self) -> None:
        while chunk := self._next_chunk():
            num_lost = self._write(chunk)
            with self._changed:
                self.num_dropped += num_lost
                num_dropped = self.num_dropped - self._num_reported
            if num_dropped and not num_lost:
                self._num_reported += num_dropped
                self._on_drop(num_dropped)

    def _next_chunk(self) -> list[bytes]:
        """Wait for lines, and take as many as one write takes; empty: the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._is_closing)
            chunk: list[bytes] = []
            size = 0
            while self._lines and size < CHUNK_BYTES:
                chunk.append(self._lines.popleft())
                size += len(chunk[-1])
            self._pending_bytes -= size
            return chunk

    def _write(self, lines: list[bytes]) -> int:
        """Write lines; returns how many of them could not be written."""
        data = (b"\n" if self._is_line_broken else b"") + b"".join(lines)
        num_written = 0
        try:
            while num_written < len(data):
                num_written += self._write_some(data[num_written:])
        except OSError:
            pass
        if num_written:
            self._is_line_broken = data[num_written - 1] != ord("\n")
        return data.count(b"\n", num_written)

    def _write_some(self, data: bytes) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:  # some other program has set the terminal or pipe so
            select.select([], [self._descriptor], [])
            return 0
