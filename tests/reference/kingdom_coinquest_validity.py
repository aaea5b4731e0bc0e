"""Which positions of Kingdom Coinquest are valid (R12.4)."""

from __future__ import annotations

from .kingdom_coinquest_state import (
    CARD_ORDER,
    UNITS,
    Load,
    Player,
    State,
    is_court_pair,
    is_equipment,
    is_equipment_pair,
    load_text,
    preparation_cost,
    refuse,
)


def check_validity(state: State, forge_count: int) -> None:
    """Refuse what R12.4 (b) to (i) forbid, and unsorted cards (a)."""
    check_ranges(state)
    check_cards(state, forge_count)
    check_suits(state)
    for seat, player in enumerate(state.players, start=1):
        if player.is_living():
            check_loads(f"p{seat}", player)
        elif player != Player(player.suit, 0):
            refuse(f"p{seat}", "R12.4g", "a player with health 0 has cards")
    if state.kind == "end":
        check_end(state)
    else:
        check_table(state)
        check_node(state)


def check_ranges(state: State) -> None:
    """R12.4b."""
    if state.kind == "king":
        if state.turn != 0:
            refuse("turn", "R12.4b", f"{state.turn} is not 0 during the set-up")
    elif not 1 <= state.turn <= state.turn_limit:
        refuse("turn", "R12.4b", f"{state.turn} is not from 1 to {state.turn_limit}")
    for seat, player in enumerate(state.players, start=1):
        if player.health > 99:
            refuse(f"p{seat} health", "R12.4b", f"{player.health} is above 99")
    before_reshuffle = state.kind in ("draw", "deal") and len(state.grave) >= 2  # R9.4
    highest = state.turn - 1 if before_reshuffle else state.turn
    if state.epoch > highest:
        refuse("epoch", "R12.4b, R9.4", f"{state.epoch} is above {highest}")


def check_cards(state: State, forge_count: int) -> None:
    """R12.4c, and the card order of hands and salvages (a)."""
    seen: set[str] = set()
    for card in state.placed_cards():
        if card in seen:
            refuse("line", "R12.4c", f"{card} is written twice")
        seen.add(card)
    if forge_count != len(state.forge()):
        refuse("forge", "R12.4c", f"{forge_count} written, {len(state.forge())} left")
    for seat, player in enumerate(state.players, start=1):
        for part, cards in (("hand", player.hand_cards()), ("salvage", list(player.salvage))):
            if len(cards) > 3:
                refuse(f"p{seat} {part}", "R12.4c", "more than 3 cards")
            if cards != sorted(cards, key=CARD_ORDER.__getitem__):
                refuse(f"p{seat} {part}", "R12.4a", "not in card order")


def check_suits(state: State) -> None:
    """R12.4d, and the first part of (i)."""
    num_known = state.actor - 1 if state.kind == "king" else len(state.players)
    suits = [player.suit for player in state.players]
    if "_" in suits[:num_known] or len(set(suits[:num_known])) != num_known:
        refuse("suit", "R12.4d, R12.4i", f"{suits[:num_known]} are not known and different")
    if any(suit != "_" for suit in suits[num_known:]):
        refuse("suit", "R12.4i", f"{suits[num_known:]} are known before they are drawn")


def check_loads(field: str, player: Player) -> None:
    """R12.4e and R12.4f."""
    load = player.quartermaster
    if load:
        own = len(load) == 1 and is_equipment(load[0]) and load[0][1] == player.suit
        if not own and not is_pair_of(load, player.suit):
            refuse(f"{field} quartermaster", "R12.4e", f"{load_text(load)} cannot be prepared")
        if player.counters > preparation_cost(load):
            refuse(f"{field} counters", "R12.4e", f"{player.counters} is above the cost")
    for unit in UNITS:
        load = player.load_on(unit)
        single = len(load) == 1 and is_equipment(load[0])
        if load and not single and not is_pair_of(load, player.suit):
            refuse(f"{field} {unit}", "R12.4e", f"{load_text(load)} is no equipment load")
    load = player.queen
    own = load == ("q" + player.suit,)
    pair = len(load) == 2 and is_court_pair(load[0], load[1], "q", player.suit)
    if load and not own and not pair:
        refuse(f"{field} queen", "R12.4e", f"{load_text(load)} is no queen load")
    if player.num_jacks_in_play() > 1:
        refuse(field, "R12.4f, R6.5", "more than one jack in play")


def is_pair_of(load: Load, suit: str) -> bool:
    """Tell whether a load is a recruited pair of equipment (R6.3)."""
    return len(load) == 2 and is_equipment_pair(load[0], load[1], suit)


def check_end(state: State) -> None:
    """R12.4i for `end`."""
    num_living = len(state.living())
    if num_living != 1 and not (num_living > 1 and state.turn == state.turn_limit):
        refuse("node", "R12.4i", f"no end with {num_living} living players in turn {state.turn}")


def check_table(state: State) -> None:
    """R12.4h."""
    living = state.living()
    if len(living) < 2 or state.actor not in living:
        refuse("node", "R12.4h", f"living players {living} do not suit {state.node_text()}")
    for seat, player in enumerate(state.players, start=1):
        if seat != state.actor and player.quartermaster and len(player.hand) > 2:
            refuse(f"p{seat} hand", "R12.4h, R4.4", "3 cards beside a loaded quartermaster")


def check_node(state: State) -> None:
    """R12.4i for all nodes but `end`."""
    if state.kind == "king":
        if any(player != Player(player.suit, player.health) for player in state.players):
            refuse("node", "R12.4i", "cards are in play during the set-up")
        if state.grave or state.epoch != 0 or len(state.living()) < len(state.players):
            refuse("node", "R12.4i", "graveyard, epoch or health do not fit the set-up")
        return
    num_hand = len(state.me().hand)
    low, high = {
        "draw": (0, 2),
        "deal": (0, 2),
        "play": (3, 3),
        "strike": (1, 2),
        "discard": (1, 3),
    }[state.kind]
    if not low <= num_hand <= high:
        refuse("node", "R12.4i", f"{num_hand} hand cards at {state.node_text()}")
    if state.kind == "deal" and not state.forge():
        refuse("node", "R12.4i", "nothing to deal from an empty forge")
    if state.kind == "strike" and not (state.ace_strike and len(state.me().peasant) == 1):
        refuse("node", "R12.4i, R6.9", "strike without ace_strike or without a single weapon")
