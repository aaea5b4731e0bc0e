"""Run a search at the terminal: shown while it runs, stopped by Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from rich.console import RenderableType
from rich.live import Live

from .output import err

STEP_MS = 100.0

Found = TypeVar("Found")
FoundOut = TypeVar("FoundOut", covariant=True)


class Resumable(Protocol[FoundOut]):
    """A `Search` or a `Solver`."""

    @property
    def is_finished(self) -> bool:
        """Whether the search has ended."""

    def advance(self, milliseconds: float) -> FoundOut:
        """Run for this time and return the state of the search."""

    def cancel(self) -> None:
        """End the search."""


def watch(search: Resumable[Found], show: Callable[[Found], RenderableType]) -> Found:
    """Run a search to its end; on a terminal `show` draws each intermediate result on stderr."""
    console = err()
    with _cancelled_by_interrupt(search):
        found = search.advance(STEP_MS)  # in steps, so that Python handles an interrupt in between
        if not console.is_terminal:
            while not search.is_finished:
                found = search.advance(STEP_MS)
            return found
        with Live(console=console, refresh_per_second=10, transient=True) as live:
            while not search.is_finished:
                live.update(show(found))
                found = search.advance(STEP_MS)
        return found


@contextmanager
def _cancelled_by_interrupt(search: Resumable[Any]) -> Iterator[None]:
    def cancel(_number: int, _frame: Any) -> None:
        search.cancel()

    before = signal.signal(signal.SIGINT, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
