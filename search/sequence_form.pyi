"""The sequence form of a game of two seats: the tree as flat arrays for a solver.

Source: von Stengel 1996, "Efficient Computation of Behavior Strategies".
"""

from collections.abc import Iterable

from kingmaker.cext.errors import StateError
from kingmaker.cext.game import Game

class TreeTooLarge(StateError):
    """The game tree does not fit into the memory allowed.

    Attributes:
        num_histories: of the whole tree, estimated.
        num_bytes: least memory to solve it, estimated.
    """

    num_histories: float
    num_bytes: float
    def __init__(self, message: str, num_histories: float, num_bytes: float) -> None: ...

class SequenceForm:
    """The sequence form of a game from a root state.

    A seat's information set is what it sees together with all that it saw and did at its own
    decisions before, so that recall is perfect also where an observation forgets.

    Args:
        game: the rules, for two seats.
        root: a full state; information hidden there would count as known.
        memory_bytes: hard limit; building takes more than the form does in the end.

    Attributes:
        game: the rules.
        root: the full state at the top of the tree.
        num_histories: nodes of the tree so far, root, chance nodes and ends included.
        memory_bytes: held now.

    Raises:
        InputError: the game has another number of seats.
        StateError: the game is over.
    """

    game: Game
    root: bytes
    num_histories: int
    memory_bytes: int
    def __init__(self, game: Game, root: bytes, memory_bytes: int) -> None: ...
    def build(self, deadline_ns: int = 0) -> int:
        """Continue building until done or until the clock shows `deadline_ns` (0: no limit).

        Each call makes some progress, also after `deadline_ns`. Releases the GIL. Returns a
        `StopCode`: 0 time, 2 done, 3 cancelled.

        Raises:
            TreeTooLarge: the memory is used up; building can't continue.
            RuntimeError: the game broke its contract, or another thread builds this form.
        """
    def too_large(self, num_bytes: float = 0) -> TreeTooLarge:
        """Return the error of a tree too large; `num_bytes`: the least it needs, 0: unknown."""
    def cancel(self) -> None:
        """End `build` within a millisecond; callable from any thread."""
    @property
    def num_information_sets(self) -> int:
        """Information sets of both seats, as far as the tree is built."""
    def moves_at(self, seat: int, index: int) -> tuple[int, ...]:
        """Return the legal moves in an information set of a seat (from 0), in canonical order."""
    def observation_at(self, seat: int, index: int) -> bytes:
        """Return the observation of a seat (from 0) in an information set."""
    def locate(self, path: Iterable[int], /) -> tuple[int, int]:
        """Return (seat, index) of the information set that moves and outcomes lead to.

        Raises:
            InputError: a move of the path is not possible where it stands.
            StateError: the path does not end where a seat is to decide.
        """
