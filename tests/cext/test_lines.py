"""Lines that are read and written in C."""

from __future__ import annotations

import re

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.cext.view_game import ViewGame, proven, read_as_view
from tests.random_play import VARIANTS, Variant, seats_of, steps_of

FAST = ("chessault", "code_of_chivalry", "hearts", "kingdom_coinquest", "knaves_out")
"""Games whose lines C reads."""


@pytest.mark.parametrize("variant", [each for each in VARIANTS if each.name in FAST], ids=str)
def test_a_right_line_is_read_in_c_as_its_view_is(variant: Variant) -> None:
    game = variant.new()
    assert isinstance(game, ViewGame)
    for state, _ in steps_of(variant, 100):
        for seen in (state, *(game.observed(state, seat) for seat in seats_of(game))):
            is_observation = game.observer_of(seen) is not None
            line = game.text(seen)
            assert proven(game, line, is_observation) == seen
            kind = "observation" if is_observation else "position"
            assert read_as_view(GAMES[variant.name], line, kind)[1] == seen


@pytest.mark.parametrize("name", FAST)
def test_a_wrong_line_is_not_read_in_c(name: str) -> None:
    game = next(variant for variant in VARIANTS if variant.name == name).new()
    assert isinstance(game, ViewGame)
    line = game.text(game.start_state())
    assert proven(game, line, is_observation=False) is not None
    for wrong in (
        "",
        " ",
        line[:-1],
        line + " ",
        line + "\0",
        line + "é",
        line + "\ud800",
        line * 999,
    ):
        assert proven(game, wrong, is_observation=False) is None
    assert proven(game, line, is_observation=True) is None


def test_an_end_that_nobody_won_is_said_to_be_wrong() -> None:
    variant = next(each for each in VARIANTS if each.name == "knaves_out")
    game = variant.new()
    *_, (end, _) = steps_of(variant, 100)
    line = re.sub(r"end@\S+", "end@-{p1=0,p2=0}", game.text(end))
    assert game.parse_position(game.text(end))[1] == end  # the game is kept for further lines
    with pytest.raises(InputError, match="the win is"):
        game.parse_position(line)
