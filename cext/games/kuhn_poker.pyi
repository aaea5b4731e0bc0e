"""Kuhn poker; the rules are docs/rules/kuhn_poker.md."""

from ..view_game import ViewGame

class KuhnPoker(ViewGame):
    """The rules of Kuhn poker."""
