"""Running ratings follow the games."""

from __future__ import annotations

import pytest

from kingmaker.ladder.live import LiveRatings
from kingmaker.ladder.results import Result


def test_nobody_is_shown_before_a_game() -> None:
    assert LiveRatings().standings() == []


def test_the_winner_rises_and_doubt_falls() -> None:
    ratings = LiveRatings()
    ratings.add(Result("g", ("a", "b"), (0, 1)))
    first, second = ratings.standings()
    assert (first.bot, second.bot) == ("b", "a")
    assert first.elo > 0 > second.elo
    before = first.deviation
    ratings.add(Result("g", ("b", "a"), (1, 0)))
    after = ratings.standings()[0]
    assert after.deviation < before
    assert after.games == 2


def test_a_draw_of_equals_moves_nobody() -> None:
    ratings = LiveRatings()
    ratings.add(Result("g", ("a", "b"), (0.5, 0.5)))
    assert [each.elo for each in ratings.standings()] == pytest.approx([0, 0])


def test_the_display_is_about_in_elo() -> None:
    ratings = LiveRatings()
    for index in range(400):
        # Three of four for a: 191 Elo.
        ratings.add(Result(f"g{index}", ("a", "b"), (1, 0) if index % 4 else (0, 1)))
    a, b = ratings.standings()
    assert a.elo - b.elo == pytest.approx(191, abs=60)


def test_several_seats_and_several_winners_are_taken() -> None:
    ratings = LiveRatings()
    for _ in range(20):
        ratings.add(Result("g", ("a", "b", "a", "c"), (0.5, 0.5, 0, 0)))
    assert [each.bot for each in ratings.standings()] == ["b", "a", "c"]
    assert {each.games for each in ratings.standings()} == {20}
