"""What benchmarks read of a tree."""

from __future__ import annotations

import numpy as np

from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.position import new_game
from kingmaker.search.registry import ENGINES

SIMULATIONS = 500


def test_simulations_are_counted_once_by_the_moves_that_they_pass() -> None:
    position = new_game("tic_tac_toe")
    options = check_options(ENGINES["ismcts"], position.game, {"max_depth": 2})
    searcher = IsmctsSearcher(
        position.game, position.observe(1).state, np.random.SeedSequence(1), options, 1 << 20
    )
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
