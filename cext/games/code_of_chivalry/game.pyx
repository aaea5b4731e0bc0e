"""Code of Chivalry as a `Game`: the C contract, and packing between views and structs.

state.pxd defines the packing of moves.
"""

cimport cython
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ...fields cimport Fields
from ...game cimport Refusal
from ...line_text cimport Reader, Writer
from ...net cimport Net
from ...rng cimport bitgen_t
from ...tunable_game cimport TunableGame
from ...view_game cimport NOBODY
from .actions cimport coc_action_at, coc_action_index, coc_num_actions
from .features cimport coc_features, coc_num_features
from .knowledge cimport coc_determinize, coc_is_consistent, coc_observe
from .legal cimport coc_legal_moves, coc_outcomes, coc_sample
from .legality cimport coc_check_move
from .line cimport coc_read_line, coc_write_line
from .multiset cimport copies_of, hidden, kinds, one, pop_kind, size_of
from .past cimport coc_num_ways, coc_retell
from .policy cimport (
    coc_evaluate, coc_playout, coc_policy_move, coc_prior_weights, is_quiet)
from .policy_rows cimport NUM_ROWS
from .rules cimport coc_apply, coc_node, coc_returns, coc_start, next_seat, next_to_show, target_of
from .state cimport (
    AUTO_PASS_PRIVATE, FORT_ARCHER, FORT_CASTLE, FORT_JESTER_SHIFT, FORT_MINSTREL, HIDDEN_CARD,
    MERCHANT, MONK, PEASANT, PHASE_DEAL, PHASE_OVER_GEMS, PHASE_OVER_LIMIT, PHASE_TAKE, PUBLIC,
    SEATS,
    VERB_ATTACK, VERB_DEAL, VERB_DRAW, VERB_GIVE, VERB_SHOW, VERB_SPECIAL, VERB_TAKE,
    VERB_TAX_GEM, Rules, State, is_seen, jesters_of, move_of, peasants_of, role_of, seat_of,
    verb_of)
from .terms cimport NUM_TERMS, coc_terms
from .validity cimport coc_check_state

# Variables of C: the modules of a wheel look all others up by name at each use.
cdef dict ATTACK_CODES, CARD_CODES, FORT_CODES, LADDERS, PAYMENTS, PHASE_CODES, PICK_CODES
cdef dict PLAY_CODES, REASONS_OF_END, VERB_CODES
cdef object CARDS, LADDER_NAMES, PHASES, VERBS

from kingmaker.cext.reasons import seats_of

from . import legality, notation, validity, words
from . import options as choosing
from .cards import (
    ATTACKS, BASE_COUNTS, CARD_INDEX, CARDS, FORTIFICATIONS, HIDDEN, ROLES, STRENGTHS)
from .features import FEATURE_NAMES
from .names import NUMBERS
from .nets import net_for, policy_factors, prior_net_for

ONE_CARD = (
    "one card is played, num_cards, or a jester in its place, num_jesters: one of these is 1 and "
    "the other 0")

cdef enum:
    # The evaluation is more accurate than playouts to the end, which too often reveal the hidden
    # cards. Three plies are an uncontested turn: two draws and a move. With a former policy and
    # four seats, 1,000 simulations against 308 with uniform playouts and earlier weights, 1 ply won
    # 38 % of 600 games and 3 plies 44 %.
    PLAYOUT_PLIES = 3
    MOST_TURNS = 0x7FFFFFFF     # limit of the struct and of the numbers in reasons
    MOST_CARDS = 103            # of any deck

# Types of node by `Phase`; both ends are "over".
PHASES = ("deal", "draw", "main", "fortify", "attack", "respond", "rob", "show", "choose", "take",
          "tax", "give", "over", "over")
PHASE_CODES = {kind: PHASES.index(kind) for kind in PHASES}
REASONS_OF_END = {"gems": PHASE_OVER_GEMS, "limit": PHASE_OVER_LIMIT}
LADDERS = {"": 0, "ladder": 1, "jester": 2}     # as `LadderOnTable`
LADDER_NAMES = (*LADDERS,)
FORTS = {"castle": FORT_CASTLE, "archer": FORT_ARCHER, "minstrel": FORT_MINSTREL}
FORT_CODES = {  # role -> physical card -> bits of `State.forts`
    role: {"": 0, role: fort, "jester": fort | fort << FORT_JESTER_SHIFT}
    for role, fort in FORTS.items()
}

# Verbs by `Verb`; the tax has one for each payment.
VERBS = ("deal", "draw", "take", "attack", "fortify", "special", "discard", "end", "respond",
         "pass", "rob", "show", "choose", "tax", "tax", "give")
VERB_CODES = {verb: VERBS.index(verb) for verb in VERBS}
PAYMENTS = {"gem": 0, "cards": 1}
PICK_CODES = {**CARD_INDEX, HIDDEN: HIDDEN_CARD}
CARD_CODES = {"discard": CARD_INDEX} | dict.fromkeys(
    ("deal", "draw", "take", "show", "give"), PICK_CODES)      # R11.1
PLAYS = {  # verb -> roles without and with jesters (R12.1)
    "attack": (ATTACKS, ROLES),
    "fortify": (FORTIFICATIONS, FORTIFICATIONS),
    "special": (("herald", "merchant", "monk"),) * 2,
    "respond": ((*STRENGTHS, "traitor", "princess", "executioner", "minstrel"), ROLES),
    "rob": (("highwayman",),) * 2,
}


def codes_of(cards) -> dict:
    """Return card -> number."""
    return {card: CARD_INDEX[card] for card in cards}


ATTACK_CODES = codes_of(ATTACKS)
PLAY_CODES = {verb: tuple(map(codes_of, roles)) for verb, roles in PLAYS.items()}


cdef class CodeOfChivalry(TunableGame):
    """The rules with their options, see `option_help`."""

    cdef dict deck      # card -> copies, 0 for cards not in the deck
    cdef Net net        # of the evaluation; None: by weights

    cdef Rules rules

    name = "code_of_chivalry"
    title = "Code of Chivalry"
    tag = "coc"
    rules_version = "1"
    seat_counts = (2, 3, 4, 5, 6)
    option_help = choosing.OPTIONS.help
    choices = choosing.OPTIONS
    notation_help = notation.NOTATION_HELP
    notation = notation
    words = words
    form_rules = ("R12.1", "R13.1", "R14.1")
    line_fields = notation.FIELDS
    compares_lines = False
    reasons = {**legality.REASONS, **validity.REASONS}
    numbers = NUMBERS
    all_features = FEATURE_NAMES
    is_hidden = True
    observation_fields = ("num_draw",)
    has_prior_weights = True
    reads_lines = True
    handicaps = (0.83, 0.78, 0.73, 0.68, 0.65, 0.62, 0.59, 0.56, 0.52)

    def __init__(self, **options):
        cdef int rivals
        self.options = choosing.OPTIONS.checked(options)
        values = choosing.OPTIONS.values(self.options)
        self.num_seats = values["players"]
        self.state_bytes = sizeof(State)
        self.observer_at = <size_t>&(<State*>NULL).observer
        self.playout_plies = PLAYOUT_PLIES
        self.deck = BASE_COUNTS | {"minstrel": values["minstrels"], "monk": values["monks"]}
        self.rules.deck = packed(self.deck)
        self.rules.types = kinds(self.rules.deck)
        self.rules.turn_limit = values["turn_limit"]
        self.rules.num_seats = self.num_seats
        self.rules.first_seat = values["first_player"] - 1
        self.rules.start_gems = values["start_gems"]
        self.rules.target_gems = values["target_gems"]
        self.rules.reshuffle_step = values["reshuffle_step"]
        self.rules.target_floor = values["target_floor"]
        self.rules.auto_pass = choosing.AUTO_PASSES.index(values["auto_pass"])
        # MAIN with the whole deck in hand. On each rival 84 attacks: 24 revolts of peasants and 50
        # with jesters, five other roles as themselves and five by a jester. Then six
        # fortifications, specials with and without a jester, and a discard of each kind of card.
        rivals = self.num_seats - 1
        self.max_moves = 84 * rivals + 6 + 2 * (rivals + 2) + len(CARDS)
        self.num_features = coc_num_features(self.num_seats)
        self.num_actions = coc_num_actions(self.num_seats)
        self.num_rows = NUM_ROWS
        self.use_policy(policy_factors(self.num_seats))
        self.use_prior_net(prior_net_for(self.num_seats))
        self.use_net(net_for(self.num_seats))

    @property
    def rival_trust(self) -> float:
        """Less with two seats: with 0.3 bots are weaker there."""
        return 0.17 if self.num_seats == 2 else 0.3

    @property
    def uses_records(self) -> bool:
        """Of two seats: with more, worlds by a record won nothing."""
        return self.num_seats == 2

    def use_net(self, Net net) -> None:
        """Evaluate by another net, see game.pyi."""
        if net is not None and net.num_features != NUM_TERMS:
            raise ValueError(f"the net has {net.num_features} features, not {NUM_TERMS}")
        self.net = net

    # --- the C contract -----------------------------------------------------------------------

    cdef void start(self, void* state) noexcept nogil:
        coc_start(&self.rules, <State*>state)

    cdef int node(self, const void* state) noexcept nogil:
        return coc_node(<const State*>state)

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        return coc_legal_moves(&self.rules, <const State*>state, out)

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        return coc_outcomes(<const State*>state, out, probabilities)

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        return coc_sample(<const State*>state, rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        coc_apply(&self.rules, <State*>state, move)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        coc_returns(&self.rules, <const State*>state, out)

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        coc_observe(&self.rules, <const State*>state, seat, <State*>out)

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        coc_determinize(&self.rules, <const State*>observation, rng, <State*>out)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        """R11.1."""
        cdef const State* s = <const State*>state
        cdef int verb = verb_of(move)
        cdef bint is_hidden
        if verb == VERB_TAKE or verb == VERB_GIVE:
            is_hidden = seat != s.seat and seat != s.active
        elif verb == VERB_SHOW:     # the last choice turns all cards up
            is_hidden = seat != s.seat and next_to_show(
                &self.rules, s, next_seat(&self.rules, s.seat)) != s.active
        else:
            is_hidden = (verb == VERB_DEAL or verb == VERB_DRAW) and seat != s.seat
        return move_of(verb, HIDDEN_CARD) if is_hidden else move

    cdef bint retell(
            self, const void* world, int observer, const uint32_t* seen, const int8_t* seats,
            int length, bitgen_t* rng, uint32_t* out) noexcept nogil:
        return coc_retell(
            &self.rules, <const State*>world, observer, seen, seats, length, rng, out)

    cdef double num_ways(
            self, const void* state, uint32_t move, int observer) noexcept nogil:
        return coc_num_ways(&self.rules, <const State*>state, move, observer)

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return coc_policy_move(&self.rules, &self.factors, <const State*>state, rng)

    cdef void prior_weights(
            self, const void* state, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        coc_prior_weights(
            &self.rules, &self.factors, <const State*>state, moves, num_moves, weights)
        self.correct_priors(state, moves, num_moves, weights)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        coc_evaluate(&self.rules, &self.factors, self.net, <const State*>state, out)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return coc_playout(
            &self.rules, &self.factors, self.net, <State*>state, max_plies, rng, out)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        return coc_features(&self.rules, <const State*>state, seat, out)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return coc_action_index(move, self.num_seats)

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return coc_action_at(index, self.num_seats)

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        return coc_check_state(&self.rules, <const State*>state, out)

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        return coc_check_move(&self.rules, <const State*>state, move, out)

    def chance_source(self, bytes state) -> str:
        """The draw pile, or the hand from which the merchant takes cards (R7.3)."""
        cdef const State* s = <const State*>self.pointer(state)
        return f"hand:p{s.seat + 1}" if s.phase == PHASE_TAKE else "pile"

    def chance_seat(self, bytes state) -> int:
        """The seat dealt to or drawing; the merchant's, not the seller (R7.3)."""
        cdef const State* s = <const State*>self.pointer(state)
        return s.active if s.phase == PHASE_TAKE else s.seat

    def is_consistent(self, bytes observation, bytes state) -> bool:
        """Whether a valid state is consistent with an observation (R11.4).

        Wider than an equal observation of the state: the knowledge of seats in the state is
        ignored.
        """
        return coc_is_consistent(
            &self.rules, <const State*>self.pointer(observation),
            <const State*>self.pointer(state))

    def retells_all(self, bytes state, list seen) -> bool:
        """Not if it depends on more than the hands now and the moves.

        That is what earlier piles were, what was shown face down (R7.2), sold face down (R7.3) or
        given without a choice (R7.4), and who was asked because of the cards in hand (R10.3).
        """
        cdef const State* s = <const State*>self.pointer(state)
        if s.reshuffles > 1 or self.rules.auto_pass == AUTO_PASS_PRIVATE:
            return False
        return not any(
            move == move_of(VERB_SHOW, HIDDEN_CARD)
            or move == move_of(VERB_TAKE, HIDDEN_CARD)
            or (verb_of(move) == VERB_SPECIAL and role_of(move) == MONK) for move in seen)

    # --- moves --------------------------------------------------------------------------------

    def pack_move(self, Fields fields not None) -> int:
        cdef int verb = fields.code("verb", VERB_CODES)
        name = fields.text("verb")
        if name in CARD_CODES:
            return move_of(verb, fields.code("card", CARD_CODES[name]))
        if name in PLAY_CODES:
            return self.pack_play(fields, verb)
        if name == "choose":
            return move_of(verb, 0, fields.seat("seat", self.num_seats))
        return move_of(verb + fields.code("payment", PAYMENTS) if name == "tax" else verb)

    def pack_play(self, Fields fields not None, int verb) -> int:
        """Return a move that plays one card or a revolt."""
        cdef int jesters = fields.number("num_jesters", 0, self.deck["jester"])
        cdef int cards, role
        cdef int seat = 0
        if jesters and fields.text("role") == "jester":
            wanted = "a jester plays another card than itself, such as a king"
            raise fields.refusal("role", wanted, rule="R8.1")
        role = fields.code("role", PLAY_CODES[VERBS[verb]][jesters > 0])
        if role == PEASANT:
            cards = fields.number("num_cards", 0 if jesters else 1, self.deck["peasant"])
        else:
            jesters = one_card(fields, "")
            cards = 1 - jesters
        if verb == VERB_ATTACK or (verb == VERB_SPECIAL and role == MERCHANT):
            seat = fields.seat("seat", self.num_seats)
        return move_of(verb, role, seat, cards if role == PEASANT else 0, jesters)

    def move_from_view(self, dict view) -> int:
        if view.get("role") and not view.get("num_cards") and not view.get("num_jesters"):
            view = view | {"num_cards": 1}      # a role alone plays one card
        return super().move_from_view(view)

    @cython.boundscheck(True)   # the number may be no move
    def move_view(self, uint32_t move) -> dict:
        cdef int verb = verb_of(move)
        cdef int role = role_of(move)
        name = VERBS[verb]
        view = {"verb": name}
        if name in CARD_CODES:
            view["card"] = HIDDEN if role == HIDDEN_CARD else CARDS[role]
        elif name in PLAY_CODES:
            view["role"] = CARDS[role]
            view["num_cards"] = peasants_of(move) if role == PEASANT else 1 - jesters_of(move)
            view["num_jesters"] = jesters_of(move)
        elif name == "tax":
            view["payment"] = "gem" if verb == VERB_TAX_GEM else "cards"
        if name in ("attack", "choose") or (verb == VERB_SPECIAL and role == MERCHANT):
            view["seat"] = seat_of(move) + 1
        return view

    # --- words --------------------------------------------------------------------------------

    def gems_to_win(self, bytes state) -> int:
        """Return the gems that win now (R9.1)."""
        return target_of(&self.rules, <const State*>self.pointer(state))

    def render(self, bytes state) -> str:
        return words.render(self.flat_view(state), self.gems_to_win(state))

    def render_within(self, bytes state, int width) -> str:
        return words.render(self.flat_view(state), self.gems_to_win(state), width)

    def changes(self, bytes before, bytes after, int seat) -> list:
        return words.changes(
            self.flat_view(before), self.flat_view(after), seat + 1, self.gems_to_win(after))

    # --- lines, and views to structs ----------------------------------------------------------

    cdef bint write_line(self, const void* state, Writer* out) except -1:
        coc_write_line(&self.rules, <const State*>state, out)
        return True

    cdef int read_line(self, Reader* given, void* state) except -1:
        coc_read_line(&self.rules, given, <State*>state)
        return 0

    @cython.binding(True)
    @classmethod
    def options_of(cls, Fields fields not None) -> dict:
        return choosing.of_view(fields.values(), fields.path("options"))

    def pack(self, Fields fields not None) -> bytes:
        cdef Fields entry, player
        cdef State state
        cdef State* s = &state
        cdef int seat
        memset(s, 0, sizeof(State))
        s.observer = fields.observer(self.num_seats, "R14.1")
        s.turn = fields.number("turn", 0, MOST_TURNS)
        s.active = fields.seat("active", self.num_seats)
        s.reshuffles = fields.number("reshuffles", 0, MOST_TURNS)
        if s.observer == NOBODY:
            s.draw = self.cards_at(fields, "draw")
        else:
            s.draw = hidden(fields.number("num_draw", 0, MOST_CARDS, "R14.1"))
        s.discard = self.cards_at(fields, "discard")
        s.base = self.cards_at(fields, "base")
        for entry in fields.records("own", self.num_seats):
            s.own[entry.seat("seat", self.num_seats)] = self.cards_at(entry, "cards")
        for seat, player in enumerate(
                fields.records("players", self.num_seats, "", self.num_seats)):
            s.gems[seat] = player.number("gems", 0, choosing.NUM_GEMS, "R13.4")
            for role, codes in FORT_CODES.items():
                s.forts[seat] |= <int>player.code(role, codes, "", "R13.2")
            if is_seen(s, seat):
                s.hands[seat] = self.cards_at(player, "hand")
            else:
                s.hands[seat] = hidden(player.number("num_hidden", 0, MOST_CARDS, "R14.1"))
        self.pack_rows(fields, s)
        self.pack_node(fields.record("node"), s)
        return (<char*>s)[:sizeof(State)]

    cdef uint64_t cards_at(self, Fields fields, str name) except? 0:
        """Read a multiset; more copies than the deck has break R13.4."""
        return packed(fields.counts(name, self.deck, "R13.4"))

    cdef int pack_rows(self, Fields fields, State* s) except -1:
        """Fill `State.known`; an absent row equals the public one (R13.1)."""
        cdef Fields entry
        cdef int holder, row
        rows = []
        for entry in fields.records("known", SEATS * SEATS):
            row = entry.number("observer", 0, self.num_seats) - 1
            holder = entry.seat("holder", self.num_seats)
            cards = self.cards_at(entry, "cards")
            if row < 0:
                s.known[holder][PUBLIC] = cards
            else:
                rows.append((holder, row, cards))
        for holder in range(self.num_seats):
            for row in range(self.num_seats):
                if row != holder and (s.observer == NOBODY or s.observer == row + 1):
                    s.known[holder][row] = s.known[holder][PUBLIC]
        for holder, row, cards in rows:
            s.known[holder][row] = cards
        return 0

    cdef int pack_node(self, Fields fields, State* s) except -1:
        """Fill the fields that the type of the node uses; the check finds any others."""
        cdef Fields pick
        cdef int seats = self.num_seats
        s.phase = fields.code("type", PHASE_CODES, "", "R13.3")
        parts = notation.NODES[PHASES[s.phase]]
        if s.phase == PHASE_OVER_GEMS:
            s.phase = fields.code("reason", REASONS_OF_END, "", "R13.3")
            for winner in fields.numbers("winners", 1, seats, seats, "R13.3"):
                s.winners |= 1 << <int>(winner - 1)
            return 0
        s.seat = s.active
        for name in ("seat", "seller"):
            if name in parts:
                s.seat = fields.seat(name, seats, "R13.3")
        if "left" in parts:
            s.left = fields.number("left", 1, MOST_CARDS if s.phase == PHASE_TAKE else 2, "R13.3")
        if "target" in parts:
            s.target = fields.seat("target", seats, "R13.3")
        if "ladder" in parts:
            s.ladder = fields.code("ladder", LADDERS, "", "R13.2")
        if "gems" in parts:
            s.source = fields.seat("source", seats, "R13.3")
            s.receiver = fields.seat("receiver", seats, "R13.3")
            s.flight = fields.number("gems", 1, choosing.NUM_GEMS, "R13.3")
        if "attack_card" in parts:
            self.pack_attack_card(fields.record("attack_card"), s)
        if "picks" in parts:
            for pick in fields.records("picks", seats, "R13.3"):
                card = pick.code("card", PICK_CODES, "", "R13.3")
                s.picks[pick.seat("seat", seats, "R13.3")] = (
                    HIDDEN_CARD if card == HIDDEN_CARD else card + 1)
        return 0

    cdef int pack_attack_card(self, Fields fields, State* s) except -1:
        """Fill the attack card; at least one card (R13.2)."""
        s.role = fields.code("role", ATTACK_CODES, "", "R13.2")
        if s.role != PEASANT:
            s.jesters = one_card(fields, "R13.2")
            return 0
        s.jesters = fields.number("num_jesters", 0, self.deck["jester"], "R13.2")
        least = 0 if s.jesters else 1
        s.peasants = fields.number("num_cards", least, self.deck["peasant"], "R13.2")
        return 0

    # --- structs to views ---------------------------------------------------------------------

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cdef int seat
        view = {
            "turn": s.turn,
            "active": s.active + 1,
            "reshuffles": s.reshuffles,
            "players": [player_view(s, seat) for seat in range(self.num_seats)],
            "draw": cards_of(s.draw) if s.observer == NOBODY else {},
            "discard": cards_of(s.discard),
            "node": node_view(s),
            "known": rows_view(s, self.num_seats),
            "base": cards_of(s.base),
            "own": [{"seat": seat + 1, "cards": cards_of(s.own[seat])}
                    for seat in range(self.num_seats) if s.own[seat]],
        }
        if s.observer != NOBODY:
            view["num_draw"] = size_of(s.draw)
        return view


cdef class QuietChivalry(CodeOfChivalry):
    """The game with the terms of its evaluation as features; see game.pyi."""

    def __init__(self, **options):
        CodeOfChivalry.__init__(self, **options)
        self.num_features = NUM_TERMS

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        if not is_quiet(<const State*>state) or (<const State*>state).phase == PHASE_DEAL:
            return 0
        return coc_terms(&self.rules, <const State*>state, seat, out)


cdef int one_card(Fields fields, str rule) except -1:
    """Read the numbers of a play of one card; return whether a jester is played."""
    given = fields.values()
    cards, jesters = given.get("num_cards", 0), given.get("num_jesters", 0)
    if (cards, jesters) not in ((1, 0), (0, 1)):
        name = "num_jesters" if cards == 1 or jesters not in (0, 1) else "num_cards"
        raise fields.refusal(name, ONE_CARD, given.get(name, 0), rule)
    fields.number("num_cards", 0, 1, rule)      # neither is a boolean
    return fields.number("num_jesters", 0, 1, rule)


cdef uint64_t packed(cards) except? 0:
    cdef uint64_t found = 0
    for card, copies in cards.items():
        found += one(CARD_INDEX[card]) * <uint64_t>copies
    return found


cdef dict cards_of(uint64_t cards):
    cdef uint64_t members = kinds(cards)
    cdef int card
    found = {}
    while members:
        card = pop_kind(&members)
        found[CARDS[card]] = copies_of(cards, card)
    return found


cdef dict player_view(const State* s, int seat):
    cdef int forts = s.forts[seat]
    view = {"gems": s.gems[seat]}
    for role, fort in FORTS.items():
        view[role] = "" if not forts & fort else (
            "jester" if forts & fort << FORT_JESTER_SHIFT else role)
    view["hand"] = cards_of(s.hands[seat]) if is_seen(s, seat) else {}
    view["num_hidden"] = 0 if is_seen(s, seat) else size_of(s.hands[seat])
    return view


cdef dict node_view(const State* s):
    cdef str name
    parts = {
        "seller": s.seat + 1,
        "left": s.left,
        "target": s.target + 1,
        "ladder": LADDER_NAMES[s.ladder],
        "source": s.source + 1,
        "receiver": s.receiver + 1,
        "gems": s.flight,
        "reason": "gems" if s.phase == PHASE_OVER_GEMS else "limit",
    }
    kind = PHASES[s.phase]
    names = notation.NODES[kind]
    if "attack_card" in names:
        parts["attack_card"] = {
            "role": CARDS[s.role],
            "num_cards": s.peasants if s.role == PEASANT else 1 - s.jesters,
            "num_jesters": s.jesters,
        }
    if "picks" in names:
        parts["picks"] = [
            {"seat": seat + 1, "card": HIDDEN if pick == HIDDEN_CARD else CARDS[pick - 1]}
            for seat, pick in enumerate((<const uint8_t*>s.picks)[:SEATS]) if pick]
    if "winners" in names:
        parts["winners"] = seats_of(s.winners)
    return {"type": kind, **{name: parts[name] for name in names if name != "seat"}}


cdef list rows_view(const State* s, int num_seats):
    """The public rows, then those that differ from them (R13.1)."""
    cdef int holder, row
    rows = [
        {"observer": 0, "holder": holder + 1, "cards": cards_of(s.known[holder][PUBLIC])}
        for holder in range(num_seats) if s.known[holder][PUBLIC]
    ]
    for row in range(num_seats):
        if is_seen(s, row):     # the knowledge of a seat is visible with its hand
            rows += [
                {"observer": row + 1, "holder": holder + 1, "cards": cards_of(s.known[holder][row])}
                for holder in range(num_seats)
                if holder != row and s.known[holder][row] != s.known[holder][PUBLIC]
            ]
    return rows
