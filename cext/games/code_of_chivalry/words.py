"""Code of Chivalry in words: moves, and a picture of a state; changes.py has the differences.

Works on views; players are called p1 to p6, cards by their names.
"""

from collections.abc import Mapping
from typing import Any

from kingmaker.cext.words import WIDEST, columns, counted, observer_lines, result_name

from .cards import FORTIFICATIONS, HIDDEN, STRENGTHS
from .changes import changes
from .names import a_card, cards_name, gems_that_win, plural

__all__ = ["changes", "describe_move", "render"]

View = dict[str, Any]

# --- moves ------------------------------------------------------------------------------------


ANYWHERE: View = {"node": {"type": ""}, "players": [], "active": 0}
"""An empty view, for words that hold in every position."""


def describe_move(view: View, move: View) -> str:
    """Describe a move or outcome in words that complete "p1 can ..."."""
    verb = move["verb"]
    if verb == "attack":
        return _describe_attack(view, move)
    if verb == "respond":
        return _describe_response(view["node"].get("attack_card"), move)
    if verb == "special":
        return _describe_special(view, move)
    if verb == "fortify":
        return f"lay down {_played(move)}"
    if verb == "rob":
        gems = view["node"].get("gems")
        flight = counted(gems, "gem") if gems else "the gems"
        return f"steal {flight} in flight with {_played(move)}"
    if verb == "choose":
        return _describe_choice(view, move["seat"])
    if verb == "tax":
        return f"pay {'a gem' if move['payment'] == 'gem' else '2 cards'} as tax" + _to_active(view)
    if verb in ("pass", "end"):
        return _describe_nothing(view, verb)
    return _describe_card(view, verb, _card(move["card"]))


def _card(card: str) -> str:
    return "an unseen card" if card == HIDDEN else a_card(card)


def _played(move: View) -> str:
    """Name the cards played: `a knight`, `a jester as knight`, `2 peasants and a jester`."""
    role, cards, jesters = move["role"], move["num_cards"], move["num_jesters"]
    if not jesters:
        return a_card(role, cards)
    if not cards:
        return f"{a_card('jester', jesters)} as {plural(role) if jesters > 1 else role}"
    return f"{a_card(role, cards)} and {a_card('jester', jesters)}"


def _the_attack(play: View) -> str:
    """Name an attack card that was named before: `the knight`, `the revolt of 3`."""
    if (size := play["num_cards"] + play["num_jesters"]) > 1:
        return f"the revolt of {size}"
    return f"the jester as {play['role']}" if play["num_jesters"] else f"the {play['role']}"


def strength(play: View) -> int:
    """Return the strength of cards played together; 0 for a role without strength (R4.3)."""
    count: int = play["num_cards"] + play["num_jesters"]
    return STRENGTHS.get(play["role"], 0) * count


def _describe_attack(view: View, move: View) -> str:
    seat, role, played = move["seat"], move["role"], _played(move)
    if role == "ladder":
        return f"lay {played} against the castle of p{seat}"
    if role == "archer":
        return f"shoot at the archer of p{seat} with {played}"
    if role == "catapult":
        player = view["players"][seat - 1] if view["players"] else {}
        also = " and archer" if player.get("archer") else ""
        return f"destroy the castle{also} of p{seat} with {played}"
    if role in STRENGTHS:
        return f"attack p{seat} with {played} (strength {strength(move)})"
    return f"attack p{seat} with {played}"


def _describe_response(attack: View | None, move: View) -> str:
    role, played = move["role"], _played(move)
    against = _the_attack(attack) if attack else "the attack card"
    if role == "traitor":
        return f"turn {against} against the attacker with {played}"
    if role == "princess":
        return f"win {against} with {played}"
    if role == "executioner":
        return f"execute {against} with {played}"
    if role == "minstrel":
        return f"stop {against} with {played}"
    facing = f" against {strength(attack)}" if attack else ""
    return f"block with {played} (strength {strength(move)}{facing})"


def _describe_special(view: View, move: View) -> str:
    played = _played(move)
    if move["role"] == "herald":
        return f"make every rival lay a card with {played}, and take one of them"
    if move["role"] == "monk":
        return f"tax every rival that has a castle with {played}"
    seat = move["seat"]
    count = _num_cards(view["players"][seat - 1]) // 2 if view["players"] else 0
    cards = counted(count, "card") if count else "half of the cards"
    return f"buy {cards} of p{seat} for a gem with {played}"


def _num_cards(player: View) -> int:
    return int(sum(player["hand"].values()) + player["num_hidden"])


def _describe_choice(view: View, seat: int) -> str:
    for pick in view["node"].get("picks", []):
        if pick["seat"] == seat:
            return f"take {_card(pick['card'])} from p{seat}"
    return f"take the card that p{seat} has laid"


def _describe_nothing(view: View, verb: str) -> str:
    node = view["node"]
    if verb == "end":
        return "end the turn"
    if node["type"] == "rob":
        return f"let {counted(node['gems'], 'gem')} go to p{node['receiver']}"
    if node["type"] == "respond":
        return f"let {_the_attack(node['attack_card'])} take effect"
    return "pass"


def _to_active(view: View) -> str:
    return f" to p{view['active']}" if view["active"] else ""


def _describe_card(view: View, verb: str, name: str) -> str:
    if verb == "take":
        seller = view["node"].get("seller")
        return f"take {name} from " + (f"p{seller}" if seller else "the seller")
    if verb == "deal":
        return f"deal {name}"
    if verb == "show":
        return f"lay {name} for the herald"
    if verb == "give":
        return f"give {name}{_to_active(view)}"
    return f"{verb} {name}"  # draw, discard


# --- the picture ------------------------------------------------------------------------------

DUTIES = {  # node -> its decision in words; respond, rob, attack and over add details
    "deal": "is dealt the first cards",
    "draw": "draws",
    "main": "chooses between attack, fortifying, special action and discard",
    "fortify": "may go on fortifying",
    "show": "lays a card for the herald",
    "choose": "takes one of the cards laid for the herald",
    "take": "sells cards to the merchant",
    "tax": "pays the monk's tax",
    "give": "gives cards as the monk's tax",
}


def render(view: View, target: int, width: int = WIDEST) -> str:
    """Draw a state or observation, in which `target` gems win, with a column for each player."""
    options = view["options"]
    seats = range(1, len(view["players"]) + 1)
    lines = [
        f"turn {view['turn']} of {options['turn_limit']}, of p{view['active']}; "
        f"{gems_that_win(target)}; reshuffles {view['reshuffles']}",
        _node_line(view),
        "",
        *columns(("", "gems", "face up", "hand"), [_column(view, seat) for seat in seats], width),
        "",
    ]
    lines.append(f"draw pile, {_pile(view.get('draw', {}), view.get('num_draw'))}")
    lines.append(f"discard pile, {_pile(view['discard'])}")
    return "\n".join(lines + _memory_lines(view) + observer_lines(view))


def _pile(cards: Mapping[str, int], num_hidden: int | None = None) -> str:
    """Count the cards of a pile and name those that are seen."""
    count = counted(sum(cards.values()) if num_hidden is None else num_hidden, "card")
    return f"{count}: {cards_name(cards)}" if cards else count


def _node_line(view: View) -> str:
    """Name the player to move and the decision."""
    node = view["node"]
    kind = node["type"]
    ladder = ", with a ladder on the table" if node.get("ladder") else ""
    if kind == "over":
        return f"the game is over: {result_name(node['winners'])}"
    if kind == "respond":
        card = _played(node["attack_card"])
        return f"p{node['seat']} answers {card}; the attack is on p{node['target']}{ladder}"
    if kind == "rob":
        way = f"of p{node['source']} in flight to p{node['receiver']}"
        gems = counted(node["gems"], "gem")
        return f"p{node['seat']} is asked whether it robs {gems} {way}{ladder}"
    if kind in ("show", "choose"):
        laid = ", ".join(f"p{pick['seat']} {_card(pick['card'])}" for pick in node["picks"])
        return f"p{node['seat']} {DUTIES[kind]}; laid: {laid or 'nothing yet'}"
    if kind == "attack":
        return f"p{view['active']} may go on against p{node['target']}{ladder}"
    left = f", {counted(node['left'], 'card')} to come" if "left" in node else ""
    return f"p{node.get('seller', node['seat'])} {DUTIES[kind]}{left}"


def _column(view: View, seat: int) -> list[list[str]]:
    """List the cells of a player from top to bottom, each as its lines."""
    player = view["players"][seat - 1]
    laid = [
        role if player[role] == role else f"{role} (a jester)"
        for role in FORTIFICATIONS
        if player[role]
    ]
    return [
        [f"p{seat}"],
        [str(player["gems"])],
        laid or ["-"],
        _hand_lines(view, seat) or ["-"],
    ]


def _hand_lines(view: View, seat: int) -> list[str]:
    player = view["players"][seat - 1]
    if not player["num_hidden"]:
        return _counted(player["hand"])
    rows = [row["cards"] for row in view["known"] if row["holder"] == seat]
    known = rows[-1] if rows else {}  # the observer's row stands after that of `*`
    num_hidden = player["num_hidden"] - sum(known.values())
    lines = [f"{line} (known)" for line in _counted(known)]
    return lines + ([f"{num_hidden} hidden"] if num_hidden else [])


def _counted(cards: Mapping[str, int]) -> list[str]:
    return [f"{count} {card if count == 1 else plural(card)}" for card, count in cards.items()]


def _memory_lines(view: View) -> list[str]:
    """List the knowledge of hands and of the reshuffled pile."""
    lines = []
    for row in view["known"]:
        who = f"p{row['observer']} knows" if row["observer"] else "all know"
        lines.append(f"{who} in the hand of p{row['holder']}: {cards_name(row['cards'])}")
    if view["base"]:
        lines.append(f"reshuffled last, {_pile(view['base'])}")
    return lines + [
        f"of these p{entry['seat']} has drawn: {cards_name(entry['cards'])}"
        for entry in view["own"]
    ]
