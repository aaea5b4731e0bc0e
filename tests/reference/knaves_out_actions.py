"""The effects of the actions of Knaves Out (R7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .knaves_out_cards import FULL, JOKER, TOWERS, Tower, sorted_cards
from .knaves_out_moves import num_missing, waived_prices
from .knaves_out_nodes import Node, node_of
from .knaves_out_prices import pay, quote_of, spend
from .knaves_out_state import MAX_CHECKERS, PAWN, UNPAWN, Piece, Player, State, strength
from .knaves_out_targets import FLAGS, infight_index
from .knaves_out_turns import (
    Context,
    deal,
    destroy,
    discard_hand,
    draw_on,
    goes_on,
    leave_hand,
    relocate,
    remove,
    to_main,
)

Effect = Callable[[State, list[str]], None]


def choose(state: State, code: str, params: list[str]) -> None:
    """Choose an action and pay for it (R6.6, R6.8)."""
    player = state.mine
    quote = quote_of(state.options, player, code, params)
    assert quote
    player.num_actions += 1
    player.marks.discard("feast")
    if quote.waivers:
        prices = "".join(f"{name}{quote.cards[name]}" for name in TOWERS if name in quote.cards)
        context: Context = {
            "act": ".".join([code, *params]),
            "v": prices,
            "left": quote.waivers,
            "col": quote.colour or "-",
        }
        state.node = node_of("waive", state.active, context)
        return
    pay(player, code, quote)
    take_effect(state, code, params)


def waive(state: State, node: Node, token: str) -> None:
    """Waive a card of a price; after the last one it is paid (R6.6)."""
    name, left = token.partition(":")[2], node.number("left") - 1
    prices = waived_prices(node)
    prices[name] -= 1
    if left:
        text = "".join(f"{tower}{price}" for tower, price in prices.items())
        state.node = node_of("waive", node.seat, {**node.context, "v": text, "left": left})
        return
    assert not num_missing(state, node, prices)
    for tower, price in prices.items():
        spend(state.mine, tower, price)
    code, *params = node["act"].split(".")
    take_effect(state, code, params)


def take_effect(state: State, code: str, params: list[str]) -> None:
    """Let a paid action happen; then it is the player's turn again unless a node comes first."""
    to_main(state)
    if code in FLAGS:
        state.mine.marks.add(code)
    elif code in EFFECTS_OF:
        EFFECTS_OF[code](state, params)


def ask(state: State, name: str, context: Context) -> None:
    """Ask the active player at a node of an action."""
    state.node = node_of(name, state.active, context)


def appoint(letter: str) -> Effect:
    """Make the effect of All Hail or Marry (R7/hail)."""

    def effect(state: State, params: list[str]) -> None:
        player, is_joker = state.mine, params[0] == JOKER
        leave_hand(player, [params[0]])
        player.towers[letter] = Tower(params[-1], has_joker=is_joker)
        player.marks.add("played")

    return effect


def tax(state: State, params: list[str]) -> None:
    next_tax(state, TOWERS)


def next_tax(state: State, names: str) -> None:
    """Ask for the first of these towers that can take a card (R7/tax)."""
    towers = state.mine.towers
    for name in names:
        if name in towers and towers[name].level < FULL:
            ask(state, "find", {"k": "tax", "t": name})
            return
    to_main(state)


def servant(state: State, params: list[str]) -> None:
    ask(state, "find", {"k": "servant", "left": 2})


def find(state: State, node: Node, token: str) -> None:
    """Play a card out of the deck, or skip (R7/tax, R7/servant)."""
    if token != "skip":
        _, card, name = token.split(":")
        put(state.mine, card, name, has_joker=False)
    if node["k"] == "tax":
        next_tax(state, TOWERS[TOWERS.index(node["t"]) + 1 :])
    elif token != "skip" and node["left"] == "2":
        ask(state, "find", {"k": "servant", "left": 1})
    else:
        to_main(state)


def put(player: Player, card: str, name: str, has_joker: bool) -> None:
    """Put a card on a tower, or make it a base (R5.2 to R5.5)."""
    if name not in player.towers:
        player.towers[name] = Tower(card, has_joker=has_joker)
        return
    tower = player.towers[name]
    entry = card + "*" * has_joker
    player.towers[name] = replace(tower, stack=(*tower.stack, entry))


def add_checker(state: State, params: list[str]) -> None:
    pieces, square = state.mine.pieces, params[0]
    pieces[square] = replace(pieces[square], checkers=pieces[square].checkers + 1)


def poison(state: State, params: list[str]) -> None:
    if state.mine.has_taint("q"):
        state.node = node_of("taint", 0, {"k": "poison"})
    else:
        discard_tower(state.mine, "k")


def discard_tower(player: Player, name: str) -> None:
    """R5.8."""
    cards = player.towers.pop(name).cards()
    player.discard = sorted_cards([*player.discard, *cards])


def charm(state: State, params: list[str]) -> None:
    if state.mine.has_taint("q"):
        state.node = node_of("taint", 0, {"k": "charm", "p": params[0]})
    else:
        begin_charm(state, params[0])


def begin_charm(state: State, square: str) -> None:
    """Ask for the first step of the pawn."""
    ask(state, "charm", {"p": square, "left": strength(state, square), "first": 1})


def step_charmed(state: State, node: Node, token: str) -> None:
    """Move the pawn one step, or stop (R7/charm)."""
    to_main(state)
    left = node.number("left") - 1
    if token == "stop":
        return
    to = token.partition(":")[2]
    relocate(state, node["p"], to)
    if left and state.empty_next_to(to):
        ask(state, "charm", {"p": to, "left": left, "first": 0})


def roll_taint(state: State, node: Node, token: str) -> None:
    """Let the die of a tainted Queen fall (R5.7)."""
    to_main(state)
    is_one = token == "die:1"
    if node["k"] == "poison":
        discard_tower(state.mine, "q" if is_one else "k")
    elif is_one:
        fall_to_unpawn(state, node["p"])
    else:
        begin_charm(state, node["p"])


def fall_to_unpawn(state: State, square: str) -> None:
    """Let a charmed pawn die and rise as an unpawn of its owner (R7/charm)."""
    owner = state.owner_at(square)
    remove(state, square)
    raise_unpawn(state, owner, square, 1)


def raise_unpawn(state: State, seat: int, square: str, checkers: int) -> None:
    """R8.8; there may be none left to raise, and too few checkers."""
    player = state.players[seat]
    if player.num_pieces(UNPAWN) >= 8:
        return
    checkers += state.is_near_taint(square)
    checkers = min(checkers, state.unused(seat, "red"))
    player.pieces[square] = Piece(UNPAWN, checkers)


def execute(state: State, params: list[str]) -> None:
    if deal(state, {"k": "execute", "on": params[0], "dmg": 1}):
        to_main(state)


def sway(state: State, params: list[str]) -> None:
    state.players[int(params[0][1:])].swayers.add(state.active)


def feast(state: State, params: list[str]) -> None:
    state.mine.marks.add("feast")


def majesty(state: State, params: list[str]) -> None:
    state.players[int(params[0][1:])].marks.add("skip")


def place_by(kind: str) -> Effect:
    """Make the effect of an action that asks for a square alone."""
    return lambda state, params: ask(state, "place", {"k": kind})


def build(state: State, params: list[str]) -> None:
    ask(state, "place", {"k": "build", "b": params[0]})


def failed(state: State, params: list[str]) -> None:
    ask(state, "place", {"k": "failed", "p": params[0]})


def place_piece(state: State, node: Node, square: str) -> None:
    """Put down what train, build, raise or failed gives (R7)."""
    to_main(state)
    player = state.mine
    if node["k"] == "train":
        has_checker = player.num_pieces("R") == 2 and state.unused(state.active, "red") > 0
        player.pieces[square] = Piece(PAWN, int(has_checker))
    elif node["k"] == "build":
        letter = node["b"] if player.has_taint("j") else node["b"].upper()
        player.pieces[square] = Piece(letter)
    elif node["k"] == "raise":
        raise_unpawn(state, state.active, square, 0)
    else:
        relocate(state, node["p"], square)


def taint(state: State, params: list[str]) -> None:
    pieces, square = state.mine.pieces, params[0]
    pieces[square] = replace(pieces[square], letter=pieces[square].letter.lower())


def boister(kind: str) -> Effect:
    """Make the effect of Boister and Boister Undead (D44)."""

    def effect(state: State, params: list[str]) -> None:
        pieces = state.mine.pieces
        squares = state.mine.squares_with(kind)
        able = [square for square in squares if pieces[square].checkers < MAX_CHECKERS]
        able.sort(key=lambda square: (pieces[square].checkers, square))
        for square in able[: state.unused(state.active, "red")]:
            add_checker(state, [square])

    return effect


def wind(state: State, params: list[str]) -> None:
    discard_hand(state.mine)
    draw_on(state, after_wind=1)


def surge(state: State, params: list[str]) -> None:
    pieces, square = state.mine.pieces, params[0]
    pieces[square] = replace(pieces[square], has_surge=True)


def force(state: State, params: list[str]) -> None:
    player = state.players[int(params[0][1:])]
    spend(player, params[1], player.towers[params[1]].height)


def infight(state: State, params: list[str]) -> None:
    player = state.mine
    source, target = params[0].split("-")
    tower, other = player.towers[source], player.towers[target]
    index = infight_index(player, source, target)
    player.towers[source] = replace(tower, stack=tower.stack[:index])
    player.towers[target] = replace(other, stack=other.stack + tower.stack[index:])


def cherry(state: State, params: list[str]) -> None:
    ask(state, "target", {"o": params[0]})


def bomb(state: State, node: Node, token: str) -> None:
    """Destroy both pieces of a Cherry Bomb at once (R7/cherry, R12.2)."""
    squares = [node["o"], token.partition(":")[2]]
    owners = [state.owner_at(square) for square in squares]
    for square in squares:
        destroy(state, square)
    if goes_on(state, fallen=owners):
        to_main(state)


def castle(state: State, params: list[str]) -> None:
    player = state.mine
    king, rook = player.king_square(), params[0]
    player.pieces[king], player.pieces[rook] = player.pieces[rook], player.pieces[king]
    player.marks.add("castled")


def balance(state: State, params: list[str]) -> None:
    pieces = state.mine.pieces
    source, target = params[0].split("-")
    pieces[source] = replace(pieces[source], checkers=pieces[source].checkers - 1)
    add_checker(state, [target])


# The rest sets a mark (FLAGS) or has been done by paying (devour effects).
EFFECTS_OF: dict[str, Effect] = {
    "hail": appoint("k"),
    "tax": tax,
    "build": build,
    "fortify": add_checker,
    "poison": poison,
    "charm": charm,
    "execute": execute,
    "sway": sway,
    "marry": appoint("q"),
    "knight": add_checker,
    "feast": feast,
    "majesty": majesty,
    "train": place_by("train"),
    "raise": place_by("raise"),
    "taint": taint,
    "undead": boister(UNPAWN),
    "wind": wind,
    "servant": servant,
    "surge": surge,
    "force": force,
    "infight": infight,
    "failed": failed,
    "cherry": cherry,
    "castle": castle,
    "balance": balance,
    "boister": boister(PAWN),
}
