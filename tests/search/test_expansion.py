"""How trees grow: `expand`, `root_exploration` and `prior_visits`."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.cext.games.knaves_out.game import KnavesOut
from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.position import Position, new_game, parse_position
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search, analyze
from tests.search.test_tree_shape import MAIN

FIRST_VISITS = 8
"""Of a node, in which nothing is kept of what the policy does."""


def test_the_tree_does_not_grow_before_its_visits() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    depths = [_searcher(position, expand).depth for expand in (1, 400, 4000)]
    # Without a tree there are the move, an outcome after it and the policy's first move.
    assert depths[0] > depths[1] >= depths[2]
    assert depths[2] <= 3


def test_the_policy_chooses_at_the_first_visits_of_a_node() -> None:
    position = parse_position("knaves_out", MAIN)
    game = position.game
    draws = np.random.SFC64(7)
    few, many = _searcher(position, 10_000), _searcher(position, 20)
    own_choices = 0
    for first, after in _own_turns(position):
        drawn = {game.policy_move(after, draws) for _ in range(2000)}
        counts = {move: few.node_counts([first, move])[0] for move in game.moves_of(after)}
        assert {move for move, count in counts.items() if count > 2} <= drawn
        assert sum(counts.values()) >= few.node_counts([first])[0] - FIRST_VISITS
        own_choices += sum(many.node_counts([first, move])[0] > 2 for move in counts.keys() - drawn)
    assert own_choices > 0


def test_a_uniform_policy_chooses_uniformly() -> None:
    position = parse_position("knaves_out", MAIN)
    searcher = _searcher(position, 10_000, playout="uniform", playout_plies=1, temperature=0)
    counts = [
        [searcher.node_counts([first, move])[0] for move in position.game.moves_of(after)]
        for first, after in _own_turns(position)
    ]
    often = max(counts, key=sum)
    assert sum(often) > 10 * len(often)
    assert 0 < max(often) < 4 * sum(often) / len(often)


def test_lines_and_replies_are_choices_of_the_tree() -> None:
    seen = new_game("tic_tac_toe").observe(1)

    def search(expand: int) -> Analysis:
        options = {"expand": expand}
        return analyze(seen, Budget(simulations=5000), engine="ismcts", seed=1, options=options)

    # No node but the root gets 10,000 visits: the tree has no answer to any move.
    assert all(len(move.line) == 1 and not move.replies for move in search(10_000).moves)
    answered = search(100).moves[0]
    assert len(answered.line) > 1
    assert answered.replies


def test_the_root_may_explore_more_than_what_follows() -> None:
    game = KnavesOut(players=2)
    game.use_net(None)  # by the weights all places for a king are worth about the same
    position, _ = Position(game, game.start_state()).settle(np.random.SFC64(3))
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
        options={"prior_visits": prior_visits, "exploration": 0, "temperature": 0.015},
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


def _searcher(position: Position, expand: int, **options: str | float) -> IsmctsSearcher:
    checked = check_options(ENGINES["ismcts"], position.game, {"expand": expand, **options})
    observation = position.observe(position.seat)
    searcher = IsmctsSearcher(position.game, observation.state, Seed(1), checked, 1 << 26)
    searcher.run(2000, 0)
    return searcher


def _own_turns(position: Position) -> list[tuple[int, bytes]]:
    """List the moves after which the same seat decides, with the states after them."""
    game, root = position.game, position.state
    after = [(move, game.after(root, move)) for move in game.moves_of(root)]
    return [(move, state) for move, state in after if game.node_of(state) == game.node_of(root)]
