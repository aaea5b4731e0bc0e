from typing import Any, final

from kingmaker.cext.game import Game

from .searched_root import SearchedRoot

MAX_DEPTH: int
MAX_WIDTH: int
RIVALS: tuple[str, ...]

@final
class Expectimax(SearchedRoot):
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
        InputError: an option is out of range, `memory_bytes` is too small, `state` is not one of
            this game, or the game is larger than a search can hold.
    """

    nodes: int
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
