"""Playout policies by learned factors."""

from __future__ import annotations

import math
import pickle
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games.code_of_chivalry.game import CodeOfChivalry
from kingmaker.cext.games.hearts.game import Hearts
from kingmaker.cext.games.kingdom_coinquest.game import KingdomCoinquest
from kingmaker.cext.games.knaves_out.game import KnavesOut
from kingmaker.cext.games.knaves_out.nets import policy_factors
from kingmaker.cext.net import Net, names_hash
from kingmaker.cext.tunable_game import TunableGame
from kingmaker.search.analysis import Budget
from kingmaker.search.position import CHANCE, Observation, new_game, parse_position
from kingmaker.search.run import analyze
from tests.random_play import policy_states

UNITS = 12
Change = Callable[[NDArray[np.float32]], NDArray[np.float32]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda factors: factors[1:], "factors have the shape"),
        (lambda factors: factors * 0, "a factor is not from 1e-19 to 1e[+]?19"),
        (lambda factors: factors * np.inf, "a factor is not from 1e-19 to 1e[+]?19"),
        (lambda factors: factors * np.nan, "a factor is not from 1e-19 to 1e[+]?19"),
    ],
)
def test_wrong_factors_are_refused_and_change_nothing(change: Change, message: str) -> None:
    game = KnavesOut(players=2)
    before = game.policy_games(PCG64(1), 3)[:2]
    with pytest.raises(ValueError, match=message):
        game.use_policy(change(policy_factors(2)))
    assert game.policy_games(PCG64(1), 3)[:2] == before


def test_nothing_changes_a_game_that_positions_share() -> None:
    start = new_game("knaves_out")
    for read in (parse_position("knaves_out", start.text), pickle.loads(pickle.dumps(start))):
        game = read.game
        assert isinstance(game, KnavesOut)
        with pytest.raises(StateError, match="positions that were read share this game"):
            game.use_policy(np.ones(game.num_rows))
        with pytest.raises(StateError, match="positions that were read share this game"):
            game.use_prior_net(None)
        own = type(game)(**game.options)
        own.use_policy(np.ones(own.num_rows))
        assert own.policy_games(PCG64(1), 3)[:2] != game.policy_games(PCG64(1), 3)[:2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([0], "num_games is 0; it must be 1 to 1000000000"),
        ([2**40], "num_games is 1099511627776; it must be 1 to"),
        ([2.5], "num_games is 2.5; it must be a whole number"),
        ([1, False, math.nan], "cost is nan; it must be 0 to 1"),
        ([1, False, -0.1], "cost is -0.1; it must be 0 to 1"),
    ],
)
def test_wrong_numbers_of_games_and_costs_are_refused(arguments: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        KnavesOut(players=2).policy_games(PCG64(1), *arguments)


def test_a_generator_plays_the_games_of_its_bit_generator() -> None:
    game = KnavesOut(players=2)
    one, two = (game.policy_games(rng, 3)[:2] for rng in (PCG64(1), Generator(PCG64(1))))
    assert one == two


def test_a_policy_without_factors_is_refused() -> None:
    game = TunableGame()
    with pytest.raises(ValueError, match="the policy has 0 rows, not 1 to 65536"):
        game.policy_games(PCG64(1), 1)
    with pytest.raises(ValueError, match="the policy has 0 rows, not 1 to 65536"):
        game.use_policy(np.ones(0))


def test_games_of_the_policy_end_and_have_a_gradient() -> None:
    game = KnavesOut(players=2)
    shares, plies, gradient = game.policy_games(PCG64(2), 20)
    assert sum(shares) == pytest.approx(1)
    assert plies > 50
    assert gradient.shape == (game.num_rows,)
    assert np.isfinite(gradient).all()
    assert gradient.any()
    again = game.policy_games(PCG64(2), 20)
    assert np.array_equal(again[2], gradient)


def test_the_number_of_plies_is_a_mean_over_games() -> None:
    game = KnavesOut(players=2)
    stream = PCG64(2)
    plies = [game.policy_games(stream, 1)[1] for _ in range(7)]
    assert sum(plies) % 7 != 0
    assert game.policy_games(PCG64(2), 7)[1] == pytest.approx(np.mean(plies))


def test_a_shared_win_counts_as_none_where_whole_wins_are_learned() -> None:
    """All games of one turn are draws, from which there is nothing else to learn."""
    game = KnavesOut(players=2, max_turns=1)
    shares, _, gradient = game.policy_games(PCG64(3), 20)
    assert shares == [0.5, 0.5]
    assert not gradient.any()
    whole_shares, _, whole = game.policy_games(PCG64(3), 20, whole_wins=True)
    assert whole_shares == shares
    assert whole.any()


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("kind", [CodeOfChivalry, KingdomCoinquest, KnavesOut])
def test_the_policy_uses_only_what_its_seat_sees(kind: type[TunableGame], players: int) -> None:
    """The same move in a state and in worlds drawn from the observation of it."""
    game = kind(players=str(players))
    number = 0
    for state in islice(policy_states(game, 600), 0, 600, 7):
        seat = game.node_of(state)
        if seat < 0:
            continue
        seen = game.observed(state, seat)
        world = game.determinized(seen, PCG64(number))
        for seed in range(3):
            drawn = {game.policy_move(each, PCG64(seed)) for each in (state, seen, world)}
            assert len(drawn) == 1
        number += 1
    assert number > 30


# Each option of a response, of a robbery, of a card shown and of a tax has one row of these.
CHIVALRY_ROWS = [(2396, 3236), (4724, 4754), (6108, 6146), (6246, 6258)]
# Each option of a draw has one of the first rows, each play one of each of the last two blocks.
COINQUEST_ROWS = [(0, 36), (-294, -96), (-96, None)]
# Each move at `main`, square of a king, and shuffle or not has one of these.
KNAVES_ROWS = [(0, 472), (11316, 11380), (11406, 11568)]
# Each lead, card of the suit that was led, discard and card that is set aside has one of these.
HEARTS_ROWS = [(0, 720), (4035, 7275), (11459, 12179), (15784, 16200)]


@pytest.mark.parametrize("factor", [1e-19, 1e19])
@pytest.mark.parametrize("kind", [CodeOfChivalry, Hearts, KingdomCoinquest, KnavesOut])
def test_the_gradient_is_finite_at_the_bounds_of_factors(
    kind: type[TunableGame], factor: float
) -> None:
    game = kind()
    game.use_policy(np.full(game.num_rows, factor))
    assert np.isfinite(game.policy_games(PCG64(1), 20)[2]).all()


@pytest.mark.parametrize("kind", [CodeOfChivalry, Hearts, KingdomCoinquest, KnavesOut])
def test_products_of_sixteen_factors_stay_in_the_range_of_doubles(kind: type[TunableGame]) -> None:
    game, twos = kind(), kind()
    twos.use_policy(np.full(game.num_rows, 2.0))
    most_rows = 0.0
    for state in islice(policy_states(game, 1500), 0, 1500, 5):
        for move in game.moves_of(state):
            # The prior is the square root of the product of the factors of the rows.
            most_rows = max(most_rows, 2 * math.log2(twos.prior_weight_of(state, move)))
    assert 2 <= round(most_rows) <= 16
    assert sys.float_info.min < 1e-19**16
    assert sys.float_info.max / 1024 > 1e19**16


@pytest.mark.parametrize("factor", [1e-19, 1e19])
@pytest.mark.parametrize("kind", [CodeOfChivalry, Hearts, KingdomCoinquest, KnavesOut])
def test_a_tree_takes_the_priors_of_factors_at_their_bounds(
    kind: type[TunableGame], factor: float
) -> None:
    game = kind()
    state = next(
        state for state in islice(policy_states(game, 900), 60, None) if game.node_of(state) == 0
    )
    game.use_policy(np.full(game.num_rows, factor))
    observation = Observation(game, game.observed(state, 0))
    assert analyze(observation, Budget(simulations=300), seed=1).moves[0].visits > 0


@pytest.mark.parametrize(
    ("game", "blocks"),
    [
        (CodeOfChivalry(players=3, deck="stretch"), CHIVALRY_ROWS),
        (Hearts(), HEARTS_ROWS),
        (KingdomCoinquest(players=3), COINQUEST_ROWS),
        (KnavesOut(players=2), KNAVES_ROWS),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_gradient_is_that_of_blocks_of_which_an_option_has_one_row(
    game: TunableGame, blocks: list[tuple[int, int | None]]
) -> None:
    _, _, gradient = game.policy_games(PCG64(4), 300)
    for first, last in blocks:
        assert gradient[first:last].any()
        assert gradient[first:last].sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    "game",
    [
        CodeOfChivalry(players=2),
        CodeOfChivalry(players=5, deck="stretch"),
        Hearts(),
        KingdomCoinquest(players=2),
        KingdomCoinquest(players=4, ace_strike=1),
        KnavesOut(players=2),
        KnavesOut(players=3, layout="place"),
    ],
    ids=lambda game: f"{game.name}-{game.num_seats}",
)
def test_priors_are_square_roots_of_the_policy(game: TunableGame) -> None:
    """The squares of the weights of all moves are in proportion to how often they are drawn."""
    game.use_prior_net(None)
    stream = PCG64(7)
    draws = 400
    drawn, expected, variance = 0.0, 0.0, 0.0
    for state in islice(policy_states(game, 1500), 0, 1500, 10):
        if game.node_of(state) == CHANCE:
            continue
        moves = game.moves_of(state)
        weights = np.array([game.prior_weight_of(state, move) for move in moves])
        assert (weights > 0).all()
        shares = weights**2 / (weights**2).sum()
        first = sum(game.policy_move(state, stream) == moves[0] for _ in range(draws))
        drawn += first
        expected += draws * shares[0]
        variance += draws * shares[0] * (1 - shares[0])
    assert variance > 100
    assert abs(drawn - expected) < 4 * np.sqrt(variance)


def test_a_cost_of_nothing_changes_nothing_in_the_gradient() -> None:
    game = KnavesOut(players=2)
    _, _, free = game.policy_games(PCG64(3), 100)
    _, _, same = game.policy_games(PCG64(3), 100, cost=0)
    _, _, costly = game.policy_games(PCG64(3), 100, cost=0.01)
    assert (free == same).all()
    assert not np.allclose(free, costly)


def correcting_net(game: TunableGame, **changes: NDArray[np.float64]) -> Net:
    """A net of random weights, apart from those that are given."""
    rng = np.random.default_rng(5)
    shapes = {
        "w1": (game.num_features, UNITS),
        "b1": (UNITS,),
        "w2": (UNITS, UNITS),
        "b2": (UNITS,),
        "w3": (UNITS,),
        "b3": (1,),
        "wp": (game.num_actions, UNITS),
        "bp": (game.num_actions,),
    }
    weights = {name: rng.uniform(-0.4, 0.4, shape) for name, shape in shapes.items()}
    card = {"game": game.name, "seats": game.num_seats, "features": names_hash(game)}
    return Net(card, {**weights, **changes})


def choices(game: TunableGame) -> list[bytes]:
    """States of games of the policy in which a seat has several moves."""
    states = islice(policy_states(game, 600), 0, 600, 7)
    return [state for state in states if len(game.moves_of(state)) > 1]


def prior_weights(game: TunableGame, state: bytes) -> NDArray[np.float64]:
    return np.array([game.prior_weight_of(state, move) for move in game.moves_of(state)])


@pytest.mark.parametrize("players", [2, 4])
def test_a_net_corrects_the_policy_in_priors(players: int) -> None:
    """They are square roots of probabilities times exponentials of logits, up to a factor."""
    game = CodeOfChivalry(players=players)
    game.use_prior_net(None)
    net = correcting_net(game)
    states = choices(game)
    before = [prior_weights(game, state) for state in states]
    game.use_prior_net(net)
    for state, plain in zip(states, before, strict=True):
        powers = np.array([share for _, share in net.policy_of(game, state)])
        expected = plain * np.sqrt(powers)
        found = prior_weights(game, state)
        assert found / found.sum() == pytest.approx(expected / expected.sum(), rel=1e-5)
    assert len(states) > 30


def test_without_a_net_priors_are_those_of_the_factors_again() -> None:
    game = CodeOfChivalry(players=2)
    game.use_prior_net(None)
    state = choices(game)[0]
    plain = prior_weights(game, state)
    game.use_prior_net(correcting_net(game))
    assert not np.allclose(prior_weights(game, state), plain)
    game.use_prior_net(None)
    assert np.array_equal(prior_weights(game, state), plain)


def test_playouts_choose_by_the_factors_alone() -> None:
    game = CodeOfChivalry(players=2)
    game.use_prior_net(None)
    shares, plies, gradient = game.policy_games(PCG64(1), 20)
    game.use_prior_net(correcting_net(game))
    found = game.policy_games(PCG64(1), 20)
    assert found[:2] == (shares, plies)
    assert np.array_equal(found[2], gradient)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (CodeOfChivalry(players=3), "its number of seats is 3, not 2"),
        (KnavesOut(players=2), "its game is knaves_out, not code_of_chivalry"),
    ],
    ids=["seats", "game"],
)
def test_a_net_of_another_game_corrects_nothing(other: TunableGame, message: str) -> None:
    game = CodeOfChivalry(players=2)
    game.use_prior_net(correcting_net(game))
    state = choices(game)[0]
    before = prior_weights(game, state)
    with pytest.raises(InputError, match=message):
        game.use_prior_net(correcting_net(other))
    assert np.array_equal(prior_weights(game, state), before)


@pytest.mark.parametrize("factor", [1e-19, 1, 1e19])
def test_priors_stay_in_range_with_logits_far_apart(factor: float) -> None:
    game = CodeOfChivalry(players=2)
    states = choices(game)
    game.use_policy(np.full(game.num_rows, factor))
    logits = np.resize([1000.0, -1000.0, 0.0], game.num_actions)
    none = np.zeros((game.num_actions, UNITS))
    game.use_prior_net(correcting_net(game, wp=none, bp=logits))
    for state in states:
        weights = prior_weights(game, state)
        assert (weights > 0).all()
        assert (weights < 1e30).all()


def test_the_better_of_moves_with_logits_far_apart_has_more_weight() -> None:
    game = CodeOfChivalry(players=2)
    game.use_policy(np.ones(game.num_rows))
    logits = np.resize([1000.0, -1000.0], game.num_actions)
    none = np.zeros((game.num_actions, UNITS))
    game.use_prior_net(correcting_net(game, wp=none, bp=logits))
    for state in choices(game):
        weights = prior_weights(game, state)
        good = np.array([logits[game.index_of(move)] > 0 for move in game.moves_of(state)])
        if good.any() and not good.all():
            assert weights[good].min() > 1e9 * weights[~good].max()


@pytest.mark.parametrize("players", [2, 4])
def test_a_net_corrects_priors_by_what_the_seat_sees(players: int) -> None:
    game = CodeOfChivalry(players=players)
    game.use_prior_net(correcting_net(game))
    differ = 0
    for number, state in enumerate(choices(game)):
        seen = game.observed(state, game.node_of(state))
        world = game.determinized(seen, PCG64(number))
        differ += world != state
        for other in (seen, world):
            assert np.array_equal(prior_weights(game, other), prior_weights(game, state))
    assert differ > 20
