"""The sense of a position of Knaves Out: what makes it valid (R14.5)."""

from __future__ import annotations

import itertools
from fractions import Fraction

from .knaves_out_board import FIXED_BOARDS, FIXED_KINGS, Point, board_of, can_place
from .knaves_out_cards import (
    ACE_OF_SPADES,
    COURT,
    EFFECTS,
    FULL,
    JOKER,
    NUM_JOKERS,
    Tower,
    num_outside,
    rank_number,
    refuse,
    sorted_cards,
)
from .knaves_out_moves import legal_moves
from .knaves_out_node_validity import is_node_valid
from .knaves_out_nodes import SETUP
from .knaves_out_play import FUEL
from .knaves_out_state import (
    HAND_SIZE,
    LASTING_MARKS,
    LIMITS,
    MAX_CHECKERS,
    TOWER_CHECKERS,
    TURN_MARKS,
    Piece,
    Player,
    State,
)
from .knaves_out_turns import shares_at_limit

MAX_COORDINATE = 9999
MAX_STEPS = 99


def check_validity(state: State) -> None:
    """Refuse what R14.5 forbids, except a line that is not canonical."""
    for seat, player in state.players.items():
        check_cards(state, seat, player)
        check_records(seat, player)
    check_world(state)
    if state.node.name in SETUP:
        check_setup(state)
        return
    check_turn(state)
    check_squares(state)
    for seat, player in state.players.items():
        check_pieces(state, seat, player)
        check_marks(state, seat, player)
    check_great(state)
    check_start_of_turn(state)
    if state.node.name == "end":
        check_end(state)
        return
    check_seats(state)
    if not is_node_valid(state):
        refuse("node", "R14.5 j", f"{state.node.text()} cannot be asked here")
    if state.node.seat and not legal_moves(state):
        refuse("node", "R14.5 k", "there is no legal move")


# (b), (c)


def check_cards(state: State, seat: int, player: Player) -> None:
    """R14.5 (b)."""
    cards = [*player.hand, *player.open_cards()]
    plain = [card for card in cards if card != JOKER]
    if len(set(plain)) < len(plain) or len(cards) - len(plain) > NUM_JOKERS:
        refuse(f"p{seat}", "R14.5 b", "a card occurs too often")
    if player.hand != sorted_cards(player.hand) or player.discard != sorted_cards(player.discard):
        refuse(f"p{seat}", "R14.5 a", "hand or discard is not in order")
    if len(player.hand) > HAND_SIZE:
        refuse(f"p{seat}", "R14.5 b", f"{len(player.hand)} cards in hand")
    if player.towers and "j" not in player.towers:
        refuse(f"p{seat}", "R14.5 b", "a tower without a Knave")
    if "a" in player.towers and state.options["aos"] == "off":
        refuse(f"p{seat}", "R14.5 b", "a tower on the ace of spades with aos=off")
    for name, tower in player.towers.items():
        check_tower(seat, name, tower)


def check_tower(seat: int, name: str, tower: Tower) -> None:
    """Check base, stack and devoured cards of a tower."""
    if tower.base != ACE_OF_SPADES if name == "a" else tower.base[0] != name:
        refuse(f"p{seat}", "R14.5 b", f"{tower.base} is no base of tower {name}")
    ranks = [rank_number(entry) for entry in tower.stack]
    first = tower.first_rank()
    if ranks != list(range(first, first + len(ranks))):
        refuse(f"p{seat}", "R14.5 b", f"the stack of tower {name} has a gap")
    codes = [code for code, _ in tower.devoured]
    order = list(EFFECTS)
    if codes != sorted(set(codes), key=order.index):
        refuse(f"p{seat}", "R14.5 b", f"{codes} are not in order, once each (D77)")
    for code, cards in tower.devoured:
        numbers = [rank_number(card) for card in cards if card != JOKER]
        if EFFECTS[code] != name or numbers != list(range(1, FULL + 1)):
            refuse(f"p{seat}", "R14.5 b", f"{code} is not devoured rightly")
        if cards[0] == JOKER or (JOKER, JOKER) in itertools.pairwise(cards):
            refuse(f"p{seat}", "R14.5 b", f"a Joker under {code} lies under no card")


def check_records(seat: int, player: Player) -> None:
    """R14.5 (c)."""
    last_mask, last_floor = -1, 0
    for mask, floor in player.records:
        if mask & ~last_mask or floor <= last_floor:
            refuse(f"p{seat}", "R14.5 c", "the records are not nested and growing")
        if num_outside(mask, player.hand) < floor:
            refuse(f"p{seat}", "R14.5 c", "the hand contradicts a record")
        last_mask, last_floor = mask, floor


# (d)


def check_world(state: State) -> None:
    """R14.5 (d)."""
    corners, size = state.corners, state.options.players
    if state.options["layout"] == "fixed":
        if tuple(corners) != FIXED_BOARDS[size]:
            refuse("world", "R14.5 d", "not the fixed boards")
    elif state.first:
        check_placed(state)
    elif any(corners):
        refuse("world", "R14.5 d", "a board before the first seat is known")
    gone = state.called - state.great.keys()
    for name, board in (("ivory", state.island), ("dark", state.cleansed)):
        if (name in gone) != bool(board):
            refuse("world", "R14.5 d", f"mark and {name} tower do not fit")
    if state.called and state.options["two_towers"] == "off":
        refuse("towers", "R14.5 d", "a tower with two_towers=off")


def check_placed(state: State) -> None:
    """R3.2, R3.3 in seating order; boards are missing only while they are placed."""
    placed: list[Point] = []
    seating = state.seating()
    asked = state.node.seat if state.node.name == "board" else 0
    to_come = seating[seating.index(asked) :] if asked else []
    for seat in seating:
        corner = state.corners[seat - 1]
        if (corner is None) != (seat in to_come):
            refuse("world", "R14.5 d", f"the board of p{seat} is missing or too early")
        if corner is None:
            continue
        if max(abs(corner[0]), abs(corner[1])) > MAX_COORDINATE:
            refuse("world", "R14.5 a", "a coordinate out of bounds")
        if not (can_place(corner, placed) if placed else corner == (0, 0)):
            refuse("world", "R14.5 d", f"the board of p{seat} does not lie rightly")
        placed.append(corner)


# (e)


def check_setup(state: State) -> None:
    """R14.5 (e): the line is one that R3 can reach."""
    options, node = state.options, state.node
    if state.turn or state.active or state.called:
        refuse("turn", "R14.5 e", "the setup is before turn 1")
    for seat, player in state.players.items():
        plain = Player(towers=player.towers, pieces=player.pieces)
        if player != plain:
            refuse(f"p{seat}", "R14.5 e", "more than king and court in the setup")
    if (node.name == "first") != (state.first == 0) or options.first not in (0, state.first):
        refuse("turn", "R14.5 e", "the first seat does not fit")
    if node.name == "first":
        if options.first:
            refuse("node", "R14.5 e", "the first seat is fixed")
        before: list[int] = []
    else:
        seating = state.seating()
        before = seating[: seating.index(node.seat)]
    check_asked_setup(state, before)
    for seat in state.players:
        if not is_king_set(state, seat, before):
            refuse(f"p{seat}", "R14.5 e", "the king does not fit the setup")
        if not is_court_set(state, seat, before):
            refuse(f"p{seat}", "R14.5 e", "the court does not fit the setup")


def check_asked_setup(state: State, before: list[int]) -> None:
    """Check that the options have this node."""
    options, node = state.options, state.node
    is_asked = {
        "first": True,
        "board": options["layout"] == "place" and bool(before),
        "king": options["kings"] == "place",
        "under": options["start_jokers"] == "on" and node.context.get("n") in ("1", "2"),
        "fuel": options["fuel"] == "on",
    }.get(node.name, options["start_court"] == "on")
    if not is_asked:
        refuse("node", "R14.5 e", f"{node.text()} is not asked with these options")


def is_king_set(state: State, seat: int, before: list[int]) -> bool:
    """Tell whether a player has a king, or none yet, as R3.4 goes."""
    name, pieces = state.node.name, state.players[seat].pieces
    if name in ("first", "board") or (name == "king" and seat not in before):
        return not pieces
    if list(pieces.values()) != [Piece("K", MAX_CHECKERS)]:
        return False
    [square] = pieces
    if state.options["kings"] == "fixed":
        return square == FIXED_KINGS[state.options.players].split()[seat - 1]
    return board_of(square) == seat


def is_court_set(state: State, seat: int, before: list[int]) -> bool:
    """Tell whether the towers of a player are as far as R3.5 and R3.6 have come."""
    node, options = state.node, state.options
    towers = state.players[seat].towers
    is_begun = node.name in ("courtj", "courtq", "courtk", "under", "fuel")
    if not is_begun or (seat not in before and seat != node.seat):
        return not towers
    if "a" in towers or any(tower.devoured for tower in towers.values()):
        return False
    num_fuel = len(FUEL) if options["fuel"] == "on" else 0
    max_jokers = NUM_JOKERS if options["start_jokers"] == "on" else 0
    letters = COURT
    if seat == node.seat:
        if node.name != "fuel":
            num_fuel = 0
            max_jokers = node.number("n") - 1 if node.name == "under" else 0
        elif (node["t"], node["r"]) not in FUEL:
            return False
        else:
            num_fuel = FUEL.index((node["t"], node["r"]))
        if node.name.startswith("court"):
            letters = COURT[: COURT.index(node.name[-1])]
    heights = {name: min(max(num_fuel - 3 * index, 0), 3) for index, name in enumerate(COURT)}
    return (
        set(towers) == set(letters)
        and sum(tower.has_joker for tower in towers.values()) <= max_jokers
        and all(tower.height == heights[name] for name, tower in towers.items())
        and not any(entry.endswith("*") for tower in towers.values() for entry in tower.stack)
    )


def check_turn(state: State) -> None:
    """Check the TURN field after the setup (R14.5 e)."""
    if not state.first or not state.active or not 1 <= state.turn <= state.options.max_turns:
        refuse("turn", "R14.5 e", "no seats, or not a turn of the game")
    if state.options.first not in (0, state.first):
        refuse("turn", "R14.5 e", "f is not the first seat of the options")


# (f)


def check_squares(state: State) -> None:
    """R2.5, and (g): every piece and tower has a square of its own, of a board that is there."""
    squares = [square for player in state.players.values() for square in player.pieces]
    squares += [tower.square for tower in state.great.values()]
    if len(set(squares)) < len(squares):
        refuse("pieces", "R14.5 f", "two pieces on one square")
    if any(board_of(square) > state.options.players for square in squares):
        refuse("pieces", "R14.5 f", "a square of no board")


def check_pieces(state: State, seat: int, player: Player) -> None:
    """R14.5 (f)."""
    if not player.is_alive:
        if player != Player(
            False, player.hand, player.discard, player.towers, records=player.records
        ):
            refuse(f"p{seat}", "R14.5 f", "pieces or marks of a dead player")
        return
    if player.num_pieces("K") != 1:
        refuse(f"p{seat}", "R14.5 f", "not exactly one king")
    if any(player.num_pieces(kind) > limit for kind, limit in LIMITS.items()):
        refuse(f"p{seat}", "R14.5 f", "too many pieces of a kind")
    if min(state.unused(seat, colour) for colour in ("red", "black")) < 0:
        refuse(f"p{seat}", "R14.5 f", "too many checkers")
    for square, piece in player.pieces.items():
        if piece != piece.without_flags() and not are_flags_valid(state, seat, piece):
            refuse(f"p{seat}", "R14.5 f", f"the flags of the piece on {square}")
    if sum(piece.is_mover for piece in player.pieces.values()) > 1:
        refuse(f"p{seat}", "R14.5 f", "two movers")


def are_flags_valid(state: State, seat: int, piece: Piece) -> bool:
    """Tell whether what a piece has done this turn fits together."""
    if seat != state.active or piece.steps > MAX_STEPS:
        return False
    if piece.is_mover and state.node.name != "main":
        return False
    if piece.is_building:
        can_attack = piece.kind == "N" and "defend" in state.mine.marks
        return (
            not (piece.is_cleansed or piece.is_mover)
            and (piece.has_surge or not piece.steps)
            and (can_attack or not piece.has_attacked)
        )
    is_moved = bool(piece.steps)
    return not piece.has_surge and (is_moved or not (piece.is_cleansed or piece.is_mover))


# (g), (h), (i)


def check_great(state: State) -> None:
    """R14.5 (g)."""
    for name, tower in state.great.items():
        seats = [tower.chosen, tower.enemy] if name == "dark" else [tower.chosen]
        if len(set(seats)) < len(seats) or max(seats) > state.options.players:
            refuse("towers", "R14.5 g", "Chosen One and enemy must be two players")
        if not all(state.players[seat].is_alive for seat in seats):
            refuse("towers", "R14.5 g", "Chosen One or enemy is dead")
        if tower.red + tower.black > TOWER_CHECKERS:
            refuse("towers", "R14.5 g", f"more than {TOWER_CHECKERS} checkers")


def check_marks(state: State, seat: int, player: Player) -> None:
    """R14.5 (h)."""
    marks, is_active = player.marks, seat == state.active
    of_turn = player.num_actions or player.permissions or not marks.isdisjoint(TURN_MARKS)
    if of_turn and not is_active:
        refuse(f"p{seat}", "R14.5 h", "a mark of the own turn outside of it")
    if "ended" in marks and "conspire" not in marks:
        refuse(f"p{seat}", "R14.5 h", "ended without conspire")
    if player.num_actions == 2 and not player.has_effect("motorhead"):
        refuse(f"p{seat}", "R14.5 h", "two actions without Motorhead")
    if {"skip", "skipped"} <= marks:
        refuse(f"p{seat}", "R14.5 h", "skip and skipped")
    if is_active and not marks.isdisjoint(("skip", "skipped")) and state.node.name != "end":
        refuse(f"p{seat}", "R14.5 h", "the active seat has lost its turn")
    living = set(state.enemies(seat))
    if not player.swayers <= living:
        refuse(f"p{seat}", "R14.5 h", "swayed by no living enemy")
    for other, place in player.permissions.items():
        if other not in living or not state.players[other].has_effect("sha"):
            refuse(f"p{seat}", "R14.5 h", f"no Sheer Heart Attack of p{other}")
        if place != "x" and (place not in player.pieces or player.pieces[place].letter != "P"):
            refuse(f"p{seat}", "R14.5 h", f"no own pawn on {place}")


def check_start_of_turn(state: State) -> None:
    """Check what has been cleared when a turn begins (R14.5 f, h)."""
    node = state.node
    if node.name != "shuffle" and not (node.name == "draw" and node["w"] == "0"):
        return
    player = state.mine
    if any(piece != piece.without_flags() for piece in player.pieces.values()):
        refuse("pieces", "R14.5 f", "flags at the start of a turn")
    is_clean = (
        player.marks.isdisjoint((*TURN_MARKS, *LASTING_MARKS))
        and not player.num_actions
        and not player.permissions
        and not any(sailor.is_fresh for sailor in player.sea)
        and not any(state.active in other.swayers for other in state.players.values())
    )
    if not is_clean:
        refuse("marks", "R14.5 h", "not cleared at the start of a turn")


def check_seats(state: State) -> None:
    """R14.5 (i)."""
    asked = [state.active, state.node.seat] if state.node.seat else [state.active]
    if len(state.living()) < 2 or not all(state.players[seat].is_alive for seat in asked):
        refuse("node", "R14.5 i", "too few players are alive, or the one who is asked is not")


# (k)


def check_end(state: State) -> None:
    """Check the shares of the end (R14.5 k)."""
    shares = [Fraction(state.node[f"p{seat}"]) for seat in state.players]
    living = state.living()
    if not living:
        is_right = sorted(shares)[-2:] == [Fraction(1, 2)] * 2 and sum(shares) == 1
    elif len(living) == 1:
        is_right = shares == [Fraction(int(seat in living)) for seat in state.players]
    else:
        is_limit = state.turn == state.options.max_turns and not has_turn_state(state)
        expected = shares_at_limit(state)
        is_right = is_limit and shares == [expected.get(seat, 0) for seat in state.players]
    if not is_right:
        refuse("node", "R14.5 k", "the shares do not follow")


def has_turn_state(state: State) -> bool:
    """Tell whether something of the turn is left that its end clears (R4.6, D79)."""
    player = state.mine
    return not player.marks.isdisjoint(TURN_MARKS) or any(
        piece != piece.without_flags() for piece in player.pieces.values()
    )
