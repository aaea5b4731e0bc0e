"""What is drawn at random has the distribution that it should have; seeds are fixed.

A frequency over `DRAWS` draws may be off by five standard errors.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from numpy.random import PCG64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES

DRAWS = 20_000

CHANCE_NODES = [
    (
        "goofspiel",
        "goof;cards=5 p1=2,3,4,5 p2=1,2,4,5 bids=_/_ points=0/3 prize=_ down=1,2,4,5 node=prize",
    ),
    ("kuhn_poker", "kuhn p1=_ p2=_ bets=- node=deal:p1"),
    ("kuhn_poker", "kuhn p1=q p2=_ bets=- node=deal:p2"),
    ("leduc_poker", "leduc p1=_ p2=_ board=_ bets=-/- node=deal:p1"),
    ("leduc_poker", "leduc p1=jh p2=_ board=_ bets=-/- node=deal:p2"),
    ("leduc_poker", "leduc p1=kh p2=js board=_ bets=crrc/- node=deal:board"),
    (  # three types can move, and all six
        "chessault",
        "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p1 1 1 dice p1p2 9/0 -/- "
        "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0",
    ),
    (
        "chessault",
        "chs 8/4k+3/8/8/8/8/8/PN2KRQ1/8/2B5 p1 9 1 dice p1p2 0/0 -/- "
        "Q1R1B1N1P7/q2r2b2n2p8 -/- p4x3c3 - m0k0r0s0",
    ),
    (
        "kingdom_coinquest",
        "kc turn=0 epoch=0 node=king:p2 p1=h/20/-/-/-/-/-/- p2=_/20/-/-/-/-/-/- forge=48 grave=-",
    ),
    (
        "code_of_chivalry",
        "coc;players=2 0 p1 0 6,-,j/6,-,- p24s16k9g3n5d3a6c6l6u2h2m2t2w3r2x2j - deal:p1:1 - -",
    ),
    (
        "code_of_chivalry",
        "coc;players=2 60 p1 1 6,-,p20/6,-,s11 p4s5k9gx g2n5d3a6c6l6u2h2m2t2w3r2xj2 draw:1 - "
        "*:p4s5k9gx",
    ),
    (
        "code_of_chivalry",
        "coc;players=3 7 p1 0 4,-,p/6,-,p3s2kgx2/5,-,s p20s13k8g2n5d3a6c6l6u2h2mt2w3r2j2 m "
        "take:p2:4 *>p2:x2 -",
    ),
    ("knights_duty", "kd t3 1.draw chance 0,0/F/B/d/BMM;3,0/F/S/d/HMM q1>2;ia=y"),
    ("knights_duty", "kd t3 1.draw chance 0,0/F/S/d/SMM;1,0/F/S/d/MMM q1>2;id=y"),
]

# Positions from which a whole playout is made of other steps than `policy_move` and `sample`.
PLAYOUTS = [
    (
        "goofspiel",
        "goof;cards=4 p1=1,2,4 p2=1,2,3 bids=_/_ points=0/3 prize=_ down=1,2,4 node=prize",
    ),
    ("goofspiel", "goof;cards=4 p1=1,3 p2=1,2 bids=1/_ points=2/3 prize=1 down=4 node=bid:p2"),
    (
        "goofspiel",
        "goof;cards=5;order=ascending p1=1,2,4,5 p2=1,2,3,5 bids=_/_ points=0/1 prize=2 down=3,4,5 "
        "node=bid:p1",
    ),
    (
        "goofspiel",
        "goof;cards=5;order=descending p1=1,4,5 p2=1,2,5 bids=5/1 points=5/4 prize=3 down=1,2 "
        "node=reveal",
    ),
    ("connect_four", "c4 board=......./......./......./......./......./....... node=play:p1"),
    ("connect_four", "c4 board=x..o.../o..x.../x..o.../o..xo../xo.oxx./oxoxoxx node=play:p2"),
    ("leduc_poker", "leduc p1=_ p2=_ board=_ bets=-/- node=deal:p1"),
    ("leduc_poker", "leduc p1=js p2=_ board=_ bets=-/- node=deal:p2"),
    ("leduc_poker", "leduc p1=js p2=qh board=_ bets=cr/- node=play:p1"),
    ("leduc_poker", "leduc p1=js p2=qh board=kh bets=cc/r node=play:p2"),
    ("leduc_poker", "leduc p1=js p2=qh board=_ bets=rrc/- node=deal:board"),
]


def assert_frequencies(counts: Counter[str], expected: dict[str, float]) -> None:
    assert counts.keys() == expected.keys()
    total = counts.total()
    for token, probability in expected.items():
        tolerance = 5 * sqrt(total * probability * (1 - probability))
        assert abs(counts[token] - total * probability) < tolerance, token


def stepwise(game: Game, state: bytes, rng: np.random.Generator) -> bytes:
    """Play on with uniform moves, one method call a step."""
    while (node := game.node_of(state)) != -2:
        if node == -1:
            state = game.after(state, game.sample(state, rng.bit_generator))
        else:
            moves = game.moves_of(state)
            state = game.after(state, moves[rng.integers(len(moves))])
    return state


@pytest.mark.parametrize(("name", "line"), CHANCE_NODES)
def test_outcomes_are_drawn_with_their_probability(name: str, line: str) -> None:
    game, state = GAMES[name].parse_position(line)
    stream = PCG64(1)
    drawn = Counter(game.move_text(game.sample(state, stream)) for _ in range(DRAWS))
    assert_frequencies(drawn, {game.move_text(o): p for o, p in game.outcomes_of(state)})


@pytest.mark.parametrize(("name", "line"), PLAYOUTS)
def test_playouts_end_like_games_of_uniform_moves(name: str, line: str) -> None:
    game, state = GAMES[name].parse_position(line)
    stream, rng = PCG64(3), np.random.default_rng(4)
    fast = [game.played_out(state, stream) for _ in range(DRAWS)]
    slow = [game.returns_of(stepwise(game, state, rng))[0] for _ in range(DRAWS // 4)]
    values = [shares[0] for _, _, shares in fast]
    error = sqrt(np.var(values) / len(values) + np.var(slow) / len(slow))
    assert abs(np.mean(values) - np.mean(slow)) <= 5 * error


def test_leduc_playouts_end_in_every_way_with_its_probability() -> None:
    """From `cr` in round two: fold 1/3, call 1/3, raise 1/3 and then fold or call."""
    game, state = GAMES["leduc_poker"].parse_position(
        "leduc p1=js p2=qh board=kh bets=cc/cr node=play:p1"
    )
    stream = PCG64(5)
    ends = Counter(game.view(game.played_out(state, stream)[0])["bets"][1] for _ in range(DRAWS))
    assert_frequencies(ends, {"crf": 1 / 3, "crc": 1 / 3, "crrf": 1 / 6, "crrc": 1 / 6})


def test_playouts_of_connect_four_choose_each_open_column_equally_often() -> None:
    game, state = GAMES["connect_four"].parse_position(
        "c4 board=...o.../...x.../...o.../...x.../...o.../...x... node=play:p1"
    )
    stream = PCG64(6)
    after = Counter(game.text(game.played_out(state, stream, 1)[0]) for _ in range(DRAWS))
    expected = {game.text(game.after(state, move)): 1 / 6 for move in game.moves_of(state)}
    assert_frequencies(after, expected)
