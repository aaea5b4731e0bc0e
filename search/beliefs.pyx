"""The likelihood of a world, given the moves of rivals that its seat has seen; see beliefs.pyi.

A world has a past: the moves and outcomes that lead to it, from the latest state without hidden
information (`Game.history`), or else from the start as the record tells it (`Game.retell`). The
past is replayed, and each decision of a rival in the record counts with the probability of the
moves that would have looked the same, divided by the ways to make it with equal cards
(`Game.num_ways`).

Sources: Solinas, Rebstock and Buro 2019, "Improving Search with Supervised Learning in Trick-Based
Card Games"; Rebstock et al. 2019, "Policy Based Inference in Trick-Taking Card Games".
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING
from libc.math cimport INFINITY, NAN, exp, isnan, log
from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memcmp, memcpy

from kingmaker.cext.game cimport (
    CHANCE, HISTORY_ROOM, MAX_SEATS, MOVES_ROOM, NO_HISTORY, NO_MOVE, ROUNDING_OF_SUMS, TERMINAL,
    Game, listed)
from kingmaker.cext.rng cimport bitgen_t, stream_of

from collections.abc import Mapping

from kingmaker.cext.errors import InputError, check_kind, written

cdef enum:
    TRIES = 16      # pasts of a world, until one fits
    DRAWS = 24      # from the playout policy, to estimate its probabilities

cdef double UNSEEN = 0.5    # additional draws of each move


cdef class Past:
    """See beliefs.pyi."""

    cdef Game game
    cdef bytes observation
    cdef int observer, length, num_told, num_pasts
    cdef bytearray owned_seen, owned_seats, owned_told, owned_state, owned_ahead
    cdef uint32_t* seen
    cdef int8_t* seats
    cdef uint32_t* told         # room for the moves of a past
    cdef char* state
    cdef char* ahead
    cdef double temperature, floor
    cdef object policy
    cdef readonly int num_played
    cdef readonly bytes stopped_at
    cdef readonly bint has_past

    def __init__(
            self, Game game, bytes observation, list seen, list seats, double temperature,
            double floor, int num_pasts, policy):
        cdef int i
        self.game = game
        self.observation = observation
        self.observer = game.observer_of(observation)
        self.length = len(seen)
        self.owned_seen = bytearray((self.length + 1) * sizeof(uint32_t))
        self.owned_told = bytearray((self.length + HISTORY_ROOM) * sizeof(uint32_t))
        self.owned_seats = bytearray(self.length + 1)
        self.owned_state = bytearray(game.state_bytes)
        self.owned_ahead = bytearray(game.state_bytes)
        self.seen = <uint32_t*>PyByteArray_AS_STRING(self.owned_seen)
        self.told = <uint32_t*>PyByteArray_AS_STRING(self.owned_told)
        self.seats = <int8_t*>PyByteArray_AS_STRING(self.owned_seats)
        self.state = PyByteArray_AS_STRING(self.owned_state)
        self.ahead = PyByteArray_AS_STRING(self.owned_ahead)
        for i in range(self.length):
            self.seen[i] = seen[i]
            self.seats[i] = seats[i]
        self.temperature = temperature
        self.floor = floor
        self.policy = policy
        self.num_pasts = num_pasts
        self.num_played = -1
        self.has_past = False

    @property
    def moves(self) -> list:
        """The moves and outcomes of the past that was played last; see beliefs.pyi."""
        return [self.told[i] for i in range(self.num_told)]

    def log_likelihood(self, bytes world, bit_generator) -> float | None:
        """Return the logarithm of the likelihood of what was seen; see beliefs.pyi."""
        cdef bitgen_t* rng = stream_of(bit_generator)
        cdef const char* here = PyBytes_AS_STRING(world)
        cdef double found
        cdef double best = 0
        cdef double total = 0
        cdef int num_found = 0
        cdef int num_past, skipped
        num_past = self.game.history(here, self.state, self.told)
        if num_past != NO_HISTORY:
            self.has_past = True
            skipped = max(0, self.length - num_past)
            self.game.start(self.ahead)
            if memcmp(self.ahead, self.state, self.game.state_bytes) == 0:
                skipped = 0     # it tells of the whole game
            found = self.play(skipped, num_past, True, rng)
            return None if isnan(found) else found
        for _ in range(TRIES * self.num_pasts):
            if not self.game.retell(
                    here, self.observer, self.seen, self.seats, self.length, rng, self.told):
                continue
            self.has_past = True
            self.game.start(self.state)
            found = self.play(0, self.length, False, rng)
            if isnan(found):
                continue
            num_found += 1
            if found > -INFINITY:      # a mean of powers of e, without underflow
                if total == 0:
                    best = found
                elif found > best:
                    total *= exp(best - found)
                    best = found
                total += exp(found - best)
            if num_found == self.num_pasts:
                break
        if total == 0:
            return -INFINITY if num_found else None
        return best + log(total / num_found)

    cdef double play(
            self, int skipped, int length, bint is_of_world, bitgen_t* rng) except? -1:
        """Play `told` from `state`; NAN if that differs from what was seen, or is not possible.

        Args:
            skipped: entries of the record before it.
            length: of the past.
            is_of_world: the world itself tells it, hidden moves included: their probabilities tell
                worlds apart. Drawn pasts have other hidden moves of the same look each time.
        """
        cdef double total = 0
        cdef double probability
        cdef int i, node
        self.num_told = length
        for i in range(length):
            node = self.game.node(self.state)
            if skipped + i >= self.length:
                return self.stop(self.length)
            if not self.fits(node, skipped + i, self.told[i]):
                return self.stop(skipped + i)
            if node != CHANCE and node != self.observer:
                probability = self.probability_of(
                    node, self.told[i], self.seen[skipped + i], is_of_world, rng)
                total += log(probability) if probability > 0 else -INFINITY
            if node != CHANCE and self.seen[skipped + i] == self.told[i]:
                total -= log(self.game.num_ways(self.state, self.told[i], self.observer))
            self.game.apply(self.state, self.told[i])
        if skipped + length < self.length:
            return self.stop(skipped + length)
        if not self.game.is_consistent(self.observation, self.state[:self.game.state_bytes]):
            return self.stop(self.length)
        return total

    cdef double stop(self, int place):
        """Note how far the record could be followed, if that is farther than before."""
        if place > self.num_played:
            self.num_played = place
            self.stopped_at = self.state[:self.game.state_bytes]
        return NAN

    cdef bint fits(self, int node, int place, uint32_t move):
        """Whether a move or outcome is possible here, and looks like an entry of the record."""
        cdef uint32_t[MOVES_ROOM] moves
        cdef double[MOVES_ROOM] probabilities
        cdef int i
        if node == TERMINAL or (node != CHANCE and self.seats[place] != node):
            return False
        for i in range(listed(self.game, self.state, node, moves, probabilities)):
            if moves[i] == move:
                return self.game.seen_move(self.state, move, self.observer) == self.seen[place]
        return False

    cdef double probability_of(
            self, int seat, uint32_t move, uint32_t seen, bint is_itself, bitgen_t* rng) except? -1:
        """The probability with which a seat makes `move` here, or any that looks like `seen`."""
        cdef uint32_t[MOVES_ROOM] moves
        cdef bint[MOVES_ROOM] is_alike
        cdef int num_moves = listed(self.game, self.state, seat, moves, NULL)
        cdef int num_alike = 0
        cdef int i
        cdef double share
        for i in range(num_moves):
            is_alike[i] = moves[i] == move if is_itself else (
                self.game.seen_move(self.state, moves[i], self.observer) == seen)
            num_alike += is_alike[i]
        if num_alike == num_moves:
            return 1
        if self.policy is not None:
            share = 0
            policy = self.policy(self.state[:self.game.state_bytes], seat)
            check_kind(
                "what policy.choose returns", policy, Mapping,
                "a mapping of moves to probabilities")
            for i in range(num_moves):
                probability = self.checked(policy, moves[i])
                if is_alike[i]:
                    share += probability
        elif self.temperature > 0:
            share = self.by_evaluation(seat, moves, is_alike, num_moves)
        elif self.game.has_prior_weights:
            share = self.by_weights(moves, is_alike, num_moves)
        else:
            share = self.by_playouts(moves, is_alike, num_moves, rng)
        return self.floor * num_alike / num_moves + (1 - self.floor) * share

    cdef double checked(self, policy, uint32_t move) except? -1:
        """Return the probability of a move by the policy that was given."""
        if move not in policy:
            raise InputError(
                f"the policy has no probability of {self.game.move_text(move)}; it must have one "
                "of each legal move", field="policy.choose")
        cdef double number
        probability = policy[move]
        try:
            number = probability    # a Decimal or a tensor, too
        except (TypeError, OverflowError):
            number = NAN
        if not 0 <= number <= 1 + ROUNDING_OF_SUMS:
            raise InputError(
                f"the policy's probability of {self.game.move_text(move)} is "
                f"{written(probability, repr)}; it must be a number, 0 to 1", field="policy.choose",
                value=written(probability))
        return number

    cdef double by_evaluation(
            self, int seat, const uint32_t* moves, const bint* is_alike, int num_moves):
        """A softmax of the evaluations after the moves."""
        cdef double[MAX_SEATS] values
        cdef double[MOVES_ROOM] shares
        cdef double best = 0
        cdef double total = 0
        cdef double alike = 0
        cdef int i
        for i in range(num_moves):
            memcpy(self.ahead, self.state, self.game.state_bytes)
            self.game.apply(self.ahead, moves[i])
            if self.game.node(self.ahead) == TERMINAL:
                self.game.returns(self.ahead, values)
            else:
                self.game.evaluate(self.ahead, values)
            shares[i] = values[seat]
            best = max(best, values[seat])
        for i in range(num_moves):
            shares[i] = exp((shares[i] - best) / self.temperature)
            total += shares[i]
            if is_alike[i]:
                alike += shares[i]
        return alike / total

    cdef double by_weights(self, const uint32_t* moves, const bint* is_alike, int num_moves):
        """The playout policy, by `Game.prior_weights`: the square roots of its probabilities."""
        cdef double[MOVES_ROOM] weights
        cdef double total = 0
        cdef double alike = 0
        cdef int i
        self.game.prior_weights(self.state, moves, num_moves, weights)
        for i in range(num_moves):
            total += weights[i] * weights[i]
            if is_alike[i]:
                alike += weights[i] * weights[i]
        return alike / total if total > 0 else 0

    cdef double by_playouts(
            self, const uint32_t* moves, const bint* is_alike, int num_moves, bitgen_t* rng):
        """The playout policy, by draws from it."""
        cdef double alike = 0
        cdef uint32_t move
        cdef int i
        for i in range(num_moves):
            alike += UNSEEN if is_alike[i] else 0
        for _ in range(DRAWS):
            move = self.game.playout_move(self.state, rng)
            if move == <uint32_t>NO_MOVE:
                return 0
            for i in range(num_moves):
                if moves[i] == move:
                    alike += is_alike[i]
        return alike / (DRAWS + UNSEEN * num_moves)
