"""Figures as text and as the table of a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kingmaker.benchmarks.catalogue import ABOUT
from kingmaker.benchmarks.measure import Figure
from kingmaker.benchmarks.report import (
    machine_text,
    number_text,
    prefixes_of_page,
    write_page,
)
from kingmaker.training.rounds import commit

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
ROW = re.compile(r"^\| `(\S+)` \| (.*?) \| (.*?) \|", re.MULTILINE)
LEFT_OUT = ("strength.", "hearts.ismcts.vs_depth_1", "hearts.ismcts.depth_1_vs_tree", "batch.")
"""Figures that take too long for the page, or stand on another one."""


def rows(text: str) -> list[tuple[str, str, str]]:
    return ROW.findall(text)


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


def test_a_page_is_made_of_the_figures_of_one_run() -> None:
    found = {name: Figure(number, 0.5) for number, name in enumerate(ABOUT, 1)}
    text = write_page(found, ABOUT)
    shown = [name for name in ABOUT if not name.startswith(LEFT_OUT)]
    assert sorted(name for name, _, _ in rows(text)) == sorted(shown)
    values = {name: number_text(found[name].value) for name in shown}
    assert {name: value for name, value, _ in rows(text)} == values
    assert all(f"| {ABOUT[name]} |" in text for name in shown)


def test_a_section_without_figures_says_so() -> None:
    text = write_page({"rpc.echo.1.p50_ms": Figure(1.0)}, ABOUT)
    assert [name for name, _, _ in rows(text)] == ["rpc.echo.1.p50_ms"]
    assert "(not measured: it needs OpenSpiel or valgrind)" in text


def test_the_head_names_machine_and_commit() -> None:
    head, _, _ = write_page({}, ABOUT).partition("\n## ")
    assert machine_text() in head
    assert f"commit {commit()}, 2" in head


def test_each_figure_of_the_page_is_measured_for_it_once() -> None:
    prefixes = prefixes_of_page()
    for name in ABOUT:
        fitting = [prefix for prefix in prefixes if name.startswith(prefix)]
        assert len(fitting) == (not name.startswith(LEFT_OUT))


def test_our_page_is_that_of_the_template() -> None:
    def frame(text: str) -> list[str]:
        """Return the lines beside the figures."""
        own = ("| `", "* commit ", "* 2 × ", "* 1 × ", "|--", "| figure", "(not measured")
        return [line for line in text.splitlines() if not line.startswith(own)]

    text = PAGE.read_text(encoding="utf-8")
    machine = next(line for line in text.splitlines() if " × " in line)
    ours = [line for line in frame(text) if line != machine]
    rendered = [line for line in frame(write_page({}, ABOUT)) if machine_text() not in line]
    assert ours == rendered
    assert {name for name, _, _ in rows(text)} <= set(ABOUT)


def test_the_machine_is_reported_by_processor_and_python() -> None:
    assert ", Python 3." in machine_text()
