"""Reviews over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator

from kingmaker.cext.errors import InputError
from kingmaker.search.draws import MAX_SEED
from kingmaker.v1 import review_service_pb2 as pb
from kingmaker.v1 import review_service_pb2_grpc

from ..analysis.budgets import patience, read_seconds
from ..analysis.requests import MAX_REPORT_SECONDS, client_of
from ..deadlines import Deadline
from ..errors import Problems
from ..game_service import draw_seed
from ..identity import Context
from ..pool.lines import Claim
from ..pool.searches import SearchPool
from ..settings import ServerSettings
from .job import EFFORTS, ReviewJob

REPORT_SECONDS = 0.5
USUAL_SECONDS = 10.0  # of a review, for the order of calls that wait


class ReviewServicer(review_service_pb2_grpc.ReviewServiceServicer):
    """ReviewService; see review_service.proto."""

    def __init__(self, settings: ServerSettings, pool: SearchPool) -> None:
        self._settings = settings
        self._pool = pool

    async def ReviewGame(
        self, request: pb.ReviewGameRequest, context: Context
    ) -> AsyncIterator[pb.ReviewGameResponse]:
        """Review a game, and report the progress."""
        problems = Problems()
        with problems.at("effort"):
            if request.effort not in EFFORTS:
                raise InputError(f"there is no effort {request.effort}", value=str(request.effort))
        seed = _read_seed(request, problems)
        interval = _read_interval(request, self._settings, problems)
        problems.check()
        claim = Claim(
            client_of(context),
            is_bulk=True,
            seconds=USUAL_SECONDS,
            patience=patience(USUAL_SECONDS, self._settings, Deadline(context).remaining()),
        )
        job = ReviewJob(request, seed, request.moves.game)
        with problems.at(""):
            async for answer in self._pool.stream(claim, interval, lambda: job):
                yield answer
        problems.check()


def _read_seed(request: pb.ReviewGameRequest, problems: Problems) -> int:
    if not request.HasField("seed"):
        return draw_seed()
    with problems.at("seed"):
        if request.seed > MAX_SEED:
            raise InputError(
                f"seed is {request.seed}; it must be 0 to {MAX_SEED}", value=str(request.seed)
            )
    return request.seed


def _read_interval(
    request: pb.ReviewGameRequest, settings: ServerSettings, problems: Problems
) -> float:
    interval = REPORT_SECONDS
    if request.HasField("report_interval"):
        with problems.at("report_interval"):
            interval = read_seconds(request.report_interval, "report_interval", MAX_REPORT_SECONDS)
    return max(interval, settings.min_report_seconds)
