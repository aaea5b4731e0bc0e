"""Games in Python: played, searched and solved as others, and errors of their methods."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.python_game import Draw, PythonGame
from kingmaker.search.analysis import Budget
from kingmaker.search.position import Position
from kingmaker.search.run import Search, analyze
from kingmaker.search.solver import solve
from tests.python_game.high_card import HighCard


def start(game: HighCard | None = None) -> Position:
    game = game or HighCard()
    return Position(game, game.start_state())


def changed(**methods: Any) -> Any:
    return type("Changed", (HighCard,), methods)()


@pytest.mark.parametrize("engine", ["ismcts", "pimc", "flat", "greedy", "random"])
def test_every_engine_knows_what_to_do_with_the_lowest_card(engine: str) -> None:
    seen = start().apply("deal:1", "deal:2", "keep").observe(2)
    assert seen.text == "hc;cards=5 hands=?/2 back=_/_ node=play:p2 @p2"
    low = start().apply("deal:3", "deal:1", "keep").observe(2)
    analysis = analyze(low, Budget(simulations=400), engine=engine, seed=1)
    if engine != "random":
        assert analysis.best_move == "change"
    assert sum(analysis.values) == pytest.approx(1)


def test_the_same_seed_gives_the_same_answer() -> None:
    seen = start().apply("deal:3", "deal:2").observe(1)
    first, second = (analyze(seen, Budget(simulations=300), seed=5) for _ in range(2))
    assert [move.values for move in first.moves] == [move.values for move in second.moves]


def test_threads_share_a_game() -> None:
    seen = start().apply("deal:3", "deal:2").observe(1)
    assert Search(seen, Budget(simulations=200), seed=1, threads=3).run().simulations == 200
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda _: analyze(seen, Budget(simulations=200), seed=1).values, range(8))
        assert len(set(found)) == 1


def test_an_equilibrium_is_found() -> None:
    solution = solve(start().apply("deal:4", "deal:1", "keep").observe(2))
    assert solution.equilibrium is not None
    assert (solution.equilibrium.exploitability or 0) < 1e-3
    assert {move.move: round(move.probability or 0, 2) for move in solution.moves} == {
        "change": 1.0,
        "keep": 0.0,
    }


def test_a_game_is_copied_and_pickled_with_its_options() -> None:
    game = HighCard(cards="7")
    for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert (type(other), other.options) == (HighCard, {"cards": "7"})


def test_what_a_game_lacks_is_named_when_it_is_made() -> None:
    class Short(PythonGame):
        def start(self) -> bytes:
            return b""

    with pytest.raises(TypeError, match=r"^Short lacks node, legal_moves, apply, returns, observe"):
        Short({}, num_seats=2, state_bytes=1, max_moves=1)
    with pytest.raises(TypeError, match=r"^Short lacks .*features, action_index, action_at; "):
        Short({}, num_seats=2, state_bytes=1, max_moves=1, num_features=1, num_actions=1)


def fails(*given: Any) -> Any:
    raise KeyError("a mistake")


@pytest.mark.parametrize(
    "method",
    [
        "node",
        "legal_moves",
        "chance_outcomes",
        "apply",
        "returns",
        "observe",
        "determinize",
        "seen_move",
        "evaluate",
        "playout_move",
    ],
)
def test_an_error_of_a_method_is_named_with_its_place(method: str) -> None:
    game = changed(**{method: fails})
    sound = start().apply("deal:3", "deal:2")
    engine = "pimc" if method == "evaluate" else "ismcts"
    options = {"depth": 1} if method == "evaluate" else {}
    message = f"high_card breaks the engine contract: {method} raises KeyError: 'a mistake'.*py:"
    budget = Budget(simulations=200)
    with pytest.raises(RuntimeError, match=message):
        analyze(
            Position(game, sound.state).observe(1), budget, engine=engine, options=options, seed=1
        )


def test_an_error_of_history_in_a_world_is_named() -> None:
    calls = []

    def history(self: HighCard, state: bytes) -> Any:
        calls.append(state)  # the first ones ask whether the game has any
        return HighCard.history(self, state) if len(calls) < 3 else fails()

    seen = Position(changed(history=history), start().apply("deal:3", "deal:2").state).observe(1)
    options = {"observers": "multiple"}
    with pytest.raises(RuntimeError, match="history raises KeyError: 'a mistake'"):
        analyze(seen, Budget(simulations=20), engine="ismcts", options=options, seed=1)


@pytest.mark.parametrize(
    ("methods", "call", "message"),
    [
        (
            {"apply": lambda self, state, move: state + b"x"},
            lambda game, state: game.after(state, 17),
            "apply gives a wrong result: a state has 6 bytes, not 7",
        ),
        (
            {"apply": lambda self, state, move: bytearray(state)},
            lambda game, state: game.after(state, 17),
            "apply gives a wrong result: .*bytearray",
        ),
        (
            {"returns": lambda self, state: [1.0]},
            lambda game, state: game.returns_of(state),
            "returns gives a wrong result: 1 win shares for 2 seats",
        ),
        (
            {"chance_outcomes": lambda self, state: [17, 18]},
            lambda game, state: game.outcomes_of(state),
            "chance_outcomes gives a wrong result: ",
        ),
        (
            {"features": lambda self, state, seat: [*range(99)]},
            lambda game, state: game.features_of(state, 0),
            "features gives a wrong result: 99 features of 25",
        ),
        (
            {"features": lambda self, state, seat: [99]},
            lambda game, state: game.features_of(state, 0),
            "the features of a seat are not numbers from 0 to 24",
        ),
        (
            {"history": lambda self, state: (state, [1] * 300)},
            lambda game, state: game.history_of(state),
            "history gives a wrong result: 300 moves; 256 are the most",
        ),
        (
            {"action_index": fails},
            lambda game, state: game.index_of(0),
            "action_index raises KeyError",
        ),
        (
            {"action_at": fails},
            lambda game, state: game.move_at(0),
            "action_at raises KeyError",
        ),
        (
            {"evaluate": lambda self, state: ["a", "b"]},
            lambda game, state: game.evaluation_of(state),
            "evaluate gives a wrong result: ",
        ),
        (
            {"determinize": lambda self, seen, draw: None},
            lambda game, state: game.determinized(state, np.random.SFC64(1)),
            "determinize gives a wrong result: ",
        ),
    ],
)
def test_values_of_a_wrong_kind_are_named(methods: dict[str, Any], call: Any, message: str) -> None:
    game = changed(**methods)
    with pytest.raises(RuntimeError, match=f"breaks the engine contract: {message}"):
        call(game, game.start_state())
    assert game.start_state() == HighCard().start_state()


@pytest.mark.parametrize("method", ["node", "apply", "legal_moves"])
def test_an_interruption_is_no_breach(method: str) -> None:
    def interrupted(*given: Any) -> Any:
        raise KeyboardInterrupt

    game = changed(**{method: interrupted})
    dealt = start().apply("deal:3", "deal:2").observe(1)
    with pytest.raises(KeyboardInterrupt):
        analyze(type(dealt)(game, dealt.state), Budget(simulations=10), seed=1)


def test_random_numbers_are_those_of_the_stream() -> None:
    drawn: list[list[Any]] = []

    class Drawn(HighCard):
        def determinize(self, observation: bytes, draw: Draw) -> bytes:
            drawn.append([draw.random(), draw.below(9), draw.choice("abc"), draw.shuffled("abcd")])
            return super().determinize(observation, draw)

    for _ in range(2):
        Drawn().determinized(HighCard().start_state(), np.random.SFC64(3))
    assert drawn[0] == drawn[1]
    assert sorted(drawn[0][3]) == ["a", "b", "c", "d"]


def test_random_numbers_are_for_one_call() -> None:
    kept = []

    class Keeps(HighCard):
        def determinize(self, observation: bytes, draw: Draw) -> bytes:
            kept.append(draw)
            return super().determinize(observation, draw)

    Keeps().determinized(HighCard().start_state(), np.random.SFC64(3))
    for call in (kept[0].random, lambda: kept[0].below(3), lambda: kept[0].shuffled("ab")):
        with pytest.raises(RuntimeError, match="for one call only"):
            call()
