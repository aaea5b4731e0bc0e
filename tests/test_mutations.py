"""Damaged lines never crash the engine: each is refused, or is a valid line as it stands.

Engine and reference must agree which of the two it is. By default 2,500 lines per game and kind;
the environment variable KINGMAKER_FUZZ_GAMES sets the number in hundreds.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache

import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.cext.view_game import read_as_view
from tests.facts import FACTS
from tests.facts.facts import Mutator
from tests.random_play import CHANCE, TERMINAL, VARIANTS, Variant, seats_of, steps_of, varied
from tests.reference import REFERENCES

NUM_LINES = 100 * int(os.environ.get("KINGMAKER_FUZZ_GAMES", "10"))


NUM_VARIED = 4
"""Choices of options that lines are taken from, besides the default one."""

WORD = re.compile(r"[a-z0-9_?.]+")
NUMBER = re.compile(r"\d+")
CARD = re.compile(r"(?<![a-z0-9])[a2-9tjqk][hsdc]?(?![a-z0-9=])")


def replaced(line: str, match: re.Match[str], text: str) -> str:
    return line[: match.start()] + text + line[match.end() :]


def delete_character(line: str, other: str, rng: random.Random) -> str:
    at = rng.randrange(len(line))
    return line[:at] + line[at + 1 :]


def double_character(line: str, other: str, rng: random.Random) -> str:
    at = rng.randrange(len(line))
    return line[:at] + line[at] + line[at:]


def swap_characters(line: str, other: str, rng: random.Random) -> str:
    first, second = sorted(rng.choices(range(len(line)), k=2))
    if first == second:
        return line
    return line[:first] + line[second] + line[first + 1 : second] + line[first] + line[second + 1 :]


def change_character(line: str, other: str, rng: random.Random) -> str:
    at = rng.randrange(len(line))
    return line[:at] + rng.choice(other + "é\n\0 ~!/+:;=,@-") + line[at + 1 :]


def swap_fields(line: str, other: str, rng: random.Random) -> str:
    fields = line.split(" ")
    first, second = rng.choices(range(len(fields)), k=2)
    fields[first], fields[second] = fields[second], fields[first]
    return " ".join(fields)


def take_field(line: str, other: str, rng: random.Random) -> str:
    """Write one field of another line in the place of this line's."""
    fields, others = line.split(" "), other.split(" ")
    at = rng.randrange(min(len(fields), len(others)))
    return " ".join([*fields[:at], others[at], *fields[at + 1 :]])


def splice(line: str, other: str, rng: random.Random) -> str:
    at = rng.randrange(len(line))
    return line[:at] + other[at:]


def change_number(line: str, other: str, rng: random.Random) -> str:
    numbers = list(NUMBER.finditer(line))
    if not numbers:
        return line
    number = rng.choice(numbers)
    value = int(number[0])
    new = [value + 1, value - 1, f"0{value}", 10**9, 2**63, rng.randrange(100)]
    return replaced(line, number, str(rng.choice(new)))


def change_card(line: str, other: str, rng: random.Random) -> str:
    cards = list(CARD.finditer(line))
    if not cards:
        return line
    return replaced(line, rng.choice(cards), rng.choice(CARD.findall(other) or ["?"]))


def swap_words(line: str, other: str, rng: random.Random) -> str:
    """Swap two cards, numbers or other words of the line."""
    words = list(WORD.finditer(line))
    if len(words) < 2:
        return line
    first, second = sorted(rng.sample(words, 2), key=lambda word: word.start())
    return replaced(replaced(line, second, first[0]), first, second[0])


MUTATORS: list[Mutator] = [
    delete_character,
    double_character,
    swap_characters,
    change_character,
    swap_fields,
    take_field,
    splice,
    change_number,
    change_card,
    swap_words,
]


def variants_of(name: str) -> list[Variant]:
    """Every number of seats, each with its default options and with several others."""
    plain = [variant for variant in VARIANTS if variant.name == name]
    return plain + [
        other
        for variant in plain
        for seed in range(NUM_VARIED)
        if (other := varied(variant, seed)) != variant
    ]


@cache
def valid_lines(name: str) -> tuple[list[str], list[str]]:
    """Position and observation lines from random games with many options."""
    positions, observations = [], []
    for variant in variants_of(name):
        game = variant.new()
        for state, _ in steps_of(variant, 100):
            positions.append(game.text(state))
            observations += [game.text(game.observed(state, seat)) for seat in seats_of(game)]
    return positions, observations


def mutated(name: str, lines: list[str], rng: random.Random) -> str:
    """Damage a line of a game in one to three ways; mend the sums of every second one."""
    facts = FACTS[name]
    mutators = [*MUTATORS, *facts.mutators]
    line = rng.choice(lines)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        line = rng.choice(mutators)(line or " ", rng.choice(lines), rng)
    return facts.repair(line) if rng.random() < 0.5 else line


def agreed(
    engine: Callable[[str], tuple[Game, bytes]], reference: Callable[[str], object], line: str
) -> tuple[Game, bytes] | None:
    """Parse a line with both, which must agree; None if both refuse it."""
    verdicts = {"engine": "valid", "reference": "valid"}
    parsed = None
    try:
        parsed = engine(line)
    except InputError as error:
        verdicts["engine"] = f"refused: {error}"
    try:
        reference(line)
    except ValueError as error:
        verdicts["reference"] = f"refused: {error}"
    assert (verdicts["engine"] == "valid") == (verdicts["reference"] == "valid"), (
        f"{line!r}\n{verdicts}"
    )
    return parsed


def check_play(game: Game, state: bytes, rng: random.Random) -> None:
    """Go on for some plies: a valid position may be unreachable, but it can be played."""
    stream = PCG64(rng.randrange(1000))
    for _ in range(12):
        node = game.node_of(state)
        if node == TERMINAL:
            assert sum(game.returns_of(state)) == pytest.approx(1)
            return
        moves = game.moves_of(state)
        move = game.sample(state, stream) if node == CHANCE else rng.choice(moves)
        state = game.after(state, move)
        assert type(game).parse_position(game.text(state))[1] == state


def check_position(name: str, line: str, rng: random.Random) -> bool:
    """Check one line; return whether it is valid."""
    parsed = agreed(GAMES[name].parse_position, REFERENCES[name].parse, line)
    if parsed is None:
        return False
    game, state = parsed
    assert game.text(state) == line
    assert read_as_view(GAMES[name], line, "position")[1] == state
    check_play(game, state, rng)
    return True


def check_observation(name: str, line: str, rng: random.Random) -> bool:
    """Check one line; return whether it is valid."""
    parsed = agreed(GAMES[name].parse_observation, REFERENCES[name].parse_observation, line)
    if parsed is None:
        return False
    game, observation = parsed
    assert game.text(observation) == line
    assert read_as_view(GAMES[name], line, "observation")[1] == observation
    observer = game.observer_of(observation)
    assert observer is not None
    state = game.determinized(observation, PCG64(rng.randrange(1000)))
    assert type(game).parse_position(game.text(state))[1] == state
    assert game.observed(state, observer) == observation
    check_play(game, state, rng)
    return True


@pytest.mark.fuzz
@pytest.mark.parametrize("name", GAMES)
def test_engine_and_reference_agree_which_damaged_positions_are_valid(name: str) -> None:
    rng = random.Random(name)
    lines = valid_lines(name)[0]
    number = NUM_LINES // FACTS[name].mutation_cost
    valid = sum(check_position(name, mutated(name, lines, rng), rng) for _ in range(number))
    assert 0 < valid < number


@pytest.mark.fuzz
@pytest.mark.parametrize("name", GAMES)
def test_engine_and_reference_agree_which_damaged_observations_are_valid(name: str) -> None:
    rng = random.Random(name)
    lines = valid_lines(name)[1]
    number = NUM_LINES // FACTS[name].mutation_cost
    valid = sum(check_observation(name, mutated(name, lines, rng), rng) for _ in range(number))
    assert 0 < valid < number


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_undamaged_lines_are_valid_for_both(variant: Variant) -> None:
    positions, observations = valid_lines(variant.name)
    rng = random.Random(1)
    assert all(check_position(variant.name, line, rng) for line in rng.sample(positions, 30))
    assert all(check_observation(variant.name, line, rng) for line in rng.sample(observations, 30))


@pytest.mark.parametrize("name", GAMES)
def test_damaged_moves_are_refused_or_round_trip(name: str) -> None:
    game = GAMES[name]()
    rng = random.Random(name)
    steps = steps_of(next(variant for variant in VARIANTS if variant.name == name))
    tokens = [game.move_text(step.move) for step in steps if step.move is not None]
    for token in [mutated(name, tokens, rng) for _ in range(NUM_LINES // 5)]:
        with suppress(InputError):
            assert game.move_text(game.parse_move(token)) == token
