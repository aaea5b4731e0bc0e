"""`kingmaker hint`: the best moves, each with an explanation."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer
from rich.markup import escape

from kingmaker.cext.errors import check_range
from kingmaker.search.hints import MAX_HINTS, explain
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
from .output import (
    JsonFlag,
    analysis_json,
    drawn,
    move_json,
    out,
    share_text,
    summary,
    write_json,
)
from .watch import watch

DEFAULT_MS = 1000.0


def hint(
    line: Line,
    seat: SeatNumber = None,
    top: Annotated[int, typer.Option("--top", help="Number of moves.")] = 3,
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
    """Suggest moves, each with its reasons (1 second by default)."""
    check_range("--top", top, 1, MAX_HINTS)  # reported before the search, not after it
    observation = read_line(line, seat, game)
    observation.check_own_decision()
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
    hints = list(zip(explain(observation, analysis, top), analysis.policy, strict=False))
    if json:
        found = analysis_json(observation, analysis)
        del found["moves"]
        found["hints"] = [
            {**move_json(each.analysis), "probability": probability, "text": each.text}
            for each, probability in hints
        ]
        write_json(found)
        return
    console = out()
    for rank, (each, _) in enumerate(hints, start=1):
        share = share_text(each.analysis, observation.observer)
        wins = f"  wins {share}" if share else ""
        console.print(f"[bold]{rank}. {escape(each.analysis.move)}[/bold]{wins}")
        console.print(f"   {escape(each.text)}")
    console.print(escape(summary(analysis)))
