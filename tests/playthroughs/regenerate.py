"""Write the golden playthroughs: one random game per game, number of seats, arena and supply.

Run it after an intended change of the rules or the notation, and review the diff:

    python -m tests.playthroughs.regenerate [game ...]

The files are in the language of the scenarios (docs/rules/README.md). Every ply shows the
position, what each seat and a spectator see, and the legal moves or outcomes; long games only
have their moves after `FULL_PLIES`, and then the end.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from numpy.random import PCG64

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.search.position import CHANCE, TERMINAL
from tests.facts import FACTS, games_named

FOLDER = Path(__file__).parent
FULL_PLIES = 150
MOVES_A_LINE = 8
SEED = 2


def options_of(name: str) -> list[dict[str, str]]:
    """The options of each playthrough of a game: every number of seats, arena and supply."""
    counts = FACTS[name].seats or GAMES[name].seat_counts
    by_seats = [{"players": str(players)} if len(counts) > 1 else {} for players in counts]
    return [*by_seats, *FACTS[name].more_options]


def path_of(name: str, options: dict[str, str]) -> Path:
    """The file of a playthrough, which is named for its options."""
    return FOLDER / f"{'_'.join([name, *options.values()])}.txt"


def random_moves(game: Game, seed: int) -> list[str]:
    """Play a game, half by the playout policy and half at random; return its tokens."""
    rng, stream = random.Random(seed), PCG64(seed)
    state = game.start_state()
    tokens = []
    while (node := game.node_of(state)) != TERMINAL:
        if node == CHANCE:
            move = game.sample(state, stream)
        elif rng.random() < 0.5:
            move = game.policy_move(state, stream)
        else:
            move = rng.choice(game.moves_of(state))
        tokens.append(game.move_text(move))
        state = game.after(state, move)
    return tokens


def node_lines(game: Game, state: bytes) -> Iterator[str]:
    """Describe a node: who is asked, what everybody sees, and what is possible."""
    node = game.node_of(state)
    yield f"at {game.text(state)}"
    for seat in range(game.num_seats):
        yield f"sees p{seat + 1} {game.text(game.observed(state, seat))}"
    yield f"sees - {game.text(game.observed(state, -1))}"
    if node == TERMINAL:
        shares = (Fraction(share).limit_denominator(1000) for share in game.returns_of(state))
        yield f"result {' '.join(map(str, shares))}"
    elif node == CHANCE:
        outcomes = (
            f"{game.move_text(outcome)}={Fraction(probability).limit_denominator(1000)}"
            for outcome, probability in game.outcomes_of(state)
        )
        yield f"chance {' '.join(outcomes)}"
    else:
        yield f"to p{node + 1}"
        yield f"legal {' '.join(game.move_text(move) for move in game.moves_of(state))}"


def transcript(name: str, options: dict[str, str], tokens: Sequence[str]) -> list[str]:
    """Write down a game of these moves and outcomes, line by line."""
    game = GAMES[name](**options)
    state = game.start_state()
    lines = [" ".join(["new", *(f"{key}={value}" for key, value in options.items())])]
    for ply, token in enumerate(tokens):
        if ply < FULL_PLIES:
            lines += ["", f"# ply {ply}", *node_lines(game, state), f"do {token}"]
        state = game.after(state, game.parse_move(token))
    rest = tokens[FULL_PLIES:]
    if rest:
        lines += ["", f"# plies {FULL_PLIES} to {len(tokens) - 1}"]
    for start in range(0, len(rest), MOVES_A_LINE):
        lines.append(f"do {' '.join(rest[start : start + MOVES_A_LINE])}")
    return [*lines, "", f"# ply {len(tokens)}", *node_lines(game, state)]


def main(names: Sequence[str]) -> None:
    """Write the files of these games."""
    for name in names:
        for options in options_of(name):
            path = path_of(name, options)
            tokens = random_moves(
                GAMES[name](**options), FACTS[name].playthrough_seeds.get(path.stem, SEED)
            )
            path.write_text("\n".join(transcript(name, options, tokens)) + "\n")


if __name__ == "__main__":
    main(games_named(sys.argv[1:]))
