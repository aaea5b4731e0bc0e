"""What happened in a game, move by move, in words: with everything open, or as one seat sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kingmaker.cext.change import Change

from .position import Observation, Position


@dataclass(frozen=True, slots=True)
class Event:
    """A decision or an outcome of chance.

    Attributes:
        move: its token.
        is_chance: whether it is an outcome of chance.
        seat: the seat that decided, 1..n, or whose card or roll the outcome is; 0: an outcome that
            concerns no seat more than others.
        description: the move in words that complete "p1 can ...".
        changes: its effects and what it revealed, a clause each, the largest gain or loss of the
            viewer first.
    """

    move: str
    is_chance: bool
    seat: int
    description: str
    changes: tuple[str, ...]


def open_event(position: Position, token: str) -> Event:
    """Tell of a move or outcome at a position with all that is hidden, and without its effects."""
    return _event(position, position.game.parse_move(token), ())


def seen_event(before: Position, token: str, after: Position, viewer: int) -> Event:
    """Tell of a move or outcome what a seat (0: a spectator) sees of it.

    Two events that the seat can't tell apart are equal: all comes from its observations before and
    after, and from the move as it sees it.
    """
    game = before.game
    seen = game.seen(before.state, game.parse_move(token), viewer - 1)
    observation = before.observe(viewer)
    if before.is_chance and not game.tells_effects(before.state):
        return _event(observation, seen, ())
    return _event(observation, seen, observation.changes(after.observe(viewer)))


def _event(before: Position | Observation, move: int, changes: Iterable[Change]) -> Event:
    game, is_chance = before.game, before.is_chance
    return Event(
        move=game.move_text(move),
        is_chance=is_chance,
        seat=game.chance_seat(before.state) + 1 if is_chance else before.seat,
        description=game.describe_move(before.state, move),
        changes=tuple(change.text for change in changes),
    )
