"""Tables of the names of features, which are checked against the indices that the rules write."""

from collections.abc import Iterable

Block = tuple[int, list[str]]  # the index of its first feature, and the names of all


def levels(text: str, values: Iterable[int | str]) -> list[str]:
    """Name a thermometer, or one of several: `text` with each value in the place of `{}`."""
    return [text.format(value) for value in values]


def placed(blocks: Iterable[Block], prefix: str, base: int) -> list[Block]:
    """Move blocks behind `base` and begin their names with a prefix."""
    return [(base + first, [prefix + name for name in names]) for first, names in blocks]


def joined(blocks: Iterable[Block], size: int) -> list[str]:
    """Join the names of blocks.

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
