"""What moves and outcomes of Chessault do (sections 4 to 10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from .chessault_board import (
    ENDZONE,
    FIELDS,
    PRICES,
    PROMOTED_KINDS,
    SEATS,
    SUPPLIES,
    TOKENS,
    WHITE,
    Figure,
    enemy_of,
    other_half,
    radius,
    row_of,
)
from .chessault_moves import LAST_ACTION, RESURRECTION_PRICE, has_use
from .chessault_state import (
    MAX_CREDITS,
    Action,
    Activate,
    Dice,
    End,
    Keep,
    Mark,
    Move,
    Options,
    Place,
    Promote,
    Sacrifice,
    Setup,
    State,
    Tally,
)

RECEIVED = {"p": 2, "k": 1, "q": 1}  # R4.1
RECEIVED_CREDITS = 9


def new_state(options: Options) -> State:
    """Begin the setup (R4.1)."""
    stock = Counter(SUPPLIES[options.supply]) - Counter(RECEIVED)
    return State(
        options=options,
        board={},
        side=WHITE,
        turn=0,
        action="0",
        node=Setup(),
        done=set(),
        credits=dict.fromkeys(SEATS, RECEIVED_CREDITS),
        unplaced={seat: Counter(RECEIVED) for seat in SEATS},
        stock={seat: Counter(stock) for seat in SEATS},
        dead={seat: Counter() for seat in SEATS},
        pool=dict(TOKENS),
        marks=[],
        tally=Tally(),
    )


def play_token(state: State, token: str) -> None:
    """Make a legal move, or let an outcome happen."""
    verb, _, argument = token.partition(":")
    start, _, goal = argument.partition("-")
    match verb:
        case "deploy":
            state.unplaced[state.side][argument] -= 1
            state.node = Place(argument)
        case "buy" | "recruit":
            buy(state, argument)
        case "done":
            state.done.add(state.side)
            next_setup_turn(state)
        case "sacrifice":
            kill(state, argument)
            state.node = Place("q")
        case "place":
            place(state, argument)
        case "roll":
            state.node = Dice()
        case "pass":
            next_action(state)
        case "dice":
            roll(state, argument)
        case "resurrect":
            resurrect(state, argument)
        case "move":
            move(state, start, goal)
        case "king":
            state.tally.special = 1
            move(state, start, goal)
        case "promote":
            promote(state, argument)
        case "keep":
            keep(state, argument)
        case "hold":
            next_action(state)
        case "explode":
            explode(state)
        case "convert":
            mark_target(state, argument)


# Setup and the other actions (sections 4 and 6)


def buy(state: State, kind: str) -> None:
    """R4.5, R6.6, R6.7."""
    state.credits[state.side] -= PRICES[kind]
    state.stock[state.side][kind] -= 1
    state.node = Sacrifice() if kind == "q" else Place(kind)


def place(state: State, square: str) -> None:
    """Set the figure that was deployed, bought or recruited (R4.3, R4.4, R6.6)."""
    assert isinstance(state.node, Place)
    kind = state.node.kind
    state.board[square] = Figure(kind, state.side, is_fresh=kind == "p")
    if kind == "k":
        take(state, square, "protect")
    if state.turn == 0:
        next_setup_turn(state)
    else:
        next_action(state)


def next_setup_turn(state: State) -> None:
    """Ask the next player who is not done (R4.2, R4.6), or begin turn 1 (R4.7)."""
    if enemy_of(state.side) not in state.done:
        state.side = enemy_of(state.side)
    if len(state.done) == len(SEATS):
        begin_turn(state, WHITE)
    else:
        state.node = Setup()


def resurrect(state: State, kind: str) -> None:
    """R6.8."""
    state.credits[state.side] -= RESURRECTION_PRICE
    state.dead[state.side][kind] -= 1
    state.stock[state.side][kind] += 1
    next_action(state)


def roll(state: State, kinds: str) -> None:
    """R6.2."""
    if kinds == "-":
        next_action(state)
    else:
        state.node = Move(kinds)


# After a move (section 5)


def move(state: State, start: str, goal: str) -> None:
    """Move a figure of X."""
    figure = state.board[start] = replace(state.board[start], has_moved=True)
    state.tally.moves += 1
    enemy = state.board.get(goal)
    if enemy and enemy.ability == "protect":
        lose_ability(state, goal)
        offer_use(state, start)  # R8.2
        return
    offer = set()
    if enemy:
        kill(state, goal)
        state.tally.kills += 1
        offer = {"protect", enemy.ability}
    state.tally.reaches += row_of(goal) == ENDZONE[state.side] != row_of(start)
    relocate(state, start, goal)
    if enemy and enemy.kind == "k":
        state.node = End(state.side)
    elif figure.kind == "p":
        after_pawn_move(state, goal)
    else:
        if goal in FIELDS and other_half(goal, state.side):
            offer.add(FIELDS[goal])
        if not gain(state, goal, offer):
            offer_use(state, goal)


def after_pawn_move(state: State, square: str) -> None:
    """Promote the pawn if it has come so far; it gains nothing (D28)."""
    if row_of(square) != ENDZONE[state.side] or not begin_promotion(state, square):
        next_action(state)


def relocate(state: State, start: str, goal: str) -> None:
    """Set a figure on another square; its marks follow it (R9.14)."""
    state.board[goal] = replace(state.board.pop(start), is_fresh=False)
    state.marks = [
        Mark(
            goal if mark.converter == start else mark.converter,
            goal if mark.target == start else mark.target,
        )
        for mark in state.marks
    ]


def kill(state: State, square: str) -> None:
    """KILL of section 5."""
    lose_ability(state, square)
    figure = state.board.pop(square)
    state.dead[figure.owner][figure.kind] += 1
    state.pool["convert"] += sum(mark.target == square for mark in state.marks)
    state.marks = [
        replace(mark, converter=None) if mark.converter == square else mark
        for mark in state.marks
        if mark.target != square
    ]


# Abilities (section 9)


def take(state: State, square: str, ability: str) -> None:
    """Let a figure take a token from the pool, for the one it may hold."""
    lose_ability(state, square)
    state.pool[ability] -= 1
    state.board[square] = replace(state.board[square], ability=ability)


def lose_ability(state: State, square: str) -> None:
    """Return the token of a figure, if any, to the pool (R9.6)."""
    figure = state.board[square]
    if figure.ability:
        state.pool[figure.ability] += 1
        state.board[square] = replace(figure, ability="")


def gain(state: State, square: str, kinds: Iterable[str]) -> bool:
    """Offer abilities (R9.4); False if none of them can be had, and nothing happens.

    Otherwise the figure has taken one and the action is over, or its owner is asked.
    """
    held = state.board[square].ability
    offer = frozenset(kind for kind in kinds if kind and state.pool[kind] and kind != held)
    if not offer:
        return False
    if held or len(offer) > 1:
        state.node = Keep(square, offer)
    else:
        take(state, square, *offer)
        next_action(state)
    return True


def keep(state: State, ability: str) -> None:
    """Answer the node KEEP."""
    assert isinstance(state.node, Keep)
    square = state.node.square
    is_held = state.board[square].ability == ability
    if not is_held:
        take(state, square, ability)
    if state.action == "e":
        resolve_marks(state)
    elif is_held:
        offer_use(state, square)
    else:
        next_action(state)


def offer_use(state: State, square: str) -> None:
    """ACT of section 5 (R9.7)."""
    if has_use(state, square):
        state.node = Activate(square)
    else:
        next_action(state)


def explode(state: State) -> None:
    """R9.9 to R9.11."""
    assert isinstance(state.node, Activate)
    centre = state.node.square
    lose_ability(state, centre)
    hit = {square: state.board[square] for square in radius(centre) if square in state.board}
    killed = []
    for square, figure in hit.items():
        if figure.ability == "protect":
            lose_ability(state, square)
        else:
            kill(state, square)
            killed.append(figure)
    enemies = [figure for figure in killed if figure.owner != state.side]
    state.tally.kills += len(enemies)
    losers = {figure.owner for figure in killed if figure.kind == "k"}
    if losers:
        state.node = End(None if len(losers) > 1 else enemy_of(losers.pop()))
        return
    offer = {"protect", *(figure.ability for figure in enemies)} if enemies else set()
    if not gain(state, centre, offer):
        next_action(state)


def mark_target(state: State, target: str) -> None:
    """R9.13: the token of the converter becomes the mark."""
    assert isinstance(state.node, Activate)
    converter = state.node.square
    state.board[converter] = replace(state.board[converter], ability="")
    state.marks.append(Mark(converter, target))
    next_action(state)


# Promotion (R8.6)


def begin_promotion(state: State, square: str) -> bool:
    """Ask what the pawn on a square becomes; False if there is nothing, and it is gone."""
    stock = state.stock[state.board[square].owner]
    if any(stock[kind] for kind in PROMOTED_KINDS):
        state.node = Promote(square)
        return True
    kill(state, square)
    return False


def promote(state: State, kind: str) -> None:
    """Replace the pawn."""
    assert isinstance(state.node, Promote)
    square = state.node.square
    pawn = state.board[square]
    kill(state, square)
    state.stock[pawn.owner][kind] -= 1
    state.board[square] = Figure(kind, pawn.owner, has_moved=pawn.has_moved)
    if state.action == "e":
        resolve_marks(state)
    else:
        next_action(state)


# Turns (R5.2, section 10)


def begin_turn(state: State, side: int) -> None:
    """Begin the next turn."""
    state.side = side
    state.turn += 1
    state.action = "1"
    state.node = Action()


def next_action(state: State) -> None:
    """NEXT of R5.2."""
    if state.action == LAST_ACTION:
        end_turn(state)
    else:
        state.action = str(int(state.action) + 1)
        state.node = Action()


def end_turn(state: State) -> None:
    """R10.1 to R10.3, then the rest of section 10."""
    enemy = enemy_of(state.side)
    state.action = "e"
    earn(state, state.side, state.tally.moves + 2 * state.tally.kills)
    stolen = min(state.tally.reaches, state.credits[enemy])
    earn(state, state.side, stolen)
    state.credits[enemy] -= stolen
    state.tally = Tally()
    state.board = {
        square: replace(figure, has_moved=False) for square, figure in state.board.items()
    }
    resolve_marks(state)


def earn(state: State, seat: int, amount: int) -> None:
    """Add credits (R2.7)."""
    state.credits[seat] = min(MAX_CREDITS, state.credits[seat] + amount)


def resolve_marks(state: State) -> None:
    """Resolve the marks on figures of X that are left (R10.4), then go on to the next turn."""
    while due := [mark for mark in state.marks if state.board[mark.target].owner == state.side]:
        mark = due[0]
        state.marks.remove(mark)
        state.pool["convert"] += 1
        is_near = mark.converter in radius(mark.target)
        is_waiting = convert(state, mark.target) if is_near else escape(state, mark.target)
        if is_waiting:
            return
    if state.turn == state.options.max_turns:
        state.node = End(None)
    else:
        begin_turn(state, enemy_of(state.side))


def convert(state: State, square: str) -> bool:
    """R10.5; tell whether the game is over or somebody is asked."""
    winner = enemy_of(state.side)
    kind = state.board[square].kind
    earn(state, winner, 1)
    kill(state, square)
    if kind == "k":
        state.node = End(winner)
        return True
    if not state.stock[winner][kind]:
        return False
    state.stock[winner][kind] -= 1
    state.board[square] = Figure(kind, winner)
    is_at_end = kind == "p" and row_of(square) == ENDZONE[winner]
    return is_at_end and begin_promotion(state, square)


def escape(state: State, square: str) -> bool:
    """R10.6; tell whether somebody is asked."""
    enemy = enemy_of(state.side)
    figure = state.board[square]
    earn(state, state.side, 1)
    state.credits[enemy] = max(0, state.credits[enemy] - 1)
    if figure.kind == "p" or figure.ability == "convert":
        return False
    if not figure.ability:
        take(state, square, "convert")
        return False
    state.node = Keep(square, frozenset(["convert"]))
    return True
