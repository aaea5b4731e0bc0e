"""Pages of other sites that play through the HTTP port, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from .pages import (
    OpenPage,
    until,
)


@pytest.fixture
def other_origin() -> Iterator[str]:
    """Serve the examples as another site does."""
    folder = Path(__file__).parents[2] / "examples"
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_a_page_of_another_site_plays_a_whole_game(
    open_page: OpenPage, url: str, other_origin: str
) -> None:
    page = open_page()
    page.goto(f"{other_origin}/frontend.html?game=tic_tac_toe&server={url}")
    while True:
        until(page, "/Your turn|Over/.test(document.querySelector('#status').innerText)")
        if "Over" in page.inner_text("#status"):
            break
        count = page.locator("#log li").count()
        page.click("#moves button")
        until(page, f"document.querySelectorAll('#log li').length > {count}")


@pytest.mark.parametrize("game", ["hearts", "code_of_chivalry", "connect_four"])
def test_a_page_of_another_site_plays_games_with_any_number_of_seats(
    open_page: OpenPage, url: str, other_origin: str, game: str
) -> None:
    page = open_page()
    page.goto(f"{other_origin}/frontend.html?game={game}&server={url}")
    until(page, "/Your turn|A bot thinks/.test(document.querySelector('#status').innerText)")
    page.goto(f"{other_origin}/frontend.html?game=chess&server={url}")
    until(page, "/there is no game 'chess'/.test(document.querySelector('#status').innerText)")


def test_a_page_of_another_site_reads_messages_that_come_in_parts(
    open_page: OpenPage, url: str, other_origin: str
) -> None:
    page = open_page()
    page.add_init_script(
        """const whole = window.fetch;
        window.fetch = async (...asked) => {
            const response = await whole(...asked);
            const reader = response.body.getReader();
            const body = new ReadableStream({ async pull(parts) {
                const { done, value } = await reader.read();
                if (done) return parts.close();
                for (const byte of value) parts.enqueue(Uint8Array.of(byte));
            } });
            return new Response(body, response);
        };"""
    )
    page.goto(f"{other_origin}/frontend.html?game=tic_tac_toe&server={url}")
    until(page, "document.querySelector('#status').innerText === 'Your turn'")
