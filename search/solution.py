"""What solving may spend and what it finds out, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from kingmaker.cext.errors import InputError, StateError

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
"""Information sets that a `Solution` lists at most."""
LIMIT_WORDS: dict[StopReason | None, str] = {
    StopReason.TIME: "time",
    StopReason.NODES: "nodes",
    StopReason.DEPTH: "greatest depth",
}
"""The reasons to end that are limits, and what each limits."""


class Method(Enum):
    """How to solve.

    EXACT: expectimax without a depth limit; the answer is a proof, or there is none.
    LIMITED: expectimax to a number of plies, or as deep as the limits allow.
    EQUILIBRIUM: counterfactual regret minimization (CFR+) until the average policy is hardly
        exploitable, for two seats.
    """

    EXACT = "exact"
    LIMITED = "limited"
    EQUILIBRIUM = "equilibrium"


@dataclass(frozen=True, slots=True)
class Limits:
    """What solving may spend; the limit reached first ends it.

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
        check_range("limits.nodes", self.nodes, 1, MAX_NODES)
        check_range("limits.memory_bytes", self.memory_bytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES)


@dataclass(frozen=True, slots=True)
class SolvedMove:
    """One legal move of the seat to decide.

    Attributes:
        move: its token.
        probability: with which to play it, in [0, 1]; over all moves they sum to 1.
        values: win share of each seat after it, `[num_seats]`, summing to 1; () for an equilibrium.
        bound: what `values` are, as in `Solution.bound`.
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
    """What to do in one information set.

    Attributes:
        seat: who decides there, 1..n.
        observation: the line of what that seat sees there.
        moves: the legal moves in canonical order.
        policy: the probability of each, in the order of `moves`.
        reach: how often play by both policies comes there, in [0, 1].
    """

    seat: int
    observation: str
    moves: tuple[str, ...]
    policy: tuple[float, ...]
    reach: float


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """How near an equilibrium is, and the policies that it consists of.

    Attributes:
        root: the line of the state from which the game was solved; `Solution.values` hold there.
        iterations: passes of CFR+ over the tree.
        num_histories: nodes of the tree.
        num_information_sets: of both seats.
        exploitability: what a best responder gains against these policies, in win shares a game,
            averaged over the seats (NashConv / 2); the value of the game lies within twice as much
            of `Solution.values`. None until it has been measured.
        policies: the policy of each information set, if asked for and at an end that wasn't
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
    """What is known about a position, while a `Solver` runs or at its end.

    Attributes:
        method: how it was solved.
        values: win share of each seat, `[num_seats]`, summing to 1: of the position, or for an
            equilibrium of its root; () while nothing is known.
        bound: whether `values` are proven, bounds for the win share of p1, or estimates; None for
            an equilibrium.
        open_hands: whether `values` are those of a game with hidden information played with all
            hands open. They are no advice for a seat that can't see them.
        moves: every legal move of the seat to decide, the best or most frequent first; empty where
            no seat decides, and for an equilibrium where the subject doesn't show what that seat
            sees.
        depth: plies that have been searched completely; 0 for an equilibrium.
        nodes: positions visited, as in `Limits.nodes`.
        seconds: wall-clock time spent.
        memory_bytes: memory of tables and trees.
        stop_reason: None while it runs.
        equilibrium: the rest of what an equilibrium says; None for the other methods.
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


class OutOfReachError(StateError):
    """The position can't be solved within the limits; the message says what would help.

    Attributes:
        details: figures by name: what was estimated and what was done, as text.
        solution: what was found all the same; None if nothing was tried.
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


def check_range(name: str, value: float | None, low: float, high: float) -> None:
    """Make sure that a number, if there is one, is in [low, high].

    Raises:
        InputError: it isn't.
    """
    if value is not None and not low <= value <= high:
        raise InputError(
            f"{name.rpartition('.')[2]} is {value}; it must be {low:.15g} to {high:.15g}",
            field=name,
            value=str(value),
        )
