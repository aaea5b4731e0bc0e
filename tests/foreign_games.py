"""Games of other packages that are registered for a test."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

import pytest

from kingmaker.search import games


def register(monkeypatch: pytest.MonkeyPatch, **kinds: Any) -> None:
    """Register games as other packages do; an exception is raised by loading."""

    class Entry:
        def __init__(self, name: str) -> None:
            self.name = name

        def load(self) -> Any:
            if isinstance(kinds[self.name], Exception):
                raise kinds[self.name]
            return kinds[self.name]

    def entries(group: str) -> list[EntryPoint]:
        assert group == games.ENTRY_POINTS
        return [Entry(name) for name in kinds]  # type: ignore[misc]

    monkeypatch.setattr(games, "entry_points", entries)
    games._registered.cache_clear()
