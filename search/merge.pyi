"""Adds up the statistics of the searches on several threads."""

from collections.abc import Sequence

from .analysis import Bound, MoveAnalysis
from .position import Observation
from .searcher import Searcher

WITHIN: float
"""Standard errors around a value that contain the true one in 95 % of cases."""

def policy_of(
    observation: Observation, searchers: Sequence[Searcher], moves: Sequence[MoveAnalysis]
) -> tuple[float, ...]:
    """Return the probability of playing each of the ranked `moves`.

    It is 1 for the best move unless the search mixes; then it is the average over the searches, and
    moves much less likely than others are dropped, as they remain from the initial uniform policy.
    So are moves that are worse than another one by more than the errors of the values: each search
    has dropped its own, but an average may prefer what all of them together call worse. Moves that
    are hardly examined are dropped if one of the others is likely at all.
    """

def bound_of(searchers: Sequence[Searcher], is_exact: bool) -> Bound:
    """Return the bound of the values: that of a single search, else EXACT if any has a proof."""

def fusion_risk_of(moves: Sequence[MoveAnalysis], /) -> float:
    """Return the part of worlds in which the first move isn't among the best; 0 without worlds."""

def totals_of(searchers: Sequence[Searcher], /) -> tuple[int, int, int, int]:
    """Return simulations, nodes, the largest depth, and bytes of trees of all searchers."""

def merge(
    observation: Observation,
    searchers: Sequence[Searcher],
    *,
    by_value: bool = False,
    replies: bool = True,
    mixes: bool = False,
) -> tuple[tuple[MoveAnalysis, ...], tuple[float, ...], bool]:
    """Add up statistics in the order of the searchers.

    Args:
        observation: that of the search.
        searchers: one for each thread.
        by_value: whether moves rank by value alone, as all were searched equally.
        replies: whether to gather the replies of rivals.
        mixes: whether the searchers mix; then each counts once in the value of a move.

    Returns:
        The observer's legal moves, the best first (none if another seat decides); the expected win
        share of each seat; whether that is proven. Where moves rank by visits, the first one is not
        worth less than another with a quarter of its visits, beyond the errors of both.
    """

def ranked_moves(
    moves: Sequence[MoveAnalysis], seat: int, *, by_value: bool
) -> tuple[MoveAnalysis, ...]:
    """Rank the moves, the best first.

    Proven wins come first and proven losses last. Estimates rank by visits, which is robust against
    lucky averages, or by value if all moves were searched equally; another proven move comes before
    the first estimate that is no better. Moves that were hardly examined follow. Of several wins
    that with the shortest line is the first, of several losses that with the longest; if all moves
    were searched equally, that with the fewest states below, and with the most.
    """
