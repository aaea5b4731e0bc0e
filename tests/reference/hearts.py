"""Hearts in plain Python, from docs/rules/hearts.md; cards and seats are in `hearts_cards`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from .hearts_cards import (
    ALL_POINTS,
    CARDS,
    DIRECTIONS,
    GIVEN_CARDS,
    HAND_CARDS,
    NO_CARDS,
    NODES,
    NONE,
    NOT_DRAWN,
    OBSERVERS,
    PASS_STEPS,
    POINTS,
    RANDOM,
    RANKS,
    SEATS,
    TAGS,
    Seat,
    clockwise,
    divide,
    in_order,
    is_excluded,
    points_of,
    read_list,
    shown_by,
    split_line,
    split_seat,
    suit_of,
    without_hidden,
)


@dataclass(frozen=True)
class Reference:
    """A state of Hearts."""

    option: str  # section 5: RANDOM, or the fixed direction
    direction: str
    seats: tuple[Seat, ...] = (Seat(),) * len(SEATS)
    trick: tuple[str, ...] = ()
    node_text: str = "direction"

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game (R1.2, section 5)."""
        for name in options:
            if name != "pass":
                raise ValueError(f"{name}: the game has no such option (section 5)")
        option = options.get("pass", RANDOM)
        if option not in TAGS:
            raise ValueError(f"pass: {option!r} is not one of {', '.join(TAGS)} (section 5)")
        if option == RANDOM:
            return cls(option, NOT_DRAWN)
        return cls(option, option, node_text="deal:p1")

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R4.3)."""
        state = cls._from_values(*split_line(text))
        state.check()
        return state

    @classmethod
    def _from_values(cls, tag: str, values: Mapping[str, str]) -> Reference:
        """Read the fields, each by itself (R4.3a)."""
        if tag not in TAGS.values():
            raise ValueError(f"tag: {tag!r} is not hearts, with or without an option (section 5)")
        if values["direction"] not in (*DIRECTIONS, NOT_DRAWN):
            raise ValueError(f"direction: {values['direction']!r} is none (R4.3a)")
        if values["node"] not in NODES:
            raise ValueError(f"node: {values['node']!r} is none (R4.3a)")
        return cls(
            next(option for option in TAGS if TAGS[option] == tag),
            values["direction"],
            tuple(Seat.read(f"p{seat}", values[f"p{seat}"]) for seat in SEATS),
            read_list("trick", values["trick"]),
            values["node"],
        )

    def check(self) -> None:
        """R4.3b to R4.3h, section 5."""
        if self.option not in (RANDOM, self.direction):
            raise ValueError(f"direction: {self.direction} with pass={self.option} (section 5)")
        if (self.node_text == "direction") != (self.direction == NOT_DRAWN):
            raise ValueError(f"direction: {self.direction} at {self.node_text} (R4.3c)")
        self.check_no_card_is_twice()
        if self._is_exchanged():
            self.check_tricks()
            self.check_two_of_clubs()
            self.check_given()
            self.check_shown()
            self.check_points()
            return
        self.check_nothing_is_played()
        if self._kind() == "pass":
            self.check_pass()
        else:
            self.check_deal()

    def check_no_card_is_twice(self) -> None:
        """R4.3b."""
        cards = list(self.trick)
        for seat in self.seats:
            cards += [*seat.hand, *seat.played]
            if not self._is_exchanged():
                cards += seat.given
        if len(cards) != len(set(cards)):
            raise ValueError("line: a card occurs twice (R4.3b)")

    def check_nothing_is_played(self) -> None:
        """R4.3c: what is common to the nodes before the play."""
        if self.trick or any(seat.played or seat.shown or seat.points for seat in self.seats):
            raise ValueError(f"node: {self.node_text}, but something has been played (R4.3c)")

    def check_deal(self) -> None:
        """R4.3c: before the deal, and the deal."""
        if any(seat.given for seat in self.seats):
            raise ValueError(f"node: {self.node_text}, but cards have been given (R4.3c)")
        sizes = [len(seat.hand) for seat in self.seats]
        dealt_in_turn = [(sum(sizes) + 4 - seat) // 4 for seat in SEATS]
        if sizes != dealt_in_turn:
            raise ValueError(f"hand: {sizes} cards are not dealt in turn (R4.3c)")
        if self.node_text == "direction":
            if any(sizes):
                raise ValueError("hand: cards before the deal (R4.3c)")
            return
        if sum(sizes) == len(CARDS) or self._seat_asked() != clockwise(1, sum(sizes)):
            raise ValueError(f"node: {self.node_text} with {sizes} cards in hand (R4.3c)")

    def check_pass(self) -> None:
        """R4.3c: the pass."""
        if self.direction == NONE:
            raise ValueError("node: a pass with the direction none (R4.3c)")
        for number, seat in zip(SEATS, self.seats, strict=True):
            if len(seat.hand) + len(seat.given) != HAND_CARDS:
                raise ValueError(f"p{number}: not 13 cards in hand and given (R4.3c)")
            if number < self._seat_asked():
                fits = len(seat.given) == GIVEN_CARDS
            elif number == self._seat_asked():
                fits = len(seat.given) < GIVEN_CARDS
            else:
                fits = not seat.given
            if not fits:
                raise ValueError(f"p{number}: {len(seat.given)} given at {self.node_text} (R4.3c)")

    def check_tricks(self) -> None:
        """R4.3e."""
        num_tricks = len(self.seats[0].played)
        if any(len(seat.played) != num_tricks for seat in self.seats):
            raise ValueError("played: not as many cards of each seat (R4.3e)")
        if (self.node_text == "end") != (num_tricks == HAND_CARDS):
            raise ValueError(f"node: {self.node_text} after {num_tricks} tricks (R4.3e)")
        if len(self.trick) >= (len(SEATS) if self._kind() == "play" else 1):
            raise ValueError(f"trick: {len(self.trick)} cards (R4.3e)")
        for seat in SEATS:
            if len(self._cards_after_pass(seat)) != HAND_CARDS:
                raise ValueError(f"p{seat}: not 13 cards in hand, played and trick (R4.3e)")

    def check_two_of_clubs(self) -> None:
        """R4.3f."""
        if not self._is_first_trick():
            fits = "2c" in self._played()
        elif self.trick:
            fits = self.trick[0] == "2c"
        else:
            fits = "2c" in self._seat(self._seat_asked()).hand
        if not fits:
            raise ValueError("2c: the two of clubs is not where it belongs (R4.3f)")

    def check_given(self) -> None:
        """R4.3d."""
        for number, seat in zip(SEATS, self.seats, strict=True):
            receiver = self._receiver(number)
            if len(seat.given) != (GIVEN_CARDS if receiver else 0):
                raise ValueError(f"p{number}: {len(seat.given)} cards given (R4.3d)")
            if receiver and not seat.given <= self._cards_after_pass(receiver):
                raise ValueError(f"p{number}: p{receiver} has not got a given card (R4.3d)")

    def check_shown(self) -> None:
        """R4.3g."""
        for number, seat in zip(SEATS, self.seats, strict=True):
            if any(is_excluded(card, seat.shown) for card in seat.hand):
                raise ValueError(f"p{number}: has what it has shown not to have (R4.3g)")
            if "q" in seat.shown and not {"c", "d"} <= seat.shown:
                raise ValueError(f"p{number}: the letter q without c and d (R4.3g)")
        is_broken = points_of(self._played()) > 0
        for number, card in self._trick_cards().items():
            letters = shown_by(card, self.trick[0], self._is_first_trick(), is_broken)
            if not letters <= self._seat(number).shown:
                raise ValueError(f"p{number}: {card} has not left its letters (R4.3g)")

    def check_points(self) -> None:
        """R4.3h."""
        points = [seat.points for seat in self.seats]
        if sum(points) != points_of(self._played()):
            raise ValueError(f"points: {points} are not those of the played cards (R4.3h)")
        if "qs" in self._played() and max(points) < POINTS["qs"]:
            raise ValueError("points: nobody has taken the queen of spades (R4.3h)")

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line by putting cards into the hidden places (R4.4).

        One division that obeys the letters speaks for all: no other rule of R4.3 asks where a
        card is that the observer does not see.
        """
        position, _, observer = text.rpartition(" ")
        if observer not in OBSERVERS:
            raise ValueError(f"@: {observer!r} is not @p1, @p2, @p3, @p4 or @- (R4.4)")
        tag, values = split_line(position)
        hidden_in_hand, hidden_given = [], []
        for name in ("p1", "p2", "p3", "p4"):
            hand, played, given, *rest = split_seat(name, values[name])
            hand, num_in_hand = without_hidden(hand)
            given, num_given = without_hidden(given)
            values[name] = "/".join([hand, played, given, *rest])
            hidden_in_hand.append(num_in_hand)
            hidden_given.append(num_given)
        state = cls._from_values(tag, values)._fill(hidden_in_hand, hidden_given)
        state.check()
        if state.observe(OBSERVERS[observer]) != text:
            raise ValueError("line: a card is seen that is hidden, or the reverse (R4.4)")
        return text

    def _fill(self, hidden_in_hand: Sequence[int], hidden_given: Sequence[int]) -> Reference:
        """Add so many unseen cards to the hand of each seat, and to the cards that it gave."""
        named = set(self.trick).union(*(s.hand | s.played | s.given for s in self.seats))
        unseen = [card for card in CARDS if card not in named]
        places = [*zip(self.seats, hidden_in_hand, strict=True)]
        if not self._is_exchanged():
            places += zip(self.seats, hidden_given, strict=True)
        drawn = iter(divide(unseen, [seat.shown for seat, count in places for _ in range(count)]))
        state = self
        for seat, count in zip(SEATS, hidden_in_hand, strict=True):
            state = state._take(seat, frozenset(islice(drawn, count)))
        for seat, count in zip(SEATS, hidden_given, strict=True):
            receiver = state._receiver(seat)
            if state._is_exchanged() and receiver:  # any three of the receiver do (R4.4)
                drawn = iter(in_order(state._seat(receiver).hand | state._seat(receiver).played))
            state = state._set_aside(seat, frozenset(islice(drawn, count)))
        return state

    def text(self) -> str:
        """Print the position (R4.2)."""
        return self._line([seat.text(seat.hand, seat.given) for seat in self.seats])

    def _line(self, seat_texts: Sequence[str]) -> str:
        fields = [
            TAGS[self.option],
            f"direction={self.direction}",
            *(f"p{seat}={text}" for seat, text in zip(SEATS, seat_texts, strict=True)),
            f"trick={','.join(self.trick) or '-'}",
            f"node={self.node_text}",
        ]
        return " ".join(fields)

    def _kind(self) -> str:
        """Give `direction`, `deal`, `pass`, `play` or `end`."""
        return self.node_text.partition(":")[0]

    def _seat_asked(self) -> int:
        """Give the N of the node."""
        return int(self.node_text.partition(":p")[2])

    def node(self) -> str:
        """Say who is asked (section 2)."""
        kind, _, seat = self.node_text.partition(":")
        return {"direction": "chance", "deal": "chance", "end": "end"}.get(kind, seat)

    def _seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def _is_exchanged(self) -> bool:
        """Tell whether the pass is over, or there was none."""
        return self._kind() in ("play", "end")

    def _is_first_trick(self) -> bool:
        return not self._played()

    def _played(self) -> frozenset[str]:
        """Give the cards of the finished tricks."""
        return NO_CARDS.union(*(seat.played for seat in self.seats))

    def _trick_cards(self) -> dict[int, str]:
        """Give the seats of the running trick their cards, the leader first (R4.3e)."""
        steps_back = range(-len(self.trick), 0)
        return {
            clockwise(self._seat_asked(), steps): card
            for steps, card in zip(steps_back, self.trick, strict=True)
        }

    def _cards_after_pass(self, number: int) -> frozenset[str]:
        """Give the cards with which a seat began the play."""
        in_trick = self._trick_cards().get(number)
        seat = self._seat(number)
        return seat.hand | seat.played | ({in_trick} if in_trick else NO_CARDS)

    def _receiver(self, giver: int) -> int | None:
        """R1.2; None if the direction is none, or not drawn."""
        if self.direction not in PASS_STEPS:
            return None
        return clockwise(giver, PASS_STEPS[self.direction])

    def legal(self) -> list[str]:
        """List the legal moves (R1.4, R1.7, R4.1)."""
        if self._kind() == "pass":
            return [f"pass:{card}" for card in in_order(self._seat(self._seat_asked()).hand)]
        if self._kind() == "play":
            return [f"play:{card}" for card in in_order(self._playable())]
        return []

    def _playable(self) -> AbstractSet[str]:
        """R1.7, line by line."""
        hand = self._seat(self._seat_asked()).hand
        if not self.trick and self._is_first_trick():
            return {"2c"}
        if not self.trick:
            is_broken = points_of(self._played()) > 0
            no_hearts = {card for card in hand if suit_of(card) != "h"}
            return no_hearts if no_hearts and not is_broken else hand
        of_led_suit = {card for card in hand if suit_of(card) == suit_of(self.trick[0])}
        if of_led_suit:
            return of_led_suit
        no_points = {card for card in hand if card not in POINTS}
        return no_points if no_points and self._is_first_trick() else hand

    def chance(self) -> dict[str, Fraction]:
        """Give the outcomes their probabilities (R1.2, R1.3, R4.1)."""
        outcomes: list[str] = []
        if self._kind() == "direction":
            outcomes = [f"direction:{direction}" for direction in DIRECTIONS]
        elif self._kind() == "deal":
            dealt = NO_CARDS.union(*(seat.hand for seat in self.seats))
            outcomes = [f"deal:{card}" for card in CARDS if card not in dealt]
        return {outcome: Fraction(1, len(outcomes)) for outcome in outcomes}

    def apply(self, token: str) -> Reference:
        """Draw the direction, deal, pass or play a card."""
        if token not in self.legal() and token not in self.chance():
            raise ValueError(f"{token!r} is not possible in {self.text()}")
        verb, _, argument = token.partition(":")
        if verb == "direction":
            return replace(self, direction=argument, node_text="deal:p1")
        if verb == "deal":
            return self._deal(argument)
        return self._pass(argument) if verb == "pass" else self._play(argument)

    def _with(self, number: int, seat: Seat) -> Reference:
        return replace(self, seats=(*self.seats[: number - 1], seat, *self.seats[number:]))

    def _take(self, number: int, cards: AbstractSet[str]) -> Reference:
        """Take cards into the hand."""
        seat = self._seat(number)
        return self._with(number, replace(seat, hand=seat.hand | cards))

    def _lose(self, number: int, card: str) -> Reference:
        """Take a card out of the hand."""
        seat = self._seat(number)
        return self._with(number, replace(seat, hand=seat.hand - {card}))

    def _set_aside(self, number: int, cards: AbstractSet[str]) -> Reference:
        """Write cards down as set aside or given."""
        seat = self._seat(number)
        return self._with(number, replace(seat, given=seat.given | cards))

    def _deal(self, card: str) -> Reference:
        """R1.3."""
        seat = self._seat_asked()
        state = self._take(seat, {card})
        if any(len(seat.hand) < HAND_CARDS for seat in state.seats):
            return replace(state, node_text=f"deal:p{clockwise(seat, 1)}")
        if self.direction == NONE:
            return state._begin_play()
        return replace(state, node_text="pass:p1")

    def _pass(self, card: str) -> Reference:
        """R1.4."""
        seat = self._seat_asked()
        state = self._lose(seat, card)._set_aside(seat, {card})
        if len(state._seat(seat).given) < GIVEN_CARDS:
            return state
        if seat < len(SEATS):
            return replace(state, node_text=f"pass:p{seat + 1}")
        return state._exchange()._begin_play()

    def _exchange(self) -> Reference:
        """The cards change hands (R1.4)."""
        state = self
        for giver in SEATS:
            receiver = self._receiver(giver)
            assert receiver is not None
            state = state._take(receiver, self._seat(giver).given)
        return state

    def _begin_play(self) -> Reference:
        """Ask the holder of the two of clubs to lead (R1.5)."""
        [leader] = [seat for seat in SEATS if "2c" in self._seat(seat).hand]
        return replace(self, node_text=f"play:p{leader}")

    def _play(self, card: str) -> Reference:
        """R1.5, R3.5."""
        number = self._seat_asked()
        led = self.trick[0] if self.trick else card
        is_broken = points_of(self._played() | set(self.trick)) > 0  # R1.6
        letters = shown_by(card, led, self._is_first_trick(), is_broken)
        state = self._lose(number, card)
        seat = state._seat(number)
        state = replace(
            state._with(number, replace(seat, shown=seat.shown | letters)),
            trick=(*self.trick, card),
            node_text=f"play:p{clockwise(number, 1)}",
        )
        return state._end_trick() if len(state.trick) == len(SEATS) else state

    def _end_trick(self) -> Reference:
        """Give the trick to whoever takes it (R1.5); the leader's turn would come again."""
        cards = self._trick_cards()
        led_suit = suit_of(self.trick[0])
        following = [seat for seat, card in cards.items() if suit_of(card) == led_suit]
        taker = max(following, key=lambda seat: RANKS.index(cards[seat][0]))
        state = replace(self, trick=(), node_text=f"play:p{taker}")
        for number, card in cards.items():
            seat = self._seat(number)
            points = seat.points + (points_of(set(self.trick)) if number == taker else 0)
            state = state._with(number, replace(seat, played=seat.played | {card}, points=points))
        return state if any(seat.hand for seat in state.seats) else replace(state, node_text="end")

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R3.1 to R3.4, R4.4)."""
        if seat not in OBSERVERS.values():
            raise ValueError(f"seat {seat} of a 4-seat game")
        texts = [
            self._seat(owner).text(self._seen_in_hand(seat, owner), self._seen_given(seat, owner))
            for owner in SEATS
        ]
        return self._line(texts) + (f" @p{seat}" if seat else " @-")

    def _seen_in_hand(self, observer: int, owner: int) -> AbstractSet[str]:
        """Give what an observer sees in the hand of an owner (R3.1, R3.3, R3.4)."""
        hand = self._seat(owner).hand
        if observer == owner:
            return hand
        seen: set[str] = set()
        if observer and self._receiver(observer) == owner:
            seen |= hand & self._seat(observer).given
        if self._kind() == "play" and self._is_first_trick() and not self.trick:
            seen |= hand & {"2c"}
        return seen

    def _seen_given(self, observer: int, giver: int) -> AbstractSet[str]:
        """Give what an observer sees of the cards that a giver has set aside or given (R3.2)."""
        is_receiver = self._is_exchanged() and observer == self._receiver(giver)
        return self._seat(giver).given if observer == giver or is_receiver else NO_CARDS

    def consistent(self, seat: int, position_text: str) -> bool:
        """Tell whether a position fits the observation."""
        try:
            return Reference.parse(position_text).observe(seat) == self.observe(seat)
        except ValueError:
            return False

    def returns(self) -> list[Fraction]:
        """Give the shares (R1.8)."""
        if self.node() != "end":
            raise ValueError("the game is not over")
        scores = [seat.points for seat in self.seats]
        if ALL_POINTS in scores:
            scores = [ALL_POINTS - score for score in scores]
        denominator = len(SEATS) * ALL_POINTS - sum(scores)
        return [Fraction(ALL_POINTS - score, denominator) for score in scores]
