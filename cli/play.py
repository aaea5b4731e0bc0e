"""`kingmaker play`: a game at the terminal against bots."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from kingmaker.cext.errors import InputError, check_range
from kingmaker.search.analysis import MAX_MILLISECONDS, MIN_MILLISECONDS
from kingmaker.search.draws import MAX_SEED
from kingmaker.search.games import game_type
from kingmaker.search.levels import LEVELS

from .backend import Backend, LocalBackend
from .inputs import GameOptions, Seed, complete_game, pairs
from .match import Match
from .output import JsonFlag, err
from .saved_games import SavedGame, check_writable, unfinished_game
from .screen import JsonScreen, TextScreen

DEFAULT_SEAT, DEFAULT_LEVEL = 1, 5


def play(
    game: Annotated[
        str,
        typer.Argument(
            help="Name of the game, see `kingmaker games`.", autocompletion=complete_game
        ),
    ] = "",
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat", help="Your seat, 1..n; 0: watch the bots; default: 1.", show_default=False
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level", help="Strength of the bots, 1 to 10; default: 5.", show_default=False
        ),
    ] = None,
    option: GameOptions = None,
    seed: Seed = None,
    budget_ms: Annotated[
        float, typer.Option("--budget-ms", help="Search time of a bot's move and of a hint.")
    ] = 500.0,
    server: Annotated[
        str,
        typer.Option(
            "--server",
            metavar="HOST[:PORT]",
            help="Let a server deal, apply rules and play bots; port 50051 by default.",
        ),
    ] = "",
    save: Annotated[
        str,
        typer.Option(
            "--save", metavar="FILE", help="Append the game, for `review` and for --resume."
        ),
    ] = "",
    resume: Annotated[
        str,
        typer.Option("--resume", metavar="FILE", help="Play the last unfinished game of a file."),
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Play a game against bots; with --json one JSON object per event is written."""
    check_range("--budget-ms", budget_ms, MIN_MILLISECONDS, MAX_MILLISECONDS)
    check_range("--level", level, LEVELS[0], LEVELS[-1])
    if resume:
        _refuse_with_resume(game=game, seat=seat, option=option, seed=seed)
        saved = unfinished_game(resume)
        saved.level = saved.level if level is None else level
    else:
        if not game:
            raise InputError("name a game, see `kingmaker games`", field="game")
        saved = SavedGame(
            game=game,
            options=pairs(option, "options"),
            seed=secrets.randbits(63) if seed is None else seed,
            seat=DEFAULT_SEAT if seat is None else seat,
            level=DEFAULT_LEVEL if level is None else level,
        )
    _check(saved)
    backend = _backend(server, budget_ms, saved)
    screen = JsonScreen() if json else TextScreen()
    match = Match(backend, backend.start(saved.game, saved.options), saved, screen)
    if save:
        check_writable(save)
        saved.file = save
    if not json:
        words = (
            f"seed {saved.seed}, bots of level {saved.level}; type help for the list of commands"
        )
        err().print(words)
    try:
        match.run()
    finally:
        match.leave(server)


def _refuse_with_resume(**given: object) -> None:
    """Refuse what the file of an unfinished game says."""
    for name, value in given.items():
        if value not in (None, ""):
            raise InputError(f"the file to --resume says the {name}; leave it out", field=name)


def _check(game: SavedGame) -> None:
    game_type(game.game)  # boards are drawn in this process even with a server
    for name, value, lowest, highest in (
        ("level", game.level, LEVELS[0], LEVELS[-1]),
        ("seed", game.seed, 0, MAX_SEED),
    ):
        if not lowest <= value <= highest:
            raise InputError(
                f"{name} is {value}; it must be {lowest} to {highest}", field=name, value=str(value)
            )


def _backend(server: str, budget_ms: float, game: SavedGame) -> Backend:
    """Return where the game runs; a game that goes on has other searches than at its start."""
    bots_seed = game.seed + len(game.moves)
    if not server:
        return LocalBackend(budget_ms, game.seed, bots_seed)
    from .remote import RemoteBackend  # gRPC, without which a game here starts sooner

    return RemoteBackend(server, budget_ms, game.seed, bots_seed)
