"""Knaves Out as a `Game`: the C contract and the options.

state.pxd defines the packing of moves; packing.pyx and views.pyx are between structs and views.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from ...fields cimport Fields
from ...game cimport Refusal
from ...line_text cimport Reader, Writer
from ...net cimport Net
from ...rng cimport bitgen_t
from ...tunable_game cimport TunableGame
from .cards cimport court_of
from .combat cimport owner_at, roller_of
from .evaluation cimport ko_evaluate
from .features cimport ko_features, ko_num_features
from .geometry cimport ko_lay_out
from .knowledge cimport ko_determinize, ko_observe
from .legal cimport ko_legal_moves, ko_outcomes, ko_sample
from .legality cimport ko_check_move
from .line cimport ko_write_line
from .line_reading cimport ko_read_line
from .net_rows cimport ko_net_rows, ko_num_net_rows
from .numbering cimport Numbering, ko_action_at, ko_action_index, ko_number_moves
from .order cimport ko_is_pointless, ko_is_redundant
from .packing cimport ko_pack, ko_pack_move
from .policy cimport ko_playout, ko_policy_move, ko_prior_weights
from .policy_rows cimport NUM_ROWS
from .rules cimport ko_apply, ko_returns, ko_start
from .state cimport (
    AOS_COURT, HIDDEN_CARD, KIND_DARK, STAGE_DRAW, STAGE_END, STAGE_FIRST, STAGE_TAINT, VERB_DRAW,
    Player, Rules, State, move_of, verb_of)
from .terms cimport NUM_TERMS, ko_terms
from .validity cimport ko_check_state
from .views cimport ko_fields_of, ko_move_view

from . import notation, words
from .feature_layout import FEATURE_NAMES
from .names import COURTS, NUMBERS
from .nets import net_for, policy_factors
from .options import OPTIONS
from .picture import SIDE_MARKS
from .reasons import REASONS

BOARDS = {      # players -> lower left corners of fixed boards (section 4)
    2: ((0, 0), (8, 0)),
    3: ((0, 0), (8, 0), (4, 8)),
    4: ((0, 0), (8, 0), (8, 8), (0, 8)),
    5: ((0, 0), (8, 0), (16, 0), (12, 8), (4, 8)),
    6: ((0, 0), (8, 0), (16, 0), (16, 8), (8, 8), (0, 8)),
    7: ((0, 0), (8, 0), (16, 0), (24, 0), (20, 8), (12, 8), (4, 8)),
    8: ((0, 0), (8, 0), (16, 0), (24, 0), (24, 8), (16, 8), (8, 8), (0, 8)),
}
KINGS = {       # players -> squares of fixed kings on their own boards
    2: "c4 f5",
    3: "c3 f3 d6",
    4: "c3 f3 f6 c6",
    5: "c3 d3 f3 e6 d6",
    6: "c3 d3 f3 f6 e6 c6",
    7: "c3 d3 e3 f3 e6 d6 d6",
    8: "c3 d3 e3 f3 f6 e6 d6 c6",
}
PLAYOUT_PLIES = 20
"""At least: a playout goes on to the start of a turn, as the net knows what follows from there."""

ACES = ("court", "devour", "off")


cdef class KnavesOut(TunableGame):
    """The rules with their options, see `option_help`."""

    cdef Rules rules
    cdef Numbering numbering
    cdef Net net        # of what playouts end in; None: weights alone

    name = "knaves_out"
    title = "Knaves Out"
    tag = "ko"
    rules_version = "1"
    seat_counts = (2, 3, 4, 5, 6, 7, 8)
    option_help = OPTIONS.help
    notation_help = notation.HELP
    choices = OPTIONS
    players_rule = "R14.5a"
    notation = notation
    words = words
    form_rules = ("R14.1", "R14.2", "R14.4")
    line_fields = notation.PATHS
    reasons = REASONS
    numbers = NUMBERS
    all_features = FEATURE_NAMES
    is_hidden = True
    has_prior_weights = True
    reads_lines = True
    side_marks = SIDE_MARKS
    world_depth = 2     # with 3 a world of eight seats may take a quarter of a second
    exploration = 0.08
    handicaps = (0.63, 0.585, 0.56, 0.543, 0.53, 0.52, 0.51, 0.497, 0.46)

    def __init__(self, **options):
        self.options = OPTIONS.checked(options)
        fill_rules(&self.rules, OPTIONS.values(self.options))
        self.num_seats = self.rules.num_seats
        self.state_bytes = self.rules.state_bytes
        self.observer_at = <size_t>&(<State*>NULL).observer
        self.playout_plies = PLAYOUT_PLIES
        self.max_moves = 714    # docs/adding-a-game.md, "Limits"
        self.num_features = ko_num_features(self.num_seats)
        self.num_actions = ko_number_moves(&self.rules, &self.numbering)
        self.use_net(net_for(self.num_seats))
        self.num_rows = NUM_ROWS
        self.use_policy(policy_factors(self.num_seats))

    def use_net(self, Net net) -> None:
        """Evaluate by another net, see game.pyi."""
        cdef int num_rows = ko_num_net_rows(&self.rules)
        if net is not None and net.num_features != num_rows:
            raise ValueError(
                f"the net has {net.num_features} features, not the {num_rows} of "
                f"{self.num_seats} seats")
        self.net = net

    @property
    def root_exploration(self) -> float:
        """Of two seats, more between the moves at the root."""
        return 0.4 if self.num_seats == 2 else 0.0

    # --- the C contract -----------------------------------------------------------------------

    cdef void start(self, void* state) noexcept nogil:
        ko_start(&self.rules, <State*>state)

    cdef int node(self, const void* state) noexcept nogil:
        return (<const State*>state).node

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        return ko_legal_moves(&self.rules, <const State*>state, out)

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        return ko_outcomes(&self.rules, <const State*>state, out, probabilities)

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        return ko_sample(&self.rules, <const State*>state, rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        ko_apply(&self.rules, <State*>state, move)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        ko_returns(&self.rules, <const State*>state, out)

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        ko_observe(&self.rules, <const State*>state, seat, <State*>out)

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        ko_determinize(&self.rules, <const State*>observation, rng, <State*>out)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        """R13.2."""
        if verb_of(move) == VERB_DRAW and (<const State*>state).context.seat != seat:
            return move_of(VERB_DRAW, HIDDEN_CARD)
        return move

    cdef bint is_redundant(
            self, const void* state, uint32_t previous, uint32_t move) noexcept nogil:
        return ko_is_redundant(<const State*>state, previous, move)

    cdef bint is_pointless(self, const void* state, uint32_t move) noexcept nogil:
        return ko_is_pointless(<const State*>state, move)

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return ko_policy_move(&self.rules, &self.factors, <const State*>state, rng)

    cdef void prior_weights(
            self, const void* state, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        ko_prior_weights(&self.rules, &self.factors, <const State*>state, moves, num_moves, weights)
        self.correct_priors(state, moves, num_moves, weights)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        """By weights alone: a net that predicts results better makes worse players at one ply."""
        ko_evaluate(&self.rules, None, <const State*>state, out)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return ko_playout(
            &self.rules, &self.factors, self.net, <State*>state, max_plies, rng, out)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        return ko_features(&self.rules, <const State*>state, seat, out)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return ko_action_index(&self.rules, &self.numbering, move)

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return ko_action_at(&self.rules, &self.numbering, index)

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        return ko_check_state(&self.rules, <const State*>state, out)

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        return ko_check_move(&self.rules, <const State*>state, move, out)

    def chance_seat(self, bytes state) -> int:
        """Who draws or rolls (R4.3, R9.5, R7)."""
        cdef const State* s = <const State*>self.pointer(state)
        if s.stage == STAGE_FIRST:
            return -1
        if s.stage == STAGE_DRAW:
            return s.context.seat
        return s.active - 1 if s.stage == STAGE_TAINT else owner_at(s, roller_of(s))

    def tells_effects(self, bytes state) -> bool:
        """Dice do damage; a card that is drawn does no more than it says."""
        cdef const State* s = <const State*>self.pointer(state)
        return s.stage != STAGE_FIRST and s.stage != STAGE_DRAW

    def chance_source(self, bytes state) -> str:
        """Each seat draws from its own deck and rolls its own dice."""
        cdef const State* s = <const State*>self.pointer(state)
        if s.stage == STAGE_FIRST:
            return "first"
        return f"{'draw' if s.stage == STAGE_DRAW else 'roll'}:p{self.chance_seat(state) + 1}"

    def terms_of(self, bytes state) -> list:
        """The terms of the evaluation, a list for each seat; see evaluation.pyx."""
        cdef double[8][NUM_TERMS] terms
        ko_terms(&self.rules, <const State*>self.pointer(state), &terms[0][0])
        return [[terms[seat][i] for i in range(NUM_TERMS)] for seat in range(self.num_seats)]

    # --- views --------------------------------------------------------------------------------

    def pack(self, Fields fields not None) -> bytes:
        return ko_pack(&self.rules, fields)

    def fields_of(self, bytes state) -> dict:
        return ko_fields_of(&self.rules, <const State*>self.pointer(state))

    cdef bint write_line(self, const void* state, Writer* out) except -1:
        ko_write_line(&self.rules, <const State*>state, out)
        return True

    cdef int read_line(self, Reader* given, void* state) except -1:
        return ko_read_line(&self.rules, given, <State*>state)

    def render_within(self, bytes state, int width) -> str:
        return words.render(self.view_for_words(state), width)

    def view_for_words(self, bytes state) -> dict:
        """The view with courts and unused checkers, results of the compiled rules."""
        cdef const State* s = <const State*>self.pointer(state)
        cdef const Player* p
        cdef int seat
        view = self.flat_view(state)
        for seat in range(self.num_seats):
            p = &s.players[seat]
            view["players"][seat] |= {
                "court": f"{COURTS[court_of(p)]} court" if court_of(p) else "",
                "unused_red": p.unused_red,
                "unused_black": p.unused_black,
            }
        return view

    def pack_move(self, Fields fields not None) -> int:
        return ko_pack_move(self.num_seats, fields)

    def move_view(self, uint32_t move) -> dict:
        return ko_move_view(move)


cdef class ScoredKnaves(KnavesOut):
    """The game with what the net of its evaluation reads as features; see game.pyi."""

    def __init__(self, **options):
        KnavesOut.__init__(self, **options)
        self.num_features = ko_num_net_rows(&self.rules)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef double[8][NUM_TERMS] terms
        cdef bint is_called = s.context.kind == KIND_DARK
        if s.stage == STAGE_END or s.active == 0 or is_called or not s.players[seat].is_alive:
            return 0
        ko_terms(&self.rules, s, &terms[0][0])
        return ko_net_rows(&self.rules, s, &terms[0][0], seat, out)


cdef int fill_rules(Rules* rules, dict values) except -1:
    """Set the struct of the options."""
    cdef int seat
    memset(rules, 0, sizeof(Rules))
    players = values["players"]
    rules.num_seats = players
    rules.squares_at = sizeof(State) - 8 * 64 - (8 - players) * sizeof(Player)
    rules.state_bytes = rules.squares_at + 64 * players
    rules.max_turns = values["max_turns"]
    rules.fixed_first = 0 if values["first"] == "roll" else int(values["first"][1:])
    rules.is_ccw = values["direction"] == "ccw"
    rules.places_boards = values["layout"] == "place"
    rules.fixes_kings = values["kings"] == "fixed"
    rules.has_court = values["start_court"] == "on"
    rules.has_jokers = values["start_jokers"] == "on"
    rules.has_fuel = values["fuel"] == "on"
    rules.takes_present = values["each"] == "present"
    rules.aos = AOS_COURT + ACES.index(values["aos"])
    rules.has_great_towers = values["two_towers"] == "on"
    rules.spares_own = values["friendly_fire"] == "off"
    rules.ranks_at_limit = values["limit_result"] == "rank"
    for seat, square in enumerate(KINGS[players].split()):
        rules.king[seat] = 64 * seat + 8 * "abcdefgh".index(square[0]) + int(square[1]) - 1
        rules.x[seat], rules.y[seat] = BOARDS[players][seat]
    if not rules.places_boards:
        ko_lay_out(rules)
    return 0
