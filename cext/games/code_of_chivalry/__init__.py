"""Code of Chivalry (docs/rules/code_of_chivalry.md), two to six seats.

cards.py          names, letters and counts of the cards; multisets as text
options.py        options, their values and the tag of a line
multiset.pxd      multisets of cards in one word
state.pxd         the structs
legal.pxd         legal moves and chance outcomes
table.pxd         what lies face up, what is known of hands, who is asked
rules.pxd         transitions
knowledge.pyx     what is known of hands; observation and determinization
scores.pxd        what the playout policy thinks of moves
policy.pyx        playouts and evaluation
notation.py       position and observation lines
nodes.py          the node field of a line
validity.py       what positions and observations must fulfil
node_validity.py  the same of nodes
moves.py          move tokens, move views and move numbers
legality.py       why a move is refused
words.py          sentences and pictures
changes.py        differences between two states in words
views.py          small questions to a view
names.py          names of nodes and cards
refusals.py       errors, numbers and seats of a line
game.pyx          all of it as a `Game`
"""

from .game import CodeOfChivalry

__all__ = ["CodeOfChivalry"]
