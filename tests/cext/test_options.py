"""Options: help, defaults that depend on others, shorthands, and what lines tell."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

import pytest

from kingmaker.cext.errors import InputError, InputErrors
from kingmaker.cext.games import GAMES
from kingmaker.cext.options import Choice, Flag, Number, Options


def usual(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the cards for so many players."""
    return {"cards": "9" if texts.get("size") == "large" else texts.get("players", "2")}


OPTIONS = Options(
    "cards",
    Number("players", "R1", "{} seats", 2, 6, 2),
    Number("cards", "R2, R3", "cards in each hand, {}", 1, 9, 2, usual="one for each player"),
    Choice("order", "R4", "open or hidden", ("open", "hidden")),
    Flag("is_fast", "R5", "1: without pauses"),
    Choice("size", "R2", "short for cards: small or large", ("small", "large")),
    untold=("players",),
    shorthands=("size",),
    usual=usual,
    rule="section 2",
)


def test_the_help_follows_from_the_declaration() -> None:
    assert OPTIONS.help == {
        "players": "2 to 6 seats; default 2 (R1)",
        "cards": "cards in each hand, 1 to 9; default one for each player (R2, R3)",
        "order": "open or hidden; default open (R4)",
        "is_fast": "1: without pauses; default 0 (R5)",
        "size": "short for cards: small or large; default small (R2)",
    }


def test_a_default_depends_on_the_other_options() -> None:
    assert OPTIONS.checked({}) == {"players": "2", "cards": "2", "order": "open", "is_fast": "0"}
    assert OPTIONS.checked({"players": 5})["cards"] == "5"
    assert OPTIONS.checked({"players": 5, "size": "large"})["cards"] == "9"
    assert OPTIONS.checked({"cards": "3", "size": "large"})["cards"] == "3"


def test_a_line_tells_what_is_not_the_default() -> None:
    view = OPTIONS.view(OPTIONS.checked({"players": 4, "order": "hidden", "is_fast": 1}))
    assert view == {"cards": 4, "order": "hidden", "is_fast": True}
    assert OPTIONS.written({**view, "players": 4}) == ";order=hidden;is_fast=1"
    assert OPTIONS.written({**view, "players": 3}) == ";cards=4;order=hidden;is_fast=1"


@pytest.mark.parametrize(
    ("option", "value", "rule"),
    [
        ("cards", "10", "R2"),
        ("size", "huge", "R2"),
        ("order", "", "R4"),
        ("colour", 1, "section 2"),
    ],
)
def test_a_wrong_value_breaks_the_first_rule(option: str, value: object, rule: str) -> None:
    with pytest.raises(InputError) as caught:
        OPTIONS.checked({option: value})
    assert (caught.value.field, caught.value.rule) == (f"options.{option}", rule)


@pytest.mark.parametrize("name", GAMES)
def test_every_help_ends_with_default_and_rules(name: str) -> None:
    for text in GAMES[name].option_help.values():
        assert "; default " in text
        assert text.endswith(")")
        assert "{" not in text


def test_options_of_a_view_are_of_their_type_whatever_was_read_before() -> None:
    assert OPTIONS.of_view({"players": 3, "is_fast": True})["is_fast"] == "1"
    assert OPTIONS.of_view({"players": 3, "is_fast": 1})["is_fast"] == "1"
    for wrong in (3.0, [3], {"three": 3}):
        with pytest.raises(InputError, match="players is a number from 2 to 6"):
            OPTIONS.of_view({"players": wrong, "is_fast": True})


def test_what_is_done_with_the_options_of_a_view_changes_no_others() -> None:
    OPTIONS.of_view({"players": 4})["players"] = "5"
    assert OPTIONS.of_view({"players": 4})["players"] == "4"


def test_all_wrong_options_of_a_new_game_are_refused_at_once() -> None:
    with pytest.raises(InputErrors) as refused:
        OPTIONS.checked({"wind": 1, "players": 9, "order": "none"})
    error = pickle.loads(pickle.dumps(refused.value))
    assert [each.field for each in error.errors] == [
        "options.wind",
        "options.players",
        "options.order",
    ]
    assert (error.field, error.value) == ("options.wind", "1")
    assert "; options.players: players is a number from 2 to 6; got '9' (R1); " in str(error)


def test_a_line_is_refused_for_its_first_wrong_option() -> None:
    with pytest.raises(InputError) as refused:
        OPTIONS.checked({"players": 9, "order": "none"}, "position.options")
    assert not isinstance(refused.value, InputErrors)
