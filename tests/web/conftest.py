"""A server in a process of its own and a browser, for tests of the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.server.process import server_process

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
UNUSED_FEATURES = (
    # Pages with suggestions below the address bar. Chromium loads two for each page that a test
    # opens, which takes it longer than ours, though no test has an address bar.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # Chromium takes the last list alone, so the one of Playwright is repeated.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
FLAGS = ["--no-sandbox", f"--disable-features={','.join(UNUSED_FEATURES)}"]


def is_fault(line: Any) -> bool:
    """Whether a line of the console is not merely about a refused call."""
    return line.type == "error" and "Failed to load resource" not in line.text


def browser_program() -> str | None:
    """Find a browser; None: there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Start a browser; without one the tests are skipped.

    Playwright keeps an event loop running in this thread, where other tests need their own, so it
    ends with this folder.
    """
    program = browser_program()
    if program is None:
        pytest.skip("there is no browser here; Debian has one: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a server with the page; yields its address."""
    folder = tmp_path_factory.mktemp("web")
    settings = {
        "web": "127.0.0.1:0",
        "web_origins": "*",
        "max_client_matches": "10000",
        "client_share": "1",
    }
    with server_process(folder, 0, **settings) as server:
        yield str(server.wait_for_line("listening")["url"])


@pytest.fixture
def open_page(browser: Any, url: str) -> Iterator[Callable[..., Any]]:
    """Open pages, each of a person with a browser of their own; no page may log an error."""
    with ExitStack() as stack:
        faults: list[str] = []

        def open_page(fragment: str = "", **options: Any) -> Any:
            context = browser.new_context(**options)
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(15_000)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda line: faults.append(line.text) if is_fault(line) else None)
            page.goto(f"{url}/{fragment}")
            return page

        yield open_page
        assert not faults


@pytest.fixture
def screenshot(request: pytest.FixtureRequest) -> Callable[[Any, str], None]:
    """Keep a picture of a page under `build/screenshots`."""

    def take(page: Any, name: str) -> None:
        folder = Path(__file__).parents[2] / "build" / "screenshots"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", full_page=True)

    return take
