"""Batches, their tasks, and the results of tasks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "task_results",
        sa.Column("task_id", sa.String(32), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_index("ix_task_results_created", "task_results", ["created"])
    op.create_table(
        "batches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("num_tasks", sa.Integer, nullable=False),
        sa.Column("runner", sa.String, nullable=False),
        sa.Column("runner_until", sa.Double, nullable=False),
    )
    op.create_index("ix_batches_owner_created", "batches", ["owner", "created"])
    op.create_index("ix_batches_state_created", "batches", ["state", "created"])
    op.create_table(
        "batch_tasks",
        sa.Column("batch_id", sa.String(32), sa.ForeignKey("batches.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("task_id", sa.String(32), nullable=False),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )
    op.create_index("ix_batch_tasks_task_id", "batch_tasks", ["task_id"])
