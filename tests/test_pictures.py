"""The pictures of the README, and what makes them."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.pictures.terminal import SECONDS, animation, record

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_of_the_page_is_small() -> None:
    picture = (FOLDER / "page.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 150_000


def test_the_stored_session_is_a_game_with_a_hint_of_20_seconds() -> None:
    picture = (FOLDER / "terminal.svg").read_text(encoding="utf-8")
    assert SECONDS == 20
    assert "20s step-end infinite" in picture
    assert "kingmaker play" in picture
    assert "kingmaker hint" in picture
    assert "searching" not in picture  # what a spinner wrote and took away


def test_a_session_is_recorded_and_drawn() -> None:
    program = str(Path(sys.executable).with_name("kingmaker"))
    session = record(
        [program, "play", "tic_tac_toe", "--seed", "1", "--level", "1"], ["b2", "quit"]
    )
    typed = [lines[0] for _, lines in session if lines and lines[0].startswith("p1> ")]
    assert [line.split()[-1] for line in typed] == ["b2", "quit"]
    drawn = ElementTree.fromstring(animation([(1, ["a <b> \x1b[1mc\x1b[0m"]), (3, ["d"] * 40)]))
    rows = ["".join(text.itertext()) for text in drawn.iter(f"{SVG}text")]
    assert rows == ["a <b> c", *["d"] * 40]
    style = next(drawn.iter(f"{SVG}style")).text or ""
    shown = [float(each) for each in re.findall(r"(\d+\.\d+)%,100%", style)]
    assert shown == [21.25, 85.0]
