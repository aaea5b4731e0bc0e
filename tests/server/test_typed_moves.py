"""Typed moves that are well-formed but not possible: errors name the field that is wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kingmaker.cext.game import Game
from kingmaker.search.position import Position, new_game
from kingmaker.search.record import seen_so_far
from kingmaker.server.convert import move_message, observation_message, position_message
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import match_service_pb2 as matches_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.bot_service_pb2_grpc import BotServiceStub
from tests.random_play import VARIANTS, Step, Variant, steps_of

from .match_client import Player, keeping, new_match
from .support import Failure, Service, failure_of
from .test_typed_messages import NOTATION, typed

NUM_STATES = 15
NUM_MOVES = 4  # tried at each
OFFER = re.compile(r"; possible here: (.*?)(?: and (\d+) more)?(, or leave it out)?(?: \(\S+\))?$")
NO_NOTATION = "own recruitment line"  # of Chessault


def typed_move(game: str, **view: Any) -> types_pb2.Move:
    message: Any = types_pb2.Move
    move: types_pb2.Move = message(**{game: view})
    return move


def typed_position(position: Position) -> types_pb2.Position:
    """Return the message of a position without its line."""
    message = position_message(position)
    message.ClearField("text")
    message.ClearField("game")
    return message


async def refused(
    service: Service, position: Position, *moves: types_pb2.Move, seed: int | None = None
) -> Failure:
    request = pb.ApplyMovesRequest(position=typed_position(position), moves=moves, seed=seed)
    failed = await failure_of(service.games.ApplyMoves(request))
    assert failed.code.name == "FAILED_PRECONDITION", failed
    return failed


def described(failed: Failure) -> tuple[str, str, str, str]:
    """Return the field, the value, the rule and the sentence of an error with one field."""
    (violation,) = failed.details["PreconditionFailure"].violations
    named = dict(failed.info.metadata)
    assert named["field"] == violation.subject
    assert violation.description == failed.message
    return named["field"], named.get("value", ""), named.get("rule", ""), failed.message


# --- every game ----------------------------------------------------------------------------------


def possible_views(game: Game, state: bytes) -> list[dict[str, Any]]:
    possible = game.moves_of(state) or [outcome for outcome, _ in game.outcomes_of(state)]
    return [game.move_view(move) for move in possible]


def word(value: Any) -> str:
    """Return a value of a field as an error says it."""
    if isinstance(value, bool):
        return str(value).lower()
    return " and ".join(map(word, value)) if isinstance(value, list) else str(value or "")


def fields_before(view: Mapping[str, Any], field: str) -> list[str]:
    names = [*view]
    return names[: names.index(field)] if field in names else names


def check_offer(
    message: str, field: str, sent: Mapping[str, Any], possible: Iterable[Mapping[str, Any]]
) -> None:
    """Check that legal moves have the values offered for a field, and that no other is hidden."""
    before = fields_before(sent, field)
    agreeing = [
        view for view in possible if all(word(view.get(n)) == word(sent.get(n)) for n in before)
    ]
    right = {word(view.get(field)) for view in agreeing}
    assert word(sent.get(field)) not in right
    offer = OFFER.search(message)
    if offer is None:
        assert right <= {""}
        return
    offered, num_more, can_be_left_out = offer.groups()
    values = set(offered.split(", "))
    # An amount of 0 is offered as a number, and is equal to an absent field on the wire.
    assert values - {"0"} <= right
    assert bool(can_be_left_out) <= ("" in right)
    assert len(values) + int(num_more or 0) == len(right) - bool(can_be_left_out)


def check_refusal(failed: Failure, index: int, position: Position, move: int) -> None:
    game, state = position.game, position.state
    field, value, rule, message = described(failed)
    sent = game.move_view(move)
    path, _, name = field.partition("].")
    assert path == f"moves[{index}"
    assert name in typed(types_pb2.Move, game.name).fields_by_name
    assert value == (word(sent.get(name)) if sent.get(name) != 0 else "0")
    assert rule == game.why_illegal(state, move)[1]
    token = game.move_text(move)
    assert ":" not in token or token not in message
    assert not NOTATION.search(message.replace(NO_NOTATION, "")), message
    assert message.endswith((")", " ...")) if rule else True
    check_offer(message, name, sent, possible_views(game, state))


def tried(game: Game, steps: list[Step], rng: random.Random) -> list[tuple[Position, int, int]]:
    """Return positions, the moves played there, and moves that are not possible after them."""
    moves = sorted({step.move for step in steps if step.move is not None})
    found = []
    for state, move in rng.sample(steps, min(NUM_STATES, len(steps))):
        if move is None:
            continue
        after = game.after(state, move)
        possible = {*game.moves_of(after), *(outcome for outcome, _ in game.outcomes_of(after))}
        others = rng.sample(moves, min(NUM_MOVES, len(moves)))
        found += [
            (Position(game, state), move, other)
            for other in others
            if game.resolve(after, other) not in possible
        ]
    return found


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
async def test_an_impossible_move_is_blamed_for_its_first_wrong_field(
    service: Service, variant: Variant
) -> None:
    game = variant.new()
    rng = random.Random(str(variant))
    cases = tried(game, steps_of(variant, 60), rng)
    for position, played, other in cases:
        moves = [typed_move(game.name, **game.move_view(move)) for move in (played, other)]
        failed = await refused(service, position, *moves)
        check_refusal(failed, 1, Position(game, game.after(position.state, played)), other)
    assert cases


# --- ApplyMoves ----------------------------------------------------------------------------------


async def test_the_field_is_that_of_the_move_with_its_index(service: Service) -> None:
    moves = [typed_move("tic_tac_toe", square=square) for square in ("a1", "b2", "c3", "a1")]
    failed = await refused(service, new_game("tic_tac_toe"), *moves)
    assert described(failed) == (
        "moves[3].square",
        "a1",
        "R1.3",
        "square a1 is not legal: a1 is taken; possible here: b1, c1, a2, c2, a3, b3 (R1.3)",
    )


async def test_a_verb_of_another_node_is_named(service: Service) -> None:
    position = new_game("chessault")
    moves = [
        typed_move("chessault", verb="deploy", type="pawn"),
        typed_move("chessault", verb="move", source="a1", target="a2"),
    ]
    field, value, rule, message = described(await refused(service, position, *moves))
    assert (field, value, rule) == ("moves[1].verb", "move", "R6.3")
    assert message == (
        "verb move is not legal: it is the placing of a figure; move belongs to the move after a "
        "roll; possible here: place (R6.3)"
    )


async def test_the_field_stands_behind_those_that_agree(service: Service) -> None:
    position = new_game("chessault").apply("deploy:p")
    move = typed_move("chessault", verb="place", square="a8")
    field, value, _, message = described(await refused(service, position, move))
    assert (field, value) == ("moves[0].square", "a8")
    assert message.startswith("square a8 with verb place is not legal: a8 is not in the own setup")


async def test_a_text_is_answered_in_tokens(service: Service) -> None:
    moves = [types_pb2.Move(text=text) for text in ("deploy:p", "move:a1-a2")]
    failed = await refused(service, new_game("chessault"), *moves)
    field, value, rule, message = described(failed)
    assert (field, value, rule) == ("moves[1]", "move:a1-a2", "R6.3")
    assert message.startswith("move:a1-a2 is not legal: it is the placing of a figure; ")
    assert "; possible now: place:a1 place:b1 " in message


async def test_an_outcome_that_is_not_possible_is_refused_where_it_was_to_come(
    service: Service,
) -> None:
    position = new_game("kuhn_poker").apply("deal:k")
    move = typed_move("kuhn_poker", verb="deal", card="k")
    failed = await refused(service, position, move, seed=1)
    field, value, _, message = described(failed)
    assert (field, value) == ("moves[0].card", "k")
    assert "possible here: j, q" in message


# --- other calls ---------------------------------------------------------------------------------


async def test_a_typed_move_of_a_match_is_named_by_its_fields(tmp_path: Path) -> None:
    async with keeping(tmp_path) as (_, stub):
        created = await stub.CreateMatch(new_match("tic_tac_toe"))
        ann = await Player.join(stub, created.status.match_id, "Ann")
        ben = await Player.join(stub, created.status.match_id, "Ben")
        move = typed_move("tic_tac_toe", square="b2")
        played = matches_pb.PlayMoveRequest(
            match_id=ann.match_id, token=ben.token, move=move, after_event=0
        )
        await ben.look()
        played.after_event = ben.seen
        failed = await failure_of(stub.PlayMove(played))
        assert described(failed)[:2] == ("move", "square b2")
        assert failed.message == "p1 is to move, not p2"
        await ann.look()
        await ann.play("b2")
        await ben.look()
        played.after_event = ben.seen
        failed = await failure_of(stub.PlayMove(played))
        field, value, rule, message = described(failed)
        assert (field, value, rule) == ("move.square", "b2", "R1.3")
        assert message.startswith("square b2 is not legal: b2 is taken; possible here: a1, ")


async def test_a_typed_answer_of_a_bot_is_named_by_its_fields(service: Service) -> None:
    stub: Any = BotServiceStub(service.channel)
    stream = stub.Connect(bots_pb.ConnectRequest(name="rook"))
    session = (await stream.read()).registered.session
    position = new_game("tic_tac_toe").apply("b2")
    observation = observation_message(position.observe(2))
    asked = stub.AskBot(bots_pb.AskBotRequest(bot="rook", observation=observation))
    question = (await stream.read()).question
    answer = bots_pb.AnswerMoveRequest(
        session=session,
        question=question.id,
        move=typed_move("tic_tac_toe", square="b2"),
    )
    failed = await failure_of(stub.AnswerMove(answer))
    field, value, rule, message = described(failed)
    assert (field, value, rule) == ("move.square", "b2", "R1.3")
    assert message.startswith("square b2 is not legal: b2 is taken; possible here: a1, ")
    assert (await asked).move.tic_tac_toe.square == "b2"  # the caller judges it too


DEALT = ("deal:q", "deal:k", "pass", "bet")


def recorded(place: int, seat: int, move: types_pb2.Move) -> types_pb2.Observation:
    """Return what p1 sees of a game of Kuhn poker, with a record that has another entry."""
    start = new_game("kuhn_poker")
    observation = observation_message(start.apply(*DEALT).observe(1))
    for other_seat, token in seen_so_far(start, DEALT, 1):
        observation.record.seen.add(seat=other_seat, move=move_message(start.game, token))
    observation.record.seen[place].seat = seat
    observation.record.seen[place].move.CopyFrom(move)
    return observation


ENTRIES = [  # place, seat, move -> field below the record, value, sentence
    (
        (0, 1, {"verb": "fold"}),
        ("seen[0].move.verb", "fold", "one of pass, bet, deal is expected; got 'fold'"),
    ),
    (
        (1, 2, {"verb": "deal", "card": "q"}),
        (
            "seen[1].move.card",
            "q",
            "card q with verb deal of p2 can't have happened here: the queen is dealt already; "
            "possible here: ?",
        ),
    ),
    (
        (2, 1, {"verb": "deal", "card": "j"}),
        ("seen[2].move.verb", "deal", "verb deal of p1 can't have happened here: "),
    ),
    (
        (2, 1, {"verb": "bet"}),
        (
            "seen[2].move",
            "verb bet",
            "verb bet of p1 can't have happened here: the observation tells of another course",
        ),
    ),
    (
        (3, 1, {"verb": "bet"}),
        ("seen[3].seat", "1", "verb bet of p1 can't have happened here: p2 was to move"),
    ),
]


@pytest.mark.parametrize(("entry", "error"), ENTRIES)
async def test_a_typed_entry_of_a_record_is_named_by_its_field(
    service: Service, entry: tuple[int, int, dict[str, str]], error: tuple[str, str, str]
) -> None:
    place, seat, view = entry
    observation = recorded(place, seat, typed_move("kuhn_poker", **view))
    failed = await failure_of(service.games.ListMoves(pb.ListMovesRequest(observation=observation)))
    field, value, sentence = error
    assert failed.code.name == "INVALID_ARGUMENT"
    assert failed.info.metadata["field"] == f"observation.record.{field}"
    assert failed.info.metadata["value"] == value
    assert failed.message.startswith(sentence)


async def test_an_entry_of_a_record_as_text_is_named_by_its_move(service: Service) -> None:
    observation = recorded(3, 1, types_pb2.Move(text="bet"))
    failed = await failure_of(service.games.ListMoves(pb.ListMovesRequest(observation=observation)))
    assert failed.info.metadata["field"] == "observation.record.seen[3].move"
    assert failed.message == "bet of p1 can't have happened here: p2 was to move"
