"""Chessault in text: lines and tokens, and what is refused with which rule.

Test names and docstrings cite docs/rules/chessault.md. Every clause of R13.4 has a line that breaks
it and nothing else.
"""

from __future__ import annotations

from functools import partial

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.chessault import Chessault
from kingmaker.v1 import chessault_pb2 as messages
from tests.cext import notations
from tests.cext.chessault_lines import (
    ACTIVATE,
    BASES,
    DOUBLE,
    DRAWN,
    ESCAPED,
    FORM,
    KEEP,
    MOVED,
    PLACE,
    PROMOTE,
    ROLLED,
    SACRIFICE,
    SETUP,
    UNPLACED,
    WON,
    line_of,
    view_of,
)
from tests.cext.notations import View, page_lines, sent

script = partial(page_lines, "chessault")
refusal = partial(notations.error_of, Chessault)
refused = partial(notations.refused, Chessault)


def typed(view: View) -> View:
    """A view as it comes back from the typed message."""
    message = (
        messages.ChessaultObservation() if "observer" in view else messages.ChessaultPosition()
    )
    return sent(view, message)


# --- the page ---------------------------------------------------------------------------------


def test_every_position_of_the_page_reads_and_prints_as_itself() -> None:
    """Section 13."""
    lines = list(script("given", "at"))
    assert len(lines) > 60
    for line in lines:
        game, state = Chessault.parse_position(line)
        assert game.text(state) == line
        assert Chessault.from_view(typed(game.view(state))) == (game, state)


def test_every_observation_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.5."""
    lines = [content.partition(" ")[2] for content in script("sees")]
    assert len(lines) >= 3
    for line in lines:
        game, observation = Chessault.parse_observation(line)
        assert game.text(observation) == line
        assert Chessault.from_view(typed(game.view(observation))) == (game, observation)


def test_every_move_of_the_page_reads_and_prints_as_itself() -> None:
    """Section 13."""
    tokens = {token for line in script("do", "legal", "has") for token in line.split()}
    assert len(tokens) > 100
    for token in tokens:
        check_token(token)


def check_token(token: str) -> None:
    """A token reads and prints as itself, and so does its typed message."""
    game = Chessault()
    move = game.parse_move(token)
    assert game.move_text(move) == token
    typed_move = sent(game.move_view(move), messages.ChessaultMove())
    assert game.move_from_view(typed_move) == move


# --- how a line is written --------------------------------------------------------------------


@pytest.mark.parametrize("line", BASES)
def test_the_positions_that_the_next_tests_damage_are_valid(line: str) -> None:
    assert line_of(view_of(line)) == line


@pytest.mark.parametrize(
    ("old", "new", "field", "rule"),
    [
        # fields and tag
        (" m0", "  m0", "position", FORM),
        ("m0k0r0s0", "m0k0r0s0 ", "position", FORM),
        ("m0k0r0s0", "m0k0r0s0\n", "tally", FORM),
        ("m0k0r0s0", "m0k0r0s0 seed=7", "position", FORM),
        ("chs", "coc", "options", FORM),
        ("chs", "chs;", "options", FORM),
        ("chs", "chs;max_turns", "options", FORM),
        ("chs", "chs;max_turns=400", "options", FORM),
        ("chs", "chs;max_turns=9;max_turns=9", "options", FORM),
        ("chs", "chs;max_turns=09", "options.max_turns", "R10.7"),
        ("chs", "chs;supply=triple", "options.supply", "R2.4"),
        ("chs", "chs;players=2", "options.players", "section 15"),
        # the board
        ("8/7k+", "7k+", "figures", FORM),
        ("8/7k+", "8/8/7k+", "figures", FORM),
        ("/7p/", "/7p1/", "figures", FORM),
        ("/7p/", "/6p/", "figures", FORM),
        ("/7p/", "/34p/", "figures", FORM),
        ("/7p/", "/70p/", "figures", FORM),
        ("/7p/", "//", "figures", FORM),
        ("/7p/", "/7x/", "figures", FORM),
        ("/7p/", "/7p\n/", "figures", FORM),
        ("k+", "+k", "figures", FORM),
        ("k+", "k+*", "figures", FORM),
        ("r+", "r.+", "figures", FORM),
        ("7p", "7p.-", "figures", FORM),
        # side, turn, action, node, done
        ("p2 6", "p3 6", "active", FORM),
        ("p2 6", "b 6", "active", FORM),
        ("6 3", "06 3", "turn", FORM),
        ("6 3", "+6 3", "turn", FORM),
        ("6 3", "1000000 3", "turn", FORM),
        ("6 3", "٦ 3", "turn", FORM),
        ("6 3", "6 4", "action", FORM),
        ("move:r", "move", "node", FORM),
        ("move:r", "move:", "node.types", FORM),
        ("move:r", "move:rr", "node", FORM),
        ("move:r", "move:rp", "node", FORM),
        ("move:r", "move:R", "node.types[0]", FORM),
        ("move:r", "move:r:p", "node", FORM),
        ("move:r", "action:r", "node", FORM),
        ("move:r", "place:x", "node.figure", FORM),
        ("move:r", "keep:d5", "node", FORM),
        ("move:r", "keep:d5:", "node.kinds", FORM),
        ("move:r", "keep:i5:c", "node.square", FORM),
        ("move:r", "promote:d10", "node.square", FORM),
        ("move:r", "activate:", "node.square", FORM),
        ("move:r", "end", "node", FORM),
        ("move:r", "end:p3", "node.winner", FORM),
        ("p1p2", "p2p1", "players", FORM),
        # numbers and counts
        ("5/2", "05/2", "players[0].credits", FORM),
        ("5/2", "5/1000000", "players[1].credits", FORM),
        ("5/2", "5", "players", FORM),
        ("5/2", "5/2/2", "players", FORM),
        ("5/2", "-1/2", "players[0].credits", FORM),
        ("-/- Q2", "/- Q2", "players[0].unplaced", FORM),
        ("Q2R2", "R2Q2", "players[0].stock", FORM),
        ("Q2R2", "q2R2", "players[0].stock", FORM),
        ("Q2R2", "Q2R02", "players[0].stock", FORM),
        ("Q2R2", "K0Q2R2", "players[0].stock", FORM),
        ("Q2R2", "QR2", "players[0].stock", FORM),
        ("/q2r1", "/Q2r1", "players[1].stock", FORM),
        ("q2r1b2n2p7", "q2r1b2n2p7x1", "players[1].stock", FORM),
        ("p2x3c2", "p2c2x3", "pool", FORM),
        ("p2x3c2", "p2x3", "pool", FORM),
        ("p2x3c2", "p2x03c2", "pool.explode", FORM),
        ("d4>d5", "d4d5", "marks", FORM),
        ("d4>d5", "d4>x", "marks[0].target", FORM),
        ("d4>d5", "d4>d5,", "marks", FORM),
        ("d4>d5", "X>d5", "marks[0].converter", FORM),
        ("m0k0r0s0", "m0k0s0r0", "tally", FORM),
        ("m0k0r0s0", "m00k0r0s0", "tally.moves", FORM),
    ],
)
def test_a_line_written_in_another_way_names_its_field(
    old: str, new: str, field: str, rule: str
) -> None:
    """Section 13; numbers have no leading zeros and are at most 999999.

    A field has the path that it has in the typed message.
    """
    assert refused(ROLLED.replace(old, new, 1)) == (field, rule)


@pytest.mark.parametrize(
    ("line", "old", "new", "field"),
    [
        (DOUBLE, "chs;", "chs;max_turns=50;", "options"),
        (MOVED, "/1P6", "/1P-6", "figures"),
        (KEEP, "pxc", "pcx", "node"),
    ],
)
def test_a_line_has_one_order_and_no_sign_that_says_nothing(
    line: str, old: str, new: str, field: str
) -> None:
    """Section 13."""
    assert refused(line.replace(old, new, 1)) == (field, FORM)


# --- clauses of R13.4 -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "changes", "field"),
    [
        # clock
        (ROLLED, [("chs", "chs;max_turns=5")], "turn"),
        (ROLLED, [(" 6 3 ", " 0 3 ")], "action"),
        (ROLLED, [(" 6 3 ", " 6 0 ")], "action"),
        (ROLLED, [(" 6 3 ", " 7 3 ")], "active"),
        (ROLLED, [("p2 6 3", "p1 6 3")], "active"),
        (SETUP, [("0 0 setup", "0 0 action")], "node.type"),
        (SETUP, [("0 0 setup", "0 0 dice")], "node.type"),
        (SETUP, [("0 0 setup", "0 0 move:r")], "node.type"),
        (SETUP, [("0 0 setup", "0 0 activate:a8")], "node.type"),
        (SETUP, [("0 0 setup", "0 0 keep:a8:c")], "node.type"),
        (SETUP, [("0 0 setup", "0 0 promote:d7")], "node.type"),
        (SETUP, [("0 0 setup", "0 0 end:draw")], "node.type"),
        (ROLLED, [("move:r", "setup")], "node.type"),
        (ROLLED, [(" 3 move:r", " e move:r")], "node.type"),
        (ROLLED, [(" 3 move:r", " e action")], "node.type"),
        (ROLLED, [(" 3 move:r", " e dice")], "node.type"),
        (ROLLED, [(" 3 move:r", " e place:n")], "node.type"),
        (ROLLED, [(" 3 move:r", " e sacrifice")], "node.type"),
        (ROLLED, [(" 3 move:r", " e activate:d5")], "node.type"),
        # supply of figures
        (ROLLED, [("3N4", "2NN4")], "players[0].stock"),
        (ROLLED, [("Q2R2B2N1P8", "Q2R2B2N2P8")], "players[0].stock"),
        (ROLLED, [("Q2R2B2N1P8", "Q2R2B2P8")], "players[0].stock"),
        (ROLLED, [("-/- p2", "-/n1 p2")], "players[1].stock"),
        (ROLLED, [("-/- p2", "-/n3 p2")], "players[1].dead"),
        (ROLLED, [("3N4", "3NNNN1"), ("N1P8", "P8")], "figures"),
        (ROLLED, [("K+7", "KK+6")], "figures"),
        (ROLLED, [("K+7", "8"), ("p2x3", "p3x3")], "figures"),
        (SACRIFICE, [("Q1R1", "Q2R1")], "players[0].stock"),
        (PLACE, [("place:q", "place:r")], "players[0].stock"),
        (UNPLACED, [("K1Q1P2/", "K1Q1P3/")], "players[0].stock"),
        (UNPLACED, [("k1q1p2 ", "k1p2 ")], "players[1].stock"),
        # supply of tokens
        (ROLLED, [("p2x3", "p3x3")], "pool.protect"),
        (ROLLED, [("p2x3", "p2x2")], "pool.explode"),
        (ROLLED, [("x3c2", "x3c3")], "pool.convert"),
        (ROLLED, [("x3c2 d4>d5", "x3c2 -")], "pool.convert"),
        (ROLLED, [("3N4", "3N~4")], "pool.convert"),
        # kings
        (UNPLACED, [("K1Q1P2/", "Q1P2/"), (" Q1R2", " K1Q1R2")], "players[0].stock"),
        (ROLLED, [("K+7", "8"), ("p2x3", "p3x3"), ("-/- p3", "K1/- p3")], "players[0].dead"),
        # lines
        (ROLLED, [("chs 8/", "chs N7/"), ("N1P8", "P8")], "figures"),
        (ROLLED, [("K+7/8", "K+7/n7"), ("b2n2", "b2n1")], "figures"),
        (ROLLED, [("K+7/8", "8/K7"), ("p2x3", "p3x3")], "figures"),
        (ROLLED, [("K+7/8", "K+7/N*7"), ("N1P8", "P8"), ("x3c2", "x2c2")], "figures"),
        # abilities, fresh pawns, moved figures
        (ROLLED, [("/7p/", "/7p*/"), ("x3c2", "x2c2")], "figures"),
        (ROLLED, [("3N4", "3N-4")], "figures"),
        (ROLLED, [("/7p/8/", "/8/7p-/")], "figures"),
        (ROLLED, [("3N4/8/8", "3N4/8/7p-"), ("/7p/", "/8/")], "figures"),
        (ROLLED, [("3N4", "3N.4")], "figures"),
        (ESCAPED, [("3r+3", "3r+.3")], "figures"),
        (SETUP, [("r2q", "r.2q")], "figures"),
        # pawns on their endzone
        (ROLLED, [("8/8/K+7", "8/8/K+6p"), ("/7p/", "/8/")], "figures"),
        (PROMOTE, [("promote:b8", "promote:c8")], "figures"),
        (PROMOTE, [("1P.n4k+", "PP.n4k+"), ("N2P7", "N2P6")], "figures"),
        # setup
        (SETUP, [("p2 0 0", "p1 0 0")], "players[0].is_done"),
        (SETUP, [("setup p1 ", "setup p1p2 ")], "players[1].is_done"),
        (SETUP, [("-/- Q1", "P1/- Q1"), ("N2P6", "N2P5"), ("9/4", "8/4")], "players[0].unplaced"),
        (UNPLACED, [("K1Q1P2/", "K1Q2P2/"), (" Q1R2", " R2"),
                    ("9/9", "8/9")], "players[0].unplaced"),
        (UNPLACED, [("K1Q1P2/", "K1Q1P3/"), ("N2P6", "N2P5"),
                    ("9/9", "8/9")], "players[0].unplaced"),
        (UNPLACED, [("K1Q1P2/", "K1Q1R1P2/"), ("Q1R2", "Q1R1"),
                    ("9/9", "8/9")], "players[0].unplaced"),
        (SETUP, [("3QK+3/8", "4K+3/3Q4")], "figures"),
        (SETUP, [("3p-p-3/8", "3p-4/4p3")], "figures"),
        (SETUP, [("3QK+3", "3QK3"), ("p3x3", "p4x3")], "figures"),
        (SETUP, [("3QK+3", "3QK*3"), ("p3x3", "p4x2")], "figures"),
        (SETUP, [("3QK+3", "3Q+K+3"), ("p3x3", "p2x3")], "figures"),
        (SETUP, [("x3c3 -", "x3c2 d1>d8")], "marks"),
        (SETUP, [("9/4", "10/4")], "players[0].credits"),
        (SETUP, [("9/4", "9/9")], "players[1].credits"),
        (UNPLACED, [("9/9", "10/9")], "players[0].credits"),
        (UNPLACED, [("setup - 9", "place:r - 9"), ("Q1R2", "Q1R1")], "players[0].credits"),
        # later
        (ROLLED, [("move:r p1p2", "move:r p1")], "players[1].is_done"),
        (ROLLED, [("move:r p1p2", "move:r -")], "players[0].is_done"),
        (ROLLED, [("-/- Q2", "N1/- Q2"), ("N1P8", "P8")], "players[0].unplaced"),
        # marks
        (ROLLED, [("d4>d5", "d4>d6")], "marks[0].target"),
        (ROLLED, [("chs 8", "chs n7"), ("b2n2", "b2n1"), ("d4>d5", "d4>a9")], "marks[0].target"),
        (ROLLED, [("x3c2", "x3c1"), ("d4>d5", "d4>d5,x>d5")], "marks[1].target"),
        (ROLLED, [("d4>d5", "d3>d5")], "marks[0].converter"),
        (ROLLED, [("d4>d5", "h8>d5")], "marks[0].converter"),
        (ROLLED, [("K+7/8", "K+7/R7"), ("Q2R2B2", "Q2R1B2"),
                  ("d4>d5", "a0>d5")], "marks[0].converter"),
        (ROLLED, [("d4>d5", "h7>d4")], "marks[0].converter"),
        # tally
        (SETUP, [("m0", "m1")], "tally.moves"),
        (ESCAPED, [("m0", "m1")], "tally.moves"),
        (ESCAPED, [("k0", "k1")], "tally.kills"),
        (ESCAPED, [("r0", "r1")], "tally.reaches"),
        (ESCAPED, [("s0", "s1")], "tally.king_moves"),
        (ROLLED, [("m0", "m3")], "tally.moves"),
        (MOVED, [("m2", "m3")], "tally.moves"),
        (SACRIFICE, [("m0", "m1")], "tally.moves"),
        (PLACE, [("m0", "m1")], "tally.moves"),
        (ROLLED, [("3 move:r", "1 dice"), ("m0", "m1")], "tally.moves"),
        (KEEP, [("m1", "m2")], "tally.moves"),
        (ACTIVATE, [("m1", "m2")], "tally.moves"),
        (WON, [("m2", "m3")], "tally.moves"),
        (ROLLED, [("r0", "r1")], "tally.reaches"),
        (ROLLED, [("s0", "s1")], "tally.king_moves"),
        (MOVED, [("s0", "s2")], "tally.king_moves"),
        (ROLLED, [("k0", "k1")], "tally.kills"),
        (KEEP, [("k1", "k2")], "tally.kills"),
        (MOVED, [("m2", "m1")], "figures"),
        # place and sacrifice
        (PLACE, [("place:q", "place:k"), ("Q1R1", "Q2R1"), ("4K+3", "8"),
                 ("p3x3", "p4x3")], "node.figure"),
        (PLACE, [("/1R6 ", "/RRNNBBPP "), ("2N~5", "8"), ("Q1R1B2N1P8", "Q1P6"),
                 ("x3c2", "x3c3")], "node.figure"),
        (SACRIFICE, [("/1R6", "/8"), ("Q1R1", "Q1R2"), ("2N~5", "8"), ("N1P8", "N2P8"),
                     ("x3c2", "x3c3")], "node.type"),
        (SACRIFICE, [("/1R6", "/PPPPPPPP"), ("Q1R1", "Q1R2"), ("N1P8", "N1")], "node.type"),
        (UNPLACED, [("setup", "sacrifice"), ("Q1R2", "R2"), ("9/9", "2/9")], "node.type"),
        # dice and move
        (MOVED, [("action", "dice")], "node.type"),
        (ROLLED, [("move:r", "move:n")], "node.types"),
        (ROLLED, [("move:r", "move:rq")], "node.types"),
        (ROLLED, [("3r+4", "3r+.4"), ("m0", "m1")], "node.types"),
        # activate
        (ACTIVATE, [("activate:e8", "activate:e5")], "node.square"),
        (ACTIVATE, [("activate:e8", "activate:f7")], "node.square"),
        (ACTIVATE, [("R*.", "R*")], "node.square"),
        (ACTIVATE, [("R*.", "R+."), ("p2x1", "p1x2")], "node.square"),
        (ACTIVATE, [("R*.", "R."), ("p2x1", "p2x2")], "node.square"),
        (ACTIVATE, [("k+2q+R*.N2", "k+2q+1N2"), ("b*2/8/8/", "b*2/8/R*.7/"),
                    ("activate:e8", "activate:a5")], "node.square"),
        (ACTIVATE, [("k+2q+R*.N2", "k+2q+1N2"), ("b*2/8/8/", "b*2/8/R~.7/"), ("x1c3", "x2c2"),
                    ("activate:e8", "activate:a5")], "node.square"),
        (ACTIVATE, [("k+2q+R*.N2/3p1b*2", "k+3R~.N2/q+b*p5"), ("x1c3", "x2c2")], "node.square"),
        # keep
        (KEEP, [("keep:d5", "keep:c5")], "node.square"),
        (KEEP, [("keep:d5", "keep:h8")], "node.square"),
        (KEEP, [("keep:d5:pxc", "keep:a0:pxc"), ("K+/8", "K+/R.7"), ("R2B2", "R1B2"),
                ("3N.4", "3N4")], "node.square"),
        (KEEP, [("keep:d5:pxc", "keep:a4:pxc"), ("3N.4/8", "3N4/P.7"),
                ("P8", "P7")], "node.square"),
        (KEEP, [("k+/8/4p3", "k+/8/1n*r*b*p3"), ("q1r2b2n2", "q1r1b1n1"),
                ("p3x3", "p3x0")], "node.kinds"),
        (KEEP, [("3N.4", "3N*.4"), ("p3x3", "p3x2")], "node.kinds"),
        (KEEP, [("3N.4", "3N4")], "node.square"),
        (KEEP, [("keep:d5:pxc", "keep:d5:p")], "node.kinds"),
        (ESCAPED, [("3r+3", "3r3"), ("p2x3", "p3x3")], "node.square"),
        (ESCAPED, [("keep:d8:c", "keep:d8:x")], "node.kinds"),
        (ESCAPED, [("keep:d8:c", "keep:d8:xc")], "node.kinds"),
        (ESCAPED, [("keep:d8:c", "keep:d4:c")], "node.square"),
        # promote
        (PROMOTE, [("1P.n4k+/8", "2n4k+/1P.6"), ("promote:b8", "promote:b7")], "node.square"),
        (PROMOTE, [("1P.n4k+", "1R.n4k+"), ("R2B2N2P7", "R1B2N2P8")], "node.square"),
        (PROMOTE, [("1P.", "1P")], "node.square"),
        (PROMOTE, [("R2B2N2P7", "P7"), ("Q1/-", "Q1R2B2N2/-")], "node.square"),
        (PROMOTE, [("5 2 promote", "5 e promote"), ("1P.", "1P"), ("Q.", "Q"), ("m2", "m0"),
                   ("r1", "r0")], "node.square"),
        (PROMOTE, [("1P.n4k+", "2n4k+"), ("3Q.K+3/8", "1p1QK+3/8"), ("P7/", "P8/"), ("p8", "p7"),
                   ("promote:b8", "promote:b1"), ("m2", "m1"), ("r1", "r0")], "node.square"),
        # end
        (WON, [("end:p1", "end:p2")], "node.winner"),
        (WON, [("end:p1", "end:draw")], "node.winner"),
        (WON, [("3K+", "4"), ("-/k1", "K1/k1"), ("p4x3", "p5x3")], "node.winner"),
        (ROLLED, [("move:r", "end:p1")], "node.winner"),
        (ROLLED, [("move:r", "end:draw")], "node.winner"),
        (DRAWN, [("10 e", "8 e")], "node.winner"),
        (DRAWN, [("10 e", "10 3")], "node.winner"),
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
    assert line_of(view_of(line)) == line


def test_a_recruited_figure_may_have_moved() -> None:
    """R7.6: it bounced, and stays on its line with the flag."""
    line = MOVED.replace("7P.", "7P").replace("1P6", "1P.6")
    game, state = Chessault.parse_position(line)
    assert game.text(state) == line
    assert {"square": "b0", "has_moved": True}.items() <= game.view(state)["figures"][0].items()


def test_the_double_supply_has_its_own_counts() -> None:
    """R2.4."""
    assert refused(DOUBLE.replace(";supply=double", "")) == ("players[0].stock", "R13.4")
    assert refused(DOUBLE.replace("P15", "P16")) == ("players[0].stock", "R13.4")


@pytest.mark.parametrize(
    ("line", "changes", "words"),
    [
        (ROLLED, ("p2x3", "p3x3"), "there are 5 protect tokens in all; got 'pool 3, on figures 3'"),
        (ROLLED, ("move:r", "move:n"), "among those that can move, pawn, rook, king; got 'knight'"),
        (ROLLED, ("3N4", "2NN4"), "White has 2 knights in all; got '3 (board 2,"),
        (ROLLED, ("K+7", "KK+6"), "White has a king in all; got '2 (board 2,"),
        (SETUP, ("9/4", "10/4"), "add up to at most 13; got '4 figures and 10 credits'"),
        (DRAWN, ("10 e", "8 e"), "or none at action 4 of turn 10; got '0'"),
        (ROLLED, (" 6 3 ", " 7 3 "), "turn 7 is of p1; got '2'"),
        (ROLLED, ("3N4", "3N.4"), "at actions 1 to 3; got 'a moved knight of White on d4'"),
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
        (f"{ROLLED.replace('5/2', '?/2')} @p1", "players[0].credits", FORM),
        (f"{ROLLED.replace('p2x3', 'p3x3')} @-", "pool.protect", "R13.4"),
    ],
)
def test_a_bad_observation_names_its_field_and_rule(line: str, field: str, rule: str) -> None:
    assert refused(line) == (field, rule)


def test_a_position_has_no_observer_and_an_observation_has_one() -> None:
    """R13.5."""
    with pytest.raises(InputError, match="this is the line of an observation"):
        Chessault.parse_position(f"{ROLLED} @p1")
    with pytest.raises(InputError, match="an observation ends with @p") as caught:
        Chessault.parse_observation(ROLLED)
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
        Chessault().parse_move(token)
    assert (caught.value.field, caught.value.value, caught.value.rule) == ("move", token, FORM)


@pytest.mark.parametrize(
    "token", ["dice", "dice:", "dice:kp", "dice:pp", "dice:pnbr", "dice:x", "dice:p-", "dice:P"]
)
def test_an_outcome_names_the_rolled_types_once_in_their_order(token: str) -> None:
    """R12.4."""
    with pytest.raises(InputError) as caught:
        Chessault().parse_move(token)
    assert caught.value.rule == "R12.4"


@pytest.mark.parametrize(
    "token", ["faces", "faces:", "faces:p", "faces:pk", "faces:ppkk", "faces:ppx", "faces:p-k"]
)
def test_faces_are_those_of_three_dice(token: str) -> None:
    """R12.5."""
    with pytest.raises(InputError, match="three faces") as caught:
        Chessault().parse_move(token)
    assert (caught.value.field, caught.value.rule) == ("move", "R12.5")


@pytest.mark.parametrize("token", ["faces:ppk", "faces:kpp", "faces:qqq", "faces:knp"])
def test_faces_keep_their_order_until_they_are_reduced(token: str) -> None:
    check_token(token)
