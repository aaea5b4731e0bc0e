"""Knaves Out (docs/rules/knaves_out.md), two to eight seats.

state.pxd      the structs
geometry.pyx   boards, squares, adjacency
pieces.pxd     pieces on land and at sea
cards.pxd      hands, decks, towers, courts
derive.pyx     what follows from the rest of a state
actions.pyx    prices and conditions of the actions
effects.pyx    what the actions do
movement.pyx   steps, sailing, landing
combat.pyx     attacks, rolls, damage
turn.pyx       turns, defeat, the end
acts.pyx       legal actions
legal.pyx      legal moves and chance outcomes
rules.pyx      start and transitions
knowledge.pyx  observation and determinization
numbering.pyx  numbers of moves
features.pyx   what a seat sees, as numbers
feature_layout.pyx  their table
evaluation.pyx win shares by weighted terms
policy.pyx     playouts
choices.pyx    what their policy chooses by learned factors
policy_rows.pxd  the rows of these factors
marches.pyx    where its soldiers go
order.pyx      moves of a turn in one order
rows.pxd       the tables of R7
faults.pxd     why a condition does not hold
validity.pyx   which states are valid
inventory.pyx  of which cards
asked.pyx      which nodes can be asked
legality.pyx   why a move is not legal
reasons.pyx    sentences for the last three
packing.pyx    structs from views
views.pyx      views from structs
options.py     options and their values
notation.py    lines <-> views
nodes.py       the node of a line
tokens.py      tokens <-> views
names.py       names of everything, and of the numbers of reasons
words.py       sentences about moves
changes.py     differences between two states in words
picture.py     states as text
game.pyx       the `Game`
"""

from .game import KnavesOut

__all__ = ["KnavesOut"]
