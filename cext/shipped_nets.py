"""Nets that ship with games, loaded once a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kingmaker.cext.net import Net


@cache
def shipped_net(path: Path) -> Net:
    """Return the net of a file."""
    return Net.load(path)
