"""Errors of typed messages over the wire: what was sent, plainly, and all that would be right."""

from __future__ import annotations

import re
from typing import Any

import pytest
from numpy.random import SFC64

from kingmaker.search.position import Position, new_game
from kingmaker.server.convert import position_message
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2
from tests.random_play import VARIANTS, by_phase, steps_of

from .support import Service, failure_of

EVERY_VERB = (
    "first, board, king, court, under, fuel, shuffle, keep, draw, play, joker, act, move, sail, "
    "land, attack, last, ivory, dark, end_turn, waive, find, skip, at, on, step, stop, die, red, "
    "from, insight, pass, parlay, reroll, redir, take, discard_hand, keep_hand"
)


def dealt(game: str, **options: int) -> Position:
    position, _ = new_game(game, options).settle(SFC64(1))
    return position


async def refused(
    service: Service, position: types_pb2.Position, *moves: Any
) -> tuple[str, str, str]:
    """Return the field, the value and the sentence of what is wrong with a typed request."""
    position.ClearField("text")
    request = pb.ApplyMovesRequest(position=position, moves=moves)
    failed = await failure_of(service.games.ApplyMoves(request))
    assert failed.code.name == "INVALID_ARGUMENT"
    ((field, sentence),) = failed.fields.items()
    return field, failed.info.metadata.get("value", ""), sentence


MOVES = [  # game, move -> field, value, sentence
    (
        ("knaves_out", {"verb": "Q"}),
        ("verb", "Q", f"one of {EVERY_VERB} is expected; got 'Q' (R14.1)"),
    ),
    (
        ("knaves_out", {"verb": "act", "action": "q"}),
        ("action", "q", "boister is expected; got 'q' (R7)"),
    ),
    (
        ("knights_duty", {"verb": "place", "choice": "."}),
        (
            "choice",
            ".",
            "one of sword, spear, bow, shield, parry, move, empty is expected; got '.' (R13.1)",
        ),
    ),
    (
        ("code_of_chivalry", {"verb": "discard", "card": "é"}),
        ("card", "é", "executioner, jester, minstrel, monk is expected; got 'é' (R12.1)"),
    ),
    (
        (
            "code_of_chivalry",
            {"verb": "attack", "seat": 2, "role": "soldier", "num_cards": 1, "num_jesters": 1},
        ),
        (
            "num_jesters",
            "1",
            "one card is played, num_cards, or a jester in its place, num_jesters: one of these is "
            "1 and the other 0; got 1 (R12.1)",
        ),
    ),
    (
        ("code_of_chivalry", {"verb": "attack", "seat": 2, "role": "soldier", "num_cards": 2}),
        ("num_cards", "2", "one of these is 1 and the other 0; got 2 (R12.1)"),
    ),
]


@pytest.mark.parametrize(("sent", "error"), MOVES)
async def test_a_malformed_move_is_told_what_would_be_right(
    service: Service, sent: tuple[str, dict[str, Any]], error: tuple[str, str, str]
) -> None:
    game, view = sent
    message: Any = types_pb2.Move
    found = await refused(service, position_message(dealt(game)), message(**{game: view}))
    name, value, sentence = error
    assert found[:2] == (f"moves[0].{name}", value)
    assert found[2].endswith(sentence)


async def test_cards_are_told_by_rank_and_suit(service: Service) -> None:
    position = position_message(dealt("knaves_out"))
    position.knaves_out.players[0].hand.append("zz")
    assert await refused(service, position) == (
        "position.players[0].hand[0]",
        "zz",
        "a card is a rank of a23456789tjqk and a suit of cdhs, such as td, or jo for a Joker; got "
        "'zz' (R14.5b)",
    )


def with_known(*rows: dict[str, Any]) -> types_pb2.Position:
    position = position_message(dealt("code_of_chivalry"))
    for row in rows:
        position.code_of_chivalry.known.add(**row)
    return position


@pytest.mark.parametrize(
    ("row", "field", "sentence"),
    [
        (
            {"observer": 1, "holder": 1, "cards": {"king": 1}},
            "observer",
            "p1 knows its whole hand, so what it knows of hands is of those of others; got '1'",
        ),
        (
            {"observer": 2, "holder": 1, "cards": {"king": 3}},
            "cards",
            "what p2 knows of the hand of p1 lies in it, and it has ",
        ),
        (
            {"holder": 2, "cards": {"king": 3}},
            "cards",
            "what everybody knows of the hand of p2 lies in it, and it has ",
        ),
    ],
)
async def test_what_is_known_is_named_by_its_index(
    service: Service, row: dict[str, Any], field: str, sentence: str
) -> None:
    hand = dealt("code_of_chivalry").view["players"][1]["hand"]
    first = {"observer": 1, "holder": 2, "cards": {next(iter(hand)): 1}}
    found = await refused(service, with_known(first, row))
    assert found[0] == f"position.known[1].{field}"
    assert found[2].startswith(sentence)


async def test_an_attack_card_is_blamed_for_the_number_that_is_wrong(service: Service) -> None:
    position = position_message(dealt("code_of_chivalry"))
    node = position.code_of_chivalry.node
    node.type, node.seat, node.target = "respond", 2, 2
    node.attack_card.role = "soldier"
    node.attack_card.num_cards = node.attack_card.num_jesters = 1
    field, _, sentence = await refused(service, position)
    assert field == "position.node.attack_card.num_jesters"
    assert sentence.startswith("one card is played, num_cards, or a jester in its place")


@pytest.mark.parametrize(
    ("change", "value"),
    [
        (lambda p: setattr(p, "turn", -5), "-5"),
        (lambda p: p.grave.extend(["ah"] * 60), "60 of them"),
        (lambda p: setattr(p.node, "type", "ü"), "'ü'"),
    ],
)
async def test_what_was_sent_is_shown_plainly(service: Service, change: Any, value: str) -> None:
    position = position_message(dealt("kingdom_coinquest", players=2))
    change(position.kingdom_coinquest)
    _, _, sentence = await refused(service, position)
    got = sentence.partition("; got ")[2]
    assert value in got
    assert not re.search(r"\\x|True|False|None|\{'", sentence)


async def test_messages_in_messages_are_shown_as_json(service: Service) -> None:
    position = position_message(dealt("code_of_chivalry"))
    position.code_of_chivalry.known.add(observer=1, holder=2)
    field, _, sentence = await refused(service, position)
    assert field.startswith("position.known")
    assert "'" not in sentence


async def test_a_position_does_not_expect_what_only_observations_hide(service: Service) -> None:
    (variant, *_) = [each for each in VARIANTS if each.name == "knights_duty"]
    game = variant.new()
    (step, *_) = by_phase(game, steps_of(variant, 400))["inspire"]
    position = position_message(Position(game, step.state))
    position.knights_duty.attacker_inspiration = "."
    field, _, sentence = await refused(service, position)
    assert field == "position.attacker_inspiration"
    assert sentence == "one of an empty text, yes, no is expected; got '.' (R13.3)"
