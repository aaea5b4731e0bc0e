"""The state of a game of A Knight's Duty, and how it is printed (sections 3, 4, 16, 17)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import NoReturn

NUMBER = re.compile("0|[1-9][0-9]*")  # section 16: no sign, no leading zeros
NUM_SLOTS = 3
UNFILLED, LOCKED = ".", "x"  # in a tracker (R13.3)
NOBODY = 0  # the target of an attacker that chose none, the actor of a chance node or the end
SPECTATOR = 0

TOKENS = {  # the name in a move, in the order of R13.2 -> the letter in a tracker
    "sword": "S",
    "spear": "P",
    "bow": "B",
    "shield": "H",
    "parry": "Y",
    "move": "M",
    "empty": "E",
}
SUPPLY = {"S": 2, "P": 2, "B": 2, "H": 2, "Y": 2, "M": 3}  # R1.2
WEAPONS = "SPB"

Cell = tuple[int, int]  # q, r
HIGH_GROUND: Cell = (0, 0)  # R2.5
HEX_DIRECTIONS = {  # R2.2
    "ne": (1, -1),
    "e": (1, 0),
    "se": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (0, -1),
}
SQUARE_DIRECTIONS = {  # R2.6
    "n": (0, -1),
    "ne": (1, -1),
    "e": (1, 0),
    "se": (1, 1),
    "s": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (-1, -1),
}
HEX_CORNERS = ("ne", "e", "se", "sw", "w", "nw")  # R2.4: their directions from the centre
SQUARE_CORNERS = ("ne", "se", "sw", "nw")  # R2.6
AUTO_CLANS = {  # R3.1
    "hex": {2: [0, 3], 3: [0, 2, 4], 4: [0, 1, 3, 4], 5: [0, 1, 2, 3, 4], 6: [0, 1, 2, 3, 4, 5]},
    "square": {2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]},
}


def refuse(name: str, rule: str, reason: str) -> NoReturn:
    """Raise the error of text that is not valid; `name` is that of the field or option."""
    raise ValueError(f"{name}: {reason} ({rule})")


# Options and arena (sections 4 and 16)


@dataclass(frozen=True)
class Options:
    """The options of a game; those after `players` in the order of the position (R13.3)."""

    players: int = 2
    arena: str = "hex"
    radius: int = 4
    clans: str = "auto"
    empty_slots: str = "on"
    agreements: str = "on"
    swap: str = "allow"
    inspire: str = "hidden"
    turn_limit: int = 60

    def tag(self) -> str:
        """Print the first field of a position."""
        default = Options(players=self.players)
        changed = [
            f";{option.name}={getattr(self, option.name)}"
            for option in fields(self)
            if getattr(self, option.name) != getattr(default, option.name)
        ]
        return "kd" + "".join(changed)

    def directions(self) -> Mapping[str, Cell]:
        """Give each direction the step that it makes (R2.2, R2.6)."""
        return HEX_DIRECTIONS if self.arena == "hex" else SQUARE_DIRECTIONS

    def corners(self) -> list[Cell]:
        """List the clan corners (R2.4, R2.6)."""
        names = HEX_CORNERS if self.arena == "hex" else SQUARE_CORNERS
        steps = [self.directions()[name] for name in names]
        return [(self.radius * dq, self.radius * dr) for dq, dr in steps]

    def distance(self, first: Cell, second: Cell) -> int:
        """R2.3, R2.6."""
        dq, dr = second[0] - first[0], second[1] - first[1]
        sizes = [abs(dq), abs(dr)]
        return max([*sizes, abs(dq + dr)] if self.arena == "hex" else sizes)

    def has_cell(self, cell: Cell) -> bool:
        """Tell whether a space exists (R2.1, R2.6)."""
        return self.distance(HIGH_GROUND, cell) <= self.radius

    def neighbour(self, cell: Cell, direction: str) -> Cell:
        """Give the space, which need not exist, one step away."""
        dq, dr = self.directions()[direction]
        return cell[0] + dq, cell[1] + dr


OPTION_NAMES = [option.name for option in fields(Options)]


def read_options(texts: Mapping[str, str]) -> Options:
    """Read the options of a new game (section 16)."""
    for name in texts:
        if name not in OPTION_NAMES:
            refuse(name, "section 16", "no such option")
    arena = read_choice(texts, "arena", ("hex", "square"))
    return Options(
        players=read_range(texts, "players", 2, max(AUTO_CLANS[arena])),
        arena=arena,
        radius=read_range(texts, "radius", 3, 6),
        clans=read_choice(texts, "clans", ("auto", "choose")),
        empty_slots=read_choice(texts, "empty_slots", ("on", "off")),
        agreements=read_choice(texts, "agreements", ("on", "off")),
        swap=read_choice(texts, "swap", ("allow", "block")),
        inspire=read_choice(texts, "inspire", ("hidden", "open")),
        turn_limit=read_range(texts, "turn_limit", 1, 1000),
    )


def read_range(texts: Mapping[str, str], name: str, low: int, high: int) -> int:
    """Read the number of an option."""
    text = texts.get(name, str(getattr(Options, name)))
    if not NUMBER.fullmatch(text) or not low <= int(text) <= high:
        refuse(name, "section 16", f"{text!r} is not a number from {low} to {high}")
    return int(text)


def read_choice(texts: Mapping[str, str], name: str, values: Sequence[str]) -> str:
    """Read one of a few values; the first is the default."""
    text = texts.get(name, values[0])
    if text not in values:
        refuse(name, "section 16", f"{text!r} is not one of {', '.join(values)}")
    return text


# The state (section 3)


@dataclass(frozen=True)
class Knight:
    """A Knight that stands, with what belongs to its player (R1, R3.3)."""

    cell: Cell | None = None  # None: no corner yet
    heart: str = "F"  # F full, B broken, X defeated
    weapon: str = "n"  # n none, S, P, B
    is_inspired: bool = True  # its Inspiration is up
    tracker: str = UNFILLED * NUM_SLOTS

    def place(self) -> Cell:
        """Give the space; not before a corner is chosen."""
        assert self.cell is not None
        return self.cell

    def with_token(self, slot: int, letter: str) -> Knight:
        """Put a token on slot 1..3 of the tracker."""
        tracker = self.tracker[: slot - 1] + letter + self.tracker[slot:]
        return replace(self, tracker=tracker)

    def text(self, num_seen: int) -> str:
        """Print the record, of the tracker only the first slots and what is no token (R13.5)."""
        cell = "-" if self.cell is None else f"{self.cell[0]},{self.cell[1]}"
        tracker = self.tracker[:num_seen] + re.sub("[^.x]", "?", self.tracker[num_seen:])
        inspiration = "u" if self.is_inspired else "d"
        return f"{cell}/{self.heart}/{self.weapon}/{inspiration}/{tracker}"


@dataclass
class State:
    """A state of the game; it is changed in place. Seats are 1..n."""

    options: Options
    turn: int
    slot: int  # 0 for programming and before
    stage: str  # R13.3
    actor: int  # the seat that is asked, or NOBODY
    knights: dict[int, Knight]  # of the seats that are not out, ascending
    steps: dict[int, str] = field(default_factory=dict)  # seat -> direction or stay
    claims: dict[int, str] = field(default_factory=dict)  # seat -> y or n
    pending: list[int] = field(default_factory=list)  # attackers that have not declared
    targets: dict[int, int] = field(default_factory=dict)  # attacker -> target or NOBODY
    orders: dict[int, str] = field(default_factory=dict)  # attacker -> f or w
    queue: list[tuple[int, int]] = field(default_factory=list)  # attacker, target; first is now
    waiting: list[int] = field(default_factory=list)  # attackers that declare again later
    inspired: dict[str, str] = field(default_factory=dict)  # ia, id -> y or n, this combat
    shares: list[Fraction] = field(default_factory=list)  # at the end, seat 1 first

    def copy(self) -> State:
        """Copy, so that changes of the copy leave this unchanged."""
        return replace(
            self,
            knights=dict(self.knights),
            steps=dict(self.steps),
            claims=dict(self.claims),
            pending=list(self.pending),
            targets=dict(self.targets),
            orders=dict(self.orders),
            queue=list(self.queue),
            waiting=list(self.waiting),
            inspired=dict(self.inspired),
            shares=list(self.shares),
        )

    def seats(self) -> range:
        """List all seats, also those that are out."""
        return range(1, self.options.players + 1)

    def ask(self, stage: str, actor: int) -> None:
        """Come to a node."""
        self.stage = stage
        self.actor = actor

    def revealed(self, seat: int) -> str:
        """Give what lies on the current slot of a tracker (R5.1)."""
        return self.knights[seat].tracker[self.slot - 1]

    def movers(self) -> list[int]:
        """Section 2."""
        return [seat for seat in self.knights if self.revealed(seat) == TOKENS["move"]]

    def is_attack(self, seat: int) -> bool:
        """Tell whether the revealed token is the equipped weapon (R7.2)."""
        return self.revealed(seat) == self.knights[seat].weapon

    def initiative(self) -> list[int]:
        """List the standing seats in initiative order (section 2)."""
        num_seats = self.options.players
        order = [1 + (self.turn - 1 + index) % num_seats for index in range(num_seats)]
        return [seat for seat in order if seat in self.knights]

    # Printing (R13.3 to R13.5)

    def text(self) -> str:
        """Print the position."""
        return " ".join(self.text_fields(None))

    def observe(self, seat: int) -> str:
        """Print the observation of a seat, or of a spectator."""
        observer = "@-" if seat == SPECTATOR else f"@p{seat}"
        return " ".join([*self.text_fields(seat), observer])

    def text_fields(self, observer: int | None) -> list[str]:
        """Print the six fields as an observer sees them; None sees everything."""
        actor = f"p{self.actor}" if self.actor else "chance" if self.stage == "draw" else "-"
        return [
            self.options.tag(),
            f"t{self.turn}",
            f"{self.slot}.{self.stage}",
            actor,
            ";".join(self.record_text(seat, observer) for seat in self.seats()),
            ";".join(self.items(observer)) or "-",
        ]

    def record_text(self, seat: int, observer: int | None) -> str:
        """Print one record."""
        if seat not in self.knights:
            return "out"
        sees_all = observer is None or observer == seat
        return self.knights[seat].text(NUM_SLOTS if sees_all else self.slot)

    def items(self, observer: int | None) -> list[str]:
        """Print the items of the work field (R13.3)."""

        def seen(value: str, owner: int, stage: str) -> str:
            is_hidden = self.stage == stage and observer is not None and observer != owner
            return "?" if is_hidden else value

        def attack(seat: int) -> str:
            if seat not in self.targets:
                return f"a{seat}"
            target = self.targets[seat]
            return f"a{seat}={seen(str(target) if target else 'n', seat, 'target')}"

        items = [f"m{seat}={seen(self.steps[seat], seat, 'step')}" for seat in sorted(self.steps)]
        items += [
            f"c{seat}={seen(self.claims[seat], seat, 'claim')}" for seat in sorted(self.claims)
        ]
        items += [attack(seat) for seat in sorted([*self.targets, *self.pending])]
        items += [
            f"o{seat}={seen(self.orders[seat], seat, 'order')}" for seat in sorted(self.orders)
        ]
        items += [f"q{attacker}>{target}" for attacker, target in self.queue]
        items += [f"w{seat}" for seat in sorted(self.waiting)]
        if "ia" in self.inspired:
            is_open = self.options.inspire == "open"
            attacker = self.queue[0][0] if self.queue else NOBODY
            answer = self.inspired["ia"]
            items.append(f"ia={answer if is_open else seen(answer, attacker, 'inspire')}")
        if "id" in self.inspired:
            items.append(f"id={self.inspired['id']}")
        if self.shares:
            items.append("r=" + ",".join(map(str, self.shares)))
        return items
