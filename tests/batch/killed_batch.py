"""Kills the process of a batch at random moments, and prints which results were stored.

    python -c "from tests.batch.killed_batch import main; main()" FOLDER NUM_KILLS SEED

Each process has a diary of its own in the folder. Prints, as JSON, the ids that have a result
before each process, and at the end.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from kingmaker.batch.results import Results
from kingmaker.batch.run import run_batch
from kingmaker.ladder.store import Store
from kingmaker.tasks.local import LocalExecutor

from .works import Diary, searches

NUM_TASKS = 250
MAX_LINES = 40  # of a diary at the kill; two for a task
MAX_DELAY_SECONDS = 0.01  # after that line
TASK_SECONDS = 0.002
PATIENCE_SECONDS = 60


def run_all(folder: Path, number: int) -> None:
    """Run until killed or done."""
    diary = Diary(folder / f"diary{number}", TASK_SECONDS)
    with (
        Store(str(folder / "batch.sqlite")) as store,
        LocalExecutor(diary, 1 + number % 2) as executor,
    ):
        run_batch(searches(NUM_TASKS), executor, Results(store))


def kill_one(folder: Path, number: int, rng: random.Random) -> None:
    """Start the batch and kill it."""
    child = os.fork()  # nothing is open here, and the modules need not be loaded again
    if child == 0:
        try:
            run_all(folder, number)
        finally:
            os._exit(1)
    end = time.monotonic() + PATIENCE_SECONDS
    num_lines = rng.randrange(MAX_LINES)
    diary = Diary(folder / f"diary{number}")
    while len(diary.lines()) < num_lines and time.monotonic() < end:
        time.sleep(0.002)
    time.sleep(rng.uniform(0, MAX_DELAY_SECONDS))
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL, "the batch ended by itself"


def stored(folder: Path) -> list[str]:
    """List the tasks that have a result."""
    with Store(str(folder / "batch.sqlite")) as store:
        return sorted(Results(store).known([task.id for task in searches(NUM_TASKS)]))


def main() -> None:
    """Kill as many as were asked for, and let the last one run to the end."""
    folder, num_kills, rng = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    before = []
    for number in range(num_kills):
        before.append(stored(folder))
        kill_one(folder, number, rng)
    before.append(stored(folder))
    run_all(folder, num_kills)
    json.dump([*before, stored(folder)], sys.stdout)
