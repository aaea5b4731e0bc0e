"""A game from its task to its record: the play itself, clocks, faults of bots and of machines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.cext.errors import ContractError
from kingmaker.cext.games import GAMES
from kingmaker.ladder.bots import start_bot
from kingmaker.ladder.model import Bot, Cause, GameRecord, GameTask, TimeControl
from kingmaker.ladder.play import play
from kingmaker.search.position import Observation, new_game
from kingmaker.tasks.model import InfrastructureError
from kingmaker.v1 import (
    analysis_service_pb2,
    analysis_service_pb2_grpc,
    game_service_pb2,
    game_service_pb2_grpc,
    types_pb2,
)
from tests.ladder.fakes import Choose, FakeBot, chooser, first, starter, task_of, timeless
from tests.server.process import server_process


def crash(observation: Observation) -> str:
    raise RuntimeError("out of\nideas")


def play_with(task: GameTask, *choices: Choose) -> GameRecord:
    return play(task, starter([FakeBot(choose) for choose in choices]))


# --- the play -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_played_to_its_end(name: str) -> None:
    record = play(task_of(name))
    assert record.cause is Cause.FINISHED
    assert record.culprit == 0
    assert sum(record.returns) == pytest.approx(1)
    end = new_game(name).apply(*(move.token for move in record.moves))
    assert end.is_terminal
    assert (record.end, list(record.returns)) == (end.text, end.returns())


def test_the_same_task_gives_the_same_game() -> None:
    task = task_of("kingdom_coinquest", "ismcts:simulations=20", "level:1,simulations=20")
    assert timeless(play(task)) == timeless(play(task))


def test_another_seed_gives_another_game_on_the_same_deal() -> None:
    task = task_of("hearts")
    records = [play(task), play(replace(task, seed=task.seed + 1))]
    deals = [[move for move in record.moves if move.seat == 0] for record in records]
    assert deals[0] == deals[1]
    assert records[0].moves != records[1].moves


def test_a_decision_has_a_seed_of_its_own_whatever_the_others_draw() -> None:
    task = task_of("tic_tac_toe")
    one, other = [FakeBot(first), FakeBot(first)], [FakeBot(first), FakeBot(chooser(1))]
    play(task, starter(one))
    play(task, starter(other))
    seeds = one[0].seeds
    shared = min(len(seeds), len(other[0].seeds))
    assert seeds[:shared] == other[0].seeds[:shared]
    assert len({*one[0].seeds, *one[1].seeds}) == len(one[0].seeds) + len(one[1].seeds)


def test_the_seeds_that_bots_get_say_nothing_of_the_deal() -> None:
    task = task_of("leduc_poker")
    one, other = [FakeBot(first), FakeBot(first)], [FakeBot(first), FakeBot(first)]
    records = [
        play(replace(task, deal_seed=seed), starter(bots)) for seed, bots in ((1, one), (2, other))
    ]
    assert records[0].moves[0] != records[1].moves[0]
    assert one[0].seeds[0] == other[0].seeds[0]


def test_a_bot_sees_what_its_seat_sees() -> None:
    seen: list[Observation] = []

    def choose(observation: Observation) -> str:
        seen.append(observation)
        return first(observation)

    play_with(task_of("leduc_poker"), choose, first)
    assert {observation.observer for observation in seen} == {1}


@pytest.mark.parametrize("name", ["hearts", "leduc_poker"])
def test_bots_get_a_record_in_games_that_use_it(name: str) -> None:
    seen: list[Observation] = []

    def choose(observation: Observation) -> str:
        seen.append(observation)
        return first(observation)

    play_with(task_of(name), *[choose] * new_game(name).num_seats)
    uses = new_game(name).game.uses_records
    assert all((observation.record is not None) == uses for observation in seen)
    lengths = [len(each.record.seen) for each in seen if each.record is not None]
    assert lengths == sorted(lengths)
    assert not uses or lengths[-1] > 100


def test_a_game_without_end_is_cut_and_drawn() -> None:
    record = play(task_of("kingdom_coinquest", max_plies=17, players="3"))
    assert (record.cause, record.culprit) == (Cause.CUT, 0)
    assert len(record.moves) == 17
    assert record.returns == (1 / 3, 1 / 3, 1 / 3)


def test_a_game_that_ends_at_the_limit_is_finished() -> None:
    task = task_of("tic_tac_toe")
    record = play_with(task, first, first)
    limited = replace(task, max_plies=len(record.moves))
    assert play_with(limited, first, first).cause is Cause.FINISHED


def test_thinking_is_summed_up_by_seat() -> None:
    record = play(task_of("hearts"))
    for seat, total in enumerate(record.thinking_ms, 1):
        assert total == pytest.approx(
            sum(move.ms for move in record.moves if move.seat == seat), abs=0.05
        )
    assert record.wall_ms > sum(record.thinking_ms)
    assert all(move.ms == 0 for move in record.moves if move.seat == 0)


# --- faults of bots -----------------------------------------------------------------------------


def test_no_bot_is_to_blame_for_a_breach_of_the_contract() -> None:
    def breach(observation: Observation) -> str:
        raise ContractError("kuhn_poker breaks the engine contract")

    with pytest.raises(ContractError):
        play_with(task_of("kuhn_poker"), breach, breach)


def test_a_crash_loses_and_the_others_share_the_win() -> None:
    task = task_of("kingdom_coinquest", players="3")
    record = play_with(task, first, crash, first)
    assert (record.cause, record.culprit) == (Cause.CRASHED, 2)
    assert record.returns == (0.5, 0.0, 0.5)
    assert record.detail == "RuntimeError: out of ideas"


def test_what_a_bot_says_can_not_change_a_terminal() -> None:
    record = play_with(task_of("tic_tac_toe"), first, lambda _: "\x1b[2Jb\u202e2\r")
    assert record.cause is Cause.ILLEGAL
    assert record.detail.startswith("p2 played \ufffd[2Jb\ufffd2")
    assert record.detail.isprintable()


@pytest.mark.parametrize("token", ["a9", "", "no such move", "x" * 10_000])
def test_an_illegal_move_loses(token: str) -> None:
    record = play_with(task_of("tic_tac_toe"), first, lambda _: token)
    assert (record.cause, record.culprit) == (Cause.ILLEGAL, 2)
    assert record.returns == (1.0, 0.0)
    assert record.detail.startswith(f"p2 played {token[:100]}".strip())
    assert len(record.detail) <= 500
    assert len(record.moves) == 1


def test_a_taken_square_is_refused_by_its_rule() -> None:
    record = play_with(task_of("tic_tac_toe"), lambda _: "b2", lambda _: "b2")
    assert record.cause is Cause.ILLEGAL
    assert "possible now" in record.detail


def test_an_overrun_loses_also_with_a_legal_move() -> None:
    def doze(observation: Observation) -> str:
        time.sleep(0.03)
        return first(observation)

    clock = TimeControl(move_ms=20)
    record = play_with(task_of("connect_four", clock=clock), doze, first)
    assert (record.cause, record.culprit) == (Cause.TIMED_OUT, 1)
    assert record.returns == (0.0, 1.0)
    assert record.moves == ()
    assert record.thinking_ms[0] >= 30
    assert "had 20.0 ms" in record.detail


def test_the_clock_of_a_game_counts_down_and_increments_are_added() -> None:
    bots = [FakeBot(first), FakeBot(first)]
    clock = TimeControl(move_ms=900_000, game_ms=800_000, increment_ms=40_000)
    record = play(task_of("connect_four", clock=clock), starter(bots))
    left, expected = 800_000.0, []
    for move in record.moves:
        if move.seat == 1:
            expected.append(min(left, 900_000))
            left += 40_000 - move.ms
    assert bots[0].clocks == pytest.approx(expected, abs=0.1)
    assert max(expected) == 900_000


def test_without_a_clock_a_bot_may_think_for_ever() -> None:
    bots = [FakeBot(first), FakeBot(first)]
    play(task_of("tic_tac_toe"), starter(bots))
    assert set(bots[0].clocks) == {None}


def test_a_clock_of_days_is_none_that_a_search_could_not_take() -> None:
    clock = TimeControl(game_ms=80_000_000, increment_ms=80_000_000)
    record = play(task_of("tic_tac_toe", "flat:simulations=5", "flat:simulations=5", clock=clock))
    assert record.cause is Cause.FINISHED


def test_a_search_ends_when_its_clock_does() -> None:
    game = new_game("tic_tac_toe")
    bot = start_bot(Bot("slow", "flat:time=10m"), game.game)
    assert bot.select(game.observe(1), 50, None, 1) in game.legal_moves()


# --- faults of machines -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (MemoryError("no more"), "out_of_memory"),
        (InfrastructureError("worker_lost", "gone"), "worker_lost"),
    ],
)
def test_what_is_no_fault_of_a_bot_is_no_result(error: Exception, kind: str) -> None:
    def fail(observation: Observation) -> str:
        raise error

    with pytest.raises(InfrastructureError) as caught:
        play_with(task_of("tic_tac_toe"), first, fail)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("spec", "detail"),
    [("clever", "there is no engine 'clever'"), ("mcts", "mcts can't search kuhn_poker")],
)
def test_a_bot_that_can_not_start_is_reported(spec: str, detail: str) -> None:
    task = task_of("kuhn_poker", "random", spec)
    with pytest.raises(InfrastructureError, match=detail) as caught:
        play(task)
    assert caught.value.kind == "bot_did_not_start"
    assert caught.value.detail.startswith("bot 2: ")


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"game": "draughts"}, "there is no game 'draughts'"),
        ({"options": (("size", "4"),)}, "size"),
        ({"rules_version": "0"}, "the task is for rules version 0 of tic_tac_toe"),
        ({"bots": (Bot("a", "random"),)}, "1 bots for the 2 seats"),
    ],
)
def test_a_task_that_can_not_be_played_is_reported(changes: dict[str, Any], detail: str) -> None:
    with pytest.raises(InfrastructureError, match=detail):
        play(replace(task_of("tic_tac_toe"), **changes))


@pytest.mark.parametrize("choose", [first, crash])
def test_all_bots_are_closed_however_the_game_ends(choose: Choose) -> None:
    bots = [FakeBot(first), FakeBot(choose)]
    play(task_of("tic_tac_toe"), starter(bots))
    assert all(bot.is_closed for bot in bots)


def test_bots_that_have_started_are_closed_when_another_one_does_not() -> None:
    bot = FakeBot(first)

    def start(wanted: Bot, game: Any) -> Any:
        return bot if wanted.spec == "fake" else start_bot(wanted, game)

    with pytest.raises(InfrastructureError):
        play(task_of("tic_tac_toe", "fake", "clever"), start)
    assert bot.is_closed


# --- bots behind an address ---------------------------------------------------------------------


class FakeServer(
    analysis_service_pb2_grpc.AnalysisServiceServicer, game_service_pb2_grpc.GameServiceServicer
):
    """Answers as it is told."""

    def __init__(self) -> None:
        self.requests: list[analysis_service_pb2.SelectMoveRequest] = []
        self.refusal: tuple[grpc.StatusCode, str] | None = None
        self.has_details = False
        self.sleep_seconds = 0.0
        self.rules_version = "1"

    def GetGame(self, request: Any, context: Any) -> Any:
        summary = game_service_pb2.GameSummary(rules_version=self.rules_version)
        return game_service_pb2.GetGameResponse(summary=summary)

    def SelectMove(self, request: Any, context: Any) -> Any:
        self.requests.append(request)
        time.sleep(self.sleep_seconds)
        if self.refusal is not None:
            if self.has_details:
                context.set_trailing_metadata([("grpc-status-details-bin", b"")])
            context.abort(*self.refusal)
        seen = request.search.observation
        moves = new_game(seen.game).game.parse_observation(seen.text)
        token = Observation(*moves).legal_moves()[0]
        return analysis_service_pb2.SelectMoveResponse(move=types_pb2.Move(text=token))


@contextmanager
def fake_server() -> Iterator[tuple[FakeServer, str]]:
    servicer = FakeServer()
    server = grpc.server(ThreadPoolExecutor(2))
    analysis_service_pb2_grpc.add_AnalysisServiceServicer_to_server(servicer, server)
    game_service_pb2_grpc.add_GameServiceServicer_to_server(servicer, server)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield servicer, address
    finally:
        server.stop(None).wait()


def test_a_bot_behind_an_address_plays_like_one_in_this_process(tmp_path: Path) -> None:
    settings = "level=2,simulations=20"
    with server_process(tmp_path) as server:
        remote = play(task_of("leduc_poker", f"grpc://{server.address}/{settings}", "random"))
    local = play(task_of("leduc_poker", f"ismcts:{settings}", "random"))
    assert [move.token for move in remote.moves] == [move.token for move in local.moves]


def test_a_server_is_reported_the_settings_and_the_clock() -> None:
    with fake_server() as (servicer, address):
        spec = f"grpc://{address}/level=3,engine=new,time=70ms,threads=2,memory=2mb,width=5"
        clock = TimeControl(move_ms=50_000, game_ms=60_000)
        record = play(task_of("tic_tac_toe", spec, "random", clock=clock))
    assert record.cause is Cause.FINISHED
    request = servicer.requests[0]
    search = request.search
    assert (request.level, search.engine, search.threads) == (3, "new", 2)
    assert dict(search.engine_options) == {"width": "5"}
    assert search.budget.time.ToMilliseconds() == 70
    assert search.budget.memory_bytes == 2 << 20
    assert search.observation.text.endswith("@p1")


def test_a_server_is_given_less_time_than_there_is_on_the_clock() -> None:
    with fake_server() as (servicer, address):
        clock = TimeControl(move_ms=50_000)
        play(task_of("tic_tac_toe", f"grpc://{address}/time=1m", "random", clock=clock))
    assert 40_000 < servicer.requests[0].search.budget.time.ToMilliseconds() < 50_000


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (grpc.StatusCode.INTERNAL, Cause.CRASHED),
        (grpc.StatusCode.UNKNOWN, Cause.CRASHED),
        (grpc.StatusCode.UNAVAILABLE, Cause.CRASHED),
        (grpc.StatusCode.DEADLINE_EXCEEDED, Cause.TIMED_OUT),
    ],
)
def test_a_server_that_fails_in_the_game_loses_it(code: grpc.StatusCode, cause: Cause) -> None:
    with fake_server() as (servicer, address):
        servicer.refusal = code, "alas"
        record = play(task_of("tic_tac_toe", "random", f"grpc://{address}"))
    assert (record.cause, record.culprit) == (cause, 2)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, "bot_did_not_start"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "error"),
        (grpc.StatusCode.UNAVAILABLE, "error"),
    ],
)
def test_a_server_that_refuses_is_no_result(code: grpc.StatusCode, kind: str) -> None:
    with fake_server() as (servicer, address):
        servicer.refusal, servicer.has_details = (code, "alas"), True
        with pytest.raises(InfrastructureError, match="alas") as caught:
            play(task_of("tic_tac_toe", f"grpc://{address}", "random"))
    assert caught.value.kind == kind


def test_a_server_that_hangs_loses_when_its_clock_is_over() -> None:
    with fake_server() as (servicer, address):
        servicer.sleep_seconds = 0.5
        clock = TimeControl(move_ms=100)
        record = play(task_of("tic_tac_toe", f"grpc://{address}", "random", clock=clock))
    assert (record.cause, record.culprit) == (Cause.TIMED_OUT, 1)
    assert record.moves == ()


def test_a_server_that_is_not_there_is_reported() -> None:
    with fake_server() as (_, address):
        pass
    with pytest.raises(InfrastructureError, match=f"{address} answered UNAVAILABLE") as caught:
        play(task_of("tic_tac_toe", f"grpc://{address}", "random"))
    assert caught.value.kind == "bot_did_not_start"


def test_a_server_with_other_rules_is_reported() -> None:
    with fake_server() as (servicer, address):
        servicer.rules_version = "0"
        with pytest.raises(InfrastructureError, match="has rules version 0 of tic_tac_toe"):
            play(task_of("tic_tac_toe", f"grpc://{address}", "random"))
