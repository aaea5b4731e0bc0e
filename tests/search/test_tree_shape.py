"""What benchmarks read of a tree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kingmaker.cext.game import Game
from kingmaker.cext.rng import Seed
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.position import Position, new_game, parse_position
from kingmaker.search.registry import ENGINES

SIMULATIONS = 500
MAIN = (
    "ko 0,0/8,0 t=40;f=p2;a=p1 main@p1 I=-;D=- p1:+:ah3s4s5s6h8ctcjhkhjo:-:jd=:qd=:"
    "kc=as2c3d4c5d6c7d8s9sts:-:R1c8.0,K1d7.3,P1g8.1,P1h7.0:-:-:- p2:+:3d4s5s7d8c8stcqh:-:jh*=:"
    "qc=as:kd=ac:-:P1e6.0,P1e7.0,r2a5.0,K2b5.4:-:-:-"
)


def _searched(
    position: Position, options: Mapping[str, str | int | float], simulations: int = SIMULATIONS
) -> IsmctsSearcher:
    searcher = IsmctsSearcher(
        position.game,
        position.observe(position.seat).state,
        Seed(1),
        check_options(ENGINES["ismcts"], position.game, options),
        1 << 24,
    )
    searcher.run(simulations, 0)
    return searcher


def test_simulations_are_counted_once_by_the_moves_that_they_pass() -> None:
    position = new_game("tic_tac_toe")
    options = check_options(ENGINES["ismcts"], position.game, {"max_depth": 2})
    searcher = IsmctsSearcher(position.game, position.observe(1).state, Seed(1), options, 1 << 20)
    searcher.run(SIMULATIONS, 0)
    moves = position.game.moves_of(position.state)
    center, corner = position.game.parse_move("b2"), position.game.parse_move("a1")
    others = [move for move in moves if move != center]
    at_once = searcher.node_counts([center])[0]
    then = sum(searcher.node_counts([move, center])[0] for move in others)
    assert searcher.num_passed({center}, 2) == [at_once + then, 0]
    assert searcher.num_passed({*moves}, 1) == [SIMULATIONS]
    pair = [searcher.node_counts(path)[0] for path in ([center, corner], [corner, center])]
    assert 0 < searcher.num_passed({center, corner}, 2)[1] == sum(pair)


def test_a_simulation_that_ends_the_game_passes_all() -> None:
    position = new_game("tic_tac_toe")
    for move in ("a1", "b2", "c3", "a3", "c1", "b1", "b3", "a2"):
        position, _ = position.apply(move).settle(np.random.SFC64(1))
    searcher = _searched(position, {})
    assert searcher.num_passed(set(), 2) == [SIMULATIONS] * 2


def test_one_order_of_moves_that_do_not_depend_on_each_other_loses_no_line() -> None:
    position = parse_position("knaves_out", MAIN)
    game, root = position.game, position.state
    wide: dict[str, str | int | float] = {
        "temperature": 0,
        "exploration": 100,
        "playout": "uniform",
        "playout_plies": 1,
    }
    searcher = _searched(position, wide, 50_000)
    lines = []
    for first in game.moves_of(root):
        one = game.after(root, first)
        for second in _in_order(game, one, first):
            two = game.after(one, second)
            if game.node_of(two) == game.node_of(root):
                lines += [[first, second, third] for third in _in_order(game, two, second)]
    assert len(lines) > 5_000
    assert all(searcher.node_counts(line)[1] for line in lines)


def _in_order(game: Game, state: bytes, previous: int) -> list[int]:
    """List the moves that are not left out after `previous` for another order's sake."""
    return [
        move for move in game.moves_of(state) if not game.is_redundant_move(state, previous, move)
    ]
