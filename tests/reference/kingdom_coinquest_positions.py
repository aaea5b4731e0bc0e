"""Random positions of Kingdom Coinquest, for tests of what random games seldom reach.

Slots are full, hands hold pairs, aces and queens, forge or graveyard are nearly empty, some players
are dead, and every node comes up. A position is nearly always valid.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .kingdom_coinquest import Reference
from .kingdom_coinquest_state import (
    CARD_ORDER,
    CARDS,
    DEFAULT_TURN_LIMIT,
    SALVAGE_SIZE,
    SUITS,
    Held,
    Load,
    Player,
    is_court_pair,
    is_equipment,
    is_equipment_pair,
    preparation_cost,
)

KINDS = ["king", "deal", "end"] + 2 * ["draw", "strike", "discard"] + 4 * ["play"]
SLOTS = ("quartermaster", "knight", "peasant")
MAX_SEATS = len(SUITS)
HAND_SIZES = {"draw": (0, 2), "deal": (0, 2), "play": (3, 3), "strike": (1, 2), "discard": (1, 3)}

Pair = Callable[[str, str, str], bool]


def random_position(rng: random.Random) -> str:
    """Make the line of a random position."""
    kind = rng.choice(KINDS)
    suits = "".join(rng.sample(SUITS, rng.choice([2, 2, 3, 4])))
    turn_limit = rng.choice([DEFAULT_TURN_LIMIT, rng.randint(1, 12), 9999])
    actor = rng.randint(1, len(suits))
    if kind == "king":
        return set_up(rng, suits, turn_limit, actor).text()
    turn = rng.choice([turn_limit, rng.randint(1, turn_limit), rng.randint(1, min(turn_limit, 9))])
    epoch = rng.choice([0, min(turn, rng.randint(0, 4)), turn])
    left = rng.sample(CARDS, len(CARDS))
    living = random_living(rng, kind, len(suits), actor)
    players = dealt(rng, suits, living, left, epoch, random_sizes(rng, kind, living, actor))
    if kind == "strike" and len(players[actor - 1].peasant) != 1:
        players[actor - 1] = armed(players[actor - 1], left)
    grave = random_grave(rng, left)
    if kind == "deal" and len(grave) == len(left):
        grave = grave[1:]
    if kind in ("draw", "deal") and len(grave) > 1:
        epoch = min(epoch, turn - 1)
    return Reference(
        turn_limit=turn_limit if kind != "end" or len(living) == 1 else turn,
        ace_strike=kind == "strike" or rng.random() < 0.5,
        turn=turn,
        epoch=epoch,
        kind=kind,
        actor=0 if kind == "end" else actor,
        players=tuple(players),
        grave=grave,
    ).text()


def set_up(rng: random.Random, suits: str, turn_limit: int, actor: int) -> Reference:
    """Let the king of some seat be drawn (R3.1)."""
    drawn = suits[: actor - 1] + "_" * (len(suits) - actor + 1)
    players = tuple(Player(suit, rng.randint(1, 99)) for suit in drawn)
    return Reference(turn_limit, rng.random() < 0.5, 0, 0, "king", actor, players, ())


def random_living(rng: random.Random, kind: str, num_seats: int, actor: int) -> list[int]:
    """Draw the living players, mostly all: at least two before the end, the actor among them."""
    others = [seat for seat in range(1, num_seats + 1) if seat != actor]
    least = 0 if kind == "end" else 1
    number = rng.choice([len(others), len(others), rng.randint(least, len(others))])
    return [actor, *rng.sample(others, number)]


def random_sizes(
    rng: random.Random, kind: str, living: Sequence[int], actor: int
) -> dict[int, int]:
    """Draw the sizes of hands."""
    sizes = {seat: rng.choice([0, 1, 2, 2, 2, 2, 3]) for seat in living}
    return sizes if kind == "end" else sizes | {actor: rng.randint(*HAND_SIZES[kind])}


def dealt(
    rng: random.Random,
    suits: str,
    living: Sequence[int],
    left: list[str],
    epoch: int,
    sizes: Mapping[int, int],
) -> list[Player]:
    """Give players their cards."""
    players = [Player(suit, 0) for suit in suits]
    for seat in living:
        players[seat - 1] = Player(suits[seat - 1], rng.choice([1, rng.randint(1, 10), 20, 99]))
    if len(living) == MAX_SEATS and rng.random() < 0.3:
        pack(rng, players, left, epoch, sizes)
        return players
    for seat in living:
        # The hand first, so that it holds what is rare.
        hand = random_hand(rng, suits[seat - 1], left, sizes[seat])
        player = with_hand(rng, players[seat - 1], hand, epoch)
        players[seat - 1] = with_slots(rng, player, left, rng.choice([0.2, 0.5, 0.9]))
    return players


def pack(
    rng: random.Random, players: list[Player], left: list[str], epoch: int, sizes: Mapping[int, int]
) -> None:
    """Give four players nearly all cards: pairs in every slot, full salvages (R5.5)."""
    for slot, pair in [("queen", is_queen_pair), *((slot, no_jack) for slot in SLOTS)]:
        for index, player in enumerate(players):
            load = take_load(rng, left, player.suit, is_nothing, pair)
            players[index] = replace(player, **{slot: load})  # type: ignore[arg-type]
    for index, player in enumerate(players):
        taken = with_salvage(player, left, SALVAGE_SIZE) if rng.random() < 0.9 else player
        players[index] = with_hand(rng, taken, take_cards(left, sizes[index + 1]), epoch)


def take_cards(left: list[str], size: int) -> list[str]:
    """Take so many cards, if there are."""
    return [left.pop() for _ in range(min(size, len(left)))]


def with_hand(rng: random.Random, player: Player, hand: Sequence[str], epoch: int) -> Player:
    """Give a player a hand, with marks."""
    return replace(player, hand=in_order([Held(card, random_mark(rng, epoch)) for card in hand]))


def with_salvage(player: Player, left: list[str], size: int) -> Player:
    """Take cards into the salvage."""
    cards = take_cards(left, size)
    return replace(player, salvage=tuple(sorted(cards, key=CARD_ORDER.__getitem__)))


def with_slots(rng: random.Random, player: Player, left: list[str], fullness: float) -> Player:
    """Fill slots and salvage of a player."""

    def load(own: Pair, pair: Pair) -> Load:
        is_full = rng.random() < fullness
        return take_load(rng, left, player.suit, own, pair) if is_full else ()

    with_jack = rng.choice([*SLOTS, None])  # the only one that may hold a jack (R6.5)
    loads = {
        slot: load(
            is_own if slot == "quartermaster" else is_any,
            is_equipment_pair if slot == with_jack else no_jack,
        )
        for slot in SLOTS
    }
    return with_salvage(
        replace(
            player,
            quartermaster=loads["quartermaster"],
            counters=random_counters(rng, loads["quartermaster"]),
            knight=loads["knight"],
            peasant=loads["peasant"],
            queen=load(lambda card, _, suit: card == f"q{suit}", is_queen_pair),
        ),
        left,
        rng.choice([0, rng.randint(0, SALVAGE_SIZE), SALVAGE_SIZE]),
    )


def random_counters(rng: random.Random, load: Load) -> int:
    """Draw the counters of the quartermaster's load."""
    return rng.randint(0, preparation_cost(load)) if load else 0


def in_order(hand: Sequence[Held]) -> tuple[Held, ...]:
    """Sort a hand."""
    return tuple(sorted(hand, key=lambda held: CARD_ORDER[held.card]))


def random_mark(rng: random.Random, epoch: int) -> int | None:
    """Draw what others know of a hand card: its epoch if it is hidden."""
    return rng.choice([None, epoch, epoch, rng.randint(0, epoch), rng.randint(0, epoch)])


# What may lie in a slot; the second card does not matter for single ones.


def is_own(card: str, _: str, suit: str) -> bool:
    """R1.4, R6.1: what may be prepared alone."""
    return is_equipment(card) and card[1] == suit


def is_any(card: str, _: str, suit: str) -> bool:
    """What a unit may hold alone, after an ace (R6.7)."""
    return is_equipment(card)


def is_nothing(card: str, _: str, suit: str) -> bool:
    """Tell that nothing may lie there alone."""
    return False


def no_jack(lead: str, partner: str, suit: str) -> bool:
    """R6.3 without a jack."""
    return partner[0] != "j" and is_equipment_pair(lead, partner, suit)


def is_queen_pair(first: str, second: str, suit: str) -> bool:
    """R6.4."""
    return is_court_pair(first, second, "q", suit)


def is_ace_pair(first: str, second: str, suit: str) -> bool:
    """R6.4."""
    return is_court_pair(first, second, "a", suit)


def take_load(rng: random.Random, left: list[str], suit: str, own: Pair, pair: Pair) -> Load:
    """Take a pair or a single card, whichever there is."""
    pairs = [(x, y) for x in left for y in left if pair(x, y, suit)]
    singles = [(x,) for x in left if own(x, "", suit)]
    choices = [choice for choice in (pairs, singles) if choice]
    if not choices:
        return ()
    load: Load = rng.choice(rng.choice(choices))
    for card in load:
        left.remove(card)
    return load


def random_hand(rng: random.Random, suit: str, left: list[str], size: int) -> list[str]:
    """Take a hand, mostly with something to play."""
    wanted: list[tuple[Pair, Pair]] = [
        (is_own, is_equipment_pair),
        (lambda card, _, suit: card == f"a{suit}", is_ace_pair),
        (lambda card, _, suit: card == f"q{suit}", is_queen_pair),
        (lambda card, _, suit: card[0] == "j", is_ace_pair),
    ]
    hand: list[str] = []
    while len(hand) < size and left:
        if size - len(hand) > 1 and rng.random() < 0.8:
            hand += take_load(rng, left, suit, *rng.choice(wanted))
        else:
            hand.append(left.pop())
    return hand


def armed(player: Player, left: list[str]) -> Player:
    """Put a single weapon on the peasant (R6.9)."""
    weapon = next((card for card in left if is_equipment(card)), None)
    if weapon is None:
        return player
    left.remove(weapon)
    left += player.peasant
    return player.with_load_on("peasant", (weapon,))


def random_grave(rng: random.Random, left: list[str]) -> tuple[str, ...]:
    """Put all, none or some of the remaining cards into the graveyard, equipment often on top."""
    size = rng.choice([0, 1, 2, len(left), len(left), max(len(left) - 1, 0), len(left) // 2])
    cards = rng.sample(left, min(size, len(left)))
    if rng.random() < 0.6:
        cards.sort(key=is_equipment, reverse=True)
    return tuple(cards)
