"""Code of Chivalry in words: moves, differences, reasons against moves, and the picture.

Test names and docstrings cite docs/rules/code_of_chivalry.md.
"""

from __future__ import annotations

import pytest

from kingmaker.cext.games.code_of_chivalry import CodeOfChivalry
from tests.random_play import Variant, steps_of
from tests.refusals.regenerate import is_spelled, possible, spellings

JESTERS = "coc;players=3 5 p1 0 5,a,pj2/5,-,s2d/5,-,s p23s13k9g3n5d2a5c6l6u2h2m2t2w3r2x2 - main - -"
ANSWER = (
    "coc;players=3 9 p1 0 5,-,kt/5,-,pr2/5,a,s2w p23s14k7g3n5d3a5c6l6u2h2m2tw2x2j2 - "
    "respond:p2:-:k:p2 *>p3:s;p2>p1:k -"
)
FLIGHT = (
    "coc 5 p1 0 3,-,s/4,-,s/8,-,-/5,-,w p24s14k8g3n5d3a6c6l6u2h2m2t2w2r2x2j kj rob:-:p2:p3:3:p4 - -"
)
WALLS = (
    "coc;players=3 5 p1 0 5,c,psdalu/5,ca,s2/5,-,p p22s13k9g3n5d2a4c4l5uh2m2t2w3r2x2j2 - main - -"
)


@pytest.mark.parametrize(
    ("line", "token", "words"),
    [
        (
            JESTERS,
            "attack:p2:peasant*1+jester*2",
            "attack p2 with a peasant and 2 jesters (strength 3)",
        ),
        (JESTERS, "attack:p2:jester=knight", "attack p2 with a jester as knight (strength 3)"),
        (
            JESTERS,
            "special:jester=merchant:p2",
            "buy 1 card of p2 for a gem with a jester as merchant",
        ),
        (WALLS, "attack:p2:archer", "shoot at the archer of p2 with an archer"),
        (WALLS, "attack:p2:catapult", "destroy the castle and archer of p2 with a catapult"),
        (ANSWER, "respond:princess", "win the knight with a princess"),
        (ANSWER, "respond:peasant", "block with a peasant (strength 1 against 3)"),
        (ANSWER, "pass", "let the knight take effect"),
        (FLIGHT, "rob:highwayman", "steal 3 gems in flight with a highwayman"),
        (FLIGHT, "pass", "let 3 gems go to p3"),
    ],
)
def test_a_move_is_described_with_the_cards_it_uses(line: str, token: str, words: str) -> None:
    game, state = CodeOfChivalry.parse_position(line)
    assert game.describe_move(state, game.parse_move(token)) == words


def test_words_that_hold_anywhere_name_nothing_of_a_position() -> None:
    game = CodeOfChivalry()
    found = [
        game.describe_anywhere(game.parse_move(token))
        for token in ("rob:highwayman", "special:merchant:p2", "respond:traitor", "pass")
    ]
    assert found == [
        "steal the gems in flight with a highwayman",
        "buy half of the cards of p2 for a gem with a merchant",
        "turn the attack card against the attacker with a traitor",
        "pass",
    ]


def test_changes_tell_who_robbed_whom_and_what_that_is_worth() -> None:
    game, before = CodeOfChivalry.parse_position(FLIGHT)
    robbed = game.after(before, game.parse_move("rob:highwayman"))
    gains = {change.text: change.gain for change in game.changes(before, robbed, 3)}
    assert gains["3 gems are in flight from p2 to p4"] == pytest.approx(0.24)
    assert gains["p4 gives up a highwayman"] < 0
    for_loser = {change.text: change.gain for change in game.changes(before, robbed, 2)}
    assert for_loser["3 gems are in flight from p2 to p4"] == pytest.approx(-0.24)


def test_a_card_laid_down_is_not_reported_as_given_up() -> None:
    game, before = CodeOfChivalry.parse_position(JESTERS)
    laid = game.after(before, game.parse_move("fortify:jester=castle"))
    [own] = game.changes(game.observed(before, 0), game.observed(laid, 0), 0)
    assert own.text == "p1 has a jester as castle face up"
    assert own.gain < 0
    others = game.changes(game.observed(before, 1), game.observed(laid, 1), 1)
    assert {change.text for change in others} == {own.text, "p1 holds 1 hidden card fewer"}


def test_changes_of_observations_name_no_hidden_card() -> None:
    line = "coc;players=2 5 p1 0 6,-,p/6,-,k p23s16k8g3n5d3a6c6l6u2h2m2t2w3r2x2j2 - draw:1 - -"
    game, before = CodeOfChivalry.parse_position(line)
    drawn = game.after(before, game.parse_move("draw:king"))
    own = game.changes(game.observed(before, 0), game.observed(drawn, 0), 0)
    others = game.changes(game.observed(before, 1), game.observed(drawn, 1), 1)
    assert [change.text for change in own] == ["p1 gets a king"]
    assert [change.text for change in others] == ["p1 holds 1 hidden card more"]


@pytest.mark.parametrize(
    ("line", "token", "rule"),
    [
        (JESTERS, "end", "R12.1"),
        (JESTERS, "pass", "R12.1"),
        (JESTERS, "draw:king", "R3.2"),
        (JESTERS, "tax:gem", "R7.4"),
        (JESTERS, "attack:p1:peasant", "R4.1"),
        (JESTERS, "attack:p2:king", "R3.3"),
        (JESTERS, "attack:p2:peasant*2", "R3.3"),
        (JESTERS, "attack:p2:jester=castle", "R1.1"),
        (JESTERS, "attack:p2:jester=archer", "R4.2"),
        (JESTERS, "attack:p2:jester=ladder", "R4.2"),
        (JESTERS, "fortify:jester=archer", "R3.6"),
        (JESTERS, "fortify:castle", "R3.6"),
        (JESTERS, "fortify:jester=minstrel", "R8.1"),
        (JESTERS, "fortify:minstrel", "R1.2"),
        (JESTERS, "special:jester=monk", "R8.1"),
        (JESTERS, "special:herald", "R7.1"),
        (JESTERS, "special:jester=merchant:p1", "R7.3"),
        (JESTERS, "special:jester=merchant:p3", "R7.3"),
        (JESTERS, "discard:king", "R3.4"),
        (WALLS, "attack:p2:soldier", "R4.2"),
        (WALLS, "attack:p2:dragon", "R4.2"),
        (WALLS, "attack:p2:ladder", "R4.2"),
        (WALLS, "attack:p3:catapult", "R4.2"),
        (WALLS, "attack:p2:jester=king", "R8.1"),
        (ANSWER, "respond:jester=ninja", "R5.1"),
        (ANSWER, "respond:king", "R5.1"),
        (ANSWER, "respond:jester=princess", "R8.1"),
        (ANSWER, "respond:jester=minstrel", "R8.1"),
        (ANSWER, "attack:p2:king", "R3.3"),
        (FLIGHT, "rob:jester=highwayman", "R8.1"),
        (FLIGHT, "choose:p2", "R7.2"),
    ],
)
def test_an_illegal_move_is_explained_with_its_rule(line: str, token: str, rule: str) -> None:
    game, state = CodeOfChivalry.parse_position(line)
    move = game.parse_move(token)
    assert move not in game.moves_of(state)
    sentence, found = game.why_illegal(state, move)
    assert (bool(sentence), found) == (True, rule)


@pytest.mark.parametrize(
    ("node", "token", "rule"),
    [
        ("fortify", "attack:p2:peasant", "R3.3"),
        ("attack:p2:-", "discard:peasant", "R3.4"),
        ("attack:p2:-", "attack:p3:peasant", "R4.1"),
        ("show:p2:-", "show:king", "R7.2"),
        ("show:p2:-", "show:?", "R7.2"),
        ("take:p2:1", "take:king", "R7.3"),
        ("tax:p2", "tax:gem", "R7.4"),
        ("tax:p3", "tax:cards", "R7.4"),
        ("give:p2:2", "give:king", "R7.4"),
        ("draw:1", "draw:dragon", "R3.2"),
        ("draw:1", "draw:?", "R3.2"),
    ],
)
def test_every_node_has_its_own_reasons(node: str, token: str, rule: str) -> None:
    kingdoms = "5,-,ps/0,c,p2/10,c,- p21s15k9g3n5a6c4l6u2h2m2t2w3r2x2j2 d3"
    line = f"coc;players=3 5 p1 0 {kingdoms} {node} - -"
    game, state = CodeOfChivalry.parse_position(line)
    assert game.why_illegal(state, game.parse_move(token))[1] == rule


def test_nothing_is_legal_when_the_game_is_over() -> None:
    line = (
        "coc;players=3;turn_limit=5 5 p1 0 5,-,p/5,-,s/5,-,g "
        "p23s15k9g2n5d3a6c6l6u2h2m2t2w3r2x2j2 - over:limit:p1+p2+p3 - -"
    )
    game, state = CodeOfChivalry.parse_position(line)
    assert game.why_illegal(state, game.parse_move("pass")) == ("the game is over", "R9.6")


def test_a_hidden_hand_is_not_reported_by_the_reason() -> None:
    """To p1 it is open whether p2 holds a traitor."""
    game, state = CodeOfChivalry.parse_position(ANSWER)
    move = game.parse_move("respond:traitor")
    assert "hand" in game.why_illegal(state, move)[0]
    assert "hand" not in game.why_illegal(game.observed(state, 0), move)[0]


def test_a_hidden_draw_pile_is_not_reported_by_the_reason() -> None:
    """p2 sees none of the three kings in it."""
    line = "coc;players=2 5 p1 0 6,-,p/6,-,k p23s16k8g3n5d3a6c6l6u2h2m2t2w3r2x2j2 - draw:1 - -"
    game, state = CodeOfChivalry.parse_position(line)
    sentence, _ = game.why_illegal(game.observed(state, 1), game.parse_move("draw:king"))
    assert sentence == "the draw pile is hidden, and chance draws from it"


def test_one_gem_wins_in_the_singular() -> None:
    """Eleven reshuffles leave a target of 1 (R9.1)."""
    line = (
        "coc;players=2 120 p1 10 6,-,p24s16k8g3n5d3a6c6l6u2h2m2t2w3r2x2j2/6,-,k - - main - *:c;p1:c"
    )
    game, before = CodeOfChivalry.parse_position(line)
    after = game.after(before, game.parse_move("discard:peasant"))
    assert "; 1 gem wins; reshuffles 11" in game.render(after)
    [text] = [each.text for each in game.changes(before, after, 0) if "draw pile" in each.text]
    assert text == "the discard pile becomes the draw pile, and 1 gem wins"


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("main", "p1 chooses between attack, fortifying, special action and discard"),
        ("fortify", "p1 may go on fortifying"),
        ("attack:p2:l", "p1 may go on against p2, with a ladder on the table"),
        ("rob:-:p2:p1:2:p3", "p3 is asked whether it robs 2 gems of p2 in flight to p1"),
        ("show:p3:p2=p", "p3 lays a card for the herald; laid: p2 a peasant"),
        ("tax:p2", "p2 pays the monk's tax"),
        ("give:p2:2", "p2 gives cards as the monk's tax, 2 cards to come"),
        ("take:p2:1", "p2 sells cards to the merchant, 1 card to come"),
        ("draw:1", "p1 draws, 1 card to come"),
    ],
)
def test_the_picture_says_who_is_asked_for_what(node: str, words: str) -> None:
    ladders = "l5" if ":l" in node else "l6"
    kingdoms = f"5,-,ps/5,c,p2/5,-,k p21s15k8g3n5a6c5{ladders}u2h2m2t2w3r2x2j2 d3"
    game, state = CodeOfChivalry.parse_position(f"coc;players=3 5 p1 0 {kingdoms} {node} - -")
    assert game.render(state).splitlines()[1] == words


def test_the_picture_names_cards_and_hides_what_is_hidden() -> None:
    game, state = CodeOfChivalry.parse_position(ANSWER)
    picture = game.render(game.observed(state, 1))
    assert "p2 answers a knight" in picture
    assert "1 knight (known)" in picture
    assert "2 princesses" in picture
    assert "2 hidden" in picture
    assert "highwa" not in picture
    assert picture.endswith("as p2 sees it")


VARIANTS = [
    {"players": "2"},
    {"players": "4", "deck": "stretch", "auto_pass": "off"},
    {"players": "6", "minstrels": "3", "auto_pass": "private"},
]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: options["players"])
def test_every_illegal_move_of_random_games_has_its_rule(options: dict[str, str]) -> None:
    variant = Variant("code_of_chivalry", options)
    game = variant.new()
    tokens = [token for of_verb in spellings("code_of_chivalry").values() for token in of_verb]
    moves = [game.parse_move(token) for token in tokens if is_spelled(game, token)]
    assert len(moves) > 250
    for state, _ in steps_of(variant, 60):
        for move in {*moves} - possible(game, state):
            sentence, rule = game.why_illegal(state, move)
            assert rule, (game.text(state), game.move_text(move), sentence)
