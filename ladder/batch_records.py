"""The tables of batches and of the results of their tasks, in the database of ladders.

A *task result* is keyed by the id of its task alone, so that a task is run once, whichever batch it
is in. *Batches* are the jobs of a server; a task of one is done when there is a result with its id,
or why there is none.
"""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .records import Table


class TaskResultRow(Table):
    """The result of a task; `created` is in seconds since 1970."""

    __tablename__ = "task_results"

    task_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(index=True)


class BatchRow(Table):
    """A batch of tasks; times are seconds since 1970.

    `runner` is the server that runs it, until the end of its lease.
    """

    __tablename__ = "batches"
    __table_args__ = (
        Index("ix_batches_owner_created", "owner", "created"),
        Index("ix_batches_state_created", "state", "created"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str]
    name: Mapped[str]
    created: Mapped[float]
    state: Mapped[str]
    num_tasks: Mapped[int]
    runner: Mapped[str]
    runner_until: Mapped[float]


class BatchTaskRow(Table):
    """A task of a batch, from 1; with an error it has broken too often."""

    __tablename__ = "batch_tasks"
    __table_args__ = (Index("ix_batch_tasks_task_id", "task_id"),)

    batch_id: Mapped[str] = mapped_column(ForeignKey("batches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    task_id: Mapped[str] = mapped_column(String(32))
    task: Mapped[str] = mapped_column(Text)
    error: Mapped[str] = mapped_column(Text)
