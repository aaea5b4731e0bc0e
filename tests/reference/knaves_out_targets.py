"""The conditions of the actions of Knaves Out: what each may be aimed at (R7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .knaves_out_cards import CARDS, EFFECTS, JOKER, TOWERS
from .knaves_out_prices import ROWS, quote_of
from .knaves_out_state import (
    LIMITS,
    MAX_CHECKERS,
    PAWN,
    UNPAWN,
    Player,
    State,
)

NO_PARAMETER = [""]

# Actions that set a mark of their own name, which must not be set already ("flag").
FLAGS = [
    "upper",
    "defend",
    "blessing",
    "blacksails",
    "luck",
    "punches",
    "conspire",
    "rush",
    "seabreeze",
    "summer",
    "frenzy",
    "lionheart",
    "insight",
    "parlay",
    "shield",
    "thorns",
    "redirect",
]


def legal_actions(state: State) -> list[str]:
    """List the `act:` moves of the active player in canonical order."""
    player = state.mine
    if player.num_actions >= action_limit(player):
        return []
    moves = []
    for code in ROWS:
        if code in ("parlay", "infight"):
            params = [text for text in targets(state, code) if is_payable(state, code, text)]
        else:
            params = targets(state, code) if is_payable(state, code, "") else []
        moves += [f"act:{code}:{text}" if text else f"act:{code}" for text in params]
    return moves


def action_limit(player: Player) -> int:
    """R6.1."""
    return 2 if player.has_effect("motorhead") else 1


def is_payable(state: State, code: str, param: str) -> bool:
    """Tell whether the active player can pay an action (R6.8)."""
    quote = quote_of(state.options, state.mine, code, param.split(":"))
    return quote is not None and quote.is_payable(state.mine)


def is_action(state: State, code: str, param: str) -> bool:
    """Tell whether an action with these parameters is a legal move but for the limit R6.1."""
    return is_payable(state, code, param) and param in targets(state, code)


def targets(state: State, code: str) -> list[str]:
    """List the parameters with which the condition of the row holds, in canonical order."""
    if code in FLAGS and code in state.mine.marks:
        return []
    return possible(state, code)


def possible(state: State, code: str) -> list[str]:
    """List the parameters with which the condition of the row holds, flag apart."""
    if code in EFFECTS:
        return NO_PARAMETER if not state.mine.has_effect(code) else []
    if code in CONDITIONS:
        return CONDITIONS[code](state)
    return NO_PARAMETER


def if_true(condition: object) -> list[str]:
    """Give what an action without parameters needs."""
    return NO_PARAMETER if condition else []


def has_place_next_to(state: State, squares: Iterable[str]) -> bool:
    """Tell whether one of these squares has an empty neighbour."""
    return any(state.empty_next_to(square) for square in squares)


def building_places(state: State) -> list[str]:
    """List the empty squares next to an own building, in square order."""
    own = state.mine.squares_with("KRNB")
    return sorted({near for square in own for near in state.empty_next_to(square)})


def raise_places(state: State) -> list[str]:
    """List the empty squares adjacent to an own tainted bishop (R7/raise)."""
    tainted = [square for square, piece in state.mine.pieces.items() if piece.letter == "b"]
    return sorted({near for square in tainted for near in state.empty_next_to(square)})


def appointments(rank: str, letter: str) -> Callable[[State], list[str]]:
    """Make the condition of All Hail or Marry."""

    def condition(state: State) -> list[str]:
        player = state.mine
        if letter in player.towers or (rank == "q" and "k" not in player.towers):
            return []
        found = [card for card in player.hand if card[0] == rank]
        if JOKER in player.hand:
            deck = player.deck()
            found += [f"{JOKER}:{card}" for card in CARDS if card[0] == rank and card in deck]
        return found

    return condition


def build(state: State) -> list[str]:
    player = state.mine
    if not has_place_next_to(state, player.squares_with("KRNB")):
        return []
    return [kind for kind in "rnb" if player.num_pieces(kind.upper()) < LIMITS[kind.upper()]]


def with_room(kinds: str, colour: str) -> Callable[[State], list[str]]:
    """Make the condition "own pieces with less than 4 checkers, and an unused one"."""

    def condition(state: State) -> list[str]:
        if not state.unused(state.active, colour):
            return []
        pieces = state.mine.pieces
        return [
            square
            for square in state.mine.squares_with(kinds)
            if pieces[square].checkers < MAX_CHECKERS
        ]

    return condition


def charm(state: State) -> list[str]:
    return [
        square
        for square in pieces_of(state, state.enemies(state.active), PAWN)
        if state.empty_next_to(square)
    ]


def pieces_of(state: State, seats: Iterable[int], kinds: str) -> list[str]:
    """List the squares of the pieces of some players of these kinds, in square order."""
    return sorted(square for seat in seats for square in state.players[seat].squares_with(kinds))


def execute(state: State) -> list[str]:
    near = {other for square in state.mine.pieces for other in state.world.neighbours[square]}
    return [square for square in sorted(near) if can_execute(state, square)]


def can_execute(state: State, square: str) -> bool:
    """Tell whether Execute may hit what stands on a square, if it is near enough."""
    name = state.great_at(square)
    if name:
        return (state.great[name].chosen == state.active) == (name == "dark")
    return state.owner_at(square) not in (0, state.active)


def majesty(state: State) -> list[str]:
    return [
        f"p{seat}"
        for seat in state.enemies(state.active)
        if state.players[seat].marks.isdisjoint(["skip", "skipped"])
    ]


def sway(state: State) -> list[str]:
    return [
        f"p{seat}"
        for seat in state.enemies(state.active)
        if state.active not in state.players[seat].swayers
    ]


def train(state: State) -> list[str]:
    player = state.mine
    return if_true(
        player.squares_with("R")
        and player.num_pieces(PAWN) < LIMITS[PAWN]
        and has_place_next_to(state, player.squares_with("KRNB"))
    )


def raise_dead(state: State) -> list[str]:
    return if_true(state.mine.num_pieces(UNPAWN) < LIMITS[UNPAWN] and raise_places(state))


def taint(state: State) -> list[str]:
    pieces = state.mine.pieces
    return sorted(square for square, piece in pieces.items() if piece.letter in "KRNB")


def surge(state: State) -> list[str]:
    return sorted(
        square
        for square, piece in state.mine.pieces.items()
        if piece.is_building and not piece.has_surge
    )


def force(state: State) -> list[str]:
    return [
        f"p{seat}:{letter}"
        for seat in state.enemies(state.active)
        for letter in TOWERS
        if letter in state.players[seat].towers and state.players[seat].towers[letter].height
    ]


def infight(state: State) -> list[str]:
    player = state.mine
    quotes = {name: quote_of(state.options, player, "infight", [name]) for name in player.towers}
    found = []
    for source in TOWERS:
        for target in TOWERS:
            if source == target or not {source, target} <= player.towers.keys():
                continue
            quote = quotes[source]
            paid = quote.cards.get(source, 0) if quote else 0
            if infight_index(player, source, target) < player.towers[source].height - paid:
                found.append(f"{source}-{target}")
    return found


def infight_index(player: Player, source: str, target: str) -> int:
    """Find where in a stack the next rank of another tower lies; too high if nowhere."""
    tower, other = player.towers[source], player.towers[target]
    index = other.level + 1 - tower.first_rank()
    return index if index >= 0 else tower.height


def failed(state: State) -> list[str]:
    player = state.mine
    if not has_place_next_to(state, player.squares_with("KRNB")):
        return []
    return player.squares_with(PAWN)


def cherry(state: State) -> list[str]:
    kinds = {
        piece.kind
        for seat in state.enemies(state.active)
        for piece in state.players[seat].pieces.values()
    }
    return state.mine.squares_with("".join(kinds))


def cherry_targets(state: State, square: str) -> list[str]:
    """List the enemy pieces of the same kind as an own one (R7/cherry)."""
    return pieces_of(state, state.enemies(state.active), state.piece_at(square).kind)


def parlay(state: State) -> list[str]:
    player = state.mine
    if "feast" in player.marks:
        return ["-"]
    return [name for name in TOWERS if name in player.towers and player.towers[name].height]


def castle(state: State) -> list[str]:
    return state.mine.squares_with("R") if "castled" not in state.mine.marks else []


def balance(state: State) -> list[str]:
    pieces = state.mine.pieces
    pawns = state.mine.squares_with(PAWN)
    return [
        f"{source}-{target}"
        for source in pawns
        for target in pawns
        if target in state.world.near[source]
        and pieces[source].checkers >= 1
        and pieces[target].checkers < MAX_CHECKERS
    ]


def any_with_room(kind: str) -> Callable[[State], list[str]]:
    """Make the condition of Boister and Boister Undead."""
    condition = with_room(kind, "red")
    return lambda state: if_true(condition(state))


CONDITIONS: dict[str, Callable[[State], list[str]]] = {
    "hail": appointments("k", "k"),
    "build": build,
    "fortify": with_room("KRNB", "black"),
    "poison": lambda state: if_true("k" in state.mine.towers),
    "charm": charm,
    "execute": execute,
    "sway": sway,
    "marry": appointments("q", "q"),
    "knight": with_room(PAWN, "red"),
    "majesty": majesty,
    "train": train,
    "defend": lambda state: if_true(state.mine.squares_with("N")),
    "blessing": lambda state: if_true(state.mine.squares_with("B")),
    "raise": raise_dead,
    "taint": taint,
    "undead": any_with_room(UNPAWN),
    "luck": lambda state: if_true(not state.mine.has_effect("ladyluck")),
    "surge": surge,
    "force": force,
    "infight": infight,
    "failed": failed,
    "conspire": lambda state: if_true("ended" not in state.mine.marks),
    "cherry": cherry,
    "parlay": parlay,
    "castle": castle,
    "balance": balance,
    "boister": any_with_room(PAWN),
}
