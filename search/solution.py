"""Limits and results of solving, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from kingmaker.cext.errors import StateError, check_range, check_whole

from .analysis import (
    MAX_MEMORY_BYTES,
    MAX_MILLISECONDS,
    MEGABYTE,
    MIN_MEMORY_BYTES,
    Bound,
    StopReason,
)

MAX_NODES = 10**15
MAX_POLICIES = 10_000
"""Most information sets that a `Solution` lists."""
LIMIT_WORDS: dict[StopReason | None, str] = {
    StopReason.TIME: "time",
    StopReason.NODES: "nodes",
    StopReason.DEPTH: "greatest depth",
}
"""The stop reasons that are limits, with the name of the limit."""


class Method(Enum):
    """The methods of a `Solver`.

    EXACT: expectimax without a depth limit; the answer is a proof or an error.
    LIMITED: expectimax to a number of plies, or as deep as the limits allow.
    EQUILIBRIUM: counterfactual regret minimization (CFR+) until the exploitability of the average
        policy is small enough, for two seats.
    """

    EXACT = "exact"
    LIMITED = "limited"
    EQUILIBRIUM = "equilibrium"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a solver; the first one reached ends it.

    Attributes:
        milliseconds: wall-clock time, or None.
        nodes: positions visited, or None. An equilibrium visits every history of its tree once to
            build it and once in each iteration.
        memory_bytes: hard limit of tables and trees.
    """

    milliseconds: float | None = None
    nodes: int | None = None
    memory_bytes: int = 64 * MEGABYTE

    def __post_init__(self) -> None:
        check_range("limits.milliseconds", self.milliseconds, 0.001, MAX_MILLISECONDS)
        if self.nodes is not None:
            check_whole("limits.nodes", self.nodes, 1, MAX_NODES)
        check_whole("limits.memory_bytes", self.memory_bytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES)


@dataclass(frozen=True, slots=True)
class SolvedMove:
    """One legal move of the seat to decide.

    Attributes:
        move: its token.
        probability: of playing it, in [0, 1]; over all moves they sum to 1.
        values: win share of each seat after it, `[num_seats]`, summing to 1; () for an equilibrium.
        bound: kind of `values`, as in `Solution.bound`.
        line: best play from here, the move first, as far as it is known; it ends where chance
            decides.
    """

    move: str
    probability: float
    values: tuple[float, ...] = ()
    bound: Bound | None = None
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InformationSetPolicy:
    """The policy of one information set.

    Attributes:
        seat: the deciding seat, 1..n.
        observation: line of that seat's observation there.
        moves: the legal moves in canonical order.
        policy: the probability of each, in the order of `moves`.
        reach: probability that play by both policies comes there, in [0, 1].
    """

    seat: int
    observation: str
    moves: tuple[str, ...]
    policy: tuple[float, ...]
    reach: float


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """An approximate equilibrium: its exploitability and policies.

    Attributes:
        root: line of the state from which the game was solved; `Solution.values` hold there.
        iterations: passes of CFR+ over the tree.
        num_histories: nodes of the tree.
        num_information_sets: of both seats.
        exploitability: gain of a best responder against these policies, in win shares per game,
            averaged over the seats (NashConv / 2); the value of the game lies within twice as much
            of `Solution.values`. None until it has been measured.
        policies: the policy of each information set, if requested and unless the solver was
            cancelled; at most `MAX_POLICIES`.
        is_cut: whether there are more information sets than `policies` lists.
    """

    root: str
    iterations: int = 0
    num_histories: int = 0
    num_information_sets: int = 0
    exploitability: float | None = None
    policies: tuple[InformationSetPolicy, ...] = ()
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a `Solver`, intermediate or final.

    Attributes:
        method: of the solver.
        values: win share of each seat, `[num_seats]`, summing to 1: of the position, or for an
            equilibrium of its root; () before the first result.
        bound: whether `values` are proven, bounds for the win share of p1, or estimates; None for
            an equilibrium.
        open_hands: whether `values` are those of a game with hidden information played with all
            hands open; such values are no advice for a seat that can't see them.
        moves: every legal move of the seat to decide, the best or most frequent first; empty where
            no seat decides, and for an equilibrium where the subject doesn't show what that seat
            sees.
        depth: plies that have been searched completely; 0 for an equilibrium.
        nodes: positions visited, as in `Limits.nodes`.
        seconds: wall-clock time spent.
        memory_bytes: memory of tables and trees.
        stop_reason: None while it runs.
        equilibrium: exploitability and policies; None for the other methods.
    """

    method: Method
    values: tuple[float, ...]
    bound: Bound | None
    open_hands: bool
    moves: tuple[SolvedMove, ...]
    depth: int
    nodes: int
    seconds: float = field(compare=False)
    memory_bytes: int
    stop_reason: StopReason | None
    equilibrium: Equilibrium | None = None

    @property
    def is_exact(self) -> bool:
        """Whether `values` are proven."""
        return self.bound is Bound.EXACT


class InfeasibleError(StateError):
    """The position can't be solved within the limits; the message suggests a remedy.

    Attributes:
        details: figures of the estimate and of the work done, by name, as text.
        solution: the partial result; None if nothing was tried.
    """

    def __init__(
        self,
        message: str,
        details: Mapping[str, str] | None = None,
        solution: Solution | None = None,
        **where: str,
    ) -> None:
        super().__init__(message, **where)
        self.details = dict(details or {})
        self.solution = solution
