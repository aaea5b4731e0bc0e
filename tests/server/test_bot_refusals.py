"""What the service of bots refuses: names, questions, answers, and more than the server allows."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kingmaker.server.bots import hub as bot_hub
from kingmaker.server.bots.hub import BotHub
from kingmaker.server.errors import BotLeftError, UnknownNameError
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub

from .bot_client import CODE, ask, connect, until_gone, until_waiting
from .support import KINGDOM, Service, failure_of, finished, midgame, serving


@pytest.mark.parametrize("name", ["", "x" * 65, "a b", "a\n", "a\x00", "é", "a@b", "a:b", "a,b"])
async def test_a_name_that_no_spec_could_hold_is_refused(service: Service, name: str) -> None:
    stub: Any = BotServiceStub(service.channel)
    failed = await failure_of(stub.Connect(pb.ConnectRequest(name=name)))
    assert failed.code is CODE.INVALID_ARGUMENT
    assert "write 1 to 64 letters" in failed.fields["name"]


async def test_a_name_belongs_to_who_came_first(service: Service) -> None:
    bot = await connect(service)
    stub: Any = BotServiceStub(service.channel)
    failed = await failure_of(stub.Connect(pb.ConnectRequest(name="rook")))
    assert failed.code is CODE.ALREADY_EXISTS
    assert failed.info.reason == "NAME_TAKEN"
    assert failed.info.metadata["value"] == "rook"
    asked = ask(service)
    question = await bot.question()
    await bot.answer(question, question.moves[0])
    await asked


async def test_all_that_is_wrong_with_a_bot_is_reported_at_once(service: Service) -> None:
    stub: Any = BotServiceStub(service.channel)
    asked = pb.ConnectRequest(name="", games=["hearts", "bridge"], max_questions=-1)
    failed = await failure_of(stub.Connect(asked))
    assert failed.code is CODE.INVALID_ARGUMENT
    assert set(failed.fields) == {"name", "games[1]", "max_questions"}


async def test_an_unknown_game_is_not_found(service: Service) -> None:
    stub: Any = BotServiceStub(service.channel)
    failed = await failure_of(stub.Connect(pb.ConnectRequest(name="rook", games=["bridge"])))
    assert failed.code is CODE.NOT_FOUND


async def test_a_bot_is_asked_about_its_games_only(service: Service) -> None:
    bot = await connect(service, games=["hearts", "connect_four"])
    failed = await failure_of(ask(service))
    assert failed.code is CODE.FAILED_PRECONDITION
    assert failed.message == f"bot rook does not play {KINGDOM}; it plays connect_four, hearts"
    ask(service, midgame("connect_four", 3)).add_done_callback(lambda task: task.exception())
    assert (await bot.question()).observation.game == "connect_four"


async def test_a_bot_that_was_never_there_is_not_found(service: Service) -> None:
    await connect(service, "queen")
    failed = await failure_of(ask(service))
    assert failed.code is CODE.NOT_FOUND
    assert failed.info.reason == "UNKNOWN_NAME"
    assert failed.message == "there is no bot 'rook'; connected: queen"


async def test_all_that_is_wrong_with_a_question_is_reported_at_once(service: Service) -> None:
    stub: Any = BotServiceStub(service.channel)
    asked = pb.AskBotRequest(bot="rook", game_id="x" * 65, seed=1 << 63)
    asked.time_left.FromSeconds(0)
    failed = await failure_of(stub.AskBot(asked))
    assert failed.code is CODE.INVALID_ARGUMENT
    assert set(failed.fields) == {"bot", "game_id", "observation.game", "seed", "time_left"}


@pytest.mark.parametrize("make", [finished, lambda game: midgame(game, 4)])
async def test_only_who_decides_can_be_asked_for(service: Service, make: Any) -> None:
    position = make("connect_four")
    seen = position.observe(3 - position.seat if position.seat else 1)
    message = types_pb2.Observation(game="connect_four", text=seen.text)
    await connect(service)
    failed = await failure_of(ask(service, position, observation=message))
    assert failed.code is CODE.FAILED_PRECONDITION
    assert "observation" in failed.info.metadata["field"]


async def test_an_answer_needs_the_session_of_its_bot(service: Service) -> None:
    bot, other = await connect(service), await connect(service, "queen")
    asked = ask(service)
    question = await bot.question()
    failed = await failure_of(other.answer(question, question.moves[0]))
    assert failed.code is CODE.INVALID_ARGUMENT
    assert failed.fields == {"question": "question 1 was never asked in this session"}
    stub: Any = BotServiceStub(service.channel)
    for session in ("", "rook", bot.registered.session[:-1]):
        wrong = pb.AnswerMoveRequest(session=session, question=1, move=question.moves[0])
        failed = await failure_of(stub.AnswerMove(wrong))
        assert failed.code is CODE.NOT_FOUND
        assert failed.info.metadata["field"] == "session"
        assert "value" not in failed.info.metadata  # it is a secret
    await bot.answer(question, question.moves[0])
    await asked


async def test_a_question_is_answered_once(service: Service) -> None:
    bot = await connect(service)
    asked = ask(service)
    question = await bot.question()
    await bot.answer(question, question.moves[0])
    failed = await failure_of(bot.answer(question, question.moves[-1]))
    assert failed.code is CODE.FAILED_PRECONDITION
    assert failed.message == "question 1 is no longer open: it is answered"
    assert (await asked).move == question.moves[0]


async def test_there_are_no_more_bots_than_the_server_allows() -> None:
    async with serving(max_bots=1) as service:
        bot = await connect(service)
        stub: Any = BotServiceStub(service.channel)
        failed = await failure_of(stub.Connect(pb.ConnectRequest(name="queen")))
        assert failed.code is CODE.RESOURCE_EXHAUSTED
        assert "RetryInfo" in failed.details
        await bot.leave()
        await until_gone(service)
        await connect(service, "queen")


async def test_a_bot_has_no_more_places_than_the_server_allows() -> None:
    async with serving(max_bot_questions=3) as service:
        bot = await connect(service, max_questions=1000)
        assert bot.registered.max_questions == 3


async def test_no_more_questions_wait_than_the_server_allows() -> None:
    async with serving(bot_queue=1) as service:
        await connect(service)
        asked = [ask(service), ask(service)]
        await until_waiting(service, 1)
        failed = await failure_of(ask(service))
        assert failed.code is CODE.RESOURCE_EXHAUSTED
        assert failed.details["QuotaFailure"].violations[0].subject == "bot:rook"
        for each in asked:
            each.cancel()


def test_the_names_of_bots_that_left_are_remembered_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_hub, "MAX_REMEMBERED", 2)
    hub = BotHub(ServerSettings())
    with asyncio.Runner() as runner:
        runner.run(_come_and_go(hub, "abc"))
    for name, error in (("a", UnknownNameError), ("b", BotLeftError), ("c", BotLeftError)):
        with pytest.raises(error):
            hub.find(name)


async def _come_and_go(hub: BotHub, names: str) -> None:
    for name in names:
        with hub.connected(name, frozenset(), 1):
            assert hub.find(name).name == name
