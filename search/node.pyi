"""The compiled part of positions and observations; see position.py."""

from typing import Self

from numpy.random import BitGenerator

from kingmaker.cext.game import Game

from .position import Observation, Position

class Node:
    """A game and the bytes of a state or observation; immutable."""

    @property
    def game(self) -> Game:
        """The rules."""

    @property
    def state(self) -> bytes:
        """The bytes of the struct, as `Game` takes them."""

    def __init__(self, game: Game, state: bytes) -> None: ...
    @property
    def seat(self) -> int:
        """The seat to decide, 1..n; 0 at a chance node and at the end."""

    @property
    def is_chance(self) -> bool:
        """Whether this is a chance node."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @property
    def num_seats(self) -> int:
        """Number of seats."""

    @property
    def _is_own_decision(self) -> bool:
        """Whether this is an observation of the seat that is to decide."""

    def _move(self, token: str, /) -> int:
        """Return the move or outcome of a token.

        Raises:
            InputError: the token is not of this game's notation.
            TypeError: it is no text.
        """

    def _after(self, token: str, /) -> Self | None:
        """Return the node after a move or outcome; None if it is not possible here.

        Raises:
            InputError: the token is not of this game's notation.
            TypeError: it is no text.
        """

    def _observed(self, seat: int, /) -> Observation:
        """Return the observation of a seat, from 0, or of a spectator, -1."""

    def _determinized(self, bit_generator: BitGenerator, /) -> Position:
        """Return a position drawn from those consistent with an observation."""

def set_kinds(position: type[Position], observation: type[Observation], /) -> None:
    """Set the classes of the nodes that `_observed` and `_determinized` return."""

def check_position(name: str, position: object) -> None:
    """Check that an argument is a full state.

    Raises:
        TypeError: it is an observation or another value.
    """

def position_of(found: tuple[Game, bytes], /) -> Position:
    """Return the position of a game that was read and its state.

    Raises:
        InputError: the game is too large for searches.
    """

def observation_of(found: tuple[Game, bytes], /) -> Observation:
    """Return the observation of a game that was read and what is seen; errors as above."""
