"""What is possible in Chessault: destinations, check, legal moves and dice (R13.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product

from .chessault_board import (
    ABILITIES,
    BOUGHT_KINDS,
    FILES,
    FORWARD,
    KINDS,
    LINE,
    PRICES,
    PROMOTED_KINDS,
    SACRIFICED_KINDS,
    SETUP_ZONE,
    SQUARES,
    Figure,
    area,
    enemy_of,
    is_on_board,
    neighbour,
    radius,
)
from .chessault_state import (
    Action,
    Activate,
    Dice,
    End,
    Keep,
    Move,
    Place,
    Promote,
    Sacrifice,
    Setup,
    State,
    in_dice_order,
)

NUM_DICE = 3
RESURRECTION_PRICE = 2  # R6.8
SQUARE_INDEX = {square: index for index, square in enumerate(SQUARES)}
LAST_ACTION = "3"

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
SLIDES = {"b": DIAGONAL, "r": STRAIGHT, "q": STRAIGHT + DIAGONAL}
STEPS = {
    "k": STRAIGHT + DIAGONAL,
    "n": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
}


# Movement (section 7)


def destinations(state: State, start: str) -> list[str]:
    """List the legal destinations of the figure on a square, in square order."""
    figure = state.board[start]
    if figure.kind == "p":
        found = pawn_destinations(state, start, figure)
    elif figure.kind in SLIDES:
        found = slide_destinations(state, start, figure)
    else:
        found = [
            goal
            for step in STEPS[figure.kind]
            if (goal := neighbour(start, *step)) and goal in area(start)
        ]
    return in_square_order(goal for goal in found if not holds(state, goal, figure.owner))


def slide_destinations(state: State, start: str, figure: Figure) -> list[str]:
    """R7.3, up to and including the first figure met."""
    found = []
    for step in SLIDES[figure.kind]:
        goal = neighbour(start, *step)
        while goal and goal in area(start):
            found.append(goal)
            goal = neighbour(goal, *step) if state.is_free(goal) else None
    return found


def pawn_destinations(state: State, start: str, figure: Figure) -> list[str]:
    """R7.4, R7.5."""
    up = FORWARD[figure.owner]
    found = []
    for distance in (1, 2) if figure.is_fresh else (1,):
        goal = neighbour(start, 0, up * distance)
        if not goal or goal not in area(start) or not state.is_free(goal):
            break
        found.append(goal)
    for right in (-1, 1):
        goal = neighbour(start, right, up)
        if goal and goal in area(start) and holds(state, goal, enemy_of(figure.owner)):
            found.append(goal)
    return found


def holds(state: State, square: str, seat: int) -> bool:
    """Tell whether a figure of a seat stands on a square."""
    return square in state.board and state.board[square].owner == seat


def in_square_order(squares: Iterable[str]) -> list[str]:
    """Sort as R13.6 does."""
    return sorted(squares, key=SQUARE_INDEX.__getitem__)


def movable_squares(state: State) -> list[str]:
    """List the squares of the figures of X that may be moved by a roll (R6.1)."""
    return in_square_order(
        square
        for square, figure in state.figures(state.side)
        if not figure.has_moved and destinations(state, square)
    )


def movable_kinds(state: State) -> str:
    """Give M (R6.1), in the order of dice."""
    return in_dice_order(state.board[square].kind for square in movable_squares(state))


def is_in_check(state: State) -> bool:
    """R7.8, for the king of X."""
    king = state.king_square(state.side)
    if king is None:
        return False
    is_attacked = any(
        king in destinations(state, square) for square, _ in state.figures(enemy_of(state.side))
    )
    is_marked = any(mark.target == king and mark.converter in radius(king) for mark in state.marks)
    return is_attacked or is_marked


# What else moves need


def free_squares(state: State) -> list[str]:
    """List where X may place a figure (R4.3, R6.6)."""
    rows = SETUP_ZONE[state.side] if state.turn == 0 else (LINE[state.side],)
    squares = [file + str(row) for row in rows for file in FILES]
    return [square for square in squares if state.is_free(square)]


def sacrifices(state: State) -> list[str]:
    """List the squares of what X may sacrifice for a queen (R6.7)."""
    squares = in_square_order(
        square for square, figure in state.figures(state.side) if figure.kind in SACRIFICED_KINDS
    )
    if not free_squares(state):
        return [square for square in squares if not is_on_board(square)]
    return squares


def buyable_kinds(state: State) -> list[str]:
    """List what X may buy in the setup (R4.5) or recruit (R6.6, R6.7)."""
    return [
        kind
        for kind in BOUGHT_KINDS
        if state.stock[state.side][kind]
        and state.credits[state.side] >= PRICES[kind]
        and (sacrifices(state) if kind == "q" else free_squares(state))
    ]


def convert_targets(state: State, square: str) -> list[str]:
    """R9.12."""
    marked = {mark.target for mark in state.marks}
    enemy = enemy_of(state.board[square].owner)
    return [
        near
        for near in radius(square)
        if holds(state, near, enemy) and is_on_board(near) and near not in marked
    ]


def has_use(state: State, square: str) -> bool:
    """Tell whether the figure on a square could use its ability (R9.8, R9.12)."""
    ability = state.board[square].ability
    if ability == "explode":
        return any(near in state.board for near in radius(square))
    return ability == "convert" and bool(convert_targets(state, square))


# Legal moves and outcomes


def legal_moves(state: State) -> list[str]:
    """List the legal moves in canonical order."""
    match state.node:
        case Setup():
            return setup_moves(state)
        case Sacrifice():
            return [f"sacrifice:{square}" for square in sacrifices(state)]
        case Place():
            return [f"place:{square}" for square in free_squares(state)]
        case Action():
            return action_moves(state)
        case Move(kinds):
            return dice_moves(state, kinds)
        case Promote(square):
            stock = state.stock[state.board[square].owner]
            return [f"promote:{kind}" for kind in PROMOTED_KINDS if stock[kind]]
        case Keep(square, offer):
            choice = {*offer, state.board[square].ability}
            return [f"keep:{ability}" for ability in ABILITIES if ability in choice]
        case Activate(square):
            if state.board[square].ability == "explode":
                return ["hold", "explode"]
            return ["hold", *(f"convert:{goal}" for goal in convert_targets(state, square))]
        case Dice() | End():
            return []


def setup_moves(state: State) -> list[str]:
    """R4.2, R4.5, R4.6."""
    unplaced = state.unplaced[state.side]
    moves = [f"deploy:{kind}" for kind in "kqp" if unplaced[kind]]
    moves += [f"buy:{kind}" for kind in buyable_kinds(state)]
    return moves if unplaced.total() else [*moves, "done"]


def action_moves(state: State) -> list[str]:
    """Section 6."""
    moves = ["roll" if movable_squares(state) else "pass"]
    moves += [f"recruit:{kind}" for kind in buyable_kinds(state)]
    if state.credits[state.side] >= RESURRECTION_PRICE:
        dead = state.dead[state.side]
        moves += [f"resurrect:{kind}" for kind in BOUGHT_KINDS if dead[kind]]
    king = state.king_square(state.side)
    if king and not state.tally.special and is_in_check(state):
        moves += [f"king:{king}-{goal}" for goal in destinations(state, king)]
    return moves


def dice_moves(state: State, kinds: str) -> list[str]:
    """R6.3."""
    return [
        f"move:{start}-{goal}"
        for start in movable_squares(state)
        if state.board[start].kind in kinds
        for goal in destinations(state, start)
    ]


def chance_outcomes(state: State) -> dict[str, Fraction]:
    """Give each outcome its probability (R12)."""
    if not isinstance(state.node, Dice):
        return {}
    return dict(roll_chances(movable_kinds(state)))


@cache
def roll_chances(movable: str) -> dict[str, Fraction]:
    """Give the outcomes for M, by rolling all dice in all ways."""
    ways = Counter(
        in_dice_order(set(faces) & set(movable)) for faces in product(KINDS, repeat=NUM_DICE)
    )
    rolled = sorted(ways, key=lambda kinds: (len(kinds), [KINDS.index(kind) for kind in kinds]))
    return {
        f"dice:{kinds or '-'}": Fraction(ways[kinds], len(KINDS) ** NUM_DICE) for kinds in rolled
    }
