"""Rows of results, complete groups, the cross table, seats and draws."""

from __future__ import annotations

import math

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.results import (
    Result,
    cross_table,
    mirrored_groups,
    num_draws,
    rotations,
    seat_shares,
)


def pair(group: str, first: float, second: float) -> list[Result]:
    """What `a` got in the two games of a group against `b`."""
    return [
        Result(group, ("a", "b"), (first, 1 - first)),
        Result(group, ("b", "a"), (1 - second, second)),
    ]


def test_rotations_give_each_bot_each_seat_once() -> None:
    assert rotations("abc") == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


@pytest.mark.parametrize(
    ("bots", "returns"),
    [
        (("a",), (1.0,)),
        (("a", "b"), (1.0,)),
        (("a", "b"), (0.7, 0.7)),
        (("a", "b"), (1.5, -0.5)),
        (("a", "b"), (math.nan, 1.0)),
    ],
)
def test_returns_that_are_no_shares_are_refused(
    bots: tuple[str, ...], returns: tuple[float, ...]
) -> None:
    with pytest.raises(InputError):
        Result("g", bots, returns)


def test_a_group_that_lacks_a_game_is_left_out() -> None:
    results = [*pair("g1", 1, 0), pair("g2", 1, 0)[0]]
    assert [group.name for group in mirrored_groups(results)] == ["g1"]


def test_games_of_a_group_that_are_no_rotations_of_each_other_are_refused() -> None:
    with pytest.raises(InputError, match="rotations"):
        mirrored_groups([Result("g", ("a", "b"), (1, 0)), Result("g", ("a", "c"), (1, 0))])


def test_groups_do_not_depend_on_the_order_of_results() -> None:
    results = [*pair("g2", 1, 0.5), *pair("g1", 0, 1)]
    assert mirrored_groups(results) == mirrored_groups(results[::-1])


def test_the_share_in_a_group_is_the_mean_over_its_games() -> None:
    (group,) = mirrored_groups(pair("g", 1, 0.5))
    assert group.share("a") == 0.75
    assert group.share("b") == 0.25


def test_a_bot_on_several_seats_has_the_shares_of_all() -> None:
    assert Result("g", ("a", "b", "a"), (0.5, 0.2, 0.3)).share("a") == pytest.approx(0.8)


def test_the_cross_table_counts_pairs_of_two_seats() -> None:
    cells = cross_table(mirrored_groups([*pair("g1", 1, 0.5), *pair("g2", 1, 0)]))
    cell = cells["a", "b"]
    assert (cell.groups, cell.games, cell.ahead, cell.level, cell.behind) == (2, 4, 2, 1, 1)
    assert cell.score == 2.5 / 4
    assert cells["b", "a"].score == 1.5 / 4


def test_the_cross_table_compares_two_bots_at_a_larger_table() -> None:
    results = [
        Result("g", seats, tuple(float(bot == winner) for bot in seats))
        for seats, winner in zip(rotations("abc"), "aac", strict=True)
    ]
    cell = cross_table(mirrored_groups(results))["a", "b"]
    assert (cell.ahead, cell.level, cell.behind) == (2, 1, 0)
    assert cell.score == 1


def test_bots_that_got_nothing_are_even() -> None:
    results = [Result("g", s, tuple(float(bot == "c") for bot in s)) for s in rotations("abc")]
    assert cross_table(mirrored_groups(results))["a", "b"].score == 0.5


def test_a_seat_that_always_wins_is_seen() -> None:
    results = [*pair("g1", 1, 0), *pair("g2", 1, 0)]
    first, second = seat_shares(mirrored_groups(results))
    assert (first.seat, first.share, first.margin) == (1, 1, 0)
    assert (second.seat, second.share) == (2, 0)


def test_one_group_has_no_margin() -> None:
    assert math.isnan(seat_shares(mirrored_groups(pair("g", 1, 0.5)))[0].margin)


def test_the_margin_of_a_seat_is_that_of_independent_groups() -> None:
    results = [*pair("g1", 1, 0), *pair("g2", 0, 1), *pair("g3", 1, 0), *pair("g4", 0.5, 0.5)]
    # Group means of seat 1 are 1, 0, 1, 1/2; their standard deviation is 0.4787.
    assert seat_shares(mirrored_groups(results))[0].margin == pytest.approx(0.4692, abs=1e-4)


def test_seats_of_tables_of_two_sizes_are_not_compared() -> None:
    results = [*pair("g1", 1, 0), *(Result("g2", s, (1, 0, 0)) for s in rotations("abc"))]
    with pytest.raises(InputError, match="all must have the same number"):
        seat_shares(mirrored_groups(results))


def test_a_draw_is_a_game_without_a_single_winner() -> None:
    assert num_draws(mirrored_groups([*pair("g1", 0.5, 1), *pair("g2", 0.5, 0.5)])) == 3
