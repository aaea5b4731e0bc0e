from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.process import ServerProcess, server_process


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server in a process of its own, for all clients."""
    with server_process(tmp_path_factory.mktemp("server"), slots="2") as running:
        yield running


@pytest.fixture
def here() -> Path:
    return Path(__file__).parent
