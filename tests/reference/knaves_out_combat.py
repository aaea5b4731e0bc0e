"""Attacks in Knaves Out: Insight, counter strike, dice, hits and Thorns (R9, R10)."""

from __future__ import annotations

from dataclasses import replace

from .knaves_out_moves import roller
from .knaves_out_nodes import Node, node_of
from .knaves_out_state import PAWN, UNPAWN, State, strength
from .knaves_out_turns import Context, deal, relocate, to_main

MAX_DICE = 5  # R1.5


def declare(state: State, attacker: str, target: str, is_last: int) -> None:
    """R9.1, R9.2."""
    pieces = state.mine.pieces
    pieces[attacker] = replace(pieces[attacker], has_attacked=True)
    if is_last:
        state.mine.marks.add("ended")
    attack: Context = {"a": attacker, "t": target, "b": is_last}
    holder = state.holder_at(target)
    if is_insight_asked(state, attacker, holder):
        state.node = node_of("insight", holder, attack)
    else:
        strike(state, attack)


def is_insight_asked(state: State, attacker: str, holder: int) -> bool:
    """R9.2."""
    return (
        holder not in (0, state.active)
        and "insight" in state.players[holder].marks
        and not state.piece_at(attacker).is_building
        and bool(state.empty_next_to(attacker))
    )


def answer_insight(state: State, node: Node, token: str) -> None:
    """Move the attacker away, or let the attack go on (R9.2)."""
    attack: Context = {**node.context}
    if token != "pass":
        to = token.partition(":")[2]
        state.players[node.seat].marks.remove("insight")
        relocate(state, node["a"], to)
        attack["a"] = to
        if node["t"] not in state.world.near[to]:
            to_main(state)
            return
    strike(state, attack)


def strike(state: State, attack: Context) -> None:
    """Begin with the counter strike if there is one (R9.3)."""
    is_counter = is_countered(state, str(attack["a"]), str(attack["t"]))
    ask_parlay(state, {**attack, "r": "counter" if is_counter else "main"}, 0)


def is_countered(state: State, attacker: str, target: str) -> bool:
    """R9.3."""
    owner = state.owner_at(target)
    return (
        owner not in (0, state.active)
        and state.piece_at(target).letter == PAWN
        and "frenzy" in state.players[owner].marks
        and not state.piece_at(attacker).is_building
    )


# The roll (R9.4, R9.5)


def roller_of(state: State, roll: Context) -> int:
    """Give the seat that rolls."""
    return state.owner_at(str(roll["t"])) if roll["r"] == "counter" else state.active


def rolling_square(roll: Context) -> str:
    """Give the square of the piece that rolls."""
    return str(roll["t"] if roll["r"] == "counter" else roll["a"])


def hit_square(roll: Context) -> str:
    """Give the square of the target of the roll."""
    return str(roll["a"] if roll["r"] == "counter" else roll["t"])


def ask_parlay(state: State, roll: Context, asked: int) -> None:
    """Ask the next player after `asked` (0: nobody yet) who may stop the roll (R9.4)."""
    order = state.seats_after(roller_of(state, roll))
    for seat in order[order.index(asked) + 1 :] if asked else order:
        if state.players[seat].is_alive and "parlay" in state.players[seat].marks:
            state.node = node_of("parlay", seat, roll)
            return
    begin_roll(state, roll)


def answer_parlay(state: State, node: Node, token: str) -> None:
    """Cancel the roll, or ask on (R9.4)."""
    roll: Context = {**node.context}
    if token == "pass":
        ask_parlay(state, roll, node.seat)
        return
    state.players[node.seat].marks.remove("parlay")
    after_roll(state, roll)


def begin_roll(state: State, roll: Context) -> None:
    """Count the dice (R9.5)."""
    marks = state.players[roller_of(state, roll)].marks
    is_upper = "upper" in marks
    marks.discard("upper")
    values: Context = {"n": num_dice(state, roll), "d": "", "u": int(is_upper)}
    state.node = node_of("roll", 0, {**roll, **values})


def num_dice(state: State, roll: Context) -> int:
    """R9.5, without dice that sixes add."""
    square = rolling_square(roll)
    piece, player = state.piece_at(square), state.players[state.owner_at(square)]
    if piece.is_building:
        dice = 1 + piece.checkers + (player.num_pieces("N") == 2)
    else:
        dice = strength(state, square)
    if piece.letter == PAWN:
        dice += ("summer" in player.marks) + ("frenzy" in player.marks)
    if roll["r"] == "main":
        dice += int(roll["b"])
    return min(dice, MAX_DICE)


def roll_die(state: State, node: Node, token: str) -> None:
    """Let a die fall, of the roll or of a reroll."""
    face = token.partition(":")[2]
    roll: Context = {**node.context, "d": "".join(sorted(node["d"] + face))}
    has_punches = "punches" in state.players[roller(state, node)].marks
    if face == "6" and has_punches and node.number("n") < MAX_DICE:
        roll["n"] = node.number("n") + 1
    if len(str(roll["d"])) < int(roll["n"]):
        state.node = node_of(node.name, 0, roll)
    else:
        ask_lionheart(state, roll, node.seat_of("by") if node.name == "reroll" else 0)


def ask_lionheart(state: State, roll: Context, asked: int) -> None:
    """Ask the next player after `asked` (0: nobody yet) who may reroll a die (R9.8)."""
    order = lionhearts(state, roll)
    for seat in order[order.index(asked) + 1 :] if asked else order:
        if "lionheart" in state.players[seat].marks:
            state.node = node_of("lionheart", seat, roll)
            return
    count_hits(state, roll)


def lionhearts(state: State, roll: Context) -> list[int]:
    """List the roller and the holder of the target, once each (R9.8)."""
    seats = [roller_of(state, roll), state.holder_at(hit_square(roll))]
    return [seat for seat in dict.fromkeys(seats) if seat]


def answer_lionheart(state: State, node: Node, token: str) -> None:
    """Take a die off, or keep all."""
    roll: Context = {**node.context}
    if token == "pass":
        ask_lionheart(state, roll, node.seat)
        return
    state.players[node.seat].marks.remove("lionheart")
    roll["d"] = node["d"].replace(token.partition(":")[2], "", 1)
    state.node = node_of("reroll", 0, {**roll, "by": f"p{node.seat}"})


# Hits (R9.6, R9.7) and what follows


def count_hits(state: State, roll: Context) -> None:
    """Turn the dice into damage points and deal them."""
    least = threshold(state, roll)
    hits = sum(int(face) >= least for face in str(roll["d"]))
    square = hit_square(roll)
    points = hits // 2 if is_hit_twice(state, square) else hits
    context: Context = {**roll, "k": "attack", "on": square, "dmg": points, "th": 0}
    if deal(state, context):
        after_points(state, context)


def threshold(state: State, roll: Context) -> int:
    """R9.6."""
    square = hit_square(roll)
    owner = state.owner_at(square)
    if owner:
        player = state.players[owner]
        if state.piece_at(square).letter == PAWN and "shield" in player.marks:
            return 6
        if is_blessed(state, square) and player.num_pieces("B") == 2:
            return 6
        if player.has_effect("motorhead"):
            return 3
    rolling = rolling_square(roll)
    attacker = state.players[state.owner_at(rolling)]
    is_evil = state.piece_at(rolling).letter == UNPAWN and attacker.has_taint("k")
    return 4 if int(roll["u"]) or is_evil else 5


def is_hit_twice(state: State, square: str) -> bool:
    """Tell whether a point takes two hits (R9.7)."""
    owner = state.owner_at(square)
    if not owner:
        return False
    has_ice_queen = state.players[owner].has_effect("icequeen")
    return is_blessed(state, square) or (state.piece_at(square).is_building and has_ice_queen)


def is_blessed(state: State, square: str) -> bool:
    """R9.7."""
    owner = state.owner_at(square)
    return "blessing" in state.players[owner].marks and any(
        seat == owner and piece.kind == "B" for _, seat, piece in state.pieces_next_to(square)
    )


def after_points(state: State, context: Context) -> None:
    """R10.5."""
    rolling = rolling_square(context)
    points = (int(context["th"]) + 1) // 2
    if points and not state.is_empty(rolling):
        context = {**context, "k": "thorns", "on": rolling, "dmg": points, "th": 0}
        if not deal(state, context):
            return
    after_roll(state, context)


def after_roll(state: State, roll: Context) -> None:
    """After a counter strike the attack goes on if both stand; else it is over (R9.3, R10.1)."""
    still_stand = not any(state.is_empty(str(roll[key])) for key in ("a", "t"))
    if roll["r"] == "counter" and still_stand:
        ask_parlay(state, {**roll, "r": "main"}, 0)
    else:
        to_main(state)
