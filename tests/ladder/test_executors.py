"""Workers play what they are given, and one that dies takes no other game along."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from subprocess import run
from time import monotonic

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder import executors
from kingmaker.ladder.executors import (
    GameExecutor,
    Outcome,
    Suspicion,
    play_here,
    play_on_cluster,
)
from kingmaker.ladder.model import Cause, GameRecord, GameTask, TimeControl
from kingmaker.ladder.replay import replay
from kingmaker.tasks import cluster as cluster_module
from kingmaker.tasks import local
from kingmaker.tasks.executors import IN_HAND_PER_WORKER, ExecutorError
from kingmaker.tasks.model import RunReport, run_or_report

from .fakes import task_of, timeless
from .toys import Deadly, Toy, begun, ended, players, wait_until_dead

PATIENCE_SECONDS = 60.0


def tasks(number: int) -> list[GameTask]:
    return [replace(task_of("tic_tac_toe"), seed=seed) for seed in range(number)]


def wait(executor: GameExecutor, number: int) -> list[Outcome]:
    """Collect so many outcomes."""
    found: list[Outcome] = []
    end = monotonic() + PATIENCE_SECONDS
    while len(found) < number and monotonic() < end:
        found += executor.completed(1.0)
    assert len(found) == number
    return found


def ids(outcomes: list[Outcome]) -> Counter[str]:
    return Counter(map(id_of, outcomes))


def id_of(outcome: Outcome) -> str:
    match outcome:
        case GameRecord():
            return outcome.task.id
        case Suspicion():
            return outcome.report.task_id
    return outcome.task_id


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    return tmp_path / "diary"


def test_each_game_is_played_once(diary: Path) -> None:
    games = tasks(20)
    with play_here(2, play=Toy(diary)) as executor:
        for task in games:
            executor.submit(task)
        outcomes = wait(executor, 20)
        assert executor.completed(0.05) == []
    assert ids(outcomes) == Counter(task.id for task in games) == begun(diary)


def test_a_worker_plays_as_this_process_does(diary: Path) -> None:
    [task] = tasks(1)
    with play_here(1, play=Toy(diary)) as executor:
        executor.submit(task)
        [outcome] = wait(executor, 1)
    assert timeless(outcome) == timeless(Toy(diary)(task))


def test_a_worker_that_is_killed_takes_only_its_game_along(diary: Path) -> None:
    games = tasks(8)
    with play_here(2, play=Toy(diary, seconds=0.02, breaking=games[3].id)) as executor:
        for task in games:
            executor.submit(task)
        outcomes = wait(executor, 8)
        [report] = [each for each in outcomes if isinstance(each, RunReport)]
        assert (report.task_id, report.kind) == (games[3].id, "worker_lost")
        assert "was killed by SIGKILL" in report.detail
        assert ids(outcomes) == Counter(task.id for task in games) == begun(diary)
        executor.submit(games[3])  # its place is taken by another
        [outcome] = wait(executor, 1)
    assert isinstance(outcome, GameRecord)


@pytest.mark.parametrize(
    ("fault", "kind", "detail"),
    [
        ("refused", "bot_did_not_start", "no answer"),
        ("starved", "out_of_memory", "there is not enough memory"),
        ("wrong", "error", "RuntimeError: this is wrong"),
    ],
)
def test_what_breaks_in_a_worker_is_reported(
    diary: Path, fault: str, kind: str, detail: str
) -> None:
    [task] = tasks(1)
    outcome = run_or_report(Toy(diary, breaking=task.id, fault=fault), task)
    assert isinstance(outcome, RunReport)
    assert (outcome.task_id, outcome.kind, outcome.detail) == (task.id, kind, detail)


@pytest.mark.slow
def test_of_cancelled_games_nothing_is_heard(diary: Path) -> None:
    games = tasks(6)
    with play_here(2, play=Toy(diary, seconds=2)) as executor:
        for task in games[:5]:
            executor.submit(task)
        while len(begun(diary)) < 2:
            assert executor.completed(0.01) == []
        executor.cancel()
        executor.submit(games[5])
        outcomes = wait(executor, 1)
        assert executor.completed(0.05) == []
    assert ids(outcomes) == {games[5].id: 1}
    assert ended(diary) == {games[5].id: 1}


def test_no_worker_is_left_behind(diary: Path) -> None:
    games = tasks(2)
    with play_here(2, play=Toy(diary, seconds=30)) as executor:
        for task in games:
            executor.submit(task)
        while len(begun(diary)) < 2:
            executor.completed(0.01)
    assert wait_until_dead(players(diary))
    assert not ended(diary)


def test_a_worker_that_can_not_start_is_heard_of() -> None:
    [task] = tasks(1)
    with play_here(1, play=Unreadable()) as executor:
        executor.submit(task)
        [outcome] = wait(executor, 1)
    assert isinstance(outcome, RunReport)
    assert outcome.kind == "worker_lost"
    assert "ended with code 1" in outcome.detail


class Unreadable:
    """Something that can be sent to a process and not be received."""

    def __call__(self, task: GameTask) -> GameRecord:
        raise NotImplementedError

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("not a number",)


def test_an_interrupt_while_a_worker_starts_is_not_its_own(diary: Path) -> None:
    [task] = tasks(1)
    with play_here(1, play=Interrupted(diary)) as executor:
        executor.submit(task)
        [outcome] = wait(executor, 1)
    assert isinstance(outcome, GameRecord)


class Interrupted(Toy):
    """Interrupts the worker that receives it."""

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        signal.raise_signal(signal.SIGINT)


class Unsent:
    """A task that can't be sent to a process."""

    id = "0" * 32

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("this stays here")


def test_a_task_that_can_not_be_sent_is_reported() -> None:
    work: Callable[[Unsent], str] = repr
    with local.LocalExecutor(work, 1) as executor:
        executor.submit(Unsent())
        [outcome] = executor.completed(PATIENCE_SECONDS)
    assert isinstance(outcome, RunReport)
    assert (outcome.task_id, outcome.kind) == (Unsent.id, "error")
    assert outcome.detail == "TypeError: this stays here"


SCRIPT = """
from dataclasses import dataclass
from kingmaker.tasks.local import LocalExecutor

@dataclass
class Named:
    id: str

with LocalExecutor(repr, 1) as executor:
    executor.submit(Named("task"))
    print(executor.completed(60))
"""


def test_a_script_that_starts_workers_whenever_it_is_read_is_told(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    told = run([sys.executable, script], capture_output=True, text=True, timeout=60, check=True)
    assert "ended with code 1" in told.stdout
    assert 'under `if __name__ == "__main__":`' in told.stderr


@pytest.mark.slow
def test_a_bot_that_hangs_in_a_worker_loses_when_its_clock_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "WATCH_SECONDS", 0.05)
    monkeypatch.setattr(executors, "HANG_SECONDS", 0.3)
    task = task_of("connect_four", clock=TimeControl(move_ms=100))
    with play_here(1, play=Deadly("bot 2", "hangs")) as executor:
        executor.submit(task)
        [record] = wait(executor, 1)
        executor.submit(replace(task, bots=task.bots[:1] * 2))  # another worker plays on
        [other] = wait(executor, 1)
    assert isinstance(record, GameRecord)
    assert (record.cause, record.culprit, record.returns) == (Cause.TIMED_OUT, 2, (1.0, 0.0))
    assert record.detail.startswith("p2 had 0.100 s and never answered")
    assert [move.seat for move in record.moves] == [1, 2, 1]
    assert replay(record).seat == 2
    assert record.thinking_ms[1] >= 400
    assert isinstance(other, GameRecord)
    assert other.cause is Cause.FINISHED


@pytest.mark.parametrize(
    ("fault", "has_crashed", "ending"),
    [
        ("crashes", True, "was killed by SIGSEGV"),
        ("exits", True, "ended with code 3"),
        ("is killed", False, "was killed by SIGKILL"),
    ],
)
def test_who_was_asked_when_a_worker_died_is_suspected(
    fault: str, has_crashed: bool, ending: str
) -> None:
    task = task_of("leduc_poker")
    with play_here(1, play=Deadly("bot 1", fault, decision=1)) as executor:
        executor.submit(task)
        [outcome] = wait(executor, 1)
    assert isinstance(outcome, Suspicion)
    assert outcome.has_crashed is has_crashed
    assert (outcome.report.task_id, outcome.report.kind) == (task.id, "worker_lost")
    assert ending in outcome.report.detail
    record = outcome.record
    assert (record.cause, record.culprit, record.returns) == (Cause.CRASHED, 1, (0.0, 1.0))
    assert ending in record.detail
    assert [move.seat for move in record.moves] == [0, 0]
    assert replay(record).seat == 1


def test_an_executor_needs_workers() -> None:
    with pytest.raises(InputError, match="num_workers is 0; give 1 or more"):
        play_here(0)


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Give the address of a cluster of two workers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
def test_a_cluster_plays_each_game_once(cluster: str, diary: Path) -> None:
    games = tasks(12)
    with play_on_cluster(cluster, play=Toy(diary)) as executor:
        assert executor.capacity == 2 * IN_HAND_PER_WORKER
        for task in games:
            executor.submit(task)
        outcomes = wait(executor, 12)
    assert ids(outcomes) == Counter(task.id for task in games) == begun(diary)


def test_a_cluster_plays_the_game_of_a_killed_worker_again(cluster: str, diary: Path) -> None:
    games = tasks(8)
    with play_on_cluster(cluster, play=Toy(diary, seconds=0.02, breaking=games[3].id)) as executor:
        for task in games:
            executor.submit(task)
        outcomes = wait(executor, 8)
    assert all(isinstance(outcome, GameRecord) for outcome in outcomes)
    assert ids(outcomes) == Counter(task.id for task in games)
    # A game whose record was still with the killed worker is played again too.
    assert ended(diary).keys() == ids(outcomes).keys()
    assert begun(diary)[games[3].id] >= 2


def test_what_breaks_in_a_cluster_is_reported(cluster: str, diary: Path) -> None:
    [task] = tasks(1)
    with play_on_cluster(cluster, play=Toy(diary, breaking=task.id, fault="wrong")) as executor:
        executor.submit(task)
        [outcome] = wait(executor, 1)
        executor.submit(task)  # the same game is another task
        [again] = wait(executor, 1)
    assert isinstance(outcome, RunReport)
    assert outcome.kind == "error"
    assert isinstance(again, GameRecord)


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.3)
    with pytest.raises(ExecutorError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9"):
        play_on_cluster("tcp://127.0.0.1:9")
