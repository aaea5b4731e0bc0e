"""Elo against time: matches of a default against itself, their ratings and the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingmaker.benchmarks import thinking
from kingmaker.benchmarks.thinking import Kept
from kingmaker.cext.games import GAMES

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"


def test_budgets_grow_tenfold_with_the_time() -> None:
    budgets = thinking.budgets_of(GAMES["tic_tac_toe"])
    assert budgets[0] > 100
    assert budgets[1:] == pytest.approx([10 * each for each in budgets[:-1]], rel=0.1)


def test_the_longer_time_has_every_seat_once() -> None:
    shares = thinking.play_group("hearts", (1, 20), seed=5)
    assert len(shares) == 4
    assert shares == thinking.play_group("hearts", (1, 20), seed=5)
    assert sum(sum(thinking.play_group("connect_four", (1, 300), seed)) for seed in range(3)) >= 5
    assert sum(sum(thinking.play_group("connect_four", (300, 1), seed)) for seed in range(3)) <= 1


def test_steps_are_rated_as_one_ladder() -> None:
    three_in_four, even = [[1.0, 0.5]] * 200, [[1.0, 0.0], [0.5, 0.5]] * 100
    kept = Kept([10, 100, 1000, 10000], [three_in_four, even, [[1.0, 1.0]]])
    ratings = thinking.ratings_of(kept)
    assert len(ratings) == 3  # one group has no error
    assert ratings[0] == (0.0, 0.0)
    assert ratings[1][0] == pytest.approx(190.8, abs=4)
    assert ratings[2][0] == pytest.approx(ratings[1][0], abs=4)
    assert 0 < ratings[1][1] < ratings[2][1] < 40


def test_a_share_of_four_seats_is_measured_from_a_quarter() -> None:
    even = [[1.0, 0.0, 0.0, 0.0]] * 50
    kept = Kept([1, 10, 100, 1000], [even, [], []])
    assert thinking.ratings_of(kept)[1][0] == pytest.approx(0, abs=3)


@pytest.mark.slow
def test_games_are_added_to_those_that_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, page = tmp_path / "kept.json", tmp_path / "docs" / "page.md"
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    page.write_text(
        "# Page\n\n## Before\n\ntext\n\n## Elo against time\n\nold\n\n## After\n\nmore\n"
    )
    thinking.write(file, {"kuhn_poker": Kept([1, 2, 3, 4], [[[1.0, 0.5]]] * 3)})
    told = ["--game", "kuhn_poker", "--minutes", "0", "--kept", str(file), "--page", str(page)]
    monkeypatch.setattr("sys.argv", ["thinking", *told])
    thinking.main()
    kept = thinking.read(file)["kuhn_poker"]
    assert kept.budgets == [1, 2, 3, 4]
    assert [each[0] for each in kept.groups] == [[1.0, 0.5]] * 3
    assert list(map(len, kept.groups)) == [2, 2, 2]
    text = page.read_text("utf-8")
    assert text.startswith("# Page\n\n## Before\n\ntext\n\n## Elo against time\n\nThe default")
    assert text.endswith("```\n\n## After\n\nmore\n")
    assert "| Kuhn poker | 2 | 1 | 1 |" in text
    assert (tmp_path / "docs" / "pictures" / "thinking.svg").read_text("utf-8").startswith("<svg")


def test_the_page_shows_what_is_kept() -> None:
    assert thinking.section(thinking.read(thinking.KEPT)).strip() in PAGE.read_text("utf-8")
