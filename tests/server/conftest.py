"""Servers for the tests: in the event loop of a test, or in a process that many tests share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from .ladder_client import Client, client_of
from .match_client import keeping
from .named_callers import ROLES, table
from .support import Service, serving
from .web_client import ORIGIN


@pytest_asyncio.fixture
async def service() -> AsyncIterator[Service]:
    """A server with two slots, in the event loop of the test."""
    async with serving(slots=2, client_share=1.0) as running:
        yield running


@pytest_asyncio.fixture
async def web() -> AsyncIterator[Service]:
    """The same with an HTTP port."""
    async with serving(slots=2, client_share=1.0, web="127.0.0.1:0", web_origins=ORIGIN) as running:
        yield running


@pytest_asyncio.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[tuple[Service, Any]]:
    """A server that keeps matches in a database, and the stub of its matches."""
    async with keeping(tmp_path) as both:
        yield both


@pytest.fixture
def matches(keeper: tuple[Service, Any]) -> Any:
    """The stub of the matches of such a server."""
    return keeper[1]


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """A file of names."""
    path = tmp_path / "tokens.toml"
    path.write_text("\n".join(table(name, [role]) for name, role in ROLES.items()))
    return path


@pytest_asyncio.fixture
async def guarded(tokens: Path, tmp_path: Path) -> AsyncIterator[Service]:
    """A server that only names of the file may call, with ladders."""
    database = str(tmp_path / "ladder.sqlite")
    async with serving(slots=2, tokens=tokens, ladders=database, ladder_workers=1) as service:
        yield service


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server with ladders in a process of its own, with a client."""
    with client_of(tmp_path_factory.mktemp("ladders")) as running:
        yield running
