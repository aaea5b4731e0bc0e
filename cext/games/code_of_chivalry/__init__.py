"""Code of Chivalry (docs/rules/code_of_chivalry.md), two to six seats.

cards.py       names, letters and counts of the cards
options.py     options and their values
multiset.pxd   multisets of cards in one word
state.pxd      the structs
legal.pxd      legal moves and chance outcomes
table.pxd      cards face up, public knowledge of hands, seats to ask
rules.pxd      transitions
knowledge.pyx  observation and determinization
policy_rows.pxd  rows of the playout policy's factors
choices.pxd    moves as options of that policy
policy.pyx     playouts and evaluation
terms.pxd      what the net of the evaluation reads
nets.py        that net and the factors of the policy, from files; with fewer seats weights evaluate
validity.pyx   which positions and observations are valid
legality.pyx   why a move is not legal
notation.py    lines and tokens <-> views
game.pyx       the `Game`, and views <-> structs
names.py       names of cards, nodes and the numbers of reasons
words.py       sentences and pictures
changes.py     differences between two states in words
"""

from .game import CodeOfChivalry

__all__ = ["CodeOfChivalry"]
