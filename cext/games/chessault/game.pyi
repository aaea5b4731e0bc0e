"""Chessault; the rules are docs/rules/chessault.md."""

from ...game import Game

class Chessault(Game):
    """The rules of Chessault with their options."""

    def __init__(self, **options: str | int) -> None: ...
