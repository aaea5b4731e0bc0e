"""What callers do wrong is one line on stderr and an exit code, never a traceback."""

from __future__ import annotations

import json
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from kingmaker.cli.app import app

from .conftest import KINGMAKER, Command

TTT = "ttt board=.../.../... node=play:p1"
OVER = "ttt board=oo./.../xxx node=end"
KUHN = "kuhn p1=k p2=q bets=- node=play:p1"
UNSIGNED = "leduc p1=kh p2=? board=_ bets=-/- node=play:p1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["games", "chess"], "there is no game 'chess'; games are "),
        (["play", "chess"], "there is no game 'chess'"),
        (["play"], "name a game, see `kingmaker games`"),
        (["play", "--resume", "no_such_file"], "no_such_file can't be read"),
        (["play", "tic_tac_toe", "--seat", "3"], "seat 3 of a 2-seat game; seats are 1 to 2"),
        (["play", "tic_tac_toe", "--level", "11"], "--level is 11; it must be 1 to 10"),
        (["play", "tic_tac_toe", "--option", "size=4"], "tic_tac_toe has no option 'size'"),
        (["play", "tic_tac_toe", "--option", "size"], "'size' is not KEY=VALUE"),
        (["play", "kingdom_coinquest", "--option", "players=9"], "players"),
        (
            ["play", "kingdom_coinquest", "--option", "players=2", "--option", "players=3"],
            "players is given twice",
        ),
        (["play", "tic_tac_toe", "--budget-ms", "0"], "--budget-ms is 0; it must be 0.001 to"),
        (["play", "tic_tac_toe", "--seed", "-1"], "seed is -1; it must be 0 to"),
        (
            ["play", "tic_tac_toe", "--budget-ms", "nan", "--server", "127.0.0.1:1"],
            "--budget-ms is nan; it must be 0.001 to",
        ),
        (["analyze", "zzz x=1"], "no game has the tag 'zzz'; tags are "),
        (["analyze", ""], "the line is empty; tags are chs (chessault), "),
        (
            ["hint", "tic_tac_toe"],
            "'tic_tac_toe' is the name of a game; give a position or observation line, which "
            "begins with ttt",
        ),
        (["analyze", TTT, "--game", "chess"], "there is no game 'chess'"),
        (["analyze", TTT, "--seat", "3"], "seat 3 of a 2-seat game"),
        (
            ["analyze", f"{TTT} @p1", "--seat", "2"],
            "this observation is p1's, not p2's; leave the seat out",
        ),
        (["analyze", f"{TTT} @p3"], "the observer is a seat from 1 to 2, or 0, a spectator"),
        (["analyze", KUHN], "choose the observing seat, such as --seat 1\n"),
        (["analyze", UNSIGNED], "a line with ? is an observation; end it in @p1, @p2 or"),
        (["hint", UNSIGNED, "--seat", "1"], "a line with ? is an observation; end it in @p1, "),
        (["solve", "leduc_poker", UNSIGNED], "a line with ? is an observation; end it in @p1, "),
        (["analyze", TTT.replace("...", "?..", 1)], "got '?"),
        (["analyze", UNSIGNED.replace("kh", "zz"), "--game", "chess"], "there is no game 'chess'"),
        (["analyze", OVER, "--seat", "1"], "the game is over"),
        (["analyze", TTT, "--simulations", "-1"], "error: --simulations is -1; it must be 1 to"),
        (["analyze", TTT, "--simulations", "many"], "Invalid value for '--simulations'"),
        (["analyze"], "Missing argument"),
        (["analyze", TTT, "--memory-mb", "0"], "--memory-mb is 0; it must be 1 to 1048576"),
        (["hint", TTT, "--budget-ms", "-1"], "--budget-ms is -1; it must be 0.001 to 86400000"),
        (["batch", "analyze", "-", "--memory-mb", "-5"], "--memory-mb is -5; it must be 1 to"),
        (
            ["batch", "analyze", "-", "--dask", "nope"],
            "'nope' is not an address; write --dask HOST:PORT\n",
        ),
        (
            ["ladder", "run", "x", "--dask", "tcp://host"],
            "'host' is not an address; write --dask HOST:PORT\n",
        ),
        (["batch", "analyze", "-", "--workers", "0"], "Invalid value for '--workers': "),
        (["train", "tic_tac_toe", "--gate", "1"], "error: --gate is 1; it must be 2 to 10000000\n"),
        (["analyze", TTT, "--engine", "alpha"], "there is no engine 'alpha'; engines are "),
        (["analyze", f"{KUHN} @p1".replace("p2=q", "p2=?"), "--engine", "mcts"], "use ismcts"),
        (["analyze", TTT, "--engine-option", "x=1"], "engine mcts has no option 'x'"),
        (["analyze", TTT, "--threads", "0"], "threads is 0; it must be 1 to"),
        (["analyze", TTT, "--seed", "-1"], "seed is -1; it must be 0 to"),
        (["hint", TTT, "--seat", "2"], "this is what p2 sees, but p1 is to move"),
        (["hint", TTT, "--top", "0"], "--top is 0; it must be 1 to 100"),
        (["hint", TTT, "--top", "101", "--budget-ms", "600000"], "--top is 101; it must be"),
        (["hint", OVER, "--seat", "1"], "the game is over"),
        (
            ["verify", "no_such_page.md"],
            "no_such_page.md can't be read: No such file or directory\n",
        ),
        (["serve", "--port", "x"], "error: port: it must be a valid integer, not 'x'"),
        (
            ["serve", "--web", "51962"],
            "error: web: '51962' is not host:port, such as 127.0.0.1:50080\n",
        ),
        (["serve", "--port", "0", "--mcp"], "error: mcp needs web, "),
        (["serve", "--mcp", "--port", "0"], "error: mcp needs web, "),
        (["serve", "--mcp", "--json"], "error: mcp needs web, "),
        (["serve", "--isolation", "--mcp", "no", "--slots", "0"], "error: slots: it must be"),
        (["serve", "--mcp", "maybe"], "error: mcp: it must be a valid boolean, not 'maybe'"),
        (["serve", "--web-origins", "*"], "error: web_origins needs web, "),
        (["serve", "--slots", "0", "--log-level", "loud"], "log_level: "),
        (["serve", "--config", "no_such_file.toml"], "no_such_file.toml"),
        (["bench", "--json", "no_such_folder/figures.json"], "figures.json can't be written"),
        (["bench", "--only", "no_such_figure"], "no figure begins with 'no_such_figure'"),
        (["bench", "--page", "no_such_folder/page.md"], "page.md can't be written"),
        (["bench", "--page", "page.md", "--only", "rpc"], "leave --only or --page out"),
        (["bench", "--list", "--json", "-"], "leave --list or --json out"),
    ],
)
def test_the_error_is_one_line_that_says_what_would_be_right(
    arguments: list[str], message: str
) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
    assert result.stdout == ""


def test_serve_needs_no_flags(kingmaker: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_SLOTS", "0")
    assert kingmaker("serve").stderr.startswith("error: slots: it must be")


def test_a_server_that_is_not_there_is_named_as_the_cause(kingmaker: Command) -> None:
    done = kingmaker("play", "tic_tac_toe", "--server", "127.0.0.1:1")
    assert done.returncode == 1
    assert done.stderr.startswith("error: the server can't be reached: ")


class _Silent(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("command", [["health"], ["play", "tic_tac_toe", "--server"]])
def test_a_port_of_http_is_guessed(kingmaker: Command, command: list[str]) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Silent) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        done = kingmaker(*command, f"127.0.0.1:{http.server_port}")
        http.shutdown()
    assert done.returncode == 1
    assert "is this the HTTP port?" in done.stderr


def test_what_a_server_refuses_is_reported(kingmaker: Command, server: str) -> None:
    done = kingmaker("play", "tic_tac_toe", "--server", server, "--option", "size=4")
    assert done.returncode == 1
    assert "the server refuses (INVALID_ARGUMENT): tic_tac_toe has no option 'size'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_server_that_wants_a_token_is_answered_with_its_variable(
    kingmaker: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text("")
    command = [str(KINGMAKER), "serve", "--port", "0", "--json", "--tokens", str(tokens)]
    monkeypatch.delenv("KINGMAKER_CLIENT_TOKEN", raising=False)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        first = kingmaker("play", "tic_tac_toe", "--server", address)
        monkeypatch.setenv("KINGMAKER_CLIENT_TOKEN", "wrong")
        second = kingmaker("play", "tic_tac_toe", "--server", address)
        process.terminate()
    assert first.stderr == (
        "error: the server refuses (UNAUTHENTICATED): this call needs a token of the role bot or "
        "operator or player; set KINGMAKER_CLIENT_TOKEN\n"
    )
    assert "set KINGMAKER_CLIENT_TOKEN" not in second.stderr
