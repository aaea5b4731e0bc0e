"""Log lines never stop who writes them: they are dropped and counted."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from kingmaker.server.log_writer import MAX_LINE_BYTES, MAX_PENDING_BYTES, LogWriter

from .support import until

LINE = "x" * 999


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def test_lines_are_written_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("wb") as file:
        writer = LogWriter(file.fileno())
        for number in range(5000):
            writer.write(f"line {number}")
        writer.close(10)
    assert path.read_text().splitlines() == [f"line {number}" for number in range(5000)]
    assert writer.num_dropped == 0


def test_a_long_line_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("wb") as file:
        writer = LogWriter(file.fileno())
        writer.write("x" * (MAX_LINE_BYTES + 5))
        writer.close(10)
    assert path.read_text() == "x" * MAX_LINE_BYTES + "\n"


async def test_an_unread_pipe_drops_lines_and_says_so_when_it_is_read(
    pipe: tuple[int, int],
) -> None:
    read_end, write_end = pipe
    reported: list[int] = []
    writer = LogWriter(write_end, reported.append)
    start = time.monotonic()
    for _ in range(3 * MAX_PENDING_BYTES // len(LINE)):
        writer.write(LINE)
    assert time.monotonic() - start < 5
    num_lost = writer.num_dropped
    assert num_lost > MAX_PENDING_BYTES // len(LINE)
    assert not reported
    os.set_blocking(read_end, False)

    def is_reported() -> bool:
        with suppress(BlockingIOError):
            os.read(read_end, 1 << 20)
        return bool(reported)

    await until(is_reported)
    assert reported == [num_lost]
    writer.close(0.1)


def test_a_pipe_that_nobody_reads_does_not_hold_the_end(pipe: tuple[int, int]) -> None:
    _, write_end = pipe
    writer = LogWriter(write_end)
    for _ in range(1000):
        writer.write(LINE)
    start = time.monotonic()
    writer.close(0.1)
    assert time.monotonic() - start < 2
    os.set_blocking(write_end, False)  # for the thread that is left behind


async def test_a_full_disk_drops_lines() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    writer = LogWriter(full)
    writer.write(LINE)
    await until(lambda: writer.num_dropped == 1)
    writer.write(LINE)
    await until(lambda: writer.num_dropped == 2)
    writer.close(10)
    os.close(full)


async def test_a_reader_that_has_gone_drops_lines() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    writer = LogWriter(write_end)
    writer.write(LINE)
    await until(lambda: writer.num_dropped == 1)
    writer.close(10)
    os.close(write_end)
