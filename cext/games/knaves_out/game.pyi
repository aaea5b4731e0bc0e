"""Knaves Out; the rules are docs/rules/knaves_out.md."""

from ...net import Net
from ...tunable_game import TunableGame

class KnavesOut(TunableGame):
    """The rules of Knaves Out with their options."""

    def __init__(self, **options: str | int) -> None: ...
    def use_net(self, net: Net | None) -> None:
        """Evaluate by another net of `ScoredKnaves`'s features, or by weights alone without one.

        Raises:
            ValueError: the net has another number of features.
        """
    def terms_of(self, state: bytes, /) -> list[list[float]]:
        """Return the terms of the evaluation, a list for each seat; see terms.pyx."""

class ScoredKnaves(KnavesOut):
    """The game with what the net of its evaluation reads as features, to train that net.

    They are those of a living seat in a full state, with all hands. There are none while the Dark
    Tower is called, nor in the setup.
    """
