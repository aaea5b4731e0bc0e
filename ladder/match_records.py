"""The tables of matches, in the database of ladders.

A *match* has what it is played with and who created it; everything that happens in it is a row of
*match_events*, keyed by match and number, so that an event is stored once even if several servers
try. The other columns of a match only speed up queries: they follow from its events.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from .records import Seed, Table


class MatchRow(Table):
    """A match; times are seconds since 1970."""

    __tablename__ = "matches"
    __table_args__ = (
        Index("ix_matches_changed", "changed", "id"),
        Index("ix_matches_phase_creator", "phase", "creator"),
        Index("ix_matches_needs_driver_driver", "needs_driver", "driver"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str]
    options: Mapped[dict[str, Any]]
    rules_version: Mapped[str]
    seed: Mapped[int] = mapped_column(Seed)
    nonce: Mapped[str]
    creator: Mapped[str]
    created: Mapped[float]
    changed: Mapped[float]
    phase: Mapped[str]
    is_private: Mapped[bool]
    num_events: Mapped[int]
    seats: Mapped[list[Any]]
    needs_driver: Mapped[bool]
    driver: Mapped[str]
    driver_until: Mapped[float]


class MatchEventRow(Table):
    """An event of a match; `at` is in seconds since 1970."""

    __tablename__ = "match_events"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    at: Mapped[float]
    data: Mapped[dict[str, Any]]
