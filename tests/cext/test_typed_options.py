"""Options in typed positions: what no line could tell apart is refused where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.search.position import new_game, observation_from_view, position_from_view
from tests.facts import FACTS

WRONG = [(name, *wrong) for name, facts in FACTS.items() for wrong in facts.wrong_options]


def changed(view: dict[str, Any], option: str, value: object) -> dict[str, Any]:
    """Set an option of a position's view."""
    assert option in view["options"]
    return view | {"options": view["options"] | {option: value}}


@pytest.mark.parametrize(("game", "option", "value", "rule"), WRONG)
def test_an_option_is_a_value_and_nothing_else(
    game: str, option: str, value: object, rule: str
) -> None:
    position = new_game(game, {})
    wrong = changed(position.view, option, value)
    with pytest.raises(InputError) as caught:
        position_from_view(game, wrong)
    found = caught.value
    assert (found.field, found.rule) == (f"position.options.{option}", rule)
    assert str(value).startswith(found.value)
    seen = position.observe(1).view
    wrong = seen | {"seen": changed(seen["seen"], option, value)}
    with pytest.raises(InputError) as caught:
        observation_from_view(game, wrong)
    assert caught.value.field == f"observation.seen.options.{option}"


def test_each_game_with_options_has_a_wrong_one() -> None:
    with_options = {name for name, kind in GAMES.items() if kind().options}
    assert with_options == {game for game, *_ in WRONG}
