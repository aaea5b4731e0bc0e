"""Typed views and options of Code of Chivalry, and what is refused as which field.

Test names and docstrings cite docs/rules/code_of_chivalry.md.
"""

from __future__ import annotations

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.code_of_chivalry import CodeOfChivalry, options
from tests.cext.code_of_chivalry_lines import GIVEN, SEEN, accepted
from tests.cext.notations import View

# --- typed views ------------------------------------------------------------------------------


def test_what_a_view_leaves_out_is_empty_or_default() -> None:
    view = {
        "turn": 5,
        "active": 1,
        "players": [{"gems": 6, "hand": {"king": 1}}, {"gems": 6, "castle": "jester"}],
        "draw": {"peasant": 24, "soldier": 16, "knight": 9, "king": 2, "ninja": 5, "dragon": 3}
        | {"archer": 6, "castle": 6, "ladder": 6, "catapult": 2, "herald": 2, "merchant": 2}
        | {"traitor": 2, "highwayman": 3, "princess": 2, "executioner": 2, "jester": 1, "monk": 0},
        "node": {"type": "main", "seat": 1},
    }
    game, state = CodeOfChivalry.from_view(view)
    pile = "p24s16k9g2n5d3a6c6l6u2h2m2t2w3r2x2j"
    assert game.text(state) == f"coc;players=2 5 p1 0 6,-,g/6,C,- {pile} - main - -"
    no_step = {"options": {"reshuffle_step": 0, "turn_limit": 0}}
    assert CodeOfChivalry.from_view(view | no_step)[0].options["reshuffle_step"] == "0"


@pytest.mark.parametrize(
    ("changed", "field", "rule"),
    [
        ({"options": {"players": 9}}, "options.players", "R1.4"),
        ({"options": {"reshuffle_step": -1}}, "options.reshuffle_step", "R9.1"),
        ({"options": {"colour": "red"}}, "options.colour", "section 12"),
        ({"options": "players=3"}, "options", "R13.1"),
        ({"options": {"first_player": 4}}, "options.first_player", "R2.4"),
        ({"turn": -1}, "turn", "R13.1"),
        ({"turn": 10**5000}, "turn", "R13.1"),
        ({"turn": "5"}, "turn", "R13.1"),
        ({"active": 0}, "active", "R13.1"),
        ({"players": []}, "players", "R13.1"),
        ({"players": [{}] * 4}, "players", "R13.1"),
        ({"players": {}}, "players", "R13.1"),
        ({"draw": {"pawn": 1}}, "draw.pawn", "R13.1"),
        ({"draw": {"k2": 1}}, "draw.k2", "R13.1"),
        ({"draw": {"peasant": -1}}, "draw.peasant", "R13.4"),
        ({"draw": {"peasant": True}}, "draw.peasant", "R13.4"),
        ({"draw": []}, "draw", "R13.4"),
        ({"num_draw": 86}, "num_draw", "R13.1"),
        ({"node": {}}, "node.type", "R13.3"),
        ({"node": {"type": "main - -"}}, "node.type", "R13.3"),
        ({"node": {"type": "main", "seat": 2}}, "node.seat", "R13.1"),
        ({"node": {"type": "main", "seller": 2}}, "node.seat", "R13.1"),
        ({"node": {"type": "main", "seat": 1, "seller": 2}}, "node.seller", "R13.1"),
        (
            {"node": {"type": "attack", "target": 2, "ladder": "castle"}},
            "node.ladder",
            "R13.2",
        ),
        (
            {"node": {"type": "respond", "seat": 2, "target": 2, "attack_card": {"role": "pawn"}}},
            "node.attack_card.role",
            "R13.2",
        ),
        (
            {"node": {"type": "show", "seat": 2, "picks": [{"seat": 3, "card": "pawn"}]}},
            "node.picks[0].card",
            "R13.3",
        ),
        ({"known": [{"holder": 2, "cards": {}}]}, "known", "R13.1"),
        ({"known": [{"holder": 2}] * 1000}, "known", "R13.1"),
        ({"own": [{"seat": 1, "cards": {"king": 1}}]}, "own[0].cards", "R13.4"),
        ({"colour": "red"}, "colour", "R13.1"),
    ],
)
def test_a_wrong_view_names_the_field_that_was_sent(changed: View, field: str, rule: str) -> None:
    """R13."""
    with pytest.raises(InputError) as caught:
        CodeOfChivalry.from_view(accepted(GIVEN) | changed)
    assert (caught.value.field, caught.value.rule) == (f"position.{field}", rule)


@pytest.mark.parametrize(
    ("seat", "changed", "field", "rule"),
    [
        (1, {"gems": 31}, "gems", "R13.4"),
        (1, {"castle": "c"}, "castle", "R13.2"),
        (1, {"hand": {"knight,p2": 1}}, "hand.knight,p2", "R13.1"),
        (1, {"hand": {"king": 4}}, "hand.king", "R13.4"),
        (1, {"num_hidden": 2}, "num_hidden", "R14.1"),
        (2, {"hand": {"king": 1}}, "hand.king", "R14.1"),
        (2, {"num_hidden": 104}, "num_hidden", "R14.1"),
    ],
)
def test_a_wrong_player_of_an_observation_is_named(
    seat: int, changed: View, field: str, rule: str
) -> None:
    """R13.2, R13.4, R14.1."""
    view = accepted(SEEN)
    view["seen"]["players"][seat - 1] |= changed
    with pytest.raises(InputError) as caught:
        CodeOfChivalry.from_view(view)
    expected = (f"observation.seen.players[{seat - 1}].{field}", rule)
    assert (caught.value.field, caught.value.rule) == expected


# --- options ----------------------------------------------------------------------------------


def test_defaults_depend_on_the_number_of_players() -> None:
    """D2, D41."""
    assert options.OPTIONS.checked({})["players"] == "4"
    gems = [
        (found["start_gems"], found["target_gems"])
        for found in (
            options.OPTIONS.checked({"players": 3}),
            options.OPTIONS.checked({"players": 2}),
            options.OPTIONS.checked({"players": 2, "two_player": "plain"}),
        )
    ]
    assert gems == [("5", "10"), ("6", "12"), ("5", "10")]


def test_an_explicit_option_wins_over_a_shorthand() -> None:
    """Section 12."""
    found = options.OPTIONS.checked({"deck": "stretch", "monks": "1"})
    assert (found["minstrels"], found["monks"]) == ("2", "1")
    assert "deck" not in found


def test_a_view_has_the_values_that_the_options_say() -> None:
    found = options.OPTIONS.checked({"players": 5, "first_player": "p3", "auto_pass": "off"})
    values = options.OPTIONS.values(found)
    assert (values["first_player"], values["auto_pass"]) == (3, "off")
    assert options.of_view({"options": values}, "options") == found


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
        options.OPTIONS.checked(given)
    assert (caught.value.field, caught.value.rule) == (f"options.{option}", rule)
