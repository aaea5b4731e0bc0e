"""Features and actions: what nets and training adapters get of a game."""

from __future__ import annotations

import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from tests.random_play import VARIANTS, Variant, steps_of

pytestmark = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def test_features_are_ascending_indices_with_a_name_each(variant: Variant) -> None:
    game = variant.new()
    assert len(game.feature_names) == len(set(game.feature_names)) == game.num_features
    for step in steps_of(variant):
        for seat in range(game.num_seats):
            found = game.features_of(step.state, seat)
            assert found == sorted(set(found))
            assert all(0 <= index < game.num_features for index in found)


def test_features_use_only_what_the_seat_sees(variant: Variant) -> None:
    game = variant.new()
    for number, step in enumerate(steps_of(variant)):
        for seat in range(game.num_seats):
            found = game.features_of(step.state, seat)
            observation = game.observed(step.state, seat)
            assert game.features_of(observation, seat) == found
            world = game.determinized(observation, PCG64(number))
            assert game.features_of(world, seat) == found


def test_every_move_has_a_number_of_its_own(variant: Variant) -> None:
    game = variant.new()
    if not game.num_actions:
        return
    for step in steps_of(variant):
        for move in game.moves_of(step.state):
            index = game.index_of(move)
            assert 0 <= index < game.num_actions
            assert game.move_at(index) == move


def test_numbers_beyond_the_actions_and_unknown_seats_are_refused(variant: Variant) -> None:
    game = variant.new()
    for index in (-1, game.num_actions):
        with pytest.raises(InputError, match="action is"):
            game.move_at(index)
    for seat in (-1, game.num_seats):
        with pytest.raises(InputError, match="seat is"):
            game.features_of(game.start_state(), seat)
