"""The table of the features of Knaves Out; features.pyx describes and writes them."""

from libc.stdint cimport int32_t

from ...feature_blocks cimport Block, lay_out
from .state cimport A, FULL_HEIGHT, SEATS, TAINTED_BUILDINGS, is_in

from ...feature_rows import at_least, at_most, each, prefixed
from .names import (
    COURTS, EFFECTS, FILES, KINDS, LETTER_NAMES, MARKS, NODE_NAMES, RANK_NAMES, SUIT_NAMES)

BANDS = (1, 2, 4, 8)      # steps, in the order of WITHIN
POINTS = (1, 2, 3, 4, 6, 8)
PIECES = [
    f"{'tainted ' if is_in(letter, TAINTED_BUILDINGS) else ''}{name}"
    for letter, name in enumerate(LETTER_NAMES) if letter]

TABLE = {
    NODE: each("node: {}", NODE_NAMES.values()),
    NODE_KIND: each("of the kind: {}", KINDS[1:]),
    LEFT: at_least("points, steps or cards left at the node: {} or more", 1, 2, 3, 4),
    TURN_DISTANCE: each("seats before the own turn: {}", range(SEATS)),
    ACTS: at_least("actions taken: {} or more", 1, 2),
    TURNS_LEFT: at_most("turns left: {} or fewer", 60, 30, 16, 8, 4, 2, 1, 0),
    ROLLER: each("rolls: {}", PIECES),
    ROLLED_AT: each("is rolled at: {}", PIECES),
    ROLL_PART: each("{}", ("an own piece rolls", "an own piece is rolled at")),
    DICE_TO_COME: at_least("dice to come: {} or more", 1, 2, 3, 4, 5),
    HITS: at_least("hits: {} or more", 1, 2, 3, 4, 5),
    GREAT_TOWERS: each("{}", (
        "Ivory Tower: not called yet", "Ivory Tower: stands", "Ivory Tower: own",
        "Dark Tower: not called yet", "Dark Tower: stands", "Dark Tower: own",
        "Dark Tower: own seat is the enemy")),
    IVORY_POINTS: at_least("Ivory Tower: {} points or more", *range(1, 12)),
    DARK_POINTS: at_least("Dark Tower: {} points or more", *range(1, 12)),
    HAND_RED: each("own hand: red {}", RANK_NAMES.values()),
    HAND_BLACK: each("own hand: black {}", RANK_NAMES.values()),
    HAND_COURT: each("own hand: {}", [
        *(f"{rank} of {suit}" for rank in ("jack", "queen", "king")
          for suit in SUIT_NAMES.values()), "ace of spades"]),
    HAND_JOKERS: at_least("own hand: {} Jokers or more", 1, 2),
    HAND_FITTING: at_least("own hand: {} ranks that fit or more", 1, 2, 3, 4, 5),
    HAND_SOON: at_least("own hand: {} ranks that soon fit or more", 1, 2, 3, 4, 5),
    DECK_RANKS: each("own deck: {}", RANK_NAMES.values()),
    DECK_FITTING: at_least("own deck: {} ranks that fit or more", 1, 2, 3, 4, 5),
}
SEAT_TABLE = {
    STATUS: each("{}", (
        "alive", "asked", "on turn", "swayed", "king off the own board",
        "Ivory Tower on the board", "Dark Tower on the board", "board is an island",
        "board is cleansed")),
    SET_MARKS: each("mark {}", MARKS),
    IN_FORCE: each("effect {}", EFFECTS),
    COURT: each("{} court", COURTS[1:]),
    BASES: each("{}", [
        *("Knave", "Queen", "King", "Ace of Spades"),
        *("tainted Knave", "tainted Queen", "tainted King")]),
    **{HEIGHT + place: at_least(
        f"on the {name}: {{}} cards or more", *range(1, FULL_HEIGHT + (place != A)))
       for place, name in enumerate(("Knave", "Queen", "King", "Ace of Spades"))},
    EACH: at_least("cards on each of the court: {} or more", 1, 2, 3, 4),
    RED_RUN: at_least("red cards on top of each of the court: {} or more", 1, 2, 4),
    BLACK_RUN: at_least("black cards on top of each of the court: {} or more", 1, 2, 4),
    HAND_SIZE: at_least("cards in hand: {} or more", *range(1, 11)),
    DECK_SIZE: at_most("cards in the deck: {} or fewer", 30, 20, 10, 5, 0),
    DISCARD_SIZE: at_least("cards in the discard: {} or more", 1, 5, 10, 20),
    UNSEEN_FITTING: at_least(
        "ranks in hand and deck that fit: {} or more", 1, 2, 3, 4),
    KING_POINTS: at_least("king: {} points or more", 1, 2, 3, 4, 5),
    KING_FILE: each("king on file {}", FILES),
    KING_ROW: each("king on row {}", range(1, 9)),
    KING_DISTANCE: at_most("steps to the nearest enemy king: {} or fewer", 16, 12, 8, 6, 4, 2),
    GUARD: at_least("points of own soldiers near the king: {} or more", *POINTS),
    SIEGE: at_least("points of other soldiers beside the king: {} or more", *POINTS),
    PAWNS: at_least("pawns: {} or more", *range(1, 9)),
    UNPAWNS: at_least("unpawns: {} or more", *range(1, 9)),
    SOLDIER_POINTS: at_least("points of soldiers: {} or more", 2, 4, 6, 8, 10, 12, 16, 20),
    **{WITHIN + place: at_least(
        f"points of soldiers within {steps} of an enemy king: {{}} or more", *POINTS)
       for place, steps in enumerate(BANDS)},
    READY_POINTS: at_least(
        "points of soldiers beside an enemy king that have not attacked: {} or more", *POINTS),
    AT_SEA: at_least("soldiers at sea: {} or more", 1, 2, 3),
    BUILT: each("{}", [
        *(f"{number}{kind}" for kind in ("rook", "knight", "bishop")
          for number in ("", "second ")),
        *(f"tainted {kind}" for kind in ("king", "rook", "knight", "bishop"))]),
    BUILDING_CHECKERS: at_least("checkers under other buildings: {} or more", 1, 2, 4, 6),
    UNUSED_RED: at_most("unused red checkers: {} or fewer", 8, 4, 2, 1, 0),
    UNUSED_BLACK: at_most("unused black checkers: {} or fewer", 8, 4, 2, 1, 0),
    **{block: each(f"board: {what} on {{}}", [
        f"{file}{row}" for file in FILES for row in range(1, 9)])
       for block, what in (
           (OWN_SOLDIERS, "soldier of the own seat"), (OTHER_SOLDIERS, "soldier of a rival"),
           (BOARD_BUILDINGS, "building other than a king"))},
}

cdef Block[NUM_COMMON + SEATS * NUM_SEAT + 1] BLOCKS
cdef int32_t[NUM_WORDS] WORD_FIRST


def fill_blocks() -> list[str]:
    """Fill the blocks and return the names of the features for the most seats."""
    cdef int seat
    rows = dict(TABLE)
    for seat in range(SEATS):
        rows |= prefixed(
            f"rival {seat}" if seat else "own", SEAT_TABLE, NUM_COMMON + seat * NUM_SEAT)
    return lay_out(BLOCKS, WORD_FIRST, NUM_WORDS, rows)


FEATURE_NAMES = fill_blocks()


cdef const Block* ko_feature_blocks() noexcept nogil:
    return BLOCKS


cdef const int32_t* ko_first_of_words() noexcept nogil:
    return WORD_FIRST
