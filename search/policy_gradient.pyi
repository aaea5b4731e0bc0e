"""Whole games of a policy that a net corrects, and the gradient of the net's weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import BitGenerator, Generator
from numpy.typing import NDArray

from kingmaker.cext.net import Net
from kingmaker.cext.tunable_game import TunableGame

class Lesson(NamedTuple):
    """What some games say.

    Attributes:
        shares: mean win share of each seat, `[num_seats]`.
        plies: mean number of plies of a game.
        gradient: of the mean over games, by name of the net's weights of its policy head and hidden
            layers, in their shapes; empty if nothing was to be learned.
    """

    shares: list[float]
    plies: float
    gradient: dict[str, NDArray[np.float32]]

class PolicyGradient:
    """Games in which a net corrects a game's policy, without the GIL; for one thread at a time.

    A move is drawn in proportion to its probability by the factors, times the exponential of its
    logit by the net (`TunableGame.use_prior_net`).

    The gradient is that of REINFORCE (Williams 1992). A decision is credited with its lambda return
    (Sutton 1988) less the value before it, both by `Game.evaluate` in the full state: the values at
    the later decisions of its seat, and last the result.

    Args:
        game: the rules, with the factors that are corrected. It must not be used by others
            meanwhile. A prior net of its own would count, too.
        trace: lambda, 0 to 1; at 1 only the result counts.
        entropy: weight, 0 to 1, of the sum of the entropies of a game's decisions in what is
            maximized.

    Raises:
        InputError: an argument is out of range, or the game has no features, no actions or no
            learned policy.
    """

    def __init__(
        self, game: TunableGame, *, trace: float = 0.8, entropy: float = 0.001
    ) -> None: ...
    def play(
        self,
        net: Net,
        bit_generator: BitGenerator | Generator,
        num_games: int,
        *,
        seat: int | None = None,
        rival: Net | None = None,
        learn: bool = True,
    ) -> Lesson:
        """Play games.

        Signals are handled now and then, so that Ctrl-C ends it with KeyboardInterrupt.

        Args:
            net: corrects the policy.
            bit_generator: of all random choices.
            num_games: 1 to 10**9.
            seat: the only seat with the net. None: all seats have it.
            rival: corrects the policy of all other seats, and learns nothing. None: they choose by
                the game's factors alone.
            learn: whether to compute the gradient.

        Raises:
            InputError: a net does not fit the game or has no policy head, an argument is out of
                range, or there is a rival but no `seat`.
            TypeError: an argument is of a wrong kind.
            RuntimeError: the game breaks the engine contract, `cancel` was called, or another
                thread plays with this object.
            MemoryError: there is no memory for the decisions of a game.
        """

    def cancel(self) -> None:
        """End `play` after the present game, and play no more; from any thread."""
