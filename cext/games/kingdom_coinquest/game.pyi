"""Kingdom Coinquest; the rules are docs/rules/kingdom_coinquest.md."""

from ...game import Game

class KingdomCoinquest(Game):
    """The rules of Kingdom Coinquest with their options."""

    def __init__(self, **options: str | int) -> None: ...
