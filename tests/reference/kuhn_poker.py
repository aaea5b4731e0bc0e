"""Kuhn poker in plain Python, from docs/rules/kuhn_poker.md."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

CARDS = "jqk"  # R1.1: from low to high
NOT_DEALT = "_"
MOVERS = {"": "p1", "p": "p2", "b": "p2", "pb": "p1"}  # R1.3; whoever moves after these bets
SHOWDOWNS = {"pp": 1, "bb": 2, "pbb": 2}  # R1.4: chips for the higher card
FOLDS = {"bp": 1, "pbp": -1}  # R1.4: p1's payoff


@dataclass(frozen=True)
class Reference:
    """A state of Kuhn poker."""

    cards: tuple[str, str] = (NOT_DEALT, NOT_DEALT)
    bets: str = ""

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game; there are no options (section 5)."""
        if options:
            raise ValueError(f"{next(iter(options))}: the game has no options (section 5)")
        return cls()

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R4.3)."""
        fields = text.split(" ")
        if len(fields) != 5 or fields[0] != "kuhn":
            raise ValueError(f"line: {text!r} is not kuhn p1=. p2=. bets=... node=... (R4.3a)")
        values = []
        for name, field in zip(["p1", "p2", "bets", "node"], fields[1:], strict=True):
            if not field.startswith(f"{name}="):
                raise ValueError(f"{name}: the field is not where it belongs (R4.3a)")
            values.append(field[len(name) + 1 :])
        first, second, bets, node = values
        if first not in [*CARDS, NOT_DEALT] or second not in [*CARDS, NOT_DEALT]:
            raise ValueError(f"p1, p2: {first!r} or {second!r} is not a card (R4.3a)")
        if first == NOT_DEALT and second != NOT_DEALT:
            raise ValueError("p2: dealt before p1's card (R4.3b)")
        if first == second != NOT_DEALT:
            raise ValueError("p2: both cards are the same (R4.3b)")
        state = cls((first, second), "" if bets == "-" else bets)
        if bets == "" or state.bets not in [*MOVERS, *SHOWDOWNS, *FOLDS]:
            raise ValueError(f"bets: {bets!r} is not a course of the betting (R4.3c)")
        if second == NOT_DEALT and state.bets:
            raise ValueError("bets: made before the deal (R4.3c)")
        if state.text() != text:
            raise ValueError(f"node: {node!r} is not the implied one (R4.3d)")
        return state

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line by trying all cards in the hidden places (R4.4)."""
        position, _, observer = text.rpartition(" ")
        seats = {"@-": 0, "@p1": 1, "@p2": 2}
        if observer not in seats:
            raise ValueError(f"@: {observer!r} is not @p1, @p2 or @- (R4.4)")
        parts = position.split("?")
        if len(parts) > 3:
            raise ValueError("line: more than two cards are hidden (R4.4)")
        for cards in itertools.product(CARDS, repeat=len(parts) - 1):
            filled = "".join(part + card for part, card in zip(parts, [*cards, ""], strict=True))
            try:
                if cls.parse(filled).observe(seats[observer]) == text:
                    return text
            except ValueError:
                continue
        raise ValueError(f"line: no position is consistent with {text!r} (R4.4)")

    def text(self) -> str:
        """Print the position (R4.2)."""
        return self._line(*self.cards)

    def _line(self, first: str, second: str) -> str:
        return f"kuhn p1={first} p2={second} bets={self.bets or '-'} node={self._node_text()}"

    def _node_text(self) -> str:
        """R4.3d."""
        for seat, card in enumerate(self.cards, start=1):
            if card == NOT_DEALT:
                return f"deal:p{seat}"
        return f"play:{MOVERS[self.bets]}" if self.bets in MOVERS else "end"

    def node(self) -> str:
        """Say who is asked."""
        if NOT_DEALT in self.cards:
            return "chance"
        return MOVERS.get(self.bets, "end")

    def legal(self) -> list[str]:
        """R1.3."""
        return ["pass", "bet"] if self.node() in ("p1", "p2") else []

    def chance(self) -> dict[str, Fraction]:
        """R1.2."""
        if self.node() != "chance":
            return {}
        left = [card for card in CARDS if card not in self.cards]
        return {f"deal:{card}": Fraction(1, len(left)) for card in left}

    def apply(self, token: str) -> Reference:
        """Deal a card or make a move."""
        if token in self.chance():
            card = token[len("deal:") :]
            dealt = (card, NOT_DEALT) if self.cards[0] == NOT_DEALT else (self.cards[0], card)
            return replace(self, cards=dealt)
        if token in self.legal():
            return replace(self, bets=self.bets + token[0])
        raise ValueError(f"{token!r} is not possible in {self.text()}")

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R3.1, R4.4)."""
        if seat not in (0, 1, 2):
            raise ValueError(f"seat {seat} of a 2-seat game")
        seen = [
            card if card == NOT_DEALT or owner == seat or self.bets in SHOWDOWNS else "?"
            for owner, card in enumerate(self.cards, start=1)
        ]
        return self._line(*seen) + (f" @p{seat}" if seat else " @-")

    def consistent(self, seat: int, position_text: str) -> bool:
        """Tell whether a position fits the observation."""
        try:
            return Reference.parse(position_text).observe(seat) == self.observe(seat)
        except ValueError:
            return False

    def returns(self) -> list[Fraction]:
        """Give the shares (R1.4, R1.5)."""
        if self.node() != "end":
            raise ValueError("the game is not over")
        if self.bets in FOLDS:
            payoff = FOLDS[self.bets]
        else:
            first, second = (CARDS.index(card) for card in self.cards)
            payoff = SHOWDOWNS[self.bets] if first > second else -SHOWDOWNS[self.bets]
        return [Fraction(payoff + 2, 4), Fraction(-payoff + 2, 4)]
