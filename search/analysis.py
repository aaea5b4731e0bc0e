"""Input and output of a search, as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from numbers import Real

import numpy as np

from kingmaker.cext.errors import InputError, check_kind, check_range, check_whole, wrong_type

MEGABYTE = 1 << 20
MIN_MILLISECONDS = 0.001
MAX_MILLISECONDS = 24 * 3600 * 1000
MAX_SIMULATIONS = 10**12
MIN_MEMORY_BYTES = MEGABYTE
MAX_MEMORY_BYTES = 1 << 40
MAX_THREADS = 256
FLAG_KINDS = (bool, np.bool_)
LEAST_ERROR_OF_DEPTH = 0.02
"""Standard error taken for the values of an engine that looks all moves up to a depth: they do not
vary, yet the evaluation at the end of each line is a guess (docs/review.md)."""
SLICE_MILLISECONDS = 100.0
"""Of a run: between two slices Python handles signals, such as Ctrl-C."""


class StopReason(Enum):
    """Why a search ended.

    SOLVED: nothing is left to search. DEPTH: `expectimax` or a `Solver` has completed its
    depth without a proof. NODES and TARGET are limits of a `Solver` only.
    """

    TIME = "time"
    SIMULATIONS = "simulations"
    SOLVED = "solved"
    CANCELLED = "cancelled"
    NODES = "nodes"
    DEPTH = "depth"
    TARGET = "target"


class Bound(Enum):
    """Relation of a value to the true one, that of perfect play to the end of the game.

    Attributes:
        EXACT: the value is the true one, proven.
        LOWER: the true value is proven to be no smaller.
        UPPER: the true value is proven to be no greater.
        HEURISTIC: the value is an estimate.
    """

    __hash__ = object.__hash__  # that of enums is written in Python, and hashes the name

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    HEURISTIC = "heuristic"


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a search; the first one reached ends it.

    The memory limit does not end a search: a full arena stops growing, and the search continues
    in its tree.

    Attributes:
        milliseconds: wall-clock time, or None.
        simulations: passes of tree search over all threads, or None. A simulation of `expectimax`
            is a state entered, one of `pimc` a world solved.
        memory_bytes: hard limit of the trees of all threads.
    """

    milliseconds: float | None = None
    simulations: int | None = None
    memory_bytes: int = 64 * MEGABYTE

    def __post_init__(self) -> None:
        if self.milliseconds is None and self.simulations is None:
            raise InputError("a budget needs milliseconds or simulations, or both", field="budget")
        check_range("budget.milliseconds", self.milliseconds, MIN_MILLISECONDS, MAX_MILLISECONDS)
        if self.simulations is not None:
            check_whole("budget.simulations", self.simulations, 1, MAX_SIMULATIONS)
        check_whole("budget.memory_bytes", self.memory_bytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES)


def check_budget(budget: object) -> None:
    """Check that an argument is a budget; raises TypeError."""
    wanted = "a Budget, such as Budget(simulations=1000) or Budget(milliseconds=1000)"
    check_kind("budget", budget, Budget, wanted)


def check_flag(name: str, value: object) -> None:
    """Check that an argument is a truth value, as "false" would count as true; raises TypeError."""
    check_kind(name, value, FLAG_KINDS, "True or False")


def deadline_of(
    start_ns: int, budget_ms: float | None, now_ns: int, slice_ms: float
) -> tuple[int, bool]:
    """Return when a slice ends, by the monotonic clock, and whether the budget goes on then.

    Args:
        start_ns: when the budget began.
        budget_ms: milliseconds in all; None: no limit.
        now_ns: when the slice begins.
        slice_ms: its milliseconds; from `MAX_MILLISECONDS` on no limit, below 0 and NaN none.

    Returns:
        The deadline, 0 for none, and whether it is that of the slice.

    Raises:
        TypeError: `slice_ms` is no number.
    """
    budget_end = slice_end = math.inf
    if not isinstance(slice_ms, Real):
        raise wrong_type("milliseconds", slice_ms, "a number")
    if budget_ms is not None:
        budget_end = start_ns + budget_ms * 1e6
    if not slice_ms >= MAX_MILLISECONDS:
        slice_end = now_ns + max(0.0, slice_ms) * 1e6
    end = min(budget_end, slice_end)
    return 0 if end == math.inf else max(int(end), 1), slice_end < budget_end


@dataclass(slots=True)
class Reply:
    """A reply of a rival between a move and the observer's next decision.

    Attributes:
        seat: of the rival, 1..n.
        move: its token, as the observer will see it.
        frequency: part of the simulations with any reply that include this one.
        value: the observer's expected win share after it.
        standard_error: of `value`, at most; 0 if proven.
    """

    seat: int
    move: str
    frequency: float
    value: float
    standard_error: float = 0.0


@dataclass(slots=True)  # not frozen: that takes ten times as long, and a search makes many
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
        line: the expected line of play, or with hostile rivals the one to fear, the move first, as
            the observer will see it; it ends where chance decides.
        replies: the replies of rivals that were searched most, over all chance outcomes, in this
            order: the likeliest ones, or those that harm most (`Analysis.hostility`). Only those
            that are proven or came up ten times.
        is_exact: whether `values` are proven.
        world_share: part of the worlds in which no move was better, in [0, 1]; None
            unless each world was solved by itself (`pimc`).
        is_examined: whether the move was examined enough for its values to be shown: it is proven,
            or has a tenth of the visits of the most visited move, or ten, and at least two.
        shared_error: the part of `standard_error` that moves of one search share, as what its tree
            has yet to find is mostly the same for all: it does not count in differences.
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
    shared_error: float = 0.0

    @property
    def error_beside_others(self) -> float:
        """Standard error of the mover's value in a difference from another move's."""
        return math.sqrt(max(0.0, self.standard_error**2 - self.shared_error**2))


@dataclass(slots=True)
class Analysis:
    """The result of a search, intermediate or final.

    Attributes:
        moves: every legal move, the best first; empty if another seat, or chance, is to move.
        values: expected win share of each seat, `[num_seats]`.
        policy: probability of playing each move, in the order of `moves`.
        is_exact: whether `values` are proven.
        simulations: number of simulations over all threads.
        num_nodes: nodes of the trees of all threads.
        depth: plies of the deepest path.
        seconds: wall-clock time spent.
        memory_bytes: memory of the trees.
        engine: name of the engine.
        seed: the effective seed; the same seed and simulation budget give the same answer.
        stop_reason: None while the search runs.
        bound: relation of `values` to the true ones, for the win share of the observer (of seat 1
            for a spectator); LOWER and UPPER come from `expectimax` alone.
        fusion_risk: part of the worlds, in [0, 1], in which another move was better than the best
            one: if it is large, the values of `pimc` rely on hidden information (strategy fusion).
            0 for other engines.
        hostility: part of the observer's loss in what rivals were taken to play for, in [0, 1].
            Above 0 lines and replies are what rivals can do rather than what they will.
    """

    moves: tuple[MoveAnalysis, ...]
    values: tuple[float, ...]
    policy: tuple[float, ...]
    is_exact: bool
    simulations: int
    num_nodes: int
    depth: int
    seconds: float = field(compare=False)
    memory_bytes: int
    engine: str
    seed: int
    stop_reason: StopReason | None
    bound: Bound = Bound.HEURISTIC
    fusion_risk: float = 0.0
    hostility: float = 0.0

    @property
    def best_move(self) -> str:
        """The best move; "" if there is none."""
        return self.moves[0].move if self.moves else ""


def check_analysis(analysis: object, legal_moves: Iterable[str]) -> None:
    """Check that an argument is an analysis of an observation with these legal moves.

    Raises:
        InputError: its moves are others, so it is of another observation.
        TypeError: it is no analysis.
    """
    check_kind("analysis", analysis, Analysis, "an Analysis, as analyze returns it")
    assert isinstance(analysis, Analysis)
    legal, found = set(legal_moves), {move.move for move in analysis.moves}
    if legal == found:
        return
    others = sorted(found - legal) or sorted(legal - found)
    raise InputError(
        f"the analysis is of another observation: {others[0]} is "
        f"{'not legal here' if found - legal else 'legal here, and not in it'}",
        field="analysis",
        value=others[0],
    )
