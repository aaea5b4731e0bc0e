"""Games in worker processes: shards of self-play, and matches between nets.

A task is a function of its values alone, and game i of a training has the same seed in whatever
task and process it is played. Workers are spawned; one task at a time is lost if they are killed.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Protocol

from kingmaker.cext.game import Game
from kingmaker.cext.net import Net
from kingmaker.cext.rng import Seed
from kingmaker.search.self_play import SelfPlay
from kingmaker.tasks.local import end_with_parent
from kingmaker.tasks.stopping import held_signals, ignore_interrupts, interrupting_sigterm

from .plan import TrainingPlan
from .positions import save_records

GAMES_PER_SHARD = 200
GROUPS_PER_TASK = 50
# First numbers of the keys of seeds, after that of the round.
PLAY, FIT, GATE = 0, 1, 2
IN_HAND_PER_WORKER = 4


@dataclass(frozen=True, slots=True)
class Shard:
    """Games of self-play to be recorded in a file.

    Attributes:
        plan: settings.
        round: number of the round, from 1.
        first: number of the first game in the round.
        count: of games.
        net: file of the latest net, which plays some seats; None: `Game.evaluate`.
        rival: file of the best net, which plays the others. All choices of seats take turns.
        path: of the shard.
    """

    plan: TrainingPlan
    round: int
    first: int
    count: int
    net: Path | None
    rival: Path | None
    path: Path

    def __call__(self) -> list[float]:
        """Play and store."""
        game = self.plan.new_game()
        match = SelfPlay(
            game,
            _net(self.net),
            _net(self.rival),
            num_worlds=self.plan.worlds,
            epsilon=self.plan.epsilon,
            share=self.plan.share,
        )
        for number in range(self.first, self.first + self.count):
            rivals = [seat for seat in range(game.num_seats) if number >> seat & 1]
            match.play(Seed(self.plan.seed, self.round, PLAY, number), rivals)
        save_records(match.records(), self.path)
        return []


@dataclass(frozen=True, slots=True)
class Match:
    """Mirrored groups of a net against another: each deal, with the net once in each seat.

    Attributes:
        plan: settings.
        round: number of the round, for the seeds.
        first: number of the first group.
        count: of groups.
        net: file of the net to judge.
        rival: file of the net in all other seats; None: `Game.evaluate`.
    """

    plan: TrainingPlan
    round: int
    first: int
    count: int
    net: Path
    rival: Path | None

    def __call__(self) -> list[float]:
        """Play; returns the net's mean win share of each group."""
        game: Game = self.plan.new_game()
        match = SelfPlay(game, _net(self.net), _net(self.rival), num_worlds=self.plan.worlds)
        seats = range(game.num_seats)
        shares = []
        for number in range(self.first, self.first + self.count):
            seed = Seed(self.plan.seed, self.round, GATE, number)
            won = [match.play(seed, [other for other in seats if other != seat]) for seat in seats]
            shares.append(sum(returns[seat] for seat, returns in enumerate(won)) / len(won))
        return shares


@cache
def _net(path: Path | None) -> Net | None:
    return None if path is None else Net.load(path)


class Task(Protocol):
    """A piece of work of a worker."""

    def __call__(self) -> list[float]:
        """Do it; returns the win shares that it found, if any."""


class Workers(Protocol):
    """Runs tasks."""

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[int, list[float]]]:
        """Run tasks; yields the index of each with its result as soon as it is done."""


class _Here:
    """This process: no start of another takes longer than the work of a few games."""

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[int, list[float]]]:
        for index, task in enumerate(tasks):
            yield index, task()


class _Processes:
    def __init__(self, executor: ProcessPoolExecutor, num_workers: int) -> None:
        self._executor = executor
        self._in_hand = IN_HAND_PER_WORKER * num_workers

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[int, list[float]]]:
        waiting = iter(enumerate(tasks))
        running: dict[Future[list[float]], int] = {}
        while True:
            for index, task in islice(waiting, self._in_hand - len(running)):
                with held_signals():  # it may start a process
                    running[self._executor.submit(task)] = index
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), future.result()


@contextmanager
def workers(count: int) -> Iterator[Workers]:
    """Start worker processes; a count of 1 is this process itself.

    When the block is left by an exception, they are killed in the midst of their tasks. Meanwhile
    SIGTERM is a KeyboardInterrupt, as Ctrl-C is, in the main thread.
    """
    if count == 1:
        yield _Here()
        return
    executor = ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker
    )
    try:
        with interrupting_sigterm():
            yield _Processes(executor, count)
    except BaseException:
        for process in list(executor._processes.values()):
            process.kill()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    ignore_interrupts()
    Thread(target=end_with_parent, daemon=True).start()
