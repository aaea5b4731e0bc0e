"""Counts in words, for messages and reports."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Format a number of things: `1 node`, `2 nodes`, `2 histories`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
