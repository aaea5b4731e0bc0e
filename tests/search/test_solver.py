"""Solving: proofs, bounds, equilibria, limits and what is refused."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import Any

import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.search import equilibrium as module
from kingmaker.search.analysis import Bound, StopReason
from kingmaker.search.cfr import CfrSolver
from kingmaker.search.position import Position, new_game, parse_observation, parse_position
from kingmaker.search.solution import InfeasibleError, Limits, Method, Solution
from kingmaker.search.solver import Solver, method_of, solve

MEGABYTE = 1 << 20
KUHN_VALUE = (2 - 1 / 18) / 4
"""Share of p1 in Kuhn poker, whose value is -1/18 chips (docs/rules/kuhn_poker.md)."""
HIDDEN_HANDS = (
    "kc turn=9 epoch=0 node=play:p2 p1=c/20/qh,5c!/qd/-/-/-/- p2=h/20/7h,jh,td/-/-/-/-/- "
    "forge=37 grave=7s,5d,as,2h,ah"
)


def tic_tac_toe(*moves: str) -> Position:
    return new_game("tic_tac_toe").apply(*moves)


def connect_four() -> Position:
    """Start of Connect Four, which nobody proves in a test."""
    return new_game("connect_four")


def kuhn(cards: str = "kq", *bets: str) -> Position:
    return new_game("kuhn_poker").apply(f"deal:{cards[0]}", f"deal:{cards[1]}", *bets)


def kingdom(**options: int) -> Position:
    return new_game("kingdom_coinquest", options)


def test_tic_tac_toe_is_a_draw() -> None:
    solution = solve(tic_tac_toe())
    assert solution.method is Method.EXACT
    assert solution.values == (0.5, 0.5)
    assert solution.bound is Bound.EXACT
    assert solution.is_exact
    assert solution.stop_reason is StopReason.SOLVED
    assert not solution.open_hands
    assert {move.values for move in solution.moves} == {(0.5, 0.5)}
    assert [move.probability for move in solution.moves] == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert solution.nodes > 0
    assert solution.depth <= 9


def test_the_best_move_comes_first_with_its_line() -> None:
    solution = solve(parse_position("tic_tac_toe", "ttt board=oo./.../xx. node=play:p1"))
    best = solution.moves[0]
    assert (best.move, best.values, best.line) == ("c1", (1, 0), ("c1",))
    assert best.bound is Bound.EXACT
    assert solution.values == (1, 0)


def test_an_observation_of_an_open_game_is_solved_like_its_position() -> None:
    position = tic_tac_toe("b2", "a2")
    assert solve(position.observe(1)) == solve(position)


def test_slices_give_the_same_solution_as_one_run() -> None:
    position, limits = connect_four(), Limits(nodes=200_000)
    whole = solve(position, limits, method=Method.LIMITED)
    solver = Solver(position, limits, method=Method.LIMITED)
    snapshots = [solver.advance(1)]
    while not solver.is_finished:
        snapshots.append(solver.advance(1))
    assert snapshots[-1] == whole
    assert {each.stop_reason for each in snapshots[:-1]} == {None}
    assert len(snapshots) > 1


@pytest.mark.parametrize("milliseconds", [-1.0, float("nan")])
def test_a_slice_without_time_is_a_short_one(milliseconds: float) -> None:
    solver = Solver(connect_four(), Limits(milliseconds=2000), method=Method.LIMITED)
    solver.step(milliseconds)
    assert not solver.is_finished


def test_a_limited_depth_says_that_its_values_are_estimates() -> None:
    solution = solve(connect_four(), method=Method.LIMITED, depth=4)
    assert solution.bound is Bound.HEURISTIC
    assert solution.stop_reason is StopReason.DEPTH
    assert solution.depth == 4
    assert len(solution.moves) == 7
    assert sum(solution.values) == pytest.approx(1)


def test_a_limited_depth_that_reaches_the_end_is_a_proof() -> None:
    solution = solve(tic_tac_toe("a1", "b2"), method=Method.LIMITED, depth=7)
    assert solution.bound is Bound.EXACT
    assert solution.stop_reason is StopReason.SOLVED


def test_nodes_end_a_limited_search_with_what_it_has() -> None:
    solution = solve(connect_four(), Limits(nodes=50_000), method=Method.LIMITED)
    assert solution.stop_reason is StopReason.NODES
    assert 0 < solution.nodes <= 50_000
    assert solution.depth > 0


def test_chance_and_open_hands_are_solved_and_flagged() -> None:
    solution = solve(kuhn("kq"), method=Method.EXACT)
    assert solution.open_hands
    assert solution.is_exact
    # With the king seen p2 folds to a bet and passes behind a pass: one chip for p1.
    assert solution.values == (0.75, 0.25)
    at_the_deal = solve(new_game("kuhn_poker"), method=Method.EXACT)
    assert at_the_deal.moves == ()
    assert at_the_deal.values == pytest.approx((0.5, 0.5))


def test_more_than_two_seats_are_solved_for_each_seat() -> None:
    solution = solve(kingdom(players=3), method=Method.LIMITED, depth=2)
    assert len(solution.values) == 3
    assert sum(solution.values) == pytest.approx(1)


def test_kuhn_poker_has_its_known_value() -> None:
    solution = solve(new_game("kuhn_poker"), target=1e-5)
    equilibrium = solution.equilibrium
    assert equilibrium is not None
    assert solution.method is Method.EQUILIBRIUM
    assert solution.stop_reason is StopReason.TARGET
    assert solution.values == pytest.approx((KUHN_VALUE, 1 - KUHN_VALUE), abs=2e-5)
    assert equilibrium.exploitability is not None
    assert equilibrium.exploitability <= 1e-5
    assert equilibrium.num_information_sets == 12
    assert equilibrium.iterations > 0
    assert equilibrium.policies == ()
    assert solution.bound is None
    assert solution.moves == ()


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("kuhn p1=? p2=k bets=b node=play:p2 @p2", "bet"),
        ("kuhn p1=? p2=j bets=b node=play:p2 @p2", "pass"),
        ("kuhn p1=q p2=? bets=- node=play:p1 @p1", "pass"),
    ],
)
def test_the_policy_is_that_of_the_information_set(line: str, move: str) -> None:
    solution = solve(parse_observation("kuhn_poker", line), target=1e-5)
    assert solution.moves[0].move == move
    assert solution.moves[0].probability == pytest.approx(1, abs=0.02)
    assert sum(each.probability for each in solution.moves) == pytest.approx(1)


def test_the_policy_of_a_position_does_not_use_what_its_seat_cannot_see() -> None:
    against = [solve(kuhn(f"q{rival}"), target=1e-4).moves for rival in "jk"]
    assert against[0] == against[1]


def test_what_another_seat_sees_gives_values_only() -> None:
    solution = solve(kuhn("kq").observe(2))
    assert solution.moves == ()
    assert solution.values == pytest.approx((KUHN_VALUE, 1 - KUHN_VALUE), abs=1e-3)


def test_the_policies_of_all_information_sets_are_listed_on_request() -> None:
    equilibrium = solve(new_game("kuhn_poker"), include_policy=True).equilibrium
    assert equilibrium is not None
    assert len(equilibrium.policies) == 12
    assert not equilibrium.is_cut
    by_line = {each.observation: each for each in equilibrium.policies}
    king = by_line["kuhn p1=? p2=k bets=b node=play:p2 @p2"]
    assert (king.seat, king.moves) == (2, ("pass", "bet"))
    assert king.policy == pytest.approx((0, 1), abs=0.02)
    first = [each.reach for each in equilibrium.policies if "bets=- " in each.observation]
    assert first == pytest.approx([1 / 3] * 3)


def test_the_list_of_policies_is_cut_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_POLICIES", 5)
    equilibrium = solve(new_game("kuhn_poker"), include_policy=True).equilibrium
    assert equilibrium is not None
    assert len(equilibrium.policies) == 5
    assert equilibrium.is_cut


def test_an_equilibrium_says_how_close_it_came_when_its_time_ends() -> None:
    solution = solve(new_game("leduc_poker"), Limits(milliseconds=300), target=1e-12)
    assert solution.stop_reason is StopReason.TIME
    assert solution.equilibrium is not None
    assert solution.equilibrium.exploitability is not None
    assert 1e-12 < solution.equilibrium.exploitability < 0.1
    assert 0.3 <= solution.seconds < 3


def test_nodes_are_histories_times_iterations() -> None:
    solution = solve(new_game("kuhn_poker"), Limits(nodes=10_000), target=1e-12)
    equilibrium = solution.equilibrium
    assert equilibrium is not None
    assert solution.stop_reason is StopReason.NODES
    assert solution.nodes == equilibrium.num_histories * (1 + equilibrium.iterations) <= 10_000


@pytest.mark.parametrize("game", ["leduc_poker", "tic_tac_toe"])
def test_a_solver_without_a_step_has_no_solution_yet(game: str) -> None:
    solver = Solver(new_game(game))
    with pytest.raises(RuntimeError, match="has not made a step"):
        solver.snapshot()
    solver.step(1)
    assert solver.snapshot().nodes > 0


def test_slices_of_an_equilibrium_change_nothing() -> None:
    limits = Limits(nodes=2_000_000)
    whole = solve(new_game("leduc_poker"), limits, target=1e-12)
    solver = Solver(new_game("leduc_poker"), limits, target=1e-12)
    snapshots = [solver.advance(1)]
    while not solver.is_finished:
        snapshots.append(solver.advance(1))
    assert snapshots[-1].values == whole.values
    assert snapshots[-1].nodes == whole.nodes
    assert len(snapshots) > 2


def test_an_infeasible_proof_is_refused_at_once() -> None:
    start = time.monotonic()
    with pytest.raises(InfeasibleError, match="a proof is infeasible") as caught:
        solve(connect_four(), Limits(milliseconds=20_000, nodes=1_000_000))
    assert time.monotonic() - start < 5
    assert float(caught.value.details["estimated_histories"]) > 1e20
    assert "estimate" in str(caught.value)
    assert caught.value.solution is None


def test_a_proof_that_is_not_found_tells_what_was_done() -> None:
    with pytest.raises(InfeasibleError, match="before the end of its nodes") as caught:
        solve(tic_tac_toe(), Limits(nodes=200))
    details, solution = caught.value.details, caught.value.solution
    assert solution is not None
    assert solution.stop_reason is StopReason.NODES
    assert details["nodes"] == str(solution.nodes)
    assert details["depth"] == str(solution.depth)
    assert details["bound"] in {"lower", "upper", "heuristic"}
    assert 1e4 < float(details["estimated_histories"]) < 1e7
    assert isinstance(caught.value, StateError)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(nodes=100_000), "too large for the nodes allowed"),
        (Limits(memory_bytes=MEGABYTE), "the limit is 1048576 bytes"),
        (Limits(milliseconds=1), "too large for the time allowed"),
    ],
)
def test_a_tree_that_does_not_fit_is_refused_with_its_size(limits: Limits, words: str) -> None:
    with pytest.raises(InfeasibleError, match=words) as caught:
        solve(tic_tac_toe(), limits, method=Method.EQUILIBRIUM)
    assert 1e5 < float(caught.value.details["estimated_histories"]) < 2e6
    assert float(caught.value.details["estimated_bytes"]) > 1e6


@pytest.mark.parametrize(
    "limits", [Limits(memory_bytes=256 * MEGABYTE), Limits(10_000, None, 1 << 40), Limits(nodes=1)]
)
def test_a_hopeless_equilibrium_is_refused_before_memory_is_filled(limits: Limits) -> None:
    solver = Solver(new_game("goofspiel"), limits)
    with pytest.raises(InfeasibleError, match="an equilibrium is infeasible") as caught:
        solver.run()
    assert float(caught.value.details["estimated_histories"]) > 1e25
    assert float(caught.value.details["estimated_bytes"]) > 1e26
    assert caught.value.solution is None


def test_values_and_exploitability_are_of_the_same_policies() -> None:
    solver = Solver(new_game("leduc_poker"), Limits(nodes=9457 * 21))
    solution = solver.run()
    kernel = CfrSolver(new_game("leduc_poker").game, new_game("leduc_poker").state, 64 * MEGABYTE)
    kernel.build()
    kernel.run(20)
    assert solution.values == pytest.approx(kernel.values(), abs=1e-12)
    assert solution.equilibrium is not None
    assert solution.equilibrium.exploitability == kernel.nash_conv / 2


def test_a_cancel_ends_the_listing_of_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(new_game("leduc_poker"), Limits(nodes=10**5), include_policy=True)
    reports = []

    def policy(_task: Any, found: Any) -> Any:
        reports.append(found)
        solver.cancel()

    monkeypatch.setattr(module.EquilibriumTask, "_policy", policy)
    solution = solver.run()
    assert len(reports) == 1
    assert solution.equilibrium is not None
    assert solution.equilibrium.policies == ()


def test_who_cancels_waits_for_no_policies() -> None:
    solver = Solver(new_game("leduc_poker"), include_policy=True, target=1e-12)
    solver.advance(20)
    solver.cancel()
    solution = solver.run()
    assert solution.stop_reason is StopReason.CANCELLED
    assert solution.moves == ()
    assert sum(solution.values) == pytest.approx(1)
    assert solution.equilibrium is not None
    assert solution.equilibrium.policies == ()


@pytest.mark.parametrize("method", list(Method))
def test_a_solver_that_is_cancelled_before_it_begins_ends_at_once(method: Method) -> None:
    solver = Solver(new_game("kuhn_poker"), method=method)
    solver.cancel()
    solution = solver.run()
    assert solution.stop_reason is StopReason.CANCELLED
    assert solution.nodes <= 1


@pytest.mark.parametrize("method", [Method.EXACT, Method.LIMITED])
def test_an_observation_with_hidden_cards_has_no_open_hands_value(method: Method) -> None:
    with pytest.raises(InputError, match="use the method equilibrium, or analyze") as caught:
        Solver(kuhn().observe(1), method=method)
    assert (caught.value.field, caught.value.value) == ("method", method.value)


def test_an_equilibrium_is_for_two_seats() -> None:
    with pytest.raises(InputError, match="for 2 seats, and this game has 3") as caught:
        Solver(kingdom(players=3))
    assert caught.value.field == "method"


def test_an_equilibrium_needs_a_state_at_which_nothing_was_hidden() -> None:
    dealt = parse_position("kingdom_coinquest", HIDDEN_HANDS)
    with pytest.raises(StateError, match="has hidden information and no history"):
        Solver(dealt, method=Method.EQUILIBRIUM)


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        ({"method": Method.LIMITED, "depth": 0}, "depth", "0"),
        ({"method": Method.LIMITED, "depth": -3}, "depth", "-3"),
        ({"method": Method.LIMITED, "depth": 10**9}, "depth", "1000000000"),
        ({"method": Method.LIMITED, "depth": 2.5}, "depth", "2.5"),
        ({"method": Method.LIMITED, "depth": "3"}, "depth", "3"),
        ({"depth": 3}, "depth", "3"),
        ({"target": 0.1}, "target", "0.1"),
        ({"include_policy": True}, "include_policy", "true"),
        ({"method": Method.EQUILIBRIUM, "target": 0.0}, "target", "0"),
        ({"method": Method.EQUILIBRIUM, "target": -1.0}, "target", "-1"),
        ({"method": Method.EQUILIBRIUM, "target": float("nan")}, "target", "nan"),
    ],
)
def test_options_out_of_range_or_place_are_refused(
    arguments: dict[str, Any], field: str, value: str
) -> None:
    with pytest.raises(InputError) as caught:
        Solver(tic_tac_toe(), **arguments)
    assert (caught.value.field, caught.value.value) == (field, value)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"milliseconds": 0}, "limits.milliseconds"),
        ({"milliseconds": -5}, "limits.milliseconds"),
        ({"milliseconds": float("nan")}, "limits.milliseconds"),
        ({"nodes": 0}, "limits.nodes"),
        ({"nodes": -1}, "limits.nodes"),
        ({"nodes": "1"}, "limits.nodes"),
        ({"nodes": 2.5}, "limits.nodes"),
        ({"nodes": True}, "limits.nodes"),
        ({"memory_bytes": 0}, "limits.memory_bytes"),
        ({"memory_bytes": None}, "limits.memory_bytes"),
        ({"memory_bytes": 1e7}, "limits.memory_bytes"),
    ],
)
def test_limits_out_of_range_are_refused(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Limits(**arguments)
    assert caught.value.field == field


@pytest.mark.parametrize("method", [99, 0, -1, float("nan"), [], b"x"])
def test_what_is_no_method_is_refused(method: Any) -> None:
    with pytest.raises(TypeError, match=r"method is .*; it must be .*: exact, limited"):
        Solver(tic_tac_toe(), method=method)


@pytest.mark.parametrize("limits", [0, [], 99])
def test_what_are_no_limits_is_refused(limits: Any) -> None:
    with pytest.raises(TypeError, match=r"limits is .*; it must be Limits"):
        Solver(tic_tac_toe(), limits)


def test_what_is_no_number_is_no_time_and_no_target() -> None:
    wrong: Any = []
    with pytest.raises(TypeError, match=r"milliseconds is \[\]; it must be a number"):
        Limits(milliseconds=wrong)
    with pytest.raises(TypeError, match=r"target is \[\]; it must be a number"):
        Solver(tic_tac_toe(), target=wrong)


def test_a_game_that_is_over_has_nothing_to_solve() -> None:
    over = parse_position("tic_tac_toe", "ttt board=oo./.../xxx node=end")
    for subject in (over, over.observe(1)):
        with pytest.raises(StateError, match="the game is over"):
            Solver(subject)


def test_methods_are_known_by_name() -> None:
    assert method_of("") is None
    assert method_of("limited") is Method.LIMITED
    with pytest.raises(InputError, match="methods are exact, limited, equilibrium") as caught:
        method_of("guess")
    assert (caught.value.field, caught.value.value) == ("method", "guess")


@pytest.mark.parametrize(
    "solver",
    [
        lambda: Solver(connect_four(), method=Method.LIMITED),
        lambda: Solver(new_game("leduc_poker"), target=1e-12),
    ],
)
def test_a_cancelled_solver_ends_at_once_with_what_it_has(solver: Any) -> None:
    running = solver()
    found: list[Solution] = []
    thread = threading.Thread(target=lambda: found.append(running.run()))
    thread.start()
    time.sleep(0.2)
    start = time.monotonic()
    running.cancel()
    thread.join(10)
    assert time.monotonic() - start < 0.5  # a millisecond on an idle machine
    assert found[0].stop_reason is StopReason.CANCELLED
    assert found[0].values


def test_one_thread_at_a_time_runs_a_solver() -> None:
    running = Solver(new_game("leduc_poker"), target=1e-12)
    thread = threading.Thread(target=running.run)
    thread.start()
    time.sleep(0.2)
    for call in (running.run, partial(running.advance, 1), partial(running.step, 1)):
        with pytest.raises(RuntimeError, match="this solver already runs"):
            call()
    with pytest.raises(RuntimeError, match="this solver already runs"):
        running.snapshot()
    running.cancel()
    thread.join(10)
    assert running.snapshot().stop_reason is StopReason.CANCELLED


@pytest.mark.parametrize("position", [tic_tac_toe(), kuhn()])
def test_a_solver_cancelled_before_it_began_says_so(position: Position) -> None:
    solver = Solver(position)
    solver.cancel()
    assert solver.run().stop_reason is StopReason.CANCELLED
    assert solver.is_finished


def test_the_configuration_hash_tells_methods_and_options_apart() -> None:
    solvers = [
        Solver(tic_tac_toe()),
        Solver(tic_tac_toe(), method=Method.LIMITED),
        Solver(tic_tac_toe(), method=Method.LIMITED, depth=3),
        Solver(tic_tac_toe(), method=Method.EQUILIBRIUM),
        Solver(tic_tac_toe(), method=Method.EQUILIBRIUM, target=0.1),
    ]
    assert len({solver.config_hash for solver in solvers}) == len(solvers)
