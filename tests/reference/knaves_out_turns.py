"""Turns, draws, damage points, defeat and the end of the game in Knaves Out (R4, R10 to R12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from .knaves_out_board import board_of
from .knaves_out_cards import after_leaving, sorted_cards
from .knaves_out_moves import redirections
from .knaves_out_nodes import Node, node_of
from .knaves_out_state import (
    HAND_SIZE,
    LASTING_MARKS,
    TURN_MARKS,
    Piece,
    Player,
    Sailor,
    State,
)

Context = dict[str, str | int]


# Turns (R4)


def to_main(state: State) -> None:
    """Ask the active player."""
    state.node = node_of("main", state.active)


def begin_turn(state: State, seat: int) -> None:
    """R4.1; at the turn limit the last turn stays the one that is shown (D76)."""
    if state.turn == state.options.max_turns:
        finish(state, shares_at_limit(state))
        return
    state.turn += 1
    state.active = seat
    player = state.mine
    player.marks.difference_update(LASTING_MARKS)
    for other in state.players.values():
        other.swayers.discard(seat)
    player.sea = [replace(sailor, is_fresh=False) for sailor in player.sea]
    if not dark_clock(state):
        return
    if "skip" in player.marks:
        player.marks.remove("skip")
        player.marks.add("skipped")
        end_turn(state)
        return
    player.marks.discard("skipped")
    if player.discard:
        state.node = node_of("shuffle", seat)
    else:
        draw_on(state, after_wind=0)


def dark_clock(state: State) -> bool:
    """R11.6; tell whether the turn goes on."""
    tower = state.great.get("dark")
    if not tower or tower.chosen != state.active:
        return True
    if tower.black:
        tower = replace(tower, black=tower.black - 1)
    elif tower.red:
        tower = replace(tower, red=tower.red - 1)
    state.great["dark"] = tower
    if tower.black + tower.red:
        return True
    defeat(state, state.active)
    return goes_on(state)


def draw_on(state: State, after_wind: int) -> None:
    """R4.3."""
    if len(state.mine.hand) < HAND_SIZE and state.mine.deck():
        state.node = node_of("draw", 0, {"p": f"p{state.active}", "w": after_wind})
    else:
        to_main(state)


def end_turn(state: State) -> None:
    """R4.6."""
    player = state.mine
    player.marks.difference_update(TURN_MARKS)
    player.num_actions = 0
    player.permissions.clear()
    for square, piece in player.pieces.items():
        player.pieces[square] = piece.without_flags()
    begin_turn(state, next(seat for seat in state.seats_after(state.active) if is_in(state, seat)))


def is_in(state: State, seat: int) -> bool:
    """Tell whether a player is alive."""
    return state.players[seat].is_alive


def leave_hand(player: Player, cards: Iterable[str]) -> None:
    """Take cards from the hand; what is known of the rest follows (R13.4 b)."""
    gone, hand = list(cards), list(player.hand)
    for card in gone:
        hand.remove(card)
    player.hand = tuple(hand)
    player.records = after_leaving(player.records, gone)


def discard_hand(player: Player) -> None:
    """Put the whole hand on the discard."""
    hand = player.hand
    leave_hand(player, hand)
    player.discard = sorted_cards([*player.discard, *hand])


# Pieces that move and vanish


def relocate(state: State, square: str, to: str, piece: Piece | None = None) -> None:
    """Put a piece on another square, with its flags unless it has changed (R8.10)."""
    owner = state.players[state.owner_at(square)]
    old = owner.pieces.pop(square)
    owner.pieces[to] = piece or old
    for seat, place in owner.permissions.items():
        if place == square:
            owner.permissions[seat] = to


def remove(state: State, square: str) -> None:
    """Take a piece off the board; a permission that it holds stays used up (R8.9)."""
    owner = state.players[state.owner_at(square)]
    del owner.pieces[square]
    for seat, place in owner.permissions.items():
        if place == square:
            owner.permissions[seat] = "x"


# Damage (R10)


def deal(state: State, context: Context) -> bool:
    """Deal the points that are left on a piece, one by one (R10.3).

    Returns:
        Whether they are dealt and the turn goes on; else somebody is asked, or it is over.
    """
    on = str(context["on"])
    while int(context["dmg"]) > 0 and not state.is_empty(on):
        holder = state.holder_at(on)
        if holder and "redirect" in state.players[holder].marks and redirections(state, on):
            state.node = node_of("redirect", holder, context)
            return False
        if not deal_point(state, context, on):
            return False
    return True


def redirected(state: State, node: Node, token: str) -> Context | None:
    """Go on after an answer at `redirect`; the context if all points are dealt, else None."""
    context: Context = dict(node.context)
    square = node["on"] if token == "take" else token.partition(":")[2]
    if deal_point(state, context, square) and deal(state, context):
        return context
    return None


def deal_point(state: State, context: Context, square: str) -> bool:
    """Deal one point; tell whether the turn goes on."""
    owner = state.owner_at(square)
    holder = state.holder_at(square)
    is_attack = context["k"] == "attack"
    if is_attack and owner and state.piece_at(square).is_building:
        context["th"] = int(context["th"]) + ("thorns" in state.players[owner].marks)
    context["dmg"] = int(context["dmg"]) - 1
    take_point(state, square)
    if is_attack and holder and not is_in(state, holder):
        context["th"] = 0  # D78
    return goes_on(state)


def take_point(state: State, square: str) -> None:
    """R10.2, R11.3."""
    name = state.great_at(square)
    if name:
        take_tower_point(state, name)
        return
    owner = state.owner_at(square)
    piece = state.players[owner].pieces[square]
    if piece.checkers:
        state.players[owner].pieces[square] = replace(piece, checkers=piece.checkers - 1)
    else:
        destroy(state, square)


def take_tower_point(state: State, name: str) -> None:
    """Take a checker of one of the Two Towers, or destroy it (R11.3, R11.7, R11.8)."""
    tower = state.great[name]
    if tower.black:
        state.great[name] = replace(tower, black=tower.black - 1)
    elif tower.red:
        state.great[name] = replace(tower, red=tower.red - 1)
    else:
        defeat(state, tower.chosen if name == "ivory" else tower.enemy)


def destroy(state: State, square: str) -> None:
    """Destroy a piece whatever its checkers; with the king building falls the player (R10.4)."""
    owner = state.owner_at(square)
    kind = state.piece_at(square).kind
    remove(state, square)
    if kind == "K":
        defeat(state, owner)


# Defeat and end (R12)


def defeat(state: State, seat: int) -> None:
    """R12.1, R11.8; what becomes of the turn is up to `goes_on`."""
    old = state.players[seat]
    state.players[seat] = Player(
        is_alive=False,
        hand=old.hand,
        discard=old.discard,
        towers=old.towers,
        records=old.records,
    )
    for player in state.players.values():
        player.swayers.discard(seat)
        player.permissions.pop(seat, None)
    for name, tower in list(state.great.items()):
        if seat in (tower.chosen, tower.enemy):
            del state.great[name]
            if name == "ivory":
                state.island = board_of(tower.square)
            else:
                state.cleansed = board_of(tower.square)


def goes_on(state: State, fallen: Iterable[int] = ()) -> bool:
    """R12.2, R12.3: tell whether the turn goes on; if not, end it or the game.

    `fallen` are the players who fell together just now.
    """
    living = state.living()
    if len(living) <= 1:
        winners = living or list(fallen)
        finish(state, {seat: Fraction(1, len(winners)) for seat in winners})
        return False
    if not state.mine.is_alive:
        end_turn(state)
        return False
    return True


def finish(state: State, shares: dict[int, Fraction]) -> None:
    """End the game."""
    state.node = Node("end", 0, {f"p{seat}": str(shares.get(seat, 0)) for seat in state.players})


def shares_at_limit(state: State) -> dict[int, Fraction]:
    """R12.4."""
    winners = state.living()
    if state.options["limit_result"] == "rank":
        best = max(standing(state.players[seat]) for seat in winners)
        winners = [seat for seat in winners if standing(state.players[seat]) == best]
    return {seat: Fraction(1, len(winners)) for seat in winners}


def standing(player: Player) -> tuple[int, int, int]:
    """Give the triple that R12.4 compares."""
    pieces: list[Piece | Sailor] = [*player.pieces.values(), *player.sea]
    return (
        player.pieces[player.king_square()].checkers,
        sum(1 + piece.checkers for piece in pieces),
        sum(tower.height for tower in player.towers.values()),
    )
