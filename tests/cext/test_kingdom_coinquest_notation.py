"""Kingdom Coinquest in text: lines, tokens and words, and what is refused with which rule.

Test names and docstrings cite docs/rules/kingdom_coinquest.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.fields import difference
from kingmaker.cext.games.kingdom_coinquest import KingdomCoinquest, words
from kingmaker.search.position import new_game, parse_position
from tests.cext import notations
from tests.cext.kingdom_coinquest_lines import CARD, IDLE_P2, MID_GAME, at, filled
from tests.random_play import play
from tests.refusals.regenerate import spellings

View = dict[str, Any]
SPECTATOR = -1


def refused(line: str) -> tuple[str, str]:
    """Field of the position and rule of the error that a line is refused with."""
    return notations.refused(KingdomCoinquest, filled(line))


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
        (HEAD + P1 + P2 + TAIL + " ", "players[2]", "R12.3"),
        (HEAD + P1 + P2 + TAIL + "\n", "grave[0]", "R12.3"),
        (HEAD.replace("kc", "kd") + P1 + P2 + TAIL, "options", "R12.3"),
        (HEAD.replace("kc", "kc;turn_limit=0") + P1 + P2 + TAIL, "options.turn_limit", "R4.5"),
        (
            HEAD.replace("kc", "kc;turn_limit=07") + P1 + P2 + TAIL,
            "options.turn_limit",
            "R4.5",
        ),
        (HEAD.replace("kc", "kc;ace_strike=0") + P1 + P2 + TAIL, "options", "R12.3"),
        (HEAD.replace("kc", "kc;turn_limit=10") + P1 + P2 + TAIL, "turn", "R12.4b"),
        (HEAD.replace("turn=11", "turn=0") + P1 + P2 + TAIL, "turn", "R12.4b"),
        (HEAD.replace("turn=11", "turn=" + "1" * 5000) + P1 + P2 + TAIL, "turn", "R12.3"),
        (HEAD.replace("turn=11", "turn=١") + P1 + P2 + TAIL, "turn", "R12.3"),
        (HEAD.replace("turn=11", "turns=11") + P1 + P2 + TAIL, "turn", "R12.3"),
        (HEAD.replace("play:p1", "play") + P1 + P2 + TAIL, "node.seat", "R12.3"),
        (HEAD.replace("play:p1", "play:p3") + P1 + P2 + TAIL, "node.seat", "R12.4h"),
        (HEAD.replace("play:p1", "strike:p2") + P1 + P2 + TAIL, "node.type", "R12.4i"),
        (HEAD.replace("play:p1", "play:p2") + P1 + P2 + TAIL, "players[1].hand", "R12.4i"),
        (HEAD.replace("play:p1", "king:p1") + P1 + P2 + TAIL, "turn", "R12.4b"),
        (HEAD + P1.replace("h/20", "h/100") + P2 + TAIL, "players[0].health", "R12.4b"),
        (HEAD + P1.replace("h/20", "k/20") + P2 + TAIL, "players[0].suit", "R12.3"),
        (HEAD + P1.replace("h/20", "_/20") + P2 + TAIL, "players[0].suit", "R12.4d"),
        (HEAD + P1.replace("h/20", "s/20") + P2 + TAIL, "players[1].suit", "R12.4d"),
        (HEAD + P1.replace("7s~0", "7s~2") + P2 + TAIL, "players[0].hand", "R12.4c"),
        (HEAD + P1.replace("7s~0", "7s~00") + P2 + TAIL, "players[0].hand", "R12.3"),
        (HEAD + P1.replace("2c!", "2c?") + P2 + TAIL, "players[0].hand", "R12.3"),
        (HEAD + P1.replace("2c!", "?") + P2 + TAIL, "players[0].hand[2].card", "R12.3"),
        (HEAD + P1.replace("2c!", "2c!,3c,4c") + P2 + TAIL, "players[0].hand", "R12.4c"),
        (HEAD + P1.replace("2c!", "kc!") + P2 + TAIL, "players[0].hand[2].card", "R12.3"),
        (HEAD + P1 + P2.replace("9d,jd", "4d,jd") + TAIL, "players[1].hand", "R12.4c"),
        (HEAD + P1 + P2.replace("9d,jd", "-,jd") + TAIL, "players[1].hand[0].card", "R12.3"),
        (HEAD + P1 + P2.replace("9d,jd", "9d,jd,qd/-/2s:1") + TAIL, "players[1]", "R12.3"),
        (
            HEAD + P1 + P2.replace("9d,jd/-/-", "9d,jd,qd/-/2s:1") + TAIL,
            "players[1].hand",
            "R12.4h",
        ),
        (
            HEAD + P1 + P2.replace("9d,jd/-/-", "9d/-/2s") + TAIL,
            "players[1].quartermaster",
            "R12.3",
        ),
        (HEAD + P1 + P2.replace("9d,jd/-/-", "9d/-/2s:2") + TAIL, "players[1].counters", "R12.4e"),
        (
            HEAD + P1 + P2.replace("9d,jd/-/-", "9d/-/2h:1") + TAIL,
            "players[1].quartermaster",
            "R12.4e",
        ),
        (HEAD + P1 + P2.replace("jd/-/-/-", "jd/-/-/ts+th") + TAIL, "players[1].knight", "R12.4e"),
        (HEAD + P1 + P2.replace("jd/-/-/-", "jd/-/-/th+9h") + TAIL, "players[1].knight", "R12.4e"),
        (HEAD + P1 + P2.replace("jd/-/-/-", "jd/-/-/jh") + TAIL, "players[1].knight", "R12.4e"),
        (HEAD + P1 + P2.replace("-/-/-/- ", "-/2h+jh/3h+jc/- ") + TAIL, "players[1]", "R12.4f"),
        (HEAD + P1 + P2.replace("-/- ", "-/qc+qh ") + TAIL, "players[1].queen", "R12.4e"),
        (HEAD + P1 + P2.replace("-/- ", "-/qh ") + TAIL, "players[1].queen", "R12.4e"),
        (HEAD + P1 + P2.replace("9d,jd/-", "9d,jd/3s,2s") + TAIL, "players[1].salvage", "R12.3"),
        (HEAD + P1 + P2.replace("s/20", "s/0") + TAIL, "players[1].hand", "R12.4g"),
        (HEAD + P1 + "p2=s/0/-/-/-/-/-/- " + TAIL, "node.type", "R12.4h"),
        (HEAD + P1 + P2 + "forge=41 grave=3c", "forge", "R12.4c"),
        (HEAD + P1 + P2 + "forge=* grave=3c,3c", "grave", "R12.4c"),
        (HEAD + P1 + P2 + "forge=* grave=3c,", "grave[1]", "R12.3"),
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
        (HEAD + OPEN + MASKED + END.replace("@p1", "@p2"), "players[0].hand[0]", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "-"), "old_pools", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "1:jd"), "old_pools", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "2:jd"), "old_pools", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:jd,qd"), "old_pools", "R12.6"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:qd,jd"), "old_pools[0].cards", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:"), "old_pools[0].cards[0]", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:-"), "old_pools[0].cards[0]", "R12.5"),
        (HEAD + OPEN + MASKED + END.replace("0:jd", "0:9d"), "old_pools", "R12.6"),
        (HEAD + OPEN + MASKED.replace("9d!,?~0", "?~0,9d!") + END, "players[1].hand", "R12.5"),
        (HEAD + OPEN + MASKED.replace("?~0,?", "?,?~0") + END, "players[1].hand", "R12.5"),
        (HEAD + OPEN + MASKED.replace("9d!", "9d") + END, "players[1].hand[0]", "R12.5"),
        (HEAD + OPEN + MASKED.replace("?~0", "?~2") + END, "players[1].hand", "R12.4c"),
        (HEAD + OPEN + MASKED.replace("9d!", "4d!") + END, "players[1].hand", "R12.4c"),
        (HEAD + OPEN + MASKED + END.replace("*", "40"), "forge", "R12.6"),
    ],
)
def test_a_bad_observation_names_its_field_and_rule(line: str, field: str, rule: str) -> None:
    """R12.5 and R12.6."""
    with pytest.raises(InputError) as caught:
        KingdomCoinquest.parse_observation(observed(line))
    below = caught.value.field.removeprefix("observation.").removeprefix("seen.")
    assert (below, caught.value.rule) == (field, rule)


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


# --- typed views ------------------------------------------------------------------------------


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    view = {
        "turn": 3,
        "node": {"type": "draw", "seat": 1},
        "players": [{"suit": "h", "health": 20}, {"suit": "s", "health": 5, "knight": {}}],
        "forge": 48,
    }
    game, state = KingdomCoinquest.from_view(view)
    assert game.text(state) == (
        "kc turn=3 epoch=0 node=draw:p1 p1=h/20/-/-/-/-/-/- p2=s/5/-/-/-/-/-/- forge=48 grave=-"
    )
    game, state = KingdomCoinquest.from_view(
        {**view, "options": {"turn_limit": 7, "ace_strike": True}}
    )
    assert game.text(state).startswith("kc;turn_limit=7;ace_strike=1 ")


def changed(view: View, path: str, value: object) -> View:
    """A copy of a view with another value at a path such as `players[0].suit`."""
    copy = deepcopy(view)
    *names, last = re.findall(r"\w+", path)
    part: Any = copy
    for name in names:
        part = part[int(name) if name.isdigit() else name]
    part[int(last) if last.isdigit() else last] = value
    return copy


def recounted(view: View, path: str) -> View:
    """Let the forge of a position be the other cards, unless it is what was changed."""
    named = {*CARD.findall(json.dumps(view))}
    return view if path == "forge" else view | {"forge": 48 - len(named)}


OLD = [{"card": "?"}, {"card": "?"}]  # of epoch 0
MARKED = "p1=h/20/7s~0,4d,2c!/5h,8s/2h:1/-/9d+jc/- p2=s/20/td/-/-/-/-/-"
OPEN_VIEW = f"{HEAD}{MARKED} forge=* grave=3c,qd"
SEEN_VIEW = f"{HEAD}{MARKED} forge=* grave=3c,qd".replace("/td/", "/9h~0,th,td~0/")


@pytest.mark.parametrize(
    ("path", "value", "field", "rule"),
    [
        ("options.turn_limit", -5, "options.turn_limit", "R4.5"),
        ("turn", 601, "turn", "R12.4b"),
        ("turn", 2**40, "turn", "R12.4b"),
        ("epoch", 12, "epoch", "R12.4b"),
        ("node", "play:p1", "node", "R12.3"),
        ("node.type", "play:p1 ", "node.type", "R12.3"),
        ("node.seat", 5, "node.seat", "R12.3"),
        ("node.seat", 4, "node.seat", "R12.4h"),
        ("forge", 1, "forge", "R12.4c"),
        ("players", [], "players", "R12.4d"),
        ("players[1].suit", "hs", "players[1].suit", "R12.3"),
        ("players[1].suit", "h", "players[1].suit", "R12.4d"),
        ("players[1].health", 100, "players[1].health", "R12.4b"),
        ("players[0].hand[1].card", "4d,5d", "players[0].hand[1].card", "R12.3"),
        ("players[0].hand[1].card", "4d!", "players[0].hand[1].card", "R12.3"),
        ("players[0].hand[1].card", "?", "players[0].hand[1].card", "R12.3"),
        ("players[0].hand[1].card", "5h", "players[0].hand", "R12.3"),
        ("players[0].hand[1].epoch", 3, "players[0].hand[1].epoch", "R12.4c"),
        ("players[0].hand[2].epoch", 1, "players[0].hand[2].epoch", "R12.3"),
        ("players[0].salvage", ["5h,8s"], "players[0].salvage[0]", "R12.3"),
        ("players[0].salvage", ["8s", "5h"], "players[0].salvage", "R12.3"),
        ("players[0].salvage", ["5h", "6h", "7h", "8h"], "players[0].salvage", "R12.4c"),
        ("players[0].quartermaster.lead", "2s", "players[0].quartermaster", "R12.4e"),
        ("players[0].quartermaster.lead", "2h:0", "players[0].quartermaster.lead", "R12.3"),
        ("players[0].counters", 2, "players[0].counters", "R12.4e"),
        ("players[1].counters", 1, "players[1].counters", "R12.4e"),
        ("players[0].knight", {"partner": "2d"}, "players[0].knight", "R12.4e"),
        ("players[0].peasant.lead", "9d+jc", "players[0].peasant.lead", "R12.3"),
        ("players[0].knight", {"lead": "3s", "partner": "jd"}, "players[0]", "R12.4f"),
        ("players[0].queen.lead", "qs", "players[0].queen", "R12.4e"),
        ("grave[1]", "qd,qc", "grave[1]", "R12.3"),
        ("grave[1]", "4d", "players[0].hand", "R12.4c"),
        ("old_pools", [{"epoch": 1}], "old_pools", "R12.3"),
        ("nobody", 1, "nobody", "R12.3"),
    ],
)
def test_an_error_of_a_typed_position_names_the_field_that_was_sent(
    path: str, value: object, field: str, rule: str
) -> None:
    game, state = at(OPEN_VIEW)
    view = game.view(state)
    with pytest.raises(InputError) as caught:
        KingdomCoinquest.from_view(recounted(changed(view, path, value), path))
    assert (caught.value.field, caught.value.rule) == (f"position.{field}", rule)


@pytest.mark.parametrize(
    ("path", "value", "field", "rule"),
    [
        ("observer", 3, "observer", "R12.5"),
        ("seen.players[1].hand[2].card", "6h", "seen.players[1].hand[2]", "R12.5"),
        ("seen.players[1].hand[0].card", "kh", "seen.players[1].hand[0].card", "R12.5"),
        (
            "seen.players[1].hand",
            [{"card": "?", "epoch": 2}, *OLD],
            "seen.players[1].hand",
            "R12.5",
        ),
        ("players", [], "players", "R12.5"),
        ("seen.old_pools", [], "seen.old_pools", "R12.5"),
        ("old_pools[0].epoch", 1, "old_pools", "R12.6"),
        ("old_pools[0].cards", ["9h"], "old_pools", "R12.6"),
        ("old_pools[0].cards", ["td", "9h"], "old_pools[0].cards", "R12.5"),
        ("old_pools[0].cards", ["9h", "4d"], "old_pools", "R12.6"),
        ("old_pools[0].cards[0]", "9h;1:2h", "old_pools[0].cards[0]", "R12.5"),
        ("seen.forge", 3, "seen.forge", "R12.6"),
    ],
)
def test_an_error_of_a_typed_observation_names_the_field_that_was_sent(
    path: str, value: object, field: str, rule: str
) -> None:
    game, state = at(SEEN_VIEW)
    view = game.view(game.observed(state, 0))
    with pytest.raises(InputError) as caught:
        KingdomCoinquest.from_view(changed(view, path, value))
    assert (caught.value.field, caught.value.rule) == (f"observation.{field}", rule)


def test_a_stray_field_is_refused_where_options_have_their_defaults() -> None:
    game, state = at(OPEN_VIEW)
    for option in ("turn_limit", "ace_strike"):
        view = game.view(state)
        del view["options"][option]
        with pytest.raises(InputError) as caught:
            KingdomCoinquest.from_view(changed(view, "players[1].stray", 1))
        assert caught.value.field == "position.players[1].stray"


JUNK: list[object] = [
    None,
    True,
    -1,
    2**70,
    1.5,
    "x" * 10**5,
    "2h",
    [],
    [None],
    ["2h"] * 10**5,
    {},
    [{}] * 50,
]


def leaves(part: object, path: str = "") -> Iterator[str]:
    """The paths of all messages, lists and values of a view."""
    if path:
        yield path
    parts = dict(enumerate(part)) if isinstance(part, list) else part
    for name, value in parts.items() if isinstance(parts, dict) else ():
        yield from leaves(value, f"{path}[{name}]" if isinstance(name, int) else f"{path}.{name}")


@pytest.mark.parametrize("observer", [None, 0, SPECTATOR])
def test_a_value_of_any_type_is_refused_or_means_what_is_read(observer: int | None) -> None:
    game, state = at(SEEN_VIEW)
    view = game.view(state if observer is None else game.observed(state, observer))
    for path in leaves(view):
        for value in JUNK:
            given = changed(view, path, value)
            with suppress(InputError):
                game, read = KingdomCoinquest.from_view(given)
                seen = given if observer is None else given["seen"]
                options = seen.get("options") or {}
                seen["options"] = options | {"turn_limit": options.get("turn_limit") or 600}
                assert difference(given, game.view(read), "") is None


@pytest.mark.parametrize(
    ("view", "field"),
    [
        ({"verb": "pass", "card": "2h"}, "card"),
        ({"verb": "draw", "source": "forge", "card": "2h"}, "card"),
        ({"verb": "discard", "card": "2h", "partner": "3h"}, "partner"),
        ({"verb": "discard", "card": "2h", "unit": "knight"}, "unit"),
        ({"verb": "equip", "unit": "knight", "seat": 1}, "seat"),
        ({"verb": "king", "suit": "h", "source": "forge"}, "source"),
        ({"verb": "attack", "seat": 1, "stray": True}, "stray"),
        ({"verb": "Pass"}, "verb"),
        ({"verb": "prep"}, "card"),
        ({"verb": "prep", "card": "2h+2s"}, "card"),
        ({"verb": "ace", "card": "as:knight"}, "card"),
        ({"verb": "ace", "card": "as"}, "unit"),
        ({"verb": "queen", "card": "qd", "partner": "qs"}, "partner"),
        ({"verb": "attack", "seat": 3}, "seat"),
        ({"verb": "draw", "source": "salvage:2h"}, "source"),
        ({"verb": "discard", "card": 7}, "card"),
        ({"verb": "discard", "card": ["2h"]}, "card"),
    ],
)
def test_an_error_of_a_typed_move_names_the_field_that_was_sent(view: View, field: str) -> None:
    with pytest.raises(InputError) as caught:
        KingdomCoinquest().move_from_view(view)
    assert (caught.value.field, caught.value.rule) == (f"move.{field}", "R12.1")


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "told"),
    [
        ("attack:p2", "attack p2 with the nine of clubs (backed by the jack of hearts)"),
        ("prep:th", "prepare the ten of hearts (3 turns until it is ready)"),
        ("pass", "pass (no play this turn)"),
        ("discard:5d", "discard the five of diamonds"),
    ],
)
def test_a_move_is_described_with_the_cards_it_uses(token: str, told: str) -> None:
    game, state = at(MID_GAME)
    assert game.describe_move(state, game.parse_move(token)) == told


@pytest.mark.parametrize("players", [2, 4])
def test_words_need_no_more_of_a_view_than_they_are_given(players: int) -> None:
    game = KingdomCoinquest(players=players)
    for state, move in play(game, seed=players):
        if move is None:
            continue
        whole = words.describe_move(game.view(state), game.move_view(move))
        assert game.describe_move(state, move) == whole


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


def test_every_illegal_move_of_random_games_has_a_rule() -> None:
    game = KingdomCoinquest(ace_strike=1)
    tokens = [token for found in spellings(game.name).values() for token in found]
    moves = [game.parse_move(token) for token in tokens]
    for step in [*play(game, 5)][::7]:
        possible = {*game.moves_of(step.state), *(move for move, _ in game.outcomes_of(step.state))}
        for move in moves:
            if move not in possible:
                assert game.why_illegal(step.state, move)[1], game.move_text(move)


def test_a_hidden_hand_is_not_reported_by_the_reason() -> None:
    """R11.4: to p2 it is open whether p1 holds the two of hearts."""
    game, state = at(MID_GAME)
    sentence, _ = game.why_illegal(game.observed(state, 1), game.parse_move("prep:2h"))
    assert "hand" not in sentence


@pytest.mark.parametrize("token", ["discard:2h", "salvage:2h", "ace:as+ad:knight", "prep:9s+9c"])
def test_what_only_the_player_knows_is_said_to_be_so(token: str) -> None:
    """R11.4: nothing that p2 sees speaks against the move."""
    node, p1 = ("discard", "5d,9d") if token[0] in "ds" else ("play", "3s,5d,9d")
    line = f"kc turn=31 epoch=0 node={node}:p1 p1=h/20/{p1}/-/-/-/-/- {IDLE_P2} forge=* grave=2d"
    game, state = at(line)
    reason = game.why_illegal(game.observed(state, 1), game.parse_move(token))
    assert reason == ("only p1 knows whether this is possible", "R11.4")


def test_the_picture_names_cards_and_hides_what_is_hidden() -> None:
    game, state = at(MID_GAME)
    picture = game.render(game.observed(state, 0))
    assert "9 of clubs + jack of hearts" in picture
    assert "6 of spades (1 turn)" in picture
    assert "hidden" in picture
    assert "ace of spades" not in picture
    assert picture.endswith("as p1 sees it")


def test_an_observation_without_its_observer_is_not_asked_for_another_seat() -> None:
    line = new_game("kingdom_coinquest").observe(1).text
    assert line.endswith(" old=- @p1")
    with pytest.raises(InputError, match="an observation ends with @p") as refused:
        parse_position("kingdom_coinquest", line.removesuffix(" @p1"))
    assert refused.value.field == "position"
    assert refused.value.value == "old=-"
    assert "p3" not in str(refused.value)
