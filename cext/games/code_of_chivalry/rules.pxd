"""The transitions of Code of Chivalry as functions on its state, by the procedures of 5.8.

Inline in a header, as two modules use them: the game (game.pyx) and the playout loop (policy.pyx),
which would otherwise pay a call through a pointer for every ply.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.game cimport CHANCE, TERMINAL

from .legal cimport attack_roles, fortify_roles
from .multiset cimport nth_card, one, size_of
from .state cimport (
    ARCHER, CATAPULT, DRAGON, FORT_ARCHER, FORT_CASTLE, FORT_JESTER_SHIFT,
    FORT_MINSTREL, HERALD, HIGHWAYMAN, JESTER, JESTER_LADDER, KING, LADDER, MERCHANT, MINSTREL,
    NINJA, NOBODY, NO_LADDER, PEASANT, PHASE_ATTACK, PHASE_CHOOSE, PHASE_DEAL, PHASE_DRAW,
    PHASE_FORTIFY, PHASE_GIVE, PHASE_MAIN, PHASE_OVER_GEMS, PHASE_OVER_LIMIT, PHASE_RESPOND,
    PHASE_ROB, PHASE_SHOW, PHASE_TAKE, PHASE_TAX, PRINCESS, REAL_LADDER, TRAITOR, VERB_ATTACK,
    VERB_CHOOSE, VERB_DEAL, VERB_DISCARD, VERB_DRAW, VERB_END, VERB_FORTIFY, VERB_GIVE, VERB_PASS,
    VERB_RESPOND, VERB_ROB, VERB_SHOW, VERB_SPECIAL, VERB_TAKE, VERB_TAX_CARDS, Rules, State,
    jesters_of, peasants_of, role_of, seat_of, verb_of)
from .table cimport (
    attack_cards, forget, fort_cards, fort_of, hand_over, is_asked_to_go_on, is_asked_to_respond,
    is_asked_to_rob, ladder_cards, learn, learn_shown, play_cards, strength_of)


# --- set-up and nodes -----------------------------------------------------------------------------

cdef inline void coc_start(const Rules* rules, State* s) noexcept nogil:
    """Write the state before the first card is dealt (R2)."""
    cdef int seat
    memset(s, 0, sizeof(State))
    s.draw = rules.deck
    s.observer = NOBODY
    s.phase = PHASE_DEAL
    s.active = rules.first_seat
    s.seat = rules.first_seat
    s.left = 2
    for seat in range(rules.num_seats):
        s.gems[seat] = rules.start_gems


cdef inline int coc_node(const State* s) noexcept nogil:
    if s.phase >= PHASE_OVER_GEMS:
        return TERMINAL
    if s.phase <= PHASE_DRAW or s.phase == PHASE_TAKE:
        return CHANCE
    return s.seat


cdef inline int next_seat(const Rules* rules, int seat) noexcept nogil:
    """The seat to the left: clockwise is ascending."""
    return seat + 1 if seat + 1 < rules.num_seats else 0


cdef inline int target_of(const Rules* rules, const State* s) noexcept nogil:
    """The gems that win now (R9.1)."""
    cdef int target = rules.target_gems - <int>s.reshuffles * rules.reshuffle_step
    return target if target > rules.target_floor else rules.target_floor


# --- turns ----------------------------------------------------------------------------------------

cdef inline void clear_table(State* s) noexcept nogil:
    """Discard the ladder and clear the attack, as at the end of a turn and of the game."""
    s.discard += ladder_cards(s)
    s.ladder = NO_LADDER
    clear_attack(s)
    s.target = 0
    s.source = 0
    s.receiver = 0
    s.flight = 0
    s.left = 0


cdef inline void clear_attack(State* s) noexcept nogil:
    s.role = 0
    s.peasants = 0
    s.jesters = 0


cdef inline void raze(State* s, int seat, int fort) noexcept nogil:
    """Discard those of some fortifications, bits of `Fort`, that lie face up."""
    fort |= fort << FORT_JESTER_SHIFT
    s.discard += fort_cards(s.forts[seat] & fort)
    s.forts[seat] &= ~fort


cdef inline bint draw_next(State* s) noexcept nogil:
    """Go on to the next draw or to MAIN; False if neither is possible (R3.5, R9.2, R9.3)."""
    s.seat = s.active
    if s.left and s.draw == 0:
        if s.discard == 0:
            s.left = 0
        else:
            reshuffle(s)
    s.phase = PHASE_DRAW if s.left else PHASE_MAIN
    return s.left != 0 or s.hands[s.active] != 0


cdef inline void reshuffle(State* s) noexcept nogil:
    s.draw = s.discard
    s.base = s.discard
    s.discard = 0
    s.reshuffles += 1
    memset(s.own, 0, sizeof(s.own))


cdef inline bint begin_turn(State* s) noexcept nogil:
    """R3.1, R3.2; False if the turn has no node."""
    s.turn += 1
    raze(s, s.active, FORT_MINSTREL)
    s.left = 1 if s.turn == 1 else 2
    return draw_next(s)


cdef inline void end_turn(const Rules* rules, State* s) noexcept nogil:
    """End turns until one has a node; some seat has a card or there are cards to draw."""
    while True:
        clear_table(s)
        if s.turn == rules.turn_limit:
            end_at_limit(rules, s)
            return
        s.active = next_seat(rules, s.active)
        if begin_turn(s):
            return


cdef inline void end_at_limit(const Rules* rules, State* s) noexcept nogil:
    """R9.6."""
    cdef int most = 0
    cdef int seat
    s.phase = PHASE_OVER_LIMIT
    s.seat = 0
    for seat in range(rules.num_seats):
        if s.gems[seat] > most:
            most = s.gems[seat]
            s.winners = 0
        if s.gems[seat] == most:
            s.winners |= 1 << seat


cdef inline bint move_gems(
        const Rules* rules, State* s, int source, int receiver, int number) noexcept nogil:
    """Move gems; True if that ends the game (R9.4)."""
    s.gems[source] -= number
    s.gems[receiver] += number
    if s.gems[receiver] < target_of(rules, s):
        return False
    clear_table(s)
    s.phase = PHASE_OVER_GEMS
    s.seat = 0
    s.winners = 1 << receiver
    return True


# --- attack and response --------------------------------------------------------------------------

cdef inline void play(State* s, int seat, int role, int peasants, int jesters) noexcept nogil:
    """Take the cards of a play out of a hand; fields as in a move."""
    if peasants:
        lose(s, seat, PEASANT, peasants)
    if jesters:
        lose(s, seat, JESTER, jesters)
    elif role != PEASANT:
        lose(s, seat, role, 1)


cdef inline void lose(State* s, int seat, int card, int number) noexcept nogil:
    """Take a number of copies of a card out of a hand, publicly."""
    s.hands[seat] -= one(card) * <uint64_t>number
    forget(s, seat, card, number)


cdef inline void attack(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    s.target = seat_of(move)
    play(s, s.active, role, peasants_of(move), jesters_of(move))
    if role == LADDER:
        s.ladder = JESTER_LADDER if jesters_of(move) else REAL_LADDER
        go_on_attacking(rules, s)
    elif role == CATAPULT:
        s.discard += play_cards(role, 0, jesters_of(move))
        raze(s, s.target, FORT_CASTLE | FORT_ARCHER)
        go_on_attacking(rules, s)
    else:
        s.role = role
        s.peasants = peasants_of(move)
        s.jesters = jesters_of(move)
        ask_to_respond(rules, s, s.target)


cdef inline void go_on_attacking(const Rules* rules, State* s) noexcept nogil:
    s.phase = PHASE_ATTACK
    s.seat = s.active
    if not is_asked_to_go_on(rules, s, attack_roles(s.forts[s.target], s.ladder)):
        end_turn(rules, s)


cdef inline void ask_to_respond(const Rules* rules, State* s, int victim) noexcept nogil:
    s.phase = PHASE_RESPOND
    s.seat = victim
    if not is_asked_to_respond(rules, s):
        resolve(rules, s, 0)


cdef inline void respond(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    cdef uint64_t cards = play_cards(role, peasants_of(move), jesters_of(move))
    play(s, s.seat, role, peasants_of(move), jesters_of(move))
    if role == MINSTREL:
        s.forts[s.seat] |= FORT_MINSTREL
        if jesters_of(move):
            s.forts[s.seat] |= FORT_MINSTREL << FORT_JESTER_SHIFT
    else:
        s.discard += cards
    if role <= KING:
        resolve(rules, s, strength_of(role, peasants_of(move), jesters_of(move)))
    elif role == TRAITOR:
        ask_to_respond(rules, s, beneficiary(s))
    elif role == PRINCESS:
        take_attack_card(rules, s)
    else:
        stop_attack(rules, s)


cdef inline int beneficiary(const State* s) noexcept nogil:
    """W at RESPOND."""
    return s.target if s.seat == s.active else s.active


cdef inline void take_attack_card(const Rules* rules, State* s) noexcept nogil:
    """R5.5."""
    cdef int card = JESTER if s.jesters else s.role
    s.hands[s.seat] += one(card)
    learn(rules, s, s.seat, card)
    clear_attack(s)
    go_on_attacking(rules, s)


cdef inline void stop_attack(const Rules* rules, State* s) noexcept nogil:
    """R5.6, R5.7."""
    s.discard += attack_cards(s)
    clear_attack(s)
    if s.seat == s.active:
        go_on_attacking(rules, s)
    else:
        end_turn(rules, s)


cdef inline void resolve(const Rules* rules, State* s, int blocked) noexcept nogil:
    """Apply the attack card, less the strength of the response (R4.6-R4.8, R5.9)."""
    cdef int victim = s.seat
    cdef int winner = beneficiary(s)
    cdef int role = s.role
    cdef int gems = 2
    s.discard += attack_cards(s)
    if role <= KING:
        gems = strength_of(role, s.peasants, s.jesters) - blocked
    elif role == ARCHER:
        gems = 0
    if role == ARCHER or role == NINJA:
        raze(s, victim, FORT_ARCHER)
    elif role == DRAGON:
        raze(s, victim, FORT_CASTLE)
    clear_attack(s)
    if gems > s.gems[victim]:
        gems = s.gems[victim]
    if gems <= 0:
        go_on_attacking(rules, s)
    elif role > KING:
        if not move_gems(rules, s, victim, winner, gems):
            end_turn(rules, s)
    else:
        s.phase = PHASE_ROB
        s.target = 0
        s.source = victim
        s.receiver = winner
        s.flight = gems
        poll(rules, s, next_seat(rules, winner))


cdef inline void poll(const Rules* rules, State* s, int seat) noexcept nogil:
    """Ask for robbers from a seat on, clockwise up to the receiver (R6.2-R6.4)."""
    while seat != s.receiver:
        if is_asked_to_rob(rules, s, seat):
            s.seat = seat
            return
        seat = next_seat(rules, seat)
    if not move_gems(rules, s, s.source, s.receiver, s.flight):
        end_turn(rules, s)


cdef inline void rob(const Rules* rules, State* s, int jesters) noexcept nogil:
    play(s, s.seat, HIGHWAYMAN, 0, jesters)
    s.discard += play_cards(HIGHWAYMAN, 0, jesters)
    s.receiver = s.seat
    poll(rules, s, next_seat(rules, s.receiver))


# --- fortify and special actions ------------------------------------------------------------------

cdef inline void fortify(const Rules* rules, State* s, int role, int jesters) noexcept nogil:
    """R3.6."""
    cdef int fort = fort_of(role)
    play(s, s.active, role, 0, jesters)
    s.forts[s.active] |= fort | (fort << FORT_JESTER_SHIFT if jesters else 0)
    s.phase = PHASE_FORTIFY
    if not is_asked_to_go_on(rules, s, fortify_roles(rules, s.forts[s.active])):
        end_turn(rules, s)


cdef inline void special(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    """R7.1."""
    cdef int role = role_of(move)
    play(s, s.active, role, 0, jesters_of(move))
    s.discard += play_cards(role, 0, jesters_of(move))
    if role == HERALD:
        show_next(rules, s, next_seat(rules, s.active))
    elif role == MERCHANT:
        buy(rules, s, seat_of(move))
    else:
        tax_next(rules, s, next_seat(rules, s.active))


cdef inline int next_to_show(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The first rival with a card from a seat on clockwise; the active seat if there is none."""
    while seat != s.active and s.hands[seat] == 0:
        seat = next_seat(rules, seat)
    return seat


cdef inline void show_next(const Rules* rules, State* s, int seat) noexcept nogil:
    """Ask the next rival for a card, or turn all cards up (R7.2)."""
    s.seat = next_to_show(rules, s, seat)
    s.phase = PHASE_SHOW
    if s.seat != s.active:
        return
    s.phase = PHASE_CHOOSE
    for seat in range(rules.num_seats):
        if s.picks[seat]:
            learn_shown(rules, s, seat, s.picks[seat] - 1)


cdef inline void choose(const Rules* rules, State* s, int seat) noexcept nogil:
    cdef int card = s.picks[seat] - 1
    lose(s, seat, card, 1)
    s.hands[s.active] += one(card)
    learn(rules, s, s.active, card)
    memset(s.picks, 0, sizeof(s.picks))
    end_turn(rules, s)


cdef inline void buy(const Rules* rules, State* s, int seller) noexcept nogil:
    """R7.3."""
    if move_gems(rules, s, s.active, seller, 1):
        return
    s.phase = PHASE_TAKE
    s.seat = seller
    s.left = size_of(s.hands[seller]) // 2


cdef inline void tax_next(const Rules* rules, State* s, int seat) noexcept nogil:
    """Tax the next rival that can choose, from a seat on clockwise (R7.4)."""
    while seat != s.active:
        if s.forts[seat] & FORT_CASTLE:
            if s.gems[seat] or size_of(s.hands[seat]) >= 2:
                s.phase = PHASE_TAX
                s.seat = seat
                return
            if s.hands[seat]:
                hand_over(rules, s, seat, s.active, nth_card(s.hands[seat], 0))
        seat = next_seat(rules, seat)
    end_turn(rules, s)


# --- the transition -------------------------------------------------------------------------------

cdef inline void coc_apply(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    """Change the state by a legal move or a possible outcome."""
    cdef int verb = verb_of(move)
    if verb == VERB_DRAW:
        draw(rules, s, role_of(move))
    elif verb == VERB_PASS:
        if s.phase == PHASE_ROB:
            poll(rules, s, next_seat(rules, s.seat))
        else:
            resolve(rules, s, 0)
    elif verb == VERB_ATTACK:
        attack(rules, s, move)
    elif verb == VERB_RESPOND:
        respond(rules, s, move)
    elif verb == VERB_DISCARD:
        lose(s, s.active, role_of(move), 1)
        s.discard += one(role_of(move))
        end_turn(rules, s)
    elif verb == VERB_END:
        end_turn(rules, s)
    elif verb == VERB_FORTIFY:
        fortify(rules, s, role_of(move), jesters_of(move))
    elif verb == VERB_ROB:
        rob(rules, s, jesters_of(move))
    elif verb == VERB_SPECIAL:
        special(rules, s, move)
    elif verb == VERB_DEAL:
        deal(rules, s, role_of(move))
    else:
        apply_inside_special(rules, s, move)


cdef inline void draw(const Rules* rules, State* s, int card) noexcept nogil:
    s.draw -= one(card)
    s.hands[s.active] += one(card)
    if s.base:
        s.own[s.active] += one(card)
    s.left -= 1
    if not draw_next(s):
        end_turn(rules, s)


cdef inline void deal(const Rules* rules, State* s, int card) noexcept nogil:
    """R2.2."""
    s.draw -= one(card)
    s.hands[s.seat] += one(card)
    s.left -= 1
    if s.left:
        return
    s.left = 2
    s.seat = next_seat(rules, s.seat)
    if s.seat == s.active:
        begin_turn(s)


cdef inline void apply_inside_special(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    """The moves and outcomes within special actions."""
    cdef int verb = verb_of(move)
    if verb == VERB_TAKE or verb == VERB_GIVE:
        hand_over(rules, s, s.seat, s.active, role_of(move))
        s.left -= 1
        if s.left == 0:
            if verb == VERB_TAKE:
                end_turn(rules, s)
            else:
                tax_next(rules, s, next_seat(rules, s.seat))
    elif verb == VERB_SHOW:
        s.picks[s.seat] = role_of(move) + 1
        show_next(rules, s, next_seat(rules, s.seat))
    elif verb == VERB_CHOOSE:
        choose(rules, s, seat_of(move))
    elif verb == VERB_TAX_CARDS:
        s.phase = PHASE_GIVE
        s.left = 2
    elif not move_gems(rules, s, s.seat, s.active, 1):      # VERB_TAX_GEM
        tax_next(rules, s, next_seat(rules, s.seat))


# --- the result -----------------------------------------------------------------------------------

cdef inline void coc_returns(const Rules* rules, const State* s, double* out) noexcept nogil:
    """R9.7."""
    cdef int num_winners = 0
    cdef int seat
    for seat in range(rules.num_seats):
        num_winners += s.winners >> seat & 1
    for seat in range(rules.num_seats):
        out[seat] = 1.0 / num_winners if s.winners >> seat & 1 else 0.0
