"""Batches in a database: the jobs of servers, and what has become of their tasks.

Everything stands in the database: any server that has it can create, watch and cancel batches.
Their results are in `results`. The *runner* of a batch is the server that runs it. It holds a
lease, which it extends; when the lease ends, another server takes over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import delete, exists, func, insert, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from kingmaker.ladder.batch_records import BatchRow, BatchTaskRow, TaskResultRow
from kingmaker.ladder.database import CREATION_LOCK, one_at_a_time
from kingmaker.ladder.errors import NewerVersionError
from kingmaker.ladder.store import Store

from .tasks import AnyTask, read_task, task_text


class BatchState(StrEnum):
    """The state of a batch."""

    RUNNING = "running"
    """It waits or is run."""
    FINISHED = "finished"
    """All tasks have a result or an error."""
    CANCELLED = "cancelled"
    """It was cancelled."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch.

    Attributes:
        id: random.
        owner: name of the caller that created it; empty: anonymous.
        name: for lists; may be empty.
        created: seconds since 1970.
        state: see `BatchState`.
        num_tasks: number of its tasks.
    """

    id: str
    owner: str
    name: str
    created: float
    state: BatchState
    num_tasks: int


@dataclass(frozen=True, slots=True)
class Status:
    """How far a batch is.

    Attributes:
        batch: of which.
        num_done: tasks that have a result.
        num_failed: tasks that broke too often.
    """

    batch: Batch
    num_done: int
    num_failed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has become of a task.

    Attributes:
        number: of the task, from 1.
        task: the task.
        text: its result; empty: there is none.
        error: why there is none.
    """

    number: int
    task: AnyTask
    text: str
    error: str


class BatchStore:
    """The batches of a database; threads may share it.

    Every method raises StoreError if the database fails, and has then changed nothing.

    Args:
        store: the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(
        self, batch: Batch, tasks: Sequence[AnyTask], *, most: int, most_of_owner: int
    ) -> bool:
        """Add a batch; False: there are too many that run.

        Args:
            batch: with a new id.
            tasks: of the batch.
            most: the limit for all batches that run.
            most_of_owner: the limit for those of one owner.
        """
        running = select(func.count()).select_from(BatchRow).where(_IS_RUNNING)
        rows = [
            {
                "batch_id": batch.id,
                "number": number,
                "task_id": task.id,
                "task": task_text(task),
                "error": "",
            }
            for number, task in enumerate(tasks, 1)
        ]
        values = {name: getattr(batch, name) for name in Batch.__slots__}
        with self._store.writing() as connection:
            one_at_a_time(connection, CREATION_LOCK)
            if (connection.scalar(running) or 0) >= most:
                return False
            of_owner = running.where(BatchRow.owner == batch.owner)
            if (connection.scalar(of_owner) or 0) >= most_of_owner:
                return False
            connection.execute(insert(BatchRow), {**values, "runner": "", "runner_until": 0.0})
            connection.execute(insert(BatchTaskRow), rows)
        return True

    def find(self, batch_id: str) -> Batch | None:
        """Read a batch; None: there is none with this id."""
        if "\0" in batch_id:  # which PostgreSQL refuses in any text
            return None
        with self._store.reading() as session:
            row = session.get(BatchRow, batch_id)
            return None if row is None else _read(row)

    def latest(self, owner: str | None, limit: int) -> list[Batch]:
        """List the batches of an owner, None: of all, the newest first."""
        query = select(BatchRow).order_by(BatchRow.created.desc(), BatchRow.id).limit(limit)
        if owner is not None:
            query = query.where(BatchRow.owner == owner)
        with self._store.reading() as session:
            return list(map(_read, session.scalars(query)))

    def status(self, batch: Batch) -> Status:
        """Count what has become of the tasks of a batch."""
        of_batch = select(func.count()).where(BatchTaskRow.batch_id == batch.id)
        with self._store.reading() as session:
            done = session.scalar(of_batch.where(_HAS_RESULT)) or 0
            failed = session.scalar(of_batch.where(~_HAS_RESULT, BatchTaskRow.error != "")) or 0
        return Status(batch, done, failed)

    def outcomes(self, batch_id: str, after: int, limit: int) -> Iterator[Outcome]:
        """Read what has become of tasks, those that are not finished left out.

        Args:
            batch_id: of the batch.
            after: only tasks of a greater number.
            limit: most of them.

        Raises:
            NewerVersionError: a newer version has stored a task that this one does not know.
        """
        query = (
            select(BatchTaskRow, TaskResultRow.text)
            .outerjoin(TaskResultRow, TaskResultRow.task_id == BatchTaskRow.task_id)
            .where(BatchTaskRow.batch_id == batch_id, BatchTaskRow.number > after)
            .where(or_(TaskResultRow.task_id.is_not(None), BatchTaskRow.error != ""))
            .order_by(BatchTaskRow.number)
            .limit(limit)
        )
        with self._store.reading() as session:
            for row, text in session.execute(query):
                yield Outcome(row.number, _task(row.task), text or "", row.error)

    def pending(self, batch_id: str, limit: int) -> dict[str, AnyTask]:
        """Read tasks that are to be run, by their ids, in order.

        Raises:
            NewerVersionError: a newer version has stored a task that this one does not know.
        """
        query = (
            select(BatchTaskRow.task_id, BatchTaskRow.task)
            .where(BatchTaskRow.batch_id == batch_id, BatchTaskRow.error == "", ~_HAS_RESULT)
            .order_by(BatchTaskRow.number)
            .limit(limit)
        )
        with self._store.reading() as session:
            return {task_id: _task(task) for task_id, task in session.execute(query)}

    def fail(self, batch_id: str, task_id: str, error: str) -> None:
        """Store why a task of a batch has no result."""
        of_task = (BatchTaskRow.batch_id == batch_id, BatchTaskRow.task_id == task_id)
        with self._store.writing() as connection:
            connection.execute(update(BatchTaskRow).where(*of_task).values(error=error))

    def end(self, batch_id: str, state: BatchState) -> None:
        """Store the end of a batch; of one that has ended the state stays."""
        with self._store.writing() as connection:
            connection.execute(
                update(BatchRow)
                .where(BatchRow.id == batch_id, _IS_RUNNING)
                .values(state=state.value)
            )

    def claim(
        self, runner: str, now: float, until: float, limit: int, but: Collection[str] = ()
    ) -> list[Batch]:
        """Become or stay the runner of batches that have no other one, the oldest first.

        Args:
            runner: name of this server.
            now: seconds since 1970.
            until: how long it is then the runner.
            limit: most batches.
            but: batches that are left to other runners.
        """
        is_free = or_(BatchRow.runner == runner, BatchRow.runner_until < now)
        free = is_free & BatchRow.id.not_in(but)
        query = select(BatchRow).where(_IS_RUNNING, free).order_by(BatchRow.created).limit(limit)
        with self._store.reading() as session:
            found = list(map(_read, session.scalars(query)))
        if not found:
            return []
        ids = [batch.id for batch in found]
        mine = update(BatchRow).where(BatchRow.id.in_(ids), _IS_RUNNING, free)
        with self._store.writing() as connection:
            taken = connection.scalars(
                mine.values(runner=runner, runner_until=until).returning(BatchRow.id)
            ).all()
        return [batch for batch in found if batch.id in taken]

    def release(self, runner: str, batch_id: str = "") -> None:
        """Let others run one's batches at once, or only one of them."""
        mine = update(BatchRow).where(BatchRow.runner == runner)
        if batch_id:
            mine = mine.where(BatchRow.id == batch_id)
        with self._store.writing() as connection:
            connection.execute(mine.values(runner="", runner_until=0.0))

    def delete(self, before: float) -> None:
        """Delete batches from before a time, and the results that only these had."""
        old = select(BatchRow.id).where(BatchRow.created < before)
        is_wanted = exists().where(BatchTaskRow.task_id == TaskResultRow.task_id)
        with self._store.writing() as connection:
            connection.execute(delete(BatchTaskRow).where(BatchTaskRow.batch_id.in_(old)))
            connection.execute(delete(BatchRow).where(BatchRow.created < before))
            connection.execute(
                delete(TaskResultRow).where(TaskResultRow.created < before, ~is_wanted)
            )


_IS_RUNNING = BatchRow.state == BatchState.RUNNING.value
_HAS_RESULT: ColumnElement[bool] = exists().where(TaskResultRow.task_id == BatchTaskRow.task_id)


def _task(text: str) -> AnyTask:
    try:
        return read_task(text)
    except ValueError as error:
        raise NewerVersionError(
            "the batch has tasks that only a newer version of the server knows; retry at another"
        ) from error


def _read(row: BatchRow) -> Batch:
    return Batch(row.id, row.owner, row.name, row.created, BatchState(row.state), row.num_tasks)
