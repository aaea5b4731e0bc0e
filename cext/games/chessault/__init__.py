"""Chessault (docs/rules/chessault.md), two seats.

state.pxd         the structs
geometry.pyx      where each figure gets to from each square
sets.pxd          what is read off a state: figures, sets of them, where they may go
legal.pxd         legal moves and chance outcomes
rules.pxd         transitions
values.pxd        what figures and abilities are worth
policy.pyx        playouts
evaluation.pyx    win shares of a state
notation.py       position and observation lines
nodes.py          the node field of a line
validity.py       what positions must fulfil
node_validity.py  the same of nodes
moves.py          move tokens, move views and move numbers
board.py          areas, destinations and radius, on views
views.py          small questions to a view
options.py        options, their values and the tag of a line
legality.py       why a move is refused
words.py          moves in words
picture.py        a state drawn for a terminal
changes.py        differences between two states in words
names.py          types of figures, abilities, squares and other words
refusals.py       errors, and numbers of a line
game.pyx          all of it as a `Game`
"""

from .game import Chessault

__all__ = ["Chessault"]
