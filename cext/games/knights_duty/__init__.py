"""A Knight's Duty (docs/rules/knights_duty.md), two to six seats.

options.py      options and their values
state.pxd       the structs
spaces.pxd      the spaces of an arena and their tables
steps.pxd       movement
combat.pxd      attacks and piles
legal.pxd       legal moves and chance outcomes
rules.pxd       transitions
reasons.pyx     why states are not valid and moves not legal
knowledge.pyx   observation, determinization and history
policy.pyx      playouts and evaluation
features.pyx    what a seat sees, for nets
actions.pxd     numbers of moves
notation.py     lines and tokens
words.py        sentences
picture.py      the arena and the players as text
changes.py      differences between two states in words
names.py        words of views
game.pyx        the `Game`
"""

from .game import KnightsDuty

__all__ = ["KnightsDuty"]
