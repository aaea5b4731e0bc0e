"""Kingdom Coinquest in words: moves, differences between two states, and a picture of one.

Works on views; players are called p1 to p4, cards by their names. Seats count from 1.
"""

from functools import partial
from typing import Any

from kingmaker.cext.change import (
    Change,
    Told,
    change_of_result,
    changes_of_players,
    weightiest_first,
)
from kingmaker.cext.reasons import Numbers
from kingmaker.cext.words import WIDEST, columns, counted, hidden_cards_change, observer_lines

from .names import NAMES, PHASES, SUITS, VERB_NAMES, cost, value

View = dict[str, Any]

SUIT_NAMES = dict(zip(SUITS, ("hearts", "spades", "diamonds", "clubs"), strict=True))
RANKS = "ace two three four five six seven eight nine ten jack queen".split()  # noqa: SIM905 - one line
RANK_NAMES = dict(zip("a23456789tjq", RANKS, strict=True))
RANK_LABELS = {"a": "ace", "t": "10", "j": "jack", "q": "queen"}
PHASE_NAMES = (  # as `PHASES`
    "the drawing of kings",
    "the draw phase",
    "the draw from the forge",
    "the play phase",
    "the strike after an ace",
    "the discard phase",
)
DUTIES = {
    "king": "draws a king",
    "draw": "draws",
    "deal": "draws from the forge",
    "play": "is to play",
    "strike": "may strike",
    "discard": "discards or stores a card",
}
UNITS = ("quartermaster", "knight", "peasant")

# Values of changes in win shares, between two equal kingdoms: 16.3 of the rules page gives their
# relations, the first number turns them into shares.
HEALTH_POINT = 0.03
EQUIPPED_POINT = 0.5 * HEALTH_POINT  # per point of a load on knight or peasant
PREPARED_POINT = 0.3 * HEALTH_POINT  # per point of a load on the quartermaster
QUEEN_LOAD = 5 * HEALTH_POINT
STORED_CARD = 0.3 * HEALTH_POINT  # in hand or salvage
TICK = 0.5 * HEALTH_POINT  # a counter less


def card_name(card: str) -> str:
    """Name a card in a sentence: `the nine of clubs`."""
    return f"the {RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


def load_name(load: View) -> str:
    """Name a load: `the nine of clubs (backed by the jack of hearts)`."""
    name = card_name(load["lead"])
    return f"{name} (backed by {card_name(load['partner'])})" if load["partner"] else name


def _load_view(number: int) -> View:
    """Return the load in a reason: its lead, and its partner in the byte above."""
    return {"lead": NAMES.get(number & 255, ""), "partner": NAMES.get(number >> 8, "")}


def _zone(number: int) -> str:
    """Return the field in a reason."""
    zones = ("hand", "salvage", "quartermaster", "knight", "peasant", "queen")
    seat, zone = divmod(number, len(zones))
    return "grave" if seat == 4 else f"players[{seat}].{zones[zone]}"


def _range(number: int) -> str:
    lowest, highest = number & 255, number >> 8
    return str(lowest) if lowest == highest else f"{lowest} to {highest}"


NUMBERS = Numbers(
    card=lambda code: card_name(NAMES[code]),
    load=lambda number: load_name(_load_view(number)),
    letter=lambda suit: SUITS[suit : suit + 1] or "_",
    now=lambda phase: PHASE_NAMES[phase],
    pair=lambda number: " and ".join(filter(None, _load_view(number).values())) or "nothing",
    phase=lambda phase: PHASES[phase],
    range=_range,
    suit=lambda suit: SUIT_NAMES[SUITS[suit]],
    token=lambda code: NAMES.get(code, "?"),
    turns=partial(counted, noun="turn"),
    verb=lambda verb: VERB_NAMES[verb][0],
    zone=_zone,
)
"""Names of the numbers in reasons."""


# --- moves ----------------------------------------------------------------------------------------


ANYWHERE: View = {"node": {"type": "end", "seat": 0}, "players": [], "grave": [], "forge": 1}
"""An empty view, for words that hold in every position."""


def describe_move(view: View, move: View) -> str:
    """Describe a move or outcome in words that complete "p1 can ..."."""
    verb = move["verb"]
    player = _actor(view)
    if verb == "draw":
        return _describe_draw(view, move)
    if verb == "deal":
        card = move["card"]
        return f"draw {'an unseen card' if card == '?' else card_name(card)} from the forge"
    if verb == "king":
        return f"draw the king of {SUIT_NAMES[move['suit']]}"
    if verb == "prep":
        wait = counted(cost(move["card"]), "turn") if cost(move["card"]) else "never"
        return f"prepare {_played(move)} ({wait} until it is ready)"
    if verb == "equip":
        return _describe_equip(player, move["unit"])
    if verb == "attack":
        weapon = player["peasant"] if player else {"lead": ""}
        return f"attack p{move['seat']}" + (f" with {load_name(weapon)}" if weapon["lead"] else "")
    if verb == "queen":
        return f"put {_played(move)} into the queen slot"
    if verb == "ace":
        top = card_name(view["grave"][0]) if view["grave"] else "the top of the graveyard"
        return f"use {_played(move)} to put {top} on the {move['unit']}" + (
            _replacing(player, move["unit"])
        )
    if verb == "discard":
        return f"discard {card_name(move['card'])}"
    if verb == "salvage":
        return f"put {card_name(move['card'])} into the salvage yard"
    if verb == "scrap":
        load = player["quartermaster"] if player else {"lead": ""}
        return f"scrap {load_name(load) if load['lead'] else 'the load'} of the quartermaster"
    return {"pass": "pass (no play this turn)", "hold": "hold the new weapon back"}[verb]


def _actor(view: View) -> View | None:
    """Return the player of the node, None at the end."""
    seat = view["node"]["seat"]
    return view["players"][seat - 1] if seat else None


def _played(move: View) -> str:
    return load_name({"lead": move["card"], "partner": move.get("partner", "")})


def _describe_draw(view: View, move: View) -> str:
    if move["source"] == "salvage":
        return f"take {card_name(move['card'])} back from the salvage yard"
    if move["source"] == "grave":
        top = card_name(view["grave"][0]) if view["grave"] else "the top card"
        return f"take {top} from the graveyard"
    return "draw from the forge" + (
        "" if view["forge"] else ", for which the graveyard is shuffled into it"
    )


def _describe_equip(player: View | None, unit: str) -> str:
    load = player["quartermaster"] if player else {"lead": ""}
    return (
        f"equip the {unit}"
        + (f" with {load_name(load)}" if load["lead"] else "")
        + (_replacing(player, unit))
    )


def _replacing(player: View | None, unit: str) -> str:
    if player is None or not player[unit]["lead"]:
        return ""
    return f", in the place of {load_name(player[unit])}"


# --- differences ----------------------------------------------------------------------------------


def changes(before: View, after: View, seat: int, winners: list[int]) -> list[Change]:
    """List the changes for `seat` (from 1; 0: spectator), the weightiest first.

    `winners` (from 1) are empty unless the change ends the game.
    """
    pairs = [*zip(before["players"], after["players"], strict=True)]
    told = [_player_changes(f"p{number}", *pair) for number, pair in enumerate(pairs, 1)]
    found = changes_of_players(told, seat, len(pairs))
    if winners:
        found.append(change_of_result(winners, seat))
    if after["epoch"] > before["epoch"]:
        found.append(Change("the graveyard is shuffled into the forge", 0.0))
    if after["grave"][:1] != before["grave"][:1] and after["grave"]:
        found.append(Change(f"{card_name(after['grave'][0])} lies on top of the graveyard", 0.0))
    return weightiest_first(found)


def _player_changes(name: str, old: View, new: View) -> list[Told]:
    if old["suit"] != new["suit"]:
        return [(f"{name} is the king of {SUIT_NAMES[new['suit']]}", 0.0)]
    if new["health"] == 0 and old["health"]:
        return [(f"{name} is eliminated", -1.0)]
    found = []
    if new["health"] != old["health"]:
        text = f"{name} drops from {old['health']} to {new['health']} health"
        found.append((text, HEALTH_POINT * (new["health"] - old["health"])))
    for unit in ("knight", "peasant"):
        found += _unit_changes(name, unit, old, new)
    found += _queen_changes(name, old["queen"], new["queen"])
    found += _quartermaster_changes(name, old, new)
    found += _store_changes(name, old, new)
    return found


def _unit_changes(name: str, unit: str, old: View, new: View) -> list[Told]:
    lost, gained = old[unit], new[unit]
    if lost == gained:
        return []
    points = _value(gained) - _value(lost)
    if not gained["lead"]:
        text = f"{name}'s {unit} loses {load_name(lost)}"
    elif lost["lead"]:
        text = f"{name}'s {unit} has {load_name(gained)} in the place of {load_name(lost)}"
    else:
        text = f"{name}'s {unit} gets {load_name(gained)}"
    return [(text, EQUIPPED_POINT * points)]


def _queen_changes(name: str, lost: View, gained: View) -> list[Told]:
    if lost == gained:
        return []
    if gained["lead"]:
        return [(f"{name}'s queen slot gets {load_name(gained)}", QUEEN_LOAD)]
    return [(f"{name}'s queen slot loses {load_name(lost)}", -QUEEN_LOAD)]


def _quartermaster_changes(name: str, old: View, new: View) -> list[Told]:
    lost, gained = old["quartermaster"], new["quartermaster"]
    if lost == gained and old["counters"] == new["counters"]:
        return []
    left = new["counters"]
    if lost == gained:
        state = f"needs {counted(left, 'turn')} more" if left else "is ready"
        text = f"{load_name(gained)} on {name}'s quartermaster {state}"
        return [(text, TICK * (old["counters"] - left))]
    points = _value(gained) - _value(lost)
    if gained["lead"]:
        ready = f"ready in {counted(left, 'turn')}" if left else "ready"
        text = f"{name} prepares {load_name(gained)}, {ready}"
        return [(text, PREPARED_POINT * points - TICK * left)]
    if lost in (new["knight"], new["peasant"]):
        return [(f"{name}'s quartermaster is free again", PREPARED_POINT * points)]
    return [(f"{name} scraps {load_name(lost)}", PREPARED_POINT * points)]


def _store_changes(name: str, old: View, new: View) -> list[Told]:
    """List cards that entered or left hand and salvage yard, apart from loads."""
    found = []
    stored, stores = set(old["salvage"]), set(new["salvage"])
    held = {card["card"] for card in old["hand"]} - {"?"}
    holds = {card["card"]: card["is_known"] for card in new["hand"] if card["card"] != "?"}
    for card in sorted(stores - stored):
        if card in held:
            found.append((f"{name} moves {card_name(card)} from hand to salvage yard", 0.0))
        else:
            found.append((f"{name} puts {card_name(card)} into the salvage yard", STORED_CARD))
    for card in sorted(stored - stores):
        if card in holds:
            found.append((f"{name} takes {card_name(card)} back from the salvage yard", 0.0))
        else:
            found.append((f"{card_name(card)} leaves {name}'s salvage yard", -STORED_CARD))
    for card in sorted(holds.keys() - held - stored):
        seen = " (everybody knows it)" if holds[card] else ""
        found.append((f"{name} gets {card_name(card)} into the hand{seen}", STORED_CARD))
    gone = held - holds.keys() - stores - _played_cards(new)
    found += [(f"{name} gives up {card_name(card)}", -STORED_CARD) for card in sorted(gone)]
    hidden = _num_hidden(new) - _num_hidden(old)
    if hidden:
        found.append((hidden_cards_change(name, hidden), STORED_CARD * hidden))
    return found


def _played_cards(player: View) -> set[str]:
    return {player[slot][card] for slot in (*UNITS, "queen") for card in ("lead", "partner")}


def _value(load: View) -> int:
    return value(load["lead"]) if load["lead"] else 0


def _num_hidden(player: View) -> int:
    return sum(card["card"] == "?" for card in player["hand"])


# --- the picture ----------------------------------------------------------------------------------


def render(view: View, width: int = WIDEST) -> str:
    """Draw a state or observation as a table, one column for each player."""
    node, choices = view["node"], view["options"]
    asked = f"p{node['seat']} {DUTIES[node['type']]}" if node["seat"] else "the game is over"
    when = (
        f"turn {view['turn']} of {choices['turn_limit']}" + "; aces strike" * choices["ace_strike"]
    )
    lines = [f"{when}; reshuffles {view['epoch']}; {asked}", ""]
    players = [
        _column(f"p{number}", player, view["epoch"])
        for number, player in enumerate(view["players"], 1)
    ]
    titles = ["", "king", "health", "hand", "salvage yard", *UNITS, "queen"]
    lines += columns(titles, players, width)
    grave = [label(card) for card in view["grave"]]
    lines += [
        "",
        f"forge: {view['forge']} cards",
        f"graveyard, {len(grave)}, top first: {', '.join(grave)}" if grave else "graveyard: empty",
    ]
    for pool in view.get("old_pools", []):
        cards = ", ".join(label(card) for card in pool["cards"])
        lines.append(f"hidden since before reshuffle {pool['epoch'] + 1}: {cards}")
    return "\n".join(lines + observer_lines(view))


def label(card: str) -> str:
    """Name a card in a table: `9 of clubs`."""
    return f"{RANK_LABELS.get(card[0], card[0])} of {SUIT_NAMES[card[1]]}"


def _column(name: str, player: View, epoch: int) -> list[list[str]]:
    """List the cells of a player from top to bottom, each as its lines."""
    ready = counted(player["counters"], "turn") if player["counters"] else "ready"
    quartermaster = _load_label(player["quartermaster"])
    if player["quartermaster"]["lead"]:
        quartermaster += f" ({ready})"
    return [
        [name],
        [SUIT_NAMES[player["suit"]] if player["suit"] else "not drawn"],
        [str(player["health"])],
        [_hand_label(card, epoch) for card in player["hand"]] or ["-"],
        [label(card) for card in player["salvage"]] or ["-"],
        [quartermaster],
        *([_load_label(player[slot])] for slot in ("knight", "peasant", "queen")),
    ]


def _load_label(load: View) -> str:
    if not load["lead"]:
        return "-"
    return label(load["lead"]) + (f" + {label(load['partner'])}" if load["partner"] else "")


def _hand_label(card: View, epoch: int) -> str:
    text = "hidden" if card["card"] == "?" else label(card["card"])
    if card["is_known"]:
        return text + " (known)"
    return text if card["epoch"] == epoch else f"{text} (before reshuffle {card['epoch'] + 1})"
