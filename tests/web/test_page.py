"""Games played on the page in a real browser, by clicking and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from .pages import (
    OpenPage,
    begin,
    call,
    create,
    is_over,
    play_move,
    press,
    resign,
    status,
    until,
)

BOARDS = ["code_of_chivalry", "kingdom_coinquest", "knights_duty", "chessault", "knaves_out"]
BRIEF_GAMES: dict[str, dict[str, str]] = {
    "kuhn_poker": {},
    "code_of_chivalry": {"players": "2", "turn_limit": "30"},
    "kingdom_coinquest": {"players": "2", "turn_limit": "24"},
    "knights_duty": {"players": "2", "turn_limit": "10"},
    "chessault": {"max_turns": "12"},
    "knaves_out": {"max_turns": "12"},
}
"""With options that end a game of clicks soon."""
MOST_CLICKS = 500


def test_a_whole_game_is_played_by_clicking(
    open_page: OpenPage, screenshot: Callable[[Any, str], None]
) -> None:
    page = open_page()
    begin(page, "tic_tac_toe")
    screenshot(page, "tic_tac_toe")
    while not is_over(page):
        play_move(page)
    assert "over" in status(page)
    assert page.locator(".log li").count() >= 9


def test_a_board_is_pressed_with_mouse_and_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "connect_four")
    page.locator("svg.board [data-key=d]").first.click()
    page.wait_for_selector("svg.board .seat-x")
    until(page, "document.querySelector('.now').innerText === 'Your turn'")
    assert page.locator("svg.board .last").count() >= 1  # where the rival played
    key = page.locator("svg.board [data-key=e]").first
    key.focus()
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('svg.board .seat-x').length === 2")


@pytest.mark.slow
def test_knaves_out_is_played_by_pressing_its_boards_and_cards(
    open_page: OpenPage, url: str
) -> None:
    """A game of two turns: the king building, the court out of the deck, the end of a turn."""
    options = {"first": "p1", "start_court": "on", "max_turns": "2"}
    match_id, token = create(url, options, [{}, {"bot": "random"}])
    page = open_page(f"#m={match_id}&t={token}")
    for key in ("1d4", "p1.deck.jh", "p1.deck.qh", "p1.deck.kh", "p1.act.end_turn"):
        press(page, key)
    while not is_over(page):
        play_move(page)
    assert page.locator('[data-key="p1.q"]').get_attribute("aria-label").startswith("Queen: Q of ")
    page.click("text=How to play")
    page.wait_for_selector("dialog[open] >> text=How to play Knaves Out")


def test_the_next_move_is_played_before_the_last_one_is_answered(
    open_page: OpenPage, url: str
) -> None:
    """The view after a move may come before the answer to the call that played it."""
    options = {"first": "p1", "start_court": "on"}
    match_id, token = create(url, options, [{}, {"bot": "random"}])
    page = open_page(f"#m={match_id}&t={token}")
    answers: list[Callable[[], None]] = []

    def hold(route: Any) -> None:
        answer = route.fetch()
        answers.append(lambda: route.fulfill(response=answer))

    page.route("**/*MatchService/PlayMove", hold)
    for key in ("1d4", "p1.deck.jh", "p1.deck.qh", "p1.deck.kh"):
        press(page, key)
    page.wait_for_selector('[data-key="p1.act.end_turn"]')
    assert len(answers) == 4
    for answer in answers:
        answer()


def test_a_move_is_played_while_a_hint_is_asked_for(open_page: OpenPage, url: str) -> None:
    """The hint comes too late then, which is no fault to tell."""
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page(f"#m={match_id}&t={token}")
    held: list[Any] = []
    page.route("**/*MatchService/GetMatchHint", lambda route: held.append(route))
    until(page, "document.querySelector('.now')?.innerText === 'Your turn'")
    before = page.locator(".log li").count()
    page.click("text=Hint")
    until(page, "document.querySelector('.tools button[disabled]') !== null")
    play_move(page)
    until(page, f"document.querySelectorAll('.log li').length >= {before + 2}")
    held[0].continue_()
    until(page, "document.querySelector('.tools button[disabled]') === null")
    assert page.locator("[role=alert]").count() == 0
    assert page.locator(".hint").count() == 0


def test_a_draw_is_offered_while_a_hint_is_asked_for(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {}, [{}, {}], "connect_four")
    call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ben"})
    page = open_page(f"#m={match_id}&t={token}")
    held: list[Any] = []
    page.route("**/*MatchService/GetMatchHint", lambda route: held.append(route))
    page.click("text=Hint")
    page.click("text=Offer a draw")
    page.wait_for_selector(".log >> text=Ann (p1) offers a draw")
    held[0].continue_()
    page.wait_for_selector(".hint")


def test_a_double_click_plays_no_move_that_comes_under_the_pointer(
    open_page: OpenPage, url: str
) -> None:
    """To pass brings the cards to discard into the place of the button that was pressed."""
    match_id, token = create(url, {"kings": "hs"}, [{}, {"bot": "random"}], "kingdom_coinquest")
    page = open_page(f"#m={match_id}&t={token}")
    for drawn in (1, 2, 3):
        page.click(".moves >> text=Draw from the forge")
        until(page, f"document.querySelectorAll('.log li').length >= {4 + 2 * drawn}")
    box = page.locator(".moves >> text=Pass").bounding_box()
    assert box
    place = (box["x"] + 20, box["y"] + box["height"] / 2)
    page.mouse.click(*place)
    page.wait_for_selector(".moves >> text=Discard")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(300)
    assert status(page) == "Your turn"
    assert page.locator(".moves >> text=Discard").count() == 3
    page.mouse.click(*place)
    page.wait_for_selector(".log >> text=Ann (p1): discard")


def test_a_double_click_plays_one_move_though_a_bot_answers_at_once(
    open_page: OpenPage, url: str
) -> None:
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".now >> text=Your turn")
    box = page.locator("svg.board [data-key=d]").first.bounding_box()
    assert box
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*place)
    page.wait_for_selector(".log >> text=Bot random (p2): drop")
    page.wait_for_selector(".moves button")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(300)
    assert page.locator(".log >> text=Ann (p1): drop").count() == 1
    page.mouse.click(*place)
    until(page, "document.querySelector('.log').innerText.split('Ann (p1): drop').length === 3")


def test_quick_presses_of_the_forge_draw_a_card_each(open_page: OpenPage, url: str) -> None:
    """Nobody else moves between them."""
    match_id, token = create(url, {"kings": "hs"}, [{}, {"bot": "random"}], "kingdom_coinquest")
    page = open_page(f"#m={match_id}&t={token}")
    box = page.locator("svg.board [data-key=forge]").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for drawn in (1, 2, 3):
        page.mouse.down(click_count=drawn)
        page.mouse.up(click_count=drawn)
        until(page, f"document.querySelectorAll('.log li').length >= {4 + 2 * drawn}")


def test_a_refused_move_can_be_chosen_again(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page(f"#m={match_id}&t={token}")
    refusal = {"code": "unavailable", "message": "the server is on its way home"}
    page.route("**/*MatchService/PlayMove", lambda route: route.fulfill(status=503, json=refusal))
    until(page, "document.querySelector('.now')?.innerText === 'Your turn'")
    before = page.locator(".log li").count()
    page.click(".moves button")
    page.wait_for_selector("[role=alert] >> text=on its way home")
    page.unroute("**/*MatchService/PlayMove")
    play_move(page)
    until(page, f"document.querySelectorAll('.log li').length > {before}")


@pytest.mark.slow
def test_actions_of_knaves_out_are_pressed_and_paid_for(
    open_page: OpenPage, url: str, screenshot: Callable[[Any, str], None]
) -> None:
    options = {"first": "p1", "start_court": "on", "fuel": "on"}
    match_id, token = create(url, options, [{}, {"bot": "random"}])
    page = open_page(f"#m={match_id}&t={token}")
    press(page, "1d4")  # the king building
    for court in ("jh", "qh", "kh"):
        press(page, f"p1.deck.{court}")
    for tower in "jqk":
        for rank in "a23":
            press(page, f"p1.deck.{rank}{'dhs'['jqk'.index(tower)]}")
            press(page, f"p1.{tower}")
    page.wait_for_selector('[data-key^="p1.hand"]')
    until(page, "document.querySelector('.now').innerText === 'Your turn'")
    press(page, "p1.act.tax")
    for tower in "jqk":
        until(page, "document.querySelector('.moves button:not([disabled])') !== null")
        offered = page.locator('.open[data-key^="p1.deck."]')
        if offered.count():
            offered.first.click()
            press(page, f"p1.{tower}")
        else:  # all cards of that rank are in the hand
            page.click("text=Take no card")
        page.wait_for_timeout(50)
    until(page, "document.querySelector('[data-key=\"p1.act.end_turn\"]') !== null")
    screenshot(page, "knaves_out_played")
    label = page.get_attribute('[data-key="p1.j"]', "aria-label")
    assert re.search("Knave: J of hearts, height [12]", label)  # two cards paid, one found


def test_a_move_of_a_rival_is_not_marked_on_what_is_ones_own(open_page: OpenPage) -> None:
    keys = open_page().evaluate(
        """async () => {
            const { boardOf } = await import("/boards/index.js");
            const moves = {
                kingdom_coinquest: { kingdomCoinquest: { verb: "prep", card: "9h" } },
                code_of_chivalry: { codeOfChivalry: { verb: "fortify", role: "castle" } },
                knights_duty: { knightsDuty: { verb: "step", choice: "nw" } },
                knaves_out: { knavesOut: { verb: "act", action: "parlay", tower: "j" } },
            };
            return Object.entries(moves).flatMap(([game, move]) =>
                boardOf({ observation: { game } }).keys({ move }, 2));
        }"""
    )
    assert keys
    assert all(key.startswith("p2.") for key in keys)


def test_nothing_can_be_pressed_on_the_board_after_the_end(open_page: OpenPage, url: str) -> None:
    """A game that is resigned ends where its last move was offered."""
    options = {"first": "p1", "start_court": "on"}
    match_id, token = create(url, options, [{}, {"bot": "random"}])
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector("svg.board .open")
    resign(page)
    until(page, "document.querySelector('.now')?.innerText?.startsWith('Resigned')")
    assert page.locator("svg.board .open").count() == 0
    assert page.locator('svg.board [role="button"]').count() == 0


def test_an_empty_place_is_pressed_in_its_middle_too(open_page: OpenPage) -> None:
    """As the graveyard of a new game is by who scraps a card."""
    page = open_page("#sandbox")
    page.wait_for_selector("svg.board [data-key=grave]")
    pressed = page.evaluate(
        """() => {
            const box = document.querySelector("[data-key=grave] .face").getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            return document.elementFromPoint(x, y).closest("[data-key]")?.dataset.key;
        }"""
    )
    assert pressed == "grave"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "kc turn=9 epoch=0 node=discard:p1 p1=h/20/js,ac/-/7h:2/-/-/- p2=s/20/?/-/-/-/-/- "
            "forge=44 grave=- old=- @p1",
            "Turn 9 of 600; reshuffles 0; p1 discards or stores a card",
        ),
        (
            "ko 0,0/8,0 t=9;f=p1;a=p1 main@p1 I=-;D=- p1:+:-:-:-:-:-:-:K1a1.4:-:-:- "
            "p2:+:?0:-:-:-:-:-:K2e5.4:-:-:- @p1",
            "Turn 9 of 240; p1 is to play",
        ),
        (
            "kd t3 2.inspire p2 1,-1/F/P/u/ME?;-1,0/F/P/u/MPP q2>1 @p2",
            "Turn 3 of 60, slot 2; p2 may use Inspiration; attacks: p2 on p1; "
            "pile before Inspiration: 2 hearts, 2 shields, hits 1/2",
        ),
        (
            "coc;players=2 3 p1 0 5,-,?2/7,-,p ?86 psk2x respond:p2:-:s:p2 - - @p2",
            "Turn 3 of 300, of p1; 12 gems win; reshuffles 0; "
            "p2 answers a soldier; the attack is on p2",
        ),
    ],
)
def test_a_board_says_what_is_to_be_decided(open_page: OpenPage, line: str, words: str) -> None:
    page = open_page("#sandbox")
    page.wait_for_selector("svg.board")
    page.fill("textarea", line)
    page.dispatch_event("textarea", "change")
    page.wait_for_selector(f"text={words}")


def test_a_key_that_is_held_plays_one_move(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".moves button")
    page.locator("svg.board [data-key=d]").first.focus()
    for _ in range(3):
        page.keyboard.down("Enter")  # without an up between them
        page.wait_for_timeout(500)
        until(page, "document.querySelector('.moves button') !== null")
    assert page.locator(".log >> text=Ann (p1): drop").count() == 1
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.log').innerText.split('Ann (p1): drop').length === 3")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", BRIEF_GAMES)
def test_each_game_is_played_by_clicking_to_its_end(
    open_page: OpenPage, url: str, game: str
) -> None:
    match_id, token = create(url, BRIEF_GAMES[game], [{}, {"bot": "level:1"}], game)
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".status .now")
    for _ in range(MOST_CLICKS):
        if is_over(page):
            break
        play_move(page)
    assert is_over(page)
    assert "Resigned" not in status(page)
    assert page.locator(".log li").count() > 3


@pytest.mark.slow
@pytest.mark.parametrize("game", BOARDS)
def test_a_move_is_made_by_pressing_the_board(
    open_page: OpenPage, screenshot: Callable[[Any, str], None], game: str
) -> None:
    page = open_page()
    begin(page, game)
    for _ in range(30):
        until(page, "document.querySelector('.moves button') !== null")
        if page.locator("svg.board .open").count():
            break
        play_move(page)
    count = page.locator(".log li").count()
    grown = f"document.querySelectorAll('.log li').length > {count}"
    page.locator("svg.board .open").first.click()
    until(page, f"{grown} || document.querySelector('svg.board .picked')")
    # What goes on with what is picked; another card would begin anew.
    while page.locator("svg.board .next").count():
        number = page.locator("svg.board .picked").count()
        page.locator("svg.board .next").first.click()
        until(page, f"{grown} || document.querySelectorAll('svg.board .picked').length > {number}")
    if page.locator("svg.board .picked").count():  # several moves are pressed in the same way
        page.click(".moves button")
    until(page, grown)
    screenshot(page, game)
    assert page.locator(".log li").count() > count
