"""What Alembic runs: the missing migrations, in the transaction of the store's connection."""

from __future__ import annotations

from alembic import context

from kingmaker.ladder import batch_records, match_records  # noqa: F401  their tables are there
from kingmaker.ladder.records import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    transactional_ddl=True,  # on SQLite too, as the store begins transactions itself
)
with context.begin_transaction():
    context.run_migrations()
