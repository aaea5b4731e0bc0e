"""Figures as text and as the table of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingmaker.benchmarks.catalogue import ABOUT
from kingmaker.benchmarks.measure import Figure
from kingmaker.benchmarks.report import (
    BEGIN,
    END,
    ROW,
    TABLE,
    check_page,
    machine_text,
    number_text,
    update_page,
)
from kingmaker.cext.errors import InputError

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
WHAT = {"a.rate": "how fast", "a.ratio": "against a peer", "b.rate": "another"}


def page(*figures: str, machine: str = "2 × Abacus.") -> str:
    """Write a page whose table holds these figures with a value of 1."""
    found = dict.fromkeys(figures, Figure(1.0, 0.5))
    return update_page(f"before\n{BEGIN}\n{END}\nafter\n", found, WHAT, machine)


def rows(text: str) -> list[tuple[str, str, str]]:
    found = TABLE.search(text)
    assert found is not None
    return ROW.findall(found[1])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2_276_543.0, "2,280,000"),
        (999.6, "1,000"),
        (21.74, "21.7"),
        (1.0, "1.00"),
        (0.05066, "0.0507"),
        (0.0, "0"),
        (-6.079, "-6.08"),
    ],
)
def test_numbers_are_rounded_to_three_digits(value: float, text: str) -> None:
    assert number_text(value) == text


def test_what_is_written_around_the_table_stays() -> None:
    text = page("a.rate")
    assert text.startswith(f"before\n{BEGIN}\n2 × Abacus.\n")
    assert text.endswith(f"{END}\nafter\n")
    assert "| `a.rate` | 1.00 | 0.50 | how fast |" in text


def test_a_figure_measured_again_takes_the_place_of_the_old_one() -> None:
    text = update_page(page("a.rate", "b.rate"), {"a.rate": Figure(3.0)}, WHAT, "2 × Abacus.")
    assert rows(text) == [("a.rate", "3.00", ""), ("b.rate", "1.00", "0.50")]


def test_rows_are_in_the_order_of_measuring() -> None:
    text = update_page(page("b.rate"), {"a.ratio": Figure(3.0)}, WHAT, "2 × Abacus.")
    assert [name for name, _, _ in rows(text)] == ["a.ratio", "b.rate"]


def test_rows_of_another_machine_go() -> None:
    text = update_page(page("b.rate"), {"a.rate": Figure(3.0)}, WHAT, "1 × Slide rule.")
    assert [name for name, _, _ in rows(text)] == ["a.rate"]


def test_rows_of_figures_that_are_no_more_go() -> None:
    text = update_page(page("b.rate"), {"a.rate": Figure(3.0)}, {"a.rate": "x"}, "2 × Abacus.")
    assert [name for name, _, _ in rows(text)] == ["a.rate"]


def test_our_page_has_a_place_for_the_table_and_names_only_figures_that_exist() -> None:
    check_page(PAGE)
    assert {name for name, _, _ in rows(PAGE.read_text(encoding="utf-8"))} <= set(ABOUT)


def test_a_page_without_a_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"{END}\n{BEGIN}\n")
    with pytest.raises(InputError, match="has no line"):
        check_page(path)


def test_the_machine_is_told_by_processor_and_python() -> None:
    assert ", Python 3." in machine_text()
