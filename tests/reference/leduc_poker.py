"""Leduc poker in plain Python, from docs/rules/leduc_poker.md."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

RANKS = "jqk"  # R1.1: from low to high
CARDS = [rank + suit for rank in RANKS for suit in "sh"]  # R1.1: card order
NOT_DEALT = "_"
RAISE_CHIPS = (2, 4)  # R1.3: in round one, in round two
MAX_RAISES = 2
FINISHED = ("cc", "rc", "rrc", "crc", "crrc")  # R1.4
FOLDED = ("rf", "rrf", "crf", "crrf")
COURSES = {course[:end] for course in FINISHED + FOLDED for end in range(len(course) + 1)}
SEATS = (1, 2)


@dataclass(frozen=True)
class Reference:
    """A state of Leduc poker."""

    first: str = NOT_DEALT
    second: str = NOT_DEALT
    board: str = NOT_DEALT
    rounds: tuple[str, str] = ("", "")  # the moves of each betting round

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
        names = ["p1", "p2", "board", "bets", "node"]
        if len(fields) != 1 + len(names) or fields[0] != "leduc":
            raise ValueError(f"line: {text!r} is not leduc p1=. p2=. board=. bets=. node=. (R4.3a)")
        values = {}
        for name, field in zip(names, fields[1:], strict=True):
            if not field.startswith(f"{name}="):
                raise ValueError(f"{name}: the field is not where it belongs (R4.3a)")
            values[name] = field[len(name) + 1 :]
        rounds = values["bets"].split("/")
        if len(rounds) != 2 or "" in rounds:
            raise ValueError(f"bets: {values['bets']!r} is not <round>/<round> (R4.3a)")
        one, two = ("" if moves == "-" else moves for moves in rounds)
        state = cls(values["p1"], values["p2"], values["board"], (one, two))
        state.check_cards()
        state.check_bets()
        if state.text() != text:
            raise ValueError(f"node: {values['node']!r} is not the implied one (R4.3d)")
        return state

    def check_cards(self) -> None:
        """R4.3a, R4.3b."""
        cards = [self.first, self.second, self.board]
        for name, card in zip(["p1", "p2", "board"], cards, strict=True):
            if card not in [*CARDS, NOT_DEALT]:
                raise ValueError(f"{name}: {card!r} is not a card (R4.3a)")
        dealt = [card for card in cards if card != NOT_DEALT]
        if len(dealt) != len(set(dealt)):
            raise ValueError("p1, p2, board: a card occurs twice (R4.3b)")
        if cards[: len(dealt)] != dealt:
            raise ValueError("p1, p2, board: a card is dealt too early (R4.3b)")

    def check_bets(self) -> None:
        """R4.3c."""
        one, two = self.rounds
        if one not in COURSES or two not in COURSES:
            raise ValueError(f"bets: {one!r} or {two!r} is not a course of the betting (R4.3c)")
        if one and self.second == NOT_DEALT:
            raise ValueError("bets: made before the deal (R4.3c)")
        if self.board != NOT_DEALT and one not in FINISHED:
            raise ValueError("board: dealt before round one is finished (R4.3c)")
        if two and self.board == NOT_DEALT:
            raise ValueError("bets: round two before the board is dealt (R4.3c)")

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
        return self._line(self.first, self.second)

    def _line(self, first: str, second: str) -> str:
        bets = "/".join(moves or "-" for moves in self.rounds)
        node = self._node_text()
        return f"leduc p1={first} p2={second} board={self.board} bets={bets} node={node}"

    def _node_text(self) -> str:
        """R4.3d."""
        if self.first == NOT_DEALT:
            return "deal:p1"
        if self.second == NOT_DEALT:
            return "deal:p2"
        if self._folder() or self._is_showdown():
            return "end"
        if self.board == NOT_DEALT and self.rounds[0] in FINISHED:
            return "deal:board"
        return "play:p1" if len(self._moves()) % 2 == 0 else "play:p2"

    def node(self) -> str:
        """Say who is asked."""
        kind, _, seat = self._node_text().partition(":")
        return {"deal": "chance", "play": seat, "end": "end"}[kind]

    def _round_index(self) -> int:
        return 0 if self.board == NOT_DEALT else 1

    def _moves(self) -> str:
        """Give the moves of the present round."""
        return self.rounds[self._round_index()]

    def _is_showdown(self) -> bool:
        """R1.5."""
        return self.rounds[1] in FINISHED

    def _folder(self) -> int:
        """Give the seat that has folded, 0 if none has; p1 makes the even moves of a round."""
        moves = self._moves()
        if not moves.endswith("f"):
            return 0
        return SEATS[(len(moves) - 1) % 2]

    def legal(self) -> list[str]:
        """R1.3."""
        if self.node() not in ("p1", "p2"):
            return []
        moves = self._moves()
        legal = ["fold"] if moves.endswith("r") else []
        legal.append("call")
        if moves.count("r") < MAX_RAISES:
            legal.append("raise")
        return legal

    def chance(self) -> dict[str, Fraction]:
        """R1.2, R1.5."""
        if self.node() != "chance":
            return {}
        left = [card for card in CARDS if card not in (self.first, self.second)]
        return {f"deal:{card}": Fraction(1, len(left)) for card in left}

    def apply(self, token: str) -> Reference:
        """Deal a card or make a move."""
        if token in self.chance():
            card = token[len("deal:") :]
            if self.first == NOT_DEALT:
                return replace(self, first=card)
            if self.second == NOT_DEALT:
                return replace(self, second=card)
            return replace(self, board=card)
        if token not in self.legal():
            raise ValueError(f"{token!r} is not possible in {self.text()}")
        one, two = self.rounds
        rounds = (one + token[0], two) if self.board == NOT_DEALT else (one, two + token[0])
        return replace(self, rounds=rounds)

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R3.1, R4.4)."""
        if seat not in (0, 1, 2):
            raise ValueError(f"seat {seat} of a 2-seat game")
        seen = [
            card if card == NOT_DEALT or owner == seat or self._is_showdown() else "?"
            for owner, card in zip(SEATS, [self.first, self.second], strict=True)
        ]
        return self._line(*seen) + (f" @p{seat}" if seat else " @-")

    def consistent(self, seat: int, position_text: str) -> bool:
        """Tell whether a position fits the observation."""
        try:
            return Reference.parse(position_text).observe(seat) == self.observe(seat)
        except ValueError:
            return False

    def chips(self) -> list[int]:
        """Count what each seat has put in (R1.1, R1.3)."""
        chips = [1, 1]
        for moves, raise_chips in zip(self.rounds, RAISE_CHIPS, strict=True):
            for index, move in enumerate(moves):
                mover, other = index % 2, 1 - index % 2
                if move in "cr":
                    chips[mover] = max(chips)  # what the other has put in more; nothing at a check
                if move == "r":
                    chips[mover] = chips[other] + raise_chips
        return chips

    def _winner(self) -> int:
        """Give the seat that wins (R1.3, R1.5), 0 at a tie."""
        if self._folder():
            return 3 - self._folder()
        ranks = [RANKS.index(card[0]) for card in (self.first, self.second, self.board)]
        for seat in SEATS:
            if ranks[seat - 1] == ranks[2]:
                return seat
        if ranks[0] == ranks[1]:
            return 0
        return 1 if ranks[0] > ranks[1] else 2

    def returns(self) -> list[Fraction]:
        """Give the shares (R1.6)."""
        if self.node() != "end":
            raise ValueError("the game is not over")
        winner = self._winner()
        payoff = 0
        if winner:
            lost = self.chips()[2 - winner]  # of the other seat
            payoff = lost if winner == 1 else -lost
        return [Fraction(payoff + 13, 26), Fraction(-payoff + 13, 26)]
