"""The owner of a ladder."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; older ladders have no owner."""
    op.add_column("ladders", sa.Column("owner", sa.String, nullable=False, server_default=""))
