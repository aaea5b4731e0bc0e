"""Running ratings for the display while a ladder is being played; never for publication.

They are updated game by game and cost nothing, but they depend on the order of the games, and
their deviations are no error bars: they treat the games of a mirrored group as independent.
Published ratings come from `ratings`.

Source: Weng and Lin 2011, "A Bayesian Approximation Method for Online Ranking", as implemented in
the library openskill.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from .ratings import ELO_PER_NAT
from .results import Result


@dataclass(frozen=True, slots=True)
class LiveRating:
    """A bot in the display.

    Attributes:
        bot: its name.
        elo: about 0 for an average bot.
        deviation: the model's own uncertainty, in Elo.
        games: number played so far.
    """

    bot: str
    elo: float
    deviation: float
    games: int


class LiveRatings:
    """Ratings after the games seen so far."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._skills: dict[str, PlackettLuceRating] = {}
        self._games: defaultdict[str, int] = defaultdict(int)
        # Between bots of small deviation, a difference of sqrt(2) * beta is one nat.
        self._elo_per_unit = ELO_PER_NAT / (math.sqrt(2) * self._model.beta)

    def add(self, result: Result) -> None:
        """Update with a game; the rating of a bot on several seats moves by their mean."""
        seats = [
            [self._skills.setdefault(bot, self._model.rating(name=bot))] for bot in result.bots
        ]
        after = self._model.rate(seats, scores=list(result.returns))
        moved: defaultdict[str, list[PlackettLuceRating]] = defaultdict(list)
        for bot, (skill,) in zip(result.bots, after, strict=True):
            moved[bot].append(skill)
        for bot, skills in moved.items():
            self._games[bot] += 1
            self._skills[bot] = self._model.rating(
                mu=sum(skill.mu for skill in skills) / len(skills),
                sigma=sum(skill.sigma for skill in skills) / len(skills),
                name=bot,
            )

    def standings(self) -> list[LiveRating]:
        """Return all bots seen so far, the strongest first."""
        ratings = [
            LiveRating(
                bot,
                (skill.mu - self._model.mu) * self._elo_per_unit,
                skill.sigma * self._elo_per_unit,
                self._games[bot],
            )
            for bot, skill in self._skills.items()
        ]
        return sorted(ratings, key=lambda rating: (-rating.elo, rating.bot))
