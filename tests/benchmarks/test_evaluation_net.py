"""Nets of evaluations from values of searches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kingmaker.benchmarks import evaluation_net, net_gain
from kingmaker.benchmarks.evaluation_net import SCORED, carded, played, strength
from kingmaker.cext.games.kingdom_coinquest import nets
from kingmaker.cext.net import Net
from kingmaker.training.fit import Losses
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.positions import Positions


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation_net, "BATCH", 2)
    monkeypatch.setattr(evaluation_net, "NUM_GAMES", 4)


def plan_of(game: str) -> TrainingPlan:
    return TrainingPlan(game, {"players": "2"}, seed=5, games=2, share=1.0, has_policy=False)


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("game", SCORED)
def test_positions_have_features_and_the_value_of_the_next_search(game: str) -> None:
    found = played(plan_of(game), 8, 0, None)
    assert len(found.returns) == 2
    assert set(found.games) == {0, 1}
    assert found.num_active.sum() == len(found.features)
    assert found.features.max() < SCORED[game](players=2).num_features
    assert found.values.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert found.heuristics.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert len(np.unique(found.values[:, 0])) > 10  # not results alone


@pytest.mark.usefixtures("few_games")
def test_games_are_the_same_again_and_others_with_a_net(tmp_path: Path) -> None:
    plan = plan_of("kingdom_coinquest")
    num_features = SCORED[plan.game](players=2).num_features
    rng = np.random.Generator(np.random.PCG64(1))
    weights = {
        "w1": rng.normal(size=(num_features, 4)),
        "b1": np.zeros(4),
        "w2": rng.normal(size=(4, 4)),
        "b2": np.zeros(4),
        "w3": rng.normal(size=4),
        "b3": np.zeros(1),
    }
    path = tmp_path / "net.npz"
    Net({"seats": 2, "game": plan.game, "features": ""}, weights).save(path)
    first, again, other = (played(plan, 8, 0, each) for each in (None, None, path))
    assert np.array_equal(first.features, again.features)
    assert not np.array_equal(first.features, other.features)


@pytest.mark.slow
def test_what_a_net_brings_is_measured() -> None:
    """Three decisions of a game, the same again, with other shares with the net than without."""
    plan = TrainingPlan("kingdom_coinquest", {"players": "2"}, seed=1000, games=6, share=1.0)
    losses = [net_gain.losses_of(plan, 30, number) for number in range(2)]
    assert [len(each) for each in losses] == [3, 3]
    assert np.isfinite(losses).all()
    assert losses[0] == net_gain.losses_of(plan, 30, 0)
    assert any(with_net != without for with_net, without in losses[0])


@pytest.mark.usefixtures("few_games")
def test_the_shipped_net_has_the_card_of_this_command() -> None:
    plan = plan_of("kingdom_coinquest")
    shipped = Net.load(nets.NETS[2])
    positions = Positions([played(plan, 8, 0, None)], shipped.num_features)
    net = carded(plan, {"simulations": 8}, positions, shipped.weights, Losses(0.5, 0, 0.6))
    assert net.card["data"]["games"] == 2
    assert set(shipped.card) == {*net.card, "strength"}
    assert set(strength(plan, 8, net, 4)) == set(shipped.card["strength"][0])
