"""Hearts; the rules are docs/rules/hearts.md."""

from ...game import Game

class Hearts(Game):
    """The rules of Hearts with their option."""

    def __init__(self, **options: str) -> None: ...
