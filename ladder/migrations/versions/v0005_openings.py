"""Where a game started, and which games are the same."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns; older games began at the start, and their lines are unknown."""
    op.add_column("games", sa.Column("start", sa.Text, nullable=False, server_default=""))
    op.add_column("games", sa.Column("line", sa.String, nullable=False, server_default=""))
