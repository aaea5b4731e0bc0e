"""A picture of the page: a game of Knaves Out in its middle, with a hint.

Chance of matches is secret, so that no two are alike: the page gets answers of GameService and
AnalysisService with fixed seeds in place of its match.
"""

from __future__ import annotations

import json
import struct
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, Route, sync_playwright

from tests.server.process import server_process
from tests.web.conftest import browser_program
from tests.web.pages import call

GAME = "knaves_out"
POSITION = (
    "ko;two_towers=off 0,0/8,0 t=38;f=p2;a=p2 main@p2 I=-;D=- "
    "p1:+:ac2d3s5c6s7d8cqc:-:jd=ad2c3c4d:qd=ah2h3d4c5h6d:kd=as2s*3h"
    ":-:R1b3.0,K1c4.3,N1c5.0,R1d4.1,P1f6.2,P1g3.1,P2e6.3:-:-:- "
    "p2:+:5c6d9hjd:-:jh=ac2d3h4s:qs*=ah2c3s4h:kc=as2h"
    ":-:P1g6.1,P2d3.2,b2e4.0,R2e5.0,K2f5.1,R2g4.0:-:shield:-"
)
RIVAL = ["move:1g6-1g7", "attack:1g7-1f6", "play:5c:j", "end_turn"]
SIZE = {"width": 1240, "height": 1080}
SIMULATIONS, SEED = 20_000, 3


def make(file: Path) -> None:
    """Draw the picture."""
    with (
        tempfile.TemporaryDirectory() as folder,
        server_process(Path(folder), 0, web="127.0.0.1:0") as server,
        sync_playwright() as playwright,
    ):
        url = str(server.wait_for_line("listening")["url"])
        browser = playwright.chromium.launch(
            executable_path=browser_program(), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
        _answer_for_the_match(page, url)
        page.goto(f"{url}/#m=picture")
        page.click("text=Hint")
        page.wait_for_selector(".hint li")
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        _save(page.screenshot(), file)
        browser.close()


def _save(png: bytes, file: Path) -> None:
    """Save a picture with 256 colours, in less than half of the bytes."""
    Image.open(BytesIO(png)).convert("RGB").quantize(256).save(file, optimize=True)


def _answer_for_the_match(page: Page, url: str) -> None:
    """Give the page the view of a match, and its hint."""
    start = {"game": GAME, "text": POSITION}
    moves = [{"text": move} for move in RIVAL]
    asked = {"position": start, "moves": moves, "seed": SEED, "viewers": [1]}
    played = call(url, "GameService/ApplyMoves", asked)
    position = {"game": GAME, "text": played["position"]["text"]}
    seen = call(url, "GameService/Observe", {"position": position, "seat": 1})
    legal = call(url, "GameService/ListMoves", {"position": position})["moves"]
    search = {
        "observation": {"game": GAME, "text": seen["observation"]["text"]},
        "budget": {"simulations": str(SIMULATIONS)},
        "seed": SEED,
    }
    hint = call(url, "AnalysisService/SuggestMoves", {"search": search, "top": 3})
    view = {
        "events": _events(played["views"][0]["events"]),
        "status": _status(seen["node"]),
        "viewer": 1,
        "observation": seen["observation"],
        "moves": legal,
    }
    stream = _enveloped({"view": view}, 0) + _enveloped({}, 2)
    page.route("**/*MatchService/WatchMatch", _fulfilled(stream, "application/connect+json"))
    answer = json.dumps({"hint": hint}).encode()
    page.route("**/*MatchService/GetMatchHint", _fulfilled(answer, "application/json"))


def _events(plays: list[Any]) -> list[dict[str, Any]]:
    told = [
        {"kind": "MATCH_EVENT_KIND_PLAYED", "seat": play.get("seat", 0), "play": play}
        for play in plays
    ]
    return [{**event, "number": number} for number, event in enumerate(told, 1)]


def _status(node: Any) -> dict[str, Any]:
    options = {"game": GAME, "hasHints": True, "hasTakeBacks": True}
    seats = [{"name": "Ann"}, {"name": "Bot of level 6", "bot": "level:6"}]
    phase = "MATCH_PHASE_PLAYING"
    return {"options": options, "phase": phase, "numEvents": 9, "seats": seats, "node": node}


def _enveloped(fields: Any, flags: int) -> bytes:
    """Write a message of a stream as Connect does."""
    body = json.dumps(fields).encode()
    return struct.pack(">BI", flags, len(body)) + body


def _fulfilled(body: bytes, kind: str) -> Any:
    def answer(route: Route) -> None:
        route.fulfill(body=body, content_type=kind)

    return answer
