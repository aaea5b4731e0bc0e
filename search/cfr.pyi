"""Tabular CFR+ and exploitability by exact best responses, for two seats.

All values are win shares. *NashConv* of a pair of policies is the sum over both seats of what a
best responder in that seat gains over its policy; *exploitability* is half of it, the gain
averaged over the seats. Both are 0 exactly at an equilibrium, and the value of the game lies within
NashConv of the value of the pair. Seats count from 0.

Source: Tammelin 2014, "Solving Large Imperfect Information Games Using CFR+".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kingmaker.cext.game import Game

from .sequence_form import SequenceForm
from .sequence_form import TreeTooLarge as TreeTooLarge

_Policy = (
    Mapping[tuple[int, bytes], Sequence[float]]
    | Callable[[int, bytes, tuple[int, ...]], Sequence[float]]
)

class InformationSetPolicy(NamedTuple):
    """An information set and what the average policy does there.

    Attributes:
        seat: the deciding seat, from 0.
        observation: of that seat. With imperfect recall several sets have the same observation.
        moves: the legal moves in canonical order.
        policy: probability of each.
        reach: probability that play by both average policies, chance included, comes here.
    """

    seat: int
    observation: bytes
    moves: tuple[int, ...]
    policy: list[float]
    reach: float

class CfrSolver:
    """Solves a game of two seats from a state without hidden information.

    Call `build` until it returns 2, then `run` as often as wanted; the other methods may be called
    between runs, but not during one. Interruptions of runs
    change no answer.

    Args:
        game: the rules, for two seats.
        root_state: a full state without hidden information, as the start of a game;
            see `public_root`.
        memory_bytes: hard limit of the tree and all arrays.

    Attributes:
        form: the tree as its sequence form.
        nash_conv: NashConv of the average policies when it was last measured, in win shares;
            infinite before the first time.
        measured_values: win share of each seat at the root by those policies; () before the
            first time.

    Raises:
        InputError: the game has another number of seats.
        StateError: the game is over, or something is hidden at the root.
        TypeError: the root is an observation.
    """

    form: SequenceForm
    nash_conv: float
    @property
    def measured_values(self) -> tuple[float, ...]: ...
    def __init__(self, game: Game, root_state: bytes, memory_bytes: int) -> None: ...
    def build(self, deadline_ns: int = 0) -> int:
        """Continue building the tree until it is complete or the clock shows `deadline_ns`.

        0 is no deadline. Each call makes some progress, also after `deadline_ns`. Releases the
        GIL. Returns a `StopCode`: 0 time, 2 done, 3 cancelled.

        Raises:
            TreeTooLarge: it does not fit into the memory; building can't continue.
            RuntimeError: the game broke its contract, or another thread uses the solver.
        """
    def run(
        self, max_iterations: int = 0, target_nash_conv: float = 0.0, deadline_ns: int = 0
    ) -> int:
        """Iterate until one of the limits is reached; 0 is no limit. Releases the GIL.

        NashConv is measured after the first iteration, then after every 8th and less often
        later, which takes less than a fifth of the time, and after the last of
        `max_iterations`.

        Args:
            max_iterations: iterations in all, those of earlier runs included.
            target_nash_conv: NashConv at which to stop, in win shares.
            deadline_ns: when to stop on the monotonic clock; each call makes some progress first.

        Returns:
            0 time, 1 iterations, 2 target reached, 3 cancelled.

        Raises:
            InputError: an argument is out of range.
            RuntimeError: the tree is not built, or another thread uses the solver.
        """
    def cancel(self) -> None:
        """End `build`, `run` or the start of `information_sets` within a millisecond.

        Callable from any thread. It is final: the solver can't continue, but still has its results.
        """
    @property
    def iterations(self) -> int:
        """Completed iterations."""
    @property
    def num_histories(self) -> int:
        """Nodes of the tree so far, root, chance nodes and ends included."""
    @property
    def num_information_sets(self) -> int:
        """Information sets of both seats so far."""
    @property
    def memory_bytes(self) -> int:
        """Bytes that tree and arrays hold now."""
    def values(self) -> tuple[float, float]:
        """Return the win share of each seat at the root if both play their average policies."""
    def policy(self, path: Iterable[int], /) -> list[float]:
        """Return the average policy of the seat to decide, in the order of its legal moves.

        Uniform where the seat's own policy never leads.

        Args:
            path: the moves and outcomes that lead there from the root.

        Raises:
            InputError: a move of the path is not possible where it stands.
            StateError: the path does not end where a seat is to decide.
        """
    def information_sets(self) -> Iterator[InformationSetPolicy]:
        """Iterate over all information sets, those of the first seat first.

        A set comes after those through which its seat gets there. Releases the GIL for what is
        long before the first.

        Raises:
            InterruptedError: it was cancelled.
        """
    def nash_conv_of(self, policy: _Policy, /) -> float:
        """Return the NashConv of any policy on this tree, in win shares.

        Args:
            policy: the probabilities of the legal moves, in canonical order: by (seat,
                observation), or a function of (seat, observation, moves). It is asked once for
                every information set, and rounding is mended.

        Raises:
            InputError: it is missing somewhere, or no probability for each move.
        """

def public_root(game: Game, state: bytes) -> tuple[bytes, list[int]]:
    """Return the latest state without hidden information, and the path from it to a full state.

    Returns:
        The root, for a `CfrSolver`, and the moves and outcomes since, for `CfrSolver.policy`.

    Raises:
        StateError: the state has hidden information and no `Game.history`.
    """
