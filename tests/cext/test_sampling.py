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
from tests.facts import FACTS

DRAWS = 20_000

CHANCE_NODES = [(name, line) for name, facts in FACTS.items() for line in facts.chance_nodes]
PLAYOUTS = [(name, line) for name, facts in FACTS.items() for line in facts.uniform_playouts]


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
