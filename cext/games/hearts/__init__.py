"""Hearts (docs/rules/hearts.md), four seats: a calibration game.

cards.py       names of cards, directions and letters
state.pxd      the struct, and sets of cards as masks
rules.pxd      legal moves and transitions
knowledge.pyx  observation and determinization
playout.pyx    playouts and evaluation
validity.pyx   which states are valid, why moves are not legal
notation.py    lines and tokens
words.py       sentences and pictures
game.pyx       the `Game`
"""

from .game import Hearts

__all__ = ["Hearts"]
