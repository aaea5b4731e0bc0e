"""Observations of Code of Chivalry, and the worlds that fit them (R11.4, R14)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import islice

from .code_of_chivalry_cards import Cards, refuse
from .code_of_chivalry_reading import (
    FIELD_NAMES,
    check_canonical,
    read_fields,
    read_seat,
    read_tag,
)
from .code_of_chivalry_state import EVERYBODY, Show, State
from .code_of_chivalry_validity import check_validity

HIDDEN_SIZE = re.compile(r"\?(0|[1-9][0-9]*)")  # R14.1


# Worlds (R11.4)


def is_consistent(state: State, observer: int, other: State) -> bool:
    """Tell whether a valid position fits what an observer of `state` sees."""
    visible = slice(0, FIELD_NAMES.index("known"))
    return (
        other.options == state.options
        and other.text_fields(observer)[visible] == state.text_fields(observer)[visible]
        and other.base == state.base
        and all(
            state.known.rows[observer, holder] <= other.player(holder).hand  # (b)
            for holder in state.seats()
            if holder != observer
        )
        and (state.base is None or other.draw_pile <= pile_limit(state, observer))  # (d)
    )


def pile_limit(state: State, observer: int) -> Cards:
    """Collect all that an observer thinks possible in the draw pile (R11.4 d)."""
    if state.base is None:
        return state.options.deck()
    return state.base - state.own.get(observer, Counter())


# Observations (R14)


def read_observation(text: str) -> State:
    """Read an observation line as one of the positions that it comes from.

    Which card lies at which hidden place matters only for R11.4 (b) to (e). A filling that obeys
    these is made here, so if it is not valid, none is.
    """
    texts = text.split(" ")
    if len(texts) != len(FIELD_NAMES) + 1:
        refuse("line", "R14.1", f"{len(texts)} fields instead of {len(FIELD_NAMES) + 1}")
    num_seats = read_tag(texts[0]).players
    observer = read_observer(texts.pop(), num_seats)
    open_fields, sizes, pile_size = without_hidden(texts, observer)
    state = read_fields(open_fields)
    fill_hidden(state, observer, sizes, pile_size)
    check_canonical(text, state.observe(observer))
    check_validity(state)
    return state


def read_observer(text: str, num_seats: int) -> int:
    """Read the last field."""
    if not text.startswith("@"):
        refuse("@", "R14.1", f"{text!r} is not an observer")
    return EVERYBODY if text == "@-" else read_seat("@", text[1:], num_seats)


def without_hidden(texts: list[str], observer: int) -> tuple[list[str], dict[int, int], int]:
    """Empty what the observer does not see; the picks become peasants for the moment.

    Returns:
        The fields, the hand size of each seat that is not seen, and that of the draw pile.
    """
    values = dict(zip(FIELD_NAMES, texts, strict=True))
    entries = values["players"].split("/")
    sizes = {}
    for index, entry in enumerate(entries):
        if index + 1 != observer:
            head, comma, hand = entry.rpartition(",")
            sizes[index + 1] = read_hidden_size("players", hand)
            entries[index] = f"{head}{comma}-"
    values["players"] = "/".join(entries)
    pile_size = read_hidden_size("draw", values["draw"])
    values["draw"] = "-"
    if values["node"].startswith("show:"):
        values["node"] = values["node"].replace("=?", "=p")
    return list(values.values()), sizes, pile_size


def read_hidden_size(field: str, text: str) -> int:
    """Read `?N`."""
    match = HIDDEN_SIZE.fullmatch(text)
    if not match:
        refuse(field, "R14.1", f"{text!r} is not ?<number>")
    return int(match[1])


def fill_hidden(state: State, observer: int, sizes: Mapping[int, int], pile_size: int) -> None:
    """Deal the unseen cards to the hidden hands and the pile (R11.5, but in card order)."""
    unseen = unseen_cards(state, observer)
    known = {holder: state.known.rows[observer, holder] for holder in sizes}
    open_places = {holder: size - known[holder].total() for holder, size in sizes.items()}
    if any(places < 0 for places in open_places.values()):
        refuse("known", "R11.4", "more cards are known in a hand than it has")
    if unseen.total() != pile_size + sum(open_places.values()):
        refuse("line", "R11.4", "the sizes of the hands and the draw pile do not add up")
    eligible = unseen & pile_limit(state, observer)
    if eligible.total() < pile_size:
        refuse("draw", "R11.4", f"only {eligible.total()} cards can lie in the draw pile")
    state.draw_pile = Counter(list(eligible.elements())[:pile_size])
    rest = (unseen - state.draw_pile).elements()
    for holder, places in open_places.items():
        state.player(holder).hand = known[holder] + Counter(islice(rest, places))
    fill_picks(state, sizes)


def unseen_cards(state: State, observer: int) -> Cards:
    """Collect what the observer neither sees nor knows in a hand; the hidden hands are empty."""
    unseen = state.options.deck()
    unseen.subtract(state.open_cards())
    for player in state.players:
        unseen.subtract(player.hand)
    for holder in state.seats():
        if holder != observer:
            unseen.subtract(state.known.rows[observer, holder])
    if min(unseen.values()) < 0:
        refuse("line", "R11.4", "the cards seen and known are not within the deck")
    return unseen


def fill_picks(state: State, sizes: Mapping[int, int]) -> None:
    """Let every hidden pick be a card of the hand (R11.4 e)."""
    if not isinstance(state.node, Show):
        return
    picks = dict(state.node.picks)
    for seat in picks:
        if sizes.get(seat):
            picks[seat] = next(state.player(seat).hand.elements())
    state.node = Show(state.node.asked, picks)
