"""Nets of what playouts end in, from games of the playout policy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kingmaker.benchmarks import playout_net
from kingmaker.benchmarks.evaluation_net import SCORED
from kingmaker.benchmarks.playout_net import disturbed, played, searched
from kingmaker.cext.games.knaves_out.nets import TWO_SEATS
from kingmaker.cext.net import Net
from kingmaker.training.plan import TrainingPlan
from tests.random_play import policy_states

PLAN = TrainingPlan(
    "knaves_out", {"players": "2"}, seed=5, games=6, epsilon=0.2, share=0.9, has_policy=False
)


def test_targets_are_means_of_playouts_to_the_end() -> None:
    found = played(PLAN, 4, 0)
    assert len(found.returns) == 6
    assert set(found.games) == set(range(6))
    assert found.num_active.sum() == len(found.features)
    assert found.features.max() < SCORED[PLAN.game](players=2).num_features
    assert found.values.sum(axis=1) == pytest.approx(1, abs=1e-6)
    halves = found.values * 4 * 2  # a win may be shared
    assert halves == pytest.approx(halves.round(), abs=1e-5)
    assert len(np.unique(found.values[:, 0])) >= 5
    again = played(PLAN, 4, 0)
    assert np.array_equal(found.features, again.features)
    assert np.array_equal(found.values, again.values)
    assert len(played(PLAN, 4, 4).returns) == 2  # the rest of the games


def test_games_of_a_search_give_the_starts_of_their_turns() -> None:
    plan = replace(PLAN, share=1.0, epsilon=0.0)
    found, again = (searched(plan, TWO_SEATS, 2, 20, 4) for _ in range(2))
    assert len(found.returns) == 2
    assert set(found.games) == {0, 1}
    assert 10 < len(found.games) < 300  # fewer than there are moves
    assert found.values.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert np.array_equal(found.features, again.features)
    assert np.array_equal(found.values, again.values)
    assert not np.array_equal(found.features, played(PLAN, 2, 4).features)


def test_targets_are_in_the_order_of_seats() -> None:
    """Whoever the weights prefer wins more of the playouts."""
    found = played(replace(PLAN, options={"players": "4"}, games=4), 4, 0)
    assert np.corrcoef(found.values.ravel(), found.heuristics.ravel())[0, 1] > 0.5


def test_disturbances_are_random_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any legal move may come, once the policy has made its own."""
    monkeypatch.setattr(playout_net, "RANDOM_MOVES", 1)
    monkeypatch.setattr(playout_net, "MOVES_BEFORE", 0)
    game = SCORED[PLAN.game](players=2)
    rng = np.random.Generator(np.random.SFC64(1))
    state = next(
        state
        for state in policy_states(game, 300)
        if game.node_of(state) >= 0 and 10 < len(game.moves_of(state)) < 30
    )
    ends = {disturbed(game, state, rng) for _ in range(1000)}
    assert ends == {game.after(state, move) for move in game.moves_of(state)}
    monkeypatch.setattr(playout_net, "MOVES_BEFORE", 5)
    assert not {disturbed(game, state, rng) for _ in range(50)} <= ends


@pytest.mark.slow
def test_the_command_writes_a_net_with_a_card_like_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "net.npz"
    words = ["knaves_out", "2", str(out), "--games", "32", "--searched", "2"]
    words += ["--simulations", "3", "--playouts", "2", "--epochs", "1", "--match", "2"]
    monkeypatch.setattr("sys.argv", ["playout_net", *words])
    monkeypatch.setattr(playout_net, "SIMULATIONS", 4)
    playout_net.main()
    assert "'games': 34" in capsys.readouterr().out
    made, shipped = Net.load(out), Net.load(TWO_SEATS)
    assert made.card["data"]["playouts"] == 2
    assert set(made.card) == set(shipped.card)
    assert made.num_features == shipped.num_features
    silent = [(net.weights["w1"] == 0).all(axis=1).sum() for net in (made, shipped)]
    assert silent[0] > silent[1] > 0  # what few games have shown says nothing
