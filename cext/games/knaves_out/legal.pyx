"""Legal moves and chance outcomes of Knaves Out, in canonical order (R14.6 of the rules page)."""

from libc.stdint cimport uint16_t
from libc.string cimport memset

from kingmaker.cext.bits cimport pop_lowest, random_member
from kingmaker.cext.rng cimport below

from .actions cimport Purse, acts_left, ko_is_target, ko_open_purse, ko_waive_fault
from .acts cimport ko_acts
from .cards cimport JACK, bit, deck_size, fits, next_rank, of_rank, wanted
from .combat cimport is_lucky, owner_at, roller_of
from .faults cimport (
    FAULT_ATTACKED, FAULT_ENDED, FAULT_FEW_CHECKERS, FAULT_NOT_ADJACENT, FAULT_NO_ATTACKER,
    FAULT_NO_CONSPIRE, FAULT_NO_TARGET, FAULT_NO_TOWERS, FAULT_OWN_TARGET, FAULT_SWAYED,
    FAULT_TOWER_USED, NO_FAULT)
from .geometry cimport EDGE, are_adjacent, ko_board_moves, neighbours
from .movement cimport ko_has_step, ko_heart_fault, ko_land_fault, ko_landing_fault, ko_sail_fault
from .pieces cimport is_same_kind, piece_at
from .state cimport (
    A, ATTACKED, BUILDINGS, CONSPIRE, DARK, DEFEND, ENDED, HEART_ATTACK, JOKER, KIND_DARK,
    KIND_IVORY, KIND_LAND, KIND_RAISE, KIND_TAX, KNIGHT, NO_TOWER, PAWN, SOLDIERS, STAGE_BOARD,
    STAGE_CHARM, STAGE_COURT_J, STAGE_COURT_K, STAGE_DRAW, STAGE_FIND, STAGE_FIRST, STAGE_FUEL,
    STAGE_INSIGHT, STAGE_KEEP, STAGE_KING, STAGE_LIONHEART, STAGE_MAIN, STAGE_MIX, STAGE_PARLAY,
    STAGE_PLACE, STAGE_REDIRECT, STAGE_SAC, STAGE_SHUFFLE, STAGE_TAINT, STAGE_TARGET, STAGE_WAIVE,
    SURGED, TAINTED_BISHOP, TAINTED_KNIGHT, TOWER_CHECKERS, UNPAWN, VERB_AT, VERB_ATTACK,
    VERB_COURT, VERB_DARK, VERB_DIE, VERB_DISCARD_HAND, VERB_DRAW, VERB_END_TURN, VERB_FIND,
    VERB_FIRST, VERB_FROM, VERB_FUEL, VERB_INSIGHT, VERB_IVORY, VERB_JOKER, VERB_KEEP,
    VERB_KEEP_HAND, VERB_KING, VERB_LAND, VERB_LAST, VERB_MOVE, VERB_ON, VERB_PARLAY, VERB_PASS,
    VERB_PLAY, VERB_RED, VERB_REDIR, VERB_REROLL, VERB_SAIL, VERB_SHUFFLE, VERB_SKIP, VERB_STEP,
    VERB_STOP, VERB_TAKE, VERB_UNDER, VERB_WAIVE, Piece, Player, at_sea, is_in, letter_on, move_of,
    on_square, owner_on)


cdef int ko_legal_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    if s.stage == STAGE_MAIN:
        return main_moves(rules, s, out)
    if s.stage < STAGE_SHUFFLE:
        return setup_moves(rules, s, out)
    if s.stage == STAGE_SHUFFLE:
        return two(out, VERB_SHUFFLE, VERB_KEEP)
    if s.stage == STAGE_KEEP:
        return two(out, VERB_DISCARD_HAND, VERB_KEEP_HAND)
    if s.stage == STAGE_PARLAY:
        return two(out, VERB_PARLAY, VERB_PASS)
    if s.stage == STAGE_WAIVE:
        return waive_moves(s, out)
    if s.stage == STAGE_FIND:
        return find_moves(rules, s, out)
    if s.stage == STAGE_PLACE:
        return place_moves(rules, s, out)
    if s.stage == STAGE_TARGET:
        return target_moves(rules, s, out)
    if s.stage == STAGE_CHARM:
        return charm_moves(rules, s, out)
    if s.stage == STAGE_MIX:
        return mix_moves(s, out)
    if s.stage == STAGE_SAC:
        return sac_moves(s, out)
    if s.stage == STAGE_INSIGHT:
        return insight_moves(rules, s, out)
    if s.stage == STAGE_LIONHEART:
        return lionheart_moves(s, out)
    if s.stage == STAGE_REDIRECT:
        return redirect_moves(rules, s, out)
    return 0


cdef inline int two(uint32_t* out, int first, int second) noexcept nogil:
    out[0] = move_of(first)
    out[1] = move_of(second)
    return 2


cdef inline int on_cards(
        uint32_t* out, int found, int verb, uint64_t cards, int second) noexcept nogil:
    """Append moves of a verb with each card of a set."""
    while cards:
        out[found] = move_of(verb, pop_lowest(&cards), second)
        found += 1
    return found


cdef inline int on_exits(
        const Rules* rules, const State* s, uint32_t* out, int verb, int square) noexcept nogil:
    """Write moves of a verb to the empty squares adjacent to one."""
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int found = 0
    cdef int i
    for i in range(neighbours(rules, s, square, &around, room)):
        if on_square(s, around[i]) == 0:
            out[found] = move_of(verb, around[i])
            found += 1
    return found


cdef inline int on_masks(
        const Rules* rules, uint32_t* out, int verb, uint64_t* masks) noexcept nogil:
    """Write moves of a verb with each square of a mask for each board."""
    cdef int found = 0
    cdef int board
    for board in range(rules.num_seats):
        while masks[board]:
            out[found] = move_of(verb, 64 * board + pop_lowest(&masks[board]))
            found += 1
    return found


# --- the setup ------------------------------------------------------------------------------------

cdef int setup_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef int found = 0
    cdef int square, tower
    if s.stage == STAGE_BOARD:
        return ko_board_moves(rules, s, s.node, out)
    if s.stage == STAGE_KING:
        for square in range(64):
            out[square] = move_of(VERB_KING, 64 * s.node + square)
        return 64
    if s.stage <= STAGE_COURT_K:
        return on_cards(out, 0, VERB_COURT, of_rank(JACK + s.stage - STAGE_COURT_J), 0)
    if s.stage == STAGE_FUEL:
        return on_cards(
            out, 0, VERB_FUEL, p.deck & of_rank(s.context.number), s.context.tower)
    for tower in range(A):
        if not p.towers[tower].tainted:
            out[found] = move_of(VERB_UNDER, tower)
            found += 1
    out[found] = move_of(VERB_UNDER, NO_TOWER)
    return found + 1


# --- main -----------------------------------------------------------------------------------------

cdef int main_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef int found = ko_card_moves(rules, s, out)
    return found + ko_piece_moves(rules, s, out + found)


cdef int ko_card_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef uint64_t playable = wanted(rules, p)
    cdef int found = card_moves(rules, p, out, VERB_PLAY, p.hand & playable)
    cdef Purse purse
    if p.hand_jokers:
        found += card_moves(rules, p, out + found, VERB_JOKER, p.deck & playable)
    if acts_left(s, p) > 0:
        ko_open_purse(s, s.active - 1, &purse)
        found += ko_acts(rules, s, &purse, out + found)
    return found


cdef int ko_piece_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef int found = step_moves(rules, s, out)
    cdef int seat
    found += sea_moves(rules, s, out + found)
    found += attack_moves(rules, s, out + found)
    if ko_call_fault(rules, s, KIND_IVORY) == NO_FAULT:
        out[found] = move_of(VERB_IVORY)
        found += 1
    if ko_call_fault(rules, s, KIND_DARK) == NO_FAULT:
        for seat in range(rules.num_seats):
            if seat != s.active - 1 and s.players[seat].is_alive:
                out[found] = move_of(VERB_DARK, seat)
                found += 1
    out[found] = move_of(VERB_END_TURN)
    return found + 1


cdef int card_moves(
        const Rules* rules, const Player* p, uint32_t* out, int verb,
        uint64_t cards) noexcept nogil:
    cdef int found = 0
    cdef int card, tower
    while cards:
        card = pop_lowest(&cards)
        for tower in range(4):
            if fits(rules, p, card, tower):
                out[found] = move_of(verb, card, tower)
                found += 1
    return found


cdef int step_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef const Piece* piece
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef bint has_hearts = has_heart_attack(rules, s)
    cdef int found = 0
    cdef int i, k
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        if not (is_in(piece.letter, SOLDIERS) or piece.flags & SURGED):
            continue
        if not ko_has_step(rules, s, piece):
            continue
        for k in range(neighbours(rules, s, piece.square, &around, room)):
            if on_square(s, around[k]):
                continue
            if has_hearts and ko_heart_fault(
                    rules, s, piece.letter, piece.square, piece.square, around[k]):
                continue
            out[found] = move_of(VERB_MOVE, piece.square, around[k])
            found += 1
    return found


cdef inline bint has_heart_attack(const Rules* rules, const State* s) noexcept nogil:
    """Whether steps may need a permission (R8.9): few games have one that does."""
    cdef int effects = 0
    cdef int seat
    for seat in range(rules.num_seats):
        effects |= s.players[seat].effects
    return effects & HEART_ATTACK != 0


cdef int sea_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int found = 0
    cdef int num_at_sea = p.number[PAWN] + p.number[UNPAWN]
    cdef int i, letter, checkers
    for i in range(p.num_pieces):
        if not is_in(p.pieces[i].letter, SOLDIERS):
            continue
        num_at_sea -= 1
        if not ko_sail_fault(rules, s, p.pieces[i].square):
            out[found] = move_of(VERB_SAIL, p.pieces[i].square)
            found += 1
    if num_at_sea == 0:
        return found
    for letter in range(PAWN, UNPAWN + 1, 5):
        for checkers in range(5):
            if p.sea[at_sea(letter, checkers, False)] and not ko_land_fault(
                    rules, s, letter, checkers):
                out[found] = move_of(VERB_LAND, letter, checkers)
                found += 1
    return found


cdef inline int attacker_fault(const State* s, const Piece* piece) noexcept nogil:
    """Whether a piece of the active seat may attack at all."""
    cdef const Player* p = &s.players[s.active - 1]
    if not is_in(piece.letter, SOLDIERS) and not (
            p.marks & DEFEND and is_in(piece.letter, 1 << KNIGHT | 1 << TAINTED_KNIGHT)):
        return FAULT_NO_ATTACKER
    if p.swayers:
        return FAULT_SWAYED
    if p.marks & ENDED:
        return FAULT_ENDED
    return FAULT_ATTACKED if piece.flags & ATTACKED else NO_FAULT


cdef inline int victim_fault(const Rules* rules, const State* s, int square) noexcept nogil:
    """Whether the active seat may attack what stands here."""
    cdef int content = on_square(s, square)
    if not ko_is_target(s, s.active - 1, square):
        return FAULT_NO_TARGET
    if rules.spares_own and owner_on(content) == s.active - 1 and letter_on(content) != DARK:
        return FAULT_OWN_TARGET
    return NO_FAULT


cdef int ko_attack_fault(
        const Rules* rules, const State* s, int start, int goal, bint last) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int index = piece_at(p, start)
    cdef int fault = FAULT_NO_ATTACKER if index < 0 else attacker_fault(s, &p.pieces[index])
    if fault:
        return fault
    if last and not p.marks & CONSPIRE:
        return FAULT_NO_CONSPIRE
    if not are_adjacent(s, start, goal):
        return FAULT_NOT_ADJACENT
    return victim_fault(rules, s, goal)


cdef int attack_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    """`attack:` and with Conspire the same again as `last:`."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int found = 0
    cdef int i, k
    if p.swayers or p.marks & ENDED:
        return 0
    for i in range(p.num_pieces):
        if attacker_fault(s, &p.pieces[i]):
            continue
        for k in range(neighbours(rules, s, p.pieces[i].square, &around, room)):
            if on_square(s, around[k]) and not victim_fault(rules, s, around[k]):
                out[found] = move_of(VERB_ATTACK, p.pieces[i].square, around[k])
                found += 1
    if p.marks & CONSPIRE:
        for i in range(found):
            out[found + i] = out[i] - VERB_ATTACK + VERB_LAST
        found *= 2
    return found


cdef int ko_call_fault(const Rules* rules, const State* s, int kind) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int checkers = p.unused_red + p.unused_black
    cdef int i
    if not rules.has_great_towers:
        return FAULT_NO_TOWERS
    if s.ivory.stands or s.island if kind == KIND_IVORY else s.dark.stands or s.cleansed:
        return FAULT_TOWER_USED
    if checkers >= TOWER_CHECKERS:
        return NO_FAULT
    for i in range(p.num_pieces):
        checkers += p.pieces[i].checkers
    return NO_FAULT if checkers >= TOWER_CHECKERS else FAULT_FEW_CHECKERS


# --- nodes of actions -----------------------------------------------------------------------------

cdef int waive_moves(const State* s, uint32_t* out) noexcept nogil:
    cdef int found = 0
    cdef int tower
    for tower in range(4):
        if ko_waive_fault(s, tower) == NO_FAULT:
            out[found] = move_of(VERB_WAIVE, tower)
            found += 1
    return found


cdef int find_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef int found
    if s.context.kind == KIND_TAX:
        found = on_cards(
            out, 0, VERB_FIND, p.deck & of_rank(next_rank(p, s.context.tower)), s.context.tower)
    else:
        found = card_moves(rules, p, out, VERB_FIND, p.deck & wanted(rules, p))
    out[found] = move_of(VERB_SKIP)
    return found + 1


cdef int place_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef uint64_t[8] masks
    ko_places(rules, s, masks)
    return on_masks(rules, out, VERB_AT, masks)


cdef void ko_places(const Rules* rules, const State* s, uint64_t* masks) noexcept nogil:
    cdef int kind = s.context.kind
    cdef uint64_t squares
    cdef int board, square
    memset(masks, 0, 8 * sizeof(uint64_t))
    if kind != KIND_LAND and kind != KIND_IVORY and kind != KIND_DARK:
        mark_room(
            rules, s, 1 << TAINTED_BISHOP if kind == KIND_RAISE else BUILDINGS, masks)
        return
    for board in range(rules.num_seats):
        squares = EDGE if kind == KIND_LAND else ~<uint64_t>0
        while squares:
            square = pop_lowest(&squares)
            if on_square(s, 64 * board + square):
                continue
            if kind == KIND_LAND and ko_landing_fault(
                    rules, s, s.context.letter, 64 * board + square):
                continue
            masks[board] |= bit(square)


cdef void mark_room(
        const Rules* rules, const State* s, int letters, uint64_t* masks) noexcept nogil:
    """Mark the empty squares adjacent to own pieces of some letters."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int i, k
    for i in range(p.num_pieces):
        if not is_in(p.pieces[i].letter, letters):
            continue
        for k in range(neighbours(rules, s, p.pieces[i].square, &around, room)):
            if on_square(s, around[k]) == 0:
                masks[around[k] >> 6] |= bit(around[k] & 63)


cdef int target_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef int letter = letter_on(on_square(s, s.context.square))
    cdef uint64_t[8] masks
    cdef const Player* p
    cdef int seat, i
    memset(masks, 0, sizeof(masks))
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        for i in range(p.num_pieces if seat != s.node else 0):
            if is_same_kind(p.pieces[i].letter, letter):
                masks[p.pieces[i].square >> 6] |= bit(p.pieces[i].square & 63)
    return on_masks(rules, out, VERB_ON, masks)


cdef int charm_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef int found = on_exits(rules, s, out, VERB_STEP, s.context.square)
    if not s.context.first:
        out[found] = move_of(VERB_STOP)
        found += 1
    return found


cdef int mix_moves(const State* s, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef int found = 0
    cdef int red
    for red in range(
            max(0, TOWER_CHECKERS - p.unused_black), min(TOWER_CHECKERS, p.unused_red) + 1):
        out[found] = move_of(VERB_RED, red)
        found += 1
    return found


cdef int sac_moves(const State* s, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef int found = 0
    cdef int i
    for i in range(p.num_pieces):
        if p.pieces[i].checkers:
            out[found] = move_of(VERB_FROM, p.pieces[i].square)
            found += 1
    return found


# --- nodes of attacks -----------------------------------------------------------------------------

cdef int insight_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef int found = on_exits(rules, s, out, VERB_INSIGHT, s.context.attacker)
    out[found] = move_of(VERB_PASS)
    return found + 1


cdef int lionheart_moves(const State* s, uint32_t* out) noexcept nogil:
    cdef int found = 0
    cdef int face
    for face in range(1, 7):
        if s.context.faces[face - 1]:
            out[found] = move_of(VERB_REROLL, face)
            found += 1
    out[found] = move_of(VERB_PASS)
    return found + 1


cdef int redirect_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int found = 0
    cdef int i
    for i in range(neighbours(rules, s, s.context.square, &around, room)):
        if owner_at(s, around[i]) == s.node:
            out[found] = move_of(VERB_REDIR, around[i])
            found += 1
    out[found] = move_of(VERB_TAKE)
    return found + 1


# --- chance ---------------------------------------------------------------------------------------

cdef inline bint skips_ones(const Rules* rules, const State* s) noexcept nogil:
    """Luck, for all dice of the seat that rolls (R9.5, D20)."""
    return is_lucky(
        &s.players[s.active - 1 if s.stage == STAGE_TAINT else owner_at(s, roller_of(s))])


cdef int ko_outcomes(
        const Rules* rules, const State* s, uint32_t* out, double* probabilities) noexcept nogil:
    cdef int first = 0
    cdef int number = rules.num_seats
    cdef int verb = VERB_FIRST
    cdef int i
    if s.stage == STAGE_DRAW:
        return draws(&s.players[s.context.seat], out, probabilities)
    if s.stage != STAGE_FIRST:
        verb = VERB_DIE
        first = 2 if skips_ones(rules, s) else 1
        number = 7 - first
    for i in range(number):
        out[i] = move_of(verb, first + i)
        probabilities[i] = 1.0 / number
    return number


cdef int draws(const Player* p, uint32_t* out, double* probabilities) noexcept nogil:
    cdef int size = deck_size(p)
    cdef int found = on_cards(out, 0, VERB_DRAW, p.deck, 0)
    cdef int i
    for i in range(found):
        probabilities[i] = 1.0 / size
    if p.deck_jokers:
        out[found] = move_of(VERB_DRAW, JOKER)
        probabilities[found] = <double>p.deck_jokers / size
        found += 1
    return found


cdef uint32_t ko_sample(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef const Player* p
    cdef int drawn
    if s.stage == STAGE_DRAW:
        p = &s.players[s.context.seat]
        if below(rng, deck_size(p)) < p.deck_jokers:
            return move_of(VERB_DRAW, JOKER)
        return move_of(VERB_DRAW, random_member(p.deck, rng))
    if s.stage == STAGE_FIRST:
        return move_of(VERB_FIRST, below(rng, rules.num_seats))
    drawn = 2 + below(rng, 5) if skips_ones(rules, s) else 1 + below(rng, 6)
    return move_of(VERB_DIE, drawn)
