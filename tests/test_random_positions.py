"""Engine and reference model agree in play from random positions, most of which no game reaches.

The generators of `tests/reference/*_positions.py` favour what random games seldom have: rare nodes,
marks and options, nearly empty decks, the last turns. A line need not be valid, but both must agree
on that, and on the same lines damaged. By default 10 positions per game, and 100 damaged ones; the
environment variable KINGMAKER_FUZZ_GAMES sets the number of positions.
"""

from __future__ import annotations

import os
import random

import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.facts import FACTS
from tests.random_play import CHANCE, TERMINAL, seats_of
from tests.reference import REFERENCES, RuleModel
from tests.test_differential import differences, inconsistent
from tests.test_mutations import agreed, check_position, mutated

NUM_POSITIONS = int(os.environ.get("KINGMAKER_FUZZ_GAMES", "10"))
PLIES = 25
NAMES = [name for name, facts in FACTS.items() if facts.random_position]


def start(name: str, rng: random.Random) -> tuple[Game, bytes, RuleModel]:
    """Draw lines until one is valid."""
    generate = FACTS[name].random_position
    assert generate is not None
    while True:
        line = generate(rng)
        parsed = agreed(GAMES[name].parse_position, REFERENCES[name].parse, line)
        if parsed:
            return *parsed, REFERENCES[name].parse(line)


def check_observations(game: Game, state: bytes, reference: RuleModel, seed: int) -> str:
    """Check what the seats see; say which determinization the reference finds inconsistent."""
    parse, plain_parse = type(game).parse_observation, type(reference).parse_observation
    for seat in seats_of(game):
        seen = game.observed(state, seat)
        parsed = agreed(parse, plain_parse, game.text(seen))
        assert parsed is not None, f"refused: {game.text(seen)}"
        assert parsed[1] == seen
    return inconsistent(game, state, reference, seed)


def chosen_token(game: Game, state: bytes, reference: RuleModel, rng: random.Random) -> str:
    if game.node_of(state) == CHANCE:
        outcomes, probabilities = zip(*game.outcomes_of(state), strict=True)
        return game.move_text(rng.choices(outcomes, probabilities)[0])
    return FACTS[game.name].random_token(reference, rng)


def first_difference(name: str, seed: int) -> str:
    """Play some plies from a random position through both; report the first difference."""
    rng = random.Random(seed)
    game, state, reference = start(name, rng)
    line, tokens = reference.text(), list[str]()
    for ply in range(PLIES):
        found = differences(game, state, reference)
        if ply % 8 == 0:
            found += check_observations(game, state, reference, seed + ply)
        if type(game).parse_position(game.text(state))[1] != state:
            found += "a line does not give its state back"
        if found:
            return f"seed {seed}\ngiven {line}\ndo {' '.join(tokens)}\n{found}"
        if game.node_of(state) == TERMINAL:
            break
        tokens.append(chosen_token(game, state, reference, rng))
        state = game.after(state, game.parse_move(tokens[-1]))
        reference = reference.apply(tokens[-1])
    return ""


@pytest.mark.fuzz
@pytest.mark.parametrize("name", NAMES)
def test_engine_and_reference_agree_from_random_positions(name: str) -> None:
    for seed in range(NUM_POSITIONS):
        found = first_difference(name, seed)
        assert not found, found


@pytest.mark.fuzz
@pytest.mark.parametrize("name", NAMES)
def test_engine_and_reference_agree_which_damaged_random_positions_are_valid(name: str) -> None:
    rng = random.Random(name)
    generate = FACTS[name].random_position
    assert generate is not None
    lines = [generate(rng) for _ in range(2 * NUM_POSITIONS)]
    for _ in range(10 * NUM_POSITIONS):
        check_position(name, mutated(name, lines, rng), rng)
