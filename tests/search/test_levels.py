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
from kingmaker.search.position import Observation, new_game, parse_position
from kingmaker.search.run import analyze

WIN = parse_position("tic_tac_toe", "ttt board=oo./.../xx. node=play:p1").observe(1)
OPEN_BOARD = "...xoxo/...xoxo/...oxox/...oxox/...xoxo/...xoxo"
"""Of Connect Four, with the legal moves a, b and c."""
THREE_OPEN = parse_position("connect_four", f"c4 board={OPEN_BOARD} node=play:p1").observe(1)


@pytest.mark.parametrize("name", GAMES)
def test_there_are_ten_levels_each_at_most_as_limited_as_the_one_below(name: str) -> None:
    levels = [level_of(GAMES[name](), level) for level in LEVELS]
    assert len(levels) == len(GAMES[name].handicaps) + 1 == 10
    for weaker, stronger in pairwise(levels):
        assert (weaker.max_simulations or 0) <= (stronger.max_simulations or 10**9)
        assert weaker.temperature >= stronger.temperature
    assert levels[0].max_simulations != levels[-1].max_simulations


def test_handicaps_go_from_a_glance_to_a_sound_search() -> None:
    assert handicapped(0) == Level(2000, 0.05)
    assert handicapped(1).max_simulations == 20
    assert handicapped(1).temperature == pytest.approx(20)


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


@pytest.mark.parametrize("level", [3, 10])
@pytest.mark.parametrize("other", [new_game("connect_four").observe(1), WIN])
def test_a_level_chooses_no_move_from_an_analysis_of_another_observation(
    level: int, other: Observation
) -> None:
    budget = Budget(simulations=20)
    search = LevelSearch(new_game("tic_tac_toe").observe(1), budget, level=level, seed=1)
    analysis = analyze(other, budget, seed=1)
    for judge in (search.choose, search.policy):
        with pytest.raises(InputError, match="the analysis is of another observation"):
            judge(analysis)


def test_a_certain_win_is_seldom_missed() -> None:
    def found(handicap: float) -> int:
        level = handicapped(handicap)
        moves = [
            select_move(WIN, Budget(simulations=3000), level=level, seed=seed)[0]
            for seed in range(100)
        ]
        return moves.count("c1")

    assert found(0.5) == 100
    assert 80 <= found(0.7) < 100
    assert found(1.0) < 60


def test_low_levels_err_and_a_seed_repeats_it() -> None:
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


def considered(*moves: tuple[str, int, float, bool]) -> tuple[MoveAnalysis, ...]:
    """Make the analyses of moves from their tokens, visits, values and whether these are exact."""
    return tuple(
        MoveAnalysis(token, visits, 0.0, (value, 1 - value), 0.0, (token,), is_exact=is_exact)
        for token, visits, value, is_exact in moves
    )


def policy_of(
    handicap: float, *moves: tuple[str, int, float, bool], engine: str = ""
) -> tuple[float, ...]:
    """Return the policy of a level on an analysis with these moves, the best first."""
    level = handicapped(handicap)
    search = LevelSearch(THREE_OPEN, Budget(simulations=20), level=level, engine=engine, seed=1)
    values = (moves[0][2], 1 - moves[0][2])
    policy = search.policy(replace(search.run(), moves=considered(*moves), values=values))
    assert sum(policy) == pytest.approx(1)
    return policy


def test_what_the_search_looked_at_is_likelier_the_less_the_larger_the_handicap() -> None:
    moves = (("a", 15, 0.5, False), ("b", 5, 0.5, False), ("c", 0, 0.5, False))
    spread = []
    for handicap in (0.3, 0.5, 0.7, 0.9):
        seen, less, never = policy_of(handicap, *moves)
        assert seen > less > never > 0
        spread.append(seen - never)
    assert spread == sorted(spread, reverse=True)
    assert spread[0] > 0.9
    assert spread[-1] < 0.2


def test_a_lucky_playout_does_not_make_a_move_look_good() -> None:
    best, lucky, unseen = policy_of(
        0.5, ("a", 18, 0.6, False), ("b", 1, 1.0, False), ("c", 0, 0.5, False)
    )
    assert best > 2 * lucky
    assert lucky > unseen


def test_a_move_that_always_won_is_as_good_as_proven() -> None:
    rest = (("b", 1, 0.5, False), ("c", 0, 0.5, False))
    (proven, *_), (certain, *_), (lucky, *_) = (
        policy_of(0.7, ("a", visits, 1.0, is_exact), *rest)
        for visits, is_exact in ((18, True), (18, False), (9, False))
    )
    assert proven == certain > 0.95
    assert lucky < 0.9


def test_a_search_of_all_moves_counts_their_odds_and_not_their_visits() -> None:
    moves = (("a", 100, 0.8, False), ("b", 100_000, 0.5, False), ("c", 100, 0.5, False))
    best, busy, idle = policy_of(0.5, *moves, engine="expectimax")
    assert best > 100 * busy
    assert busy == pytest.approx(idle, rel=0.02)


def test_a_certain_loss_is_not_taken_for_a_poor_move() -> None:
    lost_moves = (("a", 100, 0.0, True), ("c", 100, 0.0, True))
    poor, lost, _ = policy_of(0.5, ("b", 100, 0.01, False), *lost_moves)
    assert poor > 5 * lost


def test_levels_of_a_game_that_needs_mixing_flatten_its_policy() -> None:
    observation = new_game("leduc_poker").settle(np.random.SFC64(1))[0].observe(1)
    chances = []
    for handicap in (0.0, 0.5, 1.0):
        level = handicapped(handicap)
        search = LevelSearch(observation, Budget(simulations=2000), level=level, seed=1)
        first, second = search.policy(replace(search.run(), policy=(0.9, 0.1), simulations=1000))
        assert first + second == pytest.approx(1)
        chances.append(first)
    assert chances[0] == pytest.approx(0.9, abs=0.02)
    assert chances[0] > chances[1] + 0.1
    assert chances[1] > chances[2] + 0.1
    assert chances[2] > 0.5
