"""Code of Chivalry as a `Game`: the C contract, and packing between views and structs.

A move is packed as state.pxd says. Notation and words work on views and know no struct.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset
from numpy.random cimport bitgen_t

from ...game cimport Game
from .knowledge cimport coc_determinize, coc_is_consistent, coc_observe
from .legal cimport coc_legal_moves, coc_outcomes, coc_sample
from .multiset cimport copies_of, hidden, kinds, one, pop_kind, size_of
from .policy cimport coc_evaluate, coc_playout, coc_policy_move
from .rules cimport coc_apply, coc_node, coc_returns, coc_start, next_seat, next_to_show
from .state cimport (
    FORT_ARCHER, FORT_CASTLE, FORT_JESTER_SHIFT, FORT_MINSTREL, HIDDEN_CARD, NOBODY, PEASANT,
    PHASE_ATTACK, PHASE_CHOOSE, PHASE_DEAL, PHASE_DRAW, PHASE_GIVE, PHASE_OVER_GEMS,
    PHASE_OVER_LIMIT, PHASE_RESPOND, PHASE_ROB, PHASE_SHOW, PHASE_TAKE, PHASE_TAX, PUBLIC, SEATS,
    VERB_DEAL, VERB_DRAW, VERB_GIVE, VERB_SHOW, VERB_TAKE, Rules, State, move_of, seat_of, verb_of)

from functools import lru_cache

from kingmaker.cext.errors import InputError

from . import moves as tokens
from . import legality, notation, words
from . import options as choices
from .cards import CARD_INDEX, CARDS, HIDDEN

cdef enum:
    # The evaluation tells more than playouts to the end, which all too often find out who holds
    # what. Three plies are what a turn takes that nobody contests: two draws and a move. With four
    # seats, 1,000 simulations against 308 with uniform playouts and earlier weights, 1 ply won 38 %
    # of 600 games and 3 plies 44 %.
    PLAYOUT_PLIES = 3

# Types of node by `Phase`; both ends are "over".
PHASES = ("deal", "draw", "main", "fortify", "attack", "respond", "rob", "show", "choose", "take",
          "tax", "give")
LADDERS = ("", "ladder", "jester")              # by `LadderOnTable`
AUTO_PASSES = ("public", "off", "private")      # by `AutoPass`
FORTS = {"castle": FORT_CASTLE, "archer": FORT_ARCHER, "minstrel": FORT_MINSTREL}


@lru_cache(maxsize=128)
def rules_of(kind: type[Game], options: tuple[tuple[str, str], ...]) -> Game:
    """Return the game that a line is of; having no state, one serves all lines."""
    return kind(**dict(options))


cdef class CodeOfChivalry(Game):
    """The rules with their options, see `option_help`."""

    cdef Rules rules

    name = "code_of_chivalry"
    title = "Code of Chivalry"
    tag = "coc"
    rules_version = "1"
    seat_counts = (2, 3, 4, 5, 6)
    option_help = choices.HELP
    notation_help = tokens.NOTATION_HELP
    is_hidden = True
    handicaps = (1.0, 0.62, 0.53, 0.476, 0.428, 0.395, 0.363, 0.33, 0.29)

    def __init__(self, **options):
        cdef int rivals
        self.options = choices.checked(options)
        values = choices.values(self.options)
        self.num_seats = values["players"]
        self.state_bytes = sizeof(State)
        self.playout_plies = PLAYOUT_PLIES
        self.rules.deck = packed(choices.deck(values))
        self.rules.types = kinds(self.rules.deck)
        self.rules.turn_limit = values["turn_limit"]
        self.rules.num_seats = self.num_seats
        self.rules.first_seat = values["first_player"] - 1
        self.rules.start_gems = values["start_gems"]
        self.rules.target_gems = values["target_gems"]
        self.rules.reshuffle_step = values["reshuffle_step"]
        self.rules.target_floor = values["target_floor"]
        self.rules.auto_pass = AUTO_PASSES.index(values["auto_pass"])
        # MAIN with the whole deck in hand. On each rival 84 attacks: 24 revolts of peasants and 50
        # with jesters, five other roles as themselves and five by a jester. Then six
        # fortifications, specials with and without a jester, and a discard of each kind of card.
        rivals = self.num_seats - 1
        self.max_moves = 84 * rivals + 6 + 2 * (rivals + 2) + len(CARDS)

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
        elif verb == VERB_SHOW:     # the last one turns all of them up
            is_hidden = seat != s.seat and next_to_show(
                &self.rules, s, next_seat(&self.rules, s.seat)) != s.active
        else:
            is_hidden = (verb == VERB_DEAL or verb == VERB_DRAW) and seat != s.seat
        return move_of(verb, HIDDEN_CARD) if is_hidden else move

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        return coc_policy_move(&self.rules, <const State*>state, rng)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        coc_evaluate(&self.rules, <const State*>state, out)

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        return coc_playout(&self.rules, <State*>state, max_plies, rng, out)

    def chance_source(self, bytes state) -> str:
        """The draw pile, or the hand that the merchant's cards are taken from (R7.3)."""
        cdef const State* s = <const State*>self.pointer(state)
        return f"hand:p{s.seat + 1}" if s.phase == PHASE_TAKE else "pile"

    def is_consistent(self, bytes observation, bytes state) -> bool:
        """Whether a valid state is consistent with an observation (R11.4).

        Wider than that observing the state gives the observation: what the state says that seats
        know plays no part.
        """
        return coc_is_consistent(
            &self.rules, <const State*>self.pointer(observation),
            <const State*>self.pointer(state))

    # --- moves --------------------------------------------------------------------------------

    def move_view(self, uint32_t move) -> dict:
        return tokens.view(move)

    def move_text(self, uint32_t move) -> str:
        return tokens.move_text(tokens.view(move))

    def parse_move(self, str text) -> int:
        move = tokens.number(tokens.parse_move(text))
        if seat_of(move) >= self.num_seats:
            raise InputError(
                f"{text} in a game of {self.num_seats}; seats are p1 to p{self.num_seats}",
                field="move", value=text, rule="R12.1")
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
        game = rules_of(cls, tuple(options.items()))
        pack(view, &state)
        return game, (<char*>&state)[:sizeof(State)]

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cdef int seat
        is_full = s.observer == NOBODY
        view = {
            "options": choices.values(self.options),
            "turn": s.turn,
            "active": s.active + 1,
            "reshuffles": s.reshuffles,
            "players": [player_view(s, seat) for seat in range(self.num_seats)],
            "discard": cards_of(s.discard),
            "node": node_view(s),
            "known": rows_view(s, self.num_seats),
            "base": cards_of(s.base),
            "own": [{"seat": seat + 1, "cards": cards_of(s.own[seat])}
                    for seat in range(self.num_seats) if s.own[seat]],
        }
        if is_full:
            view["draw"] = cards_of(s.draw)
        else:
            view["num_draw"] = size_of(s.draw)
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
    cdef bint is_hidden = s.observer != NOBODY and s.observer != seat + 1
    view = {"gems": s.gems[seat]}
    for role, fort in FORTS.items():
        view[role] = "" if not forts & fort else (
            "jester" if forts & fort << FORT_JESTER_SHIFT else role)
    view["hand"] = {} if is_hidden else cards_of(s.hands[seat])
    view["num_hidden"] = size_of(s.hands[seat]) if is_hidden else 0
    return view


cdef dict node_view(const State* s):
    if s.phase >= PHASE_OVER_GEMS:
        return {
            "type": "over",
            "reason": "gems" if s.phase == PHASE_OVER_GEMS else "limit",
            "winners": [seat + 1 for seat in range(SEATS) if s.winners >> seat & 1],
        }
    view = {"type": PHASES[s.phase]}
    if s.phase in (PHASE_DEAL, PHASE_RESPOND, PHASE_ROB, PHASE_SHOW, PHASE_TAKE, PHASE_TAX,
                   PHASE_GIVE):
        view["seat"] = s.seat + 1
    if s.phase in (PHASE_DEAL, PHASE_DRAW, PHASE_TAKE, PHASE_GIVE):
        view["left"] = s.left
    if s.phase in (PHASE_ATTACK, PHASE_RESPOND):
        view["target"] = s.target + 1
    if s.phase in (PHASE_ATTACK, PHASE_RESPOND, PHASE_ROB):
        view["ladder"] = LADDERS[s.ladder]
    if s.phase == PHASE_RESPOND:
        view["attack_card"] = {
            "role": CARDS[s.role],
            "num_cards": s.peasants if s.role == PEASANT else 1 - s.jesters,
            "num_jesters": s.jesters,
        }
    elif s.phase == PHASE_ROB:
        view |= {"source": s.source + 1, "receiver": s.receiver + 1, "gems": s.flight}
    elif s.phase in (PHASE_SHOW, PHASE_CHOOSE):
        view["picks"] = picks_view(s)
    return view


cdef list picks_view(const State* s):
    return [
        {
            "seat": seat + 1,
            "card": HIDDEN if s.picks[seat] == HIDDEN_CARD else CARDS[s.picks[seat] - 1],
        }
        for seat in range(SEATS) if s.picks[seat]
    ]


cdef list rows_view(const State* s, int num_seats):
    """The public rows, then those that differ from them (R13.1)."""
    cdef int holder, row
    rows = [
        {"observer": 0, "holder": holder + 1, "cards": cards_of(s.known[holder][PUBLIC])}
        for holder in range(num_seats) if s.known[holder][PUBLIC]
    ]
    for row in range(num_seats):
        if s.observer != NOBODY and s.observer != row + 1:
            continue
        rows += [
            {"observer": row + 1, "holder": holder + 1, "cards": cards_of(s.known[holder][row])}
            for holder in range(num_seats)
            if holder != row and s.known[holder][row] != s.known[holder][PUBLIC]
        ]
    return rows


# --- views to structs -------------------------------------------------------------------------

cdef uint64_t packed(dict cards) except? 0:
    cdef uint64_t found = 0
    for card, copies in cards.items():
        found += one(CARD_INDEX[card]) * <uint64_t>copies
    return found


cdef int pack(dict view, State* s) except -1:
    """Fill the struct from a valid view."""
    cdef int seat
    memset(s, 0, sizeof(State))
    s.turn = view["turn"]
    s.active = view["active"] - 1
    s.reshuffles = view["reshuffles"]
    s.observer = view.get("observer", NOBODY)
    s.draw = hidden(view["num_draw"]) if "num_draw" in view else packed(view["draw"])
    s.discard = packed(view["discard"])
    s.base = packed(view["base"])
    for entry in view["own"]:
        s.own[entry["seat"] - 1] = packed(entry["cards"])
    for seat, player in enumerate(view["players"]):
        s.gems[seat] = player["gems"]
        s.forts[seat] = packed_forts(player)
        s.hands[seat] = packed(player["hand"]) + hidden(player["num_hidden"])
    pack_rows(view["known"], len(view["players"]), s)
    pack_node(view["node"], s)
    return 0


cdef int packed_forts(dict player):
    cdef int forts = 0
    for role, fort in FORTS.items():
        if player[role]:
            forts |= fort
        if player[role] == "jester":
            forts |= fort << FORT_JESTER_SHIFT
    return forts


cdef int pack_rows(list rows, int num_seats, State* s) except -1:
    """Fill `State.known`; a row that is not there is like the public one (R13.1)."""
    cdef int holder, row
    for entry in rows:
        if entry["observer"] == 0:
            s.known[entry["holder"] - 1][PUBLIC] = packed(entry["cards"])
    for holder in range(num_seats):
        for row in range(num_seats):
            if row != holder and s.observer in (NOBODY, row + 1):
                s.known[holder][row] = s.known[holder][PUBLIC]
    for entry in rows:
        if entry["observer"]:
            s.known[entry["holder"] - 1][entry["observer"] - 1] = packed(entry["cards"])
    return 0


cdef int pack_node(dict node, State* s) except -1:
    if node["type"] == "over":
        s.phase = PHASE_OVER_GEMS if node["reason"] == "gems" else PHASE_OVER_LIMIT
        for seat in node["winners"]:
            s.winners |= 1 << (seat - 1)
        return 0
    s.phase = PHASES.index(node["type"])
    s.seat = node["seat"] - 1 if "seat" in node else s.active
    s.left = node.get("left", 0)
    s.target = node["target"] - 1 if "target" in node else 0
    s.ladder = LADDERS.index(node.get("ladder", ""))
    if s.phase == PHASE_RESPOND:
        card = node["attack_card"]
        s.role = CARD_INDEX[card["role"]]
        s.peasants = card["num_cards"] if s.role == PEASANT else 0
        s.jesters = card["num_jesters"]
    elif s.phase == PHASE_ROB:
        s.source = node["source"] - 1
        s.receiver = node["receiver"] - 1
        s.flight = node["gems"]
    for pick in node.get("picks", ()):
        s.picks[pick["seat"] - 1] = (
            HIDDEN_CARD if pick["card"] == HIDDEN else CARD_INDEX[pick["card"]] + 1)
    return 0
