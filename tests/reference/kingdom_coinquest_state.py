"""The state of a game of Kingdom Coinquest, and how it is printed (sections 1, 2 and 12)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple, NoReturn, Self

SUITS = "hsdc"  # R1.3: suit order
RANKS = "a23456789tjq"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # R1.1, R1.3: card order
CARD_ORDER = {card: index for index, card in enumerate(CARDS)}
VALUES = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "t": 10}

HAND_SIZE = 3
SALVAGE_SIZE = 3
DEFAULT_TURN_LIMIT = 600
UNITS = ("knight", "peasant")
NODE_KINDS = ("king", "draw", "deal", "play", "strike", "discard")  # R4.1, besides `end`

NUMBER = re.compile("0|[1-9][0-9]*")  # R12.3: no sign, no leading zeros

Load = tuple[str, ...]  # R1.7: (), (card,) or (lead, partner)


def is_equipment(card: str) -> bool:
    """R1.4."""
    return card[0] in VALUES


def load_value(load: Load) -> int:
    """R1.7: the partner adds nothing."""
    return VALUES[load[0][0]]


def preparation_cost(load: Load) -> int:
    """R1.6."""
    value = load_value(load)
    if value <= 4:
        return 1
    return 2 if value <= 7 else 3


def is_rival_card(card: str, suit: str) -> bool:
    """R1.5: also when nobody plays that suit's king."""
    return card[1] != suit


def is_equipment_pair(lead: str, partner: str, suit: str) -> bool:
    """R6.3, without the limit of one jack in play."""
    if lead == partner or not is_equipment(lead) or not is_rival_card(lead, suit):
        return False
    if partner[0] == "j":
        return True
    return partner[0] == lead[0] and is_rival_card(partner, suit)


def is_court_pair(first: str, second: str, rank: str, suit: str) -> bool:
    """R6.4: two rival queens (`rank` q) or aces (a) in card order."""
    return (
        first[0] == second[0] == rank
        and is_rival_card(first, suit)
        and is_rival_card(second, suit)
        and CARD_ORDER[first] < CARD_ORDER[second]
    )


class Held(NamedTuple):
    """A hand card with its mark (R11.2)."""

    card: str
    epoch: int | None  # hidden since this epoch; None: known to everybody


@dataclass(frozen=True)
class Player:
    """What belongs to one kingdom (R2.1)."""

    suit: str  # "_" before the king is drawn
    health: int
    hand: tuple[Held, ...] = ()  # in card order
    salvage: tuple[str, ...] = ()  # in card order
    quartermaster: Load = ()
    counters: int = 0
    knight: Load = ()
    peasant: Load = ()
    queen: Load = ()

    def is_living(self) -> bool:
        """R1.10."""
        return self.health > 0

    def hand_cards(self) -> list[str]:
        """List the hand without its marks, in card order."""
        return [held.card for held in self.hand]

    def has_prepared_load(self) -> bool:
        """R1.9."""
        return self.quartermaster != () and self.counters == 0

    def num_jacks_in_play(self) -> int:
        """R6.5."""
        loads = (self.quartermaster, self.knight, self.peasant)
        return sum(len(load) == 2 and load[1][0] == "j" for load in loads)

    def open_cards(self) -> list[str]:
        """List the cards that lie openly before this player."""
        loads = self.quartermaster + self.knight + self.peasant + self.queen
        return [*self.salvage, *loads]

    def with_card(self, card: str, epoch: int | None) -> Player:
        """Take a card into the hand."""
        hand = sorted([*self.hand, Held(card, epoch)], key=lambda held: CARD_ORDER[held.card])
        return replace(self, hand=tuple(hand))

    def without_cards(self, *cards: str) -> Player:
        """Take cards out of the hand."""
        return replace(self, hand=tuple(held for held in self.hand if held.card not in cards))

    def load_on(self, unit: str) -> Load:
        """Give what lies on the knight or the peasant."""
        return self.knight if unit == "knight" else self.peasant

    def with_load_on(self, unit: str, load: Load) -> Player:
        """Put a load on the knight or the peasant in place of what lies there."""
        if unit == "knight":
            return replace(self, knight=load)
        return replace(self, peasant=load)

    def public_parts(self) -> list[str]:
        """Print the five parts behind the hand (R12.3)."""
        quartermaster = load_text(self.quartermaster)
        if self.quartermaster:
            quartermaster += f":{self.counters}"
        return [
            ",".join(self.salvage) or "-",
            quartermaster,
            load_text(self.knight),
            load_text(self.peasant),
            load_text(self.queen),
        ]

    def open_hand_text(self, epoch: int) -> str:
        """Print the hand as its owner sees it (R12.3)."""
        return ",".join(held.card + mark_text(held, epoch) for held in self.hand) or "-"

    def masked_hand_text(self, epoch: int) -> str:
        """Print the hand as all others see it (R12.5)."""
        known = [held.card + "!" for held in self.hand if held.epoch is None]
        epochs = sorted(held.epoch for held in self.hand if held.epoch is not None)
        hidden = ["?" if drawn == epoch else f"?~{drawn}" for drawn in epochs]
        return ",".join(known + hidden) or "-"


def load_text(load: Load) -> str:
    """Print a load without counters."""
    return "+".join(load) or "-"


def mark_text(held: Held, epoch: int) -> str:
    """Print the mark of a hand card (R12.3); `epoch` is the present one."""
    if held.epoch is None:
        return "!"
    return "" if held.epoch == epoch else f"~{held.epoch}"


def sorted_text(cards: list[str]) -> str:
    """Print cards in card order."""
    return ",".join(sorted(cards, key=CARD_ORDER.__getitem__))


def refuse(field: str, rule: str, reason: str) -> NoReturn:
    """Raise the error of a line that is not valid."""
    raise ValueError(f"{field}: {reason} ({rule})")


@dataclass(frozen=True)
class State:
    """What a position line says."""

    turn_limit: int
    ace_strike: bool
    turn: int
    epoch: int
    kind: str  # one of NODE_KINDS, or "end"
    actor: int  # the node's seat, 1..n; 0 at `end`
    players: tuple[Player, ...]
    grave: tuple[str, ...]  # top first

    def text(self) -> str:
        """Print the position (R12.3)."""
        hands = [player.open_hand_text(self.epoch) for player in self.players]
        return self._line(hands)

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R12.5)."""
        if not 0 <= seat <= len(self.players):
            raise ValueError(f"seat {seat} of a {len(self.players)}-seat game")
        hands = []
        pools: dict[int, list[str]] = {}  # R11.5
        for owner, player in enumerate(self.players, start=1):
            if owner == seat:
                hands.append(player.open_hand_text(self.epoch))
                continue
            hands.append(player.masked_hand_text(self.epoch))
            for held in player.hand:
                if held.epoch is not None and held.epoch < self.epoch:
                    pools.setdefault(held.epoch, []).append(held.card)
        old = ";".join(f"{epoch}:{sorted_text(pools[epoch])}" for epoch in sorted(pools)) or "-"
        observer = f"p{seat}" if seat else "-"
        return f"{self._line(hands)} old={old} @{observer}"

    def forge(self) -> list[str]:
        """List the forge in card order: all cards that lie nowhere else (R1.1)."""
        elsewhere = set(self.placed_cards())
        return [card for card in CARDS if card not in elsewhere]

    def _line(self, hands: list[str]) -> str:
        tag = "kc"
        if self.turn_limit != DEFAULT_TURN_LIMIT:
            tag += f";turn_limit={self.turn_limit}"
        if self.ace_strike:
            tag += ";ace_strike=1"
        fields = [tag, f"turn={self.turn}", f"epoch={self.epoch}", f"node={self.node_text()}"]
        for seat, (player, hand) in enumerate(zip(self.players, hands, strict=True), start=1):
            parts = [player.suit, str(player.health), hand, *player.public_parts()]
            fields.append(f"p{seat}=" + "/".join(parts))
        fields.append(f"forge={len(self.forge())}")
        fields.append("grave=" + (",".join(self.grave) or "-"))
        return " ".join(fields)

    def node_text(self) -> str:
        return "end" if self.kind == "end" else f"{self.kind}:p{self.actor}"

    def placed_cards(self) -> list[str]:
        """List all cards outside the forge."""
        cards = list(self.grave)
        for player in self.players:
            cards += player.hand_cards() + player.open_cards()
        return cards

    def _player(self, seat: int) -> Player:
        return self.players[seat - 1]

    def _with_player(self, seat: int, player: Player) -> Self:
        players = (*self.players[: seat - 1], player, *self.players[seat:])
        return replace(self, players=players)

    def me(self) -> Player:
        return self._player(self.actor)

    def _with_me(self, player: Player) -> Self:
        return self._with_player(self.actor, player)

    def living(self) -> list[int]:
        """List the seats of the living players."""
        seats = range(1, len(self.players) + 1)
        return [seat for seat in seats if self._player(seat).is_living()]
