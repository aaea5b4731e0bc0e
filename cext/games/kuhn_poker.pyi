"""Kuhn poker; the rules are docs/rules/kuhn_poker.md."""

from ..game import Game

class KuhnPoker(Game):
    """The rules of Kuhn poker."""
