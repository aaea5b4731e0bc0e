"""Requests and answers of Solve."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from itertools import takewhile

from kingmaker import __version__
from kingmaker.cext.errors import InputError, StateError
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

from ..convert import (
    BOUNDS,
    duration_message,
    move_message,
    move_messages,
    position_message,
    read_observation,
    read_position,
)
from ..errors import Problems
from ..settings import ServerSettings
from .budgets import SolveAllowance, allow_solve, limits_message, read_solve_wish
from .requests import Context, client_of

METHODS = {
    pb.SOLVE_METHOD_UNSPECIFIED: None,
    pb.SOLVE_METHOD_EXACT: Method.EXACT,
    pb.SOLVE_METHOD_LIMITED: Method.LIMITED,
    pb.SOLVE_METHOD_EQUILIBRIUM: Method.EQUILIBRIUM,
}
METHOD_NUMBERS = {method: number for number, method in METHODS.items()}
RESERVED_BYTES = 1 << 16  # part of the largest message for everything except the policies
MAX_TAG_BYTES = 8  # field number and length before a message in a list


class CheckedSolve:
    """A checked request to solve.

    Args:
        request: of the call.
        context: of the call.
        settings: of the server.
        problems: errors in the fields that were read before.

    Attributes:
        client: address of the caller.
        field: the request field of the subject.

    Raises:
        RequestError: fields are wrong; lists all of them.
    """

    def __init__(
        self,
        request: pb.SolveRequest,
        context: Context,
        settings: ServerSettings,
        problems: Problems,
    ) -> None:
        self.client = client_of(context)
        self.field = request.WhichOneof("subject") or "observation"
        self._request = request
        self._context = context
        self._settings = settings
        self._allowance: SolveAllowance | None = None
        self._solver: Solver | None = None
        self._is_wanted = True
        self._wish = read_solve_wish(request.limits, problems)
        with problems.at("method"):
            _check_method(request.method)
        subject = None
        with problems.at(self.field):
            subject = _read_subject(request)
        if subject is not None and request.method in METHODS:
            self._subject = subject
            with problems.at(""):
                self._check_solver()
        problems.check()

    def solver(self) -> Solver:
        """Create the solver; its time counts from its first step.

        Raises:
            DeadlineError: the caller's deadline has passed.
        """
        self._allowance = allow_solve(self._wish, self._settings, self._context.time_remaining())
        self._solver = self._make(self._allowance.limits)
        return self._solver

    async def answer(self, solution: Solution) -> pb.SolveResponse:
        """Write a message of the stream; a long one outside the event loop."""
        if solution.equilibrium is None or not solution.equilibrium.policies:
            return self._answer(solution)
        try:
            return await asyncio.to_thread(self._answer, solution)
        except asyncio.CancelledError:
            self._is_wanted = False
            raise

    def _answer(self, solution: Solution) -> pb.SolveResponse:
        answer = pb.SolveResponse(
            is_final=solution.stop_reason is not None,
            method=METHOD_NUMBERS[solution.method],
            values=solution.values,
            bound=BOUNDS[solution.bound],
            open_hands=solution.open_hands,
            moves=[_move_message(self._subject, move) for move in solution.moves],
            report=self._report(solution),
        )
        if solution.equilibrium is not None:
            root = parse_position(self._subject.game.name, solution.equilibrium.root)
            listed = takewhile(lambda _: self._is_wanted, solution.equilibrium.policies)
            answer.equilibrium.CopyFrom(
                _equilibrium_message(
                    root, solution.equilibrium, listed, self._settings.max_message_bytes
                )
            )
        return answer

    def _report(self, solution: Solution) -> pb.SolveReport:
        assert self._allowance is not None
        assert self._solver is not None
        return pb.SolveReport(
            stamp=types_pb2.EngineStamp(
                engine=solution.method.value,
                engine_version=__version__,
                rules_version=self._subject.game.rules_version,
                config_hash=self._solver.config_hash,
            ),
            limits=limits_message(self._allowance.limits),
            stop_reason=self._allowance.stop_reason(solution.stop_reason),
            elapsed=duration_message(solution.seconds),
            nodes=solution.nodes,
            depth=solution.depth,
            memory_bytes=solution.memory_bytes,
        )

    def _check_solver(self) -> None:
        """Check the combination of arguments without solving."""
        try:
            self._make(Limits())
        except StateError as error:
            error.field = self.field
            raise

    def _make(self, limits: Limits) -> Solver:
        request = self._request
        return Solver(
            self._subject,
            limits,
            method=METHODS[request.method],
            depth=request.depth if request.HasField("depth") else None,
            target=request.target if request.HasField("target") else None,
            include_policy=request.include_policy,
        )


def _check_method(method: pb.SolveMethod) -> None:
    if method not in METHODS:
        raise InputError(
            f"there is no solve method {method}; methods are {min(METHODS)} to {max(METHODS)}",
            value=str(method),
        )


def _read_subject(request: pb.SolveRequest) -> Position | Observation:
    subject = request.WhichOneof("subject")
    if subject is None:
        raise InputError("the subject is missing; give an observation or a position")
    if subject == "position":
        return read_position(request.position)
    return read_observation(request.observation)


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
