"""Chance outcomes as a function of a seed and the position at which they are drawn.

Nothing else decides them: not the program's earlier draws, its version of Python, or the machine.
So a game with one seed is the same whether its moves are applied at once or one by one, and a
caller without a stream of its own, such as a client of the service, may pass the same seed each
time. Whoever knows the seed knows the outcomes to come.
"""

from __future__ import annotations

import hashlib
from collections import Counter

from kingmaker.cext.contract import check_outcomes
from kingmaker.cext.errors import check_integer

from .position import Position

MAX_SEED = 2**63 - 1


def settle_by_seed(position: Position, seed: int) -> tuple[Position, list[str]]:
    """Draw chance outcomes until a seat decides or the game is over; returns them too.

    Args:
        position: where to begin; not necessarily a chance node.
        seed: the same seed and position give the same outcomes. Outcomes at different positions
            are independent.
    """
    drawn: list[str] = []
    visits: Counter[str] = Counter()  # a game may draw until it succeeds, at one position
    while position.is_chance:
        game, text = position.game, position.text
        check_outcomes(game, len(drawn))
        outcome = game.outcome_at(position.state, uniform("outcome", seed, text, visits[text]))
        visits[text] += 1
        drawn.append(game.move_text(outcome))
        position = Position(game, game.after(position.state, outcome))
    return position, drawn


def uniform(*key: object) -> float:
    """Return a pseudorandom number in [0, 1), to 53 bits, as a function of `key`."""
    return (digest(*key) >> 10) / 2**53


def digest(*key: object) -> int:
    """Return 63 pseudorandom bits as a function of `key`, the same on every machine."""
    text = "\n".join(map(str, key)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) >> 1


def check_seed(seed: int) -> None:
    """Check a seed.

    Raises:
        InputError: it is out of range.
        TypeError: it is no number.
    """
    check_integer("seed", seed, 0, MAX_SEED)
