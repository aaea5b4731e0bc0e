"""SIGTERM and SIGINT: the way to the drain, and an end in time if there is none."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Self

import structlog

NUMBERS = (signal.SIGTERM, signal.SIGINT)
LAST_LINE_SECONDS = 0.2  # for the log

log = structlog.get_logger()


class Signals:
    """Passes signals on for the duration of a `with` block in the main thread.

    A thread waits for them, so that it hears of them while the main thread hangs, for example in
    the rules of another package's game. If the block has not ended in time, it ends the process.

    Args:
        on_signal: called at the first signal, on that thread.
        seconds: from the first signal to the end of the block.
    """

    def __init__(self, on_signal: Callable[[], None], seconds: float) -> None:
        self._on_signal = on_signal
        self._seconds = seconds
        self._has_ended = Event()
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._write_end, False)
        self._thread = Thread(target=self._wait, name="signals", daemon=True)

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        self._old_handlers = [signal.signal(number, _do_nothing) for number in NUMBERS]
        self._old_end = self.listen()
        return self

    def listen(self) -> int:
        """Have signals written to the thread, not to an event loop that has asked for them since.

        Returns:
            Where they were written to; -1: nowhere.
        """
        # Written to at once, whatever the main thread does.
        return signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)

    def __exit__(self, *_: object) -> None:
        """Stop listening."""
        signal.set_wakeup_fd(self._old_end)
        for number, handler in zip(NUMBERS, self._old_handlers, strict=True):
            signal.signal(number, handler)
        self._has_ended.set()
        os.close(self._write_end)
        self._thread.join()
        os.close(self._read_end)

    def _wait(self) -> None:
        while found := os.read(self._read_end, 1):
            if found[0] in NUMBERS:
                break
        else:
            return
        self._on_signal()
        if not self._has_ended.wait(self._seconds):
            log.error("killed, as it did not end in time", seconds=self._seconds)
            time.sleep(LAST_LINE_SECONDS)
            os._exit(1)


def _do_nothing(*_: object) -> None:
    """Be a handler: without one the signal would end the process."""
