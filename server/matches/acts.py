"""What players may do in a match: each function turns an act into the events that it causes.

They raise StateError if the act is not possible now, and InputError if it never is. Events are
`(kind, data)`; their numbers and times come when they are stored.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.position import Position

from ..errors import WrongTokenError
from .model import HINT, End, Kind, MatchState, OfferKind, Phase, digest_of

Act = tuple[Kind, dict[str, Any]]

LEAVE_SECONDS = 60.0  # after which a player who is to move may be replaced
RESIGNED_BOT = "level:1,time=100ms"


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a match stands as somebody acts.

    Attributes:
        state: of the match.
        seed: of its outcomes.
        now: seconds since 1970.
    """

    state: MatchState
    seed: int
    now: float


def seat_of(state: MatchState, token: str) -> int:
    """Return the seat of a token, 1..n; 0 for an empty token.

    Raises:
        WrongTokenError: no seat has it.
    """
    if not token:
        return 0
    if seat := _held(state, token):
        return seat
    raise WrongTokenError("no seat of this match has this token", field="token")


def player(state: MatchState, token: str) -> int:
    """Return the seat of a person who plays.

    Raises:
        WrongTokenError: the token is of no seat, or a bot plays it now.
    """
    seat = seat_of(state, token)
    if not seat:
        raise WrongTokenError(
            "the token is missing; it is in the answer of JoinMatch", field="token"
        )
    if not state.seats[seat - 1].is_person:
        if state.phase is Phase.ENDED:
            raise StateError("the match has ended", field="match_id")
        raise StateError(
            f"a bot plays seat {seat} now; JoinMatch with the token takes it back", field="token"
        )
    return seat


def join(here: Moment, seat: int, name: str, secret: str) -> list[Act]:
    """Take an open seat, 1..n, or 0: the first; with a secret that has one, return to that."""
    state = here.state
    if held := _held(state, secret):
        if seat not in (0, held):
            raise InputError(
                f"seat is {seat}, but the key has taken seat {held}; leave seat out",
                field="seat",
                value=str(seat),
            )
        return return_to_seat(here, held, name)
    if state.phase is Phase.ENDED:
        raise StateError("the match has ended", field="match_id")
    seat = seat or next((i for i, each in enumerate(state.seats, 1) if each.is_open), 0)
    if not seat:
        raise StateError("all seats are taken", field="match_id")
    if not 1 <= seat <= len(state.seats):
        raise InputError(
            f"seat is {seat}; it must be 1 to {len(state.seats)}, or 0 for any",
            field="seat",
            value=str(seat),
        )
    if not state.seats[seat - 1].is_open:
        raise StateError(f"seat {seat} is taken", field="seat", value=str(seat))
    acts = [seated(seat, name, token=digest_of(secret))]
    num_open = sum(each.is_open for each in state.seats)
    return acts + (start(here) if num_open == 1 else [])


def return_to_seat(here: Moment, seat: int, name: str) -> list[Act]:
    """Take one's own seat back from a bot; nothing to do if one has it."""
    held = here.state.seats[seat - 1]
    if held.is_person or here.state.phase is Phase.ENDED:
        return []
    return [seated(seat, name, token=held.token)]


def leave(here: Moment, seat: int, *, is_creator: bool) -> list[Act]:
    """Give a seat up before the match begins; its creator cancels it if nobody else waits.

    The creator may have no seat, which is seat 0.
    """
    state = here.state
    if state.phase is not Phase.OPEN:
        why = "has begun; ResignMatch gives up" if state.is_playing else "has ended"
        raise StateError(f"the match {why}", field="match_id")
    if is_creator and not state.people(but=seat):
        return [_even(len(state.seats), End.CANCELLED, seat)]
    if not seat:
        raise StateError(
            "others wait for the match to begin; it can't be cancelled any more", field="match_id"
        )
    return [(Kind.LEFT, {"seat": seat})]


def seated(seat: int, name: str, *, bot: str = "", token: str = "") -> Act:
    """Seat somebody."""
    return Kind.SEATED, {"seat": seat, "name": name, "bot": bot, "token": token}


def start(here: Moment) -> list[Act]:
    """Begin to play, with the first outcomes of chance."""
    return [(Kind.STARTED, {}), *_settle(here.state.start, here.seed)]


def play(here: Moment, seat: int, token: str) -> list[Act]:
    """Play a move, then the outcomes of chance, then the end if it is one."""
    state = here.state
    check_playing(state)
    if state.to_move != seat:
        raise StateError(f"p{state.to_move} is to move, not p{seat}", field="move", value=token)
    if state.deadline is not None and here.now >= state.deadline:
        raise StateError(f"p{seat} has run out of time", field="move", value=token)
    after = state.position.apply(token)
    return [(Kind.PLAYED, {"seat": seat, "move": token}), *_settle(after, here.seed)]


def hint(here: Moment, seat: int) -> list[Act]:
    """Note that a seat asks for a hint; nothing to do if it is noted for this turn."""
    state = here.state
    check_playing(state)
    if not state.options.has_hints:
        raise _not_allowed("hints", "has_hints")
    if state.to_move != seat:
        raise StateError(
            f"p{state.to_move} is to move; a hint is for the seat that is to move", field="token"
        )
    return [] if (seat, HINT) in state.asked else [(Kind.HINTED, {"seat": seat})]


def take_back(here: Moment, seat: int) -> list[Act]:
    """Take the last move of a seat back, or ask the others."""
    state = here.state
    check_playing(state)
    if not state.options.has_take_backs:
        raise _not_allowed("take-backs", "has_take_backs")
    taken_back = _taken_back(state, seat)
    return [_offer(state, seat, OfferKind.TAKE_BACK)] if state.people(but=seat) else [taken_back]


def offer_draw(here: Moment, seat: int) -> list[Act]:
    """Offer a draw; bots decline."""
    state = here.state
    check_playing(state)
    acts = [_offer(state, seat, OfferKind.DRAW)]
    bot = next((i for i, each in enumerate(state.seats, 1) if each.bot), 0)
    return [*acts, (Kind.ANSWERED, {"seat": bot, "agrees": False})] if bot else acts


def answer(here: Moment, seat: int, *, agrees: bool) -> list[Act]:
    """Answer an offer; the last one who agrees makes it happen."""
    state = here.state
    offer = state.offer
    if offer is None or seat not in offer.waiting:
        raise StateError("there is no offer for you to answer", field="token")
    acts: list[Act] = [(Kind.ANSWERED, {"seat": seat, "agrees": agrees})]
    if not agrees or offer.waiting != {seat}:
        return acts
    if offer.kind is OfferKind.TAKE_BACK:
        return [*acts, _taken_back(state, offer.seat)]
    return [*acts, _even(len(state.seats), End.DRAWN)]


def resign(here: Moment, seat: int) -> list[Act]:
    """Give up: with two seats the match ends, with more a bot plays on."""
    state = here.state
    check_playing(state)
    if len(state.seats) == 2:
        return [_lost(state, End.RESIGNED, seat)]
    return replace(here, seat, seat, RESIGNED_BOT, RESIGNED_BOT)


def replace(here: Moment, by: int, seat: int, bot: str, name: str) -> list[Act]:
    """Let a bot play on for a seat."""
    state = here.state
    check_playing(state)
    if not 1 <= seat <= len(state.seats):
        raise InputError(
            f"seat is {seat}; it must be 1 to {len(state.seats)}", field="seat", value=str(seat)
        )
    held = state.seats[seat - 1]
    if not held.is_person:
        raise StateError(f"seat {seat} is of a bot", field="seat", value=str(seat))
    waited = here.now - state.turn_began if state.to_move == seat else 0.0
    if by != seat and waited < LEAVE_SECONDS:
        raise StateError(
            f"p{seat} may be replaced after {LEAVE_SECONDS:.0f} s of waiting for a move",
            field="seat",
            value=str(seat),
        )
    return [seated(seat, name, bot=bot, token=held.token)]


def run_out(here: Moment) -> list[Act]:
    """End the match if the seat to move has no time left; nothing to do otherwise."""
    state = here.state
    deadline = state.deadline
    if deadline is None or here.now < deadline:
        return []
    return [_lost(state, End.TIMED_OUT, state.to_move)]


def abandon(here: Moment) -> list[Act]:
    """End a match in which nothing happens; nothing to do if it has ended."""
    if here.state.phase is Phase.ENDED:
        return []
    return [abandoned(len(here.state.seats))]


def abandoned(num_seats: int) -> Act:
    """End a match in which nothing happens."""
    return _even(num_seats, End.ABANDONED)


def cut(num_seats: int) -> Act:
    """End a match that has as many events as it may have."""
    return _even(num_seats, End.CUT)


def check_playing(state: MatchState) -> None:
    """Check that the match is being played.

    Raises:
        StateError: it is not.
    """
    if not state.is_playing:
        why = "has not begun" if state.phase is Phase.OPEN else "has ended"
        raise StateError(f"the match {why}", field="match_id")


def _held(state: MatchState, secret: str) -> int:
    """Return the seat that is held with a secret, 1..n; 0: none is."""
    digest = digest_of(secret)
    for seat, held in enumerate(state.seats, 1):
        if held.token and hmac.compare_digest(held.token, digest):
            return seat
    return 0


def _not_allowed(what: str, option: str) -> StateError:
    return StateError(
        f"this match is played without {what}; options.{option} of CreateMatch allows them",
        field="match_id",
    )


def _offer(state: MatchState, seat: int, kind: OfferKind) -> Act:
    """Offer something, at most once until something is played."""
    if (seat, kind.value) in state.asked:
        raise StateError("you have asked for this already; play goes on first", field="token")
    if state.offer is not None:
        raise StateError(f"an offer of p{state.offer.seat} waits for answers", field="token")
    return Kind.OFFERED, {"seat": seat, "offer": kind.value}


def _settle(position: Position, seed: int) -> Iterator[Act]:
    """Draw outcomes up to the next decision, and end the match if there is none."""
    position, outcomes = settle_by_seed(position, seed)
    for outcome in outcomes:
        yield Kind.PLAYED, {"seat": 0, "move": outcome}
    if position.is_terminal:
        yield _end(End.FINISHED, position.game.returns_of(position.state), 0)


def _before(state: MatchState, seat: int) -> int:
    """Return the number of the event after which a seat made its last move."""
    for i in range(len(state.plies) - 1, -1, -1):
        if state.plies[i].seat == seat:
            return state.plies[i - 1].number if i else state.plies[0].number - 1
    raise StateError(f"p{seat} has not moved", field="token")


def _taken_back(state: MatchState, seat: int) -> Act:
    return Kind.TAKEN_BACK, {"seat": seat, "back_to": _before(state, seat)}


def _lost(state: MatchState, end: End, culprit: int) -> Act:
    """End the match: a seat loses, and the others share the win."""
    share = 1 / (len(state.seats) - 1)
    returns = [0.0 if seat == culprit else share for seat in range(1, len(state.seats) + 1)]
    return _end(end, returns, culprit)


def _even(num_seats: int, end: End, culprit: int = 0) -> Act:
    return _end(end, [1 / num_seats] * num_seats, culprit)


def _end(end: End, returns: list[float], culprit: int) -> Act:
    return Kind.ENDED, {"end": end.value, "returns": list(returns), "culprit": culprit}
