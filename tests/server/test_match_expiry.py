"""How long matches are kept: they are abandoned, they end, they are deleted."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import match_service_pb2 as pb

from .match_client import Player, ended, keeping, new_match
from .support import until


async def test_a_match_that_has_ended_is_deleted_after_its_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingmaker.server.matches.matches.SWEEP_SECONDS", 0.05)
    monkeypatch.setattr("kingmaker.server.matches.matches.DELETE_LIMIT", 2)
    async with keeping(tmp_path, match_days=0) as (_, stub):
        over = [await create(stub, "kuhn_poker", "random", "random") for _ in range(5)]
        for each in over:
            await ended(stub, each)
        match_id = await create(stub, "tic_tac_toe", "", "random")
        ann = await Player.join(stub, match_id)
    async with keeping(tmp_path, match_days=1e-9) as (_, stub):
        for each in over:
            await until_unknown(stub, each)
        ann.stub = stub
        await ann.look()
        await ann.play("b2")
    with sqlite3.connect(tmp_path / "matches.sqlite") as database:
        for table in ("matches", "match_events"):
            column = "id" if table == "matches" else "match_id"
            ids = {row[0] for row in database.execute(f"SELECT {column} FROM {table}")}
            assert ids == {ann.match_id}


async def test_an_abandoned_match_is_ended_and_then_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingmaker.server.matches.matches.SWEEP_SECONDS", 0.05)
    monkeypatch.setattr("kingmaker.server.matches.matches.OPEN_SECONDS", 0.0)
    async with keeping(tmp_path) as (_, stub):
        match_id = await create(stub, "tic_tac_toe")
        view = await ended(stub, match_id)
        assert view.status.result.end == pb.MATCH_END_ABANDONED
        record = await stub.GetMatchRecord(pb.GetMatchRecordRequest(match_id=match_id))
        assert record.status.result.nonce
    async with keeping(tmp_path, match_days=1e-9) as (_, stub):
        await until_unknown(stub, match_id)


@pytest.mark.parametrize("change", ["rules_version = '0'", "game = 'no_such_game'"])
async def test_an_idle_match_that_no_server_can_load_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    async with keeping(tmp_path) as (_, stub):
        match_id = await create(stub, "tic_tac_toe")
    monkeypatch.setattr("kingmaker.server.matches.matches.SWEEP_SECONDS", 0.02)
    monkeypatch.setattr("kingmaker.server.matches.matches.OPEN_SECONDS", 0.0)
    with closing(sqlite3.connect(tmp_path / "matches.sqlite", isolation_level=None)) as database:
        database.execute(f"UPDATE matches SET {change}")
        async with keeping(tmp_path):
            await until(lambda: column(database, "phase") == "ended")
        database.execute("UPDATE matches SET rules_version = '1', game = 'tic_tac_toe'")
    async with keeping(tmp_path) as (_, stub):
        view = await ended(stub, match_id)
        assert view.status.result.end == pb.MATCH_END_ABANDONED
        assert list(view.status.result.returns) == [0.5, 0.5]


async def test_a_server_leaves_a_match_that_it_can_not_load_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingmaker.server.matches.matches.CLAIM_SECONDS", 0.02)
    async with keeping(tmp_path) as (_, stub):
        await Player.join(stub, await create(stub, "tic_tac_toe", "bot:nobody", ""))
    with closing(sqlite3.connect(tmp_path / "matches.sqlite", isolation_level=None)) as database:
        assert column(database, "needs_driver")
        database.execute("UPDATE matches SET rules_version = '0'")
        async with keeping(tmp_path):
            await until(lambda: column(database, "driver") == "")
        assert column(database, "needs_driver")


def column(database: sqlite3.Connection, name: str) -> Any:
    """A column of the only match."""
    [(value,)] = database.execute(f"SELECT {name} FROM matches")
    return value


async def until_unknown(stub: Any, match_id: str) -> None:
    """Wait until there is no such match; the test ends sooner or later."""
    code = None
    while code is not grpc.StatusCode.NOT_FOUND:
        call = stub.GetMatch(pb.GetMatchRequest(match_id=match_id))
        code = await call.code()
        assert code in (grpc.StatusCode.OK, grpc.StatusCode.NOT_FOUND)
        await asyncio.sleep(0.02)


async def create(stub: Any, game: str, *bots: str) -> str:
    return str((await stub.CreateMatch(new_match(game, *bots))).status.match_id)
