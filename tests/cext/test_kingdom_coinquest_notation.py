"""Kingdom Coinquest in text: lines, tokens and words, and what is refused with which rule.

Test names and docstrings cite docs/rules/kingdom_coinquest.md.
"""

from __future__ import annotations

import re

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.kingdom_coinquest import KingdomCoinquest
from tests.cext.kingdom_coinquest_lines import CARD, IDLE_P2, MID_GAME, at, filled


def refused(line: str) -> tuple[str, str]:
    """Field and rule of the error that a line is refused with."""
    is_observation = "@" in line
    kind = "observation" if is_observation else "position"
    parse = (
        KingdomCoinquest.parse_observation if is_observation else KingdomCoinquest.parse_position
    )
    with pytest.raises(InputError) as caught:
        parse(filled(line))
    return caught.value.field.removeprefix(f"{kind}."), caught.value.rule


# --- lines and tokens -------------------------------------------------------------------------

HEAD = "kc turn=11 epoch=2 node=play:p1 "
P1 = "p1=h/20/7s~0,4d,2c!/-/-/-/-/- "
P2 = "p2=s/20/9d,jd/-/-/-/-/- "
TAIL = "forge=* grave=3c"


@pytest.mark.parametrize(
    ("line", "field", "rule"),
    [
        ("", "position", "R12.3"),
        ("kc", "position", "R12.3"),
        (HEAD + P1 + TAIL, "position", "R12.3"),
        (HEAD + P1 + P2 + TAIL + " ", "p3", "R12.3"),
        (HEAD + P1 + P2 + TAIL + "\n", "grave", "R12.3"),
        (HEAD.replace("kc", "kd") + P1 + P2 + TAIL, "tag", "R12.3"),
        (HEAD.replace("kc", "kc;turn_limit=0") + P1 + P2 + TAIL, "tag", "R12.4b"),
        (HEAD.replace("kc", "kc;turn_limit=07") + P1 + P2 + TAIL, "tag", "R12.3"),
        (HEAD.replace("kc", "kc;ace_strike=0") + P1 + P2 + TAIL, "tag", "R12.3"),
        (HEAD.replace("kc", "kc;turn_limit=10") + P1 + P2 + TAIL, "turn", "R12.4b"),
        (HEAD.replace("turn=11", "turn=0") + P1 + P2 + TAIL, "turn", "R12.4b"),
        (HEAD.replace("turn=11", "turn=" + "1" * 5000) + P1 + P2 + TAIL, "turn", "R12.3"),
        (HEAD.replace("turn=11", "turn=١") + P1 + P2 + TAIL, "turn", "R12.3"),
        (HEAD.replace("turn=11", "turns=11") + P1 + P2 + TAIL, "turn", "R12.3"),
        (HEAD.replace("play:p1", "play") + P1 + P2 + TAIL, "node", "R12.3"),
        (HEAD.replace("play:p1", "play:p3") + P1 + P2 + TAIL, "node", "R12.4h"),
        (HEAD.replace("play:p1", "strike:p2") + P1 + P2 + TAIL, "node", "R12.4i"),
        (HEAD.replace("play:p1", "play:p2") + P1 + P2 + TAIL, "p2.hand", "R12.4i"),
        (HEAD.replace("play:p1", "king:p1") + P1 + P2 + TAIL, "turn", "R12.4b"),
        (HEAD + P1.replace("h/20", "h/100") + P2 + TAIL, "p1.health", "R12.4b"),
        (HEAD + P1.replace("h/20", "k/20") + P2 + TAIL, "p1.suit", "R12.3"),
        (HEAD + P1.replace("h/20", "_/20") + P2 + TAIL, "p1.suit", "R12.4d"),
        (HEAD + P1.replace("h/20", "s/20") + P2 + TAIL, "p2.suit", "R12.4d"),
        (HEAD + P1.replace("7s~0", "7s~2") + P2 + TAIL, "p1.hand", "R12.4c"),
        (HEAD + P1.replace("7s~0", "7s~00") + P2 + TAIL, "p1.hand", "R12.3"),
        (HEAD + P1.replace("2c!", "2c?") + P2 + TAIL, "p1.hand", "R12.3"),
        (HEAD + P1.replace("2c!", "?") + P2 + TAIL, "p1.hand", "R12.3"),
        (HEAD + P1.replace("2c!", "2c!,3c,4c") + P2 + TAIL, "p1.hand", "R12.4c"),
        (HEAD + P1.replace("2c!", "kc!") + P2 + TAIL, "p1.hand", "R12.3"),
        (HEAD + P1 + P2.replace("9d,jd", "4d,jd") + TAIL, "p2.hand", "R12.4c"),
        (HEAD + P1 + P2.replace("9d,jd", "-,jd") + TAIL, "p2.hand", "R12.3"),
        (HEAD + P1 + P2.replace("9d,jd", "9d,jd,qd/-/2s:1") + TAIL, "p2", "R12.3"),
        (HEAD + P1 + P2.replace("9d,jd/-/-", "9d,jd,qd/-/2s:1") + TAIL, "p2.hand", "R12.4h"),
        (HEAD + P1 + P2.replace("9d,jd/-/-", "9d/-/2s") + TAIL, "p2.quartermaster", "R12.3"),
        (HEAD + P1 + P2.replace("9d,jd/-/-", "9d/-/2s:2") + TAIL, "p2.quartermaster", "R12.4e"),
        (HEAD + P1 + P2.replace("9d,jd/-/-", "9d/-/2h:1") + TAIL, "p2.quartermaster", "R12.4e"),
        (HEAD + P1 + P2.replace("jd/-/-/-", "jd/-/-/ts+th") + TAIL, "p2.knight", "R12.4e"),
        (HEAD + P1 + P2.replace("jd/-/-/-", "jd/-/-/th+9h") + TAIL, "p2.knight", "R12.4e"),
        (HEAD + P1 + P2.replace("jd/-/-/-", "jd/-/-/jh") + TAIL, "p2.knight", "R12.4e"),
        (HEAD + P1 + P2.replace("-/-/-/- ", "-/2h+jh/3h+jc/- ") + TAIL, "p2", "R12.4f"),
        (HEAD + P1 + P2.replace("-/- ", "-/qc+qh ") + TAIL, "p2.queen", "R12.4e"),
        (HEAD + P1 + P2.replace("-/- ", "-/qh ") + TAIL, "p2.queen", "R12.4e"),
        (HEAD + P1 + P2.replace("9d,jd/-", "9d,jd/3s,2s") + TAIL, "p2.salvage", "R12.3"),
        (HEAD + P1 + P2.replace("s/20", "s/0") + TAIL, "p2.hand", "R12.4g"),
        (HEAD + P1 + "p2=s/0/-/-/-/-/-/- " + TAIL, "node", "R12.4h"),
        (HEAD + P1 + P2 + "forge=41 grave=3c", "forge", "R12.4c"),
        (HEAD + P1 + P2 + "forge=* grave=3c,3c", "grave", "R12.4c"),
        (HEAD + P1 + P2 + "forge=* grave=3c,", "grave", "R12.3"),
        (
            "kc turn=2 epoch=2 node=draw:p2 p1=h/20/-/-/-/-/-/- " + P2 + TAIL + ",2c",
            "epoch",
            "R9.4",
        ),
        (HEAD + P1 + P2 + TAIL + " old=- @p1x", "observer", "R12.5"),
    ],
)
def test_a_bad_position_names_its_field_and_rule(line: str, field: str, rule: str) -> None:
    """R12.3 and R12.4."""
    assert refused(line) == (field, rule)


OPEN = "p1=h/20/7s~0,4d,2c!/-/-/-/-/- "
MASKED = "p2=s/20/9d!,?~0,?/-/-/-/-/- "
END = "forge=* grave=3c old=0:jd @p1"


def observed(line: str) -> str:
    """Complete an observation; a place of an old epoch is a card that the line already names."""
    return line.replace(
        "forge=*", f"forge={48 - len(CARD.findall(line)) - len(re.findall(r'[?](?!~)', line))}"
    )


def test_the_observation_that_the_next_test_damages_is_valid() -> None:
    line = observed(HEAD + OPEN + MASKED + END)
    game, packed = KingdomCoinquest.parse_observation(line)
    assert game.text(packed) == line


@pytest.mark.parametrize(
    ("line", "field", "rule"),
    [
        (HEAD + OPEN + MASKED + END.replace("@p1", "@p3"), "observer", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace(" @p1", ""), "observer", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("@p1", "@p2"), "p1.hand", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "-"), "old", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "1:jd"), "old", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "2:jd"), "old", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:jd,qd"), "old", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:qd,jd"), "old", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:"), "old", "R12.3"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:-"), "old", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:9d"), "old", "R12.6"),
        (HEAD + OPEN + MASKED.replace("9d!,?~0", "?~0,9d!") + END, "p2.hand", "R12.5"),
        (HEAD + OPEN + MASKED.replace("?~0,?", "?,?~0") + END, "p2.hand", "R12.5"),
        (HEAD + OPEN + MASKED.replace("9d!", "9d") + END, "p2.hand", "R12.5"),
        (HEAD + OPEN + MASKED.replace("?~0", "?~2") + END, "p2.hand", "R12.4c"),
        (HEAD + OPEN + MASKED.replace("9d!", "4d!") + END, "p2.hand", "R12.4c"),
        (HEAD + OPEN + MASKED + END.replace("*", "40"), "forge", "R12.6"),
    ],
)
def test_a_bad_observation_names_its_field_and_rule(line: str, field: str, rule: str) -> None:
    """R12.5 and R12.6."""
    with pytest.raises(InputError) as caught:
        KingdomCoinquest.parse_observation(observed(line))
    assert (caught.value.field.removeprefix("observation."), caught.value.rule) == (field, rule)


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    with pytest.raises(InputError) as caught:
        KingdomCoinquest.parse_position("kc turn=" + "9" * 100_000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "token",
    [
        "",
        "draw",
        "draw:salvage",
        "draw:salvage:",
        "draw:forge:2h",
        "pass:",
        "prep:kh",
        "prep:2h+",
        "prep:+2h",
        "prep:2h+2h",
        "prep:2h+2s+2d",
        "queen:qd+qs",
        "ace:as+ad",
        "ace:ad+as:knight",
        "ace:as:queen",
        "equip:queen",
        "attack:p0",
        "attack:p3",
        "attack:2",
        "king:",
        "king:hs",
        "deal:",
        "Pass",
        "pass\n",
        "discard:２h",
    ],
)
def test_only_the_spellings_of_the_page_are_moves(token: str) -> None:
    """R12.1."""
    with pytest.raises(InputError) as caught:
        KingdomCoinquest().parse_move(token)
    assert (caught.value.field, caught.value.value, caught.value.rule) == ("move", token, "R12.1")


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    view = {
        "turn": 3,
        "node": "draw:p1",
        "players": [{"suit": "h", "health": 20}, {"suit": "s", "health": 5, "knight": {}}],
        "forge": 48,
    }
    line = KingdomCoinquest.view_text(view)
    assert line == (
        "kc turn=3 epoch=0 node=draw:p1 p1=h/20/-/-/-/-/-/- p2=s/5/-/-/-/-/-/- forge=48 grave=-"
    )
    assert KingdomCoinquest.view_text({**view, "turn_limit": 7, "ace_strike": True}).startswith(
        "kc;turn_limit=7;ace_strike=1 "
    )


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("attack:p2", "attack p2 with the nine of clubs (backed by the jack of hearts)"),
        ("prep:th", "prepare the ten of hearts (3 turns until it is ready)"),
        ("pass", "pass (no play this turn)"),
        ("discard:5d", "discard the five of diamonds"),
    ],
)
def test_a_move_is_described_with_the_cards_it_uses(token: str, words: str) -> None:
    game, state = at(MID_GAME)
    assert game.describe_move(state, game.parse_move(token)) == words


def test_changes_tell_what_an_attack_did_to_whom() -> None:
    game, before = at(MID_GAME)
    hit = game.after(before, game.parse_move("attack:p2"))
    for_attacker = {change.text: change.gain for change in game.changes(before, hit, 0)}
    # 9 against armour 4 leaves 5 for a king with 4 health
    assert for_attacker["p2 is eliminated"] == 1.0
    assert for_attacker["p1 wins"] == 1.0
    assert for_attacker[
        "p1's peasant loses the nine of clubs (backed by the jack of hearts)"
    ] == pytest.approx(-0.135)
    for_defender = {change.text: change.gain for change in game.changes(before, hit, 1)}
    assert for_defender["p2 is eliminated"] == -1.0


def test_changes_of_observations_name_no_hidden_card() -> None:
    line = f"kc turn=5 epoch=0 node=deal:p1 p1=h/20/-/-/-/-/-/- {IDLE_P2} forge=* grave=-"
    game, before = at(line)
    dealt = game.after(before, game.parse_move("deal:7h"))
    own = game.changes(game.observed(before, 0), game.observed(dealt, 0), 0)
    others = game.changes(game.observed(before, 1), game.observed(dealt, 1), 1)
    assert [change.text for change in own] == ["p1 gets the seven of hearts into the hand"]
    assert [change.text for change in others] == ["p1 holds 1 hidden card more"]


@pytest.mark.parametrize(
    ("token", "rule"),
    [
        ("draw:forge", "R5.1"),
        ("discard:th", "R8.1"),
        ("hold", "R6.9"),
        ("king:h", "R3.1"),
        ("deal:2h", "R5.2"),
        ("prep:2h", "R6.1"),
        ("prep:3s", "R6.2"),
        ("prep:th+3s", "R6.3"),
        ("prep:3s+5d", "R6.3"),
        ("equip:knight", "R6.1"),
        ("attack:p1", "R7.1"),
        ("queen:th", "R6.1"),
        ("queen:qs+qc", "R6.1"),
        ("ace:th:knight", "R6.1"),
    ],
)
def test_an_illegal_move_is_explained_with_its_rule(token: str, rule: str) -> None:
    game, state = at(MID_GAME)
    sentence, found = game.why_illegal(state, game.parse_move(token))
    assert (bool(sentence), found) == (True, rule)


@pytest.mark.parametrize(
    ("p1", "top", "token", "rule"),
    [
        ("h/9/2h,3h,9s/-/4h:1/-/-/-", "2d", "prep:2h", "R6.1"),
        ("h/9/2h,3h,9s/-/4h:1/-/-/-", "2d", "equip:peasant", "R1.9"),
        ("h/9/3h,9s,jd/-/-/2s+jc/-/-", "2d", "prep:9s+jd", "R6.5"),
        ("h/9/2h,3h,9s/-/-/-/-/-", "2d", "attack:p2", "R6.1"),
        ("h/9/2h,3h,9s/-/-/-/4h/-", "2d", "attack:p3", "R10.1"),
        ("h/9/3h,qh,9s/-/-/-/-/qs+qd", "2d", "queen:qh", "R6.1"),
        ("h/9/3h,qs,9d/-/-/-/-/-", "2d", "queen:qs", "R6.2"),
        ("h/9/qh,qs,9d/-/-/-/-/-", "2d", "queen:qh+qs", "R6.4"),
        ("h/9/ah,3h,9d/-/-/-/-/-", "jd", "ace:ah:knight", "R6.8"),
        ("h/9/ah,as,9d/-/-/-/-/-", "2d", "ace:ah+as:knight", "R6.4"),
    ],
)
def test_each_condition_of_a_play_has_its_own_reason(
    p1: str, top: str, token: str, rule: str
) -> None:
    line = (
        f"kc turn=31 epoch=0 node=play:p1 p1={p1} p2=s/9/-/-/-/-/-/- "
        f"p3=d/0/-/-/-/-/-/- forge=* grave={top}"
    )
    game, state = at(line)
    move = game.parse_move(token)
    assert move not in game.moves_of(state)
    assert game.why_illegal(state, move)[1] == rule


def test_a_hidden_hand_is_not_told_by_the_reason() -> None:
    """R11.4: to p2 it is open whether p1 holds the two of hearts."""
    game, state = at(MID_GAME)
    sentence, _ = game.why_illegal(game.observed(state, 1), game.parse_move("prep:2h"))
    assert "hand" not in sentence


def test_the_picture_names_cards_and_hides_what_is_hidden() -> None:
    game, state = at(MID_GAME)
    picture = game.render(game.observed(state, 0))
    assert "9 of clubs + jack of hearts" in picture
    assert "6 of spades (1 turn)" in picture
    assert "hidden" in picture
    assert "ace of spades" not in picture
    assert picture.endswith("as p1 sees it")
