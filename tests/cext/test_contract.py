"""What every game owes to search, solvers and service (cext/contract.pxd), whatever its rules."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from numpy.random import PCG64

from kingmaker.cext.errors import IllegalMoveError, InputError
from kingmaker.cext.game import Game
from kingmaker.search.position import Position
from tests.random_play import (
    CHANCE,
    EACH,
    SPECTATOR,
    TERMINAL,
    Step,
    Variant,
    play,
    possible,
    seats_of,
    steps_of,
)
from tests.reference import REFERENCES

pytestmark = pytest.mark.parametrize("variant", EACH)
RIGHT_MOVE = "move_at gives the move of an action's number"


def decisions(variant: Variant) -> list[Step]:
    game = variant.new()
    return [step for step in steps_of(variant) if game.node_of(step.state) >= 0]


def deals(variant: Variant) -> list[Step]:
    game = variant.new()
    return [step for step in steps_of(variant) if game.node_of(step.state) == CHANCE]


def ends(variant: Variant) -> list[Step]:
    game = variant.new()
    return [step for step in steps_of(variant) if game.node_of(step.state) == TERMINAL]


def message(game: Game, kind: str, view: dict[str, Any]) -> Message:
    """Fill the game's typed message; fails on a key that is no field."""
    module = import_module(f"kingmaker.v1.{game.name}_pb2")
    title = "".join(word.capitalize() for word in game.name.split("_"))
    typed: Message = getattr(module, title + kind)()
    return ParseDict(view, typed)


def test_a_history_leads_from_a_state_without_secrets_to_the_state(variant: Variant) -> None:
    game = variant.new()
    for step in steps_of(variant):
        history = game.history_of(step.state)
        if history is None:
            continue
        state, moves = history
        spectator = game.observed(state, SPECTATOR)
        assert {game.determinized(spectator, PCG64(seed)) for seed in range(4)} == {state}
        for move in moves:
            assert move in possible(game, state)
            state = game.after(state, move)
        assert state == step.state


def test_every_option_has_its_value_and_its_help(variant: Variant) -> None:
    game = variant.new()
    assert game.num_seats in game.seat_counts
    # Not ==: an option of a new game may be a shorthand for others, and those have the value.
    assert set(game.options) <= set(game.option_help)
    assert variant.options.items() <= {k: str(v) for k, v in game.options.items()}.items()


def test_an_unknown_option_is_refused(variant: Variant) -> None:
    with pytest.raises(InputError, match="jokers"):
        type(variant.new())(jokers="2")


def test_legal_moves_are_unique_and_within_bounds(variant: Variant) -> None:
    game = variant.new()
    for state, _ in decisions(variant):
        moves = game.moves_of(state)
        assert 0 < len(moves) <= game.max_moves <= 1024
        assert len(set(moves)) == len(moves)


def test_legal_moves_and_outcomes_are_in_the_order_of_the_rules_page(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 100):
        reference = REFERENCES[game.name].parse(game.text(state))
        tokens = [game.move_text(move) for move in possible(game, state)]
        assert tokens == reference.legal() + list(reference.chance())


def test_probabilities_of_outcomes_sum_to_one(variant: Variant) -> None:
    game = variant.new()
    for state, _ in deals(variant):
        outcomes = game.outcomes_of(state)
        assert 0 < len(outcomes) <= game.max_moves
        assert len(dict(outcomes)) == len(outcomes)
        assert min(dict(outcomes).values()) > 0
        assert sum(dict(outcomes).values()) == pytest.approx(1, abs=1e-12)


def test_only_listed_outcomes_are_drawn(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(5)
    for state, _ in deals(variant):
        drawn = {game.sample(state, stream) for _ in range(20)}
        assert drawn <= dict(game.outcomes_of(state)).keys()


def test_the_playout_policy_makes_legal_moves(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(5)
    for state, _ in decisions(variant):
        assert {game.policy_move(state, stream) for _ in range(5)} <= set(game.moves_of(state))


def test_a_policy_refuses_states_and_moves_that_it_has_no_choice_of(variant: Variant) -> None:
    game = variant.new()
    for state, _ in ends(variant):
        with pytest.raises(ValueError, match="no seat is to move"):
            game.policy_move(state, PCG64(5))
    for state, _ in decisions(variant)[:20]:
        other = max(game.moves_of(state)) + 1
        with pytest.raises(ValueError, match=f"{other} is none of the moves"):
            game.prior_weight_of(state, other)


def test_priors_of_the_policy_use_what_the_seat_sees(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(6)
    for state, _ in decisions(variant)[::3]:
        seen = game.observed(state, game.node_of(state))
        world = game.determinized(seen, stream)
        for move in game.moves_of(state):
            weights = {game.prior_weight_of(each, move) for each in (state, seen, world)}
            assert len(weights) == 1
            assert 0 < weights.pop() < 1e30


def test_a_move_leaves_the_state_before_it_alone(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant):
        copy = bytes(bytearray(state))
        successors = {game.after(state, move) for move in possible(game, state)}
        assert state == copy
        assert state not in successors


def test_returns_are_shares_of_one_win(variant: Variant) -> None:
    game = variant.new()
    for state, _ in ends(variant):
        shares = game.returns_of(state)
        assert len(shares) == game.num_seats
        assert min(shares) >= 0
        assert sum(shares) == pytest.approx(1, abs=1e-12)


def test_evaluations_are_shares_of_one_win_and_exact_at_the_end(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant):
        shares = game.evaluation_of(state)
        assert len(shares) == game.num_seats
        assert min(shares) >= 0
        assert sum(shares) == pytest.approx(1, abs=1e-9)
    for state, _ in ends(variant):
        assert game.evaluation_of(state) == pytest.approx(game.returns_of(state))


def test_playouts_come_to_an_end_or_stop_when_reported(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(5)
    for state, _ in steps_of(variant, 50):
        end, plies, shares = game.played_out(state, stream)
        assert game.node_of(end) == TERMINAL
        assert shares == game.returns_of(end)
        assert (plies == 0) == (game.node_of(state) == TERMINAL)
        stopped, short_plies, shares = game.played_out(state, stream, 2)
        has_leaf_net = game.name == "knaves_out"
        if game.name != "knights_duty" and not has_leaf_net:  # they play on to the start of a turn
            assert short_plies <= 2
        assert short_plies >= 2 or game.node_of(stopped) == TERMINAL
        if not has_leaf_net:
            assert shares == pytest.approx(game.evaluation_of(stopped))


def test_equal_streams_give_equal_playouts(variant: Variant) -> None:
    game = variant.new()
    start = game.start_state()
    assert game.played_out(start, PCG64(3)) == game.played_out(start, PCG64(3))


def test_positions_round_trip_as_text(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant):
        parsed, again = type(game).parse_position(game.text(state))
        assert again == state
        assert parsed.num_seats == game.num_seats
        assert parsed.text(again) == game.text(state)


def test_observations_round_trip_as_text(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 75):
        for seat in seats_of(game):
            observation = game.observed(state, seat)
            line = game.text(observation)
            assert type(game).parse_observation(line)[1] == observation
            assert game.observer_of(observation) == seat
        assert game.observer_of(state) is None


def test_positions_and_observations_can_be_pickled_and_copied(variant: Variant) -> None:
    position = Position(variant.new(), variant.new().start_state())
    for each in (position, position.observe(1)):
        assert pickle.loads(pickle.dumps(each)) == each
        assert copy.deepcopy(each) == each


def test_positions_are_no_observations_and_the_reverse(variant: Variant) -> None:
    game = variant.new()
    state = game.start_state()
    with pytest.raises(InputError):
        type(game).parse_observation(game.text(state))
    for seat in seats_of(game):
        with pytest.raises(InputError):
            type(game).parse_position(game.text(game.observed(state, seat)))


def test_positions_round_trip_as_typed_messages(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 75):
        view = json.loads(json.dumps(game.view(state)))
        typed = message(game, "Position", view)
        sparse = MessageToDict(typed, preserving_proto_field_name=True)
        assert game.from_view(view)[1] == state
        assert game.from_view(sparse)[1] == state


def test_observations_round_trip_as_typed_messages(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 40):
        for seat in seats_of(game):
            observation = game.observed(state, seat)
            view = json.loads(json.dumps(game.view(observation)))
            assert view["observer"] == seat + 1
            assert game.from_view(view)[1] == observation
            typed = message(game, "Observation", view)
            sparse = MessageToDict(typed, preserving_proto_field_name=True)
            assert game.from_view({"observer": 0, **sparse})[1] == observation


def test_an_empty_typed_message_is_refused(variant: Variant) -> None:
    game = type(variant.new())
    with pytest.raises(InputError):
        game.from_view({})
    with pytest.raises(InputError):
        game.from_view({"observer": 0})
    with pytest.raises(InputError):
        variant.new().move_from_view({})


def test_moves_round_trip_as_text_and_as_typed_messages(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant):
        for move in possible(game, state):
            token = game.move_text(move)
            assert game.parse_move(token) == move
            view = json.loads(json.dumps(game.move_view(move)))
            assert game.move_from_view(view) == move
            sparse = MessageToDict(message(game, "Move", view), preserving_proto_field_name=True)
            assert game.move_from_view(sparse) == move


def test_moves_as_others_see_them_have_a_token_and_a_typed_message(variant: Variant) -> None:
    game = variant.new()
    for state, move in steps_of(variant):
        for seat in seats_of(game):
            if move is None:
                continue
            seen = game.seen(state, move, seat)
            assert game.move_from_view(game.move_view(seen)) == seen
            assert message(game, "Move", game.move_view(seen))


def test_a_malformed_move_is_refused(variant: Variant) -> None:
    for token in ("", " ", "nonsense", "deal:", "deal:xx", "a1:", "d:d"):
        with pytest.raises(InputError):
            variant.new().parse_move(token)


def test_a_determinization_looks_the_same_to_its_observer(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(7)
    for state, _ in steps_of(variant):
        for seat in seats_of(game):
            observation = game.observed(state, seat)
            assert game.observed(game.determinized(observation, stream), seat) == observation
            assert game.observed(game.likely_world_of(observation, stream), seat) == observation


def test_a_determinization_is_a_valid_position(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(8)
    for state, _ in steps_of(variant):
        for seat in seats_of(game):
            observation = game.observed(state, seat)
            for draw in (game.determinized, game.likely_world_of):
                drawn = draw(observation, stream)
                assert type(game).parse_position(game.text(drawn))[1] == drawn
                assert game.node_of(drawn) == game.node_of(state)


def test_an_observation_does_not_depend_on_what_is_hidden(variant: Variant) -> None:
    """Drawing the hidden cards anew must not show, whoever looks through whose eyes."""
    game = variant.new()
    stream = PCG64(9)
    for state, _ in steps_of(variant, 100):
        for seat in seats_of(game):
            other = game.determinized(game.observed(state, seat), stream)
            assert game.text(game.observed(other, seat)) == game.text(game.observed(state, seat))
            assert game.determinized(game.observed(other, seat), PCG64(1)) == game.determinized(
                game.observed(state, seat), PCG64(1)
            )


def test_games_without_hidden_information_show_everything(variant: Variant) -> None:
    game = variant.new()
    if game.is_hidden:
        assert any(
            game.determinized(game.observed(state, SPECTATOR), PCG64(seed)) != state
            for state, _ in steps_of(variant)
            for seed in range(3)
        )
    else:
        for state, _ in steps_of(variant):
            for seat in seats_of(game):
                assert game.determinized(game.observed(state, seat), PCG64(1)) == state


def test_the_deciding_seat_knows_its_moves_from_its_observation(variant: Variant) -> None:
    game = variant.new()
    for state, _ in decisions(variant):
        observation = game.observed(state, game.node_of(state))
        assert game.moves_of(observation) == game.moves_of(state)


def test_a_move_looks_the_same_in_every_determinization(variant: Variant) -> None:
    game = variant.new()
    stream = PCG64(11)
    for state, _ in steps_of(variant, 100):
        for seat in seats_of(game):
            other = game.determinized(game.observed(state, seat), stream)
            for move in set(possible(game, state)) & set(possible(game, other)):
                assert game.seen(state, move, seat) == game.seen(other, move, seat)


def test_the_deciding_seat_sees_its_own_move(variant: Variant) -> None:
    game = variant.new()
    for state, move in decisions(variant):
        assert move is not None
        assert game.seen(state, move, game.node_of(state)) == move


def test_a_deal_that_looks_the_same_leads_to_the_same_observation(variant: Variant) -> None:
    game = variant.new()
    for state, _ in deals(variant)[:60]:
        for seat in seats_of(game):
            after: dict[int, set[bytes]] = {}
            for outcome, _ in game.outcomes_of(state):
                observation = game.observed(game.after(state, outcome), seat)
                after.setdefault(game.seen(state, outcome, seat), set()).add(observation)
            assert all(len(observations) == 1 for observations in after.values())


def test_every_seat_sees_whose_draw_an_outcome_is(variant: Variant) -> None:
    game = variant.new()
    for state, _ in deals(variant):
        seat = game.chance_seat(state)
        assert -1 <= seat < game.num_seats
        seen = {game.chance_seat(game.observed(state, observer)) for observer in seats_of(game)}
        assert seen == {seat}


def test_an_outcome_hidden_from_some_is_seen_by_the_seat_that_it_concerns(variant: Variant) -> None:
    game = variant.new()
    for state, outcome in deals(variant):
        assert outcome is not None
        seat = game.chance_seat(state)
        if any(game.seen(state, outcome, observer) != outcome for observer in seats_of(game)):
            assert seat >= 0
            assert game.seen(state, outcome, seat) == outcome


def test_a_state_of_another_length_is_refused(variant: Variant) -> None:
    game = variant.new()
    with pytest.raises(InputError, match="bytes"):
        game.node_of(game.start_state() + b"\0")


def test_an_illegal_move_is_explained(variant: Variant) -> None:
    game = variant.new()
    known = {move for state, _ in steps_of(variant) for move in possible(game, state)}
    for state, _ in steps_of(variant, 40):
        for move in sorted(known - set(possible(game, state)))[:30]:
            sentence, rule = game.why_illegal(state, move)
            assert sentence == sentence.strip()
            assert sentence
            assert not rule or rule[0] in "RD"


def test_moves_are_reported_in_words(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant):
        for move in possible(game, state):
            assert game.describe_move(state, move).strip()


def test_what_a_move_changes_is_reported_in_words(variant: Variant) -> None:
    game = variant.new()
    for state, move in steps_of(variant):
        after = state if move is None else game.after(state, move)
        for seat in seats_of(game):
            changes = game.changes(game.observed(state, seat), game.observed(after, seat), seat)
            gains = [abs(change.gain) for change in changes]
            assert gains == sorted(gains, reverse=True)
            assert all(change.text and not change.text.endswith(".") for change in changes)


def test_nothing_changes_between_equal_states(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 50):
        for seat in range(game.num_seats):
            assert game.changes(state, state, seat) == []


def test_states_and_observations_can_be_drawn_for_a_terminal(variant: Variant) -> None:
    game = variant.new()
    for state, _ in steps_of(variant, 50):
        for seen in (state, *(game.observed(state, seat) for seat in seats_of(game))):
            assert game.render(seen).strip()


def test_random_games_end(variant: Variant) -> None:
    game = variant.new()
    for seed in range(100, 106):
        assert sum(1 for _ in play(game, seed)) < 20_000


def test_a_number_that_is_no_move_is_refused(variant: Variant) -> None:
    game = variant.new()
    for number in (-1, 2**32, 2**80):
        with pytest.raises(OverflowError):
            game.after(game.start_state(), number)


def test_a_move_of_another_state_is_refused(variant: Variant) -> None:
    """In Knaves Out some went on without end there, or wrote beyond the state."""
    game = variant.new()
    states = [step.state for step in steps_of(variant)]
    moves = {move for state in states for move in possible(game, state)}
    for state in states[::5]:
        for move in sorted(moves - {*possible(game, state)})[::5]:
            with pytest.raises(IllegalMoveError, match=f"^{move} is none of the moves"):
                game.after(state, move)


def error_of(words: Callable[[int], str], number: int) -> str:
    """Return the message with which a number is refused, if it is."""
    try:
        words(number)
    except InputError as error:
        return str(error)
    return ""


def test_words_of_a_number_that_is_no_move_are_refused(variant: Variant) -> None:
    game, state = variant.new(), variant.new().start_state()
    numbers = [int(number) for number in PCG64(1).random_raw(200) >> 32]
    refused = 0
    for number in (*range(256), *(each >> 16 for each in numbers), *numbers):
        for words in (game.move_text, game.describe_anywhere, partial(game.describe_move, state)):
            error = error_of(words, number)
            assert error in ("", f"{game.name} has no move {number}; {RIGHT_MOVE}")
            refused += bool(error)
    assert refused > 300


def test_less_than_one_playout_is_refused(variant: Variant) -> None:
    game = variant.new()
    for number in (0, -1):
        with pytest.raises(InputError, match=f"num_playouts is {number}; it must be at least 1"):
            game.playouts(game.start_state(), PCG64(1), number)


def test_only_seats_and_spectators_see_something(variant: Variant) -> None:
    game = variant.new()
    state = game.start_state()
    for seat in (-2, game.num_seats, 99):
        for call in (partial(game.observed, state), partial(game.seen, state, 0)):
            with pytest.raises(InputError, match=f"seat is {seat}; .* or -1 for a spectator"):
                call(seat)


def test_no_state_is_refused(variant: Variant) -> None:
    none: Any = None
    with pytest.raises(TypeError, match=r"state is None; it must be the \d+ bytes of a state"):
        variant.new().moves_of(none)
