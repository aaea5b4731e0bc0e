"""Chessault as a `Game`: the C contract, and packing between typed views and structs.

state.pxd defines the packing of moves. Notation and words work on views, not on structs.
"""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from kingmaker.cext.bits cimport pop_lowest
from kingmaker.cext.rng cimport bitgen_t

from ...fields cimport Fields
from ...game cimport Refusal
from ...line_text cimport Reader, Writer
from ...view_game cimport NOBODY, ViewGame
from .actions cimport chs_action_at, chs_action_index
from .evaluation cimport NUM_TERMS, chs_add_terms, chs_evaluate
from .features cimport chs_features
from .geometry cimport REACH
from .legal cimport chs_legal_moves, chs_outcomes, chs_sample, outcome_of, outcome_of_faces
from .legality cimport chs_check_move
from .line cimport chs_read_line, chs_write_line
from .policy cimport chs_playout, chs_policy_move
from .rules cimport chs_apply, chs_node, chs_returns, chs_start, put
from .sets cimport (
    figure_at, is_checked, line_in_radius, movable_types, occupied_squares, of_type, owned_squares)
from .state cimport (
    ABILITY_SHIFT, FIGURE_FRESH, FIGURE_MOVED, KING, MOST_CREDITS, MOST_MARKS, NO_SQUARE,
    NUM_SQUARES, PAWN, PHASE_ACTIVATE, PHASE_DICE, PHASE_KEEP, PHASE_MOVE, PHASE_PLACE,
    PHASE_PROMOTE, PHASE_WON_WHITE, VERB_FACES, Rules, State, ability_of, figure_of, is_on_board,
    line_row, owner_of, type_of, verb_of)
from .validity cimport chs_check_state, chs_figure_fault

# Variables of C: the modules of a wheel look all others up by name at each use.
cdef dict ABILITY_NUMBER, HELD_NUMBER, NUMBERS_OF, PHASE_NUMBER, SQUARE_NUMBER, TYPE_NUMBER
cdef dict VERB_NUMBER, WORDS_OF
cdef object ABILITIES, ACTIONS, ARGUMENTS, NODE_NAMES, PHASES, SIDES, SQUARES, TALLIES
cdef object TYPES, VERBS

from functools import partial

from kingmaker.cext.reasons import Numbers
from kingmaker.cext.words import counted, joined

from . import notation, words
from .actions import NUM_ACTIONS
from .features import FEATURE_NAMES
from .legality import ILLEGALITIES
from .names import (
    ABILITIES, ACTIONS, ARGUMENTS, NODE_NAMES, PHASES, SIDES, SQUARES, TALLIES, TYPES,
    VERBS, figures_name)
from .options import MOST_TURNS, OPTIONS, SUPPLIES
from .validity import FAULTS

cdef enum:
    # Measured at equal time: 3 and 30 are about equal. 40 wins seven of eight games against
    # playouts to the end.
    PLAYOUT_PLIES = 10
    MOST_COUNT = 99     # of figures or tokens; larger numbers exceed every supply

WINNERS = (1, 2, 0)     # from PHASE_WON_WHITE on
TYPE_NUMBER = {kind: number for number, kind in enumerate(TYPES, 1)}
ABILITY_NUMBER = {ability: number for number, ability in enumerate(ABILITIES, 1)}
HELD_NUMBER = {"": 0} | ABILITY_NUMBER
SQUARE_NUMBER = {square: number for number, square in enumerate(SQUARES)}
PHASE_NUMBER = {phase: number for number, phase in enumerate(PHASES)}
VERB_NUMBER = {verb: number for number, verb in enumerate(VERBS)}
NUMBERS_OF = {      # argument of a move -> word -> number
    "type": TYPE_NUMBER,
    "ability": ABILITY_NUMBER,
    **dict.fromkeys(("square", "source", "target"), SQUARE_NUMBER),
}
WORDS_OF = {name: {i: word for word, i in words.items()} for name, words in NUMBERS_OF.items()}
# Most destinations of a figure: on an open board, and for a pawn when both strikes hit.
MOST_TARGETS = {"pawn": 4, "knight": 8, "bishop": 13, "rook": 14, "queen": 27, "king": 8}
SQUARE = "a square a0 to h9 is expected"
VALIDITY = "R13.4"


# --- names of the numbers in reasons --------------------------------------------------------------

def listed(mask):
    """The types of a set."""
    return [kind for kind, number in TYPE_NUMBER.items() if mask >> number & 1]


def choice_name(numbers):
    """A set of abilities, and a second set from the next byte."""
    names = [ability for ability, number in ABILITY_NUMBER.items() if numbers >> number & 1]
    return joined([*names, *[ABILITIES[(numbers >> 8) - 1]] * (numbers > 255)])


def zones_name(numbers):
    """Five counts of seven bits."""
    names = ("board", "unplaced", "stock", "dead", "being placed")
    return ", ".join(f"{name} {numbers >> 7 * i & 127}" for i, name in enumerate(names))


def figure_name(number):
    """A figure with what is said of it: `a fresh pawn of White`, `a rook of Black with protect`."""
    figure = figure_view(number, "")
    said = "fresh " * figure["is_fresh"] + "moved " * figure["has_moved"]
    held = f" with {figure['ability']}" if figure["ability"] else ""
    return f"a {said}{figure['type']} of {SIDES[figure['seat']]}{held}"


NUMBERS = Numbers(
    type=lambda number: TYPES[number - 1],
    types=lambda mask: ", ".join(listed(mask)) or "none",
    any_type=lambda mask: joined(listed(mask), "or"),
    counted=lambda number: figures_name(TYPES[(number & 7) - 1], number >> 3),
    figure=figure_name,
    ability=lambda number: ABILITIES[number - 1],
    abilities=choice_name,
    square=SQUARES.__getitem__,
    credits=partial(counted, noun="credit"),
    moves=partial(counted, noun="move"),
    moved=partial(counted, noun="moved figure"),
    side=lambda seat: SIDES[seat + 1],
    setup_rows=lambda seat: ("1 and 2", "7 and 8")[seat],
    zones=zones_name,
    phase=lambda number: NODE_NAMES[PHASES[min(number, PHASE_WON_WHITE)]],
    node=lambda number: PHASES[min(number, PHASE_WON_WHITE)],
    actions=lambda mask: joined([str(i) for i in range(5) if mask >> i & 1], "or"),
    tally=[*TALLIES].__getitem__,
)


cdef class Chessault(ViewGame):
    """The rules with their options, see `option_help`."""

    cdef Rules rules

    name = "chessault"
    title = "Chessault"
    tag = "chs"
    rules_version = "1"
    seat_counts = (2,)
    option_help = OPTIONS.help
    choices = OPTIONS
    notation_help = notation.HELP
    is_tactical = True
    prior_temperature = 0.05
    reads_lines = True
    handicaps = (1.0, 0.8, 0.69, 0.6, 0.52, 0.44, 0.35, 0.22, 0.08)
    has_move_rolls = True
    side_marks = (r"\b[A-Z]\b(?=.*\|)", r"\b[a-z]\b(?=.*\|)")
    search_width = 3
    notation = notation
    words = words
    form_rules = (notation.FORM, notation.FORM, "R13.5")
    line_fields = dict.fromkeys(notation.PATHS, notation.FORM)
    compares_lines = False
    reasons = FAULTS | ILLEGALITIES
    numbers = NUMBERS
    all_features = FEATURE_NAMES

    def __init__(self, **options):
        cdef State state
        self.options = OPTIONS.checked(options)
        supply = SUPPLIES[self.options["supply"]]
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.observer_at = <char*>&state.observer - <char*>&state
        self.playout_plies = PLAYOUT_PLIES
        self.num_features = len(FEATURE_NAMES)
        self.num_actions = NUM_ACTIONS
        self.rules.max_turns = int(self.options["max_turns"])
        for kind, number in TYPE_NUMBER.items():
            self.rules.supply[<int>number] = supply[kind]
        # MOVE lists the most. R13.4 lets a line have rolled all six types (D50) and no side more of
        # a type than its supply (R3.2), whatever was promoted or converted. So this holds for every
        # valid state: 164, or 266 with twice the figures. PLACE lists 16 at most, SACRIFICE a
        # figure each, ACTION 19, DICE 42.
        self.max_moves = sum(count * MOST_TARGETS[kind] for kind, count in supply.items())

    # --- the C contract -----------------------------------------------------------------------

    cdef void start(self, void* state) noexcept nogil:
        chs_start(&self.rules, <State*>state)

    cdef int node(self, const void* state) noexcept nogil:
        return chs_node(<const State*>state)

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        return chs_legal_moves(<const State*>state, out)

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        return chs_outcomes(<const State*>state, out, probabilities)

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        return chs_sample(<const State*>state, rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        chs_apply(&self.rules, <State*>state, move)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        chs_returns(<const State*>state, out)

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        memcpy(out, state, sizeof(State))
        (<State*>out).observer = seat + 1

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        """R14.2: nothing is hidden, so the state is the only one."""
        memcpy(out, observation, sizeof(State))
        (<State*>out).observer = NOBODY

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return chs_policy_move(<const State*>state, rng)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        chs_evaluate(&self.rules, <const State*>state, out)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        return chs_features(&self.rules, <const State*>state, seat, out)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return chs_action_index(move)

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return chs_action_at(index)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return chs_playout(&self.rules, <State*>state, max_plies, rng, out)

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        return chs_check_state(&self.rules, <const State*>state, out)

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        return chs_check_move(<const State*>state, move, out)

    def outcome_at(self, bytes state, double point) -> int:
        """Roll three dice (R12.1): a point gives the same faces whichever types are movable."""
        return outcome_of(<const State*>self.pointer(state), <int>(point * 216))

    def chance_source(self, bytes state) -> str:
        """Each seat has its own dice."""
        return f"roll:p{self.chance_seat(state) + 1}"

    def chance_seat(self, bytes state) -> int:
        return (<const State*>self.pointer(state)).side

    def tells_effects(self, bytes state) -> bool:
        """Dice decide attacks and credits."""
        return True

    def terms_of(self, bytes state) -> list:
        """The terms of the evaluation, a list for each seat; see evaluation.pyx.

        Empty if a king may be killed in this turn: terms alone don't say then what is good.
        """
        cdef const State* s = <const State*>self.pointer(state)
        cdef double[NUM_TERMS] terms
        found = []
        for seat in range(2):
            memset(terms, 0, sizeof(terms))
            if chs_add_terms(&self.rules, s, seat, 1, terms) > 0:
                return []
            found.append([terms[i] for i in range(NUM_TERMS)])
        return found

    # --- moves --------------------------------------------------------------------------------

    def resolve(self, bytes state, uint32_t move) -> int:
        """R12.5: convert the faces of real dice to their outcome."""
        cdef const State* s = <const State*>self.pointer(state)
        if verb_of(move) != VERB_FACES or s.phase != PHASE_DICE:
            return move
        return outcome_of_faces(s, move)

    def pack_move(self, Fields fields not None) -> int:
        cdef int verb = fields.code("verb", VERB_NUMBER)
        names = ARGUMENTS.get(VERBS[verb], ())
        if names == ("types",):
            return verb | packed_roll(fields, VERBS[verb]) << 8
        for place, name in enumerate(names, 1):
            wanted = SQUARE if NUMBERS_OF[name] is SQUARE_NUMBER else ""
            verb |= <int>fields.code(name, NUMBERS_OF[name], wanted) << 8 * <int>place
        return verb

    @cython.boundscheck(True)   # the number may be no move
    def move_view(self, uint32_t move) -> dict:
        parts = [move >> 8 & 255, move >> 16 & 255, move >> 24]
        verb = VERBS[verb_of(move)]
        if verb == "dice":
            return {"verb": verb, "types": listed(parts[0])}
        if verb == "faces":
            return {"verb": verb, "types": [TYPES[part - 1] for part in parts]}
        names = ARGUMENTS.get(verb, ())
        return {"verb": verb} | {name: WORDS_OF[name][part] for name, part in zip(names, parts)}

    # --- positions and observations -----------------------------------------------------------

    def pack(self, Fields fields not None) -> bytes:
        cdef Fields mark
        cdef State state
        cdef State* s = &state
        memset(s, 0, sizeof(State))
        s.observer = fields.observer(2, "R13.5")
        s.turn = amount(fields, "turn", MOST_TURNS)
        s.side = fields.number("active", 1, 2) - 1
        s.action = fields.number("action", 0, len(ACTIONS) - 1)
        pack_figures(fields, s)
        pack_players(fields, s)
        pool, tally = fields.record("pool"), fields.record("tally")
        for ability, number in ABILITY_NUMBER.items():
            s.pool[<int>number] = amount(pool, ability)
        for i, mark in enumerate(fields.records("marks", MOST_MARKS, VALIDITY)):
            if mark.has("converter"):
                s.marks[<int>i].converter = packed_mark(mark, "converter")
            s.marks[<int>i].target = packed_mark(mark, "target")
        s.moves = amount(tally, "moves")
        s.kills = amount(tally, "kills")
        s.reaches = amount(tally, "reaches")
        s.king_moves = amount(tally, "king_moves")
        pack_node(fields.record("node"), s)
        return (<char*>s)[:sizeof(State)]

    cdef bint write_line(self, const void* state, Writer* out) except -1:
        chs_write_line(<const State*>state, out)
        return True

    cdef int read_line(self, Reader* given, void* state) except -1:
        chs_read_line(given, <State*>state)
        return 0

    @cython.binding(True)
    @classmethod
    def tidied(cls, dict view) -> dict:
        """The order of figures has no meaning, and every pawn on a line is fresh."""
        figures = [
            {**figure, "is_fresh": True}
            if figure["type"] == "pawn" and figure["square"][1] in "09" else figure
            for figure in view.get("figures") or ()
        ]
        return view | {"figures": sorted(figures, key=lambda f: SQUARE_NUMBER[f["square"]])}

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cdef int seat, i
        return {
            "figures": figures_view(s),
            "active": s.side + 1,
            "turn": s.turn,
            "action": s.action,
            "node": node_view(s),
            "players": [player_view(s, seat) for seat in range(2)],
            "pool": {ability: s.pool[i] for i, ability in enumerate(ABILITIES, 1)},
            "marks": [
                {
                    "converter": SQUARES[s.marks[i].converter] if s.marks[i].converter else "",
                    "target": SQUARES[s.marks[i].target],
                }
                for i in range(MOST_MARKS) if s.marks[i].target != NO_SQUARE
            ],
            "tally": {
                "moves": s.moves,
                "kills": s.kills,
                "reaches": s.reaches,
                "king_moves": s.king_moves,
            },
        }

    def view_for_words(self, bytes state) -> dict:
        """The view with results of the compiled rules.

        Adds the seats `in_check`, the types `movable` by a roll, and the squares `hit` if the
        figure that may be used explodes.
        """
        cdef const State* s = <const State*>self.pointer(state)
        cdef uint64_t hit = 0
        kings = [seat for seat in range(2) if of_type(s, KING) & owned_squares(s, seat)]
        hit_squares = []
        if s.phase == PHASE_ACTIVATE:
            hit = REACH[s.square].king & occupied_squares(s)
            while hit:
                hit_squares.append(SQUARES[pop_lowest(&hit) + 8])
            for seat in range(2):
                hit = line_in_radius(s, s.square, seat)
                while hit:
                    hit_squares.append(SQUARES[pop_lowest(&hit) + 8 * line_row(seat)])
        return self.flat_view(state) | {
            "in_check": [seat + 1 for seat in kings if is_checked(s, seat)],
            "movable": listed(movable_types(s)),
            "hit": hit_squares,
        }


# --- structs to views -------------------------------------------------------------------------

cdef list figures_view(const State* s):
    cdef int square, figure
    figures = []
    for square in range(NUM_SQUARES):
        figure = figure_at(s, square)
        if figure:
            figures.append(figure_view(figure, SQUARES[square]))
    return figures


cdef dict figure_view(int figure, str square):
    return {
        "square": square,
        "seat": owner_of(figure) + 1,
        "type": TYPES[type_of(figure) - 1],
        "ability": ABILITIES[ability_of(figure) - 1] if ability_of(figure) else "",
        "is_fresh": bool(figure & FIGURE_FRESH),
        "has_moved": bool(figure & FIGURE_MOVED),
    }


cdef dict player_view(const State* s, int seat):
    return {
        "is_done": bool(s.done >> seat & 1),
        "credits": s.credits[seat],
        "unplaced": counts_view(s.unplaced[seat]),
        "stock": counts_view(s.stock[seat]),
        "dead": counts_view(s.dead[seat]),
    }


cdef dict counts_view(const unsigned char* counts):
    return {kind: counts[number] for kind, number in TYPE_NUMBER.items() if counts[number]}


cdef dict node_view(const State* s):
    if s.phase >= PHASE_WON_WHITE:
        return {"type": "end", "winner": WINNERS[s.phase - PHASE_WON_WHITE]}
    node = {"type": PHASES[s.phase]}
    if s.phase == PHASE_PLACE:
        node["figure"] = TYPES[s.placing - 1]
    elif s.phase == PHASE_MOVE:
        node["types"] = listed(s.rolled)
    elif s.phase >= PHASE_PROMOTE:
        node["square"] = SQUARES[s.square]
        if s.phase == PHASE_KEEP:
            node["kinds"] = [
                ability for i, ability in enumerate(ABILITIES, 1) if s.offer >> i & 1]
    return node


# --- views to structs -------------------------------------------------------------------------

cdef int amount(Fields fields, str name, int most=MOST_COUNT) except -1:
    """Read a number, limited so that it fits; `check_state` refuses any above `most`."""
    fields.number(name, 0, MOST_CREDITS)
    return fields.number(name, 0, most, VALIDITY)


cdef int pack_figures(Fields fields, State* s) except -1:
    """Set the figures; refuse figures that are impossible on their squares, as they may not fit."""
    cdef Fields figure
    cdef Refusal found
    cdef int square, number
    taken = set()
    for figure in fields.records("figures", NUM_SQUARES):
        square = figure.code("square", SQUARE_NUMBER, SQUARE)
        if square in taken:
            raise figure.refusal("square", "no two figures stand on one square")
        taken.add(square)
        number = figure_of(figure.code("type", TYPE_NUMBER), figure.number("seat", 1, 2) - 1)
        number |= <int>figure.code("ability", HELD_NUMBER) << ABILITY_SHIFT
        if figure.flag("is_fresh") or type_of(number) == PAWN and not is_on_board(square):
            number |= FIGURE_FRESH
        if figure.flag("has_moved"):
            number |= FIGURE_MOVED
        if chs_figure_fault(square, number, &found):
            raise NUMBERS.refusal(FAULTS[found.code], found.numbers, fields.path(""))
        put(s, square, number)
    return 0


cdef int pack_players(Fields fields, State* s) except -1:
    cdef Fields player
    cdef int seat = 0
    for player in fields.records("players", 2):
        s.done |= <int>player.flag("is_done") << seat
        s.credits[seat] = player.number("credits", 0, MOST_CREDITS)
        pack_counts(player.record("unplaced"), s.unplaced[seat])
        pack_counts(player.record("stock"), s.stock[seat])
        pack_counts(player.record("dead"), s.dead[seat])
        seat += 1
    if seat != 2:
        raise fields.refusal("players", "there are two, White and Black", f"{seat} of them")
    return 0


cdef int pack_counts(Fields counts, uint8_t* out) except -1:
    for kind, number in TYPE_NUMBER.items():
        out[<int>number] = amount(counts, kind)
    return 0


cdef int packed_mark(Fields mark, str name) except -1:
    """Read a square of a mark; the struct has room for those of rows 1 to 8."""
    cdef int square = mark.code(name, SQUARE_NUMBER, SQUARE)
    if not is_on_board(square):
        wanted = f"the {name} of a mark is a figure on rows 1 to 8"
        raise mark.refusal(name, wanted, rule=VALIDITY)
    return square


cdef int pack_node(Fields node, State* s) except -1:
    s.phase = node.code("type", PHASE_NUMBER)
    if s.phase == PHASE_WON_WHITE:
        s.phase += WINNERS.index(node.number("winner", 0, 2))
    elif s.phase == PHASE_PLACE:
        s.placing = node.code("figure", TYPE_NUMBER)
    elif s.phase == PHASE_MOVE:
        s.rolled = packed_set(node, "types", TYPE_NUMBER)
    elif s.phase >= PHASE_PROMOTE:
        s.square = node.code("square", SQUARE_NUMBER, SQUARE)
        if s.phase == PHASE_KEEP:
            s.offer = packed_set(node, "kinds", ABILITY_NUMBER)
    return 0


cdef int packed_set(Fields fields, str name, codes) except -1:
    cdef int mask = 0
    for number in fields.codes(name, codes, len(codes)):
        mask |= 1 << <int>number
    if mask == 0:
        raise fields.refusal(name, "at least one is expected")
    return mask


cdef long packed_roll(Fields fields, str verb) except -1:
    """Read the types of an outcome, once each in their order, or the three faces of the dice."""
    is_faces = verb == "faces"
    wanted = (
        "the types on the three faces of the dice are expected, in any order" if is_faces else
        "at most three types are expected, once each in the order pawn, knight, bishop, rook, "
        "queen, king; three faces as they fell have the verb faces")
    rule = "R12.5" if is_faces else "R12.4"
    numbers = fields.codes("types", TYPE_NUMBER, 3, wanted, rule)
    if len(numbers) != 3 if is_faces else numbers != sorted(set(numbers)):
        raise fields.refusal("types", wanted, rule=rule)
    if is_faces:
        return sum(number << 8 * die for die, number in enumerate(numbers))
    return sum(1 << number for number in numbers)
