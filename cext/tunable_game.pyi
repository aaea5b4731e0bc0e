from collections.abc import Sequence

import numpy as np
from numpy.random import BitGenerator, Generator
from numpy.typing import ArrayLike, NDArray

from .net import Net
from .view_game import ViewGame

class TunableGame(ViewGame):
    """A game whose playout policy chooses by factors that are learned.

    Attributes:
        num_rows: number of factors of the policy; 0 if it chooses by none.
    """

    num_rows: int

    def use_policy(self, factors: ArrayLike) -> None:
        """Choose by other factors in playouts, and wherever else the policy counts, as in priors.

        No other thread may use the game meanwhile. A copy of the game has those that ship again.

        Args:
            factors: from 1e-19 to 1e19, by row. With ones all options of a choice are alike.

        Raises:
            StateError: positions that were parsed or unpickled share the game; take one of your
                own, `type(game)(**game.options)`.
            ValueError: their number is wrong, one is out of range, or the policy has none.
        """
    def use_prior_net(self, net: Net | None) -> None:
        """Let another net correct the policy in priors.

        A move's prior is in proportion to its probability by the factors, times the exponential of
        its logit by the net. Playouts choose by the factors alone.

        No other thread may use the game meanwhile. A copy of the game has the net that ships again.

        Args:
            net: has a policy head; None: nothing corrects the policy.

        Raises:
            InputError: the net was made for another game or number of seats, or has no policy
                head.
            StateError: as in `use_policy`.
        """
    def policy_games(
        self,
        bit_generator: BitGenerator | Generator,
        num_games: int,
        /,
        whole_wins: bool = False,
        cost: float = 0,
    ) -> tuple[Sequence[float], float, NDArray[np.float64]]:
        """Play games of the policy against itself, without the GIL.

        No other thread may use the game meanwhile. Signals are handled now and then, so that Ctrl-C
        ends it with KeyboardInterrupt.

        Args:
            bit_generator: of all random choices.
            num_games: 1 to 10**9.
            whole_wins: whether the gradient counts only wins that a seat has alone. A policy that
                learns from shared ones may be content with a draw, in games where each seat can
                bring one about.
            cost: win share, 0 to 1, that each choice between moves costs its seat in the gradient,
                compared with the mean number of choices. With a small one a policy loses the habit
                of moves that gain nothing.

        Returns:
            Mean win share of each seat, mean number of plies, and the policy gradient by row: of
            the mean win share of a seat that learns among others that don't, by the logarithm of
            the factor, times the number of seats (REINFORCE; Williams 1992).

        Raises:
            InputError: `num_games` or `cost` is out of range.
            TypeError: one of them is no number, or `bit_generator` no generator.
            ValueError: the policy has no factors.
        """
