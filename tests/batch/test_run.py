"""Tasks are run once, results stored before they are told, and lost workers lose nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kingmaker.batch.results import Results
from kingmaker.batch.run import BatchError, Progress, run_batch
from kingmaker.batch.tasks import AnalysisTask, AnyTask, TaskResult, review_task, run, task_text
from kingmaker.ladder.store import Store
from kingmaker.review.games import played
from kingmaker.tasks import retries
from kingmaker.tasks.local import LocalExecutor
from kingmaker.tasks.model import RunReport

from .works import Diary, searches


@pytest.fixture
def results(tmp_path: Path) -> Iterator[Results]:
    with Store(str(tmp_path / "batch.sqlite")) as store:
        yield Results(store)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "RETRY_SECONDS", (0.0, 0.0, 0.0))


class Here:
    """Runs tasks in this process, one at a time, when it is asked for outcomes."""

    capacity = 3

    def __init__(self, broken: str = "") -> None:
        self.ran: list[AnalysisTask] = []
        self._waiting: list[AnalysisTask] = []
        self._broken = broken

    def submit(self, task: AnalysisTask) -> None:
        self._waiting.append(task)

    def completed(self, timeout_seconds: float) -> list[TaskResult | RunReport]:
        if not self._waiting:
            return []
        task = self._waiting.pop()
        self.ran.append(task)
        if self._broken in (task.id, "all"):
            return [RunReport(task.id, "worker_lost", "it was killed", "")]
        return [run(task)]

    def cancel(self) -> None:
        self._waiting.clear()


def test_equal_tasks_are_run_once_and_answered_from_the_store(results: Results) -> None:
    tasks = searches(5)
    first, second = Here(), Here()
    done, why = run_batch(tasks * 2, first, results)
    assert (done.total, done.num_known, done.num_done, why) == (5, 0, 5, "")
    assert sorted(task.seed for task in first.ran) == [0, 1, 2, 3, 4]
    done, _ = run_batch(searches(7), second, results)
    assert (done.total, done.num_known, done.num_done) == (7, 5, 7)
    assert sorted(task.seed for task in second.ran) == [5, 6]
    assert list(results.texts([task.id for task in tasks])) == [run(task).text for task in tasks]


def test_a_task_that_always_breaks_is_given_up_and_run_again_next_time(results: Results) -> None:
    tasks = searches(5)
    executor = Here(broken=tasks[2].id)
    done, why = run_batch(tasks, executor, results)
    assert why == ""
    assert done.num_done == 4
    assert list(done.failures) == [tasks[2].id]
    assert done.failures[tasks[2].id].detail == "it was killed"
    assert executor.ran.count(tasks[2]) == retries.MAX_ATTEMPTS
    done, _ = run_batch(tasks, Here(), results)
    assert (done.num_known, done.num_done, done.failures) == (4, 5, {})


def test_a_batch_ends_when_all_tasks_break(results: Results) -> None:
    with pytest.raises(BatchError, match="25 faults in a row: it was killed"):
        run_batch(searches(50), Here(broken="all"), results)


def test_what_is_told_is_stored_and_a_stop_keeps_it(results: Results) -> None:
    tasks = searches(6)
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        assert len(results.known([task.id for task in tasks])) == progress.num_done
        if progress.num_done == 2:
            stop.set()

    done, why = run_batch(tasks, Here(), results, watch=watch, stop=stop)
    assert (done.num_done, why) == (2, "stopped")


@pytest.mark.slow
def test_a_lost_worker_loses_nothing(results: Results, tmp_path: Path) -> None:
    tasks = searches(30)
    diary = Diary(tmp_path / "diary", breaking=tasks[9].id, times=2)
    with LocalExecutor(diary, 2) as executor:
        done, _ = run_batch(tasks, executor, results)
    assert (done.num_done, done.faults, done.failures) == (30, 2, {})
    assert diary.begun()[tasks[9].id] == 3
    assert set(diary.ended().values()) == {1}
    assert list(results.texts([task.id for task in tasks])) == [run(task).text for task in tasks]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_cluster_of_four_workers_has_the_same_results_bit_for_bit(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    from kingmaker.tasks.cluster import DaskExecutor

    calls = ["raise", "call", "call", "call"]
    games = [played("leduc_poker", calls, seed=seed) for seed in (1, 2)]
    tasks: list[AnyTask] = [*searches(40), *(review_task(game, effort="quick") for game in games)]
    texts = []
    for name in ("here", "cluster"):
        with Store(str(tmp_path / name)) as store:
            them = LocalExecutor(run, 1) if name == "here" else DaskExecutor(run, num_workers=4)
            with them as executor:
                done, _ = run_batch(tasks, executor, Results(store))
            assert done.num_done == 42
            texts.append(list(Results(store).texts([task.id for task in tasks])))
    assert texts[0] == texts[1]
    assert None not in texts[0]
    assert len({task_text(task) for task in tasks}) == 42
