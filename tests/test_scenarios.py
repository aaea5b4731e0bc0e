"""Every scenario block of the rules pages holds, for the engine and for the reference model.

Below that, tests of the runner itself: what it reports, and where.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kingmaker.cext.errors import InputError, UnknownGameError
from kingmaker.search.games import game_types
from kingmaker.search.scenario import (
    Block,
    CheckResult,
    EngineRules,
    RuleBook,
    read_blocks,
    run_block,
    verify_page,
)
from tests.reference import REFERENCES

PAGES = sorted(
    path
    for path in (Path(__file__).parents[1] / "docs" / "rules").glob("*.md")
    if path.name != "README.md"
)
BLOCKS = [block for page in PAGES for block in read_blocks(page)]
RULES: dict[str, Callable[[str], RuleBook]] = {
    "engine": EngineRules,
    "reference": lambda game: REFERENCES[game],
}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.path.name}:{block.number}")
def test_the_worked_example_holds(block: Block, rules: str) -> None:
    results = run_block(block, RULES[rules](block.path.stem))
    failed = [result for result in results if not result.has_passed]
    assert not failed, "".join(f"\n{result}\n    {result.line}" for result in failed)


def test_every_game_has_a_page_with_examples() -> None:
    assert {block.path.stem for block in BLOCKS} >= {*game_types(), *REFERENCES}


START = "ttt board=.../.../... node=play:p1"


def check(tmp_path: Path, *script: str) -> list[CheckResult]:
    """Run a block of tic-tac-toe; its first script line is line 4 of the page."""
    page = tmp_path / "tic_tac_toe.md"
    page.write_text("\n".join(["# Page", "", "```scenario", *script, "```", ""]))
    return verify_page(page)


def messages(tmp_path: Path, *script: str) -> list[str]:
    return [result.message for result in check(tmp_path, *script)]


def test_a_wrong_line_is_reported_with_its_number_and_the_next_ones_still_run(
    tmp_path: Path,
) -> None:
    results = check(tmp_path, "new", "# a comment", "", "to p2", "to p1  # and one more")
    assert [(result.number, result.has_passed) for result in results] == [
        (4, True),
        (7, False),
        (8, True),
    ]
    assert str(results[1]).endswith("tic_tac_toe.md:7: expected p2 to be asked, got p1")


def test_an_unknown_verb_fails(tmp_path: Path) -> None:
    assert messages(tmp_path, "new", "play a1")[1].startswith("unknown verb 'play'; verbs are ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("at", "`at` needs something after it"),
        ("do a1 a1", "`a1` is refused: "),
        ("at ttt board=.../.../... node=play:p2", "expected node=play:p2, got node=play:p1"),
        ("at ttt board=.../.../...", "expected 2 fields, got 3"),
        ("legal a1 b1 c1 a2 b2 c2 a3 b3", "extra c3"),
        ("legal a1 b1 c1 a2 b2 c2 a3 b3 c3 d4", "missing d4"),
        ("has a1 d4", "missing d4; possible are a1 b1 c1"),
        ("illegal d4 a1", "accepted: a1"),
        ("chance a1=1/9", "expected a chance node, got p1"),
        ("sees p1 ttt board=x../.../... node=play:p1 @p1", "expected board=x../.../..., got"),
        ("sees p3 ttt", "seat 3 of a 2-seat game"),
        ("sees 1 ttt", "'1' is no seat"),
        ("can p1 ttt board=x../.../... node=play:p2", "not consistent with what the seat sees"),
        (f"cannot p1 {START}", "consistent with what the seat sees"),
        ("result 1 0", "expected the end of the game, got p1"),
        ("refuse new", f"accepted: {START}"),
        (f"refuse {START}", f"accepted: {START}"),
        ("refuse new players", "'players' is not an option"),
    ],
)
def test_a_wrong_line_says_what_was_found_instead(tmp_path: Path, line: str, message: str) -> None:
    assert message in messages(tmp_path, "new", line)[1]


def test_a_wrong_result_is_reported(tmp_path: Path) -> None:
    won = "given ttt board=oo./.../xxx node=end"
    assert messages(tmp_path, won, "result 0 1", "result 1 0") == ["", "expected 0 1, got 1 0", ""]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("chance deal:j=1/3 deal:q=1/3 deal:k=1/3", ""),
        ("chance 3*1/3", ""),
        ("chance deal:j=1/3 2*1/3", ""),
        ("chance deal:j=1/3 deal:q=1/3", "extra deal:k=1/3"),
        ("chance deal:j=1/2 2*1/3", "deal:j=1/2 (got 1/3)"),
        ("chance deal:a=1/3 2*1/3", "deal:a=1/3 (got no such outcome)"),
        ("chance 4*1/3", "expected 4*1/3, got 3*1/3"),
        ("chance 3*2/6", "'2/6' is not in lowest terms: 1/3"),
        ("chance deal:j", "'deal:j' is neither TOKEN=P, given once, nor K*P"),
    ],
)
def test_chances_are_compared_one_by_one_or_counted(
    tmp_path: Path, line: str, message: str
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```scenario\nnew\n{line}\n```\n")
    [block] = read_blocks(page)
    found = run_block(block, REFERENCES["kuhn_poker"])[1].message
    assert message in found
    assert bool(message) == bool(found)


def test_lines_without_a_position_fail_until_the_next_start(tmp_path: Path) -> None:
    found = messages(tmp_path, "given nonsense", "to p1", "refuse nonsense", "new", "to p1")
    assert found[0].startswith("`given` is refused: ")
    assert found[1] == "not checked, there is no position: line 4 failed"
    assert found[2:] == ["", "", ""]


def test_blocks_of_other_languages_are_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("````md\n```scenario\nno\n```\n````\n```text\nno\n```\n```scenario\nnew\n```\n")
    assert [[line.text for line in block.lines] for block in read_blocks(page)] == [["new"]]


def test_a_block_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("text\n```scenario\nnew\n")
    with pytest.raises(InputError, match=r"page\.md:2: this scenario block is never closed"):
        read_blocks(page)


def test_a_page_of_no_game_is_refused_unless_it_has_no_blocks(tmp_path: Path) -> None:
    page = tmp_path / "snakes.md"
    page.write_text("nothing to run\n")
    assert verify_page(page) == []
    page.write_text("```scenario\nnew\n```\n")
    with pytest.raises(UnknownGameError, match="snakes"):
        verify_page(page)
