"""Hearts (docs/rules/hearts.md), four seats: a calibration game.

cards.py       names of cards, directions and letters
state.pxd      the struct, and sets of cards as masks
rules.pxd      legal moves and transitions
knowledge.pyx  observation and determinization
playout.pyx    playouts and evaluation
notation.py    position and observation lines, every validity rule
words.py       sentences and pictures, why a move is refused
game.pyx       all of it as a `Game`
"""

from .game import Hearts

__all__ = ["Hearts"]
