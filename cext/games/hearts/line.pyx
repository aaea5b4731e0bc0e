"""Lines of positions (R4.2) and observations (R4.4) of Hearts as text of C.

Only lines without errors are read here, with values in the ranges of views; all others are read by
notation.py, which names their errors.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ...bits cimport count, pop_lowest
from ...game cimport CHANCE, TERMINAL, Refusal
from ...line_text cimport (
    Reader, Writer, expect, fail, put_char, put_number, put_seat, put_text, put_word, read_int,
    read_letter, read_seat_from_0, read_word, skip)
from .state cimport (
    ALL_POINTS, GIVEN_CARDS, NOBODY, NUM_CARDS, NUM_SEATS, PHASE_DEAL, PHASE_DIRECTION, PHASE_PASS,
    PHASE_PLAY, State, bit, num_given, num_in_hand)
from .validity cimport Sizes, hearts_check_sizes

cdef const char* SUITS = b"cdhs"
cdef const char* RANKS = b"23456789tjqka"
cdef const char* SHOWN = b"cdhsq"                        # by bits of `Shown`
cdef const char* DIRECTIONS = b"none left across right _ "
cdef const char* NODES = b"direction deal pass play end "   # by `Phase`, and the end

cdef enum:
    NODE_END = PHASE_PLAY + 1


# --- writing --------------------------------------------------------------------------------------

cdef void hearts_write_line(const State* s, Writer* out) noexcept nogil:
    cdef int size = s.count & 3 if s.phase == PHASE_PLAY else 0
    cdef int seat, place
    put_text(out, b" direction=")
    put_word(out, DIRECTIONS, s.direction)
    for seat in range(NUM_SEATS):
        put_char(out, c" ")
        put_seat(out, seat)
        put_char(out, c"=")
        put_cards_of(out, s, seat, size)
    put_text(out, b" trick=")
    for place in range(size):
        if place:
            put_char(out, c",")
        put_card(out, s.trick[place])
    if not size:
        put_char(out, c"-")
    put_text(out, b" node=")
    put_word(out, NODES, NODE_END if s.to_move == TERMINAL else s.phase)
    if s.phase == PHASE_DEAL or s.to_move >= 0:
        put_char(out, c":")
        put_seat(out, s.count & 3 if s.phase == PHASE_DEAL else s.to_move)


cdef void put_cards_of(Writer* out, const State* s, int seat, int size) noexcept nogil:
    """Write hand/played/given/shown/points of a seat."""
    cdef uint64_t taken = s.held[seat] & s.played
    cdef uint64_t hand = s.held[seat] & ~s.played
    cdef int place
    if s.phase == PHASE_PASS:
        hand &= ~s.given[seat]
    for place in range(size):
        taken &= ~bit(s.trick[place])
    put_list(out, hand, num_in_hand(s, seat))
    put_list(out, taken, count(taken))
    put_list(out, s.given[seat], num_given(s, seat))
    for place in range(5):
        if s.shown[seat] >> place & 1:
            put_char(out, SHOWN[place])
    if not s.shown[seat]:
        put_char(out, c"-")
    put_char(out, c"/")
    put_number(out, s.points[seat])


cdef void put_list(Writer* out, uint64_t cards, int length) noexcept nogil:
    """Write cards in card order, then the hidden ones, and a slash."""
    cdef int place
    for place in range(max(length, count(cards))):
        if place:
            put_char(out, c",")
        if cards:
            put_card(out, pop_lowest(&cards))
        else:
            put_char(out, c"?")
    if length <= 0:
        put_char(out, c"-")
    put_char(out, c"/")


cdef inline void put_card(Writer* out, int card) noexcept nogil:
    put_char(out, RANKS[card & 15])
    put_char(out, SUITS[card >> 4])


# --- reading --------------------------------------------------------------------------------------

cdef void hearts_read_line(Reader* given, State* s) noexcept nogil:
    cdef Reader cards
    cdef int seat, node
    expect(given, b" direction=")
    s.direction = read_word(given, DIRECTIONS)
    cards.at = given.at
    while given.at[0] and not (given.at[0] == c" " and given.at[1] == c"n"):
        given.at += 1   # the phase says what the cards are
    expect(given, b" node=")
    node = read_word(given, NODES)
    seat = -1
    if skip(given, c":"):
        seat = read_seat_from_0(given, NUM_SEATS)
    s.phase = min(node, PHASE_PLAY)
    s.to_move = CHANCE if node <= PHASE_DEAL else seat if seat >= 0 else TERMINAL
    if (seat < 0) != (node == PHASE_DIRECTION or node == NODE_END):
        fail(given)
    elif not read_cards(&cards, s, seat):
        fail(given)


cdef bint read_cards(Reader* given, State* s, int node_seat) noexcept nogil:
    """Read the cards of the seats and the trick; return whether they may be right."""
    cdef Refusal found
    cdef Sizes sizes
    cdef uint64_t seen = 0
    cdef uint64_t own, played
    cdef bint hides = s.observer != NOBODY
    cdef int seat, card
    memset(&sizes, 0, sizeof(Sizes))
    sizes.node = s.phase | (node_seat + 1) << 2
    for seat in range(NUM_SEATS):
        expect(given, b" p")
        read_int(given, NUM_SEATS)
        expect(given, b"=")
        s.held[seat] = read_list(given, hides, &seen, &sizes.hand[seat])
        played = read_list(given, False, &seen, &sizes.played[seat])
        s.held[seat] |= played
        s.played |= played
        own = 0   # given cards have their own place only before the exchange
        s.given[seat] = read_list(
            given, hides, &own if s.phase == PHASE_PLAY else &seen, &sizes.given[seat])
        if s.phase == PHASE_PASS:
            s.held[seat] |= s.given[seat]
        if not skip(given, c"-"):
            while given.at[0] != c"/" and given.at[0]:
                s.shown[seat] |= 1 << read_letter(given, SHOWN)
        expect(given, b"/")
        s.points[seat] = read_int(given, ALL_POINTS)
        s.count += (
            sizes.hand[seat] if s.phase == PHASE_DEAL else
            sizes.given[seat] if s.phase == PHASE_PASS else sizes.played[seat])
    expect(given, b" trick=")
    if not skip(given, c"-"):
        while sizes.trick < NUM_SEATS - 1:
            card = read_card(given)
            if seen & bit(card):
                return False
            seen |= bit(card)
            s.trick[sizes.trick] = card
            s.played |= bit(card)
            sizes.trick += 1
            if not skip(given, c","):
                break
    s.count += sizes.trick
    for seat in range(sizes.trick):
        s.held[(s.to_move - sizes.trick + seat) & 3] |= bit(s.trick[seat])
    if s.phase == PHASE_PASS:   # the node follows, as in the deal
        s.to_move = s.count // GIVEN_CARDS & 3
    return given.at[0] == c" " and not hearts_check_sizes(s, &sizes, &found)


cdef uint64_t read_list(
        Reader* given, bint hides, uint64_t* seen, int* length) noexcept nogil:
    """Read a list of cards and a slash; return those that are not hidden, none of them seen yet."""
    cdef uint64_t cards = 0
    cdef int card
    if skip(given, c"-"):
        expect(given, b"/")
        return 0
    while length[0] < NUM_CARDS:
        length[0] += 1
        if not hides or not skip(given, c"?"):
            card = read_card(given)
            if seen[0] & bit(card):
                return fail(given)
            seen[0] |= bit(card)
            cards |= bit(card)
        if not skip(given, c","):
            expect(given, b"/")
            return cards
    return fail(given)


cdef int read_card(Reader* given) noexcept nogil:
    cdef int rank = read_letter(given, RANKS)
    return read_letter(given, SUITS) << 4 | rank
