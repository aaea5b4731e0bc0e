"""Written rules of a game: pages that ship with Kingmaker, or what a game of a package brings."""

from __future__ import annotations

from importlib.resources import files

from kingmaker.cext.game import Game


def rules_of(kind: type[Game]) -> str:
    """Return the rules of a game in Markdown; "" if there are none."""
    return kind.rules_markdown or _page("kingmaker.rules", kind.name)


def beginners_page(kind: type[Game]) -> str:
    """Return the page for beginners in Markdown; "" if there is none."""
    return _page("kingmaker.play", kind.name)


def _page(package: str, name: str) -> str:
    page = files(package) / f"{name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else ""
