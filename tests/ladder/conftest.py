"""Databases for the tests: SQLite files, and a PostgreSQL server that the tests start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .postgresql import PostgresqlServer, postgresql_server, program


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """Start a server for all tests."""
    if program("initdb") is None:
        pytest.skip("PostgreSQL is not installed")
    with postgresql_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the address of a database with nothing in it, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "ladder.sqlite")
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.empty_database()
