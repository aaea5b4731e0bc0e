"""A Knight's Duty where many Knights stand close together, and what holds in every game.

Test names and docstrings cite docs/rules/knights_duty.md.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.cext.knights_duty_play import at, distance, is_accepted, space_of, spaces
from tests.cext.notations import tokens_of
from tests.random_play import TERMINAL, Variant, play, seats_of, varied
from tests.reference import REFERENCES
from tests.test_differential import differences, inconsistent

NUM_CROWDS = int(os.environ.get("KINGMAKER_FUZZ_GAMES", "100"))
KINDS = "SPBHYME"
SUPPLY = Counter("SSPPBBHHYYMMMEEE")


def crowd(seed: int) -> str:
    """A line with Knights that stand close together, some of whom are about to move.

    In games from the corners of an arena they rarely contest a space or share a target.
    """
    rng = random.Random(seed)
    arena = rng.choice(["hex", "hex", "square"])
    num_seats = rng.randint(2, 4 if arena == "square" else 6)
    options = {
        "arena=square": arena == "square",
        "radius=3": rng.random() < 0.3,
        "agreements=off": rng.random() < 0.2,
        "swap=block": rng.random() < 0.3,
        "inspire=open": rng.random() < 0.3,
    }
    tag = ";".join(["kd", *(option for option, is_set in options.items() if is_set)])
    slot = rng.choice([1, 1, 2, 3])
    cells = rng.sample(spaces(arena, rng.choice([1, 1, 1, 2])), num_seats)
    knights = [f"{q},{r}/{knight(rng, slot)}" for q, r in cells]
    for seat in rng.sample(range(num_seats), rng.choice([0, 0, 0, num_seats - 2])):
        knights[seat] = "out"
    movers = [i for i, each in enumerate(knights, 1) if each != "out" and each[slot - 4] == "M"]
    if not movers:
        return crowd(seed + 1_000_000)
    return f"{tag} t{rng.randint(1, 60)} {slot}.step p{movers[0]} {';'.join(knights)} -"


def knight(rng: random.Random, slot: int) -> str:
    """Heart, weapon, Inspiration and tracker of a Knight."""
    weapon = rng.choice("nSPBSPB")
    wanted = rng.choices(["M", weapon.replace("n", "S"), rng.choice(KINDS)], [4, 5, 1], k=3)
    heart = rng.choice("FFB")
    tracker = "".join(wanted[:2]) + ("x" if heart == "B" else wanted[2])
    if Counter(tracker.replace("x", "")) - SUPPLY:
        return knight(rng, slot)
    return f"{heart}/{weapon}/{rng.choice('ud')}/{tracker}"


def crowded_turn(line: str, seed: int) -> Iterator[tuple[Game, bytes, Any]]:
    """Play a turn at random; yields each state with that of the reference."""
    game, state = at(line)
    reference: Any = REFERENCES["knights_duty"].parse(line)
    rng = random.Random(seed)
    turn = game.view(state)["turn"]
    while True:
        yield game, state, reference
        if game.node_of(state) == TERMINAL or game.view(state)["turn"] > turn:
            return
        token = contentious(game, state, rng)
        state = game.after(state, game.parse_move(token))
        reference = reference.apply(token)


def contentious(game: Game, state: bytes, rng: random.Random) -> str:
    """A move or outcome; half of the time one that others want too."""
    tokens = tokens_of(game, state)
    words = [game.describe_move(state, game.parse_move(token)) for token in tokens]
    wanted = [t for t, said in zip(tokens, words, strict=True) if "to 0,0" in said]
    if tokens[0].startswith("target:"):
        wanted = tokens[:1]
    return rng.choice(wanted if wanted and rng.random() < 0.5 else tokens)


@pytest.mark.fuzz
def test_crowded_turns_agree_with_the_reference() -> None:
    stages: Counter[str] = Counter()
    for seed in range(NUM_CROWDS):
        line = crowd(seed)
        for ply, (game, state, reference) in enumerate(crowded_turn(line, seed)):
            stages[game.view(state)["node"]["type"]] += 1
            found = differences(game, state, reference)
            if ply % 4 == 0:
                found += inconsistent(game, state, reference, seed)
            assert not found, f"seed {seed}: {line}\n{found}"
    assert min(stages[stage] for stage in ("claim", "order", "inspire")) > NUM_CROWDS / 10


def damaged(line: str, rng: random.Random) -> str:
    """Change a capital letter, an item of the last field, the slot or the actor."""
    fields = line.split(" ")
    kind = rng.randrange(5)
    if kind < 2:
        letters = [i for i, letter in enumerate(fields[4]) if letter.isupper()]
        at_letter = rng.choice(letters or [0])
        letter = rng.choice(KINDS + "FXnx.")
        fields[4] = fields[4][:at_letter] + letter + fields[4][at_letter + 1 :]
    elif kind == 2:
        items = fields[5].split(";")
        items[rng.randrange(len(items))] = rng.choice(ITEMS)
        fields[5] = ";".join(items)
    elif kind == 3:
        fields[5] = rng.choice([fields[5] + ";" + rng.choice(ITEMS), *fields[5].split(";")])
    else:
        fields[3] = f"p{rng.randint(1, 6)}"
    return " ".join(fields)


ITEMS = [
    *("m1=e", "m2=w", "m3=stay", "c1=y", "c2=n", "a1", "a2=1", "a3=n", "o1=f", "o2=w"),
    *("q1>2", "q2>1", "q3>2", "w1", "w3", "ia=y", "ia=n", "id=y", "-"),
]
"""Of the last field of a line (R13.3)."""


@pytest.mark.fuzz
def test_engine_and_reference_agree_which_damaged_crowds_are_valid() -> None:
    """R13.6 (c) to (g): damage that leaves every field well-formed."""
    rng = random.Random(1)
    verdicts: Counter[bool] = Counter()
    for seed in range(NUM_CROWDS):
        for game, state, _ in crowded_turn(crowd(seed), seed):
            if game.node_of(state) == TERMINAL:
                continue
            line = damaged(game.text(state), rng)
            is_valid = {
                "engine": is_accepted(GAMES["knights_duty"].parse_position, line, InputError),
                "reference": is_accepted(REFERENCES["knights_duty"].parse, line, ValueError),
            }
            assert len(set(is_valid.values())) == 1, f"{line}\n{is_valid}"
            verdicts[is_valid["engine"]] += 1
    assert min(verdicts.values()) > NUM_CROWDS


WORTH = {"full": 3, "broken": 2, "defeated": 1, "out": 0}


def check_step(game: Game, before: dict[str, Any], later: dict[str, Any]) -> None:
    """What no move and no outcome can do."""
    assert (later["turn"], later["slot"]) >= (before["turn"], before["slot"])
    stands = [space_of(player) for player in later["players"] if "space" in player]
    assert len(set(stands)) == len(stands)
    for old, now in zip(before["players"], later["players"], strict=True):
        assert WORTH[old["heart"]] - 1 <= WORTH[now["heart"]] <= WORTH[old["heart"]] or (
            now["heart"] == "out"
        )
        if now["inspiration_up"] and not old["inspiration_up"]:
            assert now["space"] == {"q": 0, "r": 0}  # R10.2
        if "space" in old and "space" in now:
            assert distance(str(game.options["arena"]), space_of(old), space_of(now)) <= 1


@pytest.mark.parametrize("players", [2, 4, 6])
def test_hearts_never_mend_and_inspiration_is_recovered_on_the_high_ground_alone(
    players: int,
) -> None:
    """R10.2, R2.7, R9.8."""
    for seed in range(12):
        game = varied(Variant("knights_duty", {"players": str(players)}), seed).new()
        views = [game.view(state) for state, _ in play(game, seed)]
        for before, later in pairwise(views):
            check_step(game, before, later)
        assert views[-1]["node"] == {"type": "end", "seat": 0}
        assert (views[-1]["turn"], views[-1]["slot"]) <= (int(game.options["turn_limit"]), 3)


def test_equal_states_have_equal_bytes_however_they_came_about() -> None:
    """Unused bytes are 0: a state read from its line is that of the game."""
    for seed in range(NUM_CROWDS // 4):
        for game, state, _ in crowded_turn(crowd(seed), seed):
            assert at(game.text(state))[1] == state
            for seat in seats_of(game):
                observation = game.observed(state, seat)
                parsed = GAMES["knights_duty"].parse_observation(game.text(observation))
                assert parsed[1] == observation
