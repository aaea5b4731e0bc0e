"""Attacks with all that may interrupt them, rolls and damage (R9, R10 of the rules page).

The order of an attack: Insight, counter strike, attack roll; of a roll: Parlay, dice, Lionheart,
points, Thorns. `State.context` keeps what the rest of the attack needs.
"""

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

from kingmaker.cext.game cimport CHANCE

from .geometry cimport are_adjacent, ko_has_exit, neighbours
from .movement cimport ko_finish_step, ko_strength
from .pieces cimport pair_of, piece_at, shift
from .state cimport (
    ATTACKED, BISHOP, BLESSING, BUILDINGS, DARK, ENDED, FRENZY, ICE_QUEEN, INSIGHT, IVORY, K,
    KIND_ATTACK, KIND_HAZARD, KIND_THORNS, KNIGHT, LIONHEART, MOTORHEAD, NO_KIND, PARLAY, PAWN,
    PUNCHES, REDIRECT, SHIELD, SOLDIERS, STAGE_END, STAGE_INSIGHT, STAGE_LIONHEART, STAGE_PARLAY,
    STAGE_REDIRECT, STAGE_REROLL, STAGE_ROLL, SUMMER, TAINTED_BISHOP, THORNS, UNPAWN, UPPER,
    VERB_INSIGHT, VERB_LAST, VERB_PARLAY, VERB_REDIR, VERB_REROLL, Context, first_of, is_in,
    second_of, verb_of)
from .turn cimport go, ko_hurt, ko_next_seat, ko_return_to_main

cdef enum:
    MOST_DICE = 5   # R1.5


# --- numbers --------------------------------------------------------------------------------------

cdef int ko_dice(
        const Rules* rules, const State* s, int seat, const Piece* piece,
        bint has_extra) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef int dice
    if is_in(piece.letter, SOLDIERS):
        dice = ko_strength(rules, s, piece)
        if piece.letter == PAWN:
            dice += (p.marks & SUMMER != 0) + (p.marks & FRENZY != 0)
    else:
        dice = 1 + piece.checkers + (pair_of(p, KNIGHT) == 2)
    dice += has_extra
    return min(dice, MOST_DICE)


cdef inline bint is_blessed(const Rules* rules, const State* s, int square) noexcept nogil:
    """R9.7: the owner has Blessing and a bishop of his stands adjacent."""
    cdef int content = on_square(s, square)
    cdef const Player* p
    cdef int i
    if letter_on(content) == IVORY or letter_on(content) == DARK:
        return False
    p = &s.players[owner_on(content)]
    if not p.marks & BLESSING:
        return False
    for i in range(p.num_pieces):
        if is_in(p.pieces[i].letter, 1 << BISHOP | 1 << TAINTED_BISHOP) and are_adjacent(
                s, square, p.pieces[i].square):
            return True
    return False


cdef bint ko_halves(const Rules* rules, const State* s, int square) noexcept nogil:
    cdef int content = on_square(s, square)
    if is_in(letter_on(content), BUILDINGS) and s.players[owner_on(content)].effects & ICE_QUEEN:
        return True
    return is_blessed(rules, s, square)


cdef int ko_threshold(
        const Rules* rules, const State* s, int attacker, int target,
        bint has_upper) noexcept nogil:
    cdef int hit = on_square(s, target)
    cdef int hitting = on_square(s, attacker)
    cdef const Player* owner = &s.players[owner_on(hit)]
    if letter_on(hit) == PAWN and owner.marks & SHIELD:
        return 6
    if owner.marks & BLESSING and pair_of(owner, BISHOP) == 2 and is_blessed(rules, s, target):
        return 6
    if is_in(letter_on(hit), BUILDINGS | SOLDIERS) and owner.effects & MOTORHEAD:
        return 3
    if has_upper:
        return 4
    if letter_on(hitting) == UNPAWN and s.players[owner_on(hitting)].towers[K].tainted:
        return 4
    return 5


# --- the declaration ------------------------------------------------------------------------------

cdef void ko_attack(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int seat = s.active - 1
    cdef Player* p = &s.players[seat]
    cdef int attacker = first_of(move)
    cdef int target = second_of(move)
    cdef int owner = owner_at(s, target)
    p.pieces[piece_at(p, attacker)].flags |= ATTACKED
    go(s, STAGE_INSIGHT, owner)
    s.context.attacker = attacker
    s.context.target = target
    if verb_of(move) == VERB_LAST:
        p.marks |= ENDED
        s.context.last = 1
    if owner < 0 or owner == seat or not s.players[owner].marks & INSIGHT:
        strike(rules, s)
    elif not is_in(letter_on(on_square(s, attacker)), SOLDIERS):
        strike(rules, s)
    elif not ko_has_exit(rules, s, attacker):
        strike(rules, s)


cdef void ko_answer(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    if s.stage == STAGE_INSIGHT:
        answer_insight(rules, s, move)
    elif s.stage == STAGE_PARLAY:
        answer_parlay(rules, s, move)
    elif s.stage == STAGE_ROLL or s.stage == STAGE_REROLL:
        add_die(rules, s, first_of(move))
    elif s.stage == STAGE_LIONHEART:
        answer_lionheart(rules, s, move)
    else:
        answer_redirect(rules, s, move)


cdef void answer_insight(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    """R9.2."""
    cdef int seat = s.active - 1
    if verb_of(move) == VERB_INSIGHT:
        s.players[s.node].marks &= ~INSIGHT
        shift(s, seat, piece_at(&s.players[seat], s.context.attacker), first_of(move))
        s.context.attacker = first_of(move)
        if not are_adjacent(s, s.context.attacker, s.context.target):
            ko_return_to_main(rules, s)
            return
    strike(rules, s)


cdef void strike(const Rules* rules, State* s) noexcept nogil:
    """Begin the counter strike (R9.3) or else the attack roll."""
    cdef int hit = on_square(s, s.context.target)
    cdef int owner = owner_on(hit)
    s.context.counter = (
        letter_on(hit) == PAWN and owner != s.active - 1 and s.players[owner].marks & FRENZY != 0
        and is_in(letter_on(on_square(s, s.context.attacker)), SOLDIERS))
    ask_parlay(rules, s, owner_at(s, roller_of(s)))


# --- a roll ---------------------------------------------------------------------------------------

cdef void ask_parlay(const Rules* rules, State* s, int seat) noexcept nogil:
    """Ask the next seat after this one that may stop the roll (R9.4), or begin it."""
    cdef int roller = owner_at(s, roller_of(s))
    seat = ko_next_seat(rules, s, seat)
    while seat != roller:
        if s.players[seat].marks & PARLAY:
            s.stage = STAGE_PARLAY
            s.node = seat
            return
        seat = ko_next_seat(rules, s, seat)
    begin_roll(rules, s, roller)


cdef void answer_parlay(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    if verb_of(move) != VERB_PARLAY:
        ask_parlay(rules, s, s.node)
        return
    s.players[s.node].marks &= ~PARLAY
    end_roll(rules, s)


cdef void begin_roll(const Rules* rules, State* s, int seat) noexcept nogil:
    cdef Player* p = &s.players[seat]
    cdef const Piece* piece = &p.pieces[piece_at(p, roller_of(s))]
    s.stage = STAGE_ROLL
    s.node = CHANCE
    s.context.num_dice = ko_dice(
        rules, s, seat, piece, s.context.last and not s.context.counter)
    s.context.upper = p.marks & UPPER != 0
    p.marks &= ~UPPER


cdef inline int num_shown(const Context* c) noexcept nogil:
    return c.faces[0] + c.faces[1] + c.faces[2] + c.faces[3] + c.faces[4] + c.faces[5]


cdef void add_die(const Rules* rules, State* s, int face) noexcept nogil:
    cdef Context* c = &s.context
    cdef int roller = owner_at(s, roller_of(s))
    c.faces[face - 1] += 1
    if face == 6 and s.players[roller].marks & PUNCHES and c.num_dice < MOST_DICE:
        c.num_dice += 1
    if num_shown(c) < c.num_dice:
        return
    if s.stage == STAGE_ROLL:
        ask_lionheart(rules, s, -1)
    else:
        ask_lionheart(rules, s, c.seat)


cdef void ask_lionheart(const Rules* rules, State* s, int asked) noexcept nogil:
    """Ask the next seat after `asked` (-1: nobody yet) that may reroll a die (R9.8), or count."""
    cdef int roller = owner_at(s, roller_of(s))
    cdef int other = owner_at(s, rolled_at(s))
    s.context.seat = 0
    if asked < 0 and s.players[roller].marks & LIONHEART:
        s.node = roller
    elif (asked < 0 or asked == roller) and other >= 0 and other != roller and (
            s.players[other].marks & LIONHEART):
        s.node = other
    else:
        count_hits(rules, s)
        return
    s.stage = STAGE_LIONHEART


cdef void answer_lionheart(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    if verb_of(move) != VERB_REROLL:
        ask_lionheart(rules, s, s.node)
        return
    s.players[s.node].marks &= ~LIONHEART
    s.context.faces[first_of(move) - 1] -= 1
    s.context.seat = s.node
    s.stage = STAGE_REROLL
    s.node = CHANCE


cdef void count_hits(const Rules* rules, State* s) noexcept nogil:
    """Turn dice into points (R9.6, R9.7)."""
    cdef Context* c = &s.context
    cdef int target = rolled_at(s)
    cdef int face = ko_threshold(rules, s, roller_of(s), target, c.upper)
    cdef int hits = 0
    while face <= 6:
        hits += c.faces[face - 1]
        face += 1
    memset(c.faces, 0, sizeof(c.faces))
    c.num_dice = 0
    c.upper = 0
    c.kind = KIND_ATTACK
    c.square = target
    c.left = hits // 2 if ko_halves(rules, s, target) else hits
    deal(rules, s)


# --- damage ---------------------------------------------------------------------------------------

cdef void ko_damage(
        const Rules* rules, State* s, int kind, int square, uint32_t pending) noexcept nogil:
    go(s, STAGE_REDIRECT, s.active - 1)
    s.context.kind = kind
    s.context.square = square
    s.context.pending = pending
    s.context.left = 1
    deal(rules, s)


cdef void deal(const Rules* rules, State* s) noexcept nogil:
    """Deal the points left (R10.3) until a seat is asked or all is done."""
    cdef Context* c = &s.context
    while c.left and on_square(s, c.square):
        if may_redirect(rules, s, c.square):
            s.stage = STAGE_REDIRECT
            s.node = owner_at(s, c.square)
            return
        hit(rules, s, c.square)
        if is_dropped(rules, s):
            return
    after_damage(rules, s)


cdef bint is_dropped(const Rules* rules, State* s) noexcept nogil:
    """Whether the game or the active seat has fallen, and with it the rest of the attack (R4.6)."""
    if s.stage == STAGE_END:
        return True
    if s.players[s.active - 1].is_alive:
        return False
    ko_return_to_main(rules, s)
    return True


cdef bint may_redirect(const Rules* rules, const State* s, int square) noexcept nogil:
    cdef int seat = owner_at(s, square)
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int i
    if seat < 0 or not s.players[seat].marks & REDIRECT:
        return False
    for i in range(neighbours(rules, s, square, &around, room)):
        if owner_at(s, around[i]) == seat:
            return True
    return False


cdef bint ko_may_redirect_to(
        const State* s, int seat, int damaged, int square) noexcept nogil:
    return owner_at(s, square) == seat and are_adjacent(s, damaged, square)


cdef void answer_redirect(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    hit(rules, s, first_of(move) if verb_of(move) == VERB_REDIR else s.context.square)
    if not is_dropped(rules, s):
        deal(rules, s)


cdef void hit(const Rules* rules, State* s, int square) noexcept nogil:
    """One point of those left falls on a piece, and counts for Thorns (R10.5).

    Thorns end with the kingdom that has them: a fallen owner deals none (R12.1).
    """
    cdef int content = on_square(s, square)
    cdef int owner = owner_on(content)
    s.context.left -= 1
    if s.context.kind == KIND_ATTACK and is_in(letter_on(content), BUILDINGS):
        s.context.thorns += s.players[owner].marks & THORNS != 0
    ko_hurt(rules, s, square)
    if s.stage != STAGE_END and not s.players[owner].is_alive:
        s.context.thorns = 0


cdef void after_damage(const Rules* rules, State* s) noexcept nogil:
    cdef Context* c = &s.context
    cdef uint32_t pending
    if c.kind == KIND_ATTACK and c.thorns and on_square(s, roller_of(s)):
        c.kind = KIND_THORNS
        c.square = roller_of(s)
        c.left = (c.thorns + 1) // 2
        c.thorns = 0
        deal(rules, s)
    elif c.kind == KIND_ATTACK or c.kind == KIND_THORNS:
        end_roll(rules, s)
    elif c.kind == KIND_HAZARD:
        pending = c.pending
        ko_return_to_main(rules, s)
        ko_finish_step(rules, s, pending)
    else:
        ko_return_to_main(rules, s)


cdef void end_roll(const Rules* rules, State* s) noexcept nogil:
    """The attack roll after a counter strike that left both pieces standing, or `main`."""
    cdef Context* c = &s.context
    if not (c.counter and on_square(s, c.attacker) and on_square(s, c.target)):
        ko_return_to_main(rules, s)
        return
    c.counter = 0
    c.kind = NO_KIND
    c.square = 0
    c.left = 0
    c.thorns = 0
    ask_parlay(rules, s, s.active - 1)
