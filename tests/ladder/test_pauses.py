"""A pause of the process is no bot's fault."""

from __future__ import annotations

import os
import signal
import time

import pytest

from kingmaker.ladder import executors
from kingmaker.ladder.executors import GameWatch, Outcome, Played, play_here
from kingmaker.ladder.model import Cause, GameRecord, GameTask, TimeControl
from kingmaker.ladder.pauses import LEAST_SECONDS, Heartbeat
from kingmaker.ladder.play import play
from kingmaker.tasks.local import LocalExecutor
from kingmaker.tasks.model import RunReport
from tests.ladder.fakes import FakeBot, first, starter, task_of

CLOCK = TimeControl(move_ms=1500)
SEARCH = "mcts:time=800ms"


def task() -> GameTask:
    return task_of("connect_four", SEARCH, SEARCH, clock=CLOCK)


def stop_while_thinking(executor: LocalExecutor[GameTask, Played]) -> int:
    """Stop the worker in the middle of a decision; returns its process id."""
    worker = executor.workers[0]
    watch = worker._watch
    assert isinstance(watch, GameWatch)
    deadline = time.monotonic() + 60
    while watch.open_decision is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert worker.process is not None
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGSTOP)
    return worker.process.pid


def outcome_of(executor: LocalExecutor[GameTask, Played]) -> Outcome:
    deadline = time.monotonic() + 60
    while not (outcomes := executor.completed(1)):
        assert time.monotonic() < deadline
    return outcomes[0]


@pytest.mark.slow
def test_a_bot_whose_process_was_stopped_plays_again() -> None:
    with play_here(1) as executor:
        executor.submit(task())
        process = stop_while_thinking(executor)
        time.sleep(2.5)
        os.kill(process, signal.SIGCONT)
        report = outcome_of(executor)
    assert isinstance(report, RunReport)
    assert report.kind == "paused"
    assert "the process stood still for 2." in report.detail


@pytest.mark.slow
def test_a_process_that_stays_stopped_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "HANG_SECONDS", 0.2)
    with play_here(1) as executor:
        executor.submit(task())
        stop_while_thinking(executor)
        report = outcome_of(executor)
        assert isinstance(report, RunReport)
        assert (report.kind, report.detail) == ("paused", "its worker was stopped")
        executor.submit(task_of("tic_tac_toe"))
        assert isinstance(outcome_of(executor), GameRecord)


def test_a_bot_that_is_slow_by_itself_loses() -> None:
    def think(observation: object) -> str:
        time.sleep(3 * LEAST_SECONDS)
        return "a1"

    slow = task_of("tic_tac_toe", clock=TimeControl(move_ms=100))
    record = play(slow, starter([FakeBot(think), FakeBot(first)]))
    assert (record.cause, record.culprit) == (Cause.TIMED_OUT, 1)


def test_a_process_that_runs_has_no_pauses() -> None:
    heart = Heartbeat()
    assert heart.paused_seconds(0) == 0
    began = time.monotonic()
    heart.start()
    heart.start()
    time.sleep(0.2)
    assert heart.paused_seconds(began) < 0.2
