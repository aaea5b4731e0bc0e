"""Goofspiel; the rules are docs/rules/goofspiel.md."""

from ..game import Game

class Goofspiel(Game):
    """The rules of Goofspiel with their options, see `option_help`."""
