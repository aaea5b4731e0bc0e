"""Facts of each game for the tests that run over every game: one module per game.

The tests fail for a game without facts.
"""

from collections.abc import Sequence
from importlib import import_module

from kingmaker.cext.games import GAMES

from .facts import Facts

FACTS: dict[str, Facts] = {name: import_module(f"tests.facts.{name}").FACTS for name in GAMES}


def games_named(names: Sequence[str]) -> list[str]:
    """Return the games of a command line, all if there are none; ends at a misspelt one."""
    for name in names:
        if name not in GAMES:
            raise SystemExit(f"error: there is no game {name!r}; games are {', '.join(GAMES)}")
    return [*names] or [*GAMES]
