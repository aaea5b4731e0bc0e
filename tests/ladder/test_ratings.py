"""The fit finds known strengths, whatever the order of the results, and is honest about doubt."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kingmaker.benchmarks.intervals import Mix, coverage
from kingmaker.cext.errors import InputError
from kingmaker.ladder import ratings
from kingmaker.ladder.pairing import round_robin
from kingmaker.ladder.race import Race
from kingmaker.ladder.ratings import ELO_PER_NAT, Rating, Standings, rate
from kingmaker.ladder.results import MirroredGroup, Result, mirrored_groups, rotations

STEP = 80.0
"""Elo between two neighbours of the simulated bots."""


def pair(name: str, first: float, second: float, bots: Sequence[str] = "ab") -> list[Result]:
    """What the first bot got in the two games of a group."""
    one, two = bots
    return [
        Result(name, (one, two), (first, 1 - first)),
        Result(name, (two, one), (1 - second, second)),
    ]


def simulated(num_bots: int, num_seats: int, num_groups: int) -> list[Result]:
    """Play a round robin of bots of known strength; the first is the strongest."""
    rng = np.random.default_rng(5)
    schedule = round_robin([f"bot{i}" for i in range(num_bots)], num_seats, seed=5)
    strength = {bot: 10 ** (-i * STEP / 400) for i, bot in enumerate(schedule.bots)}
    results = []
    for index in range(num_groups):
        for bots in rotations(schedule.group(index).bots):
            chances = np.array([strength[bot] for bot in bots])
            winner = rng.choice(num_seats, p=chances / chances.sum())
            returns = tuple(float(seat == winner) for seat in range(num_seats))
            results.append(Result(f"group{index}", bots, returns))
    return results


def rating(standings: Standings, bot: str) -> Rating:
    return next(each for each in standings.ratings if each.bot == bot)


def expected_share(standings: Standings, bot: str, groups: Sequence[MirroredGroup]) -> float:
    """Sum what the model expects of a bot, by its definition."""
    strength = {each.bot: 10 ** (each.elo / 400) for each in standings.ratings}
    return math.fsum(
        game.bots.count(bot) * strength[bot] / sum(strength[other] for other in game.bots)
        for group in groups
        for game in group.games
    )


@pytest.mark.parametrize(("num_bots", "num_seats"), [(5, 2), (5, 3), (6, 4), (3, 4)])
def test_known_strengths_are_found(num_bots: int, num_seats: int) -> None:
    groups = mirrored_groups(simulated(num_bots, num_seats, 600))
    standings = rate(groups, anchor="bot0", num_resamples=40)
    assert [each.bot for each in standings.ratings] == [f"bot{i}" for i in range(num_bots)]
    for place, each in enumerate(standings.ratings):
        assert each.elo == pytest.approx(-STEP * place, abs=40)
        assert each.low <= each.elo <= each.high


def test_bots_that_lost_no_game_of_thousands_are_fitted_too() -> None:
    results = [
        result
        for index in range(3000)
        for bots in ("ab", "bc", "cd")
        for result in pair(f"{bots}{index}", 1.0, 1.0, bots)
    ]
    groups = mirrored_groups(results)
    standings = rate(groups, num_resamples=20)
    assert [each.bot for each in standings.ratings] == list("abcd")
    for each in standings.ratings:
        got = sum(group.share(each.bot) * 2 for group in groups if each.bot in group.seating)
        # The prior moves a game, and the fit stops a little before it is exact.
        assert expected_share(standings, each.bot, groups) == pytest.approx(got, abs=1.01)
        assert each.low < each.elo < each.high


def test_a_bot_with_few_games_in_a_large_ladder_is_fitted_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = [r for i in range(5000) for r in pair(f"{i}", 1, 0.5)]
    results += pair("few", 1, 1, "bc")
    groups = mirrored_groups(results)
    found = rate(groups, anchor="a", num_resamples=20)
    monkeypatch.setattr(ratings, "TOLERANCE", 1e-11)
    monkeypatch.setattr(ratings, "LAST_STEP", 1e-7)
    monkeypatch.setattr(ratings, "STEP_TOLERANCE", 1e-10)
    exact = rate(groups, anchor="a", num_resamples=20)
    for one, other in zip(found.ratings, exact.ratings, strict=True):
        assert one.elo == pytest.approx(other.elo, abs=1e-3)
        assert one.low == pytest.approx(other.low, abs=1e-3)


def test_a_long_chain_of_bots_is_fitted() -> None:
    results = [
        r
        for n in range(39)
        for i in range(300)
        for r in pair(f"{n}-{i}", 1, 1, (f"{n}", f"{n + 1}"))
    ]
    found = rate(mirrored_groups(results), anchor="20", num_resamples=2)
    assert [each.bot for each in found.ratings] == [f"{n}" for n in range(40)]
    gaps = [one.elo - two.elo for one, two in itertools.pairwise(found.ratings)]
    assert min(gaps) > 100
    assert gaps == pytest.approx(gaps[::-1], abs=0.1)  # as the results are the same from both ends


def test_many_bots_that_all_have_met_are_rated_in_seconds() -> None:
    bots = [f"{n:02}" for n in range(60)]
    meetings = itertools.combinations(bots, 2)
    results = [r for i, two in enumerate(meetings) for r in pair(f"{i:04}", i % 3 / 2, 0.5, two)]
    groups = mirrored_groups(results)
    began = time.process_time()
    assert len(rate(groups, num_resamples=100).ratings) == 60
    assert time.process_time() - began < 5


def test_a_thousand_bots_are_rated_in_seconds() -> None:
    bots = [f"{n:03}" for n in range(1000)]
    meetings = [(bot, bots[i - step]) for step in (1, 7, 50) for i, bot in enumerate(bots)]
    results = [r for i, two in enumerate(meetings) for r in pair(f"{i:04}", i % 3 / 2, 0.5, two)]
    groups = mirrored_groups(results)
    began = time.process_time()
    assert len(rate(groups, num_resamples=50).ratings) == 1000
    assert time.process_time() - began < 5


def test_refits_do_not_depend_on_how_many_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = mirrored_groups(simulated(5, 4, 40))
    at_once = rate(groups, num_resamples=30)
    monkeypatch.setattr(ratings, "CHUNK", 1)
    for one, other in zip(at_once.ratings, rate(groups, num_resamples=30).ratings, strict=True):
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high))


@pytest.mark.parametrize("num_seats", [2, 4])
def test_ratings_predict_the_shares_that_they_were_made_of(num_seats: int) -> None:
    groups = mirrored_groups(simulated(5, num_seats, 200))
    standings = rate(groups, num_resamples=2)
    for each in standings.ratings:
        got = sum(
            group.share(each.bot) * num_seats for group in groups if each.bot in group.seating
        )
        # The prior moves at most one game.
        assert expected_share(standings, each.bot, groups) == pytest.approx(got, abs=1)


def test_two_bots_have_the_elo_of_their_score() -> None:
    results = [r for i in range(300) for r in pair(f"g{i}", 1, 0.5 if i % 2 else 0)]
    standings = rate(mirrored_groups(results), anchor="b", num_resamples=2)
    assert rating(standings, "a").elo == pytest.approx(400 * math.log10(0.625 / 0.375), abs=0.5)


def test_two_draws_are_worth_a_win_and_a_loss() -> None:
    drawn = [*pair("g1", 0.5, 0.5), *pair("g2", 1, 0.5)]
    decided = [*pair("g1", 1, 0), *pair("g2", 1, 0.5)]
    first, second = (rate(mirrored_groups(r), num_resamples=2) for r in (drawn, decided))
    assert [r.elo for r in first.ratings] == [r.elo for r in second.ratings]


def test_the_order_of_results_changes_nothing() -> None:
    results = simulated(5, 3, 60)
    shuffled = random.Random(1).sample(results, len(results))
    first, second = (rate(mirrored_groups(r), num_resamples=20) for r in (results, shuffled))
    assert first == second


def test_the_losers_of_a_table_are_not_taken_for_equals() -> None:
    winners = ["a" if index % 10 else "b" for index in range(200)]
    results = [
        Result(f"g{index}", bots, tuple(float(bot == winner) for bot in bots))
        for index, winner in enumerate(winners)
        for bots in rotations("abc")
    ]
    standings = rate(mirrored_groups(results), anchor="b", num_resamples=2)
    # a won nine times as often as b; that c lost with b in nine of ten groups says nothing of b.
    assert rating(standings, "a").elo == pytest.approx(ELO_PER_NAT * math.log(9), abs=10)
    assert rating(standings, "c").elo < -400


def test_the_anchor_stays_where_it_is_put() -> None:
    groups = mirrored_groups(simulated(4, 2, 40))
    anchor = rating(rate(groups, anchor="bot2", anchor_elo=1500, num_resamples=20), "bot2")
    assert (anchor.elo, anchor.low, anchor.high) == (1500, 1500, 1500)


def test_without_an_anchor_the_mean_is_anchored() -> None:
    standings = rate(mirrored_groups(simulated(4, 2, 40)), anchor_elo=100, num_resamples=20)
    assert np.mean([each.elo for each in standings.ratings]) == pytest.approx(100)


def test_a_bot_that_won_everything_is_rated_with_a_wide_interval() -> None:
    results = [r for i in range(50) for r in pair(f"g{i}", 1, 1)]
    best = rating(rate(mirrored_groups(results), anchor="b", num_resamples=300), "a")
    # At d nats, 100 / (1 + exp(d)) + 1 = 2 / (1 + exp(-d / 2)): d is 4.781.
    assert best.elo == pytest.approx(4.781 * ELO_PER_NAT, abs=0.5)
    assert best.low < best.elo - 75
    assert best.high > best.elo + 200


@pytest.mark.parametrize("is_alone", [False, True])
def test_games_of_a_bot_against_itself_change_nothing(is_alone: bool) -> None:
    others = [] if is_alone else [*pair("g1", 1, 0.5), *pair("g2", 1, 0)]
    own = [Result("g3", ("a", "a"), (1.0, 0.0)), Result("g3", ("a", "a"), (0.0, 1.0))]
    found = rating(rate(mirrored_groups([*others, *own]), num_resamples=50), "a")
    elo = 0.0 if is_alone else rating(rate(mirrored_groups(others), num_resamples=50), "a").elo
    assert found.elo == pytest.approx(elo, abs=1e-6)
    assert found.low < found.elo < found.high or is_alone


def test_bots_that_never_met_are_reported_apart_by_nothing() -> None:
    results = [*pair("g1", 1, 0.5), *pair("g2", 1, 0.5, "cd")]
    standings = rate(mirrored_groups(results), num_resamples=300)
    assert rating(standings, "a").elo == pytest.approx(rating(standings, "c").elo, abs=1e-3)
    assert standings.superiority[0][1] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("is_mirror_of_luck", [False, True])
def test_the_interval_is_that_of_independent_groups(is_mirror_of_luck: bool) -> None:
    rng = np.random.default_rng(3)
    results = []
    for index in range(300):
        first = float(rng.random() < 0.6)
        second = first if is_mirror_of_luck else float(rng.random() < 0.6)
        results += pair(f"g{index}", first, second)
    groups = mirrored_groups(results)
    standings = rate(groups, anchor="b", num_resamples=400)
    each = rating(standings, "a")
    shares = [group.share("a") for group in groups]
    slope = ELO_PER_NAT / (np.mean(shares) * (1 - np.mean(shares)))
    width = 2 * 1.96 * np.std(shares, ddof=1) / math.sqrt(len(shares)) * slope
    assert each.high - each.low == pytest.approx(width, rel=0.12)
    assert standings.errors[0][1] == pytest.approx(width / (2 * 1.96), rel=0.12)


def test_the_error_of_a_difference_leaves_out_how_far_the_anchor_is() -> None:
    results = [r for i in range(90) for r in pair(f"ab{i}", i % 2, 1 - i % 2)]
    results += [r for i in range(5) for r in pair(f"bc{i}", 1, i % 2, "bc")]
    standings = rate(mirrored_groups(results), anchor="c", num_resamples=300)
    errors = np.array(standings.errors)
    assert errors == pytest.approx(errors.T)
    assert np.diag(errors) == pytest.approx(0)
    place = {each.bot: i for i, each in enumerate(standings.ratings)}
    apart = errors[place["a"], place["b"]]
    assert apart < errors[place["a"], place["c"]] / 2
    first = rating(standings, "a")
    assert errors[place["a"], place["c"]] == pytest.approx((first.high - first.low) / 4, rel=0.3)


def test_superiority_is_sure_of_large_differences_and_unsure_of_none() -> None:
    results = [r for i in range(60) for r in pair(f"ab{i}", i % 2, 1 - i % 2)]
    results += [r for i in range(60) for r in pair(f"ac{i}", 1, i % 2, "ac")]
    results += [r for i in range(60) for r in pair(f"bc{i}", 1, i % 2, "bc")]
    standings = rate(mirrored_groups(results), num_resamples=200)
    table = np.array(standings.superiority)
    assert standings.ratings[2].bot == "c"
    assert table[0, 2] > 0.99
    assert 0.3 < table[0, 1] < 0.7
    assert table + table.T == pytest.approx(np.ones((3, 3)))
    assert np.diag(table) == pytest.approx(0.5)


def test_counts_are_those_of_complete_groups() -> None:
    results = [*pair("g1", 1, 0.5), *pair("g2", 0, 0.5), pair("g3", 1, 1)[0]]
    each = rating(rate(mirrored_groups(results), num_resamples=2), "a")
    assert (each.groups, each.games, each.share) == (2, 4, 0.5)


def test_graded_returns_are_shares_as_well() -> None:
    shares = [0.5, 0.25, 0.125, 0.125]
    results = [
        Result(f"g{i}", seats, tuple(shares["abcd".index(bot)] for bot in seats))
        for i in range(500)
        for seats in rotations("abcd")
    ]
    standings = rate(mirrored_groups(results), anchor="b", num_resamples=2)
    assert rating(standings, "a").elo == pytest.approx(400 * math.log10(2), abs=0.5)
    assert rating(standings, "d").elo == pytest.approx(-400 * math.log10(2), abs=0.5)


def test_nothing_is_rated_by_no_results() -> None:
    assert rate([]) == Standings((), (), ())


def test_an_anchor_that_did_not_play_is_refused() -> None:
    with pytest.raises(InputError, match="nobody"):
        rate(mirrored_groups(pair("g", 1, 0)), anchor="nobody")
    with pytest.raises(InputError, match="resamples"):
        rate(mirrored_groups(pair("g", 1, 0)), num_resamples=1)


def test_games_that_were_not_seen_widen_the_interval_and_move_no_rating() -> None:
    games = [("a", "b"), ("b", "a")]
    drawn = [Result(f"{n}", bots, (0.5, 0.5)) for n in range(30) for bots in games]
    found = rate(mirrored_groups(drawn), anchor="b", num_resamples=100)
    rating = next(each for each in found.ratings if each.bot == "a")
    assert rating.elo == pytest.approx(0, abs=1e-3)
    assert rating.high - rating.low > 15


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("mix", [Mix(5, 0.97, 40), Mix(0, 0.5, 10), Mix(600, 0.0, 40)])
def test_intervals_hold_with_few_groups_almost_only_draws_and_almost_only_wins(mix: Mix) -> None:
    """With the bootstrap alone they covered the true value in 88 to 91 of 100 cases."""
    assert coverage(mix, 200) >= 0.94 - 0.015  # one standard error of the simulation


def test_unseen_games_widen_the_interval_of_a_bot_that_won_all_around_its_rating() -> None:
    results = [
        r for i in range(30) for other in "bcd" for r in pair(f"{other}{i}", 1, 1, "a" + other)
    ]
    best = rating(rate(mirrored_groups(results), anchor="b", num_resamples=300), "a")
    assert best.low < best.elo - 100
    assert best.high > best.elo + 200


@pytest.fixture
def num_threads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Threads of linear algebra whenever a fit uses it, in a process that may use three."""
    found: list[int] = []
    solve = np.linalg.solve

    def watched(*matrices: Any) -> Any:
        found.extend(each["num_threads"] for each in threadpool_info())
        return solve(*matrices)

    monkeypatch.setattr(np.linalg, "solve", watched)
    return found


@pytest.mark.parametrize(("least_rows", "wanted"), [(3, 1), (4, 3)])
def test_large_fits_of_a_race_use_one_thread(
    num_threads: list[int], monkeypatch: pytest.MonkeyPatch, least_rows: int, wanted: int
) -> None:
    monkeypatch.setattr("kingmaker.ladder.blas.LEAST_ROWS", least_rows)
    with threadpool_limits(3):
        race = Race(["a", "b", "c"])
        race.finish(("a", "b"), 0.7)
        race.group(1)
        assert num_threads
        assert set(num_threads) == {wanted}
        assert {each["num_threads"] for each in threadpool_info()} == {3}
