"""What is found at once in a game of another package that can't be used, and how it is told."""

from __future__ import annotations

from collections import UserDict
from typing import Any

import pytest

from kingmaker.cext.game import Game
from kingmaker.search.foreign import checked_type
from tests.python_game.high_card import HighCard


def why(kind: Any, name: str = "high_card", others: Any = ()) -> str:
    with pytest.raises((TypeError, ValueError, RuntimeError)) as caught:
        checked_type(name, kind, others)
    return str(caught.value)


def changed(**methods: Any) -> Any:
    return type("Changed", (HighCard,), methods)


class NotADict(UserDict[str, Any]):
    pass


def test_a_game_in_python_is_accepted() -> None:
    assert checked_type("high_card", HighCard, ()) is HighCard


def test_rules_in_python_that_no_search_would_call_are_named() -> None:
    plain = {name: getattr(HighCard, name) for name in ("node", "apply", "legal_moves")}
    message = why(type("Plain", (Game,), {**plain, "name": "high_card"}))
    assert message.startswith("node, legal_moves, apply are written in Python, where searches do")
    assert message.endswith("kingmaker.cext.python_game.PythonGame")


def test_all_methods_that_are_missing_are_named() -> None:
    short = type("Short", (Game,), {"name": "high_card", "tag": "hc"})
    assert why(short) == (
        "Short lacks move_text, parse_move, text, view, parse_position, parse_observation, "
        "observer_of; a game must have them"
    )


def test_a_tag_that_is_taken_or_no_word_is_refused() -> None:
    taken = type("Taken", (Game,), {"name": "taken", "tag": "hc"})
    assert why(HighCard, others=[taken]) == "its tag 'hc' is that of taken"
    for tag in ("", "a b", "a;b"):
        assert f"its tag is {tag!r}" in why(changed(tag=tag))


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"node": lambda self, state: -2}, "the game is over at its start"),
        ({"node": lambda self, state: 7}, "7 is to move in a game of 2 seats"),
        ({"node": lambda self, state: 0, "legal_moves": lambda self, state: []}, "lists no move"),
        ({"chance_outcomes": lambda self, state: [(17, 0.5)]}, "don't sum to 1"),
        (
            {"start": lambda self: b"short"},
            "start gives a wrong result: a state has 6 bytes, not 5",
        ),
        ({"move_text": lambda self, move: move}, "move_text gives 17; it must be a text"),
        ({"move_text": lambda self, move: "a b"}, "a token is a word without spaces"),
        ({"parse_move": lambda self, text: 3}, "move_text writes 17 as 'deal:1', which parse_move"),
        ({"text": lambda self, state: None}, "text gives None; it must be a text"),
        ({"text": lambda self, state: "hc\nx"}, "one line that begins with hc"),
        ({"text": lambda self, state: "ab x"}, "one line that begins with hc"),
        ({"view": lambda self, state: NotADict(HighCard.view(self, state))}, "view gives .*a dict"),
        ({"observer_of": lambda self, state: None}, "the lines of observations, and only they"),
        ({"parse_position": classmethod(lambda cls, text: b"")}, "the pair of a game and a state"),
        (
            {"parse_position": classmethod(lambda cls, text: (cls(cards="9"), bytes(6)))},
            r"with the options {'cards': '9'}, not {'cards': '5'}",
        ),
        (
            {"parse_position": classmethod(lambda cls, text: (cls(), bytes(6)))},
            "parse_position reads .* as .*, not as",
        ),
    ],
)
def test_what_is_wrong_at_the_start_is_named(methods: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError, RuntimeError), match=message):
        checked_type("high_card", changed(**methods), ())
