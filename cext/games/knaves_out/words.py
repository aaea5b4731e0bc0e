"""Knaves Out in words: moves; changes.py has differences and picture.py states.

Works on views.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kingmaker.cext.words import counted

from .changes import changes
from .names import (
    ACTIONS,
    TOWER_NAMES,
    TOWER_WORDS,
    View,
    card_name,
    on_square,
)
from .picture import render

__all__ = ["changes", "describe_move", "render"]

ANYWHERE: View = {"node": {"type": ""}, "players": [], "ivory": {}, "dark": {}, "active": 0}
"""An empty view, for words that hold in every position."""

ACTION_WORDS = {  # what an action does; {} are fields of the move in words
    "hail": "appoint {card} King{joker}",
    "tax": "search the deck for the next card of each tower",
    "build": "build a {building}",
    "fortify": "put a checker under {piece}",
    "poison": "poison the King of one's own court",
    "charm": "charm {piece}",
    "execute": "hurt {piece}",
    "sway": "keep {seat} from attacking",
    "marry": "appoint {card} Queen{joker}",
    "knight": "put a checker under {piece}",
    "feast": "make the next action 4 cards cheaper",
    "majesty": "make {seat} lose a turn",
    "upper": "hit with 4 in the next roll",
    "train": "train a pawn",
    "defend": "let own knights attack",
    "blessing": "bless the pieces next to own bishops",
    "raise": "raise an unpawn",
    "blacksails": "let own unpawns sail free",
    "taint": "taint {piece}",
    "undead": "put a checker under each own unpawn",
    "lich": "pay half for actions of the King for good",
    "luck": "roll no 1 in this turn",
    "wind": "change the hand for new cards",
    "punches": "add a die for each 6 in this turn",
    "ladyluck": "roll no 1 for good",
    "servant": "search the deck for two cards",
    "surge": "let {piece} walk",
    "force": "throw off the stack of {tower} of {seat}",
    "motorhead": "take two actions in each turn for good",
    "infight": "move cards from {tower} to {onto}",
    "failed": "bring {piece} home",
    "conspire": "have a last attack with a die more",
    "cherry": "blow up {piece} with an enemy of its kind",
    "rush": "double the steps of own pawns",
    "seabreeze": "let own pawns sail free",
    "summer": "give own pawns a die more",
    "frenzy": "give own pawns a step and a die more and the first strike",
    "crimson": "double the steps of own pawns with checkers for good",
    "lionheart": "prepare to roll a die again",
    "insight": "prepare to move an attacker away",
    "parlay": "prepare to stop a roll{pay}",
    "sha": "let one enemy pawn a turn near one's king for good",
    "castle": "change the places of the king building and {piece}",
    "shield": "let own pawns be hit by 6 only",
    "thorns": "hurt those who hurt own buildings",
    "icequeen": "have own buildings be hit twice for a point for good",
    "balance": "give a checker of {source} to {target}",
    "redirect": "prepare to move points to other pieces",
    "boister": "put a checker under each own pawn",
}
PLACED = {  # kind of place -> what is done with a square
    "train": "train a pawn on {}",
    "raise": "raise an unpawn on {}",
    "build": "build the {building} on {}",
    "failed": "put the pawn on {}",
    "land": "land on {}",
    "ivory": "place the Ivory Tower on {}",
    "dark": "place the Dark Tower on {}",
}
PLAIN = {
    "shuffle": "shuffle the discard into the deck",
    "keep": "keep the discard",
    "ivory": "call the Ivory Tower",
    "end_turn": "end the turn",
    "skip": "take no card",
    "stop": "stop here",
    "pass": "let it happen",
    "parlay": "stop the roll",
    "take": "take the point",
    "discard_hand": "discard the hand",
    "keep_hand": "keep the hand",
}


def describe_move(view: View, move: View) -> str:
    """Describe a move or outcome in words that complete "p1 can ..."."""
    verb = move["verb"]
    if verb == "act":
        return _describe_action(view, move)
    if verb in PLAIN:
        return PLAIN[verb]
    return DESCRIPTIONS[verb](view, move)


def _describe_action(view: View, move: View) -> str:
    code = move["action"]
    words = {
        name: _argument(view, name, move[name], is_target=code == "execute")
        for name in move
        if name not in NO_ARGUMENTS
    }
    tower = move.get("tower")
    text = ACTION_WORDS[code].format(
        **words,
        piece=words.get("square"),
        joker=" with a Joker" if move.get("by_joker") else "",
        pay=f", paid from {TOWER_WORDS[tower]}" if tower else "",
    )
    return f"{text} ({ACTIONS[code]})"


NO_ARGUMENTS = ("verb", "action", "by_joker")


def _argument(view: View, name: str, value: Any, *, is_target: bool = False) -> str:
    if name == "card":
        return card_name(value)
    if name == "seat":
        return f"p{value}"
    if name in ("square", "source", "target"):
        return on_square(view, value, is_target=is_target)
    return TOWER_WORDS.get(value, value) if name in ("tower", "onto") else str(value)


def _is_base(move: View) -> bool:
    """Tell whether a card begins the tower of the ace of spades, which has no other ace (R5.4)."""
    return bool(move["card"] == "as" and move["tower"] == "a")


def _describe_play(view: View, move: View) -> str:
    card, tower = card_name(move["card"]), move["tower"]
    joker = " with a Joker" if move["verb"] == "joker" else ""
    players = view["players"]
    if _is_base(move):
        return f"make {card} the base of a tower{joker}"
    if players and TOWER_NAMES[tower] not in players[view["active"] - 1]:
        return f"make {card} {TOWER_WORDS[tower]}{joker}"
    return f"play {card} on {TOWER_WORDS[tower]}{joker}"


def _describe_draw(view: View, move: View) -> str:
    return "draw a card" if move["card"] == "?" else f"draw {card_name(move['card'])}"


def _describe_attack(view: View, move: View) -> str:
    last = "make the last attack: " if move["verb"] == "last" else ""
    target = on_square(view, move["target"], is_target=True)
    return f"{last}attack {target} with {on_square(view, move['source'])}"


def _describe_find(view: View, move: View) -> str:
    use = "as the base of a tower" if _is_base(move) else f"for {TOWER_WORDS[move['tower']]}"
    return f"find {card_name(move['card'])} {use}"


def _describe_place(view: View, move: View) -> str:
    node = view["node"]
    words = PLACED.get(node.get("kind", ""), "choose {}")
    return words.format(move["square"], building=node.get("building"))


def _describe_landing(view: View, move: View) -> str:
    article = "an" if move["soldier"] == "unpawn" else "a"
    return f"land {article} {move['soldier']} with {counted(move['checkers'], 'checker')}"


DESCRIPTIONS: Mapping[str, Callable[[View, View], str]] = {
    "first": lambda view, move: f"let p{move['seat']} begin",
    "board": lambda view, move: f"place the board at {move['x']},{move['y']}",
    "king": lambda view, move: f"place the king building on {move['square']}",
    "court": lambda view, move: f"begin with {card_name(move['card'])}",
    "under": lambda view, move: (
        f"lay a Joker under {TOWER_WORDS[move['tower']]}" if move["tower"] else "lay no Joker"
    ),
    "fuel": lambda view, move: f"lay {card_name(move['card'])} on {TOWER_WORDS[move['tower']]}",
    "draw": _describe_draw,
    "play": _describe_play,
    "joker": _describe_play,
    "move": lambda view, move: f"move {on_square(view, move['source'])} to {move['target']}",
    "sail": lambda view, move: f"send {on_square(view, move['square'])} to sea",
    "land": _describe_landing,
    "attack": _describe_attack,
    "last": _describe_attack,
    "dark": lambda view, move: f"call the Dark Tower against p{move['seat']}",
    "waive": lambda view, move: f"pay a card less from {TOWER_WORDS[move['tower']]}",
    "find": _describe_find,
    "at": _describe_place,
    "on": lambda view, move: f"blow up {on_square(view, move['square'])}",
    "step": lambda view, move: f"lead the pawn to {move['square']}",
    "die": lambda view, move: f"roll a {move['face']}",
    "red": lambda view, move: (
        f"take {move['red']} red and {counted(10 - move['red'], 'black checker')}"
    ),
    "from": lambda view, move: f"take a checker from {on_square(view, move['square'])}",
    "insight": lambda view, move: f"move the attacker to {move['square']}",
    "reroll": lambda view, move: f"roll a {move['face']} again",
    "redir": lambda view, move: f"let {on_square(view, move['square'])} take the point",
}
