"""Measure the page: `python -m tests.web.numbers` prints its weight and its times in a browser.

The server and the browser run on this machine. Times are medians of what a user waits for: from the
start until the lobby is drawn, and from a press until the own move, and the reply of a bot without
thought, are drawn.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.server.process import server_process

from .conftest import browser_program
from .pages import call

LOADS, GAMES = 15, 10
DRAWN = """() => new Promise((resolve) => {
    const look = () => {
        if (!document.querySelector("select option")) return requestAnimationFrame(look);
        const files = performance.getEntriesByType("resource")
            .concat(performance.getEntriesByType("navigation"))
            .filter((each) => !/kingmaker/.test(each.name));
        const bytes = files.reduce((sum, each) => sum + each.encodedBodySize, 0);
        resolve({ ms: performance.now(), bytes, files: files.length });
    };
    look();
})"""
PRESSED = """() => new Promise((resolve) => {
    const stones = () => document.querySelectorAll("svg.board .seat-x, svg.board .seat-o").length;
    const before = stones();
    const begun = performance.now();
    let own = 0;
    const look = () => {
        const now = performance.now() - begun;
        if (!own && stones() > before) own = now;
        if (stones() > before + 1) return resolve({ own, reply: now });
        if (now > 5000) return resolve(null);
        requestAnimationFrame(look);
    };
    const click = new MouseEvent("click", { bubbles: true });
    document.querySelector("svg.board .open").dispatchEvent(click);
    look();
})"""


def loaded(browser: Any, url: str) -> list[dict[str, float]]:
    """Load the page again and again, each time in a browser without a cache."""
    found = []
    for _ in range(LOADS):
        page = browser.new_page()
        page.goto(url, wait_until="commit")
        found.append(page.evaluate(DRAWN))
        page.close()
    return found


def pressed(page: Page, url: str) -> list[dict[str, float]]:
    """Play the first moves of Connect Four against a bot that chooses at random."""
    found = []
    asked = {"options": {"game": "connect_four"}, "seats": [{}, {"bot": "random"}]}
    for _ in range(GAMES):
        match_id = call(url, "MatchService/CreateMatch", asked)["status"]["matchId"]
        token = call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ann"})["token"]
        page.goto("about:blank")
        page.goto(f"{url}/#m={match_id}&t={token}")
        for _ in range(3):
            page.wait_for_selector("svg.board .open")
            times = page.evaluate(PRESSED)
            if times:
                found.append(times)
    return found


def main() -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory() as folder,
        server_process(Path(folder), 0, web="127.0.0.1:0", max_client_matches="1000") as server,
        sync_playwright() as playwright,
    ):
        url = str(server.wait_for_line("listening")["url"])
        browser = playwright.chromium.launch(
            executable_path=browser_program(), args=["--no-sandbox"]
        )
        loads = loaded(browser, url)
        presses = pressed(browser.new_page(), url)
        browser.close()
    lines = [
        f"weight      {loads[-1]['bytes'] / 1000:.1f} kB in {loads[-1]['files']:.0f} files",
        f"load        {statistics.median(each['ms'] for each in loads):.0f} ms",
        f"own move    {statistics.median(each['own'] for each in presses):.0f} ms",
        f"bot's reply {statistics.median(each['reply'] for each in presses):.0f} ms",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
