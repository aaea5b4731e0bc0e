"""Kingdom Coinquest (docs/rules/kingdom_coinquest.md), two to four seats.

cards.py       names of cards and loads
state.pxd      the structs
rules.pxd      legal moves and transitions
knowledge.pyx  observation and determinization
policy.pyx     playouts and evaluation
notation.py    position and observation lines, every validity rule
moves.py       move tokens
words.py       sentences and pictures
legality.py    why a move is refused
options.py     options and their values
game.pyx       all of it as a `Game`
"""

from .game import KingdomCoinquest

__all__ = ["KingdomCoinquest"]
