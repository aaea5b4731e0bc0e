from typing import Any

import numpy as np

from kingmaker.cext.game import Game

from .analysis import Bound
from .searcher import Searcher

class ExpectimaxSearcher(Searcher):
    def __init__(
        self,
        game: Game,
        observation: bytes,
        seed: np.random.SeedSequence,
        options: dict[str, Any],
        memory_bytes: int,
    ) -> None: ...
    @property
    def num_nodes(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def bound(self) -> Bound: ...
    def root_values(self) -> tuple[int, list[float], bool]: ...
    def root_moves(self) -> list[tuple[int, int, list[float], float, bool, list[int]]]: ...
    def replies(self) -> dict[int, dict[tuple[int, int], list[float]]]: ...
