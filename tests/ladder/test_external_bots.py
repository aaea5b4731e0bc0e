"""Programs that are connected to a server play in ladders, and what becomes of their faults."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import grpc
import pytest

from kingmaker.cext.games import GAMES
from kingmaker.ladder import remote
from kingmaker.ladder.coordinator import Ending, begin_ladder, check_servers, run_ladder
from kingmaker.ladder.errors import LadderError
from kingmaker.ladder.executors import play_here
from kingmaker.ladder.journal import JOURNAL
from kingmaker.ladder.model import Cause, GameRecord, MoveRecord, TimeControl
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.seats import TimedMove
from kingmaker.ladder.specs import parse_spec
from kingmaker.ladder.store import Store
from kingmaker.search.position import Observation, new_game, parse_observation
from kingmaker.tasks.model import InfrastructureError
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub
from tests.ladder.connected import (
    connected,
    documented_example,
    first,
    node_example,
    python_example,
    running,
    silent,
)
from tests.ladder.fakes import task_of, timeless
from tests.server.process import ServerProcess, server_process

KINGMAKER = str(Path(sys.executable).with_name("kingmaker"))
PATIENT = TimeControl(move_ms=30_000)
HURRIED = TimeControl(move_ms=100)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server in a process of its own; every test has bots of other names."""
    with server_process(tmp_path_factory.mktemp("server"), max_bot_seconds="20") as running:
        yield running


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "CONNECT_SECONDS", 0.0)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def spec(name: str, server: ServerProcess) -> str:
    return f"bot:{name}@{server.address}"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["127.0.0.1:50051"]])
def test_the_example_says_how_it_is_called(arguments: list[str]) -> None:
    ended = subprocess.run([*python_example(), *arguments], capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr == "usage: python bot.py ADDRESS NAME [GAME ...]\n"


def causes(database: Path) -> Counter[Cause]:
    """How the games of the only ladder ended."""
    with Store(str(database), create=False) as store:
        return Counter(game.cause for game in store.ladder("spring").summaries())


def statuses(server: ServerProcess) -> dict[str, pb.ConnectedBot]:
    with grpc.insecure_channel(server.address) as channel:
        stub: Any = BotServiceStub(channel)
        return {bot.name: bot for bot in stub.ListBots(pb.ListBotsRequest()).bots}


def until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not is_true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def until_asked(server: ServerProcess, name: str) -> None:
    until(lambda: statuses(server)[name].open_questions > 0)


def until_gone(server: ServerProcess, name: str) -> None:
    until(lambda: name not in statuses(server))


# --- the examples -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "example", [python_example, pytest.param(node_example, marks=pytest.mark.slow)]
)
def test_an_example_plays_a_ladder(
    server: ServerProcess, tmp_path: Path, example: Callable[[], list[str]]
) -> None:
    name = example.__name__
    command = [
        *(KINGMAKER, "ladder", "run", "spring", "--game", "leduc_poker", "--report", ""),
        *("--bot", f"ext={spec(name, server)}", "--bot", "house=random"),
        *("--groups", "4", "--move-ms", "20000", "--workers", "1"),
    ]
    with running(example(), tmp_path, server.address, name):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "8 of 8 games" in done.stdout
    assert causes(tmp_path / "ladder.sqlite") == {Cause.FINISHED: 8}


@pytest.mark.parametrize("example", [python_example, node_example])
def test_an_example_plays_the_same_game_again(
    server: ServerProcess, tmp_path: Path, example: Callable[[], list[str]]
) -> None:
    name = f"{example.__name__}-again"
    task = task_of("hearts", spec(name, server), "random", spec(name, server), "random")
    with running(example(), tmp_path, server.address, name) as bot:
        bot.wait_for("is connected")
        games = [play(task), play(task)]
    assert games[0].cause is Cause.FINISHED
    assert timeless(games[0]) == timeless(games[1])


def test_the_bot_of_the_documentation_plays(server: ServerProcess, tmp_path: Path) -> None:
    command = documented_example(tmp_path, server.address)
    with running(command, tmp_path, server.address):
        record = play(task_of("kuhn_poker", spec("rook", server), "random"))
    assert record.cause is Cause.FINISHED


def test_an_example_waits_for_its_name_and_then_has_it(
    server: ServerProcess, tmp_path: Path
) -> None:
    arguments = server.address, "twin"
    with (
        running(python_example(), tmp_path, *arguments) as one,
        running(python_example(), tmp_path, *arguments) as other,
    ):
        until(lambda: "ALREADY_EXISTS" in one.log + other.log)
        late, early = (one, other) if "ALREADY_EXISTS" in one.log else (other, one)
        early.process.kill()
        late.wait_for("twin is connected\n")
        assert play(task_of("tic_tac_toe", spec("twin", server), "random")).cause is Cause.FINISHED


@pytest.mark.slow
def test_an_example_comes_back_when_the_server_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    with server_process(tmp_path, port=port) as server:
        task = task_of("tic_tac_toe", spec("rook", server), "random")
        with running(python_example(), tmp_path, server.address, "rook") as bot:
            bot.wait_for("is connected")
            server.stop(signal.SIGKILL)
            server.exit_code()
            with monkeypatch.context() as impatient:
                impatient.setattr(remote, "CONNECT_SECONDS", 0.0)
                with pytest.raises(InfrastructureError, match="UNAVAILABLE"):
                    play(task)
            with server_process(tmp_path, port=port):
                bot.wait_for("is connected", times=2)
                # The ladder's own channel may still be in its backoff: the bot has the usual time.
                assert play(task).cause is Cause.FINISHED


# --- what a bot is told -------------------------------------------------------------------------


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.is_hidden])
def test_a_bot_is_reported_what_its_seat_sees_and_nothing_more(
    server: ServerProcess, game: str
) -> None:
    heard: list[pb.BotQuestion] = []

    def choose(question: pb.BotQuestion) -> types_pb2.Move:
        heard.append(question)
        return random.Random(question.seed).choice(question.moves)

    name = f"spy-{game}"
    task = task_of(game, *_seats(game, spec(name, server)), max_plies=200, clock=PATIENT)
    with connected(server.address, name, choose):
        record = play(task)
    assert record.cause in (Cause.FINISHED, Cause.CUT)
    assert [question.observation.text for question in heard] == list(_seen_by_first(record))
    for question in heard:
        fields = {field.name for field, _ in question.ListFields()}
        assert fields == {"id", "game_id", "observation", "moves", "time_left", "seed"}
        seen = parse_observation(game, question.observation.text)
        assert [move.text for move in question.moves] == seen.legal_moves()
    [game_id] = {question.game_id for question in heard}
    assert game_id not in task.id


def _seats(game: str, spec: str) -> list[str]:
    """Put a bot on the first seat, and random ones beside it."""
    return [spec, *["random"] * (new_game(game).num_seats - 1)]


def _seen_by_first(record: GameRecord) -> Iterator[str]:
    """Replay a game; yields what the first seat saw whenever it had to decide."""
    position = new_game(record.task.game)
    for move in record.moves:
        if move.seat == 1:
            yield position.observe(1).text
        position = position.apply(move.token)


def test_every_game_has_an_id_of_its_own(server: ServerProcess) -> None:
    heard: list[str] = []

    def choose(question: pb.BotQuestion) -> types_pb2.Move:
        heard.append(question.game_id)
        return first(question)

    task = task_of("tic_tac_toe", spec("ids", server), "random")
    with connected(server.address, "ids", choose):
        play(task)
        num_first = len(heard)
        play(task)
    assert not set(heard[:num_first]) & set(heard[num_first:])


def test_a_bot_is_reported_its_clock(server: ServerProcess) -> None:
    heard: list[pb.BotQuestion] = []

    def choose(question: pb.BotQuestion) -> types_pb2.Move:
        heard.append(question)
        return first(question)

    clock = TimeControl(move_ms=9000, game_ms=8000, increment_ms=500)
    with connected(server.address, "clock", choose):
        record = play(task_of("connect_four", spec("clock", server), "random", clock=clock))
        play(task_of("connect_four", spec("clock", server), "random"))
    left = 8000.0
    for question, move in zip(heard, record.moves[::2], strict=False):
        assert question.time_left.ToNanoseconds() / 1e6 == pytest.approx(min(left, 9000), abs=0.01)
        left += 500 - move.ms
    assert not heard[-1].HasField("time_left")


# --- games at once ------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_bot_plays_many_games_at_once_and_waiting_costs_it_nothing(
    server: ServerProcess,
) -> None:
    busy: list[int] = []

    def choose(question: pb.BotQuestion) -> types_pb2.Move:
        busy.append(question.id)
        time.sleep(0.15)
        return first(question)

    clock = TimeControl(move_ms=1500)
    task = task_of("kuhn_poker", spec("busy", server), "random", clock=clock)
    with (
        connected(server.address, "busy", choose),
        ThreadPoolExecutor(16) as threads,
    ):
        began = time.monotonic()
        records = list(threads.map(play, [task] * 16))
        seconds = time.monotonic() - began
    assert {record.cause for record in records} == {Cause.FINISHED}
    thought_ms = [record.thinking_ms[0] for record in records]
    assert min(thought_ms) >= 150
    assert sum(thought_ms) <= seconds * 1000
    assert busy == sorted(busy)


@pytest.mark.slow
def test_a_bot_with_several_places_thinks_about_several_games(server: ServerProcess) -> None:
    both = Event()
    asked: list[str] = []

    def choose(question: pb.BotQuestion) -> types_pb2.Move | None:
        asked.append(question.game_id)
        if len(set(asked)) == 2:
            both.set()
        raise NotImplementedError

    task = task_of("tic_tac_toe", spec("wide", server), "random", clock=TimeControl(move_ms=2000))
    with (
        connected(server.address, "wide", choose, max_questions=2),
        ThreadPoolExecutor(2) as threads,
    ):
        games = [threads.submit(play, task) for _ in range(2)]
        assert both.wait(20)
        assert [game.result().cause for game in games] == [Cause.TIMED_OUT] * 2


@dataclass
class Measured:
    """A bot that takes long to be reached, and whose thinking was measured elsewhere."""

    thinking_ms: float

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> TimedMove:
        time.sleep(0.03)
        return TimedMove(observation.legal_moves()[0], self.thinking_ms)

    def close(self) -> None:
        pass


def test_the_clock_counts_what_was_measured_where_the_bot_is() -> None:
    task = task_of("tic_tac_toe", clock=TimeControl(move_ms=20, game_ms=26))
    record = play(task, lambda bot, game: Measured(5.0))
    assert record.cause is Cause.FINISHED
    assert record.thinking_ms == (20, 15)
    late = play(task, lambda bot, game: Measured(9.0))
    assert (late.cause, late.culprit) == (Cause.TIMED_OUT, 1)
    assert late.detail == "p1 thought for 9.0 ms and had 8.0 ms"


def test_a_worker_that_waits_for_a_busy_bot_does_not_hang(server: ServerProcess) -> None:
    asked: list[tuple[int, float | None]] = []

    class Notes:
        def ask(self, seat: int, left_ms: float | None) -> None:
            asked.append((seat, left_ms))

        def hear(self) -> None: ...
        def add(self, move: MoveRecord) -> None: ...

    context = copy_context()
    context.run(JOURNAL.set, Notes())  # type: ignore[arg-type]
    with connected(server.address, "noted"):
        task = task_of("tic_tac_toe", spec("noted", server), "random", clock=PATIENT)
        context.run(play, task)
    assert set(asked) == {(1, None), (2, PATIENT.move_ms)}


# --- faults of bots -----------------------------------------------------------------------------


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


# --- what is no fault of a bot ------------------------------------------------------------------


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


@pytest.mark.slow
def test_the_games_of_a_process_share_a_connection(server: ServerProcess) -> None:
    with connected(server.address, "shared", first):
        game = new_game("tic_tac_toe").game
        spec = parse_spec(f"bot:shared@{server.address}")
        one, two = (remote.ExternalBot(spec, game, remote.Patience()) for _ in range(2))
        one.close()
        move = two.select(new_game("tic_tac_toe").observe(1), 30_000, None, 1).token
        assert move in new_game("tic_tac_toe").legal_moves()
        assert one._server.channel is two._server.channel
