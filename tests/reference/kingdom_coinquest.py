"""Kingdom Coinquest in plain Python, rule by rule from docs/rules/kingdom_coinquest.md.

Rule numbers (R6.7, D12) are those of the page. Options: players, kings, health, turn_limit and
ace_strike (section 13). The forge is never stored: it is the circulating cards that lie nowhere
else. The parts: `kingdom_coinquest_state` (cards, players, printing), `..._reading` and
`..._validity` (positions and observations).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from .kingdom_coinquest_reading import read_fields, witness
from .kingdom_coinquest_state import (
    CARD_ORDER,
    DEFAULT_TURN_LIMIT,
    HAND_SIZE,
    NUMBER,
    SALVAGE_SIZE,
    SUITS,
    UNITS,
    Load,
    Player,
    State,
    is_court_pair,
    is_equipment,
    is_equipment_pair,
    is_rival_card,
    load_value,
    preparation_cost,
    refuse,
)
from .kingdom_coinquest_validity import check_validity


@dataclass(frozen=True)
class Reference(State):
    """A state of Kingdom Coinquest, and how play goes on from it."""

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
        state, forge_count = read_fields(cls, text)
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
            raise ValueError(f"{token!r} is not possible now ({self.node_text()})")
        if self.kind == "king":
            return self._draw_king(token)
        if self.kind == "draw":
            return self._draw(token)
        if self.kind == "deal":  # R5.2
            dealt = self.me().with_card(token[len("deal:") :], self.epoch)
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
        crowned = self._with_me(replace(self.me(), suit=token[len("king:") :]))
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
        me = self.me()
        if me.counters > 0:
            me = replace(me, counters=me.counters - 1)
        return self._with_me(me)._draw_check()

    def _draw_check(self) -> Reference:
        """R4.3."""
        return self._to("draw" if len(self.me().hand) < HAND_SIZE else "play")

    def _turn_end(self) -> Reference:
        """R4.5."""
        if self.turn == self.turn_limit:
            return self._end()
        here = SUITS.index(self.me().suit)

        def distance(seat: int) -> int:
            """Count the steps in suit order from the actor, 1..4."""
            return (SUITS.index(self._player(seat).suit) - here - 1) % len(SUITS) + 1

        following = min(self.living(), key=distance)
        return replace(self, turn=self.turn + 1, actor=following)._turn_start()

    # Draw phase (R5)

    def _draw_moves(self) -> list[str]:
        moves = []
        if self.forge() or len(self.grave) >= 2:
            moves.append("draw:forge")
        if self.grave:
            moves.append("draw:grave")
        return moves + [f"draw:salvage:{card}" for card in self.me().salvage]

    def _draw(self, token: str) -> Reference:
        if token == "draw:forge":
            return (self if self.forge() else self._reshuffle())._to("deal")
        if token == "draw:grave":
            drawn = self._with_me(self.me().with_card(self.grave[0], None))
            return replace(drawn, grave=self.grave[1:])._draw_check()
        card = token[len("draw:salvage:") :]
        left = tuple(other for other in self.me().salvage if other != card)
        me = replace(self.me(), salvage=left).with_card(card, None)
        return self._with_me(me)._draw_check()

    def _reshuffle(self) -> Reference:
        """R9.1: what leaves the graveyard is the forge, because it lies nowhere else."""
        return replace(self, grave=self.grave[:1], epoch=self.epoch + 1)

    # Play phase (R6), one line per row of the table R6.1

    def _play_moves(self) -> list[str]:
        me = self.me()
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
        me = self.me()
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
        return [f"attack:p{seat}" for seat in self.living() if seat != self.actor]

    def _court_cards(self, rank: str) -> list[str]:
        """List the playable queens or aces of the hand: the own one, then pairs (R6.4)."""
        me = self.me()
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
        me = self.me().without_cards(*load)
        if verb == "prep":
            me = replace(me, quartermaster=load, counters=preparation_cost(load))
            return self._with_me(me)._to("discard")
        if verb == "queen":
            return self._with_me(replace(me, queen=load))._to("discard")
        return self._with_me(me)._ace(load, arguments[1])

    def _equip(self, unit: str) -> Reference:
        """R6.6."""
        me = self.me()
        equipped = replace(me.with_load_on(unit, me.quartermaster), quartermaster=(), counters=0)
        return self._with_me(equipped)._on_top(me.load_on(unit))._to("discard")

    def _ace(self, aces: Load, unit: str) -> Reference:
        """R6.7, R6.9; the aces have left the hand."""
        me = self.me()
        taken, rest = self.grave[0], self.grave[1:]  # (1)
        state = replace(self, grave=rest)._on_top(me.load_on(unit))  # (2)
        state = state._with_me(me.with_load_on(unit, (taken,)))  # (3)
        state = state._at_bottom(aces)  # (4)
        return state._to("strike" if self.ace_strike and unit == "peasant" else "discard")

    # Battle (R7, R10)

    def _attack(self, target: int) -> Reference:
        """R7.2."""
        me = self.me()
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
        if len(state.living()) == 1:
            return state._end()  # R10.3
        return state._to("discard")

    def _eliminate(self, seat: int) -> Reference:
        """R10.2."""
        dead = self._player(seat)
        cards = dead.quartermaster + dead.peasant + dead.salvage + tuple(dead.hand_cards())
        return self._at_bottom(cards)._with_player(seat, Player(dead.suit, 0))

    # Discard phase (R8)

    def _discard_moves(self) -> list[str]:
        me = self.me()
        moves = [f"discard:{card}" for card in me.hand_cards()]
        if len(me.salvage) < SALVAGE_SIZE:
            moves += [f"salvage:{card}" for card in me.hand_cards()]
        return moves + (["scrap"] if me.quartermaster else [])

    def _discard(self, token: str) -> Reference:
        me = self.me()
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
