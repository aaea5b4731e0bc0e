"""Whole games between greedy players at the speed of C, with records to learn from.

A player looks one ply ahead: it draws worlds from what its seat sees, makes every move in each,
settles chance, and plays the move with the best mean win share by a net or by `Game.evaluate`. So
it uses nothing but its observation.
"""

from libc.stdint cimport uint32_t

from kingmaker.cext.game cimport MOVES_ROOM, Game
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport Seed, bitgen_t

from .columns cimport Column


# Columns of records; `Records` in self_play.pyi has their meaning.
cdef enum Which:
    FEATURES, NUM_ACTIVE, GAMES, SEATS, ACTIONS, NUM_ACTIONS, CHOSEN, VALUES, HEURISTICS
    NUM_COLUMNS


cdef class SelfPlay:
    cdef Game game
    cdef Net net                      # of the seats that are not the rival's; None: `evaluate`
    cdef Net rival
    cdef int num_worlds
    cdef double epsilon               # probability of a random move
    cdef double share                 # of the decisions that are recorded
    cdef bint with_chance             # record so many chance nodes too
    cdef int max_plies
    cdef bytearray owned_states
    cdef char* state                  # of the game that is played
    cdef char* seen                   # the observation of the seat to decide
    cdef char* world                  # drawn from it
    cdef char* child                  # after a move in it
    cdef bytearray owned_shares
    cdef double* shares               # [MOVES_ROOM, num_seats]: summed over worlds, by move
    cdef uint32_t[MOVES_ROOM] moves   # of the latest decision
    cdef Column[NUM_COLUMNS] columns
    cdef list results                 # returns of the games that `records` will tell of
    cdef int num_games                # their number
    cdef bint is_broken               # the game broke the engine contract
    cdef bint is_full                 # there is no memory for the records
    cdef bint is_running              # some thread uses the streams, states or columns
    cdef object bit_generators        # owns the streams of the running game
    cdef bitgen_t* chance_rng         # outcomes of the game
    cdef bitgen_t* world_rng          # worlds, and the outcomes in them
    cdef bitgen_t* choice_rng         # random moves, and which of equal ones
    cdef bitgen_t* sample_rng         # which decisions are recorded

    # Keep other threads out until `is_running` is False again; RuntimeError if one is in.
    cdef int begin(self) except -1

    # Begin new streams.
    cdef int seed(self, Seed seed) except -1

    # Play `state` to its end and write its returns.
    cdef void play_game(self, uint32_t rival_seats, double* out) noexcept nogil

    # Write what `seat` sees of `state`.
    cdef void observe(self, int seat) noexcept nogil

    # Value the moves of the observation `seen`, whose own seat is to decide, in `moves` and
    # `shares`, and return the index of the best one; -1 if the game breaks its contract.
    cdef int decide(self, int seat, bint is_rival, int* num_moves) noexcept nogil

    # Make a move in `world`, settle chance, and add the win shares of each seat.
    cdef void look_ahead(self, uint32_t move, bint is_rival, double* sums) noexcept nogil

    # Write the win shares of a state as a player estimates them, or its returns.
    cdef void evaluate(self, const void* state, bint is_rival, double* out) noexcept nogil

    cdef void record(self, int seat, bint is_rival, int num_moves, int best) noexcept nogil

    cdef void append(self, Which which, const void* data, size_t size) noexcept nogil
