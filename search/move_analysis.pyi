"""The statistics of one legal move."""

from dataclasses import dataclass

from .analysis import Reply

@dataclass
class MoveAnalysis:
    """The statistics of one legal move.

    Attributes:
        move: its token.
        visits: simulations of this move; for `pimc` all simulations.
        visit_share: part of all visits, in [0, 1]; over all moves they sum to 1.
        values: expected win share of each seat after it, `[num_seats]`, summing to 1; equal shares,
            which mean nothing, if there were no visits.
        standard_error: of the mover's value, as an estimate of what a long search finds; 0 if
            exact or not sampled (`expectimax`), 0.5 if the move was not tried.
        line: the expected line of play, the move first, as the observer will see it; it ends where
            chance decides.
        replies: the most frequent replies of rivals over all chance outcomes; most frequent first.
        is_exact: whether `values` are proven.
        world_share: part of the worlds in which no move was better, in [0, 1]; None
            unless each world was solved by itself (`pimc`).
        is_examined: whether the move was examined enough for its values to be shown: it is proven,
            or has a visit for every ten of the most visited move or ten in all, and two at least.
    """

    move: str
    visits: int
    visit_share: float
    values: tuple[float, ...]
    standard_error: float
    line: tuple[str, ...]
    replies: tuple[Reply, ...] = ()
    is_exact: bool = False
    world_share: float | None = None
    is_examined: bool = True
