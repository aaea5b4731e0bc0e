"""Programs that are connected to a server play in ladders: their questions and clocks."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from threading import Event

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.ladder import remote
from kingmaker.ladder.journal import JOURNAL
from kingmaker.ladder.model import Cause, GameRecord, MoveRecord, TimeControl
from kingmaker.ladder.play import play
from kingmaker.ladder.seats import TimedMove
from kingmaker.ladder.specs import parse_spec
from kingmaker.search.position import Observation, new_game, parse_observation
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from tests.ladder.connected import PATIENT, connected, first, spec
from tests.ladder.fakes import task_of
from tests.server.process import ServerProcess


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
