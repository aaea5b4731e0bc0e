"""Why a well-formed move or outcome of Code of Chivalry is not legal, with its rule."""

from libc.stdint cimport uint64_t

from kingmaker.cext.game cimport refuse

from .legal cimport attack_roles, has_castle_rival, response_roles, rivals_with
from .multiset cimport copies_of, has, member, size_of
from .state cimport (
    ARCHER, CASTLE, CATAPULT, FORT_ARCHER, FORT_CASTLE, FORT_MINSTREL, HERALD, HIDDEN_CARD, JESTER,
    LADDER, MINSTREL, MONK, NOBODY, NO_LADDER, PEASANT, PHASE_ATTACK, PHASE_CHOOSE,
    PHASE_DEAL, PHASE_DRAW, PHASE_FORTIFY, PHASE_GIVE, PHASE_MAIN, PHASE_OVER_GEMS, PHASE_RESPOND,
    PHASE_ROB, PHASE_SHOW, PHASE_TAKE, PHASE_TAX, VERB_ATTACK, VERB_CHOOSE, VERB_DEAL, VERB_DISCARD,
    VERB_DRAW, VERB_END, VERB_FORTIFY, VERB_GIVE, VERB_PASS, VERB_RESPOND, VERB_ROB, VERB_SHOW,
    VERB_SPECIAL, VERB_TAKE, VERB_TAX_CARDS, VERB_TAX_GEM, is_seen, jesters_of, peasants_of,
    role_of, seat_of, verb_of)
from .table cimport fort_of
from .validity cimport copies_code

from kingmaker.cext.reasons import Reason

from .names import NODE_NAMES


# The nodes that a verb belongs to, by `Verb`: bit per `Phase` (5.1).
cdef int[16] PHASES_OF = [
    1 << PHASE_DEAL, 1 << PHASE_DRAW, 1 << PHASE_TAKE, 1 << PHASE_MAIN | 1 << PHASE_ATTACK,
    1 << PHASE_MAIN | 1 << PHASE_FORTIFY, 1 << PHASE_MAIN, 1 << PHASE_MAIN,
    1 << PHASE_FORTIFY | 1 << PHASE_ATTACK, 1 << PHASE_RESPOND, 1 << PHASE_RESPOND | 1 << PHASE_ROB,
    1 << PHASE_ROB, 1 << PHASE_SHOW, 1 << PHASE_CHOOSE, 1 << PHASE_TAX, 1 << PHASE_TAX,
    1 << PHASE_GIVE]


cdef int coc_check_move(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    if s.phase >= PHASE_OVER_GEMS:
        return refuse(out, GAME_WON if s.phase == PHASE_OVER_GEMS else LIMIT_REACHED)
    if not PHASES_OF[verb] >> s.phase & 1:
        return check_phase(s, verb, out)
    if role_of(move) == HIDDEN_CARD:
        return refuse(out, NOT_NAMED + verb)
    if verb == VERB_ATTACK:
        return check_attack(s, move, out)
    if verb == VERB_RESPOND:
        return check_response(rules, s, move, out)
    if verb == VERB_FORTIFY:
        return check_fortify(rules, s, move, out)
    if verb == VERB_SPECIAL:
        return check_special(rules, s, move, out)
    if verb == VERB_DEAL or verb == VERB_DRAW:
        return check_drawn(s, move, out)
    if verb == VERB_CHOOSE:
        return refuse(out, NOT_LAID, seat_of(move)) if s.picks[seat_of(move)] == 0 else 0
    if verb == VERB_TAX_GEM:
        return refuse(out, NO_GEM_FOR_TAX, s.seat) if s.gems[s.seat] == 0 else 0
    if verb == VERB_TAX_CARDS:
        return refuse(out, TOO_FEW_FOR_TAX, s.seat) if size_of(s.hands[s.seat]) < 2 else 0
    if verb == VERB_END or verb == VERB_PASS:
        return 0
    return check_held(s, move, out)


cdef int check_phase(const State* s, int verb, Refusal* out) noexcept nogil:
    """A verb that does not belong to the node."""
    if (s.phase == PHASE_ATTACK or s.phase == PHASE_FORTIFY) and PHASES_OF[verb] >> PHASE_MAIN & 1:
        if verb == VERB_DISCARD:
            return refuse(out, PLAYED_ALREADY)
        return refuse(out, TURN_OF_ATTACK if s.phase == PHASE_ATTACK else TURN_OF_FORTIFYING)
    return refuse(out, NOT_NOW + verb, s.phase)


cdef int check_held(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    """Check for cards that are certainly not in the hand; a hidden hand may hold any card."""
    cdef int role = role_of(move)
    cdef int jesters = jesters_of(move)
    cdef int number = peasants_of(move) if role == PEASANT and is_play(move) else 1 - jesters
    cdef uint64_t hand = s.hands[s.seat]
    if not is_seen(s, s.seat) and hand:
        return 0
    if copies_of(hand, role) < number and role != JESTER:
        return refuse(out, NOT_HELD + verb_of(move), s.seat,
                      copies_code(role, copies_of(hand, role)))
    if copies_of(hand, JESTER) < (number if role == JESTER else jesters):
        return refuse(out, NO_JESTER, s.seat, copies_code(JESTER, copies_of(hand, JESTER)))
    return 0


cdef inline bint is_play(uint32_t move) noexcept nogil:
    """Whether a move has a number of peasants."""
    return verb_of(move) == VERB_ATTACK or verb_of(move) == VERB_RESPOND


cdef int check_in_deck(const Rules* rules, uint32_t move, Refusal* out) noexcept nogil:
    if rules.types & member(role_of(move)):
        return 0
    return refuse(out, NO_JESTER_ROLE if jesters_of(move) else NOT_IN_DECK, role_of(move))


# --- moves of the active seat -----------------------------------------------------------------

cdef int check_attack(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int role = role_of(move)
    cdef int seat = seat_of(move)
    if seat == s.active:
        return refuse(out, ATTACKS_ITSELF)
    if s.phase == PHASE_ATTACK and seat != s.target:
        return refuse(out, OTHER_TARGET, s.target)
    if role > CATAPULT or role == CASTLE:
        return refuse(out, NO_ATTACK_CARD, role)
    return check_held(s, move, out) or check_barred(s, seat, role, out)


cdef int check_barred(const State* s, int seat, int role, Refusal* out) noexcept nogil:
    """The reason in the fortifications of the target against a role (R4.2)."""
    if attack_roles(s.forts[seat], s.ladder) & member(role):
        return 0
    if s.forts[seat] & FORT_MINSTREL:
        return refuse(out, BARRED_BY_MINSTREL, seat)
    if role == ARCHER:
        return refuse(out, NO_ARCHER_TO_SHOOT, seat)
    if (role == LADDER or role == CATAPULT) and not s.forts[seat] & FORT_CASTLE:
        return refuse(out, NO_CASTLE_TO_ATTACK, seat, role)
    if role == LADDER and s.ladder != NO_LADDER:
        return refuse(out, SECOND_LADDER)
    return refuse(out, BARRED_BY_ARCHER if s.forts[seat] & FORT_ARCHER else BARRED_BY_CASTLE,
                  seat, role)


cdef int check_fortify(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    if check_in_deck(rules, move, out):
        return out.code
    if s.forts[s.active] & fort_of(role_of(move)):
        return refuse(out, LAID_ALREADY, s.active, role_of(move))
    return check_held(s, move, out)


cdef int check_special(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    """R7.1: a special action must have an effect."""
    cdef int role = role_of(move)
    cdef int seat = seat_of(move)
    if check_in_deck(rules, move, out) or check_held(s, move, out):
        return out.code
    if role == HERALD:
        return 0 if rivals_with(rules, s, 1) else refuse(out, NO_CARD_FOR_HERALD)
    if role == MONK:
        return 0 if has_castle_rival(rules, s) else refuse(out, NO_CASTLE_TO_TAX)
    if seat == s.active:
        return refuse(out, BUYS_OF_ITSELF)
    if s.gems[s.active] == 0:
        return refuse(out, NO_GEM_TO_PAY, s.active)
    return refuse(out, TOO_FEW_TO_SELL, seat) if size_of(s.hands[seat]) < 2 else 0


# --- responses and outcomes -------------------------------------------------------------------

cdef int check_response(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    if not response_roles(s.role) & member(role_of(move)):
        return refuse(out, NO_ANSWER, role_of(move), s.role)
    if check_in_deck(rules, move, out):
        return out.code
    if role_of(move) == MINSTREL and s.forts[s.seat] & FORT_MINSTREL:
        return refuse(out, MINSTREL_LAID, s.seat)
    return check_held(s, move, out)


cdef int check_drawn(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    if s.observer != NOBODY:
        return refuse(out, PILE_HIDDEN + verb_of(move))
    return 0 if has(s.draw, role_of(move)) else refuse(
        out, NOT_IN_PILE + verb_of(move), role_of(move))


# --- sentences --------------------------------------------------------------------------------

VERBS = {  # name, rule of its nodes, rule of its cards
    VERB_DEAL: ("deal", "R2.2", "R2.2"),
    VERB_DRAW: ("draw", "R3.2", "R3.2"),
    VERB_TAKE: ("take", "R7.3", "R7.3"),
    VERB_ATTACK: ("attack", "R3.3", "R3.3"),
    VERB_FORTIFY: ("fortify", "R3.3", "R3.6"),
    VERB_SPECIAL: ("special", "R3.3", "R7.1"),
    VERB_DISCARD: ("discard", "R3.4", "R3.4"),
    VERB_END: ("end", "R12.1", ""),
    VERB_RESPOND: ("respond", "R5.1", "R5.1"),
    VERB_PASS: ("pass", "R12.1", ""),
    VERB_ROB: ("rob", "R6.2", "R6.2"),
    VERB_SHOW: ("show", "R7.2", "R7.2"),
    VERB_CHOOSE: ("choose", "R7.2", ""),
    VERB_TAX_GEM: ("tax", "R7.4", ""),
    VERB_TAX_CARDS: ("tax", "R7.4", ""),
    VERB_GIVE: ("give", "R7.4", "R7.4"),
}
REASONS = {
    GAME_WON: Reason("R9.4", "the game is over"),
    LIMIT_REACHED: Reason("R9.6", "the game is over"),
    PLAYED_ALREADY: Reason("R3.4", "a card has been played in this turn, so none is discarded"),
    TURN_OF_ATTACK: Reason(
        "R3.3", "this turn is an attack, and the kinds of turns exclude each other"),
    TURN_OF_FORTIFYING: Reason(
        "R3.3", "this turn is a turn of fortifying, and the kinds of turns exclude each other"),
    NO_JESTER: Reason("R8.1", "the hand of {0:seat} has {1:held}"),
    NOT_IN_DECK: Reason("R1.2", "there is no {0:name} in the deck"),
    NO_JESTER_ROLE: Reason("R8.1", "there is no {0:name} in the deck, so no jester plays one"),
    ATTACKS_ITSELF: Reason("R4.1", "nobody attacks himself; the target is a rival"),
    OTHER_TARGET: Reason("R4.1", "all attack cards of this turn go against {0:seat}"),
    NO_ATTACK_CARD: Reason("R1.1", "{0:card} is no attack card"),
    BARRED_BY_MINSTREL: Reason("R4.2", "nobody attacks {0:seat}, who has a minstrel face up"),
    NO_ARCHER_TO_SHOOT: Reason("R4.2", "{0:seat} has no archer to shoot"),
    NO_CASTLE_TO_ATTACK: Reason("R4.2", "{0:seat} has no castle for {1:card}"),
    SECOND_LADDER: Reason("R4.2", "a ladder is on the table already"),
    BARRED_BY_ARCHER: Reason("R4.2", "{0:seat}'s archer stops {1:card}"),
    BARRED_BY_CASTLE: Reason(
        "R4.2", "{0:seat}'s castle stops {1:card} without a ladder on the table"),
    LAID_ALREADY: Reason("R3.6", "{0:seat} has {1:card} face up already"),
    NO_CARD_FOR_HERALD: Reason("R7.2", "no rival has a card to lay for the herald"),
    NO_CASTLE_TO_TAX: Reason("R7.4", "no rival has a castle for the monk to tax"),
    BUYS_OF_ITSELF: Reason("R7.3", "nobody buys of himself; the seller is a rival"),
    NO_GEM_TO_PAY: Reason("R7.3", "{0:seat} has no gem to pay with"),
    TOO_FEW_TO_SELL: Reason("R7.3", "{0:seat} has fewer than 2 cards to sell"),
    NO_ANSWER: Reason("R5.1", "{0:card} is no answer to {1:card}"),
    MINSTREL_LAID: Reason("R5.1", "{0:seat} has a minstrel face up already"),
    NOT_LAID: Reason("R7.2", "{0:seat} has not laid a card for the herald"),
    NO_GEM_FOR_TAX: Reason("R7.4", "{0:seat} has no gem"),
    TOO_FEW_FOR_TAX: Reason("R7.4", "{0:seat} has fewer than 2 cards"),
    NOT_NAMED + VERB_DEAL: Reason("R2.2", "an outcome names the card that is drawn"),
    NOT_NAMED + VERB_DRAW: Reason("R3.2", "an outcome names the card that is drawn"),
    NOT_NAMED + VERB_TAKE: Reason("R7.3", "an outcome names the card that is taken"),
    NOT_NAMED + VERB_SHOW: Reason("R7.2", "a move names its card"),
    NOT_NAMED + VERB_GIVE: Reason("R7.4", "a move names its card"),
}
for verb, (name, node_rule, card_rule) in VERBS.items():
    nodes = " or ".join(
        node for phase, node in enumerate(NODE_NAMES) if PHASES_OF[<int>verb] >> phase & 1)
    REASONS[NOT_NOW + verb] = Reason(node_rule, f"it is {{0:node}}; {name} belongs to {nodes}")
    REASONS[NOT_HELD + verb] = Reason(card_rule, "the hand of {0:seat} has {1:held}")
    REASONS[NOT_IN_PILE + verb] = Reason(card_rule, "there is no {0:name} in the draw pile")
    REASONS[PILE_HIDDEN + verb] = Reason(
        card_rule, "the draw pile is hidden, and chance draws from it")
