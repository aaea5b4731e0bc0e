"""Legal moves and chance outcomes of Knaves Out, in canonical order (R14.6); see the .pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ...rng cimport bitgen_t
from .state cimport Rules, State

# `Game.legal_moves`.
cdef int ko_legal_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil

# The two parts of those at `main`: cards and actions; and all others, which depend on no cards.
cdef int ko_card_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil
cdef int ko_piece_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil

# Write the squares that `at:` may name, a mask for each board.
cdef void ko_places(const Rules* rules, const State* s, uint64_t* masks) noexcept nogil

# Whether an attack of the active seat is legal (`last` for `last:`), as a `Fault`.
cdef int ko_attack_fault(
    const Rules* rules, const State* s, int start, int goal, bint last) noexcept nogil

# Whether the active seat may call a Tower (KIND_IVORY, KIND_DARK), as a `Fault`; without regard to
# the enemy that it names.
cdef int ko_call_fault(const Rules* rules, const State* s, int kind) noexcept nogil

# `Game.chance_outcomes` and `Game.sample_outcome`.
cdef int ko_outcomes(
    const Rules* rules, const State* s, uint32_t* out, double* probabilities) noexcept nogil
cdef uint32_t ko_sample(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil
