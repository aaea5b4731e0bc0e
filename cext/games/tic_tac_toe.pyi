"""Tic-tac-toe; the rules are docs/rules/tic_tac_toe.md."""

from ..view_game import ViewGame

class TicTacToe(ViewGame):
    """The rules of Tic-tac-toe."""
