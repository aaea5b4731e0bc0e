"""Games of the largest size that searches and solvers hold, and games that are larger."""

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.contract import check_limits
from kingmaker.cext.errors import InputError, UnknownGameError
from kingmaker.cext.game import Game
from kingmaker.cext.rng import Seed
from kingmaker.search import games as game_names
from kingmaker.search.analysis import Budget
from kingmaker.search.expectimax import Expectimax
from kingmaker.search.games import game_type, game_types
from kingmaker.search.perft import count_sequences
from kingmaker.search.position import Position, new_game
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search
from kingmaker.search.solution import Limits, Method
from kingmaker.search.solver import Solver
from kingmaker.search.tree_size import estimate_tree
from tests.compiled import compiled_once
from tests.foreign_games import register
from tests.plain_expectimax import max_n, share

SEATS = 8
ANY_ENGINE = [
    ("mcts", {}),
    ("ismcts", {"observers": "single"}),
    ("ismcts", {"observers": "single", "hostility": 1}),
    ("ismcts", {"observers": "multiple", "selection": "ucb"}),
    ("ismcts", {"observers": "multiple", "selection": "auto"}),
    ("pimc", {"depth": 4}),
    ("pimc", {"depth": 4, "rivals": "paranoid"}),
    ("expectimax", {}),
    ("expectimax", {"rivals": "paranoid"}),
    ("flat", {}),
    ("greedy", {}),
    ("random", {}),
]
OPTIONS = {"observers": "multiple", "selection": "regret"}
TOO_LARGE = [
    ({"players": 0}, "num_seats", "0"),
    ({"players": 9}, "num_seats", "9"),
    ({"max_moves": 0}, "max_moves", "0"),
    ({"max_moves": 1025}, "max_moves", "1025"),
    ({"state_bytes": 0}, "state_bytes", "0"),
    ({"state_bytes": 65537}, "state_bytes", "65537"),
    ({"told": 257}, "history", "257"),
]


@pytest.fixture(scope="session")
def tables() -> ModuleType:
    """Compile the game of many seats, open (`RoundTable`) and hidden (`SecretTable`)."""
    return compiled_once("round_table")


def after(game: Any, *moves: int) -> bytes:
    state: bytes = game.start_state()
    for move in moves:
        state = game.after(state, move)
    return state


@pytest.mark.parametrize(
    ("kind", "engine", "options"),
    [
        (kind, *engine)
        for kind in ("RoundTable", "SecretTable")
        for engine in ANY_ENGINE
        if kind == "RoundTable" or ENGINES[engine[0]].takes_hidden
    ],
)
@pytest.mark.parametrize("num_moves", [0, 1, 5])
def test_every_engine_plays_with_eight_seats(
    tables: ModuleType, kind: str, engine: str, options: dict[str, Any], num_moves: int
) -> None:
    game = getattr(tables, kind)()
    position = Position(game, after(game, *[1] * num_moves))
    budget = Budget(simulations=400)
    observation = position.observe(position.seat)
    analysis = Search(observation, budget, engine=engine, seed=1, options=options).run()
    assert [move.move for move in analysis.moves] != []
    for values in [analysis.values, *[move.values for move in analysis.moves]]:
        assert len(values) == SEATS
        assert sum(values) == pytest.approx(1)
    assert {move.move for move in analysis.moves} <= {"0", "1", "2"}


@pytest.mark.parametrize("seats", [2, 6, 7, 8])
def test_values_of_all_seats_are_those_of_plain_expectimax(tables: ModuleType, seats: int) -> None:
    game = tables.RoundTable(seats)
    start = game.start_state()
    for depth in (2, 5, 60):
        selfish = Expectimax(game, start, {"depth": depth}, 1 << 22)
        assert selfish.run(0, 0) == 2
        if seats > 2:
            assert selfish.values() == pytest.approx(max_n(game, start, depth))
        for seat in (0, seats - 1):
            options = {"depth": depth, "rivals": "paranoid", "seat": seat}
            paranoid = Expectimax(game, start, options, 1 << 22)
            assert paranoid.run(0, 0) == 2
            assert paranoid.values()[seat] == pytest.approx(share(game, start, depth, seat))


@pytest.mark.parametrize("engine", ["mcts", "expectimax"])
def test_a_proof_gives_all_eight_seats_their_exact_shares(tables: ModuleType, engine: str) -> None:
    position = Position(tables.RoundTable(), after(tables.RoundTable(), 1, 2, 0, 2))
    found = Search(position.observe(5), Budget(simulations=50_000), engine=engine, seed=1).run()
    assert found.values == pytest.approx(max_n(position.game, position.state, 60))


def test_greedy_play_looks_at_the_last_of_eight_seats(tables: ModuleType) -> None:
    """In the first position of p7 its own move is all that its evaluation depends on."""
    game = tables.RoundTable()
    position = Position(game, after(game, 0, 1, 2, 0, 1, 2))
    found = Search(position.observe(7), Budget(simulations=200), engine="greedy", seed=1).run()
    assert found.moves[0].move == "2"
    for move in found.moves:
        reached = game.after(position.state, int(move.move))
        assert move.values == pytest.approx(game.evaluation_of(reached))


@pytest.mark.parametrize("method", [Method.EXACT, Method.LIMITED])
def test_the_solver_values_a_game_of_eight_seats(tables: ModuleType, method: Method) -> None:
    game = tables.RoundTable()
    position = Position(game, after(game, 2, 2, 1))
    depth = 2 if method is Method.LIMITED else None
    solution = Solver(position, Limits(nodes=10**6), method=method, depth=depth).run()
    assert solution.values == pytest.approx(max_n(game, position.state, depth or 60))


def test_sequences_and_histories_of_eight_seats_are_counted(tables: ModuleType) -> None:
    game = tables.RoundTable()
    counts = [3**i for i in range(8)] + [2 * 3**7, 2 * 3**8]
    assert count_sequences(game, game.start_state(), 9) == counts
    assert estimate_tree(game, game.start_state(), 10, 1).mean == sum(counts)


# --- games that are too large -----------------------------------------------------------------


@pytest.mark.parametrize(("numbers", "field", "value"), TOO_LARGE)
def test_a_game_beyond_a_limit_is_refused(
    tables: ModuleType, numbers: dict[str, int], field: str, value: str
) -> None:
    with pytest.raises(InputError, match=f"{field} of round_table .*{value}.*must be") as caught:
        check_limits(tables.RoundTable(**numbers))
    assert (caught.value.field, caught.value.value) == (field, value)


def test_a_game_at_all_limits_is_accepted(tables: ModuleType) -> None:
    check_limits(tables.RoundTable(8, max_moves=1024, state_bytes=65536, told=256))


def test_a_number_of_seats_that_no_search_holds_is_refused(tables: ModuleType) -> None:
    class Crowd(tables.RoundTable):  # type: ignore[name-defined, misc]
        seat_counts = (2, 9)

    with pytest.raises(InputError, match="seat_counts of round_table is 9; it must be 1 to 8"):
        check_limits(Crowd())


@pytest.mark.parametrize("kind", [engine.searcher for engine in ENGINES.values()])
def test_no_search_is_built_of_a_game_that_is_too_large(tables: ModuleType, kind: Any) -> None:
    game = tables.RoundTable(9)
    with pytest.raises(InputError, match="num_seats of round_table is 9; it must be 1 to 8"):
        kind(game, game.start_state(), Seed(1), OPTIONS, 1 << 20)


@pytest.mark.parametrize(
    "begin",
    [
        lambda game, state: Expectimax(game, state, {}, 1 << 20),
        lambda game, state: count_sequences(game, state, 1),
        lambda game, state: estimate_tree(game, state, 1, 1),
        lambda game, state: game.returns_of(state),
        lambda game, state: game.evaluation_of(state),
        lambda game, state: game.played_out(state, np.random.SFC64(1)),
        lambda game, state: game.playouts(state, np.random.SFC64(1), 1),
    ],
)
def test_nothing_is_computed_of_a_game_that_is_too_large(tables: ModuleType, begin: Any) -> None:
    game = tables.RoundTable(9)
    with pytest.raises(InputError, match="num_seats"):
        begin(game, game.start_state())


# --- registered games -------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _forget_games() -> Any:
    yield
    game_names._registered.cache_clear()


def test_a_foreign_game_of_eight_seats_is_begun(
    tables: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(monkeypatch, round_table=tables.RoundTable)
    assert new_game("round_table").num_seats == SEATS


def test_foreign_games_that_cannot_be_used_leave_the_others_alone(
    tables: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crowd(tables.RoundTable):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__(9)

    class Alias(tables.RoundTable):  # type: ignore[name-defined, misc]
        pass

    class Counted(tables.RoundTable):  # type: ignore[name-defined, misc]
        name = "counted"
        options = {"players": 2}  # noqa: RUF012 as a game has them

    class Sick(tables.RoundTable):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            raise KeyError("no such table")

    ours = [*game_types()]
    register(
        monkeypatch,
        alias=Alias,
        counted=Counted,
        crowd=Crowd,
        sick=Sick,
        missing=ImportError("no module named table"),
        number=7,
        round_table=tables.RoundTable,
    )
    assert sorted(game_types()) == sorted([*ours, "round_table"])
    for name, why in {
        "alias": "the entry point calls it alias, and its class round_table",
        "counted": r"its options are {'players': 2}; they must be a dict of texts by name",
        "crowd": "num_seats of round_table is 9; it must be 1 to 8",
        "sick": "no such table",
        "missing": "no module named table",
        "number": "7 is no subclass",
    }.items():
        with pytest.raises(InputError, match=f"'{name}'.*{why}") as caught:
            game_type(name)
        assert (caught.value.field, caught.value.value) == ("game", name)
    with pytest.raises(UnknownGameError, match="no game 'chess'"):
        game_type("chess")


def test_what_a_game_lacks_is_named() -> None:
    class Unwritten(Game):
        pass

    game = Unwritten()
    calls: list[tuple[str, Callable[[], object]]] = [
        ("move_text", partial(game.move_text, 1)),
        ("text", partial(game.text, b"")),
        ("parse_position", partial(Unwritten.parse_position, "line")),
    ]
    for name, call in calls:
        message = rf"^Unwritten\.{name} is missing; a game must have it$"
        with pytest.raises(NotImplementedError, match=message):
            call()


def test_options_that_make_a_game_too_large_are_refused(
    tables: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(monkeypatch, round_table=tables.RoundTable)
    with pytest.raises(InputError, match="num_seats of round_table is 9; it must be 1 to 8"):
        new_game("round_table", {"players": 9})
