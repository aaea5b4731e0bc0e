"""Chessault in text: lines, tokens and options, and what is refused with which rule.

Test names and docstrings cite docs/rules/chessault.md. Every clause of R13.4 has a line that breaks
it and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.chessault import Chessault, moves, notation, options
from kingmaker.search.scenario import read_blocks
from kingmaker.v1 import chessault_pb2 as messages

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "chessault.md"
FORM = "section 13"


def script(*verbs: str) -> Iterator[str]:
    """What stands behind these verbs in the scenario blocks of the page."""
    for block in read_blocks(PAGE):
        for line in block.lines:
            verb, _, content = line.text.partition(" ")
            if verb in verbs:
                yield content


def refusal(line: str) -> InputError:
    """The error that a line is refused with."""
    parse = notation.parse_observation if "@" in line else notation.parse_position
    with pytest.raises(InputError) as caught:
        parse(line)
    return caught.value


def refused(line: str) -> tuple[str, str]:
    """Field and rule of the error that a line is refused with."""
    error = refusal(line)
    return error.field.partition(".")[2] or error.field, error.rule


def typed(view: notation.View) -> notation.View:
    """A view as it comes back from the typed message."""
    message = (
        messages.ChessaultObservation() if "observer" in view else messages.ChessaultPosition()
    )
    return as_dict(ParseDict(view, message))


def as_dict(message: Message) -> notation.View:
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


# --- the page ---------------------------------------------------------------------------------


def test_every_position_of_the_page_reads_and_prints_as_itself() -> None:
    """Section 13."""
    lines = list(script("given", "at"))
    assert len(lines) > 60
    for line in lines:
        view = notation.parse_position(line)
        assert notation.view_text(view) == line
        assert notation.view_text(typed(view)) == line
        game, state = Chessault.parse_position(line)
        assert game.view(state) == view


def test_every_observation_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.5."""
    lines = [content.partition(" ")[2] for content in script("sees")]
    assert len(lines) >= 3
    for line in lines:
        view = notation.parse_observation(line)
        assert notation.view_text(view) == line
        assert notation.view_text(typed(view)) == line
        game, observation = Chessault.parse_observation(line)
        assert game.view(observation) == view


def test_every_move_of_the_page_reads_and_prints_as_itself() -> None:
    """Section 13."""
    tokens = {token for line in script("do", "legal", "has") for token in line.split()}
    assert len(tokens) > 100
    for token in tokens:
        view = moves.parse_move(token)
        assert moves.move_text(view) == token
        assert moves.view(moves.number(view)) == view
        assert moves.move_text(as_dict(ParseDict(view, messages.ChessaultMove()))) == token


# --- how a line is written --------------------------------------------------------------------

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
)


@pytest.mark.parametrize("line", BASES)
def test_the_positions_that_the_next_tests_damage_are_valid(line: str) -> None:
    assert notation.view_text(notation.parse_position(line)) == line


@pytest.mark.parametrize(
    ("old", "new", "field", "rule"),
    [
        # fields and tag
        (" m0", "  m0", "position", FORM),
        ("m0k0r0s0", "m0k0r0s0 ", "position", FORM),
        ("m0k0r0s0", "m0k0r0s0\n", "tally", FORM),
        ("m0k0r0s0", "m0k0r0s0 seed=7", "position", FORM),
        ("chs", "coc", "tag", FORM),
        ("chs", "chs;", "tag", FORM),
        ("chs", "chs;max_turns", "tag", FORM),
        ("chs", "chs;max_turns=400", "tag", FORM),
        ("chs", "chs;max_turns=9;max_turns=9", "tag", FORM),
        ("chs", "chs;max_turns=9;supply=double", "tag", FORM),
        ("chs", "chs;max_turns=09", "options.max_turns", "R10.7"),
        ("chs", "chs;supply=triple", "options.supply", "R2.4"),
        ("chs", "chs;players=2", "options.players", "section 15"),
        # the board
        ("8/7k+", "7k+", "board", FORM),
        ("8/7k+", "8/8/7k+", "board", FORM),
        ("/7p/", "/7p1/", "board", FORM),
        ("/7p/", "/6p/", "board", FORM),
        ("/7p/", "/34p/", "board", FORM),
        ("/7p/", "/70p/", "board", FORM),
        ("/7p/", "//", "board", FORM),
        ("/7p/", "/7x/", "board", FORM),
        ("/7p/", "/7p\n/", "board", FORM),
        ("k+", "+k", "board", FORM),
        ("k+", "k+*", "board", FORM),
        ("r+", "r.+", "board", FORM),
        ("7p", "7p.-", "board", FORM),
        ("chs 8/", "chs p-7/", "board", FORM),
        # side, turn, action, node, done
        ("p2 6", "p3 6", "side", FORM),
        ("p2 6", "b 6", "side", FORM),
        ("6 3", "06 3", "turn", FORM),
        ("6 3", "+6 3", "turn", FORM),
        ("6 3", "1000000 3", "turn", FORM),
        ("6 3", "٦ 3", "turn", FORM),
        ("6 3", "6 4", "action", FORM),
        ("move:r", "move", "node", FORM),
        ("move:r", "move:", "node", FORM),
        ("move:r", "move:rr", "node", FORM),
        ("move:r", "move:rp", "node", FORM),
        ("move:r", "move:R", "node", FORM),
        ("move:r", "move:r:p", "node", FORM),
        ("move:r", "action:r", "node", FORM),
        ("move:r", "place:x", "node", FORM),
        ("move:r", "keep:d5", "node", FORM),
        ("move:r", "keep:d5:", "node", FORM),
        ("move:r", "keep:d5:cx", "node", FORM),
        ("move:r", "keep:i5:c", "node", FORM),
        ("move:r", "promote:d10", "node", FORM),
        ("move:r", "activate:", "node", FORM),
        ("move:r", "end", "node", FORM),
        ("move:r", "end:p3", "node", FORM),
        ("p1p2", "p2p1", "done", FORM),
        # numbers and counts
        ("5/2", "05/2", "credits", FORM),
        ("5/2", "5/1000000", "credits", FORM),
        ("5/2", "5", "credits", FORM),
        ("5/2", "5/2/2", "credits", FORM),
        ("5/2", "-1/2", "credits", FORM),
        ("-/- Q2", "/- Q2", "unplaced", FORM),
        ("Q2R2", "R2Q2", "stock", FORM),
        ("Q2R2", "q2R2", "stock", FORM),
        ("Q2R2", "Q2R02", "stock", FORM),
        ("Q2R2", "K0Q2R2", "stock", FORM),
        ("Q2R2", "QR2", "stock", FORM),
        ("/q2r1", "/Q2r1", "stock", FORM),
        ("q2r1b2n2p7", "q2r1b2n2p7x1", "stock", FORM),
        ("p2x3c2", "p2c2x3", "pool", FORM),
        ("p2x3c2", "p2x3", "pool", FORM),
        ("p2x3c2", "p2x03c2", "pool", FORM),
        ("d4>d5", "d4d5", "marks", FORM),
        ("d4>d5", "d4>x", "marks", FORM),
        ("d4>d5", "d4>d5,", "marks", FORM),
        ("d4>d5", "X>d5", "marks", FORM),
        ("m0k0r0s0", "m0k0s0r0", "tally", FORM),
        ("m0k0r0s0", "m00k0r0s0", "tally", FORM),
    ],
)
def test_a_line_written_in_another_way_names_its_field(
    old: str, new: str, field: str, rule: str
) -> None:
    """Section 13; numbers have no leading zeros and are at most 999999."""
    assert refused(ROLLED.replace(old, new, 1)) == (field, rule)


# --- clauses of R13.4 -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "changes", "field"),
    [
        # clock
        (ROLLED, [("chs", "chs;max_turns=5")], "turn"),
        (ROLLED, [(" 6 3 ", " 0 3 ")], "action"),
        (ROLLED, [(" 6 3 ", " 6 0 ")], "action"),
        (ROLLED, [(" 6 3 ", " 7 3 ")], "side"),
        (ROLLED, [("p2 6 3", "p1 6 3")], "side"),
        (SETUP, [("0 0 setup", "0 0 action")], "node"),
        (SETUP, [("0 0 setup", "0 0 dice")], "node"),
        (SETUP, [("0 0 setup", "0 0 move:r")], "node"),
        (SETUP, [("0 0 setup", "0 0 activate:a8")], "node"),
        (SETUP, [("0 0 setup", "0 0 keep:a8:c")], "node"),
        (SETUP, [("0 0 setup", "0 0 promote:d7")], "node"),
        (SETUP, [("0 0 setup", "0 0 end:draw")], "node"),
        (ROLLED, [("move:r", "setup")], "node"),
        (ROLLED, [(" 3 move:r", " e move:r")], "node"),
        (ROLLED, [(" 3 move:r", " e action")], "node"),
        (ROLLED, [(" 3 move:r", " e dice")], "node"),
        (ROLLED, [(" 3 move:r", " e place:n")], "node"),
        (ROLLED, [(" 3 move:r", " e sacrifice")], "node"),
        (ROLLED, [(" 3 move:r", " e activate:d5")], "node"),
        # supply of figures
        (ROLLED, [("3N4", "2NN4")], "stock"),
        (ROLLED, [("Q2R2B2N1P8", "Q2R2B2N2P8")], "stock"),
        (ROLLED, [("Q2R2B2N1P8", "Q2R2B2P8")], "stock"),
        (ROLLED, [("-/- p2", "-/n1 p2")], "stock"),
        (ROLLED, [("-/- p2", "-/n3 p2")], "dead"),
        (ROLLED, [("3N4", "3NNNN1"), ("N1P8", "P8")], "board"),
        (ROLLED, [("K+7", "KK+6")], "board"),
        (ROLLED, [("K+7", "8"), ("p2x3", "p3x3")], "board"),
        (SACRIFICE, [("Q1R1", "Q2R1")], "stock"),
        (PLACE, [("place:q", "place:r")], "stock"),
        (UNPLACED, [("K1Q1P2/", "K1Q1P3/")], "stock"),
        (UNPLACED, [("k1q1p2 ", "k1p2 ")], "stock"),
        # supply of tokens
        (ROLLED, [("p2x3", "p3x3")], "pool"),
        (ROLLED, [("p2x3", "p2x2")], "pool"),
        (ROLLED, [("x3c2", "x3c3")], "pool"),
        (ROLLED, [("x3c2 d4>d5", "x3c2 -")], "pool"),
        (ROLLED, [("3N4", "3N~4")], "pool"),
        # kings
        (UNPLACED, [("K1Q1P2/", "Q1P2/"), (" Q1R2", " K1Q1R2")], "stock"),
        (ROLLED, [("K+7", "8"), ("p2x3", "p3x3"), ("-/- p3", "K1/- p3")], "dead"),
        # lines
        (ROLLED, [("chs 8/", "chs N7/"), ("N1P8", "P8")], "board"),
        (ROLLED, [("K+7/8", "K+7/n7"), ("b2n2", "b2n1")], "board"),
        (ROLLED, [("K+7/8", "8/K7"), ("p2x3", "p3x3")], "board"),
        (ROLLED, [("K+7/8", "K+7/N*7"), ("N1P8", "P8"), ("x3c2", "x2c2")], "board"),
        # abilities, fresh pawns, moved figures
        (ROLLED, [("/7p/", "/7p*/"), ("x3c2", "x2c2")], "board"),
        (ROLLED, [("3N4", "3N-4")], "board"),
        (ROLLED, [("/7p/8/", "/8/7p-/")], "board"),
        (ROLLED, [("3N4/8/8", "3N4/8/7p-"), ("/7p/", "/8/")], "board"),
        (ROLLED, [("3N4", "3N.4")], "board"),
        (ESCAPED, [("3r+3", "3r+.3")], "board"),
        (SETUP, [("r2q", "r.2q")], "board"),
        # pawns on their endzone
        (ROLLED, [("8/8/K+7", "8/8/K+6p"), ("/7p/", "/8/")], "board"),
        (PROMOTE, [("promote:b8", "promote:c8")], "board"),
        (PROMOTE, [("1P.n4k+", "PP.n4k+"), ("N2P7", "N2P6")], "board"),
        # setup
        (SETUP, [("p2 0 0", "p1 0 0")], "done"),
        (SETUP, [("setup p1 ", "setup p1p2 ")], "done"),
        (SETUP, [("-/- Q1", "P1/- Q1"), ("N2P6", "N2P5"), ("9/4", "8/4")], "unplaced"),
        (UNPLACED, [("K1Q1P2/", "K1Q2P2/"), (" Q1R2", " R2"), ("9/9", "8/9")], "unplaced"),
        (UNPLACED, [("K1Q1P2/", "K1Q1P3/"), ("N2P6", "N2P5"), ("9/9", "8/9")], "unplaced"),
        (UNPLACED, [("K1Q1P2/", "K1Q1R1P2/"), ("Q1R2", "Q1R1"), ("9/9", "8/9")], "unplaced"),
        (SETUP, [("3QK+3/8", "4K+3/3Q4")], "board"),
        (SETUP, [("3p-p-3/8", "3p-4/4p3")], "board"),
        (SETUP, [("3QK+3", "3QK3"), ("p3x3", "p4x3")], "board"),
        (SETUP, [("3QK+3", "3QK*3"), ("p3x3", "p4x2")], "board"),
        (SETUP, [("3QK+3", "3Q+K+3"), ("p3x3", "p2x3")], "board"),
        (SETUP, [("x3c3 -", "x3c2 d1>d8")], "marks"),
        (SETUP, [("9/4", "10/4")], "credits"),
        (SETUP, [("9/4", "9/9")], "credits"),
        (UNPLACED, [("9/9", "10/9")], "credits"),
        (UNPLACED, [("setup - 9", "place:r - 9"), ("Q1R2", "Q1R1")], "credits"),
        # later
        (ROLLED, [("move:r p1p2", "move:r p1")], "done"),
        (ROLLED, [("move:r p1p2", "move:r -")], "done"),
        (ROLLED, [("-/- Q2", "N1/- Q2"), ("N1P8", "P8")], "unplaced"),
        # marks
        (ROLLED, [("d4>d5", "d4>d6")], "marks"),
        (ROLLED, [("chs 8", "chs n7"), ("b2n2", "b2n1"), ("d4>d5", "d4>a9")], "marks"),
        (ROLLED, [("x3c2", "x3c1"), ("d4>d5", "d4>d5,x>d5")], "marks"),
        (ROLLED, [("d4>d5", "d3>d5")], "marks"),
        (ROLLED, [("d4>d5", "h8>d5")], "marks"),
        (ROLLED, [("K+7/8", "K+7/R7"), ("Q2R2B2", "Q2R1B2"), ("d4>d5", "a0>d5")], "marks"),
        (ROLLED, [("d4>d5", "h7>d4")], "marks"),
        # tally
        (SETUP, [("m0", "m1")], "tally"),
        (ESCAPED, [("m0", "m1")], "tally"),
        (ESCAPED, [("k0", "k1")], "tally"),
        (ESCAPED, [("r0", "r1")], "tally"),
        (ESCAPED, [("s0", "s1")], "tally"),
        (ROLLED, [("m0", "m3")], "tally"),
        (MOVED, [("m2", "m3")], "tally"),
        (SACRIFICE, [("m0", "m1")], "tally"),
        (PLACE, [("m0", "m1")], "tally"),
        (ROLLED, [("3 move:r", "1 dice"), ("m0", "m1")], "tally"),
        (KEEP, [("m1", "m2")], "tally"),
        (ACTIVATE, [("m1", "m2")], "tally"),
        (WON, [("m2", "m3")], "tally"),
        (ROLLED, [("r0", "r1")], "tally"),
        (ROLLED, [("s0", "s1")], "tally"),
        (MOVED, [("s0", "s2")], "tally"),
        (ROLLED, [("k0", "k1")], "tally"),
        (KEEP, [("k1", "k2")], "tally"),
        (MOVED, [("m2", "m1")], "board"),
        # place and sacrifice
        (PLACE, [("place:q", "place:k"), ("Q1R1", "Q2R1"), ("4K+3", "8"),
                 ("p3x3", "p4x3")], "node"),
        (PLACE, [("/1R6 ", "/RRNNBBPP "), ("2N~5", "8"), ("Q1R1B2N1P8", "Q1P6"),
                 ("x3c2", "x3c3")], "node"),
        (SACRIFICE, [("/1R6", "/8"), ("Q1R1", "Q1R2"), ("2N~5", "8"), ("N1P8", "N2P8"),
                     ("x3c2", "x3c3")], "node"),
        (SACRIFICE, [("/1R6", "/PPPPPPPP"), ("Q1R1", "Q1R2"), ("N1P8", "N1")], "node"),
        (UNPLACED, [("setup", "sacrifice"), ("Q1R2", "R2"), ("9/9", "2/9")], "node"),
        # dice and move
        (MOVED, [("action", "dice")], "node"),
        (ROLLED, [("move:r", "move:n")], "node"),
        (ROLLED, [("move:r", "move:rq")], "node"),
        (ROLLED, [("3r+4", "3r+.4"), ("m0", "m1")], "node"),
        # activate
        (ACTIVATE, [("activate:e8", "activate:e5")], "node"),
        (ACTIVATE, [("activate:e8", "activate:f7")], "node"),
        (ACTIVATE, [("R*.", "R*")], "node"),
        (ACTIVATE, [("R*.", "R+."), ("p2x1", "p1x2")], "node"),
        (ACTIVATE, [("R*.", "R."), ("p2x1", "p2x2")], "node"),
        (ACTIVATE, [("k+2q+R*.N2", "k+2q+1N2"), ("b*2/8/8/", "b*2/8/R*.7/"),
                    ("activate:e8", "activate:a5")], "node"),
        (ACTIVATE, [("k+2q+R*.N2", "k+2q+1N2"), ("b*2/8/8/", "b*2/8/R~.7/"), ("x1c3", "x2c2"),
                    ("activate:e8", "activate:a5")], "node"),
        (ACTIVATE, [("k+2q+R*.N2/3p1b*2", "k+3R~.N2/q+b*p5"), ("x1c3", "x2c2")], "node"),
        # keep
        (KEEP, [("keep:d5", "keep:c5")], "node"),
        (KEEP, [("keep:d5", "keep:h8")], "node"),
        (KEEP, [("keep:d5:pxc", "keep:a0:pxc"), ("K+/8", "K+/R.7"), ("R2B2", "R1B2"),
                ("3N.4", "3N4")], "node"),
        (KEEP, [("keep:d5:pxc", "keep:a4:pxc"), ("3N.4/8", "3N4/P.7"), ("P8", "P7")], "node"),
        (KEEP, [("k+/8/4p3", "k+/8/1n*r*b*p3"), ("q1r2b2n2", "q1r1b1n1"),
                ("p3x3", "p3x0")], "node"),
        (KEEP, [("3N.4", "3N*.4"), ("p3x3", "p3x2")], "node"),
        (KEEP, [("3N.4", "3N4")], "node"),
        (KEEP, [("keep:d5:pxc", "keep:d5:p")], "node"),
        (ESCAPED, [("3r+3", "3r3"), ("p2x3", "p3x3")], "node"),
        (ESCAPED, [("keep:d8:c", "keep:d8:x")], "node"),
        (ESCAPED, [("keep:d8:c", "keep:d8:xc")], "node"),
        (ESCAPED, [("keep:d8:c", "keep:d4:c")], "node"),
        # promote
        (PROMOTE, [("1P.n4k+/8", "2n4k+/1P.6"), ("promote:b8", "promote:b7")], "node"),
        (PROMOTE, [("1P.n4k+", "1R.n4k+"), ("R2B2N2P7", "R1B2N2P8")], "node"),
        (PROMOTE, [("1P.", "1P")], "node"),
        (PROMOTE, [("R2B2N2P7", "P7"), ("Q1/-", "Q1R2B2N2/-")], "node"),
        (PROMOTE, [("5 2 promote", "5 e promote"), ("1P.", "1P"), ("Q.", "Q"), ("m2", "m0"),
                   ("r1", "r0")], "node"),
        (PROMOTE, [("1P.n4k+", "2n4k+"), ("3Q.K+3/8", "1p1QK+3/8"), ("P7/", "P8/"), ("p8", "p7"),
                   ("promote:b8", "promote:b1"), ("m2", "m1"), ("r1", "r0")], "node"),
        # end
        (WON, [("end:p1", "end:p2")], "node"),
        (WON, [("end:p1", "end:draw")], "node"),
        (WON, [("3K+", "4"), ("-/k1", "K1/k1"), ("p4x3", "p5x3")], "node"),
        (ROLLED, [("move:r", "end:p1")], "node"),
        (ROLLED, [("move:r", "end:draw")], "node"),
        (DRAWN, [("10 e", "8 e")], "node"),
        (DRAWN, [("10 e", "10 3")], "node"),
    ],
)  # fmt: skip
def test_every_clause_of_r13_4_refuses_a_line_that_breaks_it(
    line: str, changes: list[tuple[str, str]], field: str
) -> None:
    damaged = line
    for old, new in changes:
        assert old in damaged, old
        damaged = damaged.replace(old, new, 1)
    assert refused(damaged) == (field, "R13.4")


@pytest.mark.parametrize(
    "changes",
    [
        [("3r+4/3N4", "3r+4/3N3R"), ("Q2R2B2", "Q2R1B2")],
        [("d4>d5", "x>d5")],
        [("d4>d5", "d5>d4")],
        [("move:r", "dice")],
        [("move:r", "move:prk")],
        [("move:r", "place:n"), ("b2n2", "b2n1")],
        [("m0k0r0s0", "m2k0r2s1")],
        [("/7p/", "/7p-/")],
        [("K+7/8", "K+7/P7"), ("P8", "P7")],
        [("K+7/8", "K7/8"), ("p2x3", "p3x3")],
        [("5/2", "999999/0")],
        [("6 3 move:r", "400 3 move:r")],
    ],
)
def test_an_unreachable_position_may_be_valid(changes: list[tuple[str, str]]) -> None:
    """R13.4: what it does not name is no fault."""
    line = ROLLED
    for old, new in changes:
        line = line.replace(old, new, 1)
    assert line != ROLLED
    assert notation.view_text(notation.parse_position(line)) == line
    assert Chessault.parse_position(line)[0].text(Chessault.parse_position(line)[1]) == line


def test_a_recruited_figure_may_have_moved() -> None:
    """R7.6: it bounced, and stays on its line with the flag."""
    line = MOVED.replace("7P.", "7P").replace("1P6", "1P.6")
    game, state = Chessault.parse_position(line)
    assert game.text(state) == line
    assert game.view(state) == notation.parse_position(line)


def test_the_double_supply_has_its_own_counts() -> None:
    """R2.4."""
    line = (
        "chs;supply=double 8/7k+/8/8/8/8/8/P7/1K+6/8 p2 10 1 action p1p2 0/0 -/- "
        "Q2R4B4N4P15/q2r4b4n4p16 -/- p3x3c3 - m0k0r0s0"
    )
    assert notation.view_text(notation.parse_position(line)) == line
    assert refused(line.replace(";supply=double", "")) == ("stock", "R13.4")
    assert refused(line.replace("P15", "P16")) == ("stock", "R13.4")


@pytest.mark.parametrize(
    ("line", "changes", "words"),
    [
        (ROLLED, ("p2x3", "p3x3"), "there are 5 protect tokens in all; got 'pool 3, on figures 3'"),
        (ROLLED, ("move:r", "move:n"), "among those that can move, prk; got 'n'"),
        (ROLLED, ("3N4", "2NN4"), "White has 2 knights in all; got '3 (board 2,"),
        (ROLLED, ("K+7", "KK+6"), "White has a king in all; got '2 (board 2,"),
        (SETUP, ("9/4", "10/4"), "add up to at most 13; got '4 figures and 10 credits'"),
        (DRAWN, ("10 e", "8 e"), "or none at action e of turn 10; got 'end:draw'"),
        (ROLLED, (" 6 3 ", " 7 3 "), "turn 7 is of p1; got 'p2'"),
        (ROLLED, ("3N4", "3N.4"), "at actions 1 to 3; got 'N. on d4'"),
        (ROLLED, ("r+4", "r+.4"), "no more figures are marked as moved; got '1 moved figure'"),
    ],
)
def test_an_error_says_what_would_be_right(line: str, changes: tuple[str, str], words: str) -> None:
    assert words in str(refusal(line.replace(*changes, 1)))


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    assert len(str(refusal("chs " + "9" * 100_000))) < 300


# --- observations -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "field", "rule"),
    [
        (f"{ROLLED} @p3", "observer", "R13.5"),
        (f"{ROLLED} @", "observer", "R13.5"),
        (f"{ROLLED} @p1 @p1", "observation", FORM),
        (f"{ROLLED.replace('5/2', '?/2')} @p1", "credits", FORM),
        (f"{ROLLED.replace('p2x3', 'p3x3')} @-", "pool", "R13.4"),
    ],
)
def test_a_bad_observation_names_its_field_and_rule(line: str, field: str, rule: str) -> None:
    assert refused(line) == (field, rule)


def test_a_position_has_no_observer_and_an_observation_has_one() -> None:
    """R13.5."""
    with pytest.raises(InputError, match="last field of an observation"):
        notation.parse_position(f"{ROLLED} @p1")
    with pytest.raises(InputError, match="ends with @p1, @p2") as caught:
        notation.parse_observation(ROLLED)
    assert caught.value.field == "observation.observer"


# --- tokens -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token",
    [
        "",
        "Roll",
        "roll:",
        "roll\n",
        "roll 1",
        "deploy",
        "deploy:",
        "deploy:knight",
        "buy:N",
        "place:e10",
        "place:i1",
        "place:e1:e2",
        "king:e1e2",
        "king:e1",
        "move:e1-e2-e3",
        "move:e1-",
        "promote:",
        "keep:p",
        "keep:",
        "explode:e1",
        "convert",
        "hold:",
        "castle",
    ],
)
def test_only_the_spellings_of_the_page_are_moves(token: str) -> None:
    """Section 13."""
    with pytest.raises(InputError) as caught:
        moves.parse_move(token)
    assert (caught.value.field, caught.value.value, caught.value.rule) == ("move", token, FORM)


@pytest.mark.parametrize(
    "token", ["dice", "dice:", "dice:kp", "dice:pp", "dice:pnbr", "dice:x", "dice:p-", "dice:P"]
)
def test_an_outcome_names_the_rolled_types_once_in_their_order(token: str) -> None:
    """R12.4."""
    with pytest.raises(InputError) as caught:
        moves.parse_move(token)
    assert caught.value.rule == "R12.4"


@pytest.mark.parametrize(
    "token", ["faces", "faces:", "faces:p", "faces:pk", "faces:ppkk", "faces:ppx", "faces:p-k"]
)
def test_faces_are_those_of_three_dice(token: str) -> None:
    """R12.5."""
    with pytest.raises(InputError, match="three faces") as caught:
        moves.parse_move(token)
    assert (caught.value.field, caught.value.rule) == ("move", "R12.5")


@pytest.mark.parametrize("token", ["faces:ppk", "faces:kpp", "faces:qqq", "faces:knp"])
def test_faces_keep_their_order_until_they_are_reduced(token: str) -> None:
    view = moves.parse_move(token)
    assert moves.move_text(view) == token
    assert moves.view(moves.number(view)) == view
    assert moves.number(view) < 1 << 32
    assert moves.move_text(as_dict(ParseDict(view, messages.ChessaultMove()))) == token


# --- typed views ------------------------------------------------------------------------------


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    view = {
        "active": 1,
        "turn": 5,
        "action": 2,
        "node": {"type": "action"},
        "figures": [
            {"square": "a0", "seat": 1, "type": "pawn"},
            {"square": "h8", "seat": 2, "type": "king"},
            {"square": "b1", "seat": 1, "type": "king", "ability": "convert"},
        ],
        "players": [{"is_done": True, "stock": {"pawn": 3, "rook": 0}}, {"is_done": True}],
    }
    assert notation.view_text(view) == (
        "chs 8/7k/8/8/8/8/8/8/1K~6/P7 p1 5 2 action p1p2 0/0 -/- P3/- -/- p0x0c0 - m0k0r0s0"
    )


def test_the_order_of_figures_in_a_view_does_not_matter() -> None:
    view = notation.parse_position(ROLLED)
    view["figures"].reverse()
    assert notation.view_text(view) == ROLLED


KING = {"square": "a1", "seat": 1, "type": "king", "ability": "protect"}


@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"supply": "triple"}},
        {"options": {"max_turns": -1}},
        {"active": 0},
        {"turn": -6},
        {"action": 5},
        {"action": -1},
        {"figures": [{"square": "a1", "seat": 1, "type": "pope"}]},
        {"figures": [KING, KING]},
        {"figures": [{**KING, "square": "a1 p2"}]},
        {"figures": [{**KING, "seat": 3}]},
        {"figures": [{**KING, "ability": "fly"}]},
        {"players": []},
        {"players": [{}, {}, {}]},
        {"players": [{"stock": {"pope": 1}}, {}]},
        {"players": [{"credits": -1}, {}]},
        {"players": [{"dead": {"pawn": -1}}, {}]},
        {"pool": {}},
        {"marks": [{"target": "d5 -"}]},
        {"marks": [{"converter": "x", "target": "z9"}]},
        {"tally": {"moves": -1}},
        {"node": {}},
        {"node": {"type": "action p1p2"}},
        {"node": {"type": "place", "figure": "pope"}},
        {"node": {"type": "move", "types": ["rook", "pawn"]}},
        {"node": {"type": "move", "types": []}},
        {"node": {"type": "keep", "square": "d5", "kinds": ["fly"]}},
        {"node": {"type": "end", "winner": 3}},
        {"marks": [{"converter": "x", "target": "d5"}]},
        {"marks": [{"converter": "d4", "target": "d5,x>d4"}]},
    ],
)
def test_a_wrong_view_is_written_as_a_line_that_is_refused(changed: notation.View) -> None:
    view = notation.parse_position(ROLLED) | changed
    with pytest.raises(InputError):
        notation.parse_position(notation.view_text(view))


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"verb": "deploy"},
        {"verb": "buy", "type": "pope"},
        {"verb": "move", "source": "e1"},
        {"verb": "keep"},
        {"verb": "dice", "types": ["pope"]},
        {"verb": "faces", "types": ["pawn"]},
        {"verb": "move:d4-d5"},
    ],
)
def test_a_wrong_typed_move_is_written_as_a_token_that_is_refused(view: notation.View) -> None:
    with pytest.raises(InputError):
        moves.parse_move(moves.move_text(view))


@pytest.mark.parametrize(
    ("node", "field", "value"),
    [
        ({"type": "action", "figure": "none"}, "figure", "none"),
        ({"type": "action", "winner": -1}, "winner", "-1"),
        ({"type": "dice", "types": "-"}, "types", "-"),
        ({"type": "move", "types": ["rook"], "square": "d5"}, "square", "d5"),
        ({"type": "place", "figure": "rook", "kinds": ["protect"]}, "kinds", "['protect']"),
        ({"type": "end", "winner": 1, "square": "d5"}, "square", "d5"),
    ],
)
def test_a_typed_node_has_the_fields_of_its_type_alone(
    node: notation.View, field: str, value: str
) -> None:
    """No line would show the others."""
    view = notation.parse_position(ROLLED) | {"node": node}
    with pytest.raises(InputError, match=f"the node {node['type']} has no {field}") as caught:
        notation.view_text(view)
    assert (caught.value.field, caught.value.value) == (f"node.{field}", value)
    assert caught.value.rule == FORM


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({"verb": "roll", "types": ["rook"]}, "types"),
        ({"verb": "move", "source": "d4", "target": "d5", "square": "d5"}, "square"),
        ({"verb": "promote", "type": "queen", "ability": "protect"}, "ability"),
        ({"verb": "dice", "types": ["rook"], "type": "rook"}, "type"),
    ],
)
def test_a_typed_move_has_the_fields_of_its_verb_alone(move: notation.View, field: str) -> None:
    """No token would show the others."""
    with pytest.raises(InputError, match=f"{move['verb']} has no {field}") as caught:
        moves.move_text(move)
    assert (caught.value.field, caught.value.rule) == (field, FORM)


# --- options ----------------------------------------------------------------------------------


def test_a_view_has_the_values_that_the_options_say() -> None:
    found = options.checked({"supply": "double", "max_turns": 50})
    assert options.values(found) == {"supply": "double", "max_turns": 50}
    assert options.texts(options.values(found)) == found
    assert options.tag(found) == "chs;supply=double;max_turns=50"
    assert options.checked({}) == options.DEFAULTS == options.texts({})


@pytest.mark.parametrize(
    ("given", "option", "rule", "wanted"),
    [
        ({"supply": "triple"}, "supply", "R2.4", "one of standard, double"),
        ({"supply": ""}, "supply", "R2.4", "one of standard, double"),
        ({"max_turns": "0"}, "max_turns", "R10.7", "from 1 to 10000"),
        ({"max_turns": "10001"}, "max_turns", "R10.7", "from 1 to 10000"),
        ({"max_turns": "050"}, "max_turns", "R10.7", "from 1 to 10000"),
        ({"max_turns": "-5"}, "max_turns", "R10.7", "from 1 to 10000"),
        ({"max_turns": "5.5"}, "max_turns", "R10.7", "from 1 to 10000"),
        ({"players": "2"}, "players", "section 15", "supply, max_turns"),
    ],
)
def test_a_game_with_other_options_is_refused(
    given: dict[str, str | int], option: str, rule: str, wanted: str
) -> None:
    """Section 15."""
    with pytest.raises(InputError, match=wanted) as caught:
        options.checked(given)
    assert (caught.value.field, caught.value.rule) == (f"options.{option}", rule)
    assert caught.value.value == str(given[option])
