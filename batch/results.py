"""The results of tasks in a database: each is stored once, by the id of its task."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import select

from kingmaker.ladder.batch_records import TaskResultRow
from kingmaker.ladder.store import Store, insert_if_new

from .tasks import TaskResult

PAGE_SIZE = 500  # ids of one query


class Results:
    """The results of a database; threads may share it.

    Every method raises StoreError if the database fails, and has then changed nothing.

    Args:
        store: the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, results: Iterable[TaskResult]) -> None:
        """Store results in one transaction; those that are stored already stay.

        When this returns, they are on disk and survive any end of this process.

        Raises:
            DiskFullError, StoreError: nothing is stored.
        """
        now = time.time()
        values = [
            {"task_id": result.task_id, "text": result.text, "created": now} for result in results
        ]
        if not values:
            return
        with self._store.writing() as connection:
            connection.execute(insert_if_new(connection, TaskResultRow), values)

    def known(self, task_ids: Sequence[str]) -> set[str]:
        """Return those of the tasks that have a result."""
        known: set[str] = set()
        for page in _pages(task_ids):
            query = select(TaskResultRow.task_id).where(TaskResultRow.task_id.in_(page))
            with self._store.reading() as session:
                known.update(session.scalars(query))
        return known

    def texts(self, task_ids: Sequence[str]) -> Iterator[str | None]:
        """Read the results of tasks, in their order, a few at a time; None: there is none."""
        for page in _pages(task_ids):
            query = select(TaskResultRow.task_id, TaskResultRow.text).where(
                TaskResultRow.task_id.in_(page)
            )
            with self._store.reading() as session:
                texts = {row[0]: row[1] for row in session.execute(query)}
            yield from map(texts.get, page)


def _pages(task_ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (task_ids[i : i + PAGE_SIZE] for i in range(0, len(task_ids), PAGE_SIZE))
