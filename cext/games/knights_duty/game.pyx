"""A Knight's Duty as a `Game`: the C contract, and packing between views and structs.

state.pxd defines the packing of moves. Notation and words work on views, not on structs.
"""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from kingmaker.cext.game cimport CHANCE, TERMINAL
from kingmaker.cext.rng cimport bitgen_t

from ...fields cimport Fields
from ...game cimport Refusal
from ...view_game cimport ViewGame
from .actions cimport Actions, kd_action_index, list_actions
from .combat cimport earliest, fighter, hearts_of, in_reach, sharing, shields_of
from .features cimport kd_features, kd_num_features
from .knowledge cimport kd_determinize, kd_history, kd_observe
from .legal cimport kd_legal_moves, kd_outcomes, kd_sample
from .policy cimport kd_evaluate, kd_likely_world, kd_playout, kd_policy_move
from .reasons cimport kd_check_move, kd_check_state
from .rules cimport kd_apply, kd_returns, kd_start
from .spaces cimport lay_out, space_at
from .state cimport (
    BOW, EMPTY, HIDDEN, NOWHERE, NO_TARGET, NW, OUT, SEATS, SLOTS, STAGE_CLAIM, STAGE_CLAN,
    STAGE_DRAW, STAGE_END, STAGE_INSPIRE, STAGE_ORDER, STAGE_PLACE, STAGE_STEP, STAGE_TARGET, STAY,
    SWORD, Rules, State, chosen, move_of, reach, space_between, verb_of)
from .steps cimport contenders, destination, movers, possible_steps
from .turn_terms cimport MAX_ACTIVE, NUM_TERMS, begins_turn, turn_terms

# Variables of C: the modules of a wheel look all others up by name at each use.
cdef dict ANSWER_CODES, BARE_TARGETS, HEART_CODES, MOVE_CODES, REACHES, STAGE_CODES
cdef dict TOKEN_CODES, VERB_CODES, WEAPON_CODES, WORK
cdef object CHOICES, HEARTS, INSPIRATIONS, LISTS, STAGES, TOKENS, choice_name

from itertools import groupby, zip_longest

from kingmaker.cext.reasons import seats_of

from . import notation as lines
from . import words as sentences
from .features import FEATURE_NAMES
from .names import (
    CHOICES, HEARTS, INSPIRATIONS, LISTS, NUMBERS, STAGES, TOKENS, choice_name, codes)
from .options import OPTIONS
from .reasons import REASONS

cdef enum:
    # With two seats the value of the next turn's beginning is fitted to results. Otherwise games of
    # the policy are short, and their results are more accurate than the evaluation: with four seats
    # 0 (to the end) wins more than 40.
    DUEL_PLIES = 1
    PLAYOUT_PLIES = 0

REACHES = {TOKENS[weapon]: reach(weapon) for weapon in range(SWORD, BOW + 1)}
CORNERS = {  # by arena and number of players (R3.1)
    "hex": {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)},
    "square": {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)},
}

STAGE_CODES = codes(STAGES)
HEART_CODES = codes(HEARTS)
WEAPON_CODES = codes(TOKENS[:BOW + 1])
TOKEN_CODES = codes(TOKENS, hides=True)
ANSWER_CODES = codes(CHOICES["inspire"], hides=True)
# Of moves; hidden choices have a token too (R12.1, R12.3).
MOVE_CODES = {verb: codes(words, hides=verb not in ("clan", "draw"), takes_none=False)
              for verb, words in CHOICES.items()}
VERB_CODES = codes(tuple(CHOICES))
BARE_TARGETS = codes(CHOICES["target"], hides=True)
WORK = {  # a field of a view -> the stages that have it (R13.3)
    "steps": ("step", "claim"), "claims": ("claim",),
    "targets": ("target", "order"), "orders": ("order",),
    "attacks": ("inspire", "draw"), "waiting": ("inspire", "draw"),
    "attacker_inspiration": ("inspire", "draw"), "target_inspiration": ("draw",),
    "winners": ("end",),
}


cdef class KnightsDuty(ViewGame):
    """The rules with their options, see `option_help`."""

    cdef Rules rules
    cdef Actions actions
    cdef dict arena     # the part that pictures show

    name = "knights_duty"
    title = "A Knight's Duty"
    tag = "kd"
    rules_version = "1"
    seat_counts = (2, 3, 4, 5, 6)
    option_help = OPTIONS.help
    notation_help = lines.HELP
    choices = OPTIONS
    players_rule = "R1.1"
    notation = lines
    line_fields = dict.fromkeys(lines.PATHS, "R13.6a")
    implied = {"node": "R13.6g"}
    words = sentences
    form_rules = ("R13.1", "R13.3", "R13.5")
    canonical_rule = "R13.6a"
    reasons = REASONS
    numbers = NUMBERS
    all_features = FEATURE_NAMES
    is_hidden = True
    needs_mixing = True
    expansion = 8
    handicaps = (0.63, 0.58, 0.54, 0.51, 0.47, 0.42, 0.35, 0.27, 0.15)

    def __init__(self, **options):
        self.options = OPTIONS.checked(options)
        values = OPTIONS.values(self.options)
        self.num_seats = values["players"]
        self.state_bytes = sizeof(State)
        self.observer_at = <size_t>&(<State*>NULL).observer
        self.playout_plies = DUEL_PLIES if self.num_seats == 2 else PLAYOUT_PLIES
        self.max_moves = 9      # steps in a square arena
        lay_out(&self.rules.arena, values["arena"] == "square", values["radius"])
        for seat, corner in enumerate(CORNERS[values["arena"]][self.num_seats]):
            self.rules.start[seat] = self.rules.arena.corners[corner]
        self.rules.turn_limit = values["turn_limit"]
        self.rules.num_seats = self.num_seats
        self.rules.num_tokens = EMPTY - (values["empty_slots"] == "off")
        self.rules.chooses_clans = values["clans"] == "choose"
        self.rules.has_agreements = values["agreements"] == "on"
        self.rules.blocks_swaps = values["swap"] == "block"
        self.rules.inspires_openly = values["inspire"] == "open"
        list_actions(&self.rules, &self.actions)
        self.num_features = kd_num_features(self.num_seats)
        self.num_actions = self.actions.number
        spaces = [space_of(&self.rules, space) for space in range(self.rules.arena.num_spaces)]
        self.arena = {
            "rows": [list(row) for _, row in groupby(spaces, key=lambda space: space[1])],
            "corners": [spaces[self.rules.arena.corners[corner]]
                        for corner in range(self.rules.arena.num_corners)],
            "reaches": REACHES,
        }

    @property
    def anchor_weight(self) -> float:
        # With a low weight several Knights wait for each other: against three greedy bots, which do
        # little else, it wins 32 % of the games of four seats, with this weight 62 %.
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

    cdef void likely_world(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        kd_likely_world(&self.rules, <const State*>observation, rng, <State*>out)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        """R12.3. It holds too for the last choice of a group, which turns all choices up."""
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

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        return kd_features(&self.rules, <const State*>state, seat, out)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return kd_action_index(&self.actions, move)

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return self.actions.move_at[index]

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        return kd_history(&self.rules, <const State*>state, <State*>root, out)

    def chance_source(self, bytes state) -> str:
        """Each attacker draws from its own piles (R9.1)."""
        return f"draw:p{self.chance_seat(state) + 1}"

    def chance_seat(self, bytes state) -> int:
        """The attacker of the combat (R9.1)."""
        return fighter(&self.rules, <const State*>self.pointer(state))

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        return kd_check_state(&self.rules, <const State*>state, out)

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        return kd_check_move(&self.rules, <const State*>state, move, out)

    def terms_of(self, bytes state) -> list:
        """The terms of the value of a turn's beginning with two seats; see turn_terms.pxd.

        A list for each seat; empty for other states.
        """
        cdef const State* s = <const State*>self.pointer(state)
        cdef int[MAX_ACTIVE] active
        cdef int seat, i
        if self.num_seats != 2 or not begins_turn(s):
            return []
        found = []
        for seat in range(2):
            terms = [0.0] * NUM_TERMS
            for i in range(turn_terms(&self.rules, s, seat, active)):
                terms[active[i]] = 1.0
            found.append(terms)
        return found

    # --- words ----------------------------------------------------------------------------------

    def scene(self, bytes state) -> dict:
        """Return facts that the compiled rules derive, for words and pictures; seats from 1."""
        return self.arena | scene_of(&self.rules, <const State*>self.pointer(state))

    def render(self, bytes state) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        scene = self.scene(state)
        scene["within"] = within(&self.rules, s, scene["shown"] - 1) if scene["reach"] else set()
        return sentences.render(self.flat_view(state), scene)

    def describe_move(self, bytes state, uint32_t move) -> str:
        self.token(move)   # refuses a number that is no move
        return sentences.describe_move(
            self.flat_view(state), self.move_view(move), self.scene(state))

    # --- views to moves and states ----------------------------------------------------------------

    def pack_move(self, Fields fields not None) -> int:
        verb = fields.code("verb", VERB_CODES)
        value = fields.code("choice", MOVE_CODES[STAGES[verb]])
        if verb == STAGE_TARGET and self.num_seats < value < NO_TARGET:
            raise fields.refusal("choice", f"the seats are p1 to p{self.num_seats}")
        return move_of(verb, value)

    def pack(self, Fields fields not None) -> bytes:
        cdef Fields player
        cdef State s
        cdef Refusal found
        cdef int seat
        memset(&s, 0, sizeof(State))
        memset(s.space, NOWHERE, sizeof(s.space))
        s.turn = fields.number("turn", 1, self.rules.turn_limit, "R13.6a")
        s.slot = fields.number("slot", 0, SLOTS, "R13.6a")
        node = fields.record("node")
        s.stage = node.code("type", STAGE_CODES)
        s.node = (
            CHANCE if s.stage == STAGE_DRAW else TERMINAL if s.stage == STAGE_END else
            node.seat("seat", self.num_seats, "R13.6g"))
        s.observer = fields.observer(self.num_seats, "R13.5")
        for seat, player in enumerate(fields.records("players", self.num_seats)):
            pack_player(player, seat, &self.rules, &s)
        pack_work(fields, &self.rules, &s)
        if kd_check_state(&self.rules, &s, &found) == 0:
            s.left = still_asked(&self.rules, &s)
        return (<char*>&s)[:sizeof(State)]

    # --- states to views --------------------------------------------------------------------------

    @cython.boundscheck(True)   # the number may be no move
    def move_view(self, uint32_t move) -> dict:
        return {"verb": STAGES[verb_of(move)], "choice": choice_name(move)}

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cdef int seat
        view = {
            "turn": s.turn,
            "slot": s.slot,
            "node": {"type": STAGES[s.stage]},
            "players": [player_view(&self.rules, s, seat) for seat in range(self.num_seats)],
        }
        view |= work_view(&self.rules, s)
        view["winners"] = seats_of(s.winners)
        return view


cdef tuple space_of(const Rules* rules, int space):
    return rules.arena.q[space], rules.arena.r[space]


cdef list in_order(const Rules* rules, const State* s, int seats):
    """List seats from 1, in initiative order."""
    cdef int seat
    found = []
    while seats:
        seat = earliest(rules, s, seats)
        found.append(seat + 1)
        seats &= ~(1 << seat)
    return found


# --- structs to views -----------------------------------------------------------------------------

cdef dict player_view(const Rules* rules, const State* s, int seat):
    cdef int slot
    view = {
        "heart": HEARTS[s.heart[seat]],
        "weapon": TOKENS[s.weapon[seat]],
        "inspiration_up": bool(s.up >> seat & 1),
        "tracker": [] if s.heart[seat] == OUT else [
            choice_name(move_of(STAGE_PLACE, s.tokens[slot][seat])) for slot in range(SLOTS)],
    }
    if s.space[seat] != NOWHERE:
        q, r = space_of(rules, s.space[seat])
        view["space"] = {"q": q, "r": r}
    return view


cdef list choice_views(const uint8_t* values, int seats, int verb):
    """The choices of some seats; empty texts for seats without one."""
    return [{"seat": seat + 1, "choice": choice_name(move_of(verb, values[seat]))}
            for seat in range(SEATS) if seats >> seat & 1]


cdef dict work_view(const Rules* rules, const State* s):
    """The items of the last field of a line."""
    cdef int steps = chosen(s.choice) if s.stage in (STAGE_STEP, STAGE_CLAIM) else 0
    cdef int targets = chosen(s.choice) if s.stage in (STAGE_TARGET, STAGE_ORDER) else 0
    cdef int answers = chosen(s.answer)
    cdef int attacker
    if s.stage == STAGE_TARGET:
        targets |= s.left
    view = {
        "steps": choice_views(s.choice, steps, STAGE_STEP),
        "claims": choice_views(s.answer, answers if s.stage == STAGE_CLAIM else 0, STAGE_CLAIM),
        "targets": choice_views(s.choice, targets, STAGE_TARGET),
        "orders": choice_views(s.answer, answers if s.stage == STAGE_ORDER else 0, STAGE_ORDER),
        "attacks": [],
        "waiting": seats_of(s.waiting),
        **dict.fromkeys(INSPIRATIONS, ""),
    }
    if s.stage in (STAGE_INSPIRE, STAGE_DRAW):
        view["attacks"] = [{"attacker": attacker, "target": s.choice[attacker - 1]}
                           for attacker in in_order(rules, s, chosen(s.choice))]
        attacker = fighter(rules, s)
        for key, seat in zip(INSPIRATIONS, (attacker, s.choice[attacker] - 1)):
            view[key] = choice_name(move_of(STAGE_INSPIRE, s.answer[seat]))
    return view


cdef dict scene_of(const Rules* rules, const State* s):
    """Return facts that follow from a state; without those that its stage lacks."""
    cdef int shown = fighter(rules, s) if s.stage == STAGE_DRAW else s.node
    cdef const uint8_t* around
    cdef int target
    scene = {"order": in_order(rules, s, s.standing), "shown": max(shown, -1) + 1, "reach": 0}
    if shown >= 0 and s.weapon[shown]:
        scene["reach"] = reach(s.weapon[shown])
        scene["rivals"] = {seat: space_between(rules, s.space[shown], s.space[seat - 1])
                           for seat in seats_of(in_reach(rules, s, shown))}
    if s.stage == STAGE_STEP:
        around = rules.arena.neighbour[s.space[shown]]
        scene["ends"] = {CHOICES["step"][way]: space_of(rules, around[way])
                         for way in range(STAY, NW + 1) if around[way] != NOWHERE}
    elif s.stage == STAGE_CLAIM:
        scene["goals"] = {seat: space_of(rules, destination(rules, s, seat - 1))
                          for seat in seats_of(contenders(rules, s, possible_steps(rules, s)))}
    elif s.stage == STAGE_TARGET:
        scene["piles"] = {seat: pile_of(s, shown, seat - 1) for seat in scene["rivals"]}
    elif s.stage == STAGE_ORDER:
        scene["sharing"] = seats_of(sharing(s))
    elif s.stage in (STAGE_INSPIRE, STAGE_DRAW):
        shown = fighter(rules, s)
        target = s.choice[shown] - 1
        scene["pile"] = pile_of(s, shown, target)
        scene["pile_before"] = 4 - shields_of(s, shown, target), shields_of(s, shown, target)
    return scene


cdef set within(const Rules* rules, const State* s, int seat):
    """The spaces that the weapon of a seat reaches."""
    cdef int space
    return {space_of(rules, space) for space in range(rules.arena.num_spaces)
            if space_between(rules, s.space[seat], space) <= reach(s.weapon[seat])}


cdef tuple pile_of(const State* s, int attacker, int target):
    """Numbers of hearts and shields, with the Inspirations known to be used."""
    return hearts_of(s, attacker, target), shields_of(s, attacker, target)


# --- views to structs -----------------------------------------------------------------------------

cdef int pack_player(Fields player, int seat, const Rules* rules, State* s) except -1:
    cdef int slot
    s.heart[seat] = player.code("heart", HEART_CODES)
    if s.heart[seat] == OUT:
        if player.is_set("space"):
            raise player.refusal("space", "a Knight that is out stands nowhere")
        return 0
    s.standing |= 1 << seat
    s.weapon[seat] = player.code("weapon", WEAPON_CODES)
    s.up |= player.flag("inspiration_up") << seat
    tokens = player.codes("tracker", TOKEN_CODES, SLOTS)
    if len(tokens) != SLOTS:
        raise player.refusal("tracker", "a tracker has three slots")
    for slot in range(SLOTS):
        s.tokens[slot][seat] = tokens[slot]
    if player.is_set("space"):
        s.space[seat] = packed_space(player, rules)
    return 0


cdef int packed_space(Fields player, const Rules* rules) except -1:
    cdef int radius = rules.arena.r[rules.arena.num_spaces - 1]
    cdef Fields fields = player.record("space")
    cdef int q = fields.number("q", -radius, radius, "R13.6b")
    cdef int r = fields.number("r", -radius, radius, "R13.6b")
    space = space_at(&rules.arena, q, r)
    if space == NOWHERE:
        wanted = f"a space lies within {radius} steps of 0,0"
        raise player.refusal("space", wanted, f"{q},{r}", "R13.6b")
    return space


cdef int pack_work(Fields fields, const Rules* rules, State* s) except -1:
    cdef int seat, verb
    stage = STAGES[s.stage]
    for name, stages in WORK.items():
        if fields.has(name) and stage not in stages:
            raise fields.refusal(name, f"there are no {name} at {stage}", rule="R13.6e")
    for verb in (STAGE_STEP, STAGE_CLAIM, STAGE_TARGET, STAGE_ORDER):
        pack_choices(fields, verb, rules.num_seats, s)
    for seat in fields.numbers("waiting", 1, rules.num_seats, rules.num_seats, "R13.6a"):
        s.waiting |= 1 << (seat - 1)
    for seat in fields.numbers("winners", 1, rules.num_seats, rules.num_seats, "R13.6a"):
        s.winners |= 1 << (seat - 1)
    pack_attacks(fields, rules, s)
    return 0


cdef int pack_choices(Fields fields, int verb, int num_seats, State* s) except -1:
    cdef Fields entry
    words = BARE_TARGETS if s.stage == STAGE_TARGET else MOVE_CODES[STAGES[verb]]
    for entry in fields.records(LISTS[STAGES[verb]], num_seats, "R13.6a"):
        seat = entry.number("seat", 1, num_seats, "R13.6a") - 1
        value = entry.code("choice", words, "", "" if entry.has("choice") else "R13.6e")
        if verb == STAGE_TARGET and num_seats < value < NO_TARGET:
            raise entry.refusal("choice", f"the seats are p1 to p{num_seats}", rule="R13.6a")
        if verb == STAGE_STEP or verb == STAGE_TARGET:
            s.choice[seat] = value
            s.left |= (value == 0) << seat
        else:
            s.answer[seat] = value
    return 0


cdef int pack_attacks(Fields fields, const Rules* rules, State* s) except -1:
    """Check the order of the queue, which the struct does not hold."""
    cdef Fields entry
    cdef int attacker
    given = []
    for entry in fields.records("attacks", rules.num_seats, "R13.6a"):
        attacker = entry.number("attacker", 1, rules.num_seats, "R13.6a")
        s.choice[attacker - 1] = entry.number("target", 1, rules.num_seats, "R13.6a")
        given.append(attacker)
    right = in_order(rules, s, chosen(s.choice)) if given else []
    for index, (found, expected) in enumerate(zip_longest(given, right)):
        if found != expected:
            order = ", ".join(f"p{seat}" for seat in right)
            wanted = f"attacks stand in the initiative order of turn {s.turn}, once each: {order}"
            raise fields.refusal(f"attacks[{index}].attacker", wanted, f"p{found}", "R13.6f")
    for index, key in enumerate(INSPIRATIONS):
        value = fields.code(key, ANSWER_CODES)
        if given and value:
            attacker = right[0] - 1
            s.answer[s.choice[attacker] - 1 if index else attacker] = value
    return 0


cdef int still_asked(const Rules* rules, const State* s) noexcept:
    """The seats of a group without a choice, in a valid state."""
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
