"""Hearts as a `Game`: the C contract, and packing between views and structs.

A move is packed as state.pxd says. Notation and words work on views and know no struct.
"""

from libc.stdint cimport uint32_t, uint64_t
from numpy.random cimport bitgen_t

from ...bits cimport count, pop_lowest, random_member
from ...game cimport TERMINAL, Game
from .knowledge cimport hearts_determinize, hearts_observe
from .playout cimport hearts_evaluate, hearts_playout, hearts_policy_move
from .rules cimport (
    hearts_apply, hearts_legal_moves, hearts_outcomes, hearts_returns, hearts_start, undealt)
from .state cimport (
    GIVEN_CARDS, HIDDEN, NOBODY, NUM_CARDS, NUM_SEATS, PHASE_DEAL, PHASE_DIRECTION, PHASE_PASS,
    PHASE_PLAY, UNDRAWN, VERB_DEAL, VERB_DIRECTION, VERB_PASS, VERB_PLAY, State, bit)

from functools import lru_cache

from . import notation, words
from .cards import CARDS, DIRECTIONS, LETTERS

# Cards by their code in structs and moves.
NAMES = {i // 13 << 4 | i % 13: card for i, card in enumerate(CARDS)} | {HIDDEN: "?"}
CODES = {card: code for code, card in NAMES.items()}
VERBS = {"play": VERB_PLAY, "pass": VERB_PASS, "deal": VERB_DEAL, "direction": VERB_DIRECTION}
VERB_NAMES = {code: verb for verb, code in VERBS.items()}


@lru_cache(maxsize=8)
def game_of(kind: type[Game], option: str) -> Game:
    """Return the game that a line is of; having no state, one serves all lines."""
    return kind(**{"pass": option})


cdef class Hearts(Game):
    """The rules with their option, see `option_help`."""

    cdef int direction   # fixed by the option, or UNDRAWN

    name = "hearts"
    title = "Hearts"
    tag = "hearts"
    seat_counts = (NUM_SEATS,)
    option_help = notation.OPTION_HELP
    notation_help = (
        "Cards: rank and suit, 2-9 t j q k a and c d h s, such as qs for the queen of spades.\n"
        "Moves: pass:<card>, play:<card>; deals: deal:<card>, and direction:none, left, across "
        "or right.\n"
        "Position: hearts direction= p1= p2= p3= p4= trick= node=, where a seat is "
        "hand/played/given/shown/points; an observation has ? for hidden cards and ends in @pN.")
    is_hidden = True
    handicaps = (1.0, 0.62, 0.54, 0.465, 0.39, 0.355, 0.31, 0.26, 0.14)

    def __init__(self, **options):
        self.options = notation.checked_options(options)
        self.num_seats = NUM_SEATS
        self.state_bytes = sizeof(State)
        self.max_moves = NUM_CARDS
        option = self.options["pass"]
        self.direction = DIRECTIONS.index(option) if option in DIRECTIONS else UNDRAWN

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

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return hearts_policy_move(<const State*>state, rng)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        if max_plies:
            return Game.playout(self, state, max_plies, rng, out)
        return hearts_playout(<State*>state, rng, out)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        hearts_evaluate(<const State*>state, out)

    # --- moves --------------------------------------------------------------------------------

    def move_view(self, uint32_t move) -> dict:
        verb = VERB_NAMES[move & VERB_DIRECTION]
        if verb == "direction":
            return {"verb": verb, "direction": DIRECTIONS[move & 3]}
        return {"verb": verb, "card": NAMES[move & 63]}

    def move_text(self, uint32_t move) -> str:
        return notation.move_text(self.move_view(move))

    def parse_move(self, str text) -> int:
        view = notation.parse_move(text)
        if view["verb"] == "direction":
            return VERB_DIRECTION | DIRECTIONS.index(view["direction"])
        return VERBS[view["verb"]] | CODES[view["card"]]

    @classmethod
    def move_view_text(cls, dict view) -> str:
        return notation.move_text(view)

    # --- positions and observations -----------------------------------------------------------

    @classmethod
    def parse_position(cls, str text) -> tuple:
        return cls._packed(notation.parse_position(text))

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        return cls._packed(notation.parse_observation(text))

    @classmethod
    def _packed(cls, dict view) -> tuple:
        """Return (game, struct) of a valid view."""
        cdef State state
        pack(view, &state)
        return game_of(cls, view["pass"] or "random"), (<char*>&state)[:sizeof(State)]

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        view = {
            "direction": DIRECTIONS[s.direction] if s.direction != UNDRAWN else "",
            "seats": [seat_view(s, seat) for seat in range(NUM_SEATS)],
            "trick": [NAMES[s.trick[place]] for place in range(trick_size(s))],
            "node": node_text(s),
            "pass": self.options["pass"] if self.direction != UNDRAWN else "",
        }
        if s.observer != NOBODY:
            view["observer"] = s.observer
        return view

    @classmethod
    def view_text(cls, dict view) -> str:
        return notation.view_text(view)

    def observer_of(self, bytes state):
        cdef const State* s = <const State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1

    # --- words --------------------------------------------------------------------------------

    def why_illegal(self, bytes state, uint32_t move) -> tuple:
        return words.why_illegal(self.view(state), self.move_view(move))

    def render(self, bytes state) -> str:
        return words.render(self.view(state))

    def describe_move(self, bytes state, uint32_t move) -> str:
        return words.describe_move(self.view(state), self.move_view(move))

    def describe_anywhere(self, uint32_t move) -> str:
        return words.describe_move({}, self.move_view(move))

    def changes(self, bytes before, bytes after, int seat) -> list:
        return words.changes(self.view(before), self.view(after), seat + 1)


# --- structs to views -------------------------------------------------------------------------

cdef int trick_size(const State* s):
    """The number of cards in the running trick."""
    return s.count & 3 if s.phase == PHASE_PLAY else 0


cdef str node_text(const State* s):
    if s.to_move == TERMINAL:
        return "end"
    if s.phase == PHASE_DIRECTION:
        return "direction"
    if s.phase == PHASE_DEAL:
        return f"deal:p{(s.count & 3) + 1}"
    return f"{'pass' if s.phase == PHASE_PASS else 'play'}:p{s.to_move + 1}"


cdef list card_list(uint64_t cards, int num_hidden):
    """The names of cards in card order, then the hidden ones."""
    found = []
    while cards:
        found.append(NAMES[pop_lowest(&cards)])
    return found + [NAMES[HIDDEN]] * num_hidden


cdef int num_given(const State* s, int seat):
    """How many cards a seat has set aside or given."""
    if s.phase == PHASE_PASS:
        return min(max(s.count - GIVEN_CARDS * seat, 0), GIVEN_CARDS)
    return GIVEN_CARDS if s.phase == PHASE_PLAY and s.direction else 0


cdef dict seat_view(const State* s, int seat):
    cdef uint64_t trick = 0
    cdef uint64_t hand = s.held[seat] & ~s.played
    cdef int num_hand = NUM_CARDS // NUM_SEATS
    cdef int place
    if s.phase <= PHASE_DEAL:
        num_hand = (s.count + 3 - seat) >> 2
    elif s.phase == PHASE_PASS:
        num_hand -= num_given(s, seat)
        hand &= ~s.given[seat]
    else:
        num_hand -= count(s.held[seat] & s.played)
    for place in range(trick_size(s)):
        trick |= bit(s.trick[place])
    return {
        "hand": card_list(hand, num_hand - count(hand)),
        "played": card_list(s.held[seat] & s.played & ~trick, 0),
        "given": card_list(s.given[seat], num_given(s, seat) - count(s.given[seat])),
        "shown": "".join(letter for i, letter in enumerate(LETTERS) if s.shown[seat] >> i & 1),
        "points": s.points[seat],
    }


# --- views to structs -------------------------------------------------------------------------

cdef uint64_t mask_of(list cards):
    """The set of the cards that are not hidden."""
    cdef uint64_t mask = 0
    for card in cards:
        if card != NAMES[HIDDEN]:
            mask |= bit(CODES[card])
    return mask


cdef int pack(dict view, State* s) except -1:
    """Fill the struct from a valid view."""
    cdef int seat
    phase, _, mover = view["node"].partition(":p")
    hearts_start(s, DIRECTIONS.index(view["direction"]) if view["direction"] else UNDRAWN)
    s.observer = view.get("observer", NOBODY)
    for seat, fields in enumerate(view["seats"]):
        s.held[seat] = mask_of(fields["hand"]) | mask_of(fields["played"])
        s.given[seat] = mask_of(fields["given"])
        s.points[seat] = fields["points"]
        for letter in fields["shown"]:
            s.shown[seat] |= 1 << LETTERS.index(letter)
    if phase == "deal":
        s.count = sum(len(fields["hand"]) for fields in view["seats"])
    elif phase == "pass":
        s.phase = PHASE_PASS
        s.to_move = int(mover) - 1
        s.count = sum(len(fields["given"]) for fields in view["seats"])
        for seat in range(NUM_SEATS):
            s.held[seat] |= s.given[seat]
    elif phase != "direction":
        s.phase = PHASE_PLAY
        s.to_move = int(mover) - 1 if mover else TERMINAL
        pack_tricks(view, s)
    return 0


cdef int pack_tricks(dict view, State* s) except -1:
    """Fill in what is played."""
    cdef int place
    for fields in view["seats"]:
        s.played |= mask_of(fields["played"])
        s.count += len(fields["played"])
    for place, card in enumerate(view["trick"]):
        s.trick[place] = CODES[card]
        s.played |= bit(CODES[card])
        s.held[(s.to_move - len(view["trick"]) + place) & 3] |= bit(CODES[card])
        s.count += 1
    return 0
