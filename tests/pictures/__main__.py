"""Make the pictures of the README anew, into docs/pictures/: `make pictures`."""

from __future__ import annotations

from pathlib import Path

from . import page, terminal

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    terminal.make(FOLDER / "terminal.svg")
    page.make(FOLDER / "page.png")
