"""The roles of callers."""

from __future__ import annotations

from enum import StrEnum

AGENTS = "/mcp"
"""The tools for agents, as one method: its path, and its name in limits, roles and logs."""


class Role(StrEnum):
    """What a caller may do."""

    PLAYER = "player"
    """Calls for moves, hints and analyses, asks bots, and has ladders of its own."""
    BOT = "bot"
    """Connects as a bot and answers questions."""
    OPERATOR = "operator"
    """Everything, also with what belongs to others."""
