"""The state of a game of Code of Chivalry, and how it is printed (section 3, R13, R14)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache

from .code_of_chivalry_cards import (
    CARDS,
    DECK_TABLE,
    FORTIFY_ROLES,
    LETTERS,
    Cards,
    Play,
    cards_text,
    refuse,
    role_letter,
)

EVERYBODY = 0  # the observer `*` of R11.2; also a spectator, who sees what everybody sees
NUMBER = re.compile("0|[1-9][0-9]*")  # R13.1: no sign, no leading zeros
HAND_DEALT = 2  # R2.2
AUTO_PASS = ("public", "off", "private")  # R10.3


# Options (section 12)


@dataclass(frozen=True)
class Options:
    """The options that a position can name, in the order of the tag (R13.1)."""

    players: int = 4
    first_player: str = "p1"
    minstrels: int = 0
    monks: int = 0
    start_gems: int = 5
    target_gems: int = 10
    reshuffle_step: int = 1
    target_floor: int = 1
    turn_limit: int = 300
    auto_pass: str = "public"

    def tag(self) -> str:
        """Print the first field of a position."""
        return tag_of(self)

    def deck(self) -> Cards:
        """R1.1, R1.2."""
        deck = Counter({card: count for card, _, count in DECK_TABLE})
        deck.update(minstrel=self.minstrels, monk=self.monks)
        return deck

    def types(self) -> list[str]:
        """List the types in the deck (R1.2)."""
        deck = self.deck()
        return [card for card in CARDS if deck[card]]

    def target(self, reshuffles: int) -> int:
        """R9.1."""
        return max(self.target_floor, self.target_gems - self.reshuffle_step * reshuffles)


@cache  # every line of a game begins with it
def tag_of(options: Options) -> str:
    """Print the first field of a position."""
    default = replace(default_options(options.players), players=Options().players)
    tag = "coc"
    for option in fields(options):
        value = getattr(options, option.name)
        if value != getattr(default, option.name):
            tag += f";{option.name}={value}"
    return tag


OPTION_NAMES = [option.name for option in fields(Options)]
SHORTHANDS = ("deck", "two_player")


def default_options(players: int) -> Options:
    """Give the defaults for a number of players (D2)."""
    if players == 2:
        return Options(players=2, start_gems=6, target_gems=12)
    return Options(players=players)


def read_options(texts: Mapping[str, str]) -> Options:
    """Read the options of a new game, with the shorthands `deck` and `two_player`."""
    for key in texts:
        if key not in (*OPTION_NAMES, *SHORTHANDS):
            refuse(key, "section 12", "no such option")
    players = read_range(texts, "players", 4, 2, 6)
    seats = [f"p{seat + 1}" for seat in range(players)]
    stretch = read_choice(texts, "deck", ("base", "stretch")) == "stretch"  # D35
    plain = read_choice(texts, "two_player", ("published", "plain")) == "plain"  # D2
    default = Options(players=players) if plain else default_options(players)
    start_gems = read_range(texts, "start_gems", default.start_gems, 1, 30 // players)
    target_gems = read_range(
        texts, "target_gems", default.target_gems, start_gems + 1, players * start_gems
    )
    return Options(
        players=players,
        first_player=read_choice(texts, "first_player", seats),
        minstrels=read_range(texts, "minstrels", 2 if stretch else 0, 0, 4),
        monks=read_range(texts, "monks", 2 if stretch else 0, 0, 4),
        start_gems=start_gems,
        target_gems=target_gems,
        reshuffle_step=read_range(texts, "reshuffle_step", default.reshuffle_step, 0, 3),
        target_floor=read_range(texts, "target_floor", default.target_floor, 1, target_gems),
        turn_limit=read_range(texts, "turn_limit", default.turn_limit, 1, 100_000),
        auto_pass=read_choice(texts, "auto_pass", AUTO_PASS),
    )


def read_range(texts: Mapping[str, str], key: str, default: int, low: int, high: int) -> int:
    """Read a number; also a default must lie in the range."""
    text = texts.get(key, str(default))
    if not NUMBER.fullmatch(text) or not low <= int(text) <= high:
        refuse(key, "section 12", f"{text!r} is not a number from {low} to {high}")
    return int(text)


def read_choice(texts: Mapping[str, str], key: str, values: Sequence[str]) -> str:
    """Read one of a few values; the first is the default."""
    text = texts.get(key, values[0])
    if text not in values:
        refuse(key, "section 12", f"{text!r} is not one of {', '.join(values)}")
    return text


# Nodes (section 5.1, R13.3); seats are 1..n


@dataclass(frozen=True)
class Deal:
    """`seat` is dealt `left` more cards."""

    seat: int
    left: int


@dataclass(frozen=True)
class Draw:
    """The active player draws `left` more cards."""

    left: int


@dataclass(frozen=True)
class Main:
    """The active player chooses its kind of turn."""


@dataclass(frozen=True)
class Fortify:
    """The active player may fortify more."""


@dataclass(frozen=True)
class Attack:
    """The active player may go on against `target`."""

    target: int


@dataclass(frozen=True)
class Respond:
    """`victim`, which is the target or the active player, may answer the attack card."""

    target: int
    attack: Play
    victim: int


@dataclass(frozen=True)
class Rob:
    """`asked` may rob the gems in flight."""

    source: int
    receiver: int
    amount: int
    asked: int


@dataclass(frozen=True)
class Show:
    """`asked` picks a card for the herald; `picks` has the cards laid so far."""

    asked: int
    picks: Mapping[int, str]


@dataclass(frozen=True)
class Choose:
    """The active player chooses among the cards shown."""

    picks: Mapping[int, str]


@dataclass(frozen=True)
class Take:
    """The active player takes `left` more cards from `seller`, unseen."""

    seller: int
    left: int


@dataclass(frozen=True)
class Tax:
    """`seat` chooses what it pays to the monk."""

    seat: int


@dataclass(frozen=True)
class Give:
    """`seat` gives `left` more cards to the active player."""

    seat: int
    left: int


@dataclass(frozen=True)
class Over:
    """The game is over; `reason` is `gems` or `limit`."""

    reason: str
    winners: tuple[int, ...]


Node = (
    Deal | Draw | Main | Fortify | Attack | Respond | Rob | Show | Choose | Take | Tax | Give | Over
)


# Knowledge (R11.2)


class Knowledge:
    """`K[o][h]`: the cards that observer o, a seat or EVERYBODY, knows in the hand of h."""

    def __init__(self, num_seats: int) -> None:
        self.rows: dict[tuple[int, int], Cards] = {
            (observer, holder): Counter()
            for observer in range(num_seats + 1)
            for holder in range(1, num_seats + 1)
            if observer != holder
        }

    def copy(self) -> Knowledge:
        """Copy, so that changes of the copy leave this unchanged."""
        other = Knowledge(0)
        other.rows = {key: Counter(row) for key, row in self.rows.items()}
        return other

    def public(self, holder: int) -> Cards:
        """Give the public row of a hand."""
        return self.rows[EVERYBODY, holder]

    def about(self, holder: int) -> Iterator[tuple[int, Cards]]:
        """Go through the rows of a hand, with their observers."""
        for (observer, seat), row in self.rows.items():
            if seat == holder:
                yield observer, row

    def lose(self, holder: int, cards: Cards) -> None:
        """All see these cards leave the hand."""
        for _, row in self.about(holder):
            row -= cards

    def gain(self, holder: int, card: str) -> None:
        """All see this card come into the hand."""
        for _, row in self.about(holder):
            row[card] += 1

    def show(self, holder: int, card: str) -> None:
        """All see this card, which stays in the hand."""
        for _, row in self.about(holder):
            row[card] = max(row[card], 1)

    def move_unseen(self, giver: int, taker: int, card: str) -> None:
        """A card moves (TAKE, GIVE); only the two see which (D40)."""
        for observer, row in self.about(giver):
            # Any type may have gone, as far as the others know.
            row -= Counter([card] if observer == taker else list(row))
        self.rows[giver, taker][card] += 1

    def text(self, observers: Iterable[int]) -> str:
        """Print the public rows and those of some seats (R13.1)."""
        printed = {EVERYBODY, *observers}
        entries = []
        for (seat, holder), row in self.rows.items():
            if seat in printed and (row if seat == EVERYBODY else row != self.public(holder)):
                name = f"p{seat}" if seat else "*"
                entries.append(f"{name}>p{holder}:{cards_text(row)}")
        return ";".join(entries) or "-"


# The state (section 3)


@dataclass
class Player:
    """What belongs to one seat."""

    gems: int
    hand: Cards = field(default_factory=Counter)
    fortifications: dict[str, str] = field(default_factory=dict)  # role -> physical card

    def copy(self) -> Player:
        """Copy, so that changes of the copy leave this unchanged."""
        return Player(self.gems, Counter(self.hand), dict(self.fortifications))


@dataclass
class State:
    """A state of the game; it is changed in place, by the procedures of section 5.8."""

    options: Options
    turn: int
    active: int  # 1..n
    reshuffles: int
    players: list[Player]
    draw_pile: Cards
    discard_pile: Cards
    node: Node
    known: Knowledge
    ladder: str = ""  # the physical card on the table, if any
    base: Cards | None = None  # R11.3: None before the first reshuffle
    own: dict[int, Cards] = field(default_factory=dict)  # R11.3, of all seats

    def copy(self) -> State:
        """Copy, so that changes of the copy leave this unchanged."""
        return replace(
            self,
            players=[player.copy() for player in self.players],
            draw_pile=Counter(self.draw_pile),
            discard_pile=Counter(self.discard_pile),
            known=self.known.copy(),
            own={seat: Counter(cards) for seat, cards in self.own.items()},
        )

    def seats(self) -> range:
        """List the seats."""
        return range(1, len(self.players) + 1)

    def player(self, seat: int) -> Player:
        """Give what belongs to a seat."""
        return self.players[seat - 1]

    def me(self) -> Player:
        """Give what belongs to the active player."""
        return self.player(self.active)

    def seats_between(self, last: int, stop: int) -> list[int]:
        """List the seats clockwise after `last` and before `stop`; all others if they are one."""
        seats = []
        seat = self.left_of(last)
        while seat != stop:
            seats.append(seat)
            seat = self.left_of(seat)
        return seats

    def left_of(self, seat: int) -> int:
        """Give the next seat clockwise."""
        return seat % len(self.players) + 1

    def rivals(self) -> list[int]:
        """List the rivals of the active player, clockwise from its left."""
        return self.seats_between(self.active, self.active)

    def target(self) -> int:
        """Give the number of gems needed to win now (R9.1)."""
        return self.options.target(self.reshuffles)

    def richest(self) -> tuple[int, ...]:
        """List the seats with the most gems (R9.6)."""
        most = max(player.gems for player in self.players)
        return tuple(seat for seat in self.seats() if self.player(seat).gems == most)

    def open_cards(self) -> Cards:
        """Collect the physical cards that all see: discarded and on the table."""
        cards = Counter(self.discard_pile)
        for player in self.players:
            cards.update(player.fortifications.values())
        if self.ladder:
            cards[self.ladder] += 1
        if isinstance(self.node, Respond):
            cards += self.node.attack.cards
        return cards

    # Printing (R13.1, R14.1)

    def text(self) -> str:
        """Print the position."""
        return " ".join(self.text_fields(None))

    def observe(self, seat: int) -> str:
        """Print the observation of a seat, or of a spectator (R14.2)."""
        observer = f"@p{seat}" if seat != EVERYBODY else "@-"
        return " ".join([*self.text_fields(seat), observer])

    def text_fields(self, observer: int | None) -> list[str]:
        """Print the 10 fields as an observer sees them; None sees everything."""
        insiders = list(self.seats()) if observer is None else [observer] if observer else []
        draw_pile = cards_text(self.draw_pile)
        return [
            self.options.tag(),
            str(self.turn),
            f"p{self.active}",
            str(self.reshuffles),
            "/".join(self.player_text(seat, insiders) for seat in self.seats()),
            draw_pile if observer is None else f"?{self.draw_pile.total()}",
            cards_text(self.discard_pile),
            self.node_text(insiders),
            self.known.text(insiders),
            self.base_text(insiders),
        ]

    def player_text(self, seat: int, insiders: Sequence[int]) -> str:
        """Print one entry of PLAYERS."""
        player = self.player(seat)
        fortifications = "".join(
            role_letter(role, player.fortifications[role])
            for role in FORTIFY_ROLES
            if role in player.fortifications
        )
        hand = cards_text(player.hand) if seat in insiders else f"?{player.hand.total()}"
        return f"{player.gems},{fortifications or '-'},{hand}"

    def node_text(self, insiders: Sequence[int]) -> str:
        """Print NODE (R13.3)."""
        ladder = role_letter("ladder", self.ladder) if self.ladder else "-"
        match self.node:
            case Deal(seat, left):
                return f"deal:p{seat}:{left}"
            case Draw(left):
                return f"draw:{left}"
            case Main():
                return "main"
            case Fortify():
                return "fortify"
            case Attack(target):
                return f"attack:p{target}:{ladder}"
            case Respond(target, attack, victim):
                return f"respond:p{target}:{ladder}:{attack.text()}:p{victim}"
            case Rob(source, receiver, amount, asked):
                return f"rob:{ladder}:p{source}:p{receiver}:{amount}:p{asked}"
            case Show(asked, picks):
                return f"show:p{asked}:{picks_text(picks, insiders)}"
            case Choose(picks):
                return f"choose:{picks_text(picks, list(picks))}"
            case Take(seller, left):
                return f"take:p{seller}:{left}"
            case Tax(seat):
                return f"tax:p{seat}"
            case Give(seat, left):
                return f"give:p{seat}:{left}"
            case Over(reason, winners):
                return f"over:{reason}:" + "+".join(f"p{seat}" for seat in winners)

    def base_text(self, insiders: Sequence[int]) -> str:
        """Print BASE."""
        if self.base is None:
            return "-"
        own = [f";p{seat}:{cards_text(self.own[seat])}" for seat in insiders if self.own[seat]]
        return f"*:{cards_text(self.base)}" + "".join(own)


def picks_text(picks: Mapping[int, str], insiders: Sequence[int]) -> str:
    """Print PICKS; those of seats that are no insiders are hidden."""
    texts = [
        f"p{seat}={LETTERS[picks[seat]] if seat in insiders else '?'}" for seat in sorted(picks)
    ]
    return "+".join(texts) or "-"
