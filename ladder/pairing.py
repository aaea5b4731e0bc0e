"""Who plays whom: an endless or limited list of mirrored groups.

A pairing tells its groups by number, and group i is the same whenever it is asked for: a ladder
that was stopped goes on with the numbers that it has no results of. There are no rounds to wait
for. Every group has a deal of its own, so that groups are independent of each other.

`round_robin` and `gauntlet` run through a *cycle* of all tables that can be made of the bots.
Within a cycle the next table is one of those whose bots have played, and met, least, so that a
ladder that is stopped anywhere is nearly balanced; after a cycle it is exactly so. In the next
cycle the same bots sit down in another order around the table; after (seats - 1)! cycles each table
was seated in every order. Each bot holds each seat equally often in every group, for a group is all
rotations.

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

from .results import rotations

MAX_TABLES = 2000
"""Tables of a cycle; of more possible ones a random sample is taken, which is even up to chance."""
SEED_BITS = 53
"""Seeds are integers that every reader of JSON reads exactly."""

Played = tuple[tuple[str, ...], float | None]
"""A group that was begun: its bots, and the mean share of the first; None until all is played."""


@dataclass(frozen=True, slots=True)
class Group:
    """A mirrored group to be played.

    Attributes:
        index: its number in the ladder, from 0.
        bots: names by seat in rotation 0; `results.rotations` lists all seatings.
        deal_seed: of all its games.
        seed: decides the bots' own random choices, together with the rotation.
    """

    index: int
    bots: tuple[str, ...]
    deal_seed: int
    seed: int


class Pairing(Protocol):
    """A list of groups."""

    @property
    def bots(self) -> tuple[str, ...]:
        """All that take part."""

    @property
    def num_groups(self) -> int | None:
        """Where the list ends; None: never."""

    def group(self, index: int, history: Sequence[Played] = ()) -> Group:
        """Return the group of number `index`, from 0.

        Args:
            index: its number.
            history: the groups begun so far; only `Swiss` looks at them.

        Raises:
            IndexError: the list ends before.
        """


def round_robin(
    bots: Sequence[str], num_seats: int = 2, *, seed: int = 0, num_groups: int | None = None
) -> Schedule:
    """Let everybody meet everybody equally often.

    With fewer bots than seats each bot gets its equal part of the seats, and the bots take turns at
    those left over.

    Args:
        bots: names, all different, at least two.
        num_seats: of the game.
        seed: decides the order, the seatings and the deals.
        num_groups: ends the list; None: it has no end.

    Raises:
        InputError: too few bots or seats, a name that is there twice, a negative number.
    """
    return Schedule(_Design(_distinct(bots), (), num_seats), seed, num_groups)


def gauntlet(
    challenger: str,
    field: Sequence[str],
    num_seats: int = 2,
    *,
    seed: int = 0,
    num_groups: int | None = None,
) -> Schedule:
    """Let one bot meet all others equally often; these meet only where a table has more seats.

    Arguments and errors as of `round_robin`; with a field of one bot it holds all other seats.
    """
    bots = _distinct([challenger, *field])
    return Schedule(_Design(bots, (0,), num_seats), seed, num_groups)


class Schedule:
    """A fixed list of groups, see `round_robin` and `gauntlet`.

    Attributes:
        bots: all that take part.
        num_groups: where the list ends; None: never.
        cycle_groups: after so many groups the list is exactly balanced.
    """

    def __init__(self, design: _Design, seed: int, num_groups: int | None) -> None:
        _check_numbers(seed, num_groups)
        self.bots = design.bots
        self.num_groups = num_groups
        self.cycle_groups = design.num_tables
        self._design = design
        self._seed = seed
        self._cycle = -1
        self._tables: list[tuple[int, ...]] = []

    def group(self, index: int, history: Sequence[Played] = ()) -> Group:
        """Return the group of number `index`, from 0; `history` makes no difference.

        Raises:
            IndexError: the list ends before.
        """
        _check_index(index, self.num_groups)
        cycle, place = divmod(index, self.cycle_groups)
        if cycle != self._cycle:
            self._tables = self._design.cycle(cycle, self._seed)
            self._cycle = cycle
        return _group(index, tuple(self.bots[i] for i in self._tables[place]), self._seed)


class Swiss:
    """Pairs bots of about the same score that have met least; for two seats.

    Next to play is the bot with the fewest groups. Its opponent is the one it has met least, then
    one that is not more than a group ahead, then that of the nearest score. A group in play counts
    as begun, but not in the score, so nobody waits for a slow bot. It is a pure function of the
    history.

    Attributes:
        bots: all that take part.
        num_groups: how many groups give each bot `num_rounds`; at odd numbers one more.
    """

    def __init__(self, bots: Sequence[str], num_rounds: int, *, seed: int = 0) -> None:
        """Raises InputError as `round_robin` does."""
        _check_numbers(seed, num_rounds)
        self.bots = _distinct(bots)
        self.num_groups = math.ceil(len(self.bots) * num_rounds / 2)
        self._seed = seed
        order = np.random.default_rng((seed, 0)).permutation(len(self.bots))
        self._rank = {bot: int(rank) for bot, rank in zip(self.bots, order, strict=True)}

    def group(self, index: int, history: Sequence[Played] = ()) -> Group:
        """Return the group to begin next, under the number `index`.

        Raises:
            IndexError: the list ends before.
        """
        _check_index(index, self.num_groups)
        begun, met = Counter[str](), Counter[frozenset[str]]()
        for pair, _ in history:
            begun.update(pair)
            met[frozenset(pair)] += 1
        score = self._scores(history)
        bot = min(self.bots, key=lambda b: (begun[b], -score[b], self._rank[b]))
        other = min(
            (b for b in self.bots if b != bot),
            key=lambda b: (
                met[frozenset((bot, b))],
                begun[b] > begun[bot] + 1,
                abs(score[b] - score[bot]),
                self._rank[b],
            ),
        )
        return _group(index, (bot, other), self._seed)

    def _scores(self, history: Sequence[Played]) -> dict[str, float]:
        """Mean share of each bot, one drawn group added: few groups prove little."""
        shares = {bot: [0.5] for bot in self.bots}
        for (bot, other), share in history:
            if share is not None:
                shares[bot].append(share)
                shares[other].append(1 - share)
        return {bot: math.fsum(each) / len(each) for bot, each in shares.items()}


@dataclass(frozen=True, slots=True)
class _Design:
    """The tables that can be made: some bots sit at all of them, the others at some.

    Attributes:
        bots: names; the tables hold their indexes.
        fixed: who sits at every table.
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
        """Those who take turns."""
        return tuple(i for i in range(len(self.bots)) if i not in self.fixed)

    @property
    def num_chosen(self) -> int:
        """Of the pool, how many sit once more than the others."""
        return (self.num_seats - len(self.fixed)) % len(self.pool)

    @property
    def num_tables(self) -> int:
        return min(math.comb(len(self.pool), self.num_chosen), MAX_TABLES)

    def cycle(self, cycle: int, seed: int) -> list[tuple[int, ...]]:
        """List the tables of a cycle in the order of play, each with its bots by seat."""
        rng = np.random.default_rng((seed, 1, cycle))
        tables = self._tables(rng)
        num_orders = math.factorial(self.num_seats - 1)
        # Each table begins with an order of its own, the same in every cycle, and goes on from it.
        first_orders = np.random.default_rng((seed, 2)).integers(num_orders, size=len(tables))
        return [
            _seated(tables[row].tolist(), int(first_orders[row]) + cycle)
            for row in _even_order(tables, len(self.bots), rng)
        ]

    def _tables(self, rng: np.random.Generator) -> NDArray[np.intp]:
        """Make the tables, `[num_tables, num_seats]`, not yet in any order."""
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
        # A game more or less counts before all meetings.
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

    Orders in which the same bots come round again (A B A B) are passed over: two rotations of such
    a group would be one game.
    """
    while True:
        seats = (bots[0], *_permutation(bots[1:], order % math.factorial(len(bots) - 1)))
        if len(set(rotations(seats))) == len(seats):
            return seats
        order += 1


def _permutation(items: list[int], number: int) -> list[int]:
    """Return the permutation of a number, below len(items)!, read in the factorial system."""
    left = list(items)
    chosen = []
    while left:
        number, place = divmod(number, len(left))
        chosen.append(left.pop(place))
    return chosen


def _group(index: int, bots: tuple[str, ...], seed: int) -> Group:
    words = np.random.SeedSequence((seed, index)).generate_state(2, np.uint64)
    deal_seed, bot_seed = (int(word) >> (64 - SEED_BITS) for word in words)
    return Group(index, bots, deal_seed, bot_seed)


def _distinct(bots: Sequence[str]) -> tuple[str, ...]:
    if len(bots) < 2:
        raise InputError(
            f"a ladder needs two bots or more to play; there is {'one' if bots else 'none'}",
            field="bots",
        )
    if twice := [bot for bot, count in Counter(bots).items() if count > 1]:
        raise InputError(
            f"two bots are called {twice[0]}; give each a name of its own",
            field="bots",
            value=twice[0],
        )
    return tuple(bots)


def _check_numbers(seed: int, num_groups: int | None) -> None:
    if seed < 0:
        raise InputError(f"seed {seed} is negative; give 0 or more", field="seed", value=str(seed))
    if num_groups is not None and num_groups < 1:
        raise InputError(
            f"num_groups is {num_groups}, which is nothing to play; give 1 or more",
            field="num_groups",
            value=str(num_groups),
        )


def _check_index(index: int, num_groups: int | None) -> None:
    if index < 0 or (num_groups is not None and index >= num_groups):
        raise IndexError(f"group {index} of a ladder of {num_groups}")
