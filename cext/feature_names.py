"""Tables of the names of features, which are checked against the indices that the rules write."""

from collections.abc import Iterable


def levels(text: str, values: Iterable[int]) -> list[str]:
    """Name a thermometer: `text` with each value in the place of `{}`."""
    return [text.format(value) for value in values]


def joined(blocks: Iterable[tuple[int, list[str]]], size: int) -> list[str]:
    """Join the names of blocks, each with the index at which the compiled rules begin it.

    Raises:
        ValueError: the names disagree with an index, or with the number of all features.
    """
    names: list[str] = []
    for first, block in [*blocks, (size, [])]:
        if first != len(names):
            raise ValueError(
                f"{', '.join(block) or 'the end'} is at {first}; the names before fill {len(names)}"
            )
        names += block
    return names
