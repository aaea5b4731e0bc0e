"""The arguments and flags of `kingmaker ladder`."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from .inputs import complete_game


def _check_scheduler(address: str) -> str:
    """Refuse what Dask would look for in vain, for a long time."""
    if address:
        from kingmaker.ladder.specs import check_address

        check_address(re.sub("^(tcp|tls)://", "", address), "--dask HOST:PORT")
    return address


Name = Annotated[str, typer.Argument(help="Name of the ladder.")]
OptionalName = Annotated[
    str, typer.Argument(help="Name of the ladder; default: the only one of the database.")
]
Database = Annotated[
    str,
    typer.Option(
        "--database",
        envvar="KINGMAKER_DATABASE",
        help="SQLite file, or postgresql://user@host/database.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Worker processes; default: one for each core.",
        show_default=False,
    ),
]
Dask = Annotated[
    str,
    typer.Option(
        "--dask",
        metavar="HOST:PORT",
        help="Run on the Dask cluster of this scheduler.",
        callback=_check_scheduler,
    ),
]
Folder = Annotated[
    str,
    typer.Option("--report", metavar="FOLDER", help="Folder of the report; '' writes none."),
]

PlanFile = Annotated[
    str,
    typer.Option("--plan", metavar="FILE", help="Plan as TOML or JSON; flags replace its fields."),
]
Game = Annotated[
    str, typer.Option("--game", help="Name of the game.", autocompletion=complete_game)
]
Bots = Annotated[
    list[str] | None,
    typer.Option("--bot", metavar="[NAME=]SPEC", help="Bot; see docs/ladder.md."),
]
Pairing = Annotated[
    str, typer.Option("--pairing", help="round_robin, gauntlet (of the first bot) or swiss.")
]
Groups = Annotated[
    int | None,
    typer.Option(
        "--groups",
        min=1,
        help="Mirrored groups to play; default: until Ctrl-C.",
        show_default=False,
    ),
]
Rounds = Annotated[
    int | None, typer.Option("--rounds", help="Rounds of Swiss pairing.", show_default=False)
]
Sprt = Annotated[
    str,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Test the first bot against the second; stop at a verdict.",
    ),
]
Space = Annotated[
    str,
    typer.Option(
        "--spec",
        metavar="SPEC",
        help="Bot with ranges, such as ismcts:exploration=0.3..2.0,playout=policy|uniform.",
    ),
]
NumGames = Annotated[int, typer.Option("--games", help="Games to play, at most.")]
Margin = Annotated[
    float,
    typer.Option(
        "--margin", metavar="ELO", help="By how much the pick may be worse than the best."
    ),
]
ErrorRate = Annotated[
    float, typer.Option("--error", help="Probability of a pick that is worse than that.")
]
MostGroups = Annotated[
    int | None,
    typer.Option(
        "--groups",
        min=1,
        help="Mirrored groups, at most; default: until it is decided.",
        show_default=False,
    ),
]
Openings = Annotated[
    int | None,
    typer.Option(
        "--openings",
        metavar="N",
        help="Random legal moves before each group; default: 4 in games without chance.",
        show_default=False,
    ),
]
Book = Annotated[
    str,
    typer.Option(
        "--book", metavar="FILE", help="Positions that the groups start from, one on a line."
    ),
]
MoveMs = Annotated[
    float | None,
    typer.Option(
        "--move-ms",
        help="Time limit of a move in milliseconds; beyond it the bot loses.",
        show_default=False,
    ),
]
GameMs = Annotated[
    float | None,
    typer.Option(
        "--game-ms", help="Time limit of each bot in a game, in milliseconds.", show_default=False
    ),
]
IncrementMs = Annotated[
    float | None,
    typer.Option(
        "--increment-ms", help="Time added to --game-ms after each move.", show_default=False
    ),
]
LadderSeed = Annotated[
    int | None, typer.Option("--seed", help="Seed of the deals and the bots.", show_default=False)
]
Anchor = Annotated[
    str, typer.Option("--anchor", help="Bot rated 0 Elo; default: the mean of all bots.")
]
