"""Published ratings: one maximum-likelihood fit to all results, independent of their order.

*Model*. A bot of strength x wins at its table with probability x / (sum of the strengths there):
the first choice of Plackett and Luce, which for two seats is the model of Bradley and Terry, and of
Elo. A win is divided by the returns: a draw of two is half a win for each, a win of two seats out
of four is half a win for each of them, and the order of the losers is ignored, as no rule rewards
it. So every bot's fitted rating predicts the win share that it got (up to the prior), even where
strengths alone don't explain the results: a quasi-likelihood for shares, as in Papke and Wooldridge
1996.

*Scale*. Elo: a difference of d means that the strengths are as 10**(d / 400) to 1, and that is the
ratio of the two expected shares at any table. All are relative to an anchor.

*Prior*. Each bot also wins a game and loses one (`PRIOR_GAMES` in all) against a virtual bot
of average strength. That keeps ratings finite where a bot won everything or bots never met, and
changes other ratings by few Elo; 100 wins in 100 games between two bots give 830 Elo.

*Intervals*. Bootstrap over mirrored groups, which are independent (the games of a group are not).
It is the Bayesian bootstrap: each refit gives every group, and every game of the prior, a random
weight of mean 1 instead of drawing groups with replacement. So no refit drops a group, and a bot
that won everything still has an interval. Two additions make it hold where groups are few, nearly
all games are drawn, or a bot wins nearly all: every refit, but not the rating, gives each bot some
games that were not seen, won and lost against those it met, as Jeffreys' prior does for a binomial
interval; and the refits are spread by the factors by which Student's distribution is wider than the
normal one, and the bootstrap narrower than the error. `python -m kingmaker.benchmarks.intervals`
simulates how many intervals then contain the true value: docs/ladder.md has its table.

Sources: Bradley and Terry 1952, "Rank Analysis of Incomplete Block Designs"; Plackett 1975, "The
Analysis of Permutations"; Luce 1959, "Individual Choice Behavior"; Papke and Wooldridge 1996,
"Econometric Methods for Fractional Response Variables"; Rubin 1981, "The Bayesian Bootstrap";
Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial Proportion"; Sun and Tran-Dinh
2019, "Generalized Self-Concordant Functions: A Recipe for Newton-Type Methods"; Hestenes and
Stiefel 1952, "Methods of Conjugate Gradients for Solving Linear Systems".
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError

from .results import MirroredGroup

ELO_PER_NAT = 400 / math.log(10)
PRIOR_GAMES = 2.0
"""Weight of the games against the virtual bot, half of them won."""
UNSEEN_GAMES = 0.35
"""Shape of the gamma distribution of the games that a pair of bots has won, and lost, unseen."""
NUM_RESAMPLES = 500
TOLERANCE = 1e-7
"""Tolerance of a fit: observed minus predicted wins, as a part of all games."""
MAX_STEPS = 5000
"""Of a fit. Most take ten; a chain of 100 bots, each of which won 1,000 games against the next and
lost none, takes more than 100."""
LAST_STEP = 1e-4
"""A step of Newton's method, in log strength, after which the error is about its square."""
STEP_TOLERANCE = 1e-4
"""Relative error of a step: after a last step of `LAST_STEP` it adds as much as the square does."""
MAX_TURNS = 10
"""Rounds of conjugate gradients for each bot; two hundred bots take about twenty in all."""
CHUNK = 1 << 18
"""Win shares at tables that are computed at once: those that fit into the cache of a processor."""
TINY, SMALLEST = 1e-12, 1e-300
"""What is divided by is never less: second derivatives, and squares of what is left of a step."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a bot.

    Attributes:
        bot: its name.
        elo: maximum-likelihood rating.
        low: lower end of the 95 % interval, in Elo.
        high: upper end.
        groups: complete groups with the bot.
        games: its games in them.
        share: its mean win share in a game.
    """

    bot: str
    elo: float
    low: float
    high: float
    groups: int
    games: int
    share: float


@dataclass(frozen=True, slots=True)
class Standings:
    """All ratings, the strongest first.

    Attributes:
        ratings: of each bot.
        superiority: `[i][j]` is the probability that the bot of `ratings[i]` is stronger than
            that of `ratings[j]`, by the bootstrap; one half on the diagonal.
        errors: `[i][j]` is the standard error of the difference of their ratings, in Elo. It can't
            be derived from the intervals, which all contain the uncertainty of the anchor.
    """

    ratings: tuple[Rating, ...]
    superiority: tuple[tuple[float, ...], ...]
    errors: tuple[tuple[float, ...], ...]


def rate(
    groups: Sequence[MirroredGroup],
    *,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    num_resamples: int = NUM_RESAMPLES,
    seed: int = 0,
) -> Standings:
    """Rate all bots of a set of groups.

    The result is bit-identical for the same groups in any order.

    Args:
        groups: complete groups, see `results.mirrored_groups`.
        anchor: the bot whose rating is `anchor_elo`, without an interval of its own; None: the mean
            of all bots is.
        anchor_elo: in Elo.
        num_resamples: refits of the bootstrap; their number limits the precision of intervals and
            probabilities.
        seed: of the bootstrap.

    Raises:
        InputError: `anchor` is in none of the groups, or `num_resamples` is below 2.
    """
    if num_resamples < 2:
        raise InputError(
            f"num_resamples is {num_resamples}; an interval needs 2 or more", field="num_resamples"
        )
    groups = sorted(groups, key=lambda group: group.name)
    bots = sorted({bot for group in groups for bot in group.seating})
    if anchor is not None and anchor not in bots:
        raise InputError(
            f"the anchor {anchor} has no complete group among the results", field="anchor"
        )
    if not bots:
        return Standings((), (), ())
    likelihood = _Likelihood(groups, bots)
    best = likelihood.fit([likelihood.totals(likelihood.known_weights)], np.zeros(len(bots)))[0]
    rng = np.random.default_rng(seed)
    totals = [likelihood.totals(likelihood.draw_weights(rng)) for _ in range(num_resamples)]
    refits = likelihood.fit(totals, best)
    refits = best + _spread(len(groups) - len(bots) + 1) * (refits - best)
    place = None if anchor is None else bots.index(anchor)
    return _standings(
        groups, bots, _anchored(best, place, anchor_elo), _anchored(refits, place, anchor_elo)
    )


@dataclass(frozen=True, slots=True)
class _Sample:
    """A sample of the bootstrap, with its own weight.

    Attributes:
        table: columns of the bots at the table, sorted; a bot on two seats occurs twice.
        games: number of games.
        shares: column -> sum of that bot's win shares.
    """

    table: tuple[int, ...]
    games: float
    shares: dict[int, float]


_Totals = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The win shares of each bot, `[num_bots]`, and the games of each table, `[num_tables]`."""


class _Likelihood:
    """The log-likelihood of weighted samples: groups, games of the prior, unseen games.

    A table has few of the bots, so that sums over tables go over those that sit there: with 60 bots
    that takes a hundredth of the time.

    Attributes:
        known_weights: that give the rating: 1 for groups and games of the prior, 0 for unseen
            games, `[num_samples]`.
    """

    def __init__(self, groups: Sequence[MirroredGroup], bots: Sequence[str]) -> None:
        from scipy.sparse import csr_array  # loads for as long as all else that a list needs

        played = list(_group_samples(groups, bots))
        known = [*played, *_prior_samples(len(bots))]
        unseen = list(_unseen_samples(played, len(bots)))
        samples = [*known, *(sample for _, sample in unseen)]
        tables: dict[tuple[int, ...], int] = {}
        self.known_weights = (np.arange(len(samples)) < len(known)).astype(float)
        self._num_known = len(known)
        self._num_bots = len(bots)
        self._owner_of = np.array([owner for owner, _ in unseen], dtype=np.intp)
        self._table_of = np.array([tables.setdefault(s.table, len(tables)) for s in samples])
        self._games = np.array([sample.games for sample in samples])
        # Who won how much of which sample; most bots have nothing of one.
        won = [(row, *each) for row, sample in enumerate(samples) for each in sample.shares.items()]
        rows, winners, shares = zip(*won, strict=True)
        self._sample_of, self._winners = np.array(rows, np.intp), np.array(winners, np.intp)
        self._shares = np.array(shares, float)
        counts = [Counter(table) for table in tables]
        shape = (max(map(len, counts)), len(counts))
        # The bots of each table and how many seats they have there, `[members, num_tables]`; in
        # places left over, none.
        self._members, self._seats = np.zeros(shape, dtype=np.intp), np.zeros(shape)
        for column, count in enumerate(counts):
            self._members[: len(count), column] = list(count)
            self._seats[: len(count), column] = list(count.values())
        places = self._members.ravel()
        self._summing = csr_array(
            (np.ones(len(places)), (places, np.arange(len(places)))),
            shape=(self._num_bots + 1, len(places)),
        )

    def draw_weights(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw the weights of a refit, `[num_samples]`."""
        # The unseen games of a pair are those of both bots, so each has half of them.
        unseen = rng.gamma(UNSEEN_GAMES / 2, size=2 * self._num_bots)
        return np.concatenate([rng.exponential(size=self._num_known), unseen[self._owner_of]])

    def totals(self, weights: NDArray[np.float64]) -> _Totals:
        """Return what a fit needs to know of weighted samples.

        Args:
            weights: of the samples, `[num_samples]`.
        """
        games = np.bincount(self._table_of, weights * self._games, self._members.shape[1])
        won = weights[self._sample_of] * self._shares
        shares = np.bincount(self._winners, won, self._num_bots + 1)[:-1]
        return shares.astype(np.float64), games.astype(np.float64)

    def fit(self, totals: Sequence[_Totals], start: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the most likely log strengths of the bots in each fit; the virtual bot's is 0.

        Args:
            totals: of each fit.
            start: log strengths to begin with, `[num_bots]`.

        Returns:
            `[num_fits, num_bots]`.
        """
        rows = max(1, CHUNK // self._members.size)
        parts = [totals[first : first + rows] for first in range(0, len(totals), rows)]
        return np.concatenate([self._fit(part, start).T for part in parts])

    def _fit(self, totals: Sequence[_Totals], start: NDArray[np.float64]) -> NDArray[np.float64]:
        """Fit all at once by Newton's method, with steps so short that each is a gain.

        Returns:
            `[num_bots, num_fits]`: in all arrays the fits come last, so that sums over the few
            members of a table add up long rows.
        """
        shares, games = (np.stack(each, axis=-1) for each in zip(*totals, strict=True))
        tolerance = TOLERANCE * games.sum(axis=0)
        theta = np.repeat(start[:, np.newaxis], len(totals), axis=1)
        for _ in range(MAX_STEPS):
            expected = self._expected(theta)
            weights = games * expected
            excess = self._by_bot(weights) - shares
            step = self._step(expected, weights, excess)
            # The third derivative is at most `reach` times the second (Sun and Tran-Dinh).
            reach = np.maximum(step.max(axis=0), 0) - np.minimum(step.min(axis=0), 0)
            theta -= np.log1p(reach) / np.maximum(reach, TINY) * step
            if (np.abs(excess).max(axis=0) <= tolerance).all() and (reach <= LAST_STEP).all():
                return theta
        raise RuntimeError(f"the ratings are not found in {MAX_STEPS} steps")

    def _step(
        self,
        expected: NDArray[np.float64],
        weights: NDArray[np.float64],
        excess: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Divide the first derivatives by the second ones, with conjugate gradients.

        They need products with the matrix of second derivatives alone, which are sums over tables;
        to factorize it takes the cube of the number of bots. Each bot's own second derivative is
        the preconditioner. A step that is not exact after `MAX_TURNS` rounds for each bot still
        leads uphill, and Newton's method goes on from there.

        Args:
            expected: win shares, `[members, num_tables, num_fits]`.
            weights: those times the games.
            excess: expected less observed wins, `[num_bots, num_fits]`.

        Returns:
            `[num_bots, num_fits]`.
        """
        own = np.maximum(self._by_bot(weights * (1 - expected)), TINY)
        step, rest = np.zeros_like(excess), excess.copy()
        direction = scaled = rest / own
        size = (rest * scaled).sum(axis=0)
        goal = STEP_TOLERANCE**2 * size
        for _ in range(MAX_TURNS * self._num_bots):
            if (size <= goal).all():
                break
            moved = self._at_tables(direction, 0.0)
            moved -= (expected * moved).sum(axis=0)
            product = self._by_bot(weights * moved)
            # Fits that have no rest any more stay where they are.
            length = size / np.maximum((direction * product).sum(axis=0), SMALLEST)
            step += length * direction
            rest -= length * product
            scaled = rest / own
            size, last = (rest * scaled).sum(axis=0), size
            direction = scaled + size / np.maximum(last, SMALLEST) * direction
        return step

    def _expected(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the expected win share of each bot of a table, `[members, tables, num_fits]`."""
        strengths = self._seats[..., np.newaxis] * self._at_tables(np.exp(theta), 1.0)
        return np.asarray(strengths / strengths.sum(axis=0))

    def _at_tables(self, values: NDArray[np.float64], virtual: float) -> NDArray[np.float64]:
        """Take what belongs to bots, `[num_bots, num_fits]`, to the places where they sit.

        Args:
            values: of the bots.
            virtual: value of the virtual bot.

        Returns:
            `[members, num_tables, num_fits]`.
        """
        return np.vstack([values, np.full((1, values.shape[1]), virtual)])[self._members]

    def _by_bot(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add up what the bots have at tables, `[members, num_tables, num_fits]`, by bot."""
        summed = self._summing @ values.reshape(-1, values.shape[-1])
        return np.asarray(summed[:-1])


def _group_samples(groups: Sequence[MirroredGroup], bots: Sequence[str]) -> Iterator[_Sample]:
    column = {bot: i for i, bot in enumerate(bots)}
    for group in groups:
        if len(set(group.seating)) == 1:  # a bot against itself tells nothing of its strength
            continue
        games = len(group.games)
        yield _Sample(
            tuple(sorted(column[bot] for bot in group.seating)),
            games,
            {column[bot]: group.share(bot) * games for bot in set(group.seating)},
        )


def _prior_samples(num_bots: int) -> Iterator[_Sample]:
    """Add a win and a loss of each bot against the virtual bot, which has the last column."""
    for bot in range(num_bots):
        for winner in (bot, num_bots):
            yield _Sample((bot, num_bots), PRIOR_GAMES / 2, {winner: PRIOR_GAMES / 2})


def _unseen_samples(played: Sequence[_Sample], num_bots: int) -> Iterator[tuple[int, _Sample]]:
    """Yield a won and a lost game of each bot, divided among its tables as those it played.

    Yields:
        (owner, part of the game): the parts of one game have one owner, so that they get one
        weight.
    """
    games: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(num_bots)]
    for sample in played:
        for bot in set(sample.table):
            games[bot][sample.table] += int(sample.games)
    for bot, tables in enumerate(games):
        for table, count in sorted(tables.items()):
            part = count / tables.total()
            others = [other for other in table if other != bot]
            lost = {other: part * others.count(other) / len(others) for other in others}
            yield 2 * bot, _Sample(table, part, {bot: part})
            yield 2 * bot + 1, _Sample(table, part, lost)


def _spread(freedom: int) -> float:
    """Return by how much the refits are too narrow for intervals of so few groups.

    Args:
        freedom: groups less the differences of ratings that are fitted to them.
    """
    freedom = max(freedom, 2)
    from scipy.special import ndtri, stdtrit  # imported here for the same reason

    student: float = stdtrit(freedom, 0.975) / ndtri(0.975)
    return student * math.sqrt((freedom + 2) / freedom)


def _anchored(
    theta: NDArray[np.float64], place: int | None, anchor_elo: float
) -> NDArray[np.float64]:
    """Turn log strengths, `[..., num_bots]`, into Elo relative to the anchor."""
    elo = theta * ELO_PER_NAT
    zero = elo.mean(axis=-1) if place is None else elo[..., place]
    return elo - zero[..., np.newaxis] + anchor_elo


def _standings(
    groups: Sequence[MirroredGroup],
    bots: Sequence[str],
    elo: NDArray[np.float64],
    refits: NDArray[np.float64],
) -> Standings:
    low, high = np.quantile(refits, [0.025, 0.975], axis=0)
    num_groups, num_games = Counter[str](), Counter[str]()
    shares: defaultdict[str, float] = defaultdict(float)
    for group in groups:
        for bot in sorted(set(group.seating)):
            num_groups[bot] += 1
            num_games[bot] += len(group.games)
            shares[bot] += group.share(bot) * len(group.games)
    order = sorted(range(len(bots)), key=lambda i: (-elo[i], bots[i]))
    ratings = tuple(
        Rating(
            bots[i],
            float(elo[i]),
            float(low[i]),
            float(high[i]),
            num_groups[bots[i]],
            num_games[bots[i]],
            shares[bots[i]] / num_games[bots[i]],
        )
        for i in order
    )
    ordered = refits[:, order]
    superiority, errors = [], []
    for column in ordered.T:  # not all at once, which for 1,000 bots takes gigabytes
        differences = column[:, np.newaxis] - ordered
        above = (np.sign(differences).mean(axis=0) + 1) / 2  # ties count one half
        superiority.append(tuple(above.tolist()))
        errors.append(tuple(differences.std(axis=0, ddof=1).tolist()))
    return Standings(ratings, tuple(superiority), tuple(errors))
