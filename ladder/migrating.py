"""Migrations of the schema of a database, by Alembic; loaded only where one is missing."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from .errors import NewerSchemaError

_ALONE = Lock()  # the scripts reach their connection by `alembic.op`, which the process has once


def check_revision(name: str, connection: Connection) -> None:
    """Check that a schema is one that this version knows.

    Raises:
        NewerSchemaError: a newer version of Kingmaker has written it.
    """
    scripts = ScriptDirectory.from_config(_config())
    found = MigrationContext.configure(connection).get_current_revision()
    if found not in {None, *(script.revision for script in scripts.walk_revisions())}:
        meaning = (
            f"has schema {found}, and this version of Kingmaker knows schemas up to {head()}; use "
            "the newer version, or another database"
        )
        raise NewerSchemaError(f"{name} {meaning}", f"the database {meaning}")


def upgrade(connection: Connection) -> None:
    """Run the missing migrations, of one database at a time."""
    config = _config()
    config.attributes["connection"] = connection
    with _ALONE:
        command.upgrade(config, "head")


def head() -> str | None:
    """Return the revision that the last migration leads to."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config() -> Config:
    config = Config()
    folder = str(Path(__file__).with_name("migrations"))
    config.set_main_option("script_location", folder.replace("%", "%%"))
    return config
