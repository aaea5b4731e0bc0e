"""Random games with a record of what a seat has seen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

import numpy as np

from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.record import Record, Seen, seen_so_far

KUHN = "kuhn p1=? p2=q bets=b node=play:p2 @p2"
DEAL = (Seen(1, "deal:?"), Seen(2, "deal:q"))
GAMES = [
    ("kuhn_poker", {}),
    ("leduc_poker", {}),
    ("goofspiel", {}),
    ("knights_duty", {}),
    ("hearts", {}),
    ("hearts", {"pass": "none"}),
    ("code_of_chivalry", {"players": "2"}),
    ("code_of_chivalry", {"players": "4"}),
    ("code_of_chivalry", {"players": "3", "monks": "4", "auto_pass": "private"}),
]


def random_decisions(
    name: str, options: dict[str, str], seed: int, longest: int = 400
) -> Iterator[tuple[Position, list[str]]]:
    """Play a random game, and yield each decision with the tokens that led to it."""
    stream = np.random.Generator(np.random.SFC64(seed))
    position = new_game(name, options)
    tokens: list[str] = []
    while not position.is_terminal and len(tokens) < longest:
        if position.is_chance:
            token = position.sample_outcome(stream.bit_generator)
        else:
            yield position, tokens
            game = position.game
            token = game.move_text(game.policy_move(position.state, stream.bit_generator))
        tokens = [*tokens, token]
        position = position.apply(token)


def recorded(position: Position, tokens: list[str], seat: int) -> Observation:
    start = new_game(position.game.name, position.game.options)
    record = Record(seen_so_far(start, tokens, seat), position.game.options)
    return position.observe(seat).with_record(record)


def arbitrary_policy(start: Position) -> Callable[[bytes, int], dict[int, float]]:
    """A policy that depends on all that a seat sees, and on nothing else."""
    game = start.game

    def choose(state: bytes, seat: int) -> dict[int, float]:
        line = game.text(game.observed(state, seat))
        moves = game.moves_of(state)
        digests = [hashlib.blake2b(f"{line} {move}".encode()).digest()[0] for move in moves]
        return {
            move: (1 + part) / sum(1 + each for each in digests)
            for move, part in zip(moves, digests, strict=True)
        }

    return choose
