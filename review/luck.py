"""Luck: what the outcomes of chance did to the win shares.

The luck of an outcome is the value after it less the mean value of what could have happened, both
from the same evaluation and the same kind of estimate. So it is 0 on average whatever the quality
of the values, and subtracting it from the result keeps the mean.

An outcome that everybody sees is valued on the observation of the seat that decides after it; one
that only some seats see, such as a drawn card or a dealt hand, on the observation of each of them.
Where several see different things, as in a deal, the changes that each of them sees add up, and the
change that a spectator sees is counted once. Which observations these are depends on the node,
never on the outcome: otherwise the mean would not be 0.

The errors of the values of a search are about its distance from a much longer one, most of which
is the same after all outcomes and is not in their difference. So a review measures some of the luck
again, with other draws, and scales the errors of all of it by how much that differs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from kingmaker.cext.words import counted
from kingmaker.search.events import open_event
from kingmaker.search.position import Position

from .games import PlayedGame
from .model import Chance
from .values import Array, Outcome, Value, Values, sample_mean

MAX_SPLIT = 3
"""Outcomes in a row that are told apart; more, as in a deal, are one."""
REPEATED, MOST_REPEATS = 24, 3
"""Times that luck is measured again in a game, in as many places as possible; and in one place."""
SPECTATOR = 0


@dataclass(frozen=True, slots=True)
class Span:
    """Plies of chance that are judged together.

    Attributes:
        first: index of the first ply, from 0.
        end: index after the last.
    """

    first: int
    end: int


def spans_of(game: PlayedGame) -> list[Span]:
    """List the chance plies of a game, as far apart as they are judged."""
    found: list[Span] = []
    for first, end in _runs(game):
        if end - first <= MAX_SPLIT:
            found.extend(Span(ply, ply + 1) for ply in range(first, end))
        else:
            found.append(Span(first, end))
    return found


def _runs(game: PlayedGame) -> list[tuple[int, int]]:
    """List the longest runs of chance plies."""
    runs: list[tuple[int, int]] = []
    for ply in range(len(game.tokens)):
        if not game.positions[ply].is_chance:
            continue
        if runs and runs[-1][1] == ply:
            runs[-1] = (runs[-1][0], ply + 1)
        else:
            runs.append((ply, ply + 1))
    return runs


def luck_of(game: PlayedGame, span: Span, values: Values) -> Chance:
    """Measure the luck of outcomes."""
    is_public = _is_public(game, span)
    seats = () if is_public else _seeing(game, span)
    # Playouts of the full state see everything at once.
    is_one = is_public or game.start.game.needs_mixing
    viewers: tuple[int | None, ...] = (None,) if is_one else seats
    luck = np.zeros(game.num_seats)
    error = 0.0
    # What a spectator sees is part of what each seat sees, and counts once.
    times: dict[int | None, int] = dict.fromkeys(viewers, 1)
    if len(viewers) > 1 and _is_public_in_part(game, span):
        times[SPECTATOR] = 1 - len(viewers)
    for viewer, weight in times.items():
        change = _change(game, span, viewer, values)
        luck += weight * change.shares
        error = math.hypot(error, weight * change.error)
    luck -= luck.mean()  # rounding
    return Chance(
        ply=span.first + 1,
        tokens=game.tokens[span.first : span.end],
        words=_words(game, span),
        seats=seats,
        luck=tuple(luck.tolist()),
        luck_error=error,
    )


def _change(game: PlayedGame, span: Span, viewer: int | None, values: Values) -> Value:
    """Return the value after the outcomes less the mean over what could have happened.

    Without a viewer each position is valued by the seat that decides there.
    """
    before, after = game.positions[span.first], game.positions[span.end]
    # One seed for all, so that what a search does alike in all of them cancels.
    key = ("luck", span.first, viewer)
    if span.end - span.first == 1:
        known = values.outcomes(before, viewer, *key)
        if known is not None:
            return against_mean(known, after)
        mean = values.mean(before, viewer, *key)
    else:
        stream = np.random.SFC64(values.seed + span.first)
        ends = [before.settle(stream)[0] for _ in range(values.effort.samples)]
        mean = sample_mean([values.value(end, viewer, *key) for end in ends])
    now = values.mean(after, viewer, *key)
    change: Array = now.shares - mean.shares
    return Value(change, math.hypot(now.error, mean.error))


def against_mean(known: Sequence[Outcome], after: Position) -> Value:
    """Return the value of one outcome less the mean of all of them.

    Its own value is part of the mean, so its error counts only as far as it is not.
    """
    came_out = [each.after == after for each in known]
    weights = [
        came / sum(came_out) - each.probability for came, each in zip(came_out, known, strict=True)
    ]
    change: Array = sum(
        (weight * each.value.shares for weight, each in zip(weights, known, strict=True)),
        np.zeros(after.num_seats),
    )
    errors = (weight * each.value.error for weight, each in zip(weights, known, strict=True))
    return Value(change, math.hypot(*errors))


def repeats_of(spans: Sequence[Span]) -> dict[Span, int]:
    """Return where to measure luck again, and how often, evenly spaced over a game."""
    step = max(len(spans) / REPEATED, 1.0)
    chosen = [spans[int(step * number)] for number in range(min(len(spans), REPEATED))]
    times = min(REPEATED // len(chosen), MOST_REPEATS) if chosen else 0
    return dict.fromkeys(chosen, times)


def error_scale(measured: Sequence[Sequence[Chance]]) -> float:
    """Return by how much to multiply the errors of luck, to be right on average.

    Args:
        measured: the same luck two times or more, with other draws; in several places.
    """
    found = expected = 0.0
    by_seat = []
    for same in measured:
        by_seat.append((len(same) - 1) * np.var([each.luck for each in same], axis=0, ddof=1))
        expected += (len(same) - 1) * float(np.mean([each.luck_error**2 for each in same]))
    if by_seat:
        found = float(np.sum(by_seat, axis=0).max())
    return math.sqrt(found / expected) if expected > 0 else 1.0


def _seeing(game: PlayedGame, span: Span) -> tuple[int, ...]:
    """Return the seats that see something of the outcomes that a spectator does not see."""
    return tuple(
        seat
        for seat in range(1, game.num_seats + 1)
        if any(_sees(game, ply, seat) and not _sees(game, ply, SPECTATOR) for ply in _plies(span))
    )


def _is_public(game: PlayedGame, span: Span) -> bool:
    return all(_sees(game, ply, SPECTATOR) for ply in _plies(span))


def _is_public_in_part(game: PlayedGame, span: Span) -> bool:
    return any(_sees(game, ply, SPECTATOR) for ply in _plies(span))


def _plies(span: Span) -> range:
    return range(span.first, span.end)


def _sees(game: PlayedGame, ply: int, viewer: int) -> bool:
    """Whether a seat, or a spectator, sees whatever comes out at a chance node."""
    position = game.positions[ply]
    rules, state = position.game, position.state
    return all(rules.seen(state, each, viewer - 1) == each for each, _ in rules.outcomes_of(state))


def _words(game: PlayedGame, span: Span) -> str:
    """Tell of outcomes, and whose they are: one seat's bad card is the luck of another."""
    events = [open_event(game.positions[ply], game.tokens[ply]) for ply in _plies(span)]
    deals = list(takewhile(lambda event: event.move.startswith("deal:"), reversed(events)))
    if len(deals) > game.num_seats:
        before = [event.description for event in events[: len(events) - len(deals)]]
        return ", and ".join([*before, "deal the cards"])
    first, more = events[0], len(events) - 1
    words = first.description
    if more:
        words = f"{words} and {counted(more, 'outcome')} more"
    is_named = f"p{first.seat}" in words  # as in a deal of Leduc poker
    if is_named or not first.seat or any(event.seat != first.seat for event in events):
        return words
    return f"{words} (for p{first.seat})"
