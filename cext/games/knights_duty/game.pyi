"""A Knight's Duty; the rules are docs/rules/knights_duty.md."""

from ...view_game import ViewGame

class KnightsDuty(ViewGame):
    """The rules of A Knight's Duty with their options."""

    def __init__(self, **options: str | int) -> None: ...
