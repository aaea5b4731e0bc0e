"""What Solve asks of a solver, and how it answers from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from kingmaker import __version__
from kingmaker.search.position import Observation, Position, parse_position
from kingmaker.search.solution import (
    Equilibrium,
    InformationSetPolicy,
    Limits,
    Method,
    Solution,
    SolvedMove,
)
from kingmaker.search.solver import Solver
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from ..convert import BOUNDS, duration_message, move_message, move_messages, position_message
from ..pool.slices import Effort
from .allowances import SolveAllowance, limits_message

METHODS = {
    pb.SOLVE_METHOD_UNSPECIFIED: None,
    pb.SOLVE_METHOD_EXACT: Method.EXACT,
    pb.SOLVE_METHOD_LIMITED: Method.LIMITED,
    pb.SOLVE_METHOD_EQUILIBRIUM: Method.EQUILIBRIUM,
}
METHOD_NUMBERS = {method: number for number, method in METHODS.items()}
RESERVED_BYTES = 1 << 16  # part of the largest message for everything except the policies
MAX_TAG_BYTES = 8  # field number and length before a message in a list


@dataclass(frozen=True, slots=True)
class SolveJob:
    """Solve a position.

    Attributes:
        subject: the position, or an observation of it.
        allowance: the effective limits.
        method: as in `Solver`, like the next three.
        depth: plies to search.
        target: exploitability that is good enough.
        include_policy: whether to list the policies.
        max_bytes: size limit of an answer.
    """

    subject: Position | Observation
    allowance: SolveAllowance
    method: Method | None
    depth: int | None
    target: float | None
    include_policy: bool
    max_bytes: int

    kind = None

    @property
    def budget(self) -> Limits:
        """Limits of the solver."""
        return self.allowance.limits

    @property
    def game_name(self) -> str:
        """Name of the game."""
        return self.subject.game.name

    def begin(self) -> Solver:
        """Create the solver."""
        return Solver(
            self.subject,
            self.budget,
            method=self.method,
            depth=self.depth,
            target=self.target,
            include_policy=self.include_policy,
        )

    def answer(self, search: Solver, found: Solution) -> pb.SolveResponse:
        """Write a report, or the solution, with policies until the solver is cancelled."""
        answer = pb.SolveResponse(
            is_final=found.stop_reason is not None,
            method=METHOD_NUMBERS[found.method],
            values=found.values,
            bound=BOUNDS[found.bound],
            open_hands=found.open_hands,
            moves=[_move_message(self.subject, move) for move in found.moves],
            report=self._report(search, found),
        )
        if found.equilibrium is not None:
            root = parse_position(self.game_name, found.equilibrium.root)
            listed = takewhile(lambda _: not search.is_cancelled, found.equilibrium.policies)
            answer.equilibrium.CopyFrom(
                _equilibrium_message(root, found.equilibrium, listed, self.max_bytes)
            )
        return answer

    def effort(self, found: Solution) -> Effort:
        """Return what the solver has spent."""
        return Effort(found.method.value, 0, found.nodes, found.depth, found.seconds)

    def _report(self, solver: Solver, solution: Solution) -> pb.SolveReport:
        return pb.SolveReport(
            stamp=types_pb2.EngineStamp(
                engine=solution.method.value,
                engine_version=__version__,
                rules_version=self.subject.game.rules_version,
                config_hash=solver.config_hash,
            ),
            limits=limits_message(self.budget),
            stop_reason=self.allowance.stop_reason(solution.stop_reason),
            elapsed=duration_message(solution.seconds),
            nodes=solution.nodes,
            depth=solution.depth,
            memory_bytes=solution.memory_bytes,
        )


def _move_message(subject: Position | Observation, move: SolvedMove) -> pb.SolvedMove:
    game = subject.game
    return pb.SolvedMove(
        move=move_message(game, move.move),
        description=subject.describe(move.move),
        probability=move.probability,
        values=move.values,
        bound=BOUNDS[move.bound],
        line=move_messages(game, move.line),
    )


def _equilibrium_message(
    root: Position,
    equilibrium: Equilibrium,
    listed: Iterable[InformationSetPolicy],
    max_bytes: int,
) -> pb.Equilibrium:
    """Write an equilibrium with as many of the policies as a message of `max_bytes` holds."""
    policies = list(_fitting(listed, max_bytes - RESERVED_BYTES))
    return pb.Equilibrium(
        root=position_message(root),
        exploitability=equilibrium.exploitability,
        iterations=equilibrium.iterations,
        histories=equilibrium.num_histories,
        information_sets=equilibrium.num_information_sets,
        policies=policies,
        is_cut=equilibrium.is_cut or len(policies) < len(equilibrium.policies),
    )


def _fitting(
    policies: Iterable[InformationSetPolicy], max_bytes: int
) -> Iterator[pb.InformationSetPolicy]:
    size = 0
    for each in policies:
        message = pb.InformationSetPolicy(
            seat=each.seat,
            observation=each.observation,
            moves=each.moves,
            probabilities=each.policy,
            reach=each.reach,
        )
        size += message.ByteSize() + MAX_TAG_BYTES
        if size > max_bytes:
            return
        yield message
