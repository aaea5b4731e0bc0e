"""Random numbers for the kernels; see rng.pxd."""

class Seed:
    """The seed of a search: as a `numpy.random.SeedSequence`, made in a tenth of the time.

    Args:
        number: 0 to 2**64 - 1.
        places: 0 to 2**32 - 1, which tell seeds with the same number apart: its `spawn_key`.
    """

    def __init__(self, number: int, *places: int) -> None: ...
    def word(self) -> int:
        """Return 32 bits, of which the first stream is made too."""
    def drawn(self, number: int, length: int) -> list[list[tuple[int, int, float, int]]]:
        """Draw from its first streams, to compare them with numpy's.

        Each row of a stream is of 32 bits, 64 bits, a number in [0, 1) and 32 bits.
        """
