"""The common parts of analysis requests: subject, seat, budget, engine and client."""

from __future__ import annotations

from typing import Any, NamedTuple

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search.draws import MAX_SEED
from kingmaker.search.position import Observation
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1.bot_service_pb2 import AskBotRequest

from ..convert import read_observation, read_position
from ..deadlines import Deadline
from ..errors import Problems
from ..game_service import draw_seed
from ..identity import CALLER, NOBODY, Context
from ..pool.lines import Claim
from ..settings import ServerSettings
from .budgets import read_seconds
from .jobs import SearchJob
from .terms import Terms, TermsReader

SUBJECT_FIELDS = ("observation", "position", "seat", "seed")
"""Of a search: those that say what is searched, and how random choices come out."""
DEFAULT_REPORT_SECONDS = 0.1
MAX_REPORT_SECONDS = 3600.0


class CheckedSearch(NamedTuple):
    """A checked request for a search.

    Attributes:
        job_type: what is asked of the search.
        observation: of the searching seat.
        seed: of the search.
        terms: budget, engine and threads.
        context: of the call.
        deadline: of the caller.
    """

    job_type: type[SearchJob[Any]]
    observation: Observation
    seed: int
    terms: Terms
    context: Context
    deadline: Deadline

    def claim(self) -> Claim:
        """Say what the call asks of the slots."""
        return self.terms.claim(client_of(self.context), self.deadline.remaining())

    def job(self, **more: Any) -> Any:
        """Say what to search; the deadline counts from now.

        Args:
            more: arguments that only this type of job has.

        Raises:
            DeadlineError: the caller's deadline has passed.
        """
        terms = self.terms
        return self.job_type(
            self.observation,
            terms.allowance(self.deadline.remaining()),
            terms.engine,
            self.seed,
            terms.threads,
            terms.options,
            terms.kind,
            **more,
        )


class SearchReader:
    """Reads the field `search` of the calls that search.

    Args:
        settings: of the server.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._terms = TermsReader(settings)

    def read(
        self,
        job_type: type[SearchJob[Any]],
        request: pb.Search,
        context: Context,
        problems: Problems,
        level: int | None = None,
    ) -> CheckedSearch:
        """Check a request, which is changed: what is read of it is taken out.

        Args:
            job_type: what is asked of the search.
            request: the field.
            context: of the call.
            problems: errors in the fields that only this call has.
            level: playing strength; None: the search is not for a move.

        Raises:
            RequestError: fields are wrong; lists all of them.
        """
        fields = problems.below("search")
        observation = read_subject(request, fields)
        game = None
        if observation is not None:
            game = observation.game
            try:
                _check_node(observation, job_type)
            except StateError as error:
                _explain(error, request, observation, fields)
        seed = read_seed(request, fields)
        for field in SUBJECT_FIELDS:
            request.ClearField(field)
        terms = self._terms.read(job_type, request, game, level, fields)
        problems.check()
        assert observation is not None
        assert terms is not None
        return CheckedSearch(job_type, observation, seed, terms, context, Deadline(context))


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
    try:
        if subject is None:
            raise InputError("the observation is missing; give one, or a position and a seat")
        observation = read_observation(request.observation)
    except InputError as error:
        problems.add("observation", error)
        return None
    if request.seat and request.seat != observation.observer:
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


def _check_node(observation: Observation, job_type: type[SearchJob[Any]]) -> None:
    """Check that there is something to search.

    Raises:
        StateError: the game is over, or the observer isn't to decide but should be.
    """
    if observation.is_terminal:
        raise StateError("the game is over: there is nothing to search")
    if job_type.is_for_mover:
        observation.check_own_decision()


def _explain(
    error: StateError, request: pb.Search, observation: Observation, problems: Problems
) -> None:
    """Record that there is nothing to search, as a problem of the field that is wrong."""
    subject = request.WhichOneof("subject") or ""
    if subject == "position" and observation.seat:  # the position is fine
        subject = "seat"
        error = StateError(
            f"seat is {observation.observer}, but p{observation.seat} is to move; "
            f"give seat {observation.seat}",
            value=str(observation.observer),
        )
    error.field = ""
    problems.add(subject, error)


def read_interval(
    request: pb.AnalyzeRequest | pb.SolveRequest, settings: ServerSettings, problems: Problems
) -> float:
    """Read the seconds between the messages of a stream."""
    interval = DEFAULT_REPORT_SECONDS
    if request.HasField("report_interval"):
        with problems.at("report_interval"):
            interval = read_seconds(request.report_interval, "report_interval", MAX_REPORT_SECONDS)
    return max(interval, settings.min_report_seconds)
