"""Callers with names: their tokens, lines of the file of tokens, and calls that they make."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import bot_service_pb2_grpc
from kingmaker.v1 import game_service_pb2 as games_pb

from .support import Failure, Service, failure_of, midgame, observation_of, seconds

ROLES = {"alice": "player", "bob": "player", "rook": "bot", "queen": "bot", "root": "operator"}


def token_of(name: str) -> str:
    return f"the token of {name}"


def header(name: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {token_of(name)}")] if name else []


def table(name: str, roles: Sequence[str], **more: str) -> str:
    digest = hashlib.sha256(token_of(name).encode()).hexdigest()
    lines = [f'["{name}"]', f'sha256 = "{digest}"', f"roles = {list(roles)}"]
    return "\n".join([*lines, *(f"{key} = {value}" for key, value in more.items()), ""])


def write(path: Path, text: str) -> None:
    path.write_text(text)


def search(length: float = 0.01) -> pb.SelectMoveRequest:
    return pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=seconds(length))
    )


async def list_games(service: Service, *metadata: tuple[str, str]) -> None:
    await service.games.ListGames(games_pb.ListGamesRequest(), metadata=metadata)


async def refused(service: Service, *metadata: tuple[str, str]) -> Failure:
    call = service.games.ListGames(games_pb.ListGamesRequest(), metadata=metadata)
    return await failure_of(call)


async def connect(service: Service, who: str, bot: str) -> tuple[Any, str]:
    """Connect a bot; returns its stream and session."""
    stub: Any = bot_service_pb2_grpc.BotServiceStub(service.channel)
    stream = stub.Connect(bots_pb.ConnectRequest(name=bot), metadata=header(who))
    first = await stream.read()
    return stream, first.registered.session
