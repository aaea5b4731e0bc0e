"""Courts and prices of actions in Knaves Out (R5.9, R5.10, R6)."""

from __future__ import annotations

from dataclasses import dataclass

from .knaves_out_cards import (
    BLACK,
    COURT,
    FULL,
    RED,
    SUIT_COURTS,
    Tower,
    colour_of,
    loose,
    sorted_cards,
    with_effect,
)
from .knaves_out_state import Options, Player

FEAST_DISCOUNT = 4  # R6.6
LICH_KING = ("marry", "knight", "feast", "majesty")  # R7/lich
TAINTED_PRICES = {"hail": ("j", 3), "knight": ("k", 3)}  # R5.7
BOOK_COLOURS = {"vile": BLACK, "exalted": RED}
COURT_BOOKS = {
    **dict.fromkeys(("red", "heart", "diamond", "harmony"), "exalted"),
    **dict.fromkeys(("black", "club", "spade", "chaos"), "vile"),
}


@dataclass(frozen=True)
class Row:
    """Price of an action as R7 gives it.

    `price` is `2 j` (from one tower), `each 2`, `free`, `devour q`, `any` (Parlay) or `moved`
    (Infighting); `court` and `book` are empty for actions of everybody.
    """

    price: str
    court: str = ""
    book: str = ""


def book_rows(book: str, court: str, prices: str) -> dict[str, Row]:
    """List the rows of one court; the prices are those in court."""
    pairs = (entry.split("=") for entry in prices.split(", "))
    return {code: Row(price, court, book) for code, price in pairs}


# All 49 actions in the order of the tables of R7, which is that of legal moves (R14.6).
ROWS: dict[str, Row] = {
    "hail": Row("2 j"),
    "tax": Row("2 j"),
    "build": Row("4 j"),
    "fortify": Row("4 j"),
    "poison": Row("2 q"),
    "charm": Row("2 q"),
    "execute": Row("4 q"),
    "sway": Row("6 q"),
    "marry": Row("2 k"),
    "knight": Row("2 k"),
    "feast": Row("4 k"),
    "majesty": Row("8 k"),
    "upper": Row("2 a"),
    "train": Row("each 1"),
    "defend": Row("each 1"),
    "blessing": Row("each 1"),
    **book_rows(
        "vile",
        "black",
        "raise=each 1, blacksails=each 2, taint=each 2, undead=each 4, lich=devour k",
    ),
    **book_rows("vile", "club", "luck=free, wind=each 1, punches=each 4, ladyluck=devour q"),
    **book_rows("vile", "spade", "servant=each 1, surge=each 1, force=each 4, motorhead=devour j"),
    **book_rows("vile", "chaos", "infight=moved, failed=each 1, conspire=each 1, cherry=each 4"),
    **book_rows(
        "exalted",
        "red",
        "rush=each 1, seabreeze=each 1, summer=each 2, frenzy=each 4, crimson=devour k",
    ),
    **book_rows("exalted", "heart", "lionheart=free, insight=each 1, parlay=any, sha=devour j"),
    **book_rows(
        "exalted", "diamond", "castle=free, shield=each 1, thorns=each 2, icequeen=devour q"
    ),
    **book_rows("exalted", "harmony", "balance=free, redirect=each 1, boister=each 4"),
}


@dataclass(frozen=True)
class Quote:
    """What an action costs a player now.

    Attributes:
        cards: cards by tower, in the order j q k a; those of price 0 too if it is waived.
        waivers: cards that the player may still waive (R6.6).
        colour: what the cards must have out of court (R6.4).
        devour: tower whose stack is devoured, or empty.
    """

    cards: dict[str, int]
    waivers: int = 0
    colour: str | None = None
    devour: str = ""

    def is_payable(self, player: Player) -> bool:
        """Tell whether the towers have what is left after the best waivers (R6.8)."""
        if self.devour:
            tower = player.towers[self.devour]
            return tower.level == FULL and tower.num_payable(self.colour) == FULL
        missing = sum(
            max(0, number - player.towers[name].num_payable(self.colour))
            for name, number in self.cards.items()
        )
        return missing <= self.waivers


def court_type(player: Player) -> str:
    """R5.9; empty without a full court."""
    if not player.has_court():
        return ""
    bases = [player.towers[name].base for name in COURT]
    suits = {base[1] for base in bases}
    colours = {colour_of(base) for base in bases}
    if len(suits) == 1:
        return SUIT_COURTS[suits.pop()]
    if len(colours) == 1:
        return colours.pop()
    return "harmony" if len(suits) == len(COURT) else "chaos"


def has_needed_court(options: Options, player: Player, code: str) -> bool:
    """Tell whether the court cards that an action needs are in play (R6.2, R6.3, R5.10)."""
    row = ROWS[code]
    if row.book:
        return COURT_BOOKS.get(court_type(player)) == row.book
    kind, _, rest = row.price.partition(" ")
    if kind == "each":
        return bool(each_towers(options, player))
    return rest in player.towers


def each_towers(options: Options, player: Player) -> list[str]:
    """List the court towers that an "each" price is paid from (R6.3), none if it cannot be."""
    present = [name for name in COURT if name in player.towers]
    if options["each"] == "all" and len(present) < len(COURT):
        return []
    return present


def quote_of(options: Options, player: Player, code: str, params: list[str]) -> Quote | None:
    """Price an action; None if its court cards are not in play.

    `params` are those of the move; they matter for Parlay and Infighting alone.
    """
    if not has_needed_court(options, player, code):
        return None
    row = ROWS[code]
    is_out = bool(row.book) and court_type(player) != row.court
    colour = BOOK_COLOURS[row.book] if is_out else None
    kind, _, rest = row.price.partition(" ")
    if kind == "devour":
        return Quote({}, colour=colour, devour=rest)
    cards = undiscounted(options, player, code, params, is_out)
    if "feast" not in player.marks:
        return Quote(cards, colour=colour)
    if sum(cards.values()) <= FEAST_DISCOUNT:
        return Quote({}, colour=colour)
    if len(cards) == 1:
        [(name, number)] = cards.items()
        return Quote({name: number - FEAST_DISCOUNT}, colour=colour)
    return Quote(cards, FEAST_DISCOUNT, colour)


def undiscounted(
    options: Options, player: Player, code: str, params: list[str], is_out: bool
) -> dict[str, int]:
    """Give the cards by tower before Feast (R6.2 to R6.5)."""
    kind, _, rest = ROWS[code].price.partition(" ")
    if kind == "each" or (kind == "free" and is_out):
        number = int(rest) if kind == "each" else 1
        cards = dict.fromkeys(each_towers(options, player), number)
        return {**cards, "a": 1} if "a" in player.towers else cards
    if kind == "free":
        return {}
    if kind == "any":
        return {} if params == ["-"] else {params[0]: 1}
    if kind == "moved":
        return {params[0][0]: 1} if is_out else {}
    number = int(kind)
    if code in TAINTED_PRICES and player.has_taint(TAINTED_PRICES[code][0]):
        number = TAINTED_PRICES[code][1]
    if code in LICH_KING and player.has_effect("lich"):
        number = (number + 1) // 2
    return {rest: number}


def pay(player: Player, code: str, quote: Quote) -> None:
    """Pay the price of an action, with no waivers left (R5.6, R6.7)."""
    if quote.devour:
        player.towers[quote.devour] = with_effect(player.towers[quote.devour], code)
    for name, number in quote.cards.items():
        spend(player, name, number)


def spend(player: Player, name: str, number: int) -> None:
    """Put the top cards of a tower on the discard, with their Jokers (R5.6)."""
    tower = player.towers[name]
    kept = tower.height - number
    spent = [card for entry in tower.stack[kept:] for card in loose(entry)]
    player.towers[name] = Tower(tower.base, tower.has_joker, tower.devoured, tower.stack[:kept])
    player.discard = sorted_cards([*player.discard, *spent])
