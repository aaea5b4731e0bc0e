"""Kingdom Coinquest as a `Game`: the C contract, and packing between views and structs.

A move is packed as state.pxd says. Notation and words work on views and know no struct.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset
from numpy.random cimport bitgen_t

from ...bits cimport pop_lowest
from ...game cimport Game
from .knowledge cimport kc_determinize, kc_observe
from .policy cimport kc_evaluate, kc_playout, kc_policy_move
from .rules cimport kc_apply, kc_legal_moves, kc_node, kc_outcomes, kc_returns, kc_sample, kc_start
from .state cimport (
    ALL_BUT_KINGS, KNOWN, NOBODY, NO_CARD, NO_SUIT, NUM_CARDS, PHASE_END, VERB_ACE, VERB_ATTACK,
    VERB_DEAL, VERB_DISCARD, VERB_DRAW_FORGE, VERB_DRAW_GRAVE, VERB_DRAW_SALVAGE, VERB_EQUIP,
    VERB_HOLD, VERB_KING, VERB_PASS, VERB_PREP, VERB_QUEEN, VERB_SALVAGE, VERB_SCRAP, Load, Player,
    Rules, State, bit, move_of)

from functools import lru_cache

from kingmaker.cext.errors import InputError

from . import moves as tokens
from . import legality, notation, words
from .cards import CARDS, SUITS
from .options import HELP, checked
from .validity import PHASES as PHASE_NAMES

cdef enum:
    # About six turns, one or more for each seat. Playouts of 8, 20 and 50 plies, each with as many
    # simulations as fit into the same time, play equally well with two seats.
    PLAYOUT_PLIES = 30

# Cards by their code in structs and moves; an observation's hidden card is "?" in views.
CODES = {card: SUITS.index(card[1]) << 4 | 1 + i % 12 for i, card in enumerate(CARDS)}
NAMES = {code: card for card, code in CODES.items()}

PHASES = (*PHASE_NAMES, "end")      # by `Phase`
UNITS = ("", *tokens.UNITS)             # by `Unit`
VERBS = {                               # (verb, source) of a move's view -> `Verb`
    ("king", ""): VERB_KING,
    ("draw", "forge"): VERB_DRAW_FORGE,
    ("draw", "grave"): VERB_DRAW_GRAVE,
    ("draw", "salvage"): VERB_DRAW_SALVAGE,
    ("deal", ""): VERB_DEAL,
    ("pass", ""): VERB_PASS,
    ("prep", ""): VERB_PREP,
    ("equip", ""): VERB_EQUIP,
    ("attack", ""): VERB_ATTACK,
    ("queen", ""): VERB_QUEEN,
    ("ace", ""): VERB_ACE,
    ("hold", ""): VERB_HOLD,
    ("discard", ""): VERB_DISCARD,
    ("salvage", ""): VERB_SALVAGE,
    ("scrap", ""): VERB_SCRAP,
}
VERB_NAMES = {code: names for names, code in VERBS.items()}


@lru_cache(maxsize=128)
def rules_of(kind: type[Game], players: int, turn_limit: int, ace_strike: int) -> Game:
    """Return the game that a line is of; having no state, one serves all lines."""
    return kind(players=players, turn_limit=turn_limit, ace_strike=ace_strike)


cdef class KingdomCoinquest(Game):
    """The rules with their options, see `option_help`."""

    cdef Rules rules

    name = "kingdom_coinquest"
    title = "Kingdom Coinquest"
    tag = "kc"
    rules_version = "1"
    seat_counts = (2, 3, 4)
    option_help = HELP
    notation_help = (
        "Cards: rank and suit, a 2-9 t j q and h s d c, such as th for the ten of hearts.\n"
        "Moves: draw:forge, draw:grave, draw:salvage:<card>; pass, prep:<card>, "
        "prep:<lead>+<partner>, equip:knight, equip:peasant, attack:p2, queen:<card>, "
        "queen:<card>+<card>, ace:<card>:<unit>, ace:<card>+<card>:<unit>; hold; "
        "discard:<card>, salvage:<card>, scrap.\n"
        "Position: kc turn= epoch= node= p1= p2= forge= grave=, where a player is "
        "suit/health/hand/salvage/quartermaster/knight/peasant/queen; an observation has ? for "
        "hidden cards and ends in old= and @pN.")
    is_hidden = True
    handicaps = (0.588, 0.531, 0.481, 0.438, 0.397, 0.357, 0.314, 0.269, 0.179)

    def __init__(self, **options):
        self.options = checked(options)
        self.num_seats = int(self.options["players"])
        self.state_bytes = sizeof(State)
        self.max_moves = NUM_CARDS
        self.playout_plies = PLAYOUT_PLIES
        self.rules.num_seats = self.num_seats
        self.rules.ace_strike = int(self.options["ace_strike"])
        self.rules.start_health = int(self.options["health"])
        self.rules.turn_limit = int(self.options["turn_limit"])
        self.rules.has_kings = self.options["kings"] != "random"
        if self.rules.has_kings:
            for seat, suit in enumerate(self.options["kings"]):
                self.rules.kings[seat] = SUITS.index(suit)

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
        return kc_policy_move(&self.rules, <const State*>state, rng)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        kc_evaluate(&self.rules, <const State*>state, out)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return kc_playout(&self.rules, <State*>state, max_plies, rng, out)

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
            view["unit"] = UNITS[unit]
        return view

    def move_text(self, uint32_t move) -> str:
        return tokens.move_text(self.move_view(move))

    def parse_move(self, str text) -> int:
        view = tokens.parse_move(text)
        verb = VERBS[view["verb"], view.get("source", "")]
        if verb == VERB_KING:
            return move_of(verb, SUITS.index(view["suit"]))
        if verb == VERB_ATTACK:
            if view["seat"] > self.num_seats:
                raise InputError(
                    f"{text} in a game of {self.num_seats}; seats are p1 to p{self.num_seats}",
                    field="move", value=text, rule="R12.1")
            return move_of(verb, view["seat"] - 1)
        return move_of(
            verb, CODES.get(view.get("card"), NO_CARD), CODES.get(view.get("partner"), NO_CARD),
            UNITS.index(view.get("unit", "")))

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
        game = rules_of(cls, len(view["players"]), view["turn_limit"], int(view["ace_strike"]))
        pack(view, &state)
        return game, (<char*>&state)[:sizeof(State)]

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        node = "end" if s.phase == PHASE_END else f"{PHASES[s.phase]}:p{s.seat + 1}"
        view = {
            "turn_limit": self.rules.turn_limit,
            "ace_strike": bool(self.rules.ace_strike),
            "turn": s.turn,
            "epoch": s.epoch,
            "node": node,
            "players": [player_view(&s.players[seat]) for seat in range(self.num_seats)],
            "forge": s.num_forge,
            "grave": [NAMES[s.grave[i]] for i in range(s.num_grave - 1, -1, -1)],
        }
        if s.observer != NOBODY:
            view["old_pools"] = old_pools_view(s, self.num_seats)
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
        return words.describe_move(words.ANYWHERE, self.move_view(move))

    def changes(self, bytes before, bytes after, int seat) -> list:
        return words.changes(self.view(before), self.view(after), seat + 1)


# --- structs to views -------------------------------------------------------------------------

cdef list card_list(uint64_t cards):
    found = []
    while cards:
        found.append(NAMES[pop_lowest(&cards)])
    return found


cdef dict load_view(Load load):
    return {"lead": NAMES.get(load.lead, ""), "partner": NAMES.get(load.partner, "")}


cdef dict player_view(const Player* player):
    return {
        "suit": "" if player.suit == NO_SUIT else SUITS[player.suit],
        "health": player.health,
        "hand": [
            {
                "card": NAMES.get(player.hand[i], "?"),
                "is_known": player.marks[i] == KNOWN,
                "epoch": 0 if player.marks[i] == KNOWN else player.marks[i],
            }
            for i in range(player.num_hand)
        ],
        "salvage": card_list(player.salvage),
        "quartermaster": load_view(player.quartermaster),
        "counters": player.counters,
        "knight": load_view(player.knight),
        "peasant": load_view(player.peasant),
        "queen": load_view(player.queen),
    }


cdef list old_pools_view(const State* s, int num_seats):
    """The pools with the epochs of the hidden places, see `State.old_cards`."""
    places = sorted(
        s.players[seat].marks[i] for seat in range(num_seats)
        for i in range(s.players[seat].num_hand) if s.players[seat].hand[i] == NO_CARD)
    pools = {}
    for i in range(s.num_old):
        pools.setdefault(places[i], []).append(NAMES[s.old_cards[i]])
    return [{"epoch": epoch, "cards": cards} for epoch, cards in pools.items()]


# --- views to structs -------------------------------------------------------------------------

cdef int pack(dict view, State* s) except -1:
    """Fill the struct from a valid view."""
    cdef int seat, suit, i
    cdef uint64_t gone = 0
    memset(s, 0, sizeof(State))
    phase, _, place = view["node"].partition(":p")
    s.phase = PHASES.index(phase)
    s.seat = int(place) - 1 if place else 0
    s.turn = view["turn"]
    s.epoch = view["epoch"]
    s.num_forge = view["forge"]
    s.observer = view.get("observer", NOBODY)
    for seat, player in enumerate(view["players"]):
        gone |= pack_player(player, &s.players[seat])
    s.num_grave = len(view["grave"])
    for i, card in enumerate(reversed(view["grave"])):
        s.grave[i] = CODES[card]
        gone |= bit(s.grave[i])
    for pool in view.get("old_pools", ()):
        for card in pool["cards"]:
            s.old_cards[s.num_old] = CODES[card]
            gone |= bit(s.old_cards[s.num_old])
            s.num_old += 1
    for suit in range(4):
        s.forge |= <uint64_t>ALL_BUT_KINGS << (16 * suit)
    s.forge &= ~gone
    return 0


cdef uint64_t pack_player(dict view, Player* player) except? 0:
    """Fill a player's struct and return the mask of his cards."""
    cdef uint64_t gone = 0
    cdef int i
    player.suit = SUITS.index(view["suit"]) if view["suit"] else NO_SUIT
    player.health = view["health"]
    player.num_hand = len(view["hand"])
    for i, card in enumerate(view["hand"]):
        player.hand[i] = CODES.get(card["card"], NO_CARD)
        player.marks[i] = KNOWN if card["is_known"] else card["epoch"]
        gone |= bit(player.hand[i])
    player.num_salvage = len(view["salvage"])
    for card in view["salvage"]:
        player.salvage |= bit(CODES[card])
    player.counters = view["counters"]
    player.quartermaster = pack_load(view["quartermaster"])
    player.knight = pack_load(view["knight"])
    player.peasant = pack_load(view["peasant"])
    player.queen = pack_load(view["queen"])
    for load in (player.quartermaster, player.knight, player.peasant, player.queen):
        gone |= bit(load.lead) | bit(load.partner)
    return gone | player.salvage


cdef Load pack_load(dict view):
    cdef Load load
    load.lead = CODES.get(view["lead"], NO_CARD)
    load.partner = CODES.get(view["partner"], NO_CARD)
    return load
