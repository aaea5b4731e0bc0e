"""Kingdom Coinquest; the rules are docs/rules/kingdom_coinquest.md."""

from ...view_game import ViewGame

class KingdomCoinquest(ViewGame):
    """The rules of Kingdom Coinquest with their options."""

    def __init__(self, **options: str | int) -> None: ...
