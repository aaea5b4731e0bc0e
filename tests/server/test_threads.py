"""The threads that search."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

from kingmaker.server.pool.threads import Threads


def test_all_work_is_done_before_the_threads_end() -> None:
    workers, done = Threads(2, "test"), list[int]()
    for i in range(100):
        workers.put(partial(done.append, i))
    workers.close()
    assert sorted(done) == list(range(100))


def test_as_much_is_done_at_once_as_there_are_threads() -> None:
    workers, meeting = Threads(3, "test"), threading.Barrier(3, timeout=10)

    def meet() -> None:
        meeting.wait()

    for _ in range(3):
        workers.put(meet)
    workers.close()
    assert not meeting.broken


def test_closing_twice_is_closing_once() -> None:
    workers = Threads(1, "test")
    workers.close()
    workers.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("test-")]


def test_work_after_the_end_writes_to_no_file_that_has_been_opened_since(tmp_path: Path) -> None:
    workers = Threads(1, "test")
    workers.close()
    paths = [tmp_path / str(number) for number in range(2)]  # of the ends of its pipe
    with paths[0].open("wb"), paths[1].open("wb"):
        workers.put(lambda: None)
    assert [path.read_bytes() for path in paths] == [b"", b""]
