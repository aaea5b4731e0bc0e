"""`kingmaker batch`: files in, files out, in the order of the input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Command

LINES = [
    {"game": "connect_four", "moves": ["d", "d"], "simulations": 50, "name": "slow"},
    {"game": "leduc_poker", "moves": [], "seat": 1, "simulations": 20},
    {"game": "connect_four", "moves": ["d", "d"], "simulations": 50, "name": "again"},
]
ONE = ("--workers", "1")
GAME = {"game": "tic_tac_toe", "moves": ["b2", "a2", "a1", "c3", "b1", "c2", "b3"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return tmp_path


@pytest.mark.slow
def test_positions_are_analyzed_in_their_order_and_known_ones_not_again(
    installed: Command, folder: Path
) -> None:
    done = installed("batch", "analyze", "in.jsonl", "-o", "out.jsonl", *ONE)
    assert (done.returncode, done.stderr) == (0, "note: 2 tasks done\n")
    text = (folder / "out.jsonl").read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    assert [(row["line"], row["name"]) for row in rows] == [(1, "slow"), (2, ""), (3, "again")]
    assert {**rows[0], "line": 3, "name": "again"} == rows[2]
    assert [row["simulations"] for row in rows] == [50, 20, 50]
    assert len(rows[0]["moves"]) == 7
    again = installed("batch", "analyze", "in.jsonl")
    assert again.stdout == text
    assert again.stderr == "note: 2 tasks done, 2 of them known before\n"
    assert sorted(path.name for path in folder.iterdir()) == [
        "batch.sqlite",
        "in.jsonl",
        "out.jsonl",
    ]


def test_wrong_lines_are_all_named_and_nothing_is_run(kingmaker: Command, folder: Path) -> None:
    with (folder / "in.jsonl").open("a") as lines:
        lines.write('zzz\n{"game": "connect_four", "moves": [], "seat": "x"}\n')
    done = kingmaker("batch", "analyze", "in.jsonl", "-o", "out.jsonl")
    assert done.returncode == 2
    first, second, last = done.stderr.splitlines()
    assert first.startswith("error: line 4: position: no game has the tag 'zzz'; tags are ")
    assert second == "error: line 5: seat: it must be a valid integer, not 'x'"
    assert last == "error: 2 lines are wrong; --keep-going runs the others"
    assert not (folder / "out.jsonl").exists()
    assert not (folder / "batch.sqlite").exists()


def test_what_a_wrong_line_says_is_short_and_controls_no_terminal(
    kingmaker: Command, folder: Path
) -> None:
    wrong = ["[" * 5000, json.dumps({"seed": "\x1b[31m" * 1000}), "\x1b]0;title\x07\x1b[31mred"]
    (folder / "in.jsonl").write_text("".join(line + "\n" for line in wrong))
    done = kingmaker("batch", "analyze", "in.jsonl")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 4
    assert all(len(line) < 1000 for line in done.stderr.splitlines())
    assert "\x1b" not in done.stderr


def test_a_byte_order_mark_is_no_part_of_the_first_line(kingmaker: Command, folder: Path) -> None:
    (folder / "in.jsonl").write_text(json.dumps(LINES[0]) + "\nzzz\n", encoding="utf-8-sig")
    done = kingmaker("batch", "analyze", "in.jsonl")
    assert done.stderr.splitlines()[-1] == "error: 1 line is wrong; --keep-going runs the others"


@pytest.mark.slow
def test_the_other_lines_are_run_with_keep_going(installed: Command, folder: Path) -> None:
    typed = "zzz\n" + json.dumps(LINES[0])
    done = installed("batch", "analyze", "-", "--keep-going", *ONE, typed=typed)
    assert done.returncode == 1
    bad, good = (json.loads(line) for line in done.stdout.splitlines())
    assert (bad["line"], bad["error"]["field"], bad["error"]["value"]) == (1, "position", "zzz")
    assert (good["line"], good["game"]) == (2, "connect_four")
    assert done.stderr.endswith("note: 1 task done, 1 line wrong\n")


@pytest.mark.slow
def test_games_are_reviewed(installed: Command, folder: Path) -> None:
    (folder / "games.jsonl").write_text(f"{json.dumps(GAME)}\n" * 2)
    done = installed("batch", "review", "games.jsonl", "--effort", "quick", *ONE)
    assert (done.returncode, done.stderr) == (0, "note: 1 task done\n")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["line"] for row in rows] == [1, 2]
    assert [row["result"] for row in rows] == [[1.0, 0.0]] * 2
    assert len(rows[0]["decisions"]) == 7


def test_a_folder_that_can_not_be_written_is_named_before_the_run(
    kingmaker: Command, folder: Path
) -> None:
    done = kingmaker("batch", "analyze", "in.jsonl", "-o", "no/out.jsonl")
    assert done.returncode == 2
    assert done.stderr == "error: no/out.jsonl can't be written: No such file or directory\n"
    assert not (folder / "batch.sqlite").exists()


@pytest.mark.slow
def test_parquet_goes_in_and_out(installed: Command, folder: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    keys = {key for line in LINES for key in line}
    rows = [{key: line.get(key) for key in keys} for line in LINES]
    parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "in.parquet")
    done = installed("batch", "analyze", "in.parquet", "-o", "out.parquet", *ONE)
    assert done.returncode == 0, done.stderr
    rows = parquet.read_table(folder / "out.parquet").to_pylist()
    lines = installed("batch", "analyze", "in.jsonl").stdout.splitlines()
    for row, line in zip(rows, map(json.loads, lines), strict=True):
        assert row["values"] == line["values"]
        assert json.loads(row["moves"]) == line["moves"]


def test_without_pyarrow_the_extra_is_named(
    installed: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pyarrow.py").write_text("raise ModuleNotFoundError(name='pyarrow')")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    done = installed("batch", "analyze", "in.jsonl", "-o", "out.parquet")
    assert done.returncode == 1
    assert done.stderr == "error: this needs pyarrow: pip install 'kingmaker[parquet]'\n"
