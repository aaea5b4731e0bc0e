"""Differences between two states of Code of Chivalry in words, with their gain for a seat.

Works on views.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kingmaker.cext.change import (
    Change,
    Told,
    change_of_result,
    changes_of_players,
    part_of_gain,
    weightiest_first,
)
from kingmaker.cext.words import counted, hidden_cards_change

from .cards import CARDS, FORTIFICATIONS
from .names import a_card, cards_name, gems_that_win

View = dict[str, Any]

# Section 14 of the rules page gives values in gems; this is the win share of a gem between equal
# kingdoms.
GEM = 0.06
CARD_WORTH = {
    "peasant": 0.25,
    "soldier": 0.5,
    "knight": 0.9,
    "king": 1.3,
    "ninja": 1.2,
    "dragon": 1.0,
    "archer": 0.25,
    "castle": 0.6,
    "ladder": 0.25,
    "catapult": 0.5,
    "herald": 0.5,
    "merchant": 0.5,
    "traitor": 0.9,
    "highwayman": 0.8,
    "princess": 0.6,
    "executioner": 0.9,
    "jester": 1.5,
    "minstrel": 0.8,
    "monk": 0.5,
}
HIDDEN_WORTH = 0.6  # the mean over the deck of R1.1
# Value of a card face up; its value in the hand is lost when it is laid down.
LAID_WORTH = {"castle": 0.8, "archer": 0.9, "minstrel": 0.9}


def changes(before: View, after: View, seat: int, target: int) -> list[Change]:
    """List the changes for `seat` (from 1; 0: spectator), the weightiest first.

    After the change `target` gems win.
    """
    pairs = [*zip(before["players"], after["players"], strict=True)]
    num_seats = len(pairs)
    told = [_player_changes(f"p{number}", *pair, target) for number, pair in enumerate(pairs, 1)]
    found = changes_of_players(told, seat, num_seats, GEM)
    found += _flight_changes(before["node"], after["node"], seat, num_seats)
    if after["node"]["type"] == "over" != before["node"]["type"]:
        found.append(change_of_result(after["node"]["winners"], seat))
    found += [Change(text, 0.0) for text in _table_changes(before, after, target)]
    return weightiest_first(found)


def _flight_changes(before: View, after: View, seat: int, num_seats: int) -> list[Change]:
    """List gems that are newly in flight, or that have a new receiver (R6)."""
    if after["type"] != "rob":
        return []
    source, receiver, gems = after["source"], after["receiver"], after["gems"]
    loser = before["receiver"] if before["type"] == "rob" else source
    if loser == receiver:
        return []
    won, lost = (part_of_gain(player, seat, num_seats) for player in (receiver, loser))
    gain = gems * GEM * (won - lost)
    flight = f"{gems} {'gem is' if gems == 1 else 'gems are'} in flight"
    back = f" back to p{source}" if source == receiver else f" from p{source} to p{receiver}"
    text = f"{flight}{back}"
    return [Change(text, round(gain, 4) + 0.0)]


def _player_changes(name: str, old: View, new: View, least: int) -> list[Told]:
    """List (text, gain of this player in gems); `least` gems win."""
    found = []
    if new["gems"] != old["gems"]:
        verb = "gains" if new["gems"] > old["gems"] else "loses"
        count = counted(abs(new["gems"] - old["gems"]), "gem")
        gain = _gem_worth(new["gems"], least) - _gem_worth(old["gems"], least)
        text = f"{name} {verb} {count} and has {new['gems']}"
        found.append((text, gain))
    for role in FORTIFICATIONS:
        found += _fortification_change(name, role, old[role], new[role])
    return found + _hand_changes(name, old, new, _newly_laid(old, new))


def _newly_laid(old: View, new: View) -> Counter[str]:
    """Return the physical cards laid face up, which their owner keeps."""
    return Counter(new[role] for role in FORTIFICATIONS if new[role] and new[role] != old[role])


def _gem_worth(gems: int, least: int) -> float:
    """Count gems; gems that leave at most two to the win count double."""
    return gems + max(0, gems - (least - 3))


def _fortification_change(name: str, role: str, old: str, new: str) -> list[Told]:
    if old == new:
        return []
    if not new:
        return [(f"{name} loses the {role} face up", -LAID_WORTH[role])]
    card = f"a jester as {role}" if new == "jester" else a_card(role)
    return [(f"{name} has {card} face up", LAID_WORTH[role] - CARD_WORTH[new])]


def _hand_changes(name: str, old: View, new: View, laid: Counter[str]) -> list[Told]:
    found = []
    gained = _more(new["hand"], old["hand"])
    lost = _more(old["hand"], Counter(new["hand"]) + laid)
    if gained:
        found.append((f"{name} gets {cards_name(gained)}", _worth(gained)))
    if lost:
        found.append((f"{name} gives up {cards_name(lost)}", -_worth(lost)))
    hidden = new["num_hidden"] - old["num_hidden"]
    if hidden:
        found.append((hidden_cards_change(name, hidden), HIDDEN_WORTH * hidden))
    return found


def _more(cards: Mapping[str, int], than: Mapping[str, int]) -> dict[str, int]:
    """Return the cards of `cards` that are not in `than`."""
    left = {card: cards.get(card, 0) - than.get(card, 0) for card in CARDS}
    return {card: count for card, count in left.items() if count > 0}


def _worth(cards: Mapping[str, int]) -> float:
    return sum(CARD_WORTH[card] * count for card, count in cards.items())


def _table_changes(before: View, after: View, target: int) -> list[str]:
    """List other changes: a ladder, a reshuffle, knowledge of hands."""
    found = []
    now, then = after["node"], before["node"]
    if now.get("ladder") and not then.get("ladder"):
        found.append("a ladder lies on the table")
    if after["reshuffles"] > before["reshuffles"]:
        found.append(f"the discard pile becomes the draw pile, and {gems_that_win(target)}")
    return found + _knowledge_changes(before, after)


def _knowledge_changes(before: View, after: View) -> list[str]:
    known = {(row["observer"], row["holder"]): row["cards"] for row in before["known"]}
    found = []
    for row in after["known"]:
        observer, holder = row["observer"], row["holder"]
        old = known.get((observer, holder)) or known.get((0, holder), {})
        if news := _more(row["cards"], old):
            who = f"p{observer} knows" if observer else "all know"
            found.append(f"{who} {cards_name(news)} in the hand of p{holder}")
    return found
