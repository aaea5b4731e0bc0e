"""Stored positions, and the batches made of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kingmaker.cext.games import GAMES
from kingmaker.cext.rng import Seed
from kingmaker.search.self_play import Records, SelfPlay
from kingmaker.training.positions import HELD_OUT, Positions, load_records, save_records


@pytest.fixture(scope="module")
def shards() -> list[Records]:
    match = SelfPlay(GAMES["tic_tac_toe"](), epsilon=0.3, share=1.0)
    found = []
    for first in (0, 20):
        for number in range(first, first + 20):
            match.play(Seed(number))
        found.append(match.records())
    return found


def test_shards_are_stored_and_read(shards: list[Records], tmp_path: Path) -> None:
    save_records(shards[0], tmp_path / "games.npz")
    for name, column in load_records(tmp_path / "games.npz")._asdict().items():
        expected = getattr(shards[0], name)
        np.testing.assert_array_equal(column, expected)
        assert column.dtype == expected.dtype
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]


def test_a_batch_has_the_rows_of_its_positions(shards: list[Records]) -> None:
    num_features = GAMES["tic_tac_toe"]().num_features
    positions = Positions(shards, num_features)
    assert len(positions) == sum(len(each.seats) for each in shards)
    rows = [
        row.tolist()
        for each in shards
        for row in np.split(each.features, np.cumsum(each.num_active)[:-1])
    ]
    lists = [
        row.tolist()
        for each in shards
        for row in np.split(each.actions, np.cumsum(each.num_actions)[:-1])
    ]
    chosen = np.array([0, len(shards[0].seats) + 3, 7])
    batch = positions.batch(chosen)
    dense = batch.active.toarray()
    assert dense.shape == (6, num_features)
    for place, index in enumerate(chosen):
        shard, inside = (0, index) if place != 1 else (1, 3)
        seat = int(shards[shard].seats[inside])
        for other in range(2):
            assert np.flatnonzero(dense[2 * place + other]).tolist() == rows[2 * index + other]
        assert batch.deciders[place] == 2 * place + seat
        actions = batch.actions[batch.starts[place] : batch.starts[place + 1]]
        assert actions.tolist() == lists[index]
        best = lists[index][shards[shard].chosen[inside]]
        assert batch.actions[batch.chosen[place]] == best
        game = shards[shard].games[inside]
        np.testing.assert_array_equal(batch.targets[place], shards[shard].returns[game])


def test_targets_are_mixed_of_results_and_estimates(shards: list[Records]) -> None:
    num_features = GAMES["tic_tac_toe"]().num_features
    mixed = Positions(shards, num_features, mix=0.25)
    values = np.concatenate([each.values for each in shards])
    np.testing.assert_allclose(mixed.targets, 0.75 * mixed.results + 0.25 * values, atol=1e-6)


def test_a_game_is_fitted_or_held_out_as_a_whole(shards: list[Records]) -> None:
    positions = Positions(shards, 1)
    fitted, held_out = positions.split()
    assert sorted([*fitted, *held_out]) == list(range(len(positions)))
    games = set(positions.games[held_out].tolist())
    assert games == set(range(HELD_OUT - 1, 40, HELD_OUT))
    assert not games & set(positions.games[fitted].tolist())
