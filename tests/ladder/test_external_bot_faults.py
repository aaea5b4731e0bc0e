"""What becomes of games whose external bot errs, hangs, dies or is absent, and of their ladder."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from kingmaker.ladder import remote
from kingmaker.ladder.coordinator import Ending, begin_ladder, check_servers, run_ladder
from kingmaker.ladder.errors import LadderError
from kingmaker.ladder.executors import play_here
from kingmaker.ladder.model import Cause, TimeControl
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Store
from kingmaker.tasks.model import InfrastructureError
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from tests.ladder.connected import (
    PATIENT,
    causes,
    connected,
    first,
    free_port,
    python_example,
    running,
    silent,
    spec,
    until,
    until_asked,
    until_gone,
)
from tests.ladder.fakes import task_of
from tests.server.process import ServerProcess, server_process

HURRIED = TimeControl(move_ms=100)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "CONNECT_SECONDS", 0.0)


def text(token: str) -> Callable[[pb.BotQuestion], types_pb2.Move]:
    return lambda question: types_pb2.Move(text=token)


@pytest.mark.parametrize(
    ("choose", "detail"),
    [
        (text("a1"), "p1 played a1: a1 is not legal"),
        (text("resign\r\n\x1b[2J"), "p1 played resign"),
        (text("\N{SKULL}" * 15_000), "p1 played"),
        (lambda question: None, "p1 played"),
        (lambda question: types_pb2.Move(tic_tac_toe={}), "p1 played"),
    ],
    ids=["illegal", "garbage", "flood", "nothing", "another game"],
)
def test_what_is_no_legal_move_loses(
    server: ServerProcess, choose: Any, detail: str, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.id.replace(" ", "-")
    with connected(server.address, name, choose):
        record = play(task_of("tic_tac_toe", spec(name, server), "random", clock=PATIENT))
    assert (record.cause, record.culprit) == (Cause.ILLEGAL, 1)
    assert record.returns == (0.0, 1.0)
    assert record.detail.startswith(detail)
    assert len(record.detail) <= 500
    assert record.detail.isprintable()


def test_an_overrun_loses_also_with_a_legal_move(server: ServerProcess) -> None:
    def doze(question: pb.BotQuestion) -> types_pb2.Move:
        time.sleep(0.3)
        return first(question)

    with connected(server.address, "dozer", doze):
        record = play(task_of("tic_tac_toe", spec("dozer", server), "random", clock=HURRIED))
    assert (record.cause, record.culprit) == (Cause.TIMED_OUT, 1)
    assert record.detail == "bot dozer did not answer within 0.100 s"


def test_a_bot_that_hangs_loses_and_plays_on_when_it_wakes(
    server: ServerProcess, tmp_path: Path
) -> None:
    task = task_of("tic_tac_toe", spec("sleeper", server), "random", clock=HURRIED)
    with running(python_example(), tmp_path, server.address, "sleeper") as bot:
        bot.wait_for("is connected")
        bot.process.send_signal(signal.SIGSTOP)
        assert play(task).cause is Cause.TIMED_OUT
        assert play(task).cause is Cause.TIMED_OUT
        bot.process.send_signal(signal.SIGCONT)
        bot.wait_for("FAILED_PRECONDITION", times=2)
        patient = task_of("tic_tac_toe", spec("sleeper", server), "random", clock=PATIENT)
        assert play(patient).cause is Cause.FINISHED


@pytest.mark.slow
def test_without_a_clock_the_patience_of_the_server_ends_a_game(tmp_path: Path) -> None:
    with (
        server_process(tmp_path, max_bot_seconds="0.2") as server,
        connected(server.address, "rook", silent),
    ):
        record = play(task_of("tic_tac_toe", "random", spec("rook", server)))
    assert (record.cause, record.culprit) == (Cause.TIMED_OUT, 2)


def test_a_bot_that_is_killed_while_it_thinks_has_crashed(
    server: ServerProcess, tmp_path: Path
) -> None:
    task = task_of("tic_tac_toe", "random", spec("victim", server), clock=PATIENT)
    with (
        running(python_example(), tmp_path, server.address, "victim") as bot,
        ThreadPoolExecutor(1) as threads,
    ):
        bot.wait_for("is connected")
        bot.process.send_signal(signal.SIGSTOP)  # so that a question is open
        game = threads.submit(play, task)
        until_asked(server, "victim")
        bot.process.kill()
        record = game.result(20)
    assert (record.cause, record.culprit) == (Cause.CRASHED, 2)
    assert record.detail == "bot victim has left"
    assert record.returns == (1.0, 0.0)


def test_a_bot_that_leaves_between_two_questions_has_crashed(server: ServerProcess) -> None:
    leave = Event()

    def choose(question: pb.BotQuestion) -> types_pb2.Move:
        leave.set()
        return first(question)

    def linger(question: pb.BotQuestion) -> types_pb2.Move:
        gone.wait(20)
        return first(question)

    gone = Event()
    task = task_of("tic_tac_toe", spec("flee", server), spec("stay", server), clock=PATIENT)
    with connected(server.address, "stay", linger), ThreadPoolExecutor(1) as threads:
        with connected(server.address, "flee", choose):
            game = threads.submit(play, task)
            assert leave.wait(20)
            until_asked(server, "stay")
        until_gone(server, "flee")
        gone.set()
        record = game.result(20)
    assert (record.cause, record.culprit) == (Cause.CRASHED, 1)


def test_a_bot_that_is_not_connected_did_not_start(server: ServerProcess, impatient: None) -> None:
    with (
        connected(server.address, "here"),
        pytest.raises(
            InfrastructureError, match=r"no bot nobody is connected to .*; those that are: .*here"
        ) as caught,
    ):
        play(task_of("tic_tac_toe", spec("nobody", server), "random"))
    assert caught.value.kind == "bot_did_not_start"


def test_a_bot_that_has_left_before_the_game_did_not_start(
    server: ServerProcess, impatient: None
) -> None:
    with connected(server.address, "early"):
        pass
    until_gone(server, "early")
    with pytest.raises(InfrastructureError, match="no bot early is connected") as caught:
        play(task_of("tic_tac_toe", spec("early", server), "random"))
    assert caught.value.kind == "bot_did_not_start"


def test_a_bot_that_is_being_started_is_waited_for(server: ServerProcess) -> None:
    task = task_of("tic_tac_toe", spec("late", server), "random")
    with ThreadPoolExecutor(1) as threads:
        game = threads.submit(play, task)
        time.sleep(0.3)
        assert not game.done()
        with connected(server.address, "late"):
            assert game.result(20).cause is Cause.FINISHED


def test_a_bot_that_does_not_play_the_game_did_not_start(server: ServerProcess) -> None:
    with (
        connected(server.address, "hearty", games=["hearts"]),
        pytest.raises(InfrastructureError, match="hearty does not play tic_tac_toe") as caught,
    ):
        play(task_of("tic_tac_toe", spec("hearty", server), "random"))
    assert caught.value.kind == "bot_did_not_start"


@pytest.mark.slow
def test_a_server_that_is_killed_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    with (
        server_process(tmp_path) as server,
        ThreadPoolExecutor(1) as threads,
        connected(server.address, "rook", silent),
    ):
        task = task_of("tic_tac_toe", spec("rook", server), "random", clock=PATIENT)
        game = threads.submit(play, task)
        until_asked(server, "rook")
        server.stop(signal.SIGKILL)
        with pytest.raises(InfrastructureError) as caught:
            game.result(20)
    assert caught.value.kind == "error"


def test_a_ladder_without_one_of_its_bots_does_not_begin(
    server: ServerProcess, impatient: None
) -> None:
    plan = LadderPlan.of(game="tic_tac_toe", bots=[f"ext={spec('nobody', server)}", "random"])
    with pytest.raises(LadderError, match=r"bot ext can't play: .*: no bot nobody is connected"):
        check_servers(plan)


@pytest.mark.slow
def test_a_ladder_outlives_its_server(tmp_path: Path) -> None:
    port = free_port()
    address = f"127.0.0.1:{port}"
    bots = [f"ext=bot:rook@{address}", "house=random"]
    plan = LadderPlan.of(game="goofspiel", bots=bots, num_groups=20, clock={"move_ms": 20_000})
    database = tmp_path / "ladder.sqlite"
    with Store(str(database)) as store:
        begin_ladder(store, "spring", plan)
    ended: list[Ending] = []

    def be_played() -> None:
        with Store(str(database)) as store, play_here(1) as executor:
            ended.append(run_ladder(store.ladder("spring"), executor))

    player = Thread(target=be_played)
    with running(python_example(), tmp_path, address, "rook"):
        with server_process(tmp_path, port=port) as server:
            player.start()
            until(lambda: causes(database).total() > 2)
            server.stop(signal.SIGKILL)
            server.exit_code()
        with server_process(tmp_path, port=port):
            player.join(60)
    assert [ending.state for ending in ended] == [LadderState.FINISHED]
    assert causes(database) == {Cause.FINISHED: 40}


@pytest.mark.slow
def test_a_ladder_goes_on_while_a_bot_is_killed_again_and_again(
    server: ServerProcess, tmp_path: Path
) -> None:
    stop = Event()
    num_lives = 0

    def be_killed() -> None:
        nonlocal num_lives
        rng = random.Random(3)
        while not stop.is_set():
            with running(python_example(), tmp_path, server.address, "phoenix") as bot:
                bot.wait_for("is connected")
                num_lives += 1
                stop.wait(rng.uniform(0.05, 0.4))

    bots = [f"ext={spec('phoenix', server)}", "house=random"]
    plan = LadderPlan.of(game="goofspiel", bots=bots, num_groups=20, clock={"move_ms": 20_000})
    reviver = Thread(target=be_killed)
    reviver.start()
    database = tmp_path / "ladder.sqlite"
    try:
        with Store(str(database)) as store, play_here(1) as executor:
            ending = run_ladder(begin_ladder(store, "spring", plan), executor)
    finally:
        stop.set()
        reviver.join()
    assert ending.state is LadderState.FINISHED
    assert num_lives > 1
    ended = causes(database)
    assert ended.total() == 40
    assert ended.keys() == {Cause.CRASHED, Cause.FINISHED}
