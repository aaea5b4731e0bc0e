"""Pairings: endless or limited lists of mirrored groups.

Groups have numbers, and group i is the same at every call: a resumed ladder plays the numbers
without results. There are no rounds to wait for. Every group has its own deal, so groups are
independent of each other. `Swiss` alone depends on results: which ones are known when a group is
begun depends on the speed of the bots, and a group that was begun keeps its bots.

`round_robin` and `gauntlet` run through a *cycle* of all possible tables of the bots. Within a
cycle the next table is one whose bots have played, and met, least, so that a ladder stopped at any
point is nearly balanced; after a cycle it is exactly balanced. In the next cycle the bots of a
table sit in another order; after (seats - 1)! cycles each table has had every order. Each bot holds
each seat equally often in every group, as a group is all rotations.

`Swiss` looks at the results as they come: bots of about the same score meet.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError
from kingmaker.search.draws import digest

from .results import rotations

MAX_TABLES = 2000
"""Most tables of a cycle; beyond it a random sample, which is balanced in expectation."""
SEED_BITS = 53
"""Limit of seeds of groups: every JSON parser reads such integers exactly."""
SECRET_SEED = 1 << 62
"""Seeds from here on can't be inferred from the groups: these follow from them by a cryptographic
hash. That of numpy, for smaller seeds, could be inverted by those who know some deals."""

POINTS = 1 << 40
"""Points of a win in Swiss pairing."""


@dataclass(frozen=True, slots=True)
class Group:
    """A mirrored group to be played.

    Attributes:
        index: its number in the ladder, from 0.
        bots: names by seat in rotation 0; `results.rotations` lists all seatings.
        deal_seed: the deal seed of all its games.
        seed: decides the bots' own random choices, together with the rotation.
    """

    index: int
    bots: tuple[str, ...]
    deal_seed: int
    seed: int


class Pairing(Protocol):
    """A list of groups; see the head of this file."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots."""

    @property
    def num_groups(self) -> int | None:
        """Length of the list; None: endless."""

    def group(self, index: int) -> Group:
        """Return the group of number `index`, from 0.

        Raises:
            IndexError: `index` is beyond the end of the list.
        """


def round_robin(
    bots: Sequence[str], num_seats: int = 2, *, seed: int = 0, num_groups: int | None = None
) -> Schedule:
    """Let all bots meet each other equally often.

    With fewer bots than seats each bot gets an equal number of seats, and the bots take turns at
    the remaining ones.

    Args:
        bots: names, all different, at least two.
        num_seats: of the game.
        seed: decides the order, the seatings and the deals.
        num_groups: length of the list; None: endless.

    Raises:
        InputError: too few bots or seats, a duplicate name, a negative number.
    """
    return Schedule(_Design(distinct(bots), (), num_seats), seed, num_groups)


def gauntlet(
    challenger: str,
    field: Sequence[str],
    num_seats: int = 2,
    *,
    seed: int = 0,
    num_groups: int | None = None,
) -> Schedule:
    """Let one bot meet all others equally often; the others meet only at tables of three or more.

    Arguments and errors as in `round_robin`; a single opponent holds all other seats.
    """
    bots = distinct([challenger, *field])
    return Schedule(_Design(bots, (0,), num_seats), seed, num_groups)


class Schedule:
    """A fixed list of groups, see `round_robin` and `gauntlet`.

    Attributes:
        bots: names of the bots.
        num_groups: length of the list; None: endless.
        cycle_groups: groups of a cycle, after which the list is exactly balanced.
    """

    def __init__(self, design: _Design, seed: int, num_groups: int | None) -> None:
        _check_numbers(seed, num_groups)
        self.bots = design.bots
        self.num_groups = num_groups
        self.cycle_groups = design.num_tables
        self._design = design
        self._seed = seed
        self._order_seed = _order_seed(seed)
        self._cycle = -1
        self._tables: list[tuple[int, ...]] = []

    def group(self, index: int) -> Group:
        """Return the group of number `index`, from 0.

        Raises:
            IndexError: `index` is beyond the end of the list.
        """
        _check_index(index, self.num_groups)
        cycle, place = divmod(index, self.cycle_groups)
        if cycle != self._cycle:
            self._tables = self._design.cycle(cycle, self._order_seed)
            self._cycle = cycle
        return group_of(index, tuple(self.bots[i] for i in self._tables[place]), self._seed)


class Swiss:
    """Pairs bots of about the same score that have met least; for two seats.

    Next to play is the bot with the fewest groups. Its opponent is the one it has met least, then
    one that is at most one group ahead, then the one of the nearest score. A group in play counts
    as begun, but not in the score, so no bot waits for a slow one. The pairing is a function of the
    groups begun and the results known, in whatever order they came. Each group takes time in
    proportion to the number of bots.

    Attributes:
        bots: names of the bots.
        num_groups: groups that give each bot `num_rounds`; with an odd product one more.
    """

    def __init__(self, bots: Sequence[str], num_rounds: int, *, seed: int = 0) -> None:
        """Check the arguments; raises InputError as `round_robin`."""
        _check_numbers(seed, num_rounds)
        self.bots = distinct(bots)
        self.num_groups = math.ceil(len(self.bots) * num_rounds / 2)
        self._seed = seed
        order = np.random.default_rng((_order_seed(seed), 0)).permutation(len(self.bots))
        self._rank = {bot: int(rank) for bot, rank in zip(self.bots, order, strict=True)}
        self._begun = Counter[str]()
        self._met: dict[str, Counter[str]] = {bot: Counter() for bot in self.bots}
        # Sums of whole numbers don't depend on their order. One drawn group shrinks small samples.
        self._points = dict.fromkeys(self.bots, POINTS // 2)
        self._finished = dict.fromkeys(self.bots, 1)

    def begin(self, bots: tuple[str, ...]) -> None:
        """Count a group as begun."""
        bot, other = bots
        self._begun.update(bots)
        self._met[bot][other] += 1
        self._met[other][bot] += 1

    def finish(self, bots: tuple[str, ...], share: float) -> None:
        """Count a result: the mean win share of the first bot in a group."""
        points = round(share * POINTS)
        for bot, won in zip(bots, (points, POINTS - points), strict=True):
            self._points[bot] += won
            self._finished[bot] += 1

    def group(self, index: int) -> Group:
        """Return the group to begin next, under the number `index`.

        Raises:
            IndexError: `index` is beyond the end of the list.
        """
        _check_index(index, self.num_groups)
        begun, score, rank = self._begun, self._scores(), self._rank
        bot = min(self.bots, key=lambda b: (begun[b], -score[b], rank[b]))
        met, most, own = self._met[bot], begun[bot] + 1, score[bot]
        other = min(
            (b for b in self.bots if b != bot),
            key=lambda b: (met[b], begun[b] > most, abs(score[b] - own), rank[b]),
        )
        return self.again(index, (bot, other))

    def again(self, index: int, bots: tuple[str, ...]) -> Group:
        """Return a group that was begun before, with its seeds."""
        return group_of(index, bots, self._seed)

    def _scores(self) -> dict[str, float]:
        """Return the mean points of each bot."""
        return {bot: self._points[bot] / self._finished[bot] for bot in self.bots}


@dataclass(frozen=True, slots=True)
class _Design:
    """The possible tables: fixed bots sit at all of them, the others at some.

    Attributes:
        bots: names; the tables hold their indexes.
        fixed: bots that sit at every table.
        num_seats: of a table.

    Raises:
        InputError: fewer than two seats.
    """

    bots: tuple[str, ...]
    fixed: tuple[int, ...]
    num_seats: int

    def __post_init__(self) -> None:
        if self.num_seats < 2:
            raise InputError(
                f"{self.num_seats} seats are too few for a ladder; it needs two",
                field="num_seats",
                value=str(self.num_seats),
            )

    @property
    def pool(self) -> tuple[int, ...]:
        """The bots that take turns."""
        return tuple(i for i in range(len(self.bots)) if i not in self.fixed)

    @property
    def num_chosen(self) -> int:
        """Number of bots of the pool that hold one seat more than the others."""
        return (self.num_seats - len(self.fixed)) % len(self.pool)

    @property
    def num_tables(self) -> int:
        return min(math.comb(len(self.pool), self.num_chosen), MAX_TABLES)

    def cycle(self, cycle: int, seed: int) -> list[tuple[int, ...]]:
        """List the tables of a cycle in the order of play, each with its bots by seat."""
        rng = np.random.default_rng((seed, 1, cycle))
        tables = self._tables(rng)
        num_orders = math.factorial(self.num_seats - 1)
        # Each table starts with its own order, the same in every cycle, and proceeds from there.
        first_orders = np.random.default_rng((seed, 2)).integers(num_orders, size=len(tables))
        return [
            _seated(tables[row].tolist(), int(first_orders[row]) + cycle)
            for row in _even_order(tables, len(self.bots), rng)
        ]

    def _tables(self, rng: np.random.Generator) -> NDArray[np.intp]:
        """Make the tables, `[num_tables, num_seats]`, unordered."""
        times = (self.num_seats - len(self.fixed)) // len(self.pool)
        everywhere = (*self.fixed, *self.pool * times)
        chosen: Iterable[Sequence[int]] = combinations(self.pool, self.num_chosen)
        if math.comb(len(self.pool), self.num_chosen) > MAX_TABLES:
            draws = (rng.permutation(self.pool) for _ in range(MAX_TABLES))
            chosen = (draw[: self.num_chosen].tolist() for draw in draws)
        return np.array([(*everywhere, *extra) for extra in chosen], dtype=np.intp)


def _even_order(tables: NDArray[np.intp], num_bots: int, rng: np.random.Generator) -> list[int]:
    """Order the rows so that after any number of them all have played and met about equally."""
    shuffled = rng.permutation(len(tables))
    tables = tables[shuffled]
    first, second = np.triu_indices(tables.shape[1], 1)
    pairs = tables[:, first] * num_bots + tables[:, second]
    played = np.zeros(num_bots)
    met = np.zeros((num_bots, num_bots))
    is_taken = np.zeros(len(tables), dtype=bool)
    order = []
    for _ in range(len(tables)):
        # The number of games takes precedence over the meetings.
        cost = played[tables].sum(axis=1) * len(tables) * pairs.shape[1]
        cost += met.ravel()[pairs].sum(axis=1)
        cost[is_taken] = np.inf
        row = int(cost.argmin())
        is_taken[row] = True
        order.append(int(shuffled[row]))
        np.add.at(played, tables[row], 1)
        np.add.at(met, (tables[row][first], tables[row][second]), 1)
        np.add.at(met, (tables[row][second], tables[row][first]), 1)
    return order


def _seated(bots: list[int], order: int) -> tuple[int, ...]:
    """Seat bots around a table in one of the (seats - 1)! orders.

    Periodic orders (A B A B) are skipped: two rotations of such
    a group would be the same game.
    """
    while True:
        seats = (bots[0], *_permutation(bots[1:], order % math.factorial(len(bots) - 1)))
        if len(set(rotations(seats))) == len(seats):
            return seats
        order += 1


def _permutation(items: list[int], number: int) -> list[int]:
    """Return the permutation with a number below len(items)!, by the factorial number system."""
    left = list(items)
    chosen = []
    while left:
        number, place = divmod(number, len(left))
        chosen.append(left.pop(place))
    return chosen


def group_of(index: int, bots: tuple[str, ...], seed: int) -> Group:
    """Return a group with its seeds, which follow from the seed of the ladder."""
    if seed >= SECRET_SEED:
        deal_seed, bot_seed = (
            digest(what, seed, index) >> (63 - SEED_BITS) for what in ("deal", "bots")
        )
        return Group(index, bots, deal_seed, bot_seed)
    words = np.random.SeedSequence((seed, index)).generate_state(2, np.uint64)
    deal_seed, bot_seed = (int(word) >> (64 - SEED_BITS) for word in words)
    return Group(index, bots, deal_seed, bot_seed)


def _order_seed(seed: int) -> int:
    """Return the seed of who plays whom, which everybody sees."""
    return digest("order", seed) if seed >= SECRET_SEED else seed


def distinct(bots: Sequence[str]) -> tuple[str, ...]:
    """Return the bots; raises InputError if they are too few, or two have one name."""
    if len(bots) < 2:
        raise InputError(
            f"a ladder needs two bots or more to play; there is {'one' if bots else 'none'}",
            field="bots",
        )
    if twice := [bot for bot, count in Counter(bots).items() if count > 1]:
        raise InputError(
            f"two bots are called {twice[0]}; give each bot a different name",
            field="bots",
            value=twice[0],
        )
    return tuple(bots)


def _check_numbers(seed: int, num_groups: int | None) -> None:
    if seed < 0:
        raise InputError(f"seed {seed} is negative; give 0 or more", field="seed", value=str(seed))
    if num_groups is not None and num_groups < 1:
        raise InputError(
            f"num_groups is {num_groups}; give 1 or more",
            field="num_groups",
            value=str(num_groups),
        )


def _check_index(index: int, num_groups: int | None) -> None:
    if index < 0 or (num_groups is not None and index >= num_groups):
        raise IndexError(f"group {index} of a ladder of {num_groups}")
