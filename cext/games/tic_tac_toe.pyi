"""Tic-tac-toe; the rules are docs/rules/tic_tac_toe.md."""

from ..game import Game

class TicTacToe(Game):
    """The rules of Tic-tac-toe."""
