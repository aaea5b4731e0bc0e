"""Kuhn poker (docs/rules/kuhn_poker.md): calibration, three cards, known equilibria, two seats.

A move is PASS or BET; a chance outcome is DEAL + card; DEAL + HIDDEN is a card dealt to another
seat, as this seat sees it.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from numpy.random cimport bitgen_t

from kingmaker.cext.change import Change
from kingmaker.cext.errors import InputError
from kingmaker.cext.notation import (
    check_node, field_values, observer_suffix, refuse_options, split_observer)

from ..bits cimport lowest, pop_lowest, random_member
from ..game cimport CHANCE, TERMINAL, Game

CARDS = "_jqk?"   # by the numbers of `State.cards`
CARD_NAMES = ["no card", "the jack", "the queen", "the king", "a hidden card"]
BETS = ["", "p", "b", "pb", "pp", "bp", "bb", "pbp", "pbb"]
# How a bet reads after the bets so far, by PASS and BET (R1.3).
WORDS = {"": ("check", "bet 1 chip"), "p": ("check", "bet 1 chip"),
         "b": ("fold", "call for 1 chip"), "pb": ("fold", "call for 1 chip")}

cdef enum:
    PASS = 0
    BET = 1
    DEAL = 4
    UNDEALT = 0     # cards count from 1: j q k
    HIDDEN = 4
    DECK = 0b1110   # set of the three cards
    NO_BETS = 1
    NUM_CODES = 16  # of `State.bets`
    NOBODY = 255    # `State.observer` of a full state

cdef struct State:
    uint8_t[2] cards   # of each seat: UNDEALT, 1..3 or HIDDEN
    uint8_t bets       # the moves so far as bits, the latest lowest, below a leading 1
    uint8_t observer   # seat + 1, 0 for a spectator, NOBODY: a full state

# By `State.bets`: who is asked, the chips that are won, and who won them by a fold (or -1).
cdef int8_t[NUM_CODES] NODE
cdef int8_t[NUM_CODES] STAKE
cdef int8_t[NUM_CODES] FOLD_WINNER


def code_of(str bets) -> int:
    """The number of a string of bets, see `State.bets`."""
    return int("1" + bets.replace("p", "0").replace("b", "1"), 2)


def fill_tables() -> None:
    """Fill the tables from the strings of R1.4."""
    cdef int code
    for code in range(NUM_CODES):
        NODE[code], STAKE[code], FOLD_WINNER[code] = TERMINAL, 1, -1
    for bets in BETS:
        code = code_of(bets)
        if bets in WORDS:
            NODE[code] = len(bets) % 2
        if bets.endswith("bb"):
            STAKE[code] = 2
        if bets.endswith("bp"):
            FOLD_WINNER[code] = len(bets) % 2


fill_tables()


cdef inline bint is_showdown(const State* state) noexcept nogil:
    return NODE[state.bets] == TERMINAL and FOLD_WINNER[state.bets] < 0


cdef class KuhnPoker(Game):
    """The rules; there are no options."""

    name = "kuhn_poker"
    title = "Kuhn poker"
    tag = "kuhn"
    is_hidden = True
    needs_mixing = True
    handicaps = (1.0, 0.77, 0.7, 0.64, 0.6, 0.56, 0.53, 0.5, 0.36)
    notation_help = (
        "Moves: pass (check or fold) and bet (bet or call); deals: deal:j, deal:q, deal:k.\n"
        "Position: kuhn p1=<card> p2=<card> bets=<p and b, or -> node=deal:pN|play:pN|end; a card\n"
        "is j, q, k or _ (not dealt); an observation has ? for a hidden card and ends in @pN.")

    def __init__(self, **options):
        refuse_options(self.name, options)
        self.options = {}
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = 3

    cdef void start(self, void* state) noexcept nogil:
        (<State*>state)[0] = State(cards=[0, 0], bets=NO_BETS, observer=NOBODY)

    cdef int node(self, const void* state) noexcept nogil:
        cdef const State* s = <const State*>state
        return CHANCE if s.cards[1] == UNDEALT else NODE[s.bets]

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        out[0] = PASS
        out[1] = BET
        return 2

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef uint64_t rest = DECK & ~(1 << (<const State*>state).cards[0])
        cdef int num_outcomes = 0
        while rest:
            out[num_outcomes] = DEAL + pop_lowest(&rest)
            num_outcomes += 1
        cdef int i
        for i in range(num_outcomes):
            probabilities[i] = 1.0 / num_outcomes
        return num_outcomes

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        return DEAL + random_member(DECK & ~(1 << (<const State*>state).cards[0]), rng)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        if move >= DEAL:
            s.cards[s.cards[0] != UNDEALT] = move - DEAL
        else:
            s.bets = s.bets << 1 | move

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int winner = FOLD_WINNER[s.bets]
        if winner < 0:
            winner = s.cards[1] > s.cards[0]
        out[winner] = (2 + STAKE[s.bets]) * 0.25
        out[1 - winner] = 1.0 - out[winner]

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef State* seen = <State*>out
        cdef int owner
        seen[0] = s[0]
        seen.observer = seat + 1
        if is_showdown(s):
            return
        for owner in range(2):
            if owner != seat and s.cards[owner] != UNDEALT:
                seen.cards[owner] = HIDDEN

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        cdef State* s = <State*>out
        cdef int owner
        memcpy(out, observation, sizeof(State))
        s.observer = NOBODY
        for owner in range(2):
            if s.cards[owner] == HIDDEN:
                s.cards[owner] = random_member(DECK & ~(1 << s.cards[1 - owner]), rng)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        cdef int owner = (<const State*>state).cards[0] != UNDEALT
        return DEAL + HIDDEN if move >= DEAL and owner != seat else move

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int length = 0
        cdef int seat
        cdef uint32_t rest
        self.start(root)
        for seat in range(2):
            if s.cards[seat] != UNDEALT:
                out[length] = DEAL + s.cards[seat]
                length += 1
        rest = NUM_CODES >> 1   # down to the leading 1
        while rest and not rest & s.bets:
            rest >>= 1
        rest >>= 1
        while rest:
            out[length] = BET if rest & s.bets else PASS
            length += 1
            rest >>= 1
        return length

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        """Half of what a showdown for the present stake would bring."""
        cdef const State* s = <const State*>state
        if self.node(state) == TERMINAL:
            self.returns(state, out)
            return
        out[0] = 0.5
        if s.cards[1] != UNDEALT:
            out[0] += 0.125 if s.cards[0] > s.cards[1] else -0.125
        out[1] = 1.0 - out[0]

    def move_text(self, uint32_t move) -> str:
        return f"deal:{CARDS[move - DEAL]}" if move >= DEAL else ("pass", "bet")[move]

    def parse_move(self, str text) -> int:
        for move in (PASS, BET, *range(DEAL + 1, DEAL + HIDDEN + 1)):
            if self.move_text(move) == text:
                return move
        raise InputError(
            f"{text!r} is no move; moves are pass and bet, deals are deal:j, deal:q and deal:k",
            field="move", value=text, rule="R4.1")

    def why_illegal(self, bytes state, uint32_t move) -> tuple:
        node = self.node_of(state)
        if node == TERMINAL:
            return ("the game is over", "R1.4")
        if node == CHANCE and move < DEAL:
            return ("the cards are still being dealt", "R1.3")
        if node == CHANCE and move < DEAL + HIDDEN:
            return (f"{CARD_NAMES[move - DEAL]} is dealt already", "R1.2")
        if node == CHANCE:
            return ("a dealt card must be named", "R1.2")
        return ("both cards are dealt", "R1.2")

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        view = {
            "cards": [CARDS[s.cards[seat]] for seat in range(2) if s.cards[seat] != UNDEALT],
            "bets": bets_of(s),
            "node": node_text(s),
        }
        if s.observer != NOBODY:
            view["observer"] = s.observer
        return view

    def move_view(self, uint32_t move) -> dict:
        if move < DEAL:
            return {"verb": self.move_text(move), "card": ""}
        return {"verb": "deal", "card": CARDS[move - DEAL]}

    @classmethod
    def view_text(cls, dict view) -> str:
        cards = [*view.get("cards", []), "_", "_"][:max(2, len(view.get("cards", [])))]
        return " ".join([
            "kuhn",
            *(f"p{seat}={card}" for seat, card in enumerate(cards, start=1)),
            f"bets={view.get('bets') or '-'}",
            f"node={view.get('node', '')}"]) + observer_suffix(view)

    @classmethod
    def move_view_text(cls, dict view) -> str:
        card = view.get("card", "")
        return f"{view.get('verb', '')}:{card}" if card else view.get("verb", "")

    @classmethod
    def parse_position(cls, str text) -> tuple:
        game = cls()
        return game, game._parse(text, "_jqk")

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        line, observer = split_observer(text, "R4.4")
        game = cls()
        observation = game.observed(game._parse(line, CARDS), observer - 1)
        if game.text(observation) != text:
            raise InputError(
                "exactly the dealt cards that the observer does not see are written ?",
                field="observation", value=text, rule="R4.4")
        return game, observation

    def _parse(self, str text, str spellings) -> bytes:
        """Return the state of a position line (R4.3); a ? becomes any card that fits."""
        p1, p2, bets, node = field_values(text, "kuhn", ("p1", "p2", "bets", "node"), "R4.2")
        for field, card in (("p1", p1), ("p2", p2)):
            if len(card) != 1 or card not in spellings:
                raise InputError(
                    f"a card is {', '.join(spellings)}, not {card!r}", field=field, value=card,
                    rule="R4.2")
        if p1 == "_" != p2:
            raise InputError(
                "p1's card is dealt before p2's", field="p2", value=p2, rule="R4.3b")
        if p1 == p2 and p1 in "jqk":
            raise InputError(
                f"there is only one {p1}", field="p2", value=p2, rule="R4.3b")
        if bets != "-" and bets not in BETS[1:]:
            raise InputError(
                f"the bets are - or one of {', '.join(BETS[1:])}, not {bets!r}", field="bets",
                value=bets, rule="R4.3c")
        if p2 == "_" and bets != "-":
            raise InputError(
                "nobody bets before both cards are dealt", field="bets", value=bets,
                rule="R4.3c")
        cdef State state = State(
            cards=[CARDS.index(p1), CARDS.index(p2)], bets=code_of(bets.strip("-")),
            observer=NOBODY)
        for seat in range(2):
            if state.cards[seat] == HIDDEN:
                state.cards[seat] = lowest(DECK & ~(1 << state.cards[1 - seat]))
        check_node(node, node_text(&state), "R4.3d")
        return (<char*>&state)[:sizeof(State)]

    def observer_of(self, bytes state):
        cdef const State* s = <const State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1

    def render(self, bytes state) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        bets = bets_of(s)
        said = [f"p{i % 2 + 1}: {WORDS[bets[:i]]['pb'.index(bets[i])]}" for i in range(len(bets))]
        return "\n".join([
            f"p1 [{CARDS[s.cards[0]]}]   p2 [{CARDS[s.cards[1]]}]   "
            f"in the pot: {2 + bets.count('b')}",
            "bets: " + (", ".join(said) or "none yet")])

    def describe_move(self, bytes state, uint32_t move) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        if move >= DEAL:
            return f"deal {CARD_NAMES[move - DEAL]} to p{1 + (s.cards[0] != UNDEALT)}"
        return WORDS.get(bets_of(s), ("pass", "bet"))[move]

    def changes(self, bytes before, bytes after, int seat) -> list:
        cdef const State* old = <const State*>self.pointer(before)
        cdef const State* new = <const State*>self.pointer(after)
        found = []
        if NODE[old.bets] != TERMINAL and NODE[new.bets] == TERMINAL and new.cards[1] != UNDEALT:
            shares = self.returns_of(after)
            chips = STAKE[new.bets]
            winner = shares.index(max(shares))
            how = "by a fold" if FOLD_WINNER[new.bets] >= 0 else "at the showdown"
            found.append(Change(
                f"p{winner + 1} wins {chips} chip{'s' * (chips > 1)} {how}",
                shares[seat] - 0.5 if seat >= 0 else 0.0))
        put_in = bets_of(new).count("b") - bets_of(old).count("b")
        if put_in > 0 and NODE[new.bets] != TERMINAL:
            better = (bets_of(new).index("b") % 2) + 1
            found.append(Change(f"p{better} puts 1 more chip at stake", 0.0))
        return found


cdef str bets_of(const State* state):
    return bin(state.bets)[3:].replace("0", "p").replace("1", "b")


cdef str node_text(const State* state):
    if state.cards[0] == UNDEALT:
        return "deal:p1"
    if state.cards[1] == UNDEALT:
        return "deal:p2"
    node = NODE[state.bets]
    return "end" if node == TERMINAL else f"play:p{node + 1}"
