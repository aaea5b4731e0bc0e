"""Positions and observations as Python sees them."""

import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import IllegalMoveError, InputError, StateError, UnknownGameError
from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import Budget
from kingmaker.search.games import game_type, game_types
from kingmaker.search.levels import select_move
from kingmaker.search.position import (
    Position,
    new_game,
    observation_from_view,
    parse_observation,
    parse_position,
    position_from_view,
)
from kingmaker.search.record import seen_so_far
from kingmaker.search.run import analyze
from kingmaker.search.solver import solve
from kingmaker.search.worlds import sample_worlds

POSITION = (
    "kc turn=31 epoch=0 node=play:p1 p1=h/20/3s,5d,9c/-/-/-/8h/- p2=s/20/as/-/-/-/-/- "
    "forge=42 grave=qd"
)


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGameError, match=r"there is no game 'chess'.*kuhn_poker"):
        new_game("chess")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"players": 5}, "options.players"),
        ({"kings": "hh"}, "options.kings"),
        ({"health": "0"}, "options.health"),
        ({"turn_limit": "007"}, "options.turn_limit"),
        ({"wind": "1"}, "options.wind"),
    ],
)
def test_a_bad_option_is_refused_by_name(options: dict[str, str | int], field: str) -> None:
    with pytest.raises(InputError) as refused:
        new_game("kingdom_coinquest", options)
    assert refused.value.field == field


def test_a_position_does_not_change_when_a_move_is_applied() -> None:
    before = parse_position("kingdom_coinquest", POSITION)
    after = before.apply("attack:p2", "discard:3s")
    assert before.text == POSITION
    assert after.node == "p2"
    assert after != before


def test_equal_positions_compare_and_hash_equal() -> None:
    first, second = (parse_position("kingdom_coinquest", POSITION) for _ in range(2))
    assert first == second
    assert len({first, second}) == 1
    assert first != parse_position("kingdom_coinquest", POSITION.replace("turn=31", "turn=30"))
    assert first != new_game("kuhn_poker")


@pytest.mark.parametrize("name", GAMES)
def test_positions_and_observations_are_shown_by_the_line_that_is_parsed(name: str) -> None:
    position, _ = new_game(name).settle(np.random.SFC64(1))
    shown, seen = repr(position), repr(position.observe(1))
    assert shown == f"Position('{position.text}')"
    assert parse_position(name, shown.removeprefix("Position('").removesuffix("')")) == position
    assert seen == f"Observation('{position.observe(1).text}')"


def test_options_tell_positions_apart_that_look_the_same_inside() -> None:
    assert new_game("kingdom_coinquest", {"turn_limit": 5}) != new_game("kingdom_coinquest")


def test_an_illegal_move_is_named_with_its_rule_and_what_is_possible() -> None:
    position = parse_position("kingdom_coinquest", POSITION)
    with pytest.raises(StateError, match=r"prep:9c is not legal: .*R6\.2.*") as refused:
        position.apply("prep:9c")
    assert refused.value.rule == "R6.2"
    assert refused.value.value == "prep:9c"
    assert "pass attack:p2" in str(refused.value)


def test_nothing_is_said_against_a_move_or_an_outcome_that_is_possible() -> None:
    position = parse_position("kingdom_coinquest", POSITION)
    assert all(position.why_not(token) == "" for token in position.legal_moves())
    deal = new_game("kingdom_coinquest")
    assert all(deal.why_not(token) == "" for token in deal.chance_outcomes())
    assert position.why_not("prep:9c") != ""


def test_a_token_of_no_spelling_is_refused_as_such() -> None:
    position = parse_position("kingdom_coinquest", POSITION)
    for token in ("", "attack", "attack:p9", "deal:?", "Pass", "pass ", "prep:9z", "\0", "é" * 99):
        with pytest.raises(InputError) as refused:
            position.apply(token)
        assert refused.value.field == "move"
    assert position.text == POSITION


@pytest.mark.parametrize("wrong", [["c"], 3, None, b"c"])
def test_what_is_no_token_is_refused_with_one_that_is(wrong: Any) -> None:
    start = new_game("connect_four")
    for call in (start.apply, start.why_not, start.resolve, start.describe):
        with pytest.raises(TypeError, match=rf"^token is {re.escape(repr(wrong))}; .* a text"):
            call(wrong)


START = new_game("connect_four").observe(1)
BUDGET = Budget(simulations=10)


@pytest.mark.parametrize(
    ("call", "arguments", "named"),
    [
        (new_game, {"name": 3}, "name is 3; it must be a text"),
        (new_game, {"name": "kuhn_poker", "options": 3}, "options is 3; it must be a mapping"),
        (parse_position, {"name": "kuhn_poker", "text": 1}, "text is 1; it must be a text"),
        (parse_position, {"name": None, "text": "-"}, "name is None; it must be a text"),
        (parse_observation, {"name": "kuhn_poker", "text": None}, "text is None; it must be a"),
        (
            new_game("kuhn_poker").observe,
            {"seat": "1"},
            "seat is '1'; it must be a whole number, 1 to 2",
        ),
        (
            new_game("kuhn_poker").observe,
            {"seat": 1.0},
            "seat is 1.0; it must be a whole number, 1 to 2",
        ),
        (Budget, {"milliseconds": "1"}, "milliseconds is '1'; it must be a number, 0.001 to"),
        (
            partial(select_move, START, BUDGET),
            {"level": "3"},
            "level is '3'; it must be a whole number",
        ),
        (partial(analyze, START, BUDGET), {"engine": 3}, "engine is 3; it must be a text"),
        (partial(analyze, START, BUDGET), {"options": 3}, "options is 3; it must be a mapping"),
        (
            partial(analyze, START, BUDGET),
            {"seed": "a"},
            "seed is 'a'; it must be a whole number, 0 to",
        ),
        (
            partial(analyze, START, BUDGET),
            {"threads": "2"},
            "threads is '2'; it must be a whole number",
        ),
        (partial(sample_worlds, START), {"count": 1.5, "seed": 1}, "count is 1.5; it must be a"),
        (partial(sample_worlds, START), {"count": 1, "seed": None}, "seed is None; it must be a"),
        (solve, {"subject": 3}, "subject is 3; it must be a position or an observation"),
    ],
)
def test_an_argument_of_a_wrong_kind_is_named_with_a_right_one(
    call: Callable[..., object], arguments: dict[str, object], named: str
) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(named)}"):
        call(**arguments)


def test_numbers_may_be_those_of_numpy() -> None:
    three: Any = np.int64(3)
    analysis = analyze(START, Budget(simulations=three), seed=three)
    assert analysis.simulations == 3
    assert select_move(START, BUDGET, level=three)[0] in START.legal_moves()
    assert new_game("code_of_chivalry").observe(three).observer == 3


def test_threads_may_be_a_number_of_numpy() -> None:
    """Also the number of simulations, which is that of the threads if they are more."""
    two: Any = np.int64(2)
    for budget, threads in ((BUDGET, two), (Budget(simulations=two), 4)):
        found = analyze(START, budget, seed=1, threads=threads)
        assert found.simulations == budget.simulations


def test_a_move_may_be_a_text_of_numpy() -> None:
    start = new_game("connect_four")
    chosen = np.array(["c", "d"])[0]
    assert start.apply(chosen) == start.apply("c")
    full = start.apply(*"cccccc")
    with pytest.raises(IllegalMoveError, match="c is not legal"):
        full.apply(chosen)


def test_a_subclass_in_python_may_read_moves_in_another_way() -> None:
    class Spoken(game_type("connect_four")):  # type: ignore[misc]
        def parse_move(self, text: str) -> int:
            return int(super().parse_move(text.removeprefix("drop in ")))

    game = Spoken()
    start = Position(game, game.start_state())
    assert start.apply("drop in c") == start.apply("c")


def test_nothing_can_be_applied_after_the_end() -> None:
    over = new_game("tic_tac_toe").apply("a1", "a2", "b1", "b2", "c1")
    assert over.returns() == [1.0, 0.0]
    assert over.legal_moves() == []
    with pytest.raises(StateError, match="the game is over") as refused:
        over.apply("c3")
    assert refused.value.rule == "R1.5"


def test_there_is_no_result_before_the_end() -> None:
    with pytest.raises(StateError, match="not over"):
        new_game("tic_tac_toe").returns()


@pytest.mark.parametrize("seat", [-1, 3, 100])
def test_a_seat_that_does_not_exist_sees_nothing(seat: int) -> None:
    with pytest.raises(InputError, match=r"seats are 1 to 2"):
        new_game("kuhn_poker").observe(seat)


def test_chance_outcomes_have_exact_probabilities() -> None:
    deal = new_game("kuhn_poker").apply("deal:k")
    assert deal.chance_outcomes() == {"deal:j": Fraction(1, 2), "deal:q": Fraction(1, 2)}


def test_settling_draws_until_somebody_decides_and_repeats_with_the_seed() -> None:
    first, second = (new_game("leduc_poker").settle(np.random.SFC64(5)) for _ in range(2))
    assert first == second
    assert first[0].node == "p1"
    assert new_game("leduc_poker").apply(*first[1]) == first[0]


def test_nobody_can_take_a_game_out_of_those_that_there_are() -> None:
    known: Any = game_types()
    with pytest.raises(AttributeError):
        known.pop("hearts")
    assert "hearts" in game_types()


def test_a_line_may_be_a_text_of_numpy() -> None:
    start = new_game("tic_tac_toe")
    lines = np.array([start.text, start.observe(1).text])
    assert parse_position("tic_tac_toe", lines[0]) == start
    assert parse_observation("tic_tac_toe", lines[1]) == start.observe(1)


def test_a_generator_of_numpy_draws_as_its_bit_generator_does() -> None:
    start = new_game("leduc_poker")
    settled, drawn = start.settle(np.random.Generator(np.random.SFC64(5)))
    assert (settled, drawn) == start.settle(np.random.SFC64(5))
    rng = np.random.default_rng(5)
    assert start.sample_outcome(rng) == start.sample_outcome(np.random.PCG64(5))
    seen = settled.observe(1)
    assert seen.determinize(np.random.default_rng(7)) == seen.determinize(np.random.PCG64(7))


@pytest.mark.parametrize("stream", [1, None, np.random.RandomState(1), np.random.SFC64])
def test_what_is_no_generator_is_refused_with_one_that_is(stream: Any) -> None:
    right = f"^stream is {re.escape(repr(stream))}; it must be .* numpy.random.default_rng"
    for start in (new_game("kuhn_poker"), new_game("tic_tac_toe")):  # with and without chance
        with pytest.raises(TypeError, match=right):
            start.settle(stream)
    with pytest.raises(TypeError, match=right):
        start.sample_outcome(stream)
    with pytest.raises(TypeError, match=right):
        start.observe(1).determinize(stream)


def test_only_a_chance_node_has_an_outcome_to_draw() -> None:
    with pytest.raises(StateError, match="no chance outcome"):
        new_game("tic_tac_toe").sample_outcome(np.random.SFC64(1))


def test_an_observation_knows_its_seat_and_its_own_moves_only() -> None:
    position = parse_position("kingdom_coinquest", POSITION)
    own, other, nobody = (position.observe(seat) for seat in (1, 2, 0))
    assert (own.observer, other.observer, nobody.observer) == (1, 2, 0)
    assert own.legal_moves() == ["pass", "attack:p2"]
    for observation in (other, nobody):
        with pytest.raises(StateError, match="p1 is to move"):
            observation.legal_moves()


def test_a_drawn_card_is_seen_by_its_owner_only() -> None:
    position = new_game("kingdom_coinquest", {"kings": "hs"}).apply("draw:forge")
    assert position.seen_move("deal:7h", 1) == "deal:7h"
    assert position.seen_move("deal:7h", 2) == "deal:?"
    assert position.seen_move("deal:7h", 0) == "deal:?"


@pytest.mark.parametrize("game", sorted(game_types()))
def test_typed_views_give_the_position_and_the_observations_back(game: str) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    assert position_from_view(game, position.view) == position
    for seat in range(position.num_seats + 1):
        observation = position.observe(seat)
        assert observation_from_view(game, observation.view) == observation
        assert parse_observation(game, observation.text) == observation


def test_an_observation_line_is_no_position_and_the_other_way_round() -> None:
    observation = parse_position("kingdom_coinquest", POSITION).observe(1)
    with pytest.raises(InputError):
        parse_position("kingdom_coinquest", observation.text)
    with pytest.raises(InputError):
        parse_observation("kingdom_coinquest", POSITION)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("as/-", "8h/-", "grave|p1|p2|position|peasant|hand"),  # a card twice
        ("forge=42", "forge=41", "forge"),
        ("3s,5d,9c", "5d,3s,9c", "players[0].hand"),
        ("turn=31", "turn=0", "turn"),
    ],
)
def test_an_inconsistent_position_is_refused_with_field_and_rule(
    old: str, new: str, field: str
) -> None:
    with pytest.raises(InputError) as refused:
        parse_position("kingdom_coinquest", POSITION.replace(old, new))
    assert any(name in refused.value.field for name in field.split("|"))
    assert refused.value.rule.startswith("R12")


def test_determinizations_are_consistent_and_differ() -> None:
    position = parse_position("kingdom_coinquest", POSITION)
    observation = position.observe(1)
    stream = np.random.SFC64(1)
    worlds = {observation.determinize(stream) for _ in range(50)}
    assert len(worlds) > 20
    assert all(observation.is_consistent(world) for world in worlds)
    assert not observation.is_consistent(position.apply("pass"))
    assert all(isinstance(world, Position) for world in worlds)


@pytest.mark.parametrize("name", GAMES)
def test_the_view_of_an_observation_is_no_position(name: str) -> None:
    view = new_game(name).observe(1).view
    with pytest.raises(InputError) as refused:
        position_from_view(name, view)
    assert refused.value.field == "position.observer"


@pytest.mark.parametrize("name", GAMES)
def test_a_view_with_a_monstrous_value_is_refused(name: str) -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    view = new_game(name).view
    for field, value in view.items():
        for monster in (nested, 10**5000, [10**5000], {"x": nested}):
            if isinstance(value, list) and value and isinstance(value[0], dict):
                given = {**view, field: [{**value[0], "x": monster}, *value[1:]]}
            else:
                given = {**view, field: monster}
            with pytest.raises(InputError):
                position_from_view(name, given)


OPTIONS: dict[str, dict[str, list[str | int]]] = {
    "chessault": {"supply": ["double"], "max_turns": [7]},
    "code_of_chivalry": {
        "players": [2, 3],
        "first_player": ["p2"],
        "minstrels": [2],
        "monks": [1],
        "start_gems": [4],
        "target_gems": [9],
        "reshuffle_step": [0],
        "target_floor": [2],
        "turn_limit": [20],
        "auto_pass": ["off", "private"],
    },
    "connect_four": {},
    "goofspiel": {"cards": [5], "order": ["ascending", "descending"]},
    "hearts": {"pass": ["none", "left", "across", "right"]},
    "kingdom_coinquest": {
        "players": [3, 4],
        "kings": ["hs"],
        "health": [5],
        "turn_limit": [30],
        "ace_strike": [1],
    },
    "knights_duty": {
        "players": [3],
        "arena": ["square"],
        "radius": [3],
        "clans": ["choose"],
        "empty_slots": ["off"],
        "agreements": ["off"],
        "swap": ["block"],
        "inspire": ["open"],
        "turn_limit": [9],
    },
    "knaves_out": {
        "players": [3],
        "first": ["p2"],
        "direction": ["ccw"],
        "layout": ["place"],
        "kings": ["fixed"],
        "start_court": ["on"],
        "start_jokers": ["off"],
        "fuel": ["off"],
        "each": ["present"],
        "aos": ["devour", "off"],
        "two_towers": ["off"],
        "friendly_fire": ["off"],
        "max_turns": [9],
        "limit_result": ["rank"],
    },
    "kuhn_poker": {},
    "leduc_poker": {},
    "tic_tac_toe": {},
}
VALUES = [
    (name, option, value)
    for name, options in OPTIONS.items()
    for option, values in options.items()
    for value in values
]


def test_the_values_are_those_of_every_option() -> None:
    assert {name: {*new_game(name).game.options} for name in GAMES} == {
        name: {*options} for name, options in OPTIONS.items()
    }


@pytest.mark.parametrize(("name", "option", "value"), VALUES)
def test_a_position_equals_the_parse_of_its_own_line(
    name: str, option: str, value: str | int
) -> None:
    stream = np.random.SFC64(1)
    position = new_game(name, {option: value})
    for _ in range(6):
        read = parse_position(name, position.text)
        assert read == position
        assert hash(read) == hash(position)
        seat = max(position.seat, 1)
        seen = parse_observation(name, position.observe(seat).text)
        assert seen == position.observe(seat)
        assert hash(seen) == hash(position.observe(seat))
        assert position.observe(seat).is_consistent(read)
        assert seen.is_consistent(position)
        position, _ = position.settle(stream)
        position = position.apply(position.legal_moves()[-1])


@pytest.mark.parametrize(("name", "option", "value"), VALUES)
def test_positions_differ_exactly_if_their_lines_do(
    name: str, option: str, value: str | int
) -> None:
    usual, other = new_game(name), new_game(name, {option: value})
    assert (usual == other) == (usual.text == other.text)
    why = usual.observe(1).why_inconsistent(other)
    assert bool(why) != usual.observe(1).is_consistent(other)
    assert usual.observe(1).is_consistent(other) == (usual.observe(1).text == other.observe(1).text)


def test_a_position_that_does_not_fit_has_a_reason() -> None:
    position = parse_position("kingdom_coinquest", POSITION)
    seen = position.observe(1)
    after = position.apply("pass")
    assert seen.why_inconsistent(after) == f"p1 would see {after.observe(1).text}"
    assert seen.why_inconsistent(new_game("hearts")) == (
        "it is a position of hearts, not of kingdom_coinquest"
    )
    assert seen.why_inconsistent(new_game("kingdom_coinquest", {"players": 3})) == (
        "it has 3 seats, not 2"
    )
    longer = parse_position("kingdom_coinquest", POSITION.replace("kc", "kc;turn_limit=31"))
    assert seen.why_inconsistent(longer).startswith("it has other options: kc turn=31")
    assert not seen.why_inconsistent(position)


@pytest.mark.parametrize("game", GAMES)
def test_positions_and_observations_can_be_pickled(game: str) -> None:
    position, _ = new_game(game).settle(np.random.SFC64(1))
    for node in (position, position.observe(0), parse_position(game, position.text)):
        copy = pickle.loads(pickle.dumps(node))
        assert copy == node
        assert copy.text == node.text
        assert copy.game.options == node.game.options


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("observer", ["", " @p1"])
def test_a_line_of_another_game_is_refused_by_its_tag(name: str, observer: str) -> None:
    other = new_game("hearts" if name == "leduc_poker" else "leduc_poker")
    parse = parse_observation if observer else parse_position
    with pytest.raises(InputError) as refused:
        parse(name, other.text + observer)
    tag, own = other.game.tag, GAMES[name].tag
    assert str(refused.value).startswith(
        f"the line begins with {tag}; lines of {name} begin with {own} ("
    )
    assert refused.value.field == ("observation" if observer else "position")
    assert refused.value.rule


def test_changes_are_those_of_one_seat_of_one_game() -> None:
    leduc, _ = new_game("leduc_poker").settle(np.random.SFC64(1))
    seen = leduc.observe(1)
    others = (new_game("tic_tac_toe").apply("b2", "a1").observe(1), leduc.observe(2))
    for other in others:  # the states of both games have six bytes
        with pytest.raises(InputError, match="must be of one seat of one game") as caught:
            seen.changes(other)
        assert caught.value.field == "after"
    with pytest.raises(TypeError, match=r"^observation is "):
        seen.changes(leduc)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 3, 10**30])
def test_only_seats_of_the_game_and_spectators_see_moves(seat: int) -> None:
    position = new_game("leduc_poker")
    with pytest.raises(InputError, match=f"seat {seat} of a 2-seat game"):
        position.seen_move("deal:ks", seat)
    with pytest.raises(InputError, match=f"seat {seat} of a 2-seat game"):
        seen_so_far(position, ["deal:ks"], seat)
