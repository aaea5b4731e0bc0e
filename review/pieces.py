"""A review in steps, as a search, so that it can be paused, watched and cancelled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from .model import Review
from .review import Reviewer, Work


@dataclass(frozen=True, slots=True)
class ReviewState:
    """How far a review is.

    Attributes:
        done: pieces of work done.
        known: pieces of work known so far; a second pass may add some.
        review: None before the end.
    """

    done: int
    known: int
    review: Review | None


class Pieces:
    """A review as a search that can be paused: between two pieces of its work.

    Args:
        reviewer: that does it.

    Attributes:
        is_finished: whether all is done.
    """

    def __init__(self, reviewer: Reviewer) -> None:
        self.is_finished = False
        self._reviewer = reviewer
        self._done = self._known = 0
        self._is_cancelled = False
        self._works = self._all_works()

    def step(self, milliseconds: float) -> None:
        """Do pieces for this time, and at least one."""
        end = time.monotonic() + milliseconds / 1000
        for work in self._works:
            work()
            self._done += 1
            if self._is_cancelled or time.monotonic() >= end:
                return
        self.is_finished = True

    def snapshot(self) -> ReviewState:
        """Return the progress; once it is finished with the review."""
        review = self._reviewer.review if self.is_finished else None
        return ReviewState(self._done, self._known, review)

    def cancel(self) -> None:
        """End `step` after its piece."""
        self._is_cancelled = True

    def _all_works(self) -> Iterator[Work]:
        for works in self._reviewer.rounds():
            self._known += len(works)
            yield from works
