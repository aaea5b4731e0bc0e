"""Commands that Ctrl-C stops while they show at a terminal what they have found."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from typing import Any

from .conftest import KINGMAKER


def stopped_at(sign: bytes, *arguments: str) -> Any:
    """Run a command with --json, and interrupt it as soon as it shows a sign of its progress.

    Returns:
        what it prints; its exit code must be 0.
    """
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [KINGMAKER, *arguments, "--json"], stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as process:
        shown = b""
        while sign not in shown:
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        found = json.loads(process.communicate(timeout=10)[0])
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0
    return found
