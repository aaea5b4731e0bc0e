"""Moves and outcomes of Chessault in words; picture.py draws states, changes.py lists differences.

Works on the views of `Chessault.view_for_words`.
"""

from collections import Counter
from collections.abc import Iterable

from kingmaker.cext.words import counted, joined

from .changes import changes
from .names import (
    PRICES,
    RESURRECTION_PRICE,
    ZONE_ORDER,
    Figure,
    View,
    board_of,
    figures_name,
    on_square,
)
from .picture import render

__all__ = ["changes", "describe_move", "render"]

ANYWHERE: View = {"figures": [], "node": {"type": "", "figure": ""}, "active": 0}
"""An empty view, for words that hold in every position."""

PLAIN = {
    "done": "finish the setup",
    "roll": "roll the dice",
    "pass": "pass, as nothing could move",
    "hold": "use no ability",
}


def describe_move(view: View, move: View) -> str:
    """Describe a move or outcome in words that complete "p1 can ..."."""
    verb = move["verb"]
    if verb in PLAIN:
        return PLAIN[verb]
    if verb in ("deploy", "buy", "recruit", "resurrect", "promote"):
        return _describe_type(view, verb, move["type"])
    if verb in ("place", "sacrifice", "convert"):
        return _describe_square(view, verb, move["square"])
    if verb == "move":
        return _describe_step(view, move)
    if verb == "king":
        return _describe_king_move(view, move)
    if verb == "keep":
        return _describe_choice(view, move["ability"])
    if verb == "explode":
        return _describe_explosion(view)
    return _describe_roll(move["types"])


def _describe_type(view: View, verb: str, kind: str) -> str:
    if verb == "deploy":
        return f"set up {figures_name(kind)}"
    if verb == "resurrect":
        return f"resurrect {figures_name(kind)} for {counted(RESURRECTION_PRICE, 'credit')}"
    if verb == "promote":
        square = view["node"].get("square")
        return f"promote the pawn{f' on {square}' if square else ''} to {figures_name(kind)}"
    sacrifice = " and a sacrifice" if kind == "queen" else ""
    price = f" for {counted(PRICES[kind], 'credit')}{sacrifice}" if kind in PRICES else ""
    return f"{verb} {figures_name(kind)}{price}"


def _describe_square(view: View, verb: str, square: str) -> str:
    if verb == "place":
        return f"place the {view['node'].get('figure') or 'figure'} on {square}"
    figure = board_of(view).get(square)
    name = on_square(figure) if figure else f"the figure on {square}"
    return f"sacrifice {name}" if verb == "sacrifice" else f"mark {name} for conversion"


def _describe_step(view: View, move: View) -> str:
    board, source, target = board_of(view), move["source"], move["target"]
    mover = f"the {board[source]['type']} from {source}" if source in board else f"from {source}"
    victim = board.get(target)
    if victim is None:
        return f"move {mover} to {target}"
    if victim["ability"] == "protect":
        return f"attack {on_square(victim)} with {mover}, which only costs it its protect"
    return f"take {on_square(victim)} with {mover}"


def _describe_king_move(view: View, move: View) -> str:
    """Describe a special king move (R6.5)."""
    words = f"make the special king move from {move['source']}"
    victim = board_of(view).get(move["target"])
    if victim is None:
        return f"{words} to {move['target']}"
    if victim["ability"] == "protect":
        return f"{words} at {on_square(victim)}, which only costs it its protect"
    return f"{words} and take {on_square(victim)}"


def _describe_choice(view: View, ability: str) -> str:
    figure = board_of(view).get(view["node"].get("square", ""))
    if figure is None:
        return f"choose {ability}"
    if figure["ability"] == ability:
        return f"keep {ability} on {on_square(figure)}"
    instead = f" instead of {figure['ability']}" if figure["ability"] else ""
    return f"take {ability} for {on_square(figure)}{instead}"


def _describe_explosion(view: View) -> str:
    square = view["node"].get("square")
    if not square:
        return "explode"
    board = board_of(view)
    hit = [board[each] for each in view["hit"]]
    killed = [figure for figure in hit if figure["ability"] != "protect"]
    own = [figure for figure in killed if figure["seat"] == view["active"]]
    enemies = [figure for figure in killed if figure["seat"] != view["active"]]
    stripped = [figure for figure in hit if figure["ability"] == "protect"]
    effects = []
    if enemies:
        effects.append(f"kills {_types_name(enemies)} of the enemy")
    if own:
        effects.append(f"kills {_types_name(own)} of one's own")
    if stripped:
        effects.append(f"strips {_types_name(stripped)} of protect")
    return f"explode on {square}, which {'; '.join(effects)}"


def _types_name(figures: Iterable[Figure]) -> str:
    counts = Counter(figure["type"] for figure in figures)
    return joined(figures_name(kind, counts[kind]) for kind in ZONE_ORDER if counts[kind])


def _describe_roll(types: list[str]) -> str:
    if not types:
        return "roll nothing that could move"
    return f"roll {joined(figures_name(kind) for kind in types)}"
