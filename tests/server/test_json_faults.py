"""JSON with a wrong field, and calls that there are not, are refused by name."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from .support import serving
from .web_client import http, post


@pytest_asyncio.fixture
async def web() -> AsyncIterator[str]:
    """The address of a server's HTTP port."""
    async with serving(web="127.0.0.1:0") as running:
        assert running.server.url
        yield running.server.url


@pytest.mark.parametrize(
    ("call", "body", "field", "value", "message"),
    [
        ("GameService/StartGame", '{"gam": "hearts"}', "gam", "hearts", "it has game, options,"),
        ("GameService/StartGame", '{"Game": "hearts"}', "Game", "hearts", "did you mean game?"),
        ("GameService/StartGame", '{"game": 1}', "game", "1", "game is 1; it must be a text, such"),
        (
            "GameService/StartGame",
            '{"game": "knaves_out", "options": {"players": 4}}',
            "options.players",
            "4",
            'options.players is 4; it must be a text, such as "4"',
        ),
        (
            "GameService/StartGame",
            '{"options": "players=4"}',
            "options",
            "players=4",
            "options is 'players=4'; it must be an object such as",
        ),
        ("GameService/StartGame", '{"viewers": 1}', "viewers", "1", "it must be a list in []"),
        (
            "GameService/StartGame",
            '{"viewers": ["p1"]}',
            "viewers[0]",
            "p1",
            "viewers[0] is 'p1'; it must be a whole number from 0 to the number of seats",
        ),
        ("GameService/StartGame", '{"viewers": [1e400]}', "viewers[0]", "Infinity", "a whole"),
        (
            "GameService/StartGame",
            '{"seed": true}',
            "seed",
            "true",
            "a whole number from 0 to 18446744073709551615, or its digits as a text",
        ),
        ("GameService/StartGame", '{"seed": -5}', "seed", "-5", "from 0 to 18446744073709551615"),
        (
            "GameService/StartGame",
            r'{"game": "knaves\ud800"}',
            "game",
            r"knaves\ud800",
            r"game is 'knaves\ud800', with half of a surrogate pair",
        ),
        (
            "GameService/StartGame",
            r'{"options": {"kings": "\udc00\ud83d"}}',
            "options.kings",
            r"\udc00\ud83d",
            "must be text in Unicode",
        ),
        (
            "GameService/StartGame",
            r'{"\udfff": 1}',
            r"\udfff",
            r"\udfff",
            "half of a surrogate pair",
        ),
        (
            "AnalysisService/SelectMove",
            r'{"search": {"observation": {"text": "\ud800"}}}',
            "search.observation.text",
            r"\ud800",
            "half of a surrogate pair",
        ),
        ("GameService/StartGame", '{"settle": "yes"}', "settle", "yes", "it must be true or false"),
        (
            "GameService/ApplyMoves",
            '{"moves": [{"text": "a"}, "end_turn"]}',
            "moves[1]",
            "end_turn",
            'it must be an object such as {"text": "..."}',
        ),
        (
            "AnalysisService/SelectMove",
            '{"search": {"budget": {"time": "50ms"}}}',
            "search.budget.time",
            "50ms",
            'a time in seconds, such as "0.5s"',
        ),
        (
            "AnalysisService/SelectMove",
            '{"search": {"observation": {}, "position": {}}}',
            "search.position",
            "{}",
            "there are observation and position; leave one out",
        ),
        (
            "MatchService/ListMatches",
            '{"phase": "ENDED"}',
            "phase",
            "ENDED",
            "one of MATCH_PHASE_OPEN, MATCH_PHASE_PLAYING, MATCH_PHASE_ENDED",
        ),
    ],
)
async def test_a_field_that_json_has_wrong_is_named_with_what_is_right(
    web: str, call: str, body: str, field: str, value: str, message: str
) -> None:
    path = f"/kingmaker.v1.{call}"
    answer = await http(web, "POST", path, body.encode(), content_type="application/json")
    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    info, bad_request = (detail["debug"] for detail in answer.json["details"])
    assert (info["metadata"]["field"], info["metadata"]["value"]) == (field, value)
    assert bad_request["fieldViolations"][0]["field"] == field
    assert message in answer.json["message"]


@pytest.mark.parametrize(
    ("call", "field", "message"),
    [
        ("GameService/StartGame", "game", "the game is missing; games are chessault, "),
        ("GameService/GetGame", "game", "the game is missing; games are chessault, "),
        ("MatchService/CreateMatch", "options.game", "the game is missing; games are chessault, "),
        (
            "GameService/ListMoves",
            "observation",
            "the observation is missing; give one, or a position",
        ),
    ],
)
async def test_a_field_that_is_missing_is_named_with_what_to_give(
    web: str, call: str, field: str, message: str
) -> None:
    answer = await post(web, call, {})
    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    _, bad_request = (detail["debug"] for detail in answer.json["details"])
    assert [each["field"] for each in bad_request["fieldViolations"]] == [field]
    assert answer.json["message"].startswith(message)


@pytest.mark.parametrize(
    ("call", "body", "message"),
    [
        ("GetMatchRecord", '{"matchId": "m", "token": "123456"}', "has no field 'token'; it has"),
        ("GetMatch", '{"matchId": "m", "Token": "123456"}', "did you mean token?"),
        ("GetMatch", '{"token": 123456}', "token must be a text"),
        ("GetMatch", '{"token": ["123456"]}', "token must be a text"),
        ("GetMatch", '{"matchId": {"token": "123456"}}', "matchId must be a text"),
        ("GetMatch", '{"request": {"matchId": "m", "token": "123456"}}', "has no field 'request'"),
        ("GetMatch", r'{"token": "123456\ud800"}', "token has half of a surrogate pair"),
    ],
)
async def test_a_token_in_a_wrong_request_is_not_repeated(
    web: str, call: str, body: str, message: str
) -> None:
    path = f"/kingmaker.v1.MatchService/{call}"
    answer = await http(web, "POST", path, body.encode(), content_type="application/json")
    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    assert message in answer.json["message"]
    assert b"123456" not in answer.body
    for detail in answer.json["details"]:
        assert "123456" not in str(base64.b64decode(detail["value"] + "=="))


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        (
            "/kingmaker.v1.GameService/StartGames",
            "did you mean /kingmaker.v1.GameService/StartGame?",
        ),
        ("/GameService/ListGames", "did you mean /kingmaker.v1.GameService/ListGames?"),
        ("/nothing/like/it", "/openapi.json has all calls"),
    ],
)
async def test_a_call_that_there_is_not_is_refused_as_one(web: str, path: str, meant: str) -> None:
    answer = await http(web, "POST", path, b"{}", content_type="application/json")
    assert (answer.status, answer.json["code"]) == (404, "unimplemented")
    assert answer.json["message"] == f"there is no call {path}; {meant}"


@pytest.mark.parametrize(
    ("call", "content_type", "message"),
    [
        (
            "GameService/StartGame",
            {},
            "StartGame has one answer: send application/json; there is no content type; see "
            "docs/matches.md",
        ),
        (
            "GameService/StartGame",
            {"content_type": "application/connect+json"},
            "StartGame has one answer: send application/json; got application/connect+json; see "
            "docs/matches.md",
        ),
        *(
            (
                call,
                {"content_type": "application/json; charset=utf-8"},
                f"{call.rpartition('/')[2]} is a stream: send application/connect+json; got "
                "application/json; see docs/matches.md",
            )
            for call in (
                "AnalysisService/Analyze",
                "MatchService/WatchMatch",
                "ReviewService/ReviewGame",
            )
        ),
    ],
)
async def test_a_body_of_another_type_is_refused_with_the_type_to_send(
    web: str, call: str, content_type: dict[str, str], message: str
) -> None:
    answer = await http(web, "POST", f"/kingmaker.v1.{call}", b"{}", **content_type)
    assert answer.status == 415
    assert answer.json == {"code": "invalid_argument", "message": message}


async def test_a_call_by_get_is_refused_with_what_to_post(web: str) -> None:
    answer = await http(web, "GET", "/kingmaker.v1.MatchService/WatchMatch")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert answer.json == {
        "code": "unimplemented",
        "message": "WatchMatch is a stream: POST it as application/connect+json; got GET; see "
        "docs/matches.md",
    }


@pytest.mark.parametrize("text", ["abc", "-1", "5s", "1_000", "12345678901"])
@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("GameService/ListGames", "application/json"),
        ("MatchService/WatchMatch", "application/connect+json"),
    ],
)
async def test_a_wrong_deadline_is_refused_with_what_is_right(
    web: str, call: str, kind: str, text: str
) -> None:
    headers = {"content_type": kind, "connect_timeout_ms": text}
    answer = await http(web, "POST", f"/kingmaker.v1.{call}", b"{}", **headers)
    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    assert answer.json["message"] == (
        f"connect-timeout-ms is '{text}'; it must be a whole number of milliseconds with at most "
        "10 digits, such as 5000"
    )
