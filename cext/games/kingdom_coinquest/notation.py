"""Notation of Kingdom Coinquest: lines <-> typed views, and every validity rule (R12).

A *view* is a position or observation as plain data, keyed like the proto messages
KingdomCoinquestPosition and KingdomCoinquestObservation; an observation has the key `observer`.
Parsing validates: whatever `view_text` writes from a wrong view, `parse` refuses. Options alone are
checked by `view_text`, as a wrong one could pass for several right ones.
"""

from itertools import pairwise
from typing import Any

from . import options
from .cards import (
    CARD_INDEX,
    DEFAULT_TURN_LIMIT,
    EQUIPMENT_LOADS,
    QUEEN_LOADS,
    SUITS,
    cost,
    load_text,
)
from .validity import NODES, check_cards, check_node, check_old_pools, check_players, refusal

View = dict[str, Any]


# --- writing --------------------------------------------------------------------------------------


def view_text(view: View) -> str:
    """Write the line of a view; what is absent or empty counts as zero, empty or nobody.

    Raises:
        InputError: the turn limit is out of range; the line can't tell which field was wrong.
    """
    turn_limit = view.get("turn_limit") or DEFAULT_TURN_LIMIT
    options.checked({"turn_limit": turn_limit})
    epoch = view.get("epoch", 0)
    fields = [
        "kc"
        + (f";turn_limit={turn_limit}" if turn_limit != DEFAULT_TURN_LIMIT else "")
        + (";ace_strike=1" if view.get("ace_strike") else ""),
        f"turn={view.get('turn', 0)}",
        f"epoch={epoch}",
        f"node={view.get('node', '')}",
    ]
    for seat, player in enumerate(view.get("players", []), 1):
        fields.append(f"p{seat}={_player_text(player, epoch)}")
    fields += [f"forge={view.get('forge', 0)}", f"grave={_joined(view.get('grave', []))}"]
    if "observer" in view:
        pools = (
            f"{pool.get('epoch', 0)}:{_joined(pool.get('cards', []))}"
            for pool in view.get("old_pools", [])
        )
        fields += [
            f"old={';'.join(pools) or '-'}",
            f"@p{view['observer']}" if view["observer"] else "@-",
        ]
    return " ".join(fields)


def _joined(items: list[str]) -> str:
    return ",".join(items) or "-"


def _player_text(player: View, epoch: int) -> str:
    quartermaster = load_text(player.get("quartermaster"))
    if quartermaster != "-":
        quartermaster += f":{player.get('counters', 0)}"
    return "/".join(
        (
            player.get("suit") or "_",
            str(player.get("health", 0)),
            _joined([_hand_text(card, epoch) for card in player.get("hand", [])]),
            _joined(player.get("salvage", [])),
            quartermaster,
            *(load_text(player.get(slot)) for slot in ("knight", "peasant", "queen")),
        )
    )


def _hand_text(card: View, epoch: int) -> str:
    text: str = card.get("card", "")
    if card.get("is_known"):
        return text + "!"
    drawn = card.get("epoch", 0)
    return text if drawn == epoch else f"{text}~{drawn}"


# --- reading --------------------------------------------------------------------------------------


def parse_position(text: str) -> View:
    """Return the view of a position line.

    Raises:
        InputError: the line breaks R12.3 or R12.4; names the field, its value and the rule.
    """
    fields = text.split(" ")
    if fields[-1].startswith("@"):
        raise refusal(
            "position",
            fields[-1],
            "R12.3",
            "a position ends with its graveyard; this line has the last field of an observation",
        )
    return _parse(fields, text, "position", None)


def parse_observation(text: str) -> View:
    """Return the view of an observation line.

    Raises:
        InputError: the line breaks R12.5 or R12.6; names the field, its value and the rule.
    """
    fields = text.split(" ")
    num_players = len(fields) - 8
    observers = {"@-": 0} | {f"@p{seat}": seat for seat in range(1, num_players + 1)}
    if fields[-1] not in observers:
        raise refusal(
            "observation.observer",
            fields[-1],
            "R12.5",
            "an observation ends with @p and the number of one of its seats, or with @- for a "
            "spectator",
        )
    return _parse(fields, text, "observation", observers[fields[-1]])


def _parse(fields: list[str], text: str, kind: str, observer: int | None) -> View:
    num_players = len(fields) - (6 if observer is None else 8)
    if not 2 <= num_players <= 4:
        raise refusal(
            kind,
            text,
            "R12.3" if observer is None else "R12.5",
            "the fields are kc, turn, epoch, node, p1 to p2, p3 or p4, forge, grave"
            + ("" if observer is None else ", old, @"),
        )
    turn_limit, ace_strike = _parse_tag(fields[0], f"{kind}.tag")
    node_text = _content(fields[3], "node", kind)
    if node_text != "end" and node_text not in NODES:
        raise refusal(
            f"{kind}.node",
            node_text,
            "R12.3",
            "a node is king, draw, deal, play, strike or discard with a seat (play:p1), or end",
        )
    first_turn = 0 if node_text.startswith("king") else 1
    turn = _number(
        _content(fields[1], "turn", kind),
        f"{kind}.turn",
        first_turn,
        turn_limit if first_turn else 0,
    )
    epoch = _number(_content(fields[2], "epoch", kind), f"{kind}.epoch", 0, turn)
    view: View = {
        "turn_limit": turn_limit,
        "ace_strike": ace_strike,
        "turn": turn,
        "epoch": epoch,
        "node": node_text,
        "players": [
            _parse_player(
                _content(fields[3 + seat], f"p{seat}", kind),
                f"{kind}.p{seat}",
                epoch,
                observer is None or seat == observer,
            )
            for seat in range(1, num_players + 1)
        ],
    }
    forge_text = _content(fields[4 + num_players], "forge", kind)
    view["forge"] = _number(forge_text, f"{kind}.forge", 0, 48, "R12.4c")
    view["grave"] = _parse_cards(
        _content(fields[5 + num_players], "grave", kind), f"{kind}.grave", 48
    )
    if observer is not None:
        old_text = _content(fields[6 + num_players], "old", kind)
        view["old_pools"] = _parse_old_pools(old_text, f"{kind}.old", epoch)
        view["observer"] = observer
        check_old_pools(view, old_text, f"{kind}.old")
    check_cards(view, kind)
    check_players(view, kind)
    check_node(view, kind)
    return view


def _content(field: str, name: str, kind: str) -> str:
    """Return what stands behind `name=`."""
    label, equals, content = field.partition("=")
    if label != name or not equals:
        raise refusal(f"{kind}.{name}", field, "R12.3", f"the field {name}=... is expected here")
    return content


def _number(text: str, where: str, lowest: int, highest: int, rule: str = "R12.4b") -> int:
    well_written = (
        0 < len(text) <= 4 and text.isascii() and text.isdigit() and (text[0] != "0" or text == "0")
    )
    if not well_written or not lowest <= int(text) <= highest:
        raise refusal(
            where,
            text,
            rule if well_written else "R12.3",
            f"a number from {lowest} to {highest} is expected, without sign or leading zeros"
            if lowest != highest
            else f"the number is {lowest} here",
        )
    return int(text)


def _parse_tag(text: str, where: str) -> tuple[int, bool]:
    turn_limit, ace_strike = DEFAULT_TURN_LIMIT, False
    parts = text.split(";")
    given = parts[1:]
    if given and given[0].startswith("turn_limit="):
        turn_limit = _number(given.pop(0)[11:], where, 1, 9999)
        if turn_limit == DEFAULT_TURN_LIMIT:
            raise refusal(where, text, "R12.3", "turn_limit=600 is the default and is not written")
    if given and given[0] == "ace_strike=1":
        ace_strike = True
        given.pop(0)
    if parts[0] != "kc" or given:
        raise refusal(
            where,
            text,
            "R12.3",
            "the tag is kc, then ;turn_limit=<n> if that is not 600, then ;ace_strike=1 if that "
            "is on",
        )
    return turn_limit, ace_strike


def _parse_player(text: str, where: str, epoch: int, is_open: bool) -> View:
    parts = text.split("/")
    if len(parts) != 8:
        raise refusal(
            where,
            text,
            "R12.3",
            "a player is suit/health/hand/salvage/quartermaster/knight/peasant/queen",
        )
    suit = parts[0]
    if suit != "_" and (len(suit) != 1 or suit not in SUITS):
        raise refusal(f"{where}.suit", suit, "R12.3", "a suit is h, s, d, c, or _ before the draw")
    hand = _parse_open_hand if is_open else _parse_hidden_hand
    quartermaster, counters = _parse_quartermaster(parts[4], f"{where}.quartermaster")
    return {
        "suit": "" if suit == "_" else suit,
        "health": _number(parts[1], f"{where}.health", 0, 99),
        "hand": hand(parts[2], f"{where}.hand", epoch) if parts[2] != "-" else [],
        "salvage": _parse_salvage(parts[3], f"{where}.salvage"),
        "quartermaster": quartermaster,
        "counters": counters,
        "knight": _parse_load(parts[5], f"{where}.knight", EQUIPMENT_LOADS),
        "peasant": _parse_load(parts[6], f"{where}.peasant", EQUIPMENT_LOADS),
        "queen": _parse_load(parts[7], f"{where}.queen", QUEEN_LOADS),
    }


def _hand_items(text: str, where: str) -> list[str]:
    items = text.split(",")
    if len(items) > 3:
        raise refusal(where, text, "R12.4c", "a hand has at most 3 cards")
    return items


def _parse_open_hand(text: str, where: str, epoch: int) -> list[View]:
    """Read a hand of which every card is written: R12.3."""
    cards = [_parse_hand_card(item, where, epoch) for item in _hand_items(text, where)]
    _check_order([card["card"] for card in cards], text, where)
    return cards


def _parse_hand_card(text: str, where: str, epoch: int) -> View:
    card, mark = text[:2], text[2:]
    if card not in CARD_INDEX:
        raise refusal(where, text, "R12.3", "a hand card is a card with !, ~<epoch> or no mark")
    if mark == "!":
        return {"card": card, "is_known": True, "epoch": 0}
    return {"card": card, "is_known": False, "epoch": _parse_mark(mark, text, where, epoch)}


def _parse_mark(mark: str, text: str, where: str, epoch: int) -> int:
    """Return the draw epoch that the mark of a hidden card means."""
    if not mark:
        return epoch
    if mark[0] != "~" or epoch == 0:
        raise refusal(
            where,
            text,
            "R12.3" if mark[0] != "~" else "R12.4c",
            "a mark is !, or ~ and an epoch lower than the present one",
        )
    return _number(mark[1:], where, 0, epoch - 1, "R12.4c")


def _parse_hidden_hand(text: str, where: str, epoch: int) -> list[View]:
    """Read another player's hand: the known cards, then `?~g` by ascending g, then `?` (R12.5)."""
    cards: list[View] = []
    for item in _hand_items(text, where):
        if item[:1] == "?":
            drawn = _parse_mark(item[1:], item, where, epoch)
            cards.append({"card": "?", "is_known": False, "epoch": drawn})
        elif item[2:] == "!" and item[:2] in CARD_INDEX:
            cards.append({"card": item[:2], "is_known": True, "epoch": 0})
        else:
            raise refusal(
                where,
                item,
                "R12.5",
                "another player's hand card is a known card with !, or ?, or ?~<epoch>",
            )
    known = [card["card"] for card in cards if card["is_known"]]
    _check_order(known, text, where)
    hidden = [card["epoch"] for card in cards[len(known) :]]
    if any(card["is_known"] for card in cards[len(known) :]) or hidden != sorted(hidden):
        raise refusal(
            where,
            text,
            "R12.5",
            "another player's hand is its known cards, then ?~<epoch> by ascending epoch, then ?",
        )
    return cards


def _check_order(cards: list[str], text: str, where: str, rule: str = "R12.3") -> None:
    """Refuse cards that are not in strictly ascending card order."""
    indices = [CARD_INDEX[card] for card in cards]
    if any(low >= high for low, high in pairwise(indices)):
        raise refusal(where, text, rule, "the cards stand in card order, each once")


def _parse_cards(text: str, where: str, most: int) -> list[str]:
    if text == "-":
        return []
    cards = text.split(",")
    for card in cards:
        if card not in CARD_INDEX:
            raise refusal(
                where, card, "R12.3", "cards are rank and suit such as th, joined by commas, or -"
            )
    if len(cards) > most:
        raise refusal(where, text, "R12.4c", f"at most {most} cards can be here")
    return cards


def _parse_salvage(text: str, where: str) -> list[str]:
    cards = _parse_cards(text, where, 3)
    _check_order(cards, text, where)
    return cards


def _parse_load(text: str, where: str, loads: dict[str, tuple[str, str]]) -> View:
    """Read a load of a slot whose possible loads are `loads`."""
    if text == "-":
        return {"lead": "", "partner": ""}
    if text not in loads:
        is_written = all(card in CARD_INDEX for card in text.split("+")) and text.count("+") < 2
        raise refusal(
            where,
            text,
            "R12.4e" if is_written else "R12.3",
            "this slot holds a queen, or two queens in card order"
            if loads is QUEEN_LOADS
            else "a unit holds equipment, alone or as <lead>+<partner> of one rank or with a jack",
        )
    lead, partner = loads[text]
    return {"lead": lead, "partner": partner}


def _parse_quartermaster(text: str, where: str) -> tuple[View, int]:
    """Return load and counters."""
    if text == "-":
        return {"lead": "", "partner": ""}, 0
    load_part, colon, counters = text.partition(":")
    if not colon or load_part == "-":
        raise refusal(where, text, "R12.3", "the quartermaster holds - or <load>:<counters>")
    load = _parse_load(load_part, where, EQUIPMENT_LOADS)
    return load, _number(counters, where, 0, cost(load["lead"]), "R12.4e")


def _parse_old_pools(text: str, where: str, epoch: int) -> list[View]:
    if text == "-":
        return []
    pools: list[View] = []
    for item in text.split(";"):
        pool_epoch, colon, cards_text = item.partition(":")
        if not colon or cards_text == "-":
            raise refusal(
                where, item, "R12.5", "an old pool is <epoch>:<cards>, and pools are joined by ;"
            )
        lowest = pools[-1]["epoch"] + 1 if pools else 0
        if lowest > epoch - 1:
            raise refusal(
                where,
                text,
                "R12.6",
                "old pools have epochs lower than the present one, in ascending order",
            )
        cards = _parse_cards(cards_text, where, 12)
        _check_order(cards, cards_text, where, "R12.5")
        pools.append(
            {"epoch": _number(pool_epoch, where, lowest, epoch - 1, "R12.6"), "cards": cards}
        )
    return pools
