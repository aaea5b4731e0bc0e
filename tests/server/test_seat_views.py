"""The views that ApplyMoves and StartGame give: what each seat may know, in words, and no more."""

from __future__ import annotations

import grpc
import pytest

from kingmaker.cext.games import GAMES
from kingmaker.search.events import seen_event
from kingmaker.search.position import Position, parse_position
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import KINGDOM, Service, failure_of
from .test_no_peek import HIDDEN_GAMES, twins

NUM_MOVES = 25


async def played(service: Service, game: str, viewers: list[int]) -> list[pb.ApplyMovesResponse]:
    """Play a game by calls of one move, each the next of the legal moves."""
    answer = await service.games.StartGame(pb.StartGameRequest(game=game, seed=9))
    answers: list[pb.ApplyMovesResponse] = []
    while answer.node.kind == types_pb2.NODE_KIND_DECISION and len(answers) < NUM_MOVES:
        legal = await service.games.ListMoves(pb.ListMovesRequest(position=answer.position))
        request = pb.ApplyMovesRequest(
            position=answer.position,
            moves=[legal.moves[len(answers) % len(legal.moves)].move],
            seed=9,
            viewers=viewers,
        )
        answer = await service.games.ApplyMoves(request)
        answers.append(answer)
    return answers


@pytest.mark.parametrize("game", GAMES)
async def test_views_are_what_the_seats_see_of_the_open_events(service: Service, game: str) -> None:
    start = await service.games.StartGame(pb.StartGameRequest(game=game, seed=9))
    position: Position = parse_position(game, start.position.text)
    viewers = list(range(position.num_seats + 1))
    for answer in await played(service, game, viewers):
        assert [view.seat for view in answer.views] == viewers
        for i, event in enumerate(answer.events):
            after = position.apply(event.move.text)
            assert event.seat == position.seat or event.kind == types_pb2.NODE_KIND_CHANCE
            assert event.description
            for view in answer.views:
                told = seen_event(position, event.move.text, after, view.seat)
                seen = view.events[i]
                assert seen.move.text == position.seen_move(event.move.text, view.seat)
                assert seen.move.WhichOneof("typed") == game
                assert (seen.kind, seen.is_drawn) == (event.kind, event.is_drawn)
                assert (seen.seat, seen.description) == (event.seat, told.description)
                assert list(seen.changes) == list(told.changes)
            position = after
        for view in answer.views:
            assert len(view.events) == len(answer.events)
            assert view.observation.text == position.observe(view.seat).text


@pytest.mark.parametrize("game", HIDDEN_GAMES)
async def test_a_view_does_not_depend_on_hidden_cards(service: Service, game: str) -> None:
    position, states = await twins(service, game)
    num_told = 0
    for token in position.legal_moves():
        views = []
        for state in states:
            answer = await service.games.ApplyMoves(
                pb.ApplyMovesRequest(
                    position=state,
                    moves=[types_pb2.Move(text=token)],
                    viewers=[position.seat],
                )
            )
            views.append(answer.views[0])
        # A move may uncover what differs, as at the end; the seat then sees that in its table.
        if views[0].observation == views[1].observation:
            num_told += 1
            assert views[0] == views[1]
    assert num_told


async def test_a_rivals_draw_is_told_without_the_card(service: Service) -> None:
    answer = await service.games.StartGame(
        pb.StartGameRequest(game="code_of_chivalry", seed=1, viewers=[2, 0])
    )
    own, spectators = answer.views
    assert (own.seat, spectators.seat) == (2, 0)
    dealt = {(event.seat, event.move.text == "deal:?") for event in own.events[:8]}
    assert dealt == {(1, True), (2, False), (3, True), (4, True)}
    assert all(event.move.text == "deal:?" for event in spectators.events[:8])
    assert own.events[0].description == "deal an unseen card"
    assert "deal:?" not in [event.move.text for event in answer.events]


async def test_there_are_no_views_unless_asked_for(service: Service) -> None:
    answer = await service.games.StartGame(pb.StartGameRequest(game=KINGDOM, seed=1))
    assert not answer.views


@pytest.mark.parametrize(
    ("viewers", "field", "message"),
    [
        ([1, 5], "viewers[1]", "viewer 5 of a 2-seat game; seats are 1 to 2, 0 is a spectator"),
        ([-1], "viewers[0]", "viewer -1 of a 2-seat game; seats are 1 to 2, 0 is a spectator"),
        ([1, 1], "viewers[1]", "viewer 1 is there already; name each once"),
        ([0, 1, 2, 1], "viewers", "there are 4 viewers; a 2-seat game has at most 3"),
    ],
)
async def test_wrong_viewers_are_refused(
    service: Service, viewers: list[int], field: str, message: str
) -> None:
    start = await service.games.StartGame(pb.StartGameRequest(game="kuhn_poker", seed=1))
    calls = [
        service.games.StartGame(pb.StartGameRequest(game="kuhn_poker", viewers=viewers)),
        service.games.ApplyMoves(pb.ApplyMovesRequest(position=start.position, viewers=viewers)),
    ]
    for call in calls:
        failed = await failure_of(call)
        assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
        assert list(failed.fields) == [field]
        assert message in failed.message
