"""Kingdom Coinquest; the rules are docs/rules/kingdom_coinquest.md."""

from ...net import Net
from ...tunable_game import TunableGame

class KingdomCoinquest(TunableGame):
    """The rules of Kingdom Coinquest with their options."""

    def __init__(self, **options: str | int) -> None: ...
    def use_net(self, net: Net | None) -> None:
        """Evaluate by another net of `ScoredCoinquest`'s features, or by points without one."""

class ScoredCoinquest(KingdomCoinquest):
    """The game with the terms of its evaluation as features, to train the net of that.

    They are those of a full state, with all hands, and none of a seat that is eliminated.
    """
