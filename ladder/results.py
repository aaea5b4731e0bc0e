"""Results as input of the statistics: the bot and the return of each seat.

The unit of all statistics is the *mirrored group*: one deal, played in all rotations of the bots
around the table. Its games have the same deal and depend on each other; groups are independent.
Incomplete groups are left out: in them a bot may have had the better seats.

All functions are pure, and their answers do not depend on the order of the results.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError

from .model import GameRecord

T = TypeVar("T")

Z_95 = 1.959963984540054
"""Half width of the middle 95 % of a normal distribution, in standard deviations."""
SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game.

    Attributes:
        group: id of its mirrored group.
        bots: names, by seat; a bot may hold several seats.
        returns: win share of each seat, in [0, 1]; they sum to 1.
        line: equal in games with the same start and moves, see `GameRecord.line`; empty: unknown.

    Raises:
        InputError: the lengths differ, there is one seat only, or the returns are not win shares.
    """

    group: str
    bots: tuple[str, ...]
    returns: tuple[float, ...]
    line: str = ""

    def __post_init__(self) -> None:
        if len(self.bots) != len(self.returns) or len(self.bots) < 2:
            raise InputError(
                f"a result of {len(self.bots)} bots has {len(self.returns)} returns; there must be"
                " as many, and at least two",
                field="returns",
            )
        if min(self.returns) < 0 or not abs(math.fsum(self.returns) - 1) <= SUM_TOLERANCE:
            raise InputError(
                f"returns {self.returns} are not win shares; they must be 0 or more and sum to 1",
                field="returns",
            )

    @classmethod
    def of(cls, record: GameRecord) -> Result:
        """Return the result of a record."""
        bots = tuple(bot.name for bot in record.task.bots)
        return cls(record.task.group, bots, record.returns, record.line)

    def share(self, bot: str) -> float:
        """Add up the returns of the seats that `bot` holds."""
        return math.fsum(
            part for name, part in zip(self.bots, self.returns, strict=True) if name == bot
        )


@dataclass(frozen=True, slots=True)
class MirroredGroup:
    """A deal that was played in all rotations.

    Attributes:
        name: id of the group.
        games: one for each rotation. The first has the seating that sorts first by name, and each
            next one the bots one seat back, so that game i has the same seating in all groups of
            the same bots.
    """

    name: str
    games: tuple[Result, ...]

    @property
    def seating(self) -> tuple[str, ...]:
        """The bots by seat in the first game; the same in all groups that are replications."""
        return self.games[0].bots

    def share(self, bot: str) -> float:
        """Return the mean win share of `bot` in a game."""
        return math.fsum(game.share(bot) for game in self.games) / len(self.games)


def rotations(bots: Sequence[T]) -> list[tuple[T, ...]]:
    """List the seatings of a group: the given one, then each bot one seat back, and so on."""
    return [(*bots[turn:], *bots[:turn]) for turn in range(len(bots))]


def mirrored_groups(results: Iterable[Result]) -> list[MirroredGroup]:
    """Collect the groups that have all their games, sorted by name.

    Raises:
        InputError: the games of a group are not rotations of each other.
    """
    games: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        games[result.group].append(result)
    groups = (_mirrored_group(name, games[name]) for name in sorted(games))
    return [group for group in groups if group is not None]


def same_games(group: MirroredGroup) -> frozenset[tuple[tuple[str, ...], str]] | None:
    """Return what is equal in groups that have the same bots and games; None: unknown."""
    games = frozenset((game.bots, game.line) for game in group.games)
    return games if all(line for _, line in games) else None


class Repeats:
    """Finds the groups that repeat an earlier one, see `without_repeats`."""

    def __init__(self) -> None:
        self._seen: set[frozenset[tuple[tuple[str, ...], str]]] = set()

    def has(self, group: MirroredGroup) -> bool:
        """Whether a group repeats one that was asked about before."""
        games = same_games(group)
        if games is None:
            return False
        if games in self._seen:
            return True
        self._seen.add(games)
        return False


def without_repeats(groups: Sequence[MirroredGroup]) -> list[MirroredGroup]:
    """Drop the groups that repeat all games of an earlier one; `groups` are sorted by name.

    In a game without chance they say nothing new: bots that don't choose at random would play them
    for ever.
    """
    seen = Repeats()
    return [group for group in groups if not seen.has(group)]


def _mirrored_group(name: str, games: list[Result]) -> MirroredGroup | None:
    """Put the games of a group in order; None if some are missing."""
    seatings = rotations(min(rotations(min(game.bots for game in games))))
    place = {seating: index for index, seating in enumerate(seatings)}
    if odd := [game.bots for game in games if game.bots not in place]:
        raise InputError(
            f"group {name} has the seatings {seatings[0]} and {odd[0]}; all must be rotations of"
            " one",
            field="group",
            value=name,
        )
    if {game.bots for game in games} != set(seatings):
        return None
    return MirroredGroup(
        name, tuple(sorted(games, key=lambda game: (place[game.bots], game.returns)))
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """Results of a bot in the games that it played with another bot.

    Attributes:
        groups: played by both.
        games: pairs of seats of the two bots; with two seats, games.
        ahead: number of those in which the bot had the larger win share.
        level: number with equal win shares; with more than two seats mostly wins of a third bot.
        behind: number in which the other bot had the larger win share.
        share: sum of the bot's win shares in those games.
        other_share: sum of the other bot's win shares.
    """

    groups: int
    games: int
    ahead: int
    level: int
    behind: int
    share: float
    other_share: float

    @property
    def score(self) -> float:
        """The bot's part of the sum of both win shares, in [0, 1]; one half if the sum is 0."""
        both = self.share + self.other_share
        return self.share / both if both > 0 else 0.5


def cross_table(groups: Iterable[MirroredGroup]) -> dict[tuple[str, str], Cell]:
    """Compare all bots that met; the key is (bot, other bot)."""
    tallies: defaultdict[tuple[str, str], _Tally] = defaultdict(_Tally)
    for group in groups:
        for pair in permutations(sorted(set(group.seating)), 2):
            tallies[pair].add(group, *pair)
    return {pair: tallies[pair].cell() for pair in sorted(tallies)}


class _Tally:
    """Accumulates one `Cell`."""

    def __init__(self) -> None:
        self.groups = 0
        self.signs: Counter[int] = Counter()
        self.shares: list[float] = []
        self.other_shares: list[float] = []

    def add(self, group: MirroredGroup, bot: str, other: str) -> None:
        self.groups += 1
        for game in group.games:
            self.shares.append(game.share(bot))
            self.other_shares.append(game.share(other))
            seats = list(zip(game.bots, game.returns, strict=True))
            self.signs.update(
                (mine > its) - (mine < its)
                for name, mine in seats
                for other_name, its in seats
                if name == bot and other_name == other
            )

    def cell(self) -> Cell:
        return Cell(
            groups=self.groups,
            games=self.signs.total(),
            ahead=self.signs[1],
            level=self.signs[0],
            behind=self.signs[-1],
            share=math.fsum(self.shares),
            other_share=math.fsum(self.other_shares),
        )


@dataclass(frozen=True, slots=True)
class SeatShare:
    """The mean win share of a seat over all bots.

    Attributes:
        seat: from 1.
        share: mean over groups.
        margin: half width of its 95 % interval; nan with one group.
    """

    seat: int
    share: float
    margin: float


def seat_shares(groups: Sequence[MirroredGroup]) -> list[SeatShare]:
    """Compute the win share of each seat; complete groups seat all bots there equally often.

    Raises:
        InputError: the groups have different numbers of seats.
    """
    sizes = {len(group.seating) for group in groups}
    if len(sizes) > 1:
        raise InputError(f"tables have {sorted(sizes)} seats; all must have the same number")
    if not groups:
        return []
    shares = np.array([np.mean([game.returns for game in group.games], axis=0) for group in groups])
    margins = _margins(shares)
    return [
        SeatShare(seat, float(share), float(margin))
        for seat, (share, margin) in enumerate(zip(shares.mean(axis=0), margins, strict=True), 1)
    ]


def _margins(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the half width of the 95 % interval of each column's mean."""
    if len(samples) < 2:
        return np.full(samples.shape[1], math.nan)
    return np.asarray(Z_95 * samples.std(axis=0, ddof=1) / math.sqrt(len(samples)))


def num_draws(groups: Iterable[MirroredGroup]) -> int:
    """Count the games in which no seat got more than every other."""
    tops = ((max(game.returns), game.returns) for group in groups for game in group.games)
    return sum(returns.count(top) > 1 for top, returns in tops)
