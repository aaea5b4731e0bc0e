"""Features of Knaves Out, as a seat sees them; feature_layout.pyx lists the blocks.

* Turn and table: node, seats before the own turn, turns left, the roll under way, the Two Towers.
* Own hand and deck: ranks by colour, court cards by suit, ranks that fit on a tower now or soon.
* A block for each seat, the own one and then the rivals in seating order: marks, effects, court and
  towers, cards not seen yet, buildings, soldiers and how near they are to a king, and what stands
  on its board. They come last, so that games with fewer seats have the same features under the same
  indices, only fewer.

What others hold is told by what they have laid open alone: hand and deck together are the cards in
neither discard nor towers. The rules know no left and right, so boards are mirrored until those of
the rivals lie on average to the right of the own one and above it; where that decides nothing,
until the own king stands on files a to d, on rows 1 to 4.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count

from ...feature_blocks cimport Block, mark_one, mark_scale, mark_set, write_marked
from .cards cimport (
    ACE_OF_SPADES, JACK, bit, court_of, has_court, next_rank, of_rank, run_of, wanted)
from .combat cimport ko_threshold, owner_at, roller_of, rolled_at
from .feature_layout cimport (
    ACTS, AT_SEA, BASES, BLACK_RUN, BOARD_BUILDINGS, BUILDING_CHECKERS, BUILT, COURT, DARK_ENEMY,
    DARK_OWN, DARK_POINTS, DARK_STANDS, DARK_UNUSED, DECK_FITTING, DECK_RANKS, DECK_SIZE,
    DICE_TO_COME, DISCARD_SIZE, EACH, GREAT_TOWERS, GUARD, HAND_BLACK, HAND_COURT, HAND_FITTING,
    HAND_JOKERS, HAND_RED, HAND_SIZE, HAND_SOON, HAS_DARK, HAS_IVORY, HEIGHT, HITS, IN_FORCE,
    IS_ACTIVE, IS_ALIVE, IS_ASKED, IS_AWAY, IS_CLEANSED, IS_ISLAND, IS_SWAYED, IVORY_OWN,
    IVORY_POINTS, IVORY_STANDS, IVORY_UNUSED, KING_DISTANCE, KING_FILE, KING_POINTS, KING_ROW, LEFT,
    NODE, NODE_KIND, NUM_COMMON, NUM_SEAT, NUM_WORDS, OTHER_SOLDIERS, OWN_DANGER, OWN_ROLL,
    OWN_SOLDIERS, PAWNS, READY_POINTS, RED_RUN, ROLLED_AT, ROLLER, ROLL_PART, SET_MARKS, SIEGE,
    SOLDIER_POINTS, STATUS, TURNS_LEFT, TURN_DISTANCE, UNPAWNS, UNSEEN_FITTING, UNUSED_BLACK,
    UNUSED_RED, WITHIN, ko_feature_blocks, ko_first_of_words)
from .geometry cimport space_between
from .pieces cimport pair_of, piece_at
from .state cimport (
    A, ATTACKED, BISHOP, BLACK, BUILDINGS, FULL_HEIGHT, KING, NO_KIND, NO_LETTER, NOWHERE, PAWN,
    RED, ROOK, SOLDIERS, STAGE_INSIGHT, STAGE_REROLL, TAINTED_KING, UNPAWN, GreatTower, Piece,
    Player, Tower, card_of, is_in, letter_on, on_square, owner_on, squares_of)

cdef extern from *:
    """
    #define KO_RED_CARDS 0x6666666666666ull
    """
    const uint64_t RED_CARDS "KO_RED_CARDS"     # diamonds and hearts

cdef enum:
    ALL_IN_DECK = 54
    NEAR = 2            # steps, as for GUARD in the evaluation
    FILE_BITS = 7 << 3  # of a square
    ROW_BITS = 7

cdef int[4] BAND = [1, 2, 4, 8]     # the `BANDS` of the table
cdef const Block* BLOCKS = ko_feature_blocks()
cdef const int32_t* WORD_FIRST = ko_first_of_words()

# Points of soldiers of a seat, but `siege`.
cdef struct Tally:
    int all
    int guard           # near the own king
    int siege           # those of other seats beside its king
    int ready           # beside an enemy king, before their attack
    int at_sea          # number
    int[4] within       # by `BAND`


cdef int ko_num_features(int num_seats) noexcept nogil:
    return BLOCKS[NUM_COMMON + num_seats * NUM_SEAT].first


cdef int ko_features(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef uint64_t[NUM_WORDS] marks
    cdef Tally[8] tallies
    cdef int num_words = BLOCKS[NUM_COMMON + rules.num_seats * NUM_SEAT - 1].word + 1
    cdef int mirror = mirror_of(rules, s, seat)
    cdef int place
    memset(marks, 0, num_words * sizeof(uint64_t))
    mark_table(rules, s, seat, marks)
    mark_hand(rules, &s.players[seat], marks)
    count_soldiers(rules, s, tallies)
    for place in range(rules.num_seats):
        mark_seat(
            rules, s, seat, after(rules, seat, place), tallies, mirror,
            &BLOCKS[NUM_COMMON + place * NUM_SEAT], marks)
    return write_marked(marks, WORD_FIRST, num_words, out)


cdef inline int after(const Rules* rules, int seat, int steps) noexcept nogil:
    """The seat some steps later in seating order, dead ones counted (R3.1)."""
    if rules.is_ccw:
        steps = rules.num_seats - steps
    return (seat + steps) % rules.num_seats


cdef int mirror_of(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The bits of a square that are inverted in features; see the top of the file."""
    cdef const Player* me = &s.players[seat]
    cdef int right = 0
    cdef int above = 0
    cdef int other
    for other in range(rules.num_seats):
        if me.is_placed and s.players[other].is_placed:
            right += s.x[other] - s.x[seat]
            above += s.y[other] - s.y[seat]
    if me.king != NOWHERE:
        right = right if right else 3 - (me.king >> 3 & 7)
        above = above if above else 3 - (me.king & 7)
    return (FILE_BITS if right < 0 else 0) | (ROW_BITS if above < 0 else 0)


# --- turn and table -------------------------------------------------------------------------------

cdef void mark_table(
        const Rules* rules, const State* s, int seat, uint64_t* marks) noexcept nogil:
    cdef int distance = 0
    cdef int other
    mark_one(marks, &BLOCKS[<int>NODE], s.stage)
    if s.context.kind != NO_KIND:
        mark_one(marks, &BLOCKS[<int>NODE_KIND], s.context.kind - 1)
    mark_scale(marks, &BLOCKS[<int>LEFT], s.context.left)
    if s.active:
        other = s.active - 1
        while other != seat:
            distance += s.players[other].is_alive
            other = after(rules, other, 1)
        mark_one(marks, &BLOCKS[<int>TURN_DISTANCE], distance)
    mark_scale(marks, &BLOCKS[<int>ACTS], s.acts)
    mark_scale(marks, &BLOCKS[<int>TURNS_LEFT], <int>rules.max_turns - <int>s.turn)
    if STAGE_INSIGHT <= s.stage <= STAGE_REROLL:
        mark_roll(rules, s, seat, marks)
    if rules.has_great_towers:
        mark_great_towers(s, seat, marks)


cdef inline void mark_roll(
        const Rules* rules, const State* s, int seat, uint64_t* marks) noexcept nogil:
    cdef int attacker = roller_of(s)
    cdef int target = rolled_at(s)
    cdef int face = ko_threshold(rules, s, attacker, target, s.context.upper)
    cdef int shown = 0
    cdef int hits = 0
    cdef int i
    for i in range(6):
        shown += s.context.faces[i]
        hits += s.context.faces[i] if i + 1 >= face else 0
    mark_one(marks, &BLOCKS[<int>ROLLER], letter_on(on_square(s, attacker)) - 1)
    mark_one(marks, &BLOCKS[<int>ROLLED_AT], letter_on(on_square(s, target)) - 1)
    if owner_at(s, attacker) == seat:
        mark_one(marks, &BLOCKS[<int>ROLL_PART], OWN_ROLL)
    if owner_at(s, target) == seat:
        mark_one(marks, &BLOCKS[<int>ROLL_PART], OWN_DANGER)
    mark_scale(marks, &BLOCKS[<int>DICE_TO_COME], s.context.num_dice - shown)
    mark_scale(marks, &BLOCKS[<int>HITS], hits)


cdef inline void mark_great_towers(const State* s, int seat, uint64_t* marks) noexcept nogil:
    cdef uint64_t found = 0
    if s.ivory.stands:
        found |= 1 << IVORY_STANDS | (s.ivory.chosen == seat) << IVORY_OWN
        mark_scale(marks, &BLOCKS[<int>IVORY_POINTS], points_of(&s.ivory))
    elif s.island == 0:
        found |= 1 << IVORY_UNUSED
    if s.dark.stands:
        found |= 1 << DARK_STANDS | (s.dark.chosen == seat) << DARK_OWN
        found |= (s.dark.enemy == seat) << DARK_ENEMY
        mark_scale(marks, &BLOCKS[<int>DARK_POINTS], points_of(&s.dark))
    elif s.cleansed == 0:
        found |= 1 << DARK_UNUSED
    mark_set(marks, &BLOCKS[<int>GREAT_TOWERS], found)


cdef inline int points_of(const GreatTower* tower) noexcept nogil:
    return 1 + tower.red + tower.black


# --- own hand and deck ----------------------------------------------------------------------------

cdef void mark_hand(const Rules* rules, const Player* p, uint64_t* marks) noexcept nogil:
    cdef uint64_t fitting = wanted(rules, p)
    cdef uint64_t soon = 0
    cdef int tower, rank
    for tower in range(4):
        rank = next_rank(p, tower)
        soon |= of_rank(rank + 1) | of_rank(rank + 2)
    mark_set(marks, &BLOCKS[<int>HAND_RED], ranks_in(p.hand & RED_CARDS))
    mark_set(marks, &BLOCKS[<int>HAND_BLACK], ranks_in(p.hand & ~RED_CARDS))
    mark_set(
        marks, &BLOCKS[<int>HAND_COURT],
        p.hand >> 4 * JACK | (p.hand >> ACE_OF_SPADES & 1) << 4 * (13 - JACK))
    mark_scale(marks, &BLOCKS[<int>HAND_JOKERS], p.hand_jokers)
    mark_scale(marks, &BLOCKS[<int>HAND_FITTING], count(ranks_in(p.hand & fitting)))
    mark_scale(marks, &BLOCKS[<int>HAND_SOON], count(ranks_in(p.hand & soon & ~fitting)))
    mark_set(marks, &BLOCKS[<int>DECK_RANKS], ranks_in(p.deck))
    mark_scale(marks, &BLOCKS[<int>DECK_FITTING], count(ranks_in(p.deck & fitting)))


cdef inline uint64_t ranks_in(uint64_t cards) noexcept nogil:
    """The ranks of some cards, as a set from the ace as 0."""
    cdef uint64_t found = 0
    cdef int rank
    for rank in range(13):
        found |= <uint64_t>(cards >> 4 * rank & 15 != 0) << rank
    return found


# --- a seat ---------------------------------------------------------------------------------------

cdef void count_soldiers(const Rules* rules, const State* s, Tally* tallies) noexcept nogil:
    cdef int seat, i
    memset(tallies, 0, rules.num_seats * sizeof(Tally))
    for seat in range(rules.num_seats):
        for i in range(s.players[seat].num_pieces):
            if is_in(s.players[seat].pieces[i].letter, SOLDIERS):
                count_soldier(rules, s, seat, &s.players[seat].pieces[i], tallies)
        for i in range(20):
            tallies[seat].at_sea += s.players[seat].sea[i]
            tallies[seat].all += s.players[seat].sea[i] * (1 + i // 2 % 5)


cdef inline void count_soldier(
        const Rules* rules, const State* s, int seat, const Piece* piece,
        Tally* tallies) noexcept nogil:
    cdef int points = 1 + piece.checkers
    cdef int shortest = 1 << 10
    cdef int other, steps, i
    tallies[seat].all += points
    for other in range(rules.num_seats):
        if s.players[other].king == NOWHERE:
            continue
        steps = space_between(s, piece.square, s.players[other].king)
        if other == seat:
            tallies[seat].guard += points if steps <= NEAR else 0
            continue
        tallies[other].siege += points if steps == 1 else 0
        shortest = min(shortest, steps)
    for i in range(4):
        tallies[seat].within[i] += points if shortest <= BAND[i] else 0
    if shortest == 1 and not piece.flags & ATTACKED:
        tallies[seat].ready += points


cdef void mark_seat(
        const Rules* rules, const State* s, int observer, int seat, const Tally* tallies,
        int mirror, const Block* blocks, uint64_t* marks) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    mark_set(marks, &blocks[<int>STATUS], status_of(s, seat))
    mark_board(s, observer, seat, mirror, blocks, marks)
    if not p.is_alive:
        return
    mark_set(marks, &blocks[<int>SET_MARKS], p.marks)
    mark_cards(rules, p, blocks, marks)
    mark_king(rules, s, seat, mirror, blocks, marks)
    mark_pieces(p, blocks, marks)
    mark_soldiers(p, &tallies[seat], blocks, marks)


cdef inline uint64_t status_of(const State* s, int seat) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef bint is_away = p.king != NOWHERE and p.king >> 6 != seat
    cdef bint has_ivory = s.ivory.stands and s.ivory.square >> 6 == seat
    cdef bint has_dark = s.dark.stands and s.dark.square >> 6 == seat
    return (
        p.is_alive << IS_ALIVE | (s.node == seat) << IS_ASKED | (s.active == seat + 1) << IS_ACTIVE
        | (p.swayers != 0) << IS_SWAYED | is_away << IS_AWAY | has_ivory << HAS_IVORY
        | has_dark << HAS_DARK | (s.island == seat + 1) << IS_ISLAND
        | (s.cleansed == seat + 1) << IS_CLEANSED)


cdef inline void mark_board(
        const State* s, int observer, int seat, int mirror, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """Mark what stands on the board of a seat."""
    cdef int square, content, letter, block
    for square in range(64):
        content = squares_of(s)[64 * seat + square]
        letter = letter_on(content)
        if letter == NO_LETTER or letter == KING or letter == TAINTED_KING:
            continue
        block = BOARD_BUILDINGS
        if is_in(letter, SOLDIERS):
            block = OWN_SOLDIERS if owner_on(content) == observer else OTHER_SOLDIERS
        mark_one(marks, &blocks[block], square ^ mirror)


cdef inline void mark_cards(
        const Rules* rules, const Player* p, const Block* blocks, uint64_t* marks) noexcept nogil:
    cdef uint64_t bases = 0
    cdef int[3] least = [FULL_HEIGHT, FULL_HEIGHT, FULL_HEIGHT]    # height, red and black cards
    cdef const Tower* t
    cdef int tower
    for tower in range(4):
        t = &p.towers[tower]
        bases |= (t.base != 0) << tower
        mark_scale(marks, &blocks[HEIGHT + tower], t.height)
        if tower != A:
            bases |= t.tainted << 4 + tower
            least[0] = min(least[0], <int>t.height)
            least[1] = min(least[1], run_of(t, RED))
            least[2] = min(least[2], run_of(t, BLACK))
    mark_set(marks, &blocks[<int>BASES], bases)
    mark_set(marks, &blocks[<int>IN_FORCE], p.effects)
    mark_scale(marks, &blocks[<int>EACH], least[0])
    mark_scale(marks, &blocks[<int>RED_RUN], least[1])
    mark_scale(marks, &blocks[<int>BLACK_RUN], least[2])
    if has_court(p):
        mark_one(marks, &blocks[<int>COURT], court_of(p) - 1)
    mark_hidden_cards(rules, p, blocks, marks)


cdef inline void mark_hidden_cards(
        const Rules* rules, const Player* p, const Block* blocks, uint64_t* marks) noexcept nogil:
    """Mark what the open cards tell of hand and deck."""
    cdef uint64_t shown = p.discard
    cdef int jokers = p.discard_jokers
    cdef const Tower* t
    cdef int tower, level, i
    for tower in range(4):
        t = &p.towers[tower]
        if t.base == 0:
            continue
        shown |= bit(t.base - 1)
        jokers += t.tainted + count(t.jokers)
        for level in range(t.height):
            shown |= bit(card_of(tower, level, t.suits))
        for i in range(2):
            if t.devoured[i].effect:
                jokers += count(t.devoured[i].jokers)
                for level in range(FULL_HEIGHT):
                    shown |= bit(card_of(tower, level, t.devoured[i].suits))
    mark_scale(marks, &blocks[<int>HAND_SIZE], p.hand_size)
    mark_scale(
        marks, &blocks[<int>DECK_SIZE], ALL_IN_DECK - count(shown) - jokers - p.hand_size)
    mark_scale(marks, &blocks[<int>DISCARD_SIZE], count(p.discard) + p.discard_jokers)
    mark_scale(
        marks, &blocks[<int>UNSEEN_FITTING], count(ranks_in(wanted(rules, p) & ~shown)))


cdef inline void mark_king(
        const Rules* rules, const State* s, int seat, int mirror, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef int shortest = 1 << 10
    cdef int other
    if p.king == NOWHERE:
        return
    for other in range(rules.num_seats):
        if other != seat and s.players[other].king != NOWHERE:
            shortest = min(shortest, space_between(s, p.king, s.players[other].king))
    mark_scale(
        marks, &blocks[<int>KING_POINTS], 1 + p.pieces[piece_at(p, p.king)].checkers)
    mark_one(marks, &blocks[<int>KING_FILE], (p.king ^ mirror) >> 3 & 7)
    mark_one(marks, &blocks[<int>KING_ROW], (p.king ^ mirror) & 7)
    mark_scale(marks, &blocks[<int>KING_DISTANCE], shortest)


cdef inline void mark_pieces(
        const Player* p, const Block* blocks, uint64_t* marks) noexcept nogil:
    """Mark buildings and unused checkers."""
    cdef uint64_t built = 0
    cdef int checkers = 0
    cdef int letter, i
    for letter in range(<int>ROOK, <int>BISHOP + 1):
        built |= ((pair_of(p, letter) > 0) | (pair_of(p, letter) > 1) << 1) << 2 * (letter - ROOK)
    for letter in range(<int>KING, <int>BISHOP + 1):
        built |= (p.number[letter + 5] > 0) << 6 + letter - KING
    for i in range(p.num_pieces):
        letter = p.pieces[i].letter
        if is_in(letter, BUILDINGS) and letter != KING and letter != TAINTED_KING:
            checkers += p.pieces[i].checkers
    mark_set(marks, &blocks[<int>BUILT], built)
    mark_scale(marks, &blocks[<int>BUILDING_CHECKERS], checkers)
    mark_scale(marks, &blocks[<int>UNUSED_RED], p.unused_red)
    mark_scale(marks, &blocks[<int>UNUSED_BLACK], p.unused_black)


cdef inline void mark_soldiers(
        const Player* p, const Tally* tally, const Block* blocks, uint64_t* marks) noexcept nogil:
    cdef int i
    mark_scale(marks, &blocks[<int>PAWNS], p.number[<int>PAWN])
    mark_scale(marks, &blocks[<int>UNPAWNS], p.number[<int>UNPAWN])
    mark_scale(marks, &blocks[<int>SOLDIER_POINTS], tally.all)
    mark_scale(marks, &blocks[<int>AT_SEA], tally.at_sea)
    mark_scale(marks, &blocks[<int>GUARD], tally.guard)
    mark_scale(marks, &blocks[<int>SIEGE], tally.siege)
    mark_scale(marks, &blocks[<int>READY_POINTS], tally.ready)
    for i in range(4):
        mark_scale(marks, &blocks[WITHIN + i], tally.within[i])
