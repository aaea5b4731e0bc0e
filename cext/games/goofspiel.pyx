"""Goofspiel (docs/rules/goofspiel.md): calibration, hidden simultaneous bids, two seats.

A move is the card that is bid, 1 to 13, or HIDDEN, p1's bid as others see it. A chance outcome is
PRIZE + card, or REVEAL + 16 * bid of p1 + bid of p2, which tells everybody what was hidden.
"""

from functools import lru_cache

from libc.math cimport sqrt
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy
from numpy.random cimport bitgen_t

from kingmaker.cext.change import Change
from kingmaker.cext.errors import InputError
from kingmaker.cext.notation import check_node, field_values, observer_suffix, split_observer

from ..bits cimport count, lowest, pop_lowest, random_member
from ..game cimport CHANCE, TERMINAL, Game

ORDERS = ("random", "ascending", "descending")   # by the numbers of `Order`
DEFAULTS = {"cards": "13", "order": "random"}
HELP = {
    "cards": "point cards, and cards in each hand, 4 to 13; default 13 (R1.1)",
    "order": "how the prizes come, random, ascending or descending; default random (R1.2)",
}
FIELDS = ("p1", "p2", "bids", "points", "prize", "down", "node")
NUMBERS = {str(number): number for number in range(100)}   # without leading zeros

cdef enum:
    FEWEST_CARDS = 4
    MOST_CARDS = 13
    NO_CARD = 0
    HIDDEN = 15
    PRIZE = 16
    REVEAL = 256
    NOBODY = 255   # `State.observer` of a full state

cdef enum Order:
    RANDOM = 0
    ASCENDING = 1
    DESCENDING = 2

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


cdef class Goofspiel(Game):
    """The rules with their options, see `option_help`."""

    cdef int num_cards
    cdef int order

    name = "goofspiel"
    title = "Goofspiel"
    tag = "goof"
    option_help = HELP
    is_hidden = True
    needs_mixing = True
    handicaps = (1.0, 0.63, 0.56, 0.5, 0.44, 0.395, 0.372, 0.338, 0.27)
    notation_help = (
        "Moves: bid:7; chance: prize:3 turns a point card up, reveal:7-12 both bids.\n"
        "Position: goof p1=<hand> p2=<hand> bids=<of p1>/<of p2> points=<of p1>/<of p2>\n"
        "prize=<card> down=<cards> node=...; after goof come ;cards=<n> and ;order=ascending or\n"
        ";order=descending if they are not 13 and random; cards are joined by commas, - is none,\n"
        "_ is no bid or prize yet, the node is prize, bid:p1, bid:p2, reveal or end; an\n"
        "observation has ? for a hidden bid and ends in @pN.")

    def __init__(self, **options):
        self.options = checked(options)
        self.num_cards = NUMBERS[self.options["cards"]]
        self.order = ORDERS.index(self.options["order"])
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = self.num_cards

    cdef void start(self, void* state) noexcept nogil:
        cdef State* s = <State*>state
        cdef uint16_t suit = whole_suit(self.num_cards)
        s[0] = State(hands=[suit, suit], down=suit, prize=NO_CARD, bids=[NO_CARD, NO_CARD],
                     points=[0, 0], observer=NOBODY)
        self.turn_up(s)

    cdef void turn_up(self, State* state) noexcept nogil:
        """Turn the next prize up, unless that is up to chance (R1.2)."""
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
        """End the round, and with it the last one, if only that is left (R1.4, R1.5)."""
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

        In whatever order the prizes come, uniform bids match them so.
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
        """Weigh the lead that uniform bids would bring against the spread of what is left."""
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

    def move_text(self, uint32_t move) -> str:
        return self.move_view_text(self.move_view(move))

    def parse_move(self, str text) -> int:
        verb, _, named = text.partition(":")
        cards = [NUMBERS.get(card, NO_CARD) for card in named.split("-")]
        if text == "bid:?":
            return HIDDEN
        if min(cards) > NO_CARD and max(cards) <= self.num_cards:
            if verb == "bid" and len(cards) == 1:
                return cards[0]
            if verb == "prize" and len(cards) == 1:
                return PRIZE + cards[0]
            if verb == "reveal" and len(cards) == 2:
                return REVEAL + 16 * cards[0] + cards[1]
        raise InputError(
            f"{text!r} is no move; moves are bid:1 to bid:{self.num_cards}, outcomes are prize:1 "
            f"to prize:{self.num_cards} and reveal:1-1 to reveal:{self.num_cards}-{self.num_cards}",
            field="move", value=text, rule="R4.1")

    def why_illegal(self, bytes state, uint32_t move) -> tuple:
        cdef const State* s = <const State*>self.pointer(state)
        node = node_text(s)
        if node == "end":
            return ("the game is over", "R1.6")
        if node == "prize":
            return ("the prize is being turned up now" if move < PRIZE or move >= REVEAL
                    else f"the point card {move - PRIZE} is gone", "R1.2")
        if node == "reveal":
            return ("the bids that were made are revealed now", "R1.4")
        if move >= PRIZE:
            return ("the seats are bidding now", "R1.3")
        if move == HIDDEN:
            return ("a bid must name its card", "R1.3")
        return (f"the card {move} is not in this hand", "R1.3")

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        view = {
            "cards": self.num_cards,
            "order": ORDERS[self.order],
            "hands": [{"cards": members(s.hands[seat])} for seat in range(2)],
            "bids": [card_text(s.bids[seat]) for seat in range(2) if s.bids[seat] != NO_CARD],
            "points": [s.points[0], s.points[1]],
            "prize": s.prize,
            "down": members(s.down),
            "node": node_text(s),
        }
        if s.observer != NOBODY:
            view["observer"] = s.observer
        return view

    def move_view(self, uint32_t move) -> dict:
        if move < PRIZE:
            return {"verb": "bid", "cards": [card_text(move)]}
        if move < REVEAL:
            return {"verb": "prize", "cards": [card_text(move - PRIZE)]}
        return {"verb": "reveal", "cards": [card_text((move >> 4) & 15), card_text(move & 15)]}

    @classmethod
    def view_text(cls, dict view) -> str:
        options = checked({
            "cards": view.get("cards") or MOST_CARDS, "order": view.get("order") or ORDERS[RANDOM]})
        hands = pair(view.get("hands", []), {})
        return " ".join([
            tag_text(options["cards"], options["order"]),
            *(f"p{seat}={joined(hand.get('cards', []))}" for seat, hand in enumerate(hands, 1)),
            f"bids={'/'.join(pair(view.get('bids', []), '_'))}",
            f"points={'/'.join(map(str, pair(view.get('points', []), 0)))}",
            f"prize={view.get('prize') or '_'}",
            f"down={joined(view.get('down', []))}",
            f"node={view.get('node', '')}"]) + observer_suffix(view)

    @classmethod
    def move_view_text(cls, dict view) -> str:
        return f"{view.get('verb', '')}:{'-'.join(view.get('cards', []))}"

    @classmethod
    def parse_position(cls, str text) -> tuple:
        cdef Goofspiel game = game_of(cls, text.partition(" ")[0])
        return game, game.parsed(text, False)

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        line, observer = split_observer(text, "R4.4")
        cdef Goofspiel game = game_of(cls, line.partition(" ")[0])
        observation = game.observed(game.parsed(line, True), observer - 1)
        if game.text(observation) != text:
            raise InputError(
                "p1's bid is written ? exactly when the observer does not see it",
                field="observation", value=text, rule="R4.4")
        return game, observation

    cdef bytes parsed(self, str text, bint may_hide):
        """Return the state of a position line (R4.3); a ? becomes any card of the hand."""
        p1, p2, bids, points, prize, down, node = field_values(
            text, text.partition(" ")[0], FIELDS, "R4.2")
        p1_bid, p2_bid = split_pair("bids", bids)
        p1_points, p2_points = split_pair("points", points)
        cdef State s = State(
            hands=[self.parsed_set("p1", p1, "R4.3b"), self.parsed_set("p2", p2, "R4.3b")],
            down=self.parsed_set("down", down, "R4.3c"),
            prize=parsed_card("prize", prize),
            bids=[HIDDEN if may_hide and p1_bid == "?" else parsed_card("bids", p1_bid),
                  parsed_card("bids", p2_bid)],
            points=[parsed_number("points", p1_points), parsed_number("points", p2_points)],
            observer=NOBODY)
        self.check_hands(&s, text)
        if s.bids[0] == HIDDEN and s.hands[0]:
            s.bids[0] = lowest(s.hands[0])
        self.check_point_cards(&s, text)
        check_bids(&s, bids)
        if s.points[0] + s.points[1] > sum_of(whole_suit(self.num_cards) & ~on_table(&s)):
            raise InputError(
                "the seats have more points than the point cards that are gone",
                field="points", value=points, rule="R4.3e")
        check_node(node, node_text(&s), "R4.3f")
        return (<char*>&s)[:sizeof(State)]

    cdef uint16_t parsed_set(self, str field, str text, str rule) except? 0:
        """Read a list of cards that are in the game."""
        names = text.split(",") if text != "-" else []
        cards = [parsed_card(field, name) for name in names]
        if NO_CARD in cards or sorted(set(cards)) != cards:
            raise InputError(
                "cards are written once each, ascending, joined by commas, or - for none",
                field=field, value=text, rule="R4.2")
        if max(cards, default=0) > self.num_cards:
            raise InputError(
                f"the highest card is {self.num_cards}, not {max(cards)}",
                field=field, value=text, rule=rule)
        return sum(1 << card for card in cards)

    cdef int check_hands(self, const State* state, str text) except -1:
        cdef int num_cards = count(state.hands[0])
        if num_cards != count(state.hands[1]) or num_cards == 1:
            raise InputError(
                "both hands have the same number of cards, and never one each",
                field="p2", value=text, rule="R4.3b")
        return 0

    cdef int check_point_cards(self, const State* state, str text) except -1:
        cdef int num_cards = count(state.hands[0])
        cdef State given = state[0]
        if (bit(state.prize) & state.down or count(on_table(state)) != num_cards
                or state.prize > self.num_cards):
            raise InputError(
                f"prize and down are {num_cards} different point cards of 1 to {self.num_cards}, "
                "as many as the cards in a hand", field="down", value=text, rule="R4.3c")
        if self.order == RANDOM or num_cards == 0:
            return 0
        given.down = whole_suit(num_cards)
        if self.order == ASCENDING:
            given.down <<= self.num_cards - num_cards
        self.turn_up(&given)
        if given.prize != state.prize or given.down != state.down:
            raise InputError(
                f"with order={ORDERS[self.order]} the prize is {given.prize} and down are "
                f"{joined(members(given.down))}", field="prize", value=text, rule="R4.3c")
        return 0

    def observer_of(self, bytes state):
        cdef const State* s = <const State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1

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


@lru_cache(maxsize=64)
def rules_of(kind: type[Game], cards: str, order: str) -> Game:
    """Return the game that a line is of; having no state, one serves all lines."""
    return kind(cards=cards, order=order)


def game_of(kind: type[Game], str tag) -> Game:
    """Return the game of the first word of a line (R4.2)."""
    name, *given = tag.split(";")
    options = DEFAULTS | dict(option.partition("=")[::2] for option in given)
    if name == Goofspiel.tag and options.keys() == DEFAULTS.keys():
        game = rules_of(kind, **checked(options))
        if tag_text(options["cards"], options["order"]) == tag:
            return game
    raise InputError(
        "the tag is goof, then ;cards=<n> if there are not 13, then ;order=ascending or "
        ";order=descending", field="tag", value=tag, rule="R4.2")


cdef inline uint32_t reveal_of(const State* state) noexcept nogil:
    return REVEAL + 16 * state.bids[0] + state.bids[1]


cdef inline void finish(State* state) noexcept nogil:
    """Put away all that has been played out."""
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
    """How much likelier a random card of `own` beats one of `other` than the reverse."""
    cdef uint64_t rest = own
    cdef int surplus = 0
    cdef int card
    while rest:
        card = pop_lowest(&rest)
        surplus += count(other & (bit(card) - 1)) - count(other >> (card + 1))
    return surplus / <double>(count(own) * count(other))


def checked(dict given) -> dict:
    """Return every option with its canonical value.

    Raises:
        InputError: an option is unknown or its value is not one of the rules page.
    """
    for option, value in given.items():
        if option not in DEFAULTS:
            raise InputError(
                f"goofspiel has no option {option!r}; it has {', '.join(DEFAULTS)}",
                field=f"options.{option}", value=str(value))
    options = DEFAULTS | {option: str(value) for option, value in given.items()}
    if not FEWEST_CARDS <= NUMBERS.get(options["cards"], 0) <= MOST_CARDS:
        raise InputError(
            f"cards is a number from {FEWEST_CARDS} to {MOST_CARDS}, not {options['cards'][:20]!r}",
            field="options.cards", value=options["cards"], rule="R1.1")
    if options["order"] not in ORDERS:
        raise InputError(
            f"order is {', '.join(ORDERS[:2])} or {ORDERS[2]}, not {options['order'][:20]!r}",
            field="options.order", value=options["order"], rule="R1.2")
    return options


cdef int check_bids(const State* state, str text) except -1:
    """Refuse bids that can't have been made (R4.3d)."""
    if state.bids[0] == NO_CARD != state.bids[1] or state.prize == NO_CARD != state.bids[0]:
        raise InputError(
            "p1 bids when there is a prize, and p2 after p1", field="bids", value=text,
            rule="R4.3d")
    for seat in range(2):
        if state.bids[seat] != NO_CARD and not state.hands[seat] & bit(state.bids[seat]):
            raise InputError(
                f"p{seat + 1}'s bid must be in p{seat + 1}'s hand", field="bids", value=text,
                rule="R4.3d")
    return 0


def split_pair(str field, str text) -> list:
    """Split what is written for both seats, `a/b`."""
    parts = text.split("/")
    if len(parts) != 2:
        raise InputError(
            f"{field} are written for both seats, as {field}=a/b", field=field, value=text,
            rule="R4.2")
    return parts


def parsed_number(str field, str text) -> int:
    """Read a number up to 99."""
    if text not in NUMBERS:
        raise InputError(
            f"{field} are small numbers without leading zeros, not {text[:20]!r}", field=field,
            value=text, rule="R4.2")
    return NUMBERS[text]


def parsed_card(str field, str text) -> int:
    """Read a card, or `_` for none."""
    card = NUMBERS.get(text, NO_CARD)
    if text != "_" and not 1 <= card <= MOST_CARDS:
        raise InputError(
            f"a card is a number from 1 to {MOST_CARDS} or _, not {text[:20]!r}", field=field,
            value=text, rule="R4.2")
    return card


cdef str node_text(const State* state):
    if state.hands[0] == 0:
        return "end"
    if state.prize == NO_CARD:
        return "prize"
    if state.bids[1] != NO_CARD:
        return "reveal"
    return "bid:p1" if state.bids[0] == NO_CARD else "bid:p2"


def tag_text(cards: int | str, str order) -> str:
    """Write the first word of a line."""
    return ("goof" + (f";cards={cards}" if str(cards) != DEFAULTS["cards"] else "")
            + (f";order={order}" if order != DEFAULTS["order"] else ""))


cdef str card_text(int card):
    return "?" if card == HIDDEN else str(card)


cdef list members(uint16_t cards):
    """The cards of a set, ascending."""
    return [card for card in range(1, MOST_CARDS + 1) if cards >> card & 1]


def joined(list cards) -> str:
    """Write cards as in a line."""
    return ",".join(map(str, cards)) or "-"


def listed(list cards) -> str:
    """Write cards for people."""
    return " ".join(map(str, cards)) or "none"


def pair(values: list, absent: object) -> list:
    """Fill up to two values; further ones are left for parsing to refuse."""
    return [*values, absent, absent][:max(2, len(values))]


def count_points(int points) -> str:
    """Write a number of points in words."""
    return f"{points} point" if points == 1 else f"{points} points"


cdef str result_words(const State* state):
    """Say how the game ended."""
    p1, p2 = state.points[0], state.points[1]
    if p1 == p2:
        return f"the game is tied, {p1} points each"
    return f"p{1 if p1 > p2 else 2} wins the game, {max(p1, p2)} to {min(p1, p2)} points"
