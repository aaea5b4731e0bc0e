"""Searches in slices, so that one can give its slot back before its end.

A search runs on a thread of the server or in a worker process; both advance it here.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from kingmaker.cext.errors import InputError

SLICE_MS = 20.0  # longest time until a running search notices a pause or a question

Answer = TypeVar("Answer")
AnswerOut = TypeVar("AnswerOut", covariant=True)


class Effort(NamedTuple):
    """What a search has spent.

    Attributes:
        engine: its name, or the method of a solver.
        simulations: of the search.
        nodes: of its trees, or positions visited.
        depth: in plies.
        seconds: from its first step on, pauses included.
    """

    engine: str
    simulations: int
    nodes: int
    depth: int
    seconds: float


class Timed(Protocol):
    """The part of a budget that matters here."""

    @property
    def milliseconds(self) -> float | None:
        """Wall-clock time that may be spent; None: no limit."""


class Resumable(Protocol):
    """A `Search` or a `Solver`."""

    @property
    def is_finished(self) -> bool:
        """Whether the last step has ended it."""

    def step(self, milliseconds: float) -> None:
        """Continue for this time, on one thread at a time."""

    def snapshot(self) -> Any:
        """Build the result after the last step."""

    def cancel(self) -> None:
        """End `step` within a millisecond; callable from any thread."""


class Job(Protocol[AnswerOut]):
    """What a call asks of a search; it travels to worker processes, so it must be picklable."""

    @property
    def budget(self) -> Timed:
        """Limits of the search; the time counts from its first step, pauses included."""

    @property
    def game_name(self) -> str:
        """Name of the game."""

    @property
    def kind(self) -> str | None:
        """What jobs that take about as long have in common; None: it is not short (pace.py)."""

    def begin(self) -> Resumable:
        """Create the search."""

    def answer(self, search: Any, found: Any) -> AnswerOut:
        """Build the answer of the call from the search and its snapshot."""

    def effort(self, found: Any) -> Effort | None:
        """Return what the search of a snapshot has spent; None: that is not known."""


class Slices(Generic[Answer]):
    """The search of a job.

    Args:
        job: what to search.
        tell: called with the answers that are asked for while it runs, on its thread.
    """

    def __init__(self, job: Job[Answer], tell: Callable[[Answer], None]) -> None:
        self._job = job
        self._tell = tell
        self._search: Resumable | None = None
        self._is_paused = False
        self._is_asked = False
        self._is_ending = False
        self._is_wanted = True

    def run(self) -> tuple[Answer, Effort | None] | None:
        """Search until the end, or until a pause (None); returns the answer and what it has cost.

        Raises:
            InterruptedError: nobody wants the answer any more.
        """
        if self._search is None:
            self._search = self._job.begin()
            if self._is_ending:  # by another thread, before it could see the search
                self._search.cancel()
        search = self._search
        while True:
            if self._is_wanted:
                search.step(SLICE_MS)
            if not self._is_wanted:
                raise InterruptedError("the caller went away")
            if search.is_finished:
                found = search.snapshot()
                return self._job.answer(search, found), self._job.effort(found)
            if self._is_asked:
                self._is_asked = False
                self._tell(self._job.answer(search, search.snapshot()))
            if self._is_paused:
                self._is_paused = False
                return None

    def pause(self) -> None:
        """End `run` after the current slice; from any thread, as all below."""
        self._is_paused = True

    def unpause(self) -> None:
        """Forget a pause that came too late; before the next `run`."""
        self._is_paused = False

    def ask(self) -> None:
        """Tell the answer so far after the current slice."""
        self._is_asked = True

    def finish(self) -> None:
        """End the search; its answer is the one so far."""
        self._is_ending = True
        if self._search is not None:
            self._search.cancel()

    def drop(self) -> None:
        """End the search without an answer."""
        self._is_wanted = False
        self.finish()


class Command(Enum):
    """What is asked of a `Runner`."""

    BEGIN = "begin"
    RESUME = "resume"
    PAUSE = "pause"
    ASK = "ask"
    FINISH = "finish"
    DROP = "drop"


class Event(Enum):
    """What a `Runner` says: to an ASK TOLD; at the end of a run PAUSED, or DONE or FAILED.

    After the last two comes FREED, when the memory of the search has been returned.
    """

    TOLD = "told"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    FREED = "freed"


Message: TypeAlias = tuple[Event, Any, float]
"""An event; its answer, error or None; and the processor seconds of the run that has ended."""


class Runner:
    """Carries out commands about one job after the other.

    Args:
        put: runs work on the thread for searches.
        post: takes messages, on that thread.
    """

    def __init__(
        self, put: Callable[[Callable[[], None]], None], post: Callable[[Message], None]
    ) -> None:
        self._put = put
        self._post = post
        self._slices: Slices[Any] | None = None

    def do(self, command: Command, job: Job[Any] | None = None) -> None:
        """Carry a command out; one that comes after the end of the job has no effect."""
        if command is Command.BEGIN:
            assert job is not None
            self._slices = Slices(job, self._tell)
            self._put(self._run)
            return
        slices = self._slices
        if slices is None:
            return
        if command is Command.RESUME:
            slices.unpause()
            self._put(self._run)
        elif command is Command.PAUSE:
            slices.pause()
        elif command is Command.ASK:
            slices.ask()
        elif command is Command.FINISH:
            slices.finish()
        else:
            slices.drop()

    def _run(self) -> None:
        slices = self._slices
        assert slices is not None
        start = time.thread_time()
        event: Event = Event.PAUSED
        value: Any = None
        try:
            value = slices.run()
            if value is not None:
                event = Event.DONE
        except Exception as error:
            event, value = Event.FAILED, _without_frames(error)
        self._post((event, value, time.thread_time() - start))
        if event is not Event.PAUSED:
            del slices, value  # and with them the tree, before anybody is told so
            self._slices = None
            self._post((Event.FREED, None, 0.0))

    def _tell(self, answer: Any) -> None:
        self._post((Event.TOLD, answer, 0.0))


def _without_frames(error: Exception) -> Exception:
    """Return an error with its traceback as text, as the frames would keep the tree alive."""
    if not isinstance(error, InputError | InterruptedError):
        error.add_note("".join(traceback.format_tb(error.__traceback__)))
    return error.with_traceback(None)
