"""The engine contract: what a game must provide, its defaults, and the checks that it does.

Methods in C and class attributes; what Python calls is `Game` (game.pyx).
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING
from libc.math cimport NAN
from libc.string cimport memset

from kingmaker.cext.errors import ContractError, InputError, wrong_type
from kingmaker.cext.reasons import Numbers

from .rng cimport Seed, below, stream_of


cdef class Contract:
    """What search and solvers ask of a game in C (contract.pxd), and what describes it.

    Class attributes that every game sets:
        name: the id, e.g. `kingdom_coinquest`.
        title: the name for people.
        tag: first word of a position line.
        rules_version: changes whenever the same moves may lead to another state.
        seat_counts: the numbers of seats it can be played with.
        option_help: option -> one line with its values, its default and its rule.
        notation_help: how moves and positions are written, in a few lines.
        rules_markdown: the rules for people, of a game in a package of its own; those of ours are
            pages of docs/rules.
        is_hidden: whether the game has information that is hidden from some seat.
        reads_lines: whether right lines are read in C, in about a microsecond.
        is_tactical: whether a single reply may decide the game without a hint in the evaluation,
            so that search should look at all replies before it looks deeper.
        has_move_rolls: whether outcomes of chance nodes only determine the legal moves of the next
            decision: a move leads to the same state after each outcome that offers it. A search
            then evaluates the move once for all of these outcomes.
        search_width: default number of moves of a kind that `expectimax` searches, the best ones
            in full depth; 0: all. See the option `width` of the engine.
        world_depth: default of the option `depth` of `pimc`: plies to search in each world; less in
            a game of many moves.
        needs_mixing: whether a rival who knows a seat's policy can exploit any deterministic one,
            as in games with simultaneous moves or bluffs; a search then returns a mixed policy.
        prior_temperature: win share by which the evaluation after a move must be better to give it
            e times the prior of another in a tree search, 0.015 to 100; 0: priors are uniform.
        has_prior_weights: whether the playout policy makes the priors of tree searches, by
            `prior_weights`, unless a temperature is given: it is cheaper than an evaluation after
            each move.
        exploration: default of that option of `ismcts`, 0 to 100: less for a game with many moves
            whose evaluation is sharper than its playouts.
        root_exploration: default of that option of `ismcts`, 0 to 100: more where priors are too
            sure of a move for the choice itself, though right for what follows; 0: `exploration`.
        expansion: default of the option `expand` of `ismcts`: visits of a move before the trees of
            all seats grow after it, in games that need mixing.
        hostility: default of that option of `ismcts`: part of the searcher's loss in what rivals
            are taken to play for, with three seats and more, 0 to 1. More where values of the
            search are higher than results, as rivals do more harm than their own win asks for.
        rival_policy: default of that option of `ismcts`: part of rivals' choices in the tree that
            are drawn from the playout policy, 0 to 1, which must then use only what the seat to
            move sees. More where hands decide what is good and the policy plays nearly as well as a
            search.
        anchor_weight: win shares that a search may give up where it minimizes regret, to stay close
            to the playout policy, which must then use only what the seat to move sees; 0: no such
            bound.
        rival_temperature: win share by which the evaluation after a move of a rival must be better
            to make it e times as likely, when worlds are weighed by what rivals were seen to do, 0
            to 100; 0: the playout policy.
        rival_trust: power of the likelihood of what was seen, 0 to 1: less where that policy is not
            much like those of the rivals, and in games of many moves; 0: worlds weigh the same.
        uses_records: whether `ismcts` draws worlds by these weights where an observation has a
            record.
        handicaps: handicap of each level from 1 to 9, 0 to 1; see `kingmaker.search.levels`.
        side_marks: regular expressions of what belongs to each seat on a drawn board besides its
            p1, p2, ..., seat 1 first, for colours; empty: nothing.
        reasons: code of a `Refusal` -> `Reason`; see `kingmaker.cext.reasons`.
        numbers: names of the numbers in reasons.
    """

    name = ""
    title = ""
    tag = ""
    rules_version = "1"
    seat_counts = (2,)
    option_help = {}
    notation_help = ""
    rules_markdown = ""
    is_hidden = False
    reads_lines = False
    is_tactical = False
    has_move_rolls = False
    search_width = 0
    # A whole trick of four. 50 ms are enough for 80 worlds or more in Kingdom Coinquest and for 200
    # in the tricks of a card game; for 20 with as many moves as in its pass.
    world_depth = 4
    needs_mixing = False
    prior_temperature = 0.0
    has_prior_weights = False
    exploration = 0.7
    root_exploration = 0.0
    expansion = 1
    hostility = 0.0
    rival_policy = 0.0
    anchor_weight = 0.0
    rival_temperature = 0.0
    rival_trust = 0.0
    uses_records = False
    handicaps = (0.8, 0.74, 0.69, 0.65, 0.59, 0.53, 0.48, 0.44, 0.33)
    side_marks = ()
    reasons = {}
    numbers = Numbers()

    cdef void start(self, void* state) noexcept nogil:
        memset(state, 0, self.state_bytes)

    cdef int node(self, const void* state) noexcept nogil:
        return TERMINAL

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        return 0

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        return 0

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] outcomes
        cdef double[MOVES_ROOM] probabilities
        cdef int num_outcomes = listed(self, state, CHANCE, outcomes, probabilities)
        if num_outcomes == 0:
            return NO_MOVE
        return outcomes[quantile(probabilities, num_outcomes, rng.next_double(rng.state))]

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        pass

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef int seat
        for seat in range(self.num_seats):
            out[seat] = 1.0 / self.num_seats

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        pass

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        pass

    cdef void likely_world(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        self.determinize(observation, rng, out)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        return move

    cdef bint is_redundant(
            self, const void* state, uint32_t previous, uint32_t move) noexcept nogil:
        return False

    cdef bint is_pointless(self, const void* state, uint32_t move) noexcept nogil:
        return False

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return uniform_move(self, state, rng)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        cdef int seat
        for seat in range(self.num_seats):
            out[seat] = 1.0 / self.num_seats

    cdef void prior_weights(
            self, const void* state, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        cdef int i
        for i in range(num_moves):
            weights[i] = 1

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        cdef int plies = 0
        cdef int node
        cdef uint32_t move
        while True:
            node = self.node(state)
            if node == TERMINAL:
                self.returns(state, out)
                return plies
            if max_plies and plies >= max_plies:
                self.evaluate(state, out)
                return plies
            move = NO_MOVE
            if plies >= MAX_PLAYOUT:
                pass
            elif node == CHANCE:
                move = self.sample_outcome(state, rng)
            elif 0 <= node < self.num_seats:
                move = self.playout_move(state, rng)
            if move == <uint32_t>NO_MOVE:
                out[0] = NAN   # not a win share: every check of the shares finds the breach
                return plies
            self.apply(state, move)
            plies += 1

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        return NO_HISTORY

    cdef bint retell(
            self, const void* world, int observer, const uint32_t* seen, const int8_t* seats,
            int length, bitgen_t* rng, uint32_t* out) noexcept nogil:
        return False

    cdef double num_ways(
            self, const void* state, uint32_t move, int observer) noexcept nogil:
        return 1

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        return 0

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return 0

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return 0

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        return 0

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        return 0

    def failure(self) -> str:
        """Return which of its methods failed, and forget it; only where `has_failed`."""
        raise NotImplementedError

    cdef const void* pointer(self, bytes state) except NULL:
        if self.num_seats > MAX_SEATS:   # arrays with a place for each seat have no more room
            check_limits(self)
        if state is None:
            raise wrong_type("state", None, f"the {self.state_bytes} bytes of a state")
        if len(state) != <Py_ssize_t>self.state_bytes:
            raise InputError(
                f"a state of {self.name} has {self.state_bytes} bytes, not {len(state)}",
                field="state")
        return PyBytes_AS_STRING(state)


cdef uint32_t uniform_move(Contract game, const void* state, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MOVES_ROOM] moves
    cdef int num_moves = game.legal_moves(state, moves)
    if not 0 < num_moves <= game.max_moves:
        return NO_MOVE
    return moves[below(rng, num_moves)]


cdef int settle(Contract game, void* state, bitgen_t* rng) noexcept nogil:
    cdef int node = game.node(state)
    cdef int drawn = 0
    cdef uint32_t outcome
    while node == CHANCE:
        outcome = game.sample_outcome(state, rng)
        if outcome == <uint32_t>NO_MOVE or drawn == MAX_OUTCOMES:
            return NO_NODE_HERE
        game.apply(state, outcome)
        node = game.node(state)
        drawn += 1
    return node


cdef int quantile(const double* probabilities, int length, double point) noexcept nogil:
    """Return the index at `point`, in [0, 1), of a distribution: its inverse function."""
    cdef int i
    for i in range(length - 1):
        point -= probabilities[i]
        if point < 0:
            return i
    return length - 1


# --- what holds games to the contract -------------------------------------------------------------

BREACHES = (
    "a node names a seat that is not in the game, or lists no move or outcome, or more than "
    "max_moves; probabilities or win shares are negative, or don't sum to 1; a feature is none of "
    "the game's; a history is too long, or can't have happened; or a game does not come to an end")


def contract_error(Contract game not None, str what=BREACHES) -> ContractError:
    """Return the error for a breach of the engine contract; the default text lists all breaches."""
    if game.has_failed:
        what = game.failure()
    return ContractError(f"{game.name} breaks the engine contract: {what}")


def contract_error_at(Contract game not None, bytes state) -> ContractError:
    """Return the error for a breach that was found in a state; see contract.pyi."""
    what = breach_of(game, state)
    if what is None:    # it is of another state
        return contract_error(game)
    try:
        where = f"; the state is {game.text(state)}"
    except Exception:   # a game without lines, or one that can't write this state
        where = ""
    return ContractError(f"{what}{where}")


cdef object breach_of(Contract game, bytes state):
    """Return what is wrong with a state, its list or the playouts from it; None: nothing."""
    cdef double[MAX_SEATS] shares
    cdef uint32_t[MOVES_ROOM] moves
    cdef double[MOVES_ROOM] probabilities
    cdef const void* here = game.pointer(state)
    cdef int node
    try:
        node = node_at(game, here)
        if node == TERMINAL:
            game.returns(here, shares)
            if not are_shares(shares, game.num_seats):
                found = []
                for seat in range(game.num_seats):
                    found.append(shares[seat])
                return contract_error(
                    game, f"the end gives win shares of {found}, which are negative or don't sum "
                    "to 1")
        elif node == CHANCE:
            list_outcomes(game, here, moves, probabilities)
        else:
            list_moves(game, here, node, moves)
    except RuntimeError as error:
        return error
    return endlessness(game, state)


cdef object endlessness(Contract game, bytes state):
    """Return the error for a state from which a game does not come to an end; None: it does."""
    cdef double[MAX_SEATS] shares
    cdef bytearray scratch = bytearray(state)
    cdef char* here = PyByteArray_AS_STRING(scratch)
    cdef Seed seed = Seed(0)
    stream = seed.streams(1)[0]
    cdef bitgen_t* rng = stream_of(stream)
    cdef int plies
    if game.node(here) == CHANCE and settle(game, here, rng) == NO_NODE_HERE:
        return endless_chance(game)
    with nogil:
        plies = game.playout(here, 0, rng, shares)
    if plies >= MAX_PLAYOUT:
        return contract_error(
            game, f"a game has no end within {MAX_PLAYOUT:,} plies; every game must come to one, "
            "best by a limit of turns")


def check_outcomes(Contract game not None, Py_ssize_t number) -> None:
    """Check that chance has not decided too often in a row; see contract.pyi."""
    if number >= MAX_OUTCOMES:
        raise endless_chance(game)


cdef object endless_chance(Contract game):
    return contract_error(
        game, f"chance decides {MAX_OUTCOMES:,} times in a row; at last a seat must, or the game "
        "must end")


cpdef int check_limits(Contract game) except -1:
    """Check that searches and solvers have room for a game; see contract.pyi."""
    cdef uint32_t[HISTORY_ROOM] told
    cdef int length
    if game.keeps_limits:
        return 0
    check_limit(game, "num_seats", game.num_seats, MAX_SEATS)
    for num_seats in game.seat_counts:
        check_limit(game, "seat_counts", num_seats, MAX_SEATS)
    check_limit(game, "max_moves", game.max_moves, MAX_MOVES)
    check_limit(game, "state_bytes", game.state_bytes, MAX_STATE_BYTES)
    check_limit(game, "num_features", game.num_features, MAX_FEATURES, 0)
    check_limit(game, "num_actions", game.num_actions, MAX_ACTIONS, 0)
    cdef bytearray start = bytearray(game.state_bytes)
    cdef bytearray root = bytearray(game.state_bytes)
    game.start(PyByteArray_AS_STRING(start))
    length = game.history(PyByteArray_AS_STRING(start), PyByteArray_AS_STRING(root), told)
    if not NO_HISTORY <= length <= MAX_HISTORY:
        raise InputError(
            f"history of {game.name} tells {length} moves; it must be 0 to {MAX_HISTORY}, or "
            f"{NO_HISTORY} for none", field="history", value=str(length))
    if game.has_failed:
        raise contract_error(game)
    game.keeps_limits = True
    return 0


cdef int check_limit(Contract game, str field, Py_ssize_t value, int most, int least=1) except -1:
    """Raise InputError if a number is not `least` to `most`."""
    if not least <= value <= most:
        raise InputError(
            f"{field} of {game.name} is {value}; it must be {least} to {most}", field=field,
            value=str(value))
    return 0


cdef int node_at(Contract game, const void* here) except NO_NODE_HERE:
    """Return the node of a state; RuntimeError if the game breaks its contract."""
    cdef int node = game.node(here)
    if not TERMINAL <= node < game.num_seats:
        raise contract_error(
            game, f"{node} is to move in a game of {game.num_seats} seats; seats are 0 to "
            f"{game.num_seats - 1}, chance is {CHANCE} and the end {TERMINAL}")
    return node


cdef int list_moves(Contract game, const void* here, int node, uint32_t* moves) except -1:
    """List the legal moves, none unless a seat is to move; RuntimeError as in `node_at`."""
    if node < 0:
        return 0
    cdef int num_moves = listed(game, here, node, moves, NULL)
    if num_moves == 0:
        raise contract_error(game, f"a decision lists no move, or more than {game.max_moves}")
    return num_moves


cdef int list_outcomes(
        Contract game, const void* here, uint32_t* outcomes, double* probabilities) except -1:
    """List the outcomes of a chance node; RuntimeError if the game breaks its contract."""
    cdef int length = listed(game, here, CHANCE, outcomes, probabilities)
    if length == 0:
        raise contract_error(
            game, f"a chance node lists no outcome, or more than {game.max_moves}, or "
            "probabilities that are not positive or don't sum to 1")
    return length


cdef int list_features(Contract game, const void* here, int seat, int32_t* out) except -1:
    cdef int length = listed_features(game, here, seat, out)
    if length < 0:
        raise contract_error(
            game, f"the features of a seat are not numbers from 0 to {game.num_features - 1}, or "
            "more than there are")
    return length


cdef list list_shares(Contract game, const double* shares):
    """Make a list of win shares; RuntimeError if the numbers are not win shares."""
    cdef list found = [shares[seat] for seat in range(game.num_seats)]
    if not are_shares(shares, game.num_seats):
        raise contract_error(
            game, f"the win shares are {found}; none may be negative, and they must sum to 1")
    return found
