"""The last field of a line, `work`: choices, attacks and the result (R13.3) <-> lists of a view.

Here only its form is checked; whether it fits the rest of the position, work_validity.py checks.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from kingmaker.cext.errors import InputError

from .names import ANSWERS, CHOICES, HIDDEN, INSPIRATIONS
from .refusals import refusal

View = dict[str, Any]

CHOICE = re.compile(r"([mcao])([1-6])(?:=([a-z0-9?]{1,4}))?", re.ASCII)
ATTACK = re.compile(r"q([1-6])>([1-6])", re.ASCII)
WAITING = re.compile(r"w([1-6])", re.ASCII)
INSPIRATION = re.compile(r"(ia|id)=([yn?])", re.ASCII)
SHARE = re.compile(r"0|1|[1-5]/[2-6]", re.ASCII)

KIND_OF_LETTER = {letter: kind for kind, (letter, _) in CHOICES.items()}
CHOICE_OF_TEXT = {
    kind: {text: choice for choice, text in texts.items()} | {HIDDEN: HIDDEN}
    for kind, (_, texts) in CHOICES.items()
}
KEY_OF_INSPIRATION = {item: key for key, item in INSPIRATIONS.items()}
ANSWER_OF_LETTER = {letter: answer for answer, letter in ANSWERS.items()} | {HIDDEN: HIDDEN}
ORDER = ("m", "c", "a", "o", "q", "w", "ia", "id", "r")
FORMS = (
    "items are m<seat>=<direction or stay>, c<seat>=y or n, a<seat>, a<seat>=<seat or n>, "
    "o<seat>=f or w, q<seat>><seat>, w<seat>, ia=y or n, id=y or n, r=<shares>"
)


# --- writing ----------------------------------------------------------------------------------


def work_text(view: View) -> str:
    """Write the field of a view; what is absent counts as empty."""
    items = [choice_text(kind, entry) for kind in CHOICES for entry in view.get(kind) or []]
    items += [attack_text(attack) for attack in view.get("attacks") or []]
    items += [f"w{seat}" for seat in view.get("waiting") or []]
    items += [inspiration_text(key, view[key]) for key in INSPIRATIONS if view.get(key)]
    if view.get("stage") == "end" or view.get("winners"):
        items.append(shares_text(view.get("winners") or [], len(view.get("players") or [])))
    return ";".join(items) or "-"


def choice_text(kind: str, entry: Mapping[str, Any]) -> str:
    """Write a choice: `m1=ne`, `a2`, `o1=?`."""
    letter, texts = CHOICES[kind]
    choice = entry.get("choice", "")
    text = HIDDEN if choice == HIDDEN else texts.get(choice, f"({choice})")
    return f"{letter}{entry.get('seat', 0)}" + (f"={text}" if text else "")


def attack_text(attack: Mapping[str, Any]) -> str:
    """Write an attack to resolve: `q1>2`."""
    return f"q{attack.get('attacker', 0)}>{attack.get('target', 0)}"


def inspiration_text(key: str, answer: str) -> str:
    """Write an answer to the question for Inspiration: `ia=y`, `id=n`."""
    return f"{INSPIRATIONS[key]}={(ANSWERS | {HIDDEN: HIDDEN}).get(answer, f'({answer})')}"


def shares_text(winners: list[int], num_seats: int) -> str:
    """Write the result of those who share the win equally: `r=0,1`, `r=1/2,1/2,0`."""
    share = str(Fraction(1, len(winners))) if winners else "0"
    return "r=" + ",".join(share if seat in winners else "0" for seat in range(1, num_seats + 1))


# --- reading ----------------------------------------------------------------------------------


def parse_work(text: str, where: str, num_seats: int) -> View:
    """Return what a view has of this field: every list and answer, also those that are empty.

    Args:
        text: the field.
        where: its name, for errors.
        num_seats: of the game.

    Raises:
        InputError: the field breaks R13.3 or R13.6 (a).
    """
    view: View = {kind: [] for kind in (*CHOICES, "attacks", "waiting")}
    view |= dict.fromkeys(INSPIRATIONS, "")
    view["winners"] = []
    if text == "-":
        return view
    items = text.split(";")
    ranks = [_read_item(item, view, where, num_seats) for item in items]
    for (low, high), item in zip(pairwise(ranks), items[1:], strict=True):
        if low >= high:
            wanted = f"items stand once each in the order {', '.join(ORDER)}, by their seats"
            raise refusal(where, item, "R13.6a", wanted)
    return view


def _read_item(item: str, view: View, where: str, num_seats: int) -> tuple[int, int]:
    """Add an item to a view; return its place in the canonical order."""
    if found := CHOICE.fullmatch(item):
        letter, kind = found[1], KIND_OF_LETTER[found[1]]
        choice = CHOICE_OF_TEXT[kind].get(found[3] or "")
        if choice is None:
            raise _wrong_item(where, item)
        seats = [int(found[2]), *([int(choice[1])] if choice[:1] == "p" else [])]
        view[kind].append({"seat": seats[0], "choice": choice})
    elif found := ATTACK.fullmatch(item):
        letter, seats = "q", [int(found[1]), int(found[2])]
        view["attacks"].append({"attacker": seats[0], "target": seats[1]})
    elif found := WAITING.fullmatch(item):
        letter, seats = "w", [int(found[1])]
        view["waiting"] += seats
    elif found := INSPIRATION.fullmatch(item):
        letter, seats = found[1], []
        view[KEY_OF_INSPIRATION[letter]] = ANSWER_OF_LETTER[found[2]]
    elif item.startswith("r="):
        letter, seats = "r", []
        view["winners"] = _parse_shares(item, where, num_seats)
    else:
        raise _wrong_item(where, item)
    if any(seat > num_seats for seat in seats):
        raise refusal(where, item, "R13.6a", f"the seats of items are 1 to {num_seats}")
    # Attacks stand in the order in which they are resolved, which work_validity.py checks.
    place = len(view["attacks"]) if letter == "q" else seats[0] if seats else 0
    return ORDER.index(letter), place


def _wrong_item(where: str, item: str) -> InputError:
    return refusal(where, item, "R13.3", FORMS)


def _parse_shares(item: str, where: str, num_seats: int) -> list[int]:
    """Return the seats with a share, all of which must have the same (R13.6h)."""
    shares = item[2:].split(",")
    if len(shares) != num_seats:
        wanted = f"r has one share for each of the {num_seats} seats"
        raise refusal(where, item, "R13.6h", wanted)
    if not all(map(_is_share, shares)):
        raise refusal(where, item, "R13.3", "a share is 0, 1 or a/b in lowest terms")
    winners = [seat for seat, share in enumerate(shares, 1) if share != "0"]
    if not winners or item != shares_text(winners, num_seats):
        wanted = "one seat has 1, or several share the win equally, and the others have 0"
        raise refusal(where, item, "R13.6h", wanted)
    return winners


def _is_share(text: str) -> bool:
    return bool(SHARE.fullmatch(text)) and str(Fraction(text)) == text
