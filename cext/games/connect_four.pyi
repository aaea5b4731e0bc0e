"""Connect Four; the rules are docs/rules/connect_four.md."""

from ..game import Game

class ConnectFour(Game):
    """The rules of Connect Four."""
