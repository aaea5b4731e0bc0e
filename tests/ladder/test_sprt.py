"""The sequential test agrees with fastchess, keeps its error rates and stops by itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.sprt import Sprt, Verdict, expected_share, log_likelihood_ratio


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    [
        # "logistic pentanomial" 1 and 2 of Disservin/fastchess: app/tests/sprt_test.cpp, with
        # pairs LL, LD, WL + DD, WD, WW.
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
        # "logistic trinomial" 1 and 2: single games lost, drawn, won.
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0.0, 2.0, -2.59),
    ],
)
def test_the_llr_is_that_of_fastchess(
    pairs: tuple[int, ...], elo0: float, elo1: float, llr: float
) -> None:
    counts = {i / (len(pairs) - 1): count for i, count in enumerate(pairs)}
    shares = expected_share(elo0), expected_share(elo1)
    assert log_likelihood_ratio(counts, *shares) == pytest.approx(llr, abs=0.01)


def test_the_llr_of_many_groups_is_that_of_its_normal_approximation() -> None:
    counts = {0.0: 150, 0.25: 900, 0.5: 1800, 0.75: 950, 1.0: 200}
    values, weights = np.array(list(counts)), np.array(list(counts.values()))
    mean = np.average(values, weights=weights)
    variance = np.average((values - mean) ** 2, weights=weights)
    share0, share1 = expected_share(0), expected_share(5)
    normal = weights.sum() * (share1 - share0) * (2 * mean - share0 - share1) / (2 * variance)
    assert log_likelihood_ratio(counts, share0, share1) == pytest.approx(normal, rel=0.01)


def test_exchanging_the_bots_turns_the_llr_around() -> None:
    shares = [0.0, 0.25, 0.75, 1.0, 1.0, 0.5, 0.75]
    forwards = Sprt(-20, 30).add_all(shares)
    backwards = Sprt(-30, 20).add_all(1 - share for share in shares)
    assert forwards.llr == pytest.approx(-backwards.llr)


def test_the_bounds_are_those_of_wald() -> None:
    status = Sprt(0, 5, alpha=0.05, beta=0.1).status()
    assert status.lower == pytest.approx(math.log(0.1 / 0.95))
    assert status.upper == pytest.approx(math.log(0.9 / 0.05))
    assert (status.num_groups, status.llr, status.verdict) == (0, 0, None)


def pair_share(rng: np.random.Generator, share: float) -> float:
    """Mean share of two games that share their luck: the deal helps one seat, a fifth are drawn."""
    luck = rng.uniform(-0.25, 0.25)
    results = rng.random(2)
    chances = share + np.array([luck, -luck])
    draws = 0.4 * np.minimum(chances, 1 - chances)
    wins = results < chances - draws / 2
    drawn = ~wins & (results < chances + draws / 2)
    return float((wins + drawn / 2).mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("elo", "wrong"), [(0.0, Verdict.ELO1), (80.0, Verdict.ELO0)], ids=["alpha", "beta"]
)
def test_wrong_verdicts_are_as_rare_as_promised(elo: float, wrong: Verdict) -> None:
    rng = np.random.default_rng(12)
    share = expected_share(elo)
    num_wrong, num_tests = 0, 100
    for _ in range(num_tests):
        test = Sprt(0, 80, alpha=0.1, beta=0.1)
        while (status := test.add(pair_share(rng, share))).verdict is None:
            pass
        num_wrong += status.verdict is wrong
    # 10 of 100 are promised; more than 18 would be seen in 1 of 200 runs.
    assert 1 <= num_wrong <= 18


def test_a_verdict_stands_whatever_comes_after() -> None:
    test = Sprt(0, 100)
    while (status := test.add(1.0 if test.status().num_groups % 3 else 0.75)).verdict is None:
        pass
    assert status.verdict is Verdict.ELO1
    assert status.llr >= status.upper
    later = test.add_all([0.0] * 100)
    assert later.llr < later.lower
    assert later.verdict is Verdict.ELO1


def test_a_resumed_test_is_the_same() -> None:
    shares = [0.5, 1.0, 0.25, 0.75, 0.75]
    test = Sprt()
    for share in shares:
        test.add(share)
    assert Sprt().add_all(shares) == test.status()


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_groups_that_are_all_alike_end_a_test(share: float) -> None:
    test = Sprt(-10, 20)
    for _ in range(3000):
        if (status := test.add(share)).verdict:
            break
    assert status.verdict is (Verdict.ELO1 if share == 1 else Verdict.ELO0)


def test_five_values_are_counted_for_two_seats() -> None:
    status = Sprt().add_all([0.5, 0.75, 0.5])
    assert status.counts == ((0.0, 0), (0.25, 0), (0.5, 2), (0.75, 1), (1.0, 0))
    assert status.share == pytest.approx(1.75 / 3)


def test_graded_returns_add_values() -> None:
    status = Sprt().add_all([0.6, 0.1 + 0.2, 0.3])
    assert dict(status.counts)[0.3] == 2
    assert math.isfinite(status.llr)


def test_at_larger_tables_an_equal_share_is_no_difference() -> None:
    assert expected_share(0, 4) == 0.25
    assert expected_share(400, 3) == pytest.approx(10 / 12)
    shares = [0.25] * 40 + [0.0] * 20 + [0.5] * 20
    assert Sprt(-50, 50, num_seats=4).add_all(shares).llr == pytest.approx(0, abs=1)
    assert Sprt(-50, 50, num_seats=2).add_all(shares).verdict is Verdict.ELO0


def test_bounds_without_room_for_a_test_are_refused() -> None:
    with pytest.raises(InputError, match="elo0"):
        Sprt(5, 5)
    with pytest.raises(InputError, match="alpha"):
        Sprt(alpha=0.6, beta=0.4)
    with pytest.raises(InputError, match="alpha"):
        Sprt(alpha=0.0)
    with pytest.raises(InputError, match="seats"):
        Sprt(num_seats=1)
