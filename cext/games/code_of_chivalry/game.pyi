"""Code of Chivalry; the rules are docs/rules/code_of_chivalry.md."""

from ...game import Game

class CodeOfChivalry(Game):
    """The rules of Code of Chivalry with their options."""

    def __init__(self, **options: str | int) -> None: ...
    def is_consistent(self, observation: bytes, state: bytes) -> bool:
        """Whether a valid state is consistent with an observation (R11.4)."""
