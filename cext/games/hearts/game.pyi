"""Hearts; the rules are docs/rules/hearts.md."""

from ...view_game import ViewGame

class Hearts(ViewGame):
    """The rules of Hearts with their option."""

    def __init__(self, **options: str) -> None: ...
