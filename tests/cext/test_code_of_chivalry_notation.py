"""Code of Chivalry in text: lines and tokens, and what is refused with which rule.

Test names and docstrings cite docs/rules/code_of_chivalry.md.
"""

from __future__ import annotations

from functools import partial

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.code_of_chivalry import CodeOfChivalry
from kingmaker.v1 import code_of_chivalry_pb2 as messages
from tests.cext import notations
from tests.cext.code_of_chivalry_lines import DRAW, GIVEN, SEEN, accepted
from tests.cext.notations import View, page_lines, sent

script = partial(page_lines, "code_of_chivalry")
refused = partial(notations.refused, CodeOfChivalry)


def typed(view: View) -> View:
    """A view as it comes back from the typed message."""
    return sent(
        view,
        messages.CodeOfChivalryObservation()
        if "observer" in view
        else messages.CodeOfChivalryPosition(),
    )


# --- the page ---------------------------------------------------------------------------------


def test_every_position_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.1."""
    lines = list(script("given", "at"))
    assert len(lines) > 100
    for line in lines:
        game, state = CodeOfChivalry.parse_position(line)
        assert game.text(state) == line
        assert CodeOfChivalry.from_view(typed(game.view(state))) == (game, state)


def test_every_observation_of_the_page_reads_and_prints_as_itself() -> None:
    """R14.1."""
    lines = [content.partition(" ")[2] for content in script("sees")]
    assert len(lines) >= 6
    for line in lines:
        game, observation = CodeOfChivalry.parse_observation(line)
        assert game.text(observation) == line
        assert CodeOfChivalry.from_view(typed(game.view(observation))) == (game, observation)


def test_every_move_of_the_page_reads_and_prints_as_itself() -> None:
    """R12.1."""
    tokens = {token for line in script("do", "legal", "has", "illegal") for token in line.split()}
    assert len(tokens) > 80
    game = CodeOfChivalry(players=6)
    for token in tokens:
        move = game.parse_move(token)
        assert game.move_text(move) == token
        assert (
            game.move_from_view(sent(game.move_view(move), messages.CodeOfChivalryMove())) == move
        )


# --- positions --------------------------------------------------------------------------------

RESHUFFLED = GIVEN.replace(" 0 5,", " 1 5,").replace("main - -", f"main - *:{DRAW}")
# Of the two cards that are drawn the second needs a reshuffle.
SECOND_DRAW = GIVEN.replace(" 0 5,", " 9 5,").replace(
    f"{DRAW} - main - -", f"p {DRAW.replace('p22', 'p21')} draw:2 - *:p"
)
DEAL = "coc 0 p1 0 5,-,kc/5,-,s/5,-,-/5,-,- p24s15k8g3n5d3a6c5l6u2h2m2t2w3r2x2j2 - deal:p2:1 - -"


def test_the_positions_that_the_next_test_damages_are_valid() -> None:
    for line in (GIVEN, RESHUFFLED, SECOND_DRAW, DEAL):
        assert accepted(line)


def test_the_position_after_a_second_draw_is_valid() -> None:
    """D50: with as many reshuffles as a position may have (R13.4)."""
    game, state = CodeOfChivalry.parse_position(SECOND_DRAW)
    drawn = game.text(game.after(state, game.parse_move("draw:peasant")))
    assert " 10 5,-,p2sk2/" in drawn
    assert accepted(drawn)


@pytest.mark.parametrize(
    ("line", "old", "new", "field", "rule"),
    [
        # fields and numbers
        (GIVEN, " main", "", "position", "R13.1"),
        (GIVEN, " main", "  main", "position", "R13.1"),
        (GIVEN, "main - -", "main - - @p1x", "observer", "R14.1"),
        (GIVEN, "main - -", "main - -\n", "base", "R13.1"),
        (GIVEN, " 5 p1", " 05 p1", "turn", "R13.1"),
        (GIVEN, " 5 p1", " +5 p1", "turn", "R13.1"),
        (GIVEN, " 5 p1", f" {'9' * 5000} p1", "turn", "R13.1"),
        (GIVEN, " 5 p1", " ٥ p1", "turn", "R13.1"),
        (GIVEN, " 5 p1", " 301 p1", "turn", "R13.4"),
        (GIVEN, " 5 p1", " 0 p1", "turn", "R13.4"),
        (GIVEN, " p1 ", " p4 ", "active", "R13.1"),
        (GIVEN, " p1 ", " 1 ", "active", "R13.1"),
        (RESHUFFLED, " 1 5,", " 11 5,", "reshuffles", "R13.4"),
        (SECOND_DRAW, " 9 5,", " 10 5,", "reshuffles", "R13.4"),
        # the tag
        (GIVEN, "coc;", "kc;", "options", "R13.1"),
        (GIVEN, "players=3", "", "options", "R13.1"),
        (GIVEN, "players=3", "players", "options", "R13.1"),
        (GIVEN, "players=3", "players=3;players=3", "options", "R13.1"),
        (GIVEN, "players=3", "players=3;monks=0", "options", "R13.1"),
        (GIVEN, "players=3", "players=3;deck=base", "options.deck", "R13.1"),
        (GIVEN, "players=3", "players=3;seed=1", "options.seed", "section 12"),
        (GIVEN, "players=3", "auto_pass=off;players=3", "options", "R13.1"),
        (GIVEN, "players=3", "players=3;auto_pass=on", "options.auto_pass", "R10.3"),
        (GIVEN, "players=3", "players=3;monks=5", "options.monks", "R1.2"),
        (GIVEN, "players=3", "players=3;target_gems=5", "options.target_gems", "R9.1"),
        (GIVEN, "players=3", "players=2", "players", "R13.1"),
        # kingdoms and piles
        (GIVEN, "psk2/", "psk2,/", "players[0]", "R13.1"),
        (GIVEN, "5,-,psk2", "31,-,psk2", "players[0].gems", "R13.4"),
        (GIVEN, "5,-,psk2", "6,-,psk2", "players", "R13.4"),
        (GIVEN, "5,-,psk2", "5,ac,psk2", "players[0]", "R13.2"),
        (GIVEN, "5,-,psk2", "5,cC,psk2", "players[0]", "R13.2"),
        (GIVEN, "5,-,psk2", "5,,psk2", "players[0]", "R13.2"),
        (GIVEN, "5,-,psk2", "5,I,psk2", "players[0].minstrel", "R13.4"),
        (GIVEN, "psk2", "k2ps", "players[0].hand", "R13.2"),
        (GIVEN, "psk2", "p1sk2", "players[0].hand", "R13.2"),
        (GIVEN, "psk2", "psk02", "players[0].hand", "R13.2"),
        (GIVEN, "psk2", "pskk", "players[0].hand", "R13.2"),
        (GIVEN, "psk2", "psb2", "players[0].hand", "R13.2"),
        (GIVEN, "psk2", "?4", "players[0].hand", "R13.2"),
        (GIVEN, "psk2", "", "players[0].hand", "R13.2"),
        (GIVEN, " p22", " p23", "draw", "R13.4"),
        (GIVEN, " - main", " k2 main", "draw", "R13.4"),
        (GIVEN, " - main", " o main", "discard.monk", "R13.4"),
        (GIVEN, "psk2", "p25", "players[0].hand.peasant", "R13.4"),
        # knowledge and reshuffles
        (GIVEN, "main -", "main p1>p2", "known", "R13.1"),
        (GIVEN, "main -", "main *>p2:-", "known", "R13.1"),
        (GIVEN, "main -", "main p1>p1:p", "known[0].observer", "R11.2"),
        (GIVEN, "main -", "main *>p2:k2", "known[0].cards", "R13.4"),
        (GIVEN, "main -", "main *>p4:p", "known[0].holder", "R13.1"),
        (GIVEN, "main -", "main *>p2:s;p1>p2:s", "known", "R13.1"),
        (GIVEN, "main -", "main *>p2:s;p1>p2:g", "known[1].cards", "R13.4"),
        (GIVEN, "main -", "main p1>p2:s;*>p3:g", "known", "R13.1"),
        (GIVEN, "main - -", f"main - *:{DRAW}", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", "-", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", "*:-", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", DRAW, "base", "R13.1"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW}io", "base.minstrel", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW};p1:-", "base", "R13.1"),
        (RESHUFFLED, f"*:{DRAW}", f"*:p24{DRAW[3:]};p2:p;p1:p", "base", "R13.1"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW};p1:g2", "own[0].cards", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW};p1:k", "draw", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW[:-2]}j", "draw", "R13.4"),
        # the deal
        (DEAL, "coc 0 p1", "coc 0 p2", "active", "R13.3"),
        (DEAL, "coc 0 p1", "coc 1 p1", "turn", "R13.4"),
        (DEAL, "0 5,-,kc/5", "0 6,-,kc/4", "players[0].gems", "R13.3"),
        (DEAL, "5,-,kc", "5,c,k", "players[0]", "R13.3"),
        (DEAL, "deal:p2:1", "deal:p2:2", "players[1].hand", "R13.3"),
        (DEAL, "deal:p2:1", "deal:p3:2", "players[1].hand", "R13.3"),
        (DEAL, "deal:p2:1", "deal:p2:0", "node.left", "R13.3"),
        (DEAL, "j2 - deal", "j - deal", "draw", "R13.4"),
        (DEAL, "x2j2 - deal", "x2j j deal", "discard", "R13.3"),
        (DEAL, "deal:p2:1 -", "deal:p2:1 *>p1:k", "known", "R13.3"),
    ],
)
def test_a_bad_position_names_its_field_and_rule(
    line: str, old: str, new: str, field: str, rule: str
) -> None:
    """R13.1, R13.2 and R13.4."""
    assert refused(line.replace(old, new, 1)) == (field, rule)


ALL = f"5,-,psk2/5,-,psg/5,-,g {DRAW} -"  # three kingdoms and the piles that go with them
ARCHER = ALL.replace("n5", "n4").replace("a6", "a5")  # a ninja or an archer is the attack card
CASTLE = "5,-,ps/0,c,p/10,c,- p22s15k9g3n5d3a6c4l6u2h2m2t2w3r2x2j2 -"


@pytest.mark.parametrize(
    ("kingdoms", "node", "field", "rule"),
    [
        (ALL, "wait", "node", "R13.3"),
        (ALL, "main:p1", "node", "R13.3"),
        (ALL, "draw", "node", "R13.3"),
        (ALL, "draw:3", "node.left", "R13.3"),
        (ALL, "attack:p1:-", "node.target", "R13.3"),
        (ALL, "attack:p4:-", "node.target", "R13.3"),
        (ALL, "attack:p2:x", "node.ladder", "R13.2"),
        (ALL, "attack:p2:l", "draw", "R13.4"),
        (ALL, "respond:p2:-:s:p2", "draw", "R13.4"),
        (ALL, "respond:p2:-:s:p3", "node.seat", "R13.3"),
        (ALL, "respond:p1:-:s:p1", "node.target", "R13.3"),
        (ALL, "respond:p2:-::p2", "node.attack_card", "R13.2"),
        (ALL, "respond:p2:-:p1:p2", "node.attack_card", "R13.2"),
        (ALL, "respond:p2:-:Pp:p2", "node.attack_card", "R13.2"),
        (ALL, "respond:p2:-:s2:p2", "node.attack_card.num_cards", "R13.2"),
        (ALL, "respond:p2:-:h:p2", "node.attack_card.role", "R13.2"),
        (ALL, "respond:p2:-:l:p2", "node.attack_card.role", "R13.3"),
        (ARCHER.replace("a5", "a6"), "respond:p2:-:n:p1", "node.seat", "R13.3"),
        (ARCHER.replace("n4", "n5"), "respond:p2:-:a:p2", "node.target", "R13.3"),
        (ALL, "rob:-:p2:p1:0:p2", "node.gems", "R13.3"),
        (ALL, "rob:-:p2:p1:6:p2", "node.gems", "R13.3"),
        (ALL, "rob:-:p2:p1:3:p1", "node.seat", "R13.3"),
        (ALL, "show:p1:-", "node.seat", "R13.3"),
        (ALL, "show:p3:-", "node.picks", "R13.3"),
        (ALL, "show:p2:p3=g", "node.picks", "R13.3"),
        (ALL, "show:p3:p2=k", "node.picks[0].card", "R13.3"),
        (ALL, "show:p3:p2=?", "node.picks[0].card", "R13.3"),
        (ALL, "choose:-", "node.picks", "R13.3"),
        (ALL, "choose:p3=g+p2=s", "node.picks[1].card", "R13.3"),
        (ALL, "choose:p2=s+p3=g", "node.picks[0].card", "R13.3"),
        (ALL, "take:p1:1", "node.seller", "R13.3"),
        (ALL, "take:p2:4", "node.left", "R13.3"),
        (ALL, "take:p2:0", "node.left", "R13.3"),
        (ALL, "tax:p2", "node.seat", "R13.3"),
        (CASTLE, "tax:p1", "node.seat", "R13.3"),
        (CASTLE, "tax:p2", "node.seat", "R13.4"),
        (CASTLE, "give:p2:2", "node.left", "R13.3"),
        (CASTLE, "give:p3:1", "node.left", "R13.3"),
        (CASTLE, "over:gems:p2", "node.winners", "R13.3"),
        (CASTLE, "over:gems:p2+p3", "node.winners", "R13.3"),
        (CASTLE, "over:limit:p3", "node.reason", "R13.3"),
        (CASTLE, "over:peace:p3", "node.reason", "R13.3"),
        (CASTLE, "show:p3:p2=p", "players[2].hand", "R13.4"),
    ],
)
def test_a_node_that_does_not_fit_is_refused(
    kingdoms: str, node: str, field: str, rule: str
) -> None:
    """R13.3, and R13.4 where the deciding seat has no legal move."""
    assert refused(f"coc;players=3 5 p1 0 {kingdoms} {node} - -") == (field, rule)


def test_the_deciding_seat_has_a_legal_move() -> None:
    """R13.4: at MAIN a card, at DRAW a pile, at CHOOSE a pick."""
    empty = "coc;players=2 5 p1 0 6,-,-/6,-,- p24s16k9g3n5d3a6c6l6u2h2m2t2w3r2x2j2 -"
    assert refused(f"{empty} main - -") == ("players[0].hand", "R13.4")
    assert refused(f"{empty} choose:- - -") == ("node.picks", "R13.4")
    everything = "p24s16k9g3n5d3a6c6l6u2h2m2t2w3r2x2j2"
    assert refused(f"coc;players=2 5 p1 0 6,-,{everything}/6,-,- - - draw:1 - -") == (
        "draw",
        "R13.3",
    )


def test_in_turn_1_one_card_is_drawn() -> None:
    """R3.2, R13.3."""
    line = f"coc;players=3 1 p1 0 {ALL} draw:2 - -"
    assert refused(line) == ("node.left", "R13.3")
    assert accepted(line.replace("draw:2", "draw:1"))["node"]["left"] == 1


def test_the_winners_at_the_turn_limit_are_the_richest() -> None:
    """R9.6, R13.3."""
    line = f"coc;players=3;turn_limit=5 5 p1 0 {ALL} over:limit:p1+p2 - -"
    assert refused(line) == ("node.winners", "R13.3")
    assert accepted(line.replace("p1+p2", "p1+p2+p3"))


def test_an_error_says_what_would_be_right() -> None:
    with pytest.raises(InputError) as caught:
        CodeOfChivalry.parse_position(GIVEN.replace("main - -", "rob:-:p2:p1:6:p2 - -"))
    assert str(caught.value) == "at most the 5 gems of p2 are in flight; got '6' (R13.3)"
    with pytest.raises(InputError) as caught:
        CodeOfChivalry.parse_position(GIVEN.replace("psk2", "k2ps"))
    assert "psk2" in str(caught.value)
    with pytest.raises(InputError) as caught:
        CodeOfChivalry.parse_position(GIVEN.replace("main -", "main *>p2:k2"))
    assert str(caught.value) == (
        "what everybody knows of the hand of p2 lies in it, and it has 0 knights; got '2 knights' "
        "(R13.4)"
    )


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    with pytest.raises(InputError) as caught:
        CodeOfChivalry.parse_position("coc " + "9" * 100_000)
    assert len(str(caught.value)) < 300


# --- observations -----------------------------------------------------------------------------


def test_the_observation_that_the_next_test_damages_is_valid() -> None:
    assert accepted(SEEN)


@pytest.mark.parametrize(
    ("old", "new", "field", "rule"),
    [
        ("@p1", "@p4", "observer", "R14.1"),
        ("@p1", "@p7", "observer", "R14.1"),
        (" @p1", " @", "observer", "R14.1"),
        (" - @p1", " @p1", "observation", "R13.1"),
        ("@p1", "@p2", "players[0].num_hidden", "R14.1"),
        ("@p1", "@-", "players[0].num_hidden", "R14.1"),
        ("?3/", "ptk/", "players[1].num_hidden", "R14.1"),
        ("?3/", "?03/", "players[1].num_hidden", "R13.1"),
        ("?86", "?85", "num_draw", "R13.4"),
        ("?86", "86", "num_draw", "R14.1"),
        ("kt", "kt3", "players[0].hand.traitor", "R13.4"),
        ("- main", "t2 main", "observation", "R13.4"),
        ("p1>p2:k", "p2>p1:k", "known[1].observer", "R14.1"),
        ("p1>p2:k", "p1>p2:kp3", "known", "R13.2"),
        ("p1>p2:k", "p1>p2:p4", "known[1].cards", "R13.4"),
        ("p1>p2:k", "p1>p2:t2", "known", "R11.4"),
        ("p1>p2:k", "p1>p3:k", "known[1].cards", "R13.4"),
        (" - @p1", " *:p @p1", "base", "R13.4"),
        ("main", "show:p2:p1=k", "node.picks", "R13.3"),
        ("main", "show:p3:p2=s", "node.picks[0].card", "R14.1"),
        ("main", "choose:p2=?+p3=s", "node.picks[0].card", "R13.3"),
        ("main", "choose:p2=k+p3=s", "node.picks[0].card", "R13.3"),
        ("main", "take:p2:4", "node.left", "R13.3"),
    ],
)
def test_a_bad_observation_names_its_field_and_rule(
    old: str, new: str, field: str, rule: str
) -> None:
    """R14.1, R14.2, and what R13 says of all that is seen."""
    assert refused(SEEN.replace(old, new, 1)) == (field, rule)


def test_an_observation_that_no_hidden_cards_fit_is_refused() -> None:
    """R11.4d: of the pile only what was reshuffled can be left."""
    line = (
        "coc;players=2 51 p2 1 6,-,p4/6,-,?6 ?84 s main - *:p20s15k7g3n5d3a6c6l6u2h2m2w3r2x2j2 @p1"
    )
    assert accepted(line)["num_draw"] == 84
    fewer = line.replace("p20s15k7", "p20s15k4")  # 83 cards
    assert refused(fewer) == ("num_draw", "R11.4")
    assert refused(line.replace(" @p1", ";p2:cj @p1")) == ("own[0].seat", "R14.1")
    assert refused(line.replace(" @p1", ";p1:c3 @p1")) == ("num_draw", "R11.4")


def test_a_spectator_sees_public_rows_and_the_public_base_only() -> None:
    """R14.2."""
    line = SEEN.replace("kt", "?2").replace("@p1", "@-")
    assert refused(line) == ("known[1].observer", "R14.2")
    open_line = line.replace(";p1>p2:k", "")
    assert accepted(open_line)


# --- tokens -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token",
    [
        "",
        "attack",
        "attack:p2",
        "attack:p0:king",
        "attack:p7:king",
        "attack:2:king",
        "attack:p2:castle",
        "attack:p2:jester",
        "attack:p2:peasant*1",
        "attack:p2:peasant*0",
        "attack:p2:peasant*02",
        "attack:p2:peasant*25",
        "attack:p2:soldier*2",
        "attack:p2:peasant*0+jester*1",
        "attack:p2:peasant*1+jester*0",
        "attack:p2:peasant+jester",
        "attack:p2:peasant*2+jester*3",
        "attack:p2:king:king",
        "fortify:ladder",
        "fortify:jester=king",
        "special:merchant",
        "special:herald:p2",
        "special:herald:",
        "special:jester=merchant",
        "special:traitor",
        "discard:?",
        "discard:",
        "discard:king:king",
        "end:",
        "pass\n",
        "Pass",
        "respond:ninja",
        "respond:p2:king",
        "rob:jester",
        "rob:king",
        "rob:jester=king",
        "choose:king",
        "tax:card",
        "tax:?",
        "deal:p",
        "draw:ｋing",
    ],
)
def test_only_the_spellings_of_the_page_are_moves(token: str) -> None:
    """R12.1."""
    with pytest.raises(InputError) as caught:
        CodeOfChivalry().parse_move(token)
    assert (caught.value.field, caught.value.value, caught.value.rule) == ("move", token, "R12.1")


def test_a_jester_plays_no_jester() -> None:
    """R8.1."""
    with pytest.raises(InputError) as caught:
        CodeOfChivalry().parse_move("respond:jester=jester")
    assert (caught.value.field, caught.value.rule) == ("move", "R8.1")


@pytest.mark.parametrize("token", ["deal:?", "draw:?", "take:?", "give:?", "show:?"])
def test_what_others_do_not_see_has_a_token_too(token: str) -> None:
    """R11.1."""
    game = CodeOfChivalry()
    move = game.parse_move(token)
    assert game.move_text(move) == token
    assert game.move_view(move) == {"verb": token[:-2], "card": "?"}


def test_a_seat_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(InputError, match="a seat from 1 to 3") as caught:
        CodeOfChivalry(players="3").parse_move("attack:p4:king")
    assert (caught.value.field, caught.value.rule) == ("move", "R12.1")


def test_a_typed_move_with_a_role_alone_plays_one_card() -> None:
    game = CodeOfChivalry()
    for view, token in (
        ({"verb": "attack", "seat": 2, "role": "king"}, "attack:p2:king"),
        ({"verb": "respond", "role": "peasant", "num_cards": 3}, "respond:peasant*3"),
        ({"verb": "rob", "role": "highwayman", "num_jesters": 1}, "rob:jester=highwayman"),
    ):
        assert game.move_from_view(view) == game.parse_move(token)


@pytest.mark.parametrize(
    ("view", "field", "rule"),
    [
        ({}, "verb", "R12.1"),
        ({"verb": "attack:p2:king"}, "verb", "R12.1"),
        ({"verb": "attack", "seat": 2, "role": "king:"}, "role", "R12.1"),
        ({"verb": "attack", "seat": 2, "role": "jester"}, "role", "R12.1"),
        ({"verb": "attack", "seat": 2, "role": "jester", "num_jesters": 1}, "role", "R8.1"),
        ({"verb": "attack", "seat": 2, "role": "jester=king"}, "role", "R12.1"),
        ({"verb": "attack", "seat": 2, "role": "king", "num_cards": 2}, "num_cards", "R12.1"),
        ({"verb": "attack", "seat": 2, "role": "king", "num_jesters": 2}, "num_jesters", "R12.1"),
        ({"verb": "attack", "seat": 2, "role": "peasant", "num_cards": 25}, "num_cards", "R12.1"),
        ({"verb": "attack", "seat": 5, "role": "king"}, "seat", "R12.1"),
        ({"verb": "attack", "role": "king"}, "seat", "R12.1"),
        ({"verb": "attack", "seat": "2", "role": "king"}, "seat", "R12.1"),
        ({"verb": "special", "role": "merchant"}, "seat", "R12.1"),
        ({"verb": "discard", "card": "?"}, "card", "R12.1"),
        ({"verb": "tax", "payment": "gem:"}, "payment", "R12.1"),
        # fields that the move has not
        ({"verb": "pass", "seat": 2}, "seat", "R12.1"),
        ({"verb": "discard", "card": "king", "role": "king"}, "role", "R12.1"),
        ({"verb": "special", "role": "herald", "seat": 2}, "seat", "R12.1"),
        ({"verb": "tax", "payment": "gem", "num_cards": 1}, "num_cards", "R12.1"),
        ({"verb": "rob", "role": "highwayman", "card": "king"}, "card", "R12.1"),
    ],
)
def test_a_wrong_typed_move_names_the_field_that_was_sent(
    view: View, field: str, rule: str
) -> None:
    """R12.1."""
    with pytest.raises(InputError) as caught:
        CodeOfChivalry().move_from_view(view)
    assert (caught.value.field, caught.value.rule) == (f"move.{field}", rule)
