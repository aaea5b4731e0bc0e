"""Which views of Hearts are valid positions (R4.3) and valid observations (R4.4)."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from kingmaker.cext.errors import InputError

from .cards import CARDS, DIRECTIONS, HIDDEN, TWO_OF_CLUBS, is_excluded, points_of

View = dict[str, Any]

HAND_CARDS = 13
GIVEN_CARDS = 3
LONGEST_VALUE = 60


def refusal(field: str, value: str, rule: str, wanted: str) -> InputError:
    """Return the error that says what would have been right."""
    shown = value if len(value) <= LONGEST_VALUE else value[:LONGEST_VALUE] + "..."
    return InputError(f"{wanted}; got {shown!a}", field=field, value=shown, rule=rule)


def check_position(view: View) -> None:
    """Refuse a view that is no valid position.

    Raises:
        InputError: says which field and which rule.
    """
    named = [*view["trick"]]
    for seat in view["seats"]:
        named += seat["hand"] + seat["played"] + seat["given"]
    if HIDDEN in named:
        raise refusal("position", HIDDEN, "R4.2", "a position has no hidden cards")
    _check(view)


def check_observation(view: View) -> None:
    """Refuse a view that no valid position is consistent with.

    Raises:
        InputError: says which field and which rule.
    """
    _check(view)
    for number in range(1, 5):
        _check_hidden(view, number)
    if _is_play(view):
        _check_places(view)


def _is_play(view: View) -> bool:
    return view["node"][:4] in ("end", "play")


def _check(view: View) -> None:
    """Check what holds for positions and observations alike."""
    _check_unique(view)
    if view["node"] == "direction":
        _check_before_the_deal(view)
        return
    _check_direction(view)
    if view["node"].startswith("deal"):
        _check_deal(view)
    elif view["node"].startswith("pass"):
        _check_pass(view)
    else:
        _check_tricks(view)
        _check_given(view)
        _check_two_of_clubs(view)
        _check_shown(view)
        _check_points(view)


def _check_unique(view: View) -> None:
    """R4.3b."""
    cards = [*view["trick"]]
    for seat in view["seats"]:
        cards += seat["hand"] + seat["played"] + ([] if _is_play(view) else seat["given"])
        _check_no_card_twice(seat["given"])
    _check_no_card_twice(cards)


def _check_no_card_twice(cards: list[str]) -> None:
    named = [card for card in cards if card != HIDDEN]
    if len(set(named)) < len(named):
        twice = next(card for card in named if named.count(card) > 1)
        raise refusal("position", twice, "R4.3b", "every card is there once")


# --- before the tricks (R4.3c) --------------------------------------------------------------------


def _check_before_the_deal(view: View) -> None:
    if view["direction"] or view["pass"]:
        raise refusal("direction", view["direction"], "R4.3c", "the direction is not drawn yet")
    _check_nothing_played(view)
    if any(seat["hand"] or seat["given"] for seat in view["seats"]):
        raise refusal("node", view["node"], "R4.3c", "nothing is dealt before the direction")


def _check_direction(view: View) -> None:
    if not view["direction"]:
        raise refusal("direction", "_", "R4.3c", "the direction is drawn before the deal")
    if view["pass"] not in ("", view["direction"]):
        raise refusal(
            "direction", view["direction"], "R4.3c", "the direction is that of the option"
        )


def _check_nothing_played(view: View) -> None:
    if view["trick"]:
        raise refusal("trick", ",".join(view["trick"]), "R4.3c", "no card is played yet")
    for number, seat in enumerate(view["seats"], start=1):
        if seat["played"] or seat["shown"] or seat["points"]:
            raise refusal(
                f"p{number}",
                f"{','.join(seat['played'])}/{seat['shown']}/{seat['points']}",
                "R4.3c",
                "before the first trick nothing is played, shown or taken",
            )


def _check_deal(view: View) -> None:
    _check_nothing_played(view)
    if any(seat["given"] for seat in view["seats"]):
        raise refusal("given", view["node"], "R4.3c", "nothing is given before the deal is over")
    sizes = [len(seat["hand"]) for seat in view["seats"]]
    num_dealt = sum(sizes)
    if num_dealt >= len(CARDS) or sizes != [(num_dealt + 3 - seat) // 4 for seat in range(4)]:
        raise refusal("node", view["node"], "R4.3c", "the cards are dealt one by one, p1 first")
    _check_implied_node(view, f"deal:p{num_dealt % 4 + 1}")


def _check_pass(view: View) -> None:
    _check_nothing_played(view)
    if view["direction"] == "none":
        raise refusal("node", view["node"], "R4.3c", "without a direction there is no pass")
    given = [len(seat["given"]) for seat in view["seats"]]
    num_given = sum(given)
    if given != [min(max(num_given - GIVEN_CARDS * i, 0), GIVEN_CARDS) for i in range(4)]:
        raise refusal("given", str(given), "R4.3c", "p1 to p4 set three cards aside, in turn")
    if num_given == 4 * GIVEN_CARDS:
        raise refusal("node", view["node"], "R4.3c", "after p4's third card the pass is over")
    for number, seat in enumerate(view["seats"], start=1):
        if len(seat["hand"]) + len(seat["given"]) != HAND_CARDS:
            raise refusal(f"p{number}", view["node"], "R4.3c", "every seat has 13 cards")
    _check_implied_node(view, f"pass:p{num_given // GIVEN_CARDS + 1}")


def _check_implied_node(view: View, node: str) -> None:
    if view["node"] != node:
        raise refusal("node", view["node"], "R4.3c", f"the node of this position is {node}")


# --- the tricks -----------------------------------------------------------------------------------


def _trick_seats(view: View) -> list[int]:
    """The indices of the seats whose cards are in the trick, in order."""
    num_cards = len(view["trick"])
    first = int(view["node"][-1]) - 1 - num_cards if num_cards else 0
    return [(first + place) % 4 for place in range(num_cards)]


def _cards_since_exchange(view: View, seat: int) -> list[str]:
    """The cards that a seat has had since the exchange: hand, played and in the trick."""
    in_trick = dict(zip(_trick_seats(view), view["trick"], strict=True))
    cards: list[str] = view["seats"][seat]["hand"] + view["seats"][seat]["played"]
    return cards + ([in_trick[seat]] if seat in in_trick else [])


def _num_tricks(view: View) -> int:
    return len(view["seats"][0]["played"])


def _check_tricks(view: View) -> None:
    """R4.3e."""
    if HIDDEN in view["trick"] or any(HIDDEN in seat["played"] for seat in view["seats"]):
        raise refusal("trick", HIDDEN, "R4.2", "cards that are played are seen by all")
    if len({len(seat["played"]) for seat in view["seats"]}) > 1:
        raise refusal("played", view["node"], "R4.3e", "all seats have played equally many tricks")
    if len(view["trick"]) > 3:
        raise refusal("trick", ",".join(view["trick"]), "R4.3e", "a trick is taken with four cards")
    if (view["node"] == "end") != (_num_tricks(view) == HAND_CARDS):
        raise refusal("node", view["node"], "R4.3e", "the game ends after thirteen tricks")
    if view["node"] == "end" and view["trick"]:
        raise refusal("trick", ",".join(view["trick"]), "R4.3e", "all cards are played")
    for seat in range(4):
        if len(_cards_since_exchange(view, seat)) != HAND_CARDS:
            raise refusal(
                f"p{seat + 1}",
                view["node"],
                "R4.3e",
                "every seat has 13 cards in hand, played and in the trick, whose last card is that "
                "of the seat before the one to play",
            )


def _check_given(view: View) -> None:
    """R4.3d."""
    direction = DIRECTIONS.index(view["direction"])
    for giver, seat in enumerate(view["seats"]):
        field = f"p{giver + 1}"
        if len(seat["given"]) != (GIVEN_CARDS if direction else 0):
            raise refusal(
                field, ",".join(seat["given"]), "R4.3d", "each seat has given 3 cards, or none"
            )
        lost = {*seat["given"]} - {HIDDEN, *_cards_since_exchange(view, (giver + direction) % 4)}
        if lost:
            raise refusal(
                field, min(lost), "R4.3d", "a card that is given is among those of its receiver"
            )


def _check_two_of_clubs(view: View) -> None:
    """R4.3f."""
    if _num_tricks(view) > 0:
        is_led = any(TWO_OF_CLUBS in seat["played"] for seat in view["seats"])
    elif view["trick"]:
        is_led = view["trick"][0] == TWO_OF_CLUBS
    else:
        is_led = TWO_OF_CLUBS in view["seats"][int(view["node"][-1]) - 1]["hand"]
    if not is_led:
        raise refusal("node", view["node"], "R4.3f", "the two of clubs leads to the first trick")


def _check_shown(view: View) -> None:
    """R4.3g."""
    for number, seat in enumerate(view["seats"], start=1):
        letters = seat["shown"]
        if "q" in letters and not {"c", "d"} <= set(letters):
            raise refusal(f"p{number}", letters, "R4.3g", "q comes only together with c and d")
        for card in seat["hand"]:
            if card != HIDDEN and is_excluded(card, letters):
                raise refusal(
                    f"p{number}", card, "R4.3g", f"a seat that has shown {letters} cannot hold it"
                )
    for place, seat in enumerate(_trick_seats(view)):
        missing = set(shown_by(view, place)) - set(view["seats"][seat]["shown"])
        if missing:
            raise refusal(
                f"p{seat + 1}",
                view["seats"][seat]["shown"],
                "R4.3g",
                f"by {view['trick'][place]} in the trick it has shown {''.join(sorted(missing))}",
            )


def shown_by(view: View, place: int) -> str:
    """Return the letters that a card of the running trick has left (R3.5)."""
    card, led = view["trick"][place], view["trick"][0][1]
    played = [card for seat in view["seats"] for card in seat["played"]]
    if place == 0:
        is_broken = any(points_of(card) for card in played)
        return "cds" if led == "h" and not is_broken else ""
    if card[1] == led:
        return ""
    return "cdq" if not played and points_of(card) else led


def _check_points(view: View) -> None:
    """R4.3h."""
    played = [card for seat in view["seats"] for card in seat["played"]]
    points = [seat["points"] for seat in view["seats"]]
    taken = sum(map(points_of, played))
    if sum(points) != taken:
        raise refusal("points", str(points), "R4.3h", f"{taken} points have been taken")
    if "qs" in played and max(points) < points_of("qs"):
        raise refusal(
            "points", str(points), "R4.3h", "one seat has the 13 points of the queen of spades"
        )


# --- what is hidden (R4.4) ------------------------------------------------------------------------


def _check_hidden(view: View, number: int) -> None:
    """Exactly the cards that the observer does not see are hidden."""
    seat = view["seats"][number - 1]
    is_own = number == view["observer"]
    seen = set(seat["hand"]) if is_own else _seen_in_hand(view, number)
    if (is_own and HIDDEN in seat["hand"]) or set(seat["hand"]) - {HIDDEN} != seen:
        raise refusal(
            f"p{number}",
            ",".join(seat["hand"]),
            "R4.4",
            "exactly the cards that the observer does not see are written ?",
        )
    is_seen = is_own or (_is_play(view) and _receiver(view, number) == view["observer"])
    if seat["given"].count(HIDDEN) != (0 if is_seen else len(seat["given"])):
        raise refusal(
            f"p{number}",
            ",".join(seat["given"]),
            "R4.4",
            "the giver sees what is given, the receiver too after the exchange, others see ?",
        )


def _receiver(view: View, number: int) -> int:
    """The number of the seat that gets the cards that a seat gives."""
    return (number - 1 + DIRECTIONS.index(view["direction"])) % 4 + 1


def _seen_in_hand(view: View, number: int) -> set[str]:
    """The cards that the observer sees in the hand of another seat (R3.3, R3.4)."""
    if not _is_play(view):
        return set()
    observer = view["observer"]
    seen: set[str] = set()
    if observer and _receiver(view, observer) == number:
        gone = {*view["trick"], *view["seats"][number - 1]["played"]}
        seen = set(view["seats"][observer - 1]["given"]) - gone
    if not _num_tricks(view) and not view["trick"] and view["node"] == f"play:p{number}":
        seen |= {TWO_OF_CLUBS}
    return seen


def _check_places(view: View) -> None:
    """The unseen cards can be divided among the hidden places: Hall's condition on the seats."""
    named = {*view["trick"]}
    for seat in view["seats"]:
        named |= {*seat["hand"], *seat["played"]}
    unseen = [card for card in CARDS if card not in named]
    places = [(seat["hand"].count(HIDDEN), seat["shown"]) for seat in view["seats"]]
    for size in range(1, 5):
        for seats in combinations(places, size):
            if sum(num_places for num_places, _ in seats) > _num_fitting(unseen, seats):
                raise refusal(
                    "shown",
                    " ".join(letters for _, letters in seats),
                    "R4.4",
                    "the unseen cards do not fit into the hands, by what has been shown",
                )


def _num_fitting(cards: Iterable[str], seats: Iterable[tuple[int, str]]) -> int:
    """Count the cards that at least one of the seats may hold."""
    return sum(
        any(places and not is_excluded(card, letters) for places, letters in seats)
        for card in cards
    )
