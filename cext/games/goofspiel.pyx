"""Goofspiel (docs/rules/goofspiel.md): calibration, hidden simultaneous bids, two seats.

A move is the card that is bid, 1 to 13, or HIDDEN, p1's bid as seen by others. A chance outcome is
PRIZE + card, or REVEAL + 16 * bid of p1 + bid of p2, which makes both bids public.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.change import Change
from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    observer_suffix, read_line, read_list, read_node, read_number, write_list, write_node)
from kingmaker.cext.options import Choice, Number, Options
from kingmaker.cext.reasons import Numbers, Reason

from ..bits cimport count, lowest, pop_lowest, random_member
from ..feature_blocks cimport thermometer, write_members
from ..fields cimport Fields
from ..game cimport CHANCE, TERMINAL, Game, Refusal, refuse
from ..rng cimport bitgen_t
from ..view_game cimport NOBODY, ViewGame

cdef enum:
    FEWEST_CARDS = 4
    MOST_CARDS = 13
    NO_CARD = 0
    HIDDEN = 15
    PRIZE = 16
    REVEAL = 256
    MOST_POINTS = 91   # the sum of the most point cards

cdef enum Order:
    RANDOM = 0
    ASCENDING = 1
    DESCENDING = 2

cdef enum Why:
    HIGH_CARD = 1, HIGH_POINT_CARD, HANDS, POINT_CARDS, OTHER_PRIZE, EARLY_BID, OTHER_BID, POINTS
    BID_SEEN, BID_NOT_SEEN, OVER, TURNING_UP, GONE, REVEALING, BIDDING, UNNAMED, NOT_IN_HAND

ORDERS = ("random", "ascending", "descending")   # by the numbers of `Order`
OPTIONS = Options(
    "goofspiel",
    Number("cards", "R1.1", "point cards, and cards in each hand, {}", FEWEST_CARDS, MOST_CARDS,
           MOST_CARDS),
    Choice("order", "R1.2", "how the prizes come, random, ascending or descending", ORDERS))
FIELDS = ("p1", "p2", "bids", "points", "prize", "down", "node")
VERBS = {"bid": 0, "prize": PRIZE, "reveal": REVEAL}
REASONS = {
    HIGH_CARD: Reason("R4.3b", "the highest card is {2}", "hands[{0}].cards", "{1}"),
    HIGH_POINT_CARD: Reason("R4.3c", "the highest point card is {1}", "down", "{0}"),
    HANDS: Reason("R4.3b", "both hands have the same number of cards, and never one each",
                  "hands", "{0} and {1} cards"),
    POINT_CARDS: Reason("R4.3c", "prize and down are {0} different point cards, as many as the "
                        "cards in a hand", "down", "{1:cards}"),
    OTHER_PRIZE: Reason("R4.3c", "in {1:order} order the prize is {2}, and {3:cards} are face down",
                        "prize", "{0}"),
    EARLY_BID: Reason("R4.3d", "p1 bids when there is a prize, and p2 after p1", "bids[0]",
                      "{0:bid}"),
    OTHER_BID: Reason("R4.3d", "{0:seat}'s bid must be in {0:seat}'s hand", "bids[{0}]",
                      "{1:bid}"),
    POINTS: Reason("R4.3e", "the point cards that are gone have {2} points", "points", "{0}, {1}"),
    BID_SEEN: Reason("R4.4", "p1's bid is ? here, as only p1 sees it", "bids[0]", "{0:bid}"),
    BID_NOT_SEEN: Reason("R4.4", "p1 sees its own bid", "bids[0]", "?"),
    OVER: Reason("R1.6", "the game is over"),
    TURNING_UP: Reason("R1.2", "the prize is being turned up now"),
    GONE: Reason("R1.2", "the point card {0} is gone"),
    REVEALING: Reason("R1.4", "the bids that were made are revealed now"),
    BIDDING: Reason("R1.3", "the seats are bidding now"),
    UNNAMED: Reason("R1.3", "a bid must name its card"),
    NOT_IN_HAND: Reason("R1.3", "the card {0} is not in this hand"),
}

cdef struct State:
    uint16_t[2] hands   # set of cards of each seat, its pending bid included
    uint16_t down       # set of point cards that are face down
    uint8_t prize       # NO_CARD between rounds
    uint8_t[2] bids     # NO_CARD, a card or HIDDEN
    uint8_t[2] points
    uint8_t observer    # seat + 1, 0 for a spectator, NOBODY: a full state


cdef inline uint16_t bit(int card) noexcept nogil:
    return <uint16_t>(1 << card)


cdef inline int highest(uint16_t cards) noexcept nogil:
    """The highest card; the set must not be empty."""
    cdef int card = MOST_CARDS
    while not cards >> card:
        card -= 1
    return card


cdef inline uint16_t whole_suit(int num_cards) noexcept nogil:
    """The set of the cards 1 to `num_cards`."""
    return <uint16_t>((1 << (num_cards + 1)) - 2)


cdef inline int sum_of(uint64_t cards) noexcept nogil:
    cdef int total = 0
    while cards:
        total += pop_lowest(&cards)
    return total


cdef inline void award(State* state, int prize, int p1, int p2) noexcept nogil:
    """Give the prize to the seat with the higher bid, if there is one (R1.4)."""
    state.points[0] += prize if p1 > p2 else 0
    state.points[1] += prize if p2 > p1 else 0


cdef class Goofspiel(ViewGame):
    """The rules with their options, see `option_help`."""

    cdef int num_cards
    cdef int order
    cdef int lead_steps   # features of a lead, each of two points more

    name = "goofspiel"
    title = "Goofspiel"
    tag = "goof"
    option_help = OPTIONS.help
    is_hidden = True
    needs_mixing = True
    handicaps = (0.61, 0.58, 0.56, 0.51, 0.47, 0.44, 0.4, 0.25, 0.17)
    notation_help = (
        "Moves: bid:7; chance: prize:3 turns a point card up, reveal:7-12 both bids.\n"
        "Position: goof p1= p2= bids= points= prize= down= node=\n"
        "After goof come ;cards=<n> and ;order=ascending or ;order=descending if they are not 13 "
        "and random. p1 and p2 are the hands, down the point cards that are face down: cards "
        "joined by commas, or -; bids and points are those of p1, / and those of p2, prize is a "
        "card; _ is no bid or prize yet; the node is prize, bid:p1, bid:p2, reveal or end.\n"
        "Observation: the same with ? for a hidden bid, then @p1 or @p2, the seat that sees it; @- "
        "is a spectator.")
    choices = OPTIONS
    form_rules = ("R4.1", "R4.2", "R4.4")
    implied = {"node": "R4.3f"}
    reasons = REASONS
    numbers = Numbers(
        bid=lambda card: card_text(card), cards=lambda mask: write_list(map(str, members(mask))),
        order=lambda order: ORDERS[order])

    def __init__(self, **options):
        self.options = OPTIONS.checked(options)
        self.num_cards = int(self.options["cards"])
        self.order = ORDERS.index(self.options["order"])
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = self.num_cards
        # A lead of more than half of all points is decisive.
        self.lead_steps = (sum_of(whole_suit(self.num_cards)) + 3) // 4
        self.num_features = len(self.feature_names)
        self.num_actions = self.num_cards
        self.observer_at = <size_t>&(<State*>NULL).observer

    cdef void start(self, void* state) noexcept nogil:
        cdef State* s = <State*>state
        cdef uint16_t suit = whole_suit(self.num_cards)
        s[0] = State(hands=[suit, suit], down=suit, prize=NO_CARD, bids=[NO_CARD, NO_CARD],
                     points=[0, 0], observer=NOBODY)
        self.turn_up(s)

    cdef void turn_up(self, State* state) noexcept nogil:
        """Turn the next prize up, unless chance draws it (R1.2)."""
        if self.order != RANDOM:
            state.prize = lowest(state.down) if self.order == ASCENDING else highest(state.down)
            state.down &= ~bit(state.prize)

    cdef int node(self, const void* state) noexcept nogil:
        cdef const State* s = <const State*>state
        if s.hands[0] == 0:
            return TERMINAL
        if s.prize == NO_CARD or s.bids[1] != NO_CARD:
            return CHANCE
        return s.bids[0] != NO_CARD

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint64_t hand = s.hands[s.bids[0] != NO_CARD]
        cdef int num_moves = 0
        while hand:
            out[num_moves] = pop_lowest(&hand)
            num_moves += 1
        return num_moves

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint64_t down = s.down
        cdef int num_outcomes = count(down)
        cdef int i
        if s.prize != NO_CARD:
            out[0] = reveal_of(s)
            probabilities[0] = 1.0
            return 1
        for i in range(num_outcomes):
            out[i] = PRIZE + pop_lowest(&down)
            probabilities[i] = 1.0 / num_outcomes
        return num_outcomes

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        cdef const State* s = <const State*>state
        return reveal_of(s) if s.prize != NO_CARD else PRIZE + random_member(s.down, rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        if move < PRIZE:
            s.bids[s.bids[0] != NO_CARD] = move
        elif move < REVEAL:
            s.prize = move - PRIZE
            s.down &= ~bit(s.prize)
        else:
            self.reveal(s, (move >> 4) & 15, move & 15)

    cdef void reveal(self, State* state, int p1, int p2) noexcept nogil:
        """End the round, and also the last one if only that is left (R1.4, R1.5)."""
        award(state, state.prize, p1, p2)
        state.hands[0] &= ~bit(p1)
        state.hands[1] &= ~bit(p2)
        state.bids = [NO_CARD, NO_CARD]
        state.prize = NO_CARD
        if state.down & (state.down - 1):
            self.turn_up(state)
            return
        award(state, lowest(state.down), lowest(state.hands[0]), lowest(state.hands[1]))
        finish(state)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int lead = s.points[0] - s.points[1]
        out[0] = 0.5 * (1 + (lead > 0) - (lead < 0))
        out[1] = 1.0 - out[0]

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        cdef State* seen = <State*>out
        memcpy(out, state, sizeof(State))
        seen.observer = seat + 1
        if seat != 0 and seen.bids[0] != NO_CARD:
            seen.bids[0] = HIDDEN

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        cdef State* s = <State*>out
        memcpy(out, observation, sizeof(State))
        s.observer = NOBODY
        if s.bids[0] == HIDDEN:
            s.bids[0] = random_member(s.hands[0], rng)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        cdef bint is_hidden = (
            move < PRIZE and seat != 0 and (<const State*>state).bids[0] == NO_CARD)
        return HIDDEN if is_hidden else move

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        cdef const State* s = <const State*>state
        return random_member(s.hands[s.bids[0] != NO_CARD], rng)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        """Match each prize with a random card of either hand: the same distribution.

        Uniform bids have this distribution in every order of the prizes.
        """
        cdef State* s = <State*>state
        if max_plies:
            return Game.playout(self, state, max_plies, rng, out)
        cdef int plies = self.plies_left(s)
        cdef uint8_t[2][MOST_CARDS] cards
        cdef int[2] left
        cdef uint64_t down = s.down
        cdef uint64_t draw
        cdef int seat
        cdef int[2] bids
        for seat in range(2):
            left[seat] = list_cards(s.hands[seat] & ~bit(s.bids[seat]), cards[seat])
        if s.prize != NO_CARD:
            for seat in range(2):
                bids[seat] = s.bids[seat]
                if bids[seat] == NO_CARD:
                    bids[seat] = take(cards[seat], &left[seat], rng.next_uint32(rng.state))
            award(s, s.prize, bids[0], bids[1])
        while down:
            draw = rng.next_uint64(rng.state)
            bids[0] = take(cards[0], &left[0], <uint32_t>draw)
            bids[1] = take(cards[1], &left[1], <uint32_t>(draw >> 32))
            award(s, pop_lowest(&down), bids[0], bids[1])
        finish(s)
        self.returns(state, out)
        return plies

    cdef int plies_left(self, const State* state) noexcept nogil:
        """Moves and outcomes to the end: every round but the last one has three or four."""
        cdef int num_rounds = count(state.hands[0]) - 1
        cdef int num_done = (state.bids[0] != NO_CARD) + (state.bids[1] != NO_CARD)
        if self.order == RANDOM:
            num_done += state.prize != NO_CARD
        return num_rounds * (4 if self.order == RANDOM else 3) - num_done if num_rounds > 0 else 0

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        """Compare the expected lead under uniform bids with the spread of the remaining prizes."""
        cdef const State* s = <const State*>state
        cdef uint64_t down = s.down
        cdef uint16_t[2] bids
        cdef uint16_t[2] rest
        cdef double lead = s.points[0] - s.points[1]
        cdef double variance = 0
        cdef int seat, prize
        if self.node(state) == TERMINAL:
            self.returns(state, out)
            return
        for seat in range(2):
            bids[seat] = rest[seat] = s.hands[seat]
            if s.bids[seat] != NO_CARD and s.bids[seat] != HIDDEN:
                bids[seat] = bit(s.bids[seat])
                rest[seat] &= ~bids[seat]
        lead += s.prize * advantage(bids[0], bids[1])
        lead += sum_of(down) * advantage(rest[0], rest[1])
        if count(bids[0]) + count(bids[1]) > 2:   # the prize is not decided
            variance += s.prize * s.prize
        while down:
            prize = pop_lowest(&down)
            variance += prize * prize
        out[0] = 0.5 + 0.5 * lead / sqrt(lead * lead + variance)
        out[1] = 1.0 - out[0]

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        """In the order of `feature_names`; everybody sees the bid of p2."""
        cdef const State* s = <const State*>state
        cdef uint16_t bid = seen_bid(s, seat)
        cdef uint16_t other_bid = seen_bid(s, 1) if seat == 0 else 0
        cdef uint16_t[6] sets = [
            s.hands[seat] & ~bid, bid, s.hands[1 - seat] & ~other_bid, other_bid,
            bit(s.prize) & ~1, s.down]
        cdef int lead = s.points[seat] - s.points[1 - seat]
        cdef int first = 0
        cdef int length = 0
        cdef int i
        for i in range(6):
            length = write_members(sets[i] >> 1, first, out, length)
            first += self.num_cards
        if seat == 1 and s.bids[0] != NO_CARD:
            out[length] = first
            length += 1
        length = write_members(
            thermometer((lead + 1) >> 1, self.lead_steps), first + 1, out, length)
        return write_members(
            thermometer((1 - lead) >> 1, self.lead_steps), first + 1 + self.lead_steps, out, length)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return move - 1

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return index + 1

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int length = 0
        cdef int seat
        memcpy(root, state, sizeof(State))
        (<State*>root).bids = [NO_CARD, NO_CARD]
        for seat in range(2):
            if s.bids[seat] != NO_CARD:
                out[length] = s.bids[seat]
                length += 1
        return length

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint16_t suit = whole_suit(self.num_cards)
        cdef int num_cards = count(s.hands[0])
        cdef int seat, left
        for seat in range(2):
            if s.hands[seat] & ~suit:
                return refuse(out, HIGH_CARD, seat, highest(s.hands[seat]), self.num_cards)
        if num_cards != count(s.hands[1]) or num_cards == 1:
            return refuse(out, HANDS, num_cards, count(s.hands[1]))
        if on_table(s) & ~suit:
            return refuse(out, HIGH_POINT_CARD, highest(on_table(s)), self.num_cards)
        if bit(s.prize) & s.down or count(on_table(s)) != num_cards:
            return refuse(out, POINT_CARDS, num_cards, s.down)
        if self.check_prize(s, out) or self.check_bids(s, out):
            return out.code
        left = sum_of(suit & ~on_table(s))
        if s.points[0] + s.points[1] > left:
            return refuse(out, POINTS, s.points[0], s.points[1], left)
        return 0

    cdef int check_prize(self, const State* state, Refusal* out) noexcept nogil:
        """Compare with the prizes of a known order (R4.3c)."""
        cdef int num_cards = count(state.hands[0])
        cdef State known = state[0]
        if self.order == RANDOM or num_cards == 0:
            return 0
        known.down = whole_suit(num_cards)
        if self.order == ASCENDING:
            known.down <<= self.num_cards - num_cards
        self.turn_up(&known)
        if known.prize == state.prize and known.down == state.down:
            return 0
        return refuse(out, OTHER_PRIZE, state.prize, self.order, known.prize, known.down)

    cdef int check_bids(self, const State* state, Refusal* out) noexcept nogil:
        """R4.3d, R4.4."""
        cdef bint is_seen = state.observer == NOBODY or state.observer == 1
        cdef int seat, bid
        if state.prize == NO_CARD and state.bids[0] != NO_CARD:
            return refuse(out, EARLY_BID, state.bids[0])
        for seat in range(2):
            bid = state.bids[seat]
            if bid != NO_CARD and bid != HIDDEN and not state.hands[seat] & bit(bid):
                return refuse(out, OTHER_BID, seat, bid)
        if is_seen and state.bids[0] == HIDDEN:
            return refuse(out, BID_NOT_SEEN)
        if not is_seen and state.bids[0] != NO_CARD and state.bids[0] != HIDDEN:
            return refuse(out, BID_SEEN, state.bids[0])
        return 0

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef bint is_prize = PRIZE <= move < REVEAL
        if s.hands[0] == 0:
            return refuse(out, OVER)
        if s.prize == NO_CARD and not is_prize:
            return refuse(out, TURNING_UP)
        if s.prize == NO_CARD:
            return 0 if s.down & bit(move - PRIZE) else refuse(out, GONE, move - PRIZE)
        if s.bids[1] != NO_CARD:
            return 0 if move == reveal_of(s) else refuse(out, REVEALING)
        if move >= PRIZE:
            return refuse(out, BIDDING)
        if move == HIDDEN:
            return refuse(out, UNNAMED)
        return 0 if s.hands[s.bids[0] != NO_CARD] & bit(move) else refuse(out, NOT_IN_HAND, move)

    @staticmethod
    def read_position(str text) -> dict:
        line = read_line(text, "goof", FIELDS, ("R4.2", "R4.4"), OPTIONS)
        kind = "observation" if line.observer else "position"
        p1, p2, bids, points, prize, down, node = line.values
        p1_bid, p2_bid = split_pair(f"{kind}.bids", bids)
        if p1_bid == "_" != p2_bid:
            raise refusal(f"{kind}.bids", bids, "R4.3d", "p2 bids after p1")
        return {
            "options": line.options,
            "hands": [{"cards": read_numbers(hand, f"{kind}.hands[{seat}].cards")}
                      for seat, hand in enumerate((p1, p2))],
            "bids": [bid for bid in (p1_bid, p2_bid) if bid != "_"],
            "points": [read_number(number, f"{kind}.points[{seat}]", "R4.2")
                       for seat, number in enumerate(split_pair(f"{kind}.points", points))],
            "prize": 0 if prize == "_" else read_number(prize, f"{kind}.prize", "R4.2"),
            "down": read_numbers(down, f"{kind}.down"),
            "node": read_node(node),
            **line.observer,
        }

    @staticmethod
    def write_position(dict view) -> str:
        p1, p2 = (write_list(map(str, hand["cards"])) for hand in view["hands"])
        p1_bid, p2_bid = [*view["bids"], "_", "_"][:2]
        return " ".join([
            "goof" + OPTIONS.written(view["options"]),
            f"p1={p1}",
            f"p2={p2}",
            f"bids={p1_bid}/{p2_bid}",
            f"points={view['points'][0]}/{view['points'][1]}",
            f"prize={view['prize'] or '_'}",
            f"down={write_list(map(str, view['down']))}",
            f"node={write_node(view['node'])}"]) + observer_suffix(view)

    @property
    def feature_names(self) -> list:
        leads = range(1, 2 * self.lead_steps, 2)
        return [
            *(f"{words}: {card}"
              for words in ("own hand", "own bid", "rival's hand", "rival's bid", "prize",
                            "face down")
              for card in range(1, self.num_cards + 1)),
            "rival's bid: hidden",
            *(f"points, {side} lead: {points} or more"
              for side in ("own", "rival's") for points in leads)]

    def pack(self, Fields fields not None) -> bytes:
        cdef Fields hand
        cdef State s = State(
            hands=[0, 0], down=set_of(fields, "down"), prize=fields.number("prize", 0, MOST_CARDS),
            bids=[NO_CARD, NO_CARD], points=[0, 0], observer=fields.observer(2, "R4.4"))
        for seat, hand in enumerate(fields.records("hands", 2)):
            s.hands[seat] = set_of(hand, "cards")
        for seat, points in enumerate(fields.numbers("points", 0, MOST_POINTS, 2)):
            s.points[seat] = points
        codes = card_codes(MOST_CARDS, s.observer != NOBODY)
        for seat, bid in enumerate(fields.codes("bids", codes, 2)):
            s.bids[seat] = bid
        if s.bids[1] == HIDDEN:
            raise fields.refusal("bids[1]", "everybody sees the bid of p2", "?", "R4.4")
        return (<char*>&s)[:sizeof(State)]

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        return {
            "hands": [{"cards": members(s.hands[seat])} for seat in range(2)],
            "bids": [card_text(s.bids[seat]) for seat in range(2) if s.bids[seat] != NO_CARD],
            "points": [s.points[0], s.points[1]],
            "prize": s.prize,
            "down": members(s.down),
            "node": {"type": node_type(s)},
        }

    @staticmethod
    def read_move(str text) -> dict:
        verb, _, cards = text.partition(":")
        return {"verb": verb, "cards": cards.split("-")}

    @staticmethod
    def write_move(dict view) -> str:
        return f"{view['verb']}:{'-'.join(view['cards'])}"

    def pack_move(self, Fields fields not None) -> int:
        verb = fields.code("verb", VERBS)
        codes = card_codes(self.num_cards, verb == 0)
        cards = fields.codes("cards", codes, 2, f"a card is a number from 1 to {self.num_cards}")
        if len(cards) != 1 + (verb == REVEAL):
            raise fields.refusal("cards", "bid and prize have one card, reveal has two")
        return verb + (16 * cards[0] + cards[1] if verb == REVEAL else cards[0])

    def move_view(self, uint32_t move) -> dict:
        if move < PRIZE:
            return {"verb": "bid", "cards": [card_text(move)]}
        if move < REVEAL:
            return {"verb": "prize", "cards": [card_text(move - PRIZE)]}
        return {"verb": "reveal", "cards": [card_text((move >> 4) & 15), card_text(move & 15)]}

    def render(self, bytes state) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        lines = [f"prize {s.prize or '-'}   face down: {listed(members(s.down))}"]
        for seat in range(2):
            bid = f"   bids {card_text(s.bids[seat])}" if s.bids[seat] != NO_CARD else ""
            lines.append(f"p{seat + 1} {s.points[seat]:2} points   "
                         f"hand: {listed(members(s.hands[seat]))}{bid}")
        return "\n".join(lines)

    def describe_move(self, bytes state, uint32_t move) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        words = self.describe_anywhere(move)
        return f"{words} for the {s.prize}" if move < PRIZE and s.prize != NO_CARD else words

    def describe_anywhere(self, uint32_t move) -> str:
        if move == HIDDEN:
            return "bid a hidden card"
        if move < PRIZE:
            return f"bid the {move}"
        if move < REVEAL:
            return f"turn up the {move - PRIZE} as the prize"
        return f"reveal the bids, {(move >> 4) & 15} of p1 and {move & 15} of p2"

    def changes(self, bytes before, bytes after, int seat) -> list:
        cdef const State* old = <const State*>self.pointer(before)
        cdef const State* new = <const State*>self.pointer(after)
        total = sum_of(whole_suit(self.num_cards))
        found = []
        gained = [new.points[owner] - old.points[owner] for owner in range(2)]
        lost = sum_of(on_table(old)) - sum_of(on_table(new)) - sum(gained)
        for owner in range(2):
            if gained[owner] > 0:
                gain = gained[owner] / total
                found.append(Change(
                    f"p{owner + 1} gains {count_points(gained[owner])}",
                    gain if owner == seat else -gain))
        if lost > 0:
            found.append(Change(f"nobody gets {count_points(lost)}", 0.0))
        if self.node(old) != TERMINAL and self.node(new) == TERMINAL:
            gain = self.returns_of(after)[seat] - 0.5 if seat >= 0 else 0.0
            found.append(Change(result_words(new), gain))
        return sorted(found, key=lambda change: -abs(change.gain))


cdef inline uint16_t seen_bid(const State* state, int seat) noexcept nogil:
    """The set of a pending bid; empty if there is none or it is hidden."""
    return bit(state.bids[seat]) & whole_suit(MOST_CARDS)


cdef inline uint32_t reveal_of(const State* state) noexcept nogil:
    return REVEAL + 16 * state.bids[0] + state.bids[1]


cdef inline void finish(State* state) noexcept nogil:
    """Clear hands, prizes and bids, as after the last round."""
    state.hands = [0, 0]
    state.down = 0
    state.prize = NO_CARD
    state.bids = [NO_CARD, NO_CARD]


cdef inline uint16_t on_table(const State* state) noexcept nogil:
    """The set of point cards that can still be won."""
    return state.down | (bit(state.prize) if state.prize != NO_CARD else 0)


cdef inline int list_cards(uint16_t cards, uint8_t* out) noexcept nogil:
    """Write the cards of a set and return their number."""
    cdef uint64_t rest = cards
    cdef int num_cards = 0
    while rest:
        out[num_cards] = pop_lowest(&rest)
        num_cards += 1
    return num_cards


cdef inline int take(uint8_t* cards, int* num_cards, uint32_t draw) noexcept nogil:
    """Take one of the cards by 32 random bits, and close the gap; bias below 13 / 2**32."""
    cdef int i = (<uint64_t>draw * num_cards[0]) >> 32
    cdef int card = cards[i]
    num_cards[0] -= 1
    cards[i] = cards[num_cards[0]]
    return card


cdef double advantage(uint16_t own, uint16_t other) noexcept nogil:
    """Probability that a random card of `own` beats one of `other`, less that of the reverse."""
    cdef uint64_t rest = own
    cdef int surplus = 0
    cdef int card
    while rest:
        card = pop_lowest(&rest)
        surplus += count(other & (bit(card) - 1)) - count(other >> (card + 1))
    return surplus / <double>(count(own) * count(other))


def split_pair(str path, str text) -> list:
    """Split the text for both seats, `a/b`."""
    parts = text.split("/")
    if len(parts) != 2:
        raise refusal(path, text, "R4.2", "this is written for both seats, as a/b")
    return parts


def read_numbers(str text, str path) -> list:
    """Read a list of cards."""
    return [read_number(card, f"{path}[{place}]", "R4.2")
            for place, card in enumerate(read_list(text))]


def set_of(Fields fields, str name) -> int:
    """Return the set of a list of cards."""
    return sum({1 << card for card in fields.numbers(name, 1, MOST_CARDS, MOST_CARDS)})


def card_codes(int num_cards, bint may_hide) -> dict:
    """Map the spellings of cards to their codes."""
    codes = {str(card): card for card in range(1, num_cards + 1)}
    return codes | {"?": HIDDEN} if may_hide else codes


cdef str node_type(const State* state):
    if state.hands[0] == 0:
        return "end"
    if state.prize == NO_CARD:
        return "prize"
    return "bid" if state.bids[1] == NO_CARD else "reveal"


def card_text(int card) -> str:
    """Write a card of a bid."""
    return "?" if card == HIDDEN else str(card)


cdef list members(uint16_t cards):
    """The cards of a set, ascending."""
    return [card for card in range(1, MOST_CARDS + 1) if cards >> card & 1]


def listed(list cards) -> str:
    """Write cards for people."""
    return " ".join(map(str, cards)) or "none"


def count_points(int points) -> str:
    """Write a number of points in words."""
    return f"{points} point" if points == 1 else f"{points} points"


cdef str result_words(const State* state):
    """Describe the end of the game."""
    p1, p2 = state.points[0], state.points[1]
    if p1 == p2:
        return f"the game is tied, {p1} points each"
    return f"p{1 if p1 > p2 else 2} wins the game, {max(p1, p2)} to {min(p1, p2)} points"
