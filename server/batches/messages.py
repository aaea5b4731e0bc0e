"""Conversion between the messages of BatchService and tasks."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from kingmaker.batch.store import BatchState, Outcome, Status
from kingmaker.batch.tasks import (
    AnalysisTask,
    AnyTask,
    ReviewTask,
    analysis_task,
    read_analysis,
    read_review,
    review_task,
)
from kingmaker.cext.errors import InputError
from kingmaker.search.engine_options import config_hash
from kingmaker.search.position import parse_observation
from kingmaker.v1 import analysis_service_pb2 as analysis_pb
from kingmaker.v1 import batch_service_pb2 as pb
from kingmaker.v1 import review_service_pb2 as review_pb
from kingmaker.v1 import types_pb2

from ..analysis.allowances import STOP_REASONS, budget_message
from ..analysis.budgets import read_wish
from ..analysis.requests import read_subject
from ..convert import BOUNDS, move_analysis_message
from ..errors import Problems
from ..limits import MAX_OPTIONS, check_count
from ..reviews.job import EFFORTS, read_game, review_message
from ..settings import ServerSettings

STATES: dict[BatchState, pb.BatchState] = {
    BatchState.RUNNING: pb.BATCH_STATE_RUNNING,
    BatchState.FINISHED: pb.BATCH_STATE_FINISHED,
    BatchState.CANCELLED: pb.BATCH_STATE_CANCELLED,
}


def read_task(
    message: pb.BatchTask, settings: ServerSettings, problems: Problems
) -> AnyTask | None:
    """Read a task.

    Returns:
        None if it is wrong, which is recorded.
    """
    match message.WhichOneof("task"):
        case "analysis":
            return _read_analysis(message.analysis, settings, problems.below("analysis"))
        case "review":
            return _read_review(message.review, problems.below("review"))
    with problems.at(""):
        raise InputError("the task is missing; give an analysis or a review")
    return None


def _read_analysis(
    message: analysis_pb.Search, settings: ServerSettings, problems: Problems
) -> AnalysisTask | None:
    observation = read_subject(message, problems)
    wish = read_wish(message.budget, problems)
    with problems.at("budget"):
        _check_budget(message.budget, settings)
    with problems.at("threads"):
        if message.threads:
            raise InputError("a task has one thread; leave threads out", value=str(message.threads))
    with problems.at("engine_options"):
        check_count(message.engine_options, MAX_OPTIONS, "options")
    if observation is None or wish.simulations is None:
        return None
    memory_bytes = wish.memory_bytes or settings.default_memory_bytes
    with problems.at(""):
        return analysis_task(
            observation,
            simulations=wish.simulations,
            memory_bytes=min(memory_bytes, settings.bulk_memory_bytes),
            engine=message.engine,
            options=dict(message.engine_options),
            seed=message.seed,
        )
    return None


def _check_budget(message: types_pb2.SearchBudget, settings: ServerSettings) -> None:
    if message.HasField("time"):
        raise InputError("a task must not depend on time; leave it out", field="time")
    if not message.HasField("simulations"):
        raise InputError("simulations is missing; give a number", field="simulations")
    if message.simulations > settings.max_batch_simulations:
        raise InputError(
            f"simulations is {message.simulations}; it may be at most "
            f"{settings.max_batch_simulations} here",
            field="simulations",
            value=str(message.simulations),
        )


def _read_review(message: review_pb.ReviewGameRequest, problems: Problems) -> ReviewTask | None:
    with problems.at("report_interval"):
        if message.HasField("report_interval"):
            raise InputError("a task reports nothing; leave report_interval out")
    with problems.at("effort"):
        if message.effort not in EFFORTS:
            raise InputError(f"there is no effort {message.effort}", value=str(message.effort))
    game = None
    with problems.at(message.WhichOneof("subject") or ""):
        game = read_game(message)
    if game is not None and message.effort in EFFORTS:
        with problems.at(""):
            return review_task(
                game, effort=EFFORTS[message.effort], engine=message.engine, seed=message.seed
            )
    return None


def status_message(status: Status) -> pb.BatchStatus:
    """Write the status of a batch."""
    batch = status.batch
    created = Timestamp()
    created.FromMilliseconds(round(batch.created * 1000))
    return pb.BatchStatus(
        batch=batch.id,
        name=batch.name,
        state=STATES[batch.state],
        num_tasks=batch.num_tasks,
        num_done=status.num_done,
        num_failed=status.num_failed,
        created_at=created,
    )


def result_message(outcome: Outcome) -> pb.BatchResult:
    """Write what has become of a task."""
    message = pb.BatchResult(number=outcome.number, task_id=outcome.task.id)
    if not outcome.text:
        message.error = outcome.error
    elif isinstance(outcome.task, AnalysisTask):
        message.analysis.CopyFrom(_analysis_message(outcome.task, outcome.text))
    else:
        message.review.CopyFrom(review_message(read_review(outcome.text)))
    return message


def _analysis_message(task: AnalysisTask, text: str) -> analysis_pb.AnalyzeResponse:
    found = read_analysis(text)
    observation = parse_observation(task.game, task.observation)
    return analysis_pb.AnalyzeResponse(
        is_final=True,
        moves=[
            move_analysis_message(observation, move, probability)
            for move, probability in zip(found.moves, found.policy, strict=True)
        ],
        values=found.values,
        is_exact=found.is_exact,
        report=types_pb2.SearchReport(
            stamp=types_pb2.EngineStamp(
                engine=found.engine,
                engine_version=task.version,
                rules_version=task.rules_version,
                config_hash=config_hash(task.engine, task.engine_options, 1),
                seed=found.seed,
            ),
            budget=budget_message(task.budget),
            stop_reason=STOP_REASONS[found.stop_reason],
            simulations=found.simulations,
            nodes=found.num_nodes,
            depth=found.depth,
            memory_bytes=found.memory_bytes,
            bound=BOUNDS[found.bound],
            fusion_risk=found.fusion_risk,
        ),
    )
