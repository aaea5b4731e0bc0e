"""Features and action numbers of Hearts; the rules are docs/rules/hearts.md."""

from __future__ import annotations

from kingmaker.cext.games.hearts import Hearts
from tests.random_play import play

from .hearts_lines import DECK, late_position

RANKS = "23456789tjqka"
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
TRICK = late_position(
    ["3c 9c 2h", "kd as 3h", "5c qs", "6d 7s"],
    "play:p1",
    trick="8c qh",
    shown=["", "", "d", "c"],
)
"""p3 led to this trick; p1 and p2 are still to play."""


def held(line: str, seat: int, *tokens: str) -> set[str]:
    """Return the names of the features of a seat (from 1) after moves."""
    game, state = Hearts.parse_position(line)
    for token in tokens:
        move = game.parse_move(token)
        assert move in game.moves_of(state)
        state = game.after(state, move)
    names = game.feature_names
    return {names[index] for index in game.features_of(state, seat - 1)}


def named(features: set[str], *starts: str) -> set[str]:
    """Return those features that begin with one of some words."""
    return {name for name in features if name.startswith(starts)}


def test_a_running_trick_from_each_place() -> None:
    for seat in (1, 2, 3, 4):
        features = held(TRICK, seat)
        assert named(
            features, "trick: 1 c", "trick: 2 c", "trick: 1 p", "trick: 2 p", "trick: l"
        ) == {
            "trick: 1 cards or more",
            "trick: 2 cards or more",
            "trick: 1 points or more",
            "trick: led clubs",
        }
        assert {"hearts are broken", "tricks: 10 or more", "phase: play"} <= features
        assert "tricks: 11 or more" not in features
    parts = ("trick: own", "trick: taken", "seats before")
    assert named(held(TRICK, 1), *parts) == {
        "trick: own seat can go under it",
        "trick: own seat can take it",
        "trick: taken so far by rival 2",
        "seats before the own move: 0",
    }
    assert named(held(TRICK, 2), *parts) == {
        "trick: own seat cannot follow",
        "trick: taken so far by rival 1",
        "seats before the own move: 1",
    }
    assert named(held(TRICK, 3), *parts) == {
        "trick: own seat has played",
        "trick: taken so far by own seat",
        "seats before the own move: 2",
    }
    assert "trick: taken so far by rival 1" in held(TRICK, 4, "play:9c")


def test_the_queen_of_spades_in_a_trick() -> None:
    line = late_position(["2s 3c", "ks 3h", "qs 5c", "6d"], "play:p1", trick="as")
    assert named(held(line, 4, "play:2s", "play:ks", "play:qs"), "trick:") == set()
    line = late_position(["2s 3c", "ks 3h", "5c", "6d"], "play:p1", trick="qs as")
    assert named(held(line, 2), "trick: 3 p", "trick: 1", "trick: own") == {
        "trick: 1 cards or more",
        *(f"trick: {points} points or more" for points in (1, 3, 13)),
        "trick: own seat can go under it",
    }


def test_suits_and_voids_of_rivals() -> None:
    features = held(TRICK, 1)
    assert named(features, "clubs") == {
        "clubs: 1 own or more",
        "clubs: 2 own or more",
        *(f"clubs: {number} out or fewer" for number in (1, 2, 3, 4, 6, 8)),
        "clubs: 1 or more out below own card 2",
        "clubs: 1 own or more above all out",
        "clubs: none with rival 3",
    }
    assert "diamonds: none with rival 2" in features
    assert "diamonds: none with rival 1" in held(TRICK, 2)
    assert "clubs: none with rival 2" in held(TRICK, 2)
    assert named(features, "out") == {"out: qs", "out: as"}
    assert named(held(TRICK, 2), "out") == {"out: qs"}


def test_counts_of_suits_are_those_of_sets_of_cards() -> None:
    """Every count of cards out, below and above, recounted card by card."""
    game = Hearts()
    names = game.feature_names
    for step in [*play(game, 2)][53:]:
        view = game.view(step.state)
        played = {card for seat in view["seats"] for card in seat["played"]} | {*view["trick"]}
        for seat in range(4):
            own = [card for card in DECK if card in view["seats"][seat]["hand"]]
            out = [card for card in DECK if card not in played and card not in own]
            features = {names[index] for index in game.features_of(step.state, seat)}
            assert named(features, "own hand") == {f"own hand: {card}" for card in own}
            counted = named(features, *(f"{suit}: " for suit in SUITS.values()))
            assert {name for name in counted if "none" not in name} == {
                name for suit in SUITS for name in counts(suit, own, out)
            }


def counts(suit: str, own: list[str], out: list[str]) -> list[str]:
    """Name the features of the counts of a suit."""
    mine = sorted(RANKS.index(card[0]) for card in own if card[1] == suit)
    others = [RANKS.index(card[0]) for card in out if card[1] == suit]
    above = sum(rank > max(others, default=-1) for rank in mine)
    below = [sum(other < rank for other in others) for rank in mine[:3]]
    found = [f"{level} own or more" for level in range(1, 8) if len(mine) >= level]
    found += [f"{level} out or fewer" for level in (8, 6, 4, 3, 2, 1, 0) if len(others) <= level]
    found += [f"{level} own or more above all out" for level in (1, 2, 3) if above >= level]
    found += [
        f"{level} or more out below own card {place + 1}"
        for place, number in enumerate(below)
        for level in (1, 2, 3, 5)
        if number >= level
    ]
    return [f"{SUITS[suit]}: {name}" for name in found]


def test_cards_given_until_they_are_played() -> None:
    """R3.3: p1 gave 4d to p2."""
    line = late_position(
        ["2d 9s th", "3d 4d kh", "5d qs ah", "6d 7s 8s"],
        "play:p1",
        direction="left",
        given={1: "4d"},
        shown=["", "", "c", "h"],
    )
    assert named(held(line, 1), "given", "direction") == {
        "given and not played: 4d",
        "direction of the pass: left",
    }
    assert not named(held(line, 2), "given")
    assert not named(held(line, 1, "play:2d", "play:4d"), "given")


def test_cards_set_aside_are_no_longer_in_the_hand() -> None:
    game = Hearts(**{"pass": "across"})
    state = game.start_state()
    for card in DECK:
        state = game.after(state, game.parse_move(f"deal:{card}"))
    line = game.text(state)
    features = held(line, 1, "pass:2c", "pass:qh")
    assert named(features, "own cards", "given", "seats", "phase") == {
        "own cards set aside: 1 or more",
        "own cards set aside: 2 or more",
        "given and not played: 2c",
        "given and not played: qh",
        "seats before the own move: 0",
        "phase: pass",
    }
    assert "own hand: 2c" not in features
    assert "seats before the own move: 1" in held(line, 2, "pass:2c", "pass:qh")


def test_points_and_who_may_shoot_the_moon() -> None:
    """In late positions p1 has all points of the tricks before."""
    taken = 26 - sum(card[1] == "h" for card in ("2h", "3h", "qh")) - 13
    assert named(held(TRICK, 1), "own points", "all") == {
        *(f"own points: {points} or more" for points in range(1, taken + 1)),
        "all points so far taken by own seat",
    }
    levels = (1, 2, 3, 4, 6, 8, 10)
    assert named(held(TRICK, 2), "own points", "all", "rival") == {
        "all points so far taken by rival 3",
        *(f"rival 3: {points} points or more" for points in levels),
    }
    assert named(held(TRICK, 2), "hearts played") == {
        f"hearts played: {number} or more" for number in range(1, 12)
    }
    assert not named(held(TRICK, 2, "play:3c", "play:3h"), "all points")


def test_action_numbers_are_plays_and_passes_in_card_order() -> None:
    game = Hearts()
    assert game.num_features > 200
    assert game.num_actions == 104
    moves = [game.move_at(index) for index in range(104)]
    assert [*map(game.move_text, moves)] == [
        *(f"play:{card}" for card in DECK),
        *(f"pass:{card}" for card in DECK),
    ]
    assert [*map(game.index_of, moves)] == [*range(104)]
