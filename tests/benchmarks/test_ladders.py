"""The ladders of our own bots, and the page they are told on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kingmaker.benchmarks import ladders
from kingmaker.cext.games import GAMES
from kingmaker.ladder.executors import play_here
from kingmaker.ladder.report import Section, write_markdown
from kingmaker.ladder.specs import make_bot, parse_spec
from kingmaker.ladder.store import Store


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_bots_that_can_play_it(name: str) -> None:
    game = GAMES[name]()
    found = [each.partition("=") for each in ladders.bots(game)]
    assert len(found) == 16
    for head, _, spec in found:
        parse_spec(make_bot(spec or head).spec).check_game(game)


@pytest.mark.slow
def test_a_ladder_is_rated_and_written_down(tmp_path: Path) -> None:
    with Store(str(tmp_path / "s.sqlite")) as store, play_here(1) as executor:
        summary = ladders.rate_game("kuhn_poker", store, executor, seconds=600, max_groups=120)
    assert summary.num_groups == 120
    note = ladders.level_note(summary)
    page = write_markdown([Section("Kuhn poker", summary, note)])
    assert page.startswith("## Kuhn poker\n")
    assert page.count("\n| level ") == 10
    assert "| random | `random` | 0 |  |" in page
    assert note in page
    assert note.count(",") == 8
    assert note.count(" ± ") == 9


@pytest.mark.slow
def test_the_command_plays_so_many_groups_with_a_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = []
    for seed in ("2", "2", "3"):
        page = tmp_path / "page.md"
        told = ("--game", "kuhn_poker", "--groups", "120", "--seed", seed, "--workers", "1")
        monkeypatch.setattr("sys.argv", ["ladders", *told, "--page", str(page)])
        ladders.main()
        pages.append(page.read_text(encoding="utf-8"))
    assert " 120 complete mirrored groups, " in pages[0]
    assert pages[0] == pages[1] != pages[2]


def test_a_page_keeps_what_no_ladder_has_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def written(sections: Sequence[Section]) -> str:
        return f"## {sections[0].title}\n\nnew.\n\n| bot | plays |\n|---|---|\n| new | `x` |\n"

    monkeypatch.setattr(ladders, "write_markdown", written)
    page = (
        "# Old\n\nhead\n\n## Hearts\n\nold.\n\n| bot | plays |\n|---|---|\n| old | `x` |\n\n"
        "told after it\n\n## Matches\n\n| game |\n|---|\n| hearts |\n"
    )
    table = "new.\n\n| bot | plays |\n|---|---|\n| new | `x` |\n"
    sections = [Section(title, None) for title in ("Hearts", "Matches", "Whist")]  # type: ignore[arg-type]
    assert ladders.renewed(page, sections) == (
        f"{ladders.head()}## Hearts\n\n{table}\ntold after it\n\n"
        f"## Matches\n\n{table}\n| game |\n|---|\n| hearts |\n\n## Whist\n\n{table}"
    )


def test_a_ladder_ends_when_its_time_is_over(tmp_path: Path) -> None:
    with Store(str(tmp_path / "s.sqlite")) as store, play_here(1) as executor:
        summary = ladders.rate_game("hearts", store, executor, seconds=0.01)
    assert summary.num_groups < ladders.MAX_GROUPS


def test_the_page_tells_of_every_game() -> None:
    page = (Path(__file__).parents[2] / "docs" / "strength.md").read_text(encoding="utf-8")
    for game in GAMES.values():
        assert f"\n## {game.title}\n" in page


def test_the_page_begins_with_the_budget_of_each_game() -> None:
    page = Path(__file__).parents[2] / "docs" / "strength.md"
    head = ladders.head()
    assert page.read_text().startswith(head.rstrip())
    for name, kind in GAMES.items():
        full = ladders.full_simulations(kind())
        told = f"(40,000 of `expectimax` in {kind.title})" if full != 4000 else "4,000 simulations"
        assert told in head, name
        assert f"level:10,simulations={full}" in ladders.bots(kind())[-1]
