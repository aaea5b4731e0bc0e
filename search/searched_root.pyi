from kingmaker.cext.game import Game

from .analysis import Bound

class SearchedRoot:
    game: Game
    seat: int
    depth: int

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
