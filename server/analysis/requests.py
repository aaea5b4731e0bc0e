"""The common parts of analysis requests: subject, seat, budget, engine and client."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import grpc

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.position import Observation
from kingmaker.search.run import MAX_SEED, check_engine
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1.bot_service_pb2 import AskBotRequest

from ..convert import read_observation, read_position
from ..errors import Problems
from ..game_service import draw_seed
from ..identity import CALLER, NOBODY
from ..limits import MAX_OPTIONS, check_count
from ..pool.lines import Claim
from ..settings import ServerSettings
from .allowances import Allowance
from .budgets import allow, patience, read_seconds, read_wish
from .jobs import SearchJob

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
AnyJob = TypeVar("AnyJob", bound=SearchJob[Any])

DEFAULT_REPORT_SECONDS = 0.1
MAX_REPORT_SECONDS = 3600.0


class CheckedSearch:
    """A checked request for a search.

    Args:
        request: the field `search` of any of the calls that search.
        context: of the call.
        settings: of the server.
        problems: errors in the fields that only this call has.
        is_own_decision: whether the observer must be the one to decide.
        is_stream: whether it is a streamed analysis.

    Raises:
        RequestError: fields are wrong; lists all of them.
    """

    def __init__(
        self,
        request: pb.Search,
        context: Context,
        settings: ServerSettings,
        problems: Problems,
        *,
        is_own_decision: bool,
        is_stream: bool = False,
    ) -> None:
        fields = problems.below("search")
        observation = read_subject(request, fields)
        if observation is not None:
            subject = request.WhichOneof("subject") or ""
            if is_own_decision and subject == "position" and observation.seat:
                with fields.at("seat"):
                    _check_seat(observation)
            else:
                with fields.at(subject):
                    _check_node(observation, is_own_decision=is_own_decision)
        self._wish = read_wish(request.budget, fields)
        self.seed = read_seed(request, fields)
        self.threads = _read_threads(request, settings, fields)
        self._engine = request.engine
        self._options = _read_options(request, fields)
        has_choice = bool(self._engine or self._options)
        if has_choice and observation is not None and not observation.is_terminal:
            with fields.at(""):
                check_engine(observation.game, self._engine, self._options)
        problems.check()
        assert observation is not None
        self.observation = observation
        self._settings = settings
        self._context = context
        self._is_stream = is_stream
        self._without_deadline = self._allow(None)

    def claim(self) -> Claim:
        """Say what the call asks of the slots."""
        budget = self._without_deadline.budget
        assert budget.milliseconds is not None
        seconds = budget.milliseconds / 1000
        return Claim(
            client_of(self._context),
            self.threads,
            is_bulk=self._is_stream,
            seconds=seconds,
            patience=patience(seconds, self._settings, self._context.time_remaining()),
            memory_bytes=budget.memory_bytes,
        )

    def job(self, kind: type[AnyJob], **more: Any) -> AnyJob:
        """Say what to search; the deadline counts from now.

        Args:
            kind: of the call.
            more: arguments that only this kind has.

        Raises:
            DeadlineError: the caller's deadline has passed.
        """
        remaining = self._context.time_remaining()
        return kind(
            self.observation,
            self._without_deadline if remaining is None else self._allow(remaining),
            self._engine,
            self.seed,
            self.threads,
            self._options,
            **more,
        )

    def _allow(self, remaining_seconds: float | None) -> Allowance:
        return allow(self._wish, self._settings, remaining_seconds, is_stream=self._is_stream)


def client_of(context: Context) -> str:
    """Return the owner of quotas and shares: the caller's name, or else the address."""
    caller = CALLER.get()
    return str(context.peer()).rpartition(":")[0] if caller is NOBODY else caller.client


def read_subject(
    request: pb.Search | pb.SampleWorldsRequest, problems: Problems
) -> Observation | None:
    """Read the observation; a full state is reduced to it here.

    Returns:
        None if it is wrong, which is recorded.
    """
    subject = request.WhichOneof("subject")
    if subject == "position":
        position = None
        with problems.at("position"):
            position = read_position(request.position)
        if position is not None:
            with problems.at("seat"):
                if request.seat == 0:
                    raise InputError(
                        f"seat is missing; with a position give 1 to {position.num_seats}",
                        value="0",
                    )
                return position.observe(request.seat)
        return None
    observation = None
    with problems.at("observation"):
        if subject is None:
            raise InputError("the observation is missing; give one, or a position and a seat")
        observation = read_observation(request.observation)
    if observation is not None and request.seat not in (0, observation.observer):
        with problems.at("seat"):
            raise InputError(
                f"seat is {request.seat}, but the observation is what "
                f"{'a spectator' if observation.observer == 0 else f'p{observation.observer}'} "
                "sees; leave seat out",
                value=str(request.seat),
            )
    return observation


def read_seed(
    request: pb.Search | pb.SampleWorldsRequest | AskBotRequest, problems: Problems
) -> int:
    """Read the seed, or draw one."""
    if not request.HasField("seed"):
        return draw_seed()
    seed = request.seed
    if seed > MAX_SEED:
        with problems.at("seed"):
            raise InputError(f"seed is {seed}; it must be 0 to {MAX_SEED}", value=str(seed))
    return seed


def _check_seat(observation: Observation) -> None:
    """Check that no other seat decides than the one that was sent with a position.

    Raises:
        StateError: another one does; the position is fine.
    """
    if observation.seat != observation.observer:
        raise StateError(
            f"seat is {observation.observer}, but p{observation.seat} is to move; "
            f"give seat {observation.seat}",
            value=str(observation.observer),
        )


def _check_node(observation: Observation, *, is_own_decision: bool) -> None:
    """Check that there is something to search.

    Raises:
        StateError: the game is over, or the observer isn't to decide but should be.
    """
    if observation.is_terminal:
        raise StateError("the game is over: there is nothing to search")
    if is_own_decision:
        try:
            observation.check_own_decision()
        except StateError as error:
            error.field = ""  # the caller may have sent a position
            raise


def _read_threads(request: pb.Search, settings: ServerSettings, problems: Problems) -> int:
    threads = request.threads
    if threads < 0:
        with problems.at("threads"):
            raise InputError(f"threads is {threads}; it must not be negative", value=str(threads))
    return max(1, min(threads, settings.max_threads, settings.slots))


def _read_options(request: pb.Search, problems: Problems) -> dict[str, str]:
    options = request.engine_options
    if len(options) > MAX_OPTIONS:
        with problems.at("engine_options"):
            check_count(options, MAX_OPTIONS, "options")
        return {}
    return dict(options) if options else {}


def read_interval(
    request: pb.AnalyzeRequest | pb.SolveRequest, settings: ServerSettings, problems: Problems
) -> float:
    """Read the seconds between the messages of a stream."""
    interval = DEFAULT_REPORT_SECONDS
    if request.HasField("report_interval"):
        with problems.at("report_interval"):
            interval = read_seconds(request.report_interval, "report_interval", MAX_REPORT_SECONDS)
    return max(interval, settings.min_report_seconds)
