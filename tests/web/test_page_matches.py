"""Matches on the page in a real browser: players, links, connections, and what is told of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .pages import (
    OpenPage,
    begin,
    call,
    create,
    play_move,
    press,
    received,
    record,
    resign,
    status,
    until,
)

SEATS = {"hearts": 4, "code_of_chivalry": 4}


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


@pytest.mark.parametrize("event", ["{number: 3}", "{number: 3, kind: 'MATCH_EVENT_KIND_CHATTED'}"])
def test_events_of_a_newer_server_are_named_as_such(open_page: OpenPage, event: str) -> None:
    tell = f"import('./words.js').then(({{eventWords}}) => eventWords({event}))"
    assert "newer version" in open_page().evaluate(tell)


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


def test_who_cancels_proves_that_the_match_is_theirs(open_page: OpenPage) -> None:
    page = open_page()
    with page.expect_response("**/*MatchService/CreateMatch") as created:
        begin(page, "connect_four", friends="1")
    with page.expect_request("**/*MatchService/LeaveMatch") as left:
        page.click("button >> text=Cancel the match")
    assert left.value.post_data_json["creatorToken"] == created.value.json()["creatorToken"]


def test_a_match_that_its_creator_cancels_without_a_seat_is_cancelled(
    open_page: OpenPage, url: str
) -> None:
    created = call(url, "MatchService/CreateMatch", {"options": {"game": "connect_four"}})
    match_id = created["status"]["matchId"]
    page = open_page(f"#m={match_id}")
    page.wait_for_selector("button >> text=Take a seat")
    leaving = {"matchId": match_id, "creatorToken": created["creatorToken"]}
    call(url, "MatchService/LeaveMatch", leaving)
    page.wait_for_selector(".now >> text=/^Cancelled$/")


def test_a_seat_whose_answer_was_lost_is_taken_again(open_page: OpenPage) -> None:
    page = open_page()
    lost: list[Any] = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().json())
            route.abort()

    page.route("**/*MatchService/JoinMatch", lose)
    page.fill("input[name=name]", "Ann")
    page.select_option("select[name=game]", "connect_four")
    page.select_option("select[name=friends]", "1")
    page.click("button.main")
    page.wait_for_selector("button >> text=Take a seat")
    with page.expect_response("**/*MatchService/JoinMatch") as joined:
        page.click("button >> text=Take a seat")
    assert joined.value.json()["token"] == lost[0]["token"]
    page.wait_for_selector("button >> text=Cancel the match")


def test_a_page_offers_to_cancel_what_it_has_created_alone(open_page: OpenPage, url: str) -> None:
    asked = {"options": {"game": "connect_four"}}
    match_id = call(url, "MatchService/CreateMatch", asked)["status"]["matchId"]
    page = open_page(f"#m={match_id}")
    page.fill("input[name=name]", "Ben")
    page.click("text=Take a seat")
    page.wait_for_selector("button >> text=Leave the match")
    assert page.locator("button >> text=Cancel the match").count() == 0


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
    match_id, token = create(url, {}, [{}, {"bot": "random"}], "kingdom_coinquest")
    page = open_page(f"#m={match_id}&t={token}")
    until(page, "document.querySelector('.now')?.innerText === 'Your turn'")
    lines = page.locator(".log li").all_inner_texts()
    drawn = [line for line in lines if re.match(r"Chance for (Ann|Bot random) \(p[12]\): ", line)]
    assert len(drawn) >= 2
    play_move(page)
    assert re.match(r"Ann \(p1\): ", page.locator(".log li").all_inner_texts()[len(lines)])


@pytest.mark.parametrize("game", ["hearts", "code_of_chivalry", "leduc_poker", "kuhn_poker"])
def test_a_deal_is_one_line_of_the_log_that_tells_no_card(
    open_page: OpenPage, url: str, game: str
) -> None:
    match_id, token = create(url, {}, [{}, *(3 * [{"bot": "random"}])][: SEATS.get(game, 2)], game)
    page = open_page(f"#m={match_id}&t={token}")
    until(page, "document.querySelector('.now')?.innerText === 'Your turn'")
    lines = page.locator(".log li").all_inner_texts()
    assert lines.count("The cards are dealt") == 1
    assert not [line for line in lines if re.search(r"\bdeal\b", line)]


def test_cards_that_a_seat_draws_one_after_the_other_are_one_line_of_the_log(
    open_page: OpenPage, url: str
) -> None:
    options = {"first": "p1", "kings": "fixed"}
    match_id, token = create(url, options, [{}, {}])
    call(url, "MatchService/JoinMatch", {"matchId": match_id, "name": "Ben"})
    for seat_token, words in (
        (token, r"draw the .*, .* and the .*"),
        ("", r"draw a card, 10 times"),
    ):
        page = open_page(f"#m={match_id}&t={seat_token}")
        until(page, "document.querySelectorAll('.log li').length")
        lines = page.locator(".log li").all_inner_texts()
        [drawn] = [line for line in lines if "draw" in line]
        assert re.fullmatch(rf"Chance for Ann \(p1\): {words}", drawn)


def test_cards_that_a_rival_sets_aside_unseen_are_counted_in_one_line(
    open_page: OpenPage, url: str
) -> None:
    match_id, token = create(url, {"pass": "left"}, [{}, *3 * [{"bot": "random"}]], "hearts")
    page = open_page(f"#m={match_id}&t={token}")
    page.wait_for_selector(".moves button")
    for _ in range(3):
        play_move(page)
    words = "Bot random (p2): set a hidden card aside to pass it on"
    page.wait_for_selector(f".log >> text={words}, 3 times")
    lines = page.locator(".log li").all_inner_texts()
    assert sum(line.startswith(words) for line in lines) == 1
    assert sum(line.startswith("Ann (p1): set the ") for line in lines) == 3


def test_what_concerns_all_begins_with_a_capital_in_the_log(open_page: OpenPage) -> None:
    event = {"kind": "MATCH_EVENT_KIND_PLAYED", "play": {"description": "turn up the 3"}}
    write = "event => import('/words.js').then((words) => words.eventWords(event))"
    assert open_page().evaluate(write, event) == "Turn up the 3"


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


def test_the_lobby_offers_the_game_and_level_of_last_time(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "hearts", level="5")
    page.click("text=Play")
    until(page, "document.querySelector('select[name=game]')?.value === 'hearts'")
    assert page.input_value("select[name=level]") == "5"
    assert page.input_value("select[name=seats]") == "4"
    page.evaluate("localStorage.setItem('kingmaker.choices', '{\"game\": \"of another version\"}')")
    page.reload()
    until(page, "document.querySelector('select[name=game]')?.value === 'kingdom_coinquest'")
    assert page.input_value("select[name=level]") == "3"


def test_a_lobby_that_got_no_list_of_games_asks_again(open_page: OpenPage, url: str) -> None:
    """As one that is opened while the server restarts; meanwhile no match of a game begins."""
    page = open_page()
    page.clock.install()
    lost: list[Any] = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route)
            route.abort()

    page.route("**/*GameService/ListGames", lose)
    page.reload()
    page.wait_for_selector("[role=alert]")
    assert page.locator("select[name=game] option").count() == 0
    assert page.locator("button.main").is_disabled()
    page.clock.fast_forward(6_000)
    until(page, "document.querySelectorAll('select[name=game] option').length > 5")
    until(page, "!document.querySelector('[role=alert]')")  # after the list of matches, too
    assert page.locator("button.main").is_enabled()


def test_the_lobby_offers_a_friend_for_each_other_seat(open_page: OpenPage) -> None:
    page = open_page()
    friends = page.locator("select[name=friends] option")
    page.select_option("select[name=game]", "knaves_out")
    assert friends.all_inner_texts() == ["0", "1"]
    page.select_option("select[name=seats]", "8")
    assert friends.all_inner_texts() == list("01234567")
    page.select_option("select[name=friends]", "7")
    page.select_option("select[name=seats]", "3")
    assert friends.all_inner_texts() == ["0", "1", "2"]
    assert page.input_value("select[name=friends]") == "2"
    page.select_option("select[name=game]", "hearts")
    assert page.input_value("select[name=seats]") == "4"
    assert friends.all_inner_texts() == ["0", "1", "2", "3"]
