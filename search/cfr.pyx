"""Tabular CFR+ and exploitability by exact best responses; see cfr.pxd and cfr.pyi.

An iteration has four passes: for each seat one backward over its information sets, which values
them against the rival's plan and updates regrets, and one forward, which turns regrets into the new
plan and adds it to the average. A check of NashConv has the same four passes over the average. They
are done a slice at a time and can be left and resumed anywhere, so that slices change no answer.

Source: Tammelin 2014, "Solving Large Imperfect Information Games Using CFR+": regret matching+,
alternating updates, averages weighted linearly. What iteration t adds to the average, with weight
t, is the policy after its update.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport INFINITY
from libc.stdlib cimport free
from libc.string cimport memset

from kingmaker.cext.clock cimport monotonic_ns
from kingmaker.cext.game cimport Game
from kingmaker.cext.signals cimport goes_on, next_look

from .cfr_player cimport (
    ARRAYS, Player, end_as_last, end_with_rival, gather, gather_reach, respond, set_up, sets_of,
    take_average, update_plan, update_regrets)
from .searcher cimport STOP_CANCELLED, STOP_SIMULATIONS, STOP_SOLVED, STOP_TIME
from .sequence_form cimport NONE, InformationSet

from collections import namedtuple

from numpy.random import SFC64

from kingmaker.cext.errors import InputError, StateError

from .sequence_form import TreeTooLarge

__all__ = ["CfrSolver", "InformationSetPolicy", "TreeTooLarge", "public_root"]


cdef enum Phase:
    # The passes of an iteration, then those of a check.
    BACKWARD_0, FORWARD_0, BACKWARD_1, FORWARD_1, AVERAGE_0, AVERAGE_1, BEST_0, BEST_1

cdef enum:
    SLICE = 20_000       # entries and sequences between looks at clock and cancel, about 50 us
    FEW = 2048           # sequences or information sets of other work between looks at cancel
    CHECK_EVERY = 8      # iterations at first between checks, which cost about one each
    CHECK_PART = 64      # later a check follows so large a part of the iterations before
    WORLDS = 32          # worlds that must all equal the state if nothing is hidden

cdef double ROUNDING = 1e-6      # how far probabilities given may be from summing to 1

InformationSetPolicy = namedtuple(
    "InformationSetPolicy", "seat observation moves policy reach")


cdef class CfrSolver:
    """Solves a game of two seats from a state without hidden information; see cfr.pyi."""

    def __init__(self, Game game, bytes root_state, size_t memory_bytes):
        self.form = SequenceForm(game, root_state, memory_bytes)
        check_public(game, root_state)
        self.nash_conv = INFINITY
        self.next_check = 2
        self.checked = NONE

    def __dealloc__(self):
        cdef int seat
        with nogil:   # to unmap a gigabyte takes a tenth of a second
            for seat in range(NUM_SEATS):
                free(self.players[seat].regrets)   # with the other arrays behind it

    def build(self, int64_t deadline_ns=0) -> int:
        """Continue building the tree; see cfr.pyi."""
        code = self.form.build(deadline_ns)
        if code == STOP_SOLVED and not self.is_ready:
            self._claim_arrays()
        return code

    def _claim_arrays(self):
        cdef size_t[NUM_SEATS] num_bytes
        cdef Player* player
        cdef int seat
        for seat in range(NUM_SEATS):
            num_bytes[seat] = ARRAYS * self.form.sides[seat].num_sequences * sizeof(double)
        if num_bytes[0] + num_bytes[1] > self.form.memory_limit - self.form.memory_bytes:
            raise self.form.too_large(self.form.memory_bytes + num_bytes[0] + num_bytes[1])
        for seat in range(NUM_SEATS):
            player = &self.players[seat]
            if player.regrets == NULL:
                player.side = &self.form.sides[seat]
                player.regrets = <double*>self.form.claim(num_bytes[seat])
            if player.regrets == NULL:
                raise MemoryError(f"no {num_bytes[seat]} bytes for the solver")
            set_up(player, SLICE)
        self.is_ready = True

    def run(self, int64_t max_iterations=0, double target_nash_conv=0.0, int64_t deadline_ns=0):
        """Iterate; see cfr.pyi."""
        cdef StopCode code
        if max_iterations < 0:
            raise InputError(
                f"max_iterations is {max_iterations}; it must be at least 0",
                field="max_iterations", value=str(max_iterations))
        if not 0.0 <= target_nash_conv < INFINITY:
            raise InputError(
                f"target_nash_conv is {target_nash_conv}; it must be a number from 0 up",
                field="target_nash_conv", value=str(target_nash_conv))
        self._check_free()
        self.is_running = True
        try:
            while True:
                with nogil:
                    code = self.loop(max_iterations, target_nash_conv, next_look(deadline_ns))
                if code != STOP_TIME or not goes_on(deadline_ns):
                    return code
        finally:
            self.is_running = False

    cdef StopCode loop(
            self, int64_t max_iterations, double target, int64_t deadline_ns) noexcept nogil:
        cdef int64_t work = 0   # since the last look at the clock; a slice is done in any case
        cdef bint is_last, is_due
        while True:
            if self.is_cancelled:
                return STOP_CANCELLED
            if self.phase == BACKWARD_0 and self.cursor == 0:
                if self.checked == self.iteration and 0.0 < target >= self.nash_conv:
                    return STOP_SOLVED
                is_last = max_iterations != 0 and self.iteration > max_iterations
                is_due = is_last or self.iteration >= self.next_check
                if is_last and self.checked == self.iteration:
                    return STOP_SIMULATIONS
                if is_due and self.checked != self.iteration:
                    self.phase = AVERAGE_0
            if deadline_ns and work >= SLICE:
                if monotonic_ns() >= deadline_ns:
                    return STOP_TIME
                work = 0
            work += self.advance()

    cdef int64_t advance(self) noexcept nogil:
        """Do a slice of the present pass; returns about how much work it was."""
        cdef int seat = self.phase & 1 if self.phase >= AVERAGE_0 else self.phase >> 1
        cdef Player* own = &self.players[seat]
        cdef Player* rival = &self.players[1 - seat]
        cdef int32_t left = own.side.num_sets - self.cursor
        cdef int32_t count = min(left, own.slice)
        cdef int32_t begin = self.cursor
        # Where the slice begins for a backward pass, which comes from the other end.
        cdef int32_t lower = left - count
        if self.phase == FORWARD_0 or self.phase == FORWARD_1:
            update_plan(own, self.iteration, begin, begin + count)
        elif self.phase == AVERAGE_0 or self.phase == AVERAGE_1:
            take_average(own, begin, begin + count)
        elif self.phase == BEST_0 or self.phase == BEST_1:
            respond(own, rival.average, lower, left)
        elif self.iteration > 0:   # the first plans need no regrets
            update_regrets(own, rival.plan, lower, left)
        self.cursor += count
        if count == left:
            self.end_pass()
        return 1 + SLICE * <int64_t>count // own.slice

    cdef void end_pass(self) noexcept nogil:
        cdef int seat
        self.cursor = 0
        if self.phase == FORWARD_1:
            self.iteration += 1
            self.phase = BACKWARD_0
            for seat in range(NUM_SEATS):
                self.players[seat].values[0] = 0.0
        elif self.phase == BEST_1:
            self.phase = BACKWARD_0
            for seat in range(NUM_SEATS):
                self.measured[seat] = self.players[seat].value + self.at_once(seat)
            self.nash_conv = self.gain()
            self.checked = self.iteration
            if self.iteration >= self.next_check:
                self.next_check = self.iteration + max(
                    <int64_t>CHECK_EVERY, self.iteration // CHECK_PART)
        else:
            self.phase += 1

    cdef double gain(self) noexcept nogil:
        """Return NashConv when the best responses of both seats are known, and forget them.

        The values that the best responders improve on sum to 1.
        """
        cdef double total = -1.0
        cdef int seat
        for seat in range(NUM_SEATS):
            total += self.players[seat].best[0] + self.at_once(seat)
            self.players[seat].best[0] = self.players[seat].value = 0.0
        return total

    cdef double at_once(self, int seat) noexcept nogil:
        """Value of the histories in which a seat decides nothing, for that seat."""
        return gather(self.players[seat].side, 0, self.players[1 - seat].average)

    cdef void restart_check(self) noexcept nogil:
        """Make `best` and `average` free for other work; a check left halfway begins anew.

        Other work leaves zeros in `best`, and begins with them too or clears it.
        """
        cdef int seat
        if self.phase >= AVERAGE_0:
            self.phase = AVERAGE_0
            self.cursor = 0
        for seat in range(NUM_SEATS):
            self.players[seat].value = 0.0

    cdef void clear_best(self) noexcept nogil:
        cdef int seat
        for seat in range(NUM_SEATS):
            memset(self.players[seat].best, 0,
                   self.players[seat].side.num_sequences * sizeof(double))

    cdef void take_averages(self) noexcept nogil:
        """Write both average policies as plans; a check left halfway finds what it expects."""
        cdef int seat
        for seat in range(NUM_SEATS):
            take_average(&self.players[seat], 0, self.players[seat].side.num_sets)

    def cancel(self) -> None:
        """End `build`, `run` or the start of `information_sets` within a millisecond."""
        self.is_cancelled = True
        self.form.cancel()

    @property
    def iterations(self) -> int:
        """Completed iterations."""
        return max(self.iteration - 1, 0)

    @property
    def num_histories(self) -> int:
        """Histories of the tree, as far as it is built."""
        return self.form.num_histories

    @property
    def num_information_sets(self) -> int:
        """Information sets of both seats, as far as the tree is built."""
        return self.form.num_information_sets

    @property
    def memory_bytes(self) -> int:
        """Bytes that tree and solver hold now."""
        return self.form.memory_bytes

    @property
    def measured_values(self) -> tuple:
        """The values of the policies of `nash_conv`; see cfr.pyi."""
        return () if self.nash_conv == INFINITY else (self.measured[0], self.measured[1])

    def values(self) -> tuple:
        """Return the expected win share of each seat under the average policies; see cfr.pyi."""
        cdef double[NUM_SEATS] sums
        cdef int seat
        cdef int32_t s
        self._check_free()
        self.is_judging = True
        with nogil:
            self.take_averages()
            for seat in range(NUM_SEATS):
                sums[seat] = 0.0
                for s in range(self.players[seat].side.num_sequences):
                    sums[seat] += self.players[seat].average[s] * gather(
                        self.players[seat].side, s, self.players[1 - seat].average)
        self.is_judging = False
        return (sums[0], sums[1])

    def policy(self, path) -> list:
        """Return the average policy where a path from the root leads; see cfr.pyi."""
        self._check_idle()
        seat, index = self.form.locate(path)
        return self._policy_at(seat, index)

    def _policy_at(self, int seat, int32_t index) -> list:
        cdef const InformationSet* found = sets_of(&self.players[seat]) + index
        cdef const double* sums = self.players[seat].sums
        cdef int32_t s
        weights = [sums[s] for s in range(found[0].first, found[1].first)]
        total = sum(weights)
        return [weight / total if total > 0 else 1.0 / len(weights) for weight in weights]

    def information_sets(self):
        """Iterate over the information sets and their average policies; see cfr.pyi."""
        cdef bint is_done
        self._check_free()
        self.is_judging = True
        try:
            self.restart_check()
            with nogil:
                is_done = self.average_in_slices()
            if not is_done:
                raise InterruptedError("the solver was cancelled")
            reaches = [self._reaches(seat) for seat in range(NUM_SEATS)]
        finally:
            self.is_judging = False
        return self._information_sets(reaches)

    cdef bint average_in_slices(self) noexcept nogil:
        """Write both average policies as plans; False if cancelled."""
        cdef Player* player
        cdef int32_t begin, end
        cdef int seat
        for seat in range(NUM_SEATS):
            player = &self.players[seat]
            begin = 0
            while begin < player.side.num_sets:
                if self.is_cancelled:
                    return False
                end = min(begin + FEW, player.side.num_sets)
                take_average(player, begin, end)
                begin = end
        return True

    def _information_sets(self, reaches):
        for seat in range(NUM_SEATS):
            for index, reach in enumerate(reaches[seat]):
                self._check_idle()
                yield InformationSetPolicy(
                    seat, self.form.observation_at(seat, index), self.form.moves_at(seat, index),
                    self._policy_at(seat, index), reach)

    def _reaches(self, int seat):
        """Return the reach of each information set under both average policies."""
        # Not a typed memoryview: its support code would be two fifths of this module's C.
        reaches = bytearray(self.players[seat].side.num_sets * sizeof(double))
        cdef double* first = <double*>PyByteArray_AS_STRING(reaches)
        cdef bint is_done
        with nogil:
            is_done = self.spread(seat, first)
        if not is_done:
            raise InterruptedError("the solver was cancelled")
        return memoryview(reaches).cast("d")

    cdef bint spread(self, int seat, double* reaches) noexcept nogil:
        """Add up the reach of each information set under the averages; False if cancelled."""
        cdef Player* own = &self.players[seat]
        cdef Player* rival = &self.players[1 - seat]
        cdef int32_t num_own = own.side.num_sequences
        cdef int32_t num_rival = rival.side.num_sequences
        cdef int32_t begin, end
        begin = 0
        while begin < num_own:
            if self.is_cancelled:
                return False
            end = min(begin + FEW, num_own)
            end_as_last(own, rival, begin, end)
            begin = end
        begin = 0
        while begin < num_rival:
            if self.is_cancelled:
                return False
            end = min(begin + FEW, num_rival)
            end_with_rival(own, rival, begin, end)
            begin = end
        end = own.side.num_sets
        while end > 0:
            if self.is_cancelled:
                return False
            begin = max(end - FEW, 0)
            gather_reach(own, reaches, begin, end)
            end = begin
        own.best[0] = 0.0
        return True

    def nash_conv_of(self, policy) -> float:
        """Return the NashConv of any policy on this tree; see cfr.pyi."""
        cdef int seat
        cdef double found
        self._check_free()
        self.is_judging = True
        try:
            self.restart_check()
            for seat in range(NUM_SEATS):
                self._take_policy(seat, policy)
            with nogil:
                self.clear_best()
                for seat in range(NUM_SEATS):
                    respond(&self.players[seat], self.players[1 - seat].average, 0,
                            self.players[seat].side.num_sets)
                found = self.gain()
        finally:
            self.is_judging = False
        return found

    def _take_policy(self, int seat, policy):
        """Write a policy given as a mapping or a function as the plan to be judged."""
        cdef Player* player = &self.players[seat]
        cdef const InformationSet* sets = sets_of(player)
        cdef int32_t i, k
        for i in range(player.side.num_sets):
            moves = self.form.moves_at(seat, i)
            observation = self.form.observation_at(seat, i)
            if callable(policy):
                given = policy(seat, observation, moves)
            else:
                given = policy.get((seat, observation), ())
            probabilities = checked_policy(self.form.game, observation, moves, given)
            for k in range(len(moves)):
                player.average[sets[i].first + k] = (
                    player.average[sets[i].parent] * <double>probabilities[k])

    def _check_free(self):
        """As `_check_idle`, and no other thread writes the policies that are judged."""
        self._check_idle()
        if self.is_judging:
            raise RuntimeError("this solver already judges policies on another thread")

    def _check_idle(self):
        if not self.is_ready:
            raise RuntimeError("the tree is not built yet; call build until it returns 2")
        if self.is_running:
            raise RuntimeError("this solver already runs on another thread")


def checked_policy(Game game, bytes observation, tuple moves, given) -> list:
    """Return probabilities, made to sum to 1 exactly.

    Raises:
        InputError: they are not a probability for each move.
    """
    probabilities = [float(each) for each in given]
    if (len(probabilities) != len(moves) or not min(probabilities) >= 0.0
            or not abs(sum(probabilities) - 1.0) <= ROUNDING):   # NaN fails either way
        raise InputError(
            f"the policy at {game.text(observation)} must be {len(moves)} probabilities that sum "
            f"to 1, not {probabilities}", field="policy", value=str(probabilities))
    total = sum(probabilities)
    return [each / total for each in probabilities]


def check_public(Game game, bytes state) -> None:
    """Check that a full state has no hidden information.

    Raises:
        StateError: the worlds of some seat's observation include other states.
    """
    seat = blind_seat(game, state)
    if seat is not None:
        raise StateError(
            f"p{seat + 1} does not see all of this position: {game.text(state)}; a game is solved "
            "from one at which nothing is hidden, as its start", field="position")


def blind_seat(Game game, bytes state) -> int | None:
    """Return a seat that does not see all of a full state, or None."""
    generator = SFC64(1)
    for seat in range(game.num_seats if game.is_hidden else 0):
        observation = game.observed(state, seat)
        for _ in range(WORLDS):
            if game.determinized(observation, generator) != state:
                return seat
    return None


def public_root(Game game, bytes state) -> tuple:
    """Return the latest state without hidden information, and the path from it; see cfr.pyi."""
    found = game.history_of(state)
    if found is None and blind_seat(game, state) is None:
        return state, []
    if found is None:
        raise StateError(
            f"this position of {game.name} has hidden information and no history; "
            "solve a position without hidden information", field="position")
    root, moves = found
    check_public(game, root)
    return root, moves
