"""What a search is asked and what it answers, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from kingmaker.cext.errors import InputError

MEGABYTE = 1 << 20
MAX_MILLISECONDS = 24 * 3600 * 1000
MAX_SIMULATIONS = 10**12
MIN_MEMORY_BYTES = MEGABYTE
MAX_MEMORY_BYTES = 1 << 40
MAX_THREADS = 256


class StopReason(Enum):
    """Why a search ended.

    SOLVED says that nothing is left to do, DEPTH that `expectimax` or a `Solver` has come to its
    depth without a proof. NODES and TARGET are reasons to end a `Solver` only.
    """

    TIME = "time"
    SIMULATIONS = "simulations"
    SOLVED = "solved"
    CANCELLED = "cancelled"
    NODES = "nodes"
    DEPTH = "depth"
    TARGET = "target"


class Bound(Enum):
    """What a value is to the true one, the value under perfect play to the end of the game.

    Attributes:
        EXACT: it is the true value, proven.
        LOWER: the true value is proven to be no smaller.
        UPPER: the true value is proven to be no greater.
        HEURISTIC: nothing is proven; it rests on estimates.
    """

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    HEURISTIC = "heuristic"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may spend; the limit reached first ends it.

    Memory is no reason to stop: a full arena stops growing and the search goes on in the tree
    that it has.

    Attributes:
        milliseconds: wall-clock time, or None.
        simulations: passes of tree search over all threads, or None. Those of `expectimax` are
            states entered, those of `pimc` determinizations solved.
        memory_bytes: hard limit of the tree over all threads.
    """

    milliseconds: float | None = None
    simulations: int | None = None
    memory_bytes: int = 64 * MEGABYTE

    def __post_init__(self) -> None:
        if self.milliseconds is None and self.simulations is None:
            raise InputError("a budget needs milliseconds or simulations, or both", field="budget")
        _check("milliseconds", self.milliseconds, 0.001, MAX_MILLISECONDS)
        _check("simulations", self.simulations, 1, MAX_SIMULATIONS)
        _check("memory_bytes", self.memory_bytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES)


def _check(name: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:
        raise InputError(
            f"{name} is {value}; it must be {low:g} to {high:g}",
            field=f"budget.{name}",
            value=str(value),
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What a rival may do between a move and the observer's next decision.

    Attributes:
        seat: who does it, 1..n.
        move: its token, as the observer will see it.
        frequency: part of the simulations that got as far as a reply in which it happened.
        value: the observer's expected win share after it.
    """

    seat: int
    move: str
    frequency: float
    value: float


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """One legal move, as the search judges it.

    Attributes:
        move: its token.
        visits: simulations that went through it; for `pimc` all of them do.
        share: part of all visits, in [0, 1]; over all moves they sum to 1.
        values: expected win share of each seat after it, `[num_seats]`, summing to 1.
        standard_error: of the mover's value; 0 if exact or not drawn at all (`expectimax`), 0.5 if
            it was tried less than twice.
        line: the line expected with it, the move first, as the observer will see it; it ends
            where chance decides.
        replies: what rivals did most, over all chance outcomes; most frequent first.
        is_exact: whether `values` are proven.
        best_share: part of the determinizations in which no move was better, in [0, 1]; None
            unless each was solved by itself (`pimc`).
    """

    move: str
    visits: int
    share: float
    values: tuple[float, ...]
    standard_error: float
    line: tuple[str, ...]
    replies: tuple[Reply, ...] = ()
    is_exact: bool = False
    best_share: float | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search found out, while it runs or at its end.

    Attributes:
        moves: every legal move, the best first; empty where the observer is not to decide.
        values: expected win share of each seat, `[num_seats]`.
        policy: probability with which to play each move, in the order of `moves`.
        is_exact: whether `values` are proven.
        simulations: passes done, over all threads.
        num_nodes: nodes of the trees, over all threads.
        depth: plies of the deepest path.
        seconds: wall-clock time spent.
        memory_bytes: memory of the trees.
        engine: name of the engine.
        seed: the effective seed; the same seed and simulation budget give the same answer.
        stop_reason: None while the search runs.
        bound: what `values` are to the true ones, for the share of the observer (of seat 1 for a
            spectator); LOWER and UPPER come from `expectimax` alone.
        fusion_risk: part of the determinizations, in [0, 1], in which another move was better than
            the best one: where it is large, `pimc` counts on knowing what no player can (strategy
            fusion). 0 for other engines.
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

    @property
    def best_move(self) -> str:
        """The move to play; "" where there is none."""
        return self.moves[0].move if self.moves else ""
