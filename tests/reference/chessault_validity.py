"""The sense of a position of Chessault: what makes it valid (R13.4)."""

from __future__ import annotations

from collections import Counter

from .chessault_board import (
    ENDZONE,
    LINE,
    PROMOTED_KINDS,
    SEATS,
    SETUP_ZONE,
    SUPPLIES,
    TOKENS,
    WHITE,
    Figure,
    enemy_of,
    is_on_board,
    refuse,
    row_of,
)
from .chessault_moves import free_squares, has_use, movable_kinds, sacrifices
from .chessault_play import RECEIVED, RECEIVED_CREDITS
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
    Tally,
    node_text,
)

RULE = "R13.4"
WORTH_AT_START = sum(RECEIVED.values()) + RECEIVED_CREDITS
MOVE_IS_TO_COME = (Place, Sacrifice, Action, Dice, Move)


def check_validity(state: State) -> None:
    """Refuse what R13.4 forbids."""
    check_clock(state)
    check_supply(state)
    for square, figure in state.board.items():
        check_figure(state, square, figure)
    if state.turn == 0:
        check_setup(state)
    elif len(state.done) < len(SEATS):
        refuse("done", RULE, "turn 1 begins when both are done")
    elif any(zone.total() for zone in state.unplaced.values()):
        refuse("unplaced", RULE, "figures are left of the setup")
    check_marks(state)
    check_tally(state)
    if not is_node_valid(state):
        refuse("node", RULE, f"{node_text(state.node)} is not possible here")


def check_clock(state: State) -> None:
    """Check turn, side, action and the kind of node."""
    if state.turn > state.options.max_turns:
        refuse("turn", RULE, f"{state.turn} is above {state.options.max_turns}")
    if (state.turn == 0) != (state.action == "0"):
        refuse("action", RULE, f"{state.action} in turn {state.turn}")
    if state.turn and (state.side == WHITE) != (state.turn % 2 == 1):
        refuse("side", RULE, "White has the odd turns and Black the even ones")
    if state.action not in actions_of_node(state):
        refuse("node", RULE, f"{node_text(state.node)} at action {state.action}")


def actions_of_node(state: State) -> str:
    """List the actions at which this kind of node exists."""
    match state.node:
        case Setup():
            return "0"
        case Place() | Sacrifice():
            return "0123"
        case Action() | Dice() | Move() | Activate():
            return "123"
        case Keep() | Promote() | End():
            return "123e"


def check_supply(state: State) -> None:
    """R3.2, and where kings may be."""
    for seat in SEATS:
        figures = state.unplaced[seat] + state.stock[seat] + state.dead[seat]
        figures.update(figure.kind for _, figure in state.figures(seat))
        figures.update(placed_now(state, seat))
        if figures != Counter(SUPPLIES[state.options.supply]):
            refuse("stock", f"R3.2, {RULE}", f"the figures of seat {seat} are not the supply")
        if state.stock[seat]["k"]:
            refuse("stock", RULE, "a king cannot be recruited")
        if state.dead[seat]["k"] and not isinstance(state.node, End):
            refuse("dead", RULE, "a king is dead, but the game goes on")
    tokens = Counter(state.pool)
    tokens.update(figure.ability for figure in state.board.values() if figure.ability)
    tokens["convert"] += len(state.marks)
    if tokens != Counter(TOKENS):
        refuse("pool", f"R3.2, {RULE}", "the tokens are not those of the game")


def placed_now(state: State, seat: int) -> list[str]:
    """Give the figure of a seat that is in no zone (R13.1), if any."""
    if seat == state.side:
        match state.node:
            case Place(kind):
                return [kind]
            case Sacrifice():
                return ["q"]
    return []


def check_figure(state: State, square: str, figure: Figure) -> None:
    """Check one figure on one of the 80 squares."""
    row = row_of(square)
    is_recruited = row == LINE[figure.owner] and figure.kind != "k" and not figure.ability
    if not is_on_board(square) and not is_recruited:
        refuse("board", RULE, f"the figure on {square} cannot be recruited")
    if figure.kind == "p":
        check_pawn(state, square, figure)
    elif figure.is_fresh:
        refuse("board", RULE, f"the figure on {square} is no pawn, but fresh")
    if figure.has_moved and (figure.owner != state.side or state.action not in "123"):
        refuse("board", RULE, f"the figure on {square} cannot have moved now")


def check_pawn(state: State, square: str, pawn: Figure) -> None:
    """Check what holds for pawns only."""
    row = row_of(square)
    if pawn.ability:
        refuse("board", RULE, f"the pawn on {square} holds an ability")
    if pawn.is_fresh and row not in (LINE[pawn.owner], *SETUP_ZONE[pawn.owner]):
        refuse("board", RULE, f"the pawn on {square} cannot be fresh")
    if row == ENDZONE[pawn.owner]:
        is_promoting = isinstance(state.node, Promote) and state.node.square == square
        if not is_promoting and not isinstance(state.node, End):
            refuse("board", RULE, f"the pawn on {square} must have been promoted")


def check_setup(state: State) -> None:
    """Check turn 0."""
    if state.side in state.done:
        refuse("done", RULE, "X is done")
    for seat in SEATS:
        unplaced = state.unplaced[seat]
        if seat in state.done and unplaced.total():
            refuse("unplaced", RULE, f"seat {seat} is done")
        if not unplaced <= Counter(RECEIVED):
            refuse("unplaced", RULE, f"more than seat {seat} received")
        figures = len(state.figures(seat)) + len(placed_now(state, seat))
        if unplaced.total() + figures + state.credits[seat] > WORTH_AT_START:
            refuse("credits", RULE, f"seat {seat} has more than it began with")
    for square, figure in state.board.items():
        if row_of(square) not in SETUP_ZONE[figure.owner]:
            refuse("board", RULE, f"the figure on {square} is outside its setup zone")
        if figure.ability != ("protect" if figure.kind == "k" else ""):
            refuse("board", RULE, f"the figure on {square} must hold protect if it is a king")
    if state.marks:
        refuse("marks", RULE, "a mark in the setup")


def check_marks(state: State) -> None:
    """Check the figures of each mark."""
    targets = [mark.target for mark in state.marks]
    if len(set(targets)) < len(targets):
        refuse("marks", RULE, "two marks have one target")
    for mark in state.marks:
        if mark.target not in state.board or not is_on_board(mark.target):
            refuse("marks", RULE, f"there is no target on {mark.target}")
        if mark.converter is None:
            continue
        converter = state.board.get(mark.converter)
        if not converter or not is_on_board(mark.converter) or converter.kind == "p":
            refuse("marks", RULE, f"there is no converter on {mark.converter}")
        if converter.owner == state.board[mark.target].owner:
            refuse("marks", RULE, f"{mark.text()} is between figures of one player")


def check_tally(state: State) -> None:
    """Check the counters of the turn."""
    tally = state.tally
    if state.action not in "123":
        if tally != Tally():
            refuse("tally", RULE, f"{tally.text()} at action {state.action}")
        return
    max_moves = int(state.action) - isinstance(state.node, MOVE_IS_TO_COME)
    if tally.moves > max_moves:
        refuse("tally", RULE, f"{tally.moves} moves at action {state.action}")
    if tally.reaches > tally.moves or tally.special > min(tally.moves, 1):
        refuse("tally", RULE, f"{tally.text()} with so few moves")
    if tally.kills > state.dead[enemy_of(state.side)].total():
        refuse("tally", RULE, f"{tally.kills} kills, but fewer dead")
    if sum(figure.has_moved for figure in state.board.values()) > tally.moves:
        refuse("tally", RULE, f"{tally.moves} moves, but more figures have moved")


def is_node_valid(state: State) -> bool:
    """Tell whether the arguments of the node fit the rest."""
    match state.node:
        case Setup() | Action():
            return True
        case Place(kind):
            return state.action == "0" or (kind != "k" and bool(free_squares(state)))
        case Sacrifice():
            return bool(sacrifices(state))
        case Dice():
            return bool(movable_kinds(state))
        case Move(kinds):
            return bool(kinds) and set(kinds) <= set(movable_kinds(state))
        case Activate(square):
            figure = own_figure(state, square)
            return figure is not None and figure.has_moved and has_use(state, square)
        case Keep():
            return is_keep_valid(state, state.node)
        case Promote(square):
            return is_promote_valid(state, square)
        case End(winner):
            return is_end_valid(state, winner)


def own_figure(state: State, square: str) -> Figure | None:
    """Give the figure of X on a square of rows 1-8, if there is one."""
    figure = state.board.get(square)
    if figure and figure.owner == state.side and is_on_board(square):
        return figure
    return None


def is_keep_valid(state: State, node: Keep) -> bool:
    """R13.4 for KEEP."""
    figure = own_figure(state, node.square)
    if not figure or figure.kind == "p" or figure.ability in node.offer or not node.offer:
        return False
    if not all(state.pool[ability] for ability in node.offer):
        return False
    if state.action == "e":
        return figure.ability in ("protect", "explode") and node.offer == {"convert"}
    return figure.has_moved and (bool(figure.ability) or len(node.offer) > 1)


def is_promote_valid(state: State, square: str) -> bool:
    """R13.4 for PROMOTE."""
    pawn = state.board.get(square)
    if not pawn or pawn.kind != "p" or row_of(square) != ENDZONE[pawn.owner]:
        return False
    if not any(state.stock[pawn.owner][kind] for kind in PROMOTED_KINDS):
        return False
    if state.action == "e":
        return pawn.owner != state.side
    return pawn.owner == state.side and pawn.has_moved


def is_end_valid(state: State, winner: int | None) -> bool:
    """R13.4 for END."""
    dead_kings = {seat for seat in SEATS if state.dead[seat]["k"]}
    if winner:
        return dead_kings == {enemy_of(winner)}
    is_limit = state.action == "e" and state.turn == state.options.max_turns
    return len(dead_kings) == len(SEATS) or (not dead_kings and is_limit)
