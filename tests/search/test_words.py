"""Counts in words."""

from kingmaker.search.words import counted


def test_one_is_singular_and_all_else_plural() -> None:
    assert counted(1, "node") == "1 node"
    assert counted(0, "node") == "0 nodes"
    assert counted(2, "history", "histories") == "2 histories"
    assert counted(1, "history", "histories") == "1 history"
