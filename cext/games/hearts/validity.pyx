"""Which states of Hearts are valid (R4.3, R4.4), and why moves are not legal.

A state is checked after it was packed from a caller's view; none of its fields is trusted. Content
that the struct can't hold, such as the number of hidden cards, is passed separately as `Sizes`.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from kingmaker.cext.reasons import Numbers, Reason

from ...bits cimport count, lowest
from ...game cimport TERMINAL, Refusal, refuse

from .knowledge cimport excluded_by, seen_cards, sees_given
from .rules cimport plays, shown_by, undealt
from .state cimport (
    GIVEN_CARDS, HAND_CARDS, HEARTS, HIDDEN, NOBODY, NO_PASS, NUM_CARDS, NUM_SEATS, PHASE_DEAL,
    PHASE_DIRECTION, PHASE_PASS, PHASE_PLAY, QUEEN, SHOWN_C, SHOWN_D, SHOWN_Q, UNDRAWN, VERB_DEAL,
    VERB_DIRECTION, VERB_PASS, State, bit, hand_of, num_given, num_in_hand, receiver_of, suit_set)

from .cards import DIRECTIONS, SHOWN, SUIT_NAMES, SUITS, card_name, card_token

cdef enum Why:
    EARLY_DIRECTION = 1, NO_DIRECTION, OTHER_DIRECTION, EARLY_TRICK, EARLY_PLAYED, EARLY_SCORE
    PAST_NODE, HAND_SIZE, GIVEN_SIZE, LONG_TRICK, UNEQUAL_TRICKS, END_NODE, TRICK_SIZE, NUM_GIVEN
    LOST_GIVEN, TWO_OF_CLUBS, Q_ALONE, EXCLUDED_CARD, NOT_SHOWN, SUM_OF_POINTS, QUEEN_POINTS
    SEEN_IN_HAND, SEEN_GIVEN, NO_DIVISION
    GAME_OVER, DIRECTION_NOW, DEAL_NOW, PASS_NOW, PLAY_NOW, UNNAMED, DEALT_ALREADY, NOT_TO_PASS
    NOT_IN_HAND, HAND_UNSEEN, MUST_FOLLOW, POINTS_IN_FIRST, NOT_BROKEN, TWO_LEADS

PHASES = ("direction", "deal", "pass", "play")   # types of nodes by phase; the end is a play too


def node_name(code) -> str:
    """Name a node by `Sizes.node`."""
    if code == PHASE_PLAY:
        return "end"
    return f"{PHASES[code & 3]} of p{code >> 2}" if code >> 2 else PHASES[code & 3]


NUMBERS = Numbers(
    card=lambda code: card_name(card_token(code)),
    token=card_token,
    suit=lambda suit: SUIT_NAMES[SUITS[suit]],
    letters=lambda bits: SHOWN[bits],
    direction=lambda direction: "_" if direction == UNDRAWN else DIRECTIONS[direction],
    node=node_name,
)

REASONS = {
    # before the tricks
    EARLY_DIRECTION: Reason(
        "R4.3c", "the direction is not drawn yet", "direction", "{0:direction}"),
    NO_DIRECTION: Reason("R4.3c", "the direction is drawn before the deal", "direction", "_"),
    OTHER_DIRECTION: Reason(
        "R4.3c", "the direction is that of the option, {1:direction}", "direction",
        "{0:direction}"),
    EARLY_TRICK: Reason("R4.3c", "no card is played yet", "trick", "{0:cards}"),
    EARLY_PLAYED: Reason("R4.3c", "no card is played yet", "seats[{0}].played", "{1:cards}"),
    EARLY_SCORE: Reason(
        "R4.3c", "before the first trick nothing is shown or taken", "seats[{0}]",
        "{1:letters}/{2}"),
    PAST_NODE: Reason(
        "R4.3c", "the deal ends with 52 cards; a pass has a direction and ends with 12 cards",
        "node", "{0:node}"),
    HAND_SIZE: Reason(
        "R4.3c", "{2:cards} are in the hand of {0:seat} here: cards are dealt one by one, 13 to "
        "each seat, and three of each seat are set aside", "seats[{0}].hand", "{1:cards}"),
    GIVEN_SIZE: Reason(
        "R4.3c", "{2:cards} of {0:seat} are set aside here: after the deal p1 to p4 set three "
        "aside, in turn", "seats[{0}].given", "{1:cards}"),
    # tricks
    LONG_TRICK: Reason("R4.3e", "a trick is taken with four cards, at the end there is none",
                       "trick", "{0:cards}"),
    UNEQUAL_TRICKS: Reason("R4.3e", "all seats have played equally many tricks, as p1 {2:cards}",
                           "seats[{0}].played", "{1:cards}"),
    END_NODE: Reason("R4.3e", "the game ends after thirteen tricks", "node", "{0:node}"),
    TRICK_SIZE: Reason(
        "R4.3e", "every seat has 13 cards in hand, played and in the trick, whose last card is "
        "that of the seat before the one to play: {2:cards} in this hand",
        "seats[{0}].hand", "{1:cards}"),
    NUM_GIVEN: Reason("R4.3d", "each seat has given 3 cards, or none without a direction",
                      "seats[{0}].given", "{1:cards}"),
    LOST_GIVEN: Reason("R4.3d", "a card that is given is among those of its receiver",
                       "seats[{0}].given", "{1:token}"),
    TWO_OF_CLUBS: Reason("R4.3f", "the two of clubs leads to the first trick",
                         "node.seat", "{0:number}"),
    Q_ALONE: Reason(
        "R4.3g", "q comes only together with c and d", "seats[{0}].shown", "{1:letters}"),
    EXCLUDED_CARD: Reason("R4.3g", "a seat that has shown {2:letters} cannot hold it",
                          "seats[{0}].hand", "{1:token}"),
    NOT_SHOWN: Reason("R4.3g", "by {2:token} in the trick it has shown {3:letters}",
                      "seats[{0}].shown", "{1:letters}"),
    SUM_OF_POINTS: Reason("R4.3h", "{1} points have been taken", "seats", "{0} points"),
    QUEEN_POINTS: Reason("R4.3h", "one seat has the 13 points of the queen of spades",
                         "seats", "at most {0} points"),
    # observations
    SEEN_IN_HAND: Reason("R4.4", "exactly the cards that the observer does not see are ?",
                         "seats[{0}].hand", "{1:token}"),
    SEEN_GIVEN: Reason(
        "R4.4", "the giver sees what is given, the receiver too after the exchange, others see ?",
        "seats[{0}].given", "{1:token}"),
    NO_DIVISION: Reason(
        "R4.4", "the unseen cards do not fit into the hands, by what has been shown: at most "
        "{2} for {0:seats}", "seats", "{1} hidden cards"),
    # moves
    GAME_OVER: Reason("R1.8", "the game is over"),
    DIRECTION_NOW: Reason("R1.2", "the direction of the pass is drawn now"),
    DEAL_NOW: Reason("R1.3", "a card is being dealt now"),
    PASS_NOW: Reason("R1.4", "{0:seat} sets cards aside now"),
    PLAY_NOW: Reason("R1.5", "{0:seat} plays a card now"),
    UNNAMED: Reason("R4.1", "the card must be named"),
    DEALT_ALREADY: Reason("R1.3", "{0:card} is dealt already"),
    NOT_TO_PASS: Reason("R1.4", "{0:card} is not in the hand"),
    NOT_IN_HAND: Reason("R1.7", "{0:card} is not in the hand"),
    HAND_UNSEEN: Reason("R3.1", "the hand of {0:seat} is not seen here"),
    MUST_FOLLOW: Reason("R1.7", "the seat has {0:suit} and must follow suit"),
    POINTS_IN_FIRST: Reason(
        "R1.7", "points are not played in the first trick while there is something else"),
    NOT_BROKEN: Reason("R1.7", "hearts are not broken yet"),
    TWO_LEADS: Reason("R1.7", "the two of clubs leads to the first trick"),
}


# --- numbers of cards -------------------------------------------------------------------------

cdef int hearts_check_sizes(const State* s, const Sizes* sizes, Refusal* out) noexcept nogil:
    """Check the numbers of cards against each other (R4.3c, R4.3d, R4.3e)."""
    cdef bint is_play = s.phase == PHASE_PLAY
    cdef bint is_end = is_play and s.to_move == TERMINAL
    cdef int seat
    if sizes.trick > (NUM_SEATS - 1 if is_play and not is_end else 0):
        return refuse(out, LONG_TRICK if is_play else EARLY_TRICK, sizes.trick)
    for seat in range(NUM_SEATS):
        if sizes.played[seat] != (sizes.played[0] if is_play else 0):
            return refuse(out, UNEQUAL_TRICKS if is_play else EARLY_PLAYED, seat,
                          sizes.played[seat], sizes.played[0])
    if is_play and is_end != (sizes.played[0] == HAND_CARDS):
        return refuse(out, END_NODE, sizes.node)
    if (s.phase == PHASE_DEAL and s.count >= NUM_CARDS or s.phase == PHASE_PASS
            and (s.direction == NO_PASS or s.count == NUM_SEATS * GIVEN_CARDS)):
        return refuse(out, PAST_NODE, sizes.node)
    for seat in range(NUM_SEATS):
        if sizes.given[seat] != num_given(s, seat) and not (is_play and s.direction == UNDRAWN):
            return refuse(out, NUM_GIVEN if is_play else GIVEN_SIZE, seat, sizes.given[seat],
                          num_given(s, seat))
        if sizes.hand[seat] != num_in_hand(s, seat):
            return refuse(out, TRICK_SIZE if is_play else HAND_SIZE, seat, sizes.hand[seat],
                          num_in_hand(s, seat))
    return 0


# --- cards, letters and points ------------------------------------------------------------------

cdef int hearts_check_state(const State* s, int fixed, Refusal* out) noexcept nogil:
    """Check a state whose sizes are right; `fixed` is the direction of the option, or UNDRAWN."""
    cdef int code
    if s.phase == PHASE_DIRECTION:
        if s.direction != UNDRAWN or fixed != UNDRAWN:
            return refuse(out, EARLY_DIRECTION, s.direction)
    elif s.direction == UNDRAWN:
        return refuse(out, NO_DIRECTION)
    elif fixed != UNDRAWN and s.direction != fixed:
        return refuse(out, OTHER_DIRECTION, s.direction, fixed)
    if s.phase == PHASE_PLAY:
        code = check_given(s, out) or check_two_of_clubs(s, out) or check_shown(s, out)
        code = code or check_points(s, out)
    else:
        code = check_nothing_taken(s, out)
    if code or s.observer == NOBODY:
        return code
    return check_seen(s, s.observer - 1, out) or check_division(s, out)


cdef int check_nothing_taken(const State* s, Refusal* out) noexcept nogil:
    """R4.3c."""
    cdef int seat
    for seat in range(NUM_SEATS):
        if s.shown[seat] or s.points[seat]:
            return refuse(out, EARLY_SCORE, seat, s.shown[seat], s.points[seat])
    return 0


cdef int check_given(const State* s, Refusal* out) noexcept nogil:
    """R4.3d."""
    cdef int seat
    cdef uint64_t lost
    for seat in range(NUM_SEATS):
        lost = s.given[seat] & ~s.held[receiver_of(s, seat)]
        if lost:
            return refuse(out, LOST_GIVEN, seat, lowest(lost))
    return 0


cdef inline uint64_t taken(const State* s) noexcept nogil:
    """The cards of finished tricks."""
    cdef uint64_t cards = s.played
    cdef int place
    for place in range(s.count & 3):
        cards &= ~bit(s.trick[place])
    return cards


cdef int check_two_of_clubs(const State* s, Refusal* out) noexcept nogil:
    """R4.3f."""
    cdef bint is_led
    if s.count >= NUM_SEATS:
        is_led = taken(s) & bit(0) != 0
    elif s.count:
        is_led = s.trick[0] == 0
    else:
        is_led = hand_of(s, s.to_move & 3) & bit(0) != 0
    return 0 if is_led else refuse(out, TWO_OF_CLUBS, s.to_move)


cdef int check_shown(const State* s, Refusal* out) noexcept nogil:
    """R4.3g."""
    cdef int num_cards = s.count & 3
    cdef int led = -1
    cdef int seat, place
    cdef uint64_t wrong
    cdef uint8_t letters
    for seat in range(NUM_SEATS):
        letters = s.shown[seat]
        if letters & SHOWN_Q and ~letters & (SHOWN_C | SHOWN_D):
            return refuse(out, Q_ALONE, seat, letters)
        wrong = hand_of(s, seat) & excluded_by(letters)
        if wrong:
            return refuse(out, EXCLUDED_CARD, seat, lowest(wrong), letters)
    for place in range(num_cards):
        seat = (s.to_move - num_cards + place) & 3
        letters = shown_by(s.trick[place], led, taken(s), s.count - num_cards + place)
        if letters & ~s.shown[seat]:
            return refuse(out, NOT_SHOWN, seat, s.shown[seat], s.trick[place], letters)
        led = s.trick[0] >> 4
    return 0


cdef int check_points(const State* s, Refusal* out) noexcept nogil:
    """R4.3h."""
    cdef uint64_t cards = taken(s)
    cdef bint has_queen = cards & bit(QUEEN) != 0
    cdef int points = count(cards & suit_set(HEARTS)) + 13 * has_queen
    cdef int total = 0
    cdef int most = 0
    cdef int seat
    for seat in range(NUM_SEATS):
        total += s.points[seat]
        most = max(most, s.points[seat])
    if total != points:
        return refuse(out, SUM_OF_POINTS, total, points)
    return refuse(out, QUEEN_POINTS, most) if has_queen and most < 13 else 0


# --- hidden cards (R4.4) ------------------------------------------------------------------------

cdef int check_seen(const State* s, int observer, Refusal* out) noexcept nogil:
    """Check that exactly the cards that the observer does not see are hidden."""
    cdef uint64_t hand, seen
    cdef int seat, num_named
    for seat in range(NUM_SEATS):
        hand = s.held[seat] & ~(s.played if s.phase == PHASE_PLAY else s.given[seat])
        if seat == observer:
            if count(hand) < num_in_hand(s, seat):
                return refuse(out, SEEN_IN_HAND, seat, HIDDEN)
        else:
            seen = seen_cards(s, observer, seat) & ~s.played
            if hand != seen:
                return refuse(
                    out, SEEN_IN_HAND, seat, lowest(hand & ~seen) if hand & ~seen else HIDDEN)
        num_named = count(s.given[seat])
        if seat == observer or sees_given(s, observer, seat):
            if num_named < num_given(s, seat):
                return refuse(out, SEEN_GIVEN, seat, HIDDEN)
        elif num_named:
            return refuse(out, SEEN_GIVEN, seat, lowest(s.given[seat]))
    return 0


cdef int check_division(const State* s, Refusal* out) noexcept nogil:
    """Check that the unseen cards fit the hidden places: Hall's condition on the seats."""
    cdef uint64_t unseen = undealt(s)
    cdef uint64_t excluded
    cdef int seats, seat, places, hidden
    if s.phase != PHASE_PLAY:
        return 0
    for seats in range(1, 1 << NUM_SEATS):
        excluded = unseen
        places = 0
        for seat in range(NUM_SEATS):
            hidden = HAND_CARDS - count(s.held[seat])
            if seats >> seat & 1 and hidden > 0:
                places += hidden
                excluded &= excluded_by(s.shown[seat])
        if places > count(unseen & ~excluded):
            return refuse(out, NO_DIVISION, seats, places, count(unseen & ~excluded))
    return 0


# --- moves --------------------------------------------------------------------------------------

cdef int hearts_check_move(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int card = move & 63
    cdef uint32_t verb = move & VERB_DIRECTION
    if s.to_move == TERMINAL:
        return refuse(out, GAME_OVER)
    if s.phase == PHASE_DIRECTION:
        return 0 if verb == VERB_DIRECTION else refuse(out, DIRECTION_NOW)
    if s.phase == PHASE_DEAL:
        if verb != VERB_DEAL:
            return refuse(out, DEAL_NOW)
        if card == HIDDEN:
            return refuse(out, UNNAMED)
        return 0 if undealt(s) & bit(card) else refuse(out, DEALT_ALREADY, card)
    if verb != (VERB_PASS if s.phase == PHASE_PASS else 0):
        return refuse(out, PASS_NOW if s.phase == PHASE_PASS else PLAY_NOW, s.to_move)
    if card == HIDDEN:
        return refuse(out, UNNAMED)
    return check_card(s, card, out)


cdef int check_card(const State* s, int card, Refusal* out) noexcept nogil:
    """Write the reason why a card can't be set aside or played."""
    cdef bint is_pass = s.phase == PHASE_PASS
    cdef uint64_t hand = hand_of(s, s.to_move) & ~(s.given[s.to_move] if is_pass else 0)
    if not hand & bit(card):
        if count(hand) < num_in_hand(s, s.to_move) and undealt(s) & bit(card):
            return refuse(out, HAND_UNSEEN, s.to_move)
        return refuse(out, NOT_TO_PASS if is_pass else NOT_IN_HAND, card)
    if is_pass or plays(s) & bit(card):
        return 0
    if s.count & 3:
        if hand & suit_set(s.trick[0] >> 4):
            return refuse(out, MUST_FOLLOW, s.trick[0] >> 4)
        return refuse(out, POINTS_IN_FIRST)
    return refuse(out, NOT_BROKEN if card >> 4 == HEARTS else TWO_LEADS)
