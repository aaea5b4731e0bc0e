"""What strangers try on matches: tokens, names, ends, floods of matches, addresses with secrets."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import Counter
from pathlib import Path
from threading import Event
from typing import Any

import grpc
import pytest

from kingmaker.ladder.match_store import MatchStore
from kingmaker.v1 import match_service_pb2 as pb

from .match_client import Player, keeping, new_match
from .process import server_process
from .support import failure_of, until
from .web_client import http, post

CODE = grpc.StatusCode
ACTS: dict[str, dict[str, Any]] = {
    "PlayMove": {"after_event": 3},
    "GetMatchHint": {},
    "TakeBack": {},
    "OfferDraw": {},
    "AnswerOffer": {"agrees": True},
    "ResignMatch": {},
    "LeaveMatch": {},
    "ReplacePlayer": {"seat": 1},
}


async def two_players(stub: Any, **options: Any) -> list[Player]:
    created = await stub.CreateMatch(new_match("tic_tac_toe", "", "", **options))
    match_id = created.status.match_id
    players = [await Player.join(stub, match_id, name) for name in ("Ann", "Ben")]
    await players[0].look()
    return players


async def test_a_match_that_has_ended_is_never_changed(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, stub):
        ann, _ = await two_players(stub, has_hints=True, has_take_backs=True)
        await ann.play("b2")
        await ann.act("ResignMatch")
        before = await ann.look()
        for name, fields in ACTS.items():
            more = {"move": {"text": "a1"}} if name == "PlayMove" else {}
            failed = await failure_of(ann.act(name, **fields, **more))
            assert failed.code is CODE.FAILED_PRECONDITION, name
        again = pb.JoinMatchRequest(match_id=ann.match_id, name="Cid")
        assert (await failure_of(stub.JoinMatch(again))).code is CODE.FAILED_PRECONDITION
        assert (await ann.look()).status == before.status


async def test_a_token_is_good_for_its_own_seat_alone(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, stub):
        ann, ben = await two_players(stub)
        cid, _ = await two_players(stub)
        stranger = Player(stub, ann.match_id, cid.token, ann.view)
        for name, fields in ACTS.items():
            more = {"move": {"text": "a1"}} if name == "PlayMove" else {}
            failed = await failure_of(stranger.act(name, **fields, **more))
            assert failed.code is CODE.PERMISSION_DENIED, name
        for call in (stranger.look(), stranger.watch()):
            assert (await failure_of(call)).code is CODE.PERMISSION_DENIED
        assert (await ben.look()).viewer == 2
        assert not ben.view.moves
        failed = await failure_of(ben.play("b2"))
        assert failed.code is CODE.FAILED_PRECONDITION
        assert "p1 is to move, not p2" in failed.message
        status = (await ben.act("ResignMatch")).status
        assert status.result.culprit == 2


async def test_events_that_are_not_there_are_refused(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, stub):
        ann, _ = await two_players(stub)
        for number in (-1, ann.seen + 1, 2**31 - 1):
            request = pb.GetMatchRequest(match_id=ann.match_id, after_event=number)
            for call in (stub.GetMatch(request), ann.watch(number), ann.play("b2", number)):
                failed = await failure_of(call)
                assert failed.code is CODE.INVALID_ARGUMENT
                assert "after_event" in failed.fields


@pytest.mark.parametrize(
    "name", ["", " ", "x" * 41, "a\nb", "a\x00b", "\u202eevil", "zero\u200bwidth", "a\x1b[31mb"]
)
async def test_a_name_that_can_not_be_shown_is_refused(tmp_path: Path, name: str) -> None:
    async with keeping(tmp_path) as (_, stub):
        created = await stub.CreateMatch(new_match("tic_tac_toe"))
        request = pb.JoinMatchRequest(match_id=created.status.match_id, name=name)
        failed = await failure_of(stub.JoinMatch(request))
        assert failed.code is CODE.INVALID_ARGUMENT
        assert "name" in failed.fields


async def test_a_name_is_text_and_nothing_else(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)> & 'ß' 王"
    async with keeping(tmp_path) as (_, stub):
        created = await stub.CreateMatch(new_match("tic_tac_toe", title="<b>{{7*7}}</b>%s"))
        ann = await Player.join(stub, created.status.match_id, name)
        assert ann.view.status.seats[0].name == name
        assert ann.view.status.options.title == "<b>{{7*7}}</b>%s"


@pytest.mark.parametrize("number", [300, pytest.param(10_000, marks=pytest.mark.slow)])
async def test_a_flood_of_matches_is_refused_and_nothing_is_lost(
    tmp_path: Path, number: int
) -> None:
    async with keeping(tmp_path, max_client_matches=20) as (_, stub):
        ann, _ = await two_players(stub)
        codes = Counter[grpc.StatusCode]()
        for i in range(0, number, 100):
            calls = [
                stub.CreateMatch(new_match("tic_tac_toe")) for _ in range(min(100, number - i))
            ]
            codes.update(await asyncio.gather(*(call.code() for call in calls)))
        assert codes == {CODE.OK: 19, CODE.RESOURCE_EXHAUSTED: number - 19}
        listed = await stub.ListMatches(pb.ListMatchesRequest())
        assert len(listed.matches) == 20
        await ann.play("b2")


@pytest.mark.slow
async def test_tokens_in_addresses_are_never_logged(tmp_path: Path) -> None:
    secret = "the-token-of-a-seat"
    with server_process(tmp_path, web="127.0.0.1:0", log_level="debug") as server:
        url = str(server.wait_for_line("listening")["url"])
        created = await post(url, "MatchService/CreateMatch", {"options": {"game": "tic_tac_toe"}})
        match_id = created.json["status"]["matchId"]
        for path in ("/", "/openapi.json", "/no/such/page", "/kingmaker.v1.MatchService/GetMatch"):
            for method in ("GET", "POST"):
                await http(url, method, f"{path}?match={match_id}&token={secret}", referer=secret)
        await http(url, "GET", f"/{secret}")
        fields = {"matchId": match_id, "token": secret}
        for call in ("GetMatch", "PlayMove", "JoinMatch", "ResignMatch"):
            answer = await post(url, f"MatchService/{call}?token={secret}", fields)
            assert answer.status >= 400
        await until(lambda: "ResignMatch" in server.text, limit=60)
        server.stop()
        assert await asyncio.to_thread(server.exit_code) == 0
        assert secret not in server.text


async def test_a_call_that_is_cancelled_while_its_match_is_read_leaves_no_fault(
    matches: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else strangers fill the log with errors."""
    is_read = Event()

    def read_slowly(store: MatchStore, match_id: str) -> None:
        is_read.set()
        time.sleep(0.2)

    monkeypatch.setattr(MatchStore, "find", read_slowly)
    faults: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: faults.append(context))
    call = matches.GetMatch(pb.GetMatchRequest(match_id="unknown"))
    looking = asyncio.ensure_future(call)
    await asyncio.to_thread(is_read.wait, 5)
    call.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    await asyncio.sleep(0.4)
    gc.collect()
    assert not faults
