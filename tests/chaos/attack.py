"""Hostile requests over several connections, in a process of their own until it is ended."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import grpc

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import kingdom_coinquest_pb2 as kingdom_pb
from kingmaker.v1 import ladder_service_pb2 as ladders_pb
from kingmaker.v1 import types_pb2

NUM_CONNECTIONS = 4
NUM_PENDING = 4  # calls of a connection at the same time
OPTIONS = {f"option{number}": "1" for number in range(200_000)}  # 4 MB
FEW_OPTIONS = dict(itertools.islice(OPTIONS.items(), 3000))  # just what a request may have
KINGDOM = "kingdom_coinquest"


def requests() -> list[tuple[str, bytes]]:
    """List methods, and requests that cost much to refuse."""
    players = [kingdom_pb.KingdomCoinquestPlayer(suit="h")] * 3500
    typed = types_pb2.Observation(game=KINGDOM)
    typed.kingdom_coinquest.seen.players.extend(players)
    line = types_pb2.Observation(game=KINGDOM, text="kc " + "=" * 8000)
    moves = [types_pb2.Move(text="castle" * 30)] * 1000
    bots = [ladders_pb.LadderBot(name=f"b{number}", spec="oracle:") for number in range(1000)]
    messages: list[tuple[str, Any]] = [
        ("GameService/StartGame", games_pb.StartGameRequest(game=KINGDOM, options=OPTIONS)),
        ("GameService/StartGame", games_pb.StartGameRequest(game=KINGDOM, options=FEW_OPTIONS)),
        ("GameService/ApplyMoves", games_pb.ApplyMovesRequest(moves=moves)),
        ("AnalysisService/SelectMove", select(observation=typed)),
        ("AnalysisService/SelectMove", select(observation=line)),
        ("AnalysisService/SelectMove", select(engine_options=FEW_OPTIONS)),
        ("AnalysisService/SelectMove", select(engine="x" * 60_000)),
        ("BotService/Connect", bots_pb.ConnectRequest(name="x", games=["?"] * 9000)),
        ("BotService/AskBot", bots_pb.AskBotRequest(bot="x" * 60_000, game_id="y" * 5000)),
        (
            "LadderService/StartLadder",
            ladders_pb.StartLadderRequest(plan=ladders_pb.LadderPlan(game=KINGDOM, bots=bots)),
        ),
    ]
    found = [(f"/kingmaker.v1.{method}", each.SerializeToString()) for method, each in messages]
    junk = [(found[3][0], b"\xff" * size) for size in (60_000, 200_000, 5 << 20, 60 << 20)]
    return [*found, *junk]


def select(**fields: Any) -> pb.SelectMoveRequest:
    return pb.SelectMoveRequest(search=pb.Search(**fields))


async def attack(channel: grpc.aio.Channel, calls: Iterator[tuple[str, bytes]]) -> None:
    for method, data in calls:
        start: Any = channel.unary_stream(method)
        with suppress(grpc.aio.AioRpcError):
            async for _ in start(data):
                pass


async def main(address: str) -> None:
    calls = itertools.cycle(requests())
    options = [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_send_message_length", -1),
    ]
    async with asyncio.TaskGroup() as group:
        for _ in range(NUM_CONNECTIONS):
            channel = grpc.aio.insecure_channel(address, options=options)
            for _ in range(NUM_PENDING):
                group.create_task(attack(channel, calls))


if __name__ == "__main__":
    os.nice(10)
    asyncio.run(main(sys.argv[1]))
