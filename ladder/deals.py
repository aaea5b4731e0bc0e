"""Mirrored deals: all games of a group have the same chance outcomes; the bots rotate.

The n-th outcome of a chance *source* (a pile, the dice of a seat; see `Game.chance_source`) is
drawn by a uniform number that depends on the deal seed, the source and n alone. So the n-th card
of a pile and the n-th roll of a seat are the same in every game of the group, whatever was played,
as long as the pile holds the same cards.

Every single game still has the exact distribution of its rules: a number is used once, what has
happened decides which one is used next, and it is independent of all that has happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kingmaker.cext.game import Game
from kingmaker.search.draws import digest, uniform

from .model import Bot, GameTask, TimeControl


class Deal:
    """The chance outcomes of one game, drawn as it proceeds.

    Args:
        deal_seed: the same for all games of a group.
    """

    def __init__(self, deal_seed: int) -> None:
        self._deal_seed = deal_seed
        self._num_drawn: Counter[str] = Counter()

    def draw(self, game: Game, state: bytes) -> int:
        """Return the next outcome of the chance node's source."""
        source = game.chance_source(state)
        point = uniform(self._deal_seed, source, self._num_drawn[source])
        self._num_drawn[source] += 1
        return game.outcome_at(state, point)


def mirrored_tasks(
    game: Game,
    options: Mapping[str, str],
    bots: Sequence[Bot],
    *,
    group: str,
    deal_seed: int,
    seed: int,
    clock: TimeControl,
    max_plies: int,
    start: str = "",
) -> list[GameTask]:
    """List the games of a group: in rotation r, seat s is held by bot s + r, counted cyclically.

    Args:
        game: name of the game.
        options: of the game, as given; the others keep their defaults.
        bots: one for each seat.
        group: id of the group.
        deal_seed: decides the chance outcomes of all its games.
        seed: decides the bots' random choices, which differ from game to game.
        clock: of every bot.
        max_plies: moves and outcomes at which a game is cut.
        start: line of the position that all its games start from; empty: the start of the game.
    """
    num_bots = len(bots)
    return [
        GameTask(
            game=game.name,
            options=tuple(sorted(options.items())),
            bots=tuple(bots[(seat + rotation) % num_bots] for seat in range(num_bots)),
            group=group,
            rotation=rotation,
            deal_seed=deal_seed,
            seed=digest("rotation", seed, rotation),
            clock=clock,
            rules_version=game.rules_version,
            max_plies=max_plies,
            start=start,
        )
        for rotation in range(num_bots)
    ]
