"""Random positions of Chessault, for tests of what random games seldom reach.

Figures stand close together, many with abilities, marks and recruits; kings are in check, zones
full or empty, and every node and the end of turns come up. A position is nearly always valid.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from .chessault_board import (
    ABILITIES,
    ENDZONE,
    FILES,
    KINDS,
    LINE,
    SEATS,
    SETUP_ZONE,
    SQUARES,
    SUPPLIES,
    TOKENS,
    Figure,
    enemy_of,
    is_on_board,
    radius,
    row_of,
)
from .chessault_moves import has_use, movable_kinds
from .chessault_play import RECEIVED, RECEIVED_CREDITS
from .chessault_state import (
    MAX_CREDITS,
    MAX_MAX_TURNS,
    Action,
    Activate,
    Dice,
    End,
    Keep,
    Mark,
    Move,
    Node,
    Options,
    Place,
    Promote,
    Sacrifice,
    Setup,
    State,
    Tally,
    in_dice_order,
)

NODES = {  # kind -> weight
    "setup": 2,
    "end": 1,
    "place": 1,
    "sacrifice": 1,
    "dice": 1,
    "action": 5,
    "move": 5,
    "activate": 4,
    "keep": 3,
    "promote": 3,
}
AFTER_MOVE = ("activate", "keep", "promote")
AT_TURN_END = ("keep", "promote", "end")  # nodes that exist at action `e` too
WORTH_AT_START = sum(RECEIVED.values()) + RECEIVED_CREDITS


def random_position(rng: random.Random) -> str:
    """Make the line of a random position."""
    kind = rng.choices(list(NODES), list(NODES.values()))[0]
    state = empty_state(rng)
    if kind == "setup":
        set_up(rng, state)
        return state.text()
    add_turn(rng, state, kind)
    add_figures(rng, state)
    add_abilities(rng, state)
    add_marks(rng, state)
    add_tally(rng, state, kind)
    state.node = random_node(rng, state, kind)
    take_from_stock(state)
    return state.text()


def empty_state(rng: random.Random) -> State:
    """Give a state without figures, in which both players have credits."""
    limit = rng.choice([400, rng.randint(1, 20), MAX_MAX_TURNS])
    return State(
        options=Options(rng.choice(list(SUPPLIES)), limit),
        board={},
        side=rng.choice(SEATS),
        turn=0,
        action="0",
        node=Setup(),
        done=set(),
        credits={
            seat: rng.choice([0, rng.randint(0, 9), rng.randint(0, 9), MAX_CREDITS])
            for seat in SEATS
        },
        unplaced={seat: Counter() for seat in SEATS},
        stock={seat: Counter(SUPPLIES["standard"]) for seat in SEATS},
        dead={seat: Counter() for seat in SEATS},
        pool=dict(TOKENS),
        marks=[],
        tally=Tally(),
    )


def take_from_stock(state: State) -> None:
    """Let the stock have what lies nowhere else."""
    for seat in SEATS:
        used = state.unplaced[seat] + state.dead[seat]
        used.update(figure.kind for _, figure in state.figures(seat))
        if seat == state.side:
            match state.node:
                case Place(kind):
                    used[kind] += 1
                case Sacrifice():
                    used["q"] += 1
        state.stock[seat] = Counter(SUPPLIES[state.options.supply]) - used


# Setup (R4)


def set_up(rng: random.Random, state: State) -> None:
    """Let both players have set some figures, one perhaps all."""
    if rng.random() < 0.4:
        state.done = {enemy_of(state.side)}
    nodes: list[Node] = [Setup(), Setup(), Sacrifice(), Place(rng.choice(KINDS))]
    node = rng.choice(nodes)
    for seat in SEATS:
        zone = [file + str(row) for row in SETUP_ZONE[seat] for file in FILES]
        squares = iter(rng.sample(zone, len(zone)))
        placing = node.kind if isinstance(node, Place) and seat == state.side else ""
        if placing != "k":
            unplaced = "" if seat in state.done else rng.choice(["", "k", "kq", "kp", "qp", "pp"])
            state.unplaced[seat] = Counter(unplaced)
            if "k" not in unplaced:
                state.board[next(squares)] = Figure("k", seat, "protect")
                state.pool["protect"] -= 1
        for kind in rng.sample("qrbnpp", rng.randint(0, 4)):
            is_fresh = kind == "p" and rng.random() < 0.9
            state.board[next(squares)] = Figure(kind, seat, is_fresh=is_fresh)
        worth = len(state.figures(seat)) + state.unplaced[seat].total() + 1
        state.credits[seat] = rng.randint(0, max(WORTH_AT_START - worth, 0))
    state.node = node
    take_from_stock(state)


# Turns


def add_turn(rng: random.Random, state: State, kind: str) -> None:
    """Draw turn and action; often the last ones."""
    limit = state.options.max_turns
    state.turn = rng.choice([1, limit, rng.randint(1, limit)])
    state.side = SEATS[(state.turn - 1) % 2]
    state.done = set(SEATS)
    state.action = rng.choice("123e" if kind in AT_TURN_END else "123")


def free_cells(rng: random.Random, state: State) -> Iterator[str]:
    """Give squares close together, with some of rows 0 and 9."""
    middle = rng.choice(SQUARES)
    spread = rng.choice([1, 4, 20])

    def distance(square: str) -> float:
        files = abs(FILES.index(square[0]) - FILES.index(middle[0]))
        return max(files, abs(row_of(square) - row_of(middle))) + spread * rng.random()

    return iter(sorted(SQUARES, key=distance))


def add_figures(rng: random.Random, state: State) -> None:
    """Put figures on the board, let others be dead."""
    supply = SUPPLIES[state.options.supply]
    share, share_dead = rng.choice([0.2, 0.5, 0.8, 1]), rng.choice([0, 0.3, 1])
    wanted = []
    for seat in SEATS:
        for kind in KINDS:
            for _ in range(supply[kind]):
                if kind == "k" or rng.random() < share:
                    wanted.append(Figure(kind, seat))
                elif rng.random() < share_dead:
                    state.dead[seat][kind] += 1
    # Kings first, as they must find a square.
    wanted.sort(key=lambda figure: (figure.kind != "k", rng.random()))
    squares = list(free_cells(rng, state))
    for figure in wanted:
        square = next((square for square in squares if may_stand(square, figure)), None)
        if square is None:
            continue
        squares.remove(square)
        near_line = row_of(square) in SETUP_ZONE[figure.owner]
        is_fresh = figure.kind == "p" and (
            not is_on_board(square) or (near_line and rng.random() < 0.5)
        )
        state.board[square] = replace(figure, is_fresh=is_fresh)
    full = rng.choice([*SEATS, 0, 0, 0])
    if full:
        fill_line(state, full)


def may_stand(square: str, figure: Figure) -> bool:
    """Tell whether a figure can be on a square between moves."""
    if not is_on_board(square):
        return figure.kind != "k" and row_of(square) == LINE[figure.owner]
    return figure.kind != "p" or row_of(square) != ENDZONE[figure.owner]


def fill_line(state: State, seat: int) -> None:
    """Recruit figures of a player until the line is full, as long as there are some (R6.6)."""
    for file in FILES:
        square = file + str(LINE[seat])
        movable = [
            other
            for other, figure in state.figures(seat)
            if is_on_board(other) and figure.kind != "k"
        ]
        if square not in state.board and movable:
            figure = state.board.pop(movable[0])
            state.board[square] = replace(figure, is_fresh=figure.kind == "p")


def add_abilities(rng: random.Random, state: State) -> None:
    """Give figures tokens, sometimes nearly all (R2.5)."""
    share = rng.choice([0, 0.3, 0.7, 1])
    for square, figure in rng.sample(list(state.board.items()), len(state.board)):
        able = [ability for ability in ABILITIES if state.pool[ability]]
        if figure.kind != "p" and is_on_board(square) and able and rng.random() < share:
            ability = rng.choice(able)
            state.pool[ability] -= 1
            state.board[square] = replace(figure, ability=ability)


def add_marks(rng: random.Random, state: State) -> None:
    """Let conversions be pending, some of them with a converter that is gone or far (R9.12)."""
    figures = [square for square in state.board if is_on_board(square)]
    targets = rng.sample(figures, min(len(figures), rng.randint(0, state.pool["convert"])))
    for target in targets if rng.random() < 0.6 else []:
        enemy = enemy_of(state.board[target].owner)
        able = [
            square
            for square in figures
            if state.board[square].owner == enemy and state.board[square].kind != "p"
        ]
        near = [square for square in able if square in radius(target)]
        state.marks.append(Mark(rng.choice(rng.choice([near, near, able]) or [None]), target))
        state.pool["convert"] -= 1


def add_tally(rng: random.Random, state: State, kind: str) -> None:
    """Let X have moved, killed and reached fields in this turn."""
    if state.action == "e":
        return
    most = int(state.action) - (kind not in (*AFTER_MOVE, "end"))
    moves = rng.randint(kind in AFTER_MOVE, most)
    dead = state.dead[enemy_of(state.side)].total()
    state.tally = Tally(
        moves, rng.randint(0, min(dead, 9)), rng.randint(0, moves), rng.randint(0, min(moves, 1))
    )
    mine = [square for square, _ in state.figures(state.side)]
    number = rng.randint(0, moves - (kind in AFTER_MOVE))
    for square in rng.sample(mine, min(number, len(mine))):
        state.board[square] = replace(state.board[square], has_moved=True)


def let_move(state: State, square: str) -> None:
    """Let the figure on a square have moved in this turn."""
    if state.action != "e":
        state.board[square] = replace(state.board[square], has_moved=True)


# Nodes


def random_node(rng: random.Random, state: State, kind: str) -> Node:
    """Choose the node; another one where it is impossible."""
    match kind:
        case "dice":
            return Dice()
        case "move":
            kinds = movable_kinds(state)
            chosen = rng.sample(kinds, min(len(kinds), rng.randint(1, 3)))
            return Move(in_dice_order(chosen)) if chosen else Action()
        case "place":
            return place(rng, state)
        case "sacrifice":
            return sacrifice(state)
        case "activate":
            return activate(rng, state)
        case "keep":
            return keep(rng, state)
        case "promote":
            return promote(rng, state)
        case "end":
            return end(rng, state)
    return Action()


def place(rng: random.Random, state: State) -> Node:
    """Recruit or resurrect a figure (R6.6, R6.8)."""
    supply = Counter(SUPPLIES[state.options.supply])
    mine = Counter(figure.kind for _, figure in state.figures(state.side))
    left = [kind for kind in "qrbnp" if (supply - mine - state.dead[state.side])[kind]]
    return Place(rng.choice(left)) if left else Action()


def sacrifice(state: State) -> Node:
    """Give a figure for a queen (R6.7)."""
    queens = [square for square, figure in state.figures(state.side) if figure.kind == "q"]
    for square in queens[1:]:
        del state.board[square]
    if queens:
        state.dead[state.side]["q"] = 0
    return Sacrifice()


def activate(rng: random.Random, state: State) -> Node:
    """Let a figure that has moved use its ability (R9.8)."""
    able = [
        square
        for square, _ in state.figures(state.side)
        if is_on_board(square) and has_use(state, square)
    ]
    if not able:
        return Action()
    square = rng.choice(able)
    let_move(state, square)
    return Activate(square)


def keep(rng: random.Random, state: State) -> Node:
    """Offer abilities to a figure (R9.4)."""
    able = [
        square
        for square, figure in state.figures(state.side)
        if is_on_board(square) and figure.kind != "p"
    ]
    square = rng.choice(able)
    held = state.board[square].ability
    left = [ability for ability in ABILITIES if state.pool[ability] and ability != held]
    if state.action == "e":
        return Keep(square, frozenset(["convert"]))
    let_move(state, square)
    return Keep(square, frozenset(rng.sample(left, min(len(left), rng.choice([1, 2])))))


def promote(rng: random.Random, state: State) -> Node:
    """Put a pawn onto the last row: at the end of a turn one that was converted (R8.6)."""
    owner = enemy_of(state.side) if state.action == "e" else state.side
    pawns = [square for square, figure in state.figures(owner) if figure.kind == "p"]
    row = str(ENDZONE[owner])
    free = [file + row for file in FILES if file + row not in state.board]
    if not pawns or not free:
        return Action()
    pawn, square = rng.choice(pawns), rng.choice(free)
    state.board[square] = replace(state.board.pop(pawn), is_fresh=False)
    state.marks = [mark for mark in state.marks if pawn not in (mark.converter, mark.target)]
    state.pool["convert"] = TOKENS["convert"] - len(state.marks)
    state.pool["convert"] -= sum(figure.ability == "convert" for figure in state.board.values())
    let_move(state, square)
    return Promote(square)


def end(rng: random.Random, state: State) -> Node:
    """Kill one king or both, or reach the turn limit (R11)."""
    fallen = rng.choice([[seat] for seat in SEATS] + [list(SEATS), []])
    for seat in fallen:
        square = state.king_square(seat)
        if square is not None:
            ability = state.board.pop(square).ability
            state.dead[seat]["k"] = 1
            if ability:
                state.pool[ability] += 1
            for mark in [mark for mark in state.marks if square in (mark.converter, mark.target)]:
                state.marks.remove(mark)
                state.pool["convert"] += 1
    if len(fallen) == 1:
        return End(enemy_of(fallen[0]))
    if not fallen:
        state.action, state.tally, state.options = (
            "e",
            Tally(),
            replace(state.options, max_turns=state.turn),
        )
        for square, figure in list(state.board.items()):
            state.board[square] = replace(figure, has_moved=False)
    return End(None)
