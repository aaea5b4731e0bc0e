"""Tables of `kingmaker ladder`: ladders, games, and the standings of one ladder."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from kingmaker.cext.words import counted
from kingmaker.ladder.words import duration_text, elo_text, interval_text

from .fitted_table import FittedTable
from .output import percent

if TYPE_CHECKING:
    from kingmaker.ladder.games import Overview
    from kingmaker.ladder.store import GameSummary
    from kingmaker.ladder.summary import Summary
    from kingmaker.ladder.tuning import Tuned
    from kingmaker.ladder.variance import VarianceSaved

ID_LENGTH = 8  # digits shown of a game's id
NUM_TRIALS = 5  # shown of a tuning, those with the best results


def ladders_table(ladders: Iterable[Overview]) -> FittedTable:
    """Lay out the list of ladders."""
    return FittedTable(
        ["name", "state", "game", ">games", "of", "bots"],
        (
            (
                each.name,
                each.state.value,
                each.game,
                str(each.num_games),
                "" if each.total_games is None else str(each.total_games),
                ", ".join(each.bots),
            )
            for each in ladders
        ),
    )


def game_json(game: GameSummary) -> dict[str, Any]:
    """Return a game of the list as plain data."""
    return {
        "id": game.task.id,
        "group": game.task.group,
        "rotation": game.task.rotation,
        "bots": [bot.name for bot in game.task.bots],
        "returns": game.returns,
        "cause": game.cause.value,
        "culprit": game.culprit,
        "detail": game.detail,
        "num_plies": game.num_plies,
        "thinking_ms": game.thinking_ms,
        "wall_ms": game.wall_ms,
        "finished_at": game.finished_at,
    }


def games_table(games: Iterable[GameSummary]) -> FittedTable:
    """Lay games out: the bots by seat with their shares of the win."""
    return FittedTable(
        ["id", "group", "bots by seat", "ended", ">plies", ">time", ""],
        (
            (
                game.task.id[:ID_LENGTH],
                f"{game.task.group}.{game.task.rotation}",
                ", ".join(
                    f"{bot.name} {share:.3g}"
                    for bot, share in zip(game.task.bots, game.returns, strict=True)
                ),
                game.cause.value,
                str(game.num_plies),
                duration_text(game.wall_ms / 1000),
                game.detail,
            )
            for game in games
        ),
    )


def shown(summary: Summary) -> RenderableType:
    """Draw the standings and remarks of a ladder."""
    # Imported here so that lists do not wait for what plays ladders.
    from kingmaker.ladder.progress import race_text, sprt_text

    parts: list[RenderableType] = [Text(_head(summary))]
    if summary.test:
        parts.append(Text(sprt_text(summary.test[-1])))
        parts.append(Text(hypotheses_text(summary)))
    if summary.race:
        error = summary.plan["best"]["error"]
        parts.append(Text(f"{race_text(summary.race)} (confidence {percent(1 - error)})"))
    if summary.standings.ratings:
        parts.append(_standings(summary))
    parts += map(Text, _remarks(summary))
    return Group(*parts)


def tuned(found: Tuned) -> RenderableType:
    """Draw the result of a tuning: its best variants in the exploration, and the last match."""
    best = sorted(found.trials, key=lambda trial: -trial.share)[:NUM_TRIALS]
    trials = FittedTable(
        ["variant", "spec", ">won", ">groups"],
        ((each.name, each.spec, percent(each.share), str(each.groups)) for each in best),
    )
    games = counted(found.num_games, "game")
    if found.pick is None:
        return Group(trials, Text(f"nothing better than the default was found in {games}"))
    interval = interval_text(found.low, found.high)
    return Group(
        trials,
        Text(f"the pick after {games}: {found.pick.spec}"),
        Text(f"{elo_text(found.elo)} Elo over the default ({interval}) in a match of its own"),
    )


def hypotheses_text(summary: Summary) -> str:
    """Describe the hypotheses of a test, and what else one needs to repeat it."""
    plan, made = summary.plan, summary.made_by
    test = plan["sprt"]
    first, second = (bot["name"] for bot in plan["bots"])
    seed = f", seed {plan['seed']}" if "seed" in plan else ""
    return (
        f"elo0: {first} is {test['elo0']:g} Elo better than {second}; elo1: {test['elo1']:g}; "
        f"alpha {test['alpha']:g}, beta {test['beta']:g}; mirrored groups{seed}; "
        f"kingmaker {made['kingmaker']}"
    )


def start_text(plan: dict[str, Any]) -> str:
    """Describe where the groups of a plan start; "" if at the start of the game."""
    if plan["book"]:
        return f"{counted(len(plan['book']), 'position')} of a book"
    return f"{counted(plan['openings'], 'random move')} in each group" if plan["openings"] else ""


def _head(summary: Summary) -> str:
    total = summary.total_games
    games = counted(summary.num_games if total is None else total, "game")
    of = "" if total is None else f"{summary.num_games} of "
    return (
        f"{summary.name} ({summary.state}): {summary.game}, {of}{games}, "
        f"{counted(summary.num_groups, 'complete group')}"
    )


def _standings(summary: Summary) -> FittedTable:
    return FittedTable(
        ["bot", ">Elo", ">95 %", ">won", ">games"],
        (
            (
                each.bot,
                elo_text(each.elo),
                interval_text(each.low, each.high),
                percent(each.share),
                str(each.games),
            )
            for each in summary.standings.ratings
        ),
    )


def saved_words(saved: VarianceSaved) -> str:
    """Say how much variance mirrored deals save, or that it can't be told."""
    if math.isnan(saved.saved_error):
        return "too few groups to tell how much variance they save"
    change = "reduced" if saved.saved >= 0 else "increased"
    return f"variance {change} by {percent(abs(saved.saved))} ± {100 * saved.saved_error:.1f}"


def _remarks(summary: Summary) -> Iterator[str]:
    """Yield a line each on seats, variance, causes of game ends and games played again."""
    if summary.seats:
        seats = ", ".join(f"p{each.seat} {percent(each.share)}" for each in summary.seats)
        yield f"seats: {seats}"
    if summary.variance.num_groups and summary.has_deals:
        yield f"mirrored deals: {saved_words(summary.variance)}"
    if summary.num_repeats:
        repeats = counted(summary.num_repeats, "complete group")
        yield f"repeated: {repeats} had the same games as an earlier one and did not count again"
    if summary.num_games:
        causes = ", ".join(f"{count} {cause}" for cause, count in summary.causes.items())
        yield f"ended: {causes}; overhead beside the bots' thinking: {percent(summary.overhead)}"
    if summary.run_reports:
        kinds = ", ".join(f"{count} {kind}" for kind, count in summary.run_reports.items())
        yield f"played again: {kinds}"
    if start := start_text(summary.plan):
        yield f"start: {start}"
    yield from (f"caution: {each}" for each in summary.cautions)
