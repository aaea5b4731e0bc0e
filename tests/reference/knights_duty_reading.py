"""Reading positions and observations of A Knight's Duty (R13.3 to R13.5)."""

from __future__ import annotations

import re
from fractions import Fraction

from .knights_duty_state import (
    NOBODY,
    NUMBER,
    OPTION_NAMES,
    SPECTATOR,
    Knight,
    Options,
    State,
    read_options,
    refuse,
)
from .knights_duty_validity import check_validity

FIELD_NAMES = ["game", "turn", "stage", "actor", "players", "work"]
STAGE = re.compile(r"([0-3])\.(clan|place|step|claim|target|order|inspire|draw|end)")
RECORD = re.compile(r"(?:-|(-?[0-9]{1,2}),(-?[0-9]{1,2}))/([FBX])/([nSPB])/([ud])/([SPBHYMEx.]{3})")
ITEM = re.compile(
    r"m(?P<m>[1-6])=(?P<step>[a-z]+)"
    r"|c(?P<c>[1-6])=(?P<claim>[yn])"
    r"|a(?P<a>[1-6])(?:=(?P<target>[1-6n]))?"
    r"|o(?P<o>[1-6])=(?P<order>[fw])"
    r"|q(?P<q>[1-6])>(?P<attacked>[1-6])"
    r"|w(?P<w>[1-6])"
    r"|(?P<side>ia|id)=(?P<answer>[yn])"
    r"|r=(?P<shares>[0-9,/]+)"
)
SHARE = re.compile("[0-9]+(/[1-9][0-9]*)?")

# What may lie under the `?` of each item whatever the rest of the line is: moves that are legal at
# every node of the stage (R12.5 b). A face-down token can be a Movement, of which there are three.
HARMLESS = {"m": "stay", "c": "n", "a": "n", "o": "w", "i": "n"}
HIDDEN_ITEM = re.compile(r"([mcao])([1-6])=\?|(i)(a)=\?")


def read_position(text: str) -> State:
    """Read a position line; ValueError with field and rule if it is not valid (R13.6)."""
    state = read_fields(text.split(" "))
    check_canonical(text, state.text())
    check_validity(state)
    return state


def read_observation(text: str) -> State:
    """Read an observation line as one of the positions that it comes from (R13.5)."""
    texts = text.split(" ")
    if len(texts) != len(FIELD_NAMES) + 1:
        refuse("line", "R13.5", f"{len(texts)} fields instead of {len(FIELD_NAMES) + 1}")
    *fields, observer = texts
    values = dict(zip(FIELD_NAMES, fields, strict=True))
    values["players"] = values["players"].replace("?", "M")
    values["work"] = HIDDEN_ITEM.sub(filled_item, values["work"])
    state = read_position(" ".join(values.values()))
    check_canonical(text, state.observe(read_observer(observer, state.options.players)))
    return state


def filled_item(match: re.Match[str]) -> str:
    """Write a harmless choice into a hidden item."""
    kind, owner = match[1] or match[3], match[2] or match[4]
    name = "ia" if kind == "i" else f"{kind}{owner}"
    return f"{name}={HARMLESS[kind]}"


def check_canonical(given: str, printed: str) -> None:
    """R13.6a: a line that is not printed exactly so is refused."""
    pairs = zip(given.split(" "), printed.split(" "), strict=True)
    for name, (given_field, printed_field) in zip([*FIELD_NAMES, "@"], pairs, strict=False):
        if given_field != printed_field:
            refuse(name, "R13.6a", f"{given_field!r} is written {printed_field!r}")


# The fields, each by itself. Order and spelling are checked by printing.


def read_fields(texts: list[str]) -> State:
    """Read the six fields, without looking at their sense."""
    if len(texts) != len(FIELD_NAMES):
        refuse("line", "R13.3", f"{len(texts)} fields instead of {len(FIELD_NAMES)}")
    values = dict(zip(FIELD_NAMES, texts, strict=True))
    records = values["players"].split(";")
    options = read_game(values["game"], len(records))
    if not values["turn"].startswith("t") or not NUMBER.fullmatch(values["turn"][1:]):
        refuse("turn", "R13.3", f"{values['turn']!r} is not t<number>")
    stage = STAGE.fullmatch(values["stage"])
    if not stage:
        refuse("stage", "R13.3", f"{values['stage']!r} is not <slot>.<stage>")
    knights = {
        seat: read_record(record) for seat, record in enumerate(records, 1) if record != "out"
    }
    state = State(
        options=options,
        turn=int(values["turn"][1:]),
        slot=int(stage[1]),
        stage=stage[2],
        actor=read_actor(values["actor"]),
        knights=knights,
    )
    for item in [] if values["work"] == "-" else values["work"].split(";"):
        read_item(state, item)
    return state


def read_game(text: str, num_records: int) -> Options:
    """Read the tag with its options; the number of players is that of the records."""
    tag, *entries = text.split(";")
    if tag != "kd":
        refuse("game", "R13.3", f"{tag!r} is not the tag kd")
    texts = {"players": str(num_records)}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if name not in OPTION_NAMES or name == "players" or not equals:
            refuse("game", "R13.3", f"{entry!r} is not an option of a position")
        texts[name] = value
    return read_options(texts)


def read_actor(text: str) -> int:
    """Read who is asked."""
    if text in ("-", "chance"):  # which of the two is right is seen by printing
        return NOBODY
    if not re.fullmatch("p[1-6]", text):
        refuse("actor", "R13.3", f"{text!r} is not a seat, chance or -")
    return int(text[1:])


def read_observer(text: str, num_seats: int) -> int:
    """Read the last field of an observation."""
    if text == "@-":
        return SPECTATOR
    if text not in [f"@p{seat + 1}" for seat in range(num_seats)]:
        refuse("@", "R13.5", f"{text!r} is not @- or @p<seat>")
    return int(text[2:])


def read_record(text: str) -> Knight:
    """Read what belongs to one seat that is not out."""
    match = RECORD.fullmatch(text)
    if not match:
        refuse("players", "R13.3", f"{text!r} is not a record")
    q, r, heart, weapon, inspiration, tracker = match.groups()
    cell = None if q is None else (int(q), int(r))
    return Knight(cell, heart, weapon, inspiration == "u", tracker)


def read_item(state: State, text: str) -> None:
    """Read one item of the work field into the state."""
    match = ITEM.fullmatch(text)
    if not match:
        refuse("work", "R13.3", f"{text!r} is not an item")
    if match["m"]:
        state.steps[int(match["m"])] = match["step"]
    elif match["c"]:
        state.claims[int(match["c"])] = match["claim"]
    elif match["target"]:
        target = NOBODY if match["target"] == "n" else int(match["target"])
        state.targets[int(match["a"])] = target
    elif match["a"]:
        state.pending.append(int(match["a"]))
    elif match["o"]:
        state.orders[int(match["o"])] = match["order"]
    elif match["q"]:
        state.queue.append((int(match["q"]), int(match["attacked"])))
    elif match["w"]:
        state.waiting.append(int(match["w"]))
    elif match["side"]:
        state.inspired[match["side"]] = match["answer"]
    else:
        state.shares = [read_share(share) for share in match["shares"].split(",")]


def read_share(text: str) -> Fraction:
    """Read one share of the result."""
    if not SHARE.fullmatch(text):
        refuse("work", "R13.3", f"{text!r} is not a share")
    return Fraction(text)
