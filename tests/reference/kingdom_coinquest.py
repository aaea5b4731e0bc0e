"""Kingdom Coinquest in plain Python, rule by rule from docs/rules/kingdom_coinquest.md.

Rule numbers (R6.7, D12) are those of the page. Options: players, kings, health, turn_limit and
ace_strike (section 13). The forge is never stored: it is the circulating cards that lie nowhere
else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, NoReturn

SUITS = "hsdc"  # R1.3: suit order
RANKS = "a23456789tjq"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # R1.1, R1.3: card order
CARD_ORDER = {card: index for index, card in enumerate(CARDS)}
VALUES = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "t": 10}

HAND_SIZE = 3
SALVAGE_SIZE = 3
DEFAULT_TURN_LIMIT = 600
UNITS = ("knight", "peasant")
NODE_KINDS = ("king", "draw", "deal", "play", "strike", "discard")  # R4.1, besides `end`

NUMBER = re.compile("0|[1-9][0-9]*")  # R12.3: no sign, no leading zeros
HELD_CARD = re.compile("([a2-9tjq][hsdc])(!|~(0|[1-9][0-9]*))?")
HIDDEN_CARD = re.compile("[?](~(0|[1-9][0-9]*))?")

Load = tuple[str, ...]  # R1.7: (), (card,) or (lead, partner)


def is_equipment(card: str) -> bool:
    """R1.4."""
    return card[0] in VALUES


def load_value(load: Load) -> int:
    """R1.7: the partner adds nothing."""
    return VALUES[load[0][0]]


def preparation_cost(load: Load) -> int:
    """R1.6."""
    value = load_value(load)
    if value <= 4:
        return 1
    return 2 if value <= 7 else 3


def is_rival_card(card: str, suit: str) -> bool:
    """R1.5: also when nobody plays that suit's king."""
    return card[1] != suit


def is_equipment_pair(lead: str, partner: str, suit: str) -> bool:
    """R6.3, without the limit of one jack in play."""
    if lead == partner or not is_equipment(lead) or not is_rival_card(lead, suit):
        return False
    if partner[0] == "j":
        return True
    return partner[0] == lead[0] and is_rival_card(partner, suit)


def is_court_pair(first: str, second: str, rank: str, suit: str) -> bool:
    """R6.4: two rival queens (`rank` q) or aces (a) in card order."""
    return (
        first[0] == second[0] == rank
        and is_rival_card(first, suit)
        and is_rival_card(second, suit)
        and CARD_ORDER[first] < CARD_ORDER[second]
    )


class Held(NamedTuple):
    """A hand card with its mark (R11.2)."""

    card: str
    epoch: int | None  # hidden since this epoch; None: known to everybody


@dataclass(frozen=True)
class Player:
    """What belongs to one kingdom (R2.1)."""

    suit: str  # "_" before the king is drawn
    health: int
    hand: tuple[Held, ...] = ()  # in card order
    salvage: tuple[str, ...] = ()  # in card order
    quartermaster: Load = ()
    counters: int = 0
    knight: Load = ()
    peasant: Load = ()
    queen: Load = ()

    def is_living(self) -> bool:
        """R1.10."""
        return self.health > 0

    def hand_cards(self) -> list[str]:
        """List the hand without its marks, in card order."""
        return [held.card for held in self.hand]

    def has_prepared_load(self) -> bool:
        """R1.9."""
        return self.quartermaster != () and self.counters == 0

    def num_jacks_in_play(self) -> int:
        """R6.5."""
        loads = (self.quartermaster, self.knight, self.peasant)
        return sum(len(load) == 2 and load[1][0] == "j" for load in loads)

    def open_cards(self) -> list[str]:
        """List the cards that lie openly before this player."""
        loads = self.quartermaster + self.knight + self.peasant + self.queen
        return [*self.salvage, *loads]

    def with_card(self, card: str, epoch: int | None) -> Player:
        """Take a card into the hand."""
        hand = sorted([*self.hand, Held(card, epoch)], key=lambda held: CARD_ORDER[held.card])
        return replace(self, hand=tuple(hand))

    def without_cards(self, *cards: str) -> Player:
        """Take cards out of the hand."""
        return replace(self, hand=tuple(held for held in self.hand if held.card not in cards))

    def load_on(self, unit: str) -> Load:
        """Give what lies on the knight or the peasant."""
        return self.knight if unit == "knight" else self.peasant

    def with_load_on(self, unit: str, load: Load) -> Player:
        """Put a load on the knight or the peasant in place of what lies there."""
        if unit == "knight":
            return replace(self, knight=load)
        return replace(self, peasant=load)

    def public_parts(self) -> list[str]:
        """Print the five parts behind the hand (R12.3)."""
        quartermaster = load_text(self.quartermaster)
        if self.quartermaster:
            quartermaster += f":{self.counters}"
        return [
            ",".join(self.salvage) or "-",
            quartermaster,
            load_text(self.knight),
            load_text(self.peasant),
            load_text(self.queen),
        ]

    def open_hand_text(self, epoch: int) -> str:
        """Print the hand as its owner sees it (R12.3)."""
        return ",".join(held.card + mark_text(held, epoch) for held in self.hand) or "-"

    def masked_hand_text(self, epoch: int) -> str:
        """Print the hand as all others see it (R12.5)."""
        known = [held.card + "!" for held in self.hand if held.epoch is None]
        epochs = sorted(held.epoch for held in self.hand if held.epoch is not None)
        hidden = ["?" if drawn == epoch else f"?~{drawn}" for drawn in epochs]
        return ",".join(known + hidden) or "-"


def load_text(load: Load) -> str:
    """Print a load without counters."""
    return "+".join(load) or "-"


def mark_text(held: Held, epoch: int) -> str:
    """Print the mark of a hand card (R12.3); `epoch` is the present one."""
    if held.epoch is None:
        return "!"
    return "" if held.epoch == epoch else f"~{held.epoch}"


@dataclass(frozen=True)
class Reference:
    """A state of Kingdom Coinquest."""

    turn_limit: int
    ace_strike: bool
    turn: int
    epoch: int
    kind: str  # one of NODE_KINDS, or "end"
    actor: int  # the node's seat, 1..n; 0 at `end`
    players: tuple[Player, ...]
    grave: tuple[str, ...]  # top first

    # Starting and reading

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game (section 13, R3)."""
        known = {"players", "kings", "health", "turn_limit", "ace_strike"}
        for key in options:
            if key not in known:
                raise ValueError(f"{key}: no such option (section 13)")
        num_seats = read_option(options, "players", 2, 2, 4)
        health = read_option(options, "health", 20, 1, 99)
        turn_limit = read_option(options, "turn_limit", DEFAULT_TURN_LIMIT, 1, 9999)
        ace_strike = read_option(options, "ace_strike", 0, 0, 1)
        kings = options.get("kings", "random")
        fixed = kings != "random"
        if fixed and not is_choice_of_kings(kings, num_seats):
            raise ValueError(f"kings: {kings!r} is not {num_seats} different suits (section 13)")
        suits = kings if fixed else "_" * num_seats
        state = cls(
            turn_limit=turn_limit,
            ace_strike=ace_strike == 1,
            turn=0,
            epoch=0,
            kind="king",
            actor=1,
            players=tuple(Player(suit, health) for suit in suits),
            grave=(),
        )
        return state._first_turn() if fixed else state  # R3.2

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R12.3, R12.4)."""
        state, forge_count = read_fields(text)
        check_validity(state, forge_count)
        for given, canonical in zip(text.split(" "), state.text().split(" "), strict=True):
            if given != canonical:
                refuse(given, "R12.4a", f"the canonical form is {canonical}")
        return state

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line (R12.6) by building one position consistent with it.

        Validity never depends on which card lies at which hidden place, so if any position is
        consistent, the one built here is.
        """
        seat, position = witness(text)
        if cls.parse(position).observe(seat) != text:
            raise ValueError(f"observation: {text!r} is not written as R12.5 says (R12.6)")
        return text

    # Printing

    def text(self) -> str:
        """Print the position (R12.3)."""
        hands = [player.open_hand_text(self.epoch) for player in self.players]
        return self._line(hands)

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R12.5)."""
        if not 0 <= seat <= len(self.players):
            raise ValueError(f"seat {seat} of a {len(self.players)}-seat game")
        hands = []
        pools: dict[int, list[str]] = {}  # R11.5
        for owner, player in enumerate(self.players, start=1):
            if owner == seat:
                hands.append(player.open_hand_text(self.epoch))
                continue
            hands.append(player.masked_hand_text(self.epoch))
            for held in player.hand:
                if held.epoch is not None and held.epoch < self.epoch:
                    pools.setdefault(held.epoch, []).append(held.card)
        old = ";".join(f"{epoch}:{sorted_text(pools[epoch])}" for epoch in sorted(pools)) or "-"
        observer = f"p{seat}" if seat else "-"
        return f"{self._line(hands)} old={old} @{observer}"

    def consistent(self, seat: int, position_text: str) -> bool:
        """R11.8."""
        try:
            return Reference.parse(position_text).observe(seat) == self.observe(seat)
        except ValueError:
            return False

    # Play

    def node(self) -> str:
        """Say who is asked (R4.1)."""
        if self.kind == "end":
            return "end"
        if self.kind in ("king", "deal"):
            return "chance"
        return f"p{self.actor}"

    def forge(self) -> list[str]:
        """List the forge in card order: all cards that lie nowhere else (R1.1)."""
        elsewhere = set(self._placed_cards())
        return [card for card in CARDS if card not in elsewhere]

    def legal(self) -> list[str]:
        """List the legal moves in canonical order (R12.2)."""
        if self.kind == "draw":
            return self._draw_moves()
        if self.kind == "play":
            return self._play_moves()
        if self.kind == "strike":
            return ["hold", *self._attacks()]  # R6.9
        if self.kind == "discard":
            return self._discard_moves()
        return []

    def chance(self) -> dict[str, Fraction]:
        """Give the outcomes of `KING` (R3.1) and `DEAL` (R5.2)."""
        if self.kind == "king":
            drawn = [player.suit for player in self.players]
            outcomes = [f"king:{suit}" for suit in SUITS if suit not in drawn]
        elif self.kind == "deal":
            outcomes = [f"deal:{card}" for card in self.forge()]
        else:
            return {}
        return {outcome: Fraction(1, len(outcomes)) for outcome in outcomes}

    def apply(self, token: str) -> Reference:
        """Make a move or let an outcome happen."""
        if token not in self.legal() and token not in self.chance():
            raise ValueError(f"{token!r} is not possible now ({self._node_text()})")
        if self.kind == "king":
            return self._draw_king(token)
        if self.kind == "draw":
            return self._draw(token)
        if self.kind == "deal":  # R5.2
            dealt = self._me().with_card(token[len("deal:") :], self.epoch)
            return self._with_me(dealt)._draw_check()
        if self.kind == "play":
            return self._play(token)
        if self.kind == "strike":
            return self._to("discard") if token == "hold" else self._attack(target_of(token))
        return self._discard(token)

    def returns(self) -> list[Fraction]:
        """Give the shares (R10.4, R10.5)."""
        if self.kind != "end":
            raise ValueError("the game is not over")
        best = max(player.health for player in self.players)
        winners = [player.health == best for player in self.players]
        return [Fraction(int(is_winner), sum(winners)) for is_winner in winners]

    # The line

    def _line(self, hands: list[str]) -> str:
        tag = "kc"
        if self.turn_limit != DEFAULT_TURN_LIMIT:
            tag += f";turn_limit={self.turn_limit}"
        if self.ace_strike:
            tag += ";ace_strike=1"
        fields = [tag, f"turn={self.turn}", f"epoch={self.epoch}", f"node={self._node_text()}"]
        for seat, (player, hand) in enumerate(zip(self.players, hands, strict=True), start=1):
            parts = [player.suit, str(player.health), hand, *player.public_parts()]
            fields.append(f"p{seat}=" + "/".join(parts))
        fields.append(f"forge={len(self.forge())}")
        fields.append("grave=" + (",".join(self.grave) or "-"))
        return " ".join(fields)

    def _node_text(self) -> str:
        return "end" if self.kind == "end" else f"{self.kind}:p{self.actor}"

    def _placed_cards(self) -> list[str]:
        """List all cards outside the forge."""
        cards = list(self.grave)
        for player in self.players:
            cards += player.hand_cards() + player.open_cards()
        return cards

    # Players

    def _player(self, seat: int) -> Player:
        return self.players[seat - 1]

    def _with_player(self, seat: int, player: Player) -> Reference:
        players = (*self.players[: seat - 1], player, *self.players[seat:])
        return replace(self, players=players)

    def _me(self) -> Player:
        return self._player(self.actor)

    def _with_me(self, player: Player) -> Reference:
        return self._with_player(self.actor, player)

    def _living(self) -> list[int]:
        """List the seats of the living players."""
        seats = range(1, len(self.players) + 1)
        return [seat for seat in seats if self._player(seat).is_living()]

    def _to(self, kind: str) -> Reference:
        """Go to another node of the same actor."""
        return replace(self, kind=kind)

    def _end(self) -> Reference:
        return replace(self, kind="end", actor=0)

    # The graveyard (R1.8)

    def _on_top(self, load: Load) -> Reference:
        return replace(self, grave=load + self.grave)

    def _at_bottom(self, load: Load) -> Reference:
        return replace(self, grave=self.grave + load)

    # Turns

    def _draw_king(self, token: str) -> Reference:
        """R3.1."""
        crowned = self._with_me(replace(self._me(), suit=token[len("king:") :]))
        if self.actor < len(self.players):
            return replace(crowned, actor=self.actor + 1)
        return crowned._first_turn()

    def _first_turn(self) -> Reference:
        """R3.4."""
        seats = range(1, len(self.players) + 1)
        first = min(seats, key=lambda seat: SUITS.index(self._player(seat).suit))
        return replace(self, turn=1, actor=first)._turn_start()

    def _turn_start(self) -> Reference:
        """R4.2."""
        me = self._me()
        if me.counters > 0:
            me = replace(me, counters=me.counters - 1)
        return self._with_me(me)._draw_check()

    def _draw_check(self) -> Reference:
        """R4.3."""
        return self._to("draw" if len(self._me().hand) < HAND_SIZE else "play")

    def _turn_end(self) -> Reference:
        """R4.5."""
        if self.turn == self.turn_limit:
            return self._end()
        here = SUITS.index(self._me().suit)

        def distance(seat: int) -> int:
            """Count the steps in suit order from the actor, 1..4."""
            return (SUITS.index(self._player(seat).suit) - here - 1) % len(SUITS) + 1

        following = min(self._living(), key=distance)
        return replace(self, turn=self.turn + 1, actor=following)._turn_start()

    # Draw phase (R5)

    def _draw_moves(self) -> list[str]:
        moves = []
        if self.forge() or len(self.grave) >= 2:
            moves.append("draw:forge")
        if self.grave:
            moves.append("draw:grave")
        return moves + [f"draw:salvage:{card}" for card in self._me().salvage]

    def _draw(self, token: str) -> Reference:
        if token == "draw:forge":
            return (self if self.forge() else self._reshuffle())._to("deal")
        if token == "draw:grave":
            drawn = self._with_me(self._me().with_card(self.grave[0], None))
            return replace(drawn, grave=self.grave[1:])._draw_check()
        card = token[len("draw:salvage:") :]
        left = tuple(other for other in self._me().salvage if other != card)
        me = replace(self._me(), salvage=left).with_card(card, None)
        return self._with_me(me)._draw_check()

    def _reshuffle(self) -> Reference:
        """R9.1: what leaves the graveyard is the forge, because it lies nowhere else."""
        return replace(self, grave=self.grave[:1], epoch=self.epoch + 1)

    # Play phase (R6), one line per row of the table R6.1

    def _play_moves(self) -> list[str]:
        me = self._me()
        moves = ["pass"]
        if not me.quartermaster:
            moves += self._prep_moves()
        if me.has_prepared_load():
            moves += [f"equip:{unit}" for unit in UNITS]
        if me.peasant:
            moves += self._attacks()
        if not me.queen:
            moves += [f"queen:{cards}" for cards in self._court_cards("q")]
        if self.grave and is_equipment(self.grave[0]):  # R6.8
            moves += [f"ace:{cards}:{unit}" for cards in self._court_cards("a") for unit in UNITS]
        return moves

    def _prep_moves(self) -> list[str]:
        me = self._me()
        cards = me.hand_cards()
        single = [card for card in cards if is_equipment(card) and not is_rival_card(card, me.suit)]
        pairs = [
            f"{lead}+{partner}"
            for lead in cards
            for partner in cards
            if is_equipment_pair(lead, partner, me.suit)
            and not (partner[0] == "j" and me.num_jacks_in_play() > 0)
        ]
        return [f"prep:{load}" for load in single + pairs]

    def _attacks(self) -> list[str]:
        """R7.1."""
        return [f"attack:p{seat}" for seat in self._living() if seat != self.actor]

    def _court_cards(self, rank: str) -> list[str]:
        """List the playable queens or aces of the hand: the own one, then pairs (R6.4)."""
        me = self._me()
        cards = me.hand_cards()
        own = [card for card in cards if card == rank + me.suit]
        pairs = [
            f"{first}+{second}"
            for first in cards
            for second in cards
            if is_court_pair(first, second, rank, me.suit)
        ]
        return own + pairs

    def _play(self, token: str) -> Reference:
        verb, *arguments = token.split(":")
        if verb == "pass":
            return self._to("discard")
        if verb == "attack":
            return self._attack(target_of(token))
        if verb == "equip":
            return self._equip(arguments[0])
        load = tuple(arguments[0].split("+"))
        me = self._me().without_cards(*load)
        if verb == "prep":
            me = replace(me, quartermaster=load, counters=preparation_cost(load))
            return self._with_me(me)._to("discard")
        if verb == "queen":
            return self._with_me(replace(me, queen=load))._to("discard")
        return self._with_me(me)._ace(load, arguments[1])

    def _equip(self, unit: str) -> Reference:
        """R6.6."""
        me = self._me()
        equipped = replace(me.with_load_on(unit, me.quartermaster), quartermaster=(), counters=0)
        return self._with_me(equipped)._on_top(me.load_on(unit))._to("discard")

    def _ace(self, aces: Load, unit: str) -> Reference:
        """R6.7, R6.9; the aces have left the hand."""
        me = self._me()
        taken, rest = self.grave[0], self.grave[1:]  # (1)
        state = replace(self, grave=rest)._on_top(me.load_on(unit))  # (2)
        state = state._with_me(me.with_load_on(unit, (taken,)))  # (3)
        state = state._at_bottom(aces)  # (4)
        return state._to("strike" if self.ace_strike and unit == "peasant" else "discard")

    # Battle (R7, R10)

    def _attack(self, target: int) -> Reference:
        """R7.2."""
        me = self._me()
        state = self._with_me(replace(me, peasant=()))._on_top(me.peasant)
        value = load_value(me.peasant)
        defender = self._player(target)
        if defender.knight:
            value -= load_value(defender.knight)
            state = state._on_top(defender.knight)
            defender = replace(defender, knight=())
        if value > 0 and defender.queen:
            state = state._at_bottom(defender.queen)
            defender = replace(defender, queen=())
        elif value > 0:
            defender = replace(defender, health=max(0, defender.health - value))
        state = state._with_player(target, defender)
        if not defender.is_living():
            state = state._eliminate(target)
        if len(state._living()) == 1:
            return state._end()  # R10.3
        return state._to("discard")

    def _eliminate(self, seat: int) -> Reference:
        """R10.2."""
        dead = self._player(seat)
        cards = dead.quartermaster + dead.peasant + dead.salvage + tuple(dead.hand_cards())
        return self._at_bottom(cards)._with_player(seat, Player(dead.suit, 0))

    # Discard phase (R8)

    def _discard_moves(self) -> list[str]:
        me = self._me()
        moves = [f"discard:{card}" for card in me.hand_cards()]
        if len(me.salvage) < SALVAGE_SIZE:
            moves += [f"salvage:{card}" for card in me.hand_cards()]
        return moves + (["scrap"] if me.quartermaster else [])

    def _discard(self, token: str) -> Reference:
        me = self._me()
        if token == "scrap":
            scrapped = replace(me, quartermaster=(), counters=0)
            return self._with_me(scrapped)._on_top(me.quartermaster)._turn_end()
        verb, card = token.split(":")
        me = me.without_cards(card)
        if verb == "discard":
            return self._with_me(me)._on_top((card,))._turn_end()
        salvage = tuple(sorted([*me.salvage, card], key=CARD_ORDER.__getitem__))
        return self._with_me(replace(me, salvage=salvage))._turn_end()


def target_of(token: str) -> int:
    """Read the seat of `attack:p<k>`."""
    return int(token[len("attack:p") :])


def sorted_text(cards: list[str]) -> str:
    """Print cards in card order."""
    return ",".join(sorted(cards, key=CARD_ORDER.__getitem__))


# Options (section 13)


def read_option(options: Mapping[str, str], key: str, default: int, low: int, high: int) -> int:
    """Read a number; ValueError if it is no canonical number of the range."""
    text = options.get(key, str(default))
    if not NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise ValueError(f"{key}: {text!r} is not a number from {low} to {high} (section 13)")
    return int(text)


def is_choice_of_kings(text: str, num_seats: int) -> bool:
    """Tell whether this is one suit letter per seat, all different."""
    return len(text) == len(set(text)) == num_seats and set(text) <= set(SUITS)


# Reading a position: the fields (R12.3). Order and spelling are checked at the end by printing.


def refuse(field: str, rule: str, reason: str) -> NoReturn:
    """Raise the error of a line that is not valid."""
    raise ValueError(f"{field}: {reason} ({rule})")


def read_fields(text: str) -> tuple[Reference, int]:
    """Read a line without looking at its sense; also gives the written forge count."""
    fields = text.split(" ")
    num_seats = len(fields) - 6
    if not 2 <= num_seats <= 4:
        refuse("line", "R12.3, R12.4d", f"{len(fields)} fields do not make 2 to 4 players")
    seats = range(1, num_seats + 1)
    names = ["turn", "epoch", "node", *(f"p{seat}" for seat in seats), "forge", "grave"]
    values = {}
    for name, field in zip(names, fields[1:], strict=True):
        if not field.startswith(f"{name}="):
            refuse(name, "R12.3", f"the field is not where it belongs, but {field!r}")
        values[name] = field[len(name) + 1 :]
    turn_limit, ace_strike = read_tag(fields[0])
    epoch = read_number("epoch", values["epoch"])
    kind, actor = read_node(values["node"], num_seats)
    state = Reference(
        turn_limit=turn_limit,
        ace_strike=ace_strike,
        turn=read_number("turn", values["turn"]),
        epoch=epoch,
        kind=kind,
        actor=actor,
        players=tuple(read_player(f"p{seat}", values[f"p{seat}"], epoch) for seat in seats),
        grave=tuple(read_cards("grave", values["grave"])),
    )
    return state, read_number("forge", values["forge"])


def read_tag(text: str) -> tuple[int, bool]:
    """Read the turn limit and whether ace_strike is on."""
    match = re.fullmatch("kc(;turn_limit=(0|[1-9][0-9]*))?(;ace_strike=1)?", text)
    if not match:
        refuse("kc", "R12.3", f"{text!r} is not the tag with its options in order")
    if match[1] is None:
        return DEFAULT_TURN_LIMIT, match[3] is not None
    turn_limit = read_number("turn_limit", match[2])
    if turn_limit == DEFAULT_TURN_LIMIT:
        refuse("turn_limit", "R12.3", "the default is not written")
    if not 1 <= turn_limit <= 9999:
        refuse("turn_limit", "R12.4b", f"{turn_limit} is not from 1 to 9999")
    return turn_limit, match[3] is not None


def read_number(field: str, text: str) -> int:
    """Read a number without sign and leading zeros."""
    if not NUMBER.fullmatch(text):
        refuse(field, "R12.3", f"{text!r} is not a number")
    return int(text)


def read_node(text: str, num_seats: int) -> tuple[str, int]:
    """Read the kind and the seat."""
    if text == "end":
        return "end", 0
    kind, _, seat = text.partition(":")
    if kind not in NODE_KINDS or seat not in [f"p{number + 1}" for number in range(num_seats)]:
        refuse("node", "R12.3", f"{text!r} is not a node of a game for {num_seats}")
    return kind, int(seat[1:])


def read_player(field: str, text: str, epoch: int) -> Player:
    """Read the eight parts."""
    parts = text.split("/")
    if len(parts) != 8:
        refuse(field, "R12.3", f"{len(parts)} parts instead of 8")
    suit, health, hand, salvage, quartermaster, knight, peasant, queen = parts
    if suit not in (*SUITS, "_"):
        refuse(field, "R12.3", f"{suit!r} is not a suit")
    load, colon, counters = quartermaster.partition(":")
    if (load == "-") == (colon == ":"):
        refuse(field, "R12.3", f"quartermaster {quartermaster!r} is not <load>:<counters> or -")
    return Player(
        suit=suit,
        health=read_number(f"{field} health", health),
        hand=read_hand(field, hand, epoch),
        salvage=tuple(read_cards(f"{field} salvage", salvage)),
        quartermaster=read_load(f"{field} quartermaster", load),
        counters=read_number(f"{field} counters", counters) if colon else 0,
        knight=read_load(f"{field} knight", knight),
        peasant=read_load(f"{field} peasant", peasant),
        queen=read_load(f"{field} queen", queen),
    )


def read_hand(field: str, text: str, epoch: int) -> tuple[Held, ...]:
    """Read a hand in clear, in the written order."""
    if text == "-":
        return ()
    hand = []
    for item in text.split(","):
        match = HELD_CARD.fullmatch(item)
        if not match:
            refuse(f"{field} hand", "R12.3", f"{item!r} is not a hand card")
        if match[2] == "!":
            hand.append(Held(match[1], None))
        elif match[2] is None:
            hand.append(Held(match[1], epoch))
        else:
            drawn = read_number(f"{field} hand", match[3])
            if drawn >= epoch:
                refuse(f"{field} hand", "R12.4c", f"{item!r} is not older than epoch {epoch}")
            hand.append(Held(match[1], drawn))
    return tuple(hand)


def read_cards(field: str, text: str) -> list[str]:
    """Read cards joined by commas, in the written order."""
    if text == "-":
        return []
    cards = text.split(",")
    for card in cards:
        if card not in CARD_ORDER:
            refuse(field, "R12.3, R12.4c", f"{card!r} is not a circulating card")
    return cards


def read_load(field: str, text: str) -> Load:
    """Read a load without counters."""
    if text == "-":
        return ()
    load = tuple(text.split("+"))
    if len(load) > 2 or any(card not in CARD_ORDER for card in load):
        refuse(field, "R12.3", f"{text!r} is not a load")
    return load


# Reading a position: its sense (R12.4)


def check_validity(state: Reference, forge_count: int) -> None:
    """Refuse what R12.4 (b) to (i) forbid, and unsorted cards (a)."""
    check_ranges(state)
    check_cards(state, forge_count)
    check_suits(state)
    for seat, player in enumerate(state.players, start=1):
        if player.is_living():
            check_loads(f"p{seat}", player)
        elif player != Player(player.suit, 0):
            refuse(f"p{seat}", "R12.4g", "a player with health 0 has cards")
    if state.kind == "end":
        check_end(state)
    else:
        check_table(state)
        check_node(state)


def check_ranges(state: Reference) -> None:
    """R12.4b."""
    if state.kind == "king":
        if state.turn != 0:
            refuse("turn", "R12.4b", f"{state.turn} is not 0 during the set-up")
    elif not 1 <= state.turn <= state.turn_limit:
        refuse("turn", "R12.4b", f"{state.turn} is not from 1 to {state.turn_limit}")
    for seat, player in enumerate(state.players, start=1):
        if player.health > 99:
            refuse(f"p{seat} health", "R12.4b", f"{player.health} is above 99")
    before_reshuffle = state.kind in ("draw", "deal") and len(state.grave) >= 2  # R9.4
    highest = state.turn - 1 if before_reshuffle else state.turn
    if state.epoch > highest:
        refuse("epoch", "R12.4b, R9.4", f"{state.epoch} is above {highest}")


def check_cards(state: Reference, forge_count: int) -> None:
    """R12.4c, and the card order of hands and salvages (a)."""
    seen: set[str] = set()
    for card in state._placed_cards():
        if card in seen:
            refuse("line", "R12.4c", f"{card} is written twice")
        seen.add(card)
    if forge_count != len(state.forge()):
        refuse("forge", "R12.4c", f"{forge_count} written, {len(state.forge())} left")
    for seat, player in enumerate(state.players, start=1):
        for part, cards in (("hand", player.hand_cards()), ("salvage", list(player.salvage))):
            if len(cards) > 3:
                refuse(f"p{seat} {part}", "R12.4c", "more than 3 cards")
            if cards != sorted(cards, key=CARD_ORDER.__getitem__):
                refuse(f"p{seat} {part}", "R12.4a", "not in card order")


def check_suits(state: Reference) -> None:
    """R12.4d, and the first part of (i)."""
    num_known = state.actor - 1 if state.kind == "king" else len(state.players)
    suits = [player.suit for player in state.players]
    if "_" in suits[:num_known] or len(set(suits[:num_known])) != num_known:
        refuse("suit", "R12.4d, R12.4i", f"{suits[:num_known]} are not known and different")
    if any(suit != "_" for suit in suits[num_known:]):
        refuse("suit", "R12.4i", f"{suits[num_known:]} are known before they are drawn")


def check_loads(field: str, player: Player) -> None:
    """R12.4e and R12.4f."""
    load = player.quartermaster
    if load:
        own = len(load) == 1 and is_equipment(load[0]) and load[0][1] == player.suit
        if not own and not is_pair_of(load, player.suit):
            refuse(f"{field} quartermaster", "R12.4e", f"{load_text(load)} cannot be prepared")
        if player.counters > preparation_cost(load):
            refuse(f"{field} counters", "R12.4e", f"{player.counters} is above the cost")
    for unit in UNITS:
        load = player.load_on(unit)
        single = len(load) == 1 and is_equipment(load[0])
        if load and not single and not is_pair_of(load, player.suit):
            refuse(f"{field} {unit}", "R12.4e", f"{load_text(load)} is no equipment load")
    load = player.queen
    own = load == ("q" + player.suit,)
    pair = len(load) == 2 and is_court_pair(load[0], load[1], "q", player.suit)
    if load and not own and not pair:
        refuse(f"{field} queen", "R12.4e", f"{load_text(load)} is no queen load")
    if player.num_jacks_in_play() > 1:
        refuse(field, "R12.4f, R6.5", "more than one jack in play")


def is_pair_of(load: Load, suit: str) -> bool:
    """Tell whether a load is a recruited pair of equipment (R6.3)."""
    return len(load) == 2 and is_equipment_pair(load[0], load[1], suit)


def check_end(state: Reference) -> None:
    """R12.4i for `end`."""
    num_living = len(state._living())
    if num_living != 1 and not (num_living > 1 and state.turn == state.turn_limit):
        refuse("node", "R12.4i", f"no end with {num_living} living players in turn {state.turn}")


def check_table(state: Reference) -> None:
    """R12.4h."""
    living = state._living()
    if len(living) < 2 or state.actor not in living:
        refuse("node", "R12.4h", f"living players {living} do not suit {state._node_text()}")
    for seat, player in enumerate(state.players, start=1):
        if seat != state.actor and player.quartermaster and len(player.hand) > 2:
            refuse(f"p{seat} hand", "R12.4h, R4.4", "3 cards beside a loaded quartermaster")


def check_node(state: Reference) -> None:
    """R12.4i for all nodes but `end`."""
    if state.kind == "king":
        if any(player != Player(player.suit, player.health) for player in state.players):
            refuse("node", "R12.4i", "cards are in play during the set-up")
        if state.grave or state.epoch != 0 or len(state._living()) < len(state.players):
            refuse("node", "R12.4i", "graveyard, epoch or health do not fit the set-up")
        return
    num_hand = len(state._me().hand)
    low, high = {
        "draw": (0, 2),
        "deal": (0, 2),
        "play": (3, 3),
        "strike": (1, 2),
        "discard": (1, 3),
    }[state.kind]
    if not low <= num_hand <= high:
        refuse("node", "R12.4i", f"{num_hand} hand cards at {state._node_text()}")
    if state.kind == "deal" and not state.forge():
        refuse("node", "R12.4i", "nothing to deal from an empty forge")
    if state.kind == "strike" and not (state.ace_strike and len(state._me().peasant) == 1):
        refuse("node", "R12.4i, R6.9", "strike without ace_strike or without a single weapon")


# Reading an observation (R12.6)


def witness(text: str) -> tuple[int, str]:
    """Fill the hidden places of an observation in the simplest way.

    Returns:
        The observer's seat (0: spectator), and a line that is a position consistent with the
        observation if there is one.
    """
    fields = text.split(" ")
    num_seats = len(fields) - 8
    if not 2 <= num_seats <= 4:
        refuse("line", "R12.5", f"{len(fields)} fields do not make 2 to 4 players")
    seat = read_observer(fields[-1], num_seats)
    pools = read_old_pools(fields[-2])
    written = set(re.findall("[a2-9tjq][hsdc]", " ".join(fields[4:-1])))
    free = iter([card for card in CARDS if card not in written])
    hands = range(4, 4 + num_seats)
    for index in hands:
        if index == 3 + seat:
            continue
        parts = fields[index].split("/")
        if len(parts) != 8:
            refuse(fields[index], "R12.3", f"{len(parts)} parts instead of 8")
        parts[2] = fill_hand(parts[2], pools, free)
        fields[index] = "/".join(parts)
    if any(pools.values()):
        refuse("old", "R12.6", "a pool has more cards than hidden places")
    return seat, " ".join(fields[:-2])


def read_observer(text: str, num_seats: int) -> int:
    """Read the last field."""
    if text == "@-":
        return 0
    if text not in [f"@p{seat + 1}" for seat in range(num_seats)]:
        refuse("@", "R12.5", f"{text!r} is not an observer of a game for {num_seats}")
    return int(text[2:])


def read_old_pools(text: str) -> dict[int, list[str]]:
    """Read the field `old=`."""
    pools: dict[int, list[str]] = {}
    if not text.startswith("old="):
        refuse("old", "R12.5", f"the field is not where it belongs, but {text!r}")
    if text == "old=-":
        return pools
    for pool in text[len("old=") :].split(";"):
        epoch, _, cards = pool.partition(":")
        pools[read_number("old", epoch)] = read_cards("old", cards)
    return pools


def fill_hand(text: str, pools: dict[int, list[str]], free: Iterator[str]) -> str:
    """Put cards into the hidden places of a masked hand; those of a pool leave the pool."""
    if text == "-":
        return "-"
    cards = []
    for item in text.split(","):
        match = HIDDEN_CARD.fullmatch(item)
        if not match:
            cards.append(item)
        elif match[1] is None:
            card = next(free, None)
            if card is None:
                refuse("forge", "R12.6", "no card is left for a hidden place")
            cards.append(card)
        else:
            pool = pools.get(read_number("hand", match[2]))
            if not pool:
                refuse("old", "R12.6", f"no card of the old pools is left for {item!r}")
            cards.append(pool.pop(0) + match[1])
    return ",".join(sorted(cards, key=lambda card: CARD_ORDER.get(card[:2], -1)))
