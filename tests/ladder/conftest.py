"""Stores of ladders, a server for bots that connect, and retries that do not wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kingmaker.ladder.store import Store
from kingmaker.tasks import retries
from tests.server.process import ServerProcess, server_process


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Give a store in a file of its own."""
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        yield store


@pytest.fixture
def immediate_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what broke begin again without a delay."""
    monkeypatch.setattr(retries, "RETRY_SECONDS", (0.0, 0.0, 0.0))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server in a process of its own; every test has bots of other names."""
    with server_process(tmp_path_factory.mktemp("server"), max_bot_seconds="20") as running:
        yield running
