from .analysis import Bound

class Searcher:
    simulations: int
    depth: int
    observer: int
    def run(self, max_simulations: int, deadline_ns: int) -> int: ...
    def cancel(self) -> None: ...
    def believe(self, worlds: list[bytes]) -> None:
        """Draw each simulation's world from these, not from all that fit the observation.

        Of the searches only those of `ismcts` heed it, where they choose by UCB.

        Args:
            worlds: full states that fit it, one at least; a likelier one stands there more often.
        """
    @property
    def bound(self) -> Bound | None: ...
    def best_worlds(self) -> dict[int, int]: ...
    def root_policy(self) -> dict[int, float] | None: ...
