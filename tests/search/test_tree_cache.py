"""A search that begins with the tree of the same seat's last one."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import islice
from threading import Thread
from time import sleep

import numpy as np
import pytest

from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import MEGABYTE, Analysis, Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.kept_tree import take_over
from kingmaker.search.levels import choose_move
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search
from kingmaker.search.tree_cache import TreeCache

SIMULATIONS = 2000
TURNS = {  # games with several decisions in a turn
    "kingdom_coinquest": 20,
    "code_of_chivalry": 40,
    "knaves_out": 60,
    "hearts": 10,
}


def search(
    observation: Observation, cache: TreeCache | None, simulations: int = SIMULATIONS
) -> Analysis:
    return Search(observation, Budget(simulations=simulations), seed=1, cache=cache).run()


def settled(position: Position, seed: int) -> Position:
    return position.settle(np.random.SFC64(seed))[0]


def middle(name: str, seed: int = 1) -> Position:
    """Play some random moves, up to a decision with a choice."""
    rng = np.random.default_rng(seed)
    position = settled(new_game(name), seed)
    for number in range(1000):
        moves = position.legal_moves()
        if number >= TURNS[name] and len(moves) > 1:
            return position
        after = settled(position.apply(moves[rng.integers(len(moves))]), seed + number)
        position = settled(new_game(name), seed + number) if after.is_terminal else after
    raise AssertionError("no such position")


def with_pointless_moves() -> Iterator[tuple[Observation, Observation, set[str]]]:
    """Yield decisions of one turn, the next ones, and the moves of these that are never tried."""
    rng = np.random.SFC64(3)
    for number in range(6):
        position = settled(new_game("knaves_out", {"players": "2"}), number)
        while not position.is_terminal:
            game = position.game
            played = game.move_text(game.policy_move(position.state, rng))
            after = position.apply(played)
            if after.seat == position.seat and not after.is_chance:
                state = after.state
                pointless = [m for m in game.moves_of(state) if game.is_pointless_move(state, m)]
                if pointless:
                    seat = position.seat
                    texts = {game.move_text(move) for move in pointless}
                    yield position.observe(seat), after.observe(seat), texts
            position = settled(after, number)


def in_turn(name: str) -> tuple[Observation, str, Observation]:
    """Find a decision, its best move, and the next decision with a choice, of the same seat."""
    for seed in range(1, 100):
        position = middle(name, seed)
        best = search(position.observe(position.seat), None).best_move
        after = position.apply(best)
        if not after.is_terminal and after.seat == position.seat and len(after.legal_moves()) > 1:
            return position.observe(position.seat), best, after.observe(position.seat)
    raise AssertionError("no turn with two decisions")


@pytest.mark.parametrize("name", ["kingdom_coinquest", "code_of_chivalry", "knaves_out"])
def test_a_search_begins_with_what_the_last_one_found(name: str) -> None:
    before, move, now = in_turn(name)
    cache = TreeCache()
    first = search(before, cache)
    assert cache.visits == 0
    [played] = [each for each in first.moves if each.move == move]
    second = search(now, cache, simulations=1)
    # The node may have been reached by other orders too; its first visit was for no move.
    assert cache.visits >= 0.5 * played.visits
    assert sum(each.visits for each in second.moves) == cache.visits + 1
    assert second.simulations == 1
    plan = {each.move for each in second.moves if each.visits == second.moves[0].visits}
    assert played.line[1] in plan or name == "knaves_out"


@pytest.mark.parametrize("name", ["kingdom_coinquest", "knaves_out"])
def test_values_that_were_taken_over_are_near_those_of_a_new_search(name: str) -> None:
    before, _, now = in_turn(name)
    cache = TreeCache()
    search(before, cache, 20_000)
    kept, new = search(now, cache, 1), search(now, None, 20_000)
    assert cache.visits > 1000
    fresh = {each.move: each for each in new.moves}
    best = kept.moves[0]
    error = np.hypot(best.standard_error, fresh[best.move].standard_error)
    seat = now.seat - 1
    assert abs(best.values[seat] - fresh[best.move].values[seat]) < 4 * error + 0.02
    assert all(0 < each.standard_error <= 0.5 for each in kept.moves)
    assert all(abs(sum(each.values) - 1) < 1e-9 for each in kept.moves)


@pytest.mark.parametrize("name", TURNS)
def test_an_empty_cache_changes_nothing(name: str) -> None:
    position = middle(name)
    observation = position.observe(position.seat)
    without, with_ = search(observation, None), search(observation, TreeCache())
    assert with_.moves == without.moves
    assert with_.values == without.values


@pytest.mark.parametrize("change", ["seat", "game", "options", "threads", "engine", "later"])
def test_a_tree_that_does_not_fit_is_not_used(change: str) -> None:
    before, _, now = in_turn("kingdom_coinquest")
    cache = TreeCache()
    if change == "seat":
        other = middle("kingdom_coinquest", 3)
        seat = other.seat
        search(other.observe(seat), cache)
    else:
        Search(
            middle_of_another() if change == "game" else before,
            Budget(simulations=SIMULATIONS),
            engine="flat" if change == "engine" else "",
            threads=2 if change == "threads" else 1,
            options={"exploration": 0.3} if change == "options" else {},
            seed=1,
            cache=cache,
        ).run()
    if change == "later":  # one search between them, of something else
        search(middle("kingdom_coinquest", 5).observe(1), cache)
    assert search(now, cache).moves == search(now, None).moves
    assert cache.visits == 0


def search_until_refused(observation: Observation, cache: TreeCache) -> None:
    for _ in range(10_000):  # until the other thread has begun
        search(observation, copy(cache), simulations=1)
        sleep(0.001)


def middle_of_another() -> Observation:
    position = settled(new_game("kingdom_coinquest", {"health": 5}), 1)
    return position.observe(position.seat)


def play(name: str, caches: dict[int, TreeCache] | None, num_decisions: int) -> list[str]:
    """Play some decisions; returns the moves."""
    position, stream, moves = new_game(name), np.random.SFC64(3), []
    position, _ = position.settle(stream)
    for number in range(num_decisions):
        if position.is_terminal:
            break
        seat = position.seat
        moves.append(
            choose_move(
                position.observe(seat),
                Budget(simulations=200),
                seed=number,
                cache=None if caches is None else caches[seat],
            )
        )
        position, _ = position.apply(moves[-1]).settle(stream)
    return moves


@pytest.mark.parametrize("name", TURNS)
def test_a_game_with_kept_trees_can_be_played_again(name: str) -> None:
    def caches() -> dict[int, TreeCache]:
        return {seat: TreeCache() for seat in range(1, 9)}

    first, second = caches(), caches()
    assert play(name, first, 60) == play(name, second, 60)
    assert [each.visits for each in first.values()] == [each.visits for each in second.values()]


@pytest.mark.parametrize("name", ["kingdom_coinquest", "code_of_chivalry", "knaves_out"])
def test_hidden_cards_do_not_change_what_a_kept_tree_answers(name: str) -> None:
    before, _, now = in_turn(name)
    answers = []
    for seed in range(3):
        world = before.determinize(np.random.SFC64(seed))  # other hidden cards
        cache = TreeCache()
        search(world.observe(before.observer), cache)
        answers.append(search(now, cache).moves)
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("name", ["kingdom_coinquest", "knaves_out"])
def test_a_small_memory_is_kept_to(name: str) -> None:
    before, _, now = in_turn(name)
    cache = TreeCache()
    budget = Budget(simulations=SIMULATIONS, memory_bytes=1 << 20)
    Search(before, budget, seed=1, cache=cache).run()
    analysis = Search(now, budget, seed=2, cache=cache).run()
    assert cache.visits > 0
    assert analysis.memory_bytes <= budget.memory_bytes
    assert analysis.simulations == SIMULATIONS


def test_each_thread_keeps_its_own_tree() -> None:
    before, _, now = in_turn("kingdom_coinquest")
    cache = TreeCache()
    budget = Budget(simulations=SIMULATIONS)
    Search(before, budget, seed=1, threads=2, cache=cache).run()
    analysis = Search(now, budget, seed=2, threads=2, cache=cache).run()
    # A new tree has one visit of the root that is of no move.
    assert (
        sum(each.visits for each in analysis.moves) >= cache.visits + SIMULATIONS - 2 > SIMULATIONS
    )


def test_the_tree_of_a_search_that_still_runs_is_not_taken() -> None:
    before, _, now = in_turn("kingdom_coinquest")
    cache = TreeCache()
    running = Search(before, Budget(milliseconds=60_000), seed=1, cache=cache)
    thread = Thread(target=running.run)
    thread.start()
    try:
        with pytest.raises(RuntimeError, match="the search before still runs"):
            search_until_refused(now, cache)
    finally:
        running.cancel()
        thread.join()


def test_a_search_of_given_worlds_takes_no_tree_and_leaves_none() -> None:
    before, _, now = in_turn("kingdom_coinquest")
    world = now.determinize(np.random.SFC64(1))
    options = {"observers": "single", "selection": "ucb"}

    def found(cache: TreeCache | None) -> Analysis:
        budget = Budget(simulations=SIMULATIONS)
        return Search(now, budget, options=options, worlds=[world], seed=1, cache=cache).run()

    cache = TreeCache()
    Search(before, Budget(simulations=SIMULATIONS), options=options, seed=1, cache=cache).run()
    assert found(cache).moves == found(None).moves
    Search(now, Budget(simulations=SIMULATIONS), options=options, seed=1, cache=cache).run()
    assert 0 < cache.visits < SIMULATIONS  # of the search before, whose tree is still kept


def test_engines_without_a_tree_of_one_seat_search_as_without_a_cache() -> None:
    for name, engine in (("connect_four", "mcts"), ("kuhn_poker", "ismcts"), ("hearts", "flat")):
        position = settled(new_game(name), 1)
        observation, cache = position.observe(position.seat), TreeCache()
        found = [
            Search(observation, Budget(simulations=300), engine=engine, seed=1, cache=each).run()
            for each in (None, cache, cache)
        ]
        assert found[0].moves == found[1].moves == found[2].moves
        assert cache.visits == 0


def test_a_node_at_which_rivals_decided_too_keeps_own_moves_only() -> None:
    # Whether a rival still places, or the observer again, depends on the world.
    position = settled(new_game("knights_duty"), 1)
    budget = Budget(simulations=300, memory_bytes=1 << 20)
    options = {"observers": "single"}
    caches = [TreeCache() for _ in range(position.num_seats)]
    num_kept = 0
    for seed in range(40):
        cache, seen = caches[position.seat - 1], position.observe(position.seat)
        found = Search(seen, budget, engine="ismcts", seed=seed, options=options, cache=cache)
        kept = cache.visits
        analysis = found.run()
        assert {move.move for move in analysis.moves} == set(position.legal_moves())
        assert sum(move.visits for move in analysis.moves) == kept + 300
        num_kept += kept > 0
        position = settled(position.apply(analysis.best_move), seed)
        if position.is_terminal:
            break
    assert num_kept > 0


def test_moves_that_no_search_tries_at_its_root_are_not_taken_over() -> None:
    earlier_visits = 0
    for before, observation, pointless in islice(with_pointless_moves(), 0, 60, 6):
        cache = TreeCache()
        search(before, cache)
        analysis = search(observation, cache, 100)
        earlier_visits += cache.visits
        assert not [move for move in analysis.moves if move.visits and move.move in pointless]
    assert earlier_visits > 1000


def test_searches_without_keys_have_no_trees_to_take_over() -> None:
    observation = new_game("tic_tac_toe").observe(1)
    options = check_options(ENGINES["ismcts"], observation.game, {})
    first, second = (
        IsmctsSearcher(observation.game, observation.state, Seed(1), options, MEGABYTE)
        for _ in range(2)
    )
    with pytest.raises(ValueError, match="must give keys"):
        take_over(second, first)
