"""Each command as a user runs it: what it prints, and how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kingmaker.search.games import game_types
from kingmaker.search.position import new_game
from tests.server.certificates import Authority

from .conftest import KINGMAKER, Command
from .interrupted import stopped_at

PAGES = Path(__file__).parents[2] / "docs" / "rules"
WON_NEXT = "ttt board=.../oo./xx. node=play:p1"


def test_games_lists_every_game(installed: Command) -> None:
    lines = installed("games").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*game_types()]


def test_games_as_json_tells_seats_and_tags(kingmaker: Command) -> None:
    found = json.loads(kingmaker("games", "--json").stdout)
    assert {
        "name": "kingdom_coinquest",
        "title": "Kingdom Coinquest",
        "tag": "kc",
        "rules_version": game_types()["kingdom_coinquest"].rules_version,
        "seat_counts": [2, 3, 4],
        "is_hidden": True,
    } in found


def test_games_shows_the_options_of_one(kingmaker: Command) -> None:
    text = kingmaker("games", "kingdom_coinquest").stdout
    assert "turn_limit" in text
    assert "draw:forge" in text
    assert "trees: single (the searching" in text


def test_games_shows_one_as_json(kingmaker: Command) -> None:
    found = json.loads(kingmaker("games", "kingdom_coinquest", "--json").stdout)
    assert {"players", "kings", "health", "turn_limit", "ace_strike"} == set(found["options"])
    assert "ismcts" in found["engines"]
    assert "mcts" not in found["engines"]
    assert found["engine_options"]["pimc"]["depth"].startswith("plies to search, 1 to ")
    assert found["engine_options"]["random"] == {}


def test_analyze_finds_the_winning_move(kingmaker: Command) -> None:
    done = kingmaker("analyze", WON_NEXT, "--simulations", "500", "--seed", "1")
    assert done.returncode == 0, done.stderr
    header, best, *_ = done.stdout.splitlines()
    assert header.split()[:2] == ["move", "visits"]
    assert best.split()[0] == "c1"
    assert "100.0 % exact" in best


def test_analyze_as_json_is_the_same_for_the_same_seed(kingmaker: Command) -> None:
    line = new_game("kuhn_poker").apply("deal:k", "deal:q").observe(1).text
    arguments = ("analyze", line, "--simulations", "2000", "--seed", "7", "--json")
    first, second = (json.loads(kingmaker(*arguments).stdout) for _ in range(2))
    assert first["seat"] == 1
    assert first["simulations"] == 2000
    assert first["stop_reason"] == "simulations"
    assert {move["move"] for move in first["moves"]} == {"pass", "bet"}
    del first["seconds"], second["seconds"]
    assert first == second


def test_analyze_of_a_position_sees_only_its_seat(kingmaker: Command) -> None:
    found = [
        json.loads(
            kingmaker(
                *("analyze", f"kuhn p1=q p2={hidden} bets=- node=play:p1", "--seat", "1"),
                *("--simulations", "1000", "--seed", "7", "--json"),
            ).stdout
        )
        for hidden in "jk"
    ]
    assert found[0]["observation"] == "kuhn p1=q p2=? bets=- node=play:p1 @p1"
    assert found[0]["moves"] == found[1]["moves"]


def test_analyze_reads_the_line_from_standard_input(kingmaker: Command) -> None:
    done = kingmaker("analyze", "-", "--simulations", "100", "--json", typed=WON_NEXT + "\n")
    assert json.loads(done.stdout)["observation"] == WON_NEXT + " @p1"


def test_analyze_of_another_seats_decision_gives_values_only(kingmaker: Command) -> None:
    done = kingmaker("analyze", WON_NEXT, "--seat", "2", "--simulations", "500")
    assert done.stdout.startswith("no moves: p1 decides here, not p2\n")


INTERRUPTED_IMPORT = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == sys.argv[-1]:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
sys.meta_path.insert(0, Interrupt())
from kingmaker.cli import main
sys.argv[1:] = ["analyze", sys.argv[1], "--json"] + sys.argv[2:]
main()
"""


@pytest.mark.parametrize("module", ["kingmaker.cli.app", "typer", "numpy"])
def test_an_interrupt_while_modules_are_loaded_ends_the_command_quietly(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, WON_NEXT, module],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_interrupted_analysis_shows_what_it_found() -> None:
    line = new_game("connect_four").text
    found = stopped_at(b"visits", "analyze", line, "--budget-ms", "60000")
    assert found["stop_reason"] == "cancelled"
    assert found["simulations"] > 0


def test_hint_gives_sentences(kingmaker: Command) -> None:
    done = kingmaker("hint", WON_NEXT, "--top", "2", "--simulations", "500", "--seed", "1")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("1. c1  wins 100.0 % exact")
    assert "c1" in lines[1]
    assert lines[2].startswith("2. ")


def test_hint_as_json_is_ranked(kingmaker: Command) -> None:
    done = kingmaker("hint", WON_NEXT, "--top", "2", "--simulations", "500", "--json")
    found = json.loads(done.stdout)
    assert found["hints"][0]["move"] == "c1"
    assert len(found["hints"]) == 2
    assert all(hint["text"] for hint in found["hints"])


def test_hint_says_how_often_to_play_a_move_where_the_search_mixes(kingmaker: Command) -> None:
    line = "kuhn p1=? p2=q bets=b node=play:p2 @p2"
    asked = ["hint", line, "--simulations", "500", "--seed", "1"]
    first, second = json.loads(kingmaker(*asked, "--json").stdout)["hints"]
    assert 0 < second["probability"] < first["probability"] < 1
    for hint in (first, second):
        assert f"Play it in {100 * hint['probability']:.0f} % of cases." in hint["text"]
    assert first["text"] in kingmaker(*asked).stdout


def test_verify_counts_the_lines_of_all_pages(kingmaker: Command) -> None:
    pages = sorted(str(page) for page in PAGES.glob("*.md"))
    done = kingmaker("verify", *pages)
    assert done.returncode == 0
    counted = re.fullmatch(r"(\d+) passed, 0 failed\n", done.stdout)
    assert counted
    assert int(counted[1]) > 700
    assert done.stderr == f"note: {PAGES / 'README.md'} has no scenario blocks\n"


def test_verify_names_file_and_line_of_what_fails(kingmaker: Command, tmp_path: Path) -> None:
    page = tmp_path / "tic_tac_toe.md"
    page.write_text("# A page\n```scenario\nnew\nto p2\nlegal a1\ndo a1\n```\n")
    done = kingmaker("verify", str(page))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{page}:4: expected p2 to be asked, got p1",
        f"{page}:5: extra b1 c1 a2 b2 c2 a3 b3 c3",
        "2 passed, 2 failed",
    ]


def test_verify_as_json(kingmaker: Command, tmp_path: Path) -> None:
    page = tmp_path / "tic_tac_toe.md"
    page.write_text("```scenario\nnew\nto p2\n```\n")
    done = kingmaker("verify", str(page), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "passed": 1,
        "failed": 1,
        "failures": [
            {
                "file": str(page),
                "line": 3,
                "script": "to p2",
                "message": "expected p2 to be asked, got p1",
            }
        ],
    }


def test_health_tells_the_status(kingmaker: Command, server: str) -> None:
    assert kingmaker("health", server).stdout == "SERVING\n"
    assert json.loads(kingmaker("health", server, "--json").stdout) == {"status": "SERVING"}


def test_the_help_of_serve_shows_extras_and_only_real_defaults(
    kingmaker: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = " ".join(kingmaker("serve", "--help").stdout.split())
    assert "kingmaker[mcp]" in shown
    assert "kingmaker[ladder]" in shown
    assert "(default: )" not in shown
    assert "--mcp [true|false] " in shown
    assert "(default: false)" in shown


def test_serve_answers_where_it_says(server: str) -> None:
    with grpc.insecure_channel(server) as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(
            health_pb2.HealthCheckRequest(service="kingmaker.v1.AnalysisService"), timeout=5
        )
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_what_a_server_with_tls_suggests_works_there(
    kingmaker: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.sign("server")
    command = [str(KINGMAKER), "serve", "--port", "0", "--host", host, "--anonymous", "player"]
    tls = ["--tls-certificate", str(certificate), "--tls-key", str(key)]
    process = subprocess.Popen(
        [*command, *tls], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        said = [process.stdout.readline() for _ in range(3)]
        found = re.fullmatch(r"  (\w+)=FILE \S+ play \w+ --server (\S+)\n", said[1])
        assert found is not None, said
        assert said[2].startswith("With --web")  # not grpcurl, which needs more there
        monkeypatch.setenv(found[1], str(authority.certificate))
        assert kingmaker("health", found[2]).stdout == "SERVING\n"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_serve_serves_while_the_disk_of_its_output_is_full() -> None:
    command = [str(KINGMAKER), "serve", "--port", "0", "--json"]
    with Path("/dev/full").open("wb") as full:
        process = subprocess.Popen(command, stdout=full, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = json.loads(process.stderr.readline())
        assert line["event"] == "listening"
        with grpc.insecure_channel(line["address"]) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            answer = health.Check(health_pb2.HealthCheckRequest(), timeout=20)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()


def test_serve_takes_settings_from_a_file(installed: Command, tmp_path: Path) -> None:
    settings = tmp_path / "kingmaker.toml"
    settings.write_text("port = 70000\n")
    done = installed("serve", "--config", str(settings))
    assert done.returncode == 2
    assert done.stderr.startswith("error: port: ")


def test_the_version_is_printed(kingmaker: Command) -> None:
    assert kingmaker("--version").stdout.startswith("kingmaker ")


def test_a_move_that_was_hardly_examined_has_no_figure(kingmaker: Command) -> None:
    options = ("--simulations", "1", "--seed", "1")
    table = kingmaker("analyze", WON_NEXT, *options).stdout.splitlines()
    assert [row.split()[4:6] for row in table[1:3]] == [["100.0", "%"], ["-", "-"]]
    hints = kingmaker("hint", WON_NEXT, *options).stdout.splitlines()
    assert hints[0] == "1. c1  wins 100.0 % exact"
    assert "%" not in "".join(hints[1:-1])
    found = json.loads(kingmaker("hint", WON_NEXT, *options, "--json").stdout)["hints"]
    assert [hint["is_examined"] for hint in found] == [True, False, False]
    assert [hint["values"] for hint in found] == [[1, 0], [], []]


def test_hint_goes_on_after_a_win_for_the_moves_behind_it(kingmaker: Command) -> None:
    done = kingmaker("hint", WON_NEXT, "--seed", "1")
    lines = [line for line in done.stdout.splitlines() if line[0].isdigit()]
    assert lines[:2] == ["1. c1  wins 100.0 % exact", "2. c2  wins 50.0 % exact"]
    assert lines[2].endswith("wins 0.0 % exact")


def test_one_simulation_is_not_plural(kingmaker: Command) -> None:
    done = kingmaker("analyze", WON_NEXT, "--simulations", "1", "--seed", "1")
    assert "; 1 simulation, " in done.stdout
    assert "1 simulations" not in done.stdout


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kingmaker", "--version"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kingmaker ")
