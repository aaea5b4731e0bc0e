"""The interface of a bot in a game, and its failures.

A bot is started for one game and closed after it. A `BotFault` is the bot's own failure and loses
the game; after an `InfrastructureError` the game is played again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kingmaker.search.position import Observation

from .model import Cause

# With less time than its margin a bot searches for the shortest possible time.
MARGIN_PART = 0.05
MIN_SEARCH_MS = 0.1


class BotFault(Exception):
    """A bot has lost its game by a failure, not by the rules.

    Attributes:
        cause: `CRASHED`, `TIMED_OUT` or `ILLEGAL`.
    """

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause = cause
        self.detail = detail


@dataclass(frozen=True, slots=True)
class TimedMove:
    """A move with its thinking time, measured by the bot's server instead of the caller.

    Attributes:
        token: the move.
        thinking_ms: thinking time of the bot, without the wait for its turn.
    """

    token: str
    thinking_ms: float


class SeatedBot(Protocol):
    """A bot in one game."""

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> str | TimedMove:
        """Choose a move.

        Args:
            observation: of its seat, whose decision it is.
            left_ms: time limit; None: no limit.
            think_ms: advised thinking time, see `pacing`; None: the clock is not of the game. A
                program manages its time itself.
            seed: for its random choices.

        Returns:
            The token of the move; without `TimedMove` the whole call counts as thinking time.

        Raises:
            BotFault: it failed; every other exception except the next one counts as a crash.
            InfrastructureError: the bot could not be asked.
        """

    def close(self) -> None:
        """Release the bot after the game."""


def search_ms(left_ms: float | None, think_ms: float | None, margin_ms: float) -> float | None:
    """Return the time limit of a search, given the time on the clock, the advice and a margin."""
    if left_ms is None:
        return None
    most_ms = left_ms - margin_ms - left_ms * MARGIN_PART
    return max(min(most_ms, most_ms if think_ms is None else think_ms), MIN_SEARCH_MS)
