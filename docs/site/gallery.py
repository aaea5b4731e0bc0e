"""The gallery: every game as the terminal shows it to a player, and the pictures of the page."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from kingmaker.search.games import game_types
from kingmaker.search.position import Observation, new_game

PICTURES = Path(__file__).parents[1] / "pictures"
PLIES = {"tic_tac_toe": 3, "connect_four": 14, "kuhn_poker": 1, "leduc_poker": 3, "goofspiel": 6}
"""Decisions before the drawn one; 40 in other games."""


def write(pages: Path) -> list[Path]:
    """Write the page and its pictures; returns the path of the page."""
    folder = pages / "gallery"
    folder.mkdir()
    lines = [
        "# Gallery",
        "",
        "Middle games, drawn for one player: what the others hold is hidden from it. "
        "`kingmaker play GAME` shows these boards.",
        "",
    ]
    for name, kind in sorted(game_types().items()):
        observation = middle(name)
        svg = draw(observation, f"{kind.title}, as p{observation.observer} sees it")
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
        lines += [f"## {kind.title}", "", f"![{kind.title}](gallery/{name}.svg)", ""]
    shown = sorted(path for path in PICTURES.glob("*") if path.suffix in (".png", ".svg", ".webp"))
    if shown:
        lines += ["## In the browser", ""]
    for path in shown:
        title = path.stem.replace("-", " ").replace("_", " ")
        lines += [f"![{title}](pictures/{path.name})", ""]
    page = pages / "gallery.md"
    page.write_text("\n".join(lines), encoding="utf-8")
    return [page]


def middle(name: str) -> Observation:
    """Play to a middle game by the playout policy, and return what its seat sees."""
    stream = np.random.SFC64(7)
    position, _ = new_game(name).settle(stream)
    for _ in range(PLIES.get(name, 40)):
        move = position.game.move_text(position.game.policy_move(position.state, stream))
        after, _ = position.apply(move).settle(stream)
        if after.is_terminal:
            break
        position = after
    return position.observe(position.seat)


def draw(observation: Observation, title: str) -> str:
    """Return the board as a picture of a terminal."""
    board = observation.render()
    width = max(map(len, board.splitlines())) + 1
    console = Console(record=True, width=width, file=io.StringIO(), highlight=False)
    console.print(Text(board))
    return console.export_svg(title=title)
