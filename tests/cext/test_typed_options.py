"""Options in typed positions: what no line could tell apart is refused where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.search.position import new_game, observation_from_view, position_from_view
from tests.facts import FACTS

WRONG = [(name, *wrong) for name, facts in FACTS.items() for wrong in facts.wrong_options]


def changed(game: str, view: dict[str, Any], option: str, value: object) -> dict[str, Any]:
    """Set an option of a view."""
    if FACTS[game].nests_options:
        return view | {"options": view["options"] | {option: value}}
    assert option in view
    return view | {option: value}


@pytest.mark.parametrize(("game", "option", "value", "rule"), WRONG)
def test_an_option_is_a_value_and_nothing_else(
    game: str, option: str, value: object, rule: str
) -> None:
    position = new_game(game, {})
    sent = f"options.{option}" if FACTS[game].nests_options else option
    wrong = changed(game, position.view, option, value)
    with pytest.raises(InputError) as caught:
        position_from_view(game, wrong)
    found = caught.value
    assert (found.field, found.rule) == (f"position.{sent}", rule)
    assert str(value).startswith(found.value.removeprefix("p"))
    wrong = changed(game, position.observe(1).view, option, value)
    with pytest.raises(InputError) as caught:
        observation_from_view(game, wrong)
    assert caught.value.field == f"observation.{sent}"


def test_each_game_with_options_has_a_wrong_one() -> None:
    with_options = {name for name, kind in GAMES.items() if kind().options}
    assert with_options == {game for game, *_ in WRONG}
