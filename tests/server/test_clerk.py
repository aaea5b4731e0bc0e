"""The process that computes standings: apart from the server, and never in its way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.coordinator import begin_ladder
from kingmaker.ladder.errors import UnknownLadderError
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Store
from kingmaker.server.ladders import clerk as module
from kingmaker.server.ladders.clerk import Clerk
from kingmaker.v1 import ladder_service_pb2 as pb


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("clerk") / "ladder.sqlite")
    plan = LadderPlan.of(game="tic_tac_toe", bots=["a=random", "b=random"], num_groups=1, seed=8)
    with Store(path) as store:
        for name in ("spring", "lost"):
            ladder = begin_ladder(store, name, plan)
            ladder.add_all([play(task) for task in plan.tasks(plan.schedule().group(0))])
            ladder.state = LadderState.FINISHED
    return path


@pytest.fixture(scope="module")
def clerk(database: str) -> Iterator[Clerk]:
    clerk = Clerk(database)
    yield clerk
    clerk.close()


def pid_of(clerk: Clerk) -> int:
    assert clerk._process is not None
    assert clerk._process.pid is not None
    return clerk._process.pid


@pytest.mark.slow
def test_standings_come_from_another_process(clerk: Clerk) -> None:
    stamp, data = clerk.ask("spring")
    assert stamp == (LadderState.FINISHED, 2, 0)
    assert pb.GetLadderResponse.FromString(data).num_groups == 1
    first = pid_of(clerk)
    assert first != os.getpid()
    clerk.ask("spring")
    assert pid_of(clerk) == first


def test_an_error_comes_back_as_it_was(clerk: Clerk) -> None:
    with pytest.raises(UnknownLadderError):
        clerk.ask("winter")
    assert issubclass(UnknownLadderError, InputError)


@pytest.mark.slow
def test_a_process_that_has_ended_is_replaced(clerk: Clerk) -> None:
    clerk.ask("spring")
    first = pid_of(clerk)
    os.kill(first, signal.SIGKILL)
    clerk.ask("spring")
    assert pid_of(clerk) != first


def test_a_process_that_nobody_asks_ends() -> None:
    class Silent:
        def __init__(self) -> None:
            self.asked: list[float] = []

        def poll(self, seconds: float) -> bool:
            self.asked.append(seconds)
            return False

    connection: Any = Silent()
    thread = Thread(target=_serve_without_signals, args=(connection,))
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    assert connection.asked == [module.IDLE_SECONDS]


def _serve_without_signals(connection: Any) -> None:
    """Serve in this process: signals are the main thread's, and nobody is to be niced."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signal, "signal", lambda *_: None)
        patch.setattr(os, "nice", lambda _: None)
        module.serve(connection, "none")


def test_after_the_end_there_is_no_answer(clerk: Clerk) -> None:
    clerk.ask("spring")
    clerk.close()
    with pytest.raises(RuntimeError, match="died"):
        clerk.ask("spring")
