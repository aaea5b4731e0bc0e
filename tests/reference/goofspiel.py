"""Goofspiel in plain Python, from docs/rules/goofspiel.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

RANDOM, ASCENDING, DESCENDING = ORDERS = ("random", "ascending", "descending")  # R1.2
MIN_CARDS, MAX_CARDS = 4, 13  # section 5
NUM_CARDS = {str(number): number for number in range(MIN_CARDS, MAX_CARDS + 1)}
DEFAULT_CARDS = 13
FIELDS = ("p1", "p2", "bids", "points", "prize", "down", "node")  # R4.2
NUMBER = re.compile("0|[1-9][0-9]*")  # R4.2: without sign and leading zeros
NONE = "_"  # R4.2: no bid, no prize


def tag_text(num_cards: int, order: str) -> str:
    """Print the tag with the options that are not the default (R4.2)."""
    tag = "goof"
    if num_cards != DEFAULT_CARDS:
        tag += f";cards={num_cards}"
    if order != RANDOM:
        tag += f";order={order}"
    return tag


TAGS = {tag_text(cards, order): (cards, order) for cards in NUM_CARDS.values() for order in ORDERS}


def read_number(name: str, text: str) -> int:
    """Read a number; the name is that of the field, for the message."""
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{name}: {text!r} is not a number (R4.3a)")
    return int(text)


def read_card(name: str, text: str) -> int | None:
    """Read a bid or the prize."""
    return None if text == NONE else read_number(name, text)


def read_cards(name: str, text: str) -> tuple[int, ...]:
    """Read a list of different cards in card order."""
    if text == "-":
        return ()
    cards = tuple(read_number(name, card) for card in text.split(","))
    if list(cards) != sorted(set(cards)):
        raise ValueError(f"{name}: {text!r} is not in card order, or a card is twice (R4.3a)")
    return cards


def read_pair(name: str, text: str) -> tuple[str, str]:
    """Split a field that has a part for each seat."""
    first, slash, second = text.partition("/")
    if not slash:
        raise ValueError(f"{name}: {text!r} is not <of p1>/<of p2> (R4.3a)")
    return first, second


def card_text(card: int | None) -> str:
    """Print a bid or the prize."""
    return NONE if card is None else str(card)


def cards_text(cards: tuple[int, ...]) -> str:
    """Print a list of cards."""
    return ",".join(map(str, cards)) or "-"


def without(cards: tuple[int, ...], gone: int) -> tuple[int, ...]:
    """Take a card out."""
    return tuple(card for card in cards if card != gone)


@dataclass(frozen=True)
class Reference:
    """A state of Goofspiel; of pairs the first item is p1's."""

    num_cards: int
    order: str
    hands: tuple[tuple[int, ...], tuple[int, ...]]  # a pending bid is still in the hand (R1.3)
    bids: tuple[int | None, int | None]
    points: tuple[int, int]
    prize: int | None
    down: tuple[int, ...]  # the point cards that are face down

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game (R1.1, R2.1, section 5)."""
        for name in options:
            if name not in ("cards", "order"):
                raise ValueError(f"{name}: the game has no such option (section 5)")
        cards = options.get("cards", str(DEFAULT_CARDS))
        order = options.get("order", RANDOM)
        if cards not in NUM_CARDS:
            raise ValueError(f"cards: {cards!r} is not {MIN_CARDS} to {MAX_CARDS} (section 5)")
        if order not in ORDERS:
            raise ValueError(f"order: {order!r} is not one of {', '.join(ORDERS)} (section 5)")
        num_cards = NUM_CARDS[cards]
        all_cards = tuple(range(1, num_cards + 1))
        state = cls(num_cards, order, (all_cards, all_cards), (None, None), (0, 0), None, all_cards)
        return state._begin_round()

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R4.3)."""
        tag, *fields = text.split(" ")
        if tag not in TAGS:
            raise ValueError(f"tag: {tag!r} is not goof with options (R4.3a)")
        if len(fields) != len(FIELDS):
            raise ValueError(f"line: {text!r} has not the fields {', '.join(FIELDS)} (R4.3a)")
        values = {}
        for name, field in zip(FIELDS, fields, strict=True):
            if not field.startswith(f"{name}="):
                raise ValueError(f"{name}: the field is not where it belongs (R4.3a)")
            values[name] = field[len(name) + 1 :]
        state = cls._from_values(*TAGS[tag], values)
        state.check_hands()
        state.check_point_cards()
        state.check_bids()
        state.check_points()
        if values["node"] != state._node_text():
            raise ValueError(f"node: {values['node']!r} is not the implied one (R4.3f)")
        return state

    @classmethod
    def _from_values(cls, num_cards: int, order: str, values: Mapping[str, str]) -> Reference:
        """Read the fields, each by itself (R4.3a)."""
        first_bid, second_bid = read_pair("bids", values["bids"])
        first_points, second_points = read_pair("points", values["points"])
        return cls(
            num_cards,
            order,
            hands=(read_cards("p1", values["p1"]), read_cards("p2", values["p2"])),
            bids=(read_card("bids", first_bid), read_card("bids", second_bid)),
            points=(read_number("points", first_points), read_number("points", second_points)),
            prize=read_card("prize", values["prize"]),
            down=read_cards("down", values["down"]),
        )

    def _is_card(self, number: int) -> bool:
        return 1 <= number <= self.num_cards

    def check_hands(self) -> None:
        """R4.3b."""
        for name, hand in zip(("p1", "p2"), self.hands, strict=True):
            if not all(map(self._is_card, hand)):
                raise ValueError(f"{name}: a card is not 1 to {self.num_cards} (R4.3b)")
        sizes = [len(hand) for hand in self.hands]
        if sizes[0] != sizes[1]:
            raise ValueError(f"p1, p2: hands of {sizes[0]} and {sizes[1]} cards (R4.3b)")
        if sizes[0] == 1:
            raise ValueError("p1, p2: one card each, but the last round plays itself (R4.3b)")

    def _point_cards(self) -> list[int]:
        """List the point cards that are not gone: the prize and those face down."""
        return sorted([*self.down, *([] if self.prize is None else [self.prize])])

    def check_point_cards(self) -> None:
        """R4.3c."""
        cards, size = self._point_cards(), len(self.hands[0])
        if not all(map(self._is_card, cards)):
            raise ValueError(f"prize, down: a card is not 1 to {self.num_cards} (R4.3c)")
        if len(cards) != len(set(cards)):
            raise ValueError(f"prize: {self.prize} is face down too (R4.3c)")
        if len(cards) != size:
            raise ValueError(f"prize, down: {len(cards)} cards with {size} in a hand (R4.3c)")
        if size == 0 or self.order == RANDOM:
            return
        all_cards = range(1, self.num_cards + 1)
        left = all_cards[-size:] if self.order == ASCENDING else all_cards[:size]
        if cards != list(left):
            raise ValueError(f"prize, down: not the {size} cards that come last (R4.3c)")
        if self.prize != (min(left) if self.order == ASCENDING else max(left)):
            raise ValueError(f"prize: {self.prize} is not the next one, {self.order} (R4.3c)")

    def check_bids(self) -> None:
        """R4.3d."""
        for bid, hand in zip(self.bids, self.hands, strict=True):
            if bid is not None and bid not in hand:
                raise ValueError(f"bids: {bid} is not in the hand (R4.3d)")
        if self.prize is None and self.bids != (None, None):
            raise ValueError("bids: made without a prize (R4.3d)")
        if self.bids[0] is None and self.bids[1] is not None:
            raise ValueError("bids: p2 has bid before p1 (R4.3d)")

    def check_points(self) -> None:
        """R4.3e."""
        left = self._point_cards()
        gone = sum(card for card in range(1, self.num_cards + 1) if card not in left)
        if sum(self.points) > gone:
            raise ValueError(f"points: {sum(self.points)} of {gone} that are gone (R4.3e)")

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line by trying all cards in the hidden place (R4.4)."""
        position, _, observer = text.rpartition(" ")
        seats = {"@-": 0, "@p1": 1, "@p2": 2}
        if observer not in seats:
            raise ValueError(f"@: {observer!r} is not @p1, @p2 or @- (R4.4)")
        if position.count("?") > 1:
            raise ValueError("line: more than one bid is hidden (R4.4)")
        for card in range(1, MAX_CARDS + 1):
            try:
                state = cls.parse(position.replace("?", str(card)))
            except ValueError:
                continue
            if state.observe(seats[observer]) == text:
                return text
        raise ValueError(f"line: no position is consistent with {text!r} (R4.4)")

    def text(self) -> str:
        """Print the position (R4.2)."""
        return self._line(card_text(self.bids[0]))

    def _line(self, first_bid: str) -> str:
        fields = [
            tag_text(self.num_cards, self.order),
            f"p1={cards_text(self.hands[0])}",
            f"p2={cards_text(self.hands[1])}",
            f"bids={first_bid}/{card_text(self.bids[1])}",
            f"points={self.points[0]}/{self.points[1]}",
            f"prize={card_text(self.prize)}",
            f"down={cards_text(self.down)}",
            f"node={self._node_text()}",
        ]
        return " ".join(fields)

    def _node_text(self) -> str:
        """R4.3f."""
        if not self.hands[0]:
            return "end"
        if self.prize is None:
            return "prize"
        if self.bids[0] is None:
            return "bid:p1"
        if self.bids[1] is None:
            return "bid:p2"
        return "reveal"

    def node(self) -> str:
        """Say who is asked (section 2)."""
        nodes = {"prize": "chance", "bid:p1": "p1", "bid:p2": "p2", "reveal": "chance"}
        return nodes.get(self._node_text(), "end")

    def legal(self) -> list[str]:
        """R1.3, R4.1."""
        if self.node() not in ("p1", "p2"):
            return []
        hand = self.hands[0] if self.node() == "p1" else self.hands[1]
        return [f"bid:{card}" for card in hand]

    def chance(self) -> dict[str, Fraction]:
        """R1.2, R1.4, R4.1."""
        if self._node_text() == "prize":
            return {f"prize:{card}": Fraction(1, len(self.down)) for card in self.down}
        if self._node_text() == "reveal":
            return {f"reveal:{self.bids[0]}-{self.bids[1]}": Fraction(1)}
        return {}

    def apply(self, token: str) -> Reference:
        """Turn up a prize, bid or reveal."""
        if token not in self.legal() and token not in self.chance():
            raise ValueError(f"{token!r} is not possible in {self.text()}")
        verb, _, argument = token.partition(":")
        if verb == "prize":
            return self._turn_up(int(argument))
        if verb == "reveal":
            return self._reveal()
        if self.node() == "p1":
            return replace(self, bids=(int(argument), None))
        return replace(self, bids=(self.bids[0], int(argument)))

    def _turn_up(self, card: int) -> Reference:
        return replace(self, prize=card, down=without(self.down, card))

    def _begin_round(self) -> Reference:
        """Turn up the prize unless chance does (R1.2)."""
        if self.order == RANDOM:
            return self
        return self._turn_up(min(self.down) if self.order == ASCENDING else max(self.down))

    def _reveal(self) -> Reference:
        """End the round and begin the next one (R1.4), or play the last one too (R1.5)."""
        after = self._award()
        if len(after.down) > 1:
            return after._begin_round()
        [last_prize] = after.down
        [first_bid], [second_bid] = after.hands
        return replace(after._turn_up(last_prize), bids=(first_bid, second_bid))._award()

    def _award(self) -> Reference:
        """Give the prize to the higher bid; bids and prize are gone (R1.4)."""
        first_bid, second_bid = self.bids
        assert first_bid is not None
        assert second_bid is not None
        assert self.prize is not None
        first_points, second_points = self.points
        if first_bid > second_bid:
            first_points += self.prize
        elif second_bid > first_bid:
            second_points += self.prize
        return replace(
            self,
            hands=(without(self.hands[0], first_bid), without(self.hands[1], second_bid)),
            bids=(None, None),
            points=(first_points, second_points),
            prize=None,
        )

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R3.1, R4.4)."""
        if seat not in (0, 1, 2):
            raise ValueError(f"seat {seat} of a 2-seat game")
        is_hidden = self.bids[0] is not None and seat != 1
        line = self._line("?" if is_hidden else card_text(self.bids[0]))
        return line + (f" @p{seat}" if seat else " @-")

    def consistent(self, seat: int, position_text: str) -> bool:
        """Tell whether a position fits the observation."""
        try:
            return Reference.parse(position_text).observe(seat) == self.observe(seat)
        except ValueError:
            return False

    def returns(self) -> list[Fraction]:
        """Give the shares (R1.6)."""
        if self.node() != "end":
            raise ValueError("the game is not over")
        first, second = self.points
        if first == second:
            return [Fraction(1, 2), Fraction(1, 2)]
        return [Fraction(1), Fraction(0)] if first > second else [Fraction(0), Fraction(1)]
