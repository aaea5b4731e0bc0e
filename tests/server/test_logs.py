"""Lines of the log: whatever an event has is written, with its time."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import structlog

from kingmaker.server.logs import logs, timestamp
from kingmaker.server.settings import LogFormat, LogLevel


def test_times_are_those_of_the_standard_library() -> None:
    random.seed(1)
    for _ in range(1000):
        micros = random.randrange(2**32 * 10**6)
        when = datetime.fromtimestamp(micros // 10**6, UTC).replace(microsecond=micros % 10**6)
        assert timestamp(micros / 1e6) == when.isoformat(timespec="milliseconds")


@pytest.mark.parametrize(
    "value", ["plain", 'ä\n"', "not UTF-8: \udce4", 0.25, None, [1, "a"], {"b": 2}]
)
def test_every_value_is_written(
    value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    with path.open("w") as file:
        monkeypatch.setattr("sys.stderr", file)
        with logs(LogFormat.JSON, LogLevel.INFO):
            structlog.get_logger().info("something", value=value, kept=Path("a"))
    structlog.reset_defaults()
    [line] = path.read_bytes().splitlines()
    event = json.loads(line.decode(errors="surrogateescape").replace("\\udce4", "\udce4"))
    assert event["value"] == value
    assert event["kept"] == "a"
    assert event["level"] == "info"
    datetime.fromisoformat(event["timestamp"])


def test_lines_for_people_do_not_steer_their_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    with path.open("w") as file:
        monkeypatch.setattr("sys.stderr", file)
        with logs(LogFormat.CONSOLE, LogLevel.INFO):
            structlog.get_logger().info("call", method="/\x1b[2J\r\N{RIGHT-TO-LEFT OVERRIDE}ä")
    assert "method=/\\x1b[2J\\r\\u202eä" in path.read_text(encoding="utf-8")


def test_servers_one_after_the_other_write_lines_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, before = structlog.get_logger(), structlog.get_config()
    for level in (LogLevel.INFO, LogLevel.WARNING):
        with (tmp_path / level.name).open("w") as file:
            monkeypatch.setattr("sys.stderr", file)
            with logs(LogFormat.JSON, level):
                log.info("told")
                log.warning("warned")
        lines = (tmp_path / level.name).read_text().splitlines()
        events = [json.loads(line)["event"] for line in lines]
        assert events == (["told", "warned"] if level is LogLevel.INFO else ["warned"])
    assert structlog.get_config() == before
