"""High card: two seats get a card each, and may change it once; the higher card wins.

A game in Python, in a package of its own: a subclass of `PythonGame` and an entry point are all it
needs. A card that is given back is seen by both and out of the game.
"""

from __future__ import annotations

import re
from typing import Any, Self

from kingmaker.cext.errors import InputError
from kingmaker.cext.options import Number, Options
from kingmaker.cext.python_game import Draw, PythonGame

RULES = str(__doc__)
OPTIONS = Options("high_card", Number("cards", "R1", "{} cards in the deck", 4, 9, 5))

CHANCE, TERMINAL = -1, -2
KEEP, CHANGE, DEAL = 0, 1, 16  # moves; DEAL + card is an outcome
HIDDEN = 15  # a card that the observer does not see
NOBODY = 255  # observer of a full state

# The bytes of a state: the cards of both seats and those that they gave back, 0: none; the stage,
# an index of STAGES; and the observer + 1, or NOBODY.
BACK, STAGE, OBSERVER, SIZE = 2, 4, 5, 6
STAGES = ("deal:p1", "deal:p2", "play:p1", "draw:p1", "play:p2", "draw:p2", "end")
NODES = (CHANCE, CHANCE, 0, CHANCE, 1, CHANCE, TERMINAL)
TAKERS = (0, 1, 0, 0, 1, 1)  # seats of the stages


class HighCard(PythonGame):
    """The rules; option `cards` is the size of the deck."""

    name = "high_card"
    title = "High card"
    tag = "hc"
    is_hidden = True
    option_help = OPTIONS.help
    rules_markdown = RULES
    notation_help = (
        "Moves: keep, change. Outcomes: deal:1 to deal:9.\n"
        "Position: hc;cards=5 hands=3/1 back=_/4 node=play:p1; _ is no card. The node is deal:p1, "
        "deal:p2, play:p1, draw:p1, play:p2, draw:p2 or end.\n"
        "Observation: the same with ? for a card that the seat does not see, then @p1, @p2 or @-."
    )

    def __init__(self, **options: str) -> None:
        checked = OPTIONS.checked(options)
        self.num_cards = int(checked["cards"])
        super().__init__(
            checked,
            num_seats=2,
            state_bytes=SIZE,
            max_moves=self.num_cards,
            num_features=2 * 9 + len(STAGES),
            num_actions=2,
        )

    # --- the rules ------------------------------------------------------------------------------

    def start(self) -> bytes:
        return bytes([0, 0, 0, 0, 0, NOBODY])

    def node(self, state: bytes) -> int:
        return NODES[state[STAGE]]

    def legal_moves(self, state: bytes) -> list[int]:
        return [KEEP, CHANGE]

    def rest(self, state: bytes) -> list[int]:
        """The cards that nobody has had, as far as `state` shows."""
        return [card for card in range(1, self.num_cards + 1) if card not in state[:STAGE]]

    def chance_outcomes(self, state: bytes) -> list[tuple[int, float]]:
        rest = self.rest(state)
        return [(DEAL + card, 1 / len(rest)) for card in rest]

    def apply(self, state: bytes, move: int) -> bytes:
        new = bytearray(state)
        seat = TAKERS[state[STAGE]]
        new[STAGE] += 2 if move == KEEP else 1
        if move >= DEAL:
            new[seat] = move - DEAL
        elif move == CHANGE:
            new[BACK + seat], new[seat] = new[seat], 0
        return bytes(new)

    def returns(self, state: bytes) -> list[float]:
        return [1.0, 0.0] if state[0] > state[1] else [0.0, 1.0]

    def observe(self, state: bytes, seat: int) -> bytes:
        new = bytearray(state)
        new[OBSERVER] = seat + 1
        for other in range(2):
            if other != seat and state[other] and NODES[state[STAGE]] != TERMINAL:
                new[other] = HIDDEN
        return bytes(new)

    def determinize(self, observation: bytes, draw: Draw) -> bytes:
        new = bytearray(observation)
        new[OBSERVER] = NOBODY
        for seat in range(2):
            if new[seat] == HIDDEN:
                new[seat] = draw.choice(self.rest(bytes(new)))
        return bytes(new)

    def seen_move(self, state: bytes, move: int, seat: int) -> int:
        return DEAL + HIDDEN if move >= DEAL and TAKERS[state[STAGE]] != seat else move

    def history(self, state: bytes) -> tuple[bytes, list[int]]:
        first = [state[BACK + seat] or state[seat] for seat in range(2)]
        moves = [DEAL + card for card in first if card]
        for seat, decides in enumerate((STAGES.index("play:p1"), STAGES.index("play:p2"))):
            if state[BACK + seat]:
                moves += [CHANGE, *([DEAL + state[seat]] if state[seat] else [])]
            elif state[STAGE] > decides:
                moves.append(KEEP)
        return self.start(), moves

    def evaluate(self, state: bytes) -> list[float]:
        cards = [card or (self.num_cards + 1) / 2 for card in state[:BACK]]
        share = 0.5 + (cards[0] - cards[1]) / (2 * self.num_cards)
        return [share, 1 - share]

    def features(self, state: bytes, seat: int) -> list[int]:
        own, back = state[seat], state[BACK + 1 - seat]
        return [*([own - 1] if own else []), *([8 + back] if back else []), 18 + state[STAGE]]

    @property
    def feature_names(self) -> list[str]:
        return [
            *(f"own card: {card}" for card in range(1, 10)),
            *(f"rival gave back: {card}" for card in range(1, 10)),
            *(f"node: {stage}" for stage in STAGES),
        ]

    def action_index(self, move: int) -> int:
        return move

    def action_at(self, index: int) -> int:
        return index

    # --- notation and words ---------------------------------------------------------------------

    def move_text(self, move: int) -> str:
        return f"deal:{name_of(move - DEAL)}" if move >= DEAL else ("keep", "change")[move]

    def parse_move(self, text: str) -> int:
        if text in ("keep", "change"):
            return ("keep", "change").index(text)
        if not (found := re.fullmatch("deal:([1-9?])", text)):
            raise InputError(f"{text!r} is no move; moves are keep and change", field="move")
        return DEAL + card_of(found[1])

    def observer_of(self, state: bytes) -> int | None:
        return None if state[OBSERVER] == NOBODY else state[OBSERVER] - 1

    def view(self, state: bytes) -> dict[str, Any]:
        found = {
            "options": {"cards": self.num_cards},
            "hands": [name_of(card) for card in state[:BACK]],
            "back": [name_of(card) for card in state[BACK:STAGE]],
            "node": STAGES[state[STAGE]],
        }
        return found if state[OBSERVER] == NOBODY else found | {"observer": state[OBSERVER]}

    def text(self, state: bytes) -> str:
        view = self.view(state)
        line = f"hc;cards={self.num_cards} hands={'/'.join(view['hands'])} "
        line += f"back={'/'.join(view['back'])} node={view['node']}"
        if "observer" in view:
            line += f" @p{view['observer']}" if view["observer"] else " @-"
        return line

    @classmethod
    def read(cls, text: str, field: str) -> tuple[Self, bytes]:
        """Read a line; the text that is written again must be the same."""
        card = "([1-9?_])"
        form = f"hc;cards=([4-9]) hands={card}/{card} back={card}/{card} node=(\\S+)"
        found = re.fullmatch(form + "(?: @(p1|p2|-))?", text)
        if not found or found[6] not in STAGES or bool(found[7]) != (field == "observation"):
            raise InputError(cls.notation_help, field=field, value=text)
        game = cls(cards=found[1])
        observer = NOBODY if found[7] is None else ("-", "p1", "p2").index(found[7])
        cards = [card_of(found[number]) for number in range(2, 6)]
        state = bytes([*cards, STAGES.index(found[6]), observer])
        if len(set(cards) - {0, HIDDEN}) != sum(0 < card < HIDDEN for card in cards):
            raise InputError("a card stands once", field=field, value=text)
        return game, state

    @classmethod
    def parse_position(cls, text: str) -> tuple[Self, bytes]:
        return cls.read(text, "position")

    @classmethod
    def parse_observation(cls, text: str) -> tuple[Self, bytes]:
        return cls.read(text, "observation")

    def chance_seat(self, state: bytes) -> int:
        return TAKERS[state[STAGE]]

    def describe_move(self, state: bytes, move: int) -> str:
        if move >= DEAL:
            return "get a card" if move == DEAL + HIDDEN else f"get the {move - DEAL}"
        return "keep the card" if move == KEEP else f"give back the {state[TAKERS[state[STAGE]]]}"


def name_of(card: int) -> str:
    return "_" if card == 0 else "?" if card == HIDDEN else str(card)


def card_of(name: str) -> int:
    return 0 if name == "_" else HIDDEN if name == "?" else int(name)
