"""Whether simulations revisit nodes of the tree, or each grows its own path."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kingmaker.search.analysis import MEGABYTE
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.registry import ENGINES

from .measure import Figure
from .positions import hearts_decisions
from .works import ISMCTS_OPTIONS, SIMULATIONS

OFTEN = 10


def hearts_ismcts(quick: bool) -> Mapping[str, Figure]:
    """Count nodes that are visited often in the trees of all the plays that are timed."""
    num_often = num_nodes = 0
    for _, position in hearts_decisions():
        observation = position.observe(position.seat)
        options = check_options(ENGINES["ismcts"], position.game, ISMCTS_OPTIONS)
        searcher = IsmctsSearcher(
            position.game, observation.state, np.random.SeedSequence(1), options, 64 * MEGABYTE
        )
        searcher.run(SIMULATIONS, 0)
        num_often += searcher.num_visited(OFTEN)
        num_nodes += searcher.num_nodes
    return {"hearts.ismcts.share_visited_10": Figure(num_often / num_nodes)}
