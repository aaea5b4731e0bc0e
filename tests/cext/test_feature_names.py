"""Tables of the names of features."""

from __future__ import annotations

import pytest

from kingmaker.cext.feature_names import joined, levels, placed

HAND = (0, levels("hand: {} or more", range(1, 3)))


def test_blocks_are_joined_in_the_order_of_their_indices() -> None:
    names = joined([HAND, *placed([(0, ["dragon"]), (1, ["knight"])], "rival: ", 2)], 4)
    assert names == ["hand: 1 or more", "hand: 2 or more", "rival: dragon", "rival: knight"]


def test_a_block_that_begins_at_another_index_is_refused() -> None:
    with pytest.raises(ValueError, match="dragon is at 3; the names before fill 2"):
        joined([HAND, (3, ["dragon"])], 4)


def test_features_without_a_name_are_refused() -> None:
    with pytest.raises(ValueError, match="the end is at 3; the names before fill 2"):
        joined([HAND], 3)
