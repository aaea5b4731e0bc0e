"""How large a game tree is, estimated by random probes (Knuth 1975) without walking it."""

from typing import NamedTuple

from kingmaker.cext.game import Game

class TreeSize(NamedTuple):
    """An estimate of the number of histories of a tree, the root included.

    Attributes:
        mean: of the probes, unbiased; at most 1e300.
        standard_error: of the mean; infinite after a single probe. Where parts of the tree differ
            much in size it is too low itself, as the mean is.
        mean_depth: plies of a random game, chance included, each child equally likely.
        max_depth: of the longest probe.
        probes: how many were made.
    """

    mean: float
    standard_error: float
    mean_depth: float
    max_depth: int
    probes: int

class TreeProbe:
    """Probes of the tree below a full state, which can be run in slices and cancelled.

    Args:
        game: the rules.
        state: the root of the tree, a full state.
        seed: of the random moves.
        limit: histories from which on a probe ends early.
    """

    def __init__(self, game: Game, state: bytes, seed: int, limit: float = ...) -> None: ...
    def run(self, max_probes: int, deadline_ns: int = 0) -> TreeSize:
        """Probe until there are `max_probes` in all, the clock shows `deadline_ns`, or `cancel`.

        At least one probe is made unless it is cancelled; 0 is no deadline. Releases the GIL.

        Raises:
            RuntimeError: the game broke the engine contract.
        """
    def size(self) -> TreeSize:
        """Return the estimate so far."""
    def cancel(self) -> None:
        """End `run` within a move; from any thread."""

def estimate_tree(
    game: Game,
    state: bytes,
    probes: int,
    seed: int,
    deadline_ns: int = 0,
    limit: float = ...,
) -> TreeSize:
    """Estimate the number of histories below a full state, itself included.

    Args:
        game: the rules.
        state: the root of the tree, a full state.
        probes: random ways through the tree, at least 1.
        seed: the same seed gives the same estimate, unless the deadline cuts it short.
        deadline_ns: when to stop on the monotonic clock; 0: never.
        limit: histories from which on a probe ends early; the estimate is then too low.

    Raises:
        InputError: `probes` is out of range.
    """
