"""Hints, analysis and the sandbox of the page, in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .pages import WON, OpenPage, begin, call, until


def test_a_hint_gives_its_reason_and_marks_the_move(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "tic_tac_toe")
    page.click("text=Hint")
    page.wait_for_selector(".hint li")
    assert len(page.inner_text(".hint li >> nth=0")) > 10
    assert page.locator(".moves .hinted").count() == 1
    assert page.locator("svg.board .hinted").count() == 1


def test_an_analysis_points_at_the_best_move_and_is_stopped(open_page: OpenPage) -> None:
    page = open_page("#sandbox")
    page.wait_for_selector("svg.board")
    page.select_option("select", "knaves_out")
    page.wait_for_selector(".court")
    page.fill("input[type=number]", "1")
    page.fill("textarea", WON)
    page.dispatch_event("textarea", "change")
    page.wait_for_selector('[data-key="2d4"] .disc')
    page.click("button >> text=Analyse")
    page.wait_for_selector(".arrows line.hinted")
    until(page, "/^Attack/.test(document.querySelector('.analysis li').innerText)")
    ends = page.evaluate(
        """() => {
            const line = document.querySelector(".arrows line.hinted").getBoundingClientRect();
            const middle = (key) => {
                const shape = document.querySelector(`[data-key="${key}"] rect`);
                const box = shape.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            };
            return { line: [line.x, line.bottom], from: middle("2d4"), to: middle("2e5") };
        }"""
    )
    near = [abs(a - b) < 5 for a, b in zip(ends["line"], ends["from"], strict=True)]
    assert all(near), ends
    page.click("text=Stop the analysis")
    page.wait_for_selector("button >> text=Analyse")


def test_an_analysis_does_not_push_the_moves_about(open_page: OpenPage) -> None:
    """As its lines grow and shrink, a press could meet another move."""
    page = open_page()
    begin(page, "tic_tac_toe")
    page.wait_for_selector(".moves button")
    before = page.locator(".moves button").first.bounding_box()
    page.click("text=Analyse >> nth=-1")
    page.wait_for_selector(".analysis li")
    assert page.locator(".moves button").first.bounding_box() == before


def test_an_analysis_that_has_gone_silent_is_given_up(open_page: OpenPage) -> None:
    """As that of a phone that has slept: nothing tells the page that its connection is lost."""
    page = open_page()
    page.clock.install()
    page.reload()
    begin(page, "connect_four")
    page.route("**/*AnalysisService/Analyze", lambda route: None)
    page.click("text=Analyse >> nth=-1")
    page.wait_for_selector("text=Stop the analysis")
    page.clock.fast_forward(60_000)
    page.clock.run_for(2_000)
    page.wait_for_selector("[role=alert] >> text=The connection was lost")
    page.unroute("**/*AnalysisService/Analyze")
    page.click("text=Analyse >> nth=-1")
    page.wait_for_selector(".analysis li")


@pytest.mark.slow
def test_an_analysis_runs_until_it_is_stopped(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "connect_four")
    page.click("text=Analyse >> nth=-1")
    page.wait_for_selector(".analysis .share >> nth=1")
    first = int(page.get_attribute(".analysis", "data-simulations"))
    until(page, f"Number(document.querySelector('.analysis').dataset.simulations) > {first}")
    page.click("text=Stop the analysis")
    page.wait_for_selector("text=Analyse >> nth=-1")


@pytest.mark.slow
def test_a_position_is_analysed_in_the_sandbox(open_page: OpenPage) -> None:
    page = open_page("#sandbox")
    page.select_option("select", "connect_four")
    page.wait_for_selector("svg.board")
    page.click("button >> text=Analyse")
    page.wait_for_selector(".analysis .share >> nth=1")
    page.fill("textarea", "c4 board=nonsense")
    page.dispatch_event("textarea", "change")
    page.wait_for_selector("[role=alert]")


@pytest.mark.slow
def test_the_best_moves_of_a_position_are_explained_in_the_sandbox(open_page: OpenPage) -> None:
    """Of the position that was pasted last, if it is on its way; those of another one are gone."""

    def answer_late(route: Any) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page = open_page("#sandbox")
    page.wait_for_selector(".board")
    page.route("**/Observe", answer_late)
    page.fill("input[type=number]", "2")
    page.fill("textarea", "ttt board=xx./oo./... node=play:p1")
    page.click("button >> text=Explain the best moves", delay=50)
    page.wait_for_selector(".hint li >> text=wins")
    page.wait_for_selector(".hinted")
    assert page.input_value("input[type=number]") == "1"  # the seat to move
    page.fill("textarea", "ttt board=xx./oo./... node=play:p1 @p2")
    page.click("button >> text=Explain the best moves")
    page.wait_for_selector("[role=alert]")  # p2 has no decision
    assert page.input_value("input[type=number]") == "2"
    page.fill("textarea", "ttt board=xxx/oo./... node=end")
    page.click("button >> text=Explain the best moves")
    page.wait_for_selector("[role=alert]")
    assert page.locator(".hint").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rivals", "forge", "word"),
    [("", 32, "then"), (" p3=d/20/3c,4c/-/-/-/-/-", 30, "at worst")],
)
def test_an_analysis_tells_whether_its_lines_are_feared_or_expected(
    open_page: OpenPage, rivals: str, forge: int, word: str
) -> None:
    page = open_page("#sandbox")
    page.wait_for_selector(".board")
    page.fill("input[type=number]", "1")  # chance decides which seat the first game begins with
    page.fill(
        "textarea",
        "kc turn=13 epoch=0 node=play:p1 p1=h/20/7s,7d,5c/9c/8c+8s:0/-/5s+jd/- "
        f"p2=s/20/6d!,2c/6h,ac/9s:1/3d+jh/-/-{rivals} forge={forge} grave=2h",
    )
    page.click("button >> text=Analyse")
    page.wait_for_selector(f".analysis li >> text=of the search, {word}")


def test_an_observation_is_analysed_whatever_game_is_listed(open_page: OpenPage, url: str) -> None:
    """Its line names the game and the seat; the list shows another game when it is pasted."""
    started = call(url, "GameService/StartGame", {"game": "leduc_poker", "seed": 3})
    asked = {"position": started["position"], "seat": started["node"]["seat"]}
    seen = call(url, "GameService/Observe", asked)["observation"]["text"]
    assert re.search(r"\?.* @p\d$", seen)
    page = open_page("#sandbox")
    page.wait_for_selector("svg.board")
    page.fill("textarea", f"  {seen}")
    page.click("button >> text=Analyse")
    page.wait_for_selector(".analysis .share >> nth=1")
    assert page.input_value("select") == "leduc_poker"
    assert page.input_value("input[type=number]") == str(asked["seat"])
    assert page.is_disabled("input[type=number]")
    assert page.locator("svg.board [aria-label^='a hidden card']").count() == 1
    assert page.locator("[role=alert]").count() == 0


@pytest.mark.slow
def test_what_is_wrong_with_a_line_is_said_once(open_page: OpenPage) -> None:
    page = open_page("#sandbox")
    page.wait_for_selector("svg.board")
    page.fill("textarea", "c4 board=nonsense")
    for _ in range(2):
        page.click("button >> text=Analyse")
        page.wait_for_selector("[role=alert]")
        until(page, "document.querySelector('button.main')?.innerText === 'Analyse'")
    page.wait_for_timeout(500)
    assert page.locator("[role=alert]").count() == 1


@pytest.mark.slow
def test_an_analysis_waits_for_the_position_that_was_asked_for(open_page: OpenPage) -> None:
    """Answers come late and out of order: what was asked for last is shown, then analysed."""

    def answer_late(route: Any) -> None:
        slow = "connect_four" in route.request.post_data
        page.wait_for_timeout(1500 if slow else 100)
        route.continue_()

    page = open_page("#sandbox")
    page.wait_for_selector(".board")
    page.route("**/StartGame", answer_late)
    page.select_option("select", "connect_four")
    assert page.is_disabled("textarea")
    page.select_option("select", "tic_tac_toe")
    page.click("button >> text=Analyse")
    page.wait_for_selector(".analysis .share >> nth=1")
    page.wait_for_timeout(1500)
    assert page.input_value("textarea").startswith("ttt ")


@pytest.mark.slow
def test_a_press_counts_while_an_edited_position_is_looked_at(open_page: OpenPage) -> None:
    """To press the button ends the edit, so the new position is on its way when it is released."""

    def answer_late(route: Any) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page = open_page("#sandbox")
    page.wait_for_selector(".board")
    page.route("**/Observe", answer_late)
    page.click("textarea")
    page.keyboard.press("End")
    page.keyboard.type(" ")
    page.click("button >> text=Analyse", delay=50)
    page.wait_for_selector(".analysis .share >> nth=1")
