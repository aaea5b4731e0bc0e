"""The sense of a position of Code of Chivalry: what makes it valid (R13.3, R13.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .code_of_chivalry_cards import STRENGTHS, cards_text, refuse
from .code_of_chivalry_moves import asked_seat, legal_moves
from .code_of_chivalry_state import (
    HAND_DEALT,
    Attack,
    Choose,
    Deal,
    Draw,
    Fortify,
    Give,
    Main,
    Over,
    Respond,
    Rob,
    Show,
    State,
    Take,
    Tax,
)


def check_validity(state: State) -> None:
    """Refuse what R13.4 forbids, except a line that is not canonical."""
    check_counters(state)
    check_components(state)
    check_knowledge(state)
    check_base(state)
    check_node(state)
    if asked_seat(state) is not None and not legal_moves(state):
        refuse("node", "R13.4", "the deciding seat has no legal move")


def check_counters(state: State) -> None:
    """Check turn number and reshuffles."""
    if state.turn > state.options.turn_limit:
        refuse("turn", "R13.4", f"{state.turn} is above {state.options.turn_limit}")
    if (state.turn == 0) != isinstance(state.node, Deal):
        refuse("turn", "R13.4", f"{state.turn} at another node than the deal, or the reverse")
    most = 2 * state.turn - (state.node == Draw(2))  # D50
    if state.reshuffles > most:
        refuse("reshuffles", "R13.4", f"{state.reshuffles} is above {most}")


def check_components(state: State) -> None:
    """Check the sum of all cards, and of all gems."""
    cards = state.draw_pile + state.open_cards()
    for player in state.players:
        cards += player.hand
        for role in player.fortifications:
            if role not in state.options.types():
                refuse("players", "R13.4", f"a {role} in a game without")
    deck = state.options.deck()
    if cards != deck:
        wrong = cards_text((cards - deck) + (deck - cards))
        refuse("line", "R13.4", f"too many or too few of {wrong}")
    gems = sum(player.gems for player in state.players)
    if gems != state.options.players * state.options.start_gems:
        refuse("players", "R13.4", f"{gems} gems in all")


def check_knowledge(state: State) -> None:
    """Check that every row lies within the hand and contains the public row."""
    for holder in state.seats():
        hand, public = state.player(holder).hand, state.known.public(holder)
        for observer, row in state.known.about(holder):
            if not public <= row <= hand:
                name = f"p{observer}" if observer else "*"
                refuse("known", "R13.4", f"{name}>p{holder} is above the hand or below the public")


def check_base(state: State) -> None:
    """Check BASE against the number of reshuffles, the deck and the draw pile."""
    if (state.reshuffles > 0) != (state.base is not None):
        refuse("base", "R13.4", f"{state.reshuffles} reshuffles")
    if state.base is None:
        return
    if not state.base.total() or not state.base <= state.options.deck():
        refuse("base", "R13.4", "empty or not within the deck")
    for seat, own in state.own.items():
        if not state.draw_pile + own <= state.base:
            refuse("base", "R13.4", f"the draw pile is not within what p{seat} has left of it")


def check_node(state: State) -> None:
    """R13.3."""
    if not is_node_valid(state):
        refuse("node", "R13.3", f"{state.node_text(state.seats())} is not valid here")


def is_node_valid(state: State) -> bool:
    """Tell whether the node fits the rest (the table of R13.3)."""
    rivals = state.rivals()
    match state.node:
        case Deal():
            return is_deal_valid(state, state.node)
        case Draw(left):
            lefts = [1] if state.turn == 1 else [1, 2]
            return state.draw_pile.total() > 0 and left in lefts
        case Main() | Fortify():
            return True
        case Attack(target):
            return target in rivals
        case Respond():
            return is_respond_valid(state, state.node)
        case Rob(source, receiver, amount, asked):
            return 1 <= amount <= state.player(source).gems and asked != receiver
        case Show(asked, picks):
            before = state.seats_between(state.active, asked)
            return asked in rivals and are_picks_valid(state, picks, before)
        case Choose(picks):
            are_public = all(state.known.public(seat)[card] for seat, card in picks.items())
            return are_picks_valid(state, picks, rivals) and are_public
        case Take(seller, left):
            return seller in rivals and 1 <= left <= state.player(seller).hand.total()
        case Tax(seat):
            return is_taxed(state, seat)
        case Give(seat, left):
            fits = left in (1, 2) and left <= state.player(seat).hand.total()
            return is_taxed(state, seat) and fits
        case Over("gems", winners):
            return len(winners) == 1 and state.player(winners[0]).gems >= state.target()
        case Over(_, winners):
            return state.turn == state.options.turn_limit and winners == state.richest()


def is_deal_valid(state: State, node: Deal) -> bool:
    """Tell whether the deal has come to this point."""
    first = int(state.options.first_player[1:])
    order = [first, *state.seats_between(first, first)]
    place = order.index(node.seat)
    left = [0] * place + [node.left] + [HAND_DEALT] * (len(order) - place - 1)
    sizes = [state.player(seat).hand.total() for seat in order]
    return (
        node.left in (1, 2)
        and state.active == first
        and sizes == [HAND_DEALT - cards for cards in left]
        and all(player.gems == state.options.start_gems for player in state.players)
        and not any(player.fortifications for player in state.players)
        and not state.discard_pile.total()
        and not any(row.total() for row in state.known.rows.values())
        and state.base is None
    )


def is_respond_valid(state: State, node: Respond) -> bool:
    """R13.3 for RESPOND."""
    role = node.attack.role
    if node.target == state.active or node.victim not in (node.target, state.active):
        return False
    if role in STRENGTHS:
        return True
    if role == "archer" and "archer" not in state.player(node.target).fortifications:
        return False
    return role in ("ninja", "dragon", "archer") and node.victim == node.target


def are_picks_valid(state: State, picks: Mapping[int, str], asked: Iterable[int]) -> bool:
    """Tell whether exactly those of the asked seats that have cards have picked one of them."""
    with_cards = {seat for seat in asked if state.player(seat).hand.total()}
    in_hand = all(state.player(seat).hand[card] for seat, card in picks.items())
    return set(picks) == with_cards and in_hand


def is_taxed(state: State, seat: int) -> bool:
    """Tell whether this is a rival with a castle."""
    return seat != state.active and "castle" in state.player(seat).fortifications
