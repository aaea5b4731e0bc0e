"""Chessault as a `Game`: the C contract, and packing between views and structs.

A move is packed as state.pxd says. Notation and words work on views and know no struct.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memset
from numpy.random cimport bitgen_t

from ...game cimport Game
from .evaluation cimport chs_evaluate
from .legal cimport chs_legal_moves, chs_outcomes, chs_sample, outcome_of
from .policy cimport chs_playout, chs_policy_move
from .rules cimport chs_apply, chs_node, chs_returns, chs_start, put
from .sets cimport figure_at
from .state cimport (
    ABILITY_SHIFT, FIGURE_FRESH, FIGURE_MOVED, MOST_MARKS, NOBODY, NO_SQUARE, NUM_SQUARES,
    PHASE_KEEP, PHASE_MOVE, PHASE_PLACE, PHASE_PROMOTE, PHASE_WON_WHITE, VERB_FACES, Rules, State,
    ability_of, figure_of, owner_of, type_of, verb_of)

from functools import lru_cache

from . import legality, notation, views, words
from . import moves as tokens
from . import options as choices
from .names import ABILITIES, SQUARE_INDEX, SQUARES, TYPES

cdef enum:
    # Measured at equal time: 3 and 30 are about as good. 40 wins seven of eight games against
    # playouts to the end.
    PLAYOUT_PLIES = 10

# Types of node by `Phase`; the three ends are "end".
PHASES = ("setup", "place", "sacrifice", "action", "dice", "move", "promote", "keep", "activate",
          "end")
WINNERS = (1, 2, 0)     # from PHASE_WON_WHITE on
TYPE_NUMBER = {kind: number for number, kind in enumerate(TYPES, 1)}
ABILITY_NUMBER = {"": 0} | {ability: number for number, ability in enumerate(ABILITIES, 1)}
# No figure has more destinations on an open board, nor a pawn than when both its strikes hit.
MOST_TARGETS = {"pawn": 4, "knight": 8, "bishop": 13, "rook": 14, "queen": 27, "king": 8}


@lru_cache(maxsize=128)
def rules_of(kind: type[Game], options: tuple[tuple[str, str], ...]) -> Game:
    """Return the game that a line is of; having no state, one serves all lines."""
    return kind(**dict(options))


cdef class Chessault(Game):
    """The rules with their options, see `option_help`."""

    cdef Rules rules

    name = "chessault"
    title = "Chessault"
    tag = "chs"
    rules_version = "1"
    seat_counts = (2,)
    option_help = choices.HELP
    notation_help = tokens.NOTATION_HELP
    is_tactical = True
    handicaps = (0.91, 0.69, 0.54, 0.475, 0.423, 0.377, 0.331, 0.274, 0.181)
    has_offers = True
    search_width = 3

    def __init__(self, **options):
        self.options = choices.checked(options)
        values = choices.values(self.options)
        supply = choices.supply(values)
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.playout_plies = PLAYOUT_PLIES
        self.rules.max_turns = values["max_turns"]
        pack_counts(supply, self.rules.supply)
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
        """R14.2: there is but one."""
        memcpy(out, observation, sizeof(State))
        (<State*>out).observer = NOBODY

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return chs_policy_move(<const State*>state, rng)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        chs_evaluate(&self.rules, <const State*>state, out)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return chs_playout(&self.rules, <State*>state, max_plies, rng, out)

    def outcome_at(self, bytes state, double point) -> int:
        """Roll three dice (R12.1): a point is the same faces, whatever can be moved by them."""
        return outcome_of(<const State*>self.pointer(state), <int>(point * 216))

    def chance_source(self, bytes state) -> str:
        """Each seat has its own dice."""
        return f"roll:p{(<const State*>self.pointer(state)).side + 1}"

    # --- moves --------------------------------------------------------------------------------

    def move_view(self, uint32_t move) -> dict:
        return tokens.view(move)

    def move_text(self, uint32_t move) -> str:
        return tokens.move_text(tokens.view(move))

    def parse_move(self, str text) -> int:
        return tokens.number(tokens.parse_move(text))

    def resolve(self, bytes state, uint32_t move) -> int:
        """R12.5: faces of real dice become the outcome that they come to."""
        if verb_of(move) != VERB_FACES:
            return move
        return tokens.number(views.resolved(self.view(state), tokens.view(move)))

    @classmethod
    def move_view_text(cls, dict view) -> str:
        return tokens.move_text(view)

    # --- positions and observations -----------------------------------------------------------

    @classmethod
    def parse_position(cls, str text) -> tuple:
        return cls._packed(notation.parse_position(text))

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        return cls._packed(notation.parse_observation(text))

    @classmethod
    def _packed(cls, dict view) -> tuple:
        """Return (game, struct) of a valid view."""
        cdef State state
        game = rules_of(cls, tuple(choices.texts(view["options"]).items()))
        pack(view, &state)
        return game, (<char*>&state)[:sizeof(State)]

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cdef int seat, i
        view = {
            "options": choices.values(self.options),
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
        if s.observer != NOBODY:
            view["observer"] = s.observer
        return view

    @classmethod
    def view_text(cls, dict view) -> str:
        return notation.view_text(view)

    def observer_of(self, bytes state):
        cdef const State* s = <const State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1

    # --- words --------------------------------------------------------------------------------

    def why_illegal(self, bytes state, uint32_t move) -> tuple:
        return legality.why_illegal(self.view(state), self.move_view(move))

    def render(self, bytes state) -> str:
        return words.render(self.view(state))

    def describe_move(self, bytes state, uint32_t move) -> str:
        return words.describe_move(self.view(state), self.move_view(move))

    def describe_anywhere(self, uint32_t move) -> str:
        return words.describe_anywhere(self.move_view(move))

    def changes(self, bytes before, bytes after, int seat) -> list:
        return words.changes(self.view(before), self.view(after), seat + 1)


# --- structs to views -------------------------------------------------------------------------

cdef list figures_view(const State* s):
    cdef int square, figure
    figures = []
    for square in range(NUM_SQUARES):
        figure = figure_at(s, square)
        if figure:
            figures.append({
                "square": SQUARES[square],
                "seat": owner_of(figure) + 1,
                "type": TYPES[type_of(figure) - 1],
                "ability": ABILITIES[ability_of(figure) - 1] if ability_of(figure) else "",
                "is_fresh": bool(figure & FIGURE_FRESH),
                "has_moved": bool(figure & FIGURE_MOVED),
            })
    return figures


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
        node["types"] = [kind for kind, number in TYPE_NUMBER.items() if s.rolled >> number & 1]
    elif s.phase >= PHASE_PROMOTE:
        node["square"] = SQUARES[s.square]
        if s.phase == PHASE_KEEP:
            node["kinds"] = [
                ability for i, ability in enumerate(ABILITIES, 1) if s.offer >> i & 1]
    return node


# --- views to structs -------------------------------------------------------------------------

cdef int pack(dict view, State* s) except -1:
    """Fill the struct from a valid view."""
    cdef int seat, i
    memset(s, 0, sizeof(State))
    s.turn = view["turn"]
    s.side = view["active"] - 1
    s.action = view["action"]
    s.observer = view.get("observer", NOBODY)
    for figure in view["figures"]:
        put(s, SQUARE_INDEX[figure["square"]], packed_figure(figure))
    for seat, player in enumerate(view["players"]):
        s.done |= <int>player["is_done"] << seat
        s.credits[seat] = player["credits"]
        pack_counts(player["unplaced"], s.unplaced[seat])
        pack_counts(player["stock"], s.stock[seat])
        pack_counts(player["dead"], s.dead[seat])
    for ability, count in view["pool"].items():
        s.pool[<int>ABILITY_NUMBER[ability]] = count
    for i, mark in enumerate(view["marks"]):
        s.marks[i].converter = SQUARE_INDEX[mark["converter"]] if mark["converter"] else NO_SQUARE
        s.marks[i].target = SQUARE_INDEX[mark["target"]]
    s.moves = view["tally"]["moves"]
    s.kills = view["tally"]["kills"]
    s.reaches = view["tally"]["reaches"]
    s.king_moves = view["tally"]["king_moves"]
    pack_node(view["node"], s)
    return 0


cdef int packed_figure(dict figure):
    return (figure_of(TYPE_NUMBER[figure["type"]], figure["seat"] - 1)
            | ABILITY_NUMBER[figure["ability"]] << ABILITY_SHIFT
            | (FIGURE_FRESH if figure["is_fresh"] else 0)
            | (FIGURE_MOVED if figure["has_moved"] else 0))


cdef int pack_counts(dict counts, unsigned char* out) except -1:
    for kind, count in counts.items():
        out[<int>TYPE_NUMBER[kind]] = count
    return 0


cdef int pack_node(dict node, State* s) except -1:
    if node["type"] == "end":
        s.phase = PHASE_WON_WHITE + <int>WINNERS.index(node["winner"])
        return 0
    s.phase = PHASES.index(node["type"])
    s.placing = TYPE_NUMBER.get(node.get("figure"), 0)
    s.square = SQUARE_INDEX.get(node.get("square"), 0)
    for kind in node.get("types", ()):
        s.rolled |= 1 << <int>TYPE_NUMBER[kind]
    for ability in node.get("kinds", ()):
        s.offer |= 1 << <int>ABILITY_NUMBER[ability]
    return 0
