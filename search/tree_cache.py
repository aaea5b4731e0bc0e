"""Trees of earlier searches, for the next decision of the same seat in the same game."""

from __future__ import annotations

from collections.abc import Sequence

from kingmaker.cext.game import Game

from .ismcts import IsmctsSearcher
from .kept_tree import take_over
from .searcher import Searcher


class TreeCache:
    """The trees of the last search of a seat in a game, and the memory that they take.

    Give it to one search after the other (`Search`, `select_move`, `choose_move`), each after the
    end of the one before. It never needs to be emptied: what does not fit is not used.

    Attributes:
        visits: that the last search began with, in all of its trees; 0: none.
    """

    def __init__(self) -> None:
        self.visits = 0
        self._game: Game | None = None
        self._config_hash = ""
        self._searchers: Sequence[Searcher] = ()

    def exchange(self, game: Game, config_hash: str, searchers: Sequence[Searcher]) -> None:
        """Begin searches with the trees of the last ones, if they fit, and keep them instead.

        Args:
            game: that is searched.
            config_hash: of the engine, its options and the number of threads.
            searchers: of the threads, which have not begun yet.

        Raises:
            RuntimeError: the last search still runs.
        """
        for new in searchers:
            if isinstance(new, IsmctsSearcher):
                new.keep()
        self.visits = 0
        if self._suits(game) and config_hash == self._config_hash:
            for new, old in zip(searchers, self._searchers, strict=True):
                if isinstance(new, IsmctsSearcher) and isinstance(old, IsmctsSearcher):
                    self.visits += take_over(new, old)
        self._game, self._config_hash, self._searchers = game, config_hash, searchers

    def _suits(self, game: Game) -> bool:
        mine = self._game
        return mine is not None and mine.name == game.name and mine.options == game.options
