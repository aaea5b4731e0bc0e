"""A Knight's Duty; the rules are docs/rules/knights_duty.md."""

from ...view_game import ViewGame

class KnightsDuty(ViewGame):
    """The rules of A Knight's Duty with their options."""

    def __init__(self, **options: str | int) -> None: ...
    def terms_of(self, state: bytes, /) -> list[list[float]]:
        """Return the terms of the value of a turn's beginning with two seats, see turn_terms.pxd.

        A list for each seat; empty for other states.
        """
