"""Kuhn poker (docs/rules/kuhn_poker.md): calibration, three cards, known equilibria, two seats.

A move is PASS or BET; a chance outcome is DEAL + card; DEAL + HIDDEN is a card dealt to another
seat, as this seat sees it.
"""

cimport cython
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.change import Change
from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    observer_suffix, read_line, read_node, read_verb, write_node, write_verb)
from kingmaker.cext.options import Options
from kingmaker.cext.reasons import Numbers, Reason

from ..bits cimport pop_lowest, random_member
from ..feature_blocks cimport write_members
from ..fields cimport Fields
from ..game cimport CHANCE, TERMINAL, Refusal, refuse
from ..rng cimport bitgen_t
from ..view_game cimport NOBODY, ViewGame

CARDS = "_jqk?"   # by the numbers of `State.cards`
CARD_CODES = {"j": 1, "q": 2, "k": 3}
SEEN_CODES = CARD_CODES | {"?": 4}
CARD_NAMES = ["no card", "the jack", "the queen", "the king", "a hidden card"]
BETS = ["", "p", "b", "pb", "pp", "bp", "bb", "pbp", "pbb"]
# Words for PASS and BET after the bets so far (R1.3).
WORDS = {"": ("check", "bet 1 chip"), "p": ("check", "bet 1 chip"),
         "b": ("fold", "call for 1 chip"), "pb": ("fold", "call for 1 chip")}

FEATURES = [
    *("own card: " + card for card in CARDS[1:4]),
    *("rival's card: " + card for card in CARDS[1:4]),
    *(f"own seat bets {place}, bets so far: {bets or '-'}"
      for place in ("first", "second") for bets in BETS)]

cdef enum:
    PASS = 0
    BET = 1
    DEAL = 4
    UNDEALT = 0     # cards count from 1: j q k
    HIDDEN = 4
    DECK = 0b1110   # set of the three cards
    NO_BETS = 1
    NUM_CODES = 16  # of `State.bets`
    NUM_CARDS = 3
    NUM_BETS = 9    # strings of bets

cdef enum Why:
    TWICE = 1, EARLY_BETS, NOT_SEEN, OVER, DEALING, DEALT_ALREADY, UNNAMED, ALL_DEALT

REASONS = {
    TWICE: Reason("R4.3b", "there is only one {0:token}", "cards[1]", "{0:token}"),
    EARLY_BETS: Reason("R4.3c", "nobody bets before both cards are dealt", "bets", "{0:bets}"),
    NOT_SEEN: Reason("R4.4", "exactly the dealt cards that the observer does not see are ?",
                     "cards[{0}]", "{1:token}"),
    OVER: Reason("R1.4", "the game is over"),
    DEALING: Reason("R1.3", "the cards are still being dealt"),
    DEALT_ALREADY: Reason("R1.2", "{0:card} is dealt already"),
    UNNAMED: Reason("R1.2", "a dealt card must be named"),
    ALL_DEALT: Reason("R1.2", "both cards are dealt"),
}

cdef struct State:
    uint8_t[2] cards   # of each seat: UNDEALT, 1..3 or HIDDEN
    uint8_t bets       # the moves so far as bits, the latest lowest, below a leading 1
    uint8_t observer   # seat + 1, 0 for a spectator, NOBODY: a full state

# By `State.bets`: seat to move, chips won, winner by a fold (or -1), and index in `BETS`.
cdef int8_t[NUM_CODES] NODE
cdef int8_t[NUM_CODES] STAKE
cdef int8_t[NUM_CODES] FOLD_WINNER
cdef int8_t[NUM_CODES] BETS_INDEX


def code_of(str bets) -> int:
    """The number of a string of bets, see `State.bets`."""
    return int("1" + bets.replace("p", "0").replace("b", "1"), 2)


BET_CODES = {bets: code_of(bets) for bets in BETS}


def fill_tables() -> None:
    """Fill the tables from the strings of R1.4."""
    cdef int code
    for code in range(NUM_CODES):
        NODE[code], STAKE[code], FOLD_WINNER[code] = TERMINAL, 1, -1
    for index, bets in enumerate(BETS):
        code = code_of(bets)
        BETS_INDEX[code] = index
        if bets in WORDS:
            NODE[code] = len(bets) % 2
        if bets.endswith("bb"):
            STAKE[code] = 2
        if bets.endswith("bp"):
            FOLD_WINNER[code] = len(bets) % 2


fill_tables()


cdef inline bint is_showdown(const State* state) noexcept nogil:
    return NODE[state.bets] == TERMINAL and FOLD_WINNER[state.bets] < 0


cdef inline uint32_t card_set(int card) noexcept nogil:
    """The set of a card, counted from 0; none if it is not dealt or not seen."""
    return 1 << card >> 1 & 0b111


cdef class KuhnPoker(ViewGame):
    """The rules; there are no options."""

    name = "kuhn_poker"
    title = "Kuhn poker"
    tag = "kuhn"
    is_hidden = True
    needs_mixing = True
    notation_help = (
        "Moves: pass (check or fold) and bet (bet or call); deals: deal:j, deal:q, deal:k.\n"
        "Position: kuhn p1= p2= bets= node=\n"
        "p1 and p2 are the cards, j, q, k or _ (not dealt); bets are the moves, p for pass and b "
        "for bet, or -; the node is deal:p1, deal:p2, play:p1, play:p2 or end.\n"
        "Observation: the same with ? for a card that the seat does not see, then @p1 or @p2; @- "
        "is a spectator.")
    read_move, write_move = staticmethod(read_verb), staticmethod(write_verb)
    form_rules = ("R4.1", "R4.2", "R4.4")
    implied = {"node": "R4.3d"}
    reasons = REASONS
    numbers = Numbers(
        card=lambda card: CARD_NAMES[card],
        token=lambda card: CARDS[card],
        bets=lambda code: bin(code)[3:].replace("0", "p").replace("1", "b"))

    def __init__(self, **options):
        self.options = Options(self.name).checked(options)
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = NUM_CARDS
        self.num_features = len(FEATURES)
        self.num_actions = 2
        self.observer_at = <size_t>&(<State*>NULL).observer

    cdef void start(self, void* state) noexcept nogil:
        (<State*>state)[0] = State(cards=[0, 0], bets=NO_BETS, observer=NOBODY)

    cdef int node(self, const void* state) noexcept nogil:
        cdef const State* s = <const State*>state
        return CHANCE if s.cards[1] == UNDEALT else NODE[s.bets]

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        out[0] = PASS
        out[1] = BET
        return 2

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef uint64_t rest = DECK & ~(1 << (<const State*>state).cards[0])
        cdef int num_outcomes = 0
        while rest:
            out[num_outcomes] = DEAL + pop_lowest(&rest)
            num_outcomes += 1
        cdef int i
        for i in range(num_outcomes):
            probabilities[i] = 1.0 / num_outcomes
        return num_outcomes

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        return DEAL + random_member(DECK & ~(1 << (<const State*>state).cards[0]), rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        if move >= DEAL:
            s.cards[s.cards[0] != UNDEALT] = move - DEAL
        else:
            s.bets = s.bets << 1 | move

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int winner = FOLD_WINNER[s.bets]
        if winner < 0:
            winner = s.cards[1] > s.cards[0]
        out[winner] = (2 + STAKE[s.bets]) * 0.25
        out[1 - winner] = 1.0 - out[winner]

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef State* seen = <State*>out
        cdef int owner
        seen[0] = s[0]
        seen.observer = seat + 1
        if is_showdown(s):
            return
        for owner in range(2):
            if owner != seat and s.cards[owner] != UNDEALT:
                seen.cards[owner] = HIDDEN

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        cdef State* s = <State*>out
        cdef int owner
        memcpy(out, observation, sizeof(State))
        s.observer = NOBODY
        for owner in range(2):
            if s.cards[owner] == HIDDEN:
                s.cards[owner] = random_member(DECK & ~(1 << s.cards[1 - owner]), rng)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        cdef int owner = (<const State*>state).cards[0] != UNDEALT
        return DEAL + HIDDEN if move >= DEAL and owner != seat else move

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int length = 0
        cdef int seat
        cdef uint32_t rest
        self.start(root)
        for seat in range(2):
            if s.cards[seat] != UNDEALT:
                out[length] = DEAL + s.cards[seat]
                length += 1
        rest = NUM_CODES >> 1   # down to the leading 1
        while rest and not rest & s.bets:
            rest >>= 1
        rest >>= 1
        while rest:
            out[length] = BET if rest & s.bets else PASS
            length += 1
            rest >>= 1
        return length

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        """Half of the result of a showdown for the present stake."""
        cdef const State* s = <const State*>state
        if self.node(state) == TERMINAL:
            self.returns(state, out)
            return
        out[0] = 0.5
        if s.cards[1] != UNDEALT:
            out[0] += 0.125 if s.cards[0] > s.cards[1] else -0.125
        out[1] = 1.0 - out[0]

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        """In the order of `FEATURES`."""
        cdef const State* s = <const State*>state
        cdef uint64_t found = card_set(s.cards[seat])
        if is_showdown(s):
            found |= card_set(s.cards[1 - seat]) << NUM_CARDS
        found |= 1 << 2 * NUM_CARDS + NUM_BETS * seat + BETS_INDEX[s.bets]
        return write_members(found, 0, out, 0)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return move

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return index

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int owner
        cdef bint is_seen
        if s.cards[0] == s.cards[1] and UNDEALT < s.cards[0] < HIDDEN:
            return refuse(out, TWICE, s.cards[0])
        if s.cards[1] == UNDEALT and s.bets != NO_BETS:
            return refuse(out, EARLY_BETS, s.bets)
        if s.observer != NOBODY:
            for owner in range(2):
                is_seen = (s.cards[owner] == UNDEALT or owner == s.observer - 1 or is_showdown(s))
                if is_seen == (s.cards[owner] == HIDDEN):
                    return refuse(out, NOT_SEEN, owner, s.cards[owner])
        return 0

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int node = self.node(state)
        if node == TERMINAL:
            return refuse(out, OVER)
        if node != CHANCE:
            return 0 if move < DEAL else refuse(out, ALL_DEALT)
        if move < DEAL:
            return refuse(out, DEALING)
        if move == DEAL + HIDDEN:
            return refuse(out, UNNAMED)
        return 0 if move != DEAL + s.cards[0] else refuse(out, DEALT_ALREADY, move - DEAL)

    @staticmethod
    def read_position(str text) -> dict:
        line = read_line(text, "kuhn", ("p1", "p2", "bets", "node"), ("R4.2", "R4.4"))
        p1, p2, bets, node = line.values
        kind = "observation" if line.observer else "position"
        if p1 == "_" != p2:
            raise refusal(f"{kind}.cards", p2, "R4.3b", "p1's card is dealt before p2's")
        cards = [card for card in (p1, p2) if card != "_"]
        bets = "" if bets == "-" else bets
        return {"cards": cards, "bets": bets, "node": read_node(node), **line.observer}

    @staticmethod
    def write_position(dict view) -> str:
        p1, p2 = [*view["cards"], "_", "_"][:2]
        bets = view["bets"] or "-"
        node = write_node(view["node"])
        return f"kuhn p1={p1} p2={p2} bets={bets} node={node}{observer_suffix(view)}"

    @property
    def feature_names(self) -> list:
        return list(FEATURES)

    def pack(self, Fields fields not None) -> bytes:
        cdef State state = State(
            cards=[UNDEALT, UNDEALT], bets=fields.code("bets", BET_CODES, "", "R4.3c"),
            observer=fields.observer(2, "R4.4"))
        codes = CARD_CODES if state.observer == NOBODY else SEEN_CODES
        for seat, card in enumerate(fields.codes("cards", codes, 2)):
            state.cards[seat] = card
        return (<char*>&state)[:sizeof(State)]

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        return {
            "cards": [CARDS[s.cards[seat]] for seat in range(2) if s.cards[seat] != UNDEALT],
            "bets": bets_of(s),
            "node": {"type": node_type(s)},
        }

    def chance_seat(self, bytes state) -> int:
        return 0 if (<const State*>self.pointer(state)).cards[0] == UNDEALT else 1

    def pack_move(self, Fields fields not None) -> int:
        verb = fields.code("verb", {"pass": PASS, "bet": BET, "deal": DEAL})
        return verb + fields.code("card", SEEN_CODES) if verb == DEAL else verb

    @cython.boundscheck(True)   # the number may be no move
    def move_view(self, uint32_t move) -> dict:
        if move < DEAL:
            return {"verb": ("pass", "bet")[move], "card": ""}
        return {"verb": "deal", "card": CARDS[move - DEAL]}

    def render(self, bytes state) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        bets = bets_of(s)
        said = [f"p{i % 2 + 1}: {WORDS[bets[:i]]['pb'.index(bets[i])]}" for i in range(len(bets))]
        return "\n".join([
            f"p1 [{CARDS[s.cards[0]]}]   p2 [{CARDS[s.cards[1]]}]   "
            f"in the pot: {2 + bets.count('b')}",
            "bets: " + (", ".join(said) or "none yet")])

    def describe_move(self, bytes state, uint32_t move) -> str:
        self.token(move)   # refuses a number that is no move
        cdef const State* s = <const State*>self.pointer(state)
        if move >= DEAL:
            return f"deal {CARD_NAMES[move - DEAL]} to p{1 + (s.cards[0] != UNDEALT)}"
        return WORDS[bets_of(s)][move] if bets_of(s) in WORDS else self.describe_anywhere(move)

    def describe_anywhere(self, uint32_t move) -> str:
        self.token(move)
        if move < DEAL:
            return ("check or fold", "bet or call")[move]
        return f"deal {CARD_NAMES[move - DEAL]}"

    def changes(self, bytes before, bytes after, int seat) -> list:
        cdef const State* old = <const State*>self.pointer(before)
        cdef const State* new = <const State*>self.pointer(after)
        found = []
        if NODE[old.bets] != TERMINAL and NODE[new.bets] == TERMINAL and new.cards[1] != UNDEALT:
            shares = self.returns_of(after)
            chips = STAKE[new.bets]
            winner = shares.index(max(shares))
            how = "by a fold" if FOLD_WINNER[new.bets] >= 0 else "at the showdown"
            found.append(Change(
                f"p{winner + 1} wins {chips} chip{'s' * (chips > 1)} {how}",
                shares[seat] - 0.5 if seat >= 0 else 0.0))
        put_in = bets_of(new).count("b") - bets_of(old).count("b")
        if put_in > 0 and NODE[new.bets] != TERMINAL:
            better = (bets_of(new).index("b") % 2) + 1
            found.append(Change(f"p{better} puts 1 more chip at stake", 0.0))
        return found


cdef str bets_of(const State* state):
    return KuhnPoker.numbers.format_field(state.bets, "bets")


cdef str node_type(const State* state):
    if state.cards[1] == UNDEALT:
        return "deal"
    return "end" if NODE[state.bets] == TERMINAL else "play"
