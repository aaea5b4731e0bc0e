"""Priors of tree searches by a learned policy (`Game.prior_weights`)."""

from __future__ import annotations

import pytest

from kingmaker.search.analysis import Budget
from kingmaker.search.position import parse_observation
from kingmaker.search.run import Search


@pytest.mark.parametrize("observers", ["single", "multiple"])
def test_a_search_begins_with_the_moves_of_the_policy(observers: str) -> None:
    """Unless a temperature asks for the evaluation after each move."""
    seen = parse_observation(
        "code_of_chivalry",
        "coc;players=2 15 p1 0 8,ca,pgnd/4,a,?7 ?62 p6s4k3nl2uhx main *>p2:p - @p1",
    )
    options = {"observers": observers, "selection": "ucb"}
    by_policy = Search(seen, Budget(simulations=100), engine="ismcts", seed=1, options=options)
    by_values = Search(
        seen,
        Budget(simulations=100),
        engine="ismcts",
        seed=1,
        options={**options, "temperature": "0.05"},
    )
    game = seen.game
    visits = {each.move: each.visits for each in by_policy.run().moves}
    weights = {
        game.move_text(move): game.prior_weight_of(seen.state, move)
        for move in game.moves_of(seen.state)
    }
    least, most = (choose(weights, key=weights.__getitem__) for choose in (min, max))
    assert visits[most] > 2 * visits[least]
    assert visits != {each.move: each.visits for each in by_values.run().moves}
