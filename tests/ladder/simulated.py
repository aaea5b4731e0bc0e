"""Ladders that nobody played: results are drawn by the strength of the bots."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from kingmaker.ladder.model import Cause, GameTask
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.store import GameSummary

STEP = 100  # Elo between neighbours


def simulated_plan(num_bots: int = 3, num_groups: int = 30, **fields: Any) -> LadderPlan:
    """Bots `b0` (the weakest) to `b9`; the anchor is `b0`."""
    bots = [f"b{i}=random" for i in range(num_bots)]
    given = {"game": "tic_tac_toe", "bots": bots, "num_groups": num_groups, "anchor": "b0"}
    return LadderPlan.of(**(given | fields))


def simulated_games(plan: LadderPlan, seed: int = 1) -> list[GameSummary]:
    """All games of a plan with an end."""
    rng = random.Random(seed)
    schedule = plan.schedule()
    tasks = [
        task for i in range(schedule.num_groups or 0) for task in plan.tasks(schedule.group(i))
    ]
    return [_game(number, task, rng) for number, task in enumerate(tasks, 1)]


def crashed(game: GameSummary, seat: int) -> GameSummary:
    """The same game, lost by the bot of a seat through its own fault."""
    num_seats = len(game.returns)
    return replace(
        game,
        returns=tuple(0.0 if i == seat else 1 / (num_seats - 1) for i in range(1, num_seats + 1)),
        cause=Cause.CRASHED,
        culprit=seat,
        detail="ValueError: <oops>",
    )


def _game(number: int, task: GameTask, rng: random.Random) -> GameSummary:
    seats = range(len(task.bots))
    strengths = [10 ** (bot_number(bot.name) * STEP / 400) for bot in task.bots]
    winner = rng.choices(seats, strengths)[0]
    return GameSummary(
        number=number,
        task=task,
        returns=tuple(float(seat == winner) for seat in seats),
        cause=Cause.FINISHED,
        culprit=0,
        detail="",
        num_plies=rng.randint(5, 9),
        thinking_ms=tuple(9.0 for _ in seats),
        wall_ms=10.0 * len(task.bots),
        finished_at=f"2026-01-02T03:{number // 60:02}:{number % 60:02}+00:00",
    )


def bot_number(name: str) -> int:
    """Read the number off the name."""
    return int(name[1]) if name[1:2].isdigit() else 0
