"""Code of Chivalry in text: lines, tokens and options, and what is refused with which rule.

Test names and docstrings cite docs/rules/code_of_chivalry.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.code_of_chivalry import CodeOfChivalry, moves, notation, options
from kingmaker.search.scenario import read_blocks
from kingmaker.v1 import code_of_chivalry_pb2 as messages

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "code_of_chivalry.md"


def script(*verbs: str) -> Iterator[str]:
    """What stands behind these verbs in the scenario blocks of the page."""
    for block in read_blocks(PAGE):
        for line in block.lines:
            verb, _, content = line.text.partition(" ")
            if verb in verbs:
                yield content


def refused(line: str) -> tuple[str, str]:
    """Field and rule of the error that a line is refused with."""
    kind = "observation" if "@" in line else "position"
    parse = notation.parse_observation if "@" in line else notation.parse_position
    with pytest.raises(InputError) as caught:
        parse(line)
    return caught.value.field.removeprefix(f"{kind}."), caught.value.rule


def typed(view: notation.View) -> notation.View:
    """A view as it comes back from the typed message."""
    is_observation = "observer" in view
    message = ParseDict(
        view,
        messages.CodeOfChivalryObservation()
        if is_observation
        else messages.CodeOfChivalryPosition(),
    )
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


# --- the page ---------------------------------------------------------------------------------


def test_every_position_of_the_page_reads_and_prints_as_itself() -> None:
    """R13.1."""
    lines = list(script("given", "at"))
    assert len(lines) > 100
    for line in lines:
        view = notation.parse_position(line)
        assert notation.view_text(view) == line
        assert notation.view_text(typed(view)) == line
        game, state = CodeOfChivalry.parse_position(line)
        assert game.view(state) == view


def test_every_observation_of_the_page_reads_and_prints_as_itself() -> None:
    """R14.1."""
    lines = [content.partition(" ")[2] for content in script("sees")]
    assert len(lines) >= 6
    for line in lines:
        view = notation.parse_observation(line)
        assert notation.view_text(view) == line
        assert notation.view_text(typed(view)) == line
        game, observation = CodeOfChivalry.parse_observation(line)
        assert game.view(observation) == view


def test_every_move_of_the_page_reads_and_prints_as_itself() -> None:
    """R12.1."""
    tokens = {token for line in script("do", "legal", "has", "illegal") for token in line.split()}
    assert len(tokens) > 80
    for token in tokens:
        view = moves.parse_move(token)
        assert moves.move_text(view) == token
        assert moves.view(moves.number(view)) == view
        assert moves.move_text(typed_move(view)) == token


def typed_move(view: notation.View) -> notation.View:
    """A move's view as it comes back from the typed message."""
    return MessageToDict(
        ParseDict(view, messages.CodeOfChivalryMove()),
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )


# --- positions --------------------------------------------------------------------------------

DRAW = "p22s14k7gn5d3a6c6l6u2h2m2t2w3r2x2j2"
GIVEN = f"coc;players=3 5 p1 0 5,-,psk2/5,-,psg/5,-,g {DRAW} - main - -"
RESHUFFLED = GIVEN.replace(" 0 5,", " 1 5,").replace("main - -", f"main - *:{DRAW}")
DEAL = "coc 0 p1 0 5,-,kc/5,-,s/5,-,-/5,-,- p24s15k8g3n5d3a6c5l6u2h2m2t2w3r2x2j2 - deal:p2:1 - -"


def test_the_positions_that_the_next_test_damages_are_valid() -> None:
    for line in (GIVEN, RESHUFFLED, DEAL):
        assert notation.view_text(notation.parse_position(line)) == line


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
        # the tag
        (GIVEN, "coc;", "kc;", "tag", "R13.1"),
        (GIVEN, "players=3", "", "tag", "R13.1"),
        (GIVEN, "players=3", "players", "tag", "R13.1"),
        (GIVEN, "players=3", "players=3;players=3", "tag", "R13.1"),
        (GIVEN, "players=3", "players=3;monks=0", "tag", "R13.1"),
        (GIVEN, "players=3", "players=3;deck=base", "tag", "R13.1"),
        (GIVEN, "players=3", "players=3;seed=1", "tag", "R13.1"),
        (GIVEN, "players=3", "auto_pass=off;players=3", "tag", "R13.1"),
        (GIVEN, "players=3", "players=3;auto_pass=on", "options.auto_pass", "R10.3"),
        (GIVEN, "players=3", "players=3;monks=5", "options.monks", "R1.2"),
        (GIVEN, "players=3", "players=3;target_gems=5", "options.target_gems", "R9.1"),
        (GIVEN, "players=3", "players=2", "players", "R13.1"),
        # kingdoms and piles
        (GIVEN, "psk2/", "psk2,/", "p1", "R13.1"),
        (GIVEN, "5,-,psk2", "31,-,psk2", "p1.gems", "R13.4"),
        (GIVEN, "5,-,psk2", "6,-,psk2", "players", "R13.4"),
        (GIVEN, "5,-,psk2", "5,ac,psk2", "p1.fortifications", "R13.2"),
        (GIVEN, "5,-,psk2", "5,cC,psk2", "p1.fortifications", "R13.2"),
        (GIVEN, "5,-,psk2", "5,,psk2", "p1.fortifications", "R13.2"),
        (GIVEN, "5,-,psk2", "5,I,psk2", "p1.fortifications", "R13.4"),
        (GIVEN, "psk2", "k2ps", "p1.hand", "R13.2"),
        (GIVEN, "psk2", "p1sk2", "p1.hand", "R13.2"),
        (GIVEN, "psk2", "psk02", "p1.hand", "R13.2"),
        (GIVEN, "psk2", "pskk", "p1.hand", "R13.2"),
        (GIVEN, "psk2", "psb2", "p1.hand", "R13.2"),
        (GIVEN, "psk2", "?4", "p1.hand", "R13.2"),
        (GIVEN, "psk2", "", "p1.hand", "R13.2"),
        (GIVEN, " p22", " p23", "draw", "R13.4"),
        (GIVEN, " - main", " k2 main", "draw", "R13.4"),
        (GIVEN, " - main", " o main", "discard", "R13.4"),
        (GIVEN, "psk2", "p25", "p1.hand", "R13.4"),
        # knowledge and reshuffles
        (GIVEN, "main -", "main p1>p2", "known", "R13.1"),
        (GIVEN, "main -", "main *>p2:-", "known", "R13.1"),
        (GIVEN, "main -", "main p1>p1:p", "known", "R11.2"),
        (GIVEN, "main -", "main *>p2:k2", "known", "R13.4"),
        (GIVEN, "main -", "main *>p4:p", "known", "R13.1"),
        (GIVEN, "main -", "main *>p2:s;p1>p2:s", "known", "R13.1"),
        (GIVEN, "main -", "main *>p2:s;p1>p2:g", "known", "R13.4"),
        (GIVEN, "main -", "main p1>p2:s;*>p3:g", "known", "R13.1"),
        (GIVEN, "main - -", f"main - *:{DRAW}", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", "-", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", "*:-", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", DRAW, "base", "R13.1"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW}io", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW};p1:-", "base", "R13.1"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW};p2:p;p1:p", "base", "R13.1"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW};p1:g2", "base", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW};p1:k", "draw", "R13.4"),
        (RESHUFFLED, f"*:{DRAW}", f"*:{DRAW[:-2]}j", "draw", "R13.4"),
        # the deal
        (DEAL, "coc 0 p1", "coc 0 p2", "active", "R13.3"),
        (DEAL, "coc 0 p1", "coc 1 p1", "turn", "R13.4"),
        (DEAL, "0 5,-,kc/5", "0 6,-,kc/4", "p1.gems", "R13.3"),
        (DEAL, "5,-,kc", "5,c,k", "p1.fortifications", "R13.3"),
        (DEAL, "deal:p2:1", "deal:p2:2", "p2.hand", "R13.3"),
        (DEAL, "deal:p2:1", "deal:p3:2", "p2.hand", "R13.3"),
        (DEAL, "deal:p2:1", "deal:p2:0", "node", "R13.3"),
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
        (ALL, "draw:3", "node", "R13.3"),
        (ALL, "attack:p1:-", "node", "R13.3"),
        (ALL, "attack:p4:-", "node", "R13.3"),
        (ALL, "attack:p2:x", "node", "R13.2"),
        (ALL, "attack:p2:l", "draw", "R13.4"),
        (ALL, "respond:p2:-:s:p2", "draw", "R13.4"),
        (ALL, "respond:p2:-:s:p3", "node", "R13.3"),
        (ALL, "respond:p1:-:s:p1", "node", "R13.3"),
        (ALL, "respond:p2:-::p2", "node", "R13.2"),
        (ALL, "respond:p2:-:p1:p2", "node", "R13.2"),
        (ALL, "respond:p2:-:Pp:p2", "node", "R13.2"),
        (ALL, "respond:p2:-:s2:p2", "node", "R13.2"),
        (ALL, "respond:p2:-:h:p2", "node", "R13.2"),
        (ALL, "respond:p2:-:l:p2", "node", "R13.3"),
        (ARCHER.replace("a5", "a6"), "respond:p2:-:n:p1", "node", "R13.3"),
        (ARCHER.replace("n4", "n5"), "respond:p2:-:a:p2", "node", "R13.3"),
        (ALL, "rob:-:p2:p1:0:p2", "node", "R13.3"),
        (ALL, "rob:-:p2:p1:6:p2", "node", "R13.3"),
        (ALL, "rob:-:p2:p1:3:p1", "node", "R13.3"),
        (ALL, "show:p1:-", "node", "R13.3"),
        (ALL, "show:p3:-", "node", "R13.3"),
        (ALL, "show:p2:p3=g", "node", "R13.3"),
        (ALL, "show:p3:p2=k", "node", "R13.3"),
        (ALL, "show:p3:p2=?", "node", "R13.3"),
        (ALL, "choose:-", "node", "R13.3"),
        (ALL, "choose:p3=g+p2=s", "node", "R13.3"),
        (ALL, "choose:p2=s+p3=g", "node", "R13.3"),
        (ALL, "take:p1:1", "node", "R13.3"),
        (ALL, "take:p2:4", "node", "R13.3"),
        (ALL, "take:p2:0", "node", "R13.3"),
        (ALL, "tax:p2", "node", "R13.3"),
        (CASTLE, "tax:p1", "node", "R13.3"),
        (CASTLE, "tax:p2", "node", "R13.4"),
        (CASTLE, "give:p2:2", "node", "R13.3"),
        (CASTLE, "give:p3:1", "node", "R13.3"),
        (CASTLE, "over:gems:p2", "node", "R13.3"),
        (CASTLE, "over:gems:p2+p3", "node", "R13.3"),
        (CASTLE, "over:limit:p3", "node", "R13.3"),
        (CASTLE, "over:peace:p3", "node", "R13.3"),
        (CASTLE, "show:p3:p2=p", "p3.hand", "R13.4"),
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
    assert refused(f"{empty} main - -") == ("p1.hand", "R13.4")
    assert refused(f"{empty} choose:- - -") == ("node", "R13.4")
    everything = "p24s16k9g3n5d3a6c6l6u2h2m2t2w3r2x2j2"
    assert refused(f"coc;players=2 5 p1 0 6,-,{everything}/6,-,- - - draw:1 - -") == (
        "draw",
        "R13.3",
    )


def test_in_turn_1_one_card_is_drawn() -> None:
    """R3.2, R13.3."""
    line = f"coc;players=3 1 p1 0 {ALL} draw:2 - -"
    assert refused(line) == ("node", "R13.3")
    assert notation.parse_position(line.replace("draw:2", "draw:1"))["node"]["left"] == 1


def test_the_winners_at_the_turn_limit_are_the_richest() -> None:
    """R9.6, R13.3."""
    line = f"coc;players=3;turn_limit=5 5 p1 0 {ALL} over:limit:p1+p2 - -"
    assert refused(line) == ("node", "R13.3")
    assert notation.parse_position(line.replace("p1+p2", "p1+p2+p3"))


def test_an_error_says_what_would_be_right() -> None:
    with pytest.raises(InputError) as caught:
        notation.parse_position(GIVEN.replace("main - -", "rob:-:p2:p1:6:p2 - -"))
    assert str(caught.value) == "at most the 5 gems of p2 are in flight; got '6' (R13.3)"
    with pytest.raises(InputError) as caught:
        notation.parse_position(GIVEN.replace("psk2", "k2ps"))
    assert "psk2" in str(caught.value)


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    with pytest.raises(InputError) as caught:
        notation.parse_position("coc " + "9" * 100_000)
    assert len(str(caught.value)) < 300


# --- observations -----------------------------------------------------------------------------

SEEN = "coc;players=3 9 p1 0 5,-,kt/5,-,?3/5,a,?3 ?86 - main *>p3:s;p1>p2:k - @p1"


def test_the_observation_that_the_next_test_damages_is_valid() -> None:
    assert notation.view_text(notation.parse_observation(SEEN)) == SEEN


@pytest.mark.parametrize(
    ("old", "new", "field", "rule"),
    [
        ("@p1", "@p4", "observer", "R14.1"),
        ("@p1", "@p7", "observer", "R14.1"),
        (" @p1", " @", "observer", "R14.1"),
        (" - @p1", " @p1", "observation", "R14.1"),
        ("@p1", "@p2", "p1.hand", "R14.1"),
        ("@p1", "@-", "p1.hand", "R14.1"),
        ("?3/", "ptk/", "p2.hand", "R14.1"),
        ("?3/", "?03/", "p2.hand", "R13.1"),
        ("?86", "?85", "draw", "R13.4"),
        ("?86", "86", "draw", "R14.1"),
        ("kt", "kt3", "p1.hand", "R13.4"),
        ("- main", "t2 main", "observation", "R13.4"),
        ("p1>p2:k", "p2>p1:k", "known", "R14.1"),
        ("p1>p2:k", "p1>p2:kp3", "known", "R13.2"),
        ("p1>p2:k", "p1>p2:p4", "known", "R13.4"),
        ("p1>p2:k", "p1>p2:t2", "known", "R11.4"),
        ("p1>p2:k", "p1>p3:k", "known", "R13.4"),
        (" - @p1", " *:p @p1", "base", "R13.4"),
        ("main", "show:p2:p1=k", "node", "R13.3"),
        ("main", "show:p3:p2=s", "node", "R14.1"),
        ("main", "choose:p2=?+p3=s", "node", "R13.3"),
        ("main", "choose:p2=k+p3=s", "node", "R13.3"),
        ("main", "take:p2:4", "node", "R13.3"),
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
    assert notation.parse_observation(line)["num_draw"] == 84
    fewer = line.replace("p20s15k7", "p20s15k4")  # 83 cards
    assert refused(fewer) == ("draw", "R11.4")
    assert refused(line.replace(" @p1", ";p2:cj @p1")) == ("base", "R14.1")
    assert refused(line.replace(" @p1", ";p1:c3 @p1")) == ("draw", "R11.4")


def test_a_spectator_sees_public_rows_and_the_public_base_only() -> None:
    """R14.2."""
    line = SEEN.replace("kt", "?2").replace("@p1", "@-")
    assert refused(line) == ("known", "R14.2")
    open_line = line.replace(";p1>p2:k", "")
    assert notation.view_text(notation.parse_observation(open_line)) == open_line


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
        moves.parse_move(token)
    assert (caught.value.field, caught.value.value, caught.value.rule) == ("move", token, "R12.1")


def test_a_jester_plays_no_jester() -> None:
    """R8.1."""
    with pytest.raises(InputError) as caught:
        moves.parse_move("respond:jester=jester")
    assert caught.value.rule == "R8.1"


@pytest.mark.parametrize("token", ["deal:?", "draw:?", "take:?", "give:?", "show:?"])
def test_what_others_do_not_see_has_a_token_too(token: str) -> None:
    """R11.1."""
    view = moves.parse_move(token)
    assert moves.move_text(view) == token
    assert moves.view(moves.number(view)) == view


def test_a_seat_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(InputError, match="p1 to p3") as caught:
        CodeOfChivalry(players="3").parse_move("attack:p4:king")
    assert (caught.value.field, caught.value.rule) == ("move", "R12.1")


def test_a_typed_move_with_a_role_alone_plays_one_card() -> None:
    assert moves.move_text({"verb": "attack", "seat": 2, "role": "king"}) == "attack:p2:king"
    assert moves.move_text({"verb": "respond", "role": "peasant", "num_cards": 3}) == (
        "respond:peasant*3"
    )


# --- typed views ------------------------------------------------------------------------------


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    view = {
        "turn": 5,
        "active": 1,
        "players": [{"gems": 6, "hand": {"king": 1}}, {"gems": 6, "castle": "jester"}],
        "draw": {"peasant": 2, "monk": 0},
        "node": {"type": "main"},
    }
    assert notation.view_text(view) == "coc;players=2 5 p1 0 6,-,g/6,C,- p2 - main - -"


@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"players": 9}},
        {"options": {"reshuffle_step": -1}},
        {"turn": -1},
        {"active": 0},
        {"players": []},
        {"draw": {"pawn": 1}},
        {"draw": {"peasant": -1}},
        {"node": {}},
        {"node": {"type": "main - -"}},
        {"node": {"type": "attack", "target": 2, "ladder": "castle"}},
        {"node": {"type": "respond", "seat": 2, "target": 2, "attack_card": {"role": "pawn"}}},
        {"node": {"type": "show", "seat": 2, "picks": [{"seat": 3, "card": "pawn"}]}},
        {"known": [{"holder": 2, "cards": {}}]},
        {"own": [{"seat": 1, "cards": {"king": 1}}]},
    ],
)
def test_a_wrong_view_is_written_as_a_line_that_is_refused(changed: notation.View) -> None:
    view = notation.parse_position(GIVEN) | changed
    with pytest.raises(InputError):
        notation.parse_position(notation.view_text(view))


# --- options ----------------------------------------------------------------------------------


def test_defaults_depend_on_the_number_of_players() -> None:
    """D2, D41."""
    assert options.checked({})["players"] == "4"
    gems = [
        (found["start_gems"], found["target_gems"])
        for found in (
            options.checked({"players": 3}),
            options.checked({"players": 2}),
            options.checked({"players": 2, "two_player": "plain"}),
        )
    ]
    assert gems == [("5", "10"), ("6", "12"), ("5", "10")]


def test_an_explicit_option_wins_over_a_shorthand() -> None:
    """Section 12."""
    found = options.checked({"deck": "stretch", "monks": "1"})
    assert (found["minstrels"], found["monks"]) == ("2", "1")
    assert "deck" not in found


def test_a_view_has_the_values_that_the_options_say() -> None:
    found = options.checked({"players": 5, "first_player": "p3", "auto_pass": "off"})
    values = options.values(found)
    assert (values["first_player"], values["auto_pass"]) == (3, "off")
    assert options.texts(values, 5) == found


@pytest.mark.parametrize(
    ("given", "option", "rule"),
    [
        ({"players": "7"}, "players", "R1.4"),
        ({"players": "03"}, "players", "R1.4"),
        ({"first_player": "p5"}, "first_player", "R2.4"),
        ({"first_player": "1"}, "first_player", "R2.4"),
        ({"minstrels": "5"}, "minstrels", "R1.2"),
        ({"players": "6", "start_gems": "6"}, "start_gems", "R2.1"),
        ({"start_gems": "0"}, "start_gems", "R2.1"),
        ({"players": "2", "target_gems": "13"}, "target_gems", "R9.1"),
        ({"start_gems": "7", "target_gems": "7"}, "target_gems", "R9.1"),
        ({"reshuffle_step": "4"}, "reshuffle_step", "R9.1"),
        ({"target_floor": "11"}, "target_floor", "R9.1"),
        ({"turn_limit": "100001"}, "turn_limit", "R9.6"),
        ({"auto_pass": "maybe"}, "auto_pass", "R10.3"),
        ({"deck": "full"}, "deck", "D35"),
        ({"two_player": "short"}, "two_player", "D2"),
        ({"colour": "red"}, "colour", "section 12"),
    ],
)
def test_a_game_with_other_options_is_refused(
    given: dict[str, str | int], option: str, rule: str
) -> None:
    """Section 12."""
    with pytest.raises(InputError) as caught:
        options.checked(given)
    assert (caught.value.field, caught.value.rule) == (f"options.{option}", rule)
