"""Errors of values: 95 % intervals contain what long searches find; policies agree with values."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.benchmarks.calibration import decisions_of
from kingmaker.benchmarks.coherence import coverage, positions, prefers_worse
from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.position import Observation, new_game, parse_observation
from kingmaker.search.record import observe_with_record
from kingmaker.search.run import analyze

THREE_KNIGHTS = "kd t2 0.place p1 4,-4/F/B/u/...;-1,4/F/P/u/...;-3,-1/F/B/u/... - @p1"
FOUR = "c4 board=......./......./......./...x.../...o.../..ox... node=play:p1 @p1"
HIDDEN_TOKENS = "kd t3 0.place p2 4,-4/F/S/u/???;-4,4/F/S/u/... - @p2"
MIDDLE_GAME = (
    "ko 0,0/8,0 t=40;f=p2;a=p1 main@p1 I=-;D=- p1:+:ah3s4s5s6h8ctcjhkhjo:-:jd=:qd=:"
    "kc=as2c3d4c5d6c7d8s9sts:-:R1c8.0,K1d7.3,P1g8.1,P1h7.0:-:-:- p2:+:?8:-:jh*=:"
    "qc=as:kd=ac:-:P1e6.0,P1e7.0,r2a5.0,K2b5.4:-:-:- @p1"
)
THREE_KINGS = (
    "kc turn=8 epoch=0 node=play:p3 p1=s/20/9s!,?/-/-/6s/-/qs p2=c/20/?,?/-/-/-/4c/- "
    "p3=d/20/4d,7c,9c/jh,ac/6c+jc:0/-/-/- forge=30 grave=2c,4s,6d,3c old=- @p3"
)
THIRTEEN, TEN = (
    "c4 board=......./......./..o..../..x..x./oxo.ox./xxo.xo. node=play:p2 @p2",
    "c4 board=......./......./......./...x.../x.ooo../o.xxo.x node=play:p1 @p1",
)
NUM_SEEDS, LONG_SEEDS = 50, 4


def start(game: str, **options: str | int) -> Observation:
    position, _ = new_game(game, options).settle(np.random.SFC64(1))
    return position.observe(position.seat)


def late(name: str, options: dict[str, str], number: int) -> Observation:
    """Return what a seat sees at a decision of a game by the playout policy, with its record."""
    stream = np.random.SFC64(4)
    beginning = new_game(name, options)
    position, tokens = beginning.settle(stream)
    while True:
        game = position.game
        if len(position.legal_moves()) > 1:
            number -= 1
            if number == 0:
                return observe_with_record(beginning, tokens, position)
        token = game.move_text(game.policy_move(position.state, stream))
        position, drawn = position.apply(token).settle(stream)
        tokens += [token, *drawn]


def searches(
    observation: Observation, engine: str, simulations: int, seeds: range, threads: int = 1
) -> list[Analysis]:
    budget = Budget(simulations=simulations)
    return [
        analyze(observation, budget, engine=engine, seed=seed, threads=threads) for seed in seeds
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "observation"),
    [
        ("mcts", start("connect_four")),
        ("mcts", parse_observation("connect_four", FOUR)),
        ("mcts", parse_observation("connect_four", THIRTEEN)),
        ("mcts", parse_observation("connect_four", TEN)),
        ("ismcts", start("kingdom_coinquest")),
        ("ismcts", parse_observation("kingdom_coinquest", THREE_KINGS)),
        ("ismcts", start("hearts")),
        ("ismcts", start("goofspiel", cards=6)),
        ("ismcts", start("code_of_chivalry")),
        ("ismcts", parse_observation("knights_duty", THREE_KNIGHTS)),
        ("ismcts", parse_observation("knights_duty", HIDDEN_TOKENS)),
        ("ismcts", parse_observation("knaves_out", MIDDLE_GAME)),
        ("flat", parse_observation("knights_duty", THREE_KNIGHTS)),
        ("flat", start("kingdom_coinquest")),
    ],
    ids=lambda each: each.game.name if isinstance(each, Observation) else each,
)
def test_intervals_contain_the_mean_of_long_searches(engine: str, observation: Observation) -> None:
    short = searches(observation, engine, 500, range(1, NUM_SEEDS + 1))
    long = searches(observation, engine, 5000, range(1001, 1001 + LONG_SEEDS))
    assert coverage(short, long, observation.seat - 1) >= 0.9


def test_intervals_in_a_tree_that_is_soon_complete_contain_it_too() -> None:
    observation = start("leduc_poker")
    short = searches(observation, "ismcts", 2000, range(1, NUM_SEEDS + 1))
    long = searches(observation, "ismcts", 20_000, range(1001, 1001 + LONG_SEEDS))
    assert coverage(short, long, observation.seat - 1) >= 0.9


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("game", "options", "decision"),
    [("hearts", {}, 30), ("hearts", {}, 40), ("code_of_chivalry", {"players": "2"}, 20)],
)
def test_intervals_contain_it_where_a_record_leaves_few_likely_worlds(
    game: str, options: dict[str, str], decision: int, threads: int
) -> None:
    observation = late(game, options, decision)
    short = searches(observation, "ismcts", 1000, range(1, NUM_SEEDS + 1), threads)
    long = searches(observation, "ismcts", 10_000, range(1001, 1001 + LONG_SEEDS))
    assert coverage(short, long, observation.seat - 1, 0.1) >= 0.9


@pytest.mark.parametrize("line", [THREE_KNIGHTS, HIDDEN_TOKENS])
@pytest.mark.parametrize("simulations", [500, 5000])
def test_no_move_is_likelier_than_one_that_is_worth_more(line: str, simulations: int) -> None:
    observation = parse_observation("knights_duty", line)
    for analysis in searches(observation, "ismcts", simulations, range(1, 6)):
        assert not prefers_worse(analysis, observation.seat - 1)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("group", ["knights_duty.2", "knights_duty.3", "goofspiel"])
def test_nor_in_the_average_of_several_threads(group: str, threads: int) -> None:
    budget = Budget(simulations=600)
    for observation in positions(group)[:4]:
        for seed in range(1, 7):
            analysis = analyze(observation, budget, seed=seed, threads=threads)
            assert not prefers_worse(analysis, observation.seat - 1)
            assert sum(analysis.policy) == pytest.approx(1)
            assert analysis.policy[0] == max(analysis.policy)


def test_few_equal_results_are_not_certain() -> None:
    analysis = searches(start("connect_four"), "flat", 21, range(1, 2))[0]
    assert min(move.standard_error for move in analysis.moves) > 0.1


def test_moves_whose_values_rest_on_no_game_yet_have_the_largest_error() -> None:
    budget = Budget(simulations=3)  # the first four play none
    options = {"selection": "regret"}
    analysis = analyze(start("goofspiel"), budget, engine="ismcts", seed=1, options=options)
    assert {move.standard_error for move in analysis.moves} == {0.5}


def test_shares_of_mcts_are_near_those_that_it_wins() -> None:
    """Bad replies that were tried, and what came before good ones, promise each seat too much."""
    games = [decisions_of("connect_four", {}, 200, 1, number) for number in range(40)]
    found, won = np.concatenate(games).mean(axis=0)
    assert abs(found - won) < 0.025


@pytest.mark.parametrize("game", ["connect_four", "chessault"])
@pytest.mark.parametrize("threads", [1, 2])
def test_values_of_mcts_are_win_shares_of_all_seats(game: str, threads: int) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    for simulations in (1, 3, 20, 300, 3000):
        [analysis] = searches(
            position.observe(position.seat), "mcts", simulations, range(1, 2), threads
        )
        for move in analysis.moves:
            assert min(move.values) >= 0
            assert sum(move.values) == pytest.approx(1)
            for reply in move.replies:
                assert 0 <= reply.value <= 1


def test_intervals_of_best_moves_know_that_a_tree_will_grow() -> None:
    """The best moves of Kingdom Coinquest, whose replies a long search finds."""
    covered = []
    for seed in range(1, 13):
        stream = np.random.SFC64(seed)
        position, _ = new_game("kingdom_coinquest").settle(stream)
        for _ in range(60 + 5 * seed):
            move = position.game.move_text(position.game.policy_move(position.state, stream))
            after, _ = position.apply(move).settle(stream)
            if after.is_terminal:
                break
            position = after
        if len(position.legal_moves()) == 1:
            continue
        observation, seat = position.observe(position.seat), position.seat - 1
        long = searches(observation, "ismcts", 20_000, range(1001, 1003))
        for analysis in searches(observation, "ismcts", 500, range(1, 5)):
            best = analysis.moves[0]
            true = np.mean([each.values[seat] for a in long for each in a.moves
                            if each.move == best.move])  # fmt: skip
            covered.append(abs(best.values[seat] - true) <= 1.96 * best.standard_error)
            assert best.error_beside_others <= best.standard_error
    assert len(covered) >= 24
    assert np.mean(covered) >= 5 / 6


@pytest.mark.parametrize(("players", "grows"), [(2, True), (3, False)])
def test_only_errors_of_two_seats_know_that_a_tree_will_grow(players: int, grows: bool) -> None:
    observation = start("kingdom_coinquest", players=players)
    [analysis] = searches(observation, "ismcts", 500, range(1, 2))
    assert any(move.shared_error for move in analysis.moves) is grows
