"""Whole games and parts of games at the terminal, typed on standard input."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

import pytest

from kingmaker.cli.backend import LocalBackend
from kingmaker.cli.match import Match
from kingmaker.cli.saved_games import SavedGame
from kingmaker.cli.screen import TextScreen
from kingmaker.search.position import new_game

from .conftest import Command

FIRST_MOVES = "1\n" * 5


def events(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_a_game_is_played_to_its_end(kingmaker: Command) -> None:
    done = kingmaker(
        *("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20"), typed=FIRST_MOVES
    )
    assert done.returncode == 0, done.stderr
    assert "you: put x on a1 (a1)" in done.stdout
    assert "\np2: put o on " in done.stdout
    assert "The game is over. You " in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("returns", "verdict"),
    [
        ([1.0, 0.0], "You win."),
        ([0.615, 0.385], "You win."),
        ([0.5, 0.5], "You share the win."),
        ([0.25, 0.75], "You lose."),
    ],
)
def test_the_largest_share_wins_also_where_shares_are_graded(
    returns: list[float], verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    TextScreen().result(returns, 1)
    assert f"The game is over. {verdict} Win shares:" in capsys.readouterr().out


def test_the_second_seat_waits_for_the_first(kingmaker: Command) -> None:
    done = kingmaker(
        *("play", "tic_tac_toe", "--seat", "2", "--level", "1", "--budget-ms", "20"),
        typed="quit\n",
    )
    assert done.stdout.startswith("p1: put x on ")


def test_words_other_than_moves_are_answered(kingmaker: Command) -> None:
    done = kingmaker(
        *("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20"),
        typed="undo\nhelp\nHINT\nz9\n12\nB2\nb2\nundo\nMoves\nboard\nquit\n",
    )
    asked = [part.splitlines() for part in done.stdout.split("p1> ")]
    assert asked[1][1] == "there is no decision to undo"
    assert asked[2][-1].split()[0] == "quit"
    assert len([line for line in asked[3] if " wins " in line]) == 3
    assert not [line for line in asked[3] if "Play it in" in line]
    assert asked[4][1] == "type 1 to 9, or a move; help lists what else there is"
    assert asked[5][1] == asked[4][1]
    assert asked[6][1] == "you: put x on b2 (b2)"
    assert asked[7][1] == "b2 is not legal: b2 is taken"
    assert "3 . . ." in asked[8]
    assert asked[9][-1].split()[:2] == ["9", "c3"]
    assert asked[10][2:] == ["3 . . .", "2 . . .", "1 . . .", "  a b c"]


def test_many_moves_that_differ_in_a_square_only_are_listed_in_columns(kingmaker: Command) -> None:
    # In this time the simulations of the level always end the search, so the bot's moves are known.
    game = ("play", "knaves_out", "--seed", "3", "--level", "1", "--budget-ms", "20000")
    done = kingmaker(*game, typed="64\nquit\n")
    before, after, *_ = done.stdout.split("p1> ")
    words, *rows = before.partition("as p1 sees it\n")[2].splitlines()
    assert words.strip() == "place the king building on ..."
    squares = [f"king:1{column}{row}" for column in "abcdefgh" for row in range(1, 9)]
    assert " ".join(rows).split() == [
        word for number, token in enumerate(squares, start=1) for word in (f"{number}", token)
    ]
    assert len(rows) < 32
    assert "you: place the king building on 1h8 (king:1h8)" in after
    assert "end the turn (end_turn)" not in before
    assert "  end_turn  end the turn\n" in after


def test_more_than_the_word_of_a_command_is_refused(kingmaker: Command) -> None:
    done = kingmaker(
        *("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20"),
        typed="b2\nundo 3\nHint x\nresign now\nquit\n",
    )
    said = [part.splitlines()[1] for part in done.stdout.split("p1> ")[2:5]]
    assert said == [
        "undo takes nothing more; leave out '3'",
        "hint takes nothing more; leave out 'x'",
        "resign takes nothing more; leave out 'now'",
    ]


def test_enter_plays_the_only_move_and_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    last_but_one = new_game("tic_tac_toe").apply("a1", "b1", "c1", "b2", "b3", "a3", "c3", "a2")
    monkeypatch.setattr("sys.stdin", StringIO("\n"))
    saved = SavedGame(game="tic_tac_toe", options={}, seed=1, seat=1, level=1)
    Match(LocalBackend(5, 1, 1), last_but_one, saved, TextScreen()).run()
    assert saved.moves == ["c2"]
    assert "1  c2  put x on c2\n     Enter plays it\np1> " in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", StringIO("\n\n"))
    anew = SavedGame(game="tic_tac_toe", options={}, seed=1, seat=1, level=1)
    Match(LocalBackend(5, 1, 1), new_game("tic_tac_toe"), anew, TextScreen()).run()
    assert anew.moves == []
    assert "Enter plays it" not in capsys.readouterr().out


def test_equal_outcomes_are_counted_in_one_line(kingmaker: Command) -> None:
    options = ("--option", "first=p2", "--option", "kings=fixed", "--level", "1")
    command = ("play", "knaves_out", *options, "--seed", "3", "--budget-ms", "5")
    shown = kingmaker(*command, typed="quit\n").stdout
    assert shown.splitlines()[0] == "chance for p2: draw a card (draw:?), 10 times"
    found = events(kingmaker(*command, "--json", typed="quit\n").stdout)
    assert [event["seat"] for event in found if event.get("move") == "draw:?"] == [2] * 10


def test_cards_that_a_seat_draws_one_after_the_other_stand_in_one_line(kingmaker: Command) -> None:
    options = ("--option", "first=p1", "--option", "kings=fixed")
    command = ("play", "knaves_out", *options, "--seed", "3", "--budget-ms", "5")
    shown = kingmaker(*command, typed="quit\n").stdout.splitlines()
    found = events(kingmaker(*command, "--json", typed="quit\n").stdout)
    drawn = [event["description"].removeprefix("draw ") for event in found if "move" in event]
    assert len(drawn) == 10
    assert shown[0] == f"chance for you: draw {', '.join(drawn[:-1])} and {drawn[-1]}"
    assert shown[1] == ""


@pytest.mark.parametrize("game", ["hearts", "code_of_chivalry", "leduc_poker", "kuhn_poker"])
@pytest.mark.parametrize("seat", ["1", "2"])
def test_a_deal_is_one_line_that_tells_no_card(kingmaker: Command, game: str, seat: str) -> None:
    command = ("play", game, "--seed", "3", "--seat", seat, "--budget-ms", "5")
    lines = kingmaker(*command, typed="quit\n").stdout.splitlines()
    happened = lines[: lines.index("")]
    assert happened.count("the cards are dealt") == 1
    assert not [line for line in happened if "deal " in line or "deal:" in line]


@pytest.mark.parametrize("where", ["here", "server"])
def test_a_hint_says_how_often_to_play_a_move_where_that_is_not_always(
    kingmaker: Command, server: str, where: str
) -> None:
    command = (
        *("play", "goofspiel", "--seed", "1", "--budget-ms", "50"),
        *(("--server", server) if where == "server" else ()),
    )
    text = kingmaker(*command, typed="hint\nquit\n").stdout
    assert " Play it in " in text
    [hints] = [
        event["hints"]
        for event in events(kingmaker(*command, "--json", typed="hint\nquit\n").stdout)
        if event["event"] == "hints"
    ]
    assert any(0 < hint["probability"] < 1 for hint in hints)
    assert sum(hint["probability"] for hint in hints) <= 1 + 1e-9


@pytest.mark.parametrize("where", ["here", "server"])
def test_the_screen_shows_only_what_the_seat_sees(
    kingmaker: Command, server: str, where: str
) -> None:
    done = kingmaker(
        *("play", "kingdom_coinquest", "--option", "kings=hs", "--budget-ms", "10", "--json"),
        *(("--server", server) if where == "server" else ()),
        typed=f"{FIRST_MOVES}hint\n{FIRST_MOVES}quit\n",
    )
    assert done.returncode == 0, done.stderr
    found = events(done.stdout)
    boards = [event["observation"] for event in found if event["event"] == "board"]
    assert len(boards) > 8
    assert all(board.endswith(" @p1") for board in boards)
    dealt = [event["move"] for event in found if event.get("move", "").startswith("deal:")]
    assert "deal:?" not in dealt[:3]
    assert dealt[3:5] == ["deal:?"] * 2  # the third may be p1's discard, taken openly
    [hints] = [event["hints"] for event in found if event["event"] == "hints"]
    assert all(hint["text"] for hint in hints)
    assert not [event for event in found if event["event"] == "refused"]


def test_a_game_against_a_server_is_played_to_its_end(kingmaker: Command, server: str) -> None:
    done = kingmaker(
        *("play", "tic_tac_toe", "--server", server, "--level", "10", "--budget-ms", "50"),
        "--json",
        typed=FIRST_MOVES,
    )
    assert events(done.stdout)[-1]["event"] == "end"


def test_the_deal_depends_on_the_seed_alone(kingmaker: Command) -> None:
    boards = [
        kingmaker(
            *("play", "kingdom_coinquest", "--seed", "5", "--level", level, "--budget-ms", "10"),
            typed="1\n1\n1\nquit\n",
        ).stdout
        for level in ("1", "9")
    ]
    assert boards[0] == boards[1]


def test_a_server_deals_what_a_game_here_has_with_the_same_seed(
    kingmaker: Command, server: str
) -> None:
    command = ("play", "code_of_chivalry", "--seed", "8", "--level", "1", "--budget-ms", "10")
    here, there = (
        kingmaker(*command, *where, typed="quit\n").stdout for where in ((), ("--server", server))
    )
    assert "chance for you: draw a" in here
    assert here == there


def test_bots_play_among_themselves_while_nobody_has_a_seat(kingmaker: Command) -> None:
    done = kingmaker(
        "play", "leduc_poker", "--seat", "0", "--seed", "3", "--budget-ms", "5", "--json"
    )
    found = events(done.stdout)
    assert found[-1]["event"] == "end"
    assert sum(found[-1]["returns"]) == 1
    assert found[0]["move"] == "deal:?"


def test_what_rivals_chose_in_secret_is_reported_when_it_is_revealed(kingmaker: Command) -> None:
    done = kingmaker(
        *("play", "knights_duty", "--seed", "1", "--level", "1", "--budget-ms", "20"),
        typed="place:sword\nplace:sword\nplace:move\nquit\n",
    )
    lines = done.stdout.splitlines()
    start = lines.index("p2: programme an unseen token in slot 3 (place:?)") + 1
    assert "  p1 takes up the sword" in lines[start : start + 5]
    assert any(line.startswith("  p2 shows a") for line in lines[start : start + 5])
    assert not any("p2 shows" in line for line in lines[:start])


def test_what_is_revealed_is_part_of_the_event_in_json(kingmaker: Command) -> None:
    done = kingmaker(
        *("play", "knights_duty", "--seed", "1", "--level", "1", "--budget-ms", "20", "--json"),
        typed="place:sword\nplace:sword\nplace:move\nquit\n",
    )
    [(last, changes), *_] = [
        (event["move"], event["changes"])
        for event in events(done.stdout)
        if event["event"] == "happened" and event["changes"]
    ]
    assert last == "place:?"
    assert any(text.startswith("p2 shows a") for text in changes)


def test_an_outcome_of_chance_is_reported_with_the_seat_that_it_concerns(
    kingmaker: Command,
) -> None:
    command = ("play", "kingdom_coinquest", "--seed", "1", "--budget-ms", "20")
    lines = kingmaker(*command, typed="quit\n").stdout.splitlines()
    assert re.fullmatch(r"chance for you: draw the king of \w+ \(king:[cdhs]\)", lines[0])
    assert lines[1].startswith("chance for p2: draw the king of ")
    command = ("play", "kuhn_poker", "--seed", "1", "--budget-ms", "20")
    first, second, *_ = events(kingmaker(*command, "--json", typed="quit\n").stdout)
    assert (first["seat"], second["seat"]) == (1, 2)
    assert (first["is_chance"], second["is_chance"]) == (True, True)
