"""The events of a call as messages: open ones, and what each viewer saw of them."""

from __future__ import annotations

from collections.abc import Sequence

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.events import Event, open_event, seen_event
from kingmaker.search.position import Position
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .convert import move_message, observation_message
from .errors import Problems


class EventLog:
    """What happened in one call, in order.

    Args:
        viewers: the seats whose views are wanted, checked by `check_viewers`.

    Attributes:
        events: with everything open.
    """

    def __init__(self, viewers: Sequence[int]) -> None:
        self.events: list[pb.Event] = []
        self._seen: dict[int, list[pb.Event]] = {viewer: [] for viewer in viewers}

    def apply(self, position: Position, token: str, *, is_drawn: bool = False) -> Position:
        """Apply a move or outcome and record it.

        Raises:
            StateError: it is not possible; nothing is recorded.
        """
        after = position.apply(token)
        game = position.game
        self.events.append(event_message(game, open_event(position, token), is_drawn))
        for viewer, seen in self._seen.items():
            event = seen_event(position, token, after, viewer)
            seen.append(event_message(game, event, is_drawn))
        return after

    def settle(self, position: Position, seed: int) -> Position:
        """Draw chance outcomes until a seat decides or the game is over, and record them."""
        _, drawn = settle_by_seed(position, seed)
        for token in drawn:
            position = self.apply(position, token, is_drawn=True)
        return position

    def views(self, position: Position) -> list[pb.SeatView]:
        """Return what each viewer saw, with its observation of the last position."""
        return [
            pb.SeatView(
                seat=viewer,
                events=seen,
                observation=observation_message(position.observe(viewer)),
            )
            for viewer, seen in self._seen.items()
        ]


def check_viewers(problems: Problems, viewers: Sequence[int], num_seats: int) -> None:
    """Record what is wrong with the viewers of a request."""
    if len(viewers) > num_seats + 1:
        with problems.at("viewers"):
            raise InputError(
                f"there are {len(viewers)} viewers; a {num_seats}-seat game has at most "
                f"{num_seats + 1}, its seats and a spectator",
                value=str(len(viewers)),
            )
        return
    for i, viewer in enumerate(viewers):
        with problems.at(f"viewers[{i}]"):
            if not 0 <= viewer <= num_seats:
                raise InputError(
                    f"viewer {viewer} of a {num_seats}-seat game; seats are 1 to {num_seats}, 0 is "
                    "a spectator",
                    value=str(viewer),
                )
            if viewer in viewers[:i]:
                raise InputError(
                    f"viewer {viewer} is there already; name each once", value=str(viewer)
                )


def event_message(game: Game, event: Event, is_drawn: bool) -> pb.Event:
    """Write an event."""
    return pb.Event(
        move=move_message(game, event.move),
        kind=types_pb2.NODE_KIND_CHANCE if event.is_chance else types_pb2.NODE_KIND_DECISION,
        seat=event.seat,
        is_drawn=is_drawn,
        description=event.description,
        changes=event.changes,
    )
