"""Best of many: finds the strongest of several bots in few games, with a stated error.

*Which games.* Two bots meet in a mirrored group, chosen by top-two Thompson sampling: from all
results so far comes a distribution of the strengths; one draw of it names the leader, another one
the challenger, the strongest of those that are not settled against the leader yet. So the games go
where the decision is open, and weak bots get few.

*Evidence.* What counts are the direct meetings of two bots, in the order of the groups. Each has a
lower confidence bound for its mean advantage over the other, the win share less the part of the
seats, that holds at all times at once: a bet that the mean is above a value grows by
`1 + c (share / value - 1)` with each group, and is fair if the mean is that value; the bound is the
least value against which the mean of the bets with several `c` is below (bots - 1) / error. By
Ville's inequality all bounds of the others against the best bot hold at once with the wanted
confidence, whatever the shape of the results, however games were chosen and whenever one looks.

*Verdict.* A bot is out when the bound of one still in is above 0. The race ends when one is left,
or when the leader's bounds against all that are left are above minus the margin. The pick is then
as good as the best, or loses to it by at most the margin. The best is a bot that is no worse than
any other in their meetings; if there is none, as among rock, paper and scissors, the pick only has
beaten those that it met.

Sources: Russo 2016, "Simple Bayesian Algorithms for Best Arm Identification"; Waudby-Smith and
Ramdas 2024, "Estimating Means of Bounded Random Variables by Betting"; Yue, Broder, Kleinberg and
Joachims 2012, "The K-armed Dueling Bandits Problem".
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError
from kingmaker.search.draws import digest

from .blas import one_thread
from .pairing import Group, distinct, group_of, round_robin
from .ratings import ELO_PER_NAT
from .sprt import MAX_ELO, expected_share

STAKES = 0.5 ** np.arange(7)[:, np.newaxis] * 0.96
"""Parts of the wealth that the bets stake, `[num_bets, 1]`; all below 1, so that none is ruined."""
PRIOR_ELO = 200.0
"""Standard deviation of the strengths before any game."""
GAMES_PER_GROUP = 2.0  # in the distribution of the strengths
NO_BOUND = -0.5
BOUND_ERROR = 1e-6
NEWTON_STEPS = 20
NEWTON_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class RaceStatus:
    """The status of a race.

    Attributes:
        num_groups: that count so far.
        pick: the bot that is likely to be the strongest.
        alive: the bots that are not out, the pick first.
        deficit: by at most how much the pick loses to the best, in Elo, with the confidence of the
            race; 0: it is the best; infinite: nothing is known yet.
        is_decided: whether the race has ended.
    """

    num_groups: int
    pick: str
    alive: tuple[str, ...]
    deficit: float
    is_decided: bool


class Race:
    """A pairing that finds the best bot; for use as `pairing.Pairing`.

    Attributes:
        bots: names of the bots.
        num_groups: most groups; None: as many as the verdict takes.
    """

    def __init__(
        self,
        bots: Sequence[str],
        num_seats: int = 2,
        *,
        margin: float = 20.0,
        error: float = 0.05,
        seed: int = 0,
        num_groups: int | None = None,
    ) -> None:
        """Begin a race.

        Args:
            bots: names, all different, at least two.
            num_seats: of the game.
            margin: by which the pick may be worse than the best, in Elo; above 0, as the race among
                equals would never end.
            error: probability of a wrong pick.
            seed: decides who plays whom, the seatings and the deals.
            num_groups: most groups; None: as many as the verdict takes.

        Raises:
            InputError: an argument is out of range.
        """
        if not 0 < margin <= MAX_ELO:
            raise InputError(
                f"margin {margin} must be above 0 and at most {MAX_ELO} Elo", field="margin"
            )
        if not 0 < error < 0.5:
            raise InputError(f"error {error} must be above 0 and below 0.5", field="error")
        self.bots = distinct(bots)
        self.num_groups = num_groups
        self._num_seats = num_seats
        self._seed = seed
        self._margin_elo = margin
        self._margin = expected_share(margin) - 0.5
        self._enough = math.log((len(self.bots) - 1) / error)
        self._place = {bot: place for place, bot in enumerate(self.bots)}
        number = len(self.bots)
        self._strengths = _Strengths(number)
        self._alive = list(range(number))
        self._is_settled = np.zeros((number, number), dtype=bool)
        self._meetings: defaultdict[tuple[int, int], Counter[tuple[float, float]]] = defaultdict(
            Counter
        )
        self._bounds: dict[tuple[int, int], float] = {}  # that were computed since the last change
        self._num_counted = 0

    @property
    def is_decided(self) -> bool:
        """Whether the race has ended."""
        return self._winner() is not None

    def begin(self, bots: tuple[str, ...]) -> None:
        """Take note of a group in play, which changes nothing."""

    def finish(self, bots: tuple[str, ...], share: float) -> None:
        """Use a result, in whatever order it came, to choose the next groups.

        Args:
            bots: by seat in rotation 0.
            share: mean win share of the first one in the group.
        """
        one, other = self._pair(bots)
        self._strengths.add(one, other, share + 0.5 - _part(bots))

    def count(self, bots: tuple[str, ...], share: float) -> None:
        """Count a result as evidence; in the order of the groups, without gaps.

        Arguments as in `finish`.
        """
        if self.is_decided:
            return
        self._num_counted += 1
        one, other = self._pair(bots)
        part = _part(bots)
        self._meetings[one, other][share, part] += 1
        self._meetings[other, one][1 - share, 1 - part] += 1
        for winner, loser in ((one, other), (other, one)):
            self._bounds.pop((winner, loser), None)
            if self._is_shown(winner, loser, -self._margin):
                self._is_settled[winner, loser] = True
            both = winner in self._alive and loser in self._alive
            if both and self._is_shown(winner, loser, 0.0):
                self._alive.remove(loser)

    def group(self, index: int) -> Group:
        """Choose the group of number `index`, from 0.

        Raises:
            IndexError: `index` is beyond the end of the list.
        """
        if self.num_groups is not None and index >= self.num_groups:
            raise IndexError(f"group {index} of a race of {self.num_groups}")
        rng = np.random.default_rng(digest("race", self._seed, index))
        leader = self._best_of(self._alive, rng)
        others = [place for place in range(len(self.bots)) if place != leader]
        alive = [place for place in others if place in self._alive] or others
        unsettled = [place for place in alive if not self._is_settled[leader, place]] or alive
        challenger = self._best_of(unsettled, rng)
        pair = (self.bots[leader], self.bots[challenger])
        bots = round_robin(pair, self._num_seats, seed=self._seed).group(index).bots
        return self.again(index, bots)

    def again(self, index: int, bots: tuple[str, ...]) -> Group:
        """Return a group that was begun before, with its seeds."""
        return group_of(index, bots, self._seed)

    def status(self) -> RaceStatus:
        """Return the status of the race."""
        winner = self._winner()
        pick = self._likeliest() if winner is None else winner
        others = [place for place in self._alive if place != pick]
        bounds = [self._bound(pick, other) for other in others]
        worst = min(bounds, default=0.0)
        deficit = math.inf if worst <= NO_BOUND else max(0.0, -_elo_of(0.5 + worst))
        if winner is not None:  # it was settled then, though later groups may have widened a bound
            deficit = min(deficit, self._margin_elo)
        names = tuple(self.bots[place] for place in (pick, *others))
        return RaceStatus(self._num_counted, names[0], names, deficit, winner is not None)

    def _pair(self, bots: tuple[str, ...]) -> tuple[int, int]:
        other = next(bot for bot in bots if bot != bots[0])
        return self._place[bots[0]], self._place[other]

    def _winner(self) -> int | None:
        """Return the bot that is settled against all that are left, if there is one."""
        settled = [
            place
            for place in self._alive
            if all(self._is_settled[place, other] for other in self._alive if other != place)
        ]
        means = self._strengths.means
        return max(settled, key=lambda place: means[place], default=None)

    def _likeliest(self) -> int:
        means = self._strengths.means
        return max(self._alive, key=lambda place: means[place])

    def _best_of(self, places: Sequence[int], rng: np.random.Generator) -> int:
        """Draw strengths, and return the strongest of some bots."""
        drawn = self._strengths.draw(rng)
        return max(places, key=lambda place: drawn[place])

    def _is_shown(self, one: int, other: int, advantage: float) -> bool:
        """Whether one's advantage over another is shown to be larger than a value."""
        return self._wealth(one, other, advantage) >= self._enough

    def _bound(self, one: int, other: int) -> float:
        """Return the lower confidence bound for one's advantage over another."""
        if (one, other) not in self._bounds:
            self._bounds[one, other] = self._find_bound(one, other)
        return self._bounds[one, other]

    def _find_bound(self, one: int, other: int) -> float:
        parts = [part for _, part in self._meetings[one, other]]
        if not parts:
            return NO_BOUND
        low, high = BOUND_ERROR - min(parts), 1 - BOUND_ERROR - max(parts)

        def missing(advantage: float) -> float:
            return self._wealth(one, other, advantage) - self._enough

        if missing(low) < 0:
            return NO_BOUND
        if missing(high) >= 0:
            return high
        from scipy.optimize import brentq  # loads for longer than all that other ladders need

        return float(brentq(missing, low, high, xtol=BOUND_ERROR))

    def _wealth(self, one: int, other: int, advantage: float) -> float:
        """Return the logarithm of the mean wealth of the bets on more than an advantage."""
        meetings = self._meetings[one, other]
        if not meetings:
            return 0.0
        shares, parts = np.array(list(meetings)).T
        counts = np.array(list(meetings.values()))
        grown = np.log1p(STAKES * (shares / (parts + advantage) - 1)) @ counts
        return float(np.logaddexp.reduce(grown)) - math.log(len(STAKES))


class _Strengths:
    """A normal approximation to the distribution of the log strengths, given all results.

    Args:
        number: of bots.
    """

    def __init__(self, number: int) -> None:
        self._games = np.zeros((number, number))
        self._won = np.zeros((number, number))
        self._means = np.zeros(number)
        self._factor: NDArray[np.float64] = np.eye(number)
        self._is_current = False

    def add(self, one: int, other: int, share: float) -> None:
        """Use a group of two bots; `share` is what the first one won of equal seats."""
        share = min(max(share, 0.0), 1.0)
        self._games[one, other] += GAMES_PER_GROUP
        self._games[other, one] += GAMES_PER_GROUP
        self._won[one, other] += GAMES_PER_GROUP * share
        self._won[other, one] += GAMES_PER_GROUP * (1 - share)
        self._is_current = False

    @property
    def means(self) -> NDArray[np.float64]:
        """The means of the log strengths, `[num_bots]`."""
        self._fit()
        return self._means

    def draw(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw log strengths, `[num_bots]`."""
        self._fit()
        noise = rng.standard_normal(len(self._means))
        with one_thread(len(self._means)):
            return self._means + np.asarray(np.linalg.solve(self._factor.T, noise))

    def _fit(self) -> None:
        """Find the likeliest strengths by Newton's method, and the curvature there."""
        if self._is_current:
            return
        self._is_current = True
        with one_thread(len(self._means)):
            self._find_means()

    def _find_means(self) -> None:
        prior = (ELO_PER_NAT / PRIOR_ELO) ** 2
        for _ in range(NEWTON_STEPS):
            expected = 1 / (1 + np.exp(self._means - self._means[:, np.newaxis]))
            gradient = (self._won - self._games * expected).sum(axis=1) - prior * self._means
            weights = self._games * expected * (1 - expected)
            curvature = np.diag(weights.sum(axis=1) + prior) - weights
            step = np.linalg.solve(curvature, gradient)
            self._means = self._means + step / max(1.0, float(np.abs(step).max()))
            if float(np.abs(step).max()) < NEWTON_TOLERANCE:
                break
        self._factor = np.asarray(np.linalg.cholesky(curvature))


def _part(bots: tuple[str, ...]) -> float:
    """Return the part of the seats that the first bot holds."""
    return bots.count(bots[0]) / len(bots)


def _elo_of(share: float) -> float:
    """Return the difference in Elo at which a bot has a win share in (0, 1)."""
    return ELO_PER_NAT * math.log(share / (1 - share))
