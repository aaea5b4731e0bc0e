"""Typed views and options of A Knight's Duty, and what is refused as which field.

Test names and docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.knights_duty import KnightsDuty
from kingmaker.cext.games.knights_duty.options import OPTIONS
from kingmaker.search.position import position_from_view
from tests.cext.knights_duty_lines import CLAIM, DRAW, END, GAME, NEW, ORDER, STEP, TARGET, view_of
from tests.cext.notations import View, read_line

# --- typed views ------------------------------------------------------------------------------


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    knight = {"heart": "full", "space": {"q": 1}, "tracker": ["", "", ""]}
    view = {
        "turn": 1,
        "node": {"type": "place", "seat": 1},
        "players": [knight, knight | {"space": {}, "weapon": "bow", "inspiration_up": True}],
    }
    assert KnightsDuty.from_view(view) == read_line(
        KnightsDuty, "kd t1 0.place p1 1,0/F/n/d/...;0,0/F/B/u/... -"
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"players": 3}},
        {"options": {"radius": 9}},
        {"options": {"arena": "round"}},
        {"options": {"turn_limit": -1}},
        {"turn": -1},
        {"slot": 4},
        {"node": {"type": "", "seat": 2}},
        {"node": {"type": "claim p2", "seat": 2}},
        {"node": {"type": "claim"}},
        {"node": {"type": "claim", "seat": 3}},
        {"players": []},
        {"steps": [{"seat": 1, "choice": "north"}]},
        {"steps": [{"seat": 1, "choice": ""}]},
        {"claims": [{"seat": 2, "choice": "yes"}]},
        {"targets": [{"seat": 1, "choice": "p7"}]},
        {"attacks": [{"attacker": 1}]},
        {"waiting": [1]},
        {"attacker_inspiration": "perhaps"},
        {"target_inspiration": "yes"},
        {"winners": [1]},
    ],
)
def test_a_wrong_view_is_refused(changed: View) -> None:
    view = view_of(CLAIM) | changed
    with pytest.raises(InputError):
        KnightsDuty.from_view(view)


@pytest.mark.parametrize(
    "changed",
    [
        {"heart": "whole"},
        {"heart": "out"},
        {"weapon": "axe"},
        {"tracker": []},
        {"tracker": ["axe", "move", "move"]},
        {"space": {"q": 9}},
        {"space": None},
    ],
)
def test_a_wrong_player_is_refused(changed: View) -> None:
    view = view_of(CLAIM)
    view["players"][0] |= changed
    with pytest.raises(InputError):
        KnightsDuty.from_view(view)


@pytest.mark.parametrize("winners", [[], [1, 2], [3], [2, 3], [2, 2]])
def test_wrong_winners_are_refused(winners: list[int]) -> None:
    view = view_of(END) | {"winners": winners}
    with pytest.raises(InputError):
        KnightsDuty.from_view(view)


@pytest.mark.parametrize(
    ("line", "changed", "field", "rule"),
    [
        (NEW, {"turn": 61}, "turn", "R13.6a"),
        (NEW, {"turn": 10**30}, "turn", "R13.6a"),
        (NEW, {"turn": "1"}, "turn", "R13.6a"),
        (NEW, {"turn": True}, "turn", "R13.6a"),
        (NEW, {"slot": 1}, "slot", "R13.6a"),
        (NEW, {"node": {"type": "place p1", "seat": 1}}, "node.type", "R13.3"),
        (NEW, {"node": {"type": "place", "seat": 3}}, "node.seat", "R13.6g"),
        (DRAW, {"node": {"type": "draw"}}, "node.seat", "R13.6g"),
        (END, {"node": {"type": "end", "seat": 2}}, "node.seat", "R13.6g"),
        (NEW, {"players": []}, "players", "R1.1"),
        (NEW, {"options": {}, "players": [{}] * 100_000}, "players", "R1.1"),
        (NEW, {"players": "out;out"}, "players", "R13.3"),
        (NEW, {"options": {"radius": "5;swap=block"}}, "options.radius", "R2.1"),
        (NEW, {"options": {"players": 2}}, "options.players", "R13.6a"),
        (NEW, {"options": [1]}, "options", "R13.3"),
        (NEW, {"players[0].heart": "out"}, "players[0].space", "R13.3"),
        (END, {"players[0].weapon": "bow"}, "players[0].weapon", "R13.6a"),
        (END, {"players[0].space": {"q": 0, "r": 0}}, "players[0].space", "R13.3"),
        (NEW, {"players[1].weapon": "sword/u"}, "players[1].weapon", "R13.3"),
        (NEW, {"players[1].inspiration_up": 1}, "players[1].inspiration_up", "R13.3"),
        (NEW, {"players[1].tracker": ["sword,spear", "", ""]}, "players[1].tracker[0]", "R13.3"),
        (NEW, {"players[1].tracker": ["sword"]}, "players[1].tracker", "R13.3"),
        (NEW, {"players[1].tracker": [""] * 100_000}, "players[1].tracker", "R13.3"),
        (NEW, {"players[1].space": {"q": 10**30}}, "players[1].space.q", "R13.6b"),
        (NEW, {"players[1].space": {"q": 4, "r": 4}}, "players[1].space", "R13.6b"),
        (NEW, {"players[1].space": {"x": 1}}, "players[1].space.x", "R13.6a"),
        (NEW, {"players[1].cards": 1}, "players[1].cards", "R13.6a"),
        (NEW, {"forge": 1}, "forge", "R13.6a"),
        (NEW, {"attacks": [{"attacker": 1, "target": 2}]}, "attacks", "R13.6e"),
        (STEP, {"steps": [{"seat": 1, "choice": "ne;m3=e"}]}, "steps[0].choice", "R13.3"),
        (STEP, {"steps": [{"seat": 4, "choice": "ne"}]}, "steps[0].seat", "R13.6a"),
        (STEP, {"steps": [{"seat": 1, "choice": "ne"}] * 2}, "steps", "R13.6a"),
        (STEP, {"steps": [{"seat": 1, "choice": "ne"}] * 9}, "steps", "R13.6a"),
        (STEP, {"steps": [{"seat": 1, "choice": "ne", "hit": 1}]}, "steps[0].hit", "R13.6a"),
        (STEP, {"steps": [{"seat": 1}]}, "steps[0].choice", "R13.6e"),
        (TARGET, {"targets": [{"seat": 1}] * 3}, "node.seat", "R13.6g"),
        (ORDER, {"orders": [{"seat": 1, "choice": "wait;o2=f"}]}, "orders[0].choice", "R13.3"),
        (DRAW, {"attacks": []}, "attacks", "R13.6e"),
        (DRAW, {"attacks": [{"attacker": 2, "target": 3}] * 2}, "attacks[1].attacker", "R13.6f"),
        (DRAW, {"attacks": [{"attacker": 2, "target": 9}]}, "attacks[0].target", "R13.6a"),
        (DRAW, {"waiting": [1, 1]}, "waiting", "R13.6a"),
        (DRAW, {"waiting": [0]}, "waiting[0]", "R13.6a"),
        (DRAW, {"attacker_inspiration": "yes;id=n"}, "attacker_inspiration", "R13.3"),
        (DRAW, {"attacker_inspiration": "no"}, "attacker_inspiration", "R13.7"),
        (DRAW, {"target_inspiration": "?"}, "target_inspiration", "R13.3"),
        (END, {"winners": [2, 2]}, "winners", "R13.6a"),
        (END, {"winners": [1]}, "winners", "R13.6h"),
    ],
)
def test_typed_callers_read_the_field_that_they_sent(
    line: str, changed: dict[str, Any], field: str, rule: str
) -> None:
    """R13.3 to R13.7: no value is cut in two, and nothing is dropped."""
    view = view_of(line)
    for path, value in changed.items():
        player, _, name = path.rpartition("].")
        part = view["players"][int(player[-1])] if player else view
        part[name] = value
    with pytest.raises(InputError) as caught:
        KnightsDuty.from_view(view)
    assert (caught.value.field, caught.value.rule) == (f"position.{field}", rule)


@pytest.mark.parametrize("options", [{}, {"radius": 4, "arena": ""}])
def test_stray_fields_are_refused_also_where_options_are_left_out(options: View) -> None:
    view = view_of(NEW) | {"options": options}
    assert KnightsDuty.from_view(view) == read_line(KnightsDuty, NEW)
    with pytest.raises(InputError) as caught:
        KnightsDuty.from_view(view | {"forge": 1})
    assert caught.value.field == "position.forge"


@pytest.mark.parametrize(
    ("view", "field"),
    [
        ({"verb": "place"}, "choice"),
        ({"verb": "", "choice": "sword"}, "verb"),
        ({"verb": "place:sword", "choice": ""}, "verb"),
        ({"verb": "place", "choice": "sword:1"}, "choice"),
        ({"verb": "place", "choice": 1}, "choice"),
        ({"verb": "clan", "choice": "?"}, "choice"),
        ({"verb": "target", "choice": "p7"}, "choice"),
        ({"verb": "place", "choice": "sword", "slot": 1}, "slot"),
    ],
)
def test_typed_moves_have_a_verb_and_a_choice_and_nothing_else(view: View, field: str) -> None:
    """R13.1."""
    with pytest.raises(InputError) as caught:
        GAME.move_from_view(view)
    assert (caught.value.field, caught.value.rule) == (f"move.{field}", "R13.1")


# --- options ----------------------------------------------------------------------------------


def test_the_options_of_a_game_are_all_reported_in_their_order() -> None:
    """Section 16."""
    found = KnightsDuty(players=3, swap="block").options
    assert list(found) == list(OPTIONS.names)
    assert (found["players"], found["swap"], found["radius"]) == ("3", "block", "4")
    values = OPTIONS.values(found)
    assert (values["players"], values["radius"], values["swap"]) == (3, 4, "block")
    assert OPTIONS.of_view(values) == found
    assert OPTIONS.written(OPTIONS.view(found)) == ";swap=block"


@pytest.mark.parametrize(
    ("given", "option", "rule"),
    [
        ({"players": "1"}, "players", "R1.1"),
        ({"players": "7"}, "players", "R1.1"),
        ({"players": "03"}, "players", "R1.1"),
        ({"players": "+3"}, "players", "R1.1"),
        ({"players": 5, "arena": "square"}, "players", "R1.1"),
        ({"arena": "round"}, "arena", "R2.6"),
        ({"radius": "2"}, "radius", "R2.1"),
        ({"radius": "7"}, "radius", "R2.1"),
        ({"clans": "dealt"}, "clans", "R3.2"),
        ({"empty_slots": "yes"}, "empty_slots", "R4.6"),
        ({"agreements": ""}, "agreements", "R6.4"),
        ({"swap": "on"}, "swap", "R6.3"),
        ({"inspire": "off"}, "inspire", "R9.3"),
        ({"turn_limit": "0"}, "turn_limit", "R11.4"),
        ({"turn_limit": "1001"}, "turn_limit", "R11.4"),
        ({"turn_limit": "٣"}, "turn_limit", "R11.4"),
        ({"colour": "red"}, "colour", "section 16"),
    ],
)
def test_a_game_with_other_options_is_refused(
    given: dict[str, str | int], option: str, rule: str
) -> None:
    """Section 16."""
    with pytest.raises(InputError) as caught:
        KnightsDuty(**given)
    assert (caught.value.field, caught.value.rule) == (f"options.{option}", rule)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("kd;clans=choose t1 0.clan p1 -/F/n/u/S..;-/F/n/u/... -", "sword"),
        ("kd;clans=choose t1 0.clan p1 -/F/n/d/...;-/F/n/u/... -", "false"),
        ("kd;clans=choose t1 0.clan p1 -/F/S/u/...;-/F/n/u/... -", "sword"),
        ("kd;clans=choose t1 0.clan p1 -/B/n/u/...;-/F/n/u/... -", "broken"),
        ("kd t2 3.step p1 1,0/B/n/d/EES;-1,0/F/B/u/MBB -", "sword"),
        ("kd t2 0.place p1 1,0/F/n/d/S.S;-1,0/F/B/u/... -", "sword"),
    ],
)
def test_a_refusal_gives_the_value_as_the_message_does(line: str, value: str) -> None:
    with pytest.raises(InputError) as refused:
        KnightsDuty.parse_position(line)
    assert refused.value.value == value


@pytest.mark.parametrize("players", [[], [{}]])
@pytest.mark.parametrize("options", [{}, {"options": {"arena": "square"}}])
def test_missing_players_are_named_by_the_list_and_not_by_the_options(
    players: list[Any], options: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match="2 to 6 players are expected") as refused:
        position_from_view("knights_duty", {"players": players, **options})
    assert refused.value.field == "position.players"
    assert refused.value.rule == "R1.1"
