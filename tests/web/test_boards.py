"""The boards of Hearts, Goofspiel, poker, Connect four and Tic-tac-toe, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from .pages import OpenPage, call, create, is_over, press, until

PASSED = (
    "hearts direction=across p1=8c,ad,2h,3h,4h,jh,qh,ah,4s,9s,ts/4c,6c/5c,7c,td/-/0 "
    "p2=?,?,?,?,?,?,?,?,?,?/2c,tc/?,?,?/-/0 p3=td,?,?,?,?,?,?,?,?,?/5c,7c/4c,6c,8c/-/0 "
    "p4=?,?,?,?,?,?,?,?,?,?,?/3c,9c/?,?,?/-/0 trick=qc,ac node=play:p4 @p1"
)
"""p1 knows the ten of diamonds that it gave to p3; p2 and p3 have played to the trick."""
BID = "goof;cards=5 p1=1,2,3,5 p2=1,2,4,5 bids=?/_ points=0/3 prize=4 down=1,2,5 node=bid:p2 @p2"
RAISED = "leduc p1=? p2=qs board=ks bets=rrc/r node=play:p2 @p2"
PLAYED = ["hearts", "goofspiel", "kuhn_poker", "leduc_poker", "connect_four", "tic_tac_toe"]
QUICK = ["goofspiel", "leduc_poker"]  # a hint on cards, and one on actions
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
MOVES = "document.querySelector('.field .open')"
NOW = "document.querySelector('.now')?.innerText ?? 'Waiting'"
TURN = f"{MOVES} || !/to move|Your turn|Waiting/.test({NOW})"


def show(page: Any, line: str) -> None:
    """Show a line in the sandbox."""
    page.wait_for_selector("svg.board")
    page.fill("textarea", line)
    page.dispatch_event("textarea", "change")


def labels(page: Any, selector: str) -> list[str]:
    return [each.get_attribute("aria-label") for each in page.locator(selector).all()]


def join(url: str, game: str, **options: str) -> tuple[str, str, str]:
    """Create a match of two people; returns its id and their tokens."""
    match_id, ann = create(url, options, [{}, {}], game)
    ben = call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ben"})["token"]
    return match_id, ann, ben


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_whole_game_is_played_on_the_board_alone(
    open_page: OpenPage,
    url: str,
    screenshot: Callable[[Any, str], None],
    game: str,
    size: dict[str, int],
) -> None:
    """Each press of what is open is a move; nothing needs the page to be scrolled sideways."""
    seats = [{}, *[{"bot": "random"}] * (3 if game == "hearts" else 1)]
    match_id, token = create(url, {"cards": "5"} if game == "goofspiel" else {}, seats, game)
    page = open_page(f"#m={match_id}&t={token}", viewport=size)
    page.wait_for_selector("svg.board")
    until(page, TURN)
    while not is_over(page):
        lines = page.locator(".log li").count()
        page.locator(".field .open").first.click()
        until(page, f"document.querySelectorAll('.log li').length > {lines}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        screenshot(page, f"{game}_{size['width']}")
        until(page, TURN)
    assert page.locator(".field .open").count() == 0


@pytest.mark.parametrize(
    "game",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in PLAYED],
)
def test_a_hint_is_marked_on_the_board_and_told(open_page: OpenPage, url: str, game: str) -> None:
    seats = [{}, *[{"bot": "random"}] * (3 if game == "hearts" else 1)]
    match_id, token = create(url, {"pass": "none"} if game == "hearts" else {}, seats, game)
    page = open_page(f"#m={match_id}&t={token}")
    until(page, MOVES)
    page.click("text=Hint")
    page.wait_for_selector(".hint li")
    hinted = page.locator(".field .hinted")
    assert hinted.count() == 1
    assert "poker" in game or hinted.get_attribute("aria-label").endswith(", hint")
    hinted.click()
    until(page, "document.querySelector('.hinted') === null")


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_a_review_marks_moves_on_the_board(open_page: OpenPage, url: str, game: str) -> None:
    """What was played at a decision; who sat at the seats stands on boards with hands."""
    bots = [{"bot": "random"}] * (4 if game == "hearts" else 2)
    asked = {"options": {"game": game}, "seats": bots}
    match_id = call(url, "MatchService/CreateMatch", asked)["status"]["matchId"]
    page = open_page(f"#m={match_id}")
    page.click("button >> text=Review")
    page.wait_for_selector(".steps")
    page.click("button >> text=Forward")
    page.wait_for_selector(".field .last")
    assert page.locator(".field .last").count() == 1
    assert page.locator(".field .open").count() == 0
    if game not in ("connect_four", "tic_tac_toe"):
        assert re.fullmatch(r"p\d Bot random \(to move\).*", page.text_content("svg.board .turn"))


def test_hearts_shows_what_a_seat_sees_and_no_more(open_page: OpenPage) -> None:
    page = open_page("#sandbox")
    show(page, PASSED)
    page.wait_for_selector('[data-key="card.td"]')
    hands = [f'[data-key="p{seat}.hand"]' for seat in (2, 3, 4)]
    backs = [page.locator(f"{hand} .back").count() for hand in hands]
    assert backs == [10, 9, 11]
    assert labels(page, hands[1]) == ["hand of p3, hidden cards: 9"]
    assert labels(page, '[data-key="card.td"]') == ["10 of diamonds in the hand of p3"]
    assert labels(page, '[aria-label="led by p2"] [data-key]') == [
        "Q of clubs played by p2",
        "A of clubs played by p3",
    ]
    facts = page.inner_text(".now-in-game")
    assert facts.startswith("Pass across; hearts are not broken")
    assert "p1 gave p3 5♣ 7♣ 10♦; p3 gave p1 4♣ 6♣ 8♣" in facts
    assert page.text_content("svg.board text.turn") == "p4"


def test_cards_of_hearts_are_set_aside_before_they_are_passed(
    open_page: OpenPage, url: str
) -> None:
    match_id, token = create(url, {"pass": "left"}, [{}, *[{"bot": "random"}] * 3], "hearts")
    page = open_page(f"#m={match_id}&t={token}")
    until(page, MOVES)
    assert page.locator("svg.board >> text=to pass left, to p2").count() == 1
    chosen = page.locator(".field .open").first.get_attribute("data-key")
    page.locator(".field .open").first.click()
    name = chosen.removeprefix("card.")
    page.wait_for_selector(f'[data-key="aside.{name}"]')
    assert labels(page, f'[data-key="aside.{name}"]')[0].endswith(" set aside")
    assert page.locator(f'[data-key="{chosen}"]').count() == 0
    for _ in range(2):
        until(page, MOVES)
        lines = page.locator(".log li").count()
        page.locator(".field .open").first.click()
        until(page, f"document.querySelectorAll('.log li').length > {lines}")
    until(page, f"{MOVES} && document.querySelector('.now-in-game').innerText.includes('gave')")
    assert page.locator(".last .back").count() == 0  # hands, which were marked as they passed


def test_hearts_keeps_the_last_trick_before_the_next_one_is_led(
    open_page: OpenPage, url: str
) -> None:
    """Its fourth card would never be seen, as the trick is taken at once."""
    match_id, ann = create(url, {"pass": "none"}, [{}] * 4, "hearts")
    joining = {"matchId": match_id, "name": "Ben"}
    others = [call(url, "MatchService/JoinMatch", joining)["token"] for _ in range(3)]
    page = open_page(f"#m={match_id}&t={ann}")
    for _ in range(4):
        for token in (ann, *others):
            seat = {"matchId": match_id, "token": token}
            view = call(url, "MatchService/GetMatch", seat)["view"]
            if view.get("moves"):
                played = {
                    "afterEvent": view["status"]["numEvents"],
                    "move": view["moves"][0]["move"],
                }
                call(url, "MatchService/PlayMove", {**seat, **played})
                break
    page.wait_for_selector("svg.board >> text=/last trick, taken by p/")
    assert page.locator(".past .face").count() == 4


def test_a_hidden_bid_of_goofspiel_is_a_back(open_page: OpenPage) -> None:
    page = open_page("#sandbox")
    show(page, BID)
    page.wait_for_selector('[data-key="p1.bid"] .back')
    assert labels(page, '[data-key="p1.bid"]') == ["hidden bid of p1"]
    assert labels(page, '[aria-label="hand of p2"] [data-key]') == [
        f"{card} of p2" for card in (1, 2, 4, 5)
    ]
    assert labels(page, '[data-key="prize"]') == ["prize: 4"]
    assert "Prizes to come: 1 2 5" in page.inner_text(".now-in-game")
    assert page.locator("svg.board >> text=p2 (you), 3 points").count() == 1


def test_the_bids_of_the_round_before_are_shown(open_page: OpenPage, url: str) -> None:
    match_id, ann, ben = join(url, "goofspiel", cards="5", order="ascending")
    pages = [open_page(f"#m={match_id}&t={token}") for token in (ann, ben)]
    press(pages[0], "p1.card.5")
    pages[1].wait_for_selector('[data-key="p1.bid"].last .back')
    assert pages[1].locator('[data-key="p1.card.5"]').count() == 1  # nobody knows what was bid
    press(pages[1], "p2.card.2")
    for page in pages:
        page.wait_for_selector("text=the bids before: 5 of p1, 2 of p2")
        assert labels(page, '.past [data-key^="p1"]') == ["bid before of p1: 5"]


def test_poker_shows_chips_and_marks_what_a_rival_did(open_page: OpenPage, url: str) -> None:
    match_id, ann, ben = join(url, "leduc_poker")
    page = open_page(f"#m={match_id}&t={ann}")
    press(page, "p1.raise")
    page = open_page(f"#m={match_id}&t={ben}")
    page.wait_for_selector('[data-key="p1.raise"].last')
    assert labels(page, '[data-key="p1.raise"]') == ["p1: bet, last move"]
    assert labels(page, '[data-key="p1.card"]') == ["a hidden card of p1"]
    assert re.fullmatch(r"[JQK] of \w+ of p2", labels(page, '[data-key="p2.card"]')[0])
    shown = page.locator("svg.board text").all_text_contents()
    assert {"3 chips", "1 chip", "pot: 4 chips", "p1 Ann"} <= set(shown)
    assert page.locator(".field .chip").all_inner_texts() == [
        "Fold",
        "Call for 2 chips",
        "Raise 2 chips more",
    ]


def test_poker_tells_rounds_apart(open_page: OpenPage) -> None:
    page = open_page("#sandbox")
    show(page, RAISED)
    page.wait_for_selector('[data-key="board"] >> text=K♠')
    assert page.locator(".past text").all_text_contents() == ["bet", "call", "raise"]
    assert "round 2: p1: bet 4 chips" in page.inner_text(".now-in-game")


def test_a_column_is_one_thing_to_press_and_marks_its_last_disc(
    open_page: OpenPage, url: str
) -> None:
    match_id, ann, ben = join(url, "connect_four")
    pages = [open_page(f"#m={match_id}&t={token}") for token in (ann, ben)]
    until(pages[0], "document.querySelectorAll('svg.board .open').length === 7")
    press(pages[0], "d")
    pages[1].wait_for_selector('[data-key="d"].open')  # before that, a press is none
    press(pages[1], "d")
    pages[0].wait_for_selector('[data-key="d"].last')
    label = "column d, from below x o, last move"
    assert labels(pages[0], '[data-key="d"]') == [label]
    assert pages[0].locator("circle.fresh").count() == 1
    assert "seat-o" in pages[0].get_attribute("circle.fresh", "class")


@pytest.mark.parametrize("line", [PASSED, BID, RAISED])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_words_on_boards_of_cards_can_be_read(
    open_page: OpenPage, line: str, width: int
) -> None:
    """They are large enough, and inside the board, whatever the players are called."""
    page = open_page("#sandbox", viewport={"width": width, "height": 800})
    show(page, line)
    page.wait_for_selector("svg.board text.turn")
    found = page.evaluate(
        """() => {
            const board = document.querySelector("svg.board").getBoundingClientRect();
            return [...document.querySelectorAll("svg.board text")].map((text) => {
                const box = text.getBoundingClientRect();
                const isInside = box.left >= board.left && box.right <= board.right
                    && box.bottom <= board.bottom;
                const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
                return [text.textContent, size, isInside];
            });
        }"""
    )
    assert [each for each in found if each[1] <= 8 or not each[2]] == []


def test_long_names_are_cut_on_a_board(open_page: OpenPage, url: str) -> None:
    created = call(url, "MatchService/CreateMatch", {"options": {"game": "hearts"}})
    match_id = created["status"]["matchId"]
    for letter in "WmWm":
        call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": letter * 40})
    page = open_page(f"#m={match_id}", viewport=PHONE)
    page.wait_for_selector("svg.board >> text=/p2 m+…/")
    boxes = page.evaluate(
        """() => [...document.querySelectorAll("svg.board text")]
            .filter((text) => /^p[234] /.test(text.textContent))
            .map((text) => text.getBoundingClientRect())
            .map(({ left, right }) => [left, right])"""
    )
    edges = [edge for box in sorted(boxes) for edge in box]
    assert edges == sorted(edges)


def test_other_games_have_the_board_in_characters(open_page: OpenPage) -> None:
    """As those of other packages have."""
    drawn = open_page().evaluate(
        """async () => {
            const { boardOf } = await import("/boards/index.js");
            const { render } = await import("/vendor/lit-html.js");
            const view = { observation: { game: "foreign_game", text: "f" }, board: "a  b" };
            const shown = document.body.appendChild(document.createElement("div"));
            render(boardOf(view).draw(view, {}), shown);
            return shown.querySelector("pre").textContent;
        }"""
    )
    assert drawn == "a  b"


def test_a_click_leaves_no_thick_rim_and_a_key_shows_where_it_is(
    open_page: OpenPage, url: str
) -> None:
    """Browsers draw outlines in drawings in their size, under what is beside them."""
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "tic_tac_toe")
    page = open_page(f"#m={match_id}&t={token}")
    press(page, "b2")
    until(page, MOVES)
    rim = """key => {
        const shape = document.querySelector(`[data-key=${key}]`);
        const face = getComputedStyle(shape.querySelector(".face"));
        return [getComputedStyle(shape).outlineStyle, face.strokeWidth, face.strokeDasharray];
    }"""
    assert page.evaluate(rim, "b2") == ["none", "1px", "none"]
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.dataset.key")
    assert page.evaluate(rim, focused) == ["none", "6px", "7px, 3px"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hearts", "goofspiel", "connect_four"])
def test_a_whole_game_is_played_with_the_keyboard_alone(
    open_page: OpenPage, url: str, game: str
) -> None:
    """Tab leads to what can be pressed; after a move the focus is still on the board."""
    seats = [{}, *[{"bot": "random"}] * (3 if game == "hearts" else 1)]
    match_id, token = create(url, {"cards": "4"} if game == "goofspiel" else {}, seats, game)
    page = open_page(f"#m={match_id}&t={token}")
    until(page, TURN)
    page.focus("header a >> nth=-1")
    while not is_over(page):
        lines = page.locator(".log li").count()
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("!!document.activeElement.closest('.field .open')"):
                break
        page.keyboard.press("Enter")
        until(page, f"document.querySelectorAll('.log li').length > {lines}")
        until(page, TURN)


@pytest.mark.parametrize("game", ["goofspiel", "leduc_poker"])
def test_the_focus_stays_at_a_board_whose_thing_was_played(
    open_page: OpenPage, url: str, game: str
) -> None:
    """A card that has left the hand, or an action, took it along: Tab began at the top again."""
    match_id, ann, _ = join(url, game)
    page = open_page(f"#m={match_id}&t={ann}")
    until(page, MOVES)
    page.locator(".field .open").last.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".now >> text=Ben (p2) is to move")
    assert page.evaluate("document.activeElement.ariaLabel") == "Board"
