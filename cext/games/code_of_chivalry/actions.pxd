"""Numbers of the moves of Code of Chivalry; see the .pyx."""

from libc.stdint cimport int16_t, uint32_t

from .state cimport jesters_of, peasants_of, role_of, seat_of, verb_of

cdef enum:
    NUM_SEATED = 93     # plays that name a seat: 90 attacks, 2 merchants, choose
    NUM_PLAYS = 254     # moves without their seats

# By verb, role and jesters: number of the play, less its peasants.
cdef int16_t[16][32][8] PLAY_INDEX

cdef uint32_t[NUM_PLAYS] PLAYS


cdef inline int coc_num_actions(int num_seats) noexcept nogil:
    return NUM_SEATED * num_seats + NUM_PLAYS - NUM_SEATED


cdef inline int coc_action_index(uint32_t move, int num_seats) noexcept nogil:
    """The number of a move; without meaning, but harmless, for what is no move of a decision."""
    cdef int play = PLAY_INDEX[verb_of(move) & 15][role_of(move) & 31][jesters_of(move)] + (
        peasants_of(move))
    if play < NUM_SEATED:
        return play * num_seats + seat_of(move)
    return play + NUM_SEATED * (num_seats - 1)


cdef inline uint32_t coc_action_at(int index, int num_seats) noexcept nogil:
    if index < NUM_SEATED * num_seats:
        return PLAYS[index // num_seats] | <uint32_t>(index % num_seats) << 16
    return PLAYS[index - NUM_SEATED * (num_seats - 1)]
