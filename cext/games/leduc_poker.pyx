"""Leduc poker (docs/rules/leduc_poker.md): calibration, six cards, two betting rounds, two seats.

A move is FOLD, CALL or RAISE; a chance outcome is DEAL + card; DEAL + HIDDEN is a card dealt to
another seat, as this seat sees it.
"""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.change import Change
from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    observer_suffix, read_line, read_node, read_verb, write_node, write_verb)
from kingmaker.cext.options import Options
from kingmaker.cext.reasons import Numbers, Reason

from ..bits cimport pop_lowest
from ..feature_blocks cimport thermometer, write_members
from ..fields cimport Fields
from ..game cimport CHANCE, NO_SEAT, TERMINAL, Game, Refusal, refuse
from ..rng cimport below, bitgen_t, digit
from ..view_game cimport NOBODY, ViewGame

CARDS = ["_", "js", "jh", "qs", "qh", "ks", "kh", "?"]   # by the numbers of `State`
CARD_NAMES = ["no card", "the jack of spades", "the jack of hearts", "the queen of spades",
              "the queen of hearts", "the king of spades", "the king of hearts", "a hidden card"]
MOVES = "fcr"
MOVE_NAMES = ("fold", "call", "raise")
# Every string of moves of one round (R1.3, R1.4), by its code: open, called, folded.
ROUNDS = ["", "c", "r", "cr", "rr", "crr",
          "cc", "rc", "rrc", "crc", "crrc",
          "rf", "rrf", "crf", "crrf"]

RANKS = ("jack", "queen", "king")
STAKES = range(3, 14, 2)
FEATURES = [
    *("own card: " + rank for rank in RANKS),
    *("board: " + rank for rank in RANKS),
    *("rival's card: " + rank for rank in RANKS),
    "own pair",
    *(f"stake: {chips} chips or more" for chips in STAKES),
    *(f"own seat moves {place}, round {number}: {moves or '-'}"
      for number in ("one", "two") for place in ("first", "second") for moves in ROUNDS)]

cdef enum:
    FOLD = 0
    CALL = 1
    RAISE = 2
    DEAL = 4
    UNDEALT = 0        # cards count from 1, in card order
    HIDDEN = 7
    DECK = 0b1111110   # set of the six cards
    NUM_CODES = 15
    FIRST_CALLED = 6   # codes of finished rounds begin here
    FIRST_FOLDED = 11
    SPREAD = 24        # uniform moves end a round in 24ths
    NUM_RANKS = 3
    NUM_STAKES = 6     # of `STAKES`
    FIRST_ROUND = 16   # features of the rounds begin here

cdef enum Why:
    EARLY_BOARD = 1, TWICE, EARLY_BETS, NO_BOARD_YET, NOT_SEEN, OVER, DEALING, UNNAMED
    DEALT_ALREADY, NO_DEAL, NO_RAISE, TWO_RAISES

CARD_CODES = {card: code for code, card in enumerate(CARDS[:HIDDEN]) if code}
SEEN_CODES = CARD_CODES | {"?": HIDDEN}
ROUND_CODES = {moves: code for code, moves in enumerate(ROUNDS)}
VERBS = {verb: move for move, verb in enumerate(MOVE_NAMES)} | {"deal": DEAL}
BETS = "the bets are the moves of each round, f c r as far as they are legal, such as crrc"
ORDER = "the cards are dealt to p1, to p2 and to the board, in this order"
REASONS = {
    EARLY_BOARD: Reason("R4.3b", ORDER, "board", "{0:token}"),
    TWICE: Reason("R4.3b", "every card is there once", "cards", "{0:token}"),
    EARLY_BETS: Reason("R4.3c", "nobody bets before the cards of the round are dealt",
                       "bets[{0}]", "{1:bets}"),
    NO_BOARD_YET: Reason("R4.3c", "the board is dealt when round one has ended without a fold",
                         "board", "{0:token}"),
    NOT_SEEN: Reason("R4.4", "exactly the cards that the observer does not see are ?",
                     "cards[{0}]", "{1:token}"),
    OVER: Reason("R1.4", "the game is over"),
    DEALING: Reason("R1.2", "a card is being dealt now"),
    UNNAMED: Reason("R1.2", "a dealt card must be named"),
    DEALT_ALREADY: Reason("R1.2", "{0:card} is dealt already"),
    NO_DEAL: Reason("R1.5", "no card is dealt now"),
    NO_RAISE: Reason("R1.3", "there is no raise to fold to"),
    TWO_RAISES: Reason("R1.3", "there have been two raises in this round"),
}

cdef uint64_t LOW_WORD = 0xFFFFFFFF

cdef struct State:
    uint8_t[2] cards   # of each seat: UNDEALT, 1..6 or HIDDEN
    uint8_t board      # UNDEALT or 1..6
    uint8_t[2] bets    # code of each round; round two is 0 until the board is dealt
    uint8_t observer   # seat + 1, 0 for a spectator, NOBODY: a full state

# By the code of a round.
cdef uint8_t[NUM_CODES] LENGTH          # moves made
cdef uint8_t[NUM_CODES][4] MADE         # the moves made, LENGTH of them
cdef uint8_t[NUM_CODES] LOST            # raises that the loser has paid for
cdef uint8_t[NUM_CODES][3] AFTER        # the code after each move; 0 where it is illegal
cdef uint8_t[NUM_CODES][SPREAD] ENDS    # finished rounds, as often as uniform moves lead there


def spread(str moves, int times) -> list:
    """List the codes of finished rounds that uniform moves lead to, `times` in all."""
    after = [moves + move for move in MOVES if moves + move in ROUNDS]
    if not after:
        return [ROUNDS.index(moves)] * times
    return [end for longer in after for end in spread(longer, times // len(after))]


def fill_tables() -> None:
    """Fill the tables from the strings."""
    cdef int code, i
    for code, moves in enumerate(ROUNDS):
        LENGTH[code] = len(moves)
        for i in range(len(moves)):
            MADE[code][i] = MOVES.index(moves[i])
        LOST[code] = moves.count("r") - moves.endswith("f")
        ENDS[code][:] = spread(moves, SPREAD)
        for i in range(3):
            AFTER[code][i] = ROUNDS.index(moves + MOVES[i]) if moves + MOVES[i] in ROUNDS else 0


fill_tables()


cdef inline int round_of(const State* state) noexcept nogil:
    """The index of the present round."""
    return state.board != UNDEALT


cdef inline bint is_folded(const State* state) noexcept nogil:
    return state.bets[round_of(state)] >= FIRST_FOLDED


cdef inline bint is_showdown(const State* state) noexcept nogil:
    return FIRST_CALLED <= state.bets[1] < FIRST_FOLDED


cdef inline uint64_t unseen(const State* state) noexcept nogil:
    """The set of cards that are not written in the state."""
    return DECK & ~(1 << state.cards[0] | 1 << state.cards[1] | 1 << state.board)


cdef inline int stake(const State* state) noexcept nogil:
    """Chips that the loser has put in (R1.6), or would have if the game ended now by a call."""
    return 1 + 2 * LOST[state.bets[0]] + 4 * LOST[state.bets[1]]


cdef inline int winner_of_cards(const State* state) noexcept nogil:
    """The seat that wins a showdown (R1.5), or -1."""
    cdef int p1 = (state.cards[0] + 1) >> 1   # ranks, 1..3
    cdef int p2 = (state.cards[1] + 1) >> 1
    cdef int board = (state.board + 1) >> 1
    if p1 == p2:
        return -1
    if board == p1 or board == p2:
        return board == p2
    return p2 > p1


cdef inline uint32_t rank_set(int card) noexcept nogil:
    """The set of a card's rank, counted from 0; none if it is not dealt or not seen."""
    return 1 << ((card + 1) >> 1) >> 1 & 0b111


cdef class LeducPoker(ViewGame):
    """The rules; there are no options."""

    name = "leduc_poker"
    title = "Leduc poker"
    tag = "leduc"
    is_hidden = True
    needs_mixing = True
    notation_help = (
        "Moves: fold, call (also to check), raise; deals: deal:js, deal:jh ... deal:kh.\n"
        "Position: leduc p1= p2= board= bets= node=\n"
        "p1, p2 and board are cards, js, jh, qs, qh, ks, kh or _ (not dealt); bets are the moves "
        "of round one, / and those of round two, letters f, c, r, or -; the node is deal:p1, "
        "deal:p2, deal:board, play:p1, play:p2 or end.\n"
        "Observation: the same with ? for a card that the seat does not see, then @p1 or @p2; @- "
        "is a spectator.")
    read_move, write_move = staticmethod(read_verb), staticmethod(write_verb)
    form_rules = ("R4.1", "R4.2", "R4.4")
    implied = {"node": "R4.3d"}
    reasons = REASONS
    numbers = Numbers(
        card=lambda card: CARD_NAMES[card],
        token=lambda card: CARDS[card],
        bets=lambda code: ROUNDS[code])

    def __init__(self, **options):
        self.options = Options(self.name).checked(options)
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = 6
        self.num_features = len(FEATURES)
        self.num_actions = len(MOVES)
        self.observer_at = <size_t>&(<State*>NULL).observer

    cdef void start(self, void* state) noexcept nogil:
        (<State*>state)[0] = State(
            cards=[UNDEALT, UNDEALT], board=UNDEALT, bets=[0, 0], observer=NOBODY)

    cdef int node(self, const void* state) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int code = s.bets[round_of(s)]
        if s.cards[1] == UNDEALT:
            return CHANCE
        if code < FIRST_CALLED:
            return LENGTH[code] & 1
        return CHANCE if code < FIRST_FOLDED and s.board == UNDEALT else TERMINAL

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef const uint8_t* after = AFTER[s.bets[round_of(s)]]
        cdef int num_moves = 0
        cdef int move
        for move in range(3):
            out[num_moves] = move
            num_moves += after[move] != 0
        return num_moves

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef uint64_t rest = unseen(<const State*>state)
        cdef int num_outcomes = 0
        while rest:
            out[num_outcomes] = DEAL + pop_lowest(&rest)
            num_outcomes += 1
        cdef int i
        for i in range(num_outcomes):
            probabilities[i] = 1.0 / num_outcomes
        return num_outcomes

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint64_t draw = rng.next_uint32(rng.state)
        return DEAL + draw_card(&draw, s.cards[0], s.cards[1])   # the board is never dealt yet

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        cdef uint8_t* bets
        if move < DEAL:
            bets = &s.bets[round_of(s)]
            bets[0] = AFTER[bets[0]][move]
        elif s.cards[1] != UNDEALT:
            s.board = move - DEAL
        else:
            s.cards[s.cards[0] != UNDEALT] = move - DEAL

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int winner = winner_of_cards(s)
        cdef int chips = stake(s)
        if is_folded(s):   # the seat that did not move last
            winner = LENGTH[s.bets[round_of(s)]] & 1
        if winner != 0:
            chips = -chips if winner > 0 else 0
        out[0] = (13 + chips) / 26.0
        out[1] = (13 - chips) / 26.0

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
        memcpy(out, observation, sizeof(State))
        s.observer = NOBODY
        cdef uint64_t draw = rng.next_uint32(rng.state)
        cdef int owner
        for owner in range(2):
            if s.cards[owner] == HIDDEN:
                s.cards[owner] = draw_card(&draw, s.cards[1 - owner], s.board)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        cdef const State* s = <const State*>state
        if move < DEAL or s.cards[1] != UNDEALT or seat == (s.cards[0] != UNDEALT):
            return move
        return DEAL + HIDDEN

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        cdef uint32_t[3] moves
        return moves[below(rng, self.legal_moves(state, moves))]

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        """Deal missing cards and draw the end of each round at once: the same distribution."""
        cdef State* s = <State*>state
        if max_plies:
            return Game.playout(self, state, max_plies, rng, out)
        cdef uint64_t draw = rng.next_uint64(rng.state)
        cdef uint64_t deal = draw >> 32
        cdef uint64_t move = draw & LOW_WORD
        cdef int plies = -(LENGTH[s.bets[0]] + LENGTH[s.bets[1]])
        cdef int owner
        for owner in range(2):
            if s.cards[owner] == UNDEALT:
                s.cards[owner] = draw_card(&deal, s.cards[1 - owner], UNDEALT)
                plies += 1
        s.bets[0] = ENDS[s.bets[0]][digit(&move, SPREAD)]
        if s.bets[0] < FIRST_FOLDED:
            if s.board == UNDEALT:
                s.board = draw_card(&deal, s.cards[0], s.cards[1])
                plies += 1
            s.bets[1] = ENDS[s.bets[1]][digit(&move, SPREAD)]
        self.returns(state, out)
        return plies + LENGTH[s.bets[0]] + LENGTH[s.bets[1]]

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int length = 0
        cdef int i, index
        self.start(root)
        for i in range(2):
            if s.cards[i] != UNDEALT:
                out[length] = DEAL + s.cards[i]
                length += 1
        for index in range(2):
            for i in range(LENGTH[s.bets[index]]):
                out[length] = MADE[s.bets[index]][i]
                length += 1
            if index == 0 and s.board != UNDEALT:
                out[length] = DEAL + s.board
                length += 1
        return length

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        """The result of a showdown for the present stake; half of it before the board."""
        cdef const State* s = <const State*>state
        cdef int node = self.node(state)
        cdef int winner = winner_of_cards(s)
        if node == TERMINAL:
            self.returns(state, out)
            return
        out[0] = 0.5
        if s.cards[1] != UNDEALT and winner >= 0:
            out[0] += stake(s) * (1 - 2 * winner) / (26.0 if s.board != UNDEALT else 52.0)
        out[1] = 1.0 - out[0]

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        """In the order of `FEATURES`."""
        cdef const State* s = <const State*>state
        cdef uint32_t own = rank_set(s.cards[seat])
        cdef uint32_t board = rank_set(s.board)
        cdef uint64_t found = own | board << NUM_RANKS
        cdef int length
        if is_showdown(s):
            found |= rank_set(s.cards[1 - seat]) << 2 * NUM_RANKS
        found |= (own & board != 0) << 3 * NUM_RANKS
        found |= thermometer(stake(s) >> 1, NUM_STAKES) << 3 * NUM_RANKS + 1
        length = write_members(found, 0, out, 0)
        out[length] = FIRST_ROUND + NUM_CODES * seat + s.bets[0]
        length += 1
        if s.board != UNDEALT:
            out[length] = FIRST_ROUND + NUM_CODES * (2 + seat) + s.bets[1]
            length += 1
        return length

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return move

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return index

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int[3] cards = [s.cards[0], s.cards[1], s.board]
        cdef int i, j
        cdef bint is_seen
        if s.board != UNDEALT and s.cards[1] == UNDEALT:
            return refuse(out, EARLY_BOARD, s.board)
        for i in range(3):
            for j in range(i):
                if cards[i] == cards[j] and UNDEALT < cards[i] < HIDDEN:
                    return refuse(out, TWICE, cards[i])
        for i in range(2):
            if cards[i + 1] == UNDEALT and s.bets[i]:
                return refuse(out, EARLY_BETS, i, s.bets[i])
        if s.board != UNDEALT and not FIRST_CALLED <= s.bets[0] < FIRST_FOLDED:
            return refuse(out, NO_BOARD_YET, s.board)
        if s.observer != NOBODY:
            for i in range(2):
                is_seen = cards[i] == UNDEALT or i == s.observer - 1 or is_showdown(s)
                if is_seen == (cards[i] == HIDDEN):
                    return refuse(out, NOT_SEEN, i, cards[i])
        return 0

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int node = self.node(state)
        if node == TERMINAL:
            return refuse(out, OVER)
        if node != CHANCE and move < DEAL:
            if AFTER[s.bets[round_of(s)]][move]:
                return 0
            return refuse(out, NO_RAISE if move == FOLD else TWO_RAISES)
        if node != CHANCE:
            return refuse(out, NO_DEAL)
        if move < DEAL:
            return refuse(out, DEALING)
        if move == DEAL + HIDDEN:
            return refuse(out, UNNAMED)
        return 0 if unseen(s) >> (move - DEAL) & 1 else refuse(out, DEALT_ALREADY, move - DEAL)

    @staticmethod
    def read_position(str text) -> dict:
        line = read_line(text, "leduc", ("p1", "p2", "board", "bets", "node"), ("R4.2", "R4.4"))
        p1, p2, board, bets, node = line.values
        kind = "observation" if line.observer else "position"
        if p1 == "_" != p2:
            raise refusal(f"{kind}.cards", p2, "R4.3b", ORDER)
        rounds = bets.split("/")
        if len(rounds) != 2:
            raise refusal(f"{kind}.bets", bets, "R4.3c", BETS)
        return {
            "cards": [card for card in (p1, p2) if card != "_"],
            "board": "" if board == "_" else board,
            "bets": ["" if moves == "-" else moves for moves in rounds],
            "node": {"type": "deal", "seat": 0} if node == "deal:board" else read_node(node),
            **line.observer,
        }

    @staticmethod
    def write_position(dict view) -> str:
        p1, p2 = [*view["cards"], "_", "_"][:2]
        bets = "/".join(moves or "-" for moves in view["bets"])
        node = write_node(view["node"])
        return (f"leduc p1={p1} p2={p2} board={view['board'] or '_'} bets={bets} "
                f"node={'deal:board' if node == 'deal' else node}{observer_suffix(view)}")

    @property
    def feature_names(self) -> list:
        return list(FEATURES)

    def pack(self, Fields fields not None) -> bytes:
        cdef State state = State(
            cards=[UNDEALT, UNDEALT], board=fields.code("board", CARD_CODES | {"": UNDEALT}),
            bets=[0, 0], observer=fields.observer(2, "R4.4"))
        codes = CARD_CODES if state.observer == NOBODY else SEEN_CODES
        for seat, card in enumerate(fields.codes("cards", codes, 2)):
            state.cards[seat] = card
        for index, code in enumerate(fields.codes("bets", ROUND_CODES, 2, BETS, "R4.3c")):
            state.bets[index] = code
        return (<char*>&state)[:sizeof(State)]

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        return {
            "cards": [CARDS[s.cards[seat]] for seat in range(2) if s.cards[seat] != UNDEALT],
            "board": CARDS[s.board] if s.board != UNDEALT else "",
            "bets": [ROUNDS[s.bets[0]], ROUNDS[s.bets[1]]],
            "node": {"type": node_type(self.node(s))},
        }

    def chance_seat(self, bytes state) -> int:
        """The seat dealt to; the board is nobody's."""
        cdef const State* s = <const State*>self.pointer(state)
        if s.cards[1] != UNDEALT:
            return NO_SEAT
        return 0 if s.cards[0] == UNDEALT else 1

    def pack_move(self, Fields fields not None) -> int:
        verb = fields.code("verb", VERBS)
        return verb + fields.code("card", SEEN_CODES) if verb == DEAL else verb

    @cython.boundscheck(True)   # the number may be no move
    def move_view(self, uint32_t move) -> dict:
        if move < DEAL:
            return {"verb": MOVE_NAMES[move], "card": ""}
        return {"verb": "deal", "card": CARDS[move - DEAL]}

    def render(self, bytes state) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        chips = chips_of(s)
        lines = [f"p1 [{CARDS[s.cards[0]]}]   p2 [{CARDS[s.cards[1]]}]   board [{CARDS[s.board]}]",
                 f"put in: p1 {chips[0]}, p2 {chips[1]}"]
        for index in range(1 + round_of(s)):
            moves = ROUNDS[s.bets[index]]
            said = [f"p{i % 2 + 1}: {move_words(moves[:i], MOVES.index(moves[i]), index + 1)}"
                    for i in range(len(moves))]
            lines.append(f"round {index + 1}: " + (", ".join(said) or "no bets yet"))
        return "\n".join(lines)

    def describe_move(self, bytes state, uint32_t move) -> str:
        self.token(move)   # refuses a number that is no move
        cdef const State* s = <const State*>self.pointer(state)
        if move < DEAL:
            return move_words(ROUNDS[s.bets[round_of(s)]], move, 1 + round_of(s))
        target = ("to p1" if s.cards[0] == UNDEALT else "to p2" if s.cards[1] == UNDEALT
                  else "to the board")
        return f"deal {CARD_NAMES[move - DEAL]} {target}"

    def describe_anywhere(self, uint32_t move) -> str:
        self.token(move)
        if move < DEAL:
            return ("fold", "check or call", "bet or raise")[move]
        return f"deal {CARD_NAMES[move - DEAL]}"

    def changes(self, bytes before, bytes after, int seat) -> list:
        cdef const State* old = <const State*>self.pointer(before)
        cdef const State* new = <const State*>self.pointer(after)
        found = []
        if self.node(old) != TERMINAL and self.node(new) == TERMINAL:
            shares = self.returns_of(after)
            winner = shares.index(max(shares))
            how = "by a fold" if is_folded(new) else "at the showdown"
            found.append(Change(
                "the cards tie" if shares[0] == shares[1]
                else f"p{winner + 1} wins {count_chips(stake(new))} {how}",
                shares[seat] - 0.5 if seat >= 0 else 0.0))
        if old.board == UNDEALT and new.board != UNDEALT:
            for owner in range(2):
                if (new.cards[owner] not in (UNDEALT, HIDDEN)
                        and CARDS[new.cards[owner]][0] == CARDS[new.board][0]):
                    found.append(Change(
                        f"the board pairs p{owner + 1}'s card", 0.15 if owner == seat else -0.15))
        for better, (was, now) in enumerate(zip(chips_of(old), chips_of(new), strict=True)):
            if now > was:
                found.append(Change(f"p{better + 1} puts {count_chips(now - was)} in", 0.0))
        return sorted(found, key=lambda change: -abs(change.gain))


cdef inline int draw_card(uint64_t* fraction, int a, int b) noexcept nogil:
    """Draw a card other than `a` and `b` out of a 32-bit fraction; UNDEALT and HIDDEN bar none."""
    a = a if a != UNDEALT else HIDDEN   # beyond every card
    b = b if b != UNDEALT else HIDDEN
    cdef int drawn = 1 + digit(fraction, 6 - (a != HIDDEN) - (b != HIDDEN))
    drawn += drawn >= min(a, b)
    drawn += drawn >= max(a, b)
    return drawn


cdef list chips_of(const State* state):
    """Chips that each seat has put in (R1.1, R1.3)."""
    chips = [1, 1]
    for index, unit in ((0, 2), (1, 4)):
        level = max(chips)
        for i, move in enumerate(ROUNDS[state.bets[index]]):
            level += unit * (move == "r")
            if move != "f":
                chips[i % 2] = level
    return chips


cdef str node_type(int node):
    return "deal" if node == CHANCE else "end" if node == TERMINAL else "play"


def count_chips(int chips) -> str:
    """Write a number of chips in words."""
    return f"{chips} chip" if chips == 1 else f"{chips} chips"


def move_words(str so_far, int move, int number) -> str:
    """Describe a move after the moves `so_far` of a round (1 or 2) in poker terms."""
    is_raised = so_far.endswith("r")
    if move == FOLD:
        return "fold"
    if move == CALL:
        return f"call for {count_chips(2 * number)}" if is_raised else "check"
    return f"{'raise' if is_raised else 'bet'} {count_chips(2 * number)}" + " more" * is_raised
