"""A game in progress whose moves are numbers: what environments for learning step."""

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.game import Game

class Table:
    """A game that is played in place; chance is drawn by a stream of its own.

    A copy, pickled or not, goes on with the same chance.

    Seats count from 0. Actions are the numbers of `Game.index_of`, features those of
    `Game.feature_names`.

    Attributes:
        game: the rules.
        node: the seat to decide, or -2 at the end.
        num_legal: number of its legal actions; 0 at the end.

    Raises:
        InputError: the game has no features or no numbered actions.
    """

    game: Game
    node: int
    num_legal: int

    def __init__(self, game: Game) -> None: ...
    def restart(self, seed: int | None = None) -> int:
        """Begin a new game and return its first node.

        Args:
            seed: of the outcomes of chance, from 0; None: from the system's entropy.
        """

    def play(self, action: SupportsIndex, /) -> int:
        """Play a legal action, draw the outcomes of chance after it and return the node.

        Raises:
            InputError: there is no such action.
            StateError: the action is not legal, which has the reason and the rule, or the game is
                over.
        """

    @property
    def state(self) -> bytes:
        """The full state."""

    def returns(self) -> list[float]:
        """Return the win share of each seat, which sum to 1; StateError before the end."""

    def features(self, seat: int, /) -> NDArray[np.int8]:
        """Return what a seat sees as a new vector of 0 and 1, `[num_features]`.

        It depends on nothing that is hidden from the seat.
        """

    def mask(self, seat: int, /) -> NDArray[np.int8]:
        """Return 1 for each action that a seat may play now as a new vector, `[num_actions]`.

        All are 0 if another seat is to decide, or the game is over.
        """
