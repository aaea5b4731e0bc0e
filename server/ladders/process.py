"""The process that plays a ladder for the service.

It is a separate process, niced like its workers: games use the time that calls leave, and their
Python code does not block the server's event loop. It ends with the server, even if that is killed.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import defaultdict
from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Thread

from kingmaker.cext.errors import InputError
from kingmaker.ladder.coordinator import Ending, Progress, run_ladder
from kingmaker.ladder.errors import LadderError, StoreError
from kingmaker.ladder.executors import play_here
from kingmaker.ladder.live import LiveRating, LiveRatings
from kingmaker.ladder.progress import MAX_OLD_RESULTS, Rate
from kingmaker.ladder.race import RaceStatus
from kingmaker.ladder.results import Result
from kingmaker.ladder.sprt import SprtStatus
from kingmaker.ladder.store import Store
from kingmaker.tasks.executors import ExecutorError

NICENESS = 15  # a search in a process of its own has 5
REPORTS = {
    "worker_lost": "a worker process was lost",
    "out_of_memory": "a worker had not enough memory",
    "bot_did_not_start": "a bot did not start",
    "contract_broken": "the game breaks the engine contract",
    "error": "a game broke",
}
"""What is said of a run report, by its kind."""


@dataclass(frozen=True, slots=True)
class Job:
    """The ladder to play.

    Attributes:
        database: path or URL.
        name: of the ladder in it.
        num_workers: worker processes.
    """

    database: str
    name: str
    num_workers: int


@dataclass(frozen=True, slots=True)
class News:
    """The progress of a ladder.

    Attributes:
        num_games: stored.
        num_in_play: submitted.
        num_given_up: games that broke `MAX_ATTEMPTS` times.
        games_per_second: stored, over the last minute.
        ratings: running ones of complete mirrored groups, the strongest first.
        sprt: status of the test, if there is one.
        race: status of the race for the best bot, if there is one.
        num_reports: run reports since the process was started.
        latest_report: what kind the last of them is of, in words; empty: none.
    """

    num_games: int
    num_in_play: int
    num_given_up: int
    games_per_second: float
    ratings: tuple[LiveRating, ...]
    sprt: SprtStatus | None
    race: RaceStatus | None
    num_reports: int
    latest_report: str


Failure = InputError | LadderError | StoreError
Message = News | Ending | Failure


def play_ladder(connection: Connection, job: Job) -> None:
    """Play a ladder until it ends or SIGTERM stops it; the main function of the process.

    Args:
        connection: where `News` go, and at the end an `Ending` or a `Failure`.
        job: what to play.
    """
    Thread(target=_end_with_server, daemon=True).start()
    os.nice(NICENESS)
    last: Ending | Failure
    try:
        with (
            Store(job.database, create=False) as store,
            play_here(job.num_workers) as executor,
        ):
            last = run_ladder(store.ladder(job.name), executor, watch=_Reporter(connection))
    except (InputError, LadderError, StoreError) as error:
        last = error
    except ExecutorError as error:
        last = LadderError(str(error))
    connection.send(last)


def _end_with_server() -> None:
    """End this process at once when the server is gone; the ladder can be resumed."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
    os._exit(1)


class _Reporter:
    """Sends the progress of `run_ladder` to the server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rate = Rate()
        self._ratings = LiveRatings()
        self._groups: defaultdict[str, list[Result]] = defaultdict(list)
        self._num_reports = 0
        self._latest_report = ""

    def __call__(self, progress: Progress) -> None:
        """Send the progress."""
        for result in progress.new_results[-MAX_OLD_RESULTS:]:
            self._add(result)
        for report in progress.new_reports:
            self._num_reports += 1
            # Without its detail, which may quote what another machine has answered.
            self._latest_report = REPORTS.get(report.kind, report.kind)
        self._rate.count(progress.num_games)
        self._connection.send(
            News(
                num_games=progress.num_games,
                num_in_play=progress.num_in_play,
                num_given_up=progress.num_given_up,
                games_per_second=self._rate.per_second,
                ratings=tuple(self._ratings.standings()),
                sprt=progress.sprt,
                race=progress.race,
                num_reports=self._num_reports,
                latest_report=self._latest_report,
            )
        )

    def _add(self, result: Result) -> None:
        """Rate the games of a group when it is complete: one alone tells of the group's deal."""
        games = self._groups[result.group]
        games.append(result)
        if len(games) == len(result.bots):
            for game in self._groups.pop(result.group):
                self._ratings.add(game)
