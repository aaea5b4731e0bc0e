"""The sentences for why a state of Knaves Out is not valid or a move not legal; codes to reasons.

validity.pxd, asked.pxd and legality.pxd have the codes. A refused action or attack has the fault of
the rules and the action or verb in its code, so that one fault has a sentence for each.
"""

from .asked cimport (
    APART, ATTACKER_GONE, ATTACKER_SWAYED, CHARM_STEPS, DARK_OWN, FIND_OTHER_TOWER,
    GREAT_TOWER_CHECKERS, GREAT_TOWER_OFF, GREAT_TOWER_USED, KEEP_AFTER_PLAY, KEEP_OTHER_SIZE,
    MIX_TOO_FEW, NOT_ENDED, NO_ACTION_TAKEN, NO_COUNTER, NO_DISCARD, NO_DRAW, NO_HAZARD,
    NO_INSIGHT, NO_LIONHEART, NO_ONES, NO_PARLAY, NO_REDIRECT, NO_SUCH_SAILOR, OTHER_PIECE_HIT,
    OTHER_SEAT, SAC_CHECKERS, SAC_TOO_FEW, SAC_TOO_MANY, TARGET_GONE, UNTAINTED_QUEEN, UPPER_LEFT,
    WAIVE_COLOUR, WAIVE_LEFT, WAIVE_OTHER_ACTION, WAIVE_PRICES, WRONG_ATTACKER, WRONG_DAMAGE,
    WRONG_DICE, WRONG_ENEMY, WRONG_FACES, WRONG_ROLLER, WRONG_THORNS)
from .faults cimport (
    FAULT_ACTS, FAULT_ATTACKED, FAULT_BASE_OF_PRICE, FAULT_BOOK, FAULT_COLOUR, FAULT_COURT,
    FAULT_EMPTY_STACK, FAULT_ENDED, FAULT_FARE, FAULT_FEAST_ONLY, FAULT_FEW_CHECKERS,
    FAULT_FULL_PIECE, FAULT_HAS_COURT_CARD, FAULT_HEART_ATTACK, FAULT_IN_FORCE,
    FAULT_NOTHING_TO_MOVE, FAULT_NOT_ADJACENT, FAULT_NOT_AT_SEA, FAULT_NOT_COASTAL, FAULT_NOT_FULL,
    FAULT_NOT_IN_DECK, FAULT_NOT_IN_HAND, FAULT_NOT_TOUCHING, FAULT_NO_ATTACKER, FAULT_NO_BASE,
    FAULT_NO_BUILDING, FAULT_NO_CHECKER, FAULT_NO_CONSPIRE, FAULT_NO_ENEMY, FAULT_NO_KING,
    FAULT_NO_MATCH, FAULT_NO_MOVER, FAULT_NO_ROOM, FAULT_NO_STEP, FAULT_NO_SUCH_PIECE,
    FAULT_NO_TARGET, FAULT_NO_TOWERS, FAULT_OCCUPIED, FAULT_OWN_TARGET, FAULT_PRICE,
    FAULT_SAME_TOWER, FAULT_SKIPS_ALREADY, FAULT_SWAYED, FAULT_SWAYED_ALREADY, FAULT_TAINTED,
    FAULT_TOO_MANY, FAULT_TOWER_USED, FAULT_WRONG_CARD)
from .legality cimport (
    ACE_COURT, ACE_DEVOUR, ACE_NEVER, ACT_FAULT, AT_AWAY, AT_AWAY_BISHOP, AT_INLAND, AT_PERMISSION,
    AT_TAKEN, BOARD_APART, BOARD_OVERLAPS, COURT_RANK, DARK_ENEMY, DIE_ONE, DRAW_HIDDEN, FIND_GONE,
    FIND_OTHER, FIND_UNFIT, FROM_NOTHING, FUEL_GONE, FUEL_OTHER, GAME_ENDED, KING_ELSEWHERE,
    NODE_FAULT, NOT_DRAWN, NOT_NOW, ON_OTHER, PLAY_FULL, PLAY_KNAVE, PLAY_NOT_HELD,
    PLAY_NOT_IN_DECK, PLAY_NO_BASE, PLAY_NO_JOKER, PLAY_RANK, REDIR_OTHER, RED_RANGE, REROLL_FACE,
    STEP_AWAY, STEP_TAKEN, STOP_EARLY, UNDER_TAINTED, VERB_FAULT, WAIVE_NEEDED, WAIVE_NOTHING)
from .validity cimport (
    ACE_OFF, ACTIVE_DEAD, ACTS_AT_START, ACTS_WITHOUT, ASKED_DEAD, ATTACKED_WITHOUT, BLACK_CHECKERS,
    BOARD_CONTACT, BOARD_FIRST, BOARD_MISSING, BOARD_MOVED, CARD_TWICE, CHOSEN_DEAD, CHOSEN_SAME,
    CLEANSED_WITHOUT, DEAD_HAS, ENDED_WITHOUT, END_EARLY, END_MARKS, END_TWO, END_WINNERS,
    FIRST_SEAT, FLAG_AT_START, FLAG_OF_OTHER, FRESH_AT_START, HAND_TOO_LARGE, JOKERS,
    LASTING_AT_START, MOVER_WITHOUT, NO_ACTIVE, NO_FIRST, NO_GREAT_TOWERS, NO_KING_BUILDING,
    NO_KNAVE, NO_LEGAL_MOVE, NO_TURN, OWN_TURN_MARK, PERMISSION_AT, PERMISSION_OF, RECORD_FLOOR,
    RECORD_HAND, RECORD_NOT_IN, RED_CHECKERS, SETUP_NODE, SETUP_PLAYER, SETUP_TOWERS, SETUP_TURN,
    SHA_AT_START, SKIP_OF_ACTIVE, SKIP_TWICE, STEPS_WITHOUT_SURGE, SURGE_OF_SOLDIER, SWAYER,
    SWAYS_AT_START, TOO_FEW_ALIVE, TOO_MANY_OF, TURN_LIMIT)

from kingmaker.cext.reasons import Reason

from .names import ACTIONS, BOOKS, NODE_NAMES, NODES_OF_VERBS, VERBS

# --- illegal moves --------------------------------------------------------------------------------

RULES_OF_VERBS = {
    "first": "R3.1", "board": "R3.2", "king": "R3.4", "court": "R3.5", "under": "R3.5",
    "fuel": "R3.6", "shuffle": "R4.2", "keep": "R4.2", "draw": "R4.3", "play": "R5.1",
    "joker": "R5.5", "act": "R6.1", "move": "R8.1", "sail": "R8.6", "land": "R8.7",
    "attack": "R9.1", "last": "R9.1", "ivory": "R11.1", "dark": "R11.1", "end_turn": "R4.5",
    "waive": "R6.6", "find": "R7/tax", "skip": "R7/tax", "at": "R7", "on": "R7/cherry",
    "step": "R7/charm", "stop": "R7/charm", "die": "R9.5", "red": "R11.1", "from": "R11.1",
    "insight": "R9.2", "pass": "R9.4", "parlay": "R9.4", "reroll": "R9.8", "redir": "R10.3",
    "take": "R10.3", "discard_hand": "R4.5", "keep_hand": "R4.5",
}

ILLEGALITIES = {
    GAME_ENDED: Reason("R12.2", "the game is over"),
    **{
        NOT_NOW + number: Reason(
            RULES_OF_VERBS[verb],
            f"it is {{0:node}}; {verb} belongs to {NODE_NAMES[NODES_OF_VERBS[verb]]}")
        for number, verb in enumerate(VERBS)
    },
    BOARD_OVERLAPS: Reason("R3.3", "a board would lie on another one"),
    BOARD_APART: Reason("R3.3", "at least 3 squares of a board have a side in common with others"),
    KING_ELSEWHERE: Reason("R3.4", "the king building stands on the own board, that of {1:seat}"),
    COURT_RANK: Reason("R3.5", "{0:card} is no {1:court_card}"),
    UNDER_TAINTED: Reason("R3.5", "a Joker lies under {0:tower} already"),
    FUEL_OTHER: Reason("R3.6", "{0:rank} is chosen for {1:tower} now"),
    FUEL_GONE: Reason("R3.6", "{0:card} is not in the deck"),
    DRAW_HIDDEN: Reason("R4.3", "a draw says which card comes"),
    NOT_DRAWN: Reason("R4.3", "{0:card} is not in the deck"),
    PLAY_NOT_HELD: Reason("R5.1", "{0:card} is not in the hand"),
    PLAY_NO_JOKER: Reason("R5.5", "there is no Joker in the hand"),
    PLAY_NOT_IN_DECK: Reason("R5.5", "{0:card} is not in the deck"),
    PLAY_KNAVE: Reason("R5.2", "without a Knave only a jack can be played, as the Knave"),
    PLAY_NO_BASE: Reason("R5.3", "{0:tower} is not in play"),
    PLAY_FULL: Reason("R5.3", "the tower of {0:tower} is full"),
    PLAY_RANK: Reason("R5.3", "the tower of {0:tower} takes {1:rank} next, not {2:card}"),
    ACE_NEVER: Reason("R5.4", "the ace of spades founds no tower with aos off"),
    ACE_COURT: Reason("R5.4", "the ace of spades founds a tower only with a full court"),
    ACE_DEVOUR: Reason(
        "R5.4", "the ace of spades founds a tower only after Motorhead or Ice Queen"),
    DARK_ENEMY: Reason("R11.1", "{0:seat} is not a living enemy"),
    WAIVE_NOTHING: Reason("R6.6", "nothing is paid from {0:tower}"),
    WAIVE_NEEDED: Reason("R6.6", "the rest could not be paid with the cards left to waive"),
    FIND_OTHER: Reason("R7/tax", "a card for {0:tower} is searched now"),
    FIND_GONE: Reason("R7/tax", "{0:card} is not in the deck"),
    FIND_UNFIT: Reason("R5.3", "{0:card} can't be played on {1:tower}"),
    AT_TAKEN: Reason("R2.5", "{0:square} is not empty"),
    AT_AWAY: Reason("R7/build", "{0:square} is not next to an own building"),
    AT_AWAY_BISHOP: Reason("R7/raise", "{0:square} is not next to an own tainted bishop"),
    AT_INLAND: Reason("R8.7", "{0:square} is not coastal"),
    AT_PERMISSION: Reason("R8.9", "another pawn has used the permission for this board"),
    ON_OTHER: Reason("R7/cherry", "on {0:square} stands no enemy {1:kind}"),
    STEP_TAKEN: Reason("R2.5", "{0:square} is not empty"),
    STEP_AWAY: Reason("R2.2", "{0:square} is not adjacent to {1:square}"),
    STOP_EARLY: Reason("R7/charm", "the pawn makes at least one step"),
    RED_RANGE: Reason("R11.1", "{0} to {1} red checkers make ten with the black ones"),
    FROM_NOTHING: Reason("R11.1", "on {0:square} stands no own piece with a checker"),
    REROLL_FACE: Reason("R9.8", "no die shows {0}"),
    REDIR_OTHER: Reason("R10.3", "on {0:square} stands no own piece that is next to {1:square}"),
    DIE_ONE: Reason("R9.5", "with Luck no die shows 1"),
}

# Fault -> rule (empty: the row of the action) and sentence.
OF_ACTIONS = {
    FAULT_ACTS: ("R6.1", "no action is left in this turn"),
    FAULT_BASE_OF_PRICE: ("R6.2", "{2:tower} is not in play"),
    FAULT_COURT: ("R6.3", "Knave, Queen and King are not all in play"),
    FAULT_PRICE: ("R6.2", "it costs {1} of {0:tower}, whose stack has {2}"),
    FAULT_FEAST_ONLY: ("", "nothing is paid with the mark feast, and only then"),
    FAULT_IN_FORCE: ("", "it is in force already"),
    FAULT_NO_KING: ("", "no King is in play"),
    FAULT_NOT_IN_HAND: ("", "{0:card} is not in the hand"),
    FAULT_NOT_IN_DECK: ("", "{0:card} is not in the deck"),
    FAULT_NO_ENEMY: ("", "{0:seat} is not a living enemy"),
}
OF_EACH_PRICE = ("R6.3", "it costs {1} of {0:tower}, whose stack has {2}")
EACH_PRICE = (
    "train", "defend", "blessing", "raise", "blacksails", "taint", "undead", "luck", "wind",
    "punches", "servant", "surge", "force", "failed", "conspire", "cherry", "rush", "seabreeze",
    "summer", "frenzy", "lionheart", "insight", "castle", "shield", "thorns", "balance", "redirect",
    "boister")
NO_ROOM = "no square next to an own building is empty"
FULL = "the piece on {0:square} has four checkers"
NO_RED = "no red checker is unused"
OF_ACTION = {  # action -> fault -> sentence; of its row
    "hail": {
        FAULT_HAS_COURT_CARD: "a King is in play",
        FAULT_WRONG_CARD: "{0:card} is no king",
    },
    "marry": {
        FAULT_HAS_COURT_CARD: "a Queen is in play",
        FAULT_WRONG_CARD: "{0:card} is no queen",
    },
    "build": {FAULT_TOO_MANY: "there are two of them", FAULT_NO_ROOM: NO_ROOM},
    "fortify": {
        FAULT_NO_SUCH_PIECE: "on {0:square} stands no own building",
        FAULT_FULL_PIECE: FULL,
        FAULT_NO_CHECKER: "no black checker is unused",
    },
    "charm": {
        FAULT_NO_SUCH_PIECE: "on {0:square} stands no pawn of an enemy",
        FAULT_NO_ROOM: "no square next to {0:square} is empty",
    },
    "execute": {
        FAULT_NO_SUCH_PIECE: "on {0:square} stands nothing that can be executed",
        FAULT_NOT_TOUCHING: "no own building or soldier is adjacent to {0:square}",
    },
    "sway": {FAULT_SWAYED_ALREADY: "{0:seat} is swayed already"},
    "knight": {
        FAULT_NO_SUCH_PIECE: "on {0:square} stands no own pawn",
        FAULT_FULL_PIECE: FULL,
        FAULT_NO_CHECKER: NO_RED,
    },
    "majesty": {FAULT_SKIPS_ALREADY: "{0:seat} loses a turn already, or has just lost one"},
    "train": {
        FAULT_NO_BUILDING: "there is no own rook",
        FAULT_TOO_MANY: "there are eight own pawns",
        FAULT_NO_ROOM: NO_ROOM,
    },
    "defend": {FAULT_NO_BUILDING: "there is no own knight"},
    "blessing": {FAULT_NO_BUILDING: "there is no own bishop"},
    "raise": {
        FAULT_NO_BUILDING: "there is no own tainted bishop",
        FAULT_TOO_MANY: "there are eight own unpawns",
        FAULT_NO_ROOM: "no square next to an own tainted bishop is empty",
    },
    "taint": {
        FAULT_NO_SUCH_PIECE: "on {0:square} stands no own building",
        FAULT_TAINTED: "the building on {0:square} is tainted already",
    },
    "undead": {
        FAULT_NO_CHECKER: NO_RED,
        FAULT_NO_SUCH_PIECE: "no own unpawn has fewer than four checkers",
    },
    "surge": {FAULT_NO_SUCH_PIECE: "on {0:square} stands no own building"},
    "force": {FAULT_EMPTY_STACK: "no card is on {1:tower} of {0:seat}"},
    "infight": {
        FAULT_SAME_TOWER: "cards move to another tower",
        FAULT_NO_BASE: "{0:tower} and {1:tower} are not both in play",
        FAULT_NOTHING_TO_MOVE: "no card on {0:tower} can move to {1:tower}",
    },
    "failed": {FAULT_NO_SUCH_PIECE: "on {0:square} stands no own pawn", FAULT_NO_ROOM: NO_ROOM},
    "conspire": {FAULT_ENDED: "the last attack of this turn has been made"},
    "cherry": {
        FAULT_NO_SUCH_PIECE: "on {0:square} stands no own building or soldier",
        FAULT_NO_MATCH: "no enemy has a piece of the kind on {0:square}",
    },
    "parlay": {
        FAULT_NO_BASE: "{0:tower} is not in play",
        FAULT_EMPTY_STACK: "no card is on {0:tower}",
    },
    "castle": {
        FAULT_IN_FORCE: "it is taken once in a game",
        FAULT_NO_SUCH_PIECE: "on {0:square} stands no own rook",
    },
    "balance": {
        FAULT_NO_SUCH_PIECE: "on {0:square} and {1:square} stand not two own pawns",
        FAULT_NOT_ADJACENT: "{0:square} and {1:square} are not adjacent",
        FAULT_NO_CHECKER: "the pawn on {0:square} has no checker",
        FAULT_FULL_PIECE: "the pawn on {1:square} has four checkers",
    },
    "boister": {
        FAULT_NO_CHECKER: NO_RED,
        FAULT_NO_SUCH_PIECE: "no own pawn has fewer than four checkers",
    },
}
OF_BOOKS = {
    FAULT_COURT: ("R5.10", "there is no court"),
    FAULT_BOOK: ("R5.10", "it is of the book {0}, and {{2:court}} has no part in it"),
    FAULT_COLOUR: ("R6.4", "out of court it is paid with {2:colour} cards alone"),
    FAULT_NOT_FULL: ("R6.7", "only a full stack of 13 cards is devoured"),
}
OF_VERBS = {  # verb -> fault -> rule and sentence
    "move": {
        FAULT_NO_MOVER: (
            "R8.1", "on {0:square} stands no own soldier, and no own building with Wild Surge"),
        FAULT_NOT_ADJACENT: ("R2.2", "{1:square} is not adjacent to {0:square}"),
        FAULT_OCCUPIED: ("R8.1", "{1:square} is not empty"),
        FAULT_NO_STEP: ("R8.3", "the piece on {0:square} has no step left"),
        FAULT_HEART_ATTACK: ("R8.9", "another pawn has used the permission for this board"),
    },
    "sail": {
        FAULT_NO_MOVER: ("R8.6", "on {0:square} stands no own soldier"),
        FAULT_NOT_COASTAL: ("R8.6", "{0:square} is not coastal"),
        FAULT_FARE: ("R8.6", "the soldier on {0:square} has no checker to pay with"),
        FAULT_NO_STEP: ("R8.3", "the soldier on {0:square} has no step left"),
        FAULT_HEART_ATTACK: ("R8.9", "another pawn has used the permission for this board"),
    },
    "land": {
        FAULT_NOT_AT_SEA: (
            "R8.7", "{0:a_kind} with {1} checkers is not at sea, or went there in this turn"),
        FAULT_NO_ROOM: ("R8.7", "there is no square to land on"),
    },
    "attack": {
        FAULT_NO_ATTACKER: ("R9.1", "on {0:square} stands no own piece that can attack"),
        FAULT_SWAYED: ("R9.1", "who is swayed declares no attacks"),
        FAULT_ENDED: ("R9.1", "the last attack of this turn has been made"),
        FAULT_ATTACKED: ("R9.1", "the piece on {0:square} has attacked in this turn"),
        FAULT_NO_CONSPIRE: ("R9.1", "a last attack needs Conspire"),
        FAULT_NOT_ADJACENT: ("R9.1", "{1:square} is not adjacent to {0:square}"),
        FAULT_NO_TARGET: ("R9.1", "on {1:square} stands nothing that can be attacked"),
        FAULT_OWN_TARGET: ("R9.1", "own pieces can't be attacked with friendly_fire off"),
    },
    "ivory": {
        FAULT_NO_TOWERS: ("R11.1", "there are no Two Towers with two_towers off"),
        FAULT_TOWER_USED: ("R11.1", "the Ivory Tower has been called already"),
        FAULT_FEW_CHECKERS: ("R11.1", "a Tower needs ten checkers, and there are fewer"),
    },
}
OF_VERBS["last"] = OF_VERBS["attack"]
OF_VERBS["dark"] = OF_VERBS["ivory"] | {
    FAULT_TOWER_USED: ("R11.1", "the Dark Tower has been called already")}


def reasons_of_action(code: str) -> dict:
    """Map the faults of an action to rule and sentence."""
    found = dict(OF_ACTIONS)
    if code in BOOKS:
        found |= OF_BOOKS
        rule, sentence = OF_BOOKS[FAULT_BOOK]
        found[FAULT_BOOK] = (rule, sentence.format(BOOKS[code]))
    if code in EACH_PRICE:
        found[FAULT_PRICE] = OF_EACH_PRICE
    found |= {fault: ("", sentence) for fault, sentence in OF_ACTION.get(code, {}).items()}
    return {fault: (rule or f"R7/{code}", sentence) for fault, (rule, sentence) in found.items()}


FOUND_FAULTS = {
    **{
        ACT_FAULT | fault << 6 | number: (rule, f"{name}: {sentence}")
        for number, (code, name) in enumerate(ACTIONS.items())
        for fault, (rule, sentence) in reasons_of_action(code).items()
    },
    **{
        VERB_FAULT | fault << 6 | VERBS.index(verb): reason
        for verb, faults in OF_VERBS.items() for fault, reason in faults.items()
    },
}
ILLEGALITIES.update({code: Reason(*reason) for code, reason in FOUND_FAULTS.items()})

# --- invalid states -------------------------------------------------------------------------------

PLAYER = "players[{0}]"
PIECE = "players[{0}].pieces[{1}]"
NODE = "node.type", "{0:stage}"
SEAT = "node.seat", "{0:number}"
MARKS = f"{PLAYER}.marks"

FAULTS = {
    # Cards, records
    CARD_TWICE: Reason("R14.5b", "a deck has each card once", PLAYER, "{1:card_code}"),
    JOKERS: Reason("R14.5b", "a deck has two Jokers", PLAYER, "{1}"),
    NO_KNAVE: Reason(
        "R14.5b", "there is no tower without a Knave", f"{PLAYER}.{{1:field}}", "{1:base}"),
    ACE_OFF: Reason(
        "R14.5b", "the ace of spades founds no tower with aos off", f"{PLAYER}.ace", "as"),
    HAND_TOO_LARGE: Reason(
        "R14.5b", "only {2} cards of this player are not seen", f"{PLAYER}.num_hidden", "{1}"),
    RECORD_NOT_IN: Reason(
        "R14.5c", "each record contains the cards of the next one",
        f"{PLAYER}.records[{{1}}].cards",
        "{2:card_code}"),
    RECORD_FLOOR: Reason(
        "R14.5c", "floors grow from record to record", f"{PLAYER}.records[{{1}}].floor", "{2}"),
    RECORD_HAND: Reason(
        "R14.5c", "the hand has at most {3} cards outside this record",
        f"{PLAYER}.records[{{1}}].floor", "{2}"),
    # World and setup
    BOARD_MISSING: Reason(
        "R14.5d", "the board of {0:seat} is placed", f"{PLAYER}.board", "nothing"),
    BOARD_MOVED: Reason(
        "R14.5d", "with fixed boards that of {0:seat} lies at {1},{2}", f"{PLAYER}.board",
        "another place"),
    BOARD_FIRST: Reason(
        "R3.2", "the board of the first seat lies at 0,0", f"{PLAYER}.board", "another place"),
    BOARD_CONTACT: Reason(
        "R3.3", "a board overlaps no earlier one, and at least 3 of its squares have a side in "
        "common with one", f"{PLAYER}.board", "this place"),
    NO_GREAT_TOWERS: Reason(
        "R14.5d", "there are no Two Towers with two_towers off", "{0:great}.status",
        "a called one"),
    SETUP_NODE: Reason(
        "R14.5e", "the setup has come to {0:node} here, of {1:seat_or_nobody}", "node.type",
        "another node"),
    SETUP_TURN: Reason("R14.5e", "in the setup there is no turn and no active seat", "turn", "{0}"),
    SETUP_PLAYER: Reason(
        "R14.5e", "at this point of the setup {0:seat} can't have come to this",
        PLAYER, "something else"),
    SETUP_TOWERS: Reason(
        "R14.5e", "in the setup none of the Two Towers has been called", "{0:great}.status",
        "a called one"),
    NO_FIRST: Reason("R14.5e", "after the setup the first seat is known", "first_seat", "0"),
    FIRST_SEAT: Reason("R14.5e", "by the option first it is p{1}", "first_seat", "{0}"),
    NO_ACTIVE: Reason("R14.5e", "after the setup a seat is active", "active", "0"),
    NO_TURN: Reason("R14.5e", "after the setup the turns count from 1", "turn", "0"),
    TURN_LIMIT: Reason("R14.5e", "the turn is at most max_turns, here {1}", "turn", "{0}"),
    # Seats
    TOO_FEW_ALIVE: Reason(
        "R14.5i", "before the end at least two players live", "players", "{0:seats}"),
    ACTIVE_DEAD: Reason("R14.5i", "the active seat lives", "active", "{0:number}"),
    ASKED_DEAD: Reason("R14.5i", "the seat that is asked lives", *SEAT),
    # Pieces and Towers
    DEAD_HAS: Reason(
        "R14.5f", "a defeated player has no pieces, soldiers at sea and marks", PLAYER, "some"),
    NO_KING_BUILDING: Reason(
        "R14.5f", "a living player has a king building", f"{PLAYER}.pieces", "none"),
    TOO_MANY_OF: Reason(
        "R1.3", "a player has at most {3} pieces of the kind {1:kind}", f"{PLAYER}.pieces", "{2}"),
    RED_CHECKERS: Reason("R1.4", "a player has 12 red checkers", PLAYER, "{1}"),
    BLACK_CHECKERS: Reason("R1.4", "a player has 12 black checkers", PLAYER, "{1}"),
    FLAG_OF_OTHER: Reason(
        "R14.5f", "only pieces of the active seat have used steps and other flags", PIECE,
        "{2:square}"),
    FLAG_AT_START: Reason(
        "R14.5f", "no piece has flags at the start of a turn", PIECE, "{2:square}"),
    SURGE_OF_SOLDIER: Reason(
        "R14.5f", "only buildings have Wild Surge", f"{PIECE}.has_surge", "true"),
    STEPS_WITHOUT_SURGE: Reason(
        "R14.5f", "a building steps only with Wild Surge", f"{PIECE}.steps", "{2}"),
    CLEANSED_WITHOUT: Reason(
        "R14.5f", "only soldiers that have made a step have this", f"{PIECE}.is_cleansed", "true"),
    ATTACKED_WITHOUT: Reason(
        "R14.5f", "only soldiers attack, and knights with the mark defend",
        f"{PIECE}.has_attacked", "true"),
    MOVER_WITHOUT: Reason(
        "R14.5f", "the mover is a soldier that has made a step, in the main part of a turn",
        f"{PIECE}.is_mover", "true"),
    CHOSEN_DEAD: Reason(
        "R14.5g", "Chosen One and chosen enemy live", "{0:chosen}", "{1:number}"),
    CHOSEN_SAME: Reason(
        "R14.5g", "Chosen One and chosen enemy differ", "dark.chosen_enemy", "{0:number}"),
    # Marks
    OWN_TURN_MARK: Reason(
        "R14.5h", "only the active seat has own turn marks, and not at the start of its turn",
        MARKS,
        "{1:mark}"),
    ENDED_WITHOUT: Reason("R14.5h", "ended needs conspire", MARKS, "ended"),
    SKIP_TWICE: Reason("R14.5h", "skip and skipped are never together", MARKS, "skipped"),
    SKIP_OF_ACTIVE: Reason("R14.5h", "the active seat does not lose its turn", MARKS, "{1:mark}"),
    LASTING_AT_START: Reason(
        "R14.5h", "lasting marks end at the start of the own turn", MARKS, "{1:mark}"),
    FRESH_AT_START: Reason(
        "R14.5h", "at the start of its turn no soldier of a player is fresh", f"{PLAYER}.sea",
        "a fresh one"),
    SWAYS_AT_START: Reason(
        "R14.5h", "at the start of its turn {1:seat} sways nobody", f"{PLAYER}.swayed_by",
        "{1:number}"),
    ACTS_AT_START: Reason(
        "R14.5h", "at the start of a turn no action has been taken", f"{PLAYER}.actions_taken",
        "{1}"),
    SHA_AT_START: Reason(
        "R14.5h", "at the start of a turn no permission has been used", f"{PLAYER}.permissions",
        "a used one"),
    ACTS_WITHOUT: Reason(
        "R14.5h", "two actions in a turn need Motorhead", f"{PLAYER}.actions_taken", "2"),
    SWAYER: Reason(
        "R14.5h", "other living players sway", f"{PLAYER}.swayed_by[{{1}}]", "{2:number}"),
    PERMISSION_OF: Reason(
        "R14.5h", "it is of another living player with Sheer Heart Attack in force",
        f"{PLAYER}.permissions[{{1}}].seat", "{2:number}"),
    PERMISSION_AT: Reason(
        "R14.5h", "an own pawn has the permission", f"{PLAYER}.permissions[{{1}}].square",
        "{2:square}"),
    # The end, choices
    END_WINNERS: Reason("R14.5k", "the win is that of {0:seats} here", "node.shares", "{1:seats}"),
    END_TWO: Reason(
        "R14.5k", "with nobody alive two seats have half of the win each", "node.shares",
        "{0:seats}"),
    END_EARLY: Reason(
        "R14.5k", "with {0:seats} alive the game ends after turn {1} only", "node.type", "end"),
    END_MARKS: Reason(
        "R14.5k", "at the turn limit no own turn mark is set, and no piece has flags", "node.type",
        "end"),
    NO_LEGAL_MOVE: Reason("R14.5k", "there is a legal move at {0:node}", *NODE),
}


def unasked(sentence: str, field: str = "type", value: str = "") -> Reason:
    return Reason("R14.5j", sentence, f"node.{field}", value)


UNASKED = {
    OTHER_SEAT: unasked("{1:seat} is asked here", "seat", "{0:number}"),
    NO_DISCARD: unasked("{0:seat} has a discard to shuffle", value="shuffle"),
    NO_DRAW: unasked(
        "a card is drawn if the deck has one and the hand has fewer than ten", value="draw"),
    KEEP_OTHER_SIZE: unasked(
        "a hand of exactly ten cards can be discarded, here are {1}", value="keep"),
    KEEP_AFTER_PLAY: unasked("no card was played if the hand can be discarded", value="keep"),
    NO_ACTION_TAKEN: unasked("{0:seat} has taken an action in this turn"),
    WAIVE_OTHER_ACTION: unasked("the action leaves cards to waive", "action"),
    WAIVE_PRICES: unasked("these prices are those of the action, less what was waived", "prices",
                          "{0:tower_code}"),
    WAIVE_LEFT: unasked("of four cards {1} are left to waive", "left", "{0}"),
    WAIVE_COLOUR: unasked(
        "the cards are paid in {1:colour_or_any}", "colour", "{0:colour_or_any}"),
    FIND_OTHER_TOWER: unasked("the tower is in play and not full", "tower", "{0:tower_code}"),
    CHARM_STEPS: unasked("{1} to {2} steps are left", "left", "{0}"),
    UNTAINTED_QUEEN: unasked("only a tainted Queen rolls", value="taint"),
    GREAT_TOWER_OFF: unasked("there are no Two Towers with two_towers off", "kind"),
    GREAT_TOWER_USED: unasked("this Tower has not been called", "kind", "{0:great}"),
    GREAT_TOWER_CHECKERS: unasked(
        "ten unused checkers are taken, of {1} red and {2} black ones", "red", "{0}"),
    WRONG_ENEMY: unasked("the chosen enemy is another living player", "enemy", "{0:number}"),
    DARK_OWN: unasked("the chosen enemy places the Dark Tower", "seat", "{0:number}"),
    MIX_TOO_FEW: unasked("with {0} unused checkers there is no choice of them", value="mix"),
    SAC_TOO_MANY: unasked("with {0} unused checkers none are taken from pieces", value="sac"),
    SAC_CHECKERS: unasked("the unused checkers are {1} red and {2} black ones", "red", "{0}"),
    SAC_TOO_FEW: unasked("a Tower needs ten checkers, here are {0} in all", value="sac"),
    NO_SUCH_SAILOR: unasked("such a soldier is at sea and not fresh", "landing", "{0:kind}"),
    APART: unasked("attacker and target are adjacent", "target", "{1:square}"),
    NOT_ENDED: unasked("a last attack sets the mark ended", "is_last", "true"),
    WRONG_ATTACKER: unasked(
        "a soldier of {1:seat}, or a knight with defend, has attacked from here", "attacker",
        "{0:square}"),
    ATTACKER_GONE: unasked("the attacker still stands", "attacker", "{0:square}"),
    TARGET_GONE: unasked("the target still stands", "target", "{0:square}"),
    ATTACKER_SWAYED: unasked("{0:seat} is swayed and can't attack"),
    NO_COUNTER: unasked(
        "a pawn of an enemy with frenzy strikes back at a soldier", "is_counter", "true"),
    NO_INSIGHT: unasked(
        "the owner of the target is asked, with the mark insight, if the attacker is a soldier of "
        "another player that can be moved", "seat", "{0:number}"),
    NO_PARLAY: unasked("another player with the mark parlay is asked", "seat", "{0:number}"),
    NO_LIONHEART: unasked(
        "the one who rolls or the owner of the target is asked, with the mark lionheart", "seat",
        "{0:number}"),
    UPPER_LEFT: unasked("the mark upper of {0:seat} works for this roll and is gone"),
    WRONG_DICE: unasked("the roll has {1} to {2} dice", "num_dice", "{0}"),
    WRONG_FACES: unasked("{2:dice_shown}, of {1} dice", "faces", "{0} of them"),
    NO_ONES: unasked("with Luck no die of {0:seat} shows 1", "faces", "1"),
    WRONG_ROLLER: unasked(
        "the one who rolls or the owner of the target has used the mark lionheart", "roller",
        "{0:number}"),
    OTHER_PIECE_HIT: unasked("the point falls on {1:square}", "square", "{0:square}"),
    NO_REDIRECT: unasked(
        "the owner of the piece is asked, with the mark redirect and another piece next to it",
        "seat", "{0:number}"),
    WRONG_DAMAGE: unasked("at most {1} points are left", "damage", "{0}"),
    WRONG_THORNS: unasked(
        "points on thorns count in an attack only, and are of the same roll as those left (D80)",
        "thorns", "{0}"),
    NO_HAZARD: unasked(
        "a step begins a movement on the board of another player's Ivory Tower", "step"),
}

REASONS = {
    **ILLEGALITIES,
    **FAULTS,
    **UNASKED,
    **{
        NODE_FAULT | code: unasked(f"{sentence} ({rule})", value="{3:stage}")
        for code, (rule, sentence) in FOUND_FAULTS.items()
    },
}
