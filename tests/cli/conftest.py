"""The command, in this process or in one of its own, and a server that it started."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kingmaker.cli.app import app

KINGMAKER = Path(sys.executable).with_name("kingmaker")
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def kingmaker() -> Command:
    """Run the command with arguments and typed input to its end, in this process."""

    def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        done = CliRunner().invoke(app, arguments, input=typed, prog_name="kingmaker")
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def installed() -> Command:
    """Run the installed command as `kingmaker` does, in a process of its own."""

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
