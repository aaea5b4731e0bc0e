"""Features and action numbers of Code of Chivalry; the rules are docs/rules/code_of_chivalry.md."""

from __future__ import annotations

import pytest

from kingmaker.cext.games.code_of_chivalry import CodeOfChivalry

ATTACK = "coc;players=3 5 p1 0 8,-,skl/4,c,s/3,-,p p23s14k8g3n5d3a6c5l5u2h2m2t2w3r2x2j2 - main - -"
"""W31: p1 may attack p2 over a ladder and win."""


def held(line: str, seat: int, *moves: str) -> set[str]:
    """Return the names of the features of a seat (from 1) after moves."""
    game, state = CodeOfChivalry.parse_position(line)
    for token in moves:
        move = game.parse_move(token)
        assert move in (game.moves_of(state) or dict(game.outcomes_of(state)))
        state = game.after(state, move)
    names = game.feature_names
    return {names[index] for index in game.features_of(state, seat - 1)}


def named(features: set[str], *starts: str) -> set[str]:
    """Return those features that begin with one of some words."""
    return {name for name in features if name.startswith(starts)}


def test_the_own_kingdom() -> None:
    line = (
        "coc;players=2 5 p1 0 9,ca,p3kj/3,-,s2d p21s14k8g3n5d2a5c5l6u2h2m2t2w3r2x2j - main *>p1:k -"
    )
    assert named(held(line, 1), "own", "seats before") == {
        *(f"own hand: peasant, {copies} or more" for copies in (1, 2, 3)),
        "own hand: knight, 1 or more",
        "own hand: jester, 1 or more",
        *(f"own hand: {size} cards or more" for size in (1, 2, 3, 4, 5)),
        "own hand: 1 cards or more known to all",
        *(f"own gems: {missing} or fewer missing" for missing in (3, 4, 5, 6, 7, 8)),
        "own fortification: castle",
        "own fortification: archer",
        "own fortification: castle and archer",
        *(f"own gems less those of the richest rival: {lead} or more" for lead in range(-4, 5)),
        "seats before the own turn: 0",
    }
    assert "own gems: 3 or fewer" in held(line, 2)
    assert "own gems: 2 or fewer" not in held(line, 2)
    assert not named(held(line, 2), "own gems less", "own fortification")
    assert "seats before the own turn: 1" in held(line, 2)


def test_an_attack_and_the_gems_that_it_would_move() -> None:
    """R4.4, R5.1: every seat sees the same attack from its own place."""
    moves = ("attack:p2:ladder", "attack:p2:knight")
    attacker, victim, third = (held(ATTACK, seat, *moves) for seat in (1, 2, 3))
    for features in (attacker, victim, third):
        assert named(features, "attack card") == {
            f"attack card: strength {strength} or more" for strength in (1, 2, 3)
        }
        assert {"node: answer", "node: ladder on the table"} <= features
    parts = ("gems under way", "node: own", "rival 1: a", "rival 2: a")
    gems = [f"{number} or more" for number in (1, 2, 3)]
    assert named(attacker, *parts) == {
        *(f"gems under way to own seat: {number}" for number in gems),
        "gems under way win for own seat",
        "rival 1: asked",
        "rival 1: attacked",
    }
    assert named(victim, *parts) == {
        *(f"gems under way from own seat: {number}" for number in gems),
        "gems under way win for a rival",
        "node: own seat asked",
        "node: own seat attacked",
    }
    assert named(third, *parts) == {
        *(f"gems under way between rivals: {number}" for number in gems),
        "gems under way win for a rival",
        "rival 2: asked",
        "rival 2: attacked",
    }


@pytest.mark.parametrize(
    ("card", "fort", "pile", "name", "moved"),
    [
        ("n", "a", "n4d3a5", "ninja", 2),
        ("d", "-", "n5d2a6", "dragon", 2),
        ("a", "a", "n5d3a4", "archer", 0),
    ],
)
def test_attack_cards_without_strength(
    card: str, fort: str, pile: str, name: str, moved: int
) -> None:
    """R4.6 to R4.8."""
    piles = f"p23s15k9g3{pile}c6l6u2h2m2t2w3r2x2j2 -"
    line = f"coc;players=3 5 p1 0 5,-,-/5,{fort},s/5,-,p {piles} respond:p2:-:{card}:p2 - -"
    features = held(line, 2)
    assert named(features, "attack card") == {f"attack card: {name}"}
    assert named(features, "gems under way") == {
        f"gems under way from own seat: {number} or more" for number in range(1, moved + 1)
    }


def test_gems_that_fly_back_to_their_owner_are_nobodys_gain() -> None:
    """R6.3."""
    robbed = (
        "coc;players=3 5 p1 0 5,-,k/5,-,w/5,-,p p23s16k8g3n5d3a6c6l6u2h2m2t2w2r2x2j2 - "
        "rob:-:p2:p1:3:p2 - -"
    )
    assert "gems under way from own seat: 3 or more" in held(robbed, 2)
    assert "gems under way to own seat: 3 or more" in held(robbed, 1)
    assert not named(held(robbed, 2, "rob:highwayman"), "gems under way")


def test_rivals_follow_in_turn_order() -> None:
    rivals = ("rival 1: fort", "rival 1: hand", "rival 2: hand", "rival 2: fort")
    assert named(held(ATTACK, 1), *rivals) == {
        "rival 1: fortification: castle",
        "rival 1: hand of 1 cards or more",
        "rival 2: hand of 1 cards or more",
    }
    assert named(held(ATTACK, 3), *rivals) == {
        *(f"rival 1: hand of {size} cards or more" for size in (1, 2, 3)),
        "rival 2: fortification: castle",
        "rival 2: hand of 1 cards or more",
    }
    assert named(held(ATTACK, 3), "rival 1: 2", "rival 2: 6", "richest") == {
        "rival 1: 2 gems or fewer missing",
        "rival 2: 6 gems or fewer missing",
        *(f"richest rival: {missing} gems or fewer missing" for missing in (2, 3, 4, 5)),
    }


def test_known_cards_and_cards_that_are_gone() -> None:
    """R11.2: p2 knows more of p1's hand than p3 does."""
    line = (
        "coc;players=3 5 p1 0 5,-,pskg/5,-,s/5,-,p p22s14k8g2n5d3a6c6l6u2h2m2t2w3r2x2 j2 main "
        "*>p1:p;p2>p1:pg -"
    )
    known, gone = "known in a rival's hand: ", "neither in the pile nor unknown in a rival's hand: "
    assert named(held(line, 2), known, gone) == {f"{known}peasant", f"{known}king", f"{gone}jester"}
    assert named(held(line, 3), known, gone) == {f"{known}peasant", f"{gone}jester"}
    assert named(held(line, 2), "rival 2: 1 cards", "rival 2: 2 cards") == {
        "rival 2: 1 cards or more known",
        "rival 2: 2 cards or more known",
    }
    assert "own hand: 1 cards or more known to all" in held(line, 1)


def test_cards_under_way() -> None:
    """R3.2, R7.3."""
    taking = (
        "coc;players=3 7 p1 0 4,-,p/6,-,p3s2kgx2/5,-,s p20s13k8g2n5d3a6c6l6u2h2mt2w3r2j2 m "
        "take:p2:4 *>p2:x2 -"
    )
    cards = ("own cards", "rival 1: 1 cards or more to", "rival 2: 1 cards or more to")
    counts = [f"{number} or more" for number in (1, 2, 3, 4)]
    assert named(held(taking, 1), *cards) == {f"own cards to come: {number}" for number in counts}
    assert named(held(taking, 2), *cards) == {
        *(f"own cards to go: {number}" for number in counts),
        "rival 2: 1 cards or more to come",
    }
    drawing = held(ATTACK, 2, "discard:knight")
    assert named(drawing, "own cards") == {f"own cards to come: {number}" for number in counts[:2]}


def test_what_ends_the_game() -> None:
    """R9.1, R9.2, R9.6."""
    line = (
        "coc;players=2;turn_limit=60 60 p1 1 6,-,p20/6,-,s11 p4s5k9gx g2n5d3a6c6l6u2h2m2t2w3r2xj2 "
        "draw:1 - *:p4s5k9gx"
    )
    assert named(held(line, 1), "reshuffles", "draw pile", "turns left") == {
        "reshuffles: 1 or more",
        *(f"draw pile: {size} cards or fewer" for size in (60, 40, 25)),
        *(f"turns left: {turns} or fewer" for turns in (0, 1, 2, 4, 8, 16, 32)),
    }
    assert "own gems: 5 or fewer missing" in held(line, 1)
    assert "own gems: 4 or fewer missing" not in held(line, 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_numbers_of_features_and_actions(players: int) -> None:
    """Fewer seats have the first features; 93 plays name a seat, 161 do not."""
    game = CodeOfChivalry(players=players)
    assert game.num_features > 200
    assert game.feature_names == CodeOfChivalry(players=6).feature_names[: game.num_features]
    assert f"rival {players - 1}: asked" in game.feature_names
    assert f"rival {players}: asked" not in game.feature_names
    assert game.num_actions == 93 * players + 161
    moves = [game.move_at(index) for index in range(game.num_actions)]
    assert [game.index_of(move) for move in moves] == [*range(game.num_actions)]
    seats = "special:jester=merchant:"
    assert {f"{seats}p{seat + 1}" for seat in range(players)} == {
        text for text in map(game.move_text, moves) if text.startswith(seats)
    }


def test_every_card_of_the_largest_deck_has_its_moves() -> None:
    """A hand of nearly all cards at MAIN, where the most moves are legal."""
    hand = "p24s16k9g3n5d3a6c6l5u2h2m2t2w3r2x2j2i4o4"
    line = f"coc;players=2;minstrels=4;monks=4 5 p1 0 6,-,{hand}/6,-,l - - main - -"
    game, state = CodeOfChivalry.parse_position(line)
    moves = game.moves_of(state)
    indices = [game.index_of(move) for move in moves]
    assert len(set(indices)) == len(moves) > 100
    assert [game.move_at(index) for index in indices] == moves
    plain = CodeOfChivalry(players=2)
    assert [plain.index_of(move) for move in moves] == indices
