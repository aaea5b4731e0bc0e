"""Sequences of moves and outcomes of length 0, 1, 2 ... from the start, and information sets.

Where the number comes from stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.random_play import CHANCE, TERMINAL
from tests.reference import REFERENCES, RuleModel

NODE_COUNTS = {
    # Each side deploys one of three types or buys one of four, and sets it on one of 16 squares;
    # then White, who has had a rook, has one purchase fewer, and with a queen on the board may buy
    # a queen but has one deployment fewer; with the king it has only that one fewer
    # (docs/rules/chessault.md, R4.2-R4.5).
    "chessault": [1, 7, 7 * 16, 7 * 16 * 7, (7 * 16) ** 2, (5 * 7 + 2 * 6) * 16 * 7 * 16],
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
    # Seven kinds for each slot, but not three of the five kinds with two tokens: 338 programmes of
    # each of two players (docs/rules/knights_duty.md, R1.2, R4.5, section 19).
    "knights_duty": [1, 7, 7 * 7, 338, 338 * 7, 338 * 7 * 7, 338 * 338],
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

# Positions of Chessault, and how many sequences of length 0, 1, 2 ... end at a decision, at chance
# and at the end. By hand, at the start: 3 deployments and 4 purchases on 16 squares, for White and
# then for Black. In the opening: a roll and 5 recruits; then 8 outcomes for three movable types, 8
# squares for each recruit, and 1 sacrifice for a queen (docs/rules/chessault.md, R4, R6, R12).
CHESSAULT: dict[str, tuple[str, list[tuple[int, int, int]]]] = {
    "start": (
        "chs 8/8/8/8/8/8/8/8/8/8 p1 0 0 setup - 9/9 K1Q1P2/k1q1p2 Q1R2B2N2P6/q1r2b2n2p6 -/- "
        "p5x3c3 - m0k0r0s0",
        [(1, 0, 0), (7, 0, 0), (112, 0, 0), (784, 0, 0), (12544, 0, 0)],
    ),
    "setup, queen for a sacrifice": (
        "chs 8/3qk+3/3p-p-3/8/8/8/8/3P-4/2NQK+3/8 p1 0 0 setup p2 8/7 P1/- Q1R2B2N1P6/q1r2b2n2p6 "
        "-/- p3x3c3 - m0k0r0s0",
        [(1, 0, 0), (6, 0, 0), (62, 0, 0), (326, 0, 0), (3064, 12, 0)],
    ),
    "opening": (
        "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p1 1 1 action p1p2 9/0 -/- "
        "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0",
        [(1, 0, 0), (5, 1, 0), (41, 0, 0), (189, 33, 0), (1555, 56, 0)],
    ),
    "middle game, abilities and marks": (
        "chs nb1r1pq1/p5pk+/3n~2bp/3r2p1/1p2Q+3/4R*3/1P3pP1/5N2/B1K~P2PR/P1PP1B2 p1 37 3 action "
        "p1p2 7/8 -/- Q1P1/q1 N1/p1 p3x2c0 d6>e5 m1k1r0s0",
        [(1, 0, 0), (3, 1, 0), (52, 1, 0), (808, 5, 0), (1793, 430, 0)],
    ),
    "tactics, explode and convert": (
        "chs 1n4p1/k+2q1r2/3p1b*2/8/2r1N~3/4R*3/8/3P-2Q1/2K+5/1P3N2 p1 7 2 move:nrq p1p2 4/3 -/- "
        "Q1R1B2P5/q1b1n1p5 P1/p1 p3x1c2 - m1k0r0s0",
        [(1, 0, 0), (34, 0, 0), (179, 22, 0), (1271, 132, 0), (14800, 544, 0)],
    ),
    "end of turn, three marks": (
        "chs n7/3p-3k/4N3/8/8/1r+6/2B1q*3/3P4/6K+1/2P5 p2 8 3 move:prqk p1p2 2/1 -/- "
        "Q2R2B1N1P6/q1r1b2n1p7 -/- p3x2c0 x>h8,e7>d8,c3>b4 m1k0r0s0",
        [(1, 0, 0), (41, 0, 0), (152, 3, 0), (765, 85, 0), (6905, 478, 29)],
    ),
    "check, line full": (
        "chs 8/3r2k+1/8/8/3R4/8/2p5/3K4/3N4/PPPPBPPP p1 9 2 action p1p2 9/4 -/- "
        "Q2B1N1P1/q2r1b2n2p7 R1/- p4x3c3 - m1k0r0s0",
        [(1, 0, 0), (9, 1, 0), (49, 8, 0), (611, 15, 0), (6095, 437, 0)],
    ),
    "double supply": (
        "chs;supply=double;max_turns=60 "
        "pppbn3/1pq2r2/1k+2p3/5Q2/1b6/8/P3K+3/1B3NP-1/P-PP-4P-/PPPBP3 p2 16 1 action p1p2 3/8 "
        "-/- Q1R4B2N3P6/q1r3b2n3p10 -/p1 p3x3c3 - m0k0r0s0",
        [(1, 0, 0), (6, 1, 0), (62, 1, 0), (786, 12, 0), (5560, 697, 0)],
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


def node_kinds(layer: Iterable[tuple[str, int]]) -> tuple[int, int, int]:
    """Count the sequences that end at a decision, at chance and at the end of the game."""
    kinds: Counter[str] = Counter()
    for asked, sequences in layer:
        kinds[asked] += sequences
    chance, end = kinds["chance"], kinds["end"]
    return kinds.total() - chance - end, chance, end


@pytest.mark.parametrize(("line", "expected"), CHESSAULT.values(), ids=CHESSAULT)
def test_chessault_has_as_many_nodes_of_each_kind_as_counted(
    line: str, expected: list[tuple[int, int, int]]
) -> None:
    game, state = GAMES["chessault"].parse_position(line)
    names = {CHANCE: "chance", TERMINAL: "end"}
    layer = Counter({state: 1})
    for depth, kinds in enumerate(expected):
        layer = next_layer(game, layer) if depth else layer
        assert (
            node_kinds((names.get(game.node_of(s), "seat"), n) for s, n in layer.items()) == kinds
        )


@pytest.mark.parametrize(("line", "expected"), CHESSAULT.values(), ids=CHESSAULT)
def test_the_reference_of_chessault_has_them_too(
    line: str, expected: list[tuple[int, int, int]]
) -> None:
    states = {line: REFERENCES["chessault"].parse(line)}
    layer = Counter({line: 1})
    for depth, kinds in enumerate(expected):
        states, layer = next_reference_layer(states, layer) if depth else (states, layer)
        assert node_kinds((states[text].node(), n) for text, n in layer.items()) == kinds


def next_reference_layer(
    states: Mapping[str, RuleModel], layer: Mapping[str, int]
) -> tuple[dict[str, RuleModel], Counter[str]]:
    """Count the sequences to each line one ply further on; no line is parsed, which takes long."""
    successors: dict[str, RuleModel] = {}
    counts: Counter[str] = Counter()
    for line, sequences in layer.items():
        here = states[line]
        for token in here.legal() or here.chance():
            after = here.apply(token)
            successors[after.text()] = after
            counts[after.text()] += sequences
    return successors, counts
