"""`kingmaker games`: the installed games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.markup import escape

from kingmaker.cext.game import Game
from kingmaker.search.games import game_type, game_types
from kingmaker.search.registry import ENGINES, EngineInfo, default_engine

from .fitted_table import FittedTable
from .inputs import complete_game
from .output import JsonFlag, out, write_json


def games(
    name: Annotated[
        str, typer.Argument(help="Show one game in detail.", autocompletion=complete_game)
    ] = "",
    json: JsonFlag = False,
) -> None:
    """List the games, or show the options, seats and notation of one."""
    if name:
        _show_game(game_type(name), json)
    else:
        _list_games(json)


def _list_games(json: bool) -> None:
    if json:
        write_json([_summary(game) for game in game_types().values()])
        return
    out().print(
        FittedTable(
            ["name", "title", "tag", "seats", "hidden", "options"],
            (
                (
                    name,
                    game.title,
                    game.tag,
                    _seats(game),
                    "yes" if game.is_hidden else "no",
                    ", ".join(game.option_help),
                )
                for name, game in game_types().items()
            ),
        )
    )


def _show_game(game: type[Game], json: bool) -> None:
    if json:
        write_json(
            {
                **_summary(game),
                "options": dict(game.option_help),
                "notation_help": game.notation_help,
                "engines": {name: engine.summary for name, engine in _engines(game).items()},
                "engine_options": {
                    name: engine.option_help for name, engine in _engines(game).items()
                },
            }
        )
        return
    console = out()
    console.print(f"[bold]{escape(game.title)}[/bold] ({game.name}, tag {game.tag})")
    console.print(f"seats: {_seats(game)}; hidden information: {'yes' if game.is_hidden else 'no'}")
    if game.option_help:
        console.print("\n[bold]options[/bold]")
        console.print(FittedTable(["", ""], game.option_help.items()))
    console.print("\n[bold]notation[/bold]")
    console.print(escape(game.notation_help))
    console.print("\n[bold]engines[/bold]")
    console.print(FittedTable(["", ""], _engine_rows(game)))


def _summary(game: type[Game]) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "tag": game.tag,
        "rules_version": game.rules_version,
        "seat_counts": list(game.seat_counts),
        "is_hidden": game.is_hidden,
    }


def _seats(game: type[Game]) -> str:
    return ", ".join(map(str, game.seat_counts))


def _engine_rows(game: type[Game]) -> Iterator[tuple[str, str]]:
    """Yield each engine, and below it its options."""
    for rank, (name, engine) in enumerate(_engines(game).items()):
        yield name, engine.summary + ("" if rank else " (default)")
        for option, text in engine.option_help.items():
            yield f"  {option}", text


def _engines(game: type[Game]) -> dict[str, EngineInfo]:
    """Return the engines that can search the game, its default first."""
    default = default_engine(game())
    return {default: ENGINES[default]} | {
        name: engine
        for name, engine in ENGINES.items()
        if engine.takes_hidden or not game.is_hidden
    }
