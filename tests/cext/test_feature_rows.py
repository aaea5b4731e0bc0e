"""Rows of the tables of features: their names, and how many features hold by the number."""

from __future__ import annotations

from kingmaker.cext.feature_rows import Row, at_least, at_most, each, prefixed


def held(row: Row, number: int) -> list[str]:
    """The names of the features of a thermometer that hold for a number."""
    place = min(max(number - row.least, 0), len(row.num_held) - 1)
    return row.names[: row.num_held[place]]


def test_numbers_beyond_the_levels_count_as_the_last_ones() -> None:
    row = at_least("hand: {} or more", 1, 3)
    assert [len(held(row, number)) for number in (-2, 0, 1, 2, 3, 9)] == [0, 0, 1, 1, 2, 2]
    assert held(row, 9) == ["hand: 1 or more", "hand: 3 or more"]


def test_more_features_hold_the_smaller_a_number_of_descending_levels_is() -> None:
    row = at_most("pile: {} or fewer", 4, 1)
    assert [len(held(row, number)) for number in (-1, 1, 2, 4, 5, 9)] == [2, 2, 1, 1, 0, 0]
    assert held(row, 3) == ["pile: 4 or fewer"]


def test_levels_in_units_keep_their_names() -> None:
    row = at_least("{} hundredths or more", 5, 150, unit=5)
    assert row.names == ["5 hundredths or more", "150 hundredths or more"]
    assert [len(held(row, hundredths // 5)) for hundredths in (4, 5, 149, 150)] == [0, 1, 1, 2]


def test_rows_of_a_seat_have_its_name_and_numbers() -> None:
    rows = prefixed("rival 1", {0: each("{}", ("living",)), 1: at_least("{} gems", 2)}, 10)
    assert [(number, row.names) for number, row in rows.items()] == [
        (10, ["rival 1: living"]),
        (11, ["rival 1: 2 gems"]),
    ]
    assert rows[11].num_held == at_least("", 2).num_held
