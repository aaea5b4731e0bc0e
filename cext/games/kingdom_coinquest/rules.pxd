"""The rules of Kingdom Coinquest as functions on its state: legal moves, outcomes, transitions.

Inline in a header, as two modules use them: the game (game.pyx) and the playout loop (policy.pyx),
which would otherwise pay a call through a pointer for every ply.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memmove, memset

from kingmaker.cext.bits cimport pop_lowest
from kingmaker.cext.game cimport CHANCE, TERMINAL
from kingmaker.cext.rng cimport below, bitgen_t

from .state cimport (
    ACE, ALL_BUT_KINGS, HAND_CARDS, JACK, KNOWN, NOBODY, NO_CARD, NO_SUIT, NUM_CARDS, PHASE_DEAL,
    PHASE_DISCARD, PHASE_DRAW, PHASE_END, PHASE_KING, PHASE_PLAY, PHASE_STRIKE, QUEEN,
    SALVAGE_CARDS, UNIT_KNIGHT, UNIT_PEASANT, VERB_ACE, VERB_ATTACK, VERB_DEAL, VERB_DISCARD,
    VERB_DRAW_FORGE, VERB_DRAW_GRAVE, VERB_DRAW_SALVAGE, VERB_EQUIP, VERB_HOLD, VERB_KING,
    VERB_PASS, VERB_PREP, VERB_QUEEN, VERB_SALVAGE, VERB_SCRAP, Load, Player, Rules, State, bit,
    cost_of, is_equipment, move_of, nth_card, rank_of, suit_of)


# --- set-up and nodes -----------------------------------------------------------------------------

cdef inline void kc_start(const Rules* rules, State* s) noexcept nogil:
    """Write the state before the first node (R3)."""
    cdef int seat, suit
    memset(s, 0, sizeof(State))
    for suit in range(4):
        s.forge |= <uint64_t>ALL_BUT_KINGS << (16 * suit)
    s.num_forge = NUM_CARDS
    s.observer = NOBODY
    s.phase = PHASE_KING
    for seat in range(rules.num_seats):
        s.players[seat].health = rules.start_health
        s.players[seat].suit = rules.kings[seat] if rules.has_kings else NO_SUIT
    if rules.has_kings:
        first_turn(rules, s)


cdef inline int kc_node(const State* s) noexcept nogil:
    if s.phase == PHASE_END:
        return TERMINAL
    if s.phase == PHASE_DEAL or s.phase == PHASE_KING:
        return CHANCE
    return s.seat


# --- legal moves ----------------------------------------------------------------------------------

cdef inline int kc_legal_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    """Write the legal moves in the order of R12.2 and return their number."""
    if s.phase == PHASE_DRAW:
        return draw_moves(s, out)
    if s.phase == PHASE_PLAY:
        return play_moves(rules, s, out)
    if s.phase == PHASE_DISCARD:
        return discard_moves(s, out)
    out[0] = move_of(VERB_HOLD)
    return attack_moves(rules, s, out, 1)


cdef inline int draw_moves(const State* s, uint32_t* out) noexcept nogil:
    """R5.1."""
    cdef int n = 0
    cdef uint64_t salvage = s.players[s.seat].salvage
    if s.num_forge or s.num_grave >= 2:
        out[n] = move_of(VERB_DRAW_FORGE)
        n += 1
    if s.num_grave:
        out[n] = move_of(VERB_DRAW_GRAVE)
        n += 1
    while salvage:
        out[n] = move_of(VERB_DRAW_SALVAGE, pop_lowest(&salvage))
        n += 1
    return n


cdef inline bint has_jack_in_play(const Player* player) noexcept nogil:
    """R6.5."""
    return (rank_of(player.knight.partner) == JACK or rank_of(player.peasant.partner) == JACK
            or rank_of(player.quartermaster.partner) == JACK)


cdef inline int play_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    """R6.1, row by row; the hand is in card order, so each row is too."""
    cdef const Player* me = &s.players[s.seat]
    cdef int n = 1
    cdef int i, card
    out[0] = move_of(VERB_PASS)
    if me.quartermaster.lead == NO_CARD:
        for i in range(me.num_hand):
            card = me.hand[i]
            if is_equipment(card) and suit_of(card) == me.suit:
                out[n] = move_of(VERB_PREP, card)
                n += 1
        n = recruit_moves(me, out, n)
    elif me.counters == 0:
        out[n] = move_of(VERB_EQUIP, 0, 0, UNIT_KNIGHT)
        out[n + 1] = move_of(VERB_EQUIP, 0, 0, UNIT_PEASANT)
        n += 2
    if me.peasant.lead:
        n = attack_moves(rules, s, out, n)
    if me.queen.lead == NO_CARD:
        n = court_moves(me, VERB_QUEEN, QUEEN, out, n)
    if s.num_grave and is_equipment(s.grave[s.num_grave - 1]):
        n = court_moves(me, VERB_ACE, ACE, out, n)
    return n


cdef inline bint is_equipment_pair(int lead, int partner, int suit) noexcept nogil:
    """Whether a player of this suit may recruit a pair (R6.3), without the limit of one jack."""
    return is_equipment(lead) and suit_of(lead) != suit and is_partner(lead, partner, suit)


cdef inline bint is_partner(int lead, int partner, int suit) noexcept nogil:
    """Whether a rival lead can lie on this card."""
    return rank_of(partner) == JACK or (
        partner != lead and rank_of(partner) == rank_of(lead) and suit_of(partner) != suit)


cdef inline bint is_court_pair(int lead, int partner, int rank, int suit) noexcept nogil:
    """R6.4: two rival queens or aces, by `rank`, in card order."""
    return (lead < partner and rank_of(lead) == rank and rank_of(partner) == rank
            and suit_of(lead) != suit and suit_of(partner) != suit)


cdef inline int recruit_moves(const Player* me, uint32_t* out, int n) noexcept nogil:
    """The row `prep:<x>+<y>`: rival equipment leads the same rival rank or a jack (R6.3)."""
    cdef bint jack_is_free = not has_jack_in_play(me)
    cdef int i, j, lead, partner
    for i in range(me.num_hand):
        lead = me.hand[i]
        if not is_equipment(lead) or suit_of(lead) == me.suit:
            continue
        for j in range(me.num_hand):
            partner = me.hand[j]
            if is_partner(lead, partner, me.suit) and (jack_is_free or rank_of(partner) != JACK):
                out[n] = move_of(VERB_PREP, lead, partner)
                n += 1
    return n


cdef inline int attack_moves(
        const Rules* rules, const State* s, uint32_t* out, int n) noexcept nogil:
    """One attack for every rival (R7.1)."""
    cdef int seat
    for seat in range(rules.num_seats):
        if seat != s.seat and s.players[seat].health:
            out[n] = move_of(VERB_ATTACK, seat)
            n += 1
    return n


cdef inline int court_moves(
        const Player* me, int verb, int rank, uint32_t* out, int n) noexcept nogil:
    """The rows of a queen or an ace: the own one alone, then pairs of rival ones (R6.4)."""
    cdef int[3] rivals
    cdef int num_rivals = 0
    cdef int i, j
    for i in range(me.num_hand):
        if rank_of(me.hand[i]) != rank:
            continue
        if suit_of(me.hand[i]) == me.suit:
            n = court_move(verb, me.hand[i], NO_CARD, out, n)
        else:
            rivals[num_rivals] = me.hand[i]
            num_rivals += 1
    for i in range(num_rivals):
        for j in range(i + 1, num_rivals):
            n = court_move(verb, rivals[i], rivals[j], out, n)
    return n


cdef inline int court_move(int verb, int lead, int partner, uint32_t* out, int n) noexcept nogil:
    if verb == VERB_QUEEN:
        out[n] = move_of(VERB_QUEEN, lead, partner)
        return n + 1
    out[n] = move_of(VERB_ACE, lead, partner, UNIT_KNIGHT)
    out[n + 1] = move_of(VERB_ACE, lead, partner, UNIT_PEASANT)
    return n + 2


cdef inline int discard_moves(const State* s, uint32_t* out) noexcept nogil:
    """R8.1."""
    cdef const Player* me = &s.players[s.seat]
    cdef int n = 0
    cdef int i
    for i in range(me.num_hand):
        out[n] = move_of(VERB_DISCARD, me.hand[i])
        n += 1
    if me.num_salvage < SALVAGE_CARDS:
        for i in range(me.num_hand):
            out[n] = move_of(VERB_SALVAGE, me.hand[i])
            n += 1
    if me.quartermaster.lead:
        out[n] = move_of(VERB_SCRAP)
        n += 1
    return n


# --- chance ---------------------------------------------------------------------------------------

cdef inline int kc_outcomes(const State* s, uint32_t* out) noexcept nogil:
    """Write the outcomes, all equally likely, and return their number (R3.1, R5.2)."""
    cdef uint64_t forge = s.forge
    cdef int n = 0
    cdef int suit, seat
    cdef bint is_free
    if s.phase == PHASE_DEAL:
        while forge:
            out[n] = move_of(VERB_DEAL, pop_lowest(&forge))
            n += 1
        return n
    for suit in range(4):
        is_free = True
        for seat in range(s.seat):
            is_free = is_free and s.players[seat].suit != suit
        if is_free:
            out[n] = move_of(VERB_KING, suit)
            n += 1
    return n


cdef inline uint32_t kc_sample(const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[4] kings
    if s.phase == PHASE_DEAL:
        return move_of(VERB_DEAL, nth_card(s.forge, below(rng, s.num_forge)))
    return kings[below(rng, kc_outcomes(s, kings))]


# --- cards between zones --------------------------------------------------------------------------

cdef inline void take_card(State* s, Player* me, int card, int mark) noexcept nogil:
    """Put a card into the hand, in card order, and continue with the next draw (R4.3).

    Without loops: the slot can't be predicted, and a branch miss costs more than moving all.
    """
    cdef bint after_0 = (me.hand[0] != NO_CARD) & (me.hand[0] < card)
    cdef bint after_1 = (me.hand[1] != NO_CARD) & (me.hand[1] < card)
    if me.num_hand == 2:
        me.hand[2] = card if after_1 else me.hand[1]
        me.marks[2] = mark if after_1 else me.marks[1]
    me.hand[1] = me.hand[1] if after_1 else card if after_0 else me.hand[0]
    me.marks[1] = me.marks[1] if after_1 else mark if after_0 else me.marks[0]
    me.hand[0] = me.hand[0] if after_0 else card
    me.marks[0] = me.marks[0] if after_0 else mark
    me.num_hand += 1
    draw_check(s, me)


cdef inline void drop_card(Player* me, int card) noexcept nogil:
    """Take a card out of the hand, which must contain it; without loops, as above."""
    cdef bint from_0 = me.hand[0] == card
    cdef bint from_1 = from_0 | (me.hand[1] == card)
    me.hand[0] = me.hand[1] if from_0 else me.hand[0]
    me.marks[0] = me.marks[1] if from_0 else me.marks[0]
    me.hand[1] = me.hand[2] if from_1 else me.hand[1]
    me.marks[1] = me.marks[2] if from_1 else me.marks[1]
    me.hand[2] = NO_CARD
    me.marks[2] = 0
    me.num_hand -= 1


cdef inline void push_top(State* s, int card) noexcept nogil:
    s.grave[s.num_grave] = card
    s.num_grave += 1


cdef inline int pop_top(State* s) noexcept nogil:
    s.num_grave -= 1
    cdef int card = s.grave[s.num_grave]
    s.grave[s.num_grave] = NO_CARD
    return card


cdef inline void load_to_top(State* s, Load* load) noexcept nogil:
    """Empty a unit onto the graveyard, the lead above its partner (R1.8)."""
    if load.partner:
        push_top(s, load.partner)
    if load.lead:
        push_top(s, load.lead)
    load.lead = NO_CARD
    load.partner = NO_CARD


cdef inline void to_bottom(State* s, const uint8_t* cards, int num_cards) noexcept nogil:
    """Put cards, the uppermost first, below the graveyard."""
    cdef int i
    memmove(s.grave + num_cards, s.grave, s.num_grave)
    for i in range(num_cards):
        s.grave[num_cards - 1 - i] = cards[i]
    s.num_grave += num_cards


cdef inline void pair_to_bottom(State* s, int lead, int partner) noexcept nogil:
    cdef uint8_t[2] cards
    cards[0] = lead
    cards[1] = partner
    to_bottom(s, cards, 2 if partner else 1)


cdef inline void reshuffle(State* s) noexcept nogil:
    """All graveyard cards but the top one become the forge (R9.1)."""
    cdef int top = s.num_grave - 1
    cdef uint8_t kept = s.grave[top]
    cdef int i
    for i in range(top):
        s.forge |= bit(s.grave[i])
    memset(s.grave, NO_CARD, s.num_grave)
    s.grave[0] = kept
    s.num_grave = 1
    s.num_forge = top
    s.epoch += 1


# --- turns ----------------------------------------------------------------------------------------

cdef inline void draw_check(State* s, Player* me) noexcept nogil:
    """R4.3."""
    s.phase = PHASE_DRAW if me.num_hand < HAND_CARDS else PHASE_PLAY


cdef inline void start_turn(State* s, int seat) noexcept nogil:
    """R4.2."""
    cdef Player* me = &s.players[seat]
    s.turn += 1
    s.seat = seat
    if me.counters:
        me.counters -= 1
    draw_check(s, me)


cdef inline void first_turn(const Rules* rules, State* s) noexcept nogil:
    """R3.4."""
    cdef int first = 0
    cdef int seat
    for seat in range(1, rules.num_seats):
        if s.players[seat].suit < s.players[first].suit:
            first = seat
    start_turn(s, first)


cdef inline void end_turn(const Rules* rules, State* s) noexcept nogil:
    """R4.5."""
    cdef int suit = s.players[s.seat].suit
    cdef int next_seat = 0
    cdef int nearest = 4
    cdef int seat, steps
    if s.turn == rules.turn_limit:
        end_game(s)
        return
    for seat in range(rules.num_seats):
        steps = (s.players[seat].suit - suit - 1) & 3    # 3 for the actor
        if s.players[seat].health and steps < nearest:
            nearest = steps
            next_seat = seat
    start_turn(s, next_seat)


cdef inline void end_game(State* s) noexcept nogil:
    s.phase = PHASE_END
    s.seat = 0


cdef inline int num_living(const Rules* rules, const State* s) noexcept nogil:
    cdef int living = 0
    cdef int seat
    for seat in range(rules.num_seats):
        living += s.players[seat].health != 0
    return living


# --- battle ---------------------------------------------------------------------------------------

cdef inline void attack(const Rules* rules, State* s, Player* me, Player* rival) noexcept nogil:
    """R7.2, and R10 if it kills; continues with the discard (R7.3) unless the game is over."""
    cdef int power = rank_of(me.peasant.lead) - rank_of(rival.knight.lead)
    s.phase = PHASE_DISCARD
    load_to_top(s, &me.peasant)
    load_to_top(s, &rival.knight)
    if power <= 0:
        return
    if rival.queen.lead:
        pair_to_bottom(s, rival.queen.lead, rival.queen.partner)
        rival.queen.lead = NO_CARD
        rival.queen.partner = NO_CARD
    elif power < rival.health:
        rival.health -= power
    else:
        eliminate(s, rival)
        if num_living(rules, s) == 1:
            end_game(s)


cdef inline void eliminate(State* s, Player* player) noexcept nogil:
    """R10.2."""
    cdef uint8_t[10] cards
    cdef int n = 0
    cdef int i
    cdef uint8_t suit = player.suit
    n = list_load(&player.quartermaster, cards, n)
    n = list_load(&player.peasant, cards, n)
    while player.salvage:
        cards[n] = pop_lowest(&player.salvage)
        n += 1
    for i in range(player.num_hand):
        cards[n] = player.hand[i]
        n += 1
    to_bottom(s, cards, n)
    memset(player, 0, sizeof(Player))
    player.suit = suit


cdef inline int list_load(const Load* load, uint8_t* cards, int n) noexcept nogil:
    if load.lead:
        cards[n] = load.lead
        n += 1
    if load.partner:
        cards[n] = load.partner
        n += 1
    return n


# --- the transition -------------------------------------------------------------------------------

cdef inline void kc_apply(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    """Change the state by a legal move or a possible outcome."""
    cdef Player* me = &s.players[s.seat]
    cdef Load* unit = &me.knight if move >> 24 == UNIT_KNIGHT else &me.peasant
    cdef int verb = move & 255
    cdef uint8_t first = move >> 8 & 255
    cdef uint8_t second = move >> 16 & 255
    if verb == VERB_DRAW_FORGE:
        if s.num_forge == 0:
            reshuffle(s)
        s.phase = PHASE_DEAL
    elif verb == VERB_DEAL:
        s.forge ^= bit(first)
        s.num_forge -= 1
        take_card(s, me, first, s.epoch)
    elif verb == VERB_DRAW_GRAVE:
        take_card(s, me, pop_top(s), KNOWN)
    elif verb == VERB_DRAW_SALVAGE:
        me.salvage ^= bit(first)
        me.num_salvage -= 1
        take_card(s, me, first, KNOWN)
    elif verb == VERB_PASS or verb == VERB_HOLD:
        s.phase = PHASE_DISCARD
    elif verb == VERB_PREP:
        me.quartermaster = play_load(s, me, first, second)
        me.counters = cost_of(first)
    elif verb == VERB_EQUIP:        # R6.6
        load_to_top(s, unit)
        unit[0] = me.quartermaster
        me.quartermaster = Load(lead=NO_CARD, partner=NO_CARD)
        s.phase = PHASE_DISCARD
    elif verb == VERB_ATTACK:
        attack(rules, s, me, &s.players[first])
    elif verb == VERB_QUEEN:
        me.queen = play_load(s, me, first, second)
    elif verb == VERB_ACE:
        play_ace(s, me, unit, play_load(s, me, first, second))
        if rules.ace_strike and unit == &me.peasant:
            s.phase = PHASE_STRIKE
    elif verb == VERB_DISCARD:
        drop_card(me, first)
        push_top(s, first)
        end_turn(rules, s)
    elif verb == VERB_SALVAGE:
        drop_card(me, first)
        me.salvage |= bit(first)
        me.num_salvage += 1
        end_turn(rules, s)
    elif verb == VERB_SCRAP:
        load_to_top(s, &me.quartermaster)
        me.counters = 0
        end_turn(rules, s)
    else:                           # VERB_KING
        me.suit = first
        s.seat += 1
        if s.seat == rules.num_seats:
            first_turn(rules, s)


cdef inline Load play_load(State* s, Player* me, int lead, int partner) noexcept nogil:
    """Take one or two cards out of the hand; the play move is done."""
    drop_card(me, lead)
    if partner:
        drop_card(me, partner)
    s.phase = PHASE_DISCARD
    return Load(lead=lead, partner=partner)


cdef inline void play_ace(State* s, Player* me, Load* unit, Load ace) noexcept nogil:
    """R6.7, in its order."""
    cdef uint8_t resurrected = pop_top(s)
    load_to_top(s, unit)
    unit.lead = resurrected
    pair_to_bottom(s, ace.lead, ace.partner)


# --- the result -----------------------------------------------------------------------------------

cdef inline void kc_returns(const Rules* rules, const State* s, double* out) noexcept nogil:
    """The living with the highest health share the win: R10.4 and R10.5 in one."""
    cdef int best = 0
    cdef int winners = 0
    cdef int seat
    for seat in range(rules.num_seats):
        if s.players[seat].health > best:
            best = s.players[seat].health
            winners = 0
        winners += s.players[seat].health == best
    for seat in range(rules.num_seats):
        out[seat] = 1.0 / winners if s.players[seat].health == best else 0.0
