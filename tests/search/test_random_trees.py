"""Expectimax in random games, where all that pruning can get wrong happens often."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from kingmaker.search.analysis import Bound
from kingmaker.search.expectimax import MAX_DEPTH, Expectimax
from tests.compiled import compiled_once
from tests.plain_expectimax import max_n, share

NUM_TREES = 250
DEPTHS = (2, 3, 5, 60)
"""The last one reaches every end."""
SIZES = (96 << 10, 1 << 20)
each_size = pytest.mark.parametrize(
    "memory_bytes", [pytest.param(SIZES[0], marks=pytest.mark.slow), SIZES[1]]
)
"""Bytes: a table that forgets most, and one that keeps all."""


@pytest.fixture(scope="session")
def random_tree() -> Any:
    """Compile the random games; calling what it returns makes one.

    The same arguments give the same object, of which plain expectimax knows the values.
    """
    return cache(compiled_once("random_tree").RandomTree)


def found(game: Any, depth: int, memory_bytes: int, **options: Any) -> Expectimax:
    kernel = Expectimax(game, game.start_state(), {"depth": depth, **options}, memory_bytes)
    assert kernel.run(0, 0) == 2
    return kernel


@each_size
def test_two_seats_get_the_value_of_plain_expectimax(random_tree: Any, memory_bytes: int) -> None:
    for seed in range(NUM_TREES):
        game = random_tree(2, seed)
        start = game.start_state()
        for depth in DEPTHS:
            kernel = found(game, depth, memory_bytes, seat=seed % 2)
            plain = share(game, start, depth, kernel.seat)
            assert kernel.values()[kernel.seat] == pytest.approx(plain)
            for move, values, _, _ in kernel.moves():
                plain = share(game, game.after(start, move), depth - 1, kernel.seat)
                assert values[kernel.seat] == pytest.approx(plain)


@each_size
def test_selfish_seats_get_the_values_of_plain_max_n(random_tree: Any, memory_bytes: int) -> None:
    for seed in range(NUM_TREES // 3):  # nothing is pruned
        game = random_tree(3 + seed % 2, seed)
        for depth in DEPTHS:
            kernel = found(game, depth, memory_bytes)
            assert kernel.values() == pytest.approx(max_n(game, game.start_state(), depth))


@each_size
def test_paranoid_seats_get_the_value_of_all_against_one(
    random_tree: Any, memory_bytes: int
) -> None:
    for seed in range(NUM_TREES):
        game = random_tree(3, seed)
        for depth in DEPTHS:
            kernel = found(game, depth, memory_bytes, seat=2, rivals="paranoid")
            plain = share(game, game.start_state(), depth, 2)
            assert kernel.values()[2] == pytest.approx(plain)


@pytest.mark.parametrize("num_seats", [2, 3])
def test_what_is_proven_to_a_depth_is_true(random_tree: Any, num_seats: int) -> None:
    seen: Counter[Bound] = Counter()
    for seed in range(NUM_TREES // (num_seats - 1)):
        game = random_tree(num_seats, seed)
        whole = found(game, DEPTHS[-1], SIZES[1], seat=0)
        assert whole.bound is Bound.EXACT
        for depth in range(1, 7):
            kernel = found(game, depth, SIZES[0], seat=0)
            seen[kernel.bound] += 1
            if kernel.bound is Bound.EXACT:
                assert kernel.values() == pytest.approx(whole.values())
            elif kernel.bound is Bound.LOWER:
                assert kernel.values()[0] <= whole.values()[0] + 1e-9
            elif kernel.bound is Bound.UPPER:
                assert kernel.values()[0] >= whole.values()[0] - 1e-9
    assert seen[Bound.EXACT] > 20
    assert num_seats > 2 or min(seen[Bound.LOWER], seen[Bound.UPPER]) > 10


@pytest.mark.parametrize("width", [1, 2])
def test_what_a_selective_search_proves_is_true(random_tree: Any, width: int) -> None:
    seen: Counter[Bound] = Counter()
    for seed in range(NUM_TREES):
        game = random_tree(2, seed)
        whole = found(game, DEPTHS[-1], SIZES[1], seat=0)
        for depth in (*range(1, 9), 60):
            kernel = found(game, depth, SIZES[seed % 2], seat=0, width=width)
            seen[kernel.bound] += 1
            if kernel.bound is Bound.EXACT:
                assert kernel.values() == pytest.approx(whole.values())
            elif kernel.bound is Bound.LOWER:
                assert kernel.values()[0] <= whole.values()[0] + 1e-9
            elif kernel.bound is Bound.UPPER:
                assert kernel.values()[0] >= whole.values()[0] - 1e-9
    assert min(seen[bound] for bound in Bound) > 10


def test_a_selective_search_that_leaves_nothing_out_finds_the_whole_value(random_tree: Any) -> None:
    for seed in range(NUM_TREES):
        game = random_tree(2, seed)
        whole = found(game, DEPTHS[-1], SIZES[1])
        selective = found(game, MAX_DEPTH, SIZES[1], width=4)
        assert selective.values() == pytest.approx(whole.values())
        assert selective.bound is Bound.EXACT


def test_a_game_without_a_legal_move_is_an_error_and_no_answer(random_tree: Any) -> None:
    game = random_tree(2, 1, is_broken=True)
    kernel = Expectimax(game, game.start_state(), {}, SIZES[1])
    with pytest.raises(RuntimeError, match="random_tree breaks the engine contract"):
        kernel.run(0, 0)
