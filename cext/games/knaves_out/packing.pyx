"""Structs of Knaves Out from views; views.pyx has the way back.

Packing checks the form of each field and refuses what the struct has no place for: cards out of the
order of a stack, two pieces on a square, two king buildings. What follows from the rest is derived;
all else is left to validity.pyx.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count

from ...fields cimport Fields
from ...game cimport CHANCE, TERMINAL
from ...view_game cimport NOBODY
from .derive cimport ko_derive
from .pieces cimport MOST_CHECKERS
from .state cimport (
    A, ATTACKED, BOARD_SHIFT, CLEANSED, DARK, FULL_HEIGHT, HIDDEN_CARD, IVORY, JOKER, KING,
    MAX_HAND, MAX_PIECES, MAX_RECORDS, NO_PRICE, NO_TOWER, NOWHERE, NUM_CARDS, SEATS, SOLDIERS,
    STAGE_END, SURGED, TAINTED_KING, UNPAWN, VERB_ACT, Context, Devoured, GreatTower, Piece,
    Player, Rules, State, Tower, act_of, at_sea, is_in, move_of, squares_of)

from .names import (
    ACTION_ARGUMENTS, ACTIONS, BUILT, CARD_NUMBERS, CARDS, COLOURS, EFFECT_TOWERS, EFFECTS, HIDDEN,
    KINDS, KINDS_OF_PIECE, KINDS_OF_STAGE, MARKS, MOVE_ARGUMENTS, RANKS, SOLDIERS as SOLDIER_KINDS,
    SQUARE_NUMBERS, STAGES, TOWER_NAMES, TOWERS, VERBS)
from .nodes import CHANCE as CHANCE_NODES, keys_of

cdef enum:
    MOST_CARDS = 54
    MOST_STEPS = 99     # R14.5a
    FURTHEST = 9999     # R14.5a
    NEAREST = 64        # no board that touches the others lies further from 0,0 (R3.3)
    MOST_OF_TURNS = 99999

# Fields that a struct has no other place for have their rule here.
VALIDITY = "R14.5"
CARDS_RULE = "R14.5b"
PIECES_RULE = "R14.5f"
NODE_RULE = "R14.3"
SQUARE = "a square is its board, file and row, such as 2e5"
CARD = "a card is a rank of a23456789tjqk and a suit of cdhs, such as td, or jo for a Joker"

HAND_NUMBERS = {**CARD_NUMBERS, "jo": JOKER}
DRAWN_NUMBERS = {**HAND_NUMBERS, HIDDEN: HIDDEN_CARD}
SQUARES_OF = [dict(list(SQUARE_NUMBERS.items())[:64 * seats]) for seats in range(SEATS + 1)]
TOWER_NUMBERS = {tower: number for number, tower in enumerate(TOWERS)}
TOWERS_OR_NONE = {**TOWER_NUMBERS, "": NO_TOWER}
STAGE_NUMBERS = {stage: number for number, stage in enumerate(STAGES)}
KIND_NUMBERS = {
    stage: {kind: KINDS.index(kind) for kind in kinds} for stage, kinds in KINDS_OF_STAGE.items()}
LETTER_NUMBERS = {kind: number for number, kind in enumerate(KINDS_OF_PIECE[:5], 1)}
LETTER_NUMBERS["unpawn"] = UNPAWN
SOLDIER_NUMBERS = {kind: LETTER_NUMBERS[kind] for kind in SOLDIER_KINDS}
BUILT_NUMBERS = {kind: LETTER_NUMBERS[kind] for kind in BUILT}
LETTER_NAMES = {number: kind for kind, number in LETTER_NUMBERS.items()}
MARK_BITS = {mark: 1 << number for number, mark in enumerate(MARKS)}
ORDER_OF_EFFECTS = [action for action in ACTIONS if action in EFFECTS]
EFFECT_BITS = {effect: 1 << number for number, effect in enumerate(EFFECTS)}
EFFECT_NAMES = {bit: effect for effect, bit in EFFECT_BITS.items()}
COLOUR_NUMBERS = {colour: number for number, colour in enumerate(COLOURS)}
RANK_NUMBERS = {rank: RANKS.index(rank) for rank in "a23"}  # of fuel
SHARES = {"0": 0, **{("1" if n == 1 else f"1/{n}"): 1 for n in range(1, SEATS + 1)}}
STATUSES = {"": 0, "standing": 1, "gone": 2}
ACTION_LIST = list(ACTIONS)
VERB_NUMBERS = {verb: number for number, verb in enumerate(VERBS)}
ACTION_NUMBERS = {action: number for number, action in enumerate(ACTION_LIST)}
OTHER_VERBS_TOWERS = {"under": {key: TOWERS_OR_NONE[key] for key in ("j", "q", "k", "")}}


# --- from views to structs ------------------------------------------------------------------------

cdef bytes ko_pack(const Rules* rules, Fields fields):
    cdef Fields player
    cdef State state
    cdef State* s = &state
    cdef int seats = rules.num_seats
    cdef int seat
    memset(s, 0, sizeof(State))
    s.squares_at = rules.squares_at
    s.observer = fields.observer(seats, "R14.4")
    s.turn = fields.number("turn", 0, MOST_OF_TURNS, VALIDITY)
    s.first = fields.number("first_seat", 0, seats, "R14.5e")
    s.active = fields.number("active", 0, seats, "R14.5e")
    pack_great_tower(fields.record("ivory"), s, seats, False)
    pack_great_tower(fields.record("dark"), s, seats, True)
    for seat, player in enumerate(fields.records("players", seats, "", seats)):
        pack_player(player, s, seat, seats)
    pack_end_of_tower(fields, "ivory", "an island", &s.ivory, s.island)
    pack_end_of_tower(fields, "dark", "cleansed ground", &s.dark, s.cleansed)
    ko_derive(rules, s)
    pack_node(fields.record("node"), s, seats)
    return (<char*>s)[:rules.state_bytes]


cdef int pack_great_tower(Fields fields, State* s, int seats, bint is_dark) except -1:
    """Fill one of the Two Towers; boards get their flags from the players."""
    cdef GreatTower* tower = &s.dark if is_dark else &s.ivory
    tower.stands = fields.code("status", STATUSES, "", "R14.5g")
    if tower.stands != 1:       # 2 becomes the number of the island or cleansed board
        return 0
    tower.square = square_of(fields, "square", seats)
    tower.chosen = fields.seat("chosen_one", seats)
    if is_dark:
        tower.enemy = fields.seat("chosen_enemy", seats)
    tower.red = fields.number("red", 0, 10, "R14.5g")
    tower.black = fields.number("black", 0, 10, "R14.5g")
    if tower.red + tower.black > 10:
        wanted = "each of the Two Towers has at most 10 checkers"
        raise fields.refusal("black", wanted, rule="R14.5g")
    if squares_of(s)[tower.square]:
        raise fields.refusal("square", "another piece stands there", rule="R2.5")
    squares_of(s)[tower.square] = (
        DARK if is_dark else IVORY | tower.chosen << 4)
    return 0


cdef int pack_player(Fields fields, State* s, int seat, int seats) except -1:
    cdef Fields sailor, record
    cdef Player* p = &s.players[seat]
    p.king = NOWHERE
    p.is_alive = fields.flag("is_alive")
    pack_board(fields, s, seat)
    pack_hand(fields, p, s.observer == NOBODY or s.observer == seat + 1)
    p.discard = packed_cards(fields, "discard", MOST_CARDS, &p.discard_jokers)
    for number, name in enumerate(TOWER_NAMES.values()):
        if fields.is_set(name):
            pack_tower(fields.record(name), p, number)
    pack_pieces(fields, s, seat, seats)
    for sailor in fields.records("sea", MAX_PIECES, "R1.3"):
        pack_sailor(sailor, p)
    for mark in fields.codes("marks", MARK_BITS, len(MARKS), "", "R14.2"):
        p.marks |= <uint32_t>mark
    for swayer in fields.numbers("swayed_by", 1, seats, seats, "R14.5h"):
        p.swayers |= 1 << <int>(swayer - 1)
    pack_uses(fields, s, seat, seats)
    for number, record in enumerate(fields.records("records", MAX_RECORDS, "R13.4")):
        pack_record(record, p, number)
    return 0


cdef int pack_board(Fields fields, State* s, int seat) except -1:
    cdef Player* p = &s.players[seat]
    cdef int axis
    if not fields.is_set("board"):
        return 0
    board = fields.record("board")
    p.is_placed = True
    for axis, name in enumerate(("x", "y")):
        board.number(name, -FURTHEST, FURTHEST, "R14.5a")
        # Boards that touch each other lie nearer than this.
        value = board.number(name, -NEAREST, NEAREST, "R14.5d")
        if axis:
            s.y[seat] = value
        else:
            s.x[seat] = value
    if board.flag("is_island"):
        pack_after_effect(board, "is_island", &s.ivory, &s.island, seat)
    if board.flag("is_cleansed"):
        pack_after_effect(board, "is_cleansed", &s.dark, &s.cleansed, seat)
    return 0


cdef int pack_after_effect(
        board, str name, GreatTower* tower, uint8_t* out, int seat) except -1:
    """Fill the board where one of the Two Towers stood: one at most, and only if it is gone."""
    if tower.stands != 2 or out[0]:
        wanted = "one board has this, exactly if the Tower that stood on it is gone"
        raise board.refusal(name, wanted, True, "R14.5d")
    out[0] = seat + 1
    return 0


cdef int pack_end_of_tower(
        fields, str name, str ground, GreatTower* tower, int board) except -1:
    """Check that a Tower that is gone has left its after effect, which then stands for it."""
    if tower.stands == 2 and board == 0:
        wanted = f"where a Tower stood that is gone there is {ground}"
        raise fields.record(name).refusal("status", wanted, "gone", "R14.5d")
    tower.stands &= 1
    return 0


cdef int pack_hand(Fields fields, Player* p, bint is_seen) except -1:
    if is_seen:
        fields.number("num_hidden", 0, 0, "R14.4")
        p.hand = packed_cards(fields, "hand", MAX_HAND, &p.hand_jokers)
        p.hand_size = count(p.hand) + p.hand_jokers
    else:
        fields.codes("hand", {}, 0, "the observer does not see this hand", "R14.4")
        p.hand_size = fields.number("num_hidden", 0, MAX_HAND, CARDS_RULE)
    return 0


cdef uint64_t packed_cards(Fields fields, str name, int most, uint8_t* jokers) except? 0:
    """Read cards as a set, and count their Jokers."""
    cdef uint64_t cards = 0
    cdef int place = 0
    for card in fields.codes(name, HAND_NUMBERS, most, CARD, CARDS_RULE):
        if card == JOKER:
            jokers[0] += 1
        elif cards >> <int>card & 1:
            wanted = "a deck has each card once"
            raise fields.refusal(f"{name}[{place}]", wanted, CARDS[card], CARDS_RULE)
        else:
            cards |= <uint64_t>1 << <int>card
        place += 1
    if jokers[0] > 2:
        raise fields.refusal(name, "a deck has two Jokers", f"{jokers[0]} of them", CARDS_RULE)
    return cards


cdef int pack_tower(Fields fields, Player* p, int tower) except -1:
    cdef Fields devoured
    cdef Tower* t = &p.towers[tower]
    cdef int base = fields.code("base", CARD_NUMBERS, CARD, CARDS_RULE)
    cdef int place
    if base != 3 if tower == A else base >> 2 != 10 + tower:
        wanted = "the base is " + ("the ace of spades", "a jack", "a queen", "a king")[
            (tower + 1) % 4]
        raise fields.refusal("base", wanted, rule=CARDS_RULE)
    t.base = base + 1
    t.tainted = fields.flag("is_tainted")
    for place, devoured in enumerate(fields.records("devoured", 2, CARDS_RULE)):
        pack_devoured(devoured, p, tower, place)
    t.height = pack_levels(fields, "stack", tower, &t.suits, &t.jokers)
    return 0


cdef int pack_devoured(Fields fields, Player* p, int tower, int place) except -1:
    cdef Devoured* below = &p.towers[tower].devoured[place]
    cdef int effect = fields.code("effect", EFFECT_BITS, "", CARDS_RULE)
    cdef str name = fields.text("effect")
    cdef int before
    before = ORDER_OF_EFFECTS.index(name)
    if TOWER_NUMBERS[EFFECT_TOWERS[name]] != tower or place and (
            before <= ORDER_OF_EFFECTS.index(EFFECT_NAMES[(below - 1).effect])):
        wanted = "each effect comes once, of its own tower, in the order of the actions (D77)"
        raise fields.refusal("effect", wanted, rule=CARDS_RULE)
    below.effect = effect
    if pack_levels(fields, "cards", tower, &below.suits, &below.jokers) != FULL_HEIGHT:
        wanted = "13 cards are devoured, from the ace to the king"
        raise fields.refusal("cards", wanted, rule=CARDS_RULE)
    return 0


cdef int pack_levels(
        fields, str name, int tower, uint32_t* suits, uint16_t* jokers) except -1:
    """Read the cards of a stack in their order; return their number."""
    cdef int height = 0
    cdef int place = 0
    cdef int most = FULL_HEIGHT - (tower == A)
    for card in fields.codes(name, HAND_NUMBERS, 2 * FULL_HEIGHT, CARD, CARDS_RULE):
        if card == JOKER:
            if height == 0 or jokers[0] >> height - 1 & 1:
                wanted = "a Joker follows the card under which it lies"
                raise fields.refusal(f"{name}[{place}]", wanted, "jo", CARDS_RULE)
            jokers[0] |= 1 << height - 1
        elif height == most or <int>card >> 2 != height + (tower == A):
            start = "2 on the ace of spades" if tower == A else "ace"
            wanted = f"a stack goes up from the {start} without a gap"
            raise fields.refusal(f"{name}[{place}]", wanted, CARDS[card], CARDS_RULE)
        else:
            suits[0] |= <uint32_t>(<int>card & 3) << 2 * height
            height += 1
        place += 1
    return height


# --- pieces and marks -----------------------------------------------------------------------------

cdef int pack_pieces(Fields fields, State* s, int seat, int seats) except -1:
    cdef Fields each
    cdef Player* p = &s.players[seat]
    cdef Piece piece
    for each in fields.records("pieces", MAX_PIECES, "R1.3"):
        piece.square = square_of(each, "square", seats)
        if squares_of(s)[piece.square]:
            raise each.refusal("square", "a square holds one piece", rule="R2.5")
        piece.letter = each.code("kind", LETTER_NUMBERS)
        if each.flag("is_tainted"):
            if is_in(piece.letter, SOLDIERS):
                raise each.refusal("is_tainted", "only buildings are tainted", rule="R14.2")
            piece.letter += TAINTED_KING - KING
        piece.checkers = each.number("checkers", 0, MOST_CHECKERS, "R1.4")
        piece.steps = each.number("steps", 0, MOST_STEPS, "R14.5a")
        piece.flags = (
            each.flag("has_attacked") * ATTACKED | each.flag("is_cleansed") * CLEANSED
            | each.flag("has_surge") * SURGED)
        if each.flag("is_mover"):
            if s.mover:
                wanted = "one soldier at most is the mover"
                raise each.refusal("is_mover", wanted, rule=PIECES_RULE)
            s.mover = piece.square + 1
        if p.num_pieces and p.pieces[p.num_pieces - 1].square > piece.square:
            wanted = "the pieces are listed by board, file and row"
            raise each.refusal("square", wanted, rule="R14.2")
        if piece.letter == KING or piece.letter == TAINTED_KING:
            if p.king != NOWHERE:
                wanted = "a player has one king building"
                raise each.refusal("kind", wanted, rule=PIECES_RULE)
            p.king = piece.square
        squares_of(s)[piece.square] = piece.letter
        p.pieces[p.num_pieces] = piece
        p.num_pieces += 1
    return 0


cdef int pack_sailor(Fields fields, Player* p) except -1:
    cdef int letter = fields.code("kind", SOLDIER_NUMBERS)
    cdef int checkers = fields.number("checkers", 0, MOST_CHECKERS, "R1.4")
    p.sea[at_sea(letter, checkers, fields.flag("is_fresh"))] += 1
    return 0


cdef int pack_uses(Fields fields, State* s, int seat, int seats) except -1:
    """Fill the actions taken and the permissions, which only the active seat has."""
    cdef Fields permission
    cdef int other
    taken = fields.number("actions_taken", 0, 2, "R14.5h")
    if seat + 1 != s.active:
        for name, most in (("actions_taken", taken), ("permissions", None)):
            if fields.has(name):
                wanted = "only the active seat has this"
                raise fields.refusal(name, wanted, most, "R14.5h")
        return 0
    s.acts = taken
    for permission in fields.records("permissions", seats, "R14.5h"):
        other = permission.seat("seat", seats)
        s.sha[other] = NOWHERE
        if permission.has("square"):
            s.sha[other] = square_of(permission, "square", seats) + 1
    return 0


cdef int pack_record(Fields fields, Player* p, int place) except -1:
    cdef uint8_t jokers = 0
    p.record_mask[place] = packed_cards(fields, "cards", NUM_CARDS, &jokers)
    if jokers:
        raise fields.refusal("cards", "records are of cards without Jokers", rule="R13.4")
    p.record_floor[place] = fields.number("floor", 1, MAX_HAND, "R14.5c")
    return 0


# --- the node -------------------------------------------------------------------------------------

cdef int pack_node(Fields fields, State* s, int seats) except -1:
    """Fill the stage and the fields of its context; a comparison finds any others."""
    s.stage = fields.code("type", STAGE_NUMBERS, "", "R14.2")
    kind = fields.text("type")
    if s.stage == STAGE_END:
        s.node = TERMINAL
        for seat, share in enumerate(fields.codes("shares", SHARES, seats, "", "R14.5k")):
            s.context.winners |= <int>share << <int>seat
        return 0
    s.node = CHANCE if kind in CHANCE_NODES else fields.seat("seat", seats, "R14.5i")
    view = {"type": kind}
    if kind in KIND_NUMBERS:
        s.context.kind = fields.code("kind", KIND_NUMBERS[kind], "", NODE_RULE)
        view["kind"] = fields.text("kind")
    for key in keys_of(view):
        if key.field != "kind":
            pack_key(fields, key.field, s, seats)
    return 0


cdef int pack_key(Fields fields, str name, State* s, int seats) except -1:
    """Fill one field of the context."""
    cdef Fields price
    cdef Context* c = &s.context
    cdef int left
    if name == "square":
        c.square = square_of(fields, name, seats)
    elif name == "attacker":
        c.attacker = square_of(fields, name, seats)
    elif name == "target":
        c.target = square_of(fields, name, seats)
    elif name == "is_last":
        c.last = fields.flag(name)
    elif name == "is_counter":
        c.counter = fields.flag(name)
    elif name == "num_dice":
        c.num_dice = fields.number(name, 1, 5, "R1.5")
    elif name == "faces":
        for face in fields.numbers(name, 1, 6, 5, "R14.5j"):
            c.faces[<int>face - 1] += 1
    elif name == "is_upper":
        c.upper = fields.flag(name)
    elif name in ("roller", "enemy", "seat"):
        c.seat = fields.seat(name, seats, NODE_RULE)
    elif name == "number":
        c.number = fields.number(name, 1, 2, NODE_RULE)
    elif name == "tower":
        c.tower = fields.code(name, TOWER_NUMBERS, "", NODE_RULE)
    elif name == "rank":
        c.number = fields.code(name, RANK_NUMBERS, "", NODE_RULE)
    elif name == "is_wind":
        c.wind = fields.flag(name)
    elif name == "action" or name == "step":
        c.pending = ko_pack_move(seats, fields.record(name))
    elif name == "prices":
        memset(c.price, NO_PRICE, 4)
        for price in fields.records(name, 4, NODE_RULE):
            c.price[<int>price.code("tower", TOWER_NUMBERS)] = price.number("price", 0, 13)
    elif name == "left":
        left = 2 if c.kind else 5       # searches; cards to waive, steps
        c.left = fields.number(name, 1, left, "R14.5j")
    elif name == "colour":
        c.colour = fields.code(name, COLOUR_NUMBERS, "", NODE_RULE)
    elif name == "building":
        c.letter = fields.code(name, BUILT_NUMBERS, "", NODE_RULE)
    elif name == "landing":
        landing = fields.record(name)
        c.letter = landing.code("kind", SOLDIER_NUMBERS, "", NODE_RULE)
        c.number = landing.number("checkers", 0, MOST_CHECKERS, "R1.4")
    elif name == "red":
        c.red = fields.number(name, 0, 10, "R14.5j")
    elif name == "black":
        c.black = fields.number(name, 0, 10, "R14.5j")
    elif name == "is_first":
        c.first = fields.flag(name)
    elif name == "damage":
        c.left = fields.number(name, 1, 5, "R14.5j")
    elif name == "thorns":
        c.thorns = fields.number(name, 0, 5, "R14.5j")
    return 0


# --- moves ----------------------------------------------------------------------------------------

cdef long ko_pack_move(int num_seats, Fields fields) except -1:
    cdef int verb = fields.code("verb", VERB_NUMBERS)
    cdef int[2] values
    name = fields.text("verb")
    if verb != VERB_ACT:
        pack_arguments(num_seats, fields, name, MOVE_ARGUMENTS[name], values)
        return move_of(verb, values[0], values[1])
    action = fields.code("action", ACTION_NUMBERS, "", "R7")
    name = fields.text("action")
    pack_arguments(num_seats, fields, name, ACTION_ARGUMENTS.get(name, ()), values)
    by_joker = name in ("hail", "marry") and fields.flag("by_joker")
    return act_of(action, values[0], values[1], by_joker)


cdef int square_of(Fields fields, str name, int seats) except -1:
    """Read a square on one of the boards that the game has."""
    wanted = SQUARE
    text = fields.fields.get(name)
    if isinstance(text, str) and SQUARE_NUMBERS.get(text, 0) >= 64 * seats:
        wanted = f"this game has {seats} boards, numbered from 1"
    return fields.code(name, SQUARES_OF[seats], wanted)


cdef int pack_arguments(int num_seats, Fields fields, str word, names, int* out) except -1:
    """Read the arguments of a verb or action as numbers."""
    out[0] = 0
    out[1] = 0
    for place, name in enumerate(names):
        out[<int>place] = packed_argument(num_seats, fields, word, name)
    return 0


cdef int packed_argument(int num_seats, Fields fields, str word, str name) except -1:
    if name in ("square", "source", "target"):
        return square_of(fields, name, num_seats)
    if name == "card":
        return fields.code(name, DRAWN_NUMBERS if word == "draw" else CARD_NUMBERS, CARD)
    if name == "tower":
        if word == "parlay":
            return fields.code(name, TOWERS_OR_NONE)
        return fields.code(name, OTHER_VERBS_TOWERS.get(word, TOWER_NUMBERS))
    if name == "onto":
        return fields.code(name, TOWER_NUMBERS)
    if name == "seat":
        return fields.seat(name, num_seats)
    if name == "building":
        return fields.code(name, BUILT_NUMBERS)
    if name == "soldier":
        return fields.code(name, SOLDIER_NUMBERS)
    if name == "checkers":
        return fields.number(name, 0, MOST_CHECKERS)
    if name == "face":
        return fields.number(name, 1, 6)
    if name == "red":
        return fields.number(name, 0, 10)
    return fields.number(name, -BOARD_SHIFT, BOARD_SHIFT - 1) + BOARD_SHIFT     # x, y
