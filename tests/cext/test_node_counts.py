"""Sequences of moves and outcomes of length 0, 1, 2 ... from the start, and information sets.

Where the number comes from stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.reference import REFERENCES, RuleModel

NODE_COUNTS = {
    # 17 kinds of cards for each of the first three cards dealt; but a third of the same kind there
    # is not of the seven kinds with two copies (docs/rules/code_of_chivalry.md, R1.1, R2.2).
    "code_of_chivalry": [1, 17, 17 * 17, 17 * 17 * 17 - 7],
    # Every column is open for six plies; 7^7 - 7 at length 7, where the seven sequences that put
    # seven discs on one column are missing (docs/rules/connect_four.md, section 6).
    "connect_four": [1, 7, 49, 343, 2401, 16807, 117649, 823536],
    # 13 prizes, 13 bids of each seat, one reveal, then 12 prizes (docs/rules/goofspiel.md, R1).
    "goofspiel": [1, 13, 13 * 13, 13 * 13 * 13, 13 * 13 * 13, 13 * 13 * 13 * 12],
    # Four directions, then the first cards of the deal (docs/rules/hearts.md, R1.2, R1.3).
    "hearts": [1, 4, 4 * 52, 4 * 52 * 51],
    # 3 x 2 deals; 2 first moves, 4 second ones, of which only `pb` goes on (R1.4).
    "kuhn_poker": [1, 3, 6, 12, 24, 12, 0],
    # 6 x 5 deals. Without fold or end a round has 1, 2, 5, 5, 2 strings of length 0 to 4, of
    # which 0, 0, 2, 2, 1 are called (cc rc, crc rrc, crrc). So there are 30 x (1, 2, 5, 5, 2)
    # sequences of length 2 to 6 in round one, and 4 boards after each called one: 240, 240, 120
    # sequences of length 5, 6, 7 that end with the board, each with 1, 2, 5, 5, 2 ways on.
    "leduc_poker": [
        1,
        6,
        30,
        30 * 2,
        30 * 5,
        30 * 5 + 240,
        30 * 2 + 240 * (2 + 1),
        240 * (5 + 2) + 120,
        240 * (5 + 5) + 120 * 2,
        240 * (2 + 5) + 120 * 5,
        240 * 2 + 120 * 5,
        120 * 2,
        0,
    ],
    # docs/rules/tic_tac_toe.md, section 6: 255168 games in all.
    "tic_tac_toe": [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
    # Two kings (4 x 3), then `draw:forge` is the only move and the deals have 48, 47 outcomes.
    "kingdom_coinquest": [1, 4, 12, 12, 12 * 48, 12 * 48, 12 * 48 * 47],
}

INFORMATION_SETS = {
    "kuhn_poker": [6, 6],  # docs/rules/kuhn_poker.md, R3.2
    "leduc_poker": [468, 468],  # docs/rules/leduc_poker.md, R3.2
}

# Positions of Kingdom Coinquest with much to do, and how deep they are compared.
CROWDED = {
    "recruiting": (
        "kc turn=31 epoch=0 node=play:p1 p1=h/20/ah,as,ad/-/-/-/9h/- "
        "p2=s/20/6d/-/-/ts/-/- forge=40 grave=tc,4d",
        4,
    ),
    "jacks": (
        "kc turn=9 epoch=0 node=play:p1 p1=h/20/jh,7s,7c/2h,9d/-/-/5h/- "
        "p2=s/4/6d!,8d/-/3s:0/-/-/qs forge=36 grave=tc,4d",
        4,
    ),
    "reshuffle": (
        "kc turn=70 epoch=0 node=draw:p1 p1=h/9/7h,8s!/2h,3h,4h/5h:1/6h/8h/qh "
        "p2=s/6/2s,3s/5s,6s,7s/8d+8c:3/9s/ts/qs forge=0 grave=qc,2d,ah,5c,3d,4d,5d,6d,7d,9d,td,"
        "jd,qd,2c,3c,4c,6c,7c,9c,tc,jc,ac,9h,th,jh,as,ad,js,4s",
        3,
    ),
    "three players": (
        "kc turn=50 epoch=0 node=play:p1 p1=h/12/3s,5d,9c/-/-/-/9h/- "
        "p2=s/5/as,2d!/4h,tc/6c+jd:2/-/8s/- p3=d/14/6d,7c/-/-/-/-/- forge=34 grave=4d",
        4,
    ),
    "strike": (
        "kc;ace_strike=1 turn=31 epoch=0 node=play:p1 p1=h/20/as,ad,5d/-/9h:2/-/-/- "
        "p2=s/20/6d/-/-/-/-/- p3=c/7/2c/-/-/-/-/- forge=40 grave=tc,4d",
        4,
    ),
}


def possible(game: Game, state: bytes) -> list[int]:
    return game.moves_of(state) or [outcome for outcome, _ in game.outcomes_of(state)]


def next_layer(game: Game, layer: Mapping[bytes, int]) -> Counter[bytes]:
    """Count the sequences to each state one ply further on."""
    successors: Counter[bytes] = Counter()
    for state, sequences in layer.items():
        for move in possible(game, state):
            successors[game.after(state, move)] += sequences
    return successors


def node_counts(game: Game, state: bytes, depth: int) -> list[int]:
    layer = Counter({state: 1})
    counts = [1]
    for _ in range(depth):
        layer = next_layer(game, layer)
        counts.append(layer.total())
    return counts


def reference_node_counts(state: RuleModel, depth: int) -> list[int]:
    layer = Counter({state.text(): 1})
    counts = [1]
    for _ in range(depth):
        successors: Counter[str] = Counter()
        for line, sequences in layer.items():
            here = type(state).parse(line)
            for token in here.legal() or here.chance():
                successors[here.apply(token).text()] += sequences
        layer = successors
        counts.append(layer.total())
    return counts


def test_every_game_has_node_counts() -> None:
    assert NODE_COUNTS.keys() == GAMES.keys()


@pytest.mark.parametrize("name", NODE_COUNTS)
def test_the_tree_has_as_many_nodes_as_counted_by_hand(name: str) -> None:
    game = GAMES[name]()
    expected = NODE_COUNTS[name]
    assert node_counts(game, game.start_state(), len(expected) - 1) == expected


def test_tic_tac_toe_has_255168_games() -> None:
    game = GAMES["tic_tac_toe"]()
    layer = Counter({game.start_state(): 1})
    games = 0
    while layer:
        games += sum(n for state, n in layer.items() if not possible(game, state))
        layer = next_layer(game, layer)
    assert games == 255168


def test_tic_tac_toe_has_5478_positions() -> None:
    game = GAMES["tic_tac_toe"]()
    layer = Counter({game.start_state(): 1})
    found = set(layer)
    while layer:
        layer = next_layer(game, layer)
        found |= set(layer)
    assert len(found) == 5478


@pytest.mark.parametrize("name", INFORMATION_SETS)
def test_a_game_has_as_many_information_sets_as_counted_by_hand(name: str) -> None:
    game = GAMES[name]()
    layer = Counter({game.start_state(): 1})
    found: list[set[bytes]] = [set(), set()]
    while layer:
        for state in layer:
            if (seat := game.node_of(state)) >= 0:
                found[seat].add(game.observed(state, seat))
        layer = next_layer(game, layer)
    assert [len(observations) for observations in found] == INFORMATION_SETS[name]


@pytest.mark.parametrize("options", [{"players": "2"}, {"players": "3", "kings": "shd"}], ids=str)
def test_kingdom_coinquest_begins_as_in_the_reference(options: dict[str, str]) -> None:
    game = GAMES["kingdom_coinquest"](**options)
    reference = REFERENCES["kingdom_coinquest"].new(options)
    assert node_counts(game, game.start_state(), 5) == reference_node_counts(reference, 5)


@pytest.mark.parametrize(("line", "depth"), CROWDED.values(), ids=CROWDED)
def test_kingdom_coinquest_goes_on_as_in_the_reference(line: str, depth: int) -> None:
    game, state = GAMES["kingdom_coinquest"].parse_position(line)
    reference = REFERENCES["kingdom_coinquest"].parse(line)
    assert node_counts(game, state, depth) == reference_node_counts(reference, depth)
