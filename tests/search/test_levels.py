"""Playing strength in levels."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import Budget, MoveAnalysis
from kingmaker.search.levels import (
    LEVELS,
    Level,
    LevelSearch,
    handicapped,
    level_of,
    select_move,
)
from kingmaker.search.position import new_game, parse_position
from kingmaker.search.run import analyze

WIN = parse_position("tic_tac_toe", "ttt board=oo./.../xx. node=play:p1").observe(1)


@pytest.mark.parametrize("name", GAMES)
def test_there_are_ten_levels_each_at_most_as_limited_as_the_one_below(name: str) -> None:
    levels = [level_of(GAMES[name](), level) for level in LEVELS]
    assert len(levels) == len(GAMES[name].handicaps) + 1 == 10
    for weaker, stronger in pairwise(levels):
        assert (weaker.max_simulations or 0) <= (stronger.max_simulations or 10**9)
        assert weaker.noise >= stronger.noise
        assert weaker.oversight >= stronger.oversight
    assert levels[0].max_simulations != levels[-1].max_simulations


def test_handicaps_go_from_a_beginner_to_a_sound_search() -> None:
    assert handicapped(1) == Level(20, 4.0, 1.0)
    assert handicapped(0) == Level(2000, 0.0, 0.0)


def test_level_10_is_the_search_itself() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    move, analysis = select_move(observation, Budget(simulations=500), level=10, seed=3)
    searched = analyze(observation, Budget(simulations=500), seed=3)
    without_replies = tuple(replace(each, replies=()) for each in searched.moves)
    assert analysis == replace(searched, moves=without_replies)
    assert move == analysis.best_move


def test_nobody_gathers_replies_to_choose_a_move() -> None:
    position, _ = new_game("connect_four").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    budget = Budget(simulations=500)
    assert any(each.replies for each in analyze(observation, budget, seed=3).moves)
    _, analysis = select_move(observation, budget, level=10, seed=3)
    assert not any(each.replies for each in analysis.moves)


def test_low_levels_spend_less() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    _, analysis = select_move(observation, Budget(milliseconds=10_000), level=1, seed=3)
    assert analysis.simulations == level_of(observation.game, 1).max_simulations
    _, analysis = select_move(observation, Budget(simulations=5), level=1, seed=3)
    assert analysis.simulations == 5


def test_a_certain_win_is_seen_but_for_oversights() -> None:
    def found(handicap: float) -> int:
        level = handicapped(handicap)
        moves = [
            select_move(WIN, Budget(simulations=3000), level=level, seed=seed)[0]
            for seed in range(100)
        ]
        return moves.count("c1")

    assert found(0.5) == 100
    assert 80 <= found(0.8) < 100
    assert found(1.0) < 60


def test_low_levels_misjudge_and_a_seed_repeats_it() -> None:
    observation = new_game("connect_four").observe(1)
    chosen = [
        select_move(observation, Budget(simulations=2000), level=1, seed=seed)[0]
        for seed in range(30)
    ]
    assert len(set(chosen)) > 3
    assert chosen == [
        select_move(observation, Budget(simulations=2000), level=1, seed=seed)[0]
        for seed in range(30)
    ]


@pytest.mark.parametrize("level", [0, 11, -3])
def test_other_levels_are_refused(level: int) -> None:
    with pytest.raises(InputError, match="level is"):
        select_move(WIN, Budget(simulations=10), level=level)


def test_a_level_plays_only_when_its_seat_is_to_decide() -> None:
    with pytest.raises(StateError, match="p1 is to move"):
        LevelSearch(new_game("tic_tac_toe").observe(2), Budget(simulations=10))


def test_a_certain_loss_is_not_taken_for_a_poor_move() -> None:
    observation = new_game("connect_four").observe(1)
    moves = tuple(
        MoveAnalysis(
            token,
            visits=100,
            visit_share=0.5,
            values=(value, 1 - value),
            standard_error=0.0,
            line=(token,),
            is_exact=value == 0,
        )
        for token, value in (("a", 0.0), ("b", 0.01))
    )
    for seed in range(40):
        level = handicapped(0.5)
        search = LevelSearch(observation, Budget(simulations=20), level=level, seed=seed)
        assert search.choose(replace(search.run(), moves=moves)) == "b"
