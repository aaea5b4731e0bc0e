"""Pauses of the process: Ctrl-Z, a stopped container, a machine that swaps.

While the process stands still its bots can't think, but their clocks run. A thread notes the time
at short intervals; a gap between two notes is a pause of all threads. Searches release the GIL, so
they leave no gaps.
"""

from __future__ import annotations

from collections import deque
from threading import Lock, Thread
from time import monotonic, sleep

BEAT_SECONDS = 0.05
LEAST_SECONDS = 0.25  # of a gap that counts; a busy machine leaves shorter ones
NUM_KEPT = 100  # latest pauses


class Heartbeat:
    """The pauses of this process since `start`."""

    def __init__(self) -> None:
        self._pauses: deque[tuple[float, float]] = deque(maxlen=NUM_KEPT)  # begin and end
        self._beat = 0.0
        self._thread: Thread | None = None
        self._lock = Lock()

    def start(self) -> None:
        """Begin to listen, if that has not been done."""
        with self._lock:
            if self._thread is None:
                self._beat = monotonic()
                self._thread = Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def paused_seconds(self, begin: float) -> float:
        """Add up the pauses since a time of the monotonic clock; 0 before `start`."""
        with self._lock:
            if self._thread is None:
                return 0.0
            now = monotonic()
            # The caller may run again before the thread does.
            gaps = [*self._pauses, (self._beat, now)]
        parts = (end - max(start, begin) for start, end in gaps if end - start >= LEAST_SECONDS)
        return sum(part for part in parts if part > 0)

    def _run(self) -> None:
        while True:
            sleep(BEAT_SECONDS)
            with self._lock:
                now = monotonic()
                if now - self._beat >= LEAST_SECONDS:
                    self._pauses.append((self._beat, now))
                self._beat = now


HEARTBEAT = Heartbeat()
"""That of this process."""
