"""Chessault; the rules are docs/rules/chessault.md."""

from ...view_game import ViewGame

class Chessault(ViewGame):
    """The rules of Chessault with their options."""

    def __init__(self, **options: str | int) -> None: ...
