"""The NODE field of a line <-> the node of a view (R13.3).

Here only its form is checked; whether it fits the rest of the position, validity.py checks.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from .cards import CARD_OF_LETTER, HIDDEN, LETTERS
from .refusals import number, refusal, seat_number

View = dict[str, Any]

FORMS = {  # node -> its parts
    "deal": "deal:SEAT:LEFT",
    "draw": "draw:LEFT",
    "main": "main",
    "fortify": "fortify",
    "attack": "attack:T:LADDER",
    "respond": "respond:T:LADDER:ATTACKCARD:V",
    "rob": "rob:LADDER:SOURCE:RECEIVER:M:ASKED",
    "show": "show:ASKED:PICKS",
    "choose": "choose:PICKS",
    "take": "take:SELLER:LEFT",
    "tax": "tax:SEAT",
    "give": "give:SEAT:LEFT",
    "over": "over:gems:SEAT or over:limit:SEATS",
}
LADDERS = {"-": "", "l": "ladder", "L": "jester"}
LADDER_LETTERS = {card: letter for letter, card in LADDERS.items()}
ATTACK_CARD = re.compile(
    r"(?P<one>[skgnda])|(?P<jester>[SKGNDA])"
    r"|(?=[pP])(?P<peasants>p(?:[2-9]|[1-9][0-9])?)?(?P<jesters>P(?:[2-9]|[1-9][0-9])?)?",
    re.ASCII,
)


# --- writing ----------------------------------------------------------------------------------


def node_text(node: View) -> str:
    """Write the NODE field; what is absent counts as zero, empty or nobody."""
    kind: str = node.get("type", "")
    write = WRITERS.get(kind)
    return ":".join([kind, *(write(node) if write else [])])


def _seat(node: View, key: str) -> str:
    return f"p{node.get(key, 0)}"


def _left(node: View) -> str:
    return str(node.get("left", 0))


def _ladder(node: View) -> str:
    card = node.get("ladder", "")
    return LADDER_LETTERS.get(card, f"({card})")


def attack_card_text(play: View) -> str:
    """Write an attack card (R13.2): `k`, `K`, `p7`, `p2P`."""
    letter = LETTERS.get(play.get("role", ""), "?")
    return "".join(
        sign + ("" if count == 1 else str(count))
        for sign, count in (
            (letter, play.get("num_cards", 0)),
            (letter.upper(), play.get("num_jesters", 0)),
        )
        if count
    )


def _picks(node: View) -> str:
    return "+".join(map(_pick, node.get("picks", []))) or "-"


def _pick(pick: View) -> str:
    card = pick.get("card", "")
    return f"p{pick.get('seat', 0)}={LETTERS.get(card, HIDDEN if card == HIDDEN else f'({card})')}"


def _winners(node: View) -> str:
    return "+".join(f"p{seat}" for seat in node.get("winners", []))


WRITERS: dict[str, Callable[[View], list[str]]] = {
    "deal": lambda node: [_seat(node, "seat"), _left(node)],
    "draw": lambda node: [_left(node)],
    "attack": lambda node: [_seat(node, "target"), _ladder(node)],
    "respond": lambda node: [
        _seat(node, "target"),
        _ladder(node),
        attack_card_text(node.get("attack_card") or {}),
        _seat(node, "seat"),
    ],
    "rob": lambda node: [
        _ladder(node),
        _seat(node, "source"),
        _seat(node, "receiver"),
        str(node.get("gems", 0)),
        _seat(node, "seat"),
    ],
    "show": lambda node: [_seat(node, "seat"), _picks(node)],
    "choose": lambda node: [_picks(node)],
    "take": lambda node: [_seat(node, "seat"), _left(node)],
    "tax": lambda node: [_seat(node, "seat")],
    "give": lambda node: [_seat(node, "seat"), _left(node)],
    "over": lambda node: [node.get("reason", ""), _winners(node)],
}


# --- reading ----------------------------------------------------------------------------------


def parse_node(text: str, where: str, num_seats: int, observer: int | None) -> View:
    """Return the node of a NODE field.

    Args:
        text: the field.
        where: its name, for errors.
        num_seats: of the game.
        observer: the seat that observes, 0 a spectator, None in a position.

    Raises:
        InputError: the field breaks R13.2 or R13.3, or in an observation R14.
    """
    kind, *parts = text.split(":")
    if kind not in FORMS:
        raise refusal(where, text, "R13.3", f"a node is one of {', '.join(FORMS)}")
    if len(parts) != FORMS[kind].split(" ")[0].count(":"):
        raise refusal(where, text, "R13.3", f"this node is written {FORMS[kind]}")
    return {"type": kind} | _Reader(where, num_seats, observer).read(kind, parts)


class _Reader:
    """Reads the parts of one NODE field."""

    def __init__(self, where: str, num_seats: int, observer: int | None) -> None:
        self.where = where
        self.num_seats = num_seats
        self.observer = observer

    def read(self, kind: str, parts: list[str]) -> View:
        """Return what the node has besides its type."""
        if kind in ("main", "fortify"):
            return {}
        view: View = getattr(self, f"_read_{kind}")(*parts)
        return view

    def _read_deal(self, seat: str, left: str) -> View:
        return {"seat": self._seat(seat), "left": self._left(left)}

    def _read_draw(self, left: str) -> View:
        return {"left": self._left(left)}

    def _read_attack(self, target: str, ladder: str) -> View:
        return {"target": self._seat(target), "ladder": self._ladder(ladder)}

    def _read_respond(self, target: str, ladder: str, card: str, victim: str) -> View:
        return {
            "seat": self._seat(victim),
            "target": self._seat(target),
            "ladder": self._ladder(ladder),
            "attack_card": self._attack_card(card),
        }

    def _read_rob(self, ladder: str, source: str, receiver: str, gems: str, asked: str) -> View:
        return {
            "seat": self._seat(asked),
            "ladder": self._ladder(ladder),
            "source": self._seat(source),
            "receiver": self._seat(receiver),
            "gems": number(gems, self.where, 1, 30, "R13.3"),
        }

    def _read_show(self, asked: str, picks: str) -> View:
        return {"seat": self._seat(asked), "picks": self._picks(picks, is_open=False)}

    def _read_choose(self, picks: str) -> View:
        return {"picks": self._picks(picks, is_open=True)}

    def _read_take(self, seller: str, left: str) -> View:
        return {
            "seat": self._seat(seller),
            "left": number(left, self.where, 1, 103, "R13.3"),
        }

    def _read_tax(self, seat: str) -> View:
        return {"seat": self._seat(seat)}

    def _read_give(self, seat: str, left: str) -> View:
        return {"seat": self._seat(seat), "left": self._left(left)}

    def _read_over(self, reason: str, winners: str) -> View:
        seats = [self._seat(seat) for seat in winners.split("+")]
        if reason not in ("gems", "limit") or any(a >= b for a, b in pairwise(seats)):
            wanted = f"this node is written {FORMS['over']}, seats in order joined by +"
            raise refusal(self.where, f"over:{reason}:{winners}", "R13.3", wanted)
        return {"reason": reason, "winners": seats}

    def _seat(self, text: str) -> int:
        return seat_number(text, self.where, self.num_seats, "R13.3")

    def _left(self, text: str) -> int:
        return number(text, self.where, 1, 2, "R13.3")

    def _ladder(self, text: str) -> str:
        if text not in LADDERS:
            wanted = "a ladder is l, L for a jester as ladder, or - for none"
            raise refusal(self.where, text, "R13.2", wanted)
        return LADDERS[text]

    def _attack_card(self, text: str) -> View:
        found = ATTACK_CARD.fullmatch(text)
        if not found:
            raise refusal(
                self.where,
                text,
                "R13.3" if text in ("l", "u", "L", "U") else "R13.2",
                "an attack card that is answered is one of s, k, g, n, d, a, in capitals a jester "
                "in that role, or peasants p, p2, ... and jesters among them P, P2, ...",
            )
        if found["one"]:
            return {"role": CARD_OF_LETTER[text], "num_cards": 1, "num_jesters": 0}
        if found["jester"]:
            return {"role": CARD_OF_LETTER[text.lower()], "num_cards": 0, "num_jesters": 1}
        return {
            "role": "peasant",
            "num_cards": _copies(found["peasants"]),
            "num_jesters": _copies(found["jesters"]),
        }

    def _picks(self, text: str, *, is_open: bool) -> list[View]:
        if text == "-":
            return []
        picks = [self._pick(entry, is_open) for entry in text.split("+")]
        if any(low["seat"] >= high["seat"] for low, high in pairwise(picks)):
            raise refusal(self.where, text, "R13.3", "picks stand in the order of their seats")
        return picks

    def _pick(self, entry: str, is_open: bool) -> View:
        seat_text, _, letter = entry.partition("=")
        seat = self._seat(seat_text)
        is_seen = is_open or self.observer is None or seat == self.observer
        if is_seen and letter in CARD_OF_LETTER:
            return {"seat": seat, "card": CARD_OF_LETTER[letter]}
        if not is_seen and letter == HIDDEN:
            return {"seat": seat, "card": HIDDEN}
        wanted = "a pick is seat=letter" if is_seen else "the observer sees this pick as seat=?"
        raise refusal(self.where, entry, "R13.3" if is_seen else "R14.1", wanted)


def _copies(text: str | None) -> int:
    return int(text[1:] or "1") if text else 0
