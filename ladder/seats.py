"""What a bot at the table is, and how it can fail.

A bot is started for one game and closed after it. What it does wrong is a `BotFault` and loses the
game; what is not its fault is an `InfrastructureError`, and the game is played again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from kingmaker.search.position import Observation

from .model import Cause, RunReport

# Whoever is shorter of time than its margin searches for as long as it takes to look.
MARGIN_PART = 0.05
MIN_SEARCH_MS = 0.1


class BotFault(Exception):
    """A bot has lost its game other than by the rules.

    Attributes:
        cause: `CRASHED`, `TIMED_OUT` or `ILLEGAL`.
    """

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause = cause
        self.detail = detail


class InfrastructureError(Exception):
    """A game could not be played, through no fault of a bot.

    Attributes:
        kind: as in `RunReport`.
        detail: what happened, in a sentence.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail

    def report(self, task_id: str) -> RunReport:
        """Return the run report of a game that ended so."""
        return RunReport(task_id, self.kind, self.detail, datetime.now(UTC).isoformat())


@dataclass(frozen=True, slots=True)
class TimedMove:
    """A move of a bot whose thinking was measured nearer to it than by whoever asked.

    Attributes:
        token: the move.
        thinking_ms: how long the bot thought; that it had to be waited for first does not count.
    """

    token: str
    thinking_ms: float


class SeatedBot(Protocol):
    """A bot in one game."""

    def select(self, observation: Observation, left_ms: float | None, seed: int) -> str | TimedMove:
        """Choose a move.

        Args:
            observation: what its seat sees, who is to decide.
            left_ms: how long it may think; None: no limit.
            seed: decides its random choices.

        Returns:
            The token of the move; if nothing is said of the time, all of the call was thinking.

        Raises:
            BotFault: it failed; any other exception but the next counts as a crash, too.
            InfrastructureError: it could not be asked.
        """

    def close(self) -> None:
        """Let it go; the game is over."""


def search_ms(left_ms: float | None, margin_ms: float) -> float | None:
    """Return how long a search may take with so much time on the clock, and that margin."""
    if left_ms is None:
        return None
    return max(left_ms - margin_ms - left_ms * MARGIN_PART, MIN_SEARCH_MS)
