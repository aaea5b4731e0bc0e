"""The common parts of analysis requests: subject, seat, budget, engine and client."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import grpc

from kingmaker import __version__
from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.position import Observation
from kingmaker.search.run import MAX_SEED, Search
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2 import AskBotRequest

from ..convert import BOUNDS, duration_message, read_observation, read_position
from ..errors import Problems
from ..game_service import draw_seed
from ..identity import CALLER, NOBODY
from ..limits import MAX_OPTIONS, check_count
from ..settings import ServerSettings
from .budgets import Allowance, allow, budget_message, read_seconds, read_wish

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
AnySearch = TypeVar("AnySearch", bound=Search)

DEFAULT_REPORT_SECONDS = 0.1
MAX_REPORT_SECONDS = 3600.0

# For checking the options of an engine without a search.
SMALLEST_BUDGET = Budget(simulations=1, memory_bytes=1 << 20)


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
        self._options: dict[str, str] = {}
        with fields.at("engine_options"):
            check_count(request.engine_options, MAX_OPTIONS, "options")
            self._options = dict(request.engine_options)
        has_choice = bool(self._engine or self._options)
        if has_choice and observation is not None and not observation.is_terminal:
            with fields.at(""):
                Search(observation, SMALLEST_BUDGET, engine=self._engine, options=self._options)
        problems.check()
        assert observation is not None
        self.observation = observation
        self.client = client_of(context)
        self._settings = settings
        self._context = context
        self._is_stream = is_stream
        self._allowance: Allowance | None = None
        self._search: Search | None = None

    def search(self, kind: type[AnySearch], **more: Any) -> AnySearch:
        """Create the search; its time counts from now.

        Args:
            kind: `Search` or a class made from it.
            more: arguments that only this kind has.

        Raises:
            DeadlineError: the caller's deadline has passed.
        """
        self._allowance = allow(
            self._wish,
            self._settings,
            self._context.time_remaining(),
            is_stream=self._is_stream,
        )
        search = kind(
            self.observation,
            self._allowance.budget,
            engine=self._engine,
            seed=self.seed,
            threads=self.threads,
            options=self._options,
            **more,
        )
        self._search = search
        return search

    def report(self, analysis: Analysis) -> types_pb2.SearchReport:
        """Write the report of the search that was created last."""
        search = self._search
        assert self._allowance is not None
        assert search is not None
        return types_pb2.SearchReport(
            stamp=types_pb2.EngineStamp(
                engine=analysis.engine,
                engine_version=__version__,
                rules_version=self.observation.game.rules_version,
                config_hash=search.config_hash,
                seed=analysis.seed,
            ),
            budget=budget_message(search.budget),
            stop_reason=self._allowance.stop_reason(analysis.stop_reason),
            elapsed=duration_message(analysis.seconds),
            simulations=analysis.simulations,
            nodes=analysis.num_nodes,
            depth=analysis.depth,
            memory_bytes=analysis.memory_bytes,
            bound=BOUNDS[analysis.bound],
            fusion_risk=analysis.fusion_risk,
        )


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
    with problems.at("seed"):
        if request.seed > MAX_SEED:
            raise InputError(
                f"seed is {request.seed}; it must be 0 to {MAX_SEED}", value=str(request.seed)
            )
    return request.seed


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
    with problems.at("threads"):
        if request.threads < 0:
            raise InputError(
                f"threads is {request.threads}; it must not be negative",
                value=str(request.threads),
            )
    return max(1, min(request.threads, settings.max_threads, settings.slots))


def read_interval(
    request: pb.AnalyzeRequest | pb.SolveRequest, settings: ServerSettings, problems: Problems
) -> float:
    """Read the seconds between the messages of a stream."""
    interval = DEFAULT_REPORT_SECONDS
    if request.HasField("report_interval"):
        with problems.at("report_interval"):
            interval = read_seconds(request.report_interval, "report_interval", MAX_REPORT_SECONDS)
    return max(interval, settings.min_report_seconds)
