"""Worker processes of a training, from start to end."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable

import pytest

from kingmaker.training import tasks
from kingmaker.training.tasks import workers

begin_worker = tasks._begin_worker


class Interrupted:
    """Begins a worker, and interrupts it on arrival."""

    def __reduce__(self) -> tuple[object, ...]:
        return interrupt, ()

    def __call__(self) -> None:
        raise AssertionError("another arrives in the worker")


def interrupt() -> Callable[[], None]:
    signal.raise_signal(signal.SIGINT)
    return begin_worker


def two() -> list[float]:
    return [2.0]


@pytest.mark.slow
def test_an_interrupt_while_a_worker_starts_is_not_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "_begin_worker", Interrupted())
    with workers(2) as running:
        assert dict(running.run([two, two])) == {0: [2.0], 1: [2.0]}


def sleep() -> list[float]:
    time.sleep(60)
    return []


def run_until_terminated() -> None:
    with workers(2) as running:
        for _ in running.run([two, sleep, sleep]):
            signal.raise_signal(signal.SIGTERM)


@pytest.mark.slow
def test_a_termination_ends_the_workers_at_once() -> None:
    before = signal.getsignal(signal.SIGTERM)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_until_terminated()
    assert time.monotonic() < started + 50
    assert not multiprocessing.active_children()
    assert signal.getsignal(signal.SIGTERM) == before
