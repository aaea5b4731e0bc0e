"""What tests of the page do again and again: begin matches, press, wait, listen."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from typing import Any

OpenPage = Callable[..., Any]
WON = (
    "ko;two_towers=off 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D=- "
    "p1:+:-:-:-:-:-:-:K1a1.4,P2d4.4/m5:-:-:- "
    "p2:+:-:-:-:-:-:-:K2e5.0:-:-:-"
)
"""Knaves Out: attack with five dice, of which one must hit, or end the turn."""


def begin(page: Any, game: str, **choices: str) -> None:
    """Fill the form of the lobby in."""
    page.fill("input[name=name]", choices.pop("name", "Ann"))
    page.select_option("select[name=game]", game)
    for name, value in {"level": "1", **choices}.items():
        page.select_option(f"select[name={name}]", value)
    page.click("button.main")
    page.wait_for_selector(".status .now")


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true; the policy of the page forbids Playwright's own way."""
    end = time.monotonic() + 15
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never true: {expression}; {page.inner_text('main')}"
        page.wait_for_timeout(20)


def status(page: Any) -> str:
    return str(page.inner_text(".status .now"))


def play_move(page: Any) -> None:
    """Click the first move that is offered, or wait for one or for the end."""
    until(
        page,
        "document.querySelector('.moves button:not([disabled])')"
        " || !/to move|Your turn|Waiting/.test(document.querySelector('.status .now').innerText)",
    )
    buttons = page.query_selector_all(".moves button:not([disabled])")
    if buttons:
        token = buttons[0].get_attribute("data-move")
        count = page.locator(".log li").count()
        buttons[0].click()
        until(page, f"document.querySelectorAll('.log li').length > {count}")
        assert token


def is_over(page: Any) -> bool:
    return not any(word in status(page) for word in ("to move", "Your turn", "Waiting"))


def call(url: str, method: str, fields: Any) -> Any:
    request = urllib.request.Request(
        f"{url}/kingmaker.v1.{method}",
        json.dumps(fields).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def record(page: Any) -> None:
    """Keep everything that a page receives from now on."""
    page.evaluate(
        """() => {
            window.received = [];
            const read = ReadableStreamDefaultReader.prototype.read;
            ReadableStreamDefaultReader.prototype.read = async function () {
                const result = await read.call(this);
                if (result.value) window.received.push(new TextDecoder().decode(result.value));
                return result;
            };
            const json = Response.prototype.json;
            Response.prototype.json = async function () {
                const value = await json.call(this);
                window.received.push(JSON.stringify(value));
                return value;
            };
        }"""
    )


def received(page: Any) -> str:
    return "".join(page.evaluate("window.received"))


def create(
    url: str,
    game_options: dict[str, str],
    seats: list[dict[str, str]],
    game: str = "knaves_out",
) -> tuple[str, str]:
    """Create a match and take its first open seat; returns its id and the token."""
    options = {"game": game, "gameOptions": game_options, "hasHints": True}
    created = call(url, "MatchService/CreateMatch", {"options": options, "seats": seats})
    match_id = created["status"]["matchId"]
    joined = call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ann"})
    return match_id, joined["token"]


def resign(page: Any) -> None:
    """Press Resign, and answer its question."""
    page.click("button >> text=Resign")
    page.click("button >> text=Really resign?")


def press(page: Any, key: str) -> None:
    page.locator(f'[data-key="{key}"]').first.click()
