"""Hostile requests over several connections, in a process of their own until it is ended.

Arguments: the kind of the requests, `grpc` or `json`, and the address of the port.
"""

from __future__ import annotations

import asyncio
import itertools
import json
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
from tests.server.web_client import http

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


def json_requests() -> list[tuple[str, bytes]]:
    """List the same for the HTTP port."""
    options = dict(itertools.islice(OPTIONS.items(), 60_000))
    messages: list[tuple[str, Any]] = [
        ("GameService/StartGame", {"game": KINGDOM, "options": options}),
        ("AnalysisService/SelectMove", {"search": {"engineOptions": FEW_OPTIONS}}),
        ("GameService/ApplyMoves", {"moves": [{"text": "a"}] * 60_000}),
        ("ReviewService/ReviewGame", {"moves": {"moves": ["a"] * 200_000}}),
        ("BatchService/CreateBatch", {"tasks": [{"analysis": {}}] * 50_000}),
    ]
    found = [(f"/kingmaker.v1.{method}", json.dumps(each).encode()) for method, each in messages]
    return [*found, (found[0][0], b"[" * 60_000), (found[0][0], b"x" * (5 << 20))]


async def attack_door(address: str, calls: Iterator[tuple[str, bytes]]) -> None:
    for path, body in calls:
        with suppress(OSError, asyncio.IncompleteReadError):
            await http(f"http://{address}", "POST", path, body, content_type="application/json")


async def main(kind: str, address: str) -> None:
    calls = itertools.cycle(requests() if kind == "grpc" else json_requests())
    options = [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_send_message_length", -1),
    ]
    async with asyncio.TaskGroup() as group:
        for _ in range(NUM_CONNECTIONS):
            if kind == "json":
                group.create_task(attack_door(address, calls))
                continue
            channel = grpc.aio.insecure_channel(address, options=options)
            for _ in range(NUM_PENDING):
                group.create_task(attack(channel, calls))


if __name__ == "__main__":
    os.nice(10)
    asyncio.run(main(*sys.argv[1:]))
