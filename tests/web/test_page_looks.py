"""How the page looks in a real browser: words that can be read, phones, assistive technology."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .pages import (
    WON,
    OpenPage,
    begin,
    call,
    create,
    play_move,
    resign,
    until,
)

AXE = Path(__file__).parents[1] / "clients/node/node_modules/axe-core/axe.min.js"
CHECKED = ["connect_four", "goofspiel", "hearts", "kingdom_coinquest", "knaves_out", "leduc_poker"]
"""Games whose boards assistive technology reads in the tests."""
COINQUEST = (
    "kc turn=13 epoch=0 node=play:p1 p1=h/20/7s,7d,5c/9c/8c+8s:0/-/5s+jd/- "
    "p2=s/20/6d!,?/6h,ac/9s:1/3d+jh/-/- forge=32 grave=2h old=- @p1"
)
LONG_HAND = "coc;players=2 3 p1 0 6,-,p9s5k3gnda2c3/6,-,?23 ?47 - main - - @p1"


def test_no_label_covers_a_square_of_knaves_out(open_page: OpenPage) -> None:
    page = open_page("#sandbox")
    page.wait_for_selector("svg.board")
    page.fill("textarea", WON)
    page.dispatch_event("textarea", "change")
    page.wait_for_selector('[data-key="2d4"] .disc')
    covered = page.evaluate(
        """() => [...document.querySelectorAll(".world text.owner")].map((label) => {
            const { left, right, top, bottom } = label.getBoundingClientRect();
            return [...document.querySelectorAll(".land .face")].filter((face) => {
                const box = face.getBoundingClientRect();
                return box.left < right && left < box.right
                    && box.top < bottom - 1 && top + 1 < box.bottom;
            }).length;
        })"""
    )
    assert covered == [0, 0]


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(("line", "shown"), [(COINQUEST, "+8♠"), (LONG_HAND, "dragon")])
def test_the_words_on_a_board_can_be_read(
    open_page: OpenPage, line: str, shown: str, width: int
) -> None:
    """On a phone, and however many cards a hand has."""
    page = open_page("#sandbox", viewport={"width": width, "height": 800})
    page.wait_for_selector("svg.board")
    page.fill("textarea", line)
    page.dispatch_event("textarea", "change")
    page.wait_for_selector(f"svg.board text >> text={shown}")
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("svg.board text")].map((text) =>
            parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
    )
    assert min(sizes) > 8
    places = page.evaluate(
        """() => {
            const board = document.querySelector("svg.board").getBoundingClientRect();
            return [...document.querySelectorAll("svg.board .face")].filter((face) => {
                const box = face.getBoundingClientRect();
                return box.left < board.left || box.right > board.right
                    || box.bottom > board.bottom;
            }).length;
        }"""
    )
    assert places == 0


def test_a_board_is_drawn_anew_when_a_phone_is_turned(open_page: OpenPage) -> None:
    page = open_page("#sandbox", viewport={"width": 360, "height": 740})
    page.wait_for_selector("svg.board")
    tall = page.get_attribute("svg.board", "viewBox")
    page.set_viewport_size({"width": 740, "height": 360})
    until(page, f"document.querySelector('svg.board').getAttribute('viewBox') !== '{tall}'")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_number_on_the_back_of_a_card_can_be_read(open_page: OpenPage, scheme: str) -> None:
    """A contrast of 4.5 to 1 at least, as the WCAG want of small text."""
    page = open_page("#sandbox", color_scheme=scheme)
    page.wait_for_selector("svg.board [data-key=forge]")
    fills = page.evaluate(
        """() => ["text", ".back"].map((part) => getComputedStyle(
            document.querySelector(`[data-key=forge] ${part}`)).fill)"""
    )
    assert contrast(*fills) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("ttt board=xx./oo./... node=play:p1", 4),
        ("kd t3 2.inspire p2 1,-1/F/P/u/ME?;-1,0/F/P/u/MPP q2>1 @p2", 2),
    ],
)
def test_what_stands_on_the_colour_of_a_seat_can_be_read(
    open_page: OpenPage, scheme: str, line: str, count: int
) -> None:
    page = open_page("#sandbox", color_scheme=scheme)
    page.wait_for_selector("svg.board")
    page.fill("textarea", line)
    page.dispatch_event("textarea", "change")
    page.wait_for_selector("svg.board circle + text")
    fills = page.evaluate(
        """() => [...document.querySelectorAll("svg.board circle + text")].map((text) =>
            [text, text.previousElementSibling].map((part) => getComputedStyle(part).fill))"""
    )
    assert len(fills) == count
    assert min(contrast(*pair) for pair in fills) >= 4.5


def contrast(first: str, second: str) -> float:
    dark, light = sorted(luminance(colour) for colour in (first, second))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.slow
def test_the_rules_open_in_a_drawer(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "tic_tac_toe")
    page.click("text=How to play")
    page.wait_for_selector("dialog[open] h2")
    page.click("dialog >> text=Close")


def test_links_and_code_of_rules_are_shown_as_such(open_page: OpenPage) -> None:
    page = open_page()
    page.evaluate(
        """async () => {
            const { markdown } = await import("/markdown.js");
            const { render } = await import("/vendor/lit-html.js");
            const text = "See [a page](https://example.org/a) and [README.md](README.md).\\n\\n"
                + "```\\n# no heading\\n\\nat `all`\\n```\\n\\nThe [end](javascript:void).";
            const shown = document.body.appendChild(document.createElement("article"));
            render(markdown(text), shown);
        }"""
    )
    assert page.inner_text("article p >> nth=0") == "See a page and README.md."
    assert page.inner_text("article pre") == "# no heading\n\nat `all`"
    assert page.inner_text("article p >> nth=1") == "The end."
    links = page.locator("article a").evaluate_all("links => links.map((each) => each.href)")
    assert links == ["https://example.org/a"]


def test_chessault_shows_its_files_fields_tokens_and_unplaced_figures(
    open_page: OpenPage, url: str, screenshot: Callable[[Any, str], None]
) -> None:
    match_id, token = create(url, {}, [{}, {"bot": "bot:absent"}], "chessault")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector("svg.board")
    shown = page.locator("svg.board > text").all_text_contents()
    assert all(shown.count(file) == 2 for file in "abcdefgh")
    assert page.get_attribute('[data-key="c3"]', "aria-label") == "c3, EXPLODE field"
    assert page.get_attribute('[data-key="d4"]', "aria-label") == "d4, CONVERT field"
    assert page.locator(".field-sign.explode").count() == 8
    assert page.locator(".field-sign.convert").count() == 8
    words = page.inner_text(".field")
    assert "Setup, turn of White (p1); White (p1) sets up a figure" in words
    assert "Free tokens: 5 protect, 3 explode, 3 convert" in words
    assert re.search(r"White \(p1\): \d+ credits?; to place 1 ♚", words)
    screenshot(page, "chessault_setup")


@pytest.mark.parametrize("game", ["kingdom_coinquest", "knaves_out"])
def test_a_phone_shows_all_without_scrolling_sideways(
    open_page: OpenPage, screenshot: Callable[[Any, str], None], game: str
) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    begin(page, game)
    page.wait_for_selector(".board")
    width = page.evaluate("document.documentElement.scrollWidth")
    screenshot(page, f"phone_{game}")
    assert width <= 390


def test_what_is_pressed_on_a_phone_does_not_touch_what_is_above(
    open_page: OpenPage, url: str
) -> None:
    created = call(
        url, "MatchService/CreateMatch", {"options": {"game": "chessault"}, "seats": [{}, {}]}
    )
    page = open_page(f"#m={created['status']['matchId']}", viewport={"width": 390, "height": 844})
    field, button = (
        page.locator(each).bounding_box() for each in ("input[name=name]", "text=Take a seat")
    )
    assert button["y"] >= field["y"] + field["height"] + 4


def test_long_names_and_titles_of_strangers_leave_the_page_its_width(
    open_page: OpenPage, url: str
) -> None:
    options = {"game": "kuhn_poker", "title": "T" * 80}
    created = call(url, "MatchService/CreateMatch", {"options": options})
    match_id = created["status"]["matchId"]
    for letter in "Wm":
        call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": letter * 40})
    page = open_page(viewport={"width": 360, "height": 740})
    for shown in (".matches >> text=TTTT", ".log >> text=WWWW"):
        page.wait_for_selector(shown)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.evaluate(f"location.hash = 'm={match_id}'")


def test_what_is_picked_is_told_to_who_does_not_see_it(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {"players": "2"}, [{}, {"bot": "random"}], "code_of_chivalry")
    page = open_page(f"#m={match_id}&t={token}")
    card = page.locator("svg.board [data-key^='p1.card.'].open").first
    card.click()
    assert card.get_attribute("aria-pressed") == "true"
    card.click()
    assert card.get_attribute("aria-pressed") is None


def test_the_page_is_small_and_runs_no_foreign_code(open_page: OpenPage, url: str) -> None:
    """At most 150 kB compressed, from this server alone, by a strict policy."""
    page = open_page()
    page.wait_for_selector("select option", state="attached")
    files = page.evaluate(
        """() => performance.getEntriesByType("resource")
            .concat(performance.getEntriesByType("navigation"))
            .map((each) => [each.name, each.encodedBodySize])"""
    )
    assert {f"{url}/", f"{url}/match.js", f"{url}/boards/knaves_out.js"} <= {
        name for name, _ in files
    }
    assert all(name.startswith(url) for name, _ in files)
    assert 10_000 < sum(size for _, size in files) < 150_000
    with urllib.request.urlopen(url, timeout=10) as answer:
        policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_all_modules_are_fetched_at_once() -> None:
    """Not one after the other, as each of them is found in another one."""
    folder = Path(__file__).parents[2] / "web"
    modules = {str(path.relative_to(folder)) for path in folder.rglob("*.js")} - {"app.js"}
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert set(re.findall('modulepreload" href="([^"]+)"', page)) == modules


@pytest.mark.slow
@pytest.mark.parametrize("part", ["", "#sandbox", *CHECKED, "review"])
def test_assistive_technology_finds_nothing_serious(open_page: OpenPage, part: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: install node, then `make node`")
    page = open_page(part if part.startswith("#") else "")
    if part == "review":
        begin(page, "connect_four")
        play_move(page)
        resign(page)
        page.click("button >> text=Review")
        page.click("text=Forward")
        page.wait_for_selector(".field .last")
    elif part in CHECKED:
        begin(page, part)
        until(page, "document.querySelector('.now').innerText === 'Your turn'")
        page.click("text=Hint")
        page.wait_for_selector(".hint li")
    else:
        page.wait_for_selector("select option", state="attached")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    serious = [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert not serious
