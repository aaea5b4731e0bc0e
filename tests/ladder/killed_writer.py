"""Kills writers of a ladder at random moments, and prints what they had been promised.

    python -m tests.ladder.killed_writer ADDRESS NUM_KILLS SEED

Each writer is a process that opens the store, goes on behind the games that are stored, and tells
the index of a game when `Ladder.add` has returned. It adds every game twice, as a coordinator may.
Prints, as JSON, the indices that were acknowledged.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time

from kingmaker.ladder.store import Store

from .samples import sample_record

NAME = "killed"
MAX_DELAY_SECONDS = 0.012  # about two transactions


def write_on(address: str, acknowledge: int) -> None:
    """Play the coordinator, until killed."""
    with Store(address) as store:
        names = [ladder.name for ladder in store.ladders()]
        ladder = store.ladder(NAME) if NAME in names else store.create_ladder(NAME, {})
        index = len(ladder.finished())
        while True:
            ladder.add(sample_record(index))
            os.write(acknowledge, b"%d\n" % index)
            ladder.add(sample_record(index))
            index += 1


def kill_one(address: str, rng: random.Random) -> list[int]:
    """Start a writer and kill it; gives the games it acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()  # nothing is open here, and the modules need not be loaded again
    if child == 0:
        os.close(reader)
        try:
            write_on(address, writer)
        finally:
            os._exit(1)
    os.close(writer)
    if rng.random() < 0.8:  # the others may be killed while they open the store
        select.select([reader], [], [], 30)
    time.sleep(rng.uniform(0, MAX_DELAY_SECONDS))
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL, "the writer ended by itself"
    with os.fdopen(reader) as acknowledged:
        return [int(line) for line in acknowledged if line.endswith("\n")]


def main() -> None:
    """Kill as many as were asked for."""
    address, num_kills, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    acknowledged = [index for _ in range(num_kills) for index in kill_one(address, rng)]
    json.dump(acknowledged, sys.stdout)


if __name__ == "__main__":
    main()
