"""A bot that plays random legal moves.

    python bot.py ADDRESS NAME [GAME ...]

It connects to a Kingmaker server and plays all games, or only those named. To
make your own bot, replace `choose`.
"""

from __future__ import annotations

import random
import sys
import time

import grpc

from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub

RECONNECT_SECONDS = 1.0
OPTIONS = [
    ("grpc.keepalive_time_ms", 60_000),  # detects a connection that broke silently
    ("grpc.max_reconnect_backoff_ms", 1000),
]


def choose(question: pb.BotQuestion) -> types_pb2.Move:
    """Choose one of the legal moves; `question.observation` has everything the seat sees."""
    return random.Random(question.seed).choice(question.moves)


def play(service: BotServiceStub, name: str, games: list[str]) -> None:
    """Connect and answer questions until the stream ends."""
    session = ""
    for event in service.Connect(pb.ConnectRequest(name=name, games=games)):
        if event.HasField("registered"):
            session = event.registered.session
            print(f"{name} is connected", flush=True)
        elif event.HasField("question"):
            question = event.question
            answer = pb.AnswerMoveRequest(
                session=session, question=question.id, move=choose(question)
            )
            try:
                service.AnswerMove(answer, timeout=60)
            except grpc.RpcError as error:  # for example too late; the next question still arrives
                print(f"{error.code().name}: {error.details()}", flush=True)


def main(address: str, name: str, *games: str) -> None:
    """Play indefinitely; reconnect when the connection is lost."""
    with grpc.insecure_channel(address, options=OPTIONS) as channel:
        while True:
            try:
                play(BotServiceStub(channel), name, list(games))
            except grpc.RpcError as error:
                print(f"{error.code().name}: {error.details()}", flush=True)
            time.sleep(RECONNECT_SECONDS)


if __name__ == "__main__":
    if len(sys.argv) < 3 or any(each.startswith("-") for each in sys.argv[1:]):
        sys.exit("usage: python bot.py ADDRESS NAME [GAME ...]")
    main(*sys.argv[1:])
