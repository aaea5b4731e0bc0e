"""Chessault in words: moves, differences, reasons against moves, and the picture.

Test names and docstrings cite docs/rules/chessault.md.
"""

from __future__ import annotations

import random

import pytest

from kingmaker.cext.games.chessault import Chessault
from kingmaker.search.position import parse_position
from tests.cext.chessault_lines import PROMOTE, SACRIFICE
from tests.random_play import steps_of
from tests.refusals.regenerate import spellings
from tests.test_mutations import variants_of

START = (
    "chs 8/8/8/8/8/8/8/8/8/8 p1 0 0 setup - 9/9 K1Q1P2/k1q1p2 "
    "Q1R2B2N2P6/q1r2b2n2p6 -/- p5x3c3 - m0k0r0s0"
)
PLACE = (
    "chs 8/8/8/8/8/8/8/8/8/8 p1 0 0 place:k - 9/9 Q1P2/k1q1p2 "
    "Q1R2B2N2P6/q1r2b2n2p6 -/- p5x3c3 - m0k0r0s0"
)
SET_UP = (  # White has set its king, queen and pawns (W3)
    "chs 8/r2qk+3/3p-p-3/8/8/8/8/3P-P-3/3QK+3/8 p2 0 0 setup p1 9/4 -/- "
    "Q1R2B2N2P6/q1r1b2n2p6 -/- p3x3c3 - m0k0r0s0"
)
DICE = (  # W4
    "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p1 1 1 dice p1p2 9/0 -/- "
    "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0"
)
ACTION = DICE.replace("1 dice", "1 action")
LINE = (  # W6
    "chs 8/7k+/8/8/8/8/3p4/8/7K+/BN1R4 p1 5 1 move:nbr p1p2 0/0 -/- "
    "Q2R1B1N1P8/q2r2b2n2p7 -/- p3x3c3 - m0k0r0s0"
)
ATTACK = (  # W7
    "chs 8/3k+4/r7/8/8/8/8/8/R2Q3K+/8 p1 5 1 move:rq p1p2 0/2 -/- "
    "Q1R1B2N2P8/q2r1b2n2p8 -/- p3x3c3 - m0k0r0s0"
)
KEEP = (  # W9
    "chs 8/7k+/8/4p3/3N.4/8/8/8/7K+/8 p1 5 1 keep:d5:pxc p1p2 0/2 -/- "
    "Q2R2B2N1P8/q1r2b2n2p7 -/q1 p3x3c3 - m1k1r0s0"
)
HELD = (  # W10
    "chs 8/7k+/8/8/B3B*.3/8/7R/8/7K+/8 p1 5 1 keep:e5:c p1p2 0/2 -/- "
    "Q2R1N2P8/q2r2b2n2p8 -/- p3x2c3 - m1k0r0s0"
)
BOMB = (  # W11
    "chs 3n1p2/k+2q+R*.N2/3p1b*2/8/8/8/8/8/K+7/8 p1 5 1 activate:e8 p1p2 0/2 -/- "
    "Q2R1B2N1P8/q1r2b1n1p6 -/- p2x1c3 - m1k0r1s0"
)
CONVERTER = (  # W12, with another mark, a rook on the line and Black's king next to the knight
    "chs 4n3/8/3k+4/8/2pr4/3N~.4/8/8/K+7/8 p1 5 3 activate:d4 p1p2 2/2 -/- "
    "Q2R2B2N1P8/q2r1b2n1p7 -/- p3x3c1 x>c5 m1k0r0s0"
)
MARKED = (  # W13
    "chs 8/7k+/7p/8/3r+4/3N4/8/8/K+7/8 p2 6 3 move:r p1p2 5/2 -/- "
    "Q2R2B2N1P8/q2r1b2n2p7 -/- p2x3c2 d4>d5 m0k0r0s0"
)
CHECK = (  # W14
    "chs 8/4r2k+/8/8/8/8/8/P7/4K+3/8 p1 5 1 action p1p2 0/0 -/- "
    "Q2R2B2N2P7/q2r1b2n2p8 -/- p3x3c3 - m0k0r0s0"
)
FULL = (  # the same with a full line
    "chs 8/7k+/8/8/8/8/2N~5/8/4K+3/RPPPPPPP p1 5 1 sacrifice p1p2 1/0 -/- "
    "Q1R1B2N1P1/q2r2b2n2p8 -/- p3x3c2 - m0k0r0s0"
)
DEAD = (  # W17
    "chs 8/7k+/8/8/8/8/8/P7/4K+3/8 p1 5 1 action p1p2 5/0 -/- "
    "Q2R2B2P7/q2r2b2n2p8 N2/- p3x3c3 - m0k0r0s0"
)
STUCK = (  # W21
    "chs 8/7k+/8/8/7P./8/8/8/1K+.6/1P6 p1 5 3 action p1p2 0/0 -/- "
    "Q2R2B2N2P6/q2r2b2n2p8 -/- p3x3c3 - m2k0r0s0"
)
WON = (  # W19
    "chs 8/3R.4/r7/8/8/8/8/8/3Q.3K+/8 p1 5 2 end:p1 p1p2 0/2 -/- "
    "Q1R1B2N2P8/q2r1b2n2p8 -/k1 p4x3c3 - m2k1r1s0"
)


# --- moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "token", "words"),
    [
        (START, "deploy:k", "set up a king"),
        (START, "buy:r", "buy a rook for 5 credits"),
        (SET_UP, "done", "finish the setup"),
        (PLACE, "place:e1", "place the king on e1"),
        (ACTION, "roll", "roll the dice"),
        (ACTION, "recruit:r", "recruit a rook for 5 credits"),
        (ACTION, "recruit:p", "recruit a pawn for 1 credit"),
        (ACTION, "recruit:q", "recruit a queen for 7 credits and a sacrifice"),
        (DEAD, "resurrect:n", "resurrect a knight for 2 credits"),
        (STUCK, "pass", "pass, as nothing could move"),
        (CHECK, "king:e1-e2", "make the special king move from e1 to e2"),
        (
            CHECK.replace("8/P7/4K+3", "8/P3r3/4K+3").replace("/4r2k+/", "/7k+/"),
            "king:e1-e2",
            "make the special king move from e1 and take the rook on e2",
        ),
        (
            CHECK.replace("8/P7/4K+3", "8/P3r+3/4K+3")
            .replace("/4r2k+/", "/7k+/")
            .replace("p3x3", "p2x3"),
            "king:e1-e2",
            "make the special king move from e1 at the rook on e2, which only costs it its protect",
        ),
        (LINE, "move:b0-c2", "move the knight from b0 to c2"),
        (LINE, "move:d0-d3", "take the pawn on d3 with the rook from d0"),
        (
            ATTACK,
            "move:d1-d8",
            "attack the king on d8 with the queen from d1, which only costs it its protect",
        ),
        (PROMOTE, "promote:r", "promote the pawn on b8 to a rook"),
        (SACRIFICE, "sacrifice:c3", "sacrifice the knight on c3"),
        (SACRIFICE.replace("sacrifice", "place:q"), "place:h0", "place the queen on h0"),
        (KEEP, "keep:explode", "take explode for the knight on d5"),
        (HELD, "keep:explode", "keep explode on the bishop on e5"),
        (HELD, "keep:convert", "take convert for the bishop on e5 instead of explode"),
        (BOMB, "hold", "use no ability"),
        (
            BOMB,
            "explode",
            "explode on e8, which kills a bishop, a knight and 2 pawns of the enemy; kills a "
            "knight of one's own; strips a queen of protect",
        ),
        (CONVERTER, "convert:d5", "mark the rook on d5 for conversion"),
        (DICE, "dice:pk", "roll a pawn and a king"),
        (DICE, "dice:-", "roll nothing that could move"),
    ],
)
def test_a_move_is_described_with_the_figures_it_is_about(
    line: str, token: str, words: str
) -> None:
    position = parse_position("chessault", line)
    assert token in (position.legal_moves() or position.chance_outcomes())
    assert position.describe(token) == words


def test_words_that_hold_anywhere_name_nothing_of_a_position() -> None:
    game = Chessault()
    tokens = (
        "move:d1-d8",
        "king:e1-e2",
        "place:e1",
        "sacrifice:c3",
        "convert:d5",
        "explode",
        "keep:protect",
        "promote:q",
        "faces:ppk",
    )
    assert [game.describe_anywhere(game.parse_move(token)) for token in tokens] == [
        "move from d1 to d8",
        "make the special king move from e1 to e2",
        "place the figure on e1",
        "sacrifice the figure on c3",
        "mark the figure on d5 for conversion",
        "explode",
        "choose protect",
        "promote the pawn to a queen",
        "roll a pawn, a pawn and a king",
    ]


# --- differences ------------------------------------------------------------------------------


def effects(line: str, *tokens: str, seat: int = 0) -> dict[str, float]:
    """What changes by some moves, and its gain for a seat (from 0)."""
    position = parse_position("chessault", line)
    after = position.apply(*tokens)
    found = position.game.changes(position.state, after.state, seat)
    gains = [abs(change.gain) for change in found[after.is_terminal :]]
    assert gains == sorted(gains, reverse=True)
    return {change.text: change.gain for change in found}


def test_changes_tell_losses_abilities_and_check() -> None:
    """R8.1, R9.4: the knight kills a rook and takes protect."""
    line = (
        "chs 8/7k+/8/8/1r6/8/2N5/8/7K+/8 p1 5 1 move:n p1p2 0/2 -/- "
        "Q2R2B2N1P8/q2r1b2n2p8 -/- p3x3c3 - m0k0r0s0"
    )
    own = effects(line, "move:c3-b5")
    assert own == {"p2 loses a rook": 0.2, "p1 gains protect": 0.04}
    assert effects(line, "move:c3-b5", seat=1) == {text: -gain for text, gain in own.items()}
    assert set(effects(line, "move:c3-b5", seat=-1).values()) == {0.0}


def test_changes_tell_a_bounce() -> None:
    """R8.2."""
    assert effects(ATTACK, "move:d1-d8") == {"p2 loses protect": 0.04}


def test_changes_tell_what_an_explosion_does() -> None:
    """R9.10."""
    assert set(effects(BOMB, "explode")) == {
        "p2 loses a bishop, a knight, 2 pawns",
        "p1 loses a knight",
        "p2 loses protect",
        "p1 loses explode",
        "p2 loses explode",
    }


def test_changes_tell_of_a_mark_and_of_its_end() -> None:
    """R9.13, R10.5."""
    line = CONVERTER.replace("p1 5 3", "p1 5 1")
    marked = effects(line, "convert:d5")
    assert marked["the rook on d5 is to be converted"] == pytest.approx(0.06)
    assert marked["p1 loses convert"] == pytest.approx(-0.06)
    converted = effects(MARKED.replace("move:r", "dice"), "dice:-")
    assert converted["p1 has a rook more in play"] == pytest.approx(0.2)
    assert converted["p2 loses a rook"] == pytest.approx(0.2)
    assert converted["p1 gains 1 credit and has 6"] == pytest.approx(0.018)


def test_a_target_that_moves_is_not_reported_as_a_new_one() -> None:
    """R9.14."""
    line = MARKED.replace("p2 6 3", "p2 6 1")
    assert effects(line, "move:d5-c5") == {}


def test_changes_tell_of_check_and_of_credits() -> None:
    """R7.8, R6.8."""
    away = effects(CHECK, "king:e1-d2")
    assert away == {"the king of p1 is no longer in check": 0.08}
    raised = effects(DEAD, "resurrect:n")
    assert set(raised) == {"p1 loses 2 credits and has 3", "p1 can recruit a knight again"}


@pytest.mark.parametrize(("seat", "gain"), [(0, 1.0), (1, -1.0), (-1, 0.0)])
def test_changes_tell_who_wins(seat: int, gain: float) -> None:
    """R11.1."""
    line = (
        "chs 8/3k4/r7/8/8/8/3R4/8/3Q.3K+/8 p1 5 2 move:r p1p2 0/2 -/- "
        "Q1R1B2N2P8/q2r1b2n2p8 -/- p4x3c3 - m1k0r0s0"
    )
    assert effects(line, "move:d3-d8", seat=seat)["White (p1) wins"] == gain


def test_a_draw_is_reported_before_all_else() -> None:
    """R10.7: it gains nothing, but nothing matters more."""
    line = (
        "chs;max_turns=6 8/7k+/8/8/8/8/8/P7/1K+6/8 p2 6 3 dice p1p2 3/0 -/- "
        "Q2R2B2N2P7/q2r2b2n2p8 -/- p3x3c3 - m1k0r1s0"
    )
    assert list(effects(line, "dice:-")) == [
        "the game is a draw",
        "p2 gains 2 credits and has 2",
        "p1 loses 1 credit and has 2",
    ]


def test_a_mark_is_reported_when_another_one_ends_at_once() -> None:
    """R9.13, R10.6: Black's mark fails at the end of the turn in which White sets its own."""
    line = (
        "chs 8/7k+/8/8/3r3n/3N~.4/8/8/K+6R/8 p1 7 3 activate:d4 p1p2 0/0 -/- "
        "Q2R1B2N1P8/q2r1b2n1p8 -/- p3x3c1 h5>d4 m1k0r0s0"
    )
    assert effects(line, "convert:d5")["the rook on d5 is to be converted"] == pytest.approx(0.06)


def test_a_mark_whose_converter_is_killed_is_not_reported_as_a_new_one() -> None:
    """R9.14."""
    line = (
        "chs 8/7k+/8/4r3/3r4/3N4/8/8/K+7/8 p2 6 1 move:r p1p2 0/0 -/- "
        "Q2R2B2N1P8/q2b2n2p8 -/- p3x3c2 d4>e6 m0k0r0s0"
    )
    assert not [text for text in effects(line, "move:d5-d4") if "converted" in text]


# --- reasons ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "token", "words", "rule"),
    [
        (START, "roll", "belongs to the choice of an action", "R6.2"),
        (START, "deploy:b", "no bishop is unplaced", "R4.2"),
        (START, "buy:k", "kings cannot be bought", "R4.5"),
        (START, "buy:q", "to sacrifice for a queen", "R6.7"),
        (START, "done", "unplaced", "R4.6"),
        (SET_UP, "buy:r", "a rook costs 5 credits, and there are 4", "R4.5"),
        (SET_UP, "deploy:k", "no king is unplaced", "R4.2"),
        (PLACE, "place:e3", "setup zone", "R4.3"),
        (PLACE.replace("8/8 p1", "R7/8 p1").replace("R2", "R1").replace("9/9", "4/9"),
         "place:a1", "a1 is not free", "R4.3"),
        (ACTION, "pass", "pawn, queen, king could", "R6.4"),
        (ACTION, "dice:p", "belongs to the roll of the dice", "R12.1"),
        (ACTION, "faces:ppk", "belongs to the roll of the dice", "R12.5"),
        (ACTION, "move:d1-d2", "belongs to the move after a roll", "R6.3"),
        (ACTION, "recruit:k", "cannot be recruited", "R6.6"),
        (ACTION, "resurrect:n", "no own knight is dead", "R6.8"),
        (ACTION, "resurrect:k", "cannot be resurrected", "R6.8"),
        (ACTION, "king:e1-f1", "not in check", "R6.5"),
        (ACTION, "king:d1-c1", "does not stand on d1", "R6.5"),
        (CHECK, "king:e1-e3", "does not reach", "R7.3"),
        (CHECK.replace("m0k0r0s0", "m1k0r0s1").replace("5 1", "5 2"), "king:e1-e2", "been used",
         "R6.5"),
        (CHECK, "recruit:p", "a pawn costs 1 credit, and there are 0", "R6.6"),
        (DEAD.replace("5/0", "1/0"), "resurrect:n", "costs 2 credits", "R6.8"),
        (DEAD, "recruit:n", "no knight in the stock", "R6.6"),
        (DEAD.replace("5/0", "9/0"), "recruit:q", "to sacrifice for a queen", "R6.7"),
        (FULL.replace("sacrifice", "action").replace("Q1R1", "Q2R1"), "recruit:p",
         "no square of the own recruitment line", "R6.6"),
        (STUCK, "roll", "no figure could move", "R6.2"),
        (SACRIFICE, "sacrifice:d4", "no own figure stands on d4", "R6.7"),
        (SACRIFICE, "sacrifice:h8", "no own figure stands on h8", "R6.7"),
        (SACRIFICE, "sacrifice:e1", "no king", "R6.7"),
        (FULL, "sacrifice:c3", "line is full", "R6.7"),
        (SACRIFICE.replace("sacrifice", "place:q"), "place:b0", "b0 is not free", "R6.6"),
        (SACRIFICE.replace("sacrifice", "place:q"), "place:a1", "own recruitment line", "R6.6"),
        (LINE, "move:h1-h2", "no king", "R6.3"),
        (LINE, "move:d3-d2", "no own figure stands on d3", "R6.3"),
        (LINE, "move:e4-e5", "no own figure stands on e4", "R6.3"),
        (LINE, "move:d0-e0", "row 0 or 9", "R7.1"),
        (LINE, "move:d0-d5", "spawn quarter", "R7.1"),
        (LINE, "move:d0-e1", "spawn quarter", "R7.1"),
        (LINE, "move:d0-d4", "does not reach", "R7.3"),
        (LINE, "move:a0-a1", "does not reach", "R7.3"),
        (ATTACK, "move:d1-h1", "an own figure stands on h1", "R7.2"),
        (ATTACK.replace("2Q3", "2Q.3").replace("m0", "m1").replace("5 1", "5 2")
         .replace("move:rq", "move:r"), "move:d1-d2", "no queen", "R6.3"),
        (MARKED.replace("7p", "6rp").replace("r+4", "r+.4").replace("r1b2", "b2")
         .replace("m0", "m1"), "move:d5-d6", "has moved in this turn", "R7.7"),
        (PROMOTE, "promote:q", "no queen in the stock", "R8.6"),
        (PROMOTE, "promote:k", "promoted to a queen, rook, bishop or knight", "R8.6"),
        (HELD, "keep:protect", "chooses between convert and explode", "R9.4"),
        (BOMB, "convert:d8", "holds explode", "R9.7"),
        (CONVERTER, "explode", "holds convert", "R9.7"),
        (CONVERTER, "convert:d7", "does not touch", "R9.12"),
        (CONVERTER, "convert:e5", "no enemy figure", "R9.12"),
        (CONVERTER, "convert:c5", "target of a mark already", "R9.12"),
        (DICE, "dice:n", "no knight can move", "R12.1"),
        (DICE, "faces:qqn", "come to the outcome dice with the types queen", "R12.5"),
        (DICE, "faces:nnn", "come to the outcome dice with the types none", "R12.5"),
        (DICE, "roll", "it is the roll of the dice", "R6.2"),
        (WON, "pass", "the game is over", "R11.5"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_explained_with_its_rule(
    line: str, token: str, words: str, rule: str
) -> None:
    game, state = Chessault.parse_position(line)
    move = game.parse_move(token)
    assert move not in game.moves_of(state)
    sentence, found = game.why_illegal(state, move)
    assert words in sentence
    assert found == rule


def test_a_recruited_enemy_is_not_converted() -> None:
    """R9.12, D16."""
    line = (
        "chs 4n3/3N~.p3/7k+/8/8/8/8/8/K+7/8 p1 5 3 activate:d8 p1p2 2/2 -/- "
        "Q2R2B2N1P8/q2r2b2n1p7 -/- p3x3c2 - m1k0r1s0"
    )
    game, state = Chessault.parse_position(line)
    sentence, rule = game.why_illegal(state, game.parse_move("convert:e9"))
    assert (sentence, rule) == ("figures on a recruitment line cannot be converted", "R9.12")


def test_a_roll_shows_a_type_when_all_six_can_move() -> None:
    """R12.2: u = 0."""
    line = (
        "chs 8/7k+/8/8/8/8/8/P7/1NBRQK+2/8 p1 5 1 dice p1p2 0/0 -/- "
        "Q1R1B1N1P7/q2r2b2n2p8 -/- p3x3c3 - m0k0r0s0"
    )
    game, state = Chessault.parse_position(line)
    assert game.why_illegal(state, game.parse_move("dice:-"))[1] == "R12.2"


def test_every_move_that_is_not_legal_has_a_reason() -> None:
    """No sentence is the one for what no rule forbids."""
    squares = ("a0", "a1", "c3", "d0", "d1", "d4", "d5", "e8", "h8", "h9")
    tokens = [
        f"{verb}:{square}" for verb in ("place", "sacrifice", "convert") for square in squares
    ]
    tokens += [f"{v}:{a}-{b}" for v in ("move", "king") for a in squares for b in squares]
    verbs = ("deploy", "buy", "recruit", "resurrect", "promote", "dice")
    tokens += [f"{verb}:{letter}" for verb in verbs for letter in "pnbrqk"]
    tokens += ["done", "roll", "pass", "hold", "explode", "dice:-", "faces:pnb", "keep:protect"]
    lines = (START, PLACE, SET_UP, DICE, ACTION, LINE, ATTACK, KEEP, HELD, BOMB, CONVERTER, MARKED)
    for line in (*lines, CHECK, PROMOTE, SACRIFICE, FULL, DEAD, STUCK, WON):
        game, state = Chessault.parse_position(line)
        possible = [*game.moves_of(state), *(outcome for outcome, _ in game.outcomes_of(state))]
        for token in tokens:
            move = game.parse_move(token)
            assert move in possible or game.why_illegal(state, move)[1], (line, token)


def test_every_illegal_move_of_random_games_has_a_reason() -> None:
    """With a rule number: the sentence for what no rule forbids has none."""
    rng = random.Random(1)
    tokens = [token for of_verb in spellings("chessault").values() for token in of_verb]
    num_refused = 0
    for variant in variants_of("chessault"):
        game = variant.new()
        for state, _ in steps_of(variant, 100):
            possible = {*game.moves_of(state), *(move for move, _ in game.outcomes_of(state))}
            for token in rng.sample(tokens, 60):
                move = game.parse_move(token)
                if move in possible:
                    continue
                sentence, rule = game.why_illegal(state, move)
                assert rule, (game.text(state), token)
                observation = game.observed(state, 0)
                assert game.why_illegal(observation, move) == (sentence, rule)
                num_refused += 1
    assert num_refused > 10_000


# --- real dice --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "outcome"),
    [
        ("faces:ppk", "dice:pk"),
        ("faces:kpp", "dice:pk"),
        ("faces:qqn", "dice:q"),
        ("faces:nnn", "dice:-"),
        ("faces:kqp", "dice:pqk"),
    ],
)
def test_faces_of_real_dice_come_to_an_outcome(faces: str, outcome: str) -> None:
    """R12.5 with M = {p, q, k}."""
    position = parse_position("chessault", DICE)
    assert position.resolve(faces) == outcome
    assert outcome in position.chance_outcomes()


def test_a_token_that_is_listed_stands_for_itself() -> None:
    assert parse_position("chessault", DICE).resolve("dice:pk") == "dice:pk"
    assert parse_position("chessault", ACTION).resolve("roll") == "roll"
    assert parse_position("chessault", ACTION).resolve("faces:ppk") == "faces:ppk"


# --- the picture ------------------------------------------------------------------------------


def test_the_picture_shows_lines_fields_abilities_and_flags() -> None:
    game, state = Chessault.parse_position(BOMB)
    assert game.render(state).splitlines() == [
        "turn 5 of 400, of White (p1); action 1 of 3",
        "White (p1) may use explode of the rook on e8",
        "",
        "     a    b    c    d     e    f    g    h",
        " 9 | .    .    .    n   | .    p-   .    .   |   Black's line",
        "   +--------------------+--------------------+",
        " 8 |[k+ ] .    .    q+  | R*.  N    .   [.  ]|",
        " 7 | .   (.  ) .    p   | .    b*  (.  ) .   |",
        " 6 | .    .   [.  ] .   | .   [.  ] .    .   |",
        " 5 | .    .    .   (.  )|(.  ) .    .    .   |",
        "   +--------------------+--------------------+",
        " 4 | .    .    .   (.  )|(.  ) .    .    .   |",
        " 3 | .    .   [.  ] .   | .   [.  ] .    .   |",
        " 2 | .   (.  ) .    .   | .    .   (.  ) .   |",
        " 1 |[K+ ] .    .    .   | .    .    .   [.  ]|",
        "   +--------------------+--------------------+",
        " 0 | .    .    .    .   | .    .    .    .   |   White's line",
        "     a    b    c    d     e    f    g    h",
        "[ ] EXPLODE field, ( ) CONVERT field; + protect, * explode, ~ convert, - fresh pawn, "
        ". moved",
        "",
        "White (p1): 0 credits",
        "  stock:    2 queens, a rook, 2 bishops, a knight, 8 pawns",
        "  dead:     -",
        "Black (p2): 2 credits",
        "  stock:    a queen, 2 rooks, a bishop, a knight, 6 pawns",
        "  dead:     -",
        "free tokens: 2 protect, 1 explode, 3 convert",
        "this turn: 1 move, 0 kills, 1 endzone reach",
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (START, "White (p1) sets up a figure, buys one or is done"),
        (START, "  unplaced: a king, a queen, 2 pawns"),
        (START, "setup, turn of White (p1)"),
        (SET_UP, "White (p1): 9 credits, done with the setup"),
        (PLACE, "White (p1) places a king"),
        (ACTION, "White (p1) chooses an action"),
        (DICE, "the dice roll; what can move: pawn, queen or king"),
        (LINE, "White (p1) has rolled a knight, a bishop and a rook and moves one"),
        (MARKED, "Black (p2) has rolled a rook and moves one"),
        (MARKED, "mark: the knight on d4 is converting the rook on d5"),
        (CONVERTER, "mark: the pawn on c5, whose converter is gone"),
        (CONVERTER, "White (p1) may use convert of the knight on d4"),
        (CHECK, "the king of White is in check"),
        (PROMOTE, "White (p1) promotes the pawn on b8"),
        (SACRIFICE, "White (p1) sacrifices a figure for a queen"),
        (KEEP, "White (p1) chooses protect, explode or convert for the knight on d5"),
        (HELD, "White (p1) chooses explode or convert for the bishop on e5"),
        (WON, "the game is over: White (p1) wins"),
        (
            CHECK.replace("m0k0r0s0", "m1k0r0s1").replace("5 1", "5 2"),
            "this turn: 1 move, 0 kills, 0 endzone reaches; the special king move is used",
        ),
    ],
)
def test_the_picture_says_who_is_asked_for_what_and_what_is_pending(line: str, words: str) -> None:
    game, state = Chessault.parse_position(line)
    picture = game.render(state).splitlines()
    assert words in picture
    assert max(map(len, picture)) <= 100


def test_the_picture_tells_the_end_of_a_turn_and_who_decides_then() -> None:
    """R10.5, R13.2: Y promotes a pawn that it gets on its endzone."""
    line = (
        "chs 8/1P6/7k+/8/8/8/8/8/3QK+3/8 p2 6 e promote:b8 p1p2 1/4 -/- "
        "R2B2N2P7/q2r2b2n2p7 Q1/p1 p3x3c3 - m0k0r0s0"
    )
    game, state = Chessault.parse_position(line)
    assert game.render(state).splitlines()[:2] == [
        "end of turn 6 of 400, of Black (p2)",
        "White (p1) promotes the pawn on b8",
    ]


def test_a_draw_and_an_observer_are_named() -> None:
    line = (
        "chs;max_turns=10 8/6k+1/8/8/8/8/8/P7/1K+6/8 p2 10 e end:draw p1p2 0/1 -/- "
        "Q2R2B2N2P7/q2r2b2n2p8 -/- p3x3c3 - m0k0r0s0"
    )
    game, state = Chessault.parse_position(line)
    assert "the game is over: a draw" in game.render(state)
    assert game.render(game.observed(state, 1)).endswith("as p2 sees it")
    assert game.render(game.observed(state, -1)).endswith("as a spectator sees it")


def test_a_finished_game_has_nobody_in_check() -> None:
    """R7.8, R11.4."""
    line = (
        "chs;max_turns=10 8/1r4k+1/8/8/8/8/8/P7/1K+6/8 p2 10 e end:draw p1p2 0/1 -/- "
        "Q2R2B2N2P7/q2r1b2n2p8 -/- p3x3c3 - m0k0r0s0"
    )
    game, state = Chessault.parse_position(line)
    assert "is in check" not in game.render(state)
    unfinished = line.replace("max_turns=10", "max_turns=11")
    unfinished = unfinished.replace("p2 10 e end:draw", "p1 11 1 action")
    game, state = Chessault.parse_position(unfinished)
    assert game.render(state).endswith("the king of White is in check")
