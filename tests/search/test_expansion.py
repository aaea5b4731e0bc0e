"""The option `expand`: a tree grows below a node only after some visits."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.position import new_game
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search


def test_no_node_has_children_before_its_visits() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    seed = Seed(1)
    depths = []
    for expand in (1, 400, 4000):
        options = check_options(ENGINES["ismcts"], position.game, {"expand": expand})
        searcher = IsmctsSearcher(position.game, observation.state, seed, options, 1 << 26)
        searcher.run(2000, 0)
        depths.append(searcher.depth)
    assert depths[0] > depths[1] > depths[2] == 1


def test_expand_has_a_range() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    with pytest.raises(InputError, match="expand is '0'"):
        Search(
            position.observe(position.seat),
            Budget(simulations=1),
            engine="ismcts",
            options={"expand": "0"},
        )
