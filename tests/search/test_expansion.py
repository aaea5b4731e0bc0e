"""How trees grow: `expand`, `root_exploration` and the depth of worlds."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.cext.games.knaves_out.game import KnavesOut
from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.position import Position, new_game
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search, analyze


def test_the_root_may_explore_more_than_what_follows() -> None:
    game = KnavesOut(players=2)
    game.use_net(None)  # by the weights all places for a king are worth about the same
    position, _ = Position(game, game.start_state()).settle(np.random.SFC64(3))
    seen = position.observe(position.seat)

    def search(options: dict[str, float]) -> Analysis:
        flat = {"temperature": 0, **options}
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


@pytest.mark.parametrize("given", [{"observers": "single"}, {"selection": "ucb"}])
def test_only_regret_has_an_anchor(given: dict[str, str]) -> None:
    engine, knights = ENGINES["ismcts"], GAMES["knights_duty"]()
    assert check_options(engine, knights, {})["anchor"] == knights.anchor_weight > 0
    assert check_options(engine, knights, given)["anchor"] == 0
    with pytest.raises(InputError, match="anchor is 1, which needs selection=regret or auto"):
        check_options(engine, knights, {**given, "anchor": 1})
    assert check_options(engine, knights, {**given, "anchor": 0})["anchor"] == 0


def test_only_trees_of_all_seats_wait_before_they_grow() -> None:
    engine = ENGINES["ismcts"]
    knights, coinquest = GAMES["knights_duty"](), GAMES["kingdom_coinquest"]()
    assert check_options(engine, knights, {})["expand"] == knights.expansion > 1
    assert check_options(engine, knights, {"observers": "single"})["expand"] == 1
    assert check_options(engine, coinquest, {"observers": "multiple", "expand": 5})["expand"] == 5
    with pytest.raises(InputError, match="expand is 5, which needs observers=multiple"):
        check_options(engine, coinquest, {"expand": 5})


@pytest.mark.parametrize("name", ["knaves_out", "kingdom_coinquest"])
def test_the_game_says_how_deep_worlds_are_searched(name: str) -> None:
    position, _ = new_game(name).settle(np.random.SFC64(1))
    seen, engine = position.observe(position.seat), ENGINES["pimc"]
    depth = position.game.world_depth
    assert check_options(engine, position.game, {})["depth"] == depth
    assert check_options(engine, position.game, {"depth": 1})["depth"] == 1
    assert analyze(seen, Budget(simulations=2), engine="pimc", seed=1).depth == depth


@pytest.mark.parametrize(("option", "value"), [("expand", "0"), ("root_exploration", "-1")])
def test_options_have_a_range(option: str, value: str) -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    with pytest.raises(InputError, match=f"{option} is '{value}'"):
        Search(
            position.observe(position.seat),
            Budget(simulations=1),
            engine="ismcts",
            options={option: value},
        )
