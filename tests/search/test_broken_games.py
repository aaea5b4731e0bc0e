"""Games that break the engine contract: an error, never a crash and never an answer."""

from typing import Any

import numpy as np
import pytest

from kingmaker.search.analysis import MEGABYTE
from kingmaker.search.expectimax_searcher import ExpectimaxSearcher
from kingmaker.search.flat import FlatSearcher
from kingmaker.search.growing_tree import GrowingTreeSearcher
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.mcts import MctsSearcher
from kingmaker.search.mo_ismcts import MoIsmctsSearcher
from tests.compiled import compiled

OPTIONS = {
    "exploration": 0.3,
    "playout": "policy",
    "playout_plies": 0,
    "max_depth": 0,
    "anchor": 0.1,
    "rivals": "selfish",
    "greedy": False,
    "depth": None,
    "width": 0,
}
ANY_SEARCH = [
    (MctsSearcher, "ucb"),
    (IsmctsSearcher, "ucb"),
    (MoIsmctsSearcher, "ucb"),
    (MoIsmctsSearcher, "regret"),
    (GrowingTreeSearcher, "regret"),
    (ExpectimaxSearcher, "ucb"),
]


@pytest.fixture(scope="session")
def broken_game(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Compile the broken game; calling what it returns with a fault makes one."""
    return compiled("broken_game", tmp_path_factory.mktemp("broken_game")).BrokenGame


def search(
    game: Any, kind: Any, selection: str, past: list[int], seat: int, **changed: object
) -> int:
    """Search what a seat sees after some plies, with changed options."""
    state = game.start_state()
    for move in past:
        state = game.after(state, move)
    options = {**OPTIONS, "selection": selection, **changed}
    seed = np.random.SeedSequence(1)
    searcher = kind(game, game.observed(state, seat), seed, options, MEGABYTE)
    code: int = searcher.run(500, 0)
    return code


@pytest.mark.parametrize("num_seats", [2, 3])
@pytest.mark.parametrize(("kind", "selection"), ANY_SEARCH)
@pytest.mark.parametrize("fault", ["no move", "too many moves", "seat too high", "seat too low"])
def test_a_broken_decision_ends_every_search(
    broken_game: Any, fault: str, kind: Any, selection: str, num_seats: int
) -> None:
    game = broken_game(fault, num_seats)
    with pytest.raises(RuntimeError, match="broken_game breaks the engine contract"):
        search(game, kind, selection, [0, 1], 0)


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("kind", [FlatSearcher, MctsSearcher, ExpectimaxSearcher])
@pytest.mark.parametrize("fault", ["no move", "too many moves"])
def test_a_broken_root_ends_a_search_of_open_games(
    broken_game: Any, fault: str, kind: Any, greedy: bool
) -> None:
    """Flat search looks at no other list of moves; the others keep more for each of the root."""
    with pytest.raises(RuntimeError, match="broken_game breaks the engine contract"):
        search(broken_game(fault, 3), kind, "ucb", [0, 1, 0], 0, greedy=greedy)


@pytest.mark.parametrize("fault", ["no outcome", "unlisted outcome"])
def test_a_broken_chance_node_ends_a_search_that_weighs_its_outcomes(
    broken_game: Any, fault: str
) -> None:
    with pytest.raises(RuntimeError, match="broken_game breaks the engine contract"):
        search(broken_game(fault), GrowingTreeSearcher, "regret", [0, 1], 0)


@pytest.mark.parametrize("seat", [-1, 0, 1])
@pytest.mark.parametrize(
    "fault", ["impossible past move", "impossible past outcome", "past beyond the end"]
)
def test_an_impossible_history_ends_a_search_that_replays_it(
    broken_game: Any, fault: str, seat: int
) -> None:
    with pytest.raises(RuntimeError, match="broken_game breaks the engine contract"):
        search(broken_game(fault), GrowingTreeSearcher, "regret", [0, 1, 0], seat)


def test_a_history_that_only_some_worlds_tell_ends_a_search_that_replays_it(
    broken_game: Any,
) -> None:
    game = broken_game("past told at times")
    with pytest.raises((RuntimeError, ValueError), match=r"engine contract|does not tell"):
        search(game, GrowingTreeSearcher, "regret", [0, 1, 0], 1)


@pytest.mark.parametrize(("kind", "selection"), ANY_SEARCH)
@pytest.mark.parametrize("fault", ["", "equal moves"])
def test_a_game_that_lists_a_move_twice_is_searched_as_any_other(
    broken_game: Any, fault: str, kind: Any, selection: str
) -> None:
    simulations_or_proof = (1, 2)
    assert search(broken_game(fault), kind, selection, [0, 0], 0) in simulations_or_proof
