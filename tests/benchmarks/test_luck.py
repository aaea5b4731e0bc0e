"""The table of the variance that luck explains."""

from __future__ import annotations

import re

import pytest

from kingmaker.benchmarks import luck
from kingmaker.review import learned
from kingmaker.review.players import LEAST_DEALS

TOLD = ("--game", "kuhn_poker", "--spec", "ismcts:simulations=10", "--games", str(LEAST_DEALS))
PERCENT = r"(-?[\d.]+) ± ([\d.]+) %"


def rows(page: str) -> dict[str, list[str]]:
    """The cells of a table in Markdown, by the first of each row."""
    lines = [line.strip("| ").split(" | ") for line in page.splitlines()]
    return {cells[0]: cells[1:] for cells in lines}


def figures(cell: str) -> tuple[float, float]:
    """A figure and its standard error, both as parts of 1."""
    found = re.fullmatch(PERCENT, cell)
    assert found
    return float(found[1]) / 100, float(found[2]) / 100


@pytest.mark.slow
def test_the_command_prints_what_each_kind_of_value_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learned, "LATER_ROUNDS", ((0.7, 50),))  # the games are short
    pages = []
    for seed in ("7", "7", "8"):
        monkeypatch.setattr("sys.argv", ["luck", *TOLD, "--seed", seed])
        luck.main()
        pages.append(rows(capsys.readouterr().out))
    assert list(pages[0]) == ["values", "---", "searched", "learned", "both"]
    assert [len(cells) for cells in pages[0].values()] == [4] * 5
    # All but the times depends on the seed alone.
    one, again, other = ([page[kind][:3] for kind in list(page)[2:]] for page in pages)
    assert one == again != other
    left, mean, adjusted = (figures(cell) for cell in pages[0]["searched"][:3])
    games = list(luck.games_of("kuhn_poker", TOLD[3], range(7, 7 + LEAST_DEALS)))
    results = [game.returns[0] for game in games]
    assert mean[0] == pytest.approx(sum(results) / len(results), abs=6e-4)
    assert left[0] < 0.6
    assert adjusted[1] == pytest.approx(mean[1] * left[0] ** 0.5, abs=1e-3)
    assert abs(adjusted[0] - mean[0]) < 4 * mean[1]
    assert all(float(page["both"][3].removesuffix(" s")) > 0 for page in pages)


def test_values_are_not_learned_from_few_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["luck", "--games", str(LEAST_DEALS - 1)])
    with pytest.raises(SystemExit):
        luck.main()
    assert f"from {LEAST_DEALS} games on" in capsys.readouterr().err
