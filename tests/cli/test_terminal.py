"""`kingmaker play` at a real terminal: history, completion, colours, and what quitting leaves."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from .conftest import KINGMAKER, Command

UP, TAB = "\x1b[A", "\t"
SECONDS = 60.0  # of waiting for the machine
INTERRUPTIBLE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs a command. A shell's background jobs ignore interrupts, and so would what they start; a
function that `subprocess` calls after a fork would meet the threads of gRPC."""


class Terminal:
    """A command at a pseudo-terminal of its own, as a person sees it."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        environment = {
            name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CI")
        }
        environment |= {"HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "100"}
        environment.pop("XDG_CONFIG_HOME", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTIBLE, KINGMAKER, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
        )
        os.close(theirs)
        self.seen = ""

    def types(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def shows(self, wanted: str, after: int = 0) -> int:
        """Wait until something stands behind a place; returns the place behind it."""
        deadline = time.monotonic() + SECONDS
        while (place := self.seen.find(wanted, after)) < 0:
            ready, _, _ = select.select([self._ours], [], [], deadline - time.monotonic())
            assert ready, f"no {wanted!r} in {self.seen[after:]!r}"
            try:
                self.seen += os.read(self._ours, 4096).decode()
            except OSError:  # the command has ended
                raise AssertionError(f"no {wanted!r} in {self.seen[after:]!r}") from None
        return place + len(wanted)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_terminal(*arguments: str) -> Terminal:
        opened.append(Terminal(tmp_path, *arguments))
        return opened[-1]

    yield open_terminal
    for each in opened:
        each.close()


def test_the_arrow_key_brings_the_last_line_back(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20")
    asked = game.shows("p1> ")
    game.types("undo\r")
    answered = game.shows("there is no decision to undo", asked)
    game.shows("p1> ", answered)
    game.types(f"{UP}\r")
    game.shows("there is no decision to undo", answered)


def test_tab_completes_words_and_moves(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "leduc_poker", "--seed", "4", "--level", "1", "--budget-ms", "20")
    asked = game.shows("p1> ")
    game.types(f"und{TAB}\r")
    asked = game.shows("p1> ", game.shows("there is no decision to undo", asked))
    game.types(f"cal{TAB}\r")
    game.shows("you\x1b[0m: check (call)", asked)


def test_sides_have_colours(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20")
    asked = game.shows("p1> ")
    game.types("b2\r")
    game.shows("p1> ", asked)
    assert "\x1b[36myou\x1b[0m: put x on b2" in game.seen
    assert "\x1b[35mp2\x1b[0m: put o on" in game.seen
    assert re.search(r"2 .*\x1b\[36mx\x1b\[0m", game.seen)
    assert "\x1b[35mo\x1b[0m" in game.seen


def test_a_board_wider_than_the_terminal_is_drawn_in_parts(
    terminal: Callable[..., Terminal],
) -> None:
    game = terminal("play", "knaves_out", "--option", "players=8", "--level", "1", "--seed", "1")
    game.shows("p1> ")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", game.seen)
    assert re.search(r"\r\n8a1 .* 7a1 .* 6a1 .*h1 *\r\n1a8 .* 2a8 .* 3a8 .*\r\n", plain)
    assert re.search(r"boards 4 and 5: *\r\n5a8 ", plain)


def test_a_game_that_is_quit_can_be_resumed_by_what_is_printed(
    terminal: Callable[..., Terminal], kingmaker: Command, tmp_path: Path
) -> None:
    game = terminal("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20")
    asked = game.shows("p1> ")
    game.types("b2\r")
    asked = game.shows("p1> ", asked)
    game.types("quit\r")
    printed = game.shows("to go on:\r\n  kingmaker play --resume ", asked)
    game.shows("\r\n", printed)
    _, *arguments = shlex.split(game.seen[printed - len("kingmaker play --resume ") :])
    assert Path(arguments[-1]).is_relative_to(tmp_path)
    done = kingmaker(*arguments, typed="quit\n")
    assert done.returncode == 0, done.stderr
    assert "2 . x ." in done.stdout


def test_who_resigns_at_a_terminal_is_asked_whether_they_mean_it(
    terminal: Callable[..., Terminal],
) -> None:
    game = terminal("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20")
    shown = game.shows("p1> ")
    for answer in ("", "no"):
        game.types("resign\r")
        shown = game.shows("really give up? [y/N] ", shown)
        game.types(f"{answer}\r")
        shown = game.shows("p1> ", shown)
    game.types("resign\r")
    shown = game.shows("really give up? [y/N] ", shown)
    game.types("Y\r")
    game.shows("The game is over. You lose.", shown)


@pytest.mark.slow
def test_an_interrupted_game_is_kept(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20")
    asked = game.shows("p1> ")
    game.types("b2\r")
    asked = game.shows("p1> ", asked)
    for _ in range(9):  # it may show the prompt a moment before it heeds a signal there
        game.process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            game.process.wait(timeout=SECONDS / 12)
            break
    game.shows("kingmaker play --resume ", asked)
    assert game.process.wait(timeout=SECONDS) == 130
