"""Chessault (docs/rules/chessault.md), two seats.

state.pxd         the structs
geometry.pyx      where each figure gets to from each square
sets.pxd          what is read off a state: figures, sets of them, where they may go
legal.pxd         legal moves and chance outcomes
rules.pxd         transitions
values.pxd        what figures and abilities are worth
policy.pyx        playouts
evaluation.pyx    win shares of a state
validity.pyx      what positions must fulfil
legality.pyx      why a move is refused
notation.py       lines and tokens, to and from typed views
options.py        options and their values
words.py          moves in words
picture.py        a state drawn for a terminal
changes.py        differences between two states in words
names.py          types of figures, abilities, squares and other words
game.pyx          all of it as a `Game`
"""

from .game import Chessault

__all__ = ["Chessault"]
