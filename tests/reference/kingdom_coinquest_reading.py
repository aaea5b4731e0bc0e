"""Reading lines of Kingdom Coinquest (R12.3, R12.6).

Order and spelling of a position are checked by printing it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from .kingdom_coinquest_state import (
    CARD_ORDER,
    CARDS,
    DEFAULT_TURN_LIMIT,
    NODE_KINDS,
    NUMBER,
    SUITS,
    Held,
    Load,
    Player,
    State,
    refuse,
)

HELD_CARD = re.compile("([a2-9tjq][hsdc])(!|~(0|[1-9][0-9]*))?")
HIDDEN_CARD = re.compile("[?](~(0|[1-9][0-9]*))?")
AnyState = TypeVar("AnyState", bound=State)


def read_fields(kind_of_state: type[AnyState], text: str) -> tuple[AnyState, int]:
    """Read a line without looking at its sense; also gives the written forge count."""
    fields = text.split(" ")
    num_seats = len(fields) - 6
    if not 2 <= num_seats <= 4:
        refuse("line", "R12.3, R12.4d", f"{len(fields)} fields do not make 2 to 4 players")
    seats = range(1, num_seats + 1)
    names = ["turn", "epoch", "node", *(f"p{seat}" for seat in seats), "forge", "grave"]
    values = {}
    for name, field in zip(names, fields[1:], strict=True):
        if not field.startswith(f"{name}="):
            refuse(name, "R12.3", f"the field is not where it belongs, but {field!r}")
        values[name] = field[len(name) + 1 :]
    turn_limit, ace_strike = read_tag(fields[0])
    epoch = read_number("epoch", values["epoch"])
    kind, actor = read_node(values["node"], num_seats)
    state = kind_of_state(
        turn_limit=turn_limit,
        ace_strike=ace_strike,
        turn=read_number("turn", values["turn"]),
        epoch=epoch,
        kind=kind,
        actor=actor,
        players=tuple(read_player(f"p{seat}", values[f"p{seat}"], epoch) for seat in seats),
        grave=tuple(read_cards("grave", values["grave"])),
    )
    return state, read_number("forge", values["forge"])


def read_tag(text: str) -> tuple[int, bool]:
    """Read the turn limit and whether ace_strike is on."""
    match = re.fullmatch("kc(;turn_limit=(0|[1-9][0-9]*))?(;ace_strike=1)?", text)
    if not match:
        refuse("kc", "R12.3", f"{text!r} is not the tag with its options in order")
    if match[1] is None:
        return DEFAULT_TURN_LIMIT, match[3] is not None
    turn_limit = read_number("turn_limit", match[2])
    if turn_limit == DEFAULT_TURN_LIMIT:
        refuse("turn_limit", "R12.3", "the default is not written")
    if not 1 <= turn_limit <= 9999:
        refuse("turn_limit", "R12.4b", f"{turn_limit} is not from 1 to 9999")
    return turn_limit, match[3] is not None


def read_number(field: str, text: str) -> int:
    """Read a number without sign and leading zeros."""
    if not NUMBER.fullmatch(text):
        refuse(field, "R12.3", f"{text!r} is not a number")
    return int(text)


def read_node(text: str, num_seats: int) -> tuple[str, int]:
    """Read the kind and the seat."""
    if text == "end":
        return "end", 0
    kind, _, seat = text.partition(":")
    if kind not in NODE_KINDS or seat not in [f"p{number + 1}" for number in range(num_seats)]:
        refuse("node", "R12.3", f"{text!r} is not a node of a game for {num_seats}")
    return kind, int(seat[1:])


def read_player(field: str, text: str, epoch: int) -> Player:
    """Read the eight parts."""
    parts = text.split("/")
    if len(parts) != 8:
        refuse(field, "R12.3", f"{len(parts)} parts instead of 8")
    suit, health, hand, salvage, quartermaster, knight, peasant, queen = parts
    if suit not in (*SUITS, "_"):
        refuse(field, "R12.3", f"{suit!r} is not a suit")
    load, colon, counters = quartermaster.partition(":")
    if (load == "-") == (colon == ":"):
        refuse(field, "R12.3", f"quartermaster {quartermaster!r} is not <load>:<counters> or -")
    return Player(
        suit=suit,
        health=read_number(f"{field} health", health),
        hand=read_hand(field, hand, epoch),
        salvage=tuple(read_cards(f"{field} salvage", salvage)),
        quartermaster=read_load(f"{field} quartermaster", load),
        counters=read_number(f"{field} counters", counters) if colon else 0,
        knight=read_load(f"{field} knight", knight),
        peasant=read_load(f"{field} peasant", peasant),
        queen=read_load(f"{field} queen", queen),
    )


def read_hand(field: str, text: str, epoch: int) -> tuple[Held, ...]:
    """Read a hand in clear, in the written order."""
    if text == "-":
        return ()
    hand = []
    for item in text.split(","):
        match = HELD_CARD.fullmatch(item)
        if not match:
            refuse(f"{field} hand", "R12.3", f"{item!r} is not a hand card")
        if match[2] == "!":
            hand.append(Held(match[1], None))
        elif match[2] is None:
            hand.append(Held(match[1], epoch))
        else:
            drawn = read_number(f"{field} hand", match[3])
            if drawn >= epoch:
                refuse(f"{field} hand", "R12.4c", f"{item!r} is not older than epoch {epoch}")
            hand.append(Held(match[1], drawn))
    return tuple(hand)


def read_cards(field: str, text: str) -> list[str]:
    """Read cards joined by commas, in the written order."""
    if text == "-":
        return []
    cards = text.split(",")
    for card in cards:
        if card not in CARD_ORDER:
            refuse(field, "R12.3, R12.4c", f"{card!r} is not a circulating card")
    return cards


def read_load(field: str, text: str) -> Load:
    """Read a load without counters."""
    if text == "-":
        return ()
    load = tuple(text.split("+"))
    if len(load) > 2 or any(card not in CARD_ORDER for card in load):
        refuse(field, "R12.3", f"{text!r} is not a load")
    return load


# Reading an observation (R12.6)


def witness(text: str) -> tuple[int, str]:
    """Fill the hidden places of an observation in the simplest way.

    Returns:
        The observer's seat (0: spectator), and a line that is a position consistent with the
        observation if there is one.
    """
    fields = text.split(" ")
    num_seats = len(fields) - 8
    if not 2 <= num_seats <= 4:
        refuse("line", "R12.5", f"{len(fields)} fields do not make 2 to 4 players")
    seat = read_observer(fields[-1], num_seats)
    pools = read_old_pools(fields[-2])
    written = set(re.findall("[a2-9tjq][hsdc]", " ".join(fields[4:-1])))
    free = iter([card for card in CARDS if card not in written])
    hands = range(4, 4 + num_seats)
    for index in hands:
        if index == 3 + seat:
            continue
        parts = fields[index].split("/")
        if len(parts) != 8:
            refuse(fields[index], "R12.3", f"{len(parts)} parts instead of 8")
        parts[2] = fill_hand(parts[2], pools, free)
        fields[index] = "/".join(parts)
    if any(pools.values()):
        refuse("old", "R12.6", "a pool has more cards than hidden places")
    return seat, " ".join(fields[:-2])


def read_observer(text: str, num_seats: int) -> int:
    """Read the last field."""
    if text == "@-":
        return 0
    if text not in [f"@p{seat + 1}" for seat in range(num_seats)]:
        refuse("@", "R12.5", f"{text!r} is not an observer of a game for {num_seats}")
    return int(text[2:])


def read_old_pools(text: str) -> dict[int, list[str]]:
    """Read the field `old=`."""
    pools: dict[int, list[str]] = {}
    if not text.startswith("old="):
        refuse("old", "R12.5", f"the field is not where it belongs, but {text!r}")
    if text == "old=-":
        return pools
    for pool in text[len("old=") :].split(";"):
        epoch, _, cards = pool.partition(":")
        pools[read_number("old", epoch)] = read_cards("old", cards)
    return pools


def fill_hand(text: str, pools: dict[int, list[str]], free: Iterator[str]) -> str:
    """Put cards into the hidden places of a masked hand; those of a pool leave the pool."""
    if text == "-":
        return "-"
    cards = []
    for item in text.split(","):
        match = HIDDEN_CARD.fullmatch(item)
        if not match:
            cards.append(item)
        elif match[1] is None:
            card = next(free, None)
            if card is None:
                refuse("forge", "R12.6", "no card is left for a hidden place")
            cards.append(card)
        else:
            pool = pools.get(read_number("hand", match[2]))
            if not pool:
                refuse("old", "R12.6", f"no card of the old pools is left for {item!r}")
            cards.append(pool.pop(0) + match[1])
    return ",".join(sorted(cards, key=lambda card: CARD_ORDER.get(card[:2], -1)))
