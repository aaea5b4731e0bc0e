"""Validity of positions (R13.3, R13.4) and observations (R14) of Code of Chivalry.

An observation is valid if some valid position has it as its observation: the determinizer relies on
hands and a draw pile that fit.
"""

from libc.stdint cimport uint64_t

from kingmaker.cext.game cimport refuse

from .knowledge cimport known_row, pile_limit
from .multiset cimport copies_of, has, kinds, pop_kind, size_of
from .rules cimport next_seat, target_of
from .state cimport (
    ARCHER, CATAPULT, FORT_ARCHER, FORT_CASTLE, FORT_JESTER_SHIFT, FORT_MINSTREL, HIDDEN_CARD,
    JESTER, KING, LADDER, MINSTREL, MONK, NOBODY, PHASE_ATTACK, PHASE_CHOOSE, PHASE_DEAL,
    PHASE_DRAW, PHASE_GIVE, PHASE_MAIN, PHASE_OVER_GEMS, PHASE_RESPOND, PHASE_ROB,
    PHASE_SHOW, PHASE_TAKE, PHASE_TAX, PUBLIC, is_seen)
from .table cimport attack_cards, fort_cards, ladder_cards

from kingmaker.cext.reasons import Reason


cdef int coc_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    return (check_counters(rules, s, out) or check_kingdoms(rules, s, out)
            or check_base(rules, s, out) or check_node(rules, s, out)
            or check_cards(rules, s, out) or check_rows(rules, s, out)
            or check_hidden(rules, s, out))


cdef int check_counters(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    # The second draw of a turn may need one more (D50).
    cdef int most = 2 * s.turn - (s.phase == PHASE_DRAW and s.left == 2)
    if (s.turn == 0) != (s.phase == PHASE_DEAL):
        return refuse(out, TURN_AT_DEAL if s.turn else TURN_AFTER_DEAL, s.turn)
    if s.turn > rules.turn_limit:
        return refuse(out, TURN_ABOVE_LIMIT, s.turn, rules.turn_limit)
    if <int>s.reshuffles > most:
        return refuse(out, TOO_MANY_RESHUFFLES, s.reshuffles, most)
    return 0


cdef int check_kingdoms(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int wanted = rules.num_seats * rules.start_gems
    cdef int num_gems = 0
    cdef int seat
    for seat in range(rules.num_seats):
        num_gems += s.gems[seat]
    if num_gems != wanted:
        return refuse(out, WRONG_GEMS, num_gems, wanted)
    for seat in range(rules.num_seats):
        if s.forts[seat] & FORT_MINSTREL and not has(rules.deck, MINSTREL):
            return refuse(out, NO_MINSTREL_IN_DECK, seat, (
                JESTER if s.forts[seat] & FORT_MINSTREL << FORT_JESTER_SHIFT else MINSTREL))
    return 0


cdef int check_base(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int seat, card
    if (s.reshuffles != 0) != (s.base != 0):
        return refuse(out, BASE_MISSING if s.reshuffles else BASE_TOO_EARLY, s.reshuffles)
    for seat in range(rules.num_seats):
        if s.own[seat] and not is_seen(s, seat):
            return refuse(out, OTHERS_DRAWN + (s.observer == 0), seat)
        card = above(s.own[seat], s.base)
        if card >= 0:
            return refuse(out, DRAWN_ABOVE_BASE, seat, copies(s.own[seat], card),
                          copies(s.base, card))
    return 0


cdef inline int above(uint64_t part, uint64_t whole) noexcept nogil:
    """The first card of which `part` has more copies than `whole`; -1 for a subset."""
    cdef uint64_t members = kinds(part)
    cdef int card
    while members:
        card = pop_kind(&members)
        if copies_of(part, card) > copies_of(whole, card):
            return card
    return -1


cdef inline int copies(uint64_t cards, int card) noexcept nogil:
    """The copies of a card as a number in a reason."""
    return copies_code(card, copies_of(cards, card))


# --- nodes (R13.3) ----------------------------------------------------------------------------

cdef int check_node(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef bint has_target = s.phase == PHASE_ATTACK or s.phase == PHASE_RESPOND
    cdef bint is_taxed = s.phase == PHASE_TAX or s.phase == PHASE_GIVE
    cdef int num_cards = size_of(s.hands[s.seat])
    if s.phase == PHASE_DEAL:
        return check_deal(rules, s, out)
    if s.phase == PHASE_DRAW:
        return check_draw(s, out)
    if has_target and s.target == s.active:
        return refuse(out, TARGET_NOT_RIVAL, s.target)
    if (s.phase == PHASE_SHOW or s.phase == PHASE_TAKE or is_taxed) and s.seat == s.active:
        return refuse(out, SEAT_NOT_RIVAL, s.seat, s.phase == PHASE_TAKE)
    if (s.phase == PHASE_MAIN or s.phase == PHASE_SHOW) and num_cards == 0:
        return refuse(out, EMPTY_HAND, s.seat, not is_seen(s, s.seat))
    if is_taxed and not s.forts[s.seat] & FORT_CASTLE:
        return refuse(out, NO_CASTLE, s.seat)
    if s.phase == PHASE_TAX and s.gems[s.seat] == 0 and num_cards < 2:
        return refuse(out, NOTHING_TO_TAX, s.seat)
    if (s.phase == PHASE_TAKE or s.phase == PHASE_GIVE) and s.left > num_cards:
        return refuse(out, TOO_MANY_LEFT, s.left, num_cards, s.seat)
    if s.phase == PHASE_RESPOND:
        return check_respond(s, out)
    if s.phase == PHASE_ROB:
        return check_rob(s, out)
    if s.phase == PHASE_SHOW or s.phase == PHASE_CHOOSE:
        return check_picks(rules, s, out)
    return check_over(rules, s, out) if s.phase >= PHASE_OVER_GEMS else 0


cdef int check_deal(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Check that the deal can have reached this point (R2.1, R2.2)."""
    cdef int seat = rules.first_seat
    cdef int dealt = 2
    cdef int row
    if s.active != seat:
        return refuse(out, DEAL_NOT_FIRST, s.active, seat)
    if s.discard:
        return refuse(out, DEAL_WITH_DISCARD, size_of(s.discard))
    for _ in range(rules.num_seats):
        for row in range(PUBLIC + 1):
            if s.known[seat][row]:
                return refuse(out, DEAL_WITH_KNOWN, seat)
        if s.gems[seat] != rules.start_gems:
            return refuse(out, DEAL_GEMS, seat, s.gems[seat], rules.start_gems)
        if s.forts[seat]:
            return refuse(out, DEAL_FORTIFIED, seat)
        if seat == s.seat:
            dealt = 2 - s.left
        if size_of(s.hands[seat]) != dealt:
            return refuse(out, DEAL_HAND, seat, not is_seen(s, seat), size_of(s.hands[seat]), dealt)
        if seat == s.seat:
            dealt = 0
        seat = next_seat(rules, seat)
    return 0


cdef int check_draw(const State* s, Refusal* out) noexcept nogil:
    if s.draw == 0:
        return refuse(out, EMPTY_PILE, s.observer != NOBODY)
    if s.turn == 1 and s.left != 1:
        return refuse(out, FIRST_TURN_DRAWS, s.left)
    return 0


cdef int check_respond(const State* s, Refusal* out) noexcept nogil:
    if s.role == LADDER or s.role == CATAPULT:
        return refuse(out, UNANSWERED_ROLE, s.role)
    if s.seat != s.target and s.seat != s.active:
        return refuse(out, WRONG_VICTIM, s.seat, s.target, s.active)
    if s.role > KING and s.seat != s.target:
        return refuse(out, TRAITORED_ROLE, s.seat, s.role, s.target)
    if s.role == ARCHER and not s.forts[s.target] & FORT_ARCHER:
        return refuse(out, NO_ARCHER, s.target)
    return 0


cdef int check_rob(const State* s, Refusal* out) noexcept nogil:
    if s.flight > s.gems[s.source]:
        return refuse(out, TOO_MANY_GEMS, s.flight, s.gems[s.source], s.source)
    if s.seat == s.receiver:
        return refuse(out, ASKED_RECEIVER, s.seat)
    return 0


cdef int check_picks(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Check picks: of exactly the seats asked that have cards, each from its hand (R7.2)."""
    cdef int seat = next_seat(rules, s.active)
    cdef int wanted = 0
    cdef int found = 0
    while seat != s.seat and seat != s.active:      # at CHOOSE, the seat is the active one
        wanted |= (s.hands[seat] != 0) << seat
        seat = next_seat(rules, seat)
    for seat in range(rules.num_seats):
        found |= (s.picks[seat] != 0) << seat
    if found != wanted:
        return refuse(out, WRONG_PICKS, found, wanted)
    if found == 0 and s.phase == PHASE_CHOOSE:
        return refuse(out, NO_PICKS)
    for seat in range(rules.num_seats):
        if s.picks[seat] and check_pick(s, seat, out):
            return out.code
    return 0


cdef int check_pick(const State* s, int seat, Refusal* out) noexcept nogil:
    cdef int card = s.picks[seat] - 1
    cdef bint is_open = s.phase == PHASE_CHOOSE or is_seen(s, seat)
    if is_open != (s.picks[seat] != HIDDEN_CARD):
        return refuse(out, PICK_HIDDEN if is_open else PICK_SEEN, seat, 0 if is_open else card)
    if is_seen(s, seat) and not has(s.hands[seat], card):
        return refuse(out, PICK_NOT_HELD, seat, card)
    if s.phase == PHASE_CHOOSE and not has(s.known[seat][PUBLIC], card):
        return refuse(out, PICK_NOT_PUBLIC, seat, card)
    return 0


cdef int check_over(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int least = target_of(rules, s)
    cdef int most = 0
    cdef int richest = 0
    cdef int seat
    for seat in range(rules.num_seats):
        if s.gems[seat] > most:
            most = s.gems[seat]
            richest = 0
        richest |= (s.gems[seat] == most) << seat
        if s.phase == PHASE_OVER_GEMS and s.winners == 1 << seat and s.gems[seat] >= least:
            return 0
    if s.phase == PHASE_OVER_GEMS:
        return refuse(out, WRONG_WINNER, s.winners, least)
    if s.turn != rules.turn_limit:
        return refuse(out, NOT_AT_LIMIT, rules.turn_limit)
    return refuse(out, NOT_RICHEST, s.winners, richest) if s.winners != richest else 0


# --- cards ------------------------------------------------------------------------------------

cdef int check_cards(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Check that all zones together are the deck, or in an observation a part of it."""
    cdef int num_hidden = size_of(s.draw)
    cdef int num_unseen = 0
    cdef int card, seat, seen, in_deck
    for card in range(MONK + 1):
        in_deck = copies_of(rules.deck, card)
        seen = copies_in_view(rules, s, card) + copies_of(s.draw, card)
        for seat in range(rules.num_seats):
            seen += copies_of(s.hands[seat], card)
        if seen != in_deck and (s.observer == NOBODY or seen > in_deck):
            return refuse(out, WRONG_SUM if s.observer == NOBODY else SEEN_ABOVE_DECK,
                          copies_code(card, seen), copies_code(card, in_deck))
        num_unseen += in_deck - seen
    for seat in range(rules.num_seats):
        if not is_seen(s, seat):
            num_hidden += size_of(s.hands[seat])
    if s.observer != NOBODY and num_hidden != num_unseen:
        return refuse(out, WRONG_NUMBER_HIDDEN, num_hidden, num_unseen)
    return 0


cdef inline int copies_in_view(const Rules* rules, const State* s, int card) noexcept nogil:
    """The copies that lie face up; zone by zone, as the total may overflow a word."""
    cdef int found = copies_of(s.discard, card) + copies_of(ladder_cards(s) + attack_cards(s), card)
    cdef int seat
    for seat in range(rules.num_seats):
        found += copies_of(fort_cards(s.forts[seat]), card)
    return found


cdef int check_rows(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Check that rows of knowledge lie within the hand and contain `*`; DRAW lies in BASE."""
    cdef int holder, row, seat, card
    for holder in range(rules.num_seats):
        if check_row(s, holder, PUBLIC, out):   # before the rows that contain it
            return out.code
        for row in range(rules.num_seats):
            if check_row(s, holder, row, out):
                return out.code
    for seat in range(rules.num_seats):
        if s.base and s.observer == NOBODY:
            card = above(s.draw, s.base - s.own[seat])     # which lies within it
            if card >= 0:
                return refuse(out, PILE_ABOVE_BASE, copies(s.draw, card), copies(s.base, card),
                              copies(s.own[seat], card), seat)
    return 0


cdef int check_row(const State* s, int holder, int row, Refusal* out) noexcept nogil:
    cdef uint64_t cards = s.known[holder][row]
    cdef int card
    if row == holder:
        return refuse(out, ROW_OF_OWN_HAND, row) if cards else 0
    if row != PUBLIC and not is_seen(s, row):
        return refuse(out, OTHERS_ROW + (s.observer == 0), row, holder) if cards else 0
    card = above(s.known[holder][PUBLIC], cards)
    if card >= 0:
        return refuse(out, ROW_BELOW_PUBLIC, row, holder, copies(cards, card),
                      copies(s.known[holder][PUBLIC], card))
    if not is_seen(s, holder):
        if size_of(cards) > size_of(s.hands[holder]):
            return refuse(out, ROW_ABOVE_SIZE, row, holder, size_of(cards),
                          size_of(s.hands[holder]))
        return 0
    card = above(cards, s.hands[holder])
    if card >= 0:
        return refuse(out, ROW_ABOVE_HAND, row, holder, copies(cards, card),
                      copies(s.hands[holder], card))
    return 0


cdef int check_hidden(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Check that the unseen cards suffice for known cards of hands and the draw pile (R11.4)."""
    cdef int num_free = 0
    cdef int card, seat, unseen, known, free, left
    if s.observer == NOBODY:
        return 0
    for card in range(MONK + 1):
        unseen = copies_of(rules.deck, card) - copies_in_view(rules, s, card)
        known = 0
        for seat in range(rules.num_seats):
            if is_seen(s, seat):
                unseen -= copies_of(s.hands[seat], card)
            else:
                known += copies_of(s.known[seat][known_row(s)], card)
        if known > unseen:
            return refuse(out, KNOWN_ABOVE_UNSEEN, copies_code(card, known),
                          copies_code(card, unseen))
        free = unseen - known
        left = copies_of(pile_limit(s), card)
        num_free += left if s.base and left < free else free
    if num_free < size_of(s.draw):
        return refuse(out, PILE_ABOVE_UNSEEN, size_of(s.draw), num_free)
    return 0


# --- sentences --------------------------------------------------------------------------------

REASONS = {
    TURN_AT_DEAL: Reason("R13.4", "the turn is 0 at a deal node", "turn", "{0}"),
    TURN_AFTER_DEAL: Reason("R13.4", "the turn is 0 at deal nodes only", "turn", "{0}"),
    TURN_ABOVE_LIMIT: Reason("R13.4", "a number from 0 to {1} is expected", "turn", "{0}"),
    TOO_MANY_RESHUFFLES: Reason(
        "R13.4", "a number from 0 to {1} is expected", "reshuffles", "{0}"),
    WRONG_GEMS: Reason("R13.4", "the seats have {1} gems together", "players", "{0} gems"),
    NO_MINSTREL_IN_DECK: Reason(
        "R13.4", "there is no minstrel, nor a jester as minstrel, without minstrels in the deck",
        "players[{0}].minstrel", "{1:name}"),
    BASE_MISSING: Reason(
        "R13.4", "after a reshuffle this is the reshuffled pile", "base", "nothing"),
    BASE_TOO_EARLY: Reason(
        "R13.4", "nothing is here before the first reshuffle", "base", "a reshuffled pile"),
    OTHERS_DRAWN: Reason(
        "R14.1", "an observation has what its observer drew, and not what others drew",
        "own[seat={0:number}].seat", "{0:number}"),
    OTHERS_DRAWN_FOR_SPECTATOR: Reason(
        "R14.2", "a spectator does not see what the seats drew", "own[seat={0:number}].seat",
        "{0:number}"),
    DRAWN_ABOVE_BASE: Reason(
        "R13.4", "what {0:seat} drew since the reshuffle was in the reshuffled pile, {2:copies}",
        "own[seat={0:number}].cards", "{1:copies}"),
    DEAL_NOT_FIRST: Reason(
        "R13.3", "during the deal the first seat, {1:seat}, is active", "active", "{0:number}"),
    DEAL_WITH_DISCARD: Reason(
        "R13.3", "during the deal the discard pile is empty", "discard", "{0} cards"),
    DEAL_WITH_KNOWN: Reason(
        "R13.3", "during the deal nothing is known of hands", "known", "seat {0:number}"),
    DEAL_GEMS: Reason(
        "R13.3", "during the deal every seat has {2} gems", "players[{0}].gems", "{1}"),
    DEAL_FORTIFIED: Reason(
        "R13.3", "during the deal nobody has fortifications", "players[{0}]", "a fortification"),
    DEAL_HAND: Reason(
        "R13.3", "at this deal {0:seat} holds {3}", "players[{0}].{1:hand}", "{2} cards"),
    EMPTY_PILE: Reason("R13.3", "at draw the draw pile has a card", "{0:pile}", "no cards"),
    FIRST_TURN_DRAWS: Reason("R13.3", "in turn 1 one card is drawn", "node.left", "{0}"),
    EMPTY_HAND: Reason(
        "R13.4", "the hand of {0:seat} has a card to choose here", "players[{0}].{1:hand}",
        "no cards"),
    TARGET_NOT_RIVAL: Reason(
        "R13.3", "the target of this node is a rival of {0:seat}", "node.target", "{0:number}"),
    SEAT_NOT_RIVAL: Reason(
        "R13.3", "the seat here is a rival of {0:seat}", "node.{1:asked}", "{0:number}"),
    UNANSWERED_ROLE: Reason(
        "R13.3", "{0:card} is not answered", "node.attack_card.role", "{0:name}"),
    WRONG_VICTIM: Reason(
        "R13.3", "the victim is the target {1:seat} or the active {2:seat}", "node.seat",
        "{0:number}"),
    TRAITORED_ROLE: Reason(
        "R13.3", "a traitor turns no {1:name}, so its victim is the target {2:seat}", "node.seat",
        "{0:number}"),
    NO_ARCHER: Reason(
        "R13.3", "an archer attacks a rival with an archer; {0:seat} has none", "node.target",
        "{0:number}"),
    TOO_MANY_GEMS: Reason(
        "R13.3", "at most the {1} gems of {2:seat} are in flight", "node.gems", "{0}"),
    ASKED_RECEIVER: Reason(
        "R13.3", "the asked seat is not the receiver of the gems", "node.seat", "{0:number}"),
    WRONG_PICKS: Reason(
        "R13.3", "here the picks are those of {1:seats}", "node.picks", "{0:numbers}"),
    PICK_HIDDEN: Reason(
        "R13.3", "the card of this pick is seen", "node.picks[seat={0:number}].card", "?"),
    PICK_SEEN: Reason(
        "R14.1", "the observer sees the pick of {0:seat} as ?", "node.picks[seat={0:number}].card",
        "{1:name}"),
    PICK_NOT_HELD: Reason(
        "R13.3", "{0:seat} picks a card of its hand", "node.picks[seat={0:number}].card",
        "{1:name}"),
    PICK_NOT_PUBLIC: Reason(
        "R13.3", "the picks are face up, so all know that the hand of {0:seat} has the {1:name}",
        "node.picks[seat={0:number}].card", "{1:name}"),
    NO_PICKS: Reason("R13.4", "there is a card to choose", "node.picks", "nothing"),
    TOO_MANY_LEFT: Reason(
        "R13.3", "at most the {1} cards of {2:seat} are left", "node.left", "{0}"),
    NO_CASTLE: Reason(
        "R13.3", "a taxed seat has a castle; {0:seat} has none", "node.seat", "{0:number}"),
    NOTHING_TO_TAX: Reason(
        "R13.4", "{0:seat} has a gem or two cards to be taxed with", "node.seat", "{0:number}"),
    WRONG_WINNER: Reason(
        "R13.3", "the winner is one seat with at least {1} gems", "node.winners", "{0:numbers}"),
    NOT_AT_LIMIT: Reason("R13.3", "the game ends so in turn {0}", "node.reason", "limit"),
    NOT_RICHEST: Reason(
        "R13.3", "the winners are the seats with the most gems, {1:seats}", "node.winners",
        "{0:numbers}"),
    WRONG_SUM: Reason(
        "R13.4", "hands, piles and table together have {1:copies}", "draw", "{0:copies}"),
    SEEN_ABOVE_DECK: Reason("R13.4", "the deck has {1:copies}", "", "{0:copies}"),
    WRONG_NUMBER_HIDDEN: Reason(
        "R13.4", "{1} cards of the deck are unseen, in the draw pile and in hands", "num_draw",
        "{0}"),
    ROW_OF_OWN_HAND: Reason(
        "R11.2", "{0:seat} knows its whole hand, so what it knows of hands is of those of others",
        "known[observer={0:number},holder={0:number}].observer", "{0:number}"),
    OTHERS_ROW: Reason(
        "R14.1", "an observation has what everybody knows and what its observer knows",
        "known[observer={0:number},holder={1:number}].observer", "{0:number}"),
    OTHERS_ROW_FOR_SPECTATOR: Reason(
        "R14.2", "a spectator has only what everybody knows",
        "known[observer={0:number},holder={1:number}].observer", "{0:number}"),
    ROW_BELOW_PUBLIC: Reason(
        "R13.4",
        "what {0:knower} knows of the hand of {1:seat} contains what everybody knows, {3:copies}",
        "known[observer={0:viewer},holder={1:number}].cards", "{2:copies}"),
    ROW_ABOVE_HAND: Reason(
        "R13.4",
        "what {0:knower} knows of the hand of {1:seat} lies in it, and it has {3:copies}",
        "known[observer={0:viewer},holder={1:number}].cards", "{2:copies}"),
    ROW_ABOVE_SIZE: Reason(
        "R13.4", "what {0:knower} knows of the hand of {1:seat} lies in it, and it has {3} cards",
        "known[observer={0:viewer},holder={1:number}].cards", "{2} cards"),
    PILE_ABOVE_BASE: Reason(
        "R13.4",
        "the draw pile lies within the reshuffled one, which has {1:copies}, without what {3:seat} "
        "drew since, {2:copies}",
        "draw", "{0:copies}"),
    KNOWN_ABOVE_UNSEEN: Reason(
        "R11.4", "the observer does not see {1:copies}", "known", "{0:copies}"),
    PILE_ABOVE_UNSEEN: Reason(
        "R11.4", "at most {1} of the unseen cards can lie in the draw pile", "num_draw", "{0}"),
}
