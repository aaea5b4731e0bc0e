"""`notation_help` explains the lines of positions and observations, not only moves."""

from __future__ import annotations

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.search.position import Position
from tests.random_play import VARIANTS, Variant, steps_of


def fields_in_help(help_text: str) -> list[str]:
    """List the names of fields that the help gives after the tag."""
    [head] = [line for line in help_text.splitlines() if line.startswith("Position: ")]
    return head.split(" ")[2:]


@pytest.mark.parametrize("name", GAMES)
def test_the_help_has_moves_positions_and_observations(name: str) -> None:
    lines = GAMES[name].notation_help.splitlines()
    heads = [line.partition(":")[0] for line in lines]
    assert [head for head in heads if head in ("Moves", "Position", "Observation")] == [
        "Moves",
        "Position",
        "Observation",
    ]
    assert f"Position: {GAMES[name].tag} " in GAMES[name].notation_help
    assert all(len(line) < 1000 for line in lines)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_help_names_every_field_and_the_observer(variant: Variant) -> None:
    game = variant.new()
    named = fields_in_help(game.notation_help)
    seats = {f"p{seat}{end}" for seat in range(game.num_seats + 1, 9) for end in "=:"}
    seen = game.notation_help.partition("Observation: ")[2]
    for state, _ in steps_of(variant, 12):
        position = Position(game, state)
        tag, *fields = position.text.split(" ")
        labels = [name for name in named if name not in seats]
        assert len(labels) == len(fields), (labels, fields)
        assert all(
            field.startswith(label)
            for label, field in zip(labels, fields, strict=True)
            if label.endswith(("=", ":"))
        )
        assert tag.split(";")[0] == game.tag
        *more, observer = position.observe(1).text.split(" ")[len(fields) + 1 :]
        assert all(field[: field.index("=") + 1] in seen for field in more)
        assert observer == "@p1"
        assert "@p" in seen
        assert "@-" in seen
        assert ("?" in seen) == game.is_hidden


@pytest.mark.parametrize("name", GAMES)
def test_the_help_explains_the_options_of_a_line(name: str) -> None:
    told = GAMES[name]().view(GAMES[name]().start_state()).get("options", {})
    explained = GAMES[name].notation_help
    assert all(f";{option}=" in explained for option in told) or ";<option>=<value>" in explained
