"""One test or more per rpc of AnalysisService."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.json_format import ParseDict

from kingmaker import __version__
from kingmaker.cext.games import GAMES
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2

from .support import (
    KINGDOM,
    Service,
    failure_of,
    midgame,
    observation_of,
    position_of,
    seconds,
    simulations,
)


def without_time(answer: Any) -> bytes:
    """All bytes of an answer but the time that the search took."""
    copy = type(answer)()
    copy.CopyFrom(answer)
    copy.report.ClearField("elapsed")
    return bytes(copy.SerializeToString(deterministic=True))


@pytest.mark.parametrize("game", GAMES)
async def test_select_move_plays_a_legal_move_in_every_game(service: Service, game: str) -> None:
    position = midgame(game, num_plies=2)
    answer = await service.analysis.SelectMove(
        pb.SelectMoveRequest(
            search=pb.Search(observation=observation_of(position), budget=simulations(200), seed=1)
        )
    )
    assert answer.move.text in position.legal_moves()
    assert answer.move.WhichOneof("typed") == game
    assert answer.description
    assert answer.level == 10
    assert sum(answer.values) == pytest.approx(1)
    assert len(answer.values) == position.num_seats


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_values_are_per_seat(service: Service, players: int) -> None:
    position = midgame(players=players)
    answer = await service.analysis.EvaluatePosition(
        pb.EvaluatePositionRequest(
            search=pb.Search(observation=observation_of(position), budget=simulations(200))
        )
    )
    assert len(answer.values) == players
    assert sum(answer.values) == pytest.approx(1)


async def test_the_report_says_how_the_answer_was_made(service: Service) -> None:
    answer = await service.analysis.SelectMove(
        pb.SelectMoveRequest(
            search=pb.Search(
                observation=observation_of(midgame()), budget=simulations(300), seed=42
            )
        )
    )
    report = answer.report
    assert report.stamp.engine == "ismcts"
    assert report.stamp.engine_version == __version__
    assert report.stamp.rules_version == GAMES[KINGDOM].rules_version
    assert len(report.stamp.config_hash) == 12
    assert report.stamp.seed == 42
    assert report.simulations == report.budget.simulations == 300
    assert report.stop_reason == types_pb2.STOP_REASON_SIMULATIONS
    assert report.nodes > 0
    assert report.depth > 0
    assert 0 < report.memory_bytes <= report.budget.memory_bytes


async def test_the_stamp_reproduces_the_answer(service: Service) -> None:
    request = pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=simulations(400), threads=2)
    )
    first = await service.analysis.SelectMove(request)
    request.search.seed = first.report.stamp.seed
    assert without_time(await service.analysis.SelectMove(request)) == without_time(first)


async def test_a_position_with_a_seat_answers_like_the_observation(service: Service) -> None:
    position = midgame()
    common: dict[str, Any] = {"budget": simulations(300), "seed": 9}
    by_observation = await service.analysis.SelectMove(
        pb.SelectMoveRequest(search=pb.Search(observation=observation_of(position), **common))
    )
    by_position = await service.analysis.SelectMove(
        pb.SelectMoveRequest(
            search=pb.Search(position=position_of(position), seat=position.seat, **common)
        )
    )
    assert without_time(by_position) == without_time(by_observation)


@pytest.mark.parametrize("rpc", ["SelectMove", "SuggestMoves"])
async def test_the_seat_that_waits_is_wrong_and_not_the_position(
    service: Service, rpc: str
) -> None:
    request = {"SelectMove": pb.SelectMoveRequest, "SuggestMoves": pb.SuggestMovesRequest}[rpc]
    position = midgame()
    waits = 3 - position.seat
    failed = await failure_of(
        getattr(service.analysis, rpc)(
            request(
                search=pb.Search(position=position_of(position), seat=waits, budget=simulations(1))
            )
        )
    )
    assert failed.info.reason == "WRONG_STATE"
    assert failed.info.metadata["field"] == "search.seat"
    assert failed.info.metadata["value"] == f"{waits}"
    [violation] = failed.details["PreconditionFailure"].violations
    assert violation.subject == "search.seat"
    assert violation.description == (
        f"seat is {waits}, but p{position.seat} is to move; give seat {position.seat}"
    )


@pytest.mark.parametrize("game", ["chessault", KINGDOM, "code_of_chivalry", "knights_duty"])
async def test_a_typed_observation_answers_like_its_text(service: Service, game: str) -> None:
    position = midgame(game)
    seen = types_pb2.Observation()
    ParseDict(position.observe(position.seat).view, getattr(seen, game))
    common: dict[str, Any] = {"budget": simulations(100), "seed": 9}
    by_type = await service.analysis.SelectMove(
        pb.SelectMoveRequest(search=pb.Search(observation=seen, **common))
    )
    by_text = await service.analysis.SelectMove(
        pb.SelectMoveRequest(search=pb.Search(observation=observation_of(position), **common))
    )
    assert without_time(by_type) == without_time(by_text)


async def test_a_low_level_spends_less(service: Service) -> None:
    request = pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=simulations(5000)), level=1
    )
    answer = await service.analysis.SelectMove(request)
    assert answer.level == 1
    assert answer.report.simulations < 1000
    assert answer.report.budget.simulations == answer.report.simulations


async def test_an_engine_and_its_options_can_be_chosen(service: Service) -> None:
    request = pb.SelectMoveRequest(
        search=pb.Search(
            observation=observation_of(midgame()),
            budget=simulations(50),
            engine="flat",
            engine_options={"playout": "uniform"},
        )
    )
    answer = await service.analysis.SelectMove(request)
    assert answer.report.stamp.engine == "flat"
    default = await service.analysis.SelectMove(
        pb.SelectMoveRequest(
            search=pb.Search(
                observation=observation_of(midgame()), budget=simulations(50), engine="flat"
            )
        )
    )
    assert default.report.stamp.config_hash != answer.report.stamp.config_hash


async def test_an_option_that_the_game_cannot_serve_is_an_error_of_the_caller(
    service: Service,
) -> None:
    search = pb.Search(
        observation=observation_of(midgame()),
        budget=simulations(50),
        engine_options={"selection": "regret"},
    )
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await service.analysis.SelectMove(pb.SelectMoveRequest(search=search))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "needs the history" in str(caught.value.details())


async def test_suggest_moves_ranks_and_explains(service: Service) -> None:
    position = midgame()
    answer = await service.analysis.SuggestMoves(
        pb.SuggestMovesRequest(
            search=pb.Search(
                observation=observation_of(position), budget=simulations(2000), seed=1
            ),
            top=2,
        )
    )
    assert len(answer.suggestions) == 2
    for suggestion in answer.suggestions:
        analysis = suggestion.analysis
        assert analysis.move.text in position.legal_moves()
        assert analysis.line[0] == analysis.move
        assert len(analysis.line_descriptions) == len(analysis.line)
        assert analysis.line_descriptions[0] == analysis.description
        later = zip(analysis.line[1:], analysis.line_descriptions[1:], strict=True)
        assert all(words == position.describe_anywhere(move.text) for move, words in later)
        assert len(analysis.values) == position.num_seats
        assert analysis.description.lower() in suggestion.explanation.lower()
        assert suggestion.explanation.endswith(".")
    assert any(len(suggestion.analysis.line) > 1 for suggestion in answer.suggestions)
    shares = [suggestion.analysis.visit_share for suggestion in answer.suggestions]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("players", "options", "hostility"),
    [(2, {}, 0), (3, {}, 1), (3, {"hostility": "0.25"}, 0.25), (3, {"hostility": "0"}, 0)],
)
async def test_with_hostile_rivals_no_reply_is_called_likely(
    service: Service, players: int, options: dict[str, str], hostility: float
) -> None:
    answer = await service.analysis.SuggestMoves(
        pb.SuggestMovesRequest(
            search=pb.Search(
                observation=observation_of(midgame(players=players)),
                budget=simulations(2000),
                engine_options=options,
                engine="ismcts",
                seed=1,
            ),
            top=100,
        )
    )
    assert answer.report.hostility == hostility
    replies = [reply for suggestion in answer.suggestions for reply in suggestion.analysis.replies]
    assert replies
    assert all(0 < reply.standard_error < 0.2 for reply in replies)  # none is proven
    is_likely = [suggestion.HasField("likely_reply") for suggestion in answer.suggestions]
    assert any(is_likely) == (hostility == 0)


async def test_suggest_moves_gives_three_unless_reported(service: Service) -> None:
    answer = await service.analysis.SuggestMoves(
        pb.SuggestMovesRequest(
            search=pb.Search(
                observation=observation_of(midgame("connect_four", num_plies=4)),
                budget=simulations(500),
            )
        )
    )
    assert len(answer.suggestions) == 3


WON_NEXT = types_pb2.Observation(game="tic_tac_toe", text="ttt board=.../oo./xx. node=play:p1 @p1")


async def test_a_move_that_was_hardly_examined_has_no_value(service: Service) -> None:
    answer = await service.analysis.SuggestMoves(
        pb.SuggestMovesRequest(
            search=pb.Search(observation=WON_NEXT, budget=simulations(1), seed=1), top=9
        )
    )
    won, *others = [each.analysis for each in answer.suggestions]
    assert won.is_examined
    assert list(won.values) == [1, 0]
    for move in others:
        assert not move.is_examined
        assert not move.values
        assert move.standard_error == 0


async def test_suggestions_and_analyses_go_on_after_a_proof_but_a_choice_does_not(
    service: Service,
) -> None:
    fields: dict[str, Any] = {"observation": WON_NEXT, "budget": simulations(1000)}
    suggested = await service.analysis.SuggestMoves(
        pb.SuggestMovesRequest(search=pb.Search(**fields), top=9)
    )
    moves = [each.analysis for each in suggested.suggestions]
    assert [move.move.text for move in moves[:2]] == ["c1", "c2"]
    assert [move.values[0] for move in moves] == [1, 0.5, 0, 0, 0]
    answers = [
        each
        async for each in service.analysis.Analyze(pb.AnalyzeRequest(search=pb.Search(**fields)))
    ]
    assert all(move.is_exact for move in answers[-1].moves)
    chosen = await service.analysis.SelectMove(pb.SelectMoveRequest(search=pb.Search(**fields)))
    assert chosen.move.text == "c1"
    assert chosen.report.simulations < suggested.report.simulations


async def test_analyze_reports_every_move_and_one_final(service: Service) -> None:
    position = midgame()
    request = pb.AnalyzeRequest(
        search=pb.Search(observation=observation_of(position), budget=seconds(0.5))
    )
    answers = [answer async for answer in service.analysis.Analyze(request)]
    assert [answer.is_final for answer in answers] == [False] * (len(answers) - 1) + [True]
    spent = [answer.report.simulations for answer in answers]
    assert spent == sorted(spent)
    for answer in answers:
        assert {move.move.text for move in answer.moves} == set(position.legal_moves())
        assert sum(move.visit_share for move in answer.moves) == pytest.approx(1)
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_TIME
    assert answers[0].report.stop_reason == types_pb2.STOP_REASON_UNSPECIFIED


async def test_evaluate_position_works_for_the_seat_that_waits(service: Service) -> None:
    position = midgame()
    waiting = 3 - position.seat
    answer = await service.analysis.EvaluatePosition(
        pb.EvaluatePositionRequest(
            search=pb.Search(position=position_of(position), seat=waiting, budget=simulations(300))
        )
    )
    assert sum(answer.values) == pytest.approx(1)
    assert not answer.HasField("best_move")


async def test_evaluate_position_names_the_best_move_of_the_one_to_decide(
    service: Service,
) -> None:
    position = midgame()
    answer = await service.analysis.EvaluatePosition(
        pb.EvaluatePositionRequest(
            search=pb.Search(observation=observation_of(position), budget=simulations(300))
        )
    )
    assert answer.best_move.text in position.legal_moves()


async def test_evaluate_position_proves_small_positions(service: Service) -> None:
    won = types_pb2.Observation(game="tic_tac_toe", text="ttt board=oo./.../xx. node=play:p1 @p1")
    answer = await service.analysis.EvaluatePosition(
        pb.EvaluatePositionRequest(search=pb.Search(observation=won, budget=simulations(10_000)))
    )
    assert answer.is_exact
    assert list(answer.values) == [1, 0]
    assert answer.best_move.text == "c1"
    assert answer.report.stop_reason == types_pb2.STOP_REASON_SOLVED


async def test_sample_worlds_look_the_same_to_the_observer(service: Service) -> None:
    position = midgame()
    request = pb.SampleWorldsRequest(observation=observation_of(position), count=5, seed=3)
    answer = await service.analysis.SampleWorlds(request)
    assert len(answer.worlds) == 5
    assert answer.stamp.seed == 3
    assert answer == await service.analysis.SampleWorlds(request)
    for world in answer.worlds:
        assert world.WhichOneof("typed") == KINGDOM
        again = await service.analysis.SampleWorlds(
            pb.SampleWorldsRequest(position=world, seat=position.seat, count=5, seed=3)
        )
        assert again == answer


async def test_sample_worlds_gives_at_most_what_the_server_allows(service: Service) -> None:
    request = pb.SampleWorldsRequest(observation=observation_of(midgame()), count=10**6)
    answer = await service.analysis.SampleWorlds(request)
    assert len(answer.worlds) == 100


async def seen_in_hearts(service: Service) -> types_pb2.Observation:
    """What p1 sees of a game of hearts after some tricks, with the record of all events."""
    started = await service.games.StartGame(
        games_pb.StartGameRequest(game="hearts", options={"pass": "none"}, seed=4, viewers=[1])
    )
    record = types_pb2.Record(options={"pass": "none"})
    answer = started
    for _ in range(14):
        [view] = answer.views
        for event in view.events:
            record.seen.add(seat=event.seat, move=event.move)
        listed = await service.games.ListMoves(games_pb.ListMovesRequest(position=answer.position))
        answer = await service.games.ApplyMoves(
            games_pb.ApplyMovesRequest(
                position=answer.position, moves=[listed.moves[0].move], viewers=[1]
            )
        )
    [view] = answer.views
    for event in view.events:
        record.seen.add(seat=event.seat, move=event.move)
    view.observation.record.CopyFrom(record)
    return types_pb2.Observation.FromString(view.observation.SerializeToString())


async def test_worlds_are_weighed_by_the_record(service: Service) -> None:
    observation = await seen_in_hearts(service)
    request = pb.SampleWorldsRequest(observation=observation, count=20, seed=3)
    answer = await service.analysis.SampleWorlds(request)
    assert len(answer.weights) == len(answer.worlds) == 20
    assert sum(answer.weights) == pytest.approx(1)
    assert max(answer.weights) > 1.5 * min(answer.weights)
    assert answer == await service.analysis.SampleWorlds(request)
    observation.ClearField("record")
    plain = await service.analysis.SampleWorlds(
        pb.SampleWorldsRequest(observation=observation, count=20, seed=3)
    )
    assert plain.worlds == answer.worlds
    assert not plain.weights


async def test_searches_of_hearts_use_the_record(service: Service) -> None:
    observation = await seen_in_hearts(service)

    async def values() -> list[float]:
        search = pb.Search(observation=observation, budget=simulations(300), seed=3)
        answers = [
            each async for each in service.analysis.Analyze(pb.AnalyzeRequest(search=search))
        ]
        return list(answers[-1].values)

    with_record = await values()
    assert await values() == with_record
    observation.ClearField("record")
    assert await values() != with_record


async def test_a_record_that_does_not_lead_to_the_observation_is_refused(service: Service) -> None:
    observation = await seen_in_hearts(service)
    observation.record.seen[55].move.CopyFrom(types_pb2.Move(text="play:ah"))
    failed = await failure_of(
        service.analysis.SampleWorlds(pb.SampleWorldsRequest(observation=observation))
    )
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    assert failed.info.metadata["field"] == "observation.record.seen[55].move"
    assert failed.info.metadata["value"] == "play:ah"
    observation.record.seen[55].move.CopyFrom(types_pb2.Move(text="nonsense"))
    failed = await failure_of(
        service.analysis.SampleWorlds(pb.SampleWorldsRequest(observation=observation))
    )
    assert failed.info.metadata["field"] == "observation.record.seen[55].move"
