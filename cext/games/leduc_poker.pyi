"""Leduc poker; the rules are docs/rules/leduc_poker.md."""

from ..view_game import ViewGame

class LeducPoker(ViewGame):
    """The rules of Leduc poker."""
