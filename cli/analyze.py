"""`kingmaker analyze`: a search with live output that Ctrl-C stops."""

from __future__ import annotations

from functools import partial

from kingmaker.search.run import Search

from .inputs import (
    EngineName,
    EngineOptions,
    GameName,
    Line,
    Megabytes,
    Milliseconds,
    SeatNumber,
    Seed,
    Simulations,
    Threads,
    budget,
    pairs,
    read_line,
)
from .output import JsonFlag, analysis_json, drawn, moves_table, out, summary, write_json
from .watch import watch

DEFAULT_MS = 3000.0


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
    """Evaluate every move of a position (default: 3 seconds); Ctrl-C stops and shows the result."""
    observation = read_line(line, seat, game)
    search = Search(
        observation,
        budget(budget_ms, simulations, memory_mb, default_ms=DEFAULT_MS),
        engine=engine,
        seed=seed,
        threads=threads,
        options=pairs(engine_option, "engine_options"),
        all_moves=True,
    )
    analysis = watch(search, partial(drawn, observation))
    if json:
        write_json(analysis_json(observation, analysis))
        return
    console = out()
    if analysis.moves:
        console.print(moves_table(observation, analysis))
    else:
        console.print(f"no moves: {observation.node} decides here, not p{observation.observer}")
    console.print(summary(analysis))
