"""Lines of positions (R13) and observations (R14) as typed views; tokens (R12.1) <-> typed views.

A *view* is plain data, keyed like the messages CodeOfChivalryPosition, CodeOfChivalryObservation
and CodeOfChivalryMove. Reading checks the grammar only. line.pyx writes lines, and reads those that
have no error.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    NOTHING,
    read_line,
    read_list,
    read_number,
    read_parts,
    read_seat,
    write_list,
)

from . import options
from .cards import CARD_OF_LETTER, FORTIFICATIONS, HIDDEN, LETTERS

View = Mapping[str, Any]

FIELDS = {  # of a line: name -> rule of its form
    "options": "R13.1",
    "turn": "R13.1",
    "active": "R13.1",
    "reshuffles": "R13.1",
    "players": "R13.1",
    "draw": "R13.2",
    "discard": "R13.2",
    "node": "R13.3",
    "known": "R13.1",
    "base": "R13.1",
    "observer": "R14.1",
}
NODES = {  # type -> the parts of its field in a line, in order, named as in views (R13.3)
    "deal": ("seat", "left"),
    "draw": ("left",),
    "main": (),
    "fortify": (),
    "attack": ("target", "ladder"),
    "respond": ("target", "ladder", "attack_card", "seat"),
    "rob": ("ladder", "source", "receiver", "gems", "seat"),
    "show": ("seat", "picks"),
    "choose": ("picks",),
    "take": ("seller", "left"),
    "tax": ("seat",),
    "give": ("seat", "left"),
    "over": ("reason", "winners"),
}
LADDERS = {"-": "", "l": "ladder", "L": "jester"}
MULTISET = re.compile(
    "-|(?=.)" + "".join(f"(?:{letter}(?:[2-9]|[1-9][0-9])?)?" for letter in CARD_OF_LETTER),
    re.ASCII,
)
COPIES = re.compile("([a-zA-Z])([0-9]{0,2})", re.ASCII)

# --- positions and observations -------------------------------------------------------------------


def read_position(text: str) -> dict[str, Any]:
    """Return the view of a line; a view with an observer is an observation.

    Raises:
        InputError: the line breaks the grammar of R13.1, R13.2, R13.3 or R14.1.
    """
    names = [*FIELDS][1:-1]
    line = read_line(text, "coc", names, ("R13.1", "R14.1"), options.OPTIONS, has_labels=False)
    kind, observer = line.kind, line.observer
    turn, active, reshuffles, players, draw, discard, node, known, base = line.values
    given = _checked(tuple(line.options.items()), f"{kind}.options")
    seat = observer.get("observer")
    if seat is not None and seat > int(given["players"]):
        wanted = f"the seats are p1 to p{given['players']}"
        raise refusal("observation.observer", f"@p{seat}", "R14.1", wanted)
    return {
        "options": given,
        "turn": read_number(turn, f"{kind}.turn", "R13.1"),
        "active": read_seat(active, f"{kind}.active", "R13.1"),
        "reshuffles": read_number(reshuffles, f"{kind}.reshuffles", "R13.1"),
        "players": [
            _read_player(part, f"{kind}.players[{place}]", seat in (None, place + 1))
            for place, part in enumerate(players.split("/"))
        ],
        **_read_pile(draw, "draw", kind, is_open=seat is None),
        "discard": _read_cards(discard, f"{kind}.discard"),
        "node": _read_node(node, f"{kind}.node"),
        "known": [_read_row(part, f"{kind}.known") for part in read_list(known, ";")],
        **_read_base(base, kind),
        **observer,
    }


@lru_cache(maxsize=256)
def _checked(given: tuple[tuple[str, str], ...], path: str) -> Mapping[str, str]:
    return options.OPTIONS.checked(dict(given), path)


def _read_player(text: str, path: str, is_open: bool) -> View:
    wanted = "a player is gems,fortifications,hand"
    gems, laid, hand = read_parts(text, ",", 3, path, "R13.1", wanted)
    return {
        "gems": read_number(gems, f"{path}.gems", "R13.1"),
        **_read_fortifications(laid, path),
        **_read_pile(hand, "hand", path, is_open=is_open),
    }


def _read_fortifications(text: str, path: str) -> dict[str, str]:
    laid = {}
    for letter in text:
        role = CARD_OF_LETTER.get(letter.lower(), "")
        if role in FORTIFICATIONS:
            laid[role] = role if letter.islower() else "jester"
    if _fortifications_text(laid) != text:
        wanted = (
            "fortifications are -, or letters in the order castle, archer, minstrel: c, a, i, and "
            "C, A, I for a jester in the role"
        )
        raise refusal(path, text, "R13.2", wanted)
    return laid


def _fortifications_text(laid: View) -> str:
    letters = [
        LETTERS[role] if laid[role] == role else LETTERS[role].upper()
        for role in FORTIFICATIONS
        if laid.get(role)
    ]
    return write_list(letters, "")


def _read_pile(text: str, name: str, path: str, *, is_open: bool) -> View:
    """Read a hand or the draw pile, of which others see the number of cards (R14.1)."""
    if is_open:
        return {name: _read_cards(text, f"{path}.{name}")}
    field = "num_draw" if name == "draw" else "num_hidden"
    if text[:1] != "?":
        wanted = "the observer sees ? and the number of cards here"
        raise refusal(f"{path}.{field}", text, "R14.1", wanted)
    return {field: read_number(text[1:], f"{path}.{field}", "R13.1")}


def _read_cards(text: str, path: str) -> dict[str, int]:
    """Read a multiset (R13.2)."""
    cards = {CARD_OF_LETTER.get(a, ""): int(n or 1) for a, n in COPIES.findall(text)}
    if not MULTISET.fullmatch(text):
        tidy = _cards_text({card: cards[card] for card in LETTERS if card in cards})
        wanted = (
            f"cards are - or letters of {''.join(CARD_OF_LETTER)} in this order, each with its "
            f"count if that is above 1, here {tidy}"
        )
        raise refusal(path, text, "R13.2", wanted)
    return cards


def _cards_text(cards: Mapping[str, int]) -> str:
    return "".join([_copies(LETTERS[card], count) for card, count in cards.items()]) or NOTHING


def _copies(letter: str, count: int) -> str:
    return f"{letter}{count}" if count > 1 else letter * count


def _read_row(text: str, path: str) -> View:
    """Read an entry of KNOWN."""
    seats, colon, cards = text.partition(":")
    knower, arrow, holder = seats.partition(">")
    if not colon or not arrow:
        wanted = "KNOWN is -, or entries *>pH:cards and pO>pH:cards joined by ;"
        raise refusal(path, text, "R13.1", wanted)
    return {
        "observer": 0 if knower == "*" else read_seat(knower, path, "R13.1"),
        "holder": read_seat(holder, path, "R13.1"),
        "cards": _read_cards(cards, path),
    }


def _read_base(text: str, kind: str) -> View:
    if text == "-":
        return {"base": {}, "own": []}
    first, *entries = text.split(";")
    if first[:2] != "*:":
        wanted = "BASE is -, or *:cards and then pO:cards for seats, joined by ;"
        raise refusal(f"{kind}.base", text, "R13.1", wanted)
    own = []
    for entry in entries:
        seat, _, cards = entry.partition(":")
        place = read_seat(seat, f"{kind}.own", "R13.1")
        own.append({"seat": place, "cards": _read_cards(cards, f"{kind}.own")})
    return {"base": _read_cards(first[2:], f"{kind}.base"), "own": own}


# --- nodes ----------------------------------------------------------------------------------------


def _read_node(text: str, path: str) -> View:
    kind, *parts = text.split(":")
    names = NODES.get(kind)
    if names is None:
        raise refusal(path, text, "R13.3", f"a node is one of {', '.join(NODES)}")
    if len(parts) != len(names):
        raise refusal(path, text, "R13.3", f"this node is written {':'.join([kind, *names])}")
    found = {name: _read_part(name, part, path) for name, part in zip(names, parts, strict=True)}
    return {"type": kind, **found}


def _read_part(name: str, text: str, path: str) -> Any:
    where = f"{path}.{name}"
    if name in ("left", "gems"):
        return read_number(text, where, "R13.1")
    if name == "reason":
        return text
    if name == "ladder":
        if text not in LADDERS:
            wanted = "a ladder is l, L for a jester as ladder, or - for none"
            raise refusal(where, text, "R13.2", wanted)
        return LADDERS[text]
    if name == "attack_card":
        return _read_attack_card(text, where)
    if name == "picks":
        return [_read_pick(part, where) for part in read_list(text, "+")]
    if name == "winners":
        return [read_seat(part, where, "R13.3") for part in text.split("+")]
    return read_seat(text, where, "R13.3")


def _read_attack_card(text: str, path: str) -> View:
    """Read an attack card (R13.2): `k`, `K`, `p7`, `p2P`."""
    card = {"role": "", "num_cards": 0, "num_jesters": 0}
    for letter, count in COPIES.findall(text):
        card["role"] = CARD_OF_LETTER.get(letter.lower(), "")
        card["num_cards" if letter.islower() else "num_jesters"] = int(count or 1)
    if not card["role"] or _attack_card_text(card) != text:
        wanted = (
            "an attack card that is answered is one of s, k, g, n, d, a, in capitals a jester in "
            "that role, or peasants p, p2, ... and jesters among them P, P2, ..."
        )
        raise refusal(path, text, "R13.2", wanted)
    return card


def _attack_card_text(card: View) -> str:
    letter = LETTERS[card["role"]]
    return _copies(letter, card["num_cards"]) + _copies(letter.upper(), card["num_jesters"])


def _read_pick(text: str, path: str) -> View:
    seat, _, letter = text.partition("=")
    card = HIDDEN if letter == HIDDEN else CARD_OF_LETTER.get(letter, "")
    if not card:
        raise refusal(path, text, "R13.3", "a pick is seat=letter, or seat=? if it is not seen")
    return {"seat": read_seat(seat, path, "R13.3"), "card": card}


# --- moves ----------------------------------------------------------------------------------------

MOVES = {  # verb -> the parts of its token, in order; a play is a role with its cards
    "deal": ("card",),
    "draw": ("card",),
    "take": ("card",),
    "attack": ("seat", "play"),
    "fortify": ("play",),
    "special": ("play", "seat"),
    "discard": ("card",),
    "end": (),
    "respond": ("play",),
    "pass": (),
    "rob": ("play",),
    "show": ("card",),
    "choose": ("seat",),
    "tax": ("payment",),
    "give": ("card",),
}
REVOLT = re.compile(r"peasant\*([0-9]{1,2})(?:\+jester\*([0-9]))?", re.ASCII)
MOVE_FORMS = (
    "attack:p<k>:<play>, fortify:<card>, special:herald, special:monk, "
    "special:merchant:p<k>, discard:<card>, end, respond:<play>, pass, rob:highwayman, "
    "show:<card>, choose:p<k>, tax:gem, tax:cards or give:<card>; a play is a card, peasant*<k>, "
    "or peasant*<k>+jester*<j>; jester=<card> plays a jester as that card; an outcome is "
    "deal:<card>, draw:<card> or take:<card>"
)
NOTATION_HELP = (
    f"Moves: {MOVE_FORMS}.\n"
    "Position: coc TURN ACTIVE RESHUFFLES PLAYERS DRAW DISCARD NODE KNOWN BASE\n"
    "After coc come ;<option>=<value> for options that differ from their defaults. TURN and "
    "RESHUFFLES are numbers, ACTIVE is p<k>. PLAYERS are gems,fortifications,hand joined by /. "
    "Cards are letters, each with its number if above 1, or -: "
    + ", ".join(f"{letter} {card}" for letter, card in CARD_OF_LETTER.items())
    + "; fortifications are c, a and i, in capitals a jester in the role. DRAW and DISCARD are the "
    "piles. NODE is "
    + ", ".join(":".join([kind, *parts]) for kind, parts in NODES.items())
    + ". KNOWN is -, or what is known of hands, *>p<k>:<cards> and p<j>>p<k>:<cards> joined by ;. "
    "BASE is -, or *:<cards>, the reshuffled pile, and p<k>:<cards>, what a seat drew of it.\n"
    "Observation: the same with ?<number> for the hands and the pile that the seat does not see, "
    "then @p<k>, the seat that sees it; @- is a spectator."
)


def read_move(token: str) -> dict[str, Any]:
    """Return the view of a token.

    Raises:
        InputError: the token breaks the grammar of R12.1.
    """
    verb, *parts = token.split(":")
    if len(parts) > len(MOVES.get(verb, ())):
        raise refusal("move", token, "R12.1", f"a move is {MOVE_FORMS}")
    view: dict[str, Any] = {"verb": verb}
    for name, part in zip(MOVES.get(verb, ()), parts, strict=False):
        if name == "play":
            view |= _read_play(part)
        else:
            view[name] = read_seat(part, "move.seat", "R12.1") if name == "seat" else part
    return view


def _read_play(text: str) -> View:
    if found := REVOLT.fullmatch(text):
        cards, jesters = int(found[1]), int(found[2] or "0")
        return {"role": "peasant", "num_cards": cards, "num_jesters": jesters}
    if text.startswith("jester="):
        return {"role": text[7:], "num_cards": 0, "num_jesters": 1}
    return {"role": text, "num_cards": 1, "num_jesters": 0}


def write_move(view: View) -> str:
    """Write the token of a valid view."""
    parts = [view["verb"]]
    for name in MOVES[view["verb"]]:
        if name == "play":
            parts.append(_play_text(view))
        elif name in view:
            parts.append(f"p{view[name]}" if name == "seat" else view[name])
    return ":".join(parts)


def _play_text(view: View) -> str:
    role, cards, jesters = view["role"], view["num_cards"], view["num_jesters"]
    if (cards, jesters) == (0, 1):
        return f"jester={role}"
    if cards + jesters == 1:
        return str(role)
    return f"{role}*{cards}" + (f"+jester*{jesters}" if jesters else "")
