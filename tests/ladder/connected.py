"""Bots that are connected to a server: threads that follow a script, the examples, their state."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import grpc
import pytest

from kingmaker.ladder.model import Cause, TimeControl
from kingmaker.ladder.store import Store
from kingmaker.v1 import bot_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub
from tests.server.process import ServerProcess

ROOT = Path(__file__).parents[2]
NODE_MODULES = ROOT / "tests" / "clients" / "node" / "node_modules"
START_SECONDS = 60
ADDRESS = "127.0.0.1:50051"
PATIENT = TimeControl(move_ms=30_000)

Answer = Callable[[pb.BotQuestion], types_pb2.Move | None]


def first(question: pb.BotQuestion) -> types_pb2.Move:
    """Play the first legal move."""
    return question.moves[0]


def silent(question: pb.BotQuestion) -> None:
    """Never answer."""
    raise NotImplementedError


@contextmanager
def connected(address: str, name: str, choose: Answer = first, **values: Any) -> Iterator[Any]:
    """Connect a bot until the end of the block; yields its stream."""
    with grpc.insecure_channel(address) as channel:
        stub: Any = BotServiceStub(channel)
        stream = stub.Connect(pb.ConnectRequest(name=name, **values))
        session = next(stream).registered.session
        thread = Thread(target=_answer_all, args=(stub, stream, session, choose), daemon=True)
        thread.start()
        yield stream
        stream.cancel()
        thread.join()


def _answer_all(stub: Any, stream: Any, session: str, choose: Answer) -> None:
    with suppress(grpc.RpcError):
        for event in stream:
            if event.HasField("question"):
                _answer(stub, session, event.question, choose)


def _answer(stub: Any, session: str, question: pb.BotQuestion, choose: Answer) -> None:
    with suppress(grpc.RpcError, NotImplementedError):
        stub.AnswerMove(
            pb.AnswerMoveRequest(session=session, question=question.id, move=choose(question))
        )


class ExampleBot:
    """One of the bots of `examples/` in a process of its own.

    Attributes:
        process: what runs it.
    """

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text()

    def wait_for(self, text: str, times: int = 1) -> None:
        """Wait until it has printed something so often."""
        deadline = time.monotonic() + START_SECONDS
        while self.log.count(text) < times:
            code = self.process.poll()
            assert code is None, f"the bot ended with {code}: {self.log}"
            assert time.monotonic() < deadline, self.log
            time.sleep(0.01)


def python_example() -> list[str]:
    return [sys.executable, str(ROOT / "examples" / "bot.py")]


def node_example() -> list[str]:
    """The command; skips the test where there is no Node."""
    node = shutil.which("node")
    if node is None or not NODE_MODULES.is_dir():
        pytest.skip("node or its packages are missing: install node, then `make node`")
    return [node, str(ROOT / "examples" / "bot.js")]


def documented_example(folder: Path, address: str) -> list[str]:
    """The bot of docs/bots.md, which connects to this server as rook."""
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    path = folder / "bot.py"
    path.write_text(page.split("```python\n")[1].split("```")[0].replace(ADDRESS, address))
    return [sys.executable, str(path)]


@contextmanager
def running(command: list[str], folder: Path, address: str, *rest: str) -> Iterator[ExampleBot]:
    """Run a bot until the end of the block; it need not be connected yet."""
    log = folder / f"bot-{time.monotonic_ns()}.log"
    environment = {"NODE_PATH": str(NODE_MODULES), "PROTO": str(ROOT / "proto")}
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*command, address, *rest],
            stdout=stream,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
        )
    try:
        yield ExampleBot(process, log)
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    """A port on which a server can be started again and again."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def spec(name: str, server: ServerProcess) -> str:
    """The bot of this name that is connected to a server."""
    return f"bot:{name}@{server.address}"


def causes(database: Path) -> Counter[Cause]:
    """How the games of the only ladder ended."""
    with Store(str(database), create=False) as store:
        return Counter(game.cause for game in store.ladder("spring").summaries())


def statuses(server: ServerProcess) -> dict[str, pb.ConnectedBot]:
    """The connected bots by their names."""
    with grpc.insecure_channel(server.address) as channel:
        stub: Any = BotServiceStub(channel)
        return {bot.name: bot for bot in stub.ListBots(pb.ListBotsRequest()).bots}


def until(is_true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + 30
    while not is_true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def until_asked(server: ServerProcess, name: str) -> None:
    """Wait until a bot has a question to answer."""
    until(lambda: statuses(server)[name].open_questions > 0)


def until_gone(server: ServerProcess, name: str) -> None:
    """Wait until no bot of this name is connected."""
    until(lambda: name not in statuses(server))
