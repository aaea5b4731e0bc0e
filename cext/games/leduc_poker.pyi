"""Leduc poker; the rules are docs/rules/leduc_poker.md."""

from ..game import Game

class LeducPoker(Game):
    """The rules of Leduc poker."""
