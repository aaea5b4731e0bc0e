"""A Knight's Duty (docs/rules/knights_duty.md), two to six seats.

options.py        options, their values and the first field of a line
state.pxd         the structs
spaces.pxd        the spaces of an arena and their tables
steps.pxd         movement
combat.pxd        attacks and piles
legal.pxd         legal moves and chance outcomes
rules.pxd         transitions
knowledge.pyx     observation, determinization and history
policy.pyx        playouts and evaluation
notation.py       position and observation lines
work.py           the last field of a line
visibility.py     what an observation hides
validity.py       what positions and observations must fulfil
work_validity.py  the same of the last field
moves.py          move tokens, move views and move numbers
legality.py       why a move is refused
words.py          sentences
picture.py        the arena and the players as text
changes.py        differences between two states in words
views.py          small questions to a view
movement.py       steps and contests in a view
arena.py          spaces, directions and corners by their coordinates
names.py          words of views and letters of lines
refusals.py       errors and numbers of a line
game.pyx          all of it as a `Game`
"""

from .game import KnightsDuty

__all__ = ["KnightsDuty"]
