"""Lines and tokens of A Knight's Duty <-> typed views: the grammar alone (R13.1, R13.3, R13.5).

A *view* has the names of the proto messages KnightsDutyPosition, KnightsDutyObservation (which has
`observer`) and KnightsDutyMove.
"""

import re
from collections.abc import Mapping

from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import (
    observer_suffix,
    read_line,
    read_list,
    read_number,
    read_parts,
    read_word,
    write_list,
)

from . import names
from .names import CHOICES, HIDDEN, INSPIRATIONS, LISTS, STAGES, View
from .options import OPTIONS

FIELDS = ("turn", "stage", "actor", "players", "work")
PATHS = ("options", "turn", "node.type", "node.seat", "players")  # of the fields of a line
RULE = "R13.3"
STAGE = re.compile(rf"([0-3])\.({'|'.join(STAGES)})", re.ASCII)
NOBODY_ASKED = {"draw": "chance", "end": "-"}  # stage -> the actor of the line

UP = {"u": True, "d": False}
HEARTS = dict(zip("FBX", names.HEARTS[1:], strict=True))
WEAPONS = dict(zip("nSPB", names.TOKENS[:4], strict=True))
TOKENS = dict(zip(".SPBHYMEx?", (*names.TOKENS, HIDDEN), strict=True))
ANSWERS = {"y": "yes", "n": "no", HIDDEN: HIDDEN}
ITEMS = {  # letter of an item -> its list, and its possible words
    "m": ("steps", {way: way for way in (*CHOICES["step"][1:], HIDDEN)}),
    "c": ("claims", ANSWERS),
    "a": ("targets", dict(zip(("", *"123456n?"), (*CHOICES["target"], HIDDEN), strict=True))),
    "o": ("orders", {"f": "first", "w": "wait", HIDDEN: HIDDEN}),
}
ITEM = re.compile(r"([mcao])([1-6])(?:=(.+))?", re.ASCII)
ATTACK = re.compile(r"q([1-6])>([1-6])", re.ASCII)
SHARE = re.compile("0|1|1/[2-6]|2/[35]|3/[45]|4/5|5/6", re.ASCII)
ITEM_FORMS = (
    "m<seat>=<direction or stay>, c<seat>=y or n, a<seat>, a<seat>=<seat or n>, "
    "o<seat>=f or w, q<seat>><seat>, w<seat>, ia=y or n, id=y or n, r=<shares>"
)

HELP = (
    "Moves: clan:c<k>, place:sword, spear, bow, shield, parry, move or empty, step:stay or a "
    "direction (hex: ne e se sw w nw, square also n and s), claim:yes or no, target:p<k> or none, "
    "order:first or wait, inspire:yes or no; an outcome is draw:heart or draw:shield.\n"
    "Position: kd TURN STAGE ACTOR PLAYERS WORK\n"
    "After kd come ;<option>=<value> for options that differ from their defaults. TURN is t<n>; "
    f"STAGE the slot, a point and {', '.join(STAGES)}; ACTOR p<k>, chance at draw, - at end. "
    "PLAYERS are out, or cell/heart/weapon/inspiration/tracker, joined by ;: a cell is q,r, or - "
    "before the choice of a corner; a heart F full, B broken, X defeated; a weapon S sword, P "
    "spear, B bow, n none; inspiration u up or d down; a tracker has three of S P B, H shield, Y "
    "parry, M move, E empty, x locked, . not filled. WORK is -, or what is chosen in the slot, "
    f"joined by ;: {ITEM_FORMS}.\n"
    "Observation: the same with ? for each token and choice that the seat does not see, then "
    "@p<k>, the seat that sees it; @- is a spectator."
)


def letters_of(words: Mapping[str, object]) -> dict[object, str]:
    """Map words to their letters."""
    return {word: letter for letter, word in words.items()}


HEART_LETTERS, WEAPON_LETTERS, TOKEN_LETTERS, ANSWER_LETTERS = map(
    letters_of, (HEARTS, WEAPONS, TOKENS, ANSWERS)
)
ITEM_LETTERS = {key: (letter, letters_of(words)) for letter, (key, words) in ITEMS.items()}


# --- moves ------------------------------------------------------------------------------------


def read_move(token: str) -> View:
    """Return the view of a token."""
    verb, _, choice = token.partition(":")
    return {"verb": verb, "choice": choice}


def write_move(view: View) -> str:
    """Write the token of a view."""
    return f"{view['verb']}:{view['choice']}"


# --- reading positions and observations -------------------------------------------------------


def read_position(text: str) -> View:
    """Return the view of a line; only the grammar is checked.

    Raises:
        InputError: the line breaks the grammar; names the field, its value and the rule.
    """
    line = read_line(text, "kd", FIELDS, (RULE, "R13.5"), OPTIONS, has_labels=False)
    kind = line.kind
    turn, slot_stage, actor, players, work = line.values
    stage = STAGE.fullmatch(slot_stage)
    if turn[:1] != "t":
        raise refusal(f"{kind}.turn", turn, RULE, "the turn is t and its number")
    if not stage:
        wanted = f"a stage is the slot, 0 to 3, a point and one of {', '.join(STAGES)}"
        raise refusal(f"{kind}.node.type", slot_stage, RULE, wanted)
    records = players.split(";")
    seat = _read_actor(actor, f"{kind}.node.seat", stage[2])
    view: View = {
        "options": line.options,
        "turn": read_number(turn[1:], f"{kind}.turn", "R13.6a"),
        "slot": int(stage[1]),
        "node": {"type": stage[2], "seat": seat},
        "players": [
            _read_player(record, f"{kind}.players[{index}]") for index, record in enumerate(records)
        ],
        **_read_work(work, kind, len(records)),
        **line.observer,
    }
    if actor == "chance" and view["attacks"]:  # the card is drawn for the first attacker
        view["node"]["seat"] = view["attacks"][0]["attacker"]
    return view


def _read_actor(text: str, path: str, stage: str) -> int:
    """Return the seat that decides; 0 at chance nodes and at the end."""
    actor = NOBODY_ASKED.get(stage)
    if text == actor:
        return 0
    if actor or not re.fullmatch("p[1-6]", text, re.ASCII):
        wanted = f"the actor is {actor}" if actor else "a seat is asked, p and its number"
        raise refusal(path, text, "R13.6g", f"at {stage} {wanted}")
    return int(text[1])


def _read_player(text: str, path: str) -> View:
    if text == "out":
        return {"heart": "out"}
    wanted = "a player is out, or cell/heart/weapon/inspiration/tracker"
    cell, heart, weapon, inspiration, tracker = read_parts(text, "/", 5, path, RULE, wanted)
    return {
        "heart": read_word(heart, HEARTS, f"{path}.heart", RULE),
        "weapon": read_word(weapon, WEAPONS, f"{path}.weapon", RULE),
        "inspiration_up": read_word(inspiration, UP, f"{path}.inspiration_up", RULE),
        "tracker": [read_word(token, TOKENS, f"{path}.tracker", RULE) for token in tracker],
        **_read_space(cell, f"{path}.space"),
    }


def _read_space(text: str, path: str) -> View:
    if text == "-":
        return {}
    wanted = "a space is q,r, or - before the choice of a corner"
    parts = read_parts(text, ",", 2, path, RULE, wanted)
    q, r = (
        read_number(part, f"{path}.{name}", "R13.6a")
        for part, name in zip(parts, "qr", strict=True)
    )
    return {"space": {"q": q, "r": r}}


def _read_work(text: str, kind: str, num_seats: int) -> View:
    """Return the lists and answers of the last field; their order is checked on writing."""
    view: View = {key: [] for key in (*LISTS.values(), "attacks", "waiting")}
    for item in read_list(text, ";"):
        if found := ITEM.fullmatch(item):
            key, words = ITEMS[found[1]]
            choice = read_word(
                found[3] or "", words, f"{kind}.{key}[{len(view[key])}].choice", RULE
            )
            view[key].append({"seat": int(found[2]), "choice": choice})
        elif found := ATTACK.fullmatch(item):
            view["attacks"].append({"attacker": int(found[1]), "target": int(found[2])})
        elif re.fullmatch("w[1-6]", item, re.ASCII):
            view["waiting"].append(int(item[1]))
        elif item[:3] in ("ia=", "id="):
            key = INSPIRATIONS[item[:2] == "id"]
            view[key] = read_word(item[3:], ANSWERS, f"{kind}.{key}", RULE)
        elif item.startswith("r="):
            view["winners"] = _read_shares(item[2:], f"{kind}.winners", num_seats)
        else:
            raise refusal(kind, item, RULE, f"items are {ITEM_FORMS}")
    return view


def _read_shares(text: str, path: str, num_seats: int) -> list[int]:
    """Return the seats with a share; all shares must be equal (R13.6h)."""
    shares = text.split(",")
    if not all(map(SHARE.fullmatch, shares)):
        raise refusal(path, text, RULE, "a share is 0, 1 or a/b in lowest terms")
    winners = [seat for seat, share in enumerate(shares, 1) if share != "0"]
    if not winners or text != shares_text(winners, num_seats):
        wanted = f"of {num_seats} shares one is 1, or several are equal, and the others are 0"
        raise refusal(path, text, "R13.6h", wanted)
    return winners


# --- writing them -----------------------------------------------------------------------------


def write_position(view: View) -> str:
    """Write the line of a valid view."""
    seat, stage = view["node"]["seat"], view["node"]["type"]
    fields = [
        "kd" + OPTIONS.written(view["options"]),
        f"t{view['turn']}",
        f"{view['slot']}.{stage}",
        NOBODY_ASKED.get(stage, f"p{seat}"),
        ";".join(map(_player_text, view["players"])),
        write_list(_items(view), ";"),
    ]
    return " ".join(fields) + observer_suffix(view)


def _player_text(player: View) -> str:
    if player["heart"] == "out":
        return "out"
    parts = [
        "{q},{r}".format_map(player["space"]) if "space" in player else "-",
        HEART_LETTERS[player["heart"]],
        WEAPON_LETTERS[player["weapon"]],
        "u" if player["inspiration_up"] else "d",
        "".join(TOKEN_LETTERS[token] for token in player["tracker"]),
    ]
    return "/".join(parts)


def _items(view: View) -> list[str]:
    """Write the items of the last field."""
    items = []
    for key, (letter, letters) in ITEM_LETTERS.items():
        for entry in view[key]:
            text = letters[entry["choice"]]
            items.append(f"{letter}{entry['seat']}={text}" if text else f"{letter}{entry['seat']}")
    items += [f"q{attack['attacker']}>{attack['target']}" for attack in view["attacks"]]
    items += [f"w{seat}" for seat in view["waiting"]]
    for item, key in zip(("ia", "id"), INSPIRATIONS, strict=True):
        items += [f"{item}={ANSWER_LETTERS[view[key]]}"] if view[key] else []
    if view["winners"]:
        items.append(f"r={shares_text(view['winners'], len(view['players']))}")
    return items


def shares_text(winners: list[int], num_seats: int) -> str:
    """Write equal win shares of the winners: `0,1`, `1/2,1/2,0`."""
    share = f"1/{len(winners)}" if len(winners) > 1 else "1"
    return ",".join(share if seat in winners else "0" for seat in range(1, num_seats + 1))
