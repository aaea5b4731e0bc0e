"""The net of the evaluation of Code of Chivalry."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.cext.games.code_of_chivalry import nets
from kingmaker.cext.games.code_of_chivalry.game import QuietChivalry
from kingmaker.cext.net import Net
from kingmaker.cext.rng import Seed
from kingmaker.search.position import CHANCE
from kingmaker.search.self_play import SelfPlay


def states(game: QuietChivalry, count: int) -> list[bytes]:
    """States of a game between random players, its end left out."""
    stream = np.random.SFC64(7)
    rng = np.random.Generator(stream)
    found: list[bytes] = []
    while len(found) < count:
        state = game.start_state()
        while (node := game.node_of(state)) >= CHANCE:
            found.append(state)
            moves = game.moves_of(state) if node >= 0 else [game.sample(state, stream)]
            state = game.after(state, moves[rng.integers(len(moves))])
    return found


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_the_evaluation_is_the_softmax_of_the_scores(seats: int) -> None:
    """Of the net, for the features of each seat, in quiet states; others are played on first."""
    game = QuietChivalry(players=seats, deck="stretch")
    net = nets.net_for(seats)
    assert net is not None
    quiet = 0
    for state in states(game, 600):
        rows = [game.features_of(state, seat) for seat in range(seats)]
        assert all(rows) or not any(rows)
        if rows[0]:
            quiet += 1
            starts = np.cumsum([0, *map(len, rows)])
            scores = net.scores_of(np.concatenate(rows), starts).astype(np.float64)
            powers = np.exp(scores - scores.max())
            assert game.evaluation_of(state) == pytest.approx(powers / powers.sum(), abs=1e-6)
    assert 100 < quiet < 600


def test_the_net_tells_how_it_was_made() -> None:
    """Its card has data, losses, seed, commit and strength; the file is small."""
    card = Net.load(nets.PATH).card
    assert nets.PATH.stat().st_size < 200_000
    assert card["losses"]["value"] < card["losses"]["heuristic"]
    assert card["data"]["games"] > 10_000
    assert not card["commit"].endswith("dirty")
    assert {"seed", "strength", "plan", "version"} <= set(card)


def test_two_seats_have_no_net() -> None:
    game, plain = QuietChivalry(players=2), QuietChivalry(players=2)
    plain.use_net(None)
    for state in states(game, 100):
        assert game.evaluation_of(state) == plain.evaluation_of(state)


def test_without_a_net_weights_evaluate() -> None:
    """The shares differ, and a net for other features is refused."""
    game, plain = QuietChivalry(players=4), QuietChivalry(players=4)
    plain.use_net(None)
    state = next(each for each in states(game, 300)[100:] if game.features_of(each, 0))
    assert sum(plain.evaluation_of(state)) == pytest.approx(1)
    assert plain.evaluation_of(state) != game.evaluation_of(state)
    net = nets.net_for(4)
    assert net is not None
    with pytest.raises(ValueError, match="features"):
        game.use_net(Net(net.card, {**net.weights, "w1": net.weights["w1"][:-1]}))


def test_chance_nodes_are_recorded() -> None:
    """If asked for: those of draws, without actions."""
    game = QuietChivalry(players=2)
    found = []
    for with_chance in (False, True):
        match = SelfPlay(game, share=1.0, with_chance=with_chance)
        match.play(Seed(3))
        found.append(match.records())
    decisions, both = found
    assert len(both.seats) > len(decisions.seats)
    added = both.num_actions == 0
    assert added.sum() == len(both.seats) - len(decisions.seats)
    assert both.num_active[added].any()
