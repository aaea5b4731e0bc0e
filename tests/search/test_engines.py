"""Engines: known answers, and what they refuse; what holds for all of them: test_properties.py."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games import GAMES
from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.levels import LevelSearch, choose_move, select_move
from kingmaker.search.mcts import MctsSearcher
from kingmaker.search.position import (
    Observation,
    Position,
    new_game,
    parse_observation,
    parse_position,
)
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search, analyze


def minimax(position: Position, seat: int = 1) -> Fraction:
    """The win share of seat 1 when both seats see everything and play perfectly."""
    if position.is_terminal:
        return Fraction(position.returns()[seat - 1])
    if position.is_chance:
        return sum(
            (p * minimax(position.apply(o), seat) for o, p in position.chance_outcomes().items()),
            Fraction(0),
        )
    values = [minimax(position.apply(move), seat) for move in position.legal_moves()]
    return max(values) if position.seat == seat else min(values)


@pytest.mark.parametrize("search", [analyze, Search, select_move, LevelSearch])
def test_a_search_says_what_it_takes_instead(search: Any) -> None:
    position, budget = new_game("tic_tac_toe"), Budget(simulations=10)
    for wrong in (position, position.text, None):
        with pytest.raises(TypeError, match=r"^observation is .* position\.observe\(seat\)"):
            search(wrong, budget)
    for number in (1000, None):
        with pytest.raises(TypeError, match=rf"^budget is {number}; .* Budget\(simulations="):
            search(position.observe(1), number)


def test_a_level_below_10_says_what_it_takes_instead_of_a_number() -> None:
    with pytest.raises(TypeError, match=r"^budget is 1000; .* Budget\(simulations="):
        select_move(new_game("tic_tac_toe").observe(1), 1000, level=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe"])
def test_who_waits_gets_values_from_an_analysis_but_no_move(name: str) -> None:
    position, _ = new_game(name).settle(np.random.SFC64(1))
    waiting = position.observe(3 - position.seat)
    analysis = analyze(waiting, Budget(simulations=100), seed=1)
    assert (analysis.moves, analysis.best_move) == ((), "")
    assert sum(analysis.values) == pytest.approx(1)
    with pytest.raises(StateError, match=r"p1 is to move; send what p1 sees"):
        select_move(waiting, Budget(simulations=100))


def test_a_compiled_search_refuses_a_full_state() -> None:
    position = new_game("tic_tac_toe")
    with pytest.raises(TypeError, match="never a full state"):
        MctsSearcher(
            position.game,
            position.state,
            Seed(1),
            {"exploration": 1.0, "playout": "policy", "playout_plies": 0},
            1 << 20,
        )


def test_mcts_opens_connect_four_in_the_centre() -> None:
    # Solved by Allis and Allen in 1988: the first player wins, by the centre column only.
    analysis = analyze(new_game("connect_four").observe(1), Budget(simulations=30_000), seed=1)
    assert analysis.best_move == "d"


def test_the_first_move_that_is_tried_has_the_best_evaluation() -> None:
    # d wins at once; the evaluation of the six other moves says nothing.
    line = "c4 board=......./......./......./...x.../...x.o./o..x.o. node=play:p1 @p1"
    observation = parse_observation("connect_four", line)
    by_priors = Budget(simulations=2)
    for seed in range(1, 8):
        assert analyze(observation, by_priors, engine="mcts", seed=seed).best_move == "d"
    uniform = [
        analyze(observation, by_priors, engine="mcts", seed=seed, options={"temperature": 0})
        for seed in range(1, 21)
    ]
    assert {analysis.best_move for analysis in uniform} > {"d"}


def test_priors_keep_a_short_search_from_the_move_after_which_the_evaluation_is_worst() -> None:
    line = (
        "kc turn=13 epoch=0 node=play:p1 p1=h/20/7s,7d,5c/9c/8c+8s:0/-/5s+jd/- "
        "p2=s/20/6d!,?/6h,ac/9s:1/3d+jh/-/- forge=32 grave=2h old=- @p1"
    )
    observation = parse_observation("kingdom_coinquest", line)
    budget = Budget(simulations=3 * len(observation.legal_moves()))
    by_evaluation = analyze(observation, budget, engine="greedy", seed=1).moves
    worst = min(by_evaluation, key=lambda move: move.values[0]).move
    with_priors, without = (
        sum(
            move.visits
            for seed in range(1, 21)
            for move in analyze(
                observation, budget, seed=seed, options={"temperature": temperature}
            ).moves
            if move.move == worst
        )
        for temperature in (0.05, 0)
    )
    assert with_priors < 0.5 * without


@pytest.mark.slow
def test_mcts_plays_tic_tac_toe_without_a_loss_in_1000_games() -> None:
    results = [
        tic_tac_toe_result(seed, rival) for seed in range(500) for rival in ("random", "mcts")
    ]
    assert min(results) >= 0.5
    assert max(results) == 1.0


def tic_tac_toe_result(seed: int, rival: str) -> float:
    """The share of MCTS, which has seat 1 in even games, against a rival."""
    seat = seed % 2 + 1
    position = new_game("tic_tac_toe")
    while not position.is_terminal:
        engine = "mcts" if position.seat == seat else rival
        budget = Budget(simulations=1500 if position.seat == seat else 100)
        analysis = analyze(position.observe(position.seat), budget, engine=engine, seed=seed)
        position = position.apply(analysis.best_move)
    return position.returns()[seat - 1]


def test_proofs_go_through_chance_nodes() -> None:
    # Before the deal nothing is hidden yet, so a search may treat Kuhn poker as an open game.
    start = new_game("kuhn_poker")
    searcher = MctsSearcher(
        start.game,
        start.observe(0).state,
        Seed(1),
        {"exploration": 1.0, "playout": "policy", "playout_plies": 0},
        1 << 20,
    )
    assert searcher.run(20_000, 0) == 2
    visits, sums, is_exact = searcher.root_values()
    assert is_exact
    assert sums[0] / visits == pytest.approx(float(minimax(start)))


def test_a_proven_win_is_played_although_another_move_was_visited_more() -> None:
    position = parse_position("tic_tac_toe", "ttt board=oo./.../xx. node=play:p1")
    analysis = analyze(position.observe(1), Budget(simulations=5000), seed=1)
    assert analysis.best_move == "c1"
    assert analysis.values == (1.0, 0.0)


def test_ismcts_never_folds_the_king_of_kuhn_poker_and_never_calls_with_the_jack() -> None:
    for card, best in (("k", "bet"), ("j", "pass")):
        observation = parse_observation(
            "kuhn_poker", f"kuhn p1=? p2={card} bets=b node=play:p2 @p2"
        )
        analysis = analyze(observation, Budget(simulations=2000), seed=1)
        assert analysis.best_move == best


def test_ismcts_shares_nodes_between_determinizations() -> None:
    position, _ = new_game("leduc_poker").settle(np.random.SFC64(1))
    analysis = analyze(
        position.observe(1), Budget(simulations=5000), seed=1, options={"observers": "single"}
    )
    # The observer sees at most 2 + 4 betting lines of round one, 5 boards and their lines.
    assert analysis.num_nodes < 500
    assert analysis.depth >= 6


def test_a_reply_is_available_only_where_the_sampled_hand_allows_it() -> None:
    text = (
        "kc turn=31 epoch=0 node=discard:p1 p1=h/20/3s/-/-/-/-/- p2=s/20/as,7d/-/-/-/-/- "
        "forge=44 grave=qd"
    )
    observation = parse_position("kingdom_coinquest", text).observe(1)
    game = observation.game
    searcher = IsmctsSearcher(
        game,
        observation.state,
        Seed(1),
        check_options(ENGINES["ismcts"], game, {"exploration": 1.5}),
        64 << 20,
    )
    searcher.run(80_000, 0)
    # p2 takes the discarded card and has three then; the other two are unseen.
    before = ["discard:3s", "draw:grave"]
    at_play = searcher.node_counts([game.parse_move(token) for token in before])[0]
    visits, always = searcher.node_counts([game.parse_move(token) for token in (*before, "pass")])
    rare_visits, rare = searcher.node_counts(
        [game.parse_move(token) for token in (*before, "prep:9s")]
    )
    assert at_play > 5000
    # `pass` is always possible; the nine is one of 46 unseen cards, and p2 holds two of them.
    assert always >= 0.98 * at_play
    assert 0.5 < rare / (at_play * 2 / 46) < 1.5
    assert 0 < rare_visits <= rare
    assert visits <= always


def over() -> Observation:
    return new_game("tic_tac_toe").apply("a1", "a2", "b1", "b2", "c1").observe(2)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"engine": "alphabeta"}, "engine"),
        ({"engine": "mcts"}, "engine"),
        ({"threads": 0}, "threads"),
        ({"threads": 10_000}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"options": {"speed": 1}}, "engine_options.speed"),
        ({"options": {"exploration": -1}}, "engine_options.exploration"),
        ({"options": {"exploration": "nan"}}, "engine_options.exploration"),
        ({"options": {"exploration": "much"}}, "engine_options.exploration"),
        ({"options": {"temperature": -1}}, "engine_options.temperature"),
        ({"options": {"temperature": "nan"}}, "engine_options.temperature"),
        ({"options": {"temperature": 0.01}}, "engine_options.temperature"),
        ({"options": {"temperature": 101}}, "engine_options.temperature"),
        ({"options": {"playout": "clever"}}, "engine_options.playout"),
        ({"options": {"playout": ["uniform"]}}, "engine_options.playout"),
        ({"options": {"playout_plies": -1}}, "engine_options.playout_plies"),
        ({"options": {"playout_plies": float("inf")}}, "engine_options.playout_plies"),
        ({"options": {"playout_plies": 5.7}}, "engine_options.playout_plies"),
        ({"options": {"playout_plies": "1_0"}}, "engine_options.playout_plies"),
        ({"options": {"playout_plies": " 10"}}, "engine_options.playout_plies"),
        ({"options": {"exploration": "\uff11"}}, "engine_options.exploration"),
        ({"options": {"max_depth": None}}, "engine_options.max_depth"),
        ({"options": {"max_depth": 10**9}}, "engine_options.max_depth"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: dict[str, object], field: str) -> None:
    position, _ = new_game("kuhn_poker").settle(np.random.SFC64(1))
    with pytest.raises(InputError) as refused:
        Search(position.observe(1), Budget(simulations=1), **arguments)  # type: ignore[arg-type]
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("exploration", "1", 1.0),
        ("exploration", ".5", 0.5),
        ("exploration", "+2.", 2.0),
        ("exploration", "1e-1", 0.1),
        ("exploration", np.float32(0.5), 0.5),
        ("playout_plies", 5.0, 5),
        ("playout_plies", "007", 7),
    ],
)
def test_a_number_of_an_option_may_be_written_in_any_usual_way(
    name: str, value: float | str, number: float
) -> None:
    found = check_options(ENGINES["mcts"], new_game("connect_four").game, {name: value})[name]
    assert found == number
    assert type(found) is type(number)


def test_a_game_that_is_over_is_not_searched() -> None:
    with pytest.raises(StateError, match="the game is over"):
        Search(over(), Budget(simulations=1))


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("engine", ["flat", "greedy"])
def test_baselines_rank_by_value_although_a_round_is_cut_off(engine: str, threads: int) -> None:
    for seed in range(5):
        analysis = analyze(
            new_game("connect_four").apply("a", "b", "c").observe(2),
            Budget(simulations=153),
            engine=engine,
            seed=seed,
            threads=threads,
        )
        values = [move.values[1] for move in analysis.moves]
        assert values == sorted(values, reverse=True)


def test_paranoid_rivals_leave_the_observer_less() -> None:
    totals = {0.0: 0.0, 0.5: 0.0, 1.0: 0.0}
    stream = np.random.SFC64(9)
    for _ in range(4):
        position, _ = new_game("hearts", {"pass": "none"}).settle(stream)
        for _ in range(24):  # six tricks
            position = position.apply(position.legal_moves()[0])
        for hostility in totals:
            totals[hostility] += analyze(
                position.observe(position.seat),
                Budget(simulations=3000),
                engine="ismcts",
                seed=1,
                options={"hostility": hostility},
            ).values[position.seat - 1]
    assert totals[1.0] < totals[0.5] < totals[0.0]


def test_hostility_changes_nothing_with_two_seats() -> None:
    """The win of the one rival is the loss of the other seat."""
    position, _ = new_game("code_of_chivalry", {"players": "2"}).settle(np.random.SFC64(4))
    answers = [
        analyze(
            position.observe(position.seat),
            Budget(simulations=500),
            engine="ismcts",
            seed=1,
            options={"hostility": hostility},
        ).values
        for hostility in (0, 1)
    ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("game", "observer", "options", "hostility"),
    [
        ("kingdom_coinquest", 1, {}, 1.0),
        ("kingdom_coinquest", 1, {"hostility": 0.25}, 0.25),
        ("kingdom_coinquest", 1, {"rival_policy": 1}, 0.0),
        ("kingdom_coinquest", 0, {}, 0),
        ("code_of_chivalry", 1, {}, 0),
    ],
)
def test_an_analysis_tells_how_hostile_rivals_were_taken_to_be(
    game: str, observer: int, options: dict[str, float], hostility: float
) -> None:
    position, _ = new_game(game, {"players": "4"}).settle(np.random.SFC64(4))
    analysis = analyze(
        position.observe(observer), Budget(simulations=50), engine="ismcts", options=options
    )
    assert analysis.hostility == hostility


@pytest.mark.parametrize("hostility", ["-0.1", "1.5", "nan", "much"])
def test_hostility_is_a_part(hostility: str) -> None:
    position, _ = new_game("hearts", {"pass": "none"}).settle(np.random.SFC64(1))
    with pytest.raises(InputError, match="hostility") as caught:
        analyze(
            position.observe(position.seat),
            Budget(simulations=1),
            engine="ismcts",
            options={"hostility": hostility},
        )
    assert caught.value.field == "engine_options.hostility"


@pytest.mark.parametrize("part", [0.0, 1.0])
def test_rivals_may_draw_their_moves_from_the_policy(part: float) -> None:
    """By the hand of each world, so replies are as likely as in games of the policy."""
    position, _ = new_game("hearts", {"pass": "none"}).settle(np.random.SFC64(1))
    observation, move = position.observe(position.seat), position.legal_moves()[0]
    analysis = analyze(
        observation,
        Budget(simulations=4000),
        engine="ismcts",
        seed=1,
        options={"rival_policy": part},
    )
    stream = np.random.SFC64(2)
    drawn: Counter[str] = Counter()
    for _ in range(4000):
        world = observation.determinize(stream).apply(move)
        game = world.game
        drawn[game.move_text(game.policy_move(world.state, stream))] += 1
    replies = [each for each in analysis.moves[0].replies if each.seat == world.seat]
    assert replies
    distance = max(abs(each.frequency - drawn[each.move] / 4000) for each in replies)
    assert (distance < 0.05) == (part == 1)


@pytest.mark.parametrize("options", [{"rival_policy": "2"}, {"observers": "multiple"}])
def test_the_part_of_replies_from_the_policy_is_a_part_and_needs_one_tree(
    options: dict[str, str],
) -> None:
    position, _ = new_game("kuhn_poker").settle(np.random.SFC64(1))
    with pytest.raises(InputError, match="rival_policy") as caught:
        analyze(
            position.observe(1),
            Budget(simulations=1),
            engine="ismcts",
            options={"rival_policy": "0.5", **options},
        )
    assert caught.value.field == "engine_options.rival_policy"


def test_only_one_observer_has_hostile_rivals() -> None:
    position, _ = new_game("kuhn_poker").settle(np.random.SFC64(1))
    with pytest.raises(InputError, match="observers=single") as caught:
        analyze(
            position.observe(1),
            Budget(simulations=1),
            options={"hostility": 0.5, "observers": "multiple"},
        )
    assert caught.value.field == "engine_options.hostility"


@pytest.mark.parametrize("name", GAMES)
def test_an_engine_that_does_not_search_answers_the_same_without_an_analysis(name: str) -> None:
    position, _ = new_game(name).settle(np.random.SFC64(2))
    observation = position.observe(position.seat)
    for seed in range(20):
        with_analysis, _ = select_move(
            observation, Budget(simulations=1), engine="random", seed=seed
        )
        assert with_analysis == choose_move(
            observation, Budget(simulations=1), engine="random", seed=seed
        )


def test_a_line_ends_where_chance_decides_however_likely_an_outcome_is() -> None:
    # Only the king can move: it may not in 125 of 216 rolls.
    observation = parse_position(
        "chessault",
        "chs 8/4k+3/8/8/8/8/8/8/4K+3/8 p1 7 2 action p1p2 3/0 -/- Q2R2B2N2P8/q2r2b2n2p8 -/- "
        "p3x3c3 - m0k0r0s0",
    ).observe(1)
    analysis = analyze(observation, Budget(simulations=1000), engine="ismcts", seed=1)
    lines = {move.move: move.line for move in analysis.moves}
    assert lines["roll"] == ("roll",)
    assert not [line for line in lines.values() if "dice" in " ".join(line)]


def test_a_line_goes_on_over_chance_that_its_seat_does_not_see() -> None:
    observation = parse_position(
        "kingdom_coinquest",
        "kc turn=31 epoch=0 node=play:p1 p1=h/20/3s,5d,9c/-/-/-/8h/- p2=s/20/as,5s/-/-/-/-/- "
        "forge=41 grave=qd",
    ).observe(1)
    analysis = analyze(observation, Budget(simulations=4000), seed=1)
    assert "draw:forge deal:? " in " ".join(analysis.moves[0].line)


def test_frequencies_of_replies_sum_to_one_where_some_are_proven() -> None:
    """A proven reply counts in simulations that explore another one, too."""
    position = parse_position("tic_tac_toe", "ttt board=.../.../.xo node=play:p1")
    analysis = analyze(position.observe(1), Budget(simulations=600), engine="mcts", seed=51)
    found = [sum(reply.frequency for reply in move.replies) for move in analysis.moves]
    assert max(found) == pytest.approx(1)
