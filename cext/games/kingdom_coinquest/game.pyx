"""Kingdom Coinquest as a `Game`: the C contract, and packing between views and structs.

state.pxd defines the packing of moves. Packing checks the form of a view and what a struct can't
hold: the order of salvage yards and old pools, and that each pool fits the hidden places of its
epoch.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from ...fields cimport Fields
from ...game cimport CHANCE, TERMINAL, Refusal
from ...line_text cimport Reader, Writer
from ...lists cimport PyList_New, put
from ...net cimport Net
from ...rng cimport bitgen_t
from ...tunable_game cimport TunableGame
from ...view_game cimport names_of
from .actions cimport kc_action_at, kc_action_index, kc_num_actions
from .features cimport kc_features, kc_num_features
from .knowledge cimport kc_determinize, kc_observe
from .legality cimport kc_check_move
from .line cimport kc_read_line, kc_write_line
from .policy_rows cimport NUM_ROWS
from .policy cimport kc_evaluate, kc_playout, kc_policy_move, kc_prior_weights
from .rules cimport kc_apply, kc_legal_moves, kc_node, kc_outcomes, kc_returns, kc_sample, kc_start
from .state cimport (
    ALL_BUT_KINGS, HAND_CARDS, KNOWN, NOBODY, NO_CARD, NO_SUIT, NUM_CARDS, OLD_CARDS, PHASE_END,
    SEATS, VERB_ACE, VERB_ATTACK, VERB_DEAL, VERB_DISCARD, VERB_DRAW_FORGE, VERB_DRAW_SALVAGE,
    VERB_EQUIP, VERB_KING, VERB_PREP, VERB_QUEEN, VERB_SALVAGE, Load, Player, Rules, State, bit,
    move_of)
from .terms cimport NUM_TERMS, kc_terms
from .validity cimport kc_check_state

# Variables of C: the modules of a wheel look all others up by name at each use.
cdef dict CODES, HAND_CODES, KINGS, NAMES, PHASE_CODES, SOURCES, UNIT_NAMES, UNITS, VERB_NAMES
cdef dict VERBS
cdef tuple PHASES
cdef object SUITS

from . import notation, words
from .features import FEATURE_NAMES
from .legality import REASONS
from .names import (
    CODES, HAND_CODES, KINGS, NAMES, PHASE_CODES, PHASES, SOURCES, SUITS, UNIT_NAMES, UNITS,
    VERB_NAMES, VERBS)
from .nets import net_for, policy_factors
from .options import OPTIONS
from .validity import FAULTS

cdef enum:
    # About six turns, one or more for each seat. Playouts of 8, 20 and 50 plies, each with as many
    # simulations as fit into the same time, play equally well with two seats.
    PLAYOUT_PLIES = 30
    MOST_TURNS = 9999       # the highest turn limit

# With room for its fields: in a wheel, a dict grows as it is filled.
cdef dict PLAYER = dict.fromkeys((
    "suit", "health", "hand", "salvage", "quartermaster", "counters", "knight", "peasant",
    "queen"))

cdef str CARD_WANTED = "a card is rank and suit, a 2-9 t j q and h s d c, such as th"
cdef str PAIR_WANTED = (
    "a pair is two different cards, of queens and aces the first in card order first")


cdef class KingdomCoinquest(TunableGame):
    """The rules with their options, see `option_help`."""

    cdef Rules rules
    cdef Net net        # of the evaluation; None: by points

    name = "kingdom_coinquest"
    title = "Kingdom Coinquest"
    tag = "kc"
    rules_version = "1"
    seat_counts = (2, 3, 4)
    option_help = OPTIONS.help
    notation_help = (
        "Cards: rank and suit, a 2-9 t j q and h s d c, such as th for the ten of hearts.\n"
        "Moves: draw:forge, draw:grave, draw:salvage:<card>; pass, prep:<card>, "
        "prep:<lead>+<partner>, equip:knight, equip:peasant, attack:p2, queen:<card>, "
        "queen:<card>+<card>, ace:<card>:<unit>, ace:<card>+<card>:<unit>; hold; "
        "discard:<card>, salvage:<card>, scrap.\n"
        "Position: kc turn= epoch= node= p1= p2= p3= p4= forge= grave=\n"
        "After kc come ;turn_limit=<n> and ;ace_strike=1 if they are not 600 and 0. The node is "
        "king:p1, draw:p1, deal:p1, play:p1, strike:p1, discard:p1, with the seat, or end; p1 to "
        "p4, as many as play, are suit/health/hand/salvage/quartermaster/knight/peasant/queen: "
        "cards joined by commas, or -, in a hand with ! if all know it and ~<epoch> if it was "
        "drawn in an earlier epoch, of a quartermaster with :<counters>; forge is a number of "
        "cards, grave the graveyard, top first.\n"
        "Observation: the same with ? for each hidden card, then old=, the cards hidden in earlier "
        "epochs, <epoch>:<cards> joined by ; or -, then @p1 to @p4, the seat that sees it; @- is a "
        "spectator.")
    choices = OPTIONS
    players_rule = "R12.4d"
    observation_fields = ("old_pools",)
    notation = notation
    words = words
    form_rules = ("R12.1", "R12.3", "R12.5")
    reasons = {**FAULTS, **REASONS}
    numbers = words.NUMBERS
    all_features = FEATURE_NAMES
    is_hidden = True
    reads_lines = True
    has_prior_weights = True
    hostility = 1.0
    handicaps = (0.88, 0.79, 0.73, 0.69, 0.66, 0.62, 0.57, 0.53, 0.49)

    def __init__(self, **options):
        self.options = OPTIONS.checked(options)
        self.num_seats = int(self.options["players"])
        self.state_bytes = sizeof(State)
        self.observer_at = <size_t>&(<State*>NULL).observer
        self.max_moves = NUM_CARDS
        self.playout_plies = PLAYOUT_PLIES
        self.num_features = kc_num_features(self.num_seats)
        self.num_actions = kc_num_actions(self.num_seats)
        self.rules.num_seats = self.num_seats
        self.rules.ace_strike = int(self.options["ace_strike"])
        self.rules.start_health = int(self.options["health"])
        self.rules.turn_limit = int(self.options["turn_limit"])
        self.rules.has_kings = self.options["kings"] != "random"
        if self.rules.has_kings:
            for seat, suit in enumerate(self.options["kings"]):
                self.rules.kings[seat] = SUITS.index(suit)
        self.num_rows = NUM_ROWS
        self.use_policy(policy_factors(self.num_seats))
        self.use_net(net_for(self.num_seats))

    def use_net(self, Net net) -> None:
        """Evaluate by another net, see game.pyi."""
        if net is not None and net.num_features != NUM_TERMS:
            raise ValueError(f"the net has {net.num_features} features, not {NUM_TERMS}")
        self.net = net

    # --- the C contract -----------------------------------------------------------------------

    cdef void start(self, void* state) noexcept nogil:
        kc_start(&self.rules, <State*>state)

    cdef int node(self, const void* state) noexcept nogil:
        return kc_node(<const State*>state)

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        return kc_legal_moves(&self.rules, <const State*>state, out)

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef int num_outcomes = kc_outcomes(<const State*>state, out)
        cdef int i
        for i in range(num_outcomes):
            probabilities[i] = 1.0 / num_outcomes
        return num_outcomes

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        return kc_sample(<const State*>state, rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        kc_apply(&self.rules, <State*>state, move)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        kc_returns(&self.rules, <const State*>state, out)

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        kc_observe(<const State*>state, self.num_seats, seat, <State*>out)

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        kc_determinize(<const State*>observation, self.num_seats, rng, <State*>out)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        if move & 255 == VERB_DEAL and (<const State*>state).seat != seat:
            return move_of(VERB_DEAL)
        return move

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return kc_policy_move(&self.rules, &self.factors, <const State*>state, rng)

    cdef void prior_weights(
            self, const void* state, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        kc_prior_weights(&self.rules, &self.factors, <const State*>state, moves, num_moves, weights)
        self.correct_priors(state, moves, num_moves, weights)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        kc_evaluate(&self.rules, self.net, <const State*>state, out)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return kc_playout(
            &self.rules, &self.factors, self.net, <State*>state, max_plies, rng, out)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        return kc_features(&self.rules, <const State*>state, seat, out)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return kc_action_index(move)

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return kc_action_at(index)

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        return kc_check_state(&self.rules, <const State*>state, out)

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        return kc_check_move(&self.rules, <const State*>state, move, out)

    cdef bint write_line(self, const void* state, Writer* out) except -1:
        kc_write_line(&self.rules, <const State*>state, out)
        return True

    cdef int read_line(self, Reader* given, void* state) except -1:
        kc_read_line(&self.rules, given, <State*>state)
        return 0

    def chance_seat(self, bytes state) -> int:
        return (<const State*>self.pointer(state)).seat

    # --- moves --------------------------------------------------------------------------------

    def move_view(self, uint32_t move) -> dict:
        verb, source = VERB_NAMES[move & 255]
        first, second, unit = move >> 8 & 255, move >> 16 & 255, move >> 24
        view = {"verb": verb}
        if source:
            view["source"] = source
        if verb == "king":
            view["suit"] = SUITS[first]
        elif verb == "attack":
            view["seat"] = first + 1
        elif first:
            view["card"] = NAMES[first]
        elif verb == "deal":
            view["card"] = "?"
        if second:
            view["partner"] = NAMES[second]
        if unit:
            view["unit"] = UNIT_NAMES[unit]
        return view

    def pack_move(self, Fields fields not None) -> int:
        cdef int verb = fields.code("verb", VERBS)
        cdef int first = NO_CARD
        cdef int second = NO_CARD
        if verb == VERB_DRAW_FORGE:
            verb = fields.code("source", SOURCES)
        if verb == VERB_KING:
            return move_of(verb, fields.code("suit", KINGS))
        if verb == VERB_ATTACK:
            return move_of(verb, fields.number("seat", 1, self.num_seats) - 1)
        if verb == VERB_DEAL:
            return move_of(verb, fields.code("card", HAND_CODES, CARD_WANTED))
        if verb in (
                VERB_DRAW_SALVAGE, VERB_PREP, VERB_QUEEN, VERB_ACE, VERB_DISCARD, VERB_SALVAGE):
            first = fields.code("card", CODES, CARD_WANTED)
        if verb in (VERB_PREP, VERB_QUEEN, VERB_ACE):
            second = card_or_none(fields, "partner")
            if second and (first == second or (verb != VERB_PREP and first > second)):
                raise fields.refusal("partner", PAIR_WANTED)
        if verb in (VERB_EQUIP, VERB_ACE):
            return move_of(verb, first, second, fields.code("unit", UNITS))
        return move_of(verb, first, second)

    # --- positions and observations -----------------------------------------------------------

    def pack(self, Fields fields not None) -> bytes:
        cdef Fields player
        cdef State s
        cdef uint64_t gone = 0
        cdef int seat, i
        cdef Py_ssize_t card
        cdef list grave
        memset(&s, 0, sizeof(State))
        node = fields.record("node")
        s.phase = node.code("type", PHASE_CODES)
        s.seat = node.seat("seat", SEATS) if s.phase != PHASE_END else 0
        s.turn = fields.number("turn", 0, MOST_TURNS, "R12.4b")
        s.epoch = fields.number("epoch", 0, MOST_TURNS, "R12.4b")
        s.num_forge = fields.number("forge", 0, NUM_CARDS, "R12.4c")
        s.observer = fields.observer(self.num_seats, "R12.5")
        for seat, player in enumerate(fields.records("players", SEATS)):
            is_masked = s.observer not in (NOBODY, seat + 1)
            gone |= pack_player(player, s.epoch, is_masked, &s.players[seat])
        grave = fields.codes("grave", CODES, NUM_CARDS, CARD_WANTED)
        s.num_grave = len(grave)
        for i in range(s.num_grave):
            card = grave[s.num_grave - 1 - i]
            s.grave[i] = card
            gone |= bit(card)
        if s.observer != NOBODY:
            gone |= pack_old_pools(fields, self.num_seats, &s)
        for i in range(4):
            s.forge |= <uint64_t>ALL_BUT_KINGS << (16 * i)
        s.forge &= ~gone
        return (<char*>&s)[:sizeof(State)]

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cdef list grave = PyList_New(s.num_grave)
        cdef int i
        for i in range(s.num_grave):
            put(grave, s.num_grave - 1 - i, NAMES[s.grave[i]])
        view = {
            "turn": s.turn,
            "epoch": s.epoch,
            "node": {"type": PHASES[s.phase]},
            "players": [player_view(&s.players[seat]) for seat in range(self.num_seats)],
            "forge": s.num_forge,
            "grave": grave,
        }
        if s.observer != NOBODY:
            view["old_pools"] = old_pools_view(s, self.num_seats)
        return view

    def describe_move(self, bytes state, uint32_t move) -> str:
        self.token(move)   # refuses a number that is no move
        # What words need of the view: to make all of it takes as long as a simulation.
        cdef const State* s = <const State*>self.pointer(state)
        cdef int seat = kc_node(s)
        if seat == CHANCE:
            seat = s.seat
        players = [] if seat < 0 else [None] * seat + [loads_view(&s.players[seat])]
        scene = {
            "node": {"seat": len(players)},
            "players": players,
            "forge": s.num_forge,
            "grave": [NAMES[s.grave[s.num_grave - 1]]] if s.num_grave else [],
        }
        return words.describe_move(scene, self.move_view(move))

    def render_within(self, bytes state, int width) -> str:
        return words.render(self.flat_view(state), width)

    def changes(self, bytes before, bytes after, int seat) -> list:
        is_over = self.node_of(after) == TERMINAL != self.node_of(before)
        shares = enumerate(self.returns_of(after) if is_over else (), 1)
        winners = [number for number, share in shares if share]
        return words.changes(self.flat_view(before), self.flat_view(after), seat + 1, winners)


# --- structs to views -------------------------------------------------------------------------

cdef class ScoredCoinquest(KingdomCoinquest):
    """The game with the terms of its evaluation as features; see game.pyi."""

    def __init__(self, **options):
        KingdomCoinquest.__init__(self, **options)
        self.num_features = NUM_TERMS

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        if not (<const State*>state).players[seat].health:
            return 0
        return kc_terms(&self.rules, <const State*>state, seat, out)


cdef dict load_view(Load load):
    return {"lead": NAMES.get(load.lead, ""), "partner": NAMES.get(load.partner, "")}


cdef dict loads_view(const Player* player):
    return {
        "quartermaster": load_view(player.quartermaster),
        "knight": load_view(player.knight),
        "peasant": load_view(player.peasant),
    }


cdef dict player_view(const Player* player):
    cdef dict view = PLAYER.copy()
    view["suit"] = "" if player.suit == NO_SUIT else SUITS[player.suit]
    view["health"] = player.health
    view["hand"] = hand_view(player)
    view["salvage"] = names_of(player.salvage, NAMES)
    view["quartermaster"] = load_view(player.quartermaster)
    view["counters"] = player.counters
    view["knight"] = load_view(player.knight)
    view["peasant"] = load_view(player.peasant)
    view["queen"] = load_view(player.queen)
    return view


cdef list hand_view(const Player* player):
    cdef list hand = PyList_New(player.num_hand)
    cdef bint is_known
    cdef int i
    for i in range(player.num_hand):
        is_known = player.marks[i] == KNOWN
        put(hand, i, {
            "card": NAMES.get(player.hand[i], "?"),
            "is_known": is_known,
            "epoch": 0 if is_known else player.marks[i],
        })
    return hand


cdef list hidden_epochs(const State* s, int num_seats):
    """List the epochs of the hidden places of an observation in ascending order."""
    return sorted(
        s.players[seat].marks[i] for seat in range(num_seats)
        for i in range(s.players[seat].num_hand) if s.players[seat].hand[i] == NO_CARD)


cdef list old_pools_view(const State* s, int num_seats):
    """The pools with the epochs of the hidden places, see `State.old_cards`."""
    pools = {}
    for i, epoch in enumerate(hidden_epochs(s, num_seats)[:s.num_old]):
        pools.setdefault(epoch, []).append(NAMES[s.old_cards[i]])
    return [{"epoch": epoch, "cards": cards} for epoch, cards in pools.items()]


# --- views to structs -------------------------------------------------------------------------

cdef uint64_t pack_player(Fields fields, int epoch, bint is_masked, Player* player) except? 0:
    """Fill a player's struct and return the mask of the player's cards."""
    cdef Fields held
    cdef uint64_t gone = 0
    cdef Py_ssize_t card
    cdef int i
    player.suit = fields.code("suit", KINGS) if fields.has("suit") else NO_SUIT
    player.health = fields.number("health", 0, 99, "R12.4b")
    for i, held in enumerate(fields.records("hand", HAND_CARDS, "R12.4c")):
        card = held.code("card", HAND_CODES, CARD_WANTED, "R12.5" if is_masked else "")
        is_known = held.flag("is_known")
        player.hand[i] = card
        player.marks[i] = KNOWN if is_known else held.number("epoch", 0, epoch, "R12.4c")
        player.num_hand = i + 1
        gone |= bit(card)
    for card in ordered(fields, "salvage", "R12.3"):
        player.salvage |= bit(card)
        player.num_salvage += 1
    player.counters = fields.number("counters", 0, 3, "R12.4e")
    player.quartermaster = pack_load(fields, "quartermaster")
    player.knight = pack_load(fields, "knight")
    player.peasant = pack_load(fields, "peasant")
    player.queen = pack_load(fields, "queen")
    return (
        gone | player.salvage | cards_of(player.quartermaster) | cards_of(player.knight)
        | cards_of(player.peasant) | cards_of(player.queen))


cdef uint64_t cards_of(Load load) noexcept:
    return bit(load.lead) | bit(load.partner)


cdef Load pack_load(Fields fields, str slot) except *:
    if not fields.has(slot):
        return Load(lead=NO_CARD, partner=NO_CARD)
    load = fields.record(slot)
    return Load(lead=card_or_none(load, "lead"), partner=card_or_none(load, "partner"))


cdef int card_or_none(Fields fields, str name) except -1:
    return fields.code(name, CODES, CARD_WANTED) if fields.has(name) else NO_CARD


cdef list ordered(Fields fields, str name, str rule):
    """Return the codes of a list that must be in card order, which the struct does not keep."""
    codes = fields.codes(name, CODES, NUM_CARDS, CARD_WANTED, rule)
    if codes != sorted(set(codes)):
        raise fields.refusal(name, "the cards stand in card order, each once", None, rule)
    return codes


cdef uint64_t pack_old_pools(Fields fields, int num_seats, State* s) except? 0:
    """Fill in the old pools, whose epochs are kept by the hidden places; return their mask."""
    cdef Fields pool
    cdef uint64_t gone = 0
    cdef int card
    if s.epoch == 0 and not fields.has("old_pools"):
        return 0
    places = [epoch for epoch in hidden_epochs(s, num_seats) if epoch < s.epoch]
    cards, epochs = [], []
    for pool in fields.records("old_pools", OLD_CARDS, "R12.6"):
        cards += ordered(pool, "cards", "R12.5")
        epochs += [pool.number("epoch", 0, s.epoch, "R12.6")] * (len(cards) - len(epochs))
    if epochs != places:
        wanted = ", ".join(f"{places.count(epoch)} of epoch {epoch}" for epoch in sorted({*places}))
        raise fields.refusal(
            "old_pools", "by ascending epoch, the old pools name as many cards as the hands have "
            f"hidden ones of older epochs: {wanted or 'none'}", None, "R12.6")
    for card in cards:
        s.old_cards[s.num_old] = card
        s.num_old += 1
        gone |= bit(card)
    return gone
