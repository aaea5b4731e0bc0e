"""Lines of Chessault for the tests of its notation: reading and writing them."""

from __future__ import annotations

from kingmaker.cext.games.chessault import Chessault
from tests.cext.notations import View, read_line

FORM = "section 13"


def view_of(line: str) -> View:
    """The typed view of a line."""
    game, state = read_line(Chessault, line)
    return game.view(state)


def line_of(view: View) -> str:
    """The line of a typed view."""
    game, state = Chessault.from_view(view)
    return game.text(state)


# Black's third action, a rook to move that is the target of a mark (W25).
ROLLED = (
    "chs 8/7k+/7p/8/3r+4/3N4/8/8/K+7/8 p2 6 3 move:r p1p2 5/2 -/- "
    "Q2R2B2N1P8/q2r1b2n2p7 -/- p2x3c2 d4>d5 m0k0r0s0"
)
SETUP = (  # Black buys on alone (W3)
    "chs 8/r2qk+3/3p-p-3/8/8/8/8/3P-P-3/3QK+3/8 p2 0 0 setup p1 9/4 -/- "
    "Q1R2B2N2P6/q1r1b2n2p6 -/- p3x3c3 - m0k0r0s0"
)
UNPLACED = (
    "chs 8/8/8/8/8/8/8/8/8/8 p1 0 0 setup - 9/9 K1Q1P2/k1q1p2 "
    "Q1R2B2N2P6/q1r2b2n2p6 -/- p5x3c3 - m0k0r0s0"
)
MOVED = (  # two moves made, one of a pawn on the line and one of a king (W21)
    "chs 8/7k+/8/8/7P./8/8/8/1K+.6/1P6 p1 5 3 action p1p2 0/0 -/- "
    "Q2R2B2N2P6/q2r2b2n2p8 -/- p3x3c3 - m2k0r0s0"
)
KEEP = (  # W9
    "chs 8/7k+/8/4p3/3N.4/8/8/8/7K+/8 p1 5 1 keep:d5:pxc p1p2 0/2 -/- "
    "Q2R2B2N1P8/q1r2b2n2p7 -/q1 p3x3c3 - m1k1r0s0"
)
ESCAPED = (  # W13
    "chs 8/3r+3k+/7p/8/8/3N4/8/8/K+7/8 p2 6 e keep:d8:c p1p2 4/4 -/- "
    "Q2R2B2N1P8/q2r1b2n2p7 -/- p2x3c3 - m0k0r0s0"
)
ACTIVATE = (  # W11
    "chs 3n1p2/k+2q+R*.N2/3p1b*2/8/8/8/8/8/K+7/8 p1 5 1 activate:e8 p1p2 0/2 -/- "
    "Q2R1B2N1P8/q1r2b1n1p6 -/- p2x1c3 - m1k0r1s0"
)
PROMOTE = (  # W15
    "chs 8/1P.n4k+/8/8/8/8/8/8/3Q.K+3/8 p1 5 2 promote:b8 p1p2 1/4 -/- "
    "R2B2N2P7/q2r2b2n1p8 Q1/- p3x3c3 - m2k0r1s0"
)
SACRIFICE = (  # W16
    "chs 8/7k+/8/8/8/8/2N~5/8/4K+3/1R6 p1 5 1 sacrifice p1p2 1/0 -/- "
    "Q1R1B2N1P8/q2r2b2n2p8 -/- p3x3c2 - m0k0r0s0"
)
PLACE = SACRIFICE.replace("sacrifice", "place:q")
WON = (  # W19
    "chs 8/3R.4/r7/8/8/8/8/8/3Q.3K+/8 p1 5 2 end:p1 p1p2 0/2 -/- "
    "Q1R1B2N2P8/q2r1b2n2p8 -/k1 p4x3c3 - m2k1r1s0"
)
DRAWN = (  # W23
    "chs;max_turns=10 8/6k+1/8/8/8/8/8/P7/1K+6/8 p2 10 e end:draw p1p2 0/1 -/- "
    "Q2R2B2N2P7/q2r2b2n2p8 -/- p3x3c3 - m0k0r0s0"
)
DOUBLE = (
    "chs;supply=double 8/7k+/8/8/8/8/8/P7/1K+6/8 p2 10 1 action p1p2 0/0 -/- "
    "Q2R4B4N4P15/q2r4b4n4p16 -/- p3x3c3 - m0k0r0s0"
)
BASES = (
    ROLLED,
    SETUP,
    UNPLACED,
    MOVED,
    KEEP,
    ESCAPED,
    ACTIVATE,
    PROMOTE,
    SACRIFICE,
    PLACE,
    WON,
    DRAWN,
    DOUBLE,
)
