"""`python -m loadtests`: run the load tests against new servers.

Four parts: users of locust, who wait for their answers (locustfile.py); calls at multiples of the
server's capacity, answered or not (overload.py); many matches of bots, and a match that many watch
(matches.py); calls as JSON and over gRPC (doors.py). Each starts `kingmaker serve` on free ports
and prints its verdict; the exit code is 0 if the marks were met and the servers ended cleanly.
Some of them, other lengths and numbers: `--only users --seconds 120 --users 16`.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from .doors import compare
from .matches import MATCH_FLAGS, Bots, play_and_watch
from .overload import measure
from .server import NUM_SLOTS, SCRIPTS, Running, server

LOCUSTFILE = Path(__file__).with_name("locustfile.py")
STOP_SECONDS = 30


def main() -> int:
    """Run the load tests; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m loadtests", description=__doc__)
    parser.add_argument("--seconds", type=int, default=30, help="of the users")
    parser.add_argument("--users", type=int, default=8)
    parser.add_argument("--overload-seconds", type=float, default=10.0, help="of each multiple")
    parser.add_argument("--matches", type=int, default=1000, help="of bots, at once")
    parser.add_argument("--watchers", type=int, default=500, help="of one match")
    parser.add_argument("--match-game", default="kingdom_coinquest", help="of the bots")
    parser.add_argument("--match-bot", default="level:3,simulations=100")
    parser.add_argument("--match-seconds", type=float, default=60.0, help="of the bots")
    parser.add_argument("--only", choices=("users", "overload", "matches", "doors"))
    given = parser.parse_args()
    bots = Bots(given.matches, given.match_game, given.match_bot, given.match_seconds)
    parts: dict[str, Callable[[], int]] = {
        "users": lambda: _against_server(partial(_run_users, given.users, given.seconds)),
        "overload": lambda: _against_server(partial(_run_overload, given.overload_seconds)),
        "matches": lambda: _run_matches(bots, given.watchers),
        "doors": lambda: _against_server(compare, "--web", "127.0.0.1:0"),
    }
    codes = [run() for name, run in parts.items() if given.only in (None, name)]
    return max(codes)


def _against_server(test: Callable[[Running], int], *flags: str) -> int:
    """Run a test; returns its exit code, or that of the server."""
    with server(*flags) as running:
        verdict = test(running)
        running.process.terminate()
        ended = running.process.wait(STOP_SECONDS)
    if ended != 0:
        sys.stderr.write(f"FAIL: the server ended with {ended}\n")
    return verdict or ended


def _run_matches(bots: Bots, num_watchers: int) -> int:
    with TemporaryDirectory() as folder:
        database = f"{folder}/matches.sqlite"
        test = partial(play_and_watch, bots, num_watchers, database)
        return _against_server(test, "--matches", database, *MATCH_FLAGS)


def _run_users(users: int, seconds: int, running: Running) -> int:
    command = [
        str(SCRIPTS / "locust"),
        *("--locustfile", str(LOCUSTFILE), "--host", running.address, "--headless"),
        "--only-summary",
        *("--users", str(users), "--spawn-rate", str(users)),
        *("--run-time", f"{seconds}s", "--stop-timeout", "10"),
    ]
    return subprocess.run(command, check=False).returncode


def _run_overload(seconds: float, running: Running) -> int:
    return asyncio.run(measure(running.address, NUM_SLOTS, seconds))


if __name__ == "__main__":
    sys.exit(main())
