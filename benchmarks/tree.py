"""The shape of trees: whether simulations revisit nodes, and how far they go before the playout."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import MEGABYTE
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.position import Position
from kingmaker.search.registry import ENGINES

from .measure import Figure
from .positions import hearts_decisions, knaves_out_turns
from .works import ISMCTS_OPTIONS, SIMULATIONS

OFTEN = 10
MANY = 100_000
"""Simulations that some 1.6 s give in Knaves Out, see `knaves_out.ismcts.sims_per_s.2p`."""


def hearts_ismcts(quick: bool) -> Mapping[str, Figure]:
    """Count nodes that are visited often in the trees of all the plays that are timed."""
    num_often = num_nodes = 0
    for _, position in hearts_decisions():
        searcher = _searched(position, ISMCTS_OPTIONS, SIMULATIONS)
        num_often += searcher.num_visited(OFTEN)
        num_nodes += searcher.num_nodes
    return {"hearts.ismcts.share_visited_10": Figure(num_often / num_nodes)}


def knaves_out_horizon(quick: bool) -> Mapping[str, Figure]:
    """Count the simulations whose path in the tree passes the ends of the next two turns.

    One that ends the game in the tree has seen all, too.
    """
    budget = MANY // 10 if quick else MANY
    passed: list[list[float]] = [[], []]
    for position in knaves_out_turns():
        searcher = _searched(position, {}, budget)
        ends = searcher.num_passed({position.game.parse_move("end_turn")}, 2)
        for shares, number in zip(passed, ends, strict=True):
            shares.append(number / budget)
    own, reply = (Figure(statistics.mean(each), statistics.stdev(each)) for each in passed)
    return {"knaves_out.horizon.own_turn": own, "knaves_out.horizon.reply": reply}


def _searched(position: Position, options: Mapping[str, Any], simulations: int) -> IsmctsSearcher:
    searcher = IsmctsSearcher(
        position.game,
        position.observe(position.seat).state,
        Seed(1),
        check_options(ENGINES["ismcts"], position.game, options),
        64 * MEGABYTE,
    )
    searcher.run(simulations, 0)
    return searcher
