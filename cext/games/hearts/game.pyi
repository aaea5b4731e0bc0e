"""Hearts; the rules are docs/rules/hearts.md."""

from ...tunable_game import TunableGame

class Hearts(TunableGame):
    """The rules of Hearts with their option."""

    def __init__(self, **options: str) -> None: ...
