"""The search that mixes: trees of all seats, regret matching, worlds weighed by the policies."""

from __future__ import annotations

import threading
from collections import Counter

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import MEGABYTE, Analysis, Budget
from kingmaker.search.cfr import CfrSolver
from kingmaker.search.engine_options import check_options
from kingmaker.search.growing_tree import GrowingTreeSearcher
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.levels import select_move
from kingmaker.search.mo_ismcts import MoIsmctsSearcher
from kingmaker.search.position import Observation, Position, new_game, parse_observation
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search, analyze

MULTIPLE = {"observers": "multiple"}


def policy_of(analysis: Analysis) -> dict[str, float]:
    return {move.move: share for move, share in zip(analysis.moves, analysis.policy, strict=True)}


def mixed(observation: Observation, simulations: int, *, seed: int) -> dict[str, float]:
    budget = Budget(simulations=simulations)
    return policy_of(analyze(observation, budget, engine="ismcts", seed=seed))


def equilibrium_at_the_start(position: Position) -> dict[str, float]:
    solver = CfrSolver(position.game, position.state, 256 * MEGABYTE)
    solver.build()
    solver.run(max_iterations=2000)
    moves = position.legal_moves()
    return dict(zip(moves, solver.policy([]), strict=True))


def total_variation(first: dict[str, float], second: dict[str, float]) -> float:
    return sum(abs(first[move] - second[move]) for move in first) / 2


def kuhn(cards: str, bets: str, node: str, seat: int) -> Observation:
    return parse_observation("kuhn_poker", f"kuhn {cards} bets={bets} node=play:{node} @p{seat}")


def test_searching_every_information_set_of_kuhn_poker_comes_close_to_an_equilibrium() -> None:
    position = new_game("kuhn_poker")

    def searched(seat: int, observation: bytes, moves: tuple[int, ...]) -> list[float]:
        found = mixed(Observation(position.game, observation), 10_000, seed=5)
        return [found[position.game.move_text(move)] for move in moves]

    solver = CfrSolver(position.game, position.state, MEGABYTE)
    solver.build()
    assert 4 * solver.nash_conv_of(searched) < 0.1  # in chips; OpenSpiel's IS-MCTS: 0.28


def test_a_bluff_of_the_rival_is_called_as_often_as_it_pays() -> None:
    policy = mixed(kuhn("p1=? p2=q", "b", "p2", 2), 10_000, seed=1)
    assert policy["bet"] == pytest.approx(1 / 3, abs=0.12)


def test_the_king_bets_into_a_bet_and_the_jack_never_does() -> None:
    assert mixed(kuhn("p1=? p2=k", "b", "p2", 2), 1000, seed=1)["bet"] == 1
    assert mixed(kuhn("p1=? p2=j", "b", "p2", 2), 1000, seed=1)["bet"] == 0


@pytest.mark.parametrize("order", ["ascending", "random"])
def test_bids_of_goofspiel_are_drawn_like_those_of_the_equilibrium(order: str) -> None:
    position, _ = new_game("goofspiel", {"cards": 4, "order": order}).settle(np.random.SFC64(1))
    expected = equilibrium_at_the_start(position)
    found = mixed(position.observe(1), 20_000, seed=3)
    assert total_variation(found, expected) < 0.1


def test_the_second_bidder_does_not_count_on_knowing_the_first_bid() -> None:
    position, _ = new_game("goofspiel", {"cards": 4}).settle(np.random.SFC64(1))
    first = analyze(position.observe(1), Budget(simulations=20_000), seed=1)
    second = analyze(position.apply("bid:1").observe(2), Budget(simulations=20_000), seed=1)
    assert first.values[0] == pytest.approx(0.5, abs=0.03)
    assert second.values[1] == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("game", "line", "expected"),
    [
        # The value of the game, -1/18 of a stake of 4 chips.
        ("kuhn_poker", "kuhn p1=_ p2=_ bets=- node=deal:p1 @p1", 35 / 72),
        # The rival's 1 takes nothing here, and then his 3 takes the 4 and wins.
        (
            "goofspiel",
            "goof;cards=4 p1=1,3 p2=1,3 bids=?/3 points=0/0 prize=2 down=4 node=reveal @p2",
            0,
        ),
    ],
)
def test_a_seat_that_waits_expects_what_good_play_brings(
    game: str, line: str, expected: float
) -> None:
    observation = parse_observation(game, line)
    analysis = analyze(observation, Budget(simulations=10_000), engine="ismcts", seed=1)
    assert analysis.values[observation.observer - 1] == pytest.approx(expected, abs=0.02)


def test_the_first_of_two_equal_bidders_is_not_promised_the_game() -> None:
    position, _ = new_game("goofspiel").settle(np.random.SFC64(1))
    analysis = analyze(position.observe(1), Budget(simulations=3000), seed=1)
    assert analysis.values[0] == pytest.approx(0.5, abs=0.13)  # a luckier leaf is not a better bid


def test_select_move_draws_from_the_policy_by_the_seed() -> None:
    observation = kuhn("p1=? p2=q", "b", "p2", 2)
    budget = Budget(simulations=2000)
    drawn = Counter(select_move(observation, budget, seed=seed)[0] for seed in range(60))
    assert drawn["pass"] > 25
    assert drawn["bet"] > 5
    assert (
        select_move(observation, budget, seed=7)[0] == select_move(observation, budget, seed=7)[0]
    )


def test_a_game_that_needs_no_mixing_gets_one_best_move() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    analysis = analyze(position.observe(position.seat), Budget(simulations=200), seed=1)
    assert analysis.policy == (1.0, *(0.0 for _ in analysis.moves[1:]))


def test_a_move_that_was_hardly_examined_is_not_drawn() -> None:
    """Its part of the average policy is that of the first simulations, when all are alike."""
    dropped = 0
    for seed in range(6):
        stream = np.random.SFC64(seed)
        position, _ = new_game("knights_duty").settle(stream)
        while not position.is_terminal and len(position.legal_moves()) < 5:
            position, _ = position.apply(position.legal_moves()[0]).settle(stream)
        found = analyze(position.observe(position.seat), Budget(simulations=100), seed=seed)
        assert sum(found.policy) == pytest.approx(1)
        shares = zip(found.moves, found.policy, strict=True)
        hardly = [share for move, share in shares if not move.is_examined]
        assert not any(hardly)
        dropped += len(hardly)
    assert dropped > 0


def test_the_trees_of_all_seats_can_choose_by_ucb() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    options = {"observers": "multiple", "selection": "ucb"}
    search = Search(
        position.observe(position.seat), Budget(simulations=500), seed=1, options=options
    )
    analysis = search.run()
    assert len(analysis.moves) == len(position.legal_moves())
    assert not search.does_mix


@pytest.mark.parametrize(("card", "chips", "error"), [("j", -1.0, 0.2), ("k", 7 / 6, 0.15)])
def test_rivals_in_the_trees_do_not_know_the_hand(card: str, chips: float, error: float) -> None:
    """At an equilibrium of Kuhn poker a bet gains as much as a pass, with a Jack or a King.

    A rival that knows the hand calls each bluff, so that a bet with a Jack is worth -2 chips, and
    folds to each King, which makes 1 of it.
    """
    observation = parse_observation("kuhn_poker", f"kuhn p1={card} p2=? bets=- node=play:p1 @p1")
    options = {"observers": "multiple", "selection": "ucb"}
    analysis = analyze(observation, Budget(simulations=10_000), seed=1, options=options)
    bet = next(move for move in analysis.moves if move.move == "bet")
    assert 4 * bet.values[0] - 2 == pytest.approx(chips, abs=error)


def test_a_spectator_hears_what_the_bets_say() -> None:
    """A bet tells of a good hand; before it the first seat loses 1/18 chip."""
    options = {"observers": "multiple", "selection": "ucb"}

    def chips(bets: str, node: str) -> float:
        observation = parse_observation("kuhn_poker", f"kuhn p1=? p2=? bets={bets} node={node} @-")
        analysis = analyze(observation, Budget(simulations=5000), seed=1, options=options)
        return 4 * analysis.values[0] - 2

    assert chips("-", "play:p1") == pytest.approx(-1 / 18, abs=0.1)
    assert chips("b", "play:p2") > 0.15
    assert chips("pb", "play:p1") < -0.25


def test_a_large_tree_is_chosen_from_by_ucb_and_a_small_one_has_regret() -> None:
    """Both answer with a mixed policy; only information sets count as nodes without histories."""
    start, _ = new_game("goofspiel").settle(np.random.SFC64(1))
    end, _ = new_game("goofspiel", {"cards": "4"}).settle(np.random.SFC64(1))
    for position, is_small in ((start, False), (end, True)):
        observation = position.observe(position.seat)
        found = analyze(observation, Budget(simulations=500), seed=1)
        regret = analyze(
            observation, Budget(simulations=500), seed=1, options={"selection": "regret"}
        )
        assert (found.policy == regret.policy) == is_small
        assert found.policy[0] < 1


def test_a_move_that_is_not_tried_yet_has_no_replies() -> None:
    """Seen between slices, as early as a snapshot can be."""
    options = {"observers": "multiple", "selection": "ucb"}
    for seed in range(60):
        position = new_game("goofspiel", {"cards": "5", "order": "descending"})
        position, _ = position.settle(np.random.SFC64(seed))
        if seed % 2:
            position, _ = position.apply(position.legal_moves()[seed % 5]).settle(
                np.random.SFC64(seed)
            )
        search = Search(
            position.observe(position.seat),
            Budget(simulations=600),
            seed=seed,
            threads=2 + seed % 2,
            options=options,
        )
        for _ in range(16):
            found = search.advance(0.02)
            replies = [reply for move in found.moves for reply in move.replies]
            assert all(0 < reply.frequency <= 1 for reply in replies)


def test_the_engine_chooses_trees_and_selection_by_the_game() -> None:
    chosen = {
        name: check_options(ENGINES["ismcts"], new_game(name).game, {})
        for name in ("kuhn_poker", "goofspiel", "kingdom_coinquest", "hearts")
    }
    assert {
        name: (options["observers"], options["selection"]) for name, options in chosen.items()
    } == {
        "kuhn_poker": ("multiple", "auto"),
        "goofspiel": ("multiple", "auto"),
        "kingdom_coinquest": ("single", "ucb"),
        "hearts": ("single", "ucb"),
    }


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"observers": "all"}, "engine_options.observers"),
        ({"selection": "luck"}, "engine_options.selection"),
        ({"observers": "single", "selection": "regret"}, "engine_options.selection"),
    ],
)
def test_a_wrong_choice_of_trees_is_refused(options: dict[str, str], field: str) -> None:
    with pytest.raises(InputError) as caught:
        check_options(ENGINES["ismcts"], new_game("kuhn_poker").game, options)
    assert caught.value.field == field


def test_a_full_memory_ends_growth_and_not_the_search() -> None:
    position, _ = new_game("goofspiel").settle(np.random.SFC64(1))
    budget = Budget(simulations=60_000, memory_bytes=MEGABYTE)
    analysis = analyze(position.observe(1), budget, seed=1)
    assert analysis.simulations == 60_000
    assert MEGABYTE * 0.4 < analysis.memory_bytes <= MEGABYTE


@pytest.mark.parametrize(
    ("name", "moves"),
    [("goofspiel", []), ("goofspiel", ["bid:1"]), ("leduc_poker", []), ("kingdom_coinquest", [])],
)
def test_slices_do_not_change_what_a_mixing_search_finds(name: str, moves: list[str]) -> None:
    position, _ = new_game(name).settle(np.random.SFC64(4))
    for move in moves:
        position, _ = position.apply(move).settle(np.random.SFC64(4))
    observation = position.observe(position.seat)

    def search() -> Search:
        return Search(observation, Budget(simulations=3000), seed=2, options={"selection": "auto"})

    whole = search().run()
    sliced = search()
    while (analysis := sliced.advance(0.2)).stop_reason is None:
        pass
    assert analysis == whole


def test_cancelling_in_the_middle_of_a_sweep_leaves_an_answer() -> None:
    position, _ = new_game("goofspiel").settle(np.random.SFC64(1))
    search = Search(position.observe(1), Budget(milliseconds=20_000), seed=1)
    search.advance(300)
    search.cancel()
    analysis = search.advance(300)
    assert sum(analysis.policy) == pytest.approx(1)
    assert analysis.seconds < 5


def test_a_cancel_at_any_time_leaves_every_move_with_its_value() -> None:
    position, _ = new_game("goofspiel", {"cards": 8}).settle(np.random.SFC64(1))
    for milliseconds in (40, 60, 80, 100):  # most of that time goes into sweeps
        search = Search(position.observe(1), Budget(milliseconds=20_000), seed=1)
        threading.Timer(milliseconds / 1000, search.cancel).start()
        analysis = search.run()
        assert all(move.visits for move in analysis.moves)


def test_rivals_are_expected_to_reply_as_the_policies_do() -> None:
    analysis = analyze(kuhn("p1=k p2=?", "-", "p1", 1), Budget(simulations=10_000), seed=1)
    bet = next(move for move in analysis.moves if move.move == "bet")
    replies = {reply.move: reply.frequency for reply in bet.replies}
    # The jack folds, the queen calls in a third of the cases.
    assert replies["bet"] == pytest.approx(1 / 6, abs=0.08)
    assert sum(replies.values()) == pytest.approx(1)


def test_rival_moves_that_look_alike_are_one_node_and_equally_likely() -> None:
    position, _ = new_game("goofspiel", {"cards": 4}).settle(np.random.SFC64(1))
    game = position.game
    searcher = IsmctsSearcher(
        game,
        position.observe(2).state,
        Seed(1),
        check_options(ENGINES["ismcts"], game, {"observers": "single", "exploration": 20}),
        MEGABYTE,
    )
    searcher.run(1000, 0)
    hidden = game.parse_move("bid:?")
    assert searcher.node_counts([hidden]) == (1000, 1000)
    bids = [searcher.node_counts([hidden, game.parse_move(f"bid:{i}")])[0] for i in range(1, 5)]
    reveals = [
        [
            searcher.node_counts(
                [hidden, game.parse_move(f"bid:{i}"), game.parse_move(f"reveal:{j}-{i}")]
            )[0]
            for j in range(1, 5)
        ]
        for i in range(1, 5)
    ]
    assert sum(bids) >= 999
    for row in reveals:
        assert sum(row) > 100
        assert min(row) > 0.5 * max(row)


def test_moves_of_a_rival_are_not_reported_as_those_of_a_seat_that_waits() -> None:
    position, _ = new_game("hearts").settle(np.random.SFC64(1))
    waiting = position.observe(1 + position.seat % position.game.num_seats).state
    options = check_options(ENGINES["ismcts"], position.game, {})
    searcher = IsmctsSearcher(position.game, waiting, Seed(1), options, MEGABYTE)
    searcher.run(2000, 0)
    assert searcher.root_moves() == []  # there are more than any hand has


def test_the_searchers_take_observations_alone() -> None:
    position, _ = new_game("leduc_poker").settle(np.random.SFC64(1))
    options = check_options(ENGINES["ismcts"], position.game, MULTIPLE)
    for kind in (GrowingTreeSearcher, MoIsmctsSearcher):
        with pytest.raises(TypeError, match="never a full state"):
            kind(position.game, position.state, Seed(1), options, MEGABYTE)


def test_a_growing_tree_needs_a_game_with_histories() -> None:
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    options = {"selection": "regret"}
    checked = check_options(ENGINES["ismcts"], position.game, options)
    observation = position.observe(position.seat)
    seed = Seed(1)
    with pytest.raises(ValueError, match=r"kingdom_coinquest has no Game\.history"):
        GrowingTreeSearcher(position.game, observation.state, seed, checked, MEGABYTE)
    with pytest.raises(InputError, match="kingdom_coinquest, and it has none; use auto") as caught:
        analyze(observation, Budget(simulations=1), options=options)
    assert caught.value.field == "engine_options.selection"


@pytest.mark.parametrize("memory_bytes", [100, 260])
def test_trees_without_room_for_an_information_set_are_refused(memory_bytes: int) -> None:
    position, _ = new_game("leduc_poker").settle(np.random.SFC64(1))
    options = check_options(ENGINES["ismcts"], position.game, MULTIPLE)
    observation = position.observe(position.seat).state
    for kind in (GrowingTreeSearcher, IsmctsSearcher, MoIsmctsSearcher):
        with pytest.raises(MemoryError):
            kind(position.game, observation, Seed(1), options, memory_bytes)
