"""Goofspiel; the rules are docs/rules/goofspiel.md."""

from ..view_game import ViewGame

class Goofspiel(ViewGame):
    """The rules of Goofspiel with their options, see `option_help`."""
