"""Expectimax against plain recursion, and what its flags, limits and pauses promise."""

import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.analysis import MEGABYTE, Bound, Budget, StopReason
from kingmaker.search.engine_options import check_options
from kingmaker.search.expectimax import MAX_DEPTH, MAX_WIDTH, Expectimax
from kingmaker.search.position import (
    TERMINAL,
    Position,
    new_game,
    parse_observation,
    parse_position,
)
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search, analyze
from tests.plain_expectimax import max_n, share

WHOLE_GAME = 99
SOLVED = 2  # stop code: nothing is left to do


def states(
    game: str, count: int, options: Mapping[str, str | int] | None = None
) -> Iterator[tuple[Game, bytes]]:
    """Yield every state, chance nodes and ends too, of games by the playout policy."""
    stream = np.random.SFC64(5)
    position = new_game(game, options)
    for _ in range(count):
        yield position.game, position.state
        if position.is_terminal:
            position = new_game(game, options)
        elif position.is_chance:
            position = position.apply(position.sample_outcome(stream))
        else:
            move = position.game.policy_move(position.state, stream)
            position = position.apply(position.game.move_text(move))


def solved(
    game: Game,
    state: bytes,
    depth: int | None = None,
    memory_bytes: int = MEGABYTE,
    **options: Any,
) -> Expectimax:
    kernel = Expectimax(game, state, {"depth": depth, **options}, memory_bytes)
    assert kernel.run(0, 0) == SOLVED
    return kernel


def children(game: Game, state: bytes) -> list[bytes]:
    return [game.after(state, move) for move in game.moves_of(state)]


TWO_SEATS = [
    ("tic_tac_toe", {}, 60, (1, 2, 3, 4)),
    ("kuhn_poker", {}, 60, (1, 2, 3, 4, WHOLE_GAME)),
    ("leduc_poker", {}, 150, (1, 2, 3, 4, 5)),
    ("goofspiel", {"cards": 4}, 60, (1, 2, 3, 4)),
    ("kingdom_coinquest", {}, 200, (1, 2, 3)),
    ("chessault", {}, 60, (1, 2)),
]


@pytest.mark.parametrize("memory_bytes", [MEGABYTE // 8, 4 * MEGABYTE])
@pytest.mark.parametrize(
    ("game", "options", "count", "depths"), TWO_SEATS, ids=[name for name, *_ in TWO_SEATS]
)
def test_pruning_never_changes_a_value(
    game: str, options: dict[str, str | int], count: int, depths: tuple[int, ...], memory_bytes: int
) -> None:
    for rules, state in states(game, count, options):
        for depth in depths:
            kernel = solved(rules, state, min(depth, MAX_DEPTH), memory_bytes)
            plain = share(rules, state, depth, kernel.seat)
            assert kernel.values() == pytest.approx(
                [plain if seat == kernel.seat else 1 - plain for seat in range(2)]
            )
            for after, (_, values, _, _) in zip(
                children(rules, state), kernel.moves(), strict=True
            ):
                assert values[kernel.seat] == pytest.approx(
                    share(rules, after, depth - 1, kernel.seat)
                )


@pytest.mark.parametrize("num_seats", [3, 4])
def test_rivals_who_are_selfish_play_max_n(num_seats: int) -> None:
    for rules, state in states("kingdom_coinquest", 200, {"players": num_seats}):
        for depth in (1, 2, 3):
            kernel = solved(rules, state, depth)
            assert kernel.values() == pytest.approx(max_n(rules, state, depth))
            for after, (_, values, _, _) in zip(
                children(rules, state), kernel.moves(), strict=True
            ):
                assert values == pytest.approx(max_n(rules, after, depth - 1))


@pytest.mark.parametrize("num_seats", [3, 4])
def test_rivals_who_are_paranoid_all_play_against_one_seat(num_seats: int) -> None:
    for rules, state in states("kingdom_coinquest", 200, {"players": num_seats}):
        for depth in (1, 2, 3):
            kernel = solved(rules, state, depth, rivals="paranoid", seat=1)
            plain = share(rules, state, depth, 1)
            rest = (1 - plain) / (num_seats - 1)
            assert kernel.values() == pytest.approx(
                [plain if seat == 1 else rest for seat in range(num_seats)]
            )


def test_what_is_proven_to_a_depth_holds_for_the_whole_game() -> None:
    seen: Counter[Bound] = Counter()
    for game, options in (("kuhn_poker", {}), ("leduc_poker", {}), ("goofspiel", {"cards": 4})):
        for rules, state in states(game, 100, options):
            true_share = solved(rules, state, seat=0).values()[0]
            for depth in range(1, 9):
                kernel = solved(rules, state, depth, seat=0)
                found = kernel.values()[0]
                seen[kernel.bound] += 1
                if kernel.bound in (Bound.EXACT, Bound.LOWER):
                    assert found <= true_share + 1e-9
                if kernel.bound in (Bound.EXACT, Bound.UPPER):
                    assert found >= true_share - 1e-9
    assert min(seen[bound] for bound in Bound) > 20


def test_an_unlimited_search_ends_with_the_exact_value_of_the_game() -> None:
    for start in (new_game("kuhn_poker"), new_game("goofspiel", {"cards": 4, "order": "random"})):
        kernel = solved(start.game, start.state, seat=0)
        assert kernel.bound is Bound.EXACT
        assert kernel.values()[0] == pytest.approx(share(start.game, start.state, WHOLE_GAME, 0))


def test_tic_tac_toe_is_a_draw_whatever_is_played_first() -> None:
    start = new_game("tic_tac_toe")
    kernel = solved(start.game, start.state)
    assert kernel.values() == [0.5, 0.5]
    assert kernel.bound is Bound.EXACT
    assert [(values, bound) for _, values, bound, _ in kernel.moves()] == [
        ([0.5, 0.5], Bound.EXACT)
    ] * 9


def connect_four(num_empty: int, seed: int) -> Position:
    """A random position with so many empty squares, not over."""
    chooser = random.Random(seed)
    position = new_game("connect_four")
    while len(position.legal_moves()) and position.text.count(".") > num_empty:
        position = position.apply(chooser.choice(position.legal_moves()))
        if position.is_terminal:
            position = new_game("connect_four")
    return position


def alpha_beta(game: Game, state: bytes, alpha: float, beta: float) -> float:
    """The share of the seat to decide, by the plainest pruning."""
    node = game.node_of(state)
    for after in children(game, state):
        if game.node_of(after) == TERMINAL:
            value = game.returns_of(after)[node]
        else:
            value = 1 - alpha_beta(game, after, 1 - beta, 1 - alpha)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return alpha


def test_endgames_of_connect_four_are_solved() -> None:
    results = set()
    for seed in range(40):
        position = connect_four(10, seed)
        kernel = solved(position.game, position.state)
        assert kernel.bound is Bound.EXACT
        assert kernel.values()[kernel.seat] == alpha_beta(position.game, position.state, 0, 1)
        results.add(kernel.values()[0])
    assert results == {0.0, 0.5, 1.0}


def test_fourteen_empty_squares_of_connect_four_take_few_nodes() -> None:
    for seed in range(100):
        position = connect_four(14, seed)
        kernel = solved(position.game, position.state, memory_bytes=16 * MEGABYTE)
        assert all(bound is Bound.EXACT for _, _, bound, _ in kernel.moves())
        assert kernel.nodes < 1_000_000


def test_a_line_is_legal_and_leads_to_the_value() -> None:
    for seed in range(20):
        position = connect_four(12, seed)
        kernel = solved(position.game, position.state, memory_bytes=4 * MEGABYTE)
        for move, values, _, line in kernel.moves():
            end = position.apply(*(position.game.move_text(each) for each in line))
            assert line[0] == move
            assert not end.is_terminal or end.returns() == values


@pytest.mark.parametrize(
    ("game", "options", "depth"),
    [
        ("connect_four", {}, 8),
        ("leduc_poker", {}, 8),
        ("kingdom_coinquest", {}, 4),
        ("kingdom_coinquest", {"players": 3}, 3),
        ("chessault", {}, 4),
    ],
)
@pytest.mark.parametrize("width", [0, 2])
def test_pauses_change_nothing(
    game: str, options: dict[str, str | int], depth: int, width: int
) -> None:
    chooser = random.Random(1)
    for rules, state in list(states(game, 30, options))[::5]:
        whole = solved(rules, state, depth, width=width)
        kernel = Expectimax(rules, state, {"depth": depth, "width": width}, MEGABYTE)
        num_runs = 0
        while kernel.run(kernel.nodes + chooser.randint(1, 40), 0) != SOLVED:
            num_runs += 1
        assert num_runs > 0 or whole.nodes <= 40
        assert kernel.root_moves() == whole.root_moves()
        assert (kernel.nodes, kernel.depth) == (whole.nodes, whole.depth)


def test_pauses_by_the_clock_change_nothing() -> None:
    start = new_game("connect_four")
    whole = solved(start.game, start.state, 9)
    kernel = Expectimax(start.game, start.state, {"depth": 9}, MEGABYTE)
    codes = []
    while SOLVED not in codes:
        codes.append(kernel.run(0, time.monotonic_ns() + 300_000))
    assert len(codes) > 2
    assert kernel.root_moves() == whole.root_moves()
    assert kernel.nodes == whole.nodes


def test_an_unfinished_iteration_is_not_reported() -> None:
    start = new_game("connect_four")
    by_depth = {depth: solved(start.game, start.state, depth).moves()[:3] for depth in range(1, 8)}
    kernel = Expectimax(start.game, start.state, {}, MEGABYTE)
    assert kernel.run(3, 0) == 1
    assert (kernel.nodes, kernel.depth) == (3, 0)
    depths = set()
    while kernel.depth < 7:
        kernel.run(kernel.nodes + 37, 0)
        depths.add(kernel.depth)
        if kernel.depth:
            found = [values for _, values, _, _ in kernel.moves()[:3]]
            assert found == [values for _, values, _, _ in by_depth[kernel.depth]]
    assert len(depths) > 3


def test_before_the_first_iteration_values_are_those_right_after_each_move() -> None:
    start = new_game("connect_four")
    kernel = Expectimax(start.game, start.state, {}, MEGABYTE)
    assert kernel.bound is Bound.HEURISTIC
    assert kernel.values() == start.game.evaluation_of(start.state)
    assert [values for _, values, _, _ in kernel.moves()] == [
        start.game.evaluation_of(after) for after in children(start.game, start.state)
    ]


def test_a_finished_game_has_its_returns() -> None:
    end = parse_position("tic_tac_toe", "ttt board=xxx/oo./... node=end")
    kernel = solved(end.game, end.state)
    assert (kernel.values(), kernel.bound, kernel.moves()) == ([1.0, 0.0], Bound.EXACT, [])
    assert kernel.nodes == 0


@pytest.mark.parametrize("delay", [0.0, 0.05])
def test_cancel_from_another_thread_ends_a_run(delay: float) -> None:
    start = new_game("connect_four")
    kernel = Expectimax(start.game, start.state, {}, MEGABYTE)
    threading.Timer(delay, kernel.cancel).start()
    assert kernel.run(0, 0) == 3
    assert kernel.run(0, 0) == 3


GROWTH = """
from pathlib import Path
from kingmaker.search.expectimax import Expectimax
from kingmaker.search.position import new_game

def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

start = new_game("connect_four")
before = resident_bytes()
kernel = Expectimax(start.game, start.state, {}, 24 << 20)
kernel.run(6_000_000, 0)
print(kernel.memory_bytes, resident_bytes() - before)
"""


def test_table_and_stack_stay_within_the_memory_limit() -> None:
    # In a process of its own, where nothing else comes and goes.
    done = subprocess.run([sys.executable, "-c", GROWTH], capture_output=True, text=True)
    memory_bytes, growth = map(int, done.stdout.split())
    assert memory_bytes == 24 * MEGABYTE
    assert 12 * MEGABYTE < growth < 25 * MEGABYTE


def test_a_small_memory_limits_the_depth_and_too_small_a_one_is_refused() -> None:
    start, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    kernel = solved(start.game, start.state, MAX_DEPTH, memory_bytes=32 * 1024)
    assert 1 <= kernel.depth < 20
    with pytest.raises(InputError, match="takes at least") as refused:
        Expectimax(start.game, start.state, {}, 1000)
    assert refused.value.field == "budget.memory_bytes"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"depth": 0}, "engine_options.depth"),
        ({"depth": -3}, "engine_options.depth"),
        ({"depth": MAX_DEPTH + 1}, "engine_options.depth"),
        ({"rivals": "friendly"}, "engine_options.rivals"),
        ({"width": -1}, "engine_options.width"),
        ({"width": MAX_WIDTH + 1}, "engine_options.width"),
        ({"seat": 2}, "seat"),
        ({"seat": -1}, "seat"),
    ],
)
def test_a_bad_option_is_refused_with_its_value(options: dict[str, Any], field: str) -> None:
    start = new_game("tic_tac_toe")
    with pytest.raises(InputError) as refused:
        Expectimax(start.game, start.state, options, MEGABYTE)
    assert refused.value.field == field
    assert refused.value.value == str(next(iter(options.values())))


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match="bytes"):
        Expectimax(new_game("connect_four").game, new_game("tic_tac_toe").state, {}, MEGABYTE)


# --- as an engine --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["expectimax", "pimc"])
@pytest.mark.parametrize(
    ("option", "value"), [("depth", 0), ("depth", "-1"), ("depth", "deep"), ("rivals", "kind")]
)
def test_an_engine_refuses_a_bad_option_with_its_field(
    name: str, option: str, value: str | int
) -> None:
    with pytest.raises(InputError) as refused:
        check_options(ENGINES[name], new_game("connect_four").game, {option: value})
    assert refused.value.field == f"engine_options.{option}"
    assert refused.value.value == str(value)


def test_the_engine_says_what_its_value_is() -> None:
    start = new_game("tic_tac_toe").observe(1)
    whole = analyze(start, Budget(simulations=10**6), engine="expectimax", seed=1)
    assert (whole.values, whole.bound, whole.is_exact) == ((0.5, 0.5), Bound.EXACT, True)
    assert whole.stop_reason is StopReason.SOLVED
    shallow = analyze(
        start, Budget(simulations=10**6), engine="expectimax", seed=1, options={"depth": "2"}
    )
    assert (shallow.bound, shallow.is_exact, shallow.depth) == (Bound.HEURISTIC, False, 2)
    assert shallow.stop_reason is StopReason.DEPTH


def test_the_engine_ranks_moves_by_value_though_most_nodes_lie_elsewhere() -> None:
    position = parse_observation("tic_tac_toe", "ttt board=oo./.../xx. node=play:p1 @p1")
    analysis = analyze(position, Budget(simulations=10**6), engine="expectimax", seed=1)
    assert analysis.best_move == "c1"
    assert analysis.moves[0].visits == min(move.visits for move in analysis.moves)
    shares = [move.values[0] for move in analysis.moves]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("simulations", [1, 5, 1000, 123_457])
def test_a_budget_of_simulations_is_one_of_states(simulations: int) -> None:
    start = new_game("connect_four").observe(1)
    analysis = analyze(start, Budget(simulations=simulations), engine="expectimax", seed=1)
    assert analysis.simulations == analysis.num_nodes == simulations
    assert analysis.stop_reason is StopReason.SIMULATIONS
    assert all(move.visits >= 1 for move in analysis.moves)


def test_two_threads_do_what_one_does() -> None:
    start = new_game("connect_four").observe(1)
    one, two = (
        Search(start, Budget(simulations=20_000), engine="expectimax", seed=1, threads=threads)
        for threads in (1, 2)
    )
    assert one.run() == two.run()
    assert one.config_hash == two.config_hash


def test_slices_of_the_engine_give_the_answer_of_one_run() -> None:
    start = new_game("connect_four").observe(1)
    budget = Budget(simulations=400_000)
    whole = analyze(start, budget, engine="expectimax", seed=1)
    search = Search(start, budget, engine="expectimax", seed=1)
    snapshots = [search.advance(1)]
    while not search.is_finished:
        snapshots.append(search.advance(1))
    assert len(snapshots) > 2
    assert snapshots[-1] == whole


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux tells")
@pytest.mark.parametrize(("megabytes", "is_large"), [(8, False), (64, True), (256, False)])
def test_tables_of_some_size_ask_for_large_pages(megabytes: int, is_large: bool) -> None:
    def num_advised() -> int:
        flags = re.findall(r"^VmFlags:.*$", Path("/proc/self/smaps").read_text(), re.MULTILINE)
        return sum(" hg" in each for each in flags)

    before = num_advised()
    start = new_game("connect_four")
    search = Expectimax(start.game, start.state, {}, megabytes * MEGABYTE)
    assert (num_advised() > before) == is_large
    del search
