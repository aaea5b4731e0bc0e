"""A Knight's Duty as a `Game`: the C contract, and packing between views and structs.

A move is packed as state.pxd says. Notation and words work on views and know no struct.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset
from numpy.random cimport bitgen_t

from kingmaker.cext.game cimport CHANCE, TERMINAL

from ...game cimport Game
from .combat cimport earliest, fighter, sharing
from .knowledge cimport kd_determinize, kd_history, kd_observe
from .legal cimport kd_legal_moves, kd_outcomes, kd_sample
from .policy cimport kd_evaluate, kd_playout, kd_policy_move
from .rules cimport kd_apply, kd_returns, kd_start
from .spaces cimport lay_out, space_at
from .state cimport (
    HIDDEN, NOBODY, NOWHERE, NO_TARGET, OUT, SEATS, SLOTS, STAGE_CLAIM, STAGE_CLAN, STAGE_DRAW,
    STAGE_INSPIRE, STAGE_ORDER, STAGE_PLACE, STAGE_STEP, STAGE_TARGET, Rules, State, chosen,
    move_of, value_of, verb_of)
from .steps cimport contenders, movers, possible_steps

from functools import lru_cache

from kingmaker.cext.errors import InputError

from . import moves as tokens
from . import legality, notation, words
from . import options as choices
from .moves import CHOICES

cdef enum:
    # Games of the policy are short, and their ends tell more than the evaluation: with four seats
    # 0 (to the end) wins more than 40 does.
    PLAYOUT_PLIES = 0

STAGES = ("clan", "place", "step", "claim", "target", "order", "inspire", "draw", "end")
HEARTS = ("out", "full", "broken", "defeated")      # by `Heart`
TOKENS = (*CHOICES["place"], "locked")              # by `Token`
UNSEEN = "?"
CORNERS = {  # by arena and number of players (R3.1)
    "hex": {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)},
    "square": {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)},
}


@lru_cache(maxsize=128)
def rules_of(kind: type[Game], options: tuple[tuple[str, str], ...]) -> Game:
    """Return the game that a line is of; having no state, one serves all lines."""
    return kind(**dict(options))


cdef class KnightsDuty(Game):
    """The rules with their options, see `option_help`."""

    cdef Rules rules

    name = "knights_duty"
    title = "A Knight's Duty"
    tag = "kd"
    rules_version = "1"
    seat_counts = (2, 3, 4, 5, 6)
    option_help = choices.HELP
    notation_help = tokens.NOTATION_HELP
    is_hidden = True
    needs_mixing = True
    handicaps = (1.0, 0.58, 0.49, 0.4, 0.34, 0.29, 0.2, 0.08, 0.01)

    def __init__(self, **options):
        self.options = choices.checked(options)
        values = choices.values(self.options)
        self.num_seats = values["players"]
        self.state_bytes = sizeof(State)
        self.playout_plies = PLAYOUT_PLIES
        self.max_moves = 9      # steps in a square arena
        lay_out(&self.rules.arena, values["arena"] == "square", values["radius"])
        for seat, corner in enumerate(CORNERS[values["arena"]][self.num_seats]):
            self.rules.start[seat] = self.rules.arena.corners[corner]
        self.rules.turn_limit = values["turn_limit"]
        self.rules.num_seats = self.num_seats
        self.rules.num_tokens = len(CHOICES["place"]) - 1 - (values["empty_slots"] == "off")
        self.rules.chooses_clans = values["clans"] == "choose"
        self.rules.has_agreements = values["agreements"] == "on"
        self.rules.blocks_swaps = values["swap"] == "block"
        self.rules.inspires_openly = values["inspire"] == "open"

    @property
    def anchor_weight(self) -> float:
        # With a light one several Knights wait for each other: three greedy ones who do little else
        # are then beaten in 32 % of the games of four seats, with this one in 62 %.
        return 0.03 if self.num_seats == 2 else 0.08

    # --- the C contract -----------------------------------------------------------------------

    cdef void start(self, void* state) noexcept nogil:
        kd_start(&self.rules, <State*>state)

    cdef int node(self, const void* state) noexcept nogil:
        return (<const State*>state).node

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        return kd_legal_moves(&self.rules, <const State*>state, out)

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        return kd_outcomes(&self.rules, <const State*>state, out, probabilities)

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        return kd_sample(&self.rules, <const State*>state, rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        kd_apply(&self.rules, <State*>state, move)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        kd_returns(&self.rules, <const State*>state, out)

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        kd_observe(&self.rules, <const State*>state, seat, <State*>out)

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        kd_determinize(&self.rules, <const State*>observation, rng, <State*>out)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        """R12.3. Also of the last one of a group, which turns all of them up."""
        cdef const State* s = <const State*>state
        cdef int verb = verb_of(move)
        if seat == s.node or verb == STAGE_CLAN or verb == STAGE_DRAW:
            return move
        if verb == STAGE_INSPIRE and self.rules.inspires_openly:
            return move
        return move_of(verb, HIDDEN)

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return kd_policy_move(&self.rules, <const State*>state, rng)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        kd_evaluate(&self.rules, <const State*>state, out)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return kd_playout(&self.rules, <State*>state, max_plies, rng, out)

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        return kd_history(&self.rules, <const State*>state, <State*>root, out)

    def chance_source(self, bytes state) -> str:
        """Each attacker draws from piles of its own (R9.1)."""
        return f"draw:p{fighter(&self.rules, <const State*>self.pointer(state)) + 1}"

    # --- moves --------------------------------------------------------------------------------

    def move_view(self, uint32_t move) -> dict:
        return tokens.view(move)

    def move_text(self, uint32_t move) -> str:
        return tokens.move_text(tokens.view(move))

    def parse_move(self, str text) -> int:
        cdef uint32_t move = tokens.number(tokens.parse_move(text))
        if verb_of(move) == STAGE_TARGET and self.num_seats < value_of(move) < NO_TARGET:
            raise InputError(
                f"{text} in a game of {self.num_seats}; seats are p1 to p{self.num_seats}",
                field="move", value=text, rule="R13.1")
        return move

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
        options = choices.texts(view["options"], len(view["players"]))
        cdef KnightsDuty game = rules_of(cls, tuple(options.items()))
        pack(view, &game.rules, &state)
        return game, (<char*>&state)[:sizeof(State)]

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cdef int seat
        view = {
            "options": choices.values(self.options),
            "turn": s.turn,
            "slot": s.slot,
            "stage": STAGES[s.stage],
            "seat": s.node + 1 if s.node >= 0 else 0,
            "players": [player_view(&self.rules, s, seat) for seat in range(self.num_seats)],
        }
        view |= work_view(&self.rules, s)
        view["winners"] = [seat + 1 for seat in range(SEATS) if s.winners >> seat & 1]
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

cdef dict player_view(const Rules* rules, const State* s, int seat):
    cdef int space = s.space[seat]
    is_out = s.heart[seat] == OUT
    view = {
        "heart": HEARTS[s.heart[seat]],
        "weapon": TOKENS[s.weapon[seat]],
        "inspiration_up": bool(s.up >> seat & 1),
        "tracker": [] if is_out else [text_of(TOKENS, s.tokens[slot][seat])
                                      for slot in range(SLOTS)],
    }
    if space != NOWHERE:
        view["space"] = {"q": rules.arena.q[space], "r": rules.arena.r[space]}
    return view


cdef str text_of(tuple texts, int value):
    return UNSEEN if value == HIDDEN else texts[value]


cdef list choice_views(const uint8_t* values, int seats, str verb):
    """What some seats have chosen; empty texts of those who have not yet."""
    return [{"seat": seat + 1, "choice": text_of(CHOICES[verb], values[seat])}
            for seat in range(SEATS) if seats >> seat & 1]


cdef dict work_view(const Rules* rules, const State* s):
    """The items of the last field of a line."""
    cdef int chosen_seats = chosen(s.choice)
    cdef int answered = chosen(s.answer)
    is_step = s.stage in (STAGE_STEP, STAGE_CLAIM)
    is_target = s.stage in (STAGE_TARGET, STAGE_ORDER)
    is_combat = s.stage in (STAGE_INSPIRE, STAGE_DRAW)
    if s.stage == STAGE_TARGET:
        chosen_seats |= s.left
    view = {
        "steps": choice_views(s.choice, chosen_seats if is_step else 0, "step"),
        "claims": choice_views(s.answer, answered if s.stage == STAGE_CLAIM else 0, "claim"),
        "targets": choice_views(s.choice, chosen_seats if is_target else 0, "target"),
        "orders": choice_views(s.answer, answered if s.stage == STAGE_ORDER else 0, "order"),
        "attacks": attack_views(rules, s) if is_combat else [],
        "waiting": [seat + 1 for seat in range(SEATS) if s.waiting >> seat & 1],
        "attacker_inspiration": "",
        "target_inspiration": "",
    }
    if is_combat:
        attacker = fighter(rules, s)
        target = s.choice[attacker] - 1
        view["attacker_inspiration"] = text_of(CHOICES["inspire"], s.answer[attacker])
        view["target_inspiration"] = text_of(CHOICES["inspire"], s.answer[target])
    return view


cdef list attack_views(const Rules* rules, const State* s):
    """The attacks still to resolve, in initiative order."""
    cdef int left = chosen(s.choice)
    cdef int attacker
    views = []
    while left:
        attacker = earliest(rules, s, left)
        left &= ~(1 << attacker)
        views.append({"attacker": attacker + 1, "target": s.choice[attacker]})
    return views


# --- views to structs -------------------------------------------------------------------------

cdef int value_named(tuple texts, str text) except -1:
    return HIDDEN if text == UNSEEN else texts.index(text)


cdef int pack(dict view, const Rules* rules, State* s) except -1:
    """Fill the struct from a valid view."""
    cdef int seat
    memset(s, 0, sizeof(State))
    memset(s.space, NOWHERE, sizeof(s.space))
    s.turn = view["turn"]
    s.slot = view["slot"]
    s.stage = STAGES.index(view["stage"])
    s.node = view["seat"] - 1 if view["seat"] else (
        CHANCE if s.stage == STAGE_DRAW else TERMINAL)
    s.observer = view.get("observer", NOBODY)
    for seat, player in enumerate(view["players"]):
        pack_player(player, seat, rules, s)
    for winner in view["winners"]:
        s.winners |= 1 << (winner - 1)
    pack_work(view, rules, s)
    s.left = still_asked(rules, s)
    return 0


cdef int pack_player(dict player, int seat, const Rules* rules, State* s) except -1:
    if player["heart"] == "out":
        return 0
    s.standing |= 1 << seat
    s.heart[seat] = HEARTS.index(player["heart"])
    s.weapon[seat] = TOKENS.index(player["weapon"])
    if player["inspiration_up"]:
        s.up |= 1 << seat
    if "space" in player:
        s.space[seat] = space_at(&rules.arena, player["space"]["q"], player["space"]["r"])
    for slot, token in enumerate(player["tracker"]):
        s.tokens[slot][seat] = value_named(TOKENS, token)
    return 0


cdef int pack_work(dict view, const Rules* rules, State* s) except -1:
    for verb in ("step", "target"):
        for item in view[f"{verb}s"]:
            s.choice[item["seat"] - 1] = value_named(CHOICES[verb], item["choice"])
            if not item["choice"]:
                s.left |= 1 << (item["seat"] - 1)
    for verb in ("claim", "order"):
        for item in view[f"{verb}s"]:
            s.answer[item["seat"] - 1] = value_named(CHOICES[verb], item["choice"])
    for waiting in view["waiting"]:
        s.waiting |= 1 << (waiting - 1)
    for attack in view["attacks"]:
        s.choice[attack["attacker"] - 1] = attack["target"]
    if view["attacks"]:
        attack = view["attacks"][0]
        for side in ("attacker", "target"):
            s.answer[attack[side] - 1] = value_named(
                CHOICES["inspire"], view[f"{side}_inspiration"])
    return 0


cdef int still_asked(const Rules* rules, const State* s):
    """The seats of a group that have not chosen yet."""
    cdef int attacker
    if s.stage == STAGE_CLAN or s.stage == STAGE_PLACE:
        return s.standing >> s.node << s.node
    if s.stage == STAGE_STEP:
        return movers(s) & ~chosen(s.choice)
    if s.stage == STAGE_CLAIM:
        return contenders(rules, s, possible_steps(rules, s)) & ~chosen(s.answer)
    if s.stage == STAGE_ORDER:
        return sharing(s) & ~chosen(s.answer)
    if s.stage == STAGE_INSPIRE:
        attacker = fighter(rules, s)
        return s.up & (1 << attacker | 1 << (s.choice[attacker] - 1)) & ~chosen(s.answer)
    return s.left   # TARGET: those packed without a choice
