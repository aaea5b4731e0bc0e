"""Moves rank by what the search found out, never by what it has hardly looked at."""

import math
import random
from collections.abc import Callable

import pytest

from kingmaker.search.analysis import Analysis, Budget, MoveAnalysis, StopReason
from kingmaker.search.hints import explain
from kingmaker.search.levels import LevelSearch
from kingmaker.search.merge import ranked_moves
from kingmaker.search.position import Observation, new_game, parse_observation, parse_position
from kingmaker.search.run import analyze
from kingmaker.search.solver import solve

WIN = "ttt board=.../oo./xx. node=play:p1"  # c1 wins, c2 draws, all else loses to c2
COLUMN = ("d", "a", "d", "a", "d", "g")  # of Connect Four: p1 has three in column d
LATE = (
    "kc turn=39 epoch=1 node=draw:p1 p1=s/11/-/7d/6s:0/-/tc/qd+qc "
    "p2=c/10/?/7h,qh,as/ts+th:1/2h/-/- forge=32 grave=3h,ah,ad,ac old=- @p1"
)
SEEDS = range(20)


def tic_tac_toe() -> Observation:
    return parse_position("tic_tac_toe", WIN).observe(1)


def connect_four() -> Observation:
    return new_game("connect_four").apply(*COLUMN).observe(1)


def proven(move: str, value: float, visits: int = 5) -> MoveAnalysis:
    return MoveAnalysis(move, visits, 0, (value, 1 - value), 0.0, (move,), is_exact=True)


def estimated(move: str, value: float, visits: int, *, is_examined: bool = True) -> MoveAnalysis:
    return MoveAnalysis(move, visits, 0, (value, 1 - value), 0.1, (move,), is_examined=is_examined)


def order(*moves: MoveAnalysis, by_value: bool = False) -> str:
    return " ".join(move.move for move in ranked_moves(moves, 0, by_value=by_value))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_an_analysis_goes_on_after_the_proof_of_the_best_move(seed: int, threads: int) -> None:
    found = analyze(
        tic_tac_toe(), Budget(simulations=5000), seed=seed, threads=threads, all_moves=True
    )
    assert [move.move for move in found.moves[:2]] == ["c1", "c2"]
    assert [move.values[0] for move in found.moves] == [1, 0.5, 0, 0, 0]
    assert all(move.is_exact for move in found.moves)
    assert found.stop_reason is StopReason.SOLVED


def test_the_choice_of_a_move_ends_with_the_proof() -> None:
    found = analyze(tic_tac_toe(), Budget(simulations=5000), seed=1)
    assert found.is_exact
    assert not all(move.is_exact for move in found.moves)
    level = LevelSearch(tic_tac_toe(), Budget(simulations=5000), seed=1).run()
    assert level.simulations == found.simulations


def test_values_before_the_proof_are_those_of_a_search_that_ends_with_it() -> None:
    least = analyze(tic_tac_toe(), Budget(simulations=5000), seed=3)
    more = analyze(tic_tac_toe(), Budget(simulations=least.simulations), seed=3, all_moves=True)
    assert more.moves == least.moves
    assert more.values == least.values


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("simulations", [1, 2, 3, 5, 8, 13, 21, 34])
@pytest.mark.parametrize("make", [tic_tac_toe, connect_four])
def test_no_move_is_ranked_by_what_was_hardly_looked_at(
    make: Callable[[], Observation], simulations: int, seed: int
) -> None:
    observation = make()
    found = analyze(observation, Budget(simulations=simulations), seed=seed)
    groups = [_group(move) for move in found.moves]
    assert groups == sorted(groups)


def _group(move: MoveAnalysis) -> int:
    if move.is_exact and move.values[0] in (0, 1):
        return 0 if move.values[0] == 1 else 3
    return 1 if move.is_examined else 2


@pytest.mark.parametrize("seed", SEEDS)
def test_connect_four_gives_no_figure_for_what_one_playout_tried(seed: int) -> None:
    observation = connect_four()
    found = analyze(observation, Budget(simulations=3), seed=seed, all_moves=True)
    for hint in explain(observation, found, 9):
        if hint.analysis.visits < 2 and not hint.analysis.is_exact:
            assert "%" not in hint.text
            assert "examined it" in hint.text


def test_a_move_without_visits_is_not_examined() -> None:
    found = analyze(tic_tac_toe(), Budget(simulations=1), seed=1)
    assert [move.is_examined for move in found.moves if not move.is_exact] == [False] * 4
    texts = [hint.text for hint in explain(tic_tac_toe(), found, 9)]
    assert "%" not in " ".join(texts)
    assert "not examined" in texts[-1]


def test_a_move_with_far_fewer_visits_than_others_is_not_examined() -> None:
    found = analyze(connect_four(), Budget(simulations=2000), engine="flat", seed=1)
    assert all(move.is_examined for move in found.moves)
    start = new_game("connect_four").apply("d", "a", "d", "a").observe(1)
    options = {"exploration": 0.01}
    narrow = analyze(start, Budget(simulations=300), engine="ismcts", options=options, seed=1)
    assert {move.is_examined for move in narrow.moves} == {True, False}
    assert all(move.is_examined == (move.visits >= 10) for move in narrow.moves)


def test_proven_wins_come_first_and_proven_losses_last() -> None:
    moves = (
        proven("loss", 0.0, 900),
        estimated("once", 1.0, 1, is_examined=False),
        estimated("often", 0.4, 100),
        proven("win", 1.0, 1),
        estimated("less", 0.9, 20),
        estimated("never", 0.5, 0, is_examined=False),
    )
    assert order(*moves) == "win often less once never loss"
    assert order(*reversed(moves)) == "win often less once never loss"


@pytest.mark.parametrize(
    ("value", "visits", "expected"),
    [
        (0.68, 25, "late often least"),  # 1.96 errors of 0.1 each are 0.28
        (0.67, 25, "often late least"),
        (0.99, 24, "often late least"),
    ],
)
def test_a_move_that_is_clearly_better_comes_before_the_most_visited_one(
    value: float, visits: int, expected: str
) -> None:
    moves = (
        estimated("often", 0.4, 100),
        estimated("late", value, visits),
        estimated("least", 0.5, 12),
    )
    assert order(*moves) == expected
    assert order(*reversed(moves)) == expected


@pytest.mark.parametrize("seed", [1, 3, 6, 7])
def test_no_move_is_preferred_to_one_that_its_own_values_call_better(seed: int) -> None:
    """With these seeds the search turned to the better move too late to visit it most."""
    seen = parse_observation("kingdom_coinquest", LATE)
    found = analyze(seen, Budget(simulations=2000), seed=seed)
    first, *others = (move for move in found.moves if move.is_examined)
    assert any(move.visits > first.visits for move in others)
    for move in others:
        error = math.hypot(move.standard_error, first.standard_error)
        assert move.values[0] - first.values[0] <= 1.96 * error
    assert found.policy[0] == 1


@pytest.mark.parametrize("engine", ["mcts", "expectimax"])
@pytest.mark.parametrize("seed", range(5))
def test_of_several_wins_the_shortest_comes_first(engine: str, seed: int) -> None:
    budget = Budget(simulations=100_000)
    found = analyze(connect_four(), budget, engine=engine, seed=seed, all_moves=True)
    wins = [move for move in found.moves if move.is_exact and move.values[0] == 1]
    assert len(wins) > 1
    assert (wins[0].move, wins[0].line) == ("d", ("d",))
    assert found.best_move == "d"
    lengths = [len(move.line) if engine == "mcts" else move.visits for move in wins]
    assert lengths == sorted(lengths)


def test_certain_wins_are_not_compared_with_each_other() -> None:
    found = analyze(connect_four(), Budget(simulations=100_000), seed=1, all_moves=True)
    best, *_ = explain(connect_four(), found, 3)
    assert best.text == (
        "Drop x into column d, down to d4: p1 has four in a row; it certainly wins."
    )


def test_of_several_losses_the_longest_comes_first() -> None:
    slow = MoveAnalysis("slow", 2, 0, (0.0, 1.0), 0.0, ("slow", "b", "c"), is_exact=True)
    assert order(proven("quick", 0.0, 100), slow) == "slow quick"


@pytest.mark.parametrize("seed", SEEDS)
def test_proofs_of_all_moves_are_those_of_the_solver(seed: int) -> None:
    position = new_game("tic_tac_toe")
    moves = random.Random(seed)
    for _ in range(4):
        position = position.apply(moves.choice(position.legal_moves()))
    found = analyze(
        position.observe(position.seat), Budget(simulations=50_000), seed=seed, all_moves=True
    )
    assert all(move.is_exact for move in found.moves)
    assert {move.move: move.values for move in found.moves} == {
        move.move: move.values for move in solve(position).moves
    }


def test_a_proven_value_comes_before_the_first_estimate_that_is_no_better() -> None:
    draw = proven("draw", 0.5, 3)
    assert order(estimated("worse", 0.45, 1000), draw) == "draw worse"
    assert order(estimated("even", 0.5, 1000), draw) == "draw even"
    assert order(draw, estimated("better", 0.6, 1000)) == "better draw"
    assert order(estimated("once", 1.0, 1, is_examined=False), draw) == "draw once"


def test_engines_that_search_all_moves_equally_rank_by_value() -> None:
    moves = (estimated("a", 0.2, 3), estimated("b", 0.8, 2), proven("c", 0.8), proven("d", 0.0))
    assert order(*moves, by_value=True) == "c b a d"


@pytest.mark.parametrize("simulations", [9, 10, 12, 17])
def test_flat_ranks_by_value_however_the_last_round_ends(simulations: int) -> None:
    found = analyze(
        new_game("tic_tac_toe").observe(1), Budget(simulations=simulations), engine="flat", seed=4
    )
    values = [move.values[0] for move in found.moves]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_level_does_not_choose_by_what_was_hardly_looked_at(seed: int) -> None:
    search = LevelSearch(tic_tac_toe(), Budget(simulations=1), level=9, seed=seed)
    lucky = estimated("a3", 1.0, 1, is_examined=False)
    sound = estimated("c2", 0.9, 1000)
    rest = [estimated(move, 0.0, 1, is_examined=False) for move in ("b3", "c3", "c1")]
    found = search.run()
    moves, policy = (sound, lucky, *rest), (1.0, 0.0, 0.0, 0.0, 0.0)
    analysis = Analysis(moves, (0.9, 0.1), policy, False, 1000, 0, 0, 0.0, 0, "mcts", seed, None)
    assert found.best_move
    assert search.choose(analysis) == "c2"


def test_a_reply_that_one_of_the_threads_has_proven_has_the_proven_value() -> None:
    line = "ttt board=.../..o/x.. node=play:p1"
    for seed in range(5, 8):
        observation = parse_position("tic_tac_toe", line).observe(1)
        found = analyze(observation, Budget(simulations=800), engine="mcts", seed=seed, threads=2)
        replies = [reply for move in found.moves for reply in move.replies]
        proven = [reply.value for reply in replies if reply.standard_error == 0]
        assert proven
        assert set(proven) <= {0.0, 0.5, 1.0}
