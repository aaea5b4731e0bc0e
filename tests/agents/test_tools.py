"""The tools for agents, in one process: what they tell, refuse and hide."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games import GAMES
from kingmaker.search.position import (
    Observation,
    Position,
    new_game,
    parse_observation,
    parse_position,
)
from kingmaker.search.record import check_record

pytest.importorskip("mcp")

from cryptography.fernet import Fernet
from mcp.client.client import Client
from mcp.server.mcpserver import MCPServer

from kingmaker.agents.play import Desk, Rules
from kingmaker.agents.seals import LEAST_BYTES, Match, Sealer
from kingmaker.agents.server import HOW_TO_PLAY, TELLS_MOVES, TOOLS, make_server

ROOT = Path(__file__).parents[2]
HIDDEN = [name for name, kind in GAMES.items() if kind.is_hidden]
KEY = Fernet.generate_key().decode()


class Caller:
    """A client that connects anew for each call, as a connection stays in one task."""

    def __init__(self, server: MCPServer[None]) -> None:
        self._server = server

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        async with Client(self._server) as client:
            return await client.call_tool(name, arguments)

    async def list_tools(self) -> list[Any]:
        async with Client(self._server) as client:
            return list((await client.list_tools()).tools)

    async def read(self, uri: str) -> str:
        async with Client(self._server) as client:
            return str((await client.read_resource(uri)).contents[0].text)  # type: ignore[union-attr]


@pytest.fixture
def client() -> Caller:
    return Caller(make_server(Rules(seed=1), keys=(KEY,)))


def sealer(**options: Any) -> Sealer:
    return Sealer((KEY,), **{"seconds": 60, **options})


async def call(client: Caller, tool: str, /, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    text = " ".join(getattr(each, "text", "") for each in answer.content)
    assert not answer.is_error, text
    content = answer.structured_content
    assert content is not None
    return content["result"] if list(content) == ["result"] else content


async def refusal(client: Caller, tool: str, /, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return str(getattr(answer.content[0], "text", ""))


async def test_arguments_of_other_names_are_refused_in_words(client: Caller) -> None:
    """`game` is the sealed game of other tools."""
    told = await refusal(client, "start", game="leduc_poker")
    assert told == (
        "start takes name, options, seats; name: Field required; game: there is no such argument"
    )
    assert "milliseconds: Input should be greater than 0" in await refusal(
        client, "hint", subject="-", milliseconds=-1
    )


def midgame(name: str, plies: int) -> Position:
    stream = np.random.SFC64(3)
    position, _ = new_game(name).settle(stream)
    for _ in range(plies):
        token = position.game.move_text(position.game.policy_move(position.state, stream))
        position, _ = position.apply(token).settle(stream)
    assert not position.is_terminal
    return position


async def test_no_misspelled_argument_is_passed_over(client: Caller) -> None:
    told = await refusal(client, "start", name="hearts", option={"pass": "left"})
    assert told == "start takes name, options, seats; option: there is no such argument"


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("start", {"name": "heart"}, "name"),
        ("hint", {"subject": "nonsense @p1", "name": "leduc_poker"}, "subject"),
    ],
)
async def test_errors_name_arguments_of_the_tool(
    client: Caller, tool: str, arguments: dict[str, Any], field: str
) -> None:
    assert f"[field: {field};" in await refusal(client, tool, **arguments)


async def test_every_tool_says_what_it_is_for(client: Caller) -> None:
    listed = await client.list_tools()
    assert [tool.name for tool in listed] == list(TOOLS)
    for tool in listed:
        assert tool.description
        assert tool.output_schema


async def test_an_agent_can_learn_a_game_and_play_it(client: Caller) -> None:
    games = {game["name"]: game for game in await call(client, "list_games")}
    assert set(games) == set(GAMES)
    assert games["hearts"]["hidden_information"]
    assert "R1.2" in games["hearts"]["options"]["pass"]
    assert (await call(client, "rules", name="leduc_poker")).startswith("# Leduc poker")
    assert "Position:" in await call(client, "notation", name="leduc_poker")
    game = await call(client, "start", name="leduc_poker")
    assert game["to_move"] == "p1"
    assert game["your_turn"]
    assert game["events"][1] == "chance, p2: deal a hidden card to p2"
    moves = await call(client, "legal_moves", game=game["game"])
    assert [each["move"] for each in moves] == ["call", "raise"]
    game = await call(client, "play", game=game["game"], move="raise")
    assert game["events"] == ["p1: bet 2 chips (p1 puts 2 chips in)"]
    assert not game["your_turn"]
    while game["to_move"] != "end":
        if game["your_turn"]:
            game = await call(client, "play", game=game["game"], move="call")
        else:
            game = await call(client, "ask_bot", game=game["game"], level=1)
    assert sum(game["win_shares"]) == pytest.approx(1)


async def test_resources_have_the_rules_and_how_to_play(client: Caller) -> None:
    assert "R1.1" in await client.read("kingmaker://rules/hearts")
    assert await client.read("kingmaker://how-to-play") == HOW_TO_PLAY
    page = await client.read("kingmaker://how-to-play/knights_duty")
    assert page.startswith("# How to play A Knight's Duty")


async def test_a_game_without_a_page_for_players_has_its_rules(
    client: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = {"kingmaker.play": tmp_path, "kingmaker.rules": ROOT / "docs" / "rules"}
    monkeypatch.setattr("kingmaker.search.rules_pages.files", found.__getitem__)
    assert (await client.read("kingmaker://how-to-play/hearts")).startswith("# Hearts")


MIDDLE_GAME = (
    "ko 0,0/8,0 t=40;f=p2;a=p1 main@p1 I=-;D=- p1:+:ah3s4s5s6h8ctcjhkhjo:-:jd=:qd=:"
    "kc=as2c3d4c5d6c7d8s9sts:-:R1c8.0,K1d7.3,P1g8.1,P1h7.0:-:-:- p2:+:?8:-:jh*=:"
    "qc=as:kd=ac:-:P1e6.0,P1e7.0,r2a5.0,K2b5.4:-:-:- @p1"
)
"""With so many moves that a short search hardly examines most of them."""


async def test_a_move_that_is_hardly_examined_has_no_win_share(client: Caller) -> None:
    asked = {"subject": MIDDLE_GAME, "name": "knaves_out", "milliseconds": 20}
    hints = await call(client, "hint", **asked, top=20)
    unknown = [hint["win_share"] is None for hint in hints]
    assert unknown == ["examined it" in hint["reason"] for hint in hints]
    assert any(unknown)
    moves = (await call(client, "analyze", **asked))["moves"]
    assert any(move["win_share"] is None for move in moves)
    assert all((move["win_share"] is None) == (move["standard_error"] is None) for move in moves)


async def test_a_search_to_a_depth_has_no_error_that_is_known(client: Caller) -> None:
    game = (await call(client, "start", name="tic_tac_toe"))["game"]
    asked = {"subject": game, "milliseconds": 2, "engine": "expectimax"}
    for move in (await call(client, "analyze", **asked))["moves"]:
        assert move["standard_error"] == (0 if move["proven"] else None)


async def test_advice_is_for_what_the_seat_sees(client: Caller) -> None:
    game = (await call(client, "start", name="leduc_poker"))["game"]
    hints = await call(client, "hint", subject=game, top=1, milliseconds=50)
    assert hints[0]["reason"].endswith(".")
    report = await call(client, "analyze", subject=game, milliseconds=50, engine="flat")
    assert report["engine"] == "flat"
    assert report["moves"][0]["win_share"] >= report["moves"][1]["win_share"]
    solved = await call(client, "solve", subject=game)
    assert solved["method"] == "equilibrium"
    assert sum(solved["moves"].values()) == pytest.approx(1)
    line = (await call(client, "observe", game=game))["observation"]
    seen = parse_observation("leduc_poker", line)
    worlds = await call(client, "sample_worlds", subject=line, name="leduc_poker", count=20)
    assert len(set(worlds)) > 1
    for world in worlds:
        assert seen.game.observed(seen.game.parse_position(world)[1], 0) == seen.state


async def test_a_line_is_solved_with_open_hands(client: Caller) -> None:
    line = "ttt board=.../oo./xx. node=play:p1"
    solved = await call(client, "solve", subject=line, name="tic_tac_toe")
    assert (solved["method"], solved["values"]) == ("exact", [1.0, 0.0])


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("start", {"name": "go"}, "there is no game 'go'"),
        ("start", {"name": "hearts", "options": {"pass": "up"}}, "[field: options.pass"),
        ("start", {"name": "hearts", "seats": [5]}, "they must be of 1 to 4"),
        ("start", {"name": "hearts", "seats": []}, "one at least"),
        ("play", {"game": "km2.abc", "move": "call"}, "copy it whole and unchanged"),
        ("play", {"game": "abc", "move": "call"}, "it must begin with km2."),
        ("review", {"subject": "km2.abc"}, "copy it whole and unchanged"),
        ("review", {"subject": "tic_tac_toe\nb2"}, "[field: "),
        ("review", {"subject": ""}, "the record has 0 games"),
        ("compare_bots", {"name": "hearts", "first": 1, "second": 1, "games": 0}, "1 to 100"),
        ("compare_bots", {"name": "hearts", "first": 11, "second": 1}, "level"),
        ("hint", {"subject": "leduc p1=?", "name": ""}, "name the game of this line"),
        ("hint", {"subject": "nonsense @p1", "name": "leduc_poker"}, "[field: "),
        ("rules", {"name": "go"}, "games are chessault"),
    ],
)
async def test_errors_reach_the_agent(
    client: Caller, tool: str, arguments: dict[str, Any], told: str
) -> None:
    assert told in await refusal(client, tool, **arguments)


async def test_an_illegal_move_is_refused_with_rule_and_possible_moves(client: Caller) -> None:
    game = (await call(client, "start", name="leduc_poker"))["game"]
    told = await refusal(client, "play", game=game, move="fold")
    assert "there is no raise to fold to; possible now: call raise (R1.3)" in told
    assert "[field: move; value: fold; rule: R1.3]" in told
    assert "use ask_bot" not in told
    played = (await call(client, "play", game=game, move="call"))["game"]
    assert "use ask_bot" in await refusal(client, "play", game=played, move="call")
    assert "not your seat" in await refusal(client, "legal_moves", game=played)
    assert "seat 2 is not yours; yours: 1" in await refusal(client, "observe", game=played, seat=2)


async def test_moves_are_not_taken_back(client: Caller) -> None:
    game = (await call(client, "start", name="leduc_poker"))["game"]
    await call(client, "play", game=game, move="call")
    assert "can't be taken back" in await refusal(client, "play", game=game, move="raise")
    assert "can't be taken back" in await refusal(client, "hint", subject=game)
    assert (await call(client, "observe", game=game))["to_move"] == "p1"


async def test_moves_are_taken_back_where_that_is_allowed() -> None:
    client = Caller(make_server(Rules(allows_takebacks=True)))
    game = (await call(client, "start", name="leduc_poker"))["game"]
    await call(client, "play", game=game, move="call")
    assert (await call(client, "play", game=game, move="raise"))["to_move"] == "p2"


async def test_hidden_moves_are_told_nowhere() -> None:
    client = Caller(make_server(Rules(hides_moves=True)))
    names = {tool.name for tool in await client.list_tools()}
    assert names == set(TOOLS) - set(TELLS_MOVES)
    game = (await call(client, "start", name="tic_tac_toe"))["game"]
    game = (await call(client, "play", game=game, move="b2"))["game"]
    game = (await call(client, "ask_bot", game=game, level=1))["game"]
    told = await refusal(client, "play", game=game, move="b2")
    assert "b2 is not legal: b2 is taken (R1.3) [" in told
    assert "possible" not in told


@pytest.mark.parametrize("name", ["leduc_poker", "hearts"])
async def test_a_game_that_is_over_is_reviewed(client: Caller, name: str) -> None:
    game = await call(client, "start", name=name)
    assert "the game is not over" in await refusal(client, "review", subject=game["game"])
    while game["to_move"] != "end":
        if game["your_turn"]:
            moves = await call(client, "legal_moves", game=game["game"])
            game = await call(client, "play", game=game["game"], move=moves[-1]["move"])
        else:
            game = await call(client, "ask_bot", game=game["game"], level=3, simulations=20)
    review = await call(client, "review", subject=game["game"])
    assert review["result"] == game["win_shares"]
    assert len(review["verdicts"]) == len(game["win_shares"])
    losses = [each["loss"] for each in review["mistakes"]]
    assert losses == sorted(losses, reverse=True)


async def test_a_record_is_reviewed(client: Caller) -> None:
    assert "moves" in await refusal(client, "review", subject="tic_tac_toe\nb2 b1")
    review = await call(client, "review", subject="tic_tac_toe\nb2 b1 a1 c3 a3 c1 a2")
    [worst, *_] = review["mistakes"]
    assert (worst["ply"], worst["seat"], worst["grade"]) == (2, 2, "blunder")


async def test_of_two_levels_the_higher_one_wins_more(client: Caller) -> None:
    found = await call(client, "compare_bots", name="connect_four", first=10, second=1, games=12)
    assert (found["par"], found["games"]) == (0.5, 12)
    assert found["share"] > 0.7
    same = await call(client, "compare_bots", name="hearts", first=1, second=1, simulations=1)
    assert same["games"] == 20
    assert same["share"] == pytest.approx(0.25, abs=0.001)


async def test_a_fault_of_ours_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the rival holds the queen")

    monkeypatch.setattr(Desk, "observe", fail)
    client = Caller(make_server())
    game = (await call(client, "start", name="leduc_poker"))["game"]
    assert "queen" not in await refusal(client, "observe", game=game)


async def test_several_seats_of_one_agent_each_see_their_own(client: Caller) -> None:
    game = await call(client, "start", name="leduc_poker", seats=[1, 2])
    first = await call(client, "observe", game=game["game"], seat=1)
    second = await call(client, "observe", game=game["game"], seat=2)
    assert first["observation"] == game["observation"]
    assert "p2=?" in first["observation"]
    assert "p1=?" in second["observation"]
    after = await call(client, "play", game=game["game"], move="call")
    assert (after["to_move"], after["your_turn"], after["seat"]) == ("p2", True, 1)


@pytest.mark.parametrize("name", HIDDEN)
def test_no_answer_depends_on_what_is_hidden(name: str) -> None:
    """Two worlds that the seat can't tell apart: all answers are the same but for the seals."""
    plies = {"kingdom_coinquest": 24, "knights_duty": 3, "knaves_out": 30}.get(name, 1)
    known = midgame(name, plies)
    seat = known.seat
    worlds = (known.observe(seat).determinize(np.random.SFC64(n)) for n in range(50))
    other = next(world for world in worlds if world != known)
    answers: list[list[Any]] = []
    for position in (known, other):
        desk = Desk(sealer(), Rules())
        game = desk.sealer.seal(Match(position, (seat,), seed=5, name="a"))
        moves = desk.legal_moves(game)
        told = [desk.observe(game, None).model_dump(), [move.model_dump() for move in moves]]
        with pytest.raises(InputError) as caught:
            desk.play(game, "no such move")
        answers.append([*told, str(caught.value), len(game)])
    assert answers[0][0].pop("game") != answers[1][0].pop("game")
    assert answers[0] == answers[1]


def test_seals_say_nothing_and_differ_each_time() -> None:
    position = midgame("hearts", 5)
    match = Match(position, (1,), seed=2, name="a")
    first, second = sealer().seal(match), sealer().seal(match)
    assert first != second
    assert sealer().open(first) == match
    assert "hearts" not in first


def test_the_length_of_a_seal_is_one_of_few() -> None:
    lengths = set()
    for seed in range(40):
        stream = np.random.SFC64(seed)
        position, _ = new_game("hearts").settle(stream)
        lengths.add(len(sealer().seal(Match(position, (1,), 0, "a"))))
    assert len(lengths) <= 2
    least = sealer().seal(Match(new_game("tic_tac_toe"), (1,), 0, "a"))
    assert len(least) > LEAST_BYTES


@pytest.mark.parametrize("place", [10, 50, -5])
def test_a_changed_seal_is_refused(place: int) -> None:
    seal = sealer().seal(Match(new_game("hearts"), (1,), 0, "a"))
    other = "A" if seal[place] != "A" else "B"
    changed = seal[:place] + other + seal[len(seal) + place + 1 if place < 0 else place + 1 :]
    with pytest.raises(InputError, match="unchanged"):
        sealer().open(changed)


def test_a_seal_of_another_key_is_refused_and_one_of_an_old_key_is_not() -> None:
    match = Match(new_game("hearts"), (1,), 0, "a")
    other = Fernet.generate_key().decode()
    with pytest.raises(InputError, match="not a game that this server has sealed"):
        Sealer((other,), seconds=60).open(sealer().seal(match))
    assert Sealer((other, KEY), seconds=60).open(sealer().seal(match)) == match
    with pytest.raises(InputError, match="a key is 32 bytes"):
        Sealer(("secret",), seconds=60)


def test_a_seal_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    seal = sealer().seal(Match(new_game("hearts"), (1,), 0, "a"))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    with pytest.raises(StateError, match="this game has expired"):
        sealer().open(seal)
    assert sealer(seconds=7200).open(seal).seats == (1,)


def test_the_seed_of_the_server_gives_the_same_games_in_their_order() -> None:
    first, second = (Desk(sealer(), Rules(seed=4)) for _ in range(2))
    deals = [desk.start("hearts", {}, [1]).observation for desk in (first, first, second, second)]
    assert deals[:2] == deals[2:]
    assert deals[0] != deals[1]
    free = {Desk(sealer(), Rules()).start("hearts", {}, [1]).observation for _ in range(2)}
    assert len(free) == 2


def test_of_two_that_play_on_at_once_one_is_refused() -> None:
    desk = Desk(sealer(), Rules())
    game = desk.start("tic_tac_toe", {}, [1]).game
    match = desk.sealer.open(game)
    desk._advance(match)
    with pytest.raises(StateError, match="can't be taken back"):
        desk._advance(match)


def test_the_answer_is_json_of_moderate_size() -> None:
    desk = Desk(sealer(), Rules())
    for name in GAMES:
        view = desk.start(name, {}, [1])
        assert len(json.dumps(view.model_dump())) < 6000


async def test_bots_and_hints_know_what_their_seat_has_seen_where_searches_use_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def choose(seen: Observation, *args: Any, **options: Any) -> tuple[str, None]:
        asked.append(seen)
        return seen.legal_moves()[0], None

    monkeypatch.setattr("kingmaker.agents.play.select_move", choose)
    desk = Desk(sealer(), Rules(seed=2))
    view = desk.start("hearts", {}, [1])
    for _ in range(20):
        if view.your_turn:
            asked.append(desk.observation(view.game))
            view = desk.play(view.game, desk.legal_moves(view.game)[0].move)
        else:
            view = desk.ask_bot(view.game, 1, 1)
    assert len({seen.observer for seen in asked}) == 4
    for seen in asked:
        assert seen.record is not None
        check_record(seen, seen.record)
    leduc = desk.start("leduc_poker", {}, [1])
    assert desk.seen(leduc.game).record is None


async def test_likely_worlds_are_drawn_where_searches_use_what_was_seen(client: Caller) -> None:
    game = await call(client, "start", name="hearts")
    while not game["your_turn"] or "play:" not in game["observation"]:
        if game["your_turn"]:
            moves = await call(client, "legal_moves", game=game["game"])
            game = await call(client, "play", game=game["game"], move=moves[0]["move"])
        else:
            game = await call(client, "ask_bot", game=game["game"], level=1)
    worlds = await call(client, "sample_worlds", subject=game["game"], count=7)
    assert len(worlds) == 7
    for world in worlds:
        position = parse_position("hearts", world)
        assert position.observe(1).text == game["observation"]
