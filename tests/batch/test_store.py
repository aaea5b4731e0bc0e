"""Batches of servers: who runs them, what is left to do, and what is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from kingmaker.batch.results import Results
from kingmaker.batch.store import Batch, BatchState, BatchStore
from kingmaker.batch.tasks import run
from kingmaker.ladder.store import Store

from .works import searches


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with Store(database) as store:
        yield store


def batch(number: int, owner: str = "alice", created: float = 10.0) -> Batch:
    return Batch(f"{number:032}", owner, "", created + number, BatchState.RUNNING, 3)


def ids(batches: list[Batch]) -> list[int]:
    return [int(each.id) for each in batches]


def test_a_batch_has_one_runner_until_that_is_gone(store: Store) -> None:
    batches = BatchStore(store)
    for number in range(3):
        batches.create(batch(number), searches(3), most=9, most_of_owner=9)
    assert ids(batches.claim("a", now=100, until=110, limit=2)) == [0, 1]
    assert ids(batches.claim("b", now=100, until=110, limit=9)) == [2]
    assert ids(batches.claim("a", now=105, until=115, limit=9)) == [0, 1]
    assert ids(batches.claim("b", now=111, until=121, limit=9)) == [2]
    assert ids(batches.claim("b", now=116, until=126, limit=9)) == [0, 1, 2]
    assert batches.claim("a", now=117, until=127, limit=9) == []
    batches.release("b")
    assert ids(batches.claim("a", now=117, until=127, limit=9)) == [0, 1, 2]
    batches.end(batch(1).id, BatchState.CANCELLED)
    batches.end(batch(1).id, BatchState.FINISHED)
    assert ids(batches.claim("a", now=118, until=128, limit=9)) == [0, 2]
    found = batches.find(batch(1).id)
    assert found is not None
    assert found.state is BatchState.CANCELLED


def test_the_numbers_of_batches_are_limited(store: Store) -> None:
    batches = BatchStore(store)
    stored = [
        batches.create(batch(number, owner), searches(1), most=3, most_of_owner=2)
        for number, owner in enumerate(["alice", "alice", "alice", "bob", "bob"])
    ]
    assert stored == [True, True, False, True, False]
    assert ids(batches.latest("alice", 9)) == [1, 0]
    assert ids(batches.latest(None, 2)) == [3, 1]


def test_batches_that_are_created_at_once_are_no_more_than_the_limit(store: Store) -> None:
    batches, barrier = BatchStore(store), Barrier(8)

    def create(number: int) -> bool:
        barrier.wait(timeout=5)
        return batches.create(batch(number), searches(1), most=9, most_of_owner=3)

    with ThreadPoolExecutor(barrier.parties) as threads:
        assert sum(threads.map(create, range(barrier.parties))) == 3


def test_what_has_a_result_or_an_error_is_not_pending(store: Store) -> None:
    batches, results, tasks = BatchStore(store), Results(store), searches(4)
    batches.create(batch(1), [*tasks, tasks[0]], most=9, most_of_owner=9)
    assert list(batches.pending(batch(1).id, 3).values()) == tasks[:3]
    results.add([run(tasks[0]), run(tasks[2])])
    results.add([run(tasks[0])])
    batches.fail(batch(1).id, tasks[1].id, "it broke")
    assert list(batches.pending(batch(1).id, 9).values()) == [tasks[3]]
    status = batches.status(batch(1))
    assert (status.num_done, status.num_failed) == (3, 1)
    found = list(batches.outcomes(batch(1).id, 0, 9))
    assert [each.number for each in found] == [1, 2, 3, 5]
    assert [each.error for each in found] == ["", "it broke", "", ""]
    assert found[0].text == found[3].text == run(tasks[0]).text
    assert [each.number for each in batches.outcomes(batch(1).id, 1, 2)] == [2, 3]


def test_results_that_another_batch_wants_are_kept(store: Store) -> None:
    batches, results, tasks = BatchStore(store), Results(store), searches(2)
    batches.create(batch(1), tasks, most=9, most_of_owner=9)
    batches.create(batch(2, created=10**12), tasks[:1], most=9, most_of_owner=9)
    results.add(map(run, tasks))
    batches.delete(10.0**11)
    assert ids(batches.latest(None, 9)) == [2]
    assert results.known([task.id for task in tasks]) == {tasks[0].id}


@pytest.mark.parametrize("batch_id", ["unknown", "", "0\0", "\0"])
def test_an_unknown_batch_is_none(store: Store, batch_id: str) -> None:
    assert BatchStore(store).find(batch_id) is None
