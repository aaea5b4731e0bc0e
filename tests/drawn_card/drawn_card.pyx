"""A made-up game for tests of nets and training: keep a hidden card, or swap it for another.

Each seat is dealt one of the cards 1 to 6, all equally likely, which it alone sees. Then each seat
in turn keeps its card or swaps it once; the highest card wins. A card of 4 or more is kept, and a
card of 2 or less is swapped, by whoever plays well with two seats. `evaluate` says nothing.

A move is KEEP or SWAP, an outcome DEAL + card.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport CHANCE, TERMINAL, Game
from kingmaker.cext.rng cimport below, bitgen_t

cdef enum:
    NUM_CARDS = 6
    HIDDEN = 9
    NOBODY = 255     # `State.observer` of a full state
    DEAL = 16
    SWAPPED = NUM_CARDS      # features, after one for each own card
    DECIDED = NUM_CARDS + 1
    RIVAL_SWAPPED = NUM_CARDS + 2
    NUM_FEATURES = NUM_CARDS + 3

cdef enum Move:
    KEEP = 0
    SWAP = 1

cdef struct State:
    uint8_t[8] cards     # 0: none
    uint8_t swapped      # bit = seat
    uint8_t decided      # number of seats
    uint8_t observer     # seat + 1


cdef class DrawnCard(Game):
    name = "drawn_card"
    title = "Drawn card"
    seat_counts = (2, 3, 4)
    is_hidden = True

    def __init__(self, seats=2):
        self.options = {"seats": int(seats)}
        self.num_seats = int(seats)
        self.state_bytes = sizeof(State)
        self.max_moves = NUM_CARDS
        self.num_features = NUM_FEATURES
        self.num_actions = 2

    cdef void start(self, void* state) noexcept nogil:
        memset(state, 0, sizeof(State))
        (<State*>state).observer = NOBODY

    cdef int undealt(self, const State* s) noexcept nogil:
        cdef int seat
        for seat in range(self.num_seats):
            if s.cards[seat] == 0:
                return seat
        return -1

    cdef int node(self, const void* state) noexcept nogil:
        cdef const State* s = <const State*>state
        if self.undealt(s) >= 0:
            return CHANCE
        return TERMINAL if s.decided == self.num_seats else <int>s.decided

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        out[0], out[1] = KEEP, SWAP
        return 2

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef int card
        for card in range(NUM_CARDS):
            out[card] = DEAL + card + 1
            probabilities[card] = 1.0 / NUM_CARDS
        return NUM_CARDS

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        if move >= DEAL:
            s.cards[self.undealt(s)] = move - DEAL
            return
        if move == SWAP:
            s.cards[s.decided] = 0
            s.swapped |= 1 << s.decided
        s.decided += 1

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int seat
        cdef int most = 0
        cdef int winners = 0
        for seat in range(self.num_seats):
            most = max(most, s.cards[seat])
        for seat in range(self.num_seats):
            winners += s.cards[seat] == most
        for seat in range(self.num_seats):
            out[seat] = 1.0 / winners if s.cards[seat] == most else 0.0

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        cdef State* seen = <State*>out
        cdef int owner
        memcpy(out, state, sizeof(State))
        seen.observer = seat + 1
        for owner in range(self.num_seats):
            if owner != seat and seen.cards[owner]:
                seen.cards[owner] = HIDDEN

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        cdef State* s = <State*>out
        cdef int owner
        memcpy(out, observation, sizeof(State))
        s.observer = NOBODY
        for owner in range(self.num_seats):
            if s.cards[owner] == HIDDEN:
                s.cards[owner] = 1 + below(rng, NUM_CARDS)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int count = 0
        if s.cards[seat]:
            out[count] = s.cards[seat] - 1
            count += 1
        if s.swapped >> seat & 1:
            out[count] = SWAPPED
            count += 1
        if s.decided > seat:
            out[count] = DECIDED
            count += 1
        if s.swapped & ~(1 << seat):
            out[count] = RIVAL_SWAPPED
            count += 1
        return count

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return move

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return index

    @property
    def feature_names(self) -> list:
        return [*(f"own card: {card}" for card in range(1, NUM_CARDS + 1)),
                "own card was swapped", "own decision is made", "a rival has swapped"]

    def observer_of(self, bytes state) -> int | None:
        observer = (<const State*>self.pointer(state)).observer
        return None if observer == NOBODY else observer - 1

    def move_text(self, uint32_t move) -> str:
        return f"deal:{move - DEAL}" if move >= DEAL else ("keep", "swap")[move]

    def parse_move(self, str text) -> int:
        name, _, card = text.partition(":")
        return DEAL + int(card) if card else ("keep", "swap").index(name)


class OtherFeatures(DrawnCard):
    """The same game with a feature of another meaning."""

    @property
    def feature_names(self) -> list:
        return [f"another {name}" for name in DrawnCard.feature_names.__get__(self)]


cdef class BrokenFeatures(DrawnCard):
    """The same game with a feature beyond its number of features, or another wrong list."""

    cdef int feature
    cdef int length

    def __init__(self, seats=2, int feature=NUM_FEATURES, int length=1):
        DrawnCard.__init__(self, seats)
        self.feature, self.length = feature, length

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        out[0] = self.feature
        return self.length


cdef class NoFeatures(DrawnCard):
    """The same game without features and actions."""

    def __init__(self, seats=2):
        DrawnCard.__init__(self, seats)
        self.num_features = 0
        self.num_actions = 0
