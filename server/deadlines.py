"""Deadlines of calls, as their callers have set them."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .identity import Context

# gRPC sends the time until a deadline in two or three digits, rounded up, so that the server may
# see a hundredth more than the caller has (grpc, src/core/lib/transport/timeout_encoding.cc).
MOST_ROUNDED = 1.01


class Deadline:
    """The time at which a caller stops waiting, or a little before it.

    Args:
        context: of a call that begins.
    """

    __slots__ = ("_due",)

    def __init__(self, context: Context) -> None:
        told: float | None = context.time_remaining()
        self._due = None if told is None else monotonic() + told / MOST_ROUNDED

    def remaining(self) -> float | None:
        """Return the seconds up to the deadline, negative after it; None: there is none."""
        return None if self._due is None else self._due - monotonic()

    def has_passed(self) -> bool:
        """Whether the caller waits no longer."""
        return self._due is not None and self._due <= monotonic()
