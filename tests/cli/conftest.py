"""The installed command, and a server that it started, each in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

KINGMAKER = Path(sys.executable).with_name("kingmaker")
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def kingmaker() -> Command:
    """Run the command with arguments and typed input to its end."""

    def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [KINGMAKER, *arguments], input=typed, capture_output=True, text=True, timeout=60
        )

    return run


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Start `kingmaker serve` on a free port and yield its address."""
    process = subprocess.Popen(
        [KINGMAKER, "serve", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    with process:
        yield json.loads(process.stdout.readline())["address"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
