"""Lines of positions and observations of Kingdom Coinquest (R12.3, R12.5) as text of C.

Only lines without errors are read here, with values in the ranges of views; all others are read by
notation.pyx, which names their errors.
"""

from libc.stdint cimport uint8_t, uint64_t

from ...bits cimport pop_lowest
from ...line_text cimport (
    Reader, Writer, expect, fail, put_char, put_number, put_seat, put_text, put_word, read_int,
    read_letter, read_seat_from_0, read_word, skip)
from .state cimport (
    ALL_BUT_KINGS, HAND_CARDS, KNOWN, NOBODY, NO_CARD, NO_SUIT, NUM_CARDS, OLD_CARDS, PHASE_END,
    SALVAGE_CARDS, Load, Player, Rules, State, bit)

cdef enum:
    MOST_TURNS = 9999     # as in game.pyx
    MOST_HEALTH = 99
    MOST_COUNTERS = 3

cdef const char* SUITS = b"hsdc"
cdef const char* RANKS = b"?a23456789tjq"   # by rank; hidden cards have none
cdef const char* PHASES = b"king draw deal play strike discard end "


# --- writing --------------------------------------------------------------------------------------

cdef void kc_write_line(const Rules* rules, const State* s, Writer* out) noexcept nogil:
    cdef int seat, i
    put_text(out, b" turn=")
    put_number(out, s.turn)
    put_text(out, b" epoch=")
    put_number(out, s.epoch)
    put_text(out, b" node=")
    put_word(out, PHASES, s.phase)
    if s.phase != PHASE_END:
        put_char(out, c":")
        put_seat(out, s.seat)
    for seat in range(rules.num_seats):
        put_char(out, c" ")
        put_seat(out, seat)
        put_char(out, c"=")
        put_player(out, &s.players[seat], s.epoch)
    put_text(out, b" forge=")
    put_number(out, s.num_forge)
    put_text(out, b" grave=")
    for i in range(s.num_grave - 1, -1, -1):
        put_card(out, s.grave[i])
        if i:
            put_char(out, c",")
    if not s.num_grave:
        put_char(out, c"-")
    if s.observer != NOBODY:
        put_text(out, b" old=")
        put_old_cards(out, rules, s)


cdef void put_player(Writer* out, const Player* player, int epoch) noexcept nogil:
    cdef uint64_t salvage = player.salvage
    cdef int i
    put_char(out, c"_" if player.suit == NO_SUIT else SUITS[player.suit])
    put_char(out, c"/")
    put_number(out, player.health)
    put_char(out, c"/")
    for i in range(player.num_hand):
        if i:
            put_char(out, c",")
        put_card(out, player.hand[i])
        if player.marks[i] == KNOWN:
            put_char(out, c"!")
        elif player.marks[i] != epoch:
            put_char(out, c"~")
            put_number(out, player.marks[i])
    if not player.num_hand:
        put_char(out, c"-")
    put_char(out, c"/")
    while salvage:
        put_card(out, pop_lowest(&salvage))
        if salvage:
            put_char(out, c",")
    if not player.salvage:
        put_char(out, c"-")
    put_char(out, c"/")
    put_load(out, &player.quartermaster)
    if player.quartermaster.lead:
        put_char(out, c":")
        put_number(out, player.counters)
    put_char(out, c"/")
    put_load(out, &player.knight)
    put_char(out, c"/")
    put_load(out, &player.peasant)
    put_char(out, c"/")
    put_load(out, &player.queen)


cdef inline void put_card(Writer* out, int card) noexcept nogil:
    put_char(out, RANKS[card & 15])
    if card:
        put_char(out, SUITS[card >> 4])


cdef inline void put_load(Writer* out, const Load* load) noexcept nogil:
    if not load.lead:
        put_char(out, c"-")
        return
    put_card(out, load.lead)
    if load.partner:
        put_char(out, c"+")
        put_card(out, load.partner)


cdef void put_old_cards(Writer* out, const Rules* rules, const State* s) noexcept nogil:
    """Write the old pools, with the epochs of the hidden places; see `State.old_cards`."""
    cdef int epoch = -1
    cdef int place, other
    for place in range(s.num_old):
        other = old_epoch(rules, s, place)
        if other != epoch:
            if place:
                put_char(out, c";")
            put_number(out, other)
            epoch = other
        put_char(out, c"," if place and other == old_epoch(rules, s, place - 1) else b":")
        put_card(out, s.old_cards[place])
    if not s.num_old:
        put_char(out, c"-")


cdef int old_epoch(const Rules* rules, const State* s, int place) noexcept nogil:
    """Return the epoch of the hidden place with this number, oldest first; -1: there is none."""
    cdef int epoch = -1
    cdef int next_epoch, seat, i
    while True:
        next_epoch = KNOWN
        for seat in range(rules.num_seats):
            for i in range(s.players[seat].num_hand):
                if s.players[seat].hand[i] == NO_CARD and s.players[seat].marks[i] > epoch:
                    next_epoch = min(next_epoch, s.players[seat].marks[i])
        if next_epoch == KNOWN:
            return -1
        epoch = next_epoch
        place -= num_hidden(rules, s, epoch)
        if place < 0:
            return epoch


cdef int num_hidden(const Rules* rules, const State* s, int epoch) noexcept nogil:
    """Count the hidden places of an epoch."""
    cdef int number = 0
    cdef int seat, i
    for seat in range(rules.num_seats):
        for i in range(s.players[seat].num_hand):
            number += s.players[seat].hand[i] == NO_CARD and s.players[seat].marks[i] == epoch
    return number


# --- reading --------------------------------------------------------------------------------------

cdef void kc_read_line(const Rules* rules, Reader* given, State* s) noexcept nogil:
    cdef uint64_t gone = 0
    cdef int seat, i
    expect(given, b" turn=")
    s.turn = read_int(given, MOST_TURNS)
    expect(given, b" epoch=")
    s.epoch = read_int(given, MOST_TURNS)
    expect(given, b" node=")
    s.phase = read_word(given, PHASES)
    if s.phase != PHASE_END:
        expect(given, b":")
        s.seat = read_seat_from_0(given, rules.num_seats)
    for seat in range(rules.num_seats):
        expect(given, b" p")
        read_int(given, rules.num_seats)
        expect(given, b"=")
        gone |= read_player(given, &s.players[seat], s.epoch)
    expect(given, b" forge=")
    s.num_forge = read_int(given, NUM_CARDS)
    expect(given, b" grave=")
    s.num_grave = read_cards(given, s.grave, NUM_CARDS)
    for i in range(s.num_grave // 2):   # the top card is first in a line
        s.grave[i], s.grave[s.num_grave - 1 - i] = s.grave[s.num_grave - 1 - i], s.grave[i]
    for i in range(s.num_grave):
        gone |= bit(s.grave[i])
    if s.observer != NOBODY:
        expect(given, b" old=")
        gone |= read_old_cards(given, rules, s)
    for i in range(4):
        s.forge |= <uint64_t>ALL_BUT_KINGS << (16 * i)
    s.forge &= ~gone


cdef uint64_t read_player(Reader* given, Player* player, int epoch) noexcept nogil:
    """Return the player's cards."""
    cdef uint64_t gone = 0
    cdef uint8_t[SALVAGE_CARDS] salvage
    cdef int i
    player.suit = NO_SUIT if skip(given, c"_") else read_letter(given, SUITS)
    expect(given, b"/")
    player.health = read_int(given, MOST_HEALTH)
    expect(given, b"/")
    if not skip(given, c"-"):
        for i in range(HAND_CARDS):
            player.hand[i] = NO_CARD if skip(given, c"?") else read_card(given)
            player.marks[i] = epoch
            if skip(given, c"!"):
                player.marks[i] = KNOWN
            elif skip(given, c"~"):
                player.marks[i] = read_int(given, epoch)
            player.num_hand += 1
            gone |= bit(player.hand[i])
            if not skip(given, c","):
                break
    expect(given, b"/")
    player.num_salvage = read_cards(given, salvage, SALVAGE_CARDS)
    for i in range(player.num_salvage):
        player.salvage |= bit(salvage[i])
    expect(given, b"/")
    gone |= player.salvage | read_load(given, &player.quartermaster)
    if skip(given, c":"):
        player.counters = read_int(given, MOST_COUNTERS)
    expect(given, b"/")
    gone |= read_load(given, &player.knight)
    expect(given, b"/")
    gone |= read_load(given, &player.peasant)
    expect(given, b"/")
    return gone | read_load(given, &player.queen)


cdef int read_card(Reader* given) noexcept nogil:
    cdef int rank = read_letter(given, RANKS)
    return read_letter(given, SUITS) << 4 | rank if rank else fail(given)


cdef int read_cards(Reader* given, uint8_t* cards, int most) noexcept nogil:
    """Read a list of cards and return its length; - is the empty one."""
    cdef int length = 0
    if skip(given, c"-"):
        return 0
    while length < most:
        cards[length] = read_card(given)
        length += 1
        if not skip(given, c","):
            return length
    return fail(given)


cdef uint64_t read_load(Reader* given, Load* load) noexcept nogil:
    """Return the cards of the load."""
    if skip(given, c"-"):
        return bit(NO_CARD)
    load.lead = read_card(given)
    if skip(given, c"+"):
        load.partner = read_card(given)
    return bit(load.lead) | bit(load.partner)


cdef uint64_t read_old_cards(Reader* given, const Rules* rules, State* s) noexcept nogil:
    """Return the cards of the old pools; each hidden place of an old epoch has one."""
    cdef uint64_t cards = 0
    cdef uint64_t pool = 0
    cdef int places = 0
    cdef int seat, i, card
    for seat in range(rules.num_seats):
        for i in range(s.players[seat].num_hand):
            places += s.players[seat].hand[i] == NO_CARD and s.players[seat].marks[i] < s.epoch
    if places > OLD_CARDS:
        return fail(given)
    if not places:
        expect(given, b"-")
    while s.num_old < places:
        if not skip(given, c","):
            if s.num_old:
                expect(given, b";")
            read_int(given, MOST_TURNS)
            expect(given, b":")
            pool = 0
        card = read_card(given)
        if pool >> card:   # they stand in card order
            return fail(given)
        pool |= bit(card)
        cards |= bit(card)
        s.old_cards[s.num_old] = card
        s.num_old += 1
    return cards
