"""Moves, hints and analyses over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial

from kingmaker import __version__
from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Analysis
from kingmaker.search.hints import MAX_HINTS, Hint, explain
from kingmaker.search.levels import LEVELS, LevelSearch
from kingmaker.search.position import Observation
from kingmaker.search.run import Search
from kingmaker.search.solution import InfeasibleError
from kingmaker.search.worlds import sample_worlds
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import analysis_service_pb2_grpc, types_pb2

from ..convert import move_analysis_message, move_message, position_message, reply_message
from ..errors import Problems, RequestError
from ..pool.searches import SearchPool
from ..settings import ServerSettings
from .requests import CheckedSearch, Context, client_of, read_interval, read_seed, read_subject
from .solve import CheckedSolve

DEFAULT_TOP = 3


class AnalysisServicer(analysis_service_pb2_grpc.AnalysisServiceServicer):
    """AnalysisService: calls answered by searches; see analysis_service.proto."""

    def __init__(self, settings: ServerSettings, pool: SearchPool) -> None:
        self._settings = settings
        self._pool = pool

    async def SelectMove(
        self, request: pb.SelectMoveRequest, context: Context
    ) -> pb.SelectMoveResponse:
        """Choose a move."""
        problems = Problems()
        level = request.level if request.HasField("level") else LEVELS[-1]
        with problems.at("level"):
            if level not in LEVELS:
                raise InputError(
                    f"level is {level}; it must be {LEVELS[0]} to {LEVELS[-1]}", value=str(level)
                )
        checked = CheckedSearch(
            request.search, context, self._settings, problems, is_own_decision=True
        )

        def answer(search: LevelSearch, analysis: Analysis) -> pb.SelectMoveResponse:
            token = search.choose(analysis)
            chosen = next(move for move in analysis.moves if move.move == token)
            return pb.SelectMoveResponse(
                move=move_message(checked.observation.game, token),
                description=checked.observation.describe(token),
                values=chosen.values if chosen.is_examined else (),
                level=level,
                report=checked.report(analysis),
            )

        make = partial(checked.search, LevelSearch, level=level)
        return await self._pool.run(checked.client, checked.threads, make, answer)

    async def SuggestMoves(
        self, request: pb.SuggestMovesRequest, context: Context
    ) -> pb.SuggestMovesResponse:
        """Rank and explain the best moves."""
        problems = Problems()
        top = request.top or DEFAULT_TOP
        with problems.at("top"):
            if not 1 <= top <= MAX_HINTS:
                raise InputError(
                    f"top is {top}; it must be 1 to {MAX_HINTS}, or 0 for {DEFAULT_TOP}",
                    value=str(top),
                )
        checked = CheckedSearch(
            request.search, context, self._settings, problems, is_own_decision=True
        )

        def answer(_: Search, analysis: Analysis) -> pb.SuggestMovesResponse:
            hints = explain(checked.observation, analysis, top)
            return pb.SuggestMovesResponse(
                suggestions=[
                    _suggestion(checked.observation, hint, probability)
                    for hint, probability in zip(hints, analysis.policy, strict=False)
                ],
                values=analysis.values,
                report=checked.report(analysis),
            )

        make = partial(checked.search, Search, all_moves=True)
        return await self._pool.run(checked.client, checked.threads, make, answer, is_light=False)

    async def Analyze(
        self, request: pb.AnalyzeRequest, context: Context
    ) -> AsyncIterator[pb.AnalyzeResponse]:
        """Search, and stream snapshots."""
        problems = Problems()
        interval = read_interval(request, self._settings, problems)
        checked = CheckedSearch(
            request.search, context, self._settings, problems, is_own_decision=False, is_stream=True
        )
        make = partial(checked.search, Search, all_moves=True)
        analyses = self._pool.stream(checked.client, checked.threads, interval, make)
        async with aclosing(analyses):
            async for _, analysis in analyses:
                yield pb.AnalyzeResponse(
                    is_final=analysis.stop_reason is not None,
                    moves=[
                        move_analysis_message(checked.observation, move, probability)
                        for move, probability in zip(analysis.moves, analysis.policy, strict=True)
                    ],
                    values=analysis.values,
                    is_exact=analysis.is_exact,
                    report=checked.report(analysis),
                )

    async def Solve(
        self, request: pb.SolveRequest, context: Context
    ) -> AsyncIterator[pb.SolveResponse]:
        """Solve, and stream reports."""
        problems = Problems()
        interval = read_interval(request, self._settings, problems)
        checked = CheckedSolve(request, context, self._settings, problems)
        solutions = self._pool.stream(checked.client, 1, interval, checked.solver)
        async with aclosing(solutions):
            try:
                async for _, solution in solutions:
                    yield await checked.answer(solution)
            except InfeasibleError as error:
                error.field = checked.field
                raise RequestError([error]) from None

    async def EvaluatePosition(
        self, request: pb.EvaluatePositionRequest, context: Context
    ) -> pb.EvaluatePositionResponse:
        """Estimate the win share of each seat."""
        checked = CheckedSearch(
            request.search, context, self._settings, Problems(), is_own_decision=False
        )

        def answer(_: Search, analysis: Analysis) -> pb.EvaluatePositionResponse:
            best = None
            if analysis.best_move:
                best = move_message(checked.observation.game, analysis.best_move)
            return pb.EvaluatePositionResponse(
                values=analysis.values,
                is_exact=analysis.is_exact,
                best_move=best,
                report=checked.report(analysis),
            )

        make = partial(checked.search, Search, replies=False)
        return await self._pool.run(checked.client, checked.threads, make, answer)

    async def SampleWorlds(
        self, request: pb.SampleWorldsRequest, context: Context
    ) -> pb.SampleWorldsResponse:
        """Draw worlds that fit an observation."""
        problems = Problems()
        observation = read_subject(request, problems)
        with problems.at("count"):
            if request.count < 0:
                raise InputError(
                    f"count is {request.count}; it must not be negative", value=str(request.count)
                )
        seed = read_seed(request, problems)
        problems.check()
        assert observation is not None
        known = observation
        count = min(request.count or 1, self._settings.max_worlds)

        def sample() -> pb.SampleWorldsResponse:
            stamp = types_pb2.EngineStamp(
                engine_version=__version__, rules_version=known.game.rules_version, seed=seed
            )
            return pb.SampleWorldsResponse(
                worlds=[position_message(world) for world in sample_worlds(known, count, seed)],
                stamp=stamp,
            )

        return await self._pool.call(client_of(context), sample)


def _suggestion(observation: Observation, hint: Hint, probability: float) -> pb.Suggestion:
    game = observation.game
    return pb.Suggestion(
        analysis=move_analysis_message(observation, hint.analysis, probability),
        explanation=hint.text,
        gains=hint.gains,
        likely_reply=reply_message(game, hint.reply) if hint.reply else None,
        risk=reply_message(game, hint.risk) if hint.risk else None,
    )
