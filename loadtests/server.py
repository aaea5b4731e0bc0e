"""A server for load tests, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
NUM_SLOTS = 2


@contextmanager
def server(*flags: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a server with two slots on a free port; yields its address and process."""
    command = [
        *(str(SCRIPTS / "kingmaker"), "serve", "--port", "0", "--json"),
        *("--slots", str(NUM_SLOTS), "--client-share", "1", "--log-level", "warning", *flags),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"], process
    finally:
        if process.poll() is None:
            process.kill()
