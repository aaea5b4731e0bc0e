"""Options in typed positions: what no line could tell apart is refused where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.search.position import new_game, observation_from_view, position_from_view

NESTED = ("chessault", "code_of_chivalry", "knights_duty")  # others have options beside the rest
WRONG = [
    ("chessault", "supply", "double;max_turns=50", "R2.4"),
    ("chessault", "max_turns", -1, "R10.7"),
    ("code_of_chivalry", "auto_pass", "off;turn_limit=5", "R10.3"),
    ("code_of_chivalry", "turn_limit", 100_001, "R9.6"),
    ("code_of_chivalry", "first_player", 5, "R2.4"),
    ("goofspiel", "order", "ascending;cards=5", "R1.2"),
    ("goofspiel", "cards", 14, "R1.1"),
    ("hearts", "pass", "left direction=left", "R1.2"),
    ("kingdom_coinquest", "turn_limit", -5, "R4.5"),
    ("knights_duty", "arena", "square;radius=5", "R2.6"),
    ("knights_duty", "inspire", "open p1", "R9.3"),
    ("knights_duty", "radius", 7, "R2.1"),
]


def changed(game: str, view: dict[str, Any], option: str, value: object) -> dict[str, Any]:
    """Set an option of a view."""
    if game in NESTED:
        return view | {"options": view["options"] | {option: value}}
    assert option in view
    return view | {option: value}


@pytest.mark.parametrize(("game", "option", "value", "rule"), WRONG)
def test_an_option_is_a_value_and_nothing_else(
    game: str, option: str, value: object, rule: str
) -> None:
    position = new_game(game, {})
    wrong = changed(game, position.view, option, value)
    with pytest.raises(InputError) as caught:
        position_from_view(game, wrong)
    found = caught.value
    field = found.field.removeprefix("position.")
    assert (field, found.rule) == (f"options.{option}", rule)
    assert str(value).startswith(found.value.removeprefix("p"))
    wrong = changed(game, position.observe(1).view, option, value)
    with pytest.raises(InputError) as caught:
        observation_from_view(game, wrong)
    assert caught.value.field.removeprefix("observation.") == f"options.{option}"


def test_each_game_with_options_has_a_wrong_one() -> None:
    with_options = {name for name, kind in GAMES.items() if kind().options}
    assert with_options == {game for game, *_ in WRONG}
