"""The machine of Knaves Out: what each move and outcome does (sections 4, 5 and 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .knaves_out_actions import (
    bomb,
    choose,
    find,
    place_piece,
    put,
    roll_taint,
    step_charmed,
    waive,
)
from .knaves_out_board import FIXED_BOARDS, FIXED_KINGS
from .knaves_out_cards import COURT, JOKER, Tower, after_shuffle, sorted_cards
from .knaves_out_combat import (
    after_points,
    after_roll,
    answer_insight,
    answer_lionheart,
    answer_parlay,
    declare,
    roll_die,
)
from .knaves_out_movement import begin_step, finish_step, land
from .knaves_out_moves import num_unused
from .knaves_out_nodes import Node, node_of
from .knaves_out_state import (
    HAND_SIZE,
    MAX_CHECKERS,
    TOWER_CHECKERS,
    GreatTower,
    Options,
    Piece,
    Player,
    State,
)
from .knaves_out_turns import (
    Context,
    begin_turn,
    discard_hand,
    draw_on,
    end_turn,
    leave_hand,
    redirected,
    to_main,
)

FUEL = [(name, rank) for name in COURT for rank in "a23"]  # R3.6


def play_token(state: State, token: str) -> None:
    """Do a legal move, or let an outcome happen."""
    PLAYS[state.node.name](state, state.node, token)


def argument(token: str) -> str:
    """Give what follows the first colon."""
    return token.partition(":")[2]


# Setup (R3)


def new_state(options: Options) -> State:
    """Start a game."""
    is_fixed = options["layout"] == "fixed"
    corners = FIXED_BOARDS[options.players] if is_fixed else [None] * options.players
    state = State(
        options=options,
        corners=list(corners),
        island=0,
        cleansed=0,
        turn=0,
        first=0,
        active=0,
        node=node_of("first", 0),
        great={},
        called=set(),
        players={seat: Player() for seat in range(1, options.players + 1)},
    )
    if options.first:
        set_first(state, options.first)
    return state


def set_first(state: State, seat: int) -> None:
    """R3.1, R3.2."""
    state.first = seat
    if state.options["layout"] == "place":
        state.corners[seat - 1] = (0, 0)
    next_board(state)


def roll_first(state: State, node: Node, token: str) -> None:
    set_first(state, int(token[-1]))


def next_board(state: State) -> None:
    """Ask for the next board, or go on to the kings."""
    for seat in state.seating():
        if state.corners[seat - 1] is None:
            state.node = node_of("board", seat)
            return
    if state.options["kings"] == "fixed":  # D75
        for square in FIXED_KINGS[state.options.players].split():
            state.players[int(square[0])].pieces[square] = Piece("K", MAX_CHECKERS)
    next_king(state)


def place_board(state: State, node: Node, token: str) -> None:
    x, y = argument(token).split(",")
    state.corners[node.seat - 1] = (int(x), int(y))
    next_board(state)


def next_king(state: State) -> None:
    """Ask for the next king, or go on to the courts (R3.4)."""
    for seat in state.seating():
        if not state.players[seat].pieces:
            state.node = node_of("king", seat)
            return
    if state.options["start_court"] == "on":
        state.node = node_of("courtj", state.first)
    else:
        begin_turn(state, state.first)


def place_king(state: State, node: Node, token: str) -> None:
    state.players[node.seat].pieces[argument(token)] = Piece("K", MAX_CHECKERS)
    next_king(state)


def choose_court(state: State, node: Node, token: str) -> None:
    """R3.5."""
    letter = node.name[-1]
    state.players[node.seat].towers[letter] = Tower(argument(token))
    if letter != "k":
        state.node = node_of("courtq" if letter == "j" else "courtk", node.seat)
    elif state.options["start_jokers"] == "on":
        state.node = node_of("under", node.seat, {"n": 1})
    else:
        next_fuel(state, node.seat, 0)


def put_under(state: State, node: Node, token: str) -> None:
    """R3.5."""
    letter = argument(token)
    towers = state.players[node.seat].towers
    if letter != "none":
        towers[letter] = replace(towers[letter], has_joker=True)
    if node["n"] == "1":
        state.node = node_of("under", node.seat, {"n": 2})
    else:
        next_fuel(state, node.seat, 0)


def next_fuel(state: State, seat: int, index: int) -> None:
    """Ask for the fuel with this number, or go on to the next seat (R3.6)."""
    if state.options["fuel"] == "on" and index < len(FUEL):
        name, rank = FUEL[index]
        state.node = node_of("fuel", seat, {"t": name, "r": rank})
        return
    seating = state.seating()
    following = seating[seating.index(seat) + 1 :]
    if following:
        state.node = node_of("courtj", following[0])
    else:
        begin_turn(state, state.first)


def add_fuel(state: State, node: Node, token: str) -> None:
    _, card, letter = token.split(":")
    put(state.players[node.seat], card, letter, has_joker=False)
    next_fuel(state, node.seat, FUEL.index((node["t"], node["r"])) + 1)


# The turn (R4)


def shuffle(state: State, node: Node, token: str) -> None:
    """R4.2."""
    player = state.mine
    if token == "shuffle":
        player.records = after_shuffle(player.records, player.discard, len(player.hand))
        player.discard = ()
    draw_on(state, after_wind=0)


def draw(state: State, node: Node, token: str) -> None:
    """R4.3."""
    player = state.mine
    player.hand = sorted_cards([*player.hand, argument(token)])
    draw_on(state, node.number("w"))


def keep(state: State, node: Node, token: str) -> None:
    """R4.5."""
    if token == "discard_hand":
        discard_hand(state.mine)
    end_turn(state)


def main(state: State, node: Node, token: str) -> None:
    """R4.4; the mover stays one only by moving on (R4.9)."""
    verb, _, rest = token.partition(":")
    going_on = rest.partition("-")[0] if verb in ("move", "sail") else ""
    mover = state.mine.mover()
    if mover and mover != going_on:
        state.mine.pieces[mover] = replace(state.mine.pieces[mover], is_mover=False)
    MAIN_PLAYS[verb](state, rest)


def play_card(state: State, rest: str) -> None:
    """R5.2 to R5.4."""
    card, name = rest.split(":")
    leave_hand(state.mine, [card])
    put(state.mine, card, name, has_joker=False)
    state.mine.marks.add("played")


def play_joker(state: State, rest: str) -> None:
    """R5.5."""
    card, name = rest.split(":")
    leave_hand(state.mine, [JOKER])
    put(state.mine, card, name, has_joker=True)
    state.mine.marks.add("played")


def act(state: State, rest: str) -> None:
    code, *params = rest.split(":")
    choose(state, code, params)


def move(state: State, rest: str) -> None:
    begin_step(state, "move." + rest.replace("-", "."))


def sail(state: State, rest: str) -> None:
    begin_step(state, "sail." + rest)


def ask_landing(state: State, rest: str) -> None:
    context: Context = {"k": "land", "s": rest}
    state.node = node_of("place", state.active, context)


def attack(state: State, rest: str) -> None:
    attacker, target = rest.split("-")
    declare(state, attacker, target, is_last=0)


def last_attack(state: State, rest: str) -> None:
    attacker, target = rest.split("-")
    declare(state, attacker, target, is_last=1)


def finish_main(state: State, rest: str) -> None:
    """R4.5."""
    if len(state.mine.hand) == HAND_SIZE and "played" not in state.mine.marks:
        state.node = node_of("keep", state.active)
    else:
        end_turn(state)


# The Two Towers (R11)


def call_ivory(state: State, rest: str) -> None:
    gather(state, {"k": "ivory"})


def call_dark(state: State, rest: str) -> None:
    gather(state, {"k": "dark", "e": rest})


def gather(state: State, context: Context) -> None:
    """Ask where the 10 checkers come from (R11.1)."""
    if num_unused(state) >= TOWER_CHECKERS:
        state.node = node_of("mix", state.active, context)
        return
    unused = {"r": state.unused(state.active, "red"), "b": state.unused(state.active, "black")}
    state.node = node_of("sac", state.active, {**context, **unused})


def mix(state: State, node: Node, token: str) -> None:
    red = int(argument(token))
    ask_tower_square(state, {**node.context, "r": red, "b": TOWER_CHECKERS - red})


def sacrifice(state: State, node: Node, token: str) -> None:
    """Take a checker from a piece; it is unused until the tower stands."""
    square = argument(token)
    piece = state.mine.pieces[square]
    state.mine.pieces[square] = replace(piece, checkers=piece.checkers - 1)
    key = "b" if piece.is_building else "r"
    context: Context = {**node.context, key: node.number(key) + 1}
    if int(context["r"]) + int(context["b"]) == TOWER_CHECKERS:
        ask_tower_square(state, context)
    else:
        state.node = node_of("sac", state.active, context)


def ask_tower_square(state: State, context: Context) -> None:
    """Let the caller place the Ivory Tower, the named enemy the Dark Tower (R11.2, R11.5)."""
    seat = state.active if context["k"] == "ivory" else int(str(context["e"])[1:])
    state.node = node_of("place", seat, context)


def place(state: State, node: Node, token: str) -> None:
    square = argument(token)
    if node["k"] == "land":
        land(state, node["s"], square)
    elif node["k"] in ("ivory", "dark"):
        enemy = node.seat if node["k"] == "dark" else 0
        red, black = node.number("r"), node.number("b")
        state.great[node["k"]] = GreatTower(square, state.active, enemy, red, black)
        state.called.add(node["k"])
        to_main(state)
    else:
        place_piece(state, node, square)


def redirect(state: State, node: Node, token: str) -> None:
    """Go on after R10.3 with what the points came from."""
    context = redirected(state, node, token)
    if context is None:
        return
    if node["k"] == "attack":
        after_points(state, context)
    elif node["k"] == "thorns":
        after_roll(state, context)
    elif node["k"] == "hazard":
        finish_step(state, node["step"])
    else:
        to_main(state)


MAIN_PLAYS: dict[str, Callable[[State, str], None]] = {
    "play": play_card,
    "joker": play_joker,
    "act": act,
    "move": move,
    "sail": sail,
    "land": ask_landing,
    "attack": attack,
    "last": last_attack,
    "ivory": call_ivory,
    "dark": call_dark,
    "end_turn": finish_main,
}
PLAYS: dict[str, Callable[[State, Node, str], None]] = {
    "first": roll_first,
    "board": place_board,
    "king": place_king,
    "courtj": choose_court,
    "courtq": choose_court,
    "courtk": choose_court,
    "under": put_under,
    "fuel": add_fuel,
    "shuffle": shuffle,
    "draw": draw,
    "keep": keep,
    "main": main,
    "waive": waive,
    "find": find,
    "place": place,
    "target": bomb,
    "charm": step_charmed,
    "taint": roll_taint,
    "mix": mix,
    "sac": sacrifice,
    "insight": answer_insight,
    "parlay": answer_parlay,
    "roll": roll_die,
    "lionheart": answer_lionheart,
    "reroll": roll_die,
    "redirect": redirect,
}
