"""Formats of what the commands print."""

import re

import numpy as np
import pytest

from kingmaker.cli.output import percent, share_text
from kingmaker.search.analysis import MoveAnalysis
from kingmaker.search.position import new_game

from .conftest import Command


@pytest.mark.parametrize(
    ("share", "text"), [(0.5, "50.0 %"), (-0.0004, "0.0 %"), (-0.0, "0.0 %"), (-0.058, "-5.8 %")]
)
def test_a_percentage_has_one_decimal_and_no_negative_zero(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("error", "is_exact", "text"),
    [
        (0.012, False, "54.0 % ± 1.2"),
        (0.0, False, "54.0 %"),
        (0.0004, False, "54.0 %"),
        (0.0, True, "54.0 % exact"),
    ],
)
def test_no_estimate_looks_certain(error: float, is_exact: bool, text: str) -> None:
    move = MoveAnalysis("a", 9, 1.0, (0.54, 0.46), error, ("a",), is_exact=is_exact)
    assert share_text(move, 1) == text


@pytest.mark.parametrize("command", ["analyze", "hint"])
def test_nor_one_of_chessault(kingmaker: Command, command: str) -> None:
    position, _ = new_game("chessault").settle(np.random.SFC64(1))
    told = kingmaker(command, position.text, "--seat", "1", "--simulations", "2000").stdout
    assert re.search(r"\d %", told)
    assert "±" not in told


def test_a_part_of_a_move_never_becomes_a_picture(kingmaker: Command) -> None:
    castle = (
        "ko 0,0/8,0 t=9;f=p1;a=p1 main@p1 I=-;D=- p1:+:-:-:jd=:qd=:kd=:-:R1a1.4,K2d4.0:-:-:- "
        "p2:+:-:-:jc=:-:-:-:P2c5.3,P2d5.2,K2f6.4:-:-:-"
    )
    told = kingmaker("analyze", castle, "--seat", "1", "--simulations", "20").stdout
    assert "act:castle:1a1" in told


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_utf_8_shows_all_that_it_can(
    installed: Command, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    """The pages of games have dots before the items of their lists."""
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    done = installed("play", "kingdom_coinquest", "--seed", "5", typed="rules\nquit\n")
    assert done.returncode == 0, done.stderr
    assert " * Your king: a suit" in done.stdout


def test_errors_of_values_are_written_in_ascii_where_nothing_else_is_known(
    installed: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    line = "leduc p1=kh p2=? board=_ bets=-/- node=play:p1 @p1"
    done = installed("hint", line, "--simulations", "500", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert re.search(r"wins \d+\.\d % \+- \d", done.stdout)
