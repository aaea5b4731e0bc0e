"""Bots that do as told, and tasks for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from kingmaker.cext.game import Game
from kingmaker.ladder.bots import StartBot
from kingmaker.ladder.deals import mirrored_tasks
from kingmaker.ladder.model import Bot, GameTask, TimeControl
from kingmaker.search.position import Observation, new_game

Choose = Callable[[Observation], str]


@dataclass
class FakeBot:
    """Chooses as it is told, and notes what it was asked."""

    choose: Choose
    clocks: list[float | None] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    is_closed: bool = False

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> str:
        assert not self.is_closed
        self.clocks.append(left_ms)
        self.seeds.append(seed)
        return self.choose(observation)

    def close(self) -> None:
        self.is_closed = True


def first(observation: Observation) -> str:
    """Play the first legal move."""
    return observation.legal_moves()[0]


def chooser(seed: int) -> Choose:
    """Play random moves."""
    choice = random.Random(seed)
    return lambda observation: choice.choice(observation.legal_moves())


def starter(bots: Sequence[FakeBot]) -> StartBot:
    """Give these bots out in the order of the seats."""
    left = list(bots)

    def start(bot: Bot, game: Game) -> FakeBot:
        return left.pop(0)

    return start


def task_of(
    name: str,
    *specs: str,
    clock: TimeControl | None = None,
    max_plies: int = 5000,
    **options: str,
) -> GameTask:
    """A game of random bots, or of those that are given."""
    game = new_game(name, options).game
    chosen = specs or ("random",) * game.num_seats
    bots = [Bot(f"bot {seat}", spec) for seat, spec in enumerate(chosen, 1)]
    tasks = mirrored_tasks(
        game,
        options,
        bots,
        group="g1",
        deal_seed=11,
        seed=12,
        clock=clock or TimeControl(),
        max_plies=max_plies,
    )
    return tasks[0]


def timeless(record: object) -> object:
    """A record, or part of one, without what the clock says."""
    return replace(
        record,  # type: ignore[type-var]
        moves=[(move.seat, move.token) for move in record.moves],  # type: ignore[attr-defined]
        thinking_ms=(),
        wall_ms=0.0,
        finished_at="",
    )
