"""Connect Four; the rules are docs/rules/connect_four.md."""

from ..view_game import ViewGame

class ConnectFour(ViewGame):
    """The rules of Connect Four."""
