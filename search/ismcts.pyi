from collections.abc import Container
from typing import final

from .searcher import Searcher

NUM_BATCHES: int
"""Of worlds that a record weighs: their values are summed apart, for errors."""

@final
class IsmctsSearcher(Searcher):
    def keep(self) -> None: ...
    def num_visited(self, at_least: int, /) -> int: ...
    def num_passed(self, moves: Container[int], most: int) -> list[int]: ...
    def node_counts(self, path: list[int], /) -> tuple[int, int]: ...
