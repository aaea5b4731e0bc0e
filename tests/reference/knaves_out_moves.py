"""What is possible at each node of Knaves Out: moves, chance outcomes and their order (R14.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from .knaves_out_board import board_of, places, squares_of
from .knaves_out_cards import (
    ACE_OF_SPADES,
    COURT,
    JOKER,
    TOWERS,
)
from .knaves_out_nodes import CHANCE, Node
from .knaves_out_state import (
    PAWN,
    TOWER_CHECKERS,
    UNPAWN,
    Player,
    State,
    allowance,
)
from .knaves_out_targets import (
    building_places,
    cherry_targets,
    legal_actions,
    raise_places,
)

FACES = "123456"
FACES_WITH_LUCK = "23456"


# Outcomes


def chance_outcomes(state: State) -> dict[str, Fraction]:
    """Give each outcome of a chance node its probability."""
    node = state.node
    if node.name not in CHANCE:
        return {}
    if node.name == "first":
        seats = list(state.players)
        return {f"first:p{seat}": Fraction(1, len(seats)) for seat in seats}
    if node.name == "draw":
        deck = state.players[node.seat_of("p")].deck()
        return {
            f"draw:{card}": Fraction(copies, len(deck)) for card, copies in Counter(deck).items()
        }
    faces = faces_of(state.players[roller(state, node)])
    return {f"die:{face}": Fraction(1, len(faces)) for face in faces}


def faces_of(player: Player) -> str:
    """List the faces that a player's dice can show (R9.5, D20)."""
    has_luck = "luck" in player.marks or player.has_effect("ladyluck")
    return FACES_WITH_LUCK if has_luck else FACES


def roller(state: State, node: Node) -> int:
    """Give the seat whose dice are rolled at a node."""
    if node.context.get("r") == "counter":
        return state.owner_at(node["t"])
    return state.active


# Moves


def legal_moves(state: State) -> list[str]:
    """List the legal moves of a decision node in canonical order."""
    make = MOVES.get(state.node.name)
    return make(state, state.node) if make else []


def board_moves(state: State, node: Node) -> list[str]:
    placed = [corner for corner in state.corners if corner]
    return [f"board:{x},{y}" for x, y in places(placed)]


def king_moves(state: State, node: Node) -> list[str]:
    return [f"king:{square}" for square in squares_of(node.seat)]


def court_moves(state: State, node: Node) -> list[str]:
    rank = node.name[-1]
    deck = state.players[node.seat].deck()
    return [f"court:{card}" for card in deck if card[0] == rank and card != JOKER]


def under_moves(state: State, node: Node) -> list[str]:
    player = state.players[node.seat]
    free = [name for name in COURT if not player.has_taint(name)]
    return [*(f"under:{name}" for name in free), "under:none"]


def fuel_moves(state: State, node: Node) -> list[str]:
    cards = [card for card in state.players[node.seat].deck() if card[0] == node["r"]]
    return [f"fuel:{card}:{node['t']}" for card in cards]


def place_moves(state: State, node: Node) -> list[str]:
    return [f"at:{square}" for square in placeable(state, node)]


def placeable(state: State, node: Node) -> list[str]:
    """List the squares of a `place` node in square order."""
    if node["k"] in ("train", "build", "failed"):
        return building_places(state)
    if node["k"] == "raise":
        return raise_places(state)
    if node["k"] == "land":
        return landing_squares(state, node["s"][0])
    return [square for square in state.world.squares if state.is_empty(square)]


def find_moves(state: State, node: Node) -> list[str]:
    player = state.mine
    found = [
        f"find:{card}:{name}"
        for card in player.deck()
        for name in playable_on(state, card)
        if node["k"] == "servant" or (name == node["t"] and player.towers[name].takes(card))
    ]
    return [*found, "skip"]


def target_moves(state: State, node: Node) -> list[str]:
    return [f"on:{square}" for square in cherry_targets(state, node["o"])]


def charm_moves(state: State, node: Node) -> list[str]:
    steps = [f"step:{square}" for square in state.empty_next_to(node["p"])]
    return steps if node["first"] == "1" else [*steps, "stop"]


def waive_moves(state: State, node: Node) -> list[str]:
    prices, left = waived_prices(node), node.number("left")
    return [
        f"waive:{name}"
        for name in TOWERS
        if prices.get(name)
        and num_missing(state, node, {**prices, name: prices[name] - 1}) <= left - 1
    ]


def waived_prices(node: Node) -> dict[str, int]:
    """Read the prices by tower of a `waive` node."""
    values = node["v"].replace("j", " j").replace("q", " q").replace("k", " k").replace("a", " a")
    return {part[0]: int(part[1:]) for part in values.split()}


def num_missing(state: State, node: Node, prices: dict[str, int]) -> int:
    """Count the cards of a price that the towers do not have."""
    colour = None if node["col"] == "-" else node["col"]
    towers = state.mine.towers
    return sum(max(0, price - towers[name].num_payable(colour)) for name, price in prices.items())


def mix_moves(state: State, node: Node) -> list[str]:
    red, black = (state.unused(state.active, colour) for colour in ("red", "black"))
    least, most = max(0, TOWER_CHECKERS - black), min(red, TOWER_CHECKERS)
    return [f"red:{number}" for number in range(least, most + 1)]


def sac_moves(state: State, node: Node) -> list[str]:
    pieces = state.mine.pieces
    return [f"from:{square}" for square in sorted(pieces) if pieces[square].checkers]


def insight_moves(state: State, node: Node) -> list[str]:
    return [*(f"insight:{square}" for square in state.empty_next_to(node["a"])), "pass"]


def lionheart_moves(state: State, node: Node) -> list[str]:
    return [*(f"reroll:{face}" for face in sorted(set(node["d"]))), "pass"]


def redirect_moves(state: State, node: Node) -> list[str]:
    return [*(f"redir:{square}" for square in redirections(state, node["on"])), "take"]


def redirections(state: State, square: str) -> list[str]:
    """List where a point on a square can be put instead (R10.3), whether or not it may be."""
    holder = state.holder_at(square)
    if not holder:
        return []
    return [near for near in state.world.neighbours[square] if state.holder_at(near) == holder]


# The main node (R4.4)


def main_moves(state: State, node: Node) -> list[str]:
    return [
        *card_moves(state),
        *legal_actions(state),
        *step_moves(state),
        *sail_moves(state),
        *land_moves(state),
        *attack_moves(state),
        *tower_moves(state),
        "end_turn",
    ]


def card_moves(state: State) -> list[str]:
    """R5.1 to R5.5."""
    player = state.mine
    moves = [
        f"play:{card}:{name}"
        for card in player.hand
        if card != JOKER
        for name in playable_on(state, card)
    ]
    if JOKER in player.hand:
        moves += [
            f"joker:{card}:{name}" for card in player.deck() for name in playable_on(state, card)
        ]
    return moves


def playable_on(state: State, card: str) -> list[str]:
    """List the towers of the active player that take a card, as base or on top."""
    player = state.mine
    if card == JOKER:
        return []
    if "j" not in player.towers:
        return ["j"] if card[0] == "j" else []
    return [
        name
        for name in TOWERS
        if (name in player.towers and player.towers[name].takes(card))
        or (name == "a" and card == ACE_OF_SPADES and can_found_ace_tower(state))
    ]


def can_found_ace_tower(state: State) -> bool:
    """R5.4."""
    player = state.mine
    if "a" in player.towers or state.options["aos"] == "off":
        return False
    if state.options["aos"] == "court":
        return player.has_court()
    return player.has_effect("motorhead") or player.has_effect("icequeen")


def step_moves(state: State) -> list[str]:
    """R8.1."""
    pieces = state.mine.pieces
    return [
        f"move:{square}-{near}"
        for square in sorted(pieces)
        if can_step(state, square)
        for near in state.empty_next_to(square)
        if is_permitted(state, square, [board_of(square), board_of(near)])
    ]


def can_step(state: State, square: str) -> bool:
    """R8.3, for soldiers and buildings with surge."""
    piece = state.mine.pieces[square]
    if piece.is_building and not piece.has_surge:
        return False
    return piece.steps < allowance(state, square)


def guards(state: State, boards: list[int]) -> list[int]:
    """List the players whose Sheer Heart Attack covers one of these boards (R8.9)."""
    return [
        seat
        for seat in state.enemies(state.active)
        if state.players[seat].has_effect("sha")
        and board_of(state.players[seat].king_square()) in boards
    ]


def is_permitted(state: State, square: str, boards: list[int]) -> bool:
    """Tell whether R8.9 lets a piece make a step; no square means a pawn that lands."""
    if square and state.mine.pieces[square].letter != PAWN:
        return True
    permissions = state.mine.permissions
    return all(permissions.get(seat, square) == square for seat in guards(state, boards))


def sail_moves(state: State) -> list[str]:
    """R8.6."""
    return [
        f"sail:{square}"
        for square in sorted(state.mine.pieces)
        if can_sail(state, square) and is_permitted(state, square, [board_of(square)])
    ]


def can_sail(state: State, square: str) -> bool:
    """Tell whether a piece has what going to sea takes, apart from R8.9."""
    piece = state.mine.pieces[square]
    if piece.is_building or square not in state.world.is_coastal or not can_step(state, square):
        return False
    return piece.checkers > 0 or sails_free(state, piece.letter)


def sails_free(state: State, letter: str) -> bool:
    """Tell whether going to sea costs a kind of soldier no checker."""
    return ("blacksails" if letter == UNPAWN else "seabreeze") in state.mine.marks


def land_moves(state: State) -> list[str]:
    """R8.7."""
    ashore = dict.fromkeys(
        sailor.token() for sailor in sorted(state.mine.sea) if not sailor.is_fresh
    )
    return [f"land:{token}" for token in ashore if landing_squares(state, token[0])]


def landing_squares(state: State, letter: str) -> list[str]:
    """List where a soldier may land; the letter is that of the move."""
    return [
        square
        for square in state.world.coast
        if state.is_empty(square) and (letter == "u" or is_permitted(state, "", [board_of(square)]))
    ]


def attack_moves(state: State) -> list[str]:
    """R9.1."""
    pairs = [
        f"{square}-{near}"
        for square in sorted(state.mine.pieces)
        if can_attack(state, square)
        for near in state.world.neighbours[square]
        if is_target(state, near)
    ]
    moves = [f"attack:{pair}" for pair in pairs]
    if "conspire" in state.mine.marks:
        moves += [f"last:{pair}" for pair in pairs]
    return moves


def can_attack(state: State, square: str) -> bool:
    """Tell whether a piece of the active player may declare an attack now."""
    player = state.mine
    if player.swayers or "ended" in player.marks or player.pieces[square].has_attacked:
        return False
    return is_fighter(state, square)


def is_fighter(state: State, square: str) -> bool:
    """Tell whether a piece of the active player attacks: a soldier, or a knight with Defend."""
    piece = state.mine.pieces[square]
    return not piece.is_building or (piece.kind == "N" and "defend" in state.mine.marks)


def is_target(state: State, square: str) -> bool:
    """Tell whether the active player may attack what stands on a square (R9.1)."""
    name = state.great_at(square)
    if name:
        return (state.great[name].chosen == state.active) == (name == "dark")
    owner = state.owner_at(square)
    return bool(owner) and (owner != state.active or state.options["friendly_fire"] == "on")


def tower_moves(state: State) -> list[str]:
    """R11.1."""
    if state.options["two_towers"] == "off" or num_callable(state) < TOWER_CHECKERS:
        return []
    moves = ["ivory"] if "ivory" not in state.called else []
    if "dark" not in state.called:
        moves += [f"dark:p{seat}" for seat in state.enemies(state.active)]
    return moves


def num_callable(state: State) -> int:
    """Count the checkers that a tower could be called with (R11.1)."""
    return num_unused(state) + sum(piece.checkers for piece in state.mine.pieces.values())


def num_unused(state: State) -> int:
    """Count the unused checkers of the active player, both colours."""
    return state.unused(state.active, "red") + state.unused(state.active, "black")


def words(*moves: str) -> Callable[[State, Node], list[str]]:
    """Give a node that always has the same moves."""
    return lambda state, node: list(moves)


MOVES: dict[str, Callable[[State, Node], list[str]]] = {
    "board": board_moves,
    "king": king_moves,
    "courtj": court_moves,
    "courtq": court_moves,
    "courtk": court_moves,
    "under": under_moves,
    "fuel": fuel_moves,
    "shuffle": words("shuffle", "keep"),
    "main": main_moves,
    "waive": waive_moves,
    "find": find_moves,
    "place": place_moves,
    "target": target_moves,
    "charm": charm_moves,
    "mix": mix_moves,
    "sac": sac_moves,
    "insight": insight_moves,
    "parlay": words("parlay", "pass"),
    "lionheart": lionheart_moves,
    "redirect": redirect_moves,
    "keep": words("discard_hand", "keep_hand"),
}
