"""Tables at terminals of different widths."""

import re
from collections.abc import Sequence
from io import StringIO

import pytest
from rich.console import Console

from kingmaker.cli.fitted_table import FittedTable
from kingmaker.cli.output import moves_table
from kingmaker.search.analysis import Budget
from kingmaker.search.position import new_game, parse_observation
from kingmaker.search.run import analyze

LINE = (
    "kc turn=13 epoch=0 node=play:p1 p1=h/20/7s,7d,5c/9c/8c+8s:0/-/5s+jd/- "
    "p2=s/20/6d!,?/6h,ac/9s:1/3d+jh/-/- forge=32 grave=2h old=- @p1"
)
COLUMNS = ["name", "two words", ">won", "text"]
ROWS = [
    ["first", "2, 3, 4", "54.0 % ± 1.2", "a [b] a [b] a [b] a [b] a [b] a [b]"],
    ["second", "2", "-", ""],
]


def drawn(table: FittedTable, width: int, *, is_terminal: bool = True) -> str:
    """Draw a table on a console of this width, without spaces at the ends of lines."""
    console = Console(file=StringIO(), width=width, force_terminal=is_terminal, color_system=None)
    console.print(table, soft_wrap=not is_terminal)
    assert isinstance(console.file, StringIO)
    return "\n".join(map(str.rstrip, console.file.getvalue().splitlines()))


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_words_and_numbers_of_a_narrow_table_stay_whole(width: int) -> None:
    seen = parse_observation("kingdom_coinquest", LINE)
    found = analyze(seen, Budget(simulations=500), seed=1)
    text = drawn(moves_table(seen, found), width)
    assert max(map(len, text.splitlines())) <= width
    for move in found.moves:
        assert set(move.line) <= set(text.split())
        assert re.search(rf"^{move.move} +{move.visits} ", text, re.MULTILINE)
    assert len(re.findall(r"\d\d\.\d % ± \d", text)) == 2


def test_a_table_of_eight_seats_fits_a_terminal() -> None:
    seen = new_game("knaves_out", {"players": 8, "first": "p1"}).observe(1)
    found = analyze(seen, Budget(simulations=20), seed=1)
    lines = drawn(moves_table(seen, found), 60).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.startswith("king:") for line in lines) == len(found.moves)
    assert any(re.match(r" +p\d wins \d+\.\d %", line) for line in lines)


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (
            90,
            [
                "name      two words             won    text",
                "first     2, 3, 4      54.0 % ± 1.2    a [b] a [b] a [b] a [b] a [b] a [b]",
                "second    2                       -",
            ],
        ),
        (
            66,
            [
                "        two",
                "name    words             won  text",
                "first   2, 3, 4  54.0 % ± 1.2  a [b] a [b] a [b] a [b] a [b] a",
                "                               [b]",
                "second  2                   -",
            ],
        ),
        (
            40,
            [
                "name    two words           won",
                "first   2, 3, 4    54.0 % ± 1.2",
                "    text a [b] a [b] a [b] a [b] a [b] a",
                "    [b]",
                "second  2                     -",
            ],
        ),
        (
            26,
            [
                "name    two words",
                "first   2, 3, 4",
                "    won 54.0 % ± 1.2; text",
                "    a [b] a [b] a [b] a",
                "    [b] a [b] a [b]",
                "second  2",
            ],
        ),
    ],
)
def test_what_has_no_place_stands_beneath_its_row(width: int, expected: Sequence[str]) -> None:
    assert drawn(FittedTable(COLUMNS, ROWS), width).splitlines() == expected


def test_a_narrow_table_may_have_no_rows() -> None:
    assert drawn(FittedTable(COLUMNS, []), 20).split() == ["two", "name", "words", "won"]


def test_a_narrow_column_behind_a_wide_one_keeps_its_place() -> None:
    spec = "ismcts:simulations=20,exploration=0.7734"
    lines = drawn(FittedTable(["variant", "spec", ">won"], [["v1", spec, "50.0 %"]]), 45)
    assert lines.splitlines() == ["variant     won", "v1       50.0 %", "    spec", f"    {spec}"]


def test_files_and_pipes_have_each_row_in_one_line() -> None:
    table = FittedTable(["a", "b"], [["1", "word " * 200], ["2", "x" * 900]])
    assert len(drawn(table, 80, is_terminal=False).splitlines()) == 3
