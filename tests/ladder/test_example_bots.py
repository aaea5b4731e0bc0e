"""The bots of examples/ and of the documentation play in ladders."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kingmaker.ladder import remote
from kingmaker.ladder.model import Cause
from kingmaker.ladder.play import play
from kingmaker.tasks.model import InfrastructureError
from tests.ladder.connected import (
    causes,
    documented_example,
    free_port,
    node_example,
    python_example,
    running,
    spec,
    until,
)
from tests.ladder.fakes import task_of, timeless
from tests.server.process import ServerProcess, server_process

KINGMAKER = str(Path(sys.executable).with_name("kingmaker"))


@pytest.mark.parametrize("arguments", [[], ["--help"], ["127.0.0.1:50051"]])
def test_the_example_says_how_it_is_called(arguments: list[str]) -> None:
    ended = subprocess.run([*python_example(), *arguments], capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr == "usage: python bot.py ADDRESS NAME [GAME ...]\n"


@pytest.mark.parametrize(
    "example", [python_example, pytest.param(node_example, marks=pytest.mark.slow)]
)
def test_an_example_plays_a_ladder(
    server: ServerProcess, tmp_path: Path, example: Callable[[], list[str]]
) -> None:
    name = example.__name__
    command = [
        *(KINGMAKER, "ladder", "run", "spring", "--game", "leduc_poker", "--report", ""),
        *("--bot", f"ext={spec(name, server)}", "--bot", "house=random"),
        *("--groups", "4", "--move-ms", "20000", "--workers", "1"),
    ]
    with running(example(), tmp_path, server.address, name):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "8 of 8 games" in done.stdout
    assert causes(tmp_path / "ladder.sqlite") == {Cause.FINISHED: 8}


@pytest.mark.parametrize("example", [python_example, node_example])
def test_an_example_plays_the_same_game_again(
    server: ServerProcess, tmp_path: Path, example: Callable[[], list[str]]
) -> None:
    name = f"{example.__name__}-again"
    task = task_of("hearts", spec(name, server), "random", spec(name, server), "random")
    with running(example(), tmp_path, server.address, name) as bot:
        bot.wait_for("is connected")
        games = [play(task), play(task)]
    assert games[0].cause is Cause.FINISHED
    assert timeless(games[0]) == timeless(games[1])


def test_the_bot_of_the_documentation_plays(server: ServerProcess, tmp_path: Path) -> None:
    command = documented_example(tmp_path, server.address)
    with running(command, tmp_path, server.address):
        record = play(task_of("kuhn_poker", spec("rook", server), "random"))
    assert record.cause is Cause.FINISHED


def test_an_example_waits_for_its_name_and_then_has_it(
    server: ServerProcess, tmp_path: Path
) -> None:
    arguments = server.address, "twin"
    with (
        running(python_example(), tmp_path, *arguments) as one,
        running(python_example(), tmp_path, *arguments) as other,
    ):
        until(lambda: "ALREADY_EXISTS" in one.log + other.log)
        late, early = (one, other) if "ALREADY_EXISTS" in one.log else (other, one)
        early.process.kill()
        late.wait_for("twin is connected\n")
        assert play(task_of("tic_tac_toe", spec("twin", server), "random")).cause is Cause.FINISHED


@pytest.mark.slow
def test_an_example_comes_back_when_the_server_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    with server_process(tmp_path, port=port) as server:
        task = task_of("tic_tac_toe", spec("rook", server), "random")
        with running(python_example(), tmp_path, server.address, "rook") as bot:
            bot.wait_for("is connected")
            server.stop(signal.SIGKILL)
            server.exit_code()
            with monkeypatch.context() as impatient:
                impatient.setattr(remote, "CONNECT_SECONDS", 0.0)
                with pytest.raises(InfrastructureError, match="UNAVAILABLE"):
                    play(task)
            with server_process(tmp_path, port=port):
                bot.wait_for("is connected", times=2)
                # The ladder's own channel may still be in its backoff: the bot has the usual time.
                assert play(task).cause is Cause.FINISHED
