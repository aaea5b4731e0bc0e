"""Reviews of matches in the browser."""

from __future__ import annotations

import re
import urllib.error
from collections.abc import Callable
from typing import Any

import pytest

from .pages import OpenPage, call, create, play_move, resign, until


def played_match(url: str, moves: str) -> str:
    """Play a match of Connect Four, the moves of both seats; returns its id."""
    match_id, token = connect_four(url, [{}, {}])
    ben = call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ben"})["token"]
    for number, move in enumerate(moves):
        seat: dict[str, Any] = {"matchId": match_id, "token": [token, ben][number % 2]}
        view = call(url, "MatchService/GetMatch", seat)["view"]
        fields = {"afterEvent": view["status"]["numEvents"], "move": {"text": move}}
        call(url, "MatchService/PlayMove", {**seat, **fields})
    return match_id


def connect_four(url: str, seats: list[dict[str, str]], **options: Any) -> tuple[str, str]:
    """Create a match and take the first seat; returns its id and the token."""
    asked = {"options": {"game": "connect_four", **options}, "seats": seats}
    match_id = str(call(url, "MatchService/CreateMatch", asked)["status"]["matchId"])
    joined = call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ann"})
    return match_id, str(joined["token"])


def test_a_review_shows_the_chart_and_jumps_to_the_worst_mistake(
    open_page: OpenPage, url: str, screenshot: Callable[[Any, str], None]
) -> None:
    page = open_page(f"#m={played_match(url, 'ababaca')}")  # c lets the column of a be filled
    page.click("button >> text=Review")
    page.wait_for_selector("svg.chart polyline.c2")
    page.wait_for_selector(".faults li")
    losses = [
        float(re.findall(r"−(\d+\.\d) %", text)[0])
        for text in page.locator(".faults li b").all_inner_texts()
    ]
    assert losses == sorted(losses, reverse=True)
    assert page.locator(".chart .fault").count() >= len(losses)
    stones = page.locator("svg.board circle").count()
    worst = page.locator(".faults button").first
    words = worst.inner_text()
    assert "Ben" in words
    worst.click()
    page.wait_for_selector(".field .last")
    page.wait_for_selector(".field .hinted")
    assert page.inner_text(".verdict b") == words
    assert page.locator("svg.board circle").count() < stones
    screenshot(page, "review")
    page.click("text=The end")
    until(page, f"document.querySelectorAll('svg.board circle').length === {stones}")


def test_a_review_tells_luck_from_play(open_page: OpenPage, url: str) -> None:
    asked = {"options": {"game": "leduc_poker"}, "seats": [{"bot": "random"}] * 2}
    match_id = call(url, "MatchService/CreateMatch", asked)["status"]["matchId"]
    page = open_page(f"#m={match_id}")
    page.click("button >> text=Review")
    page.wait_for_selector(".lucks li")
    for seat in (1, 2):
        start, luck, own, others, unseen, result, adjusted = (
            float(re.sub("[%+ ]", "", each).replace("−", "-"))
            for each in page.locator(f".sums tbody td:nth-of-type({seat})").all_inner_texts()
        )
        assert abs(start + luck + own + others + unseen - result) < 0.4  # six rounded figures
        assert abs(result - luck - adjusted) < 0.2
    assert "outside 0 to 100 %" in page.inner_text(".review")


def test_a_review_that_has_gone_silent_is_given_up(open_page: OpenPage, url: str) -> None:
    page = open_page()
    page.clock.install()
    page.goto(f"{url}/#m={played_match(url, 'ababaca')}")
    page.reload()
    page.route("**/*ReviewService/ReviewGame", lambda route: None)
    page.click("button >> text=Review")
    page.wait_for_selector("text=Reviewing ...")
    page.clock.fast_forward(60_000)
    page.clock.run_for(2_000)
    page.wait_for_selector("[role=alert] >> text=The connection was lost")
    page.unroute("**/*ReviewService/ReviewGame")
    page.click("button >> text=Review")
    page.wait_for_selector("svg.chart")
    assert page.locator("[role=alert]").count() == 0
    page.route("**/*ReviewService/ReviewGame", lambda route: route.abort())
    page.click("button >> text=Review longer")
    page.wait_for_selector("[role=alert] >> text=The server can't be reached")
    assert page.locator("svg.chart").count() == 1  # of the first review


def test_a_phone_shows_what_all_results_are_made_of(
    open_page: OpenPage, url: str, screenshot: Callable[[Any, str], None]
) -> None:
    asked = {"options": {"game": "leduc_poker"}, "seats": [{"bot": "level:1,time=20ms"}] * 2}
    match_id = call(url, "MatchService/CreateMatch", asked)["status"]["matchId"]
    page = open_page(f"#m={match_id}", viewport={"width": 390, "height": 844})
    page.click("button >> text=Review")
    page.wait_for_selector(".sums td")
    screenshot(page, "phone_review")
    room = page.evaluate("document.querySelector('.sums').clientWidth")
    assert page.evaluate("document.querySelector('.sums').scrollWidth") <= room
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_board_of_a_review_tells_whose_view_it_is(open_page: OpenPage, url: str) -> None:
    """It is of the seat that was to move, whoever looks. A phone shows the scale of the chart."""
    options = {"game": "kingdom_coinquest", "gameOptions": {"players": "2", "turn_limit": "4"}}
    asked = {"options": options, "seats": [{"bot": "random"}] * 2}
    match_id = call(url, "MatchService/CreateMatch", asked)["status"]["matchId"]
    page = open_page(f"#m={match_id}", viewport={"width": 360, "height": 740})
    page.click("button >> text=Review")
    page.click("button >> text=Forward")
    page.wait_for_selector("svg.board >> text=(to move)")
    assert page.locator("svg.board >> text=(you)").count() == 0
    size = page.evaluate(
        """() => {
            const text = document.querySelector("svg.chart text");
            return parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
        }"""
    )
    assert size > 8


def test_a_match_that_was_resigned_at_once_is_reviewed(open_page: OpenPage, url: str) -> None:
    match_id, token = connect_four(url, [{}, {"bot": "random"}])
    call(url, "MatchService/ResignMatch", {"matchId": match_id, "token": token})
    page = open_page(f"#m={match_id}")
    page.click("button >> text=Review")
    page.wait_for_selector(".sums >> text=Resigned")
    assert page.locator(".steps, .review button").count() == 0
    page.click("svg.chart")
    assert page.locator("[role=alert]").count() == 0


@pytest.mark.slow
def test_a_match_is_not_reviewed_before_it_ends(open_page: OpenPage, url: str) -> None:
    match_id, token = connect_four(url, [{}, {"bot": "random"}])
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".moves button")
    play_move(page)
    assert page.locator("button >> text=Review").count() == 0
    with pytest.raises(urllib.error.HTTPError) as refused:
        call(url, "MatchService/GetMatchRecord", {"matchId": match_id})
    assert "secret" in refused.value.read().decode()
    resign(page)
    page.click("button >> text=Review")
    page.wait_for_selector(".review")
    assert "Resigned" in page.locator(".review th").all_inner_texts()
    assert page.locator(".chart .ending").count() == 2


@pytest.mark.slow
def test_a_review_names_who_sat_at_the_seat_when_it_decided(open_page: OpenPage, url: str) -> None:
    """A bot that plays on for somebody is not blamed for their moves."""
    match_id, token = create(url, {"pass": "left"}, [{}, *[{"bot": "random"}] * 3], "hearts")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".moves button")
    for _ in range(3):
        play_move(page)
    resign(page)
    until(page, "/over/.test(document.querySelector('.now').innerText)")
    assert "Bot of level" in page.locator(".seats li").first.inner_text()
    page.click("button >> text=Review")
    page.wait_for_selector(".review", timeout=100_000)
    page.click("button >> text=Forward")
    page.wait_for_selector(".verdict")
    assert page.inner_text(".verdict b").startswith("Ann (p1): set ")


@pytest.mark.slow
def test_moves_that_were_taken_back_are_not_reviewed(open_page: OpenPage, url: str) -> None:
    match_id, token = connect_four(url, [{}, {"bot": "random"}], hasTakeBacks=True)
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".moves button")
    play_move(page)
    until(page, "document.querySelector('.now').innerText === 'Your turn'")
    page.click("text=Take back")
    page.wait_for_selector(".log .gone")
    play_move(page)
    resign(page)
    page.click("button >> text=Review")
    page.wait_for_selector(".review")
    decisions = int(page.get_attribute(".steps input[type=range]", "max")) + 1
    played = page.locator(".log li:not(.gone)").filter(has_text="drop").count()
    assert decisions == played


def test_a_phone_shows_the_board_beside_the_steps_through_a_review(
    open_page: OpenPage, url: str
) -> None:
    page = open_page(f"#m={played_match(url, 'ababaca')}", viewport={"width": 390, "height": 844})
    page.click("button >> text=Review")
    page.click("button >> text=Forward")
    page.wait_for_selector(".field .last")
    boxes = [page.locator(each).bounding_box() for each in ("svg.board", ".verdict b")]
    assert boxes[0]["y"] >= 0
    assert boxes[1]["y"] + boxes[1]["height"] <= 844
    steps = page.locator(".steps button").all()
    rows = {round(each.bounding_box()["y"]) for each in steps}
    assert len(rows) == 1
    assert page.get_by_label("Decision").bounding_box()["width"] >= 100  # for a thumb
