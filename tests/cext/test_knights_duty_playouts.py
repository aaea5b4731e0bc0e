"""A Knight's Duty as searches play it: the playout policy, likely worlds, evaluations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from numpy.random import PCG64

from kingmaker.search.analysis import Budget
from kingmaker.search.position import parse_observation
from kingmaker.search.run import analyze
from tests.cext.knights_duty_play import at, new
from tests.random_play import CHANCE, TERMINAL, play


def test_a_history_tells_the_choices_of_a_group_when_no_token_lies_face_down() -> None:
    line = "kd t2 3.target p2 0,0/F/S/d/EES;1,0/F/S/d/EES;0,1/F/n/d/EEE a1=3;a2"
    game, state = at(line)
    assert game.history_of(state) == (
        at(line.replace("p2 0,0", "p1 0,0").replace("a1=3", "a1"))[1],
        [game.parse_move("target:p3")],
    )
    covered = at(line.replace("3.target", "1.target").replace("EES", "SEE"))[1]
    assert game.history_of(covered) is None


def test_with_two_seats_a_history_begins_with_the_turn_while_nobody_has_moved() -> None:
    start = "kd t2 0.place p1 0,0/F/S/d/...;1,0/B/n/u/..x -"
    moves = ["place:move", "place:move", "place:bow", "place:move", "place:shield", "step:w"]
    for length in range(len(moves) + 1):
        game, state = at(start, *moves[:length])
        expected = [game.parse_move(each) for each in moves[:length]]
        assert game.history_of(state) == (at(start)[1], expected)
    game, state = at(start, *moves, "step:e")
    assert game.history_of(state) is None


def test_a_search_has_an_opinion_however_many_tokens_lie_face_down() -> None:
    """Of seven steps beside the High Ground one is played more than twice as often as by chance."""
    line = (
        "kd t2 1.step p1 0,1/F/S/d/MSS;4,0/F/n/u/E??;0,4/F/n/u/E??;-4,4/F/B/u/B??;-4,0/F/S/u/S??;"
        "0,-4/B/n/u/E?x - @p1"
    )
    analysis = analyze(parse_observation("knights_duty", line), Budget(simulations=1000), seed=1)
    assert analysis.policy[0] > 2 / 7


def test_the_playout_policy_looks_at_nothing_that_its_seat_does_not_see() -> None:
    game = new(players=3, radius=3)
    stream = PCG64(1)
    num_worlds = 0
    for state, _ in play(game, seed=1):
        if (seat := game.node_of(state)) < 0:
            continue
        observation = game.observed(state, seat)
        world = game.determinized(observation, stream)
        num_worlds += world != state
        for seed in range(4):
            moves = {game.policy_move(each, PCG64(seed)) for each in (state, world)}
            assert len(moves) == 1
    assert num_worlds > 20


@pytest.mark.parametrize("players", [2, 4])
def test_hidden_tokens_of_a_likely_world_are_mostly_those_of_the_policy(players: int) -> None:
    game = new(players=players)
    stream = PCG64(1)

    def placed() -> bytes:
        state = game.start_state()
        for _ in range(3):
            state = game.after(state, game.policy_move(state, stream))
        return state

    def tokens(states: Iterator[bytes]) -> Counter[str]:
        return Counter(game.text(state).split(";")[1].split("/")[-1] for state in states)

    number = 8000
    seen = game.observed(placed(), 1)
    policy = tokens(placed() for _ in range(number))
    any_ = tokens(game.determinized(seen, stream) for _ in range(number))
    likely = tokens(game.likely_world_of(seen, stream) for _ in range(number))
    mixed = {each: (7 * policy[each] + any_[each]) / 8 for each in policy | any_ | likely}
    assert sum(abs(likely[each] - mixed[each]) for each in mixed) / 2 / number < 0.06


@pytest.mark.parametrize("players", [2, 6])
def test_the_playout_loop_makes_the_moves_of_the_policy(players: int) -> None:
    game = new(players=players)
    for seed in range(20):
        state = game.start_state()
        end, _, shares = game.played_out(state, PCG64(seed))
        stream = PCG64(seed)
        while (node := game.node_of(state)) != TERMINAL:
            draw = game.sample if node == CHANCE else game.policy_move
            state = game.after(state, draw(state, stream))
        assert state == end
        assert shares == game.returns_of(end)


def test_games_of_the_policy_end_long_before_the_turn_limit() -> None:
    """Section 19: a playout to the end must tell who is stronger."""
    game = new(players=4)
    turns = [game.view(game.played_out(game.start_state(), PCG64(s))[0])["turn"] for s in range(99)]
    assert max(turns) < 40
    assert sum(turns) / len(turns) < 15


def test_a_cut_playout_ends_at_the_beginning_of_a_turn_with_two_seats() -> None:
    """At the one before which it has made the plies that were asked for."""
    game = new(players=2)
    start = game.start_state()
    for seed in range(50):
        least, last_turn = seed % 30 + 1, 1
        stopped, plies, shares = game.played_out(start, PCG64(seed), least)
        stream, state = PCG64(seed), start
        for ply in range(plies):
            assert ply < least or game.view(state)["turn"] == last_turn
            last_turn = game.view(state)["turn"]
            draw = game.sample if game.node_of(state) == CHANCE else game.policy_move
            state = game.after(state, draw(state, stream))
        assert state == stopped
        assert shares == game.evaluation_of(stopped)
        if game.node_of(stopped) != TERMINAL:
            assert plies >= least
            assert game.text(stopped).count("0.place p1") == 1
            assert game.view(stopped)["turn"] > last_turn


def test_a_playout_near_the_turn_limit_is_not_cut() -> None:
    game, state = at("kd;turn_limit=12 t5 0.place p1 0,-4/F/n/u/...;0,4/F/n/u/... -")
    for seed in range(20):
        end, _, _ = game.played_out(state, PCG64(seed), 1)
        assert game.node_of(end) == TERMINAL


def test_the_value_of_a_turn_s_beginning_is_the_same_from_both_seats() -> None:
    line = "kd t{} 0.place p1 {};{} -"
    knights = ["0,-4/F/S/u/...", "1,0/B/n/d/..x", "0,0/F/B/u/...", "2,1/B/P/u/..x"]
    for one in knights:
        for other in knights:
            if one != other:
                game, state = at(line.format(5, one, other))
                swapped = at(line.format(6, other, one))[1]
                shares = game.evaluation_of(state)
                assert shares == pytest.approx(game.evaluation_of(swapped)[::-1], abs=1e-12)


@pytest.mark.parametrize(
    "line",
    [
        "kd;turn_limit=8 t5 0.place p1 0,-4/F/{}/u/...;0,4/{}/{}/{}/... -",  # section 19
        "kd t5 0.place p1 0,-1/F/{}/u/...;0,1/{}/{}/{}/... -",  # fitted
    ],
)
def test_an_evaluation_prefers_hearts_and_weapons(line: str) -> None:
    even, armed, broken, inspired = (
        game.evaluation_of(state)
        for game, state in (
            at(line.format("n", *other).replace("B/n/u/...", "B/n/u/..x"))
            for other in (("F", "n", "u"), ("F", "S", "u"), ("B", "n", "u"), ("F", "n", "d"))
        )
    )
    assert even == pytest.approx([0.5, 0.5])
    assert armed[1] > 0.5 > inspired[1] > broken[1]
