"""What tests of several folders need."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.compiled import compiled_once
from tests.postgresql import PostgresqlServer, postgresql_server, program
from tests.wheels import sdist, wheel

__all__ = ["database", "drawn_card", "postgresql", "sdist", "small_disk", "wheel"]


def pytest_collection() -> None:
    # Collecting makes a million objects that all stay: to look for garbage among them takes half
    # of the time.
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()  # nor are they looked at while the tests run
    gc.enable()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of one megabyte, which only root may."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("we may not mount a small disk here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="session")
def drawn_card() -> Iterator[ModuleType]:
    """Compile a small game with features; worker processes find it too."""
    module = compiled_once("drawn_card")
    sys.modules["drawn_card"] = module
    sys.path.append(str(Path(str(module.__file__)).parent))
    yield module
    sys.path.pop()
    del sys.modules["drawn_card"]


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """Start a server of PostgreSQL for all tests."""
    if program("initdb") is None:
        pytest.skip("PostgreSQL is not installed")
    with postgresql_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the address of a database with nothing in it, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "database.sqlite")
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.empty_database()
