"""Typed views and options of Chessault: what they leave out, and what is refused as which field.

Test names and docstrings cite docs/rules/chessault.md.
"""

from __future__ import annotations

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.chessault import Chessault
from tests.cext.chessault_lines import FORM, MOVED, PLACE, ROLLED, WON, line_of, view_of
from tests.cext.notations import View
from tests.facts.chessault import COUNTED_KINDS

# --- typed views ------------------------------------------------------------------------------


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    view = {
        "active": 1,
        "turn": 5,
        "action": 2,
        "node": {"type": "action", "seat": 1},
        "figures": [
            {"square": "a0", "seat": 1, "type": "pawn"},
            {"square": "h8", "seat": 2, "type": "king"},
            {"square": "b1", "seat": 1, "type": "king", "ability": "convert"},
        ],
        "players": [
            {"is_done": True, "stock": STOCK | {"pawn": 7, "king": 0}},
            {"is_done": True, "stock": STOCK},
        ],
        "pool": {"protect": 5, "explode": 3, "convert": 2},
    }
    line = (
        "chs 8/7k/8/8/8/8/8/8/1K~6/P7 p1 5 2 action p1p2 0/0 -/- Q2R2B2N2P7/q2r2b2n2p8 -/- "
        "p5x3c2 - m0k0r0s0"
    )
    assert line_of(view) == line
    seen = view | {"options": {"supply": "", "max_turns": 0}}
    assert line_of({"seen": seen, "observer": 0}) == f"{line} @-"


def test_the_order_of_figures_in_a_view_does_not_matter() -> None:
    view = view_of(ROLLED)
    view["figures"].reverse()
    assert line_of(view) == ROLLED


STOCK = {"queen": 2, "rook": 2, "bishop": 2, "knight": 2, "pawn": 8}
KING = {"square": "a1", "seat": 1, "type": "king", "ability": "protect"}


@pytest.mark.parametrize(
    ("changed", "field", "rule"),
    [
        ({"options": {"supply": "triple"}}, "options.supply", "R2.4"),
        ({"options": {"max_turns": -1}}, "options.max_turns", "R10.7"),
        ({"options": {"max_turns": 10**30}}, "options.max_turns", "R10.7"),
        ({"options": 7}, "options", FORM),
        ({"active": 0}, "active", FORM),
        ({"active": "p1"}, "active", FORM),
        ({"turn": -6}, "turn", FORM),
        ({"turn": 70_000}, "turn", "R13.4"),
        ({"turn": 10**30}, "turn", FORM),
        ({"action": 5}, "action", FORM),
        ({"action": -1}, "action", FORM),
        ({"figures": 5}, "figures", FORM),
        ({"figures": ["K"]}, "figures[0]", FORM),
        ({"figures": [KING] * 10**5}, "figures", FORM),
        ({"figures": [KING | {"type": "pope"}]}, "figures[0].type", FORM),
        ({"figures": [KING, KING]}, "figures[1].square", FORM),
        ({"figures": [KING | {"square": "a1 p2"}]}, "figures[0].square", FORM),
        ({"figures": [KING | {"square": "a1,b1"}]}, "figures[0].square", FORM),
        ({"figures": [KING | {"square": ["a1"]}]}, "figures[0].square", FORM),
        ({"figures": [KING | {"seat": 3}]}, "figures[0].seat", FORM),
        ({"figures": [KING | {"seat": True}]}, "figures[0].seat", FORM),
        ({"figures": [KING | {"ability": "fly"}]}, "figures[0].ability", FORM),
        ({"figures": [KING | {"ability": "protect."}]}, "figures[0].ability", FORM),
        ({"figures": [KING | {"is_fresh": 1}]}, "figures[0].is_fresh", FORM),
        ({"figures": [KING | {"square": "a0"}]}, "figures", "R13.4"),
        ({"figures": [KING | {"type": "rook", "square": "a0"}]}, "figures", "R13.4"),
        ({"figures": [KING | {"type": "rook", "square": "a9"}]}, "figures", "R13.4"),
        ({"figures": [KING | {"is_fresh": True}]}, "figures", "R13.4"),
        ({"players": []}, "players", FORM),
        ({"players": [{}, {}, {}]}, "players", FORM),
        ({"players": [{"stock": {"pawn": 10**9}}, {}]}, "players[0].stock.pawn", FORM),
        ({"players": [{"stock": {"pawn": 300}}, {}]}, "players[0].stock.pawn", "R13.4"),
        ({"players": [{"stock": {"pawn": "8p"}}, {}]}, "players[0].stock.pawn", FORM),
        ({"players": [{"credits": -1}, {}]}, "players[0].credits", FORM),
        ({"players": [{}, {"credits": "1/2"}]}, "players[1].credits", FORM),
        ({"players": [{"dead": {"pawn": -1}}, {}]}, "players[0].dead.pawn", FORM),
        ({"pool": {}}, "pool.protect", "R13.4"),
        ({"pool": {"protect": 256 + 2}}, "pool.protect", "R13.4"),
        ({"marks": [{"target": "d5 -"}]}, "marks[0].target", FORM),
        ({"marks": [{"converter": "x", "target": "d5"}]}, "marks[0].converter", FORM),
        ({"marks": [{"converter": "d4", "target": "d5,x>d4"}]}, "marks[0].target", FORM),
        ({"marks": [{"converter": "a0", "target": "d5"}]}, "marks[0].converter", "R13.4"),
        ({"marks": [{"converter": "d4", "target": "a0"}]}, "marks[0].target", "R13.4"),
        ({"marks": [{"target": "d5"}] * 4}, "marks", "R13.4"),
        ({"tally": {"moves": -1}}, "tally.moves", FORM),
        ({"tally": {"moves": 256}}, "tally.moves", "R13.4"),
        ({"node": {}}, "node.type", FORM),
        ({"node": {"type": "action p1p2"}}, "node.type", FORM),
        ({"node": {"type": "place", "figure": "pope"}}, "node.figure", FORM),
        ({"node": {"type": "move", "seat": 2, "types": ["rook", "pawn"]}}, "node.types[0]", FORM),
        ({"node": {"type": "move", "types": ["rook,pawn"]}}, "node.types[0]", FORM),
        ({"node": {"type": "move", "types": ["rook"] * 10**5}}, "node.types", FORM),
        ({"node": {"type": "move", "types": []}}, "node.types", FORM),
        ({"node": {"type": "keep", "square": "d5", "kinds": ["fly"]}}, "node.kinds[0]", FORM),
        ({"node": {"type": "end", "winner": 3}}, "node.winner", FORM),
        ({"node": {"type": "dice", "seat": 1}}, "node.seat", FORM),
        ({"node": {"type": "dice"}}, "node.seat", FORM),
        ({"seed": 7}, "seed", FORM),
    ],
)  # fmt: skip
def test_a_wrong_view_names_the_field_that_was_sent(changed: View, field: str, rule: str) -> None:
    with pytest.raises(InputError) as caught:
        Chessault.from_view(view_of(ROLLED) | changed)
    assert (caught.value.field, caught.value.rule) == (f"position.{field}", rule)


def test_a_wrong_observer_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        Chessault.from_view({"seen": view_of(ROLLED), "observer": 3})
    assert (caught.value.field, caught.value.rule) == ("observation.observer", "R13.5")


@pytest.mark.parametrize("zone", ["unplaced", "stock", "dead"])
def test_only_types_of_figures_are_counted(zone: str) -> None:
    view = view_of(ROLLED)
    view["players"][1][zone]["pope"] = 1
    with pytest.raises(InputError) as caught:
        Chessault.from_view(view)
    assert caught.value.field == f"position.players[1].{zone}.pope"


@pytest.mark.parametrize(
    ("view", "field"),
    [
        ({}, "verb"),
        ({"verb": "deploy"}, "type"),
        ({"verb": "buy", "type": "pope"}, "type"),
        ({"verb": "move", "source": "e1"}, "target"),
        ({"verb": "move", "source": "e1-e2", "target": "e3"}, "source"),
        ({"verb": "keep"}, "ability"),
        ({"verb": "dice", "types": ["pope"]}, "types[0]"),
        ({"verb": "dice", "types": ["rook", "pawn"]}, "types"),
        ({"verb": "faces", "types": ["pawn"]}, "types"),
        ({"verb": "faces", "types": "ppk"}, "types"),
        ({"verb": "move:d4-d5"}, "verb"),
    ],
)
def test_a_wrong_typed_move_names_the_field_that_was_sent(view: View, field: str) -> None:
    with pytest.raises(InputError) as caught:
        Chessault().move_from_view(view)
    assert caught.value.field == f"move.{field}"


@pytest.mark.parametrize(
    ("node", "field", "value"),
    [
        ({"type": "action", "figure": "none"}, "figure", "none"),
        ({"type": "action", "winner": -1}, "winner", "-1"),
        ({"type": "dice", "types": "-"}, "types", "-"),
        ({"type": "move", "types": ["rook"], "square": "d5"}, "square", "d5"),
        ({"type": "place", "figure": "rook", "kinds": ["protect"]}, "kinds", '["protect"]'),
        ({"type": "end", "winner": 1, "square": "d5"}, "square", "d5"),
    ],
)
def test_a_typed_node_has_the_fields_of_its_type_alone(node: View, field: str, value: str) -> None:
    """No line would show the others."""
    base = {"place": PLACE, "end": WON, "dice": ROLLED, "move": ROLLED, "action": MOVED}
    view = view_of(base[node["type"]])
    view["node"] = node | view["node"] if node["type"] != "dice" else node | {"seat": 2}
    with pytest.raises(InputError, match="nothing is expected here") as caught:
        Chessault.from_view(view)
    assert (caught.value.field, caught.value.value) == (f"position.node.{field}", value)
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
def test_a_typed_move_has_the_fields_of_its_verb_alone(move: View, field: str) -> None:
    """No token would show the others."""
    with pytest.raises(InputError, match="this move has no such field") as caught:
        Chessault().move_from_view(move)
    assert (caught.value.field, caught.value.rule) == (f"move.{field}", FORM)


# --- options ----------------------------------------------------------------------------------


def test_a_view_has_the_values_that_the_options_say() -> None:
    game = Chessault(supply="double", max_turns=50)
    assert game.options == {"supply": "double", "max_turns": "50"}
    assert game.view(game.start_state())["options"] == {"supply": "double", "max_turns": 50}
    assert game.text(game.start_state()).startswith("chs;supply=double;max_turns=50 ")
    assert Chessault().options == {"supply": "standard", "max_turns": "400"}


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
        Chessault(**given)
    assert (caught.value.field, caught.value.rule) == (f"options.{option}", rule)
    assert caught.value.value == str(given[option])


def test_an_officer_on_a_line_is_never_fresh() -> None:
    """R13.4: the line does not show it, and so the message must not claim it."""
    game, state = Chessault.parse_position(COUNTED_KINDS["end of turn, three marks"][0])
    view = game.view(state)
    [knight] = [each for each in view["figures"] if each["square"] == "a9"]
    knight["is_fresh"] = True
    with pytest.raises(InputError, match="only pawns are fresh"):
        Chessault.from_view(view)
