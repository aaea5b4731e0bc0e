"""A server in a process of its own, as it is in real life."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

START_SECONDS = 60
SERVE = """
import sys, time
from kingmaker.server.app import serve
from kingmaker.server.settings import ServerSettings
sys.exit(serve(ServerSettings(port=int(sys.argv[1]), log_format="json"), {on_ready}))
"""


class ServerProcess:
    """A running server.

    Attributes:
        address: where it listens.
        process: what runs it.
        log: file of its lines.
    """

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self.log = log
        self.address = str(self.wait_for_line("listening")["address"])

    @property
    def text(self) -> str:
        """All that the server has written so far."""
        return self.log.read_text()

    def lines(self) -> list[dict[str, Any]]:
        """The log lines so far; what gRPC itself writes is left out."""
        complete = self.text.rpartition("\n")[0]
        return [json.loads(line) for line in complete.splitlines() if line.startswith("{")]

    def wait_for_line(self, event: str) -> dict[str, Any]:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            for line in self.lines():
                if line["event"] == event:
                    return line
            code = self.process.poll()
            assert code is None, f"the server ended with {code}: {self.text}"
            time.sleep(0.02)
        raise TimeoutError(f"the server did not log {event!r}: {self.text}")

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def exit_code(self, seconds: float = 30) -> int:
        return self.process.wait(seconds)


@contextmanager
def server_process(
    folder: Path, port: int = 0, *, on_ready: str = "None", **environment: str
) -> Iterator[ServerProcess]:
    """Run a server until the end of the block; settings go through the environment.

    Args:
        folder: for its log.
        port: to listen on.
        on_ready: Python code of a function that it calls on its event loop as soon as it answers.
        environment: its settings.
    """
    log = folder / f"server-{time.monotonic_ns()}.log"
    variables = {f"KINGMAKER_{name.upper()}": value for name, value in environment.items()}
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE.format(on_ready=on_ready), str(port)],
            stderr=stream,
            env={**_environment(), **variables},
        )
    try:
        yield ServerProcess(process, log)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def failed_start(folder: Path, port: int = 0, **environment: str) -> list[dict[str, Any]]:
    """Start a server that must not start; returns all that it wrote."""
    server = server_process(folder, port=port, **environment)
    with pytest.raises(AssertionError, match="ended with 1: ") as failed, server:
        pass
    return [json.loads(line) for line in str(failed.value).partition(": ")[2].splitlines()]


def _environment() -> dict[str, str]:

    return {name: value for name, value in os.environ.items() if "KINGMAKER_" not in name}
