"""How trees grow: `expand`, `root_exploration` and `prior_visits`."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.position import Position, new_game
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search, analyze


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


def test_the_root_may_explore_more_than_what_follows() -> None:
    position, _ = new_game("knaves_out").settle(np.random.SFC64(3))
    seen = position.observe(position.seat)

    def search(options: dict[str, float]) -> Analysis:
        flat = {"temperature": 0, "expand": 1, **options}
        return analyze(seen, Budget(simulations=2000), engine="ismcts", seed=1, options=flat)

    rooted = search({"root_exploration": 100, "exploration": 0.05})
    visits = [move.visits for move in rooted.moves]
    assert len(visits) > 1
    assert max(visits) - min(visits) <= 1
    assert rooted.depth > search({"exploration": 100}).depth
    narrow = [move.visits for move in search({"exploration": 0.05}).moves]
    assert max(narrow) - min(narrow) > 100


def test_who_gives_an_exploration_wants_it_at_the_root() -> None:
    game = GAMES["knaves_out"]()
    engine = ENGINES["ismcts"]
    assert check_options(engine, game, {})["root_exploration"] > 0
    assert check_options(engine, game, {"exploration": 0.1})["root_exploration"] == 0
    both = check_options(engine, game, {"exploration": 0.1, "root_exploration": 0.3})
    assert both["root_exploration"] == 0.3


def test_only_one_tree_explores_its_root_apart() -> None:
    game = GAMES["knaves_out"]()
    engine = ENGINES["ismcts"]
    assert check_options(engine, game, {"observers": "multiple"})["root_exploration"] == 0
    with pytest.raises(InputError, match="root_exploration is 3, which needs observers=single"):
        check_options(engine, game, {"observers": "multiple", "root_exploration": 3})


@pytest.mark.parametrize(
    ("option", "value"),
    [("expand", "0"), ("root_exploration", "-1"), ("prior_visits", "-1")],
)
def test_options_have_a_range(option: str, value: str) -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    with pytest.raises(InputError, match=f"{option} is '{value}'"):
        Search(
            position.observe(position.seat),
            Budget(simulations=1),
            engine="ismcts",
            options={option: value},
        )


def test_with_many_prior_visits_the_tree_goes_by_the_evaluation() -> None:
    stream = np.random.SFC64(1)
    rng = np.random.Generator(stream)
    position, _ = new_game("knaves_out", {"players": 4}).settle(stream)
    strayed = {0: 0, 10**6: 0}
    for _ in range(200):
        moves = position.legal_moves()
        if "main@" in position.text and len(moves) > 2:
            for prior_visits in strayed:
                strayed[prior_visits] += bool(_visited(position, prior_visits) - _best(position))
        position, _ = position.apply(moves[rng.integers(len(moves))]).settle(stream)
    assert strayed[10**6] == 0
    assert strayed[0] > 3


def _visited(position: Position, prior_visits: int) -> set[str]:
    """The moves that a tree tries which does not explore."""
    analysis = analyze(
        position.observe(position.seat),
        Budget(simulations=200),
        engine="ismcts",
        seed=1,
        options={"prior_visits": prior_visits, "exploration": 0},
    )
    return {move.move for move in analysis.moves if move.visits}


def _best(position: Position) -> set[str]:
    """The moves with the best evaluation after them; hidden hands change it by less than 0.001."""
    game = position.game
    values = {
        move: game.evaluation_of(game.after(position.state, game.parse_move(move)))[
            position.seat - 1
        ]
        for move in position.legal_moves()
    }
    return {move for move, value in values.items() if value > max(values.values()) - 1e-3}
