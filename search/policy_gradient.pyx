"""See policy_gradient.pxd and policy_gradient.pyi."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from kingmaker.cext.game cimport (
    CHANCE, MAX_FEATURES, MAX_PLAYOUT, MAX_SEATS, MOVES_ROOM, NO_MOVE, TERMINAL, are_shares, listed)
from kingmaker.cext.net cimport MAX_HIDDEN
from kingmaker.cext.net_kernels cimport net_product
from kingmaker.cext.rng cimport stream_of, uniform
from kingmaker.cext.signals cimport heed_signals
from kingmaker.cext.softmax cimport net_softmax

from .columns cimport append_to

from typing import NamedTuple

import numpy as np

from kingmaker.cext.errors import InputError, check_whole
from kingmaker.cext.contract import contract_error
from kingmaker.cext.tunable_game import MOST_GAMES


class Lesson(NamedTuple):
    """See policy_gradient.pyi."""

    shares: list
    plies: float
    gradient: dict


cdef class PolicyGradient:
    """See policy_gradient.pyi."""

    def __init__(self, Game game not None, *, double trace=0.8, double entropy=0.001):
        if not (game.num_features and game.num_actions and game.has_prior_weights):
            raise InputError(
                f"{game.name} lacks features, actions or a learned policy", field="game",
                value=game.name)
        if not 0 <= trace <= 1:
            raise InputError(f"trace is {trace}; it must be 0 to 1", field="trace",
                             value=str(trace))
        if not 0 <= entropy <= 1:
            raise InputError(f"entropy is {entropy}; it must be 0 to 1", field="entropy",
                             value=str(entropy))
        self.game, self.trace, self.entropy = game, trace, entropy

    def __dealloc__(self):
        cdef int which
        for which in range(NUM_TRAILS):
            free(self.columns[which].data)

    def play(self, Net net not None, bit_generator, num_games, *, seat=None, Net rival=None,
             bint learn=True) -> Lesson:
        """Play games; see policy_gradient.pyi."""
        check_policy(net, self.game, "net")
        if rival is not None:
            check_policy(rival, self.game, "rival")
            if seat is None:
                raise InputError("the net has all seats, and leaves none to a rival", field="rival")
        check_whole("num_games", num_games, 1, MOST_GAMES)
        if seat is not None:
            check_whole("seat", seat, 0, self.game.num_seats - 1)
        cdef int number = num_games
        cdef uint32_t seats = (1 << self.game.num_seats) - 1 if seat is None else 1 << int(seat)
        cdef bitgen_t* rng = stream_of(bit_generator)
        cdef bytearray owned = bytearray(self.game.state_bytes)
        cdef void* state = PyByteArray_AS_STRING(owned)
        cdef double[MAX_SEATS] returns
        cdef double[MAX_SEATS] sums
        cdef long long plies = 0
        cdef int64_t due_ns = 0
        cdef int i, _game
        cdef Slopes slopes
        if self.is_running:
            raise RuntimeError("these games are already being played on another thread")
        self.is_running = True
        try:
            gradient = slopes_of(net, &slopes) if learn else {}
            memset(sums, 0, sizeof(sums))
            self.is_broken = self.is_full = False
            with nogil:
                for _game in range(number):
                    heed_signals(&due_ns)
                    if self.is_cancelled:
                        break
                    plies += self.play_game(net, seats, rival, learn, state, rng, returns)
                    if self.is_broken or self.is_full:
                        break
                    for i in range(self.game.num_seats):
                        sums[i] += returns[i]
                    if learn:
                        self.learn(net, returns, &slopes)
            if self.is_cancelled:
                raise RuntimeError("these games were cancelled")
            if self.is_full:
                raise MemoryError("there is no memory for the decisions of a game")
            if self.is_broken:
                raise contract_error(self.game)
        finally:
            self.is_running = False
        return Lesson(
            [sums[i] / number for i in range(self.game.num_seats)],
            <double>plies / number,
            {name: array[tuple(map(slice, net.weights[name].shape))] / np.float32(number)
             for name, array in gradient.items()})

    def cancel(self) -> None:
        """End `play` after the present game; see policy_gradient.pyi."""
        self.is_cancelled = True

    # --- one game -----------------------------------------------------------------------------

    cdef int play_game(
            self, Net net, uint32_t seats, Net rival, bint learns, void* state, bitgen_t* rng,
            double* out) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] moves
        cdef uint32_t move
        cdef int node, num_moves, chosen
        cdef bint is_rival
        cdef int plies = 0
        for node in range(NUM_TRAILS):
            self.columns[node].used = 0
        self.game.start(state)
        while True:
            node = self.game.node(state)
            if node == TERMINAL:
                self.game.returns(state, out)
                self.is_broken |= not are_shares(out, self.game.num_seats)
                return plies
            is_rival = node != CHANCE and not seats >> node & 1
            if node == CHANCE:
                move = self.game.sample_outcome(state, rng)
            elif is_rival and rival is None:
                move = self.game.playout_move(state, rng)
            else:
                num_moves = listed(self.game, state, node, moves, NULL)
                if num_moves < 1:
                    self.is_broken = True
                    return plies
                chosen = 0
                if num_moves > 1 and is_rival:
                    chosen = self.choose(rival, state, node, moves, num_moves, False, rng)
                elif num_moves > 1:
                    chosen = self.choose(net, state, node, moves, num_moves, learns, rng)
                move = moves[chosen]
            if move == <uint32_t>NO_MOVE or plies == MAX_PLAYOUT or self.is_full or self.is_broken:
                self.is_broken |= not self.is_full
                return plies
            self.game.apply(state, move)
            plies += 1

    cdef int choose(
            self, Net net, const void* state, int seat, const uint32_t* moves, int num_moves,
            bint learns, bitgen_t* rng) noexcept nogil:
        cdef int32_t[MAX_FEATURES] active
        cdef int32_t[MOVES_ROOM] actions
        cdef double[MOVES_ROOM] chances
        cdef double[MAX_SEATS] values
        cdef float[MAX_HIDDEN] first
        cdef float[MAX_HIDDEN] second
        cdef Decision decision
        cdef double point
        cdef int i
        decision.seat, decision.num_moves = seat, num_moves
        decision.num_features = self.game.features(state, seat, active)
        if not net.hidden(active, decision.num_features, first, second):
            self.is_broken = True
            return 0
        self.game.prior_weights(state, moves, num_moves, chances)
        for i in range(num_moves):
            actions[i] = self.game.action_index(moves[i])
            if not 0 <= actions[i] < net.num_actions:
                self.is_broken = True
                return 0
            chances[i] = 2 * log(chances[i]) + net.bp[actions[i]] + net_product(
                net.wp + <size_t>actions[i] * net.size2, second, net.size2)
        net_softmax(chances, num_moves)
        point = uniform(rng)
        decision.chosen = 0
        while decision.chosen < num_moves - 1 and point >= chances[decision.chosen]:
            point -= chances[decision.chosen]
            decision.chosen += 1
        if learns:
            self.game.evaluate(state, values)
            decision.value = values[seat]
            self.append(DECISIONS, &decision, sizeof(decision))
            self.append(FEATURES, active, decision.num_features * sizeof(int32_t))
            self.append(ACTIONS, actions, num_moves * sizeof(int32_t))
            self.append(CHANCES, chances, num_moves * sizeof(double))
            self.append(LAYERS, first, net.size1 * sizeof(float))
            self.append(LAYERS, second, net.size2 * sizeof(float))
        return decision.chosen

    cdef void learn(self, Net net, const double* returns, Slopes* slopes) noexcept nogil:
        cdef double[MAX_SEATS] later        # lambda return and value of the seat's next decision
        cdef double[MAX_SEATS] value
        cdef const Decision* decision = <const Decision*>(
            self.columns[<int>DECISIONS].data + self.columns[<int>DECISIONS].used)
        cdef const int32_t* active = <const int32_t*>(
            self.columns[<int>FEATURES].data + self.columns[<int>FEATURES].used)
        cdef const int32_t* actions = <const int32_t*>(
            self.columns[<int>ACTIONS].data + self.columns[<int>ACTIONS].used)
        cdef const double* chances = <const double*>(
            self.columns[<int>CHANCES].data + self.columns[<int>CHANCES].used)
        cdef const float* layers = <const float*>(
            self.columns[<int>LAYERS].data + self.columns[<int>LAYERS].used)
        cdef int seat
        for seat in range(self.game.num_seats):
            later[seat] = value[seat] = returns[seat]
        while <const char*>decision > self.columns[<int>DECISIONS].data:
            decision -= 1
            active -= decision.num_features
            actions -= decision.num_moves
            chances -= decision.num_moves
            layers -= net.size1 + net.size2
            seat = decision.seat
            later[seat] = self.trace * later[seat] + (1 - self.trace) * value[seat]
            value[seat] = decision.value
            add_slopes(net, slopes, decision, active, actions, chances, layers,
                       later[seat] - decision.value, self.entropy)

    cdef void append(self, Trail which, const void* data, size_t size) noexcept nogil:
        self.is_full |= not append_to(&self.columns[<int>which], data, size)


cdef int check_policy(Net net, Game game, str field) except -1:
    """Raise InputError unless a net fits a game and has a policy head."""
    net.check_fits(game)
    if not net.num_actions:
        raise InputError(f"the {field} has no policy head", field=field)
    return 0


# --- the gradient ---------------------------------------------------------------------------------

cdef dict slopes_of(Net net, Slopes* slopes):
    """Return arrays of zeros in the shapes of the net's own weights, and point to them."""
    shapes = {
        "w1": (net.num_features, net.size1), "b1": (net.size1,), "w2": (net.size1, net.size2),
        "b2": (net.size2,), "wp": (net.num_actions, net.size2), "bp": (net.num_actions,)}
    arrays = {name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}
    slopes.w1, slopes.b1 = start_of(arrays["w1"]), start_of(arrays["b1"])
    slopes.w2, slopes.b2 = start_of(arrays["w2"]), start_of(arrays["b2"])
    slopes.wp, slopes.bp = start_of(arrays["wp"]), start_of(arrays["bp"])
    return arrays


cdef float* start_of(array) except NULL:
    cdef float[::1] flat = array.reshape(-1)
    return &flat[0]


cdef void add_slopes(
        Net net, Slopes* slopes, const Decision* decision, const int32_t* active,
        const int32_t* actions, const double* chances, const float* layers, double credit,
        double entropy) noexcept nogil:
    """Add what raises the chosen move's probability, times the credit, and the entropy."""
    cdef float[MAX_HIDDEN] first        # slopes by the layers' units
    cdef float[MAX_HIDDEN] second
    cdef const float* units = layers + net.size1
    cdef double disorder = 0
    cdef float slope
    cdef int i, k, action
    for i in range(decision.num_moves):
        disorder -= chances[i] * log(max(1e-12, chances[i]))
    memset(second, 0, sizeof(second))
    for i in range(decision.num_moves):
        action = actions[i]
        slope = <float>(credit * ((i == decision.chosen) - chances[i]) - entropy * chances[i] * (
            log(max(1e-12, chances[i])) + disorder))
        slopes.bp[action] += slope
        add_scaled(slopes.wp + <size_t>action * net.size2, units, slope, net.size2)
        add_scaled(second, net.wp + <size_t>action * net.size2, slope, net.size2)
    for k in range(net.size2):
        if units[k] <= 0:
            second[k] = 0
    add_scaled(slopes.b2, second, 1, net.size2)
    for k in range(net.size1):
        first[k] = 0
        if layers[k] > 0:
            add_scaled(slopes.w2 + <size_t>k * net.size2, second, layers[k], net.size2)
            first[k] = net_product(net.w2 + <size_t>k * net.size2, second, net.size2)
    add_scaled(slopes.b1, first, 1, net.size1)
    for i in range(decision.num_features):
        add_scaled(slopes.w1 + <size_t>active[i] * net.size1, first, 1, net.size1)


cdef inline void add_scaled(
        float* sums, const float* numbers, float factor, int length) noexcept nogil:
    cdef int i
    for i in range(length):
        sums[i] += factor * numbers[i]
