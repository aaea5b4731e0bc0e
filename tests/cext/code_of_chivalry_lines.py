"""Lines of Code of Chivalry for the tests of its notation."""

from __future__ import annotations

from kingmaker.cext.games.code_of_chivalry import CodeOfChivalry
from tests.cext.notations import View, read_line

DRAW = "p22s14k7gn5d3a6c6l6u2h2m2t2w3r2x2j2"
GIVEN = f"coc;players=3 5 p1 0 5,-,psk2/5,-,psg/5,-,g {DRAW} - main - -"
SEEN = "coc;players=3 9 p1 0 5,-,kt/5,-,?3/5,a,?3 ?86 - main *>p3:s;p1>p2:k - @p1"


def accepted(line: str) -> View:
    """The view of a valid line, which is written as it stands."""
    game, state = read_line(CodeOfChivalry, line)
    assert game.text(state) == line
    return game.view(state)
