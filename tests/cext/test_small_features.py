"""Features of the calibration games in particular positions, by their names."""

from __future__ import annotations

import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES

NUM_ACTIONS = {
    "tic_tac_toe": 9,
    "connect_four": 7,
    "kuhn_poker": 2,
    "leduc_poker": 3,
    "goofspiel": 13,
}
HELD = [
    (
        *("tic_tac_toe", "ttt board=..o/.x./..x node=play:p2", 0),
        {"own mark on b2", "own mark on c1", "rival's mark on c3", "own line completed by a3"},
    ),
    (
        *("tic_tac_toe", "ttt board=..o/.x./..x node=play:p2", 1),
        {
            *("own mark on c3", "rival's mark on b2", "rival's mark on c1"),
            *("rival's line completed by a3", "own turn"),
        },
    ),
    (
        *("connect_four", "c4 board=" + "......./" * 3 + "...o.../...o.../xxxo... node=play:p1", 0),
        {
            *("own disc on a1", "own disc on b1", "own disc on c1"),
            *("rival's disc on d1", "rival's disc on d2", "rival's disc on d3"),
            *("rival's four completed by d4", "own disc was the first", "own turn"),
            "rival's fours that can be completed now: 1 or more",
        },
    ),
    (
        *("connect_four", "c4 board=" + "......./" * 5 + ".xxx.oo node=play:p2", 0),
        {
            *("own disc on b1", "own disc on c1", "own disc on d1"),
            *("rival's disc on f1", "rival's disc on g1"),
            *("own four completed by a1", "own four completed by e1", "own disc was the first"),
            "own fours that can be completed now: 1 or more",
            "own fours that can be completed now: 2 or more",
        },
    ),
    (
        *("connect_four", "c4 board=" + "......./" * 3 + "...o.../..oxx../.ooxx.x node=play:p2", 1),
        {
            *("own disc on b1", "own disc on c1", "own disc on c2", "own disc on d3"),
            *("rival's disc on d1", "rival's disc on d2", "rival's disc on e1"),
            *("rival's disc on e2", "rival's disc on g1", "own turn"),
            # Of b1, c2, d3, e4 the last is completed, but not now: e3 is empty.
            *("own four completed by e4", "rival's four completed by f1"),
            "rival's fours that can be completed now: 1 or more",
        },
    ),
    (
        *("kuhn_poker", "kuhn p1=k p2=j bets=pb node=play:p1", 0),
        {"own card: k", "own seat bets first, bets so far: pb"},
    ),
    (
        *("kuhn_poker", "kuhn p1=k p2=j bets=pbb node=end", 1),
        {"own card: j", "rival's card: k", "own seat bets second, bets so far: pbb"},
    ),
    (
        *("leduc_poker", "leduc p1=js p2=kh board=jh bets=crc/r node=play:p2", 0),
        {
            *("own card: jack", "board: jack", "own pair"),
            *("stake: 3 chips or more", "stake: 5 chips or more", "stake: 7 chips or more"),
            *("own seat moves first, round one: crc", "own seat moves first, round two: r"),
        },
    ),
    (
        *("leduc_poker", "leduc p1=js p2=kh board=_ bets=-/- node=play:p1", 1),
        {"own card: king", "own seat moves second, round one: -"},
    ),
    (
        "goofspiel",
        "goof;cards=4 p1=1,2,4 p2=2,3,4 bids=4/_ points=0/3 prize=1 down=2,4 node=bid:p2",
        0,
        {
            *("own hand: 1", "own hand: 2", "own bid: 4"),
            *("rival's hand: 2", "rival's hand: 3", "rival's hand: 4"),
            *("prize: 1", "face down: 2", "face down: 4"),
            *("points, rival's lead: 1 or more", "points, rival's lead: 3 or more"),
        },
    ),
    (
        "goofspiel",
        "goof;cards=4 p1=1,2,4 p2=2,3,4 bids=4/_ points=0/3 prize=1 down=2,4 node=bid:p2",
        1,
        {
            *("own hand: 2", "own hand: 3", "own hand: 4"),
            *("rival's hand: 1", "rival's hand: 2", "rival's hand: 4", "rival's bid: hidden"),
            *("prize: 1", "face down: 2", "face down: 4"),
            *("points, own lead: 1 or more", "points, own lead: 3 or more"),
        },
    ),
    (
        "goofspiel",
        "goof;cards=4 p1=1,2 p2=2,3 bids=2/3 points=1/4 prize=2 down=3 node=reveal",
        0,
        {
            *("own hand: 1", "own bid: 2", "rival's hand: 2", "rival's bid: 3"),
            *("prize: 2", "face down: 3"),
            *("points, rival's lead: 1 or more", "points, rival's lead: 3 or more"),
        },
    ),
]


@pytest.mark.parametrize(("name", "line", "seat", "names"), HELD)
def test_exactly_these_features_hold(name: str, line: str, seat: int, names: set[str]) -> None:
    game, state = GAMES[name].parse_position(line)
    assert held(game, state, seat) == names


@pytest.mark.parametrize("name", NUM_ACTIONS)
def test_calibration_games_have_features_and_as_many_actions_as_moves(name: str) -> None:
    game = GAMES[name]()
    assert game.num_features > 0
    assert game.num_actions == NUM_ACTIONS[name]
    assert len({game.move_at(index) for index in range(game.num_actions)}) == game.num_actions


def test_the_features_of_goofspiel_grow_with_the_cards() -> None:
    fewest, most = (GAMES["goofspiel"](cards=cards) for cards in ("4", "13"))
    assert (fewest.num_features, fewest.num_actions) == (6 * 4 + 1 + 2 * 3, 4)
    assert (most.num_features, most.num_actions) == (6 * 13 + 1 + 2 * 23, 13)


def held(game: Game, state: bytes, seat: int) -> set[str]:
    """Return the names of the features that hold."""
    return {game.feature_names[index] for index in game.features_of(state, seat)}
