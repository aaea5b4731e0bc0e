"""Code of Chivalry (docs/rules/code_of_chivalry.md), two to six seats.

cards.py       names, letters and counts of the cards
options.py     options and their values
multiset.pxd   multisets of cards in one word
state.pxd      the structs
legal.pxd      legal moves and chance outcomes
table.pxd      what lies face up, what is known of hands, who is asked
rules.pxd      transitions
knowledge.pyx  what is known of hands; observation and determinization
scores.pxd     what the playout policy thinks of moves
policy.pyx     playouts and evaluation
validity.pyx   which positions and observations are valid
legality.pyx   why a move is not legal
notation.py    lines and tokens <-> views
game.pyx       all of it as a `Game`, and views <-> structs
names.py       what cards, nodes and the numbers of reasons are called
words.py       sentences and pictures
changes.py     differences between two states in words
"""

from .game import CodeOfChivalry

__all__ = ["CodeOfChivalry"]
