"""Every Markdown page of the repository: links and anchors lead somewhere, blocks of code parse."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOT_OURS = {"build", "dist", "node_modules", ".venv", ".pytest_cache"}


def pages() -> Iterator[Path]:
    """Find the pages, without a look into folders that are not ours."""
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if name not in NOT_OURS]
        yield from (Path(folder, name) for name in files if name.endswith(".md"))


PAGES = sorted(pages())
FENCED = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
TEST = re.compile(r"`(tests/\S+\.py): (test_\w+)`")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


@cache
def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    seen: Counter[str] = Counter()
    found = set()
    for title in HEADING.findall(prose(page)):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", text).strip().lower().replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(found)


def problem_of(page: Path, target: str) -> str:
    """Say what is wrong with a link; "" if nothing."""
    if "://" in target or target.startswith("mailto:"):
        return ""
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.exists():
        return f"{target}: there is no such file"
    if anchor and anchor not in anchors(path):
        return f"{target}: {path.name} has no such heading"
    return ""


def in_bash(body: str) -> None:
    done = subprocess.run(["bash", "-n"], input=body, capture_output=True, text=True)
    if done.returncode:
        raise SyntaxError(done.stderr)


def in_json(body: str) -> None:
    """Read a document, or one on each line."""
    try:
        json.loads(body)
    except ValueError:
        for line in body.splitlines():
            json.loads(line)


PARSERS: dict[str, Callable[[str], object]] = {
    "python": ast.parse,
    "json": in_json,
    "toml": tomllib.loads,
    "bash": in_bash,
    "sh": in_bash,
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_anchors_lead_somewhere(page: Path) -> None:
    problems = (problem_of(page, target) for target in LINK.findall(prose(page)))
    assert not [each for each in problems if each]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_of_code_parse(page: Path) -> None:
    for indent, language, body in FENCED.findall(page.read_text(encoding="utf-8")):
        if parse := PARSERS.get(language):
            parse(re.sub(rf"^{indent}", "", body, flags=re.MULTILINE))


def test_tests_that_pages_name_exist() -> None:
    named = {each for page in PAGES for each in TEST.findall(prose(page))}
    assert len(named) >= 8
    missing = [
        f"{path}: {name}"
        for path, name in named
        if f"def {name}(" not in (ROOT / path).read_text(encoding="utf-8")
    ]
    assert not missing


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One (`two`)\n\n## Same\n\n## Same\n\n```sh\n# Not a heading\n```\n")
    assert anchors(page) == {"one-two", "same", "same-1"}
    assert problem_of(page, "page.md#same-1") == ""
    assert problem_of(page, "#one-two") == ""
    assert "no such heading" in problem_of(page, "#not-a-heading")
    assert "no such file" in problem_of(page, "other.md")
    for language, wrong in [("python", "x ="), ("json", "{"), ("toml", "x"), ("sh", "if")]:
        with pytest.raises((SyntaxError, ValueError)):
            PARSERS[language](wrong)


def test_all_kinds_of_pages_are_found() -> None:
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "docs/rules/hearts.md", "docs/tutorials/player.md"} <= names
    assert {"clients/python/README.md", "CHANGELOG.md"} <= names
