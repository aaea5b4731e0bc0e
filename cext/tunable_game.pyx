"""A game whose playout policy chooses by factors (choice.pxd), and games that teach them."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from .game cimport MAX_SEATS
from .net cimport Net
from .rng cimport bitgen_t, stream_of
from .signals cimport heed_signals

import numpy as np

from kingmaker.cext.errors import InputError, StateError, check_range, check_whole

# Products of OPTION_ROWS factors, and sums of these, stay in the range of doubles.
LEAST_FACTOR, MOST_FACTOR = 1e-19, 1e19
MOST_GAMES = 10**9      # of a call


cdef class TunableGame(ViewGame):

    def use_policy(self, factors) -> None:
        """Choose by other factors in playouts, see tunable_game.pyi."""
        self.check_own()
        values = np.asarray(factors, dtype=np.float64)
        self.check_rows()
        if values.shape != (self.num_rows,):
            raise ValueError(f"factors have the shape {values.shape}, not ({self.num_rows},)")
        if not ((values >= LEAST_FACTOR) & (values <= MOST_FACTOR)).all():
            raise ValueError(f"a factor is not from {LEAST_FACTOR} to {MOST_FACTOR}")
        self.values = bytearray(values.tobytes())
        self.factors.rows = <const double*>PyByteArray_AS_STRING(self.values)
        self.factors.num_rows = self.num_rows
        self.factors.gradient = NULL

    def use_prior_net(self, Net net) -> None:
        """Correct the policy by another net in priors, see tunable_game.pyi."""
        self.check_own()
        if net is not None:
            net.check_fits(self)
            if not net.num_actions:
                raise InputError("the net has no policy head", field="net")
        self.prior_net = net

    def policy_games(
            self, bit_generator, num_games, bint whole_wins=False, cost=0) -> tuple:
        """Play games of the policy against itself, see tunable_game.pyi."""
        self.check_rows()
        check_whole("num_games", num_games, 1, MOST_GAMES)
        check_range("cost", cost, 0, 1)
        cdef int number = num_games
        cdef double price = cost
        cdef bitgen_t* rng = stream_of(bit_generator)
        cdef bytearray scratch = bytearray(self.state_bytes)
        cdef char* state = scratch
        cdef int size = self.num_seats * self.num_rows
        cdef double* gradient = <double*>calloc(size + 3 * self.num_rows, sizeof(double))
        cdef double* taught = gradient + size
        cdef double* costly = taught + self.num_rows    # gradients times draws, and their sums
        cdef double* plain = costly + self.num_rows
        cdef double[MAX_SEATS] shares
        cdef double[MAX_SEATS] sums
        cdef int64_t[MAX_SEATS] draws
        cdef int64_t num_plies = 0
        cdef int64_t num_draws = 0
        cdef int64_t due_ns = 0
        cdef double share, mean, slope
        cdef int seat, i, _game
        if gradient == NULL:
            raise MemoryError
        memset(sums, 0, sizeof(sums))
        self.factors.gradient = gradient
        self.factors.draws = draws
        try:
            with nogil:
                for _game in range(number):
                    heed_signals(&due_ns)
                    memset(gradient, 0, size * sizeof(double))
                    memset(draws, 0, sizeof(draws))
                    self.start(state)
                    num_plies += self.playout(state, 0, rng, shares)
                    for seat in range(self.num_seats):
                        num_draws += draws[seat]
                        sums[seat] += shares[seat]
                        share = 0 if whole_wins and shares[seat] < 1 else shares[seat]
                        for i in range(self.num_rows):
                            slope = gradient[seat * self.num_rows + i]
                            taught[i] += (share - 1.0 / self.num_seats) * slope
                            costly[i] += draws[seat] * slope
                            plain[i] += slope
            mean = <double>num_draws / (<double>number * self.num_seats)
            return (
                [sums[seat] / number for seat in range(self.num_seats)],
                <double>num_plies / number,
                np.array([
                    (taught[i] - price * (costly[i] - mean * plain[i])) / number
                    for i in range(self.num_rows)]),
            )
        finally:
            self.factors.gradient = NULL
            self.factors.draws = NULL
            free(gradient)

    cdef void correct_priors(
            self, const void* state, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        if self.prior_net is not None:
            self.prior_net.correct(
                self, state, self.node(state), moves, num_moves, weights)

    cdef int check_own(self) except -1:
        if self.is_shared:
            raise StateError(
                "positions that were read share this game; change one of your own, "
                "type(game)(**game.options)", field="game")
        return 0

    cdef int check_rows(self) except -1:
        if not 0 < self.num_rows <= MAX_ROWS:
            raise ValueError(f"the policy has {self.num_rows} rows, not 1 to {MAX_ROWS}")
        return 0
