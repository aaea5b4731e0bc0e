"""Knaves Out; the rules are docs/rules/knaves_out.md."""

from ...view_game import ViewGame

class KnavesOut(ViewGame):
    """The rules of Knaves Out with their options."""

    def __init__(self, **options: str | int) -> None: ...
    def terms_of(self, state: bytes, /) -> list[list[float]]:
        """Return the terms of the evaluation, a list for each seat; see evaluation.pyx."""
