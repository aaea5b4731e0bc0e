"""What the calls of AnalysisService ask of a search, and how they answer from it.

A job is plain data, as it may be carried out in another process; its answer is the message of the
call.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from kingmaker import __version__
from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.hints import Hint, explain
from kingmaker.search.levels import LevelSearch
from kingmaker.search.position import Observation, Position
from kingmaker.search.run import Search
from kingmaker.search.worlds import sample_worlds, weigh_worlds
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from ..convert import (
    BOUNDS,
    duration_message,
    move_analysis_message,
    move_message,
    position_message,
    reply_message,
    write_duration,
)
from ..pool.pace import Kind
from ..pool.slices import Effort
from .allowances import Allowance

Answer = TypeVar("Answer")


@dataclass(slots=True)  # not frozen: that takes several times as long
class SearchJob(ABC, Generic[Answer]):
    """A search; a call has a class of its own.

    Class attributes:
        is_for_mover: whether the observer must be the one to decide.
        is_stream: whether it is a streamed analysis.
        may_be_short: whether the time of an answer can be told from engine and simulations.

    Attributes:
        observation: of the searching seat.
        allowance: the effective budget.
        engine: its name; empty: the default of the game.
        seed: of the search.
        threads: of the search.
        options: of the engine.
        kind: what jobs that take about as long have in common; None: it is not short.
    """

    is_for_mover: ClassVar[bool] = False
    is_stream: ClassVar[bool] = False
    may_be_short: ClassVar[bool] = True

    observation: Observation
    allowance: Allowance
    engine: str
    seed: int
    threads: int
    options: Mapping[str, str]
    kind: Kind | None

    @property
    def budget(self) -> Budget:
        """Limits of the search."""
        return self.allowance.budget

    @property
    def game_name(self) -> str:
        """Name of the game."""
        return self.observation.game.name

    def begin(self) -> Search:
        """Create the search; its time counts from its first step."""
        return self._search(Search)

    @abstractmethod
    def answer(self, search: Any, found: Analysis) -> Answer:
        """Write the answer."""

    def effort(self, found: Analysis) -> Effort:
        """Return what the search has spent."""
        return Effort(found.engine, found.simulations, found.num_nodes, found.depth, found.seconds)

    def _search(self, kind: type[Search], **more: Any) -> Search:
        return kind(
            self.observation,
            self.allowance.budget,
            engine=self.engine,
            seed=self.seed,
            threads=self.threads,
            options=self.options,
            **more,
        )

    def _write_report(
        self, report: types_pb2.SearchReport, search: Search, found: Analysis
    ) -> None:
        """Write how the search went into an answer."""
        plan, budget = search.plan, search.budget
        # A deadline leaves another time to each search; the others have one of few budgets.
        is_fixed = self.allowance.time_reason != types_pb2.STOP_REASON_DEADLINE
        report.MergeFromString(
            _fixed_report(
                plan.engine.name,
                self.observation.game.rules_version,
                plan.config_hash,
                budget.milliseconds if is_fixed else None,
                budget.simulations,
                budget.memory_bytes,
            )
        )
        if not is_fixed and budget.milliseconds is not None:
            write_duration(report.budget.time, budget.milliseconds / 1000)
        report.stamp.seed = found.seed
        report.stop_reason = self.allowance.stop_reason(found.stop_reason)
        write_duration(report.elapsed, found.seconds)
        report.simulations = found.simulations
        report.nodes = found.num_nodes
        report.depth = found.depth
        report.memory_bytes = found.memory_bytes
        report.bound = BOUNDS[found.bound]
        report.fusion_risk = found.fusion_risk
        report.hostility = found.hostility


@lru_cache(maxsize=256)
def _fixed_report(
    engine: str,
    rules_version: str,
    config_hash: str,
    milliseconds: float | None,
    simulations: int | None,
    memory_bytes: int,
) -> bytes:
    """Write the part of a report that is the same in many, as bytes, which are merged faster."""
    time = None if milliseconds is None else duration_message(milliseconds / 1000)
    data: bytes = types_pb2.SearchReport(
        stamp=types_pb2.EngineStamp(
            engine=engine,
            engine_version=__version__,
            rules_version=rules_version,
            config_hash=config_hash,
        ),
        budget=types_pb2.SearchBudget(
            time=time, simulations=simulations, memory_bytes=memory_bytes
        ),
    ).SerializeToString()
    return data


@dataclass(slots=True)
class MoveJob(SearchJob[pb.SelectMoveResponse]):
    """Choose a move.

    Attributes:
        level: playing strength.
    """

    is_for_mover: ClassVar[bool] = True

    level: int

    def begin(self) -> Search:
        """Create the search."""
        return LevelSearch(  # as `_search` does, but faster, as most calls are for a move
            self.observation,
            self.allowance.budget,
            level=self.level,
            engine=self.engine,
            seed=self.seed,
            threads=self.threads,
            options=self.options,
        )

    def answer(self, search: LevelSearch, found: Analysis) -> pb.SelectMoveResponse:
        """Write the move of the level."""
        token = search.choose(found)
        chosen = found.moves[0]
        if chosen.move != token:
            chosen = next(move for move in found.moves if move.move == token)
        answer = pb.SelectMoveResponse(
            move=move_message(self.observation.game, token),
            description=self.observation.describe(token),
            values=chosen.values if chosen.is_examined else (),
            level=self.level,
        )
        self._write_report(answer.report, search, found)
        return answer


@dataclass(slots=True)
class HintsJob(SearchJob[pb.SuggestMovesResponse]):
    """Rank and explain the best moves.

    Attributes:
        top: number of moves.
    """

    is_for_mover: ClassVar[bool] = True
    may_be_short: ClassVar[bool] = False  # it depends on the position how long explanations take

    top: int

    def begin(self) -> Search:
        """Create the search."""
        return self._search(Search, all_moves=True)

    def answer(self, search: Search, found: Analysis) -> pb.SuggestMovesResponse:
        """Write the hints."""
        hints = explain(self.observation, found, self.top)
        answer = pb.SuggestMovesResponse(
            suggestions=[
                self._suggestion(hint, probability)
                for hint, probability in zip(hints, found.policy, strict=False)
            ],
            values=found.values,
        )
        self._write_report(answer.report, search, found)
        return answer

    def _suggestion(self, hint: Hint, probability: float) -> pb.Suggestion:
        game = self.observation.game
        return pb.Suggestion(
            analysis=move_analysis_message(self.observation, hint.analysis, probability),
            explanation=hint.text,
            gains=hint.gains,
            likely_reply=reply_message(game, hint.reply) if hint.reply else None,
            risk=reply_message(game, hint.risk) if hint.risk else None,
        )


@dataclass(slots=True)
class AnalysisJob(SearchJob[pb.AnalyzeResponse]):
    """Analyze all moves."""

    is_stream: ClassVar[bool] = True

    def begin(self) -> Search:
        """Create the search."""
        return self._search(Search, all_moves=True)

    def answer(self, search: Search, found: Analysis) -> pb.AnalyzeResponse:
        """Write a snapshot, or the last analysis."""
        answer = pb.AnalyzeResponse(
            is_final=found.stop_reason is not None,
            moves=[
                move_analysis_message(self.observation, move, probability)
                for move, probability in zip(found.moves, found.policy, strict=True)
            ],
            values=found.values,
            is_exact=found.is_exact,
        )
        self._write_report(answer.report, search, found)
        return answer


@dataclass(slots=True)
class EvaluationJob(SearchJob[pb.EvaluatePositionResponse]):
    """Estimate the win share of each seat."""

    def begin(self) -> Search:
        """Create the search."""
        return self._search(Search, replies=False)

    def answer(self, search: Search, found: Analysis) -> pb.EvaluatePositionResponse:
        """Write the values."""
        best = None
        if found.best_move:
            best = move_message(self.observation.game, found.best_move)
        answer = pb.EvaluatePositionResponse(
            values=found.values, is_exact=found.is_exact, best_move=best
        )
        self._write_report(answer.report, search, found)
        return answer


@dataclass(frozen=True, slots=True)
class WorldsJob:
    """Draw worlds.

    Attributes:
        observation: that they fit.
        count: of them.
        seed: of the draws.
        budget: time after which something must be wrong.
    """

    observation: Observation
    count: int
    seed: int
    budget: Budget

    kind = None

    @property
    def game_name(self) -> str:
        """Name of the game."""
        return self.observation.game.name

    def begin(self) -> _Draws:
        """Prepare the draws."""
        return _Draws(self)

    def answer(
        self, search: _Draws, found: tuple[list[Position], list[float]]
    ) -> pb.SampleWorldsResponse:
        """Write the worlds."""
        worlds, weights = found
        stamp = types_pb2.EngineStamp(
            engine_version=__version__,
            rules_version=self.observation.game.rules_version,
            seed=self.seed,
        )
        return pb.SampleWorldsResponse(
            worlds=map(position_message, worlds), weights=weights, stamp=stamp
        )

    def effort(self, found: object) -> None:
        """None: it is no search."""


class _Draws:
    """Worlds, all drawn in one step, as that takes milliseconds."""

    is_finished = False

    def __init__(self, job: WorldsJob) -> None:
        self._job = job
        self._worlds: list[Position] = []
        self._weights: list[float] = []

    def step(self, milliseconds: float) -> None:
        job = self._job
        self._worlds = sample_worlds(job.observation, job.count, job.seed)
        if job.observation.record is not None:
            self._weights = weigh_worlds(job.observation, self._worlds, job.seed)
        self.is_finished = True

    def snapshot(self) -> tuple[list[Position], list[float]]:
        return self._worlds, self._weights

    def cancel(self) -> None:
        """Do nothing: it ends soon."""
