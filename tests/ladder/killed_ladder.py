"""Kills the process of a ladder at random moments, and prints what it had promised.

    python -c "from tests.ladder.killed_ladder import main; main()" FOLDER NUM_KILLS SEED

Each process opens the store, resumes the ladder with spawned workers, and tells how many games are
stored. Each has a diary of its own in the folder. Prints, as JSON, for each kill: how many games
were reported, those that were stored before, and the ones that are stored after.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from kingmaker.ladder.coordinator import Progress, begin_ladder, run_ladder
from kingmaker.ladder.executors import play_here
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.store import Ladder, Store

from .toys import Toy, entries

NAME = "killed"
PLAN = LadderPlan.of(
    game="tic_tac_toe",
    bots=["a=random", "b=random", "c=random"],
    num_groups=400,
    seed=3,
    openings=0,
)
GAME_SECONDS = 0.002
MAX_LINES = 50  # of a diary at the kill; two for a game
MAX_DELAY_SECONDS = 0.01  # after that line
PATIENCE_SECONDS = 60


def open_ladder(store: Store) -> Ladder:
    """Return the ladder, new if need be."""
    names = [ladder.name for ladder in store.ladders()]
    return store.ladder(NAME) if NAME in names else begin_ladder(store, NAME, PLAN)


def run(folder: Path, number: int, tell: int) -> None:
    """Play until killed or done."""
    with (
        Store(str(folder / "ladder.sqlite")) as store,
        play_here(1 + number % 2, play=Toy(diary_of(folder, number), GAME_SECONDS)) as executor,
    ):
        run_ladder(
            open_ladder(store),
            executor,
            watch=lambda progress: tell_of(tell, progress),
        )


def tell_of(tell: int, progress: Progress) -> None:
    """Tell how many games are stored."""
    os.write(tell, b"%d\n" % progress.num_games)


def diary_of(folder: Path, number: int) -> Path:
    """Name the diary of a process."""
    return folder / f"diary{number}"


def kill_one(folder: Path, number: int, rng: random.Random) -> int:
    """Start the ladder and kill it; gives how many games it reported."""
    reader, writer = os.pipe()
    child = os.fork()  # nothing is open here, and the modules need not be loaded again
    if child == 0:
        os.close(reader)
        try:
            run(folder, number, writer)
        finally:
            os._exit(1)
    os.close(writer)
    if rng.random() < 0.8:  # the others may be killed while they open the store
        wait_for_lines(folder, number, rng.randrange(1, MAX_LINES))
    time.sleep(rng.uniform(0, MAX_DELAY_SECONDS))
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL, "the ladder ended by itself"
    return reported(reader)


def wait_for_lines(folder: Path, number: int, num_lines: int) -> None:
    """Wait until the workers have written so much; on a busy machine that takes its time."""
    end = time.monotonic() + PATIENCE_SECONDS
    while len(entries(diary_of(folder, number))) < num_lines and time.monotonic() < end:
        time.sleep(0.002)


def reported(reader: int) -> int:
    """Read what a process has reported last."""
    with os.fdopen(reader) as lines:
        return max((int(line) for line in lines if line.endswith("\n")), default=0)


def stored(folder: Path) -> list[str]:
    """List the games of the ledger, with every repetition."""
    if not (folder / "ladder.sqlite").exists():
        return []
    with Store(str(folder / "ladder.sqlite")) as store:
        if not store.ladders():
            return []
        return [game.task.id for game in open_ladder(store).summaries()]


def main() -> None:
    """Kill as many as were asked for, and let the last one play to the end."""
    folder, num_kills, rng = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    kills: list[dict[str, Any]] = []
    before: list[str] = []
    for number in range(num_kills):
        count = kill_one(folder, number, rng)
        after = stored(folder)
        kills.append({"before": before, "reported": count, "after": after})
        before = after
    reader, writer = os.pipe()
    run(folder, num_kills, writer)
    os.close(writer)
    kills.append({"before": before, "reported": reported(reader), "after": stored(folder)})
    json.dump(kills, sys.stdout)
