"""The arguments and flags of `kingmaker ladder`."""

from __future__ import annotations

from typing import Annotated

import typer

Name = Annotated[str, typer.Argument(help="Name of the ladder.")]
OptionalName = Annotated[
    str, typer.Argument(help="Name of the ladder; may be left out if there is one only.")
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
        "--workers", help="Processes that play; one for each core if left out.", show_default=False
    ),
]
Dask = Annotated[
    str,
    typer.Option(
        "--dask", metavar="HOST:PORT", help="Play on the Dask cluster of this scheduler instead."
    ),
]
Folder = Annotated[
    str,
    typer.Option("--report", metavar="FOLDER", help="Where the report goes; '' writes none."),
]

PlanFile = Annotated[
    str, typer.Option("--plan", metavar="FILE", help="TOML or JSON; flags replace its fields.")
]
Game = Annotated[str, typer.Option("--game", help="Name of the game.")]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="Option of the game."),
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
        "--groups", help="Mirrored groups to play; until Ctrl-C if left out.", show_default=False
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
        help="Stop as soon as it is clear how much better the first bot is than the second.",
    ),
]
MoveMs = Annotated[
    float | None,
    typer.Option("--move-ms", help="Clock of a move; a bot over it loses.", show_default=False),
]
GameMs = Annotated[
    float | None, typer.Option("--game-ms", help="Clock of a game.", show_default=False)
]
IncrementMs = Annotated[
    float | None,
    typer.Option(
        "--increment-ms", help="Added to the game's clock after a move.", show_default=False
    ),
]
LadderSeed = Annotated[
    int | None, typer.Option("--seed", help="Of deals and bots.", show_default=False)
]
Anchor = Annotated[
    str, typer.Option("--anchor", help="Bot that has 0 Elo; the mean of all if left out.")
]
