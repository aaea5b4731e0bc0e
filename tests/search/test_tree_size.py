"""Estimates of the size of game trees."""

from __future__ import annotations

import math
import threading
import time

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.position import new_game, parse_position
from kingmaker.search.tree_size import TreeProbe, TreeSize, estimate_tree


def estimate(name: str, probes: int, seed: int = 1) -> TreeSize:
    position = new_game(name)
    return estimate_tree(position.game, position.state, probes, seed)


@pytest.mark.parametrize(
    ("name", "num_histories"),
    [("kuhn_poker", 58), ("leduc_poker", 9457), ("tic_tac_toe", 549_946)],
)
def test_the_estimate_agrees_with_the_count(name: str, num_histories: int) -> None:
    size = estimate(name, 20_000)
    assert 0 < size.standard_error < 0.03 * num_histories
    assert abs(size.mean - num_histories) < 4 * size.standard_error


def test_a_tree_that_looks_alike_on_every_way_is_known_exactly() -> None:
    position = parse_position("kuhn_poker", "kuhn p1=k p2=j bets=b node=play:p2")
    size = estimate_tree(position.game, position.state, 2, seed=1)
    assert size == TreeSize(3.0, 0.0, 1.0, 1, 2)


def test_the_end_of_a_game_is_a_tree_of_one() -> None:
    position = parse_position("kuhn_poker", "kuhn p1=k p2=j bets=pp node=end")
    size = estimate_tree(position.game, position.state, 5, seed=1)
    assert size == TreeSize(1.0, 0.0, 0.0, 0, 5)


def test_one_probe_has_no_known_error() -> None:
    assert estimate("leduc_poker", 1).standard_error == math.inf


def test_depths_are_those_of_random_games() -> None:
    size = estimate("tic_tac_toe", 5_000)
    assert size.max_depth == 9
    assert 5 < size.mean_depth < 9


def test_trees_beyond_all_bounds_do_not_overflow() -> None:
    size = estimate("kingdom_coinquest", 100)
    assert 1e100 < size.mean <= 1e300
    assert math.isfinite(size.standard_error)


def test_the_seed_repeats_the_estimate() -> None:
    assert estimate("leduc_poker", 100, seed=7) == estimate("leduc_poker", 100, seed=7)
    assert estimate("leduc_poker", 100, seed=7) != estimate("leduc_poker", 100, seed=8)


def test_slices_give_the_same_estimate() -> None:
    position = new_game("leduc_poker")
    probe = TreeProbe(position.game, position.state, 7)
    for probes in range(10, 101, 10):
        probe.run(probes)
    assert probe.size() == estimate("leduc_poker", 100, seed=7)


def test_a_deadline_in_the_past_leaves_one_probe() -> None:
    position = new_game("leduc_poker")
    assert estimate_tree(position.game, position.state, 10**6, 1, deadline_ns=1).probes == 1


def test_probing_can_be_cancelled() -> None:
    position = new_game("kingdom_coinquest")
    probe = TreeProbe(position.game, position.state, 1)
    thread = threading.Thread(target=lambda: probe.run(10**12))
    thread.start()
    while probe.size().probes == 0:
        time.sleep(0.001)
    probe.cancel()
    thread.join(10)
    assert not thread.is_alive()
    assert 0 < probe.size().probes < 10**12


@pytest.mark.parametrize("probes", [0, -1])
def test_an_estimate_needs_a_probe(probes: int) -> None:
    with pytest.raises(InputError, match="probes"):
        estimate("kuhn_poker", probes)
