"""How likely a world is, by what its seat has seen the rivals do."""

from collections.abc import Callable, Mapping

import numpy as np

from kingmaker.cext.game import Game

class Past:
    """What an observer has seen, against which worlds are held.

    Args:
        game: the rules, with the options of the start.
        observation: of the observer, as bytes.
        seen: moves and outcomes from the start, as the observer saw them.
        seats: of each, from 0: who decided, was dealt to or drew; -1: nobody.
        temperature: of the policy of rivals, in win shares: a softmax of the evaluations after
            their moves; 0: the playout policy.
        floor: part of each policy that is uniform, 0 to 1.
        num_pasts: of a world, over which the likelihood is averaged, if there are many.
        policy: instead: (full state, seat from 0) -> probability of each legal move.

    Attributes:
        num_played: the entry at which the farthest attempt to play a past has stopped, their number
            if only its end differs; -1: none has.
        stopped_at: the state there.
        has_past: whether any world had a past to play.
    """

    num_played: int
    stopped_at: bytes | None
    has_past: bool
    def __init__(
        self,
        game: Game,
        observation: bytes,
        seen: list[int],
        seats: list[int],
        temperature: float,
        floor: float,
        num_pasts: int,
        policy: Callable[[bytes, int], Mapping[int, float]] | None,
    ) -> None: ...
    @property
    def moves(self) -> list[int]:
        """The moves and outcomes of the past that was played last."""

    def log_likelihood(self, world: bytes, bit_generator: np.random.BitGenerator) -> float | None:
        """Return the logarithm of the probability of the rivals' moves in a world; None: no past.

        Moves that could be made with several equal cards count once for all (`Game.num_ways`).

        Args:
            world: a full state that fits the observation.
            bit_generator: for what the past leaves open, and for the playout policy.
        """
