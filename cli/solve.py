"""`kingmaker solve`: the value of a position, proven as far as it can be, or an equilibrium."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from enum import Enum
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.markup import escape

from kingmaker.cext.errors import InputError, check_range
from kingmaker.cext.words import counted
from kingmaker.search.analysis import (
    MAX_MEMORY_BYTES,
    MAX_MILLISECONDS,
    MEGABYTE,
    Bound,
    StopReason,
)
from kingmaker.search.expectimax import MAX_DEPTH
from kingmaker.search.lines import read_either
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.solution import Equilibrium, Limits, Solution, SolvedMove
from kingmaker.search.solver import Solver, method_of

from .fitted_table import FittedTable
from .inputs import complete_game, pairs
from .output import JsonFlag, complain, out, percent, write_json
from .watch import watch

DEFAULT_SECONDS = 60.0
MIN_SECONDS = 1e-6


def solve(
    game: Annotated[
        str,
        typer.Argument(
            help="Name of the game, see `kingmaker games`.", autocompletion=complete_game
        ),
    ],
    position: Annotated[
        str,
        typer.Argument(help="A position or observation line; - reads it from standard input."),
    ] = "new",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="KEY=VALUE", help="Option of a new game."),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method", help="exact, limited or equilibrium; default: the one that suits the game."
        ),
    ] = "",
    depth: Annotated[
        int | None, typer.Option("--depth", help="Plies to search (limited).", show_default=False)
    ] = None,
    time: Annotated[
        float, typer.Option("--time", metavar="SECONDS", help="Time limit.")
    ] = DEFAULT_SECONDS,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Limit of positions visited.", show_default=False)
    ] = None,
    memory: Annotated[
        int,
        typer.Option("--memory", metavar="MIB", help="Memory limit of tables and trees."),
    ] = 256,
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            help="Exploitability that is good enough, in win shares (equilibrium; 0.0001).",
            show_default=False,
        ),
    ] = None,
    policy: Annotated[
        bool, typer.Option("--policy", help="Print the policy of every information set, too.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Solve a position with all its hands open, or a small game with hidden hands.

    POSITION is a line, or "new" for the start. Ctrl-C stops and shows the result so far.
    """
    subject = _read_subject(game, position, pairs(option, "options"))
    check_range("--time", time, MIN_SECONDS, MAX_MILLISECONDS / 1000)
    check_range("--memory", memory, 1, MAX_MEMORY_BYTES // MEGABYTE)
    check_range("--depth", depth, 1, MAX_DEPTH)
    limits = Limits(time * 1000, nodes, memory * MEGABYTE)
    try:
        solver = Solver(
            subject,
            limits,
            method=method_of(method),
            depth=depth,
            target=target,
            include_policy=policy,
        )
    except InputError as error:
        error.args = (str(error).replace("include_policy", "--policy"),)
        raise
    solution = watch(solver, _drawn)
    if solution.open_hands:
        complain("these are values of play with all hands open", kind="warning")
    if json:
        write_json(solution_json(subject, solution))
        return
    console = out()
    console.print(_drawn(solution))
    if solution.equilibrium is not None and policy:
        console.print(_policies_table(solution.equilibrium))
        if solution.stop_reason is StopReason.CANCELLED:
            complain("the solver was stopped before it had policies to list", kind="note")
        if solution.equilibrium.is_cut:
            complain("the list is cut; there are more information sets", kind="note")


def verdict(solution: Solution) -> str:
    """Format the value, and whether it is proven, bounded or estimated."""
    values = solution.values
    if not values:
        return "no value yet"
    shown = ", ".join(f"p{seat} {percent(value)}" for seat, value in enumerate(values, start=1))
    if solution.bound is Bound.EXACT:
        winner = next((seat for seat, value in enumerate(values, start=1) if value >= 1), None)
        return f"proven: p{winner} wins" if winner else f"proven: {shown}"
    if solution.bound is Bound.LOWER:
        return f"proven: at least {percent(values[0])} for p1"
    if solution.bound is Bound.UPPER:
        return f"proven: at most {percent(values[0])} for p1"
    if solution.equilibrium is not None:
        return f"{shown} in equilibrium at {solution.equilibrium.root}"
    return f"estimated: {shown}"


def solution_json(subject: Position | Observation, solution: Solution) -> dict[str, Any]:
    """Return a solution as plain data."""
    return {"game": subject.game.name, "subject": subject.text, **_plain(asdict(solution))}


def _read_subject(game: str, line: str, options: dict[str, str]) -> Position | Observation:
    if line == "-":
        line = sys.stdin.readline()
    line = line.strip()
    if line == "new":
        return new_game(game, options)
    if options:
        name, value = next(iter(options.items()))
        raise InputError(
            "--option is for a new game; a position line names its own options",
            field=f"options.{name}",
            value=value,
        )
    return read_either(game, line)


def _drawn(solution: Solution) -> Group:
    tables = [_moves_table(solution)] if solution.moves else []
    return Group(escape(verdict(solution)), *tables, _summary(solution))


def _moves_table(solution: Solution) -> FittedTable:
    if solution.equilibrium is not None:
        rows: Iterable[tuple[str, ...]] = (
            (move.move, percent(move.probability)) for move in solution.moves
        )
        return FittedTable(["move", ">played"], rows)
    wins = [f">p{seat} wins" for seat in range(1, len(solution.values) + 1)]
    return FittedTable(["move", *wins, "", "best line"], map(_move_row, solution.moves))


def _move_row(move: SolvedMove) -> tuple[str, ...]:
    bound = move.bound.value if move.bound else ""
    return (move.move, *map(percent, move.values), bound, " ".join(move.line))


def _policies_table(equilibrium: Equilibrium) -> FittedTable:
    rows = (
        (
            f"p{each.seat}",
            each.observation,
            percent(each.reach),
            "  ".join(
                f"{move} {percent(share)}"
                for move, share in zip(each.moves, each.policy, strict=True)
            ),
        )
        for each in equilibrium.policies
    )
    return FittedTable(["seat", "observation", ">reached", "policy"], rows)


def _summary(solution: Solution) -> str:
    ended = f"ended by {solution.stop_reason.value}" if solution.stop_reason else "running"
    return (
        f"{_work(solution)}, {counted(solution.nodes, 'node')}, {solution.seconds:.2f} s, {ended}"
    )


def _work(solution: Solution) -> str:
    equilibrium = solution.equilibrium
    if equilibrium is None:
        return f"{solution.method.value}: depth {solution.depth}"
    if equilibrium.exploitability is None:
        exploitability = "exploitability not measured yet"
    else:
        exploitability = f"exploitability {equilibrium.exploitability:.2g} of a win"
    return (
        f"equilibrium: {exploitability}, {counted(equilibrium.iterations, 'iteration')}, "
        f"{counted(equilibrium.num_information_sets, 'information set')}, "
        f"{counted(equilibrium.num_histories, 'history', 'histories')}"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.value if isinstance(value, Enum) else value
