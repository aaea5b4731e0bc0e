"""`python -m loadtests`: run the load test against a new server.

Starts `kingmaker serve` on a free port, runs locust's users against it, prints the verdict and
stops the server. The exit code is 0 if the pass mark of locustfile.py was met and the server ended
cleanly. Other lengths and numbers of users: `--seconds 120 --users 16`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
LOCUSTFILE = Path(__file__).with_name("locustfile.py")
STOP_SECONDS = 30


def main() -> int:
    """Run the load test; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m loadtests", description=__doc__)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--users", type=int, default=8)
    arguments = parser.parse_args()
    with server() as (address, process):
        command = [
            str(SCRIPTS / "locust"),
            *("--locustfile", str(LOCUSTFILE), "--host", address, "--headless", "--only-summary"),
            *("--users", str(arguments.users), "--spawn-rate", str(arguments.users)),
            *("--run-time", f"{arguments.seconds}s", "--stop-timeout", "10"),
        ]
        verdict = subprocess.run(command, check=False).returncode
        process.terminate()
        ended = process.wait(STOP_SECONDS)
    if ended != 0:
        sys.stderr.write(f"FAIL: the server ended with {ended}\n")
    return verdict or ended


@contextmanager
def server() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a server with two slots on a free port; yields its address and process."""
    command = [
        *(str(SCRIPTS / "kingmaker"), "serve", "--port", "0", "--json"),
        *("--slots", "2", "--client-share", "1", "--log-level", "warning"),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"], process
    finally:
        if process.poll() is None:
            process.kill()


if __name__ == "__main__":
    sys.exit(main())
