"""Commands whose standard streams are closed, full or no longer read."""

import os
import subprocess
from pathlib import Path

import pytest

from .conftest import KINGMAKER, Command

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def shell(arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a shell that redirects its streams, in a folder of its own."""
    return subprocess.run(
        ["sh", "-c", f"{KINGMAKER} {arguments}"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
    )


@pytest.mark.parametrize("arguments", ["games >&-", "play tic_tac_toe --json >&- <&-"])
def test_a_command_runs_without_a_standard_stream(arguments: str, tmp_path: Path) -> None:
    done = shell(arguments, tmp_path)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["analyze", "review"])
def test_a_closed_input_is_an_empty_one(command: str, tmp_path: Path) -> None:
    empty, closed = (shell(f"{command} - {end}", tmp_path) for end in ("</dev/null", "<&-"))
    assert closed.returncode == empty.returncode == 2
    assert closed.stderr == empty.stderr


def test_errors_do_not_turn_up_in_the_output_for_want_of_another_stream(tmp_path: Path) -> None:
    done = shell("games chess 2>&-", tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""


@needs_full
@pytest.mark.parametrize("arguments", ["games", "--help"])
def test_a_full_disk_is_named_as_the_cause(arguments: str, tmp_path: Path) -> None:
    done = shell(f"{arguments} >/dev/full", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "error: the output can't be written: No space left on device\n"


@needs_full
def test_the_file_that_is_read_is_not_blamed_for_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("tic_tac_toe\na1 b1 a2 b2 a3\n")
    done = shell("review games.txt --json --effort quick >/dev/full", tmp_path)
    assert done.stderr == "error: the output can't be written: No space left on device\n"


def test_output_that_nobody_reads_is_no_failure() -> None:
    process = subprocess.Popen(
        [KINGMAKER, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process:
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_name_that_is_no_text_is_no_ladder(
    kingmaker: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bots = ("--bot", "a=random", "--bot", "b=random", "--groups", "1")
    assert kingmaker("ladder", "run", "x", "--game", "tic_tac_toe", *bots).returncode == 0
    done = kingmaker("ladder", "status", "\udcff")
    assert done.returncode == 2
    assert done.stderr == "error: there is no ladder '\\udcff'; those there are: 'x'\n"


@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        ("analyze -", 2, "no game has the tag 'a\\udcff'"),
        ("review -", 2, "'a\\udcff' is not a game"),
        ("play tic_tac_toe --json", 0, ""),
    ],
)
def test_bytes_that_are_no_text_are_refused_like_other_wrong_input(
    command: str, status: int, message: str
) -> None:
    done = subprocess.run(
        [KINGMAKER, *command.split()],
        input=b"a\xff\n",
        capture_output=True,
        timeout=60,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},  # as in most locales
    )
    assert done.returncode == status
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("is_file", [True, False])
def test_the_mark_of_files_of_windows_is_left_out(is_file: bool, tmp_path: Path) -> None:
    game = b'\xef\xbb\xbf{"game":"tic_tac_toe","moves":["a1","b1","a2","b2","a3"]}\r\n'
    file = tmp_path / "games.jsonl"
    file.write_bytes(game)
    done = subprocess.run(
        [KINGMAKER, "review", str(file) if is_file else "-", "--effort", "quick"],
        input=game,
        capture_output=True,
        timeout=60,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"tic_tac_toe: 5 decisions")
