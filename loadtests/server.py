"""A server for load tests, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
NUM_SLOTS = 2
TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs.

    Attributes:
        address: of its gRPC port.
        url: of its HTTP port; empty: it has none.
        process: the server itself, without its workers.
    """

    address: str
    url: str
    process: subprocess.Popen[str]

    @property
    def megabytes(self) -> float:
        """Resident memory."""
        status = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(status[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE

    @property
    def cpu_seconds(self) -> float:
        """Time of a processor that it has used so far."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICKS


@contextmanager
def server(*flags: str) -> Iterator[Running]:
    """Run a server with two slots on a free port."""
    command = [
        *(str(SCRIPTS / "kingmaker"), "serve", "--port", "0", "--json"),
        *("--slots", str(NUM_SLOTS), "--client-share", "1", "--log-level", "warning", *flags),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        yield Running(ready["address"], ready["url"] or "", process)
    finally:
        if process.poll() is None:
            process.kill()
