"""CFR+ and exploitability: known answers, interruptions, limits."""

from __future__ import annotations

import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.search.cfr import (
    CfrSolver,
    InformationSetPolicy,
    TreeTooLarge,
    public_root,
)
from kingmaker.search.position import Position, new_game, parse_position

TIME, ITERATIONS, DONE, CANCELLED = 0, 1, 2, 3
MEGABYTE = 1 << 20
CHIPS = {"kuhn_poker": 4, "leduc_poker": 26}  # in a whole share, by the rules pages


def solver_of(position: Position, memory_bytes: int = 256 * MEGABYTE) -> CfrSolver:
    solver = CfrSolver(position.game, position.state, memory_bytes)
    assert solver.build() == DONE
    return solver


def solve(name: str, iterations: int, **options: str | int) -> CfrSolver:
    solver = solver_of(new_game(name, options))
    assert solver.run(max_iterations=iterations) == ITERATIONS
    return solver


def played(name: str, plies: int) -> Position:
    start = new_game(name)
    return Position(start.game, start.game.played_out(start.state, np.random.SFC64(1), plies)[0])


def uniform(seat: int, observation: bytes, moves: Sequence[int]) -> list[float]:
    return [1 / len(moves)] * len(moves)


def histories(
    game: Game, policy: dict[tuple[int, bytes], list[float]]
) -> Iterator[tuple[bytes, float]]:
    """Every state of a game with its probability, by a plain walk."""
    states = [(game.start_state(), 1.0)]
    while states:
        state, reach = states.pop()
        yield state, reach
        seat = game.node_of(state)
        weighted = game.outcomes_of(state)
        if seat >= 0:
            probabilities = policy[seat, game.observed(state, seat)]
            weighted = list(zip(game.moves_of(state), probabilities, strict=True))
        states += [(game.after(state, move), reach * weight) for move, weight in weighted]


# --- the tree ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "num_histories", "num_information_sets"),
    [
        ("kuhn_poker", {}, 58, 12),  # 1 + 3 + 6 + 12 + 24 + 12, see its rules page
        ("leduc_poker", {}, 9457, 936),  # as OpenSpiel counts them
        # Two seats with 3652 and 161 (R3.3), though the position forgets the rounds.
        ("goofspiel", {"cards": 4}, None, 2 * 3652),
        ("goofspiel", {"cards": 4, "order": "descending"}, None, 2 * 161),
        # The well-known number of move sequences; all but the 255,168 ends are decisions.
        ("tic_tac_toe", {}, 549_946, 549_946 - 255_168),
    ],
)
def test_the_tree_has_its_known_size(
    name: str, options: dict[str, str | int], num_histories: int | None, num_information_sets: int
) -> None:
    solver = solver_of(new_game(name, options))
    assert solver.num_histories == num_histories or num_histories is None
    assert solver.num_information_sets == num_information_sets


def test_a_tree_built_in_slices_is_the_same() -> None:
    game = new_game("leduc_poker")
    sliced = CfrSolver(game.game, game.state, MEGABYTE)
    num_slices = 1
    while sliced.build(time.monotonic_ns() + 10_000) == TIME:
        num_slices += 1
    assert num_slices > 2
    whole = solver_of(game)
    assert sliced.num_histories == whole.num_histories
    assert list(sliced.information_sets()) == list(whole.information_sets())


# --- known answers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "target", "value", "tolerance"),
    [
        ("kuhn_poker", 1e-4, -1 / 18, 1e-4),
        ("leduc_poker", 1e-3, -0.0856, 1e-3),  # the value within NashConv, rounded to 4 digits
    ],
)
def test_poker_has_its_known_value_in_chips(
    name: str, target: float, value: float, tolerance: float
) -> None:
    chips = CHIPS[name]
    solver = solver_of(new_game(name))
    assert solver.run(target_nash_conv=target / chips) == DONE
    assert solver.nash_conv <= target / chips
    first, second = solver.values()
    assert first + second == pytest.approx(1)
    assert chips * (first - 0.5) == pytest.approx(value, abs=tolerance)


@pytest.mark.parametrize("options", [{}, {"order": "ascending"}, {"order": "descending"}])
def test_goofspiel_is_fair(options: dict[str, str | int]) -> None:
    solver = solver_of(new_game("goofspiel", {"cards": 4, **options}))
    assert solver.run(target_nash_conv=1e-3) == DONE
    assert solver.values() == pytest.approx((0.5, 0.5), abs=1e-3)


def test_tic_tac_toe_is_drawn() -> None:
    solver = solver_of(new_game("tic_tac_toe").apply("b2"))
    assert solver.run(target_nash_conv=0.01) == DONE
    assert solver.values() == pytest.approx((0.5, 0.5), abs=0.01)


def test_kuhns_policy_is_one_of_the_known_equilibria() -> None:
    # Kuhn 1950: p1 bets a jack with probability alpha, and all else follows from that.
    solver = solver_of(new_game("kuhn_poker"))
    solver.run(target_nash_conv=1e-7)
    game = solver.form.game
    bet = {game.text(each.observation): each.policy[1] for each in solver.information_sets()}
    alpha = bet["kuhn p1=j p2=? bets=- node=play:p1 @p1"]
    assert -1e-3 < alpha < 1 / 3 + 1e-3
    assert {line: bet[line] for line in bet if "node=play:p1" in line} == pytest.approx(
        {
            "kuhn p1=j p2=? bets=- node=play:p1 @p1": alpha,
            "kuhn p1=q p2=? bets=- node=play:p1 @p1": 0,
            "kuhn p1=k p2=? bets=- node=play:p1 @p1": 3 * alpha,
            "kuhn p1=j p2=? bets=pb node=play:p1 @p1": 0,
            "kuhn p1=q p2=? bets=pb node=play:p1 @p1": alpha + 1 / 3,
            "kuhn p1=k p2=? bets=pb node=play:p1 @p1": 1,
        },
        abs=1e-3,
    )
    assert {line: bet[line] for line in bet if "node=play:p2" in line} == pytest.approx(
        {
            "kuhn p1=? p2=j bets=p node=play:p2 @p2": 1 / 3,
            "kuhn p1=? p2=q bets=p node=play:p2 @p2": 0,
            "kuhn p1=? p2=k bets=p node=play:p2 @p2": 1,
            "kuhn p1=? p2=j bets=b node=play:p2 @p2": 0,
            "kuhn p1=? p2=q bets=b node=play:p2 @p2": 1 / 3,
            "kuhn p1=? p2=k bets=b node=play:p2 @p2": 1,
        },
        abs=1e-3,
    )


@pytest.mark.parametrize(("name", "chips"), [("kuhn_poker", 0.916667), ("leduc_poker", 4.747222)])
def test_uniform_play_is_as_exploitable_as_open_spiel_says(name: str, chips: float) -> None:
    solver = solver_of(new_game(name))
    assert CHIPS[name] * solver.nash_conv_of(uniform) == pytest.approx(chips, abs=1e-6)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_random_policies_are_as_exploitable_as_open_spiel_says(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(name)
    solver = solver_of(new_game(name))
    game = solver.form.game
    names = information_state_strings(game, theirs)
    generator = np.random.Generator(np.random.SFC64(1))
    for _ in range(3):
        policy = {
            (each.seat, each.observation): generator.dirichlet([0.5] * len(each.moves)).tolist()
            for each in solver.information_sets()
        }
        table = {
            names[key]: list(zip(actions, policy[key], strict=True))
            for key, actions in legal_actions(game, theirs).items()
        }
        expected = pyspiel.nash_conv(theirs, pyspiel.TabularPolicy(table))
        assert CHIPS[name] * solver.nash_conv_of(policy) == pytest.approx(expected, abs=1e-9)


def side_by_side(game: Game, theirs: Any) -> Iterator[tuple[tuple[int, bytes], Any]]:
    """Every decision of a game, whose moves and outcomes OpenSpiel lists in the same order."""
    pairs = [(game.start_state(), theirs.new_initial_state())]
    while pairs:
        state, other = pairs.pop()
        seat = game.node_of(state)
        if seat >= 0:
            yield (seat, game.observed(state, seat)), other
        moves = game.moves_of(state) or [outcome for outcome, _ in game.outcomes_of(state)]
        pairs += [
            (game.after(state, move), other.child(action))
            for move, action in zip(moves, other.legal_actions(), strict=True)
        ]


def information_state_strings(game: Game, theirs: Any) -> dict[tuple[int, bytes], str]:
    return {key: other.information_state_string() for key, other in side_by_side(game, theirs)}


def legal_actions(game: Game, theirs: Any) -> dict[tuple[int, bytes], list[int]]:
    return {key: other.legal_actions() for key, other in side_by_side(game, theirs)}


def test_a_perfect_policy_for_a_decided_game_gains_nothing_more() -> None:
    # p1 has 7 of the 10 points and can't be caught up with.
    ahead = parse_position(
        "goofspiel",
        "goof;cards=4 p1=1,2 p2=1,2 bids=_/_ points=7/0 prize=_ down=1,2 node=prize",
    )
    solver = solver_of(ahead)
    assert solver.nash_conv_of(uniform) == pytest.approx(0)
    solver.run(max_iterations=1)
    assert solver.values() == pytest.approx((1, 0))


def test_a_seat_may_have_nothing_to_decide() -> None:
    position = new_game("tic_tac_toe").apply("b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1")
    solver = solver_of(position)
    assert solver.run(5, 0.0, time.monotonic_ns() + 10**10) == ITERATIONS
    assert solver.num_information_sets == 1
    assert solver.values() == (0.5, 0.5)
    assert solver.nash_conv == solver.nash_conv_of(uniform) == 0


# --- the average policies ------------------------------------------------------------------------


def test_nash_conv_falls() -> None:
    solver = solver_of(new_game("leduc_poker"))
    found = []
    for iterations in (1, 10, 100, 1000):
        solver.run(max_iterations=iterations)
        assert solver.iterations == iterations
        found.append(solver.nash_conv)
    assert found == sorted(found, reverse=True)
    assert 0 < found[-1] < found[0] / 1000


def test_no_nash_conv_is_claimed_before_it_is_measured() -> None:
    assert solver_of(new_game("kuhn_poker")).nash_conv == math.inf


def test_the_policy_before_the_first_iteration_is_uniform() -> None:
    for each in solver_of(new_game("leduc_poker")).information_sets():
        assert each.policy == [1 / len(each.moves)] * len(each.moves)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_values_and_reaches_are_those_of_a_plain_walk(name: str) -> None:
    solver = solve(name, 20)
    game = solver.form.game
    found = list(solver.information_sets())
    reaches: dict[tuple[int, bytes], float] = defaultdict(float)
    value = 0.0
    for state, reach in histories(game, {(e.seat, e.observation): e.policy for e in found}):
        seat = game.node_of(state)
        if seat >= 0:
            reaches[seat, game.observed(state, seat)] += reach
        elif not game.outcomes_of(state):
            value += reach * game.returns_of(state)[0]
    assert solver.values() == pytest.approx((value, 1 - value))
    assert {(e.seat, e.observation): e.reach for e in found} == pytest.approx(reaches)


def test_the_average_policy_given_back_has_the_same_nash_conv() -> None:
    solver = solve("leduc_poker", 50)
    policy = {(each.seat, each.observation): each.policy for each in solver.information_sets()}
    assert solver.nash_conv_of(policy) == pytest.approx(solver.nash_conv)


def test_a_path_leads_to_the_policy_of_its_information_set() -> None:
    solver = solve("leduc_poker", 50)
    game = solver.form.game
    tokens = ("deal:js", "deal:qh", "call", "raise", "call", "deal:kh", "call")
    observation = new_game("leduc_poker").apply(*tokens).observe(2).state
    expected = {(e.seat, e.observation): e.policy for e in solver.information_sets()}
    path = [game.parse_move(token) for token in tokens]
    assert solver.policy(path) == expected[1, observation]


def test_information_sets_tell_rounds_apart_that_the_observation_forgets() -> None:
    solver = solve("goofspiel", 10, cards=4)
    by_observation: dict[tuple[int, bytes], list[InformationSetPolicy]] = defaultdict(list)
    for each in solver.information_sets():
        by_observation[each.seat, each.observation].append(each)
    assert max(map(len, by_observation.values())) > 1
    assert all(len({each.moves for each in same}) == 1 for same in by_observation.values())


# --- interruptions -------------------------------------------------------------------------------


def in_slices(solver: CfrSolver, iterations: int) -> None:
    while solver.run(iterations, 0.0, time.monotonic_ns() + 50_000) == TIME:
        assert sum(solver.values()) == pytest.approx(1)


def with_questions(solver: CfrSolver, iterations: int) -> None:
    for _ in range(30):
        solver.run(iterations, 0.0, time.monotonic_ns() + 50_000)
        solver.nash_conv_of(uniform)
        next(solver.information_sets())
    solver.run(max_iterations=iterations)


def one_by_one(solver: CfrSolver, iterations: int) -> None:
    for i in range(1, iterations + 1):
        solver.run(max_iterations=i)


@pytest.mark.parametrize("interrupted", [in_slices, with_questions, one_by_one])
def test_interruptions_change_no_answer(interrupted: Callable[[CfrSolver, int], None]) -> None:
    position = new_game("goofspiel", {"cards": 4})
    whole, sliced = solver_of(position), solver_of(position)
    whole.run(max_iterations=30)
    interrupted(sliced, 30)
    assert sliced.iterations == whole.iterations == 30
    assert sliced.nash_conv == whole.nash_conv
    assert list(sliced.information_sets()) == list(whole.information_sets())


def test_after_its_deadline_a_call_makes_a_little_progress() -> None:
    position = new_game("leduc_poker")
    solver = CfrSolver(position.game, position.state, MEGABYTE)
    assert solver.build(1) == TIME
    assert 0 < solver.num_histories < 100
    assert solver.build() == DONE
    assert solver.run(100, 0.0, 1) == TIME
    assert solver.iterations <= 1


def test_a_target_already_met_needs_no_further_iteration() -> None:
    solver = solve("kuhn_poker", 100)
    assert solver.run(1000, 1.0) == DONE
    assert solver.iterations == 100


def cancelled(position: Position, run: Callable[[CfrSolver], int]) -> int:
    """Cancel a solver that would go on for minutes; return what `run` returned."""
    solver = CfrSolver(position.game, position.state, 2048 * MEGABYTE)
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(run(solver)))
    thread.start()
    while solver.num_histories < 10_000:
        time.sleep(0.001)
    solver.cancel()
    thread.join(10)
    assert not thread.is_alive()
    return codes[0]


def test_building_can_be_cancelled() -> None:
    position = new_game("goofspiel", {"cards": 7})
    assert cancelled(position, lambda solver: solver.build()) == CANCELLED


def test_iterating_can_be_cancelled() -> None:
    def run(solver: CfrSolver) -> int:
        if solver.build() == CANCELLED:  # the cancel came as early as that
            return CANCELLED
        return solver.run()

    assert cancelled(new_game("goofspiel", {"cards": 4}), run) == CANCELLED


def test_the_start_of_a_listing_can_be_cancelled() -> None:
    solver = CfrSolver(new_game("kuhn_poker").game, new_game("kuhn_poker").state, 1 << 20)
    assert solver.measured_values == ()
    solver.build()
    solver.run(10)
    listed = list(solver.information_sets())
    solver.cancel()
    with pytest.raises(InterruptedError):
        solver.information_sets()
    asked = {(each.seat, each.observation): each.policy for each in listed}
    assert solver.nash_conv_of(asked) == pytest.approx(solver.nash_conv)


def test_the_values_of_a_check_are_those_of_the_policies_it_is_of() -> None:
    position = new_game("leduc_poker")
    solver = CfrSolver(position.game, position.state, 1 << 24)
    solver.build()
    solver.run(13)
    measured = solver.measured_values
    assert measured == pytest.approx(solver.values(), abs=1e-12)
    solver.nash_conv_of(lambda _seat, _observation, moves: [1 / len(moves)] * len(moves))
    assert solver.measured_values == measured


def test_a_cancelled_solver_stays_cancelled_and_can_be_asked() -> None:
    solver = solve("kuhn_poker", 10)
    solver.cancel()
    assert solver.run(max_iterations=20) == CANCELLED
    assert solver.iterations == 10
    assert sum(solver.values()) == pytest.approx(1)


# --- limits and mistakes -------------------------------------------------------------------------


def test_a_tree_too_large_is_refused_with_its_estimated_size() -> None:
    position = new_game("goofspiel", {"cards": 13})
    solver = CfrSolver(position.game, position.state, MEGABYTE)
    with pytest.raises(TreeTooLarge, match="histories") as refused:
        solver.build()
    assert refused.value.num_histories > 1e20
    assert refused.value.num_bytes > refused.value.num_histories
    assert solver.memory_bytes <= MEGABYTE
    with pytest.raises(TreeTooLarge):
        solver.build()


def test_memory_stays_within_its_limit() -> None:
    position = new_game("leduc_poker")
    codes: list[int | None] = []
    for limit in range(0, 700_000, 20_000):
        solver = CfrSolver(position.game, position.state, limit)
        try:
            codes.append(solver.build())
        except TreeTooLarge:
            codes.append(None)
        assert solver.memory_bytes <= limit
    assert codes == sorted(codes, key=lambda code: code is not None)
    assert codes[0] is None
    assert codes[-1] == DONE


def test_only_two_seats_have_an_equilibrium_here() -> None:
    position = new_game("kingdom_coinquest", {"players": 3})
    with pytest.raises(InputError, match="3") as refused:
        CfrSolver(position.game, position.state, MEGABYTE)
    assert refused.value.field == "options.players"
    assert refused.value.value == "3"


def test_a_finished_game_has_nothing_to_solve() -> None:
    over = parse_position("kuhn_poker", "kuhn p1=k p2=j bets=pp node=end")
    with pytest.raises(StateError, match="over"):
        CfrSolver(over.game, over.state, MEGABYTE)


def test_an_observation_is_no_root() -> None:
    observation = new_game("kuhn_poker").observe(1)
    with pytest.raises(TypeError, match="full state"):
        CfrSolver(observation.game, observation.state, MEGABYTE)


@pytest.mark.parametrize(("name", "plies"), [("leduc_poker", 1), ("kingdom_coinquest", 20)])
def test_a_root_must_hide_nothing(name: str, plies: int) -> None:
    position = played(name, plies)
    with pytest.raises(StateError, match="does not see all"):
        CfrSolver(position.game, position.state, MEGABYTE)


def test_the_public_root_of_a_poker_hand_is_its_start() -> None:
    position = parse_position("leduc_poker", "leduc p1=js p2=qh board=kh bets=rc/r node=play:p2")
    root, path = public_root(position.game, position.state)
    assert root == position.game.start_state()
    assert [position.game.move_text(move) for move in path] == [
        *("deal:js", "deal:qh", "raise", "call", "deal:kh", "raise")
    ]


def test_where_nothing_is_ever_hidden_every_state_is_a_root() -> None:
    position = new_game("tic_tac_toe").apply("b2", "a1")
    assert public_root(position.game, position.state) == (position.state, [])


def test_a_state_that_hides_and_forgets_has_no_public_root() -> None:
    position = played("kingdom_coinquest", 20)
    with pytest.raises(StateError, match="has hidden information and no history"):
        public_root(position.game, position.state)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((-1, 0.0), "max_iterations"),
        ((1, -0.5), "target_nash_conv"),
        ((1, math.nan), "target_nash_conv"),
        ((1, math.inf), "target_nash_conv"),
    ],
)
def test_limits_out_of_range_are_refused(arguments: tuple[int, float], field: str) -> None:
    with pytest.raises(InputError, match=field) as refused:
        solver_of(new_game("kuhn_poker")).run(*arguments)
    assert refused.value.field == field


@pytest.mark.parametrize(
    "call",
    [
        lambda solver: solver.run(max_iterations=1),
        lambda solver: solver.values(),
        lambda solver: solver.policy([]),
        lambda solver: solver.information_sets(),
        lambda solver: solver.nash_conv_of(uniform),
    ],
)
def test_nothing_is_answered_before_the_tree_is_built(call: Callable[[CfrSolver], object]) -> None:
    position = new_game("kuhn_poker")
    with pytest.raises(RuntimeError, match="not built"):
        call(CfrSolver(position.game, position.state, MEGABYTE))


@pytest.mark.parametrize(
    "call",
    [
        lambda solver: solver.run(max_iterations=11),
        lambda solver: solver.values(),
        lambda solver: solver.information_sets(),
        lambda solver: solver.nash_conv_of(uniform),
    ],
)
def test_a_policy_is_judged_alone(call: Callable[[CfrSolver], object]) -> None:
    """While a function gives the policy, another thread may ask; both would write to one place."""
    solver, game = solve("kuhn_poker", 10), GAMES["kuhn_poker"]()
    deal = [game.parse_move("deal:k"), game.parse_move("deal:q")]

    def meddling(seat: int, observation: bytes, moves: Sequence[int]) -> Sequence[float]:
        with pytest.raises(RuntimeError, match="already judges"):
            call(solver)
        assert solver.policy(deal)
        return uniform(seat, observation, moves)

    alone = solver.nash_conv_of(uniform)
    assert solver.nash_conv_of(meddling) == alone
    call(solver)


def test_a_path_with_an_impossible_move_is_refused() -> None:
    solver = solver_of(new_game("kuhn_poker"))
    deal = GAMES["kuhn_poker"]().parse_move("deal:j")
    with pytest.raises(InputError, match="ply 2") as refused:
        solver.policy([deal, deal])
    assert refused.value.field == "path[1]"


def test_a_path_that_ends_at_a_deal_has_no_policy() -> None:
    with pytest.raises(StateError, match="no seat"):
        solver_of(new_game("kuhn_poker")).policy([])


@pytest.mark.parametrize(
    "probabilities", [[], [1.0], [0.5, 0.6], [-0.5, 1.5], [math.nan, 1.0], [0.2, 0.3, 0.5]]
)
def test_what_is_no_policy_is_refused(probabilities: list[float]) -> None:
    solver = solver_of(new_game("kuhn_poker"))
    with pytest.raises(InputError, match="probabilities"):
        solver.nash_conv_of(lambda seat, observation, moves: probabilities)


def test_a_policy_with_a_gap_is_refused() -> None:
    with pytest.raises(InputError, match="probabilities"):
        solver_of(new_game("kuhn_poker")).nash_conv_of({})
