"""Requests of Solve."""

from __future__ import annotations

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.position import Observation, Position
from kingmaker.v1 import analysis_service_pb2 as pb

from ..convert import read_observation, read_position
from ..deadlines import Deadline
from ..errors import Problems
from ..identity import Context
from ..pool.lines import Claim
from ..settings import ServerSettings
from .allowances import SolveAllowance
from .budgets import SolveWish, allow_solve, patience, read_solve_wish
from .requests import client_of
from .solve_job import METHODS, SolveJob


class CheckedSolve:
    """A checked request to solve.

    Args:
        request: of the call.
        context: of the call.
        settings: of the server.
        problems: errors in the fields that were read before.

    Attributes:
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
        self.field = request.WhichOneof("subject") or "observation"
        self._request = request
        self._context = context
        self._deadline = Deadline(context)
        self._settings = settings
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

    def claim(self) -> Claim:
        """Say what the call asks of the slots."""
        limits = allow_solve(self._wish, self._settings, None).limits
        assert limits.milliseconds is not None
        seconds = limits.milliseconds / 1000
        return Claim(
            client_of(self._context),
            is_bulk=True,
            seconds=seconds,
            patience=patience(seconds, self._settings, self._deadline.remaining()),
            memory_bytes=limits.memory_bytes,
        )

    def job(self) -> SolveJob:
        """Say what to solve; the deadline counts from now.

        Raises:
            DeadlineError: the caller's deadline has passed.
        """
        return self._job(allow_solve(self._wish, self._settings, self._deadline.remaining()))

    def _check_solver(self) -> None:
        """Check the combination of arguments without solving."""
        try:
            self._job(allow_solve(SolveWish(), self._settings, None)).begin()
        except StateError as error:
            error.field = self.field
            raise

    def _job(self, allowance: SolveAllowance) -> SolveJob:
        request = self._request
        return SolveJob(
            self._subject,
            allowance,
            METHODS[request.method],
            request.depth if request.HasField("depth") else None,
            request.target if request.HasField("target") else None,
            include_policy=request.include_policy,
            max_bytes=self._settings.max_message_bytes,
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
