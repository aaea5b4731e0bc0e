"""The results of players over many games, adjusted for luck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from .adjust import FOLDS, Adjusted, adjusted, choices_of_game, luck_of_game
from .games import PlayedGame

LEAST_DEALS = 100
"""Deals from which on values are learned; the results of fewer say too little."""
Array = NDArray[np.float64]


@dataclass
class _Player:
    """What is known of a player, by deal.

    Attributes:
        results: of each of its games.
        variates: of each of its games, as known to each fold, `[num_variates, FOLDS]`.
    """

    results: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    variates: defaultdict[str, list[Array]] = field(default_factory=lambda: defaultdict(list))


def adjusted_players(
    games: Iterable[PlayedGame], effort: str, seed: int, engine: str = "", *, choices: bool = False
) -> dict[str, Adjusted]:
    """Return the mean result of each player, as it is and adjusted for luck.

    Games with one deal depend on each other, so they count as one. With `LEAST_DEALS` or more, if
    all games have the same rules, and these have features, values are learned as well.

    Args:
        games: that were played.
        effort: name in `EFFORTS`.
        seed: of the first game; those of the others follow.
        engine: that searches; empty: the default of the game.
        choices: whether to adjust for the bots' own choices as well.

    Raises:
        InputError: a player has fewer than two deals, or bots can't be asked again.
    """
    kept: list[PlayedGame] = []
    variates: list[Array] = []  # of each game, `[num_variates, FOLDS, num_seats]`
    for number, game in enumerate(games):
        kept.append(game)
        lucks = [luck_of_game(game, effort, seed + number, engine)]
        if choices:
            lucks.append(choices_of_game(game, effort, seed + number, engine))
        variates.append(np.repeat(np.array(lucks)[:, np.newaxis], FOLDS, axis=1))
    deals = [game.group or f"game {number}" for number, game in enumerate(kept)]
    places = {deal: place for place, deal in enumerate(dict.fromkeys(deals))}
    fold_of = {deal: place % FOLDS for deal, place in places.items()}
    if len(places) >= LEAST_DEALS and _can_learn(kept):
        # Imported only here, as it needs what is installed for ladders and training.
        from .learned import learned_luck

        found = learned_luck(kept, [fold_of[deal] for deal in deals], seed)
        variates = [
            np.concatenate([each, luck[np.newaxis]])
            for each, luck in zip(variates, found, strict=True)
        ]
    players: defaultdict[str, _Player] = defaultdict(_Player)
    for game, deal, known in zip(kept, deals, variates, strict=True):
        for seat, name in enumerate(game.names or ("p1",)):
            players[name].results[deal].append(game.returns[seat])
            players[name].variates[deal].append(known[:, :, seat])
    return {name: _adjusted(player, fold_of) for name, player in players.items()}


def _adjusted(player: _Player, fold_of: Mapping[str, int]) -> Adjusted:
    variates = np.array([np.mean(known, axis=0) for known in player.variates.values()])
    return adjusted(
        [mean(results) for results in player.results.values()],
        *(variates[:, kind] for kind in range(variates.shape[1])),
        folds=[fold_of[deal] for deal in player.results],
    )


def _can_learn(games: Sequence[PlayedGame]) -> bool:
    rules = games[0].start.game
    return rules.num_features > 0 and all(
        game.start.game.name == rules.name and game.start.game.options == rules.options
        for game in games
    )
