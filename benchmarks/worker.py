"""The program that pyperf runs: one supervising process, and others that measure.

    python -m kingmaker.benchmarks.worker kingmaker.benchmarks.works:connect_four_mcts

times one work and takes all flags of a pyperf script besides: `-o before.json` keeps the runs for
`pyperf stats` and `pyperf compare_to`.
"""

from __future__ import annotations

import json
import time
from pkgutil import resolve_name

import pyperf

from .measure import Work


def cpu_seconds(loops: int, work: Work) -> float:
    """Run a work `loops` times; returns CPU seconds of this thread, as machines are shared."""
    run = work.run
    start = time.thread_time()
    for _ in range(loops):
        run()
    return time.thread_time() - start


def main() -> None:
    """Time the work given on the command line as `module:function`."""
    runner = pyperf.Runner(
        program_args=("-m", "kingmaker.benchmarks.worker"),
        add_cmdline_args=lambda command, args: command.append(args.work),
    )
    runner.argparser.add_argument("work", metavar="MODULE:FUNCTION")
    args = runner.parse_args()
    # The supervising process measures nothing, so it needs no preparation.
    work = resolve_name(args.work)() if args.worker else Work(lambda: None, {})
    units = json.dumps(dict(work.units))
    runner.bench_time_func(args.work, cpu_seconds, work, metadata={"units": units})


if __name__ == "__main__":
    main()
