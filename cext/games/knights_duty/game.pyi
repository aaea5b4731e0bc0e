"""A Knight's Duty; the rules are docs/rules/knights_duty.md."""

from ...game import Game

class KnightsDuty(Game):
    """The rules of A Knight's Duty with their options."""

    def __init__(self, **options: str | int) -> None: ...
