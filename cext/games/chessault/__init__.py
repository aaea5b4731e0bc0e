"""Chessault (docs/rules/chessault.md), two seats.

state.pxd         the structs
geometry.pyx      squares that each figure reaches from each square
sets.pxd          queries on a state: figures, sets of figures, destinations
legal.pxd         legal moves and chance outcomes
rules.pxd         transitions
values.pxd        values of figures and abilities
policy.pyx        playouts
evaluation.pyx    win shares of a state
features.pyx      features of a state
actions.pyx       numbers of moves
validity.pyx      conditions of valid positions
legality.pyx      why a move is refused
notation.py       lines and tokens <-> typed views
options.py        options and their values
words.py          moves in words
picture.py        a state drawn for a terminal
changes.py        differences between two states in words
names.py          types of figures, abilities, squares and other words
game.pyx          the `Game`
"""

from .game import Chessault

__all__ = ["Chessault"]
