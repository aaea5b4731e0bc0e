"""The cost of the stable interface of Python: calls into a wheel against those into a checkout.

    make wheel
    python -m kingmaker.benchmarks.stable_interface dist/kingmaker-*.whl

prints the CPU time of calls from Python in both. The modules of a checkout are compiled for their
interpreter alone; those of a wheel are for all from 3.11 on. With `--instructions` it prints the
machine instructions of a call, counted by callgrind, which don't depend on what else the machine
does; that takes minutes.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from .report import number_text

ROUNDS = 7
SAMPLES, SAMPLE_SECONDS = 5, 0.02
"""Of a call in a round: the least CPU time of the samples counts, as others have slow moments."""
COUNTED_CALLS = 200
MARK = "os_getppid"
"""Function of C that is called between the works, where callgrind begins to count anew."""

Call = Callable[[], object]
Row = tuple[str, float, float]


def calls() -> dict[str, Call]:
    """Prepare the calls, by the name in the table."""
    import numpy as np

    from kingmaker.adapters.pettingzoo import GameEnv
    from kingmaker.search.analysis import Budget
    from kingmaker.search.levels import choose_move
    from kingmaker.search.position import new_game, parse_observation, parse_position

    from . import positions

    middle = positions.kingdom_coinquest_middle(2)
    game, state, text = middle.game, middle.state, middle.text
    observation = middle.observe(middle.seat)
    line = observation.text
    first = middle.legal_moves()[0]
    move = game.parse_move(first)
    stream = np.random.SFC64(1)
    env = GameEnv("tic_tac_toe")
    start = new_game("connect_four").observe(1)
    one, hundred = Budget(simulations=1), Budget(simulations=100)

    def play() -> None:
        env.reset(seed=1)
        for action in (4, 0, 8, 2, 1, 7, 3, 5, 6):
            env.last()
            env.step(action)

    return {
        "nothing": lambda: None,
        "`Position.legal_moves`": middle.legal_moves,
        "`Position.apply`": lambda: middle.apply(first),
        "`Position.observe`": lambda: middle.observe(1),
        "`Observation.determinize`": lambda: observation.determinize(stream),
        "`parse_position`": lambda: parse_position(game.name, text),
        "`parse_observation`": lambda: parse_observation(game.name, line),
        "`Position.text`": lambda: middle.text,
        "`Position.view`": lambda: middle.view,
        "`Game.node_of`": lambda: game.node_of(state),
        "`Game.moves_of`": lambda: game.moves_of(state),
        "`Game.after`": lambda: game.after(state, move),
        "`Game.features_of`": lambda: game.features_of(state, 0),
        "a game of tic-tac-toe by PettingZoo": play,
        "`choose_move`, 1 simulation": lambda: choose_move(start, one, seed=1),
        "`choose_move`, 100 simulations": lambda: choose_move(observation, hundred, seed=1),
    }


def cpu_seconds(call: Call) -> float:
    """Return the least CPU time of a call, that of the loop included."""
    number = 1
    while (taken := _timed(call, number)) < SAMPLE_SECONDS:
        number = max(number * 2, int(number * SAMPLE_SECONDS / max(taken, 1e-9)))
    return min(_timed(call, number) for _ in range(SAMPLES)) / number


def _timed(call: Call, number: int) -> float:
    start = time.thread_time()
    for _ in range(number):
        call()
    return time.thread_time() - start


def run_between_marks(works: Mapping[str, Call]) -> None:
    """Call each work, with a mark before and after the calls that are to be counted."""
    gc.disable()
    for call in works.values():
        for _ in range(3):
            call()
        os.getppid()
        for _ in range(COUNTED_CALLS):
            call()
        os.getppid()


def compare(wheel: Path, rounds: int, counts: bool) -> list[Row]:
    """Measure in both; returns (name, checkout, wheel), in seconds or instructions."""
    with TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        # Measurements are no part of wheels.
        Path(folder, "kingmaker", "benchmarks").symlink_to(Path(__file__).parent)
        least: dict[str, dict[str, float]] = {"": {}, folder: {}}
        for _ in range(rounds):
            for place, found in least.items():
                for name, value in (_counted(place) if counts else _times(place)).items():
                    found[name] = min(value, found.get(name, value))
        rows = [(name, value, least[folder][name]) for name, value in least[""].items()]
    # What the loop costs is no part of a call.
    return [(name, first - rows[0][1], other - rows[0][2]) for name, first, other in rows[1:]]


def _times(place: str) -> dict[str, float]:
    return cast("dict[str, float]", json.loads(_measured(place, "times")))


def _counted(place: str) -> dict[str, float]:
    """Count instructions of a call; the dump before the n-th mark has those since the last."""
    with TemporaryDirectory() as folder:
        options = (
            "--tool=callgrind",
            f"--dump-before={MARK}",
            f"--callgrind-out-file={folder}/out",
        )
        names = json.loads(_measured(place, "marks", "valgrind", *options))
        totals = [
            int(
                re.findall(
                    r"^(?:summary|totals): (\d+)", Path(folder, f"out.{number}").read_text(), re.M
                )[0]
            )
            for number in range(1, 2 * len(names) + 1)
        ]
    return {name: totals[2 * i + 1] / COUNTED_CALLS for i, name in enumerate(names)}


def _measured(place: str, what: str, *tool: str) -> str:
    """Measure in another process, with the package of a folder; empty: the one installed."""
    module = (sys.executable, "-m", "kingmaker.benchmarks.stable_interface")
    done = subprocess.run(
        [*tool, *module, "--measure", what, place],
        env={
            **os.environ,
            "PYTHONPATH": place,
            "PYTHONHASHSEED": "0",
            "OPENBLAS_NUM_THREADS": "1",
        },
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def table(rows: Sequence[Row], unit: str, scale: float) -> str:
    """Format a table in Markdown."""
    lines = [f"| call | checkout, {unit} | wheel, {unit} | more |", "|---|---|---|---|"]
    for name, checkout, wheel in rows:
        values = f"{number_text(checkout * scale)} | {number_text(wheel * scale)}"
        lines.append(f"| {name} | {values} | {wheel / checkout - 1:+.1%} |")
    return "\n".join(lines)


def main() -> None:
    """Compare, or measure one of the two."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheel", help="the wheel to compare with this checkout")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="processes for each of the two")
    parser.add_argument("--instructions", action="store_true", help="count them instead of time")
    parser.add_argument("--measure", choices=("times", "marks"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        import kingmaker.cext.game as compiled

        assert given.wheel in (compiled.__file__ or ""), f"{compiled.__file__} was loaded"
        works = calls()
        if given.measure == "times":
            sys.stdout.write(json.dumps({name: cpu_seconds(works[name]) for name in works}))
        else:
            run_between_marks(works)
            sys.stdout.write(json.dumps(list(works)))
    elif given.instructions:
        rows = compare(Path(given.wheel), 1, counts=True)
        sys.stdout.write(table(rows, "instructions", 1) + "\n")
    else:
        rows = compare(Path(given.wheel), given.rounds, counts=False)
        sys.stdout.write(table(rows, "µs", 1e6) + "\n")


if __name__ == "__main__":
    main()
