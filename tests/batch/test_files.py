"""The output of a batch takes the place of a file, and of nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kingmaker.batch.files import check_files, write_rows
from kingmaker.cext.errors import InputError

ROWS = [{"line": 1}, {"line": 2}]
TEXT = '{"line": 1}\n{"line": 2}\n'


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_files("-", str(pipe))
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text)
        write_rows(ROWS, str(pipe))
        assert pipe.is_fifo()
        assert read.result(10) == TEXT


def test_the_file_behind_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "to").write_text("old")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "to")
    check_files("-", str(link))
    assert (tmp_path / "to").read_text() == "old"
    write_rows(ROWS, str(link))
    assert link.is_symlink()
    assert (tmp_path / "to").read_text() == TEXT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "to"]


def test_a_link_to_a_file_that_is_not_there_yet_stays(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("to")
    check_files("-", str(link))
    write_rows(ROWS, str(link))
    assert link.is_symlink()
    assert (tmp_path / "to").read_text() == TEXT


def test_what_was_written_to_standard_output_before_stays(tmp_path: Path) -> None:
    """As with `kingmaker batch analyze -o /dev/stdout >> results.jsonl`."""
    program = (
        "from kingmaker.batch.files import check_files, write_rows\n"
        "check_files('-', '/dev/stdout')\n"
        f"write_rows({ROWS}, '/dev/stdout')\n"
    )
    results = tmp_path / "results.jsonl"
    results.write_text("before\n")
    with results.open("a") as file:
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True, timeout=60)
    assert results.read_text() == "before\n" + TEXT


def test_a_folder_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be written: Is a directory"):
        check_files("-", str(tmp_path))
    assert not list(tmp_path.parent.glob(f"{tmp_path.name}.*"))
