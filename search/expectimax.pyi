from typing import Any

from kingmaker.cext.game import Game

from .analysis import Bound

MAX_DEPTH: int
MAX_WIDTH: int
RIVALS: tuple[str, ...]

class Expectimax:
    """The value of one full state and of each move there, found without the GIL.

    Args:
        game: the rules.
        state: a full state, hidden cards included; all seats see all of it.
        options: `depth` (plies to look ahead at most, chance included, 1 to `MAX_DEPTH`; None: as
            far as `run` allows), `rivals` ("selfish" or "paranoid"), `width` (moves looked at of a
            kind, see ranking.pxd, 0 to `MAX_WIDTH`; 0, the default: every move to the same depth)
            and `seat` (from 0; whose share is bounded, by default of who decides); each may be left
            out. Selfish seats take no `width`: with them it is 0.
        memory_bytes: hard limit of table and stack together. It bounds the depth too, to some
            hundred plies in a megabyte.

    Raises:
        InputError: an option is out of range, `memory_bytes` is too small, or `state` is not one
            of this game.
    """

    game: Game
    seat: int
    nodes: int
    depth: int
    memory_bytes: int

    def __init__(
        self, game: Game, state: bytes, options: dict[str, Any], memory_bytes: int
    ) -> None: ...
    def run(self, max_nodes: int, deadline_ns: int) -> int:
        """Search until `max_nodes` states were entered in all or the clock shows `deadline_ns`.

        0 is no limit. Enters one state at least, also after `deadline_ns`. Releases the GIL; can be
        called again to continue; pauses do not change the result. Returns a stop code as
        `Searcher.run` does: 0 time, 1 nodes, 2 nothing is left to do (all is exact, or the depth
        limit is reached), 3 cancelled.

        Raises:
            RuntimeError: the game broke its contract, or another thread runs this search.
        """

    def cancel(self) -> None:
        """End `run` within one state; callable from any thread."""

    @property
    def bound(self) -> Bound:
        """Relation of `values` to the true ones, for the win share of `seat`."""

    def values(self) -> list[float]:
        """Return the win share of each seat; the evaluation before the first iteration."""

    def moves(self) -> list[tuple[int, list[float], Bound, list[int]]]:
        """Return (move, win shares, bound, line) for each legal move, in canonical order.

        The bound is for the win share of `seat`. A line begins with the move and ends where chance
        decides, or where the table has no entry. Empty at a chance node and at the end.
        """

    def root_moves(self) -> list[tuple[int, int, list[float], Bound, list[int]]]:
        """Return (move, states below it, win shares, bound, line) of each move; see `moves`."""
