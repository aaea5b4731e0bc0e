"""Code of Chivalry; the rules are docs/rules/code_of_chivalry.md."""

from ...net import Net
from ...tunable_game import TunableGame

class CodeOfChivalry(TunableGame):
    """The rules of Code of Chivalry with their options."""

    def __init__(self, **options: str | int) -> None: ...
    def is_consistent(self, observation: bytes, state: bytes) -> bool:
        """Whether a valid state is consistent with an observation (R11.4)."""
    def use_net(self, net: Net | None) -> None:
        """Evaluate by another net of `QuietChivalry`'s features, or by weights without one."""

class QuietChivalry(CodeOfChivalry):
    """The game with the terms of its evaluation as features, to train the net of that.

    They are those of a full state, with all hands, and none where it is not quiet.
    """
