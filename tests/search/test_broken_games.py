"""Games that break the engine contract: an error, never a crash and never an answer."""

from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import MEGABYTE
from kingmaker.search.expectimax_searcher import ExpectimaxSearcher
from kingmaker.search.flat import FlatSearcher
from kingmaker.search.growing_tree import GrowingTreeSearcher
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.mcts import MctsSearcher
from kingmaker.search.mo_ismcts import MoIsmctsSearcher
from kingmaker.search.perft import count_sequences
from kingmaker.search.pimc import PimcSearcher
from kingmaker.search.position import Position
from kingmaker.search.self_play import SelfPlay
from kingmaker.search.sequence_form import SequenceForm
from kingmaker.search.table import Table
from kingmaker.search.tree_size import TreeProbe
from tests.compiled import compiled_once

OPTIONS = {
    "exploration": 0.3,
    "playout": "policy",
    "playout_plies": 0,
    "max_depth": 0,
    "expand": 1,
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
    (MoIsmctsSearcher, "auto"),
    (GrowingTreeSearcher, "regret"),
    (ExpectimaxSearcher, "ucb"),
    (PimcSearcher, "ucb"),
    (FlatSearcher, "ucb"),
]
WITHOUT_PLAYOUTS = (ExpectimaxSearcher, PimcSearcher)
DECISION_FAULTS = [
    "no move",
    "too many moves",
    "negative moves",
    "more moves than there is room for",
    "a few moves beyond the largest list",
    "seat too high",
    "seat too low",
]
OUTCOME_FAULTS = [
    "no outcome",
    "more outcomes than there is room for",
    "lopsided coin",
    "impossible outcome listed",
    "coin of no number",
]
SHARE_FAULTS = ["shares of no number", "shares lost", "negative share"]
HISTORY_FAULTS = [
    "impossible past move",
    "impossible past outcome",
    "past beyond the end",
    "too long a past",
]
BREACH = "broken_game breaks the engine contract"


@pytest.fixture(scope="session")
def broken_game() -> Any:
    """Compile the broken game; calling what it returns with a fault makes one."""
    return compiled_once("broken_game").BrokenGame


def search(
    game: Any, kind: Any, selection: str, past: list[int], seat: int, **changed: object
) -> int:
    """Search what a seat sees after some plies, with changed options."""
    state = game.start_state()
    for move in past:
        state = game.after(state, move)
    options = {**OPTIONS, "selection": selection, **changed}
    seed = Seed(1)
    searcher = kind(game, game.observed(state, seat), seed, options, MEGABYTE)
    code: int = searcher.run(500, 0)
    return code


@pytest.mark.parametrize("playout", ["policy", "uniform"])
@pytest.mark.parametrize("num_seats", [2, 3, 8])
@pytest.mark.parametrize(("kind", "selection"), ANY_SEARCH)
@pytest.mark.parametrize("fault", DECISION_FAULTS + SHARE_FAULTS)
def test_a_broken_decision_or_end_ends_every_search(
    broken_game: Any, fault: str, kind: Any, selection: str, num_seats: int, playout: str
) -> None:
    game = broken_game(fault, num_seats)
    with pytest.raises(RuntimeError, match=BREACH):
        search(game, kind, selection, [0, 1], 0, playout=playout)


@pytest.mark.parametrize("kind", [MctsSearcher, IsmctsSearcher, MoIsmctsSearcher])
@pytest.mark.parametrize(
    "fault", ["weight of no number", "weight of nothing", "weight without end"]
)
def test_weights_of_a_policy_that_are_none_end_a_search(
    broken_game: Any, fault: str, kind: Any
) -> None:
    with pytest.raises(RuntimeError, match=BREACH):
        search(broken_game(fault), kind, "ucb", [0, 1], 0, temperature=None)
    assert search(broken_game(""), kind, "ucb", [0, 1], 0, temperature=None) > 0


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("kind", [FlatSearcher, MctsSearcher, ExpectimaxSearcher, PimcSearcher])
@pytest.mark.parametrize("fault", DECISION_FAULTS[:-2])
def test_a_broken_root_ends_a_search_that_keeps_its_moves(
    broken_game: Any, fault: str, kind: Any, greedy: bool
) -> None:
    """Flat search looks at no other list of moves; the others keep more for each of the root."""
    with pytest.raises(RuntimeError, match=BREACH):
        search(broken_game(fault, 3), kind, "ucb", [0, 1, 0], 0, greedy=greedy)


@pytest.mark.parametrize("kind", [MctsSearcher, GrowingTreeSearcher])
def test_an_outcome_that_is_not_listed_ends_a_search_that_lists_them(
    broken_game: Any, kind: Any
) -> None:
    with pytest.raises(RuntimeError, match=BREACH):
        search(broken_game("unlisted outcome"), kind, "regret", [0, 1], 0)


@pytest.mark.parametrize(
    "kind", [MctsSearcher, GrowingTreeSearcher, ExpectimaxSearcher, PimcSearcher]
)
@pytest.mark.parametrize("fault", OUTCOME_FAULTS)
def test_a_broken_chance_node_ends_a_search_that_weighs_its_outcomes(
    broken_game: Any, fault: str, kind: Any
) -> None:
    with pytest.raises(RuntimeError, match=BREACH):
        search(broken_game(fault), kind, "regret", [0, 1], 0)


@pytest.mark.parametrize("playout", ["policy", "uniform"])
@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize(
    "kind", [MctsSearcher, IsmctsSearcher, MoIsmctsSearcher, GrowingTreeSearcher, FlatSearcher]
)
@pytest.mark.parametrize("fault", ["no outcome to draw", *OUTCOME_FAULTS[1:]])
def test_a_chance_node_without_an_outcome_to_draw_ends_a_search(
    broken_game: Any, fault: str, kind: Any, greedy: bool, playout: str
) -> None:
    with pytest.raises(RuntimeError, match=BREACH):
        search(broken_game(fault), kind, "regret", [0], 1, greedy=greedy, playout=playout)


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        (MctsSearcher, {"playout_plies": 1}),
        (IsmctsSearcher, {"playout_plies": 1, "playout": "uniform"}),
        (MoIsmctsSearcher, {"playout_plies": 1}),
        (FlatSearcher, {"greedy": True}),
        (ExpectimaxSearcher, {"depth": 2}),
        (ExpectimaxSearcher, {"depth": 2, "rivals": "paranoid"}),
        (PimcSearcher, {"depth": 2}),
    ],
)
@pytest.mark.parametrize("num_seats", [2, 8])
def test_an_evaluation_without_shares_ends_a_search_that_takes_it(
    broken_game: Any, kind: Any, changed: dict[str, Any], num_seats: int
) -> None:
    with pytest.raises(RuntimeError, match=BREACH):
        search(broken_game("evaluation of no number", num_seats), kind, "ucb", [], 0, **changed)


@pytest.mark.parametrize(
    ("kind", "selection"), [each for each in ANY_SEARCH if each[0] not in WITHOUT_PLAYOUTS]
)
def test_uniform_playouts_use_nothing_of_the_playout_policy(
    broken_game: Any, kind: Any, selection: str
) -> None:
    game = broken_game("playout of no number")
    with pytest.raises(RuntimeError, match=BREACH):
        search(game, kind, selection, [0], 1)
    search(game, kind, selection, [0], 1, playout="uniform")


@pytest.mark.parametrize("selection", ["auto", "regret"])
def test_replies_are_counted_with_the_playouts_of_the_search(
    broken_game: Any, selection: str
) -> None:
    game = broken_game("playout of no number", 3)
    kind = GrowingTreeSearcher if selection == "regret" else MoIsmctsSearcher
    options = {**OPTIONS, "selection": selection, "playout": "uniform"}
    observation = game.observed(game.start_state(), 0)
    searcher = kind(game, observation, Seed(1), options, MEGABYTE)
    searcher.run(30, 0)
    assert searcher.replies()


# --- games without an end ------------------------------------------------------------------------

NO_END = f"{BREACH}: a game has no end within 1,000,000 plies; every game must come to one"
ENDLESS_CHANCE = f"{BREACH}: chance decides 10,000 times in a row; at last a seat must"


@pytest.mark.parametrize("playout", ["policy", "uniform"])
@pytest.mark.parametrize(
    ("kind", "selection"), [each for each in ANY_SEARCH if each[0] not in WITHOUT_PLAYOUTS]
)
@pytest.mark.parametrize(
    ("fault", "message"), [("no end", NO_END), ("coin thrown for ever", ENDLESS_CHANCE)]
)
def test_a_game_without_an_end_ends_every_search_that_plays_it_out(
    broken_game: Any, fault: str, message: str, kind: Any, selection: str, playout: str
) -> None:
    with pytest.raises(RuntimeError, match=message):
        search(broken_game(fault), kind, selection, [0], 1, playout=playout)


def test_a_game_without_an_end_is_searched_by_playouts_that_are_cut(broken_game: Any) -> None:
    assert search(broken_game("no end"), IsmctsSearcher, "ucb", [0], 1, playout_plies=9) == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda game: game.played_out(game.start_state(), np.random.SFC64(1)),
        lambda game: game.playouts(game.start_state(), np.random.SFC64(1), 2),
        lambda game: Position(game, game.start_state()).apply("0", "1").settle(np.random.SFC64(1)),
        lambda game: search(game, FlatSearcher, "ucb", [0], 1, greedy=True),
        lambda game: SelfPlay(game).play(Seed(1)),
    ],
)
def test_chance_without_an_end_ends_what_waits_for_a_seat(broken_game: Any, call: Any) -> None:
    with pytest.raises(RuntimeError, match=BREACH):
        call(broken_game("coin thrown for ever"))


# --- solvers and the checked methods ------------------------------------------------------------


def solved(game: Any, state: bytes) -> None:
    form = SequenceForm(game, game.start_state(), MEGABYTE)
    assert form.build() == 2


@pytest.mark.parametrize("fault", DECISION_FAULTS + OUTCOME_FAULTS)
@pytest.mark.parametrize(
    "count",
    [
        lambda game, state: TreeProbe(game, state, 1).run(10),
        lambda game, state: count_sequences(game, state, 5),
        solved,
    ],
)
def test_a_broken_node_ends_every_walk_of_the_tree(
    broken_game: Any, fault: str, count: Any
) -> None:
    game = broken_game(fault)
    with pytest.raises(RuntimeError, match=BREACH):
        count(game, game.start_state())


@pytest.mark.parametrize("fault", SHARE_FAULTS)
def test_ends_without_shares_end_the_solver(broken_game: Any, fault: str) -> None:
    game = broken_game(fault)
    with pytest.raises(RuntimeError, match=f"{BREACH}: win shares at the end"):
        solved(game, game.start_state())


@pytest.mark.parametrize(
    ("fault", "past", "method", "message"),
    [
        *[(fault, [0, 1, 0], "moves_of", "lists no move") for fault in DECISION_FAULTS[:-2]],
        ("seat too high", [0, 1, 0], "node_of", "2 is to move in a game of 2 seats"),
        ("seat too low", [0, 1, 0], "moves_of", "-7 is to move"),
        *[(fault, [0, 1], "outcomes_of", "lists no outcome") for fault in OUTCOME_FAULTS],
        *[(fault, [0, 1, 0, 1, 1], "returns_of", "win shares") for fault in SHARE_FAULTS],
        ("evaluation of no number", [], "evaluation_of", "win shares are .*nan"),
        ("too long a past", [0, 1], "history_of", "296 moves; 256 are the most"),
    ],
)
def test_the_method_that_meets_a_breach_says_which(
    broken_game: Any, fault: str, past: list[int], method: str, message: str
) -> None:
    game = broken_game(fault)
    state = game.start_state()
    for move in past:
        state = game.after(state, move)
    with pytest.raises(RuntimeError, match=f"{BREACH}: .*{message}"):
        getattr(game, method)(state)


@pytest.mark.parametrize(
    ("fault", "past", "draw"),
    [
        ("no outcome to draw", [0, 1], lambda game, *given: game.sample(*given)),
        ("no outcome", [0, 1], lambda game, state, _: game.outcome_at(state, 0.5)),
        ("no move", [0, 1, 0], lambda game, *given: game.policy_move(*given)),
        ("no move", [], lambda game, *given: game.played_out(*given)),
        ("seat too high", [], lambda game, *given: game.playouts(*given, 3)),
    ],
)
def test_nothing_is_drawn_of_a_breach(
    broken_game: Any, fault: str, past: list[int], draw: Any
) -> None:
    game = broken_game(fault)
    state = game.start_state()
    for move in past:
        state = game.after(state, move)
    with pytest.raises(RuntimeError, match=BREACH):
        draw(game, state, np.random.SFC64(1))


# --- histories ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [-1, 0, 1])
@pytest.mark.parametrize("fault", HISTORY_FAULTS)
def test_an_impossible_history_ends_a_search_that_replays_it(
    broken_game: Any, fault: str, seat: int
) -> None:
    with pytest.raises(RuntimeError, match=BREACH):
        search(broken_game(fault), GrowingTreeSearcher, "regret", [0, 1, 0], seat)


def test_a_history_that_only_some_worlds_tell_ends_a_search_that_replays_it(
    broken_game: Any,
) -> None:
    game = broken_game("past told at times")
    with pytest.raises((RuntimeError, ValueError), match=r"engine contract|has no Game.history"):
        search(game, GrowingTreeSearcher, "regret", [0, 1, 0], 1)


@pytest.mark.parametrize(("kind", "selection"), ANY_SEARCH)
@pytest.mark.parametrize("fault", ["", "equal moves"])
def test_a_game_that_lists_a_move_twice_is_searched_as_any_other(
    broken_game: Any, fault: str, kind: Any, selection: str
) -> None:
    simulations_or_proof = (1, 2)
    assert search(broken_game(fault), kind, selection, [0, 0], 0) in simulations_or_proof


@pytest.mark.parametrize(
    "fault", [*DECISION_FAULTS, *SHARE_FAULTS, "no outcome to draw", "evaluation of no number"]
)
def test_self_play_of_a_broken_game_ends(broken_game: Any, fault: str) -> None:
    match = SelfPlay(broken_game(fault, 3))
    with pytest.raises(RuntimeError, match=BREACH):
        match.play(Seed(1))


@pytest.mark.parametrize(
    "wrong",
    [{"feature": 9}, {"feature": -1}, {"feature": 2**31 - 1}, {"length": 1 << 20}, {"length": -1}],
    ids=str,
)
def test_features_that_a_game_does_not_have_are_never_used(
    drawn_card: ModuleType, wrong: dict[str, int]
) -> None:
    game = drawn_card.BrokenFeatures(**wrong)
    match = SelfPlay(game, share=1.0)
    for call in (
        partial(Table(game).features, 0),
        partial(game.features_of, game.start_state(), 0),
        partial(match.play, Seed(1)),
    ):
        with pytest.raises(RuntimeError, match=r"drawn_card breaks .* contract: .*feature"):
            call()


@pytest.mark.parametrize(
    ("fault", "past", "told"),
    [
        ("no move", [0, 1], "a decision lists no move, or more than"),
        ("seat too high", [0, 1], "is to move in a game of 2 seats"),
        ("lopsided coin", [0], "a chance node lists no outcome, or more than .*, or probabilities"),
        ("shares lost", [0, 1], "the end gives win shares of .* don't sum to 1"),
    ],
)
@pytest.mark.parametrize("kind", [IsmctsSearcher, ExpectimaxSearcher])
def test_the_error_names_the_breach(
    broken_game: Any, fault: str, past: list[int], told: str, kind: Any
) -> None:
    with pytest.raises(RuntimeError, match=f"{BREACH}: .*{told}"):
        search(broken_game(fault, 2), kind, "ucb", past, len(past) - 1)
