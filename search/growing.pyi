from typing import Any

import numpy as np

from kingmaker.cext.game import Game

from .mo_ismcts import MoIsmctsSearcher

class GrowingSearcher(MoIsmctsSearcher):
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
