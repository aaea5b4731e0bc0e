"""Lines of positions (R13) and observations (R14) of Code of Chivalry as text of C.

Only lines without errors are read here, with values in the ranges of views; all others are read by
notation.py, which names their errors.
"""

from libc.stdint cimport uint64_t

from ...line_text cimport (
    Reader, Writer, expect, fail, put_char, put_number, put_seat, put_word, read_int, read_letter,
    read_seat_from_0, read_word, skip)
from .multiset cimport copies_of, hidden, kinds, one, pop_kind, size_of
from .state cimport (
    FORT_JESTER_SHIFT, HIDDEN_CARD, JESTER, NOBODY, PEASANT, PHASE_ATTACK, PHASE_CHOOSE,
    PHASE_DEAL, PHASE_DRAW, PHASE_FORTIFY, PHASE_GIVE, PHASE_MAIN, PHASE_OVER_GEMS, PHASE_RESPOND,
    PHASE_ROB, PHASE_SHOW, PHASE_TAKE, PHASE_TAX, PUBLIC, SEATS, Rules, State, is_seen)

cdef enum:
    MOST_TURNS = 100000000  # later lines are read as views
    MOST_CARDS = 103       # as in game.pyx
    NUM_ATTACKS = 7        # cards that are answered
    NUM_GEMS = 30          # as in options.py
    UPPER = 32             # a letter less this is the capital

cdef const char* LETTERS = b"pskgndacluhmtwrxjio"   # by `Card`
cdef const char* FORTS = b"cai"                     # by bits of `Fort`
cdef const char* LADDERS = b"-lL"                   # by `LadderOnTable`
cdef const char* ATTACKS = b"pskgndaPSKGNDA"         # that are answered, by `Card`; jesters as them
cdef const char* PHASES = (
    b"deal draw main fortify attack respond rob show choose take tax give over ")
cdef const char* REASONS = b"gems limit "           # from PHASE_OVER_GEMS on


# --- writing --------------------------------------------------------------------------------------

cdef void coc_write_line(const Rules* rules, const State* s, Writer* out) noexcept nogil:
    cdef int seat
    put_char(out, c" ")
    put_number(out, s.turn)
    put_char(out, c" ")
    put_seat(out, s.active)
    put_char(out, c" ")
    put_number(out, s.reshuffles)
    for seat in range(rules.num_seats):
        put_char(out, c"/" if seat else c" ")
        put_number(out, s.gems[seat])
        put_char(out, c",")
        put_forts(out, s.forts[seat])
        put_char(out, c",")
        put_pile(out, s.hands[seat], is_seen(s, seat))
    put_char(out, c" ")
    put_pile(out, s.draw, s.observer == NOBODY)
    put_char(out, c" ")
    put_cards(out, s.discard)
    put_char(out, c" ")
    put_node(out, s)
    put_rows(out, rules, s)
    put_char(out, c" ")
    if not s.base:
        put_char(out, c"-")
        return
    put_char(out, c"*")
    put_char(out, c":")
    put_cards(out, s.base)
    for seat in range(rules.num_seats):
        if s.own[seat]:
            put_char(out, c";")
            put_seat(out, seat)
            put_char(out, c":")
            put_cards(out, s.own[seat])


cdef void put_forts(Writer* out, int forts) noexcept nogil:
    cdef int place
    for place in range(3):
        if forts >> place & 1:
            put_char(out, FORTS[place] - UPPER * (forts >> place >> FORT_JESTER_SHIFT & 1))
    if not forts:
        put_char(out, c"-")


cdef void put_pile(Writer* out, uint64_t cards, bint is_open) noexcept nogil:
    if is_open:
        put_cards(out, cards)
    else:
        put_char(out, c"?")
        put_number(out, size_of(cards))


cdef void put_cards(Writer* out, uint64_t cards) noexcept nogil:
    cdef uint64_t members = kinds(cards)
    cdef int card
    if not members:
        put_char(out, c"-")
    while members:
        card = pop_kind(&members)
        put_copies(out, LETTERS[card], copies_of(cards, card))


cdef void put_copies(Writer* out, char letter, int copies) noexcept nogil:
    if copies:
        put_char(out, letter)
    if copies > 1:
        put_number(out, copies)


cdef void put_node(Writer* out, const State* s) noexcept nogil:
    cdef int phase = s.phase
    put_word(out, PHASES, min(phase, PHASE_OVER_GEMS))
    if phase in (PHASE_DEAL, PHASE_SHOW, PHASE_TAKE, PHASE_TAX, PHASE_GIVE):
        put_part_seat(out, s.seat)
    if phase in (PHASE_ATTACK, PHASE_RESPOND):
        put_part_seat(out, s.target)
    if phase in (PHASE_ATTACK, PHASE_RESPOND, PHASE_ROB):
        put_char(out, c":")
        put_char(out, LADDERS[s.ladder])
    if phase == PHASE_RESPOND:
        put_char(out, c":")
        put_copies(out, LETTERS[s.role], s.peasants if s.role == PEASANT else 1 - s.jesters)
        put_copies(out, LETTERS[s.role] - UPPER, s.jesters)
    if phase == PHASE_ROB:
        put_part_seat(out, s.source)
        put_part_seat(out, s.receiver)
        put_char(out, c":")
        put_number(out, s.flight)
    if phase in (PHASE_RESPOND, PHASE_ROB):
        put_part_seat(out, s.seat)
    if phase in (PHASE_DEAL, PHASE_DRAW, PHASE_TAKE, PHASE_GIVE):
        put_char(out, c":")
        put_number(out, s.left)
    if phase in (PHASE_SHOW, PHASE_CHOOSE):
        put_picks(out, s)
    if phase >= PHASE_OVER_GEMS:
        put_char(out, c":")
        put_word(out, REASONS, phase - PHASE_OVER_GEMS)
        put_winners(out, s.winners)


cdef inline void put_part_seat(Writer* out, int seat) noexcept nogil:
    put_char(out, c":")
    put_seat(out, seat)


cdef void put_picks(Writer* out, const State* s) noexcept nogil:
    cdef char separator = c":"
    cdef int seat
    for seat in range(SEATS):
        if s.picks[seat]:
            put_char(out, separator)
            put_seat(out, seat)
            put_char(out, c"=")
            put_char(out, c"?" if s.picks[seat] == HIDDEN_CARD else LETTERS[s.picks[seat] - 1])
            separator = c"+"
    if separator == c":":
        put_char(out, c":")
        put_char(out, c"-")


cdef void put_winners(Writer* out, int winners) noexcept nogil:
    cdef char separator = c":"
    cdef int seat
    for seat in range(SEATS):
        if winners >> seat & 1:
            put_char(out, separator)
            put_seat(out, seat)
            separator = c"+"


cdef void put_rows(Writer* out, const Rules* rules, const State* s) noexcept nogil:
    """Write the public rows of what is known, then those that differ from them (R13.1)."""
    cdef char separator = c" "
    cdef int holder, row
    for holder in range(rules.num_seats):
        if s.known[holder][PUBLIC]:
            put_char(out, separator)
            put_row(out, PUBLIC, holder, s.known[holder][PUBLIC])
            separator = c";"
    for row in range(rules.num_seats):
        for holder in range(rules.num_seats):
            if (is_seen(s, row) and holder != row
                    and s.known[holder][row] != s.known[holder][PUBLIC]):
                put_char(out, separator)
                put_row(out, row, holder, s.known[holder][row])
                separator = c";"
    if separator == c" ":
        put_char(out, c" ")
        put_char(out, c"-")


cdef void put_row(Writer* out, int row, int holder, uint64_t cards) noexcept nogil:
    if row == PUBLIC:
        put_char(out, c"*")
    else:
        put_seat(out, row)
    put_char(out, c">")
    put_seat(out, holder)
    put_char(out, c":")
    put_cards(out, cards)


# --- reading --------------------------------------------------------------------------------------

cdef void coc_read_line(const Rules* rules, Reader* given, State* s) noexcept nogil:
    cdef int seat
    expect(given, b" ")
    s.turn = read_int(given, MOST_TURNS)
    expect(given, b" ")
    s.active = read_seat_from_0(given, rules.num_seats)
    expect(given, b" ")
    s.reshuffles = read_int(given, MOST_TURNS)
    for seat in range(rules.num_seats):
        expect(given, b"/" if seat else b" ")
        s.gems[seat] = read_int(given, NUM_GEMS)
        expect(given, b",")
        s.forts[seat] = read_forts(given)
        expect(given, b",")
        s.hands[seat] = read_pile(given, rules, is_seen(s, seat))
    expect(given, b" ")
    s.draw = read_pile(given, rules, s.observer == NOBODY)
    expect(given, b" ")
    s.discard = read_cards(given, rules)
    expect(given, b" ")
    read_node(given, rules, s)
    expect(given, b" ")
    read_rows(given, rules, s)
    expect(given, b" ")
    if skip(given, c"-"):
        return
    expect(given, b"*:")
    s.base = read_cards(given, rules)
    while skip(given, c";"):
        seat = read_seat_from_0(given, rules.num_seats)
        expect(given, b":")
        s.own[seat] = read_cards(given, rules)


cdef int read_forts(Reader* given) noexcept nogil:
    cdef int forts = 0
    cdef int place
    if skip(given, c"-"):
        return 0
    for place in range(3):
        if skip(given, FORTS[place]):
            forts |= 1 << place
        elif skip(given, FORTS[place] - UPPER):
            forts |= (1 | 1 << FORT_JESTER_SHIFT) << place
    return forts


cdef uint64_t read_pile(Reader* given, const Rules* rules, bint is_open) noexcept nogil:
    if is_open:
        return read_cards(given, rules)
    expect(given, b"?")
    return hidden(read_int(given, MOST_CARDS))


cdef uint64_t read_cards(Reader* given, const Rules* rules) noexcept nogil:
    """Read a multiset, with no more copies than the deck has."""
    cdef uint64_t cards = 0
    cdef int last = -1
    cdef int card, copies
    if skip(given, c"-"):
        return 0
    while c"a" <= given.at[0] <= c"z":
        card = read_letter(given, LETTERS)
        copies = read_count(given)
        if card <= last or copies > copies_of(rules.deck, card):
            return fail(given)
        cards += one(card) * <uint64_t>copies
        last = card
    return cards


cdef int read_count(Reader* given) noexcept nogil:
    """Read the number after a letter; 1 if there is none."""
    return read_int(given, MOST_CARDS) if c"0" <= given.at[0] <= c"9" else 1


cdef int read_node(Reader* given, const Rules* rules, State* s) noexcept nogil:
    cdef int seats = rules.num_seats
    cdef int phase = read_word(given, PHASES)
    s.phase = phase
    if phase != PHASE_MAIN and phase != PHASE_FORTIFY:
        expect(given, b":")
    if phase >= PHASE_OVER_GEMS:
        s.phase += read_word(given, REASONS)
        return read_winners(given, seats, s)
    s.seat = s.active
    if phase in (PHASE_DEAL, PHASE_SHOW, PHASE_TAKE, PHASE_TAX, PHASE_GIVE):
        s.seat = read_seat_from_0(given, seats)
    if phase in (PHASE_ATTACK, PHASE_RESPOND):
        s.target = read_seat_from_0(given, seats)
        expect(given, b":")
    if phase in (PHASE_ATTACK, PHASE_RESPOND, PHASE_ROB):
        s.ladder = read_letter(given, LADDERS)
    if phase == PHASE_RESPOND:
        expect(given, b":")
        read_attack_card(given, rules, s)
    if phase == PHASE_ROB:
        expect(given, b":")
        s.source = read_seat_from_0(given, seats)
        expect(given, b":")
        s.receiver = read_seat_from_0(given, seats)
        expect(given, b":")
        s.flight = read_int(given, NUM_GEMS)
        if not s.flight:
            return fail(given)
    if phase in (PHASE_RESPOND, PHASE_ROB):
        expect(given, b":")
        s.seat = read_seat_from_0(given, seats)
    if phase in (PHASE_DEAL, PHASE_TAKE, PHASE_GIVE):
        expect(given, b":")
    if phase in (PHASE_DEAL, PHASE_DRAW, PHASE_TAKE, PHASE_GIVE):
        s.left = read_int(given, MOST_CARDS if phase == PHASE_TAKE else 2)
        if not s.left:
            return fail(given)
    if phase == PHASE_SHOW:
        expect(given, b":")
    if phase in (PHASE_SHOW, PHASE_CHOOSE):
        read_picks(given, seats, s)
    return 0


cdef int read_winners(Reader* given, int seats, State* s) noexcept nogil:
    expect(given, b":")
    s.winners = 1 << read_seat_from_0(given, seats)
    while skip(given, c"+"):
        s.winners |= 1 << read_seat_from_0(given, seats)
    return 0


cdef int read_attack_card(Reader* given, const Rules* rules, State* s) noexcept nogil:
    cdef int place = read_letter(given, ATTACKS)
    s.role = place % NUM_ATTACKS
    if place < NUM_ATTACKS:
        s.peasants = read_count(given)
        if skip(given, ATTACKS[place + NUM_ATTACKS]):
            s.jesters = read_count(given)
    else:
        s.jesters = read_count(given)
    if s.role == PEASANT:
        if (s.peasants > copies_of(rules.deck, PEASANT)
                or s.jesters > copies_of(rules.deck, JESTER)):
            return fail(given)
    elif s.peasants + s.jesters != 1:
        return fail(given)
    else:
        s.peasants = 0
    return 0


cdef int read_picks(Reader* given, int seats, State* s) noexcept nogil:
    cdef int seat
    if skip(given, c"-"):
        return 0
    while True:
        seat = read_seat_from_0(given, seats)
        expect(given, b"=")
        s.picks[seat] = HIDDEN_CARD if skip(given, c"?") else read_letter(given, LETTERS) + 1
        if not skip(given, c"+"):
            return 0


cdef int read_rows(Reader* given, const Rules* rules, State* s) noexcept nogil:
    """Read what is known; an absent row equals the public one (R13.1)."""
    cdef int holder, row
    if skip(given, c"-"):
        return 0
    while skip(given, c"*"):
        expect(given, b">")
        holder = read_seat_from_0(given, rules.num_seats)
        expect(given, b":")
        s.known[holder][PUBLIC] = read_cards(given, rules)
        if not skip(given, c";"):
            break
    for holder in range(rules.num_seats):
        for row in range(rules.num_seats):
            if row != holder and is_seen(s, row):
                s.known[holder][row] = s.known[holder][PUBLIC]
    while given.at[0] == c"p":
        row = read_seat_from_0(given, rules.num_seats)
        expect(given, b">")
        holder = read_seat_from_0(given, rules.num_seats)
        expect(given, b":")
        s.known[holder][row] = read_cards(given, rules)
        skip(given, c";")
    return 0
