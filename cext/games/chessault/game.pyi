"""Chessault; the rules are docs/rules/chessault.md."""

from ...view_game import ViewGame

class Chessault(ViewGame):
    """The rules of Chessault with their options."""

    def __init__(self, **options: str | int) -> None: ...
    def terms_of(self, state: bytes, /) -> list[list[float]]:
        """Return the terms of the evaluation, a list for each seat; see evaluation.pyx.

        Empty if a king may be killed in this turn: terms alone don't say then what is good.
        """
