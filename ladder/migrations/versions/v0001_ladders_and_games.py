"""Ladders, their bots, their games by seat, and run reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    _create_ladders_and_bots()
    _create_games()
    _create_run_reports()


def _create_ladders_and_bots() -> None:
    op.create_table(
        "ladders",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
    )
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("ladder_id", sa.Integer, sa.ForeignKey("ladders.id"), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("spec", sa.String, nullable=False),
        sa.UniqueConstraint("ladder_id", "name", name="uq_bots_ladder_id_name"),
    )


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("ladder_id", sa.Integer, sa.ForeignKey("ladders.id"), nullable=False),
        sa.Column("task_id", sa.String(32), nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("group_id", sa.String, nullable=False),
        sa.Column("rotation", sa.Integer, nullable=False),
        sa.Column("deal_seed", sa.String, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("move_ms", sa.Double, nullable=True),
        sa.Column("game_ms", sa.Double, nullable=True),
        sa.Column("increment_ms", sa.Double, nullable=False),
        sa.Column("rules_version", sa.String, nullable=False),
        sa.Column("max_plies", sa.Integer, nullable=False),
        sa.Column("num_plies", sa.Integer, nullable=False),
        sa.Column("moves", sa.JSON, nullable=False),
        sa.Column("end", sa.Text, nullable=False),
        sa.Column("cause", sa.String, nullable=False),
        sa.Column("culprit", sa.Integer, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("wall_ms", sa.Double, nullable=False),
        sa.Column("finished_at", sa.String, nullable=False),
        sa.UniqueConstraint("ladder_id", "task_id", name="uq_games_ladder_id_task_id"),
    )
    op.create_index("ix_games_ladder_id_number", "games", ["ladder_id", "number"])
    op.create_table(
        "seats",
        sa.Column("game_number", sa.Integer, sa.ForeignKey("games.number"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("bot_id", sa.Integer, sa.ForeignKey("bots.id"), nullable=False),
        sa.Column("returns", sa.Double, nullable=False),
        sa.Column("thinking_ms", sa.Double, nullable=False),
    )
    op.create_index("ix_seats_bot_id", "seats", ["bot_id"])


def _create_run_reports() -> None:
    op.create_table(
        "run_reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("ladder_id", sa.Integer, sa.ForeignKey("ladders.id"), nullable=False),
        sa.Column("task_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("at", sa.String, nullable=False),
    )
    op.create_index("ix_run_reports_ladder_id", "run_reports", ["ladder_id"])
