"""Which parts of a drawn board have the colour of which seat."""

from __future__ import annotations

import re

import pytest

from kingmaker.cli.screen import SEAT_STYLES, coloured
from kingmaker.search.games import game_types
from kingmaker.search.position import Position, new_game


def in_colour(position: Position, seat: int) -> list[str]:
    """The texts in the colour of a seat, beside its name, in the order of the board."""
    text = coloured(position.render(), position.game.side_marks)
    style = SEAT_STYLES[seat - 1]
    spans = sorted(span for span in text.spans if span.style == style)
    found = [text.plain[span.start : span.end] for span in spans]
    return [each for each in found if each != f"p{seat}"]


def test_marks_have_the_colours_of_their_sides_and_files_have_none() -> None:
    position = new_game("connect_four").apply(*"aabd")
    assert in_colour(position, 1) == ["x", "x"]
    assert in_colour(position, 2) == ["o", "o"]


def test_large_figures_are_white_and_small_ones_black() -> None:
    position = new_game("chessault").apply("deploy:k", "place:a1", "deploy:q", "place:d7")
    assert in_colour(position, 1) == ["K"]
    assert in_colour(position, 2) == ["q"]


def test_pieces_of_a_world_are_those_of_their_seats_and_squares_are_of_nobody() -> None:
    position = new_game("knaves_out").apply("first:p1", "king:1b2", "king:2c3")
    assert [re.fullmatch(r"1K\d+", each) is not None for each in in_colour(position, 1)] == [True]
    assert [re.fullmatch(r"2K\d+", each) is not None for each in in_colour(position, 2)] == [True]


@pytest.mark.parametrize("game", game_types())
def test_a_mark_is_of_one_seat_at_most(game: str) -> None:
    position = new_game(game)
    marks = position.game.side_marks
    assert len(marks) in (0, *range(position.num_seats, len(SEAT_STYLES) + 1))
    found = [set(re.findall(mark, position.render(), re.MULTILINE)) for mark in marks]
    assert sum(map(len, found)) == len(set().union(*found))
