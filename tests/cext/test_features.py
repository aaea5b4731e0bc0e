"""Features and actions: what nets and training adapters get of a game."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice

import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from tests.random_play import VARIANTS, Variant, play, steps_of

GOLDEN = {
    "chessault": "15f28d750a53f419",
    "chessault-double": "07d01bab7d011bdd",
    "code_of_chivalry-2": "1cfe682ad6fc66ee",
    "code_of_chivalry-3": "e271b00e5046d92e",
    "code_of_chivalry-4": "b7356d3c6f88f43b",
    "code_of_chivalry-5": "4fe2e2535cb10001",
    "code_of_chivalry-6": "832c0a82299b5ba3",
    "connect_four": "8a8be37f57c82792",
    "goofspiel": "a955f33f98bedc7a",
    "hearts": "386633a4443db311",
    "kingdom_coinquest-2": "a68afdb1e39459a4",
    "kingdom_coinquest-3": "165a3be3b6958054",
    "kingdom_coinquest-4": "2de42d31495aa121",
    "knaves_out-2": "c594780cb9ea9e2f",
    "knaves_out-3": "488737c939ccc0f0",
    "knaves_out-8": "ee7fee1eacb71a7f",
    "knights_duty-2": "3ede5e03d09e6545",
    "knights_duty-3": "65c4d719156058de",
    "knights_duty-4": "5171d0d953f612db",
    "knights_duty-4-square": "27a04a647c72bca8",
    "knights_duty-5": "afc7593cf0118f4c",
    "knights_duty-6": "ead3339023ba7456",
    "kuhn_poker": "ea3ba1803bdf7e56",
    "leduc_poker": "848c5fd24d03fb28",
    "tic_tac_toe": "2254824033b12ab5",
}
"""Hash of the features of all seats in the first steps of a random game, by variant."""

pytestmark = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def test_features_are_ascending_indices_with_a_name_each(variant: Variant) -> None:
    game = variant.new()
    assert len(game.feature_names) == len(set(game.feature_names)) == game.num_features
    for step in steps_of(variant):
        for seat in range(game.num_seats):
            found = game.features_of(step.state, seat)
            assert found == sorted(set(found))
            assert all(0 <= index < game.num_features for index in found)


def test_features_mean_what_they_did_when_nets_were_fitted_to_them(variant: Variant) -> None:
    game = variant.new()
    if not game.num_features:
        return
    found = [
        game.features_of(step.state, seat)
        for step in islice(play(game, 0), 300)
        for seat in range(game.num_seats)
    ]
    assert sha256(repr(found).encode()).hexdigest()[:16] == GOLDEN.get(str(variant))


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
