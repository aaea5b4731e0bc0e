"""An executor that plays in this process, in an order of the test's choice, and scripted games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kingmaker.ladder.executors import Outcome, Play, Suspicion
from kingmaker.ladder.model import Cause, GameRecord, GameTask, MoveRecord
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import play
from kingmaker.ladder.results import Result
from kingmaker.ladder.store import Ladder
from kingmaker.tasks.model import RunReport

Choose = Callable[[list[GameTask]], int]


def oldest(waiting: list[GameTask]) -> int:
    return 0


def any_of() -> Choose:
    """Choose games in a random order."""
    rng = random.Random(5)
    return lambda waiting: rng.randrange(len(waiting))


@dataclass
class FakeExecutor:
    """Plays in this process, one game at a time, when it is asked for outcomes.

    Attributes:
        play: plays a game; what it raises becomes a run report.
        choose: which of the waiting games is next; -1: none.
        capacity: how many games it wants in hand.
        played: the games, in order.
    """

    play: Callable[[GameTask], GameRecord | RunReport] = play
    choose: Choose = oldest
    capacity: int = 4
    waiting: list[GameTask] = field(default_factory=list)
    played: list[GameTask] = field(default_factory=list)

    def submit(self, task: GameTask) -> None:
        self.waiting.append(task)

    def completed(self, timeout_seconds: float) -> list[Outcome]:
        place = self.choose(self.waiting) if self.waiting else -1
        if place < 0:
            return []
        task = self.waiting.pop(place)
        self.played.append(task)
        try:
            return [self.play(task)]
        except Lost as lost:
            return [lost.suspicion]
        except RuntimeError as error:
            return [RunReport(task.id, "error", str(error), "2026-01-02T03:04:05Z")]

    def cancel(self) -> None:
        self.waiting.clear()

    def close(self) -> None:
        self.cancel()


def plan(**values: Any) -> LadderPlan:
    bots = ["a=random", "b=random", "c=random"]
    given = {"game": "tic_tac_toe", "bots": bots, "num_groups": 9, "openings": 0}
    return LadderPlan.of(**(given | values))


def won_by(*names: str) -> Play:
    """Games that are won by the first of these bots that plays."""

    def win(task: GameTask) -> GameRecord:
        bots = [bot.name for bot in task.bots]
        winner = next(name for name in names if name in bots)
        returns = tuple(float(bot == winner) for bot in bots)
        moves = (MoveRecord(1, f"as in group {task.group}", 0.0),)  # no group repeats another
        return GameRecord(
            task, moves, "", returns, Cause.FINISHED, 0, "", (0.0, 0.0), 0.0, "2026-01-02T03:04:05Z"
        )

    return win


def breaking(number: int, play: Play, *, only: str = "") -> Play:
    """Games that break the first `number` times; `only` those of this group."""
    breaks = Counter[str]()

    def break_first(task: GameTask) -> GameRecord:
        if task.group == (only or task.group) and breaks[task.id] < number:
            breaks[task.id] += 1
            raise RuntimeError(f"break {breaks[task.id]}")
        return play(task)

    return break_first


def results_of(ladder: Ladder) -> list[Result]:
    return [Result.of(record) for record in ladder.records()]


class Lost(Exception):
    def __init__(self, suspicion: Suspicion) -> None:
        super().__init__()
        self.suspicion = suspicion
