"""Which nodes of Knaves Out can be asked in a position (R14.5 j)."""

from __future__ import annotations

import re
from collections.abc import Callable

from .knaves_out_board import board_of
from .knaves_out_cards import FULL, TOWERS
from .knaves_out_combat import (
    MAX_DICE,
    hit_square,
    is_countered,
    is_insight_asked,
    lionhearts,
    num_dice,
    roller_of,
    rolling_square,
)
from .knaves_out_movement import is_hazardous
from .knaves_out_moves import (
    can_sail,
    can_step,
    faces_of,
    is_fighter,
    is_permitted,
    is_target,
    num_callable,
    num_missing,
    num_unused,
    placeable,
    redirections,
    waived_prices,
)
from .knaves_out_nodes import SQUARE, Node
from .knaves_out_prices import ROWS, has_needed_court, quote_of
from .knaves_out_state import (
    HAND_SIZE,
    PAWN,
    TOWER_CHECKERS,
    State,
    strength,
)
from .knaves_out_targets import action_limit, execute, is_action, possible
from .knaves_out_turns import Context

MAX_THORN_POINTS = 3

Check = Callable[[State, Node], bool]


def is_node_valid(state: State) -> bool:
    """Tell whether the node can be asked."""
    node = state.node
    if any(board_of(square) > state.options.players for square in squares_in(node)):
        return False
    check = CHECKS.get(node.name)
    return check is not None and check(state, node)


def squares_in(node: Node) -> list[str]:
    """List the squares of the context, those of `step` and `act` too."""
    parts = [part for value in node.context.values() for part in value.split(".")]
    return [part for part in parts if re.fullmatch(SQUARE, part)]


def asks_active(state: State, node: Node) -> bool:
    """Tell whether the active player is asked."""
    return node.seat == state.active


def is_shuffle_valid(state: State, node: Node) -> bool:
    return asks_active(state, node) and bool(state.mine.discard)


def is_draw_valid(state: State, node: Node) -> bool:
    can_draw = len(state.mine.hand) < HAND_SIZE and bool(state.mine.deck())
    if node.seat_of("p") != state.active or not can_draw:
        return False
    return node["w"] == "0" or is_action_running(state, "wind")


def is_keep_valid(state: State, node: Node) -> bool:
    player = state.mine
    has_drawn_only = len(player.hand) == HAND_SIZE and "played" not in player.marks
    return asks_active(state, node) and has_drawn_only


# Nodes of actions


def is_action_running(state: State, code: str, param: str | None = None) -> bool:
    """Tell whether this action can have been taken and still makes sense, flag apart."""
    if not state.mine.num_actions or not has_needed_court(state.options, state.mine, code):
        return False
    found = possible(state, code)
    return bool(found) if param is None else param in found


def is_waive_valid(state: State, node: Node) -> bool:
    player, left = state.mine, node.number("left")
    if not asks_active(state, node) or not player.num_actions or not 1 <= left <= 4:
        return False
    code, *params = node["act"].split(".")
    if code not in ROWS:
        return False
    before = state.copy()
    before.mine.marks.add("feast")
    before.mine.num_actions -= 1
    if before.mine.num_actions >= action_limit(player):
        return False
    if not is_action(before, code, ":".join(params)):
        return False
    quote = quote_of(state.options, before.mine, code, params)
    if quote is None or not quote.waivers or (quote.colour or "-") != node["col"]:
        return False
    prices = waived_prices(node)
    if list(prices) != [name for name in TOWERS if name in quote.cards]:
        return False
    return (
        all(price <= quote.cards[name] for name, price in prices.items())
        and sum(quote.cards.values()) - sum(prices.values()) == quote.waivers - left
        and num_missing(state, node, prices) <= left
    )


def is_place_valid(state: State, node: Node) -> bool:
    kind = node["k"]
    if kind in ("ivory", "dark"):
        return is_tower_place_valid(state, node)
    if not asks_active(state, node):
        return False
    if kind == "land":
        ashore = [sailor.token() for sailor in state.mine.sea if not sailor.is_fresh]
        return node["s"] in ashore and bool(placeable(state, node))
    if kind == "build":
        return is_action_running(state, "build", node["b"])
    if kind == "failed":
        return is_action_running(state, "failed", node["p"])
    return is_action_running(state, kind)


def is_target_valid(state: State, node: Node) -> bool:
    return asks_active(state, node) and is_action_running(state, "cherry", node["o"])


def is_find_valid(state: State, node: Node) -> bool:
    if not asks_active(state, node):
        return False
    if node["k"] == "servant":
        return node["left"] in ("1", "2") and is_action_running(state, "servant")
    towers = state.mine.towers
    is_open = node["t"] in towers and towers[node["t"]].level < FULL
    return is_open and is_action_running(state, "tax")


def is_charm_valid(state: State, node: Node) -> bool:
    if not asks_active(state, node) or not is_action_running(state, "charm", node["p"]):
        return False
    left = node.number("left")
    if node["first"] == "1":
        return left == strength(state, node["p"])
    return 1 <= left <= state.piece_at(node["p"]).checkers


def is_taint_valid(state: State, node: Node) -> bool:
    if not state.mine.has_taint("q"):
        return False
    if node["k"] == "poison":
        return is_action_running(state, "poison")
    return is_action_running(state, "charm", node["p"])


# Nodes of the Two Towers


def can_call(state: State, name: str) -> bool:
    """Tell whether one of the Two Towers is still to be called."""
    return name not in state.called and state.options["two_towers"] == "on"


def is_call_valid(state: State, node: Node) -> bool:
    """Check what `mix` and `sac` have in common."""
    if not asks_active(state, node) or not can_call(state, node["k"]):
        return False
    return node["k"] == "ivory" or node.seat_of("e") in state.enemies(state.active)


def is_mix_valid(state: State, node: Node) -> bool:
    return is_call_valid(state, node) and num_unused(state) >= TOWER_CHECKERS


def is_sac_valid(state: State, node: Node) -> bool:
    counts = (node.number("r"), node.number("b"))
    return (
        is_call_valid(state, node)
        and counts == (state.unused(state.active, "red"), state.unused(state.active, "black"))
        and sum(counts) < TOWER_CHECKERS <= num_callable(state)
    )


def is_tower_place_valid(state: State, node: Node) -> bool:
    red, black = node.number("r"), node.number("b")
    if not can_call(state, node["k"]) or asks_active(state, node) != (node["k"] == "ivory"):
        return False
    return (
        red + black == TOWER_CHECKERS
        and red <= state.unused(state.active, "red")
        and black <= state.unused(state.active, "black")
    )


# Nodes of an attack


def is_attack_valid(state: State, node: Node) -> bool:
    """Check a, t, b and r of an attack whose pieces both stand."""
    attacker, target = node["a"], node["t"]
    if not is_attacker_valid(state, node) or not is_target(state, target):
        return False
    return node.context.get("r") != "counter" or is_countered(state, attacker, target)


def is_attacker_valid(state: State, node: Node) -> bool:
    """Check the attacker, which stands."""
    piece = state.mine.pieces.get(node["a"])
    return (
        piece is not None
        and piece.has_attacked
        and is_fighter(state, node["a"])
        and is_declaration_valid(state, node)
    )


def is_declaration_valid(state: State, node: Node) -> bool:
    """Check that squares are adjacent and the attack may have been declared."""
    player = state.mine
    return (
        node["a"] in state.world.near[node["t"]]
        and not player.swayers
        and (node["b"] == "0" or "ended" in player.marks)
    )


def is_insight_valid(state: State, node: Node) -> bool:
    return (
        is_attack_valid(state, node)
        and node.seat == state.holder_at(node["t"])
        and is_insight_asked(state, node["a"], node.seat)
    )


def is_parlay_valid(state: State, node: Node) -> bool:
    if not is_attack_valid(state, node):
        return False
    has_mark = "parlay" in state.players[node.seat].marks
    return has_mark and node.seat != roller_of(state, {**node.context})


def is_dice_valid(state: State, node: Node) -> bool:
    """Check what `roll`, `lionheart` and `reroll` have in common."""
    if not is_attack_valid(state, node):
        return False
    roll: Context = {**node.context}
    player = state.players[roller_of(state, roll)]
    faces, number = node["d"], node.number("n")
    if "upper" in player.marks or list(faces) != sorted(faces):
        return False
    if not set(faces) <= set(faces_of(player)):
        return False
    if len(faces) > number or (len(faces) == number) != (node.name == "lionheart"):
        return False
    least = most = num_dice(state, roll)
    if "punches" in player.marks:
        least += faces.count("6")
        most = least + num_rerolls(state, node)
    return min(least, MAX_DICE) <= number <= min(most, MAX_DICE)


def num_rerolls(state: State, node: Node) -> int:
    """Count the dice that can have been rerolled, which may have been sixes (R9.8, D81)."""
    if node.name == "roll":
        return 0
    seat = node.seat_of("by") if node.name == "reroll" else node.seat
    before = seat != roller_of(state, {**node.context})
    return before + (node.name == "reroll")


def is_lionheart_valid(state: State, node: Node) -> bool:
    if not is_dice_valid(state, node):
        return False
    has_mark = "lionheart" in state.players[node.seat].marks
    return has_mark and node.seat in lionhearts(state, {**node.context})


def is_reroll_valid(state: State, node: Node) -> bool:
    if not is_dice_valid(state, node):
        return False
    by = node.seat_of("by")
    return by in lionhearts(state, {**node.context}) and (
        "lionheart" not in state.players[by].marks
    )


# Redirect


def is_redirect_valid(state: State, node: Node) -> bool:
    on, points = node["on"], node.number("dmg")
    is_asked = (
        node.seat == state.holder_at(on)
        and "redirect" in state.players[node.seat].marks
        and bool(redirections(state, on))
    )
    if not is_asked:
        return False
    if node["k"] == "attack":
        return points + node.number("th") <= MAX_DICE and is_hit_valid(state, node)  # D80
    if node["k"] == "thorns":
        return points <= MAX_THORN_POINTS and node["th"] == "0" and is_thorns_valid(state, node)
    if points != 1:
        return False
    if node["k"] == "execute":
        return is_action_running(state, "execute") and on in execute(state)
    return asks_active(state, node) and is_hazard_valid(state, node)


def is_hit_valid(state: State, node: Node) -> bool:
    """Check points of a roll that fall on its target."""
    roll: Context = {**node.context}
    if node["on"] != hit_square(roll):
        return False
    if node["r"] == "main" and state.is_empty(node["a"]):
        is_own = state.owner_at(node["t"]) == state.active  # the attacker was hit in its stead
        return (
            is_own
            and is_target(state, node["t"])
            and is_declaration_valid(state, node)
            and "upper" not in state.mine.marks
        )
    return is_attack_valid(state, node) and has_no_upper(state, node)


def is_thorns_valid(state: State, node: Node) -> bool:
    """Check points on the rolling piece, which stands; the other one may be gone."""
    if node["on"] != rolling_square({**node.context}):
        return False
    if node["r"] == "main" and state.is_empty(node["t"]):
        return is_attacker_valid(state, node) and "upper" not in state.mine.marks
    if node["r"] == "counter" and state.is_empty(node["a"]):
        return is_striker_valid(state, node) and is_declaration_valid(state, node)
    return is_attack_valid(state, node) and has_no_upper(state, node)


def is_striker_valid(state: State, node: Node) -> bool:
    """Check a frenzied pawn that has destroyed the attacker (R9.3)."""
    owner = state.owner_at(node["t"])
    marks = state.players[owner].marks if owner else set()
    return (
        owner not in (0, state.active)
        and state.piece_at(node["t"]).letter == PAWN
        and "frenzy" in marks
        and "upper" not in marks
    )


def has_no_upper(state: State, node: Node) -> bool:
    """Tell whether the roller has no mark that the roll would have taken."""
    return "upper" not in state.players[roller_of(state, {**node.context})].marks


def is_hazard_valid(state: State, node: Node) -> bool:
    """Check the step that R11.4 has interrupted."""
    verb, square, *to = node["step"].split(".")
    piece = state.mine.pieces.get(square)
    if square != node["on"] or piece is None or piece.is_building:
        return False
    if not is_hazardous(state, square):
        return False
    if verb == "sail":
        boards = [board_of(square)]
        return can_sail(state, square) and is_permitted(state, square, boards)
    return (
        can_step(state, square)
        and to[0] in state.empty_next_to(square)
        and is_permitted(state, square, [board_of(square), board_of(to[0])])
    )


CHECKS: dict[str, Check] = {
    "main": asks_active,
    "shuffle": is_shuffle_valid,
    "draw": is_draw_valid,
    "keep": is_keep_valid,
    "waive": is_waive_valid,
    "place": is_place_valid,
    "target": is_target_valid,
    "find": is_find_valid,
    "charm": is_charm_valid,
    "taint": is_taint_valid,
    "mix": is_mix_valid,
    "sac": is_sac_valid,
    "insight": is_insight_valid,
    "parlay": is_parlay_valid,
    "roll": is_dice_valid,
    "lionheart": is_lionheart_valid,
    "reroll": is_reroll_valid,
    "redirect": is_redirect_valid,
}
