"""What the bots of matches ask of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.levels import LevelSearch
from kingmaker.search.position import Observation

from ..pool.pace import Kind, kind_of
from ..pool.slices import Effort


@dataclass(frozen=True, slots=True)
class BotMove:
    """Choose a bot's move.

    Attributes:
        observation: of the bot's seat.
        budget: limits of the search.
        level: playing strength.
        engine: its name; empty: the default of the game.
        seed: of the search.
        options: of the engine.
    """

    observation: Observation
    budget: Budget
    level: int
    engine: str
    seed: int
    options: Mapping[str, str]

    @property
    def game_name(self) -> str:
        """Name of the game."""
        return self.observation.game.name

    @property
    def kind(self) -> Kind | None:
        """What jobs that take about as long have in common; None: it is not short."""
        game, simulations = self.observation.game, self.budget.simulations
        return kind_of(type(self).__name__, game, simulations, 1, self.engine, self.options)

    def begin(self) -> LevelSearch:
        """Create the search."""
        return LevelSearch(
            self.observation,
            self.budget,
            level=self.level,
            engine=self.engine,
            seed=self.seed,
            options=self.options,
        )

    def answer(self, search: LevelSearch, found: Analysis) -> str:
        """Return the token of the level's move."""
        return search.choose(found)

    def effort(self, found: Analysis) -> Effort:
        """Return what the search has spent."""
        return Effort(found.engine, found.simulations, found.num_nodes, found.depth, found.seconds)
