"""Random games from fixed seeds, for the tests that run over every game."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from numpy.random import PCG64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.playthroughs.regenerate import options_of
from tests.reference.chessault_board import FIELDS

CHANCE, TERMINAL, SPECTATOR = -1, -2, -1
NODE = re.compile(r"[a-z]+")

POLICY_SHARES = (0.0, 1.0, 0.5)
"""Part of the decisions that the playout policy makes, the others being uniform; by seed.

Uniform games are long and wander, games of the policy attack and end.
"""


class Variant(NamedTuple):
    """A game with options."""

    name: str
    options: dict[str, str]

    def __str__(self) -> str:
        return "-".join([self.name, *self.options.values()])

    def new(self) -> Game:
        return GAMES[self.name](**self.options)


class Step(NamedTuple):
    """A state and the move or outcome that came next; None at the end."""

    state: bytes
    move: int | None


VARIANTS = [Variant(name, options) for name in GAMES for options in options_of(name)]
"""Every game with every number of seats, arena and supply."""


def varied(variant: Variant, seed: int) -> Variant:
    """Vary the options of a game; those that the variant names stay, such as its seats."""
    vary = VARIED.get(variant.name)
    return Variant(variant.name, vary(variant.options, seed)) if vary else variant


def varied_goofspiel(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary the number of cards and the order of the prizes; every sixth game is the default one."""
    rng = random.Random(seed)
    if seed % 6 == 0:
        return options
    return {
        "cards": str(rng.choice([4, 4, 5, 6, 8, 13])),
        "order": rng.choice(["random", "ascending", "descending"]),
    }


def varied_hearts(options: dict[str, str], seed: int) -> dict[str, str]:
    """Fix the direction of the pass in five of eight games."""
    passes = ["random", "none", "random", "left", "random", "across", "right", "left"]
    return {"pass": passes[seed % 8]}


def varied_kingdom_coinquest(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary all options but the number of seats.

    Every tenth game may last 600 turns, so that there are some with several reshuffles; the
    others are cut shorter, since the first turns differ most.
    """
    rng = random.Random(seed)
    players = int(options["players"])
    kings = "".join(rng.sample("hsdc", players))
    return {
        "players": str(players),
        "kings": rng.choice(["random", kings]),
        "health": str(rng.choice([1, 5, 20, 20, 99])),
        "turn_limit": "600" if seed % 10 == 0 else str(rng.choice([1, 30, 60, 120])),
        "ace_strike": str(rng.randrange(2)),
    }


def varied_code_of_chivalry(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary all options but the number of seats; every eighth game is the default one.

    A low turn limit cuts some games short, since the first turns differ most.
    """
    if seed % 8 == 0:
        return options
    rng = random.Random(seed)
    players = int(options["players"])
    others = {
        "first_player": f"p{rng.randint(1, players)}",
        "minstrels": str(rng.randrange(5)),
        "monks": str(rng.randrange(5)),
        "deck": rng.choice(["base", "stretch", "stretch"]),
        "reshuffle_step": str(rng.randrange(4)),
        "turn_limit": str(rng.choice([1, 20, 60, 300])),
        "auto_pass": rng.choice(["public", "off", "private"]),
    }
    varied = {key: value for key, value in others.items() if rng.random() < 0.6}
    return options | varied | varied_gems(players, rng)


def varied_gems(players: int, rng: random.Random) -> dict[str, str]:
    """Draw how many gems there are and how many win, in five of eight games."""
    if rng.random() < 0.375:
        return {"two_player": rng.choice(["published", "plain"])}
    start = rng.randint(1, 30 // players)
    target = rng.randint(start + 1, players * start)
    floor = rng.randint(1, target)
    return {"start_gems": str(start), "target_gems": str(target), "target_floor": str(floor)}


def varied_knights_duty(options: dict[str, str], seed: int) -> dict[str, str]:
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


def varied_chessault(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary the supply, if it is left open, and the limit of turns; every sixth game has defaults.

    A low limit cuts some games short, since the first turns differ most; a game takes 30 to 90.
    """
    if seed % 6 == 0:
        return options
    rng = random.Random(seed)
    limits = [rng.randint(1, 12), rng.randint(13, 60), 150, 400, 400, 400]
    others = {"supply": rng.choice(["standard", "double"]), "max_turns": str(rng.choice(limits))}
    return others | options


VARIED: dict[str, Callable[[dict[str, str], int], dict[str, str]]] = {
    "chessault": varied_chessault,
    "code_of_chivalry": varied_code_of_chivalry,
    "goofspiel": varied_goofspiel,
    "hearts": varied_hearts,
    "kingdom_coinquest": varied_kingdom_coinquest,
    "knights_duty": varied_knights_duty,
}
"""How the options of a game may be changed, by a seed; the other games have none."""


def eager_chessault(game: Game, state: bytes) -> list[int]:
    """Return moves of the foremost pawns, or that use or gain an ability; all if there are none."""
    view, moves = game.view(state), game.moves_of(state)
    figures = {figure["square"]: figure for figure in view["figures"]}
    pawns: dict[int, list[int]] = {}
    able = []
    for move in moves:
        told = game.move_view(move)
        if told["verb"] in ("explode", "convert", "keep", "king"):
            able.append(move)
        elif told["verb"] == "move" and figures[told["source"]]["type"] == "pawn":
            row = int(told["target"][1])
            pawns.setdefault(row if view["active"] == 1 else 9 - row, []).append(move)
        elif told["verb"] == "move" and told["target"] in FIELDS:
            able.append(move)
    return pawns[max(pawns)] if pawns else able or moves


def eager_knights_duty(game: Game, state: bytes) -> list[int]:
    """Return moves that make Knights meet: movement tokens, steps inwards, one target of all."""
    moves = game.moves_of(state)
    tokens = [game.move_text(move) for move in moves]
    if tokens[0].startswith("step:"):
        return [min(moves, key=lambda move: from_high_ground(game, state, move))]
    if tokens[0].startswith("target:"):
        return moves[:1]
    return [moves[tokens.index("place:move")]] if "place:move" in tokens else moves


def from_high_ground(game: Game, state: bytes, step: int) -> int:
    """Return how far from 0,0 the space is that a step is for."""
    words = re.findall(r"-?\d+", game.describe_move(state, step))
    return max(abs(int(words[0])), abs(int(words[1])), abs(int(words[0]) + int(words[1])))


EAGER: dict[str, Callable[[Game, bytes], list[int]]] = {
    "chessault": eager_chessault,
    "knights_duty": eager_knights_duty,
}
"""Moves that lead to what a game by chance alone or by the policy seldom has."""
EAGER_SHARE = 0.7


def play(game: Game, seed: int) -> Iterator[Step]:
    """Play a random game, step by step to its end; every second one has more of `EAGER` moves."""
    rng = random.Random(seed)
    stream = PCG64(seed)
    policy_share = POLICY_SHARES[seed % 3]
    eager = EAGER.get(game.name) if seed % 2 else None
    state = game.start_state()
    while (node := game.node_of(state)) != TERMINAL:
        if node == CHANCE:
            move = game.sample(state, stream)
        elif rng.random() < policy_share:
            move = game.policy_move(state, stream)
        elif eager and rng.random() < EAGER_SHARE:
            move = rng.choice(eager(game, state))
        else:
            move = rng.choice(game.moves_of(state))
        yield Step(state, move)
        state = game.after(state, move)
    yield Step(state, None)


@cache
def sampled_steps(name: str, options: tuple[tuple[str, str], ...], most: int) -> list[Step]:
    """Return steps from several random games, drawn at random if there are many, and the ends."""
    game = GAMES[name](**dict(options))
    games = [list(play(game, seed)) for seed in range(12)]
    steps = [step for steps in games for step in steps[:-1]]
    # Not every k-th: where rounds are of k plies that would be the same node of each.
    drawn = random.Random(0).sample(range(len(steps)), min(most, len(steps)))
    return [steps[index] for index in sorted(drawn)] + [steps[-1] for steps in games]


def steps_of(variant: Variant, most: int = 300) -> list[Step]:
    """Return about `most` steps from several random games, with the ends of all of them."""
    return sampled_steps(variant.name, tuple(variant.options.items()), most)


def phase_of(game: Game, state: bytes) -> str:
    """Return the kind of node, without the seat."""
    view = game.view(state)
    node = view["node"] if "node" in view else view["stage"]
    match = NODE.match(node if isinstance(node, str) else node["type"])
    assert match is not None
    return match[0]


def by_phase(game: Game, steps: Iterable[Step]) -> dict[str, list[Step]]:
    """Sort steps by the kind of node that they stand at."""
    phases: dict[str, list[Step]] = {}
    for step in steps:
        phases.setdefault(phase_of(game, step.state), []).append(step)
    return phases


def seats_of(game: Game) -> list[int]:
    """Every seat and the spectator."""
    return [*range(game.num_seats), SPECTATOR]
