"""Moves, hints and analyses over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Budget
from kingmaker.search.hints import MAX_HINTS
from kingmaker.search.levels import LEVELS
from kingmaker.search.solution import InfeasibleError
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import analysis_service_pb2_grpc

from ..deadlines import Deadline
from ..errors import Problems, RequestError
from ..identity import Context
from ..pool.lines import Claim
from ..pool.searches import SearchPool
from ..settings import ServerSettings
from .budgets import patience
from .jobs import AnalysisJob, EvaluationJob, HintsJob, MoveJob, WorldsJob
from .requests import SearchReader, client_of, read_interval, read_seed, read_subject
from .solve import CheckedSolve

DEFAULT_TOP = 3


class AnalysisServicer(analysis_service_pb2_grpc.AnalysisServiceServicer):
    """AnalysisService: calls answered by searches; see analysis_service.proto."""

    def __init__(self, settings: ServerSettings, pool: SearchPool) -> None:
        self._settings = settings
        self._pool = pool
        self._reader = SearchReader(settings)

    async def SelectMove(
        self, request: pb.SelectMoveRequest, context: Context
    ) -> pb.SelectMoveResponse:
        """Choose a move."""
        problems = Problems()
        level = request.level if request.HasField("level") else LEVELS[-1]
        if level not in LEVELS:
            with problems.at("level"):
                raise InputError(
                    f"level is {level}; it must be {LEVELS[0]} to {LEVELS[-1]}", value=str(level)
                )
        checked = self._reader.read(MoveJob, request.search, context, problems, level)
        make = partial(checked.job, level=level)
        return await self._pool.run(checked.claim(), make)

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
        checked = self._reader.read(HintsJob, request.search, context, problems)
        make = partial(checked.job, top=top)
        return await self._pool.run(checked.claim(), make)

    async def Analyze(
        self, request: pb.AnalyzeRequest, context: Context
    ) -> AsyncIterator[pb.AnalyzeResponse]:
        """Search, and stream snapshots."""
        problems = Problems()
        interval = read_interval(request, self._settings, problems)
        checked = self._reader.read(AnalysisJob, request.search, context, problems)
        answers = self._pool.stream(checked.claim(), interval, checked.job)
        async with aclosing(answers):
            async for answer in answers:
                yield answer

    async def Solve(
        self, request: pb.SolveRequest, context: Context
    ) -> AsyncIterator[pb.SolveResponse]:
        """Solve, and stream reports."""
        problems = Problems()
        interval = read_interval(request, self._settings, problems)
        checked = CheckedSolve(request, context, self._settings, problems)
        answers = self._pool.stream(checked.claim(), interval, checked.job)
        async with aclosing(answers):
            try:
                async for answer in answers:
                    yield answer
            except InfeasibleError as error:
                error.field = checked.field
                raise RequestError([error]) from None

    async def EvaluatePosition(
        self, request: pb.EvaluatePositionRequest, context: Context
    ) -> pb.EvaluatePositionResponse:
        """Estimate the win share of each seat."""
        checked = self._reader.read(EvaluationJob, request.search, context, Problems())
        return await self._pool.run(checked.claim(), checked.job)

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
        count = min(request.count or 1, self._settings.max_worlds)
        seconds = self._settings.max_seconds
        claim = Claim(
            client_of(context),
            is_bulk=True,
            seconds=seconds,
            patience=patience(seconds, self._settings, Deadline(context).remaining()),
        )
        job = WorldsJob(observation, count, seed, Budget(seconds * 1000))
        return await self._pool.run(claim, lambda: job)
