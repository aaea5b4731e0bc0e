"""Timing by pyperf: calibration, warm-up and worker processes are its own.

pyperf finishes one benchmark before it begins the next. Here works that are to be compared take
turns instead: in each round every one gets a worker process, and pyperf appends what it finds to
the runs of the rounds before. So slow minutes of the machine hit all of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kingmaker.cext.errors import InputError

from .measure import Timings, Work

ROUNDS, QUICK_ROUNDS = 4, 1
MIN_SECONDS, QUICK_MIN_SECONDS = 0.1, 0.02
"""pyperf repeats a work until one value takes at least so long."""


def check_installed() -> None:
    """Check that pyperf is installed.

    Raises:
        InputError: it is not; the message has the command to install it.
    """
    if find_spec("pyperf") is None:
        raise InputError("bench needs pyperf: pip install 'kingmaker[bench]'")


def time_in_turn(works: Sequence[Callable[[], Work]], quick: bool) -> list[Timings]:
    """Time works alternately, each in its own worker processes.

    Args:
        works: functions at the top of a module, called in the worker to prepare the work.
        quick: one round of short values.

    Returns:
        The timings of each, in their order.
    """
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.json") for number in range(len(works))]
        for _ in range(QUICK_ROUNDS if quick else ROUNDS):
            for prepare, file in zip(works, files, strict=True):
                _append_run(prepare, file, QUICK_MIN_SECONDS if quick else MIN_SECONDS)
        return [_read(file) for file in files]


def _append_run(prepare: Callable[[], Work], file: Path, min_seconds: float) -> None:
    # Calibrated once: all rounds then repeat the work equally often.
    loops = int(_load(file).get_loops()) if file.exists() else 0
    subprocess.run(
        [
            *(sys.executable, "-m", "kingmaker.benchmarks.worker", "--quiet", "--copy-env"),
            *("--processes=1", "--values=1", "--warmups=1"),
            *(f"--min-time={min_seconds}", f"--loops={loops}", f"--append={file}"),
            f"{prepare.__module__}:{prepare.__qualname__}",
        ],
        stdout=subprocess.DEVNULL,
        check=True,
    )


def _load(file: Path) -> Any:
    # Imported here so that the rest of the package works without the extra.
    import pyperf

    return pyperf.Benchmark.load(str(file))


def _read(file: Path) -> Timings:
    benchmark = _load(file)
    return Timings(benchmark.get_values(), json.loads(benchmark.get_metadata()["units"]))
