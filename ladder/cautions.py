"""Cautions about a ladder: what makes its numbers say less than they seem to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from kingmaker.cext.words import counted

from .model import Cause
from .ratings import Rating
from .results import MirroredGroup
from .words import percent_text

MOST_FORFEITS = 0.01
"""Part of the games that may be lost by crash, overrun or illegal move."""
FORFEITS = (Cause.TIMED_OUT, Cause.CRASHED, Cause.ILLEGAL)


def cautions(
    ratings: Sequence[Rating],
    groups: Sequence[MirroredGroup],
    causes: Mapping[str, int],
) -> tuple[str, ...]:
    """List the cautions, a sentence each.

    Args:
        ratings: of all bots.
        groups: complete ones.
        causes: cause -> number of games that ended by it.
    """
    return (*_forfeits(causes), *_separated(ratings), *_apart(groups))


def _forfeits(causes: Mapping[str, int]) -> Iterator[str]:
    num_games = sum(causes.values())
    counts = {cause: causes.get(cause.value, 0) for cause in FORFEITS}
    part = sum(counts.values()) / num_games if num_games else 0.0
    if part > MOST_FORFEITS:
        kinds = ", ".join(f"{count} {cause.value}" for cause, count in counts.items() if count)
        yield f"{percent_text(part)} of the games were forfeited ({kinds}): no measure of play"


def _separated(ratings: Sequence[Rating]) -> Iterator[str]:
    """Name the bots whose rating is what the prior makes it."""
    for each in ratings:
        if each.share in (0.0, 1.0):
            what = "won" if each.share else "lost"
            games = counted(each.games, "game")
            yield (
                f"{each.bot} {what} all of its {games}: its rating has no limit but the prior's, "
                "and grows with the number of games"
            )


def _apart(groups: Sequence[MirroredGroup]) -> Iterator[str]:
    """Name the sets of bots that never met, directly or by others."""
    sets = _connected(groups)
    if len(sets) > 1:
        listed = "; ".join(", ".join(bots) for bots in sets)
        yield (f"these sets of bots never met, so ratings compare only within each: {listed}")


def _connected(groups: Sequence[MirroredGroup]) -> list[list[str]]:
    """List the sets of bots that are connected by meetings."""
    neighbours: defaultdict[str, set[str]] = defaultdict(set)
    for group in groups:
        for bot in group.seating:
            neighbours[bot].update(group.seating)
    found: list[list[str]] = []
    left = set(neighbours)
    while left:
        reached, fresh = set(), {min(left)}
        while fresh:
            reached |= fresh
            fresh = {other for bot in fresh for other in neighbours[bot]} - reached
        found.append(sorted(reached))
        left -= reached
    return found
