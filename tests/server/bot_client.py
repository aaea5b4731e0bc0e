"""A bot that is connected to a server, and callers that ask it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import grpc

from kingmaker.search.position import Position
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub

from .support import Service, midgame, observation_of, until

CODE = grpc.StatusCode


@dataclass
class Bot:
    """A bot under the thumb of a test."""

    stub: Any
    stream: Any
    registered: pb.BotRegistered

    async def hear(self) -> pb.ConnectResponse:
        event = await asyncio.wait_for(self.stream.read(), 10)
        assert isinstance(event, pb.ConnectResponse), "the stream has ended"
        return event

    async def question(self) -> pb.BotQuestion:
        event = await self.hear()
        assert event.WhichOneof("event") == "question"
        return event.question

    def answer(self, question: pb.BotQuestion | int, move: types_pb2.Move | str | None) -> Any:
        number = question if isinstance(question, int) else question.id
        chosen = types_pb2.Move(text=move) if isinstance(move, str) else move
        request = pb.AnswerMoveRequest(
            session=self.registered.session, question=number, move=chosen
        )
        return self.stub.AnswerMove(request)

    async def leave(self) -> None:
        self.stream.cancel()
        await until(lambda: self.stream.done())


async def connect(service: Service, name: str = "rook", **values: Any) -> Bot:
    stub: Any = BotServiceStub(service.channel)
    stream = stub.Connect(pb.ConnectRequest(name=name, **values))
    first = await stream.read()
    return Bot(stub, stream, first.registered)


def request(position: Position | None = None, **values: Any) -> pb.AskBotRequest:
    left = values.pop("left", None)
    asked = pb.AskBotRequest(
        **{"bot": "rook", "observation": observation_of(position or midgame()), **values}
    )
    if left is not None:
        asked.time_left.FromMilliseconds(round(left * 1000))
    return asked


def ask(service: Service, position: Position | None = None, **values: Any) -> Any:
    """Begin to ask; returns a task."""
    stub: Any = BotServiceStub(service.channel)
    call = stub.AskBot(request(position, **values))
    return asyncio.ensure_future(_finish(call))


async def _finish(call: Any) -> Any:
    return await call


async def status(service: Service, name: str = "rook") -> pb.ConnectedBot | None:
    stub: Any = BotServiceStub(service.channel)
    bots = (await stub.ListBots(pb.ListBotsRequest())).bots
    return next((bot for bot in bots if bot.name == name), None)


# These two wait for what only the wire tells.
async def until_gone(service: Service, name: str = "rook") -> None:
    while await status(service, name) is not None:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def until_waiting(service: Service, number: int) -> None:
    while (found := await status(service)) is None or found.waiting_questions != number:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
