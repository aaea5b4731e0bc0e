"""Reviews over gRPC: piece by piece through the pool, so that calls for moves don't wait."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, TypeAlias

import grpc

from kingmaker import __version__
from kingmaker.cext.errors import InputError
from kingmaker.review.games import PlayedGame, played, read_games
from kingmaker.review.model import Grade, Review
from kingmaker.review.review import STANDARD, Reviewer
from kingmaker.review.words import judgement
from kingmaker.search.run import MAX_SEED
from kingmaker.v1 import review_service_pb2 as pb
from kingmaker.v1 import review_service_pb2_grpc

from ..analysis.budgets import read_seconds
from ..analysis.requests import MAX_REPORT_SECONDS, client_of
from ..errors import Problems
from ..game_service import draw_seed
from ..pool.searches import SearchPool
from ..settings import ServerSettings

REPORT_SECONDS = 0.5
EFFORTS = {
    pb.REVIEW_EFFORT_UNSPECIFIED: STANDARD,
    pb.REVIEW_EFFORT_QUICK: "quick",
    pb.REVIEW_EFFORT_STANDARD: STANDARD,
    pb.REVIEW_EFFORT_DEEP: "deep",
}
GRADES: dict[Grade, pb.MoveGrade] = {
    Grade.FORCED: pb.MOVE_GRADE_FORCED,
    Grade.BEST: pb.MOVE_GRADE_BEST,
    Grade.GOOD: pb.MOVE_GRADE_GOOD,
    Grade.INACCURACY: pb.MOVE_GRADE_INACCURACY,
    Grade.MISTAKE: pb.MOVE_GRADE_MISTAKE,
    Grade.BLUNDER: pb.MOVE_GRADE_BLUNDER,
}
MAX_PLIES = 5000  # of a game; the longest real ones have about 1,000
MAX_RECORD = 1 << 20  # characters

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


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
        client = client_of(context)
        reviewer = await self._pool.call(client, partial(_reviewer, request, seed))
        done = known = 0
        reported = time.monotonic()
        for works in reviewer.rounds():
            known += len(works)
            for work in works:
                await self._pool.call(client, work)
                done += 1
                if time.monotonic() >= reported + interval:
                    reported = time.monotonic()
                    yield pb.ReviewGameResponse(done=done, known=known)
        review = await self._pool.call(client, lambda: _message(reviewer))
        yield pb.ReviewGameResponse(done=done, known=known, review=review)


def _reviewer(request: pb.ReviewGameRequest, seed: int) -> Reviewer:
    """Read the game and the engine, which may take as long as to play it.

    Raises:
        RequestError: fields are wrong.
    """
    problems = Problems()
    game = None
    with problems.at(request.WhichOneof("subject") or ""):
        game = _read_game(request)
    problems.check()
    assert game is not None
    reviewer = None
    with problems.at(""):
        reviewer = Reviewer(game, effort=EFFORTS[request.effort], seed=seed, engine=request.engine)
    problems.check()
    assert reviewer is not None
    return reviewer


def _read_game(request: pb.ReviewGameRequest) -> PlayedGame:
    match request.WhichOneof("subject"):
        case "record":
            if len(request.record) > MAX_RECORD:
                raise InputError(f"the record is longer than {MAX_RECORD} characters")
            games = list(read_games(request.record.splitlines(keepends=True)))
            if len(games) != 1:
                raise InputError(f"the record has {len(games)} games; send one")
            return games[0]
        case "moves":
            given = request.moves
            if len(given.moves) > MAX_PLIES:
                raise InputError(f"the game has {len(given.moves)} plies; {MAX_PLIES} are allowed")
            return played(
                given.game,
                given.moves,
                given.options,
                names=given.names,
                returns=given.returns,
                seed=given.deal_seed if given.HasField("deal_seed") else None,
            )
    raise InputError("the game is missing; give moves or a record")


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


def _message(reviewer: Reviewer) -> pb.Review:
    review: Review = reviewer.review
    return pb.Review(
        game=review.game,
        names=review.names,
        engine=review.engine,
        seed=review.seed,
        result=review.result,
        start=review.start,
        luck=review.luck,
        plays=review.plays,
        unseen=review.unseen,
        unseen_error=review.unseen_error,
        adjusted=review.adjusted,
        adjusted_error=review.adjusted_error,
        losses=review.losses,
        decisions=[
            pb.DecisionReview(
                ply=each.ply,
                seat=each.seat,
                move=each.move,
                description=each.words,
                observation=each.observation,
                best_move=each.best,
                best_description=each.best_words,
                grade=GRADES[each.grade],
                before=each.before,
                after=each.after,
                loss=each.loss,
                loss_error=each.loss_error,
                open_move=each.open_best,
                open_gain=each.open_gain,
                explanation=judgement(each),
            )
            for each in review.decisions
        ],
        chances=[
            pb.ChanceReview(
                ply=each.ply,
                moves=each.tokens,
                description=each.words,
                seats=each.seats,
                luck=each.luck,
                luck_error=each.luck_error,
            )
            for each in review.chances
        ],
        shares=[pb.WinShares(values=shares) for shares in review.shares],
        engine_version=__version__,
        rules_version=reviewer.game.start.game.rules_version,
    )
