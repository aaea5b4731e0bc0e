"""A sequential test whether one bot is better than another.

Two hypotheses about the difference of challenger and baseline are compared after each mirrored
group: it is `elo0`, or it is `elo1`. The logarithm of their likelihood ratio (LLR) begins at 0;
when it falls to log(beta / (1 - alpha)) the test accepts `elo0`, when it rises to log((1 - beta) /
alpha) it accepts `elo1` (Wald 1945). At most about `alpha` of the tests of a challenger that is no
better than `elo0` end with `elo1`, and at most about `beta` of those of one that is as good as
`elo1` end with `elo0`.

One observation is the challenger's mean win share in a group; for two seats that is half of the
points of a pair and takes the five values 0, 1/4, 1/2, 3/4, 1: the *pentanomial* model, which
accounts for the deal that the games of a pair have in common. The frequencies of the values depend
on more than the difference in Elo, so each hypothesis takes the frequencies of maximum likelihood
among those with its mean: the generalized test.

The Elo here is that of `ratings`. fishtest and fastchess call it logistic; their bounds in
normalized Elo are another unit.

Sources: Wald 1945, "Sequential Tests of Statistical Hypotheses"; Li, Liu and Ying 2016,
"Generalized Sequential Probability Ratio Test for Separate Families of Hypotheses"; Van den Bergh,
"The generalized maximum likelihood ratio for the expectation value of a distribution" (Proposition
1.1), the model of fishtest; Owen 2001, "Empirical Likelihood", for the bracket of the multiplier.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kingmaker.cext.errors import InputError

UNSEEN = 1e-3
"""Count of a value not observed yet, as in fishtest, so that no hypothesis excludes it."""
MAX_ELO = 2000
"""Largest difference; beyond it the expected win share is numerically 1."""
SHARE_DIGITS = 9
"""Decimals to which win shares are rounded to count as one value."""


class Verdict(StrEnum):
    """The hypothesis that a test accepts."""

    ELO0 = "elo0"
    ELO1 = "elo1"


@dataclass(frozen=True, slots=True)
class SprtStatus:
    """The status of a test.

    Attributes:
        num_groups: observed so far.
        llr: logarithm of the likelihood ratio; positive is for `elo1`.
        lower: at or below it the test accepts `elo0`.
        upper: at or above it the test accepts `elo1`.
        verdict: None while the test runs.
        counts: number of groups for each mean win share of the challenger, ascending; for two seats
            always of 0, 1/4, 1/2, 3/4 and 1.
        share: mean win share of the challenger; nan before the first group. After a verdict it is
            biased towards that verdict.
    """

    num_groups: int
    llr: float
    lower: float
    upper: float
    verdict: Verdict | None
    counts: tuple[tuple[float, int], ...]
    share: float


class Sprt:
    """A sequential test between two bots, fed one complete mirrored group at a time.

    The first bound that is reached decides: groups observed later change the LLR, but not the
    verdict. A test that is resumed must be fed in the same order.
    """

    def __init__(
        self,
        elo0: float = 0.0,
        elo1: float = 10.0,
        *,
        alpha: float = 0.05,
        beta: float = 0.05,
        num_seats: int = 2,
    ) -> None:
        """Begin a test.

        Args:
            elo0: difference of the null hypothesis.
            elo1: difference of the alternative hypothesis; larger.
            alpha: probability of accepting `elo1` although `elo0` is true.
            beta: probability of accepting `elo0` although `elo1` is true.
            num_seats: of the table; the challenger has one, the baseline the others.

        Raises:
            InputError: `elo0` is not below `elo1`, or alpha or beta is out of range.
        """
        if max(abs(elo0), abs(elo1)) > MAX_ELO:
            raise InputError(
                f"elo0 {elo0} and elo1 {elo1} must be {-MAX_ELO} to {MAX_ELO}", field="elo0"
            )
        if not elo0 < elo1:
            raise InputError(f"elo0 {elo0} must be smaller than elo1 {elo1}", field="elo0")
        if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
            raise InputError(
                f"alpha {alpha} and beta {beta} must be above 0 and together below 1",
                field="alpha",
            )
        if num_seats < 2:
            raise InputError(f"num_seats is {num_seats}; give 2 or more", field="num_seats")
        self.lower = math.log(beta / (1 - alpha))
        self.upper = math.log((1 - beta) / alpha)
        self._share0 = expected_share(elo0, num_seats)
        self._share1 = expected_share(elo1, num_seats)
        # Wins and draws of two seats give these values; graded returns may add others.
        halves = 2 * num_seats
        self._counts = Counter(
            {round(value / halves, SHARE_DIGITS): 0 for value in range(halves + 1)}
        )
        self._verdict: Verdict | None = None

    def add(self, share: float) -> SprtStatus:
        """Observe a group.

        Args:
            share: `MirroredGroup.share` of the challenger.
        """
        self._counts[round(share, SHARE_DIGITS)] += 1
        return self.status()

    def add_all(self, shares: Iterable[float]) -> SprtStatus:
        """Observe groups in their order."""
        for share in shares:
            self.add(share)
        return self.status()

    def status(self) -> SprtStatus:
        """Return the status of the test."""
        num_groups = self._counts.total()
        llr = log_likelihood_ratio(self._counts, self._share0, self._share1) if num_groups else 0.0
        if self._verdict is None and llr <= self.lower:
            self._verdict = Verdict.ELO0
        elif self._verdict is None and llr >= self.upper:
            self._verdict = Verdict.ELO1
        total = math.fsum(share * count for share, count in self._counts.items())
        return SprtStatus(
            num_groups,
            llr,
            self.lower,
            self.upper,
            self._verdict,
            tuple(sorted(self._counts.items())),
            total / num_groups if num_groups else math.nan,
        )


def expected_share(elo: float, num_seats: int = 2) -> float:
    """Return the expected win share of a bot that is better by `elo` than all others."""
    return 1 / (1 + (num_seats - 1) * 10 ** (-elo / 400))


def log_likelihood_ratio(counts: Mapping[float, float], share0: float, share1: float) -> float:
    """Return the LLR of the mean `share1` against the mean `share0`.

    Args:
        counts: how often each value was observed; some value must be smaller, and one larger, than
            both means. Values with count 0 count as `UNSEEN`.
        share0: mean of the null hypothesis, inside (0, 1).
        share1: mean of the alternative hypothesis.
    """
    values = list(counts)
    weights = [counts[value] or UNSEEN for value in values]
    total = math.fsum(weights)
    observed = [weight / total for weight in weights]
    ratios0, ratios1 = (_ratios(values, observed, share) for share in (share0, share1))
    return math.fsum(
        weight * (math.log(ratio0) - math.log(ratio1))
        for weight, ratio0, ratio1 in zip(weights, ratios0, ratios1, strict=True)
    )


def _ratios(values: list[float], observed: list[float], mean: float) -> list[float]:
    """Return observed / likeliest frequency of each value, given the mean `mean`.

    The likeliest frequencies are observed / (1 + m * (value - mean)), where the multiplier m makes
    the mean equal to `mean`.
    """
    gaps = [value - mean for value in values]

    def mean_gap(multiplier: float) -> float:
        return math.fsum(
            p * gap / (1 + multiplier * gap) for p, gap in zip(observed, gaps, strict=True)
        )

    from scipy.optimize import brentq  # loads for longer than all that other ladders need

    # No frequency is above 1, which holds for the extreme values exactly inside this bracket.
    last, first = gaps.index(max(gaps)), gaps.index(min(gaps))
    multiplier = brentq(
        mean_gap,
        (observed[last] - 1) / gaps[last],
        (observed[first] - 1) / gaps[first],
        xtol=1e-14,
    )
    return [1 + multiplier * gap for gap in gaps]
