"""`kingmaker ladder` and `kingmaker replay` as a user runs them."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from kingmaker.cli.app import COMMANDS, app
from kingmaker.ladder import database as database_module
from kingmaker.ladder import remote
from kingmaker.ladder.coordinator import begin_ladder
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.replay import replay
from kingmaker.ladder.store import Store

from .conftest import KINGMAKER

GAME = ("--game", "tic_tac_toe", "--bot", "good=mcts:simulations=60", "--bot", "bad=random")
NUM_GROUPS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a ladder to its end; returns where its database and its report are."""
    folder = tmp_path_factory.mktemp("ladder")
    done = subprocess.run(
        [
            *(KINGMAKER, "ladder", "run", "spring", *GAME, "--groups", str(NUM_GROUPS)),
            *("--anchor", "bad", "--move-ms", "5000", "--workers", "1", "--report", "report"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return folder


@pytest.fixture
def ladder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command on that ladder."""
    monkeypatch.setenv("KINGMAKER_DATABASE", str(folder / "ladder.sqlite"))

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["ladder", *arguments])

    return run


def shown(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_run_ends_with_standings_and_a_report(folder: Path) -> None:
    stdout = (folder / "stdout").read_text()
    assert "spring (finished): tic_tac_toe, 24 of 24 games, 12 complete groups" in stdout
    lines = [line.split()[0] for line in stdout.splitlines()[2:4]]
    assert lines == ["good", "bad"]
    stderr = (folder / "stderr").read_text()
    assert "spring: all games are played" in stderr
    assert "report/spring.html" in stderr
    assert "<title>spring" in (folder / "report" / "spring.html").read_text()
    assert json.loads((folder / "report" / "spring.json").read_text())["num_games"] == 24


def test_status_lists_the_ladders(ladder: Any) -> None:
    assert "spring    finished    tic_tac_toe       24    24    good, bad" in shown(
        ladder("status")
    )
    [row] = json.loads(shown(ladder("status", "--json")))
    assert (row["name"], row["num_games"], row["bots"]) == ("spring", 24, ["good", "bad"])


def test_status_lists_the_latest_ladders(tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    with Store(database) as store:
        for name in ("first", "second", "third"):
            store.create_ladder(name, {"game": "tic_tac_toe", "bots": []})
    flags = ["--database", database, "--limit", "2", "--json"]
    listed = CliRunner().invoke(app, ["ladder", "status", *flags])
    assert [each["name"] for each in json.loads(listed.stdout)] == ["second", "third"]


def test_status_shows_how_a_ladder_stands(ladder: Any, folder: Path) -> None:
    assert shown(ladder("status", "spring")) == (folder / "stdout").read_text()
    found = json.loads(shown(ladder("status", "spring", "--json")))
    assert found == json.loads((folder / "report" / "spring.json").read_text())


def test_report_writes_page_and_json(ladder: Any, tmp_path: Path) -> None:
    stdout = shown(ladder("report", "--folder", str(tmp_path / "new")))
    assert stdout.split() == [
        str(tmp_path / "new" / name) for name in ("spring.html", "spring.json")
    ]
    assert "<title>spring" in (tmp_path / "new" / "spring.html").read_text()


def test_games_lists_the_latest(ladder: Any) -> None:
    lines = shown(ladder("games", "--limit", "3", "--bot", "good")).splitlines()
    assert len(lines) == 4
    games = json.loads(shown(ladder("games", "--json", "--limit", "100")))
    assert len(games) == 24
    assert {tuple(sorted(game["bots"])) for game in games} == {("bad", "good")}
    assert lines[-1].split()[0] == games[-1]["id"][:8]
    assert json.loads(shown(ladder("games", "--cause", "crashed", "--json"))) == []


@pytest.mark.parametrize("form", [(), ("--text",)])
def test_what_export_writes_replay_proves(ladder: Any, form: list[str], tmp_path: Path) -> None:
    file = tmp_path / "games"
    shown(ladder("export", *form, "--output", str(file)))
    result = CliRunner().invoke(app, ["replay", str(file)])
    assert shown(result) == "24 verified, 0 failed\n"


def test_one_game_is_exported_and_reported_in_words(ladder: Any, folder: Path) -> None:
    [game] = json.loads(shown(ladder("games", "--json", "--limit", "1")))
    record = shown(ladder("export", "--text", "--game", game["id"][:8]))
    assert record.startswith(f"kingmaker game record 1\nid: {game['id']}\n")
    result = CliRunner().invoke(app, ["replay", "--show", "-"], input=record)
    lines = shown(result).splitlines()
    assert lines[0].startswith(f"tic_tac_toe {game['id']}: p1 ")
    assert "   1. p1: put x on " in lines[1]
    assert len(lines) == 1 + game["num_plies"] + 3
    assert lines[-1] == "1 verified, 0 failed"


def test_a_game_that_was_tampered_with_fails(ladder: Any) -> None:
    lines = shown(ladder("export")).splitlines()
    record = json.loads(lines[0])
    record["moves"][2]["token"] = record["moves"][0]["token"]
    lines[0] = json.dumps(record)
    result = CliRunner().invoke(app, ["replay", "-"], input="\n".join(lines))
    assert result.exit_code == 1
    assert ": ply 3: " in result.stdout
    assert result.stdout.endswith("23 verified, 1 failed\n")
    result = CliRunner().invoke(app, ["replay", "--json", "-"], input="\n".join(lines))
    [failure] = json.loads(result.stdout)["failures"]
    assert failure["ply"] == 3


def test_a_file_of_somebody_else_can_not_change_a_terminal(ladder: Any) -> None:
    record = json.loads(shown(ladder("export")).splitlines()[0])
    del record["id"]  # which the change of a name would belie
    record["detail"] = record["task"]["bots"][0]["name"] = "\x1b[2J\x07"
    record["moves"][0]["token"] = "\x1b]0;x\x07"
    result = CliRunner().invoke(app, ["replay", "--show", "-"], input=json.dumps(record))
    assert result.exit_code == 1
    assert result.stdout.replace("\n", "").isprintable()


def test_a_plan_from_a_file_yields_to_flags(ladder: Any, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('game = "kuhn_poker"\nbots = ["a=random", "b=random"]\nnum_groups = 500\n')
    result = ladder(
        *("run", "autumn", "--plan", str(plan), "--groups", "3", "--seed", "0", "--workers", "1"),
        *("--database", str(tmp_path / "x.sqlite"), "--report", "", "--json"),
    )
    found = json.loads(shown(result))
    assert (found["game"], found["total_games"], found["num_games"]) == ("kuhn_poker", 6, 6)
    assert {path.name for path in tmp_path.iterdir()} == {"plan.toml", "x.sqlite"}


def test_a_ladder_that_was_left_is_resumed(ladder: Any, tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    plan = LadderPlan.of(game="tic_tac_toe", bots=["a=random", "b=random"], num_groups=4)
    with Store(database) as store:
        begin_ladder(store, "long", plan)
    common = ("--database", database, "--workers", "1")
    expected = "long (finished): tic_tac_toe, 8 of 8 games, 4 complete groups"
    assert expected in shown(ladder("resume", *common, "--report", str(tmp_path)))
    assert (tmp_path / "long.html").is_file()
    assert expected in shown(ladder("resume", "long", *common, "--report", ""))


@pytest.mark.slow
def test_a_ladder_is_played_by_one_process_until_an_interrupt_stops_it(tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    process = subprocess.Popen(
        [
            *(KINGMAKER, "ladder", "run", "endless", *GAME),
            *("--database", database, "--workers", "1", "--report", ""),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        _wait_for_games(database, process)
        second = CliRunner().invoke(app, ["ladder", "resume", "--database", database])
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "endless: stopped by SIGINT" in stderr
    assert "endless (stopped)" in stdout
    assert (second.exit_code, second.stdout) == (2, "")
    assert "ladder 'endless' of" in second.stderr
    assert "is being played by another process" in second.stderr


def _wait_for_games(database: str, process: subprocess.Popen[str]) -> None:
    """Wait until some games are stored."""
    while process.poll() is None:
        time.sleep(0.2)
        if Path(database).is_file():
            with Store(database) as store:
                if any(ladder.finished() for ladder in store.ladders()):
                    return
    raise AssertionError("the ladder has ended by itself")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "x"], "give --game and two --bot or more, or a --plan"),
        (["run", "x", "--plan", "no.toml"], "plan no.toml can't be read: No such file"),
        (["run", "x", "--game", "chess", "--bot", "a=random", "--bot", "random"], "'chess'"),
        (["run", "x", *GAME[:4]], "a ladder needs two bots or more to play; there is one"),
        (["run", "x", *GAME, "--bot", "third"], "there is no engine 'third'"),
        (["run", "x", *GAME, "--bot", "mcts:luck=3"], "has no option 'luck'"),
        (["run", "x", *GAME, "--bot", "good=random"], "two bots are called good"),
        (["run", "x", *GAME, "--option", "size"], "'size' is not KEY=VALUE"),
        (["run", "x", *GAME, "--sprt", "10"], "'10' is not ELO0,ELO1"),
        (["run", "x", *GAME, "--sprt", "10,0"], "elo0 10.0 must be smaller than elo1 0.0"),
        (["run", "x", *GAME, "--pairing", "cup"], "'swiss', not 'cup'"),
        (
            ["run", "x", *GAME, "--groups", "0"],
            "Invalid value for '--groups': Input should be greater than or equal to 1",
        ),
        (["run", "x", *GAME, "--groups", "99999999999"], "less than or equal to 10000000"),
        (["run", "x", *GAME, "--move-ms", "inf"], "clock.move_ms: it must be a finite number"),
        (
            ["run", "x", *GAME, "--anchor", "ugly"],
            "the anchor 'ugly' is not one of the bots good, bad",
        ),
        (["run", "x\x1b[2J", *GAME], r"'x\x1b[2J' is not a valid name"),
        (["run", "x" * 300, *GAME], "has 300 characters; 100 are allowed"),
        (["run", "x", *GAME, "--workers", "0"], "Invalid value for '--workers': "),
        (["run", "x", *GAME, "--workers", "1", "--dask", "a:1"], "leave --workers out"),
        (["run", "x", *GAME, "--report", "/proc/no"], "/proc/no can't be written"),
        (["run", "x", *GAME, "--database", "mysql://host/x"], "databases of kind 'mysql' are not"),
        (["run", "spring", *GAME, "--workers", "1"], "there is a ladder 'spring' in "),
        (["resume", "winter"], "there is no ladder 'winter'; those there are: 'spring'"),
        (["status", "winter"], "those there are: 'spring'"),
        (["status", "--database", "no.sqlite"], "there is no database 'no.sqlite'"),
        (["games", "--bot", "ugly"], "there is no bot 'ugly'; there is: good, bad"),
        (["games", "--cause", "rain"], "there is no cause 'rain'; there is: finished, crashed"),
        (["export", "--game", "zz"], "no game of 'spring' with an id that begins with 'zz'"),
        (["export", "--output", "no/folder"], "no/folder can't be written"),
    ],
)
def test_bad_input_is_one_line(ladder: Any, arguments: list[str], message: str) -> None:
    result = ladder(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["status", "--database", "postgresql://nobody@127.0.0.1:1/x"], "can't be reached"),
        (["run", "x", *GAME, "--database", "postgresql://a:b@127.0.0.1:1/x"], "can't be reached"),
        (
            ["run", "x", *GAME, "--database", "/proc/no/x.sqlite"],
            "can't be opened; check that its folder exists",
        ),
        (["status", "--database", __file__], "is not an SQLite database"),
        (
            ["run", "x", "--workers", "1", *GAME[:4], "--bot", "far=grpc://127.0.0.1:1/level=1"],
            "127.0.0.1:1 answered UNAVAILABLE",
        ),
    ],
)
def test_what_fails_around_us_is_one_line(
    ladder: Any, arguments: list[str], message: str, tmp_path: Path
) -> None:
    if "--database" not in arguments:
        arguments = [*arguments, "--database", str(tmp_path / "x.sqlite")]
    result = ladder(*arguments)
    assert not list(tmp_path.iterdir())  # not even a ladder without games
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_a_bot_that_accepts_calls_and_never_answers_is_named(
    ladder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "START_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        far = f"far=grpc://127.0.0.1:{mute.getsockname()[1]}/level=1"
        result = ladder(
            "run", "x", *GAME[:4], "--bot", far, "--database", str(tmp_path / "x.sqlite")
        )
    assert (result.exit_code, result.stdout) == (1, "")
    assert "bot far can't play: 127.0.0.1:" in result.stderr
    assert "DEADLINE_EXCEEDED" in result.stderr


def test_a_database_of_a_newer_version_is_left_alone(ladder: Any, tmp_path: Path) -> None:
    database = str(tmp_path / "new.sqlite")
    Store(database).close()
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for arguments in (["status"], ["resume"], ["run", "x", *GAME, "--workers", "1"]):
        result = ladder(*arguments, "--database", database)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "has schema 9999, and this version of Kingmaker knows schemas" in result.stderr


LONG = ("--game", "kingdom_coinquest", "--bot", "a=random", "--bot", "b=random", "--groups", "15")


def _check_filled(database: Path, result: Result) -> list[str]:
    """Make sure that a full disk was lines, and that nothing but whole games is stored."""
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"error: no room left for {database}: database or disk is full")
    assert result.stderr.count("\n") == 1
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with Store(str(database)) as store:
        records = list(store.ladder("full").records())
    assert 0 < len(records) < 30
    for record in records:
        replay(record)
    return [record.task.id for record in records]


def _check_resumed(database: Path, stored: list[str], result: Result) -> None:
    """Make sure that a ladder has gone on to its end."""
    assert "full (finished): kingdom_coinquest, 30 of 30 games" in shown(result)
    with Store(str(database)) as store:
        games = [game.task.id for game in store.ladder("full").summaries()]
    assert games[: len(stored)] == stored
    assert len(set(games)) == len(games) == 30


@pytest.mark.slow
def test_a_ladder_that_has_filled_its_disk_is_resumed_on_a_larger_one(
    ladder: Any, small_disk: Path
) -> None:
    database = small_disk / "ladder.sqlite"
    common = ("full", "--database", str(database), "--workers", "1", "--report", "")
    stored = _check_filled(database, ladder("run", *common, *LONG))
    remount = ["mount", "-o", "remount,size=32m", str(small_disk)]
    subprocess.run(remount, check=True)
    _check_resumed(database, stored, ladder("resume", *common))


@pytest.mark.slow
def test_a_ladder_that_has_filled_its_database_is_resumed_with_more_room(
    ladder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limit(connection: sqlite3.Connection, record: Any, **settings: bool) -> None:
        configure(connection, record, **settings)
        connection.execute("PRAGMA max_page_count=100")

    configure = database_module._configure_sqlite
    monkeypatch.setattr(database_module, "_configure_sqlite", limit)
    database = tmp_path / "ladder.sqlite"
    common = ("full", "--database", str(database), "--workers", "1", "--report", "")
    result = ladder("run", *common, *LONG)
    monkeypatch.setattr(database_module, "_configure_sqlite", configure)
    stored = _check_filled(database, result)
    _check_resumed(database, stored, ladder("resume", *common))


@pytest.mark.parametrize("command", ["report", "export"])
def test_a_full_disk_is_reported_when_files_are_written(
    ladder: Any, small_disk: Path, command: str
) -> None:
    (small_disk / "ballast").write_bytes(b"0" * (1 << 20))
    arguments = {
        "report": ["--folder", str(small_disk)],
        "export": ["--output", str(small_disk / "games")],
    }
    result = ladder(command, *arguments[command])
    assert result.exit_code == 2
    assert "can't be written: No space left on device" in result.stderr


def test_odd_names_spoil_no_file_and_no_terminal(ladder: Any, tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "[red]$\\frac$", "../../up", "a|b: c"]
    plan = LadderPlan.of(
        game="tic_tac_toe", bots=[{"name": name, "spec": "random"} for name in names], num_groups=6
    )
    database, folder = str(tmp_path / "ladder.sqlite"), tmp_path / "report"
    with Store(database) as store:
        begin_ladder(store, "../<b>[bold]", plan)
    common = ("--database", database)
    stdout = shown(ladder("resume", *common, "--workers", "1", "--report", str(folder)))
    assert all(name in stdout for name in names)
    assert {path.name for path in folder.iterdir()} == {"_b_bold_.html", "_b_bold_.json"}
    page = (folder / "_b_bold_.html").read_text()
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    text = shown(ladder("export", "--text", *common))
    assert shown(CliRunner().invoke(app, ["replay", "-"], input=text)) == "12 verified, 0 failed\n"


@pytest.mark.parametrize("line", ['{"game":"tic_tac_toe","moves":["a1"', '{"a":' * 100_000])
def test_a_line_that_was_cut_off_is_called_that(line: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{line}\n")
    result = CliRunner().invoke(app, ["replay", str(file)])
    assert result.exit_code == 2
    assert result.stderr == f"error: {file}, line 1: the line is not whole JSON\n"


def test_a_game_of_play_is_left_to_review(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text('{"game":"tic_tac_toe","moves":["a1"]}\n')
    result = CliRunner().invoke(app, ["replay", str(file)])
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: {file}, line 1: this is a game of `play --save`, which `kingmaker review` reads\n"
    )


def test_files_that_hold_no_games_are_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("1. e4 e5\n")
    result = CliRunner().invoke(app, ["replay", str(wrong)])
    assert result.exit_code == 2
    assert f"error: {wrong}, line 1: '1. e4 e5' is not the start of a game" in result.stderr
    wrong.write_text("long " * 100_000)
    assert len(CliRunner().invoke(app, ["replay", str(wrong)]).stderr) < 400
    result = CliRunner().invoke(app, ["replay", "no_such_file"])
    assert (result.exit_code, "no_such_file can't be read" in result.stderr) == (2, True)
    wrong.write_bytes(b"\xff\xfe")
    result = CliRunner().invoke(app, ["replay", str(wrong)])
    assert (result.exit_code, "it is not text" in result.stderr) == (2, True)


def test_no_other_command_waits_for_the_libraries_of_ladders() -> None:
    others = ", ".join(f"kingmaker.cli.{name}" for name in COMMANDS if name != "ladder")
    code = f"import sys, {others}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sqlalchemy", "scipy", "matplotlib", "jinja2"} & set(done.stdout.split())


def test_a_reader_that_leaves_is_no_error(ladder: Any, tmp_path: Path) -> None:
    # 2,000 games are more than a pipe holds, so that writing fails while games are read.
    games = tmp_path / "games.jsonl"
    record = shown(ladder("export")).splitlines()[0]
    games.write_text(f"{record}\n" * 2000)
    done = subprocess.run(
        f"{KINGMAKER} replay --show {games} | head -1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.startswith("tic_tac_toe ")
    assert done.stderr == ""
