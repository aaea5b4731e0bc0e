"""Matches and their events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("rules_version", sa.String, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("nonce", sa.String, nullable=False),
        sa.Column("creator", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("is_private", sa.Boolean, nullable=False),
        sa.Column("num_events", sa.Integer, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("needs_driver", sa.Boolean, nullable=False),
        sa.Column("driver", sa.String, nullable=False),
        sa.Column("driver_until", sa.Double, nullable=False),
    )
    op.create_index("ix_matches_changed", "matches", ["changed", "id"])
    op.create_index("ix_matches_phase_creator", "matches", ["phase", "creator"])
    op.create_index("ix_matches_needs_driver_driver", "matches", ["needs_driver", "driver"])
    op.create_table(
        "match_events",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
