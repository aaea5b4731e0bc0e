"""Matches that are created and listed: what is refused, quotas, pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .match_client import Player, create, keeping, new_match, two_players
from .support import failure_of, serving


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"game": "chess"}, "options.game"),
        ({"game": "hearts", "game_options": {"players": "9"}}, "options.game_options.players"),
        ({"game": "hearts", "title": "x" * 81}, "options.title"),
        ({"game": "hearts", "title": "a\nb"}, "options.title"),
        ({"game": "hearts", "title": "\u202eevil"}, "options.title"),
    ],
)
async def test_a_match_that_can_not_be_is_refused(
    matches: Any, options: dict[str, Any], field: str
) -> None:
    request = pb.CreateMatchRequest(options=pb.MatchOptions(**options))
    failed = await failure_of(matches.CreateMatch(request))
    assert field in failed.fields


async def test_bots_of_other_servers_and_unknown_ones_are_refused(matches: Any) -> None:
    bots = ("grpc://localhost:1/level=1", "bot:rook@localhost:1", "nonsense", "cfr")
    for bot in bots:
        failed = await failure_of(matches.CreateMatch(new_match("tic_tac_toe", bot, "")))
        assert "seats[0].bot" in failed.fields


async def test_a_client_has_a_quota_of_matches_that_have_not_ended(tmp_path: Path) -> None:
    async with keeping(tmp_path, max_client_matches=3) as (_, matches):
        ids = [await create(matches, "tic_tac_toe", "", "") for _ in range(3)]
        for _ in range(3):
            failed = await failure_of(matches.CreateMatch(new_match("tic_tac_toe")))
            assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert "RetryInfo" in failed.details
        players = [await Player.join(matches, ids[0]) for _ in range(2)]
        await players[0].act("ResignMatch")
        await create(matches, "tic_tac_toe")
        listed = await matches.ListMatches(pb.ListMatchesRequest())
        assert {each.match_id for each in listed.matches} >= set(ids)


async def test_lists_leave_private_matches_out_and_come_in_pages(matches: Any) -> None:
    ids = [await create(matches, "tic_tac_toe", title=f"{i}") for i in range(5)]
    await create(matches, "tic_tac_toe", is_private=True)
    await create(matches, "kuhn_poker", "random", "random")
    seen: list[str] = []
    token = ""
    while True:
        request = pb.ListMatchesRequest(page_size=2, page_token=token, game="tic_tac_toe")
        page = await matches.ListMatches(request)
        seen += [each.match_id for each in page.matches]
        token = page.next_page_token
        if not token:
            break
    assert seen == ids[::-1]
    opened = await matches.ListMatches(pb.ListMatchesRequest(phase=pb.MATCH_PHASE_OPEN))
    assert len(opened.matches) == 5


async def test_matches_of_an_unknown_game_are_not_just_none(matches: Any) -> None:
    failed = await failure_of(matches.ListMatches(pb.ListMatchesRequest(game="chess")))
    assert failed.code is grpc.StatusCode.NOT_FOUND
    assert list(failed.fields) == ["game"]
    assert "games are chessault, " in failed.message


async def test_all_wrong_options_of_a_match_are_named(matches: Any) -> None:
    options = {"players": "9", "health": "0", "colour": "red"}
    wanted = pb.MatchOptions(game="kingdom_coinquest", game_options=options)
    failed = await failure_of(matches.CreateMatch(pb.CreateMatchRequest(options=wanted)))
    assert set(failed.fields) == {f"options.game_options.{name}" for name in options}


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("kuhn_poker", "seats has 3; this game needs 2"),
        (
            "kingdom_coinquest",
            "seats has 3; this game needs 2 unless game_options has another number of players",
        ),
    ],
)
async def test_a_wrong_number_of_seats_is_told_with_the_option_for_more(
    matches: Any, game: str, told: str
) -> None:
    options = pb.MatchOptions(game=game)
    request = pb.CreateMatchRequest(options=options, seats=[pb.NewSeat()] * 3)
    assert (await failure_of(matches.CreateMatch(request))).fields == {"seats": told}


@pytest.mark.parametrize(
    ("call", "option"), [("GetMatchHint", "has_hints"), ("TakeBack", "has_take_backs")]
)
async def test_what_a_match_is_without_is_named_with_its_option(
    matches: Any, call: str, option: str
) -> None:
    ann, _ = await two_players(matches)
    failed = await failure_of(ann.act(call))
    assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
    assert f"options.{option} of CreateMatch" in failed.message


async def test_a_server_without_a_database_says_how_to_get_one() -> None:
    async with serving() as service:
        matches = MatchServiceStub(service.channel)
        failed = await failure_of(matches.CreateMatch(new_match("hearts")))
        assert failed.code is grpc.StatusCode.UNIMPLEMENTED
        assert "--matches" in failed.message
        stream = matches.WatchMatch(pb.WatchMatchRequest(match_id="x"))
        assert (await failure_of(stream)).code is grpc.StatusCode.UNIMPLEMENTED
