"""The rules of Hearts as functions on its state: legal moves, outcomes, transitions.

Inline in a header, as the game (game.pyx) and the playouts (playout.pyx) both use them.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport pop_lowest
from kingmaker.cext.game cimport CHANCE, TERMINAL

from .state cimport (
    ALL_POINTS, GIVEN_CARDS, HEARTS, NOBODY, NO_PASS, NUM_CARDS, NUM_SEATS, PHASE_DEAL,
    PHASE_DIRECTION, PHASE_PASS, PHASE_PLAY, QUEEN, SHOWN_C, SHOWN_D, SHOWN_Q, SHOWN_S, UNDRAWN,
    VERB_DEAL, VERB_DIRECTION, VERB_PASS, VERB_PLAY, State, all_cards, bit, hand_of, point_cards,
    receiver_of, suit_set)


cdef inline void hearts_start(State* s, int direction) noexcept nogil:
    """Write the state before the first node; the direction may be UNDRAWN."""
    memset(s, 0, sizeof(State))
    s.direction = direction
    s.phase = PHASE_DIRECTION if direction == UNDRAWN else PHASE_DEAL
    s.to_move = CHANCE
    s.observer = NOBODY


# --- legal moves and outcomes ---------------------------------------------------------------------

cdef inline uint64_t leads(uint64_t hand, uint64_t played) noexcept nogil:
    """The cards that may be led (R1.7)."""
    if not played:
        return bit(0)
    cdef uint64_t others = hand & ~suit_set(HEARTS)
    return others if others and not played & point_cards() else hand


cdef inline uint64_t discards(uint64_t hand, bint is_first_trick) noexcept nogil:
    """The cards that may be played by a seat that cannot follow suit (R1.7)."""
    cdef uint64_t others = hand & ~point_cards()
    return others if others and is_first_trick else hand


cdef inline uint64_t plays(const State* s) noexcept nogil:
    """The legal cards at a `play` node."""
    cdef uint64_t hand = hand_of(s, s.to_move)
    if not s.count & 3:
        return leads(hand, s.played)
    cdef uint64_t following = hand & suit_set(s.trick[0] >> 4)
    return following if following else discards(hand, s.count < NUM_SEATS)


cdef inline uint64_t undealt(const State* s) noexcept nogil:
    return all_cards() & ~(s.held[0] | s.held[1] | s.held[2] | s.held[3])


cdef inline int listed(uint64_t cards, uint32_t verb, uint32_t* out) noexcept nogil:
    """Write a move for each card and return their number."""
    cdef int num_moves = 0
    while cards:
        out[num_moves] = verb | pop_lowest(&cards)
        num_moves += 1
    return num_moves


cdef inline int hearts_legal_moves(const State* s, uint32_t* out) noexcept nogil:
    if s.phase == PHASE_PLAY:
        return listed(plays(s), VERB_PLAY, out)
    return listed(s.held[s.to_move] & ~s.given[s.to_move], VERB_PASS, out)


cdef inline int hearts_outcomes(const State* s, uint32_t* out) noexcept nogil:
    cdef int direction
    if s.phase == PHASE_DEAL:
        return listed(undealt(s), VERB_DEAL, out)
    for direction in range(NUM_SEATS):
        out[direction] = VERB_DIRECTION | direction
    return NUM_SEATS


# --- transitions ----------------------------------------------------------------------------------

cdef inline void hearts_apply(State* s, uint32_t move) noexcept nogil:
    cdef int argument = move & 63
    if move < VERB_PASS:
        play_card(s, argument)
    elif move < VERB_DEAL:
        set_aside(s, argument)
    elif move < VERB_DIRECTION:
        deal_card(s, argument)
    else:
        s.direction = argument
        s.phase = PHASE_DEAL


cdef inline void deal_card(State* s, int card) noexcept nogil:
    """R1.3."""
    s.held[s.count & 3] |= bit(card)
    s.count += 1
    if s.count == NUM_CARDS:
        finish_deal(s)


cdef inline void finish_deal(State* s) noexcept nogil:
    """Begin the pass or the tricks."""
    s.count = 0
    if s.direction == NO_PASS:
        begin_tricks(s)
    else:
        s.phase = PHASE_PASS
        s.to_move = 0


cdef inline void set_aside(State* s, int card) noexcept nogil:
    """R1.4."""
    s.given[s.to_move] |= bit(card)
    s.count += 1
    if s.count == NUM_SEATS * GIVEN_CARDS:
        exchange(s)
    else:
        s.to_move = s.count // GIVEN_CARDS


cdef inline void exchange(State* s) noexcept nogil:
    """Exchange the cards that are set aside."""
    cdef int seat
    s.count = 0
    for seat in range(NUM_SEATS):
        s.held[seat] &= ~s.given[seat]
    for seat in range(NUM_SEATS):
        s.held[receiver_of(s, seat)] |= s.given[seat]
    begin_tricks(s)


cdef inline void begin_tricks(State* s) noexcept nogil:
    """The holder of the two of clubs leads (R1.5)."""
    cdef int seat
    s.phase = PHASE_PLAY
    for seat in range(NUM_SEATS):
        if s.held[seat] & bit(0):
            s.to_move = seat


cdef inline void play_card(State* s, int card) noexcept nogil:
    """R1.5."""
    cdef int seat = s.to_move
    cdef int place = s.count & 3
    s.shown[seat] |= shown_by(card, s.trick[0] >> 4 if place else -1, s.played, s.count)
    s.played |= bit(card)
    s.trick[place] = card
    s.count += 1
    s.to_move = (seat + 1) & 3
    if place == 3:
        take_trick(s)


cdef inline uint8_t shown_by(int card, int led, uint64_t played, int count) noexcept nogil:
    """The letters that a card shows (R3.5).

    Args:
        led: the suit that was led, -1 if this card leads.
        played: all cards before this one.
        count: number of these cards.
    """
    cdef int suit = card >> 4
    if suit == led:
        return 0
    if led < 0:
        return (SHOWN_C | SHOWN_D | SHOWN_S
                if suit == HEARTS and not played & point_cards() else 0)
    if count < NUM_SEATS and bit(card) & point_cards():
        return SHOWN_C | SHOWN_D | SHOWN_Q
    return 1 << led


cdef inline void take_trick(State* s) noexcept nogil:
    """Give the four cards of the trick to the highest of the led suit; `to_move` has led."""
    cdef int best = 0
    cdef int points = 0
    cdef int place, card
    for place in range(NUM_SEATS):
        card = s.trick[place]
        points += (card >> 4 == HEARTS) + 13 * (card == QUEEN)
        if card >> 4 == s.trick[0] >> 4 and card > s.trick[best]:
            best = place
    memset(s.trick, 0, sizeof(s.trick))
    s.to_move = (s.to_move + best) & 3
    s.points[s.to_move] += points
    if s.count == NUM_CARDS:
        s.to_move = TERMINAL


# --- the end --------------------------------------------------------------------------------------

cdef inline void hearts_returns(const State* s, double* out) noexcept nogil:
    """R1.8."""
    cdef int seat
    cdef bint is_moon = False
    for seat in range(NUM_SEATS):
        is_moon |= s.points[seat] == ALL_POINTS
    for seat in range(NUM_SEATS):
        if is_moon:
            out[seat] = s.points[seat] == ALL_POINTS
        else:
            out[seat] = (ALL_POINTS - s.points[seat]) / 78.0
