"""See self_play.pxd and self_play.pyi."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int16_t, int32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport (
    CHANCE, MAX_FEATURES, MAX_SEATS, NO_MOVE, NO_NODE_HERE, TERMINAL, are_shares, check_limits,
    listed, listed_features, settle)
from kingmaker.cext.rng cimport below, stream_of, uniform

from .columns cimport append_to

from typing import NamedTuple

import numpy as np

from kingmaker.cext.errors import InputError, check_integer, check_list
from kingmaker.cext.contract import contract_error

cdef enum:
    NUM_STREAMS = 4

DTYPES = ("int16", "int16", "int32", "int8", "int32", "int16", "int16", "float32", "float32")
"""Of the columns, in the order of `Which`."""


class Records(NamedTuple):
    """See self_play.pyi."""

    features: np.ndarray
    num_active: np.ndarray
    games: np.ndarray
    seats: np.ndarray
    actions: np.ndarray
    num_actions: np.ndarray
    chosen: np.ndarray
    values: np.ndarray
    heuristics: np.ndarray
    returns: np.ndarray


cdef class SelfPlay:
    """See self_play.pyi."""

    def __init__(
            self, Game game not None, Net net=None, Net rival=None, *, int num_worlds=4,
            double epsilon=0.0, double share=0.0, bint with_chance=False, int max_plies=5000):
        check_limits(game)
        for each in (net, rival):
            if each is not None:
                each.check_fits(game)
        if share > 0 and not game.num_features:
            raise InputError(f"{game.name} has no features to learn from", field="game",
                             value=game.name)
        for name, value, least, most in (
                ("num_worlds", num_worlds, 1, 1000), ("max_plies", max_plies, 1, 10**9),
                ("epsilon", epsilon, 0, 1), ("share", share, 0, 1)):
            if not least <= value <= most:
                raise InputError(f"{name} is {value}; it must be {least} to {most}", field=name,
                                 value=str(value))
        self.game, self.net, self.rival = game, net, rival
        self.num_worlds, self.max_plies = num_worlds, max_plies
        self.epsilon, self.share, self.with_chance = epsilon, share, with_chance
        # Each at a place that any number may be at.
        cdef size_t stride = (game.state_bytes + 15) // 16 * 16
        self.owned_states = bytearray(4 * stride)
        self.state = PyByteArray_AS_STRING(self.owned_states)
        self.seen = self.state + stride
        self.world = self.seen + stride
        self.child = self.world + stride
        self.owned_shares = bytearray(MOVES_ROOM * game.num_seats * sizeof(double))
        self.shares = <double*>PyByteArray_AS_STRING(self.owned_shares)
        self.results = []

    def __dealloc__(self):
        cdef int which
        for which in range(NUM_COLUMNS):
            free(self.columns[which].data)

    cdef int begin(self) except -1:
        if self.is_running:
            raise RuntimeError("this self-play already runs on another thread")
        self.is_running = True
        return 0

    cdef int seed(self, Seed seed) except -1:
        self.bit_generators = seed.streams(NUM_STREAMS)
        self.chance_rng = stream_of(self.bit_generators[0])
        self.world_rng = stream_of(self.bit_generators[1])
        self.choice_rng = stream_of(self.bit_generators[2])
        self.sample_rng = stream_of(self.bit_generators[3])
        return 0

    def play(self, Seed seed not None, rival_seats=()) -> list:
        """Play a game and return the returns of each seat; see self_play.pyi."""
        cdef double[MAX_SEATS] returns
        cdef uint32_t rivals = 0
        for seat in check_list("rival_seats", rival_seats, "seats from 0"):
            check_integer("rival_seats", seat, 0, self.game.num_seats - 1)
            rivals |= <uint32_t>1 << <int>seat
        self.begin()
        try:
            self.seed(seed)
            self.is_broken = False
            with nogil:
                self.game.start(self.state)
                self.play_game(rivals, returns)
            if self.is_full:
                raise MemoryError("there is no memory for the records of self-play")
            if self.is_broken:
                raise contract_error(self.game)
            found = [returns[seat] for seat in range(self.game.num_seats)]
            self.results.append(found)
            self.num_games += 1
            return found
        finally:
            self.is_running = False

    def choose(self, bytes state, Seed seed not None) -> int:
        """Return the move that the net's player would play in a state; see self_play.pyi."""
        cdef int num_moves, best
        cdef int seat = self.game.node_of(state)
        if seat < 0:
            raise InputError("no seat is to move", field="state")
        self.begin()
        try:
            self.seed(seed)
            self.is_broken = False
            memcpy(self.state, self.game.pointer(state), self.game.state_bytes)
            self.observe(seat)
            best = self.decide(seat, False, &num_moves)
            if best < 0 or self.is_broken:
                raise contract_error(self.game)
            return self.moves[best]
        finally:
            self.is_running = False

    def records(self) -> Records:
        """Return the records of all games so far, and forget them; see self_play.pyi."""
        cdef Column* column
        cdef int which
        found = []
        self.begin()
        try:
            for which in range(NUM_COLUMNS):
                column = &self.columns[which]
                found.append(np.frombuffer(
                    PyBytes_FromStringAndSize(column.data, column.used), dtype=DTYPES[which]))
                column.used = 0
            results, self.results, self.num_games = self.results, [], 0
        finally:
            self.is_running = False
        for which in (NUM_ACTIVE, VALUES, HEURISTICS):
            found[which] = found[which].reshape(-1, self.game.num_seats)
        returns = np.array(results, dtype=np.float32).reshape(-1, self.game.num_seats)
        return Records(*found, returns)

    # --- one game -----------------------------------------------------------------------------

    cdef void play_game(self, uint32_t rival_seats, double* out) noexcept nogil:
        cdef int node, best, num_moves
        cdef uint32_t move
        for _ in range(self.max_plies):
            node = self.game.node(self.state)
            if node == TERMINAL:
                self.game.returns(self.state, out)
                self.is_broken |= not are_shares(out, self.game.num_seats)
                return
            if node == CHANCE:
                if self.with_chance and uniform(self.sample_rng) < self.share:
                    self.record(0, False, 0, 0)
                move = self.game.sample_outcome(self.state, self.chance_rng)
                if move == <uint32_t>NO_MOVE:
                    self.is_broken = True
                    return
            else:
                if not 0 <= node < self.game.num_seats:
                    self.is_broken = True
                    return
                self.observe(node)
                best = self.decide(node, rival_seats >> node & 1, &num_moves)
                if best < 0 or self.is_broken:
                    self.is_broken = True
                    return
                if uniform(self.sample_rng) < self.share:
                    self.record(node, rival_seats >> node & 1, num_moves, best)
                move = self.moves[best]
                if num_moves > 1 and uniform(self.choice_rng) < self.epsilon:
                    move = self.moves[below(self.choice_rng, num_moves)]
            self.game.apply(self.state, move)
        self.game.evaluate(self.state, out)
        self.is_broken |= not are_shares(out, self.game.num_seats)

    cdef void observe(self, int seat) noexcept nogil:
        memset(self.seen, 0, self.game.state_bytes)
        self.game.observe(self.state, seat, self.seen)

    cdef int decide(self, int seat, bint is_rival, int* num_moves) noexcept nogil:
        cdef int num_seats = self.game.num_seats
        cdef int count = listed(self.game, self.seen, seat, self.moves, NULL)
        cdef int best = 0
        cdef int num_best = 1
        cdef int i
        cdef double lead
        num_moves[0] = count
        if count <= 1:
            return count - 1
        memset(self.shares, 0, count * num_seats * sizeof(double))
        for _ in range(self.num_worlds):
            self.game.determinize(self.seen, self.world_rng, self.world)
            for i in range(count):
                self.look_ahead(self.moves[i], is_rival, self.shares + i * num_seats)
        for i in range(1, count):
            lead = self.shares[i * num_seats + seat] - self.shares[best * num_seats + seat]
            if lead > 0:
                best, num_best = i, 1
            elif lead == 0:
                num_best += 1
                if below(self.choice_rng, num_best) == 0:
                    best = i
        return best

    cdef void look_ahead(self, uint32_t move, bint is_rival, double* sums) noexcept nogil:
        cdef double[MAX_SEATS] found
        cdef int seat
        memcpy(self.child, self.world, self.game.state_bytes)
        self.game.apply(self.child, move)
        if settle(self.game, self.child, self.world_rng) == NO_NODE_HERE:
            self.is_broken = True
            return
        self.evaluate(self.child, is_rival, found)
        self.is_broken |= not are_shares(found, self.game.num_seats)
        for seat in range(self.game.num_seats):
            sums[seat] += found[seat]

    cdef void evaluate(self, const void* state, bint is_rival, double* out) noexcept nogil:
        if self.game.node(state) == TERMINAL:
            self.game.returns(state, out)
        elif is_rival and self.rival is not None:
            self.rival.evaluate(self.game, state, out)
        elif not is_rival and self.net is not None:
            self.net.evaluate(self.game, state, out)
        else:
            self.game.evaluate(state, out)

    # --- records ------------------------------------------------------------------------------

    cdef void record(self, int seat, bint is_rival, int num_moves, int best) noexcept nogil:
        cdef int32_t[MAX_FEATURES] active
        cdef int16_t[MAX_FEATURES] narrow
        cdef double[MAX_SEATS] shares
        cdef float[MAX_SEATS] values
        cdef float[MAX_SEATS] heuristics
        cdef int num_seats = self.game.num_seats
        cdef int other, i
        cdef int16_t count, chosen = best, listed_actions = 0
        cdef int32_t action
        cdef int32_t number = self.num_games
        cdef int8_t decider = seat
        for other in range(num_seats):
            count = listed_features(self.game, self.state, other, active)
            if count < 0:
                self.is_broken = True
                count = 0
            for i in range(count):
                narrow[i] = active[i]
            self.append(FEATURES, narrow, count * sizeof(int16_t))
            self.append(NUM_ACTIVE, &count, sizeof(count))
        if self.game.num_actions:
            listed_actions = num_moves
            for i in range(num_moves):
                action = self.game.action_index(self.moves[i])
                self.append(ACTIONS, &action, sizeof(action))
        self.game.evaluate(self.state, shares)
        for other in range(num_seats):
            heuristics[other] = shares[other]
        self.evaluate(self.state, is_rival, shares)
        for other in range(num_seats):
            values[other] = (self.shares[best * num_seats + other] / self.num_worlds
                             if num_moves > 1 else shares[other])
        self.append(GAMES, &number, sizeof(number))
        self.append(SEATS, &decider, sizeof(decider))
        self.append(NUM_ACTIONS, &listed_actions, sizeof(listed_actions))
        self.append(CHOSEN, &chosen, sizeof(chosen))
        self.append(VALUES, values, num_seats * sizeof(float))
        self.append(HEURISTICS, heuristics, num_seats * sizeof(float))

    cdef void append(self, Which which, const void* data, size_t size) noexcept nogil:
        self.is_full |= not append_to(&self.columns[<int>which], data, size)
