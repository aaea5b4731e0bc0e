"""Kingdom Coinquest (docs/rules/kingdom_coinquest.md), two to four seats.

names.pyx      names of cards, nodes and moves
state.pxd      the structs
rules.pxd      legal moves and transitions
validity.pyx   which positions and observations are valid
legality.pyx   why a move is refused
knowledge.pyx  observation and determinization
policy.pyx     playouts and evaluation
features.pyx   what a seat sees, for nets
actions.pxd    numbers of moves
notation.py    lines and tokens
words.py       sentences and pictures
options.py     options and their values
game.pyx       the `Game`
"""

from .game import KingdomCoinquest

__all__ = ["KingdomCoinquest"]
