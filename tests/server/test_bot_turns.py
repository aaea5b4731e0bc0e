"""Who is next when several callers ask one bot: no caller's questions hold up those of others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kingmaker.server.bots.hub import BotConnection
from kingmaker.server.errors import OverloadError
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import midgame


async def put(bot: BotConnection, *askers: str) -> list[asyncio.Task[Any]]:
    """Ask a bot, once for each asker, in this order."""
    seen = midgame("connect_four", 3)
    tasks = []
    for number, asker in enumerate(askers):
        message = pb.BotQuestion(game_id=f"{asker}{number}")
        asked = bot.ask(message, seen.observe(seen.seat), 60, asker)
        tasks.append(asyncio.create_task(asked))
        await asyncio.sleep(0)
    return tasks


def settle_all(bot: BotConnection) -> list[str]:
    """Answer all questions one after the other; returns their askers in the order of the turns."""
    turns = []
    while bot.status.open_questions:
        question = next(iter(bot._taken.values()))
        turns.append(question.asker)
        bot.settle(question, types_pb2.Move())
    return turns


async def test_askers_take_turns() -> None:
    bot = BotConnection("rook", frozenset(), max_questions=1, max_waiting=100)
    tasks = await put(bot, *"aaaaaa", "b", "c", "b")
    assert settle_all(bot) == ["a", "b", "c", "a", "b", "a", "a", "a", "a"]
    await asyncio.gather(*tasks)


async def test_the_asker_with_the_fewest_places_is_next() -> None:
    bot = BotConnection("rook", frozenset(), max_questions=4, max_waiting=100)
    tasks = await put(bot, *"aaaaaaaa", "b", "b")
    bot.settle(next(iter(bot._taken.values())), types_pb2.Move())
    bot.settle(next(iter(bot._taken.values())), types_pb2.Move())
    places = [question.asker for question in bot._taken.values()]
    assert sorted(places) == ["a", "a", "b", "b"]
    settle_all(bot)
    await asyncio.gather(*tasks)


async def test_in_a_full_queue_the_greediest_asker_makes_room() -> None:
    bot = BotConnection("rook", frozenset(), max_questions=1, max_waiting=4)
    tasks = await put(bot, *"aaaaa", "b", "c")
    results = await asyncio.gather(*tasks[3:5], return_exceptions=True)
    assert [type(each) for each in results] == [OverloadError, OverloadError]
    [refused] = await put(bot, "a")
    with pytest.raises(OverloadError):
        await refused
    assert bot.status.waiting_questions == 4
    assert settle_all(bot) == ["a", "b", "c", "a", "a"]
