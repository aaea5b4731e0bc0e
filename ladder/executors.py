"""Where games are played: processes of this machine, or the workers of a Dask cluster.

An executor takes tasks and returns the outcome of each, in the order of completion: a record, or a
run report if the infrastructure failed. It never repeats a game; that is up to the coordinator,
which keeps the ledger.

Local workers are spawned processes, each with a pipe and a thread of its own that waits for it: a
worker that is killed costs only its current game, is noticed at once (the pipe ends), and
is replaced. Python's own pool and loky, which is built like it, lose all their games when one
process dies, as their workers share their queues.

A bot inside a worker may block it for ever, or crash it. The worker's thread reads from the journal
whose decision it was. A bot that has not answered `HANG_SECONDS` after the end of its clock has
lost, and the worker is killed. A bot whose decision it was when the worker died is only suspected:
the cause may be another.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Any, Protocol, Self

from kingmaker.cext.errors import InputError

from .bots import InfrastructureError
from .journal import JOURNAL, Journal, OpenDecision
from .model import Cause, GameRecord, GameTask, RunReport
from .pauses import HEARTBEAT
from .play import broken_off, play

CONNECT_SECONDS = 15
CONTEXT = multiprocessing.get_context("spawn")
IN_HAND_PER_WORKER = 4  # one in play, and some to play while games are being stored
MAX_IN_HAND_PER_WORKER = 64  # limit for games that are played faster than the disk stores them
WATCH_SECONDS = 1.0  # interval of the check for bots that hang
HANG_SECONDS = 5.0  # beyond its clock; an answer within them is judged by the worker
# Signals that end a process from outside: by a person, or by Linux when memory runs out.
KILLS = {
    getattr(signal, name)
    for name in ("SIGHUP", "SIGINT", "SIGKILL", "SIGQUIT", "SIGTERM")
    if hasattr(signal, name)
}


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The loss of a worker during a bot's decision, through chance, the machine or the bot.

    Attributes:
        report: of the fault.
        record: the game, if the bot is to blame.
        has_crashed: whether the worker ended itself; otherwise it was killed.
    """

    report: RunReport
    record: GameRecord
    has_crashed: bool


Play = Callable[[GameTask], GameRecord]
Outcome = GameRecord | RunReport | Suspicion


class ExecutorError(Exception):
    """The executor can't play games."""


class Executor(Protocol):
    """Plays games; for use by one thread. A context manager that closes itself."""

    @property
    def capacity(self) -> int:
        """Number of games to have in hand: those in play, and some in reserve."""

    def submit(self, task: GameTask) -> None:
        """Queue a game."""

    def completed(self, timeout_seconds: float) -> list[Outcome]:
        """Wait for outcomes; each is returned once.

        Returns:
            All outcomes so far; none at the end of the time, or sometimes earlier.
        """

    def cancel(self) -> None:
        """Drop all games in hand; they have no outcomes."""

    def close(self) -> None:
        """Drop all games and end all workers started here."""


class _Outcomes:
    """Queue of outcomes, from the threads to the caller, valid up to the next `cancel`."""

    def __init__(self) -> None:
        self.round = 0
        self._queue: SimpleQueue[tuple[int, Outcome]] = SimpleQueue()

    def put(self, round_: int, outcome: Outcome) -> None:
        """Add the outcome of a game that was submitted in a round."""
        self._queue.put((round_, outcome))

    def take(self, timeout_seconds: float) -> list[Outcome]:
        """Wait for one outcome, and take all of this round."""
        found = []
        try:
            found.append(self._queue.get(timeout=timeout_seconds))
            while True:
                found.append(self._queue.get_nowait())
        except Empty:
            return [outcome for round_, outcome in found if round_ == self.round]


class _Closing(ABC):
    """A context manager that closes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """End all."""


class LocalExecutor(_Closing):
    """Spawned processes of this machine.

    Args:
        num_workers: processes; None: one for each core that this process may use.
        play: plays a game; a function that a process finds by its name.

    Raises:
        InputError: `num_workers` is below 1.
    """

    def __init__(self, num_workers: int | None = None, *, play: Play = play) -> None:
        num_workers = num_cores() if num_workers is None else num_workers
        if num_workers < 1:
            raise InputError(
                f"num_workers is {num_workers}; give 1 or more",
                field="num_workers",
                value=str(num_workers),
            )
        self._outcomes = _Outcomes()
        self._tasks: SimpleQueue[tuple[int, GameTask] | None] = SimpleQueue()
        self._in_hand_per_worker = IN_HAND_PER_WORKER
        self._workers = [_Worker(self._tasks, self._outcomes, play) for _ in range(num_workers)]
        for worker in self._workers:
            worker.start()

    @property
    def capacity(self) -> int:
        """Number of games to have in hand."""
        return len(self._workers) * self._in_hand_per_worker

    def submit(self, task: GameTask) -> None:
        """Queue a game for the first free worker."""
        self._tasks.put((self._outcomes.round, task))

    def completed(self, timeout_seconds: float) -> list[Outcome]:
        """Wait for outcomes."""
        outcomes = self._outcomes.take(timeout_seconds)
        if len(outcomes) > self.capacity / 2:  # games that ended while the last ones were stored
            self._in_hand_per_worker = min(2 * self._in_hand_per_worker, MAX_IN_HAND_PER_WORKER)
        return outcomes

    def cancel(self) -> None:
        """Kill the workers that are playing, and replace them."""
        self._outcomes.round += 1
        for worker in self._workers:
            worker.cancel()

    def close(self) -> None:
        """Kill all workers."""
        self.cancel()
        for _ in self._workers:
            self._tasks.put(None)
        for worker in self._workers:
            worker.join()


class _Worker(Thread):
    """A process that plays one game at a time, and the thread that waits for it.

    The process is started for its first game, so that each failure to start is the run report of a
    game.

    Args:
        tasks: queue of games; None ends the thread.
        outcomes: queue of their outcomes.
        play: plays a game.
    """

    def __init__(
        self,
        tasks: SimpleQueue[tuple[int, GameTask] | None],
        outcomes: _Outcomes,
        play: Play,
    ) -> None:
        super().__init__(daemon=True)
        self._tasks = tasks
        self._outcomes = outcomes
        self._play = play
        self._journal = Journal(CONTEXT)
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._lock = Lock()  # of the next two
        self._is_playing = False
        self._is_cancelled = False

    def run(self) -> None:
        """Play games until None comes from the queue."""
        while (item := self._tasks.get()) is not None:
            round_, task = item
            with self._lock:
                self._is_playing = round_ == self._outcomes.round
            if self._is_playing:
                self._outcomes.put(round_, self._outcome(task))
        self._bury()

    def cancel(self) -> None:
        """Abort the current game, if any; called by another thread."""
        with self._lock:
            if self._is_playing:
                self._is_cancelled = True
                if self._process is not None:
                    self._process.kill()

    def _outcome(self, task: GameTask) -> Outcome:
        self._journal.begin()
        try:
            connection = self._connection or self._start()
            connection.send(task)
            outcome = self._wait(connection, task)
        except (EOFError, OSError):
            outcome = self._loss(task)
        with self._lock:
            self._is_playing = False
            if self._is_cancelled:  # the process may have finished the game, but it is killed
                self._is_cancelled = False
                self._bury()
        return outcome

    def _wait(self, connection: Connection, task: GameTask) -> Outcome:
        """Wait for the end of a game, or until a bot hangs.

        A bot whose process is stopped does not hang. When this process was stopped too, as all of
        a terminal are by Ctrl-Z, its pauses are not the bot's time.
        """
        HEARTBEAT.start()
        while not connection.poll(WATCH_SECONDS):
            decision = self._journal.open_decision
            if decision is None:
                continue
            paused = HEARTBEAT.paused_seconds(decision.began)
            if monotonic() > decision.deadline + HANG_SECONDS + paused:
                if self._stands_still():
                    self._kill()
                    return _report(task, "paused", "its worker was stopped")
                return self._forfeit(task, decision)
        outcome: Outcome = connection.recv()
        return outcome

    def _forfeit(self, task: GameTask, decision: OpenDecision) -> Outcome:
        """Kill the process in which a bot hangs; the bot loses the game."""
        report = _report(task, "worker_lost", f"p{decision.seat} hung, and its worker was killed")
        self._kill()
        seconds = decision.deadline - decision.began
        detail = f"p{decision.seat} had {seconds:.3f} s and never answered; its worker was killed"
        return self._broken_off(task, decision, Cause.TIMED_OUT, detail) or report

    def _loss(self, task: GameTask) -> Outcome:
        """Report a process that is gone, and the bot it was waiting for."""
        exit_code = self._bury()
        ending = _ending(exit_code)
        report = _report(task, "worker_lost", f"its worker {ending}")
        decision = self._journal.open_decision
        if exit_code is None or decision is None:
            return report
        detail = (
            f"its worker {ending} during a decision of p{decision.seat}, not for the first time"
        )
        record = self._broken_off(task, decision, Cause.CRASHED, detail)
        return report if record is None else Suspicion(report, record, -exit_code not in KILLS)

    def _broken_off(
        self, task: GameTask, decision: OpenDecision, cause: Cause, detail: str
    ) -> GameRecord | None:
        """Return the game that a bot lost with its worker; None if the journal is incomplete."""
        moves = self._journal.moves
        if moves is None:
            return None
        last_ms = (monotonic() - decision.began) * 1000
        with suppress(InfrastructureError, InputError):
            return broken_off(task, moves, cause, decision.seat, detail, last_ms)
        return None

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._bury()

    def _stands_still(self) -> bool:
        """Whether the process is stopped, as by Ctrl-Z; False where the system does not say."""
        if self._process is None:
            return False
        try:
            state = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return False
        return state[0] in "Tt"

    def _start(self) -> Connection:
        """Start the process."""
        ours, its = CONTEXT.Pipe()
        process = CONTEXT.Process(target=_serve, args=(its, self._play, self._journal), daemon=True)
        with its:  # otherwise the pipe would not end with the process
            process.start()
        with self._lock:
            self._process, self._connection = process, ours
            if self._is_cancelled:
                process.kill()
        return ours

    def _bury(self) -> int | None:
        """End the process, if it hasn't; returns its exit code, None if it was never started."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is None or connection is None:
            return None
        connection.close()  # which ends a process that waits for a game
        process.join(timeout=1)
        process.kill()
        process.join()
        return process.exitcode


def num_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _serve(connection: Connection, play: Play, journal: Journal) -> None:
    """Play the games that arrive; the main function of a worker."""
    JOURNAL.set(journal)
    # Ctrl-C reaches all processes of a terminal; the coordinator's process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent process is gone
        while True:
            connection.send(play_or_report(play, connection.recv()))


def end_with_parent() -> None:
    """End this process, in the middle of its work, when the one that started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def play_or_report(play: Play, task: GameTask) -> Outcome:
    """Play a game; every exception becomes a run report."""
    try:
        return play(task)
    except InfrastructureError as error:
        return error.report(task.id)
    except MemoryError as error:
        return _report(task, "out_of_memory", str(error) or "there is not enough memory")
    except Exception as error:
        return _report(task, "error", f"{type(error).__name__}: {error}")


def _report(task: GameTask, kind: str, detail: str) -> RunReport:
    return RunReport(task.id, kind, detail, datetime.now(UTC).isoformat(timespec="milliseconds"))


def _ending(exit_code: int | None) -> str:
    """Describe how a process ended."""
    if exit_code is None:
        return "could not be started"
    if exit_code >= 0:
        return f"ended with code {exit_code}"
    name = signal.Signals(-exit_code).name
    # Linux sends this signal when memory runs out; the sender is unknown.
    hint = ", perhaps for lack of memory" if name == "SIGKILL" else ""
    return f"was killed by {name}{hint}"


class DaskExecutor(_Closing):
    """The workers of a Dask cluster, each with Kingmaker installed; needs `kingmaker[cluster]`.

    When a worker is lost, the scheduler gives its games to others, up to its own setting
    `distributed.scheduler.allowed-failures`; beyond it the game comes back as a run report. A game
    that has just ended, but has not been fetched, is repeated as well. Each worker should have one
    thread, so that games don't compete for time. Bots inside a worker are not watched: one that
    hangs blocks its worker, one that crashes it breaks its game each time.

    Args:
        address: of the scheduler, such as `tcp://host:8786`; empty: a cluster of processes on this
            machine.
        num_workers: of the cluster on this machine; None: one for each core.
        play: as of `LocalExecutor`.

    Raises:
        ExecutorError: Dask is not installed, or no scheduler answers.
    """

    def __init__(
        self, address: str = "", *, num_workers: int | None = None, play: Play = play
    ) -> None:
        try:
            import distributed
        except ModuleNotFoundError as error:
            raise ExecutorError(
                f"a cluster needs the package {error.name}: pip install 'kingmaker[cluster]'"
            ) from error
        self._play = play
        self._outcomes = _Outcomes()
        self._num_submitted = 0
        self._futures: set[Any] = set()
        self._cluster = None
        if not address:
            self._cluster = distributed.LocalCluster(
                n_workers=num_workers or num_cores(), threads_per_worker=1, dashboard_address=None
            )
        try:
            self._client = distributed.Client(
                self._cluster or address, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:  # timeouts included
            raise ExecutorError(f"no Dask scheduler answers at {address}: {error}") from error

    @property
    def capacity(self) -> int:
        """Number of games to have in hand; workers may join and leave.

        Raises:
            ExecutorError: the scheduler is gone.
        """
        try:
            num_threads: int = sum(self._client.nthreads().values())
        except OSError as error:
            raise ExecutorError(f"the Dask scheduler is gone: {error}") from error
        return max(num_threads, 1) * IN_HAND_PER_WORKER

    def submit(self, task: GameTask) -> None:
        """Submit a game to the cluster."""
        self._num_submitted += 1  # a repeated game is a new task for Dask
        future = self._client.submit(
            play_or_report, self._play, task, key=f"game-{task.id}-{self._num_submitted}"
        )
        self._futures.add(future)
        round_ = self._outcomes.round
        future.add_done_callback(lambda done: self._collect(round_, task, done))

    def completed(self, timeout_seconds: float) -> list[Outcome]:
        """Wait for outcomes."""
        return self._outcomes.take(timeout_seconds)

    def cancel(self) -> None:
        """Drop all games; a worker finishes its current one, but the outcome is ignored."""
        self._outcomes.round += 1
        futures, self._futures = self._futures, set()
        self._client.cancel(list(futures))

    def close(self) -> None:
        """Leave the cluster, or end it if it was started here."""
        self.cancel()
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _collect(self, round_: int, task: GameTask, future: Any) -> None:
        """Fetch an outcome as soon as it is ready: a worker that dies loses those it holds."""
        if round_ != self._outcomes.round:
            return
        try:
            outcome: Outcome = future.result()
        except Exception as error:
            is_lost = type(error).__name__ in ("KilledWorker", "CommClosedError")
            kind = "worker_lost" if is_lost else "error"
            outcome = _report(task, kind, f"{type(error).__name__}: {error}")
        self._futures.discard(future)  # so that the worker releases it
        self._outcomes.put(round_, outcome)
