"""The page in a real browser: whole games by clicking, two players, phones, other sites."""

from __future__ import annotations

import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from .pages import (
    WON,
    OpenPage,
    begin,
    call,
    create,
    is_over,
    play_move,
    press,
    received,
    record,
    resign,
    status,
    until,
)

AXE = Path(__file__).parents[1] / "clients/node/node_modules/axe-core/axe.min.js"
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
COINQUEST = (
    "kc turn=13 epoch=0 node=play:p1 p1=h/20/7s,7d,5c/9c/8c+8s:0/-/5s+jd/- "
    "p2=s/20/6d!,?/6h,ac/9s:1/3d+jh/-/- forge=32 grave=2h old=- @p1"
)
LONG_HAND = "coc;players=2 3 p1 0 6,-,p9s5k3gnda2c3/6,-,?23 ?47 - main - - @p1"


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


def test_two_players_never_receive_each_others_cards(open_page: OpenPage, url: str) -> None:
    """Greps every byte that a browser received for the card that only the other one may know."""
    ann = open_page()
    begin(ann, "kuhn_poker", friends="1")
    match_id = ann.evaluate("new URLSearchParams(location.hash.slice(1)).get('m')")
    ben = open_page()
    record(ben)
    ben.evaluate(f"location.hash = 'm={match_id}'")
    ben.fill("input[name=name]", "Ben")
    ben.click("text=Take a seat")
    until(ben, "/to move|Your turn/.test(document.querySelector('.now')?.innerText)")
    until(ann, "document.querySelector('.now').innerText === 'Your turn'")
    token = ann.evaluate(f"localStorage.getItem('kingmaker.token.{match_id}')")
    mine = call(url, "MatchService/GetMatch", {"matchId": match_id, "token": token})["view"]
    card = mine["observation"]["kuhnPoker"]["seen"]["cards"][0]
    assert card in "jqk"
    heard = received(ben)
    assert "deal:?" in heard
    assert f'"deal:{card}"' not in heard
    assert token not in heard


@pytest.mark.slow
def test_two_players_of_knaves_out_never_receive_each_others_hands(
    open_page: OpenPage, url: str
) -> None:
    """Ann draws ten cards before Ben has any: each card that he receives is one of hers."""
    match_id, token = create(url, {"first": "p1", "kings": "fixed"}, [{}, {}])
    ben = open_page()
    record(ben)
    ben.evaluate(f"location.hash = 'm={match_id}'")
    ben.fill("input[name=name]", "Ben")
    ben.click("text=Take a seat")
    ann = open_page(f"#m={match_id}&t={token}")
    until(ann, "document.querySelectorAll('[data-key^=\"p1.hand\"]').length === 10")
    until(ben, "/hand 10/.test(document.querySelector('[aria-label=\"court of p1\"]')?.innerText)")
    mine = call(url, "MatchService/GetMatch", {"matchId": match_id, "token": token})["view"]
    seen = mine["observation"]["knavesOut"]["seen"]
    heard = received(ben)
    assert heard.count('"draw:?"') >= 10
    assert '"numHidden":10' in heard
    assert "".join(seen["players"][0]["hand"]) in mine["observation"]["text"]
    assert "".join(seen["players"][0]["hand"]) not in heard
    assert not re.search(r"draw:[a2-9tjqk]|draw:jo|\"hand\"|the \w+ of (clubs|hearts)", heard)
    assert token not in heard


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
    assert page.locator('[data-key="p1.q"]').get_attribute("aria-label").startswith("Queen: queen")
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


def test_a_match_that_has_ended_has_no_advice(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".now >> text=Your turn")
    page.click("text=Hint")
    page.wait_for_selector(".hint")
    page.click("text=Analyse >> nth=-1")
    page.wait_for_selector(".analysis")
    resign(page)
    page.wait_for_selector("button >> text=Review")
    assert page.locator(".hint, .analysis, .hinted").count() == 0


def test_a_connection_that_has_gone_silent_is_made_anew(open_page: OpenPage, url: str) -> None:
    """As that of a phone that has slept: nothing tells the page that it is lost."""
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page()
    page.clock.install()
    page.goto(f"{url}/#m={match_id}&t={token}")
    page.reload()
    page.wait_for_selector(".moves button")
    with page.expect_request("**/*MatchService/WatchMatch"):
        page.clock.fast_forward(60_000)
        page.clock.run_for(2_000)
    play_move(page)


@pytest.mark.parametrize("what", ["Offer a draw", "Hint", "column d"])
def test_what_a_lost_connection_swallowed_can_be_pressed_again(
    open_page: OpenPage, url: str, what: str
) -> None:
    """The browser itself waits for minutes for an answer that does not come."""
    match_id, token = create(url, {}, [{}, {}], "connect_four")
    call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ben"})
    page = open_page()
    page.clock.install()
    page.goto(f"{url}/#m={match_id}&t={token}")
    page.reload()
    methods = re.compile("MatchService/(OfferDraw|GetMatchHint|PlayMove)$")
    lost: list[Any] = []
    page.route(methods, lambda route: route.continue_() if lost else lost.append(route))
    with page.expect_request(methods):
        page.click(f"button >> text={what}")
    with page.expect_request("**/*MatchService/WatchMatch"):
        page.clock.fast_forward(60_000)
        page.clock.run_for(2_000)
    with page.expect_response(methods) as answer:
        page.click(f"button >> text={what}")
    assert answer.value.ok


def test_a_move_that_came_too_late_is_no_fault_to_tell(open_page: OpenPage, url: str) -> None:
    """As when the seat is played in two tabs: the view says what has happened."""
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".now >> text=Your turn")
    held: list[Any] = []
    page.route("**/*MatchService/PlayMove", lambda route: held.append(route))
    page.click(".moves >> text=column a")
    seat = {"matchId": match_id, "token": token}
    after = call(url, "MatchService/GetMatch", seat)["view"]["status"]["numEvents"]
    move = {"text": "d"}
    call(url, "MatchService/PlayMove", {**seat, "afterEvent": after, "move": move})
    page.wait_for_selector(".log >> text=column d")
    page.wait_for_selector(".moves button")
    with page.expect_response("**/*MatchService/PlayMove") as answer:
        held[0].continue_()
    assert not answer.value.ok
    page.wait_for_timeout(200)
    assert page.locator("[role=alert]").count() == 0


def test_the_page_never_shows_much_less_than_has_happened(open_page: OpenPage, url: str) -> None:
    """The moves of a fast bot are shown one after the other, while the clock of the player runs."""
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    seat = {"matchId": match_id, "token": token}
    view = call(url, "MatchService/GetMatch", seat)["view"]
    played = {"kind": "MATCH_EVENT_KIND_PLAYED", "seat": 2, "play": {"description": "a move"}}
    left = open_page().evaluate(
        """async ({ seat, view, played }) => {
            const { MatchPage } = await import("/match.js");
            const part = new MatchPage(seat.matchId, seat.token, () => {});
            part.show(view);
            part.waiting = Array.from({ length: 20 }, () => ({ ...view, events: [played] }));
            part.tick();
            const waiting = part.waiting.length;
            part.close();
            return waiting;
        }""",
        {"seat": seat, "view": view, "played": played},
    )
    assert left == 4


def test_no_address_that_is_copied_has_the_token_of_a_seat(open_page: OpenPage, url: str) -> None:
    """Whoever opens it would sit at the seat of who sent it."""
    match_id, token = create(url, {"players": "3"}, [{}, {}, {}], "kingdom_coinquest")
    ann, ben = open_page(f"#m={match_id}&t={token}"), open_page(f"#m={match_id}")
    ann.wait_for_selector("text=Ann (you)")
    ben.fill("input[name=name]", "Ben")
    ben.click("text=Take a seat")
    ben.wait_for_selector("text=Ben (you)")
    for page, name in ((ann, "Ann"), (ben, "Ben")):
        assert page.url == f"{url}/#m={match_id}"
        page.reload()
        page.wait_for_selector(f"text={name} (you)")


def test_a_link_with_a_wrong_token_does_not_take_the_seat_away(
    open_page: OpenPage, url: str
) -> None:
    """Such as one that was copied in part."""
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "connect_four")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector("text=Ann (you)")
    page.evaluate(f"location.hash = 'm={match_id}&t={token[:10]}'")
    page.wait_for_selector("text=no seat of this match has this token")
    page.evaluate(f"location.hash = 'm={match_id}'")
    page.wait_for_selector("text=Ann (you)")


def test_the_link_for_friends_is_seen_and_selected_as_a_whole(
    open_page: OpenPage, url: str
) -> None:
    page = open_page()
    begin(page, "connect_four", friends="1")
    link = page.locator("input[aria-label=Link]")
    assert link.evaluate("link => link.scrollWidth <= link.clientWidth")
    link.click()
    selected = link.evaluate("link => link.value.slice(link.selectionStart, link.selectionEnd)")
    assert selected == link.input_value()
    assert selected.startswith(f"{url}/#m=")


def test_who_waits_for_friends_cancels_the_match(open_page: OpenPage, url: str) -> None:
    ann, ben = open_page(), open_page()
    begin(ann, "connect_four", friends="1")
    match_id = ann.evaluate("new URLSearchParams(location.hash.slice(1)).get('m')")
    ben.goto(f"{url}/#m={match_id}")
    ben.wait_for_selector("button >> text=Take a seat")
    ann.click("button >> text=Cancel the match")
    ann.wait_for_selector("h1 >> text=Play against bots or friends")
    ben.wait_for_selector(".now >> text=Ann (p1) cancelled the match")
    assert ben.locator("button >> text=/Take a seat|Review/").count() == 0
    assert ben.locator(".board").count() == 0  # that nobody has played on
    ann.go_back()
    ann.wait_for_selector(".now >> text=Ann (p1) cancelled the match")


def test_who_leaves_a_match_makes_room_for_another_friend(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {"players": "3"}, [{}, {}, {}], "kingdom_coinquest")
    call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ben"})
    ann, cid = open_page(f"#m={match_id}&t={token}"), open_page(f"#m={match_id}")
    ann.click("button >> text=Leave the match")
    ann.wait_for_selector("h1 >> text=Play against bots or friends")
    cid.wait_for_selector(".log >> text=Ann leaves seat p1")
    cid.wait_for_selector(".seats >> text=p1 open")
    cid.fill("input[name=name]", "Cid")
    cid.click("text=Take a seat")
    cid.wait_for_selector(".seats >> text=p1 Cid (you)")
    cid.wait_for_selector(".log >> text=Cid takes seat p1")


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
    assert re.search("Knave: jack of hearts, height [12]", label)  # two cards paid, one found


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


@pytest.mark.slow
def test_a_reload_in_mid_game_goes_on(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "connect_four")
    play_move(page)
    page.reload()
    until(page, "document.querySelector('.now')?.innerText === 'Your turn'")
    assert page.locator(".log li").count() >= 5
    play_move(page)


def test_the_lobby_leads_back_to_matches_that_are_not_over(open_page: OpenPage) -> None:
    """Also to one that is not listed, whose address only the player knows."""
    page = open_page()
    page.check("input[name=private]")
    begin(page, "connect_four")
    match = page.url
    page.click("header >> text=Play")
    page.wait_for_selector("h1 >> text=Play against")
    page.click("[aria-label='Your matches'] >> text=Connect four")
    page.wait_for_selector(".seats >> text=Ann (you)")
    assert page.url == match
    resign(page)
    page.wait_for_selector(".now >> text=Resigned")
    page.click("header >> text=Play")
    page.wait_for_selector("h2 >> text=Matches")
    assert page.locator("[aria-label='Your matches']").count() == 0


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


def test_several_winners_share_the_win(open_page: OpenPage) -> None:
    view = {
        "status": {
            "phase": "MATCH_PHASE_ENDED",
            "seats": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}],
            "result": {"end": "MATCH_END_FINISHED", "returns": [0.5, 0, 0.5]},
        },
        "viewer": 2,
    }
    page = open_page()
    told = page.evaluate("view => import('/words.js').then((m) => m.statusWords(view))", view)
    assert told == "The game is over: Ann (p1) and Cleo (p3) share the win"


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("FINISHED", "The game is over: all share the win"),
        ("DRAWN", "Draw by agreement"),
        ("ABANDONED", "Abandoned"),
    ],
)
def test_all_win_alike_when_nobody_wins_more(open_page: OpenPage, end: str, words: str) -> None:
    """As the log says of a game that ends so: p1 and p2 share the win."""
    result = {"end": f"MATCH_END_{end}", "returns": [0.5, 0.5]}
    view = {"status": {"phase": "MATCH_PHASE_ENDED", "seats": [{}, {}], "result": result}}
    told = "view => import('/words.js').then((m) => m.statusWords(view))"
    assert open_page().evaluate(told, view) == words


def test_the_log_tells_chance_from_what_players_do(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "leduc_poker")
    page = open_page(f"#m={match_id}&t={token}")
    until(page, "document.querySelector('.now')?.innerText === 'Your turn'")
    lines = page.locator(".log li").all_inner_texts()
    dealt = [line for line in lines if re.match(r"Chance for (Ann|Bot random) \(p[12]\): ", line)]
    assert len(dealt) == 2
    play_move(page)
    assert re.match(r"Ann \(p1\): ", page.locator(".log li").all_inner_texts()[len(lines)])


def test_seats_keep_their_names_at_the_beginning_of_a_sentence(open_page: OpenPage) -> None:
    write = "text => import('/words.js').then((words) => words.capitalized(text))"
    page = open_page()
    assert page.evaluate(write, "p1 has not moved") == "p1 has not moved"
    assert page.evaluate(write, "pass the turn") == "Pass the turn"


def test_a_take_back_is_asked_for_in_the_log_as_on_the_card(open_page: OpenPage, url: str) -> None:
    asked = {"options": {"game": "connect_four", "hasTakeBacks": True}, "seats": [{}, {}]}
    match = {"matchId": call(url, "MatchService/CreateMatch", asked)["status"]["matchId"]}
    tokens = [
        call(url, "MatchService/JoinMatch", {**match, "name": name})["token"]
        for name in ("Ann", "Ben")
    ]
    ann = {**match, "token": tokens[0]}
    played = call(url, "MatchService/GetMatch", ann)["view"]["status"]["numEvents"]
    call(url, "MatchService/PlayMove", {**ann, "afterEvent": played, "move": {"text": "d"}})
    call(url, "MatchService/TakeBack", ann)
    page = open_page(f"#m={match['matchId']}&t={tokens[1]}")
    page.wait_for_selector(".log >> text=Ann (p1) asks to take a move back")
    page.wait_for_selector(".card >> text=Ann (p1) asks to take a move back.")


@pytest.mark.parametrize(
    ("line", "words"),
    [
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


def test_who_gives_no_name_is_a_guest(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "tic_tac_toe", name=" ")
    page.wait_for_selector(".log >> text=Guest takes seat p1")


@pytest.mark.slow
def test_to_resign_takes_a_second_press_in_time(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "connect_four")
    play_move(page)
    page.dblclick("button >> text=Resign")  # by mistake
    page.wait_for_selector("button >> text=Really resign?")
    page.wait_for_selector("button >> text=/^Resign$/")  # the question has gone
    assert "Resigned" not in status(page)
    page.focus("button >> text=Resign")
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # the key is held
    page.wait_for_selector("button:focus >> text=Really resign?")
    assert "Resigned" not in status(page)
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.now').innerText.startsWith('Resigned')")


@pytest.mark.slow
def test_who_resigns_sees_it_and_can_take_the_seat_back(open_page: OpenPage, url: str) -> None:
    options = {"players": "3", "first": "p1", "start_court": "on"}
    match_id, token = create(url, options, [{}, {"bot": "bot:absent"}, {"bot": "bot:absent"}])
    page = open_page(f"#m={match_id}&t={token}")
    press(page, "1d4")  # the king building; the next player is waited for
    until(page, "/absent .* is to move/.test(document.querySelector('.now')?.innerText)")
    resign(page)
    page.wait_for_selector("text=You resigned: a bot plays your seat now.")
    tools = page.locator(".match button").all_inner_texts()
    assert not {"Hint", "Take back", "Offer a draw", "Resign"} & set(tools)
    lines = page.locator(".log li").all_inner_texts()
    assert lines[-1].strip() == "Bot of level 1 plays on for Ann (p1)"
    assert any(line.startswith("Ann (p1): place the king building") for line in lines)
    page.reload()
    page.click("text=Take the seat back")
    page.wait_for_selector(".seats >> text=Ann (you)")
    page.wait_for_selector("button >> text=Resign")
    assert page.inner_text(".log li >> nth=-1").strip() == "Ann takes seat p1 back"
    assert page.locator("text=a bot plays your seat").count() == 0


def test_a_bot_plays_on_for_a_friend_who_is_waited_for(open_page: OpenPage, url: str) -> None:
    match_id, token = create(url, {}, [{}, {}], "connect_four")
    call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ben"})
    page = open_page()
    page.clock.install()
    page.goto(f"{url}/#m={match_id}&t={token}")
    page.reload()
    page.wait_for_selector(".moves button")
    play_move(page)
    page.clock.fast_forward(40_000)
    page.clock.run_for(500)
    assert page.locator("text=lets you wait").count() == 0
    page.route("**/*MatchService/ReplacePlayer", lambda route: route.fulfill(json={}))
    page.clock.fast_forward(25_000)
    page.clock.run_for(500)
    page.wait_for_selector(".card >> text=Ben (p2) lets you wait.")
    with page.expect_request("**/*MatchService/ReplacePlayer") as asked:
        page.click("button >> text=Let a bot play on")
    assert asked.value.post_data_json["seat"] == 2
    call(url, "MatchService/ReplacePlayer", {"matchId": match_id, "token": token, "seat": 1})
    page.wait_for_selector("text=a bot plays your seat now")
    assert page.locator("text=lets you wait").count() == 0


@pytest.mark.slow
def test_a_lost_connection_is_made_again(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "connect_four")
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.context.set_offline(False)
    play_move(page)
    until(page, "document.querySelector('.now').innerText === 'Your turn'")


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


def test_what_strangers_write_is_shown_as_text(open_page: OpenPage, url: str) -> None:
    evil = "<img src=x onerror=document.title='evil'>"
    title = "<script>document.title='evil'</script>"
    options = {"game": "tic_tac_toe", "title": title}
    created = call(url, "MatchService/CreateMatch", {"options": options})
    match_id = created["status"]["matchId"]
    call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": evil[:40]})
    page = open_page()
    page.wait_for_selector(f"text={title}")
    page.goto(f"{url}/#m={match_id}")
    page.wait_for_selector("text=<img src=x")
    assert page.title() == "Kingmaker"
    assert page.locator("main img").count() == 0


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
@pytest.mark.parametrize("part", ["", "#sandbox", "kingdom_coinquest", "knaves_out", "review"])
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
    elif part in BOARDS:
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


@pytest.mark.slow
def test_the_lobby_offers_a_friend_for_each_other_seat(open_page: OpenPage) -> None:
    page = open_page()
    page.select_option("select[name=game]", "knaves_out")
    assert page.locator("select[name=friends] option").all_inner_texts() == list("01234567")
