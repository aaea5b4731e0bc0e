"""Lines as text of C: line.pyx writes them, line_reading.pyx reads them."""

from ...line_text cimport Writer
from .state cimport (
    STAGE_COURT_K, STAGE_FIRST, STAGE_KEEP, STAGE_MAIN, STAGE_SHUFFLE, Rules, State)

cdef extern from *:
    """
    #define KO_RANKS "a23456789tjqk"
    #define KO_SUITS "cdhs"
    #define KO_FILES "abcdefgh"
    #define KO_LETTERS "?KRNBPkrnbp"
    #define KO_HEX "0123456789abcdef"
    #define KO_EFFECTS "motorhead sha ladyluck icequeen lich crimson "
    #define KO_MARKS \
        "rush seabreeze blacksails luck punches conspire defend ended played summer frenzy " \
        "insight parlay lionheart shield thorns redirect blessing upper feast castled skip " \
        "skipped "
    #define KO_STAGES \
        "first board king courtj courtq courtk under fuel shuffle draw main waive find place " \
        "target charm taint mix sac insight parlay roll lionheart reroll redirect keep end "
    """
    const char* RANKS "KO_RANKS"
    const char* SUITS "KO_SUITS"
    const char* FILES "KO_FILES"
    const char* LETTERS "KO_LETTERS"    # of pieces
    const char* HEX "KO_HEX"
    # Words, each with a space after it: see `put_word`.
    const char* EFFECTS "KO_EFFECTS"    # by bits of `Effect`, two of each tower
    const char* MARKS "KO_MARKS"        # by bits of `Mark`
    const char* STAGES "KO_STAGES"

# `ViewGame.write_line`.
cdef int ko_write_line(const Rules* rules, const State* s, Writer* out) except -1


cdef inline bint has_context(int stage) noexcept nogil:
    """Whether the node of a stage has a context (R14.3)."""
    return not (
        STAGE_FIRST <= stage <= STAGE_COURT_K or stage == STAGE_SHUFFLE or stage == STAGE_MAIN
        or stage == STAGE_KEEP)
