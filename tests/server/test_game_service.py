"""One test or more per rpc of GameService."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.search.position import new_game
from kingmaker.search.registry import ENGINES, default_engine
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import KINGDOM, Service, failure_of, finished, midgame, observation_of, position_of


async def test_list_games_names_every_game(service: Service) -> None:
    answer = await service.games.ListGames(pb.ListGamesRequest())
    assert [game.name for game in answer.games] == sorted(GAMES)
    assert answer.next_page_token == ""
    kingdom = next(game for game in answer.games if game.name == KINGDOM)
    assert list(kingdom.seat_counts) == [2, 3, 4]
    assert kingdom.is_hidden


async def test_list_games_goes_on_where_the_page_ended(service: Service) -> None:
    names, token = [], ""
    while True:
        request = pb.ListGamesRequest(page_size=2, page_token=token)
        answer = await service.games.ListGames(request)
        assert len(answer.games) <= 2
        names += [game.name for game in answer.games]
        token = answer.next_page_token
        if not token:
            break
    assert names == sorted(GAMES)


@pytest.mark.parametrize("game", GAMES)
async def test_get_game_tells_what_a_client_needs(service: Service, game: str) -> None:
    answer = await service.games.GetGame(pb.GetGameRequest(game=game))
    assert answer.summary.name == game
    assert answer.summary.rules_version == GAMES[game].rules_version
    assert answer.summary.tag == GAMES[game].tag
    assert {option.name: option.help for option in answer.options} == GAMES[game].option_help
    assert answer.notation_help
    assert answer.rules_markdown.startswith("# ")
    assert answer.how_to_play_markdown.startswith(f"# How to play {answer.summary.title}\n")
    assert answer.engines[0].name == default_engine(new_game(game).game)


async def test_get_game_tells_every_option_of_its_engines(service: Service) -> None:
    answer = await service.games.GetGame(pb.GetGameRequest(game="connect_four"))
    assert {each.name for each in answer.engines} == set(ENGINES)
    for engine in answer.engines:
        assert [option.name for option in engine.options] == list(ENGINES[engine.name].options)
        assert all("; default " in option.help for option in engine.options)


@pytest.mark.parametrize("game", GAMES)
async def test_typed_messages_and_text_say_the_same(service: Service, game: str) -> None:
    position = position_of(midgame(game, num_plies=1))
    both = (await service.games.ApplyMoves(pb.ApplyMovesRequest(position=position))).position
    assert both.WhichOneof("typed") == game
    typed = types_pb2.Position()
    typed.CopyFrom(both)
    typed.ClearField("text")
    typed.ClearField("game")
    again = (await service.games.ApplyMoves(pb.ApplyMovesRequest(position=typed))).position
    assert again == both
    assert again.text == position.text


async def test_start_game_stays_at_a_chance_node_without_a_seed(service: Service) -> None:
    answer = await service.games.StartGame(pb.StartGameRequest(game=KINGDOM))
    assert answer.node.kind == types_pb2.NODE_KIND_CHANCE
    assert not answer.events
    assert not answer.HasField("seed")


async def test_start_game_draws_with_a_seed(service: Service) -> None:
    request = pb.StartGameRequest(game=KINGDOM, options={"players": "3"}, seed=11)
    first = await service.games.StartGame(request)
    second = await service.games.StartGame(request)
    assert first == second
    assert first.seed == 11
    assert first.node.kind == types_pb2.NODE_KIND_DECISION
    assert [event.move.text[:5] for event in first.events] == ["king:"] * 3
    assert [event.seat for event in first.events] == [1, 2, 3]
    assert all(event.is_drawn for event in first.events)
    assert all(event.kind == types_pb2.NODE_KIND_CHANCE for event in first.events)


async def test_start_game_tells_the_seed_that_it_drew(service: Service) -> None:
    settled = await service.games.StartGame(pb.StartGameRequest(game=KINGDOM, settle=True))
    again = await service.games.StartGame(pb.StartGameRequest(game=KINGDOM, seed=settled.seed))
    assert again == settled


async def test_list_moves_of_a_position_and_of_an_observation_agree(service: Service) -> None:
    position = midgame()
    of_position = await service.games.ListMoves(pb.ListMovesRequest(position=position_of(position)))
    of_observation = await service.games.ListMoves(
        pb.ListMovesRequest(observation=observation_of(position))
    )
    assert of_position == of_observation
    assert [move.move.text for move in of_position.moves] == position.legal_moves()
    assert all(move.description for move in of_position.moves)
    assert of_position.node.seat == position.seat


async def test_list_moves_gives_exact_probabilities(service: Service) -> None:
    start = await service.games.StartGame(pb.StartGameRequest(game="kuhn_poker"))
    answer = await service.games.ListMoves(pb.ListMovesRequest(position=start.position))
    found = {
        outcome.move.text: Fraction(outcome.probability.numerator, outcome.probability.denominator)
        for outcome in answer.outcomes
    }
    third = Fraction(1, 3)
    assert found == {"deal:j": third, "deal:q": third, "deal:k": third}
    assert answer.outcomes[0].description == "deal the jack to p1"
    assert not answer.moves


async def test_apply_moves_takes_chance_outcomes_from_the_caller(service: Service) -> None:
    start = await service.games.StartGame(pb.StartGameRequest(game="kuhn_poker"))
    moves = [types_pb2.Move(text=token) for token in ("deal:k", "deal:q", "bet", "pass")]
    answer = await service.games.ApplyMoves(
        pb.ApplyMovesRequest(position=start.position, moves=moves)
    )
    assert answer.position.text == "kuhn p1=k p2=q bets=bp node=end"
    assert answer.node.kind == types_pb2.NODE_KIND_END
    assert sum(answer.node.returns) == 1
    assert answer.node.returns[0] > 0.5
    assert [event.seat for event in answer.events] == [1, 2, 1, 2]
    chance, decision = types_pb2.NODE_KIND_CHANCE, types_pb2.NODE_KIND_DECISION
    assert [event.kind for event in answer.events] == [chance, chance, decision, decision]
    assert answer.events[0].description == "deal the king to p1"
    assert not any(event.is_drawn for event in answer.events)


async def test_apply_moves_draws_the_outcomes_left_out(service: Service) -> None:
    start = await service.games.StartGame(pb.StartGameRequest(game="kuhn_poker"))
    moves = [types_pb2.Move(text=token) for token in ("deal:k", "pass")]
    request = pb.ApplyMovesRequest(position=start.position, moves=moves, seed=1)
    answer = await service.games.ApplyMoves(request)
    assert [event.is_drawn for event in answer.events] == [False, True, False]
    assert answer.events[0].move.text == "deal:k"
    assert answer == await service.games.ApplyMoves(request)
    assert answer.seed == 1


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_the_same_in_one_call_and_in_many_with_one_seed(
    service: Service, game: str
) -> None:
    """A call doesn't begin the draws anew: nothing depends on where a client cuts the game."""
    start = await service.games.StartGame(pb.StartGameRequest(game=game, seed=6))
    answer: Any = start
    moves: list[types_pb2.Move] = []
    events: list[pb.Event] = []
    while answer.node.kind == types_pb2.NODE_KIND_DECISION and len(moves) < 40:
        legal = await service.games.ListMoves(pb.ListMovesRequest(position=answer.position))
        moves.append(legal.moves[len(moves) % len(legal.moves)].move)
        answer = await service.games.ApplyMoves(
            pb.ApplyMovesRequest(position=answer.position, moves=moves[-1:], seed=6)
        )
        events += answer.events
    at_once = await service.games.ApplyMoves(
        pb.ApplyMovesRequest(position=start.position, moves=moves, seed=6)
    )
    assert at_once.position == answer.position
    assert list(at_once.events) == events


async def test_apply_moves_takes_typed_moves(service: Service) -> None:
    start = await service.games.StartGame(pb.StartGameRequest(game="tic_tac_toe"))
    move = types_pb2.Move()
    move.tic_tac_toe.square = "b2"
    answer = await service.games.ApplyMoves(
        pb.ApplyMovesRequest(position=start.position, moves=[move])
    )
    assert answer.events[0].move.text == "b2"
    assert answer.position.tic_tac_toe.board == ".../.x./..."


async def test_a_game_that_is_over_has_its_returns(service: Service) -> None:
    end = finished(KINGDOM)
    answer = await service.games.ApplyMoves(pb.ApplyMovesRequest(position=position_of(end)))
    assert answer.node.kind == types_pb2.NODE_KIND_END
    assert list(answer.node.returns) == end.returns()


async def test_the_events_of_an_answer_replay_it(service: Service) -> None:
    start = await service.games.StartGame(pb.StartGameRequest(game=KINGDOM))
    draws = [types_pb2.Move(text="draw:forge")] * 3
    drawn = await service.games.ApplyMoves(
        pb.ApplyMovesRequest(position=start.position, moves=draws, seed=5)
    )
    assert len(drawn.events) == 2 + 3 + 3
    replayed = await service.games.ApplyMoves(
        pb.ApplyMovesRequest(position=start.position, moves=[event.move for event in drawn.events])
    )
    assert replayed.position == drawn.position


@pytest.mark.parametrize("seat", [0, 1, 2])
async def test_observe_shows_what_the_seat_sees(service: Service, seat: int) -> None:
    position = midgame()
    request = pb.ObserveRequest(position=position_of(position), seat=seat)
    answer = await service.games.Observe(request)
    assert answer.observation.text == position.observe(seat).text
    assert answer.observation.kingdom_coinquest.observer == seat
    assert answer.node.seat == position.seat


@pytest.mark.parametrize("seat", [0, 2])
async def test_observe_gives_all_forms_of_an_observation(service: Service, seat: int) -> None:
    observation = midgame().observe(2)
    sent = types_pb2.Observation(game=KINGDOM, text=observation.text)
    answer = await service.games.Observe(pb.ObserveRequest(observation=sent, seat=seat))
    assert answer.observation.text == observation.text
    assert answer.observation.kingdom_coinquest.observer == 2
    assert answer.node.seat == observation.seat
    assert answer.board == observation.render()


async def test_observe_refuses_another_seat_than_the_observer(service: Service) -> None:
    sent = types_pb2.Observation(game=KINGDOM, text=midgame().observe(2).text)
    refused = await failure_of(service.games.Observe(pb.ObserveRequest(observation=sent, seat=1)))
    assert list(refused.fields) == ["seat"]
    both = pb.ObserveRequest(observation=sent, position=position_of(midgame()))
    assert list((await failure_of(service.games.Observe(both))).fields) == ["observation"]


async def test_a_client_plays_a_game_without_rules_code(service: Service) -> None:
    started = await service.games.StartGame(pb.StartGameRequest(game="leduc_poker", seed=4))
    position, node, plies = started.position, started.node, 0
    while node.kind != types_pb2.NODE_KIND_END:
        moves = await service.games.ListMoves(pb.ListMovesRequest(position=position))
        applied = await service.games.ApplyMoves(
            pb.ApplyMovesRequest(position=position, moves=[moves.moves[0].move], seed=plies)
        )
        position, node, plies = applied.position, applied.node, plies + 1
        assert plies < 100
    assert sum(node.returns) == pytest.approx(1)
