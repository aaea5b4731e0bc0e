"""A match as the sum of its events: who sits where, the game, the clocks, offers, the end.

Nothing here reads a clock or a database: `MatchState.apply` folds one event in, and what may happen
next is decided in `acts.py`.

Servers of several versions may have one database, while they are restarted one after the other. An
event that a server does not know, because of its kind or data, is of a newer version. If its data
have `"is_note": true`, it changes nothing of the match, and is passed over. Otherwise the server
can't tell what may be played now, and leaves the match to newer ones. So nothing that is stored may
change its meaning: what would is an event of a new kind, or has a new key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from inspect import signature
from typing import Any

from kingmaker.ladder.errors import NewerVersionError
from kingmaker.ladder.match_store import StoredEvent
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.record import observe_with_record


class Kind(StrEnum):
    """Kinds of events, with their data."""

    CREATED = "created"
    SEATED = "seated"
    """`seat`, `name`, `bot` (empty: a person) and `token`, the digest of the seat's secret."""
    LEFT = "left"
    """`seat`."""
    STARTED = "started"
    PLAYED = "played"
    """`seat` (0: chance) and `move`, its token."""
    HINTED = "hinted"
    """`seat`."""
    OFFERED = "offered"
    """`seat` and `offer`."""
    ANSWERED = "answered"
    """`seat` and `agrees`."""
    TAKEN_BACK = "taken_back"
    """`seat` and `back_to`, the number of the event after which play goes on."""
    ENDED = "ended"
    """`end`, `returns` and `culprit`."""


HINT = "hint"
NOTE = "is_note"
"""Key of the data of an event: whether servers that do not know its kind may pass it over."""


class Phase(StrEnum):
    """Where a match stands."""

    OPEN = "open"
    PLAYING = "playing"
    ENDED = "ended"


class OfferKind(StrEnum):
    """What a seat can offer."""

    DRAW = "draw"
    TAKE_BACK = "take_back"


class End(StrEnum):
    """Why a match ended."""

    FINISHED = "finished"
    DRAWN = "drawn"
    RESIGNED = "resigned"
    TIMED_OUT = "timed_out"
    ABANDONED = "abandoned"
    CANCELLED = "cancelled"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Options:
    """What a match is played with.

    Attributes:
        game: its name.
        game_options: of the game.
        title: for lists.
        clock: seconds of each seat for the match; None: no clock.
        increment: seconds that a seat gets back after a move.
        has_hints: whether seats may ask for hints.
        has_take_backs: whether moves can be taken back.
        is_private: whether it is left out of lists.
    """

    game: str
    game_options: Mapping[str, str]
    title: str = ""
    clock: float | None = None
    increment: float = 0.0
    has_hints: bool = False
    has_take_backs: bool = False
    is_private: bool = False


@dataclass(slots=True)
class Seat:
    """A seat.

    Attributes:
        name: of the player; empty: the seat is open.
        bot: its settings; empty: a person, or open.
        token: digest of the secret of the person who took it, also while a bot plays on.
        left: seconds on the clock when its last decision ended.
    """

    name: str = ""
    bot: str = ""
    token: str = ""
    left: float = 0.0

    @property
    def is_open(self) -> bool:
        """Whether nobody has it."""
        return not self.name

    @property
    def is_person(self) -> bool:
        """Whether a person plays."""
        return bool(self.name) and not self.bot


@dataclass(frozen=True, slots=True)
class Ply:
    """A move or outcome that has not been taken back.

    Attributes:
        number: of its event.
        seat: 1..n, or 0: chance.
        token: of the move.
    """

    number: int
    seat: int
    token: str


@dataclass(slots=True)
class Offer:
    """An offer that waits for answers.

    Attributes:
        kind: what is offered.
        seat: that offers.
        waiting: seats of people who have not answered.
    """

    kind: OfferKind
    seat: int
    waiting: set[int]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a match.

    Attributes:
        end: why.
        returns: win share of each seat.
        culprit: the seat that resigned, ran out of time or cancelled the match, or 0.
    """

    end: End
    returns: tuple[float, ...]
    culprit: int


def digest_of(secret: str) -> str:
    """Return what is stored of the secret of a seat: it can't be guessed, so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def commitment(match_id: str, seed: int, nonce: str) -> str:
    """Return what is published of the seed at the beginning."""
    return hashlib.sha256(f"{match_id}\n{seed}\n{nonce}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A decision of a bot.

    Attributes:
        event: number of the event with which it began.
        seat: of the bot.
        bot: its settings.
    """

    event: int
    seat: int
    bot: str


@dataclass(slots=True)
class MatchState:
    """A match after some events; made by `begin`.

    Attributes:
        options: what it is played with.
        start: the position before the first outcome.
        position: the current one.
        seats: seat 1 first.
        num_events: events so far.
        phase: where it stands.
        plies: moves and outcomes that have not been taken back.
        turn_began: when the running decision began, seconds since 1970.
        turn_event: number of the event with which it began.
        offer: that waits for answers.
        asked: seats that asked for something since then, with what: a hint or a kind of offer.
        result: of the match, once it has ended.
    """

    options: Options
    start: Position
    position: Position
    seats: list[Seat]
    num_events: int = 0
    phase: Phase = Phase.OPEN
    plies: list[Ply] = field(default_factory=list)
    turn_began: float = 0.0
    turn_event: int = 0
    offer: Offer | None = None
    asked: set[tuple[int, str]] = field(default_factory=set)
    result: Result | None = None

    @classmethod
    def begin(cls, options: Options) -> MatchState:
        """Return a match without events.

        Raises:
            InputError: there is no such game, or an option is wrong.
        """
        start = new_game(options.game, options.game_options)
        seats = [Seat(left=options.clock or 0.0) for _ in range(start.num_seats)]
        return cls(options, start, start, seats)

    @property
    def is_playing(self) -> bool:
        """Whether it is being played."""
        return self.phase is Phase.PLAYING

    @property
    def to_move(self) -> int:
        """The seat to decide, 1..n; 0: none."""
        return self.position.seat if self.is_playing else 0

    def observe(self, seat: int) -> Observation:
        """Return what a seat sees, with a record if searches of the game use one."""
        tokens = [ply.token for ply in self.plies]
        return observe_with_record(self.start, tokens, self.position, seat)

    @property
    def bot_turn(self) -> BotTurn | None:
        """The turn of the bot that is to move; None: no bot is."""
        seat = self.to_move
        bot = self.seats[seat - 1].bot if seat else ""
        return BotTurn(self.turn_event, seat, bot) if bot else None

    @property
    def deadline(self) -> float | None:
        """When the seat to move runs out of time, in seconds since 1970; None: never."""
        if self.options.clock is None or not self.to_move:
            return None
        return self.turn_began + self.seats[self.to_move - 1].left

    def left(self, seat: int, now: float) -> float:
        """Return the seconds on the clock of a seat."""
        left = self.seats[seat - 1].left
        if seat == self.to_move:
            left -= max(now - self.turn_began, 0.0)
        return max(left, 0.0)

    def holder(self, seat: int) -> str:
        """Return the digest of the secret with which a seat is held; "" for 0."""
        return self.seats[seat - 1].token if seat else ""

    def people(self, *, but: int = 0) -> set[int]:
        """Return the seats of people, without one."""
        return {i for i, seat in enumerate(self.seats, 1) if seat.is_person and i != but}

    def apply(self, event: StoredEvent) -> None:
        """Fold the next event in.

        Raises:
            NewerVersionError: this version doesn't know what it means; nothing has changed.
        """
        if is_known(event):
            getattr(self, f"_{event.kind}")(event, **event.data)
        elif event.data.get(NOTE) is not True:
            raise _newer(f"an event of the kind {event.kind!r}")
        self.num_events = event.number

    def copy(self) -> MatchState:
        """Return an equal state that `apply` changes apart."""
        offer = self.offer and replace(self.offer, waiting=set(self.offer.waiting))
        seats = [replace(seat) for seat in self.seats]
        return replace(
            self, seats=seats, plies=list(self.plies), offer=offer, asked=set(self.asked)
        )

    def _created(self, event: StoredEvent) -> None:
        pass

    def _seated(self, event: StoredEvent, seat: int, name: str, bot: str, token: str) -> None:
        taken = self.seats[seat - 1]
        taken.name, taken.bot, taken.token = name, bot, token
        if self.offer is not None:
            self.offer.waiting.discard(seat)
            if not self.offer.waiting:  # of the last one who could answer: declined
                self.offer = None

    def _left(self, event: StoredEvent, seat: int) -> None:
        self.seats[seat - 1] = Seat(left=self.options.clock or 0.0)

    def _started(self, event: StoredEvent) -> None:
        self.phase = Phase.PLAYING
        self._begin_turn(event)

    def _played(self, event: StoredEvent, seat: int, move: str) -> None:
        if seat and self.options.clock is not None:
            self.seats[seat - 1].left = self.left(seat, event.at) + self.options.increment
        game = self.position.game
        self.position = Position(game, game.after(self.position.state, game.parse_move(move)))
        self.plies.append(Ply(event.number, seat, move))
        self._begin_turn(event)

    def _hinted(self, event: StoredEvent, seat: int) -> None:
        self.asked.add((seat, HINT))

    def _offered(self, event: StoredEvent, seat: int, offer: str) -> None:
        self.asked.add((seat, offer))
        self.offer = Offer(OfferKind(offer), seat, self.people(but=seat))

    def _answered(self, event: StoredEvent, seat: int, agrees: bool) -> None:
        if self.offer is None:
            return
        self.offer.waiting.discard(seat)
        if not agrees:
            self.offer = None

    def _taken_back(self, event: StoredEvent, seat: int, back_to: int) -> None:
        self._stop_clock(event)
        while self.plies and self.plies[-1].number > back_to:
            self.plies.pop()
        self.position = self.start.apply(*(ply.token for ply in self.plies))
        self._begin_turn(event)

    def _ended(self, event: StoredEvent, end: str, returns: list[float], culprit: int) -> None:
        self._stop_clock(event)
        self.phase = Phase.ENDED
        self.offer = None
        self.result = Result(End(end), tuple(returns), culprit)

    def _stop_clock(self, event: StoredEvent) -> None:
        if self.options.clock is not None and self.to_move:
            self.seats[self.to_move - 1].left = self.left(self.to_move, event.at)

    def _begin_turn(self, event: StoredEvent) -> None:
        self.turn_began, self.turn_event = event.at, event.number
        self.offer = None
        self.asked = set()


_KEYS = {
    kind.value: frozenset(list(signature(getattr(MatchState, f"_{kind}")).parameters)[2:])
    for kind in Kind
}
"""Kind -> the data that its events have."""
_WORDS: dict[str, frozenset[str]] = {"offer": frozenset(OfferKind), "end": frozenset(End)}


def is_known(event: StoredEvent) -> bool:
    """Whether this version knows the kind of an event, and all that its data say."""
    known = _KEYS.get(event.kind)
    return known is not None and all(
        key in known and (key not in _WORDS or value in _WORDS[key])
        for key, value in event.data.items()
    )


def _newer(what: str) -> NewerVersionError:
    return NewerVersionError(
        f"the match has {what}, which only a newer version of the server knows; retry at another"
    )


def options_data(options: Options) -> dict[str, Any]:
    """Return options as JSON data."""
    names = [name for name in Options.__slots__ if name != "game"]
    data = {name: getattr(options, name) for name in names}
    return {**data, "game_options": dict(options.game_options)}


def read_options(game: str, data: Mapping[str, Any]) -> Options:
    """Return options from JSON data.

    Raises:
        NewerVersionError: one is of a newer version.
    """
    if unknown := sorted(data.keys() - set(Options.__slots__)):
        raise _newer(f"the option {unknown[0]!r}")
    return Options(game, **data)


def read_known_options(game: str, data: Mapping[str, Any]) -> Options:
    """Return those options that this version knows, for a list."""
    return Options(game, **{name: data[name] for name in Options.__slots__ if name in data})
