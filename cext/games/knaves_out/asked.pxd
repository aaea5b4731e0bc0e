"""Whether the node of a state of Knaves Out can be asked (R14.5j); see the .pyx."""

from ...game cimport Refusal
from .state cimport Rules, State

cdef enum Unasked:
    OTHER_SEAT = 100
    NO_DISCARD, NO_DRAW, KEEP_OTHER_SIZE, KEEP_AFTER_PLAY
    NO_ACTION_TAKEN
    WAIVE_OTHER_ACTION, WAIVE_PRICES, WAIVE_LEFT, WAIVE_COLOUR
    FIND_OTHER_TOWER, CHARM_STEPS, UNTAINTED_QUEEN
    GREAT_TOWER_OFF, GREAT_TOWER_USED, GREAT_TOWER_CHECKERS, WRONG_ENEMY, DARK_OWN
    MIX_TOO_FEW, SAC_TOO_MANY, SAC_CHECKERS, SAC_TOO_FEW
    NO_SUCH_SAILOR
    APART, NOT_ENDED, WRONG_ATTACKER, ATTACKER_GONE, TARGET_GONE, WRONG_TARGET, ATTACKER_SWAYED
    NO_COUNTER, NO_INSIGHT, NO_PARLAY, NO_LIONHEART
    UPPER_LEFT, WRONG_DICE, WRONG_FACES, NO_ONES, WRONG_ROLLER
    OTHER_PIECE_HIT, NO_REDIRECT, WRONG_DAMAGE, WRONG_THORNS, NO_HAZARD, WRONG_EXECUTE

# Check a state after the setup and before the end that is valid but for its node.
cdef int ko_check_asked(const Rules* rules, const State* s, Refusal* out) noexcept nogil
