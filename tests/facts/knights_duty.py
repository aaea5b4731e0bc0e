"""Facts of A Knight's Duty for the tests that run over every game."""

from __future__ import annotations

import random
import re

from kingmaker.cext.game import Game
from tests.facts.facts import SEATS, Facts
from tests.reference.knights_duty_positions import random_position


def vary(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary all options but the number of seats and the arena; every eighth game has the default.

    A low turn limit cuts most games short, since the first turns differ most. Most arenas are
    small, so that Knights contest spaces and share targets.
    """
    if seed % 8 == 0:
        return options
    rng = random.Random(seed)
    others = {
        "clans": "choose",
        "empty_slots": "off",
        "agreements": rng.choice(["on", "off"]),
        "swap": "block",
        "inspire": "open",
    }
    varied = {key: value for key, value in others.items() if rng.random() < 0.4}
    radius = rng.choice([3, 3, 3, 4, 5, 6])
    turn_limit = rng.choice([1, 3, 6, 12, 12, 12, 20, 100])
    return options | varied | {"radius": str(radius), "turn_limit": str(turn_limit)}


def eager(game: Game, state: bytes) -> list[int]:
    """Return moves that bring Knights together: movement, steps inwards, one common target."""
    moves = game.moves_of(state)
    tokens = [game.move_text(move) for move in moves]
    if tokens[0].startswith("step:"):
        return [min(moves, key=lambda move: from_high_ground(game, state, move))]
    if tokens[0].startswith("target:"):
        return moves[:1]
    return [moves[tokens.index("place:move")]] if "place:move" in tokens else moves


def from_high_ground(game: Game, state: bytes, step: int) -> int:
    """Return the distance from 0,0 of the destination of a step."""
    words = re.findall(r"-?\d+", game.describe_move(state, step))
    return max(abs(int(words[0])), abs(int(words[1])), abs(int(words[0]) + int(words[1])))


FACTS = Facts(
    # Seven kinds for each slot, but not three of the five kinds with two tokens: 338 programmes of
    # each of two players (docs/rules/knights_duty.md, R1.2, R4.5, section 19).
    node_counts=[1, 7, 7 * 7, 338, 338 * 7, 338 * 7 * 7, 338 * 338],
    more_options=({"players": "4", "arena": "square"},),
    differential_options=tuple({"players": players, "arena": "square"} for players in "23"),
    vary=vary,
    eager=eager,
    random_position=random_position,
    mutation_cost=2,
    num_random_games=4,
    is_large=True,
    chance_nodes=(
        "kd t3 1.draw chance 0,0/F/B/d/BMM;3,0/F/S/d/HMM q1>2;ia=y",
        "kd t3 1.draw chance 0,0/F/S/d/SMM;1,0/F/S/d/MMM q1>2;id=y",
    ),
    counted_worlds=(
        # R4.5, R4.6: any three tokens but three of a kind with two; then from the remaining tokens.
        ("kd t1 0.place p2 4,-4/F/n/u/???;-4,4/F/n/u/H.. - @p2", 7**3 - 5),
        ("kd;empty_slots=off t3 0.place p2 0,0/B/n/d/??x;1,0/F/n/d/... - @p2", 6 * 6),
        ("kd t2 1.step p2 -4,4/F/S/u/S??;4,-4/F/n/u/MBB - @p2", 7 * 7 - 1),
        # R6.2, R8.3: the possible hidden choices, besides the tokens.
        ("kd t2 2.step p2 -1,0/F/n/d/MM?;1,0/F/n/d/MME m1=? @p2", 7 * 7),
        ("kd t2 3.target p2 0,0/F/S/d/EES;1,0/F/S/d/EES;0,1/F/n/d/EEE a1=?;a2 @p2", 3),
        ("kd t3 2.inspire p2 0,0/F/S/u/SS?;2,0/F/P/u/PMM q1>2;ia=? @p2", 6 * 2),
        ("kd t2 3.claim p2 1,0/F/n/d/EEM;-1,0/F/n/d/EEM m1=w;m2=e;c1=? @-", 2),
    ),
    wrong_options=(
        ("arena", "square;radius=5", "R2.6"),
        ("inspire", "open p1", "R9.3"),
        ("radius", 7, "R2.1"),
    ),
    grammar=[
        (("clan:",), [f"c{corner}" for corner in range(6)]),
        (("place:",), ("sword", "spear", "bow", "shield", "parry", "move", "empty", "?")),
        (("step:",), ("stay", "ne", "e", "se", "sw", "w", "nw", "n", "s")),
        (("claim:", "inspire:"), ("yes", "no")),
        (("target:",), [*SEATS, "none", "?"]),
        (("order:",), ("first", "wait")),
        (("draw:",), ("heart", "shield")),
    ],
    least_refusals=(2200, 70),
)
