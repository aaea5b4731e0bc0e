"""Hearts as a `Game`: the C contract, and packing between views and structs.

state.pxd defines the packing of moves. Notation and words work on views, not on structs.
"""

from libc.stdint cimport int8_t, int32_t, uint32_t, uint64_t
from libc.string cimport memset

from ...bits cimport count, random_member
from ...fields cimport Fields
from ...game cimport CHANCE, NO_SEAT, TERMINAL, Game, Refusal
from ...line_text cimport Reader, Writer
from ...rng cimport bitgen_t
from ...tunable_game cimport TunableGame
from ...view_game cimport names_of
from .features cimport hearts_features, hearts_num_features
from .knowledge cimport hearts_determinize, hearts_observe, hearts_retell
from .line cimport hearts_read_line, hearts_write_line
from .playout cimport (
    hearts_evaluate, hearts_playout, hearts_policy_move, hearts_prior_weights)
from .policy_rows cimport NUM_ROWS
from .rules cimport (
    hearts_apply, hearts_legal_moves, hearts_outcomes, hearts_returns, hearts_start, undealt)
from .state cimport (
    ALL_POINTS, GIVEN_CARDS, HIDDEN, NOBODY, NUM_CARDS, NUM_SEATS, PHASE_DEAL, PHASE_DIRECTION,
    PHASE_PASS, PHASE_PLAY, UNDRAWN, VERB_DEAL, VERB_DIRECTION, VERB_PASS, VERB_PLAY, State, bit,
    card_at, card_number, num_given, num_in_hand)
from .validity cimport Sizes, hearts_check_move, hearts_check_sizes, hearts_check_state

# Variables of C: the modules of a wheel look all others up by name at each use.
cdef dict CODES, DIRECTION_CODES, PHASE_CODES, SEEN_CODES, SHOWN_CODES, VERB_NAMES, VERBS
cdef object DIRECTIONS, PHASES, SHOWN, card_token

from . import notation, words
from .cards import CODES, DIRECTIONS, NAMES, OPTIONS, SEEN_CODES, SHOWN, card_token
from .features import FEATURE_NAMES
from .nets import policy_factors
from .validity import NUMBERS, PHASES, REASONS

VERBS = {"play": VERB_PLAY, "pass": VERB_PASS, "deal": VERB_DEAL, "direction": VERB_DIRECTION}
PHASE_CODES = {kind: phase for phase, kind in enumerate(PHASES)} | {"end": PHASE_PLAY}
SEATED = ("deal", "pass", "play")   # types of nodes with a seat
VERB_NAMES = {code: verb for verb, code in VERBS.items()}
DIRECTION_CODES = {name: code for code, name in enumerate(DIRECTIONS)}
SHOWN_CODES = {letters: bits for bits, letters in enumerate(SHOWN)}
CARD = "a card is a rank of 23456789tjqka and a suit of cdhs"


cdef class Hearts(TunableGame):
    """The rules with their option, see `option_help`."""

    cdef int direction   # fixed by the option, or UNDRAWN

    name = "hearts"
    title = "Hearts"
    tag = "hearts"
    seat_counts = (NUM_SEATS,)
    option_help = OPTIONS.help
    notation_help = (
        "Cards: rank and suit, 2-9 t j q k a and c d h s, such as qs for the queen of spades.\n"
        "Moves: pass:<card>, play:<card>; deals: deal:<card>, and direction:none, left, across "
        "or right.\n"
        "Position: hearts direction= p1= p2= p3= p4= trick= node=\n"
        "After hearts comes ;pass=<direction> if the game fixes it. The direction is none, left, "
        "across, right or _ (not drawn); p1 to p4 are hand/played/given/shown/points, with cards "
        "joined by commas, letters of cdhsq for shown, or -; trick is the cards as they were "
        "played; the node is direction, deal:p1, pass:p1, play:p1 with the seat, or end.\n"
        "Observation: the same with ? for each hidden card, then @p1 to @p4, the seat that sees "
        "it; @- is a spectator.")
    choices = OPTIONS
    notation = notation
    words = words
    form_rules = ("R4.1", "R4.2", "R4.4")
    implied = {"node": "R4.3c"}
    reasons = REASONS
    numbers = NUMBERS
    all_features = FEATURE_NAMES
    is_hidden = True
    reads_lines = True
    prior_temperature = 0.05
    has_prior_weights = True
    handicaps = (0.63, 0.6, 0.58, 0.55, 0.53, 0.52, 0.5, 0.46, 0.1)
    rival_policy = 1.0
    rival_trust = 1.0
    uses_records = True

    def __init__(self, **options):
        self.options = OPTIONS.checked(options)
        self.num_seats = NUM_SEATS
        self.state_bytes = sizeof(State)
        self.max_moves = NUM_CARDS
        self.num_features = hearts_num_features()
        self.num_actions = 2 * NUM_CARDS
        self.observer_at = <size_t>&(<State*>NULL).observer
        self.direction = DIRECTION_CODES.get(self.options["pass"], UNDRAWN)
        self.num_rows = NUM_ROWS
        self.use_policy(policy_factors())

    # --- the C contract -----------------------------------------------------------------------

    cdef void start(self, void* state) noexcept nogil:
        hearts_start(<State*>state, self.direction)

    cdef int node(self, const void* state) noexcept nogil:
        return (<const State*>state).to_move

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        return hearts_legal_moves(<const State*>state, out)

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef int num_outcomes = hearts_outcomes(<const State*>state, out)
        cdef int i
        for i in range(num_outcomes):
            probabilities[i] = 1.0 / num_outcomes
        return num_outcomes

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        cdef const State* s = <const State*>state
        if s.phase == PHASE_DIRECTION:
            return VERB_DIRECTION | rng.next_uint32(rng.state) >> 30
        return VERB_DEAL | random_member(undealt(s), rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        hearts_apply(<State*>state, move)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        hearts_returns(<const State*>state, out)

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        hearts_observe(<const State*>state, seat, <State*>out)

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        hearts_determinize(<const State*>observation, rng, <State*>out)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        cdef const State* s = <const State*>state
        if move < VERB_PASS or move >= VERB_DIRECTION:
            return move
        cdef int owner = s.to_move if s.phase == PHASE_PASS else s.count & 3
        return move if owner == seat else move | HIDDEN

    cdef bint retell(
            self, const void* world, int observer, const uint32_t* seen, const int8_t* seats,
            int length, bitgen_t* rng, uint32_t* out) noexcept nogil:
        return hearts_retell(<const State*>world, seen, length, rng, out)

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return hearts_policy_move(&self.factors, <const State*>state, rng)

    cdef void prior_weights(
            self, const void* state, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        hearts_prior_weights(&self.factors, <const State*>state, moves, num_moves, weights)
        self.correct_priors(state, moves, num_moves, weights)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        if max_plies:
            return Game.playout(self, state, max_plies, rng, out)
        return hearts_playout(&self.factors, <State*>state, rng, out)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        hearts_evaluate(<const State*>state, out)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        return hearts_features(<const State*>state, seat, out)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        """First the plays, then the passes, in card order."""
        return card_number(move & 63) + (NUM_CARDS if move >= VERB_PASS else 0)

    cdef uint32_t action_at(self, int index) noexcept nogil:
        if index < NUM_CARDS:
            return VERB_PLAY | card_at(index)
        return VERB_PASS | card_at(index - NUM_CARDS)

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        return hearts_check_state(<const State*>state, self.direction, out)

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        return hearts_check_move(<const State*>state, move, out)

    def chance_seat(self, bytes state) -> int:
        """The seat dealt to; the direction is for all."""
        cdef const State* s = <const State*>self.pointer(state)
        return s.count & 3 if s.phase == PHASE_DEAL else NO_SEAT

    def retells_all(self, bytes state, list seen) -> bool:
        return True

    # --- moves --------------------------------------------------------------------------------

    def pack_move(self, Fields fields not None) -> int:
        verb = fields.code("verb", VERBS)
        if verb == VERB_DIRECTION:
            return verb | fields.code("direction", DIRECTION_CODES)
        is_hidden = verb in (VERB_PASS, VERB_DEAL)   # as another seat sees it; never a legal move
        return verb | fields.code("card", SEEN_CODES if is_hidden else CODES, CARD)

    def move_view(self, uint32_t move) -> dict:
        verb = VERB_NAMES[move & VERB_DIRECTION]
        if verb == "direction":
            return {"verb": verb, "direction": DIRECTIONS[move & 3]}
        return {"verb": verb, "card": card_token(move & 63)}

    # --- positions and observations -----------------------------------------------------------

    def pack(self, Fields fields not None) -> bytes:
        cdef State s
        cdef Sizes sizes
        cdef Refusal found
        node = fields.record("node")
        memset(&s, 0, sizeof(State))
        memset(&sizes, 0, sizeof(Sizes))
        s.observer = fields.observer(NUM_SEATS, "R4.4")
        s.direction = fields.code("direction", DIRECTION_CODES | {"": UNDRAWN})
        s.phase = node.code("type", PHASE_CODES)
        sizes.node = s.phase
        if node.text("type") in SEATED:
            sizes.node |= (<int>node.seat("seat", NUM_SEATS) + 1) << 2
        s.to_move = CHANCE if s.phase <= PHASE_DEAL else (
            (sizes.node >> 2) - 1 if sizes.node >> 2 else TERMINAL)
        pack_cards(fields, &s, &sizes)
        if s.phase == PHASE_PASS:   # the node follows, as in the deal
            s.to_move = s.count // GIVEN_CARDS & 3
        if hearts_check_sizes(&s, &sizes, &found):
            kind = "position" if s.observer == NOBODY else "observation"
            raise self.numbers.refusal(self.reasons[found.code], found.numbers, kind)
        return (<char*>&s)[:sizeof(State)]

    cdef bint write_line(self, const void* state, Writer* out) except -1:
        hearts_write_line(<const State*>state, out)
        return True

    cdef int read_line(self, Reader* given, void* state) except -1:
        hearts_read_line(given, <State*>state)
        return 0

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        return {
            "direction": DIRECTIONS[s.direction] if s.direction != UNDRAWN else "",
            "seats": [seat_view(s, seat) for seat in range(NUM_SEATS)],
            "trick": [card_token(s.trick[place]) for place in range(trick_size(s))],
            "node": {"type": "end" if s.to_move == TERMINAL else PHASES[s.phase]},
        }


# --- structs to views -------------------------------------------------------------------------

cdef int trick_size(const State* s):
    """The number of cards in the running trick."""
    return s.count & 3 if s.phase == PHASE_PLAY else 0


cdef list card_list(uint64_t cards, int num_cards):
    """The names of cards in card order, then the hidden ones."""
    return names_of(cards, NAMES) + [card_token(HIDDEN)] * (num_cards - count(cards))


cdef dict seat_view(const State* s, int seat):
    cdef uint64_t taken = s.held[seat] & s.played
    cdef uint64_t hand = s.held[seat] & ~s.played
    cdef int place
    if s.phase == PHASE_PASS:
        hand &= ~s.given[seat]
    for place in range(trick_size(s)):
        taken &= ~bit(s.trick[place])
    return {
        "hand": card_list(hand, num_in_hand(s, seat)),
        "played": card_list(taken, count(taken)),
        "given": card_list(s.given[seat], num_given(s, seat)),
        "shown": SHOWN[s.shown[seat]],
        "points": s.points[seat],
    }


# --- views to structs -------------------------------------------------------------------------

cdef int pack_cards(Fields fields, State* s, Sizes* sizes) except -1:
    """Fill in the cards of the seats and the trick."""
    cdef Fields record
    cdef uint64_t seen = 0
    cdef uint64_t own
    cdef uint64_t given
    cdef int seat, place
    codes = CODES if s.observer == NOBODY else SEEN_CODES
    for seat, record in enumerate(fields.records("seats", NUM_SEATS, "", NUM_SEATS)):
        s.held[seat] = pack_list(record, "hand", codes, &seen, &sizes.hand[seat])
        own = pack_list(record, "played", CODES, &seen, &sizes.played[seat])
        s.held[seat] |= own
        s.played |= own
        own = 0   # given cards have their own place only before the exchange
        given = pack_list(
            record, "given", codes, &own if s.phase == PHASE_PLAY else &seen, &sizes.given[seat])
        s.given[seat] = given
        s.held[seat] |= given if s.phase == PHASE_PASS else 0
        s.shown[seat] = record.code("shown", SHOWN_CODES, "letters of cdhsq are expected, in order")
        s.points[seat] = record.number("points", 0, ALL_POINTS)
        s.count += (sizes.hand[seat] if s.phase == PHASE_DEAL else
                    sizes.given[seat] if s.phase == PHASE_PASS else sizes.played[seat])
    s.played |= pack_list(fields, "trick", CODES, &seen, &sizes.trick)
    s.count += sizes.trick
    for place, card in enumerate(fields.codes("trick", CODES, NUM_CARDS)[:NUM_SEATS - 1]):
        s.trick[place] = card
        s.held[(s.to_move - sizes.trick + place) & 3] |= bit(card)
    return 0


cdef uint64_t pack_list(
        fields, str name, dict codes, uint64_t* seen, int* num_cards) except? 0:
    """Return the set of the cards of a list that are not hidden, and add it to those seen."""
    cdef uint64_t cards = 0
    cdef uint64_t card
    for place, code in enumerate(fields.codes(name, codes, NUM_CARDS, CARD)):
        num_cards[0] += 1
        if code != HIDDEN:
            card = bit(code)
            if seen[0] & card:
                raise fields.refusal(
                    f"{name}[{place}]", "every card is there once", card_token(code), "R4.3b")
            seen[0] |= card
            cards |= card
    return cards
