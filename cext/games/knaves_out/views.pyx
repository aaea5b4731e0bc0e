"""Views of Knaves Out from structs; packing.pyx has the way back."""

cimport cython
from libc.stdint cimport uint32_t, uint64_t

from ...view_game cimport NOBODY, names_of
from .state cimport (
    ATTACKED, BOARD_SHIFT, CLEANSED, FULL_HEIGHT, HIDDEN_CARD, JOKER, KING, MAX_RECORDS, NO_PRICE,
    NO_TOWER, NOWHERE, SEATS, STAGE_END, SURGED, TAINTED_KING, UNPAWN, VERB_ACT, Context,
    GreatTower, Piece, Player, Rules, State, Tower, action_of, card_of, first_of, is_by_joker,
    second_of, verb_of)

# Variables of C: the modules of a wheel look all others up by name at each use.
cdef object ACTION_ARGUMENTS, ACTION_LIST, CARDS, COLOURS, EFFECT_NAMES, HIDDEN, KINDS
cdef object LETTER_NAMES, MARK_BITS, MOVE_ARGUMENTS, RANKS, SQUARES, STAGES, TOWER_NAMES, TOWERS
cdef object VERBS, keys_of, shares_of

from kingmaker.cext.reasons import seats_of

from .names import (
    ACTION_ARGUMENTS, CARDS, COLOURS, HIDDEN, KINDS, MOVE_ARGUMENTS, RANKS, SQUARES,
    STAGES, TOWER_NAMES, TOWERS, VERBS)
from .nodes import keys_of, shares_of
from .packing import ACTION_LIST, EFFECT_NAMES, LETTER_NAMES, MARK_BITS

cdef dict ko_fields_of(const Rules* rules, const State* s):
    cdef int seat
    return {
        "turn": s.turn,
        "first_seat": s.first,
        "active": s.active,
        "node": node_view(s, rules.num_seats),
        "ivory": great_tower_view(&s.ivory, s.island, False),
        "dark": great_tower_view(&s.dark, s.cleansed, True),
        "players": [player_view(s, seat) for seat in range(rules.num_seats)],
    }


cdef dict great_tower_view(const GreatTower* tower, int gone, bint is_dark):
    if not tower.stands:
        return {"status": "gone" if gone else ""}
    return {
        "status": "standing",
        "square": SQUARES[tower.square],
        "chosen_one": tower.chosen + 1,
        "chosen_enemy": tower.enemy + 1 if is_dark else 0,
        "red": tower.red,
        "black": tower.black,
    }


cdef dict player_view(const State* s, int seat):
    cdef const Player* p = &s.players[seat]
    cdef bint is_seen = s.observer == NOBODY or s.observer == seat + 1
    cdef int i
    view = {"is_alive": bool(p.is_alive)}
    if p.is_placed:
        view["board"] = {
            "x": s.x[seat],
            "y": s.y[seat],
            "is_island": s.island == seat + 1,
            "is_cleansed": s.cleansed == seat + 1,
        }
    view["hand"] = cards_view(p.hand, p.hand_jokers)
    view["num_hidden"] = 0 if is_seen else p.hand_size
    view["discard"] = cards_view(p.discard, p.discard_jokers)
    for i, name in enumerate(TOWER_NAMES.values()):
        if p.towers[i].base:
            view[name] = tower_view(&p.towers[i], i)
    view["pieces"] = [piece_view(s, &p.pieces[i]) for i in range(p.num_pieces)]
    view["sea"] = [
        {
            "kind": "unpawn" if i >= 10 else "pawn",
            "checkers": i % 10 >> 1,
            "is_fresh": bool(i & 1),
        }
        for i in range(20) for _ in range(p.sea[i])
    ]
    view["marks"] = [mark for mark, bit in MARK_BITS.items() if p.marks & <uint32_t>bit]
    is_active = seat + 1 == s.active
    view["actions_taken"] = s.acts if is_active else 0
    view["swayed_by"] = seats_of(p.swayers)
    view["permissions"] = [
        {"seat": i + 1, "square": "" if s.sha[i] == NOWHERE else SQUARES[s.sha[i] - 1]}
        for i in range(SEATS) if s.sha[i]
    ] if is_active else []
    view["records"] = [
        {"cards": cards_view(p.record_mask[i], 0), "floor": p.record_floor[i]}
        for i in range(MAX_RECORDS) if p.record_floor[i]
    ]
    return view


cdef list cards_view(uint64_t cards, int jokers):
    """The cards of a set in canonical order, Jokers last."""
    return names_of(cards, CARDS) + ["jo"] * jokers


cdef dict tower_view(const Tower* t, int tower):
    cdef int i
    return {
        "base": CARDS[t.base - 1],
        "is_tainted": bool(t.tainted),
        "devoured": [
            {
                "effect": EFFECT_NAMES[t.devoured[i].effect],
                "cards": levels_view(
                    tower, FULL_HEIGHT, t.devoured[i].suits, t.devoured[i].jokers),
            }
            for i in range(2) if t.devoured[i].effect
        ],
        "stack": levels_view(tower, t.height, t.suits, t.jokers),
    }


cdef list levels_view(int tower, int height, uint32_t suits, int jokers):
    cdef int level
    found = []
    for level in range(height):
        found.append(CARDS[card_of(tower, level, suits)])
        if jokers >> level & 1:
            found.append("jo")
    return found


cdef dict piece_view(const State* s, const Piece* piece):
    cdef int letter = piece.letter
    cdef bint is_tainted = TAINTED_KING <= letter < UNPAWN
    return {
        "kind": LETTER_NAMES[letter - (TAINTED_KING - KING) if is_tainted else letter],
        "is_tainted": is_tainted,
        "square": SQUARES[piece.square],
        "checkers": piece.checkers,
        "steps": piece.steps,
        "has_attacked": bool(piece.flags & ATTACKED),
        "is_cleansed": bool(piece.flags & CLEANSED),
        "has_surge": bool(piece.flags & SURGED),
        "is_mover": s.mover == piece.square + 1,
    }


cdef dict node_view(const State* s, int seats):
    """The node without its seat."""
    cdef const Context* c = &s.context
    kind = STAGES[s.stage]
    if s.stage == STAGE_END:
        return {"type": kind, "shares": shares_of(seats_of(c.winners), seats)}
    node = {"type": kind}
    if c.kind:
        node["kind"] = KINDS[c.kind]
    for key in keys_of(node):
        if key.field not in ("kind", "seat"):
            node[key.field] = key_view(c, key.field)
    return node


cdef object key_view(const Context* c, str name):
    """The value of one field of the context."""
    cdef int i
    if name in ("square", "attacker", "target"):
        return SQUARES[
            c.square if name == "square" else c.attacker if name == "attacker" else c.target]
    if name in ("action", "step"):
        return ko_move_view(c.pending)
    if name == "prices":
        return [
            {"tower": TOWERS[i], "price": c.price[i]} for i in range(4) if c.price[i] != NO_PRICE]
    if name == "faces":
        return [i + 1 for i in range(6) for _ in range(c.faces[i])]
    if name == "landing":
        return {"kind": LETTER_NAMES[c.letter], "checkers": c.number}
    return {
        "is_last": bool(c.last),
        "is_counter": bool(c.counter),
        "num_dice": c.num_dice,
        "is_upper": bool(c.upper),
        "roller": c.seat + 1,
        "enemy": c.seat + 1,
        "number": c.number,
        "tower": TOWERS[c.tower & 3],
        "rank": RANKS[c.number],
        "is_wind": bool(c.wind),
        "left": c.left,
        "colour": COLOURS[c.colour],
        "building": LETTER_NAMES.get(c.letter, ""),
        "red": c.red,
        "black": c.black,
        "is_first": bool(c.first),
        "damage": c.left,
        "thorns": c.thorns,
    }[name]


@cython.boundscheck(True)   # the number may be no move
cdef dict ko_move_view(uint32_t move):
    cdef int verb = verb_of(move)
    cdef int[2] values
    values[0] = first_of(move)
    values[1] = second_of(move)
    name = VERBS[verb]
    view = {"verb": name}
    names = MOVE_ARGUMENTS[name]
    if verb == VERB_ACT:
        name = view["action"] = ACTION_LIST[action_of(move)]
        names = ACTION_ARGUMENTS.get(name, ())
        if name in ("hail", "marry"):
            view["by_joker"] = is_by_joker(move)
    for place, argument in enumerate(names):
        view[argument] = argument_view(argument, values[<int>place])
    return view


@cython.boundscheck(True)
cdef object argument_view(str name, int value):
    if name in ("square", "source", "target"):
        return SQUARES[value]
    if name == "card":
        return "jo" if value == JOKER else HIDDEN if value == HIDDEN_CARD else CARDS[value]
    if name in ("tower", "onto"):
        return "" if value == NO_TOWER else TOWERS[value]
    if name == "seat":
        return value + 1
    if name in ("building", "soldier"):
        return LETTER_NAMES[value]
    if name in ("x", "y"):
        return value - BOARD_SHIFT
    return value
