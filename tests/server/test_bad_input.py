"""Wrong requests are refused with code, field, value and rule."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.json_format import ParseDict

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import kingdom_coinquest_pb2, types_pb2

from .support import (
    KINGDOM,
    Service,
    failure_of,
    finished,
    midgame,
    observation_of,
    position_of,
    simulations,
)

INVALID = grpc.StatusCode.INVALID_ARGUMENT
# A fresh game, p2's king unknown: what p1 sees, with a card twice or with wrong counts.
FRESH = "kc turn=1 epoch=0 node=draw:p1 p1=h/20/{}/-/-/-/-/- p2=c/20/-/-/-/-/-/- forge={} grave={}"


def kingdom(hand: str = "-", forge: int = 48, grave: str = "-") -> types_pb2.Observation:
    text = f"{FRESH.format(hand, forge, grave)} old=- @p1"
    return types_pb2.Observation(game=KINGDOM, text=text)


def select(level: int | None = None, **fields: Any) -> pb.SelectMoveRequest:
    fields.setdefault("observation", observation_of(midgame()))
    fields.setdefault("budget", simulations(10))
    return pb.SelectMoveRequest(search=pb.Search(**fields), level=level)


async def test_an_unknown_game_is_not_found(service: Service) -> None:
    for call in (
        service.games.GetGame(games_pb.GetGameRequest(game="chess")),
        service.games.StartGame(games_pb.StartGameRequest(game="chess")),
        service.games.Observe(
            games_pb.ObserveRequest(position=types_pb2.Position(game="chess", text="?"))
        ),
        service.analysis.SelectMove(
            select(observation=types_pb2.Observation(game="chess", text="?"))
        ),
        service.analysis.SelectMove(select(observation=types_pb2.Observation(game="chess"))),
    ):
        failed = await failure_of(call)
        assert failed.code is grpc.StatusCode.NOT_FOUND
        assert failed.info.reason == "UNKNOWN_GAME"
        assert failed.info.domain == "kingmaker"
        assert failed.info.metadata["value"] == "chess"
        assert KINGDOM in failed.message


@pytest.mark.parametrize(
    ("option", "value"),
    [("players", "5"), ("players", "two"), ("health", "0"), ("kings", "hh"), ("colour", "red")],
)
async def test_an_option_out_of_range_is_refused(service: Service, option: str, value: str) -> None:
    request = games_pb.StartGameRequest(game=KINGDOM, options={option: value})
    failed = await failure_of(service.games.StartGame(request))
    assert failed.code is INVALID
    assert list(failed.fields) == [f"options.{option}"]
    assert value in failed.fields[f"options.{option}"]


async def test_all_wrong_options_are_named(service: Service) -> None:
    options = {"players": "9", "health": "0", "colour": "red"}
    request = games_pb.StartGameRequest(game=KINGDOM, options=options)
    failed = await failure_of(service.games.StartGame(request))
    assert failed.code is INVALID
    assert set(failed.fields) == {f"options.{name}" for name in options}
    assert all(value in failed.fields[f"options.{name}"] for name, value in options.items())


async def test_malformed_notation_is_refused_with_its_rule(service: Service) -> None:
    bad = types_pb2.Observation(game=KINGDOM, text="kc turn=one")
    failed = await failure_of(service.analysis.SelectMove(select(observation=bad)))
    assert failed.code is INVALID
    assert failed.info.metadata["rule"].startswith("R12")
    assert failed.info.metadata["rule"] in failed.message
    assert all(field.startswith("search.observation") for field in failed.fields)


@pytest.mark.parametrize(
    "observation",
    [kingdom(hand="2h,2h", forge=46), kingdom(forge=47), kingdom("2h", 47, "2h")],
    ids=["a card twice in a hand", "a wrong count", "a card in hand and graveyard"],
)
async def test_an_inconsistent_observation_is_refused(
    service: Service, observation: types_pb2.Observation
) -> None:
    failed = await failure_of(service.analysis.SelectMove(select(observation=observation)))
    assert failed.code is INVALID
    assert failed.info.metadata["rule"].startswith("R12")


# A middle game of Chessault; each line of the next test differs from it in one thing.
MIDDLE = (
    "chs nb1r1pq1/p5pk+/3n~2bp/3r2p1/1p2Q+3/4R*3/1P3pP1/5N2/B1K~P2PR/P1PP1B2 p1 37 1 action p1p2 "
    "7/8 -/- Q1P1/q1 N1/p1 p3x2c0 d6>e5 m0k0r0s0"
)


@pytest.mark.parametrize(
    ("old", "new", "field", "rule", "words"),
    [
        ("B1K~P", "BKK~P", "figures", "R13.4", "White has a king in all; got '2"),
        (
            "K~P2PR",
            "K~P+2PR",
            "figures",
            "R13.4",
            "a pawn has no ability; got 'a pawn of White with protect on d1'",
        ),
        ("p3x2c0", "p4x2c0", "pool.protect", "R13.4", "there are 5 protect tokens in all"),
        ("Q1P1/q1", "Q1N1P1/q1", "players[0].stock", "R13.4", "White has 2 knights in all; got '3"),
        ("Q1P1/q1", "Q1P1/q2", "players[1].stock", "R13.4", "Black has 2 queens in all; got '3"),
        (" 7/8 ", " 07/8 ", "players[0].credits", "section 13", "without sign or leading zeros"),
        (" 7/8 ", " 7/1000000 ", "players[1].credits", "section 13", "from 0 to 999999"),
    ],
    ids=lambda each: str(each)[:20],
)
async def test_a_position_that_cannot_be_names_its_field_and_rule(
    service: Service, old: str, new: str, field: str, rule: str, words: str
) -> None:
    valid = types_pb2.Observation(game="chessault", text=f"{MIDDLE} @p1")
    assert (await service.analysis.SelectMove(select(observation=valid))).move.text
    text = MIDDLE.replace(old, new, 1)
    bad = types_pb2.Observation(game="chessault", text=f"{text} @p1")
    failed = await failure_of(service.analysis.SelectMove(select(observation=bad)))
    assert failed.code is INVALID
    assert list(failed.fields) == [f"search.observation.seen.{field}"]
    assert failed.info.metadata["rule"] == rule
    assert words in failed.message


async def test_text_and_typed_message_must_agree(service: Service) -> None:
    both = types_pb2.Observation(text="ttt board=.../.../... node=play:p1 @p1")
    both.tic_tac_toe.seen.board = ".../.x./..."
    both.tic_tac_toe.seen.node.type = "play"
    both.tic_tac_toe.seen.node.seat = 2
    both.tic_tac_toe.observer = 2
    failed = await failure_of(service.analysis.SelectMove(select(observation=both)))
    assert failed.code is INVALID
    assert list(failed.fields) == ["search.observation"]


async def test_game_and_typed_message_must_agree(service: Service) -> None:
    both = types_pb2.Observation(game=KINGDOM)
    both.tic_tac_toe.seen.board = ".../.../..."
    failed = await failure_of(service.analysis.SelectMove(select(observation=both)))
    assert failed.code is INVALID
    assert list(failed.fields) == ["search.observation.game"]


async def test_an_error_of_a_typed_message_names_the_field_that_was_sent(service: Service) -> None:
    whole = midgame()
    position, observation = types_pb2.Position(), types_pb2.Observation()
    ParseDict(whole.view, position.kingdom_coinquest)
    ParseDict(whole.observe(whole.seat).view, observation.kingdom_coinquest)
    position.kingdom_coinquest.players[0].salvage.append("zz")
    observation.kingdom_coinquest.seen.players[0].salvage.append("zz")
    place = len(observation.kingdom_coinquest.seen.players[0].salvage) - 1
    move = types_pb2.Move()
    move.kingdom_coinquest.verb = "attack"
    move.kingdom_coinquest.seat = 7
    calls = {
        f"position.players[0].salvage[{place}]": service.games.ListMoves(
            games_pb.ListMovesRequest(position=position)
        ),
        f"search.observation.seen.players[0].salvage[{place}]": service.analysis.SelectMove(
            select(observation=observation)
        ),
        "moves[1].seat": service.games.ApplyMoves(
            games_pb.ApplyMovesRequest(
                position=position_of(midgame()), moves=[types_pb2.Move(text="pass"), move]
            )
        ),
    }
    for field, call in calls.items():
        failed = await failure_of(call)
        assert failed.code is INVALID
        assert list(failed.fields) == [field]


async def test_an_illegal_move_is_named_with_its_rule(service: Service) -> None:
    start = types_pb2.Position(game=KINGDOM, text=FRESH.format("-", 48, "-"))
    moves = [types_pb2.Move(text="draw:grave")]
    failed = await failure_of(
        service.games.ApplyMoves(games_pb.ApplyMovesRequest(position=start, moves=moves))
    )
    assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
    assert failed.info.reason == "WRONG_STATE"
    assert failed.info.metadata["value"] == "draw:grave"
    assert failed.info.metadata["rule"].startswith("R")
    [violation] = failed.details["PreconditionFailure"].violations
    assert violation.subject == "moves[0]"
    assert "draw:grave" in violation.description
    assert failed.info.metadata["rule"] in violation.description


async def test_a_token_of_no_game_is_refused(service: Service) -> None:
    position = position_of(midgame())
    moves = [types_pb2.Move(text="castle"), types_pb2.Move()]
    failed = await failure_of(
        service.games.ApplyMoves(games_pb.ApplyMovesRequest(position=position, moves=moves))
    )
    assert failed.code is INVALID
    assert list(failed.fields) == ["moves[0]", "moves[1]"]


async def test_a_typed_move_of_another_game_is_refused(service: Service) -> None:
    move = types_pb2.Move()
    move.tic_tac_toe.square = "a1"
    request = games_pb.ApplyMovesRequest(position=position_of(midgame()), moves=[move])
    failed = await failure_of(service.games.ApplyMoves(request))
    assert failed.code is INVALID
    assert "tic_tac_toe" in failed.message


async def test_too_many_moves_are_refused(service: Service) -> None:
    request = games_pb.ApplyMovesRequest(
        position=position_of(midgame()), moves=[types_pb2.Move(text="pass")] * 1001
    )
    failed = await failure_of(service.games.ApplyMoves(request))
    assert failed.code is INVALID
    assert "1000" in failed.fields["moves"]


@pytest.mark.parametrize("seat", [-1, 3, 99])
async def test_a_seat_out_of_range_is_refused(service: Service, seat: int) -> None:
    position = position_of(midgame())
    search = pb.Search(position=position, seat=seat)
    for field, call in (
        ("seat", service.games.Observe(games_pb.ObserveRequest(position=position, seat=seat))),
        ("search.seat", service.analysis.SelectMove(pb.SelectMoveRequest(search=search))),
        (
            "seat",
            service.analysis.SampleWorlds(pb.SampleWorldsRequest(position=position, seat=seat)),
        ),
    ):
        failed = await failure_of(call)
        assert failed.code is INVALID
        assert list(failed.fields) == [field]
        assert str(seat) in failed.fields[field]


async def test_a_position_needs_a_seat(service: Service) -> None:
    request = pb.SelectMoveRequest(search=pb.Search(position=position_of(midgame())))
    failed = await failure_of(service.analysis.SelectMove(request))
    assert list(failed.fields) == ["search.seat"]


async def test_the_seat_of_an_observation_is_its_observer(service: Service) -> None:
    position = midgame()
    failed = await failure_of(service.analysis.SelectMove(select(seat=3 - position.seat)))
    assert list(failed.fields) == ["search.seat"]


@pytest.mark.parametrize(
    ("budget", "field"),
    [
        ({"time": {"seconds": 0}}, "search.budget.time"),
        ({"time": {"seconds": -1}}, "search.budget.time"),
        ({"time": {"seconds": 10**9}}, "search.budget.time"),
        ({"time": {"seconds": 1, "nanos": -1}}, "search.budget.time"),
        ({"time": {"nanos": 2 * 10**9}}, "search.budget.time"),
        ({"simulations": 0}, "search.budget.simulations"),
        ({"simulations": -5}, "search.budget.simulations"),
        ({"simulations": 10**13}, "search.budget.simulations"),
        ({"memory_bytes": 0}, "search.budget.memory_bytes"),
        ({"memory_bytes": 1000}, "search.budget.memory_bytes"),
        ({"memory_bytes": 1 << 50}, "search.budget.memory_bytes"),
    ],
)
async def test_an_absurd_budget_is_refused(
    service: Service, budget: dict[str, Any], field: str
) -> None:
    request = select(budget=types_pb2.SearchBudget(**budget))
    failed = await failure_of(service.analysis.SelectMove(request))
    assert failed.code is INVALID
    assert list(failed.fields) == [field]
    stream = service.analysis.Analyze(pb.AnalyzeRequest(search=request.search))
    assert list((await failure_of(stream)).fields) == [field]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"level": 0}, "level"),
        ({"level": 11}, "level"),
        ({"threads": -1}, "search.threads"),
        ({"seed": 2**64 - 1}, "search.seed"),
        ({"engine": "oracle"}, "search.engine"),
        ({"engine": "mcts"}, "search.engine"),
        ({"engine_options": {"depth": "3"}}, "search.engine_options.depth"),
        ({"engine_options": {"exploration": "much"}}, "search.engine_options.exploration"),
    ],
)
async def test_other_fields_out_of_range_are_refused(
    service: Service, fields: dict[str, Any], path: str
) -> None:
    failed = await failure_of(service.analysis.SelectMove(select(**fields)))
    assert failed.code is INVALID
    assert list(failed.fields) == [path]


async def test_fields_of_single_calls_out_of_range_are_refused(service: Service) -> None:
    seen = observation_of(midgame())
    interval = pb.AnalyzeRequest(search=pb.Search(observation=seen))
    interval.report_interval.seconds = -1
    calls = {
        "top": service.analysis.SuggestMoves(
            pb.SuggestMovesRequest(search=pb.Search(observation=seen), top=101)
        ),
        "count": service.analysis.SampleWorlds(pb.SampleWorldsRequest(observation=seen, count=-1)),
        "report_interval": service.analysis.Analyze(interval),
        "page_size": service.games.ListGames(games_pb.ListGamesRequest(page_size=-1)),
        "page_token": service.games.ListGames(games_pb.ListGamesRequest(page_token="%%%")),
    }
    for field, call in calls.items():
        failed = await failure_of(call)
        assert failed.code is INVALID
        assert list(failed.fields) == [field]


async def test_all_that_is_wrong_is_reported_at_once(service: Service) -> None:
    request = pb.SelectMoveRequest(
        search=pb.Search(
            position=position_of(midgame()),
            seat=7,
            threads=-1,
            budget=types_pb2.SearchBudget(simulations=-1, memory_bytes=3),
        ),
        level=11,
    )
    failed = await failure_of(service.analysis.SelectMove(request))
    assert failed.code is INVALID
    assert set(failed.fields) == {
        "search.seat",
        "level",
        "search.threads",
        "search.budget.simulations",
        "search.budget.memory_bytes",
    }


async def test_an_empty_request_says_what_is_missing(service: Service) -> None:
    calls = {
        "search.observation": service.analysis.SelectMove(pb.SelectMoveRequest()),
        "position.game": service.games.ApplyMoves(games_pb.ApplyMovesRequest()),
        "search.observation.game": service.analysis.SelectMove(
            pb.SelectMoveRequest(search=pb.Search(observation=types_pb2.Observation()))
        ),
    }
    for field, call in calls.items():
        failed = await failure_of(call)
        assert failed.code is INVALID
        assert list(failed.fields) == [field]
    moves = await failure_of(service.games.ListMoves(games_pb.ListMovesRequest()))
    assert "missing" in moves.fields["observation"]


async def test_an_observation_without_a_line_is_refused(service: Service) -> None:
    request = select(observation=types_pb2.Observation(game=KINGDOM))
    failed = await failure_of(service.analysis.SelectMove(request))
    assert "missing" in failed.fields["search.observation"]


async def test_a_game_that_is_over_is_a_wrong_state(service: Service) -> None:
    end = finished(KINGDOM)
    position = position_of(end)
    common: dict[str, Any] = {"position": position, "seat": 1}
    for call in (
        service.analysis.SelectMove(pb.SelectMoveRequest(search=pb.Search(**common))),
        service.analysis.SuggestMoves(pb.SuggestMovesRequest(search=pb.Search(**common))),
        service.analysis.EvaluatePosition(
            pb.EvaluatePositionRequest(search=pb.Search(**common, engine="flat"))
        ),
        service.analysis.Analyze(pb.AnalyzeRequest(search=pb.Search(**common))),
        service.games.ApplyMoves(
            games_pb.ApplyMovesRequest(position=position, moves=[types_pb2.Move(text="pass")])
        ),
    ):
        failed = await failure_of(call)
        assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
        assert "the game is over" in failed.message
        assert len(failed.details["PreconditionFailure"].violations) == 1


async def test_it_must_be_the_turn_of_who_asks_for_a_move(service: Service) -> None:
    position = midgame()
    common: dict[str, Any] = {"position": position_of(position), "seat": 3 - position.seat}
    for call in (
        service.analysis.SelectMove(pb.SelectMoveRequest(search=pb.Search(**common))),
        service.analysis.SuggestMoves(pb.SuggestMovesRequest(search=pb.Search(**common))),
    ):
        failed = await failure_of(call)
        assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
        assert f"p{position.seat} is to move" in failed.message


@pytest.mark.parametrize("junk", ["x" * 60_000, "🂡" * 15_000, "\n\r\t '\"%00", "kc " + "=" * 9000])
async def test_junk_is_refused_with_details_that_fit_the_trailer(
    service: Service, junk: str
) -> None:
    request = select(observation=types_pb2.Observation(game=KINGDOM, text=junk), level=99)
    failed = await failure_of(service.analysis.SelectMove(request))
    assert failed.code is INVALID
    assert {"level"} < set(failed.fields)


async def test_an_endless_line_is_not_even_read(service: Service) -> None:
    request = select(observation=types_pb2.Observation(game=KINGDOM, text="k" * 60_000))
    failed = await failure_of(service.analysis.SelectMove(request))
    assert "60000 characters" in failed.fields["search.observation.text"]


async def test_an_endless_typed_message_is_not_even_converted(service: Service) -> None:
    players = [kingdom_coinquest_pb2.KingdomCoinquestPlayer(suit="h")] * 8000
    seen = kingdom_coinquest_pb2.KingdomCoinquestPosition(players=players)
    typed = kingdom_coinquest_pb2.KingdomCoinquestObservation(seen=seen)
    failed = await failure_of(
        service.analysis.SelectMove(
            select(observation=types_pb2.Observation(kingdom_coinquest=typed))
        )
    )
    assert failed.code is INVALID
    assert "it must have at most 32768" in failed.fields["search.observation.kingdom_coinquest"]
