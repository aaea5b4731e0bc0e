"""The net of the evaluation of Kingdom Coinquest."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.cext.games.kingdom_coinquest import nets
from kingmaker.cext.games.kingdom_coinquest.game import ScoredCoinquest
from kingmaker.cext.net import Net
from tests.random_play import policy_states


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_evaluation_is_the_softmax_of_the_scores(seats: int) -> None:
    """Of the net, for the features of each living seat; eliminated ones have nothing."""
    game = ScoredCoinquest(players=seats, health=9)
    net = nets.net_for(seats)
    num_fallen = 0
    for state in policy_states(game, 1500):
        rows = [game.features_of(state, seat) for seat in range(seats)]
        living = [seat for seat in range(seats) if rows[seat]]
        num_fallen += len(living) < seats
        starts = np.cumsum([0, *(len(rows[seat]) for seat in living)])
        scores = net.scores_of(np.concatenate([rows[seat] for seat in living]), starts)
        powers = np.exp(scores.astype(np.float64) - scores.max())
        wanted = np.zeros(seats)
        wanted[living] = powers / powers.sum()
        assert game.evaluation_of(state) == pytest.approx(wanted, abs=1e-6)
    assert seats == 2 or num_fallen > 100


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_net_tells_how_it_was_made(seats: int) -> None:
    """Its card has data, losses, seed, commit and strength; the file is small."""
    card = Net.load(nets.NETS[seats]).card
    assert card["seats"] == seats
    assert nets.NETS[seats].stat().st_size < 200_000
    assert card["losses"]["value"] < card["losses"]["heuristic"]
    assert card["strength"][0]["share"] > 1 / seats
    assert not card["commit"].endswith("dirty")
    assert {"seed", "data", "plan", "version"} <= set(card)


def test_without_a_net_points_evaluate() -> None:
    """The shares differ, and a net for other features is refused."""
    game, plain = ScoredCoinquest(players=2), ScoredCoinquest(players=2)
    plain.use_net(None)
    *_, state = policy_states(game, 100)
    assert sum(plain.evaluation_of(state)) == pytest.approx(1)
    assert plain.evaluation_of(state) != game.evaluation_of(state)
    net = nets.net_for(2)
    with pytest.raises(ValueError, match="features"):
        game.use_net(Net(net.card, {**net.weights, "w1": net.weights["w1"][:-1]}))


def test_equal_kingdoms_have_equal_terms_but_for_their_turns() -> None:
    """Before any card is drawn, seats differ only by who plays when."""
    game = ScoredCoinquest(players=4, kings="hsdc")
    rows = [set(game.features_of(game.start_state(), seat)) for seat in range(4)]
    assert len({len(row) for row in rows}) == 1
    assert len(set.intersection(*rows)) >= len(rows[0]) - 2
    assert all(rows[seat] != rows[other] for seat in range(4) for other in range(seat))
