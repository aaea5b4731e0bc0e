"""Events of a game in words, with everything open and as a seat sees them."""

from __future__ import annotations

import pytest
from numpy.random import SFC64

from kingmaker.search.draws import settle_by_seed
from kingmaker.search.events import Event, open_event, seen_event
from kingmaker.search.position import Position, new_game, parse_position
from tests.random_play import VARIANTS, Variant, steps_of

NUM_WORLDS = 4


def happened(variant: Variant, most: int) -> list[tuple[Position, str, Position]]:
    """List (before, token, after) from random games."""
    game = variant.new()
    return [
        (
            Position(game, step.state),
            game.move_text(step.move),
            Position(game, game.after(step.state, step.move)),
        )
        for step in steps_of(variant, most)
        if step.move is not None
    ]


def alike(before: Position, token: str, after: Position, viewer: int) -> list[Event]:
    """Tell the viewer of what could have happened instead, in worlds that it can't tell apart."""
    seen, observed = before.seen_move(token, viewer), after.observe(viewer)
    stream = SFC64(1)
    found = []
    for _ in range(NUM_WORLDS):
        world = before.observe(viewer).determinize(stream)
        for other in [*world.legal_moves(), *world.chance_outcomes()]:
            if world.seen_move(other, viewer) != seen:
                continue
            next_world = world.apply(other)
            if next_world.observe(viewer) == observed:
                found.append((world, other, next_world))
    return [seen_event(*each, viewer) for each in found if each[:2] != (before, token)]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_seat_is_reported_the_same_whatever_is_hidden_from_it(variant: Variant) -> None:
    num_others = 0
    for before, token, after in happened(variant, 60):
        for viewer in range(before.num_seats + 1):
            told = seen_event(before, token, after, viewer)
            others = alike(before, token, after, viewer)
            assert all(other == told for other in others)
            num_others += len(others)
    assert num_others > 100 or not variant.new().is_hidden


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_event_has_words_and_the_seat_that_all_see(variant: Variant) -> None:
    for before, token, after in happened(variant, 60):
        event = open_event(before, token)
        assert event.move == token
        assert event.is_chance == before.is_chance
        assert event.seat == before.seat or before.is_chance
        assert event.description
        for viewer in range(before.num_seats + 1):
            seen = seen_event(before, token, after, viewer)
            assert seen.move == before.seen_move(token, viewer)
            assert (seen.is_chance, seen.seat) == (event.is_chance, event.seat)
            assert seen.description


def test_a_rivals_card_is_not_reported() -> None:
    start = new_game("kuhn_poker")
    dealt = start.apply("deal:k")
    assert open_event(start, "deal:k") == Event("deal:k", True, 1, "deal the king to p1", ())
    own, others = (seen_event(start, "deal:k", dealt, viewer) for viewer in (1, 2))
    assert own == open_event(start, "deal:k")
    assert others == Event("deal:?", True, 1, "deal a hidden card to p1", ())


def test_effects_of_a_move_are_reported() -> None:
    before, _ = settle_by_seed(new_game("leduc_poker"), 1)
    event = seen_event(before, "raise", before.apply("raise"), 2)
    assert (event.move, event.seat) == ("raise", 1)
    assert event.changes == ("p1 puts 2 chips in",)


def test_a_queen_comes_into_her_slot_and_leaves_it_and_nobody_wins_by_that() -> None:
    """A card that is won would be one of a rival, and who wins is told in the same words."""
    line = "kc turn=9 epoch=0 node=play:p1 p1=h/20/qh,3c,4c/-/-/-/5h/- p2=s/20/-/-/-/-/-/qs "
    before = parse_position("kingdom_coinquest", f"{line}forge=43 grave=-")
    placed = seen_event(before, "queen:qh", before.apply("queen:qh"), 1)
    assert placed.changes == ("p1's queen slot gets the queen of hearts",)
    struck = seen_event(before, "attack:p2", before.apply("attack:p2"), 1)
    assert "p2's queen slot loses the queen of spades" in struck.changes


def test_tokens_chosen_in_secret_are_reported_when_they_are_revealed() -> None:
    tokens = ("place:empty", "place:spear", "place:move", "place:move", "place:empty")
    before = new_game("knights_duty").apply(*tokens)
    event = seen_event(before, "place:sword", before.apply("place:sword"), 1)
    assert event.move == "place:?"
    assert event.description == "programme an unseen token in slot 3"
    assert event.changes == ("p2 shows a movement in slot 1", "slot 1 begins")


def test_dice_tell_the_damage_that_they_do_and_cards_only_what_they_are() -> None:
    line = (
        "ko;first=p1;kings=fixed 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- "
        "p1:+:td:-:js=ac2c:-:-:-:K1c4.4,P1c5.1:-:-:- p2:+:-:-:-:-:-:-:K1c6.4:-:-:-"
    )
    position = parse_position("knaves_out", line).apply("attack:1c5-1c6")
    told = []
    while position.is_chance:
        token = max(position.chance_outcomes())
        after = position.apply(token)
        told.append(seen_event(position, token, after, 2))
        position = after
    assert {event.description for event in told} == {"roll a 6"}
    assert [text for event in told for text in event.changes] == [
        "p2's king on 1c6 goes from 4 to 2 checkers"
    ]


@pytest.mark.parametrize(
    ("pieces", "token", "words"),
    [
        ("K1c4.4,P1c5.1", "attack:1c5-1c4", "attack p1's own king on 1c4 with the pawn on 1c5"),
        ("P1c5.1,K1f1.4", "attack:1c5-1c6", "attack the king of p2 on 1c6 with the pawn on 1c5"),
    ],
)
def test_a_target_of_ones_own_is_called_that(pieces: str, token: str, words: str) -> None:
    position = parse_position(
        "knaves_out",
        "ko;first=p1;kings=fixed 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- "
        f"p1:+:td:-:js=ac2c:-:-:-:{pieces}:-:-:- p2:+:-:-:-:-:-:-:K1c6.4:-:-:-",
    )
    assert position.describe(token) == words
    assert seen_event(position, token, position.apply(token), 2).description == words
