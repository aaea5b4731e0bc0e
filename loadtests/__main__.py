"""`python -m loadtests`: run the load tests against new servers.

Two parts: users of locust, who wait for their answers (locustfile.py), and calls at multiples of
the server's capacity, answered or not (overload.py). Each starts `kingmaker serve` on a free port
and prints its verdict. The exit code is 0 if the pass marks were met and the servers ended cleanly.
One of them, other lengths and numbers of users: `--only users --seconds 120 --users 16`.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from .overload import measure
from .server import NUM_SLOTS, SCRIPTS, server

LOCUSTFILE = Path(__file__).with_name("locustfile.py")
STOP_SECONDS = 30


def main() -> int:
    """Run the load tests; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m loadtests", description=__doc__)
    parser.add_argument("--seconds", type=int, default=30, help="of the users")
    parser.add_argument("--users", type=int, default=8)
    parser.add_argument("--overload-seconds", type=float, default=10.0, help="of each multiple")
    parser.add_argument("--only", choices=("users", "overload"))
    arguments = parser.parse_args()
    code = 0
    if arguments.only != "overload":
        code |= _against_server(partial(_run_users, arguments.users, arguments.seconds))
    if arguments.only != "users":
        code |= _against_server(partial(_run_overload, arguments.overload_seconds))
    return code


def _against_server(test: Callable[[str], int]) -> int:
    """Run a test; returns its exit code, or that of the server."""
    with server() as (address, process):
        verdict = test(address)
        process.terminate()
        ended = process.wait(STOP_SECONDS)
    if ended != 0:
        sys.stderr.write(f"FAIL: the server ended with {ended}\n")
    return verdict or ended


def _run_users(users: int, seconds: int, address: str) -> int:
    command = [
        str(SCRIPTS / "locust"),
        *("--locustfile", str(LOCUSTFILE), "--host", address, "--headless", "--only-summary"),
        *("--users", str(users), "--spawn-rate", str(users)),
        *("--run-time", f"{seconds}s", "--stop-timeout", "10"),
    ]
    return subprocess.run(command, check=False).returncode


def _run_overload(seconds: float, address: str) -> int:
    return asyncio.run(measure(address, NUM_SLOTS, seconds))


if __name__ == "__main__":
    sys.exit(main())
