"""Facts of each game for the tests that run over every game: one module per game.

The tests fail for a game without facts.
"""

from importlib import import_module

from kingmaker.cext.games import GAMES

from .facts import Facts

FACTS: dict[str, Facts] = {name: import_module(f"tests.facts.{name}").FACTS for name in GAMES}
