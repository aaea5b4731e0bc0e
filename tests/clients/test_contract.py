"""Clients of earlier versions are served: made of the contract as it was, without today's code.

`clients/contract` has the descriptors of every release; `make contract` stores those of a new one.
Today's contract is the last of them, so that there is always one.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from kingmaker.v1 import analysis_service_pb2, game_service_pb2
from tests.server.process import ServerProcess

ROOT = Path(__file__).parents[2]
STORED = sorted((ROOT / "clients" / "contract").glob("*.binpb"))
TODAY = "today"
SINCE = (0, 2, 0)
"""The version from whose tag on the contract only grows."""
END = 3


def today() -> FileDescriptorSet:
    """Return the descriptors of the two services, and of all that they import, in their order."""
    found: dict[str, FileDescriptorProto] = {}

    def add(file: Any) -> None:
        for imported in file.dependencies:
            add(imported)
        found.setdefault(file.name, FileDescriptorProto.FromString(file.serialized_pb))

    add(game_service_pb2.DESCRIPTOR)
    add(analysis_service_pb2.DESCRIPTOR)
    return FileDescriptorSet(file=found.values())


def contract(name: str) -> FileDescriptorSet:
    if name == TODAY:
        return today()
    return FileDescriptorSet.FromString((ROOT / "clients" / "contract" / name).read_bytes())


class OldClient:
    """A client that knows a contract alone."""

    def __init__(self, files: FileDescriptorSet, channel: grpc.Channel) -> None:
        self.pool = DescriptorPool()
        for file in files.file:
            self.pool.AddSerializedFile(file.SerializeToString())
        self.channel = channel

    def call(self, path: str, **fields: Any) -> Any:
        """Call `Service.Method` with the fields of its request."""
        service, name = path.split(".")
        method = self.pool.FindServiceByName(f"kingmaker.v1.{service}").methods_by_name[name]
        request = GetMessageClass(method.input_type)(**fields)
        send = self.channel.unary_unary(
            f"/kingmaker.v1.{service}/{name}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        return send(request, timeout=20)

    def play(self, game: str, typed: bool, plies: int) -> Any:
        """Play a game by the bot of level 1; returns the last node."""
        state = self.call("GameService.StartGame", game=game, seed=3, settle=True, viewers=[1])
        for _ in range(plies):
            if state.node.kind == END:
                break
            seat = state.node.seat
            seen = self.call("GameService.Observe", position=state.position, seat=seat).observation
            if typed:
                assert getattr(seen, game).ByteSize() > 0
                seen.ClearField("text")
            listed = self.call("GameService.ListMoves", observation=seen).moves
            chosen = self.call(
                "AnalysisService.SelectMove",
                search={"observation": seen, "budget": {"simulations": 20}},
                level=1,
            )
            assert chosen.move in [each.move for each in listed]
            move = chosen.move
            if typed:
                move.ClearField("text")
            state = self.call(
                "GameService.ApplyMoves",
                position=state.position,
                moves=[move],
                seed=3,
                viewers=[1],
            )
            assert state.views[0].observation.text
        return state.node


@contextmanager
def old_client(files: FileDescriptorSet, server: ServerProcess) -> Iterator[OldClient]:
    with grpc.insecure_channel(server.address) as channel:
        yield OldClient(files, channel)


@pytest.mark.parametrize("typed", [False, True], ids=["lines", "messages"])
@pytest.mark.parametrize("name", [*(path.name for path in STORED), TODAY])
def test_a_client_of_this_contract_plays_every_game_that_it_knows(
    name: str, typed: bool, server: ServerProcess
) -> None:
    with old_client(contract(name), server) as client:
        position = client.pool.FindMessageTypeByName("kingmaker.v1.Position")
        known = {field.name for field in position.oneofs_by_name["typed"].fields}
        served = {game.name for game in client.call("GameService.ListGames").games}
        assert known <= served
        for game in known:
            client.play(game, typed, plies=6)
        assert client.play("leduc_poker", typed, plies=100).kind == END


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("method", "UNIMPLEMENTED"),
        ("number", "INVALID_ARGUMENT|NOT_FOUND"),
    ],
)
def test_a_contract_that_the_server_breaks_is_found(
    what: str, error: str, server: ServerProcess
) -> None:
    files = today()
    fields: dict[str, Any]
    [games] = [file for file in files.file if file.name.endswith("game_service.proto")]
    if what == "method":
        games.service[0].method[
            [each.name for each in games.service[0].method].index("Observe")
        ].name = "See"
        call, fields = "GameService.See", {}
    else:
        [start] = [each for each in games.message_type if each.name == "StartGameRequest"]
        start.field[0].number = 99
        call, fields = "GameService.StartGame", {"game": "hearts"}
    with old_client(files, server) as client, pytest.raises(grpc.RpcError, match=error):
        client.call(call, **fields)


def test_every_release_has_its_contract_stored() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = set(re.findall(r"^## (\d+\.\d+\.\d+) - (?!unreleased)", changelog, re.MULTILINE))
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    released |= {tag[1:] for tag in tags if re.fullmatch(r"v\d+\.\d+\.\d+", tag)}
    wanted = {each for each in released if tuple(map(int, each.split("."))) >= SINCE}
    assert wanted <= {path.stem for path in STORED}
