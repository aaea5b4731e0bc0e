"""`kingmaker analyze`: a search that can be watched and stopped."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Group
from rich.live import Live

from kingmaker.search.analysis import Analysis
from kingmaker.search.engine import Search
from kingmaker.search.position import Observation

from .inputs import (
    EngineName,
    EngineOptions,
    GameName,
    JsonFlag,
    Line,
    Megabytes,
    Milliseconds,
    SeatNumber,
    Seed,
    Simulations,
    Threads,
    budget,
    pairs,
    read_observation,
)
from .output import analysis_json, err, moves_table, out, summary, write_json

DEFAULT_MS = 3000.0
STEP_MS = 100.0


def analyze(
    line: Line,
    seat: SeatNumber = None,
    game: GameName = "",
    budget_ms: Milliseconds = None,
    simulations: Simulations = None,
    memory_mb: Megabytes = 64,
    engine: EngineName = "",
    engine_option: EngineOptions = None,
    seed: Seed = None,
    threads: Threads = 1,
    json: JsonFlag = False,
) -> None:
    """Judge every move of a position (3 seconds by default); Ctrl-C shows what was found so far."""
    observation = read_observation(line, seat, game)
    search = Search(
        observation,
        budget(budget_ms, simulations, memory_mb, default_ms=DEFAULT_MS),
        engine=engine,
        seed=seed,
        threads=threads,
        options=pairs(engine_option, "engine_options"),
    )
    analysis = watch(observation, search)
    if json:
        write_json(analysis_json(observation, analysis))
        return
    console = out()
    if analysis.moves:
        console.print(moves_table(observation, analysis))
    else:
        console.print(f"{observation.node} is asked, not p{observation.observer}: values only")
    console.print(summary(analysis))


def watch(observation: Observation, search: Search) -> Analysis:
    """Run a search to its end; on a terminal the moves are shown on stderr meanwhile."""
    console = err()
    with _cancelled_by_interrupt(search):
        if not console.is_terminal:
            return _run(search)
        with Live(console=console, refresh_per_second=10, transient=True) as live:
            analysis = search.advance(STEP_MS)
            while not search.is_finished:
                live.update(Group(moves_table(observation, analysis), summary(analysis)))
                analysis = search.advance(STEP_MS)
            return analysis


def _run(search: Search) -> Analysis:
    # In steps, so that Python comes to handle an interrupt.
    analysis = search.advance(STEP_MS)
    while not search.is_finished:
        analysis = search.advance(STEP_MS)
    return analysis


@contextmanager
def _cancelled_by_interrupt(search: Search) -> Iterator[None]:
    def cancel(_number: int, _frame: Any) -> None:
        search.cancel()

    before = signal.signal(signal.SIGINT, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
