"""Validity of Code of Chivalry positions and observations: R13.3, R13.4 and R14 on parsed views.

An observation is valid if it is what its observer sees of some valid position. The determinizer
relies on that: some hands and some draw pile always fit.
"""

from collections.abc import Mapping
from typing import Any

from . import options
from .cards import CARDS, FORTIFICATIONS, Cards, added, cards_text, contains, total
from .names import a_card
from .node_validity import check_node
from .refusals import refusal
from .views import is_hidden, known_of

View = dict[str, Any]


def check_position(view: View) -> None:
    """The rules of R13.3 and R13.4."""
    _check_all(view, "position")
    deck = options.deck(view["options"])
    cards = added([*_seen_cards(view), view["draw"]])
    for card in CARDS:
        if cards.get(card, 0) != deck.get(card, 0):
            wanted = f"hands, piles and table together have {a_card(card, deck.get(card, 0))}"
            found = a_card(card, cards.get(card, 0))
            raise refusal("position.draw", found, "R13.4", wanted)
    _check_known_in_hands(view)
    _check_draw_in_base(view)


def check_observation(view: View) -> None:
    """The same as far as the observer sees it, and that some hidden cards fit (R14, R11.4)."""
    _check_all(view, "observation")
    deck = options.deck(view["options"])
    seen = added(_seen_cards(view))
    for card, count in seen.items():
        if count > deck.get(card, 0):
            wanted = f"the deck has {a_card(card, deck.get(card, 0))}"
            raise refusal("observation", a_card(card, count), "R13.4", wanted)
    unseen = {card: count - seen.get(card, 0) for card, count in deck.items()}
    num_hidden = view["num_draw"] + sum(player["num_hidden"] for player in view["players"])
    if num_hidden != total(unseen):
        wanted = f"{total(unseen)} cards of the deck are unseen, in the draw pile and in hands"
        raise refusal("observation.draw", num_hidden, "R13.4", wanted)
    _check_known_in_hands(view)
    _check_known_fits(view, unseen)


def _check_all(view: View, kind: str) -> None:
    """What positions and observations have in common."""
    is_deal = view["node"]["type"] == "deal"
    if is_deal != (view["turn"] == 0):
        wanted = "the turn is 0 at a deal node" if is_deal else "the turn is 0 at deal nodes only"
        raise refusal(f"{kind}.turn", view["turn"], "R13.4", wanted)
    _check_gems(view, kind)
    _check_minstrels(view, kind)
    _check_zones(view, kind)
    _check_memory(view, kind)
    check_node(view, kind)


def _check_gems(view: View, kind: str) -> None:
    num_gems = sum(player["gems"] for player in view["players"])
    wanted = view["options"]["players"] * view["options"]["start_gems"]
    if num_gems != wanted:
        raise refusal(
            f"{kind}.players", f"{num_gems} gems", "R13.4", f"the seats have {wanted} gems together"
        )


def _check_minstrels(view: View, kind: str) -> None:
    for seat, player in enumerate(view["players"], 1):
        if player["minstrel"] and not view["options"]["minstrels"]:
            letter = "i" if player["minstrel"] == "minstrel" else "I"
            wanted = "there is no minstrel, nor a jester as minstrel, without minstrels in the deck"
            raise refusal(f"{kind}.p{seat}.fortifications", letter, "R13.4", wanted)


def _check_zones(view: View, kind: str) -> None:
    """No hand or discard pile alone has more of a card than the deck.

    The sum of all zones would show it too, but not which of them is wrong.
    """
    deck = options.deck(view["options"])
    zones = {f"p{seat}.hand": player["hand"] for seat, player in enumerate(view["players"], 1)}
    for zone, cards in (zones | {"discard": view["discard"]}).items():
        for card, count in cards.items():
            if count > deck.get(card, 0):
                wanted = f"the deck has {a_card(card, deck.get(card, 0))}"
                raise refusal(f"{kind}.{zone}", a_card(card, count), "R13.4", wanted)


# --- knowledge and reshuffles -----------------------------------------------------------------


def _check_memory(view: View, kind: str) -> None:
    """KNOWN and BASE in themselves (R13.1, R13.4)."""
    public = {row["holder"]: row["cards"] for row in view["known"] if row["observer"] == 0}
    for row in view["known"]:
        everybodys = public.get(row["holder"], {})
        if row["observer"] and row["cards"] == everybodys:
            wanted = "a row that equals that of * is not written"
            raise refusal(f"{kind}.known", _row_text(row), "R13.1", wanted)
        if row["observer"] and not contains(row["cards"], everybodys):
            wanted = f"a row contains that of *, here {cards_text(everybodys)}"
            raise refusal(f"{kind}.known", _row_text(row), "R13.4", wanted)
    if bool(view["reshuffles"]) != bool(view["base"]):
        wanted = (
            "after a reshuffle BASE is the reshuffled pile"
            if view["reshuffles"]
            else "BASE is - before the first reshuffle"
        )
        raise refusal(f"{kind}.base", cards_text(view["base"]), "R13.4", wanted)
    deck = options.deck(view["options"])
    if not contains(deck, view["base"]):
        raise refusal(
            f"{kind}.base", cards_text(view["base"]), "R13.4", "the reshuffled pile is of the deck"
        )
    for entry in view["own"]:
        if not contains(view["base"], entry["cards"]):
            value = f"p{entry['seat']}:{cards_text(entry['cards'])}"
            wanted = "what a seat drew since the reshuffle was in the reshuffled pile"
            raise refusal(f"{kind}.base", value, "R13.4", wanted)


def _row_text(row: View) -> str:
    """Name a row of knowledge as in a line."""
    observer = f"p{row['observer']}" if row["observer"] else "*"
    return f"{observer}>p{row['holder']}:{cards_text(row['cards'])}"


def _check_known_in_hands(view: View) -> None:
    """Every row lies within the hand; of a hidden hand only the size is seen (R13.4)."""
    kind = "observation" if "observer" in view else "position"
    for row in view["known"]:
        player = view["players"][row["holder"] - 1]
        if not is_hidden(view, row["holder"]):
            is_possible = contains(player["hand"], row["cards"])
            wanted = f"the hand of p{row['holder']} is {cards_text(player['hand'])}"
        else:
            is_possible = total(row["cards"]) <= player["num_hidden"]
            wanted = f"the hand of p{row['holder']} has {player['num_hidden']} cards"
        if not is_possible:
            raise refusal(f"{kind}.known", _row_text(row), "R13.4", f"{wanted}, and rows lie in it")


def _check_draw_in_base(view: View) -> None:
    if not view["reshuffles"]:
        return
    for entry in [{"seat": 0, "cards": {}}, *view["own"]]:
        left = _difference(view["base"], entry["cards"])
        if not contains(left, view["draw"]):
            who = f", without what p{entry['seat']} drew since" if entry["seat"] else ""
            raise refusal(
                "position.draw",
                cards_text(view["draw"]),
                "R13.4",
                f"the draw pile lies within the reshuffled one{who}: {cards_text(left)}",
            )


def _check_known_fits(view: View, unseen: Mapping[str, int]) -> None:
    """Enough unseen cards for the rows that the observer has and for the draw pile (R11.4)."""
    known = added(known_of(view, seat) for seat in _hidden_seats(view))
    if not contains(unseen, known):
        card = next(card for card in known if known[card] > unseen.get(card, 0))
        wanted = f"the observer does not see {a_card(card, unseen.get(card, 0))}"
        raise refusal("observation.known", a_card(card, known[card]), "R11.4", wanted)
    free = _difference(unseen, known)
    if view["reshuffles"]:
        own = added(entry["cards"] for entry in view["own"])
        drawable = _difference(view["base"], own)
        free = {card: min(count, drawable.get(card, 0)) for card, count in free.items()}
    if total(free) < view["num_draw"]:
        raise refusal(
            "observation.draw",
            f"?{view['num_draw']}",
            "R11.4",
            f"at most {total(free)} of the unseen cards can lie in the draw pile",
        )


def _hidden_seats(view: View) -> list[int]:
    return [seat for seat in range(1, len(view["players"]) + 1) if is_hidden(view, seat)]


def _difference(cards: Mapping[str, int], part: Mapping[str, int]) -> Cards:
    return {card: count - part.get(card, 0) for card, count in cards.items()}


def _seen_cards(view: View) -> list[Mapping[str, int]]:
    """List the cards of all zones that are seen, but for the draw pile."""
    node = view["node"]
    table = [player[role] for player in view["players"] for role in FORTIFICATIONS]
    table.append(node.get("ladder"))
    parts = [player["hand"] for player in view["players"]]
    parts += [view["discard"], *({card: 1} for card in table if card)]
    if play := node.get("attack_card"):
        parts += [{play["role"]: play["num_cards"]}, {"jester": play["num_jesters"]}]
    return parts
