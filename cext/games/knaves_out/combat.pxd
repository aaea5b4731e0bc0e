"""Attacks, rolls and damage (R9, R10); see the .pyx."""

from libc.stdint cimport uint32_t

from .state cimport (
    DARK, LADY_LUCK, LUCK, Piece, Player, Rules, State, letter_on, on_square, owner_on)

# Dice of a soldier or knight of a seat (R9.5), at most 5; `has_extra` for `last:`.
cdef int ko_dice(
    const Rules* rules, const State* s, int seat, const Piece* piece, bint has_extra) noexcept nogil

# Whether two hits are needed for a point on what stands here (R9.7).
cdef bint ko_halves(const Rules* rules, const State* s, int square) noexcept nogil

# The lowest face that hits (R9.6).
cdef int ko_threshold(
    const Rules* rules, const State* s, int attacker, int target, bint has_upper) noexcept nogil

# Whether a piece of a player may be put on or hit instead of the damaged one (R10.3).
cdef bint ko_may_redirect_to(
    const State* s, int seat, int damaged, int square) noexcept nogil

# Declare an attack (R9.1), which must be legal.
cdef void ko_attack(const Rules* rules, State* s, uint32_t move) noexcept nogil

# Apply a move or outcome of the nodes of an attack and of damage.
cdef void ko_answer(const Rules* rules, State* s, uint32_t move) noexcept nogil

# Deal a point of Execute or of the Ivory Tower (R10.6); `pending` is the step of the latter.
cdef void ko_damage(
    const Rules* rules, State* s, int kind, int square, uint32_t pending) noexcept nogil


cdef inline int owner_at(const State* s, int square) noexcept nogil:
    """Whose piece stands here, that of the Chosen One for the Ivory Tower; -1 for nobody."""
    cdef int content = on_square(s, square)
    if content == 0 or letter_on(content) == DARK:
        return -1
    return owner_on(content)


cdef inline bint is_lucky(const Player* p) noexcept nogil:
    return p.marks & LUCK or p.effects & LADY_LUCK


cdef inline int roller_of(const State* s) noexcept nogil:
    """The square of the piece that rolls."""
    return s.context.target if s.context.counter else s.context.attacker


cdef inline int rolled_at(const State* s) noexcept nogil:
    """The square that the roll is about."""
    return s.context.attacker if s.context.counter else s.context.target
