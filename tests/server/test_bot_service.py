"""Bots of other people: how they connect, are asked, answer, and what their faults lead to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from kingmaker.cext.games import GAMES
from kingmaker.server import app
from kingmaker.server.bots import hub as bot_hub
from kingmaker.server.bots.hub import BotConnection
from kingmaker.server.convert import move_messages, observation_message
from kingmaker.server.errors import DeadlineError
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub

from .bot_client import CODE, ask, connect, request, status, until_gone, until_waiting
from .support import Service, failure_of, midgame, serving


async def test_a_question_goes_to_the_bot_and_its_answer_comes_back(service: Service) -> None:
    bot = await connect(service)
    asked = ask(service)
    question = await bot.question()
    await bot.answer(question, question.moves[-1])
    answer = await asked
    assert answer.move == question.moves[-1]
    assert 0 <= answer.thinking.ToSeconds() < 10


@pytest.mark.parametrize("game", GAMES)
async def test_a_question_holds_what_the_seat_sees_and_nothing_more(
    service: Service, game: str
) -> None:
    position = midgame(game, num_plies=1 if "poker" in game else 6)
    bot = await connect(service)
    asked = ask(service, position, game_id="g", seed=9, left=60)
    question = await bot.question()
    seen = position.observe(position.seat)
    expected = pb.BotQuestion(
        id=1,
        game_id="g",
        observation=observation_message(seen),
        moves=move_messages(position.game, seen.legal_moves()),
        seed=9,
    )
    expected.time_left.FromSeconds(60)
    assert question == expected
    asked.cancel()


async def test_without_a_clock_no_time_is_reported_and_a_seed_is_drawn(service: Service) -> None:
    bot = await connect(service)
    asked = [ask(service), ask(service)]
    seeds = set()
    for _ in asked:
        question = await bot.question()
        assert not question.HasField("time_left")
        seeds.add(question.seed)
        await bot.answer(question, question.moves[0])
    await asyncio.gather(*asked)
    assert len(seeds) == 2


async def test_a_typed_move_is_an_answer(service: Service) -> None:
    bot = await connect(service)
    asked = ask(service, midgame("connect_four", 4))
    question = await bot.question()
    await bot.answer(question, types_pb2.Move(connect_four=question.moves[0].connect_four))
    assert (await asked).move == question.moves[0]


async def test_questions_beyond_its_places_wait_in_the_order_of_the_calls(
    service: Service,
) -> None:
    bot = await connect(service, max_questions=2)
    assert bot.registered.max_questions == 2
    asked = []
    for number in range(4):
        asked.append(ask(service, game_id=str(number)))
        await until_waiting(service, max(number - 1, 0))
    first, second = await bot.question(), await bot.question()
    assert (await status(service)).open_questions == 2  # type: ignore[union-attr]
    await bot.answer(second, second.moves[0])
    third = await bot.question()
    await bot.answer(first, first.moves[0])
    fourth = await bot.question()
    assert [each.game_id for each in (first, second, third, fourth)] == ["0", "1", "2", "3"]
    assert [each.id for each in (first, second, third, fourth)] == [1, 2, 3, 4]
    for each in (third, fourth):
        await bot.answer(each, each.moves[0])
    await asyncio.gather(*asked)


async def test_waiting_for_a_busy_bot_is_not_thinking(service: Service) -> None:
    bot = await connect(service)
    first, second = ask(service), ask(service, left=0.3)
    question = await bot.question()
    await asyncio.sleep(0.6)
    await bot.answer(question, question.moves[0])
    question = await bot.question()
    await bot.answer(question, question.moves[0])
    assert (await first).thinking.ToSeconds() >= 0
    assert (await first).thinking.ToMilliseconds() >= 600
    assert (await second).thinking.ToMilliseconds() <= 300


async def test_a_bot_that_thinks_too_long_is_overdue(service: Service) -> None:
    bot = await connect(service)
    failed = await failure_of(ask(service, left=0.05))
    assert failed.code is CODE.DEADLINE_EXCEEDED
    assert failed.info.reason == "DEADLINE_EXCEEDED"
    assert failed.message == "bot rook did not answer within 0.050 s"
    question = await bot.question()
    assert (await bot.hear()).withdrawn == pb.QuestionWithdrawn(question=1, is_overdue=True)
    late = await failure_of(bot.answer(question, question.moves[0]))
    assert late.code is CODE.FAILED_PRECONDITION
    assert late.message == "question 1 is no longer open: its time was over"


async def test_after_an_overrun_the_next_question_is_put_at_once(service: Service) -> None:
    bot = await connect(service)
    slow, next_one = ask(service, left=0.05), ask(service)
    await failure_of(slow)
    assert (await bot.question()).id == 1
    assert (await bot.hear()).withdrawn.is_overdue
    question = await bot.question()
    await bot.answer(question, question.moves[0])
    assert (await next_one).move.text


async def test_no_bot_thinks_longer_than_the_server_allows() -> None:
    async with serving(max_bot_seconds=0.05) as service:
        await connect(service)
        for left in (None, 3600):
            failed = await failure_of(ask(service, left=left))
            assert failed.message == "bot rook did not answer within 0.050 s"


async def test_a_bot_that_goes_leaves_no_caller_waiting(service: Service) -> None:
    bot = await connect(service)
    asked = [ask(service), ask(service)]
    await bot.question()
    await until_waiting(service, 1)
    await bot.leave()
    for failed in [await failure_of(each) for each in asked]:
        assert failed.code is CODE.ABORTED
        assert failed.info.reason == "BOT_LEFT"
    assert (await failure_of(ask(service))).code is CODE.ABORTED


async def test_a_bot_may_come_back(service: Service) -> None:
    await (await connect(service)).leave()
    await until_gone(service)
    bot = await connect(service)
    asked = ask(service)
    question = await bot.question()
    await bot.answer(question, question.moves[0])
    assert (await asked).move.text


async def test_the_session_of_a_stream_that_ended_is_worth_nothing(service: Service) -> None:
    bot = await connect(service)
    await bot.leave()
    await until_gone(service)
    again = await connect(service)
    assert again.registered.session != bot.registered.session
    assert (await failure_of(bot.answer(1, "b2"))).code is CODE.NOT_FOUND


@pytest.mark.parametrize(
    ("move", "passed", "code"),
    [
        ("attack:p2:unheard", "attack:p2:unheard", CODE.INVALID_ARGUMENT),
        ("draw:forge", "draw:forge", CODE.FAILED_PRECONDITION),
        ("", "", CODE.INVALID_ARGUMENT),
        (None, "", CODE.INVALID_ARGUMENT),
        ("x" * 60_000, "x" * 200, CODE.INVALID_ARGUMENT),
        (types_pb2.Move(text="a", connect_four={}), "a", CODE.INVALID_ARGUMENT),
    ],
)
async def test_a_wrong_move_is_passed_on_and_the_bot_is_reported(
    service: Service, move: Any, passed: str, code: grpc.StatusCode
) -> None:
    position = midgame()
    assert "draw:forge" not in position.legal_moves()
    bot = await connect(service)
    asked = ask(service, position)
    failed = await failure_of(bot.answer(await bot.question(), move))
    assert failed.code is code
    assert failed.info.metadata["field"].startswith("move")
    assert (await asked).move.text == passed


async def test_a_bot_that_does_not_read_loses_by_time_and_fills_no_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_hub, "MAX_UNREAD", 10)
    bot = BotConnection("rook", frozenset(), max_questions=2, max_waiting=100)
    position = midgame()
    seen = position.observe(position.seat)
    for _ in range(20):
        with pytest.raises(DeadlineError):
            await bot.ask(pb.BotQuestion(), seen, 0.001, "alice")
    assert bot._outbox.qsize() == 10


async def test_a_caller_that_goes_away_is_reported_to_the_bot_and_its_place_stays_taken(
    service: Service,
) -> None:
    bot = await connect(service)
    asked = ask(service)
    question = await bot.question()
    asked.cancel()
    assert (await bot.hear()).withdrawn == pb.QuestionWithdrawn(question=1)
    other = ask(service)
    await until_waiting(service, 1)
    failed = await failure_of(bot.answer(question, question.moves[0]))
    assert failed.code is CODE.FAILED_PRECONDITION
    assert failed.message == "the caller of question 1 has disconnected"
    question = await bot.question()
    await bot.answer(question, question.moves[0])
    assert (await other).move.text


async def test_a_question_nobody_waits_for_gives_its_place_back_when_its_time_is_over(
    service: Service,
) -> None:
    bot = await connect(service)
    asked = ask(service, left=0.2)
    await bot.question()
    asked.cancel()
    assert not (await bot.hear()).withdrawn.is_overdue
    other = ask(service)
    question = await bot.question()
    await bot.answer(question, question.moves[0])
    assert (await other).move.text


async def test_a_caller_that_goes_away_while_it_waits_is_not_put_to_the_bot(
    service: Service,
) -> None:
    bot = await connect(service)
    asked = [ask(service, game_id="first")]
    question = await bot.question()
    for game_id in ("second", "third"):
        asked.append(ask(service, game_id=game_id))
        await until_waiting(service, len(asked) - 1)
    asked[1].cancel()
    await until_waiting(service, 1)
    await bot.answer(question, question.moves[0])
    assert (await bot.question()).game_id == "third"


async def test_the_deadline_of_the_call_bounds_the_waiting(service: Service) -> None:
    await connect(service)
    stub: Any = BotServiceStub(service.channel)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.AskBot(request(), timeout=0.1)
    assert caught.value.code() is CODE.DEADLINE_EXCEEDED


async def test_bots_are_listed_by_name(service: Service) -> None:
    await connect(service, "rook", games=["hearts", "goofspiel"])
    await connect(service, "queen", max_questions=5)
    stub: Any = BotServiceStub(service.channel)
    bots = (await stub.ListBots(pb.ListBotsRequest())).bots
    assert [(bot.name, list(bot.games), bot.max_questions) for bot in bots] == [
        ("queen", [], 5),
        ("rook", ["goofspiel", "hearts"], 1),
    ]


async def test_a_server_that_drains_sends_bots_and_callers_away_at_once() -> None:
    async with serving(grace_seconds=30) as service:
        bot = await connect(service)
        asked = [ask(service), ask(service)]
        await bot.question()
        await until_waiting(service, 1)
        await asyncio.wait_for(service.server.drain(), 10)
        for each in asked:
            failed = await failure_of(each)
            assert failed.code is CODE.UNAVAILABLE
            assert failed.info.reason == "SHUTTING_DOWN"
        assert (await failure_of(bot.hear())).info.reason == "SHUTTING_DOWN"


@asynccontextmanager
async def renewing(monkeypatch: pytest.MonkeyPatch, milliseconds: int) -> AsyncIterator[Service]:
    """Serve with connections that are renewed so often."""
    options = app._channel_options(ServerSettings())
    changed = [*options, ("grpc.max_connection_age_ms", milliseconds)]
    monkeypatch.setattr(app, "_channel_options", lambda settings: changed)
    async with serving() as service:
        yield service


async def test_a_stream_outlives_the_renewal_of_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with renewing(monkeypatch, 100) as service:
        bot = await connect(service)
        for _ in range(4):
            asked = ask(service)
            question = await bot.question()
            await asyncio.sleep(0.15)
            await bot.answer(question, question.moves[0])
            assert (await asked).move.text
        assert question.id == 4
