"""Self-play: players that see no more than their seat, and the records of their games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.cext.net import Net, names_hash
from kingmaker.cext.rng import Seed
from kingmaker.search.self_play import Records, SelfPlay
from tests.random_play import Variant, steps_of

CARDS, SWAPPED = 6, 6
HIDDEN_GAMES = [name for name, kind in GAMES.items() if kind().is_hidden]


@pytest.fixture
def game(drawn_card: ModuleType) -> Game:
    made: Game = drawn_card.DrawnCard(seats=2)
    return made


def net_that_likes(game: Game, liked: Sequence[int]) -> Net:
    """Make a net whose score is higher by 4 for each of these features, if they are active."""
    w1 = np.zeros((game.num_features, 1))
    w1[list(liked)] = 1
    weights: dict[str, Any] = {"w1": w1, "b1": [0], "w2": [[1]], "b2": [0], "w3": [4], "b3": [0]}
    card = {"game": game.name, "seats": game.num_seats, "options": game.options}
    return Net({**card, "features": names_hash(game)}, weights)


def high_cards(game: Game) -> Net:
    """Make a net whose score grows with the own card."""
    net = net_that_likes(game, [])
    w1 = net.weights["w1"].copy()
    w1[:CARDS, 0] = np.arange(CARDS) / 4
    return Net(net.card, {**net.weights, "w1": w1})


def played(game: Game, num_games: int, seed: int = 1, net: Net | None = None) -> Records:
    match = SelfPlay(game, net, share=1.0, epsilon=0.1)
    for number in range(num_games):
        match.play(Seed(seed, number))
    return match.records()


@pytest.mark.slow
def test_the_returns_of_a_game_depend_on_its_seed_alone(game: Game) -> None:
    alone = SelfPlay(game, epsilon=0.5).play(Seed(1, 7))
    match = SelfPlay(game, epsilon=0.5, share=0.5)
    results = [match.play(Seed(1, number)) for number in range(8)]
    assert results[7] == alone
    assert len({tuple(result) for result in results}) > 1


def test_equal_seeds_give_equal_records_and_others_do_not(game: Game) -> None:
    one, same, other = played(game, 20), played(game, 20), played(game, 20, seed=2)
    for first, second in zip(one, same, strict=True):
        np.testing.assert_array_equal(first, second)
    assert one.features.tolist() != other.features.tolist()


def test_a_player_takes_the_move_whose_mean_is_best(game: Game) -> None:
    """A 1 or 2 gets better by a swap on average, a 5 or 6 does not."""
    match = SelfPlay(game, high_cards(game), num_worlds=1000)
    for card, best in ((1, "swap"), (2, "swap"), (5, "keep"), (6, "keep")):
        state = game.start_state()
        for token in (f"deal:{card}", "deal:3"):
            state = game.after(state, game.parse_move(token))
        assert game.move_text(match.choose(state, Seed(1))) == best


@pytest.mark.parametrize("name", HIDDEN_GAMES)
def test_what_its_seat_cannot_see_never_changes_a_move(name: str) -> None:
    variant = Variant(name, {})
    game = variant.new()
    match = SelfPlay(game, num_worlds=2)
    num_hidden = 0
    for number, step in enumerate(steps_of(variant, 60)):
        seat = game.node_of(step.state)
        if seat < 0:
            continue
        world = game.determinized(game.observed(step.state, seat), PCG64(number))
        num_hidden += world != step.state
        seed = Seed(number)
        assert match.choose(world, seed) == match.choose(step.state, seed)
    assert num_hidden > 5


def test_records_tell_what_every_seat_saw(game: Game) -> None:
    found = played(game, 50)
    num_positions = len(found.seats)
    assert num_positions == 2 * 50  # each seat decides once
    assert found.seats.tolist() == [0, 1] * 50
    assert found.games.tolist() == sorted([*range(50), *range(50)])
    assert found.num_active.shape == found.values.shape == (num_positions, 2)
    assert found.num_active.sum() == len(found.features)
    ends = np.cumsum(found.num_active)
    rows = np.split(found.features, ends[:-1])
    for row in rows:
        assert sum(feature < CARDS for feature in row) <= 1
        assert row.tolist() == sorted(set(row.tolist()))
    own = [rows[2 * number + seat] for number, seat in enumerate(found.seats.tolist())]
    assert all(row[0] < CARDS for row in own)  # who decides has a card
    assert found.actions.tolist() == [0, 1] * num_positions
    assert found.num_actions.tolist() == [2] * num_positions
    assert set(found.chosen.tolist()) == {0, 1}
    np.testing.assert_allclose(found.returns.sum(axis=1), 1)
    np.testing.assert_allclose(found.values.sum(axis=1), 1, atol=1e-6)
    assert (found.heuristics == 0.5).all()


def test_the_move_to_learn_is_the_best_one_though_a_random_one_was_played(game: Game) -> None:
    match = SelfPlay(game, net_that_likes(game, [SWAPPED]), share=1.0, epsilon=1.0)
    for number in range(50):
        match.play(Seed(number))
    found = match.records()
    assert set(found.chosen[found.seats == 0].tolist()) == {1}
    rows = np.split(found.features, np.cumsum(found.num_active)[:-1])
    first_has_swapped = [SWAPPED in row for row in rows[2::4]]  # when the second decides
    assert 10 < sum(first_has_swapped) < 40


def test_records_are_given_once_and_may_be_a_sample(game: Game) -> None:
    match = SelfPlay(game, share=0.25)
    for number in range(400):
        match.play(Seed(number))
    found = match.records()
    assert 120 < len(found.seats) < 280
    assert len(found.returns) == 400
    assert [len(column) for column in match.records()] == [0] * len(found)


def test_forced_moves_are_recorded_too() -> None:
    match = SelfPlay(GAMES["tic_tac_toe"](), share=1.0)
    for number in range(20):
        match.play(Seed(number))
    found = match.records()
    last = found.num_actions == 1  # one square is left
    assert 0 < last.sum() <= 20
    assert (found.chosen[last] == 0).all()
    assert (found.values[last] == 0.5).all()
    assert np.diff(found.games).max() == 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker"])
def test_how_much_is_recorded_does_not_change_the_games(name: str) -> None:
    game = GAMES[name]()
    some, none = SelfPlay(game, share=0.3, epsilon=0.2), SelfPlay(game, epsilon=0.2)
    for number in range(30):
        assert some.play(Seed(number)) == none.play(Seed(number))


def test_the_rival_plays_its_seats_by_its_own_net(game: Game) -> None:
    """Who decides last sees how the game ends, so only the first seat needs its net."""
    match = SelfPlay(game, high_cards(game), net_that_likes(game, [0]), num_worlds=16)

    def second_wins(*rival_seats: int) -> float:
        games = (match.play(Seed(number), rival_seats) for number in range(400))
        return float(np.mean([returns[1] for returns in games]))

    assert second_wins(0) > second_wins() + 0.1
    assert second_wins() == pytest.approx(second_wins(1), abs=0.02)
    assert second_wins(0, 1) == pytest.approx(second_wins(0), abs=0.02)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_its_end(name: str) -> None:
    match = SelfPlay(GAMES[name](), num_worlds=1, epsilon=0.1)
    returns = match.play(Seed(1))
    assert sum(returns) == pytest.approx(1)


def test_a_long_game_is_cut_and_evaluated() -> None:
    game = GAMES["chessault"]()
    cut = SelfPlay(game, num_worlds=1, max_plies=3).play(Seed(1))
    assert cut != SelfPlay(game, num_worlds=1).play(Seed(1))
    assert min(cut) > 0
    assert sum(cut) == pytest.approx(1)


@pytest.mark.parametrize(
    "numbers", [{"num_worlds": 0}, {"epsilon": 1.5}, {"share": -0.1}, {"max_plies": 0}], ids=str
)
def test_numbers_out_of_range_are_refused(game: Game, numbers: dict[str, float]) -> None:
    (name,) = numbers
    with pytest.raises(InputError, match=f"{name} is"):
        SelfPlay(game, **numbers)  # type: ignore[arg-type]


def test_one_thread_at_a_time_plays() -> None:
    game = GAMES["knaves_out"]()
    match = SelfPlay(game, num_worlds=1000, share=1.0)  # half a second
    state = game.start_state()
    while game.node_of(state) < 0:
        state = game.after(state, game.sample(state, PCG64(1)))
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(match.play, Seed(1))
        time.sleep(0.05)
        for call in (
            partial(match.play, Seed(2)),
            partial(match.choose, state, Seed(2)),
            match.records,
        ):
            with pytest.raises(RuntimeError, match="this self-play already runs on another thread"):
                call()
        assert not running.done()
        running.result()
    assert match.choose(state, Seed(2)) in game.moves_of(state)
    assert len(match.records().returns) == 1


def test_a_broken_game_keeps_nobody_from_playing_on(drawn_card: ModuleType) -> None:
    match = SelfPlay(drawn_card.BrokenFeatures(), share=1.0)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="breaks the engine contract"):
            match.play(Seed(1))


def test_a_net_of_another_game_is_refused(game: Game, drawn_card: ModuleType) -> None:
    net = net_that_likes(drawn_card.DrawnCard(seats=3), [0])
    with pytest.raises(InputError, match="does not fit"):
        SelfPlay(game, net)
    with pytest.raises(InputError, match="does not fit"):
        SelfPlay(game, rival=net)


def test_nothing_is_recorded_of_a_game_without_features(drawn_card: ModuleType) -> None:
    with pytest.raises(InputError, match="has no features"):
        SelfPlay(drawn_card.NoFeatures(), share=1.0)


@pytest.mark.parametrize("seat", [-1, 2, 31, 100, 2**70])
def test_a_rival_has_only_seats_that_there_are(game: Game, seat: int) -> None:
    with pytest.raises(InputError, match=r"it must be 0 to 1$"):
        SelfPlay(game).play(Seed(1), [seat])


def test_a_seat_of_a_rival_is_a_whole_number(game: Game) -> None:
    wrong: Any
    for wrong in (3, "01", [0.5]):
        with pytest.raises(TypeError, match=r"rival_seats is .*; it must be"):
            SelfPlay(game).play(Seed(1), wrong)
