"""Games of a policy that a net corrects, and the gradient of the net."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.random import SFC64, BitGenerator, Generator
from numpy.typing import NDArray

from kingmaker.benchmarks.prior_net import (
    THREADS,
    Learner,
    Weights,
    contest,
    first_weights,
    net_of,
    plain_game,
)
from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.cext.net import Net
from kingmaker.cext.tunable_game import TunableGame
from kingmaker.search.policy_gradient import PolicyGradient
from kingmaker.search.position import CHANCE, TERMINAL

Floats = NDArray[np.float64]
UNITS = 12
"""No multiple of what a register holds."""
GAMES_PLAYED = 2


def chivalry(players: int) -> TunableGame:
    return plain_game("code_of_chivalry", {"players": str(players)})


def even_net(game: TunableGame) -> Net:
    """A net that corrects nothing."""
    return net_of(game, first_weights(game, (UNITS, UNITS), 1), {})


def random_weights(game: TunableGame, seed: int = 5) -> Weights:
    rng = np.random.default_rng(seed)
    return {
        name: rng.uniform(-0.4, 0.4, array.shape)
        for name, array in first_weights(game, (UNITS, UNITS), 1).items()
    }


class Decision(NamedTuple):
    """A choice between moves, as a plain player makes it."""

    seat: int
    active: list[int]
    actions: list[int]
    chances: Floats
    chosen: int
    value: float


class Played(NamedTuple):
    """A game of plain players."""

    decisions: list[Decision]
    returns: list[float]
    plies: int


def layers(weights: Weights, inputs: Floats) -> tuple[Floats, Floats]:
    """Compute the hidden layers of rows of inputs."""
    first = np.maximum(inputs @ weights["w1"] + weights["b1"], 0)
    return first, np.maximum(first @ weights["w2"] + weights["b2"], 0)


def inputs_of(game: TunableGame, rows: list[list[int]]) -> Floats:
    inputs = np.zeros((len(rows), game.num_features))
    for row, active in zip(inputs, rows, strict=True):
        row[active] = 1
    return inputs


def decided(game: TunableGame, weights: Weights, state: bytes, seat: int, point: float) -> Decision:
    active = game.features_of(state, seat)
    moves = game.moves_of(state)
    actions = [game.index_of(move) for move in moves]
    _, second = layers(weights, inputs_of(game, [active]))
    logits = weights["wp"][actions] @ second[0] + weights["bp"][actions]
    shares = np.array([game.prior_weight_of(state, move) for move in moves]) ** 2 * np.exp(logits)
    chances = shares / shares.sum()
    chosen = int(np.searchsorted(np.cumsum(chances)[:-1], point, side="right"))
    return Decision(seat, active, actions, chances, chosen, game.evaluation_of(state)[seat])


def played(
    game: TunableGame,
    weights: Weights,
    stream: BitGenerator,
    lone: int | None,
    rival: Weights | None,
) -> Played:
    state, plies = game.start_state(), 0
    decisions = []
    while (node := game.node_of(state)) != TERMINAL:
        if node == CHANCE:
            move = game.sample(state, stream)
        elif lone not in (None, node) and rival is None:
            move = game.policy_move(state, stream)
        elif len(game.moves_of(state)) == 1:
            [move] = game.moves_of(state)
        else:
            point = Generator(stream).random()
            own = weights if rival is None or node == lone else rival
            decision = decided(game, own, state, node, point)
            move = game.moves_of(state)[decision.chosen]
            if own is weights:
                decisions.append(decision)
        state = game.after(state, move)
        plies += 1
    return Played(decisions, game.returns_of(state), plies)


def lambda_return(later: list[float], result: float, trace: float) -> float:
    """Mix the values at all later decisions and the result, the n-th by trace to the n."""
    mixed = sum((1 - trace) * trace**n * value for n, value in enumerate(later))
    return mixed + trace ** len(later) * result


def credits_of(one: Played, trace: float) -> list[float]:
    return [
        lambda_return(
            [each.value for each in one.decisions[at + 1 :] if each.seat == decision.seat],
            one.returns[decision.seat],
            trace,
        )
        - decision.value
        for at, decision in enumerate(one.decisions)
    ]


def logit_slopes(decision: Decision, credit: float, entropy: float) -> Floats:
    """Differentiate credit * log(chance of the move) + entropy * disorder by the logits."""
    chances = decision.chances
    is_chosen = np.arange(len(chances)) == decision.chosen
    disorder = -(chances @ np.log(chances))
    slopes: Floats = credit * (is_chosen - chances) - entropy * chances * (
        np.log(chances) + disorder
    )
    return slopes


def plain_gradient(
    game: TunableGame, weights: Weights, one: Played, trace: float, entropy: float
) -> Weights:
    slopes = np.zeros((len(one.decisions), game.num_actions))
    for row, decision, credit in zip(slopes, one.decisions, credits_of(one, trace), strict=True):
        row[decision.actions] = logit_slopes(decision, credit, entropy)
    inputs = inputs_of(game, [decision.active for decision in one.decisions])
    first, second = layers(weights, inputs)
    by_second = slopes @ weights["wp"] * (second > 0)
    by_first = by_second @ weights["w2"].T * (first > 0)
    return {
        "w1": inputs.T @ by_first,
        "b1": by_first.sum(axis=0),
        "w2": first.T @ by_second,
        "b2": by_second.sum(axis=0),
        "wp": slopes.T @ second,
        "bp": slopes.sum(axis=0),
    }


class PlainGames(NamedTuple):
    """Games of plain players, and the nets that corrected their policies."""

    game: TunableGame
    net: Net
    rival: Net | None
    games: list[Played]

    @property
    def weights(self) -> Weights:
        return wide(self.net)


def wide(net: Net) -> Weights:
    return {name: array.astype(np.float64) for name, array in net.weights.items()}


@cache
def plain_games(players: int, lone: int | None, has_rival: bool = False) -> PlainGames:
    game = chivalry(players)
    net = net_of(game, random_weights(game), {})
    rival = net_of(game, random_weights(game, 6), {}) if has_rival else None
    stream, others = SFC64(3), wide(rival) if rival else None
    games = [played(game, wide(net), stream, lone, others) for _ in range(GAMES_PLAYED)]
    return PlainGames(game, net, rival, games)


@pytest.mark.parametrize("entropy", [0, 0.01])
@pytest.mark.parametrize("trace", [0, 0.8, 1])
@pytest.mark.parametrize(("lone", "has_rival"), [(None, False), (1, False), (1, True)])
@pytest.mark.parametrize("players", [2, 4])
def test_games_and_gradient_are_those_of_plain_numpy(
    players: int, lone: int | None, has_rival: bool, trace: float, entropy: float
) -> None:
    plain = plain_games(players, lone, has_rival)
    teacher = PolicyGradient(plain.game, trace=trace, entropy=entropy)
    lesson = teacher.play(plain.net, SFC64(3), GAMES_PLAYED, seat=lone, rival=plain.rival)
    assert lesson.shares == pytest.approx(np.mean([one.returns for one in plain.games], axis=0))
    gradients = [
        plain_gradient(plain.game, plain.weights, one, trace, entropy) for one in plain.games
    ]
    assert lesson.gradient.keys() == gradients[0].keys()
    for name, found in lesson.gradient.items():
        expected = np.mean([gradient[name] for gradient in gradients], axis=0)
        assert expected.any()
        assert found.shape == expected.shape
        assert np.allclose(found, expected, rtol=1e-4, atol=1e-5 * np.abs(expected).max()), name


def test_plies_are_a_mean_over_games() -> None:
    plain = plain_games(4, None)
    lesson = PolicyGradient(plain.game).play(plain.net, SFC64(3), GAMES_PLAYED)
    assert sum(one.plies for one in plain.games) % GAMES_PLAYED != 0
    assert lesson.plies == np.mean([one.plies for one in plain.games])


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_a_net_that_corrects_nothing_plays_the_games_of_the_policy(seat: int | None) -> None:
    game = chivalry(3)
    shares, plies, _ = game.policy_games(SFC64(4), 100)
    found = PolicyGradient(game).play(even_net(game), SFC64(4), 100, seat=seat, learn=False)
    assert found.shares == pytest.approx(shares)
    assert found.plies == plies


def test_only_the_seat_with_the_net_plays_by_it() -> None:
    """A net that always takes the move with the least number, mostly a bad one, loses."""
    game = chivalry(2)
    weights = first_weights(game, (UNITS, UNITS), 1)
    weights["bp"] = -np.arange(game.num_actions, dtype=np.float64)
    teacher = PolicyGradient(game)
    for seat in range(2):
        net = net_of(game, weights, {})
        found = teacher.play(net, SFC64(5), 200, seat=seat, learn=False)
        assert found.shares[seat] < 0.25


def test_a_rival_that_corrects_nothing_plays_by_the_policy() -> None:
    game = chivalry(3)
    net = net_of(game, random_weights(game), {})
    teacher = PolicyGradient(game)
    one, two = (
        teacher.play(net, SFC64(5), 400, seat=1, rival=rival, learn=False).shares[1]
        for rival in (None, even_net(game))
    )
    assert abs(one - two) < 0.12  # other draws, four standard errors


def test_nothing_is_learned_unless_it_is_wanted() -> None:
    game = chivalry(2)
    teacher = PolicyGradient(game)
    net = net_of(game, random_weights(game), {})
    learned = teacher.play(net, SFC64(6), 20)
    played_only = teacher.play(net, SFC64(6), 20, learn=False)
    assert played_only.gradient == {}
    assert played_only[:2] == learned[:2]


def test_the_same_seed_gives_the_same_lesson() -> None:
    """Also after other games of the same teacher."""
    game = chivalry(4)
    net = net_of(game, random_weights(game), {})
    teacher = PolicyGradient(game)
    lesson, other, again = (teacher.play(net, SFC64(seed), 5) for seed in (7, 8, 7))
    assert again[:2] == lesson[:2]
    assert other.shares != lesson.shares
    for name, gradient in lesson.gradient.items():
        assert np.array_equal(again.gradient[name], gradient)
        assert not np.array_equal(other.gradient[name], gradient)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"trace": -0.1}, "trace"),
        ({"trace": 1.1}, "trace"),
        ({"trace": float("nan")}, "trace"),
        ({"entropy": -0.1}, "entropy"),
        ({"entropy": 1.1}, "entropy"),
        ({"entropy": float("nan")}, "entropy"),
    ],
)
def test_weights_out_of_range_are_refused(arguments: dict[str, float], field: str) -> None:
    with pytest.raises(InputError, match=f"{field} is .*; it must be 0 to 1") as caught:
        PolicyGradient(chivalry(2), **arguments)
    assert caught.value.field == field
    assert caught.value.value == str(arguments[field])


@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker"])
def test_a_game_without_a_learned_policy_is_refused(name: str) -> None:
    game: Any = GAMES[name]()
    with pytest.raises(InputError, match=f"{name} lacks .* a learned policy") as caught:
        PolicyGradient(game)
    assert (caught.value.field, caught.value.value) == ("game", name)


@pytest.mark.parametrize(
    ("num_games", "seat", "field", "message"),
    [
        (0, None, "num_games", "num_games is 0; it must be 1 to 1000000000"),
        (-1, None, "num_games", "num_games is -1; it must be 1 to 1000000000"),
        (2**40, None, "num_games", "it must be 1 to 1000000000"),
        (2.5, None, "num_games", "num_games is 2.5; it must be a whole number"),
        (1, 1.5, "seat", "seat is 1.5; it must be a whole number"),
        (1, -1, "seat", "seat is -1; it must be 0 to 1"),
        (1, 2, "seat", "seat is 2; it must be 0 to 1"),
    ],
)
def test_wrong_numbers_of_games_and_seats_are_refused(
    num_games: Any, seat: Any, field: str, message: str
) -> None:
    game = chivalry(2)
    with pytest.raises(InputError, match=message) as caught:
        PolicyGradient(game).play(even_net(game), SFC64(1), num_games, seat=seat)
    assert caught.value.field == field


def test_a_generator_draws_as_its_bit_generator_does() -> None:
    game = chivalry(2)
    teacher, net = PolicyGradient(game), even_net(game)
    one, two = (teacher.play(net, rng, 3) for rng in (SFC64(1), Generator(SFC64(1))))
    assert (one.shares, one.plies) == (two.shares, two.plies)


def test_what_is_no_generator_is_refused() -> None:
    game = chivalry(2)
    wrong: Any = 1
    with pytest.raises(TypeError, match="bit_generator is 1; it must be a random generator"):
        PolicyGradient(game).play(even_net(game), wrong, 1)


def test_one_thread_at_a_time_plays() -> None:
    game = chivalry(2)
    teacher, net = PolicyGradient(game), even_net(game)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(teacher.play, net, SFC64(1), 3000)
        time.sleep(0.05)
        with pytest.raises(RuntimeError, match="already being played on another thread"):
            teacher.play(net, SFC64(2), 1)
        assert not running.done()
        running.result()
    assert sum(teacher.play(net, SFC64(2), 1).shares) == pytest.approx(1)


def test_a_net_of_another_number_of_seats_is_refused() -> None:
    with pytest.raises(InputError, match="its number of seats is 3, not 2") as caught:
        PolicyGradient(chivalry(2)).play(even_net(chivalry(3)), SFC64(1), 1)
    assert caught.value.field == "net"


def test_a_rival_needs_a_seat() -> None:
    game = chivalry(2)
    net = even_net(game)
    with pytest.raises(InputError, match="leaves none to a rival") as caught:
        PolicyGradient(game).play(net, SFC64(1), 1, rival=net)
    assert caught.value.field == "rival"


def test_a_rival_of_another_number_of_seats_is_refused() -> None:
    game = chivalry(2)
    with pytest.raises(InputError, match="its number of seats is 3, not 2"):
        PolicyGradient(game).play(even_net(game), SFC64(1), 1, seat=0, rival=even_net(chivalry(3)))


def test_a_net_without_a_policy_head_is_refused() -> None:
    game = chivalry(2)
    whole = even_net(game)
    weights = {name: array for name, array in whole.weights.items() if name not in ("wp", "bp")}
    with pytest.raises(InputError, match="the rival has no policy head") as caught:
        PolicyGradient(game).play(whole, SFC64(1), 1, seat=0, rival=Net(whole.card, weights))
    assert caught.value.field == "rival"
    with pytest.raises(InputError, match="the net has no policy head") as caught:
        PolicyGradient(game).play(Net(whole.card, weights), SFC64(1), 1)
    assert caught.value.field == "net"


def test_a_net_learns_to_beat_even_choices() -> None:
    games = [[chivalry(2)] for _ in range(THREADS)]
    for [game] in games:
        game.use_policy(np.ones(game.num_rows))
    learner = Learner(games, first_weights(game, (16, 16), 1), 0.8, 0.001, seed=1)
    for _ in range(10):
        learner.step(200, 0.02)
    found = contest(game, net_of(game, learner.weights, {}), 400, 2)
    assert found.share - 10 * found.error > 0.5
