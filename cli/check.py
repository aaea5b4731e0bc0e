"""`kingmaker check`: holds a game to the engine contract by random games."""

from __future__ import annotations

from typing import Annotated

import typer

from kingmaker.cext.words import counted
from kingmaker.search.checks import MAX_GAMES, check_game

from .inputs import GameOptions, complete_game, pairs
from .output import JsonFlag, working, write_json


def check(
    game: Annotated[
        str,
        typer.Argument(
            help="Name of the game, see `kingmaker games`.", autocompletion=complete_game
        ),
    ],
    option: GameOptions = None,
    games: Annotated[int, typer.Option(min=1, max=MAX_GAMES, help="Random games.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games.")] = 1,
    json: JsonFlag = False,
) -> None:
    """Check every position of random games; exit code 1 if there is a problem."""
    with working("checking"):
        found = check_game(game, pairs(option, "options"), games, seed)
    if json:
        problems = [problem._asdict() for problem in found.problems]
        write_json({"problems": problems, "games": found.games, "plies": found.plies})
    else:
        for problem in found.problems:
            print(problem)
        played = f"{counted(found.games, 'game')}, {counted(found.plies, 'ply', 'plies')}"
        print(f"{game}: {counted(len(found.problems), 'problem')} in {played}")
    if found.problems:
        raise typer.Exit(1)
