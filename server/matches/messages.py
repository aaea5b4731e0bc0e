"""Matches as messages: states, and events as each seat sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from kingmaker.ladder.match_store import Listed, StoredEvent, StoredMatch
from kingmaker.search.events import open_event, seen_event
from kingmaker.search.position import Position
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import match_service_pb2 as pb

from ..convert import duration_message, move_message, node_message, observation_message
from ..events import event_message
from .model import Kind, MatchState, Options, Phase, commitment, is_known, read_known_options

OPEN = -1
"""The viewer of a record: sees everything."""


class Teller:
    """Tells one viewer of the events of a match, as they come.

    Args:
        start: the position before the first outcome.
        viewer: 1..n, 0 for a spectator, or OPEN.

    Attributes:
        events: told so far; number n is at index n - 1.
    """

    def __init__(self, start: Position, viewer: int) -> None:
        self.events: list[pb.MatchEvent] = []
        self._viewer = viewer
        self._positions: list[tuple[int, Position]] = [(0, start)]

    def tell(self, event: StoredEvent) -> None:
        """Add the next event."""
        data = event.data
        message = pb.MatchEvent(number=event.number, at=timestamp_message(event.at))
        self.events.append(message)
        if not is_known(event):  # a note of a newer version
            return
        message.kind = _enum(pb.MatchEventKind, event.kind)
        message.seat = data.get("seat", 0)
        if event.kind == Kind.SEATED:
            message.name, message.bot = data["name"], data["bot"]
        elif event.kind == Kind.PLAYED:
            message.play.CopyFrom(self._played(event))
            message.seat = message.play.seat
        elif event.kind == Kind.OFFERED:
            message.offer = _enum(pb.MatchOfferKind, data["offer"])
        elif event.kind == Kind.ANSWERED:
            message.agrees = data["agrees"]
        elif event.kind == Kind.TAKEN_BACK:
            message.back_to = data["back_to"]
            while self._positions[-1][0] > data["back_to"]:
                self._positions.pop()
        elif event.kind == Kind.ENDED:
            message.seat = data["culprit"]

    def _played(self, event: StoredEvent) -> games_pb.Event:
        _, before = self._positions[-1]
        token = event.data["move"]
        after = Position(
            before.game, before.game.after(before.state, before.game.parse_move(token))
        )
        self._positions.append((event.number, after))
        if self._viewer == OPEN:
            happened = open_event(before, token)
        else:
            happened = seen_event(before, token, after, self._viewer)
        return event_message(before.game, happened, is_drawn=before.is_chance)


def view_message(
    match: StoredMatch,
    state: MatchState,
    viewer: int,
    events: Sequence[pb.MatchEvent],
    now: float,
) -> pb.MatchView:
    """Write what a viewer sees of a match, with some of its events."""
    message = pb.MatchView(events=events, status=status_message(match, state, now), viewer=viewer)
    if state.phase is not Phase.OPEN:
        observation = state.observe(viewer) if viewer else state.position.observe(viewer)
        message.observation.CopyFrom(observation_message(observation))
        message.board = observation.render()
        if viewer and state.to_move == viewer and state.seats[viewer - 1].is_person:
            game = observation.game
            message.moves.extend(
                games_pb.LegalMove(
                    move=move_message(game, token), description=observation.describe(token)
                )
                for token in observation.legal_moves()
            )
    return message


def status_message(match: StoredMatch, state: MatchState, now: float) -> pb.MatchStatus:
    """Write the state of a match; nothing in it is hidden from anybody."""
    message = pb.MatchStatus(
        match_id=match.id,
        options=options_message(state.options),
        phase=_enum(pb.MatchPhase, state.phase),
        num_events=state.num_events,
        seats=[
            pb.MatchSeat(
                name=seat.name,
                bot=seat.bot,
                clock=None
                if state.options.clock is None
                else duration_message(state.left(number, now)),
            )
            for number, seat in enumerate(state.seats, 1)
        ],
        commitment=commitment(match.id, match.seed, match.nonce),
    )
    if state.phase is not Phase.OPEN:
        message.node.CopyFrom(node_message(state.position))
    if state.offer is not None:
        message.offer.kind = _enum(pb.MatchOfferKind, state.offer.kind)
        message.offer.seat = state.offer.seat
        message.offer.waiting_for.extend(sorted(state.offer.waiting))
    if state.result is not None:
        message.result.CopyFrom(
            pb.MatchResult(
                end=_enum(pb.MatchEnd, state.result.end),
                returns=state.result.returns,
                culprit=state.result.culprit,
                seed=match.seed,
                nonce=match.nonce,
            )
        )
    return message


def summary_message(listed: Listed) -> pb.MatchSummary:
    """Write a match for a list."""
    match = listed.match
    return pb.MatchSummary(
        match_id=match.id,
        options=options_message(read_known_options(match.game, match.options)),
        phase=_enum(pb.MatchPhase, listed.digest.phase)
        if listed.digest.phase in list(Phase)
        else pb.MATCH_PHASE_UNSPECIFIED,
        seats=[pb.MatchSeat(name=name, bot=bot) for name, bot in listed.digest.seats],
        num_events=listed.num_events,
        created_at=timestamp_message(match.created),
        changed_at=timestamp_message(listed.changed),
    )


def options_message(options: Options) -> pb.MatchOptions:
    """Write what a match is played with."""
    return pb.MatchOptions(
        game=options.game,
        game_options=dict(options.game_options),
        title=options.title,
        clock=None if options.clock is None else duration_message(options.clock),
        clock_increment=duration_message(options.increment) if options.increment else None,
        has_hints=options.has_hints,
        has_take_backs=options.has_take_backs,
        is_private=options.is_private,
    )


def tell_all(start: Position, viewer: int, events: Iterable[StoredEvent]) -> Teller:
    """Return a teller of all these events."""
    teller = Teller(start, viewer)
    for event in events:
        teller.tell(event)
    return teller


def timestamp_message(seconds: float) -> Timestamp:
    """Write a time of day, to a millisecond."""
    message = Timestamp()
    message.FromMilliseconds(round(seconds * 1000))
    return message


def _enum(kind: Any, name: str) -> Any:
    """Return the value of an enum for one of our names."""
    prefix = kind.keys()[0].removesuffix("UNSPECIFIED")
    return kind.Value(f"{prefix}{name.upper()}")
