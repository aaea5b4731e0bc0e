"""`kingmaker solve`: verdicts, tables, JSON and what it refuses."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner, Result

from kingmaker.cli.app import app
from kingmaker.cli.solve import verdict
from kingmaker.search.analysis import Bound
from kingmaker.search.solution import Method, Solution

from .interrupted import stopped_at

WON_NEXT = "ttt board=oo./.../xx. node=play:p1"
KUHN = "kuhn p1=k p2=q bets=- node=play:p1"
SEEN = "kuhn p1=? p2=k bets=b node=play:p2 @p2"


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["solve", *arguments], input=typed)


def solution(values: tuple[float, ...], bound: Bound) -> Solution:
    return Solution(
        method=Method.LIMITED,
        values=values,
        bound=bound,
        open_hands=False,
        moves=(),
        depth=1,
        nodes=1,
        seconds=0.0,
        memory_bytes=1,
        stop_reason=None,
    )


def test_a_proof_is_reported_in_words_with_every_move() -> None:
    done = run("tic_tac_toe", WON_NEXT)
    assert done.exit_code == 0, done.stderr
    first, header, best, *_, last = done.stdout.splitlines()
    assert first == "proven: p1 wins"
    assert header.split() == ["move", "p1", "wins", "p2", "wins", "best", "line"]
    assert best.split() == ["c1", "100.0", "%", "0.0", "%", "exact", "c1"]
    assert last.startswith("exact: depth ")
    assert last.endswith("ended by solved")
    assert done.stderr == ""


def test_the_start_is_solved_where_no_position_is_given() -> None:
    done = run("tic_tac_toe", "--json")
    found = json.loads(done.stdout)
    assert found["subject"] == "ttt board=.../.../... node=play:p1"
    assert (found["method"], found["bound"], found["values"]) == ("exact", "exact", [0.5, 0.5])
    assert found["equilibrium"] is None
    assert len(found["moves"]) == 9


def test_the_line_is_read_from_standard_input() -> None:
    done = run("tic_tac_toe", "-", "--json", typed=WON_NEXT + "\n")
    assert json.loads(done.stdout)["subject"] == WON_NEXT


def test_open_hands_are_warned_of() -> None:
    done = run("kuhn_poker", KUHN, "--method", "exact")
    assert done.stdout.startswith("proven: p1 75.0 %, p2 25.0 %\n")
    assert done.stderr == "warning: these are values of play with all hands open\n"


def test_an_equilibrium_shows_the_policy_of_an_observation() -> None:
    done = run("kuhn_poker", SEEN, "--target", "0.00001")
    first, header, best, _, last = done.stdout.splitlines()
    assert first.startswith("p1 48.6 %, p2 51.4 % in equilibrium at kuhn p1=_ p2=_ ")
    assert header.split() == ["move", "played"]
    assert best.split()[0] == "bet"
    assert "exploitability" in last
    assert "12 information sets" in last
    assert last.endswith("ended by target")


def test_the_policy_of_every_information_set_is_printed_on_request() -> None:
    lines = run("kuhn_poker", "--policy").stdout.splitlines()
    assert lines[2].split() == ["seat", "observation", "reached", "policy"]
    assert len(lines) == 3 + 12
    assert any("p1=? p2=k bets=b node=play:p2 @p2" in line for line in lines)


def test_policies_as_json() -> None:
    found = json.loads(run("kuhn_poker", "--policy", "--json").stdout)
    assert len(found["equilibrium"]["policies"]) == 12
    assert {"seat", "observation", "moves", "policy", "reach"} == set(
        found["equilibrium"]["policies"][0]
    )
    assert found["stop_reason"] == "target"


def test_a_limited_search_takes_options_of_a_new_game() -> None:
    done = run(
        *("kingdom_coinquest", "new", "--option", "players=3"),
        *("--method", "limited", "--depth", "2"),
    )
    assert done.stdout.startswith("estimated: p1 ")
    assert "p3" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[-1].startswith("limited: depth 2, ")


def test_an_interrupted_solver_shows_what_it_found() -> None:
    found = stopped_at(b"nodes", "solve", "connect_four", "--method", "limited")
    assert found["stop_reason"] == "cancelled"
    assert found["depth"] > 0


@pytest.mark.parametrize(
    ("values", "bound", "words"),
    [
        ((0.0, 1.0), Bound.EXACT, "proven: p2 wins"),
        ((0.5, 0.5), Bound.EXACT, "proven: p1 50.0 %, p2 50.0 %"),
        ((0.5, 0.5), Bound.LOWER, "proven: at least 50.0 % for p1"),
        ((0.25, 0.75), Bound.UPPER, "proven: at most 25.0 % for p1"),
        ((0.6, 0.4), Bound.HEURISTIC, "estimated: p1 60.0 %, p2 40.0 %"),
        ((), Bound.HEURISTIC, "no value yet"),
    ],
)
def test_the_verdict_says_how_sure_it_is(
    values: tuple[float, ...], bound: Bound, words: str
) -> None:
    assert verdict(solution(values, bound)) == words


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "there is no game 'chess'; games are "),
        (["tic_tac_toe", "ttt board=..."], "ttt"),
        (["tic_tac_toe", WON_NEXT, "--option", "size=4"], "--option is for a new game"),
        (["tic_tac_toe", "--option", "size=4"], "tic_tac_toe has no option 'size'"),
        (["tic_tac_toe", "--method", "guess"], "methods are exact, limited, equilibrium"),
        (["tic_tac_toe", "--method", "limited", "--depth", "0"], "--depth is 0; it must be 1 to"),
        (["tic_tac_toe", "--method", "limited", "--depth", "-1"], "--depth is -1; it must be 1 to"),
        (["tic_tac_toe", "--depth", "3"], "depth is for the method limited"),
        (["tic_tac_toe", "--target", "0.1"], "target is for the method equilibrium"),
        (
            ["tic_tac_toe", "--policy"],
            "--policy is for the method equilibrium, not for exact; leave --policy out",
        ),
        (["kuhn_poker", "--target", "-1"], "target is -1; it must be"),
        (["tic_tac_toe", "--time", "0"], "--time is 0; it must be 1e-06 to 86400"),
        (["tic_tac_toe", "--time", "-2"], "--time is -2; it must be"),
        (["tic_tac_toe", "--nodes", "0"], "nodes is 0; it must be 1 to"),
        (["tic_tac_toe", "--memory", "-1"], "--memory is -1; it must be 1 to 1048576"),
        (["tic_tac_toe", "--nodes", "100"], "no proof was found before the end of its nodes"),
        (["connect_four", "--nodes", "1000"], "a proof is infeasible"),
        (["kuhn_poker", SEEN, "--method", "exact"], "send a full position"),
        (["goofspiel"], "an equilibrium is infeasible"),
        (["kuhn_poker", "--time", "1e-6"], "too large for the time allowed"),
        (["kingdom_coinquest", "--option", "players=3"], "this game has 3"),
        (["tic_tac_toe", "ttt board=oo./.../xxx node=end"], "the game is over"),
    ],
)
def test_what_is_wrong_is_one_line_that_says_what_would_be_right(
    arguments: list[str], message: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
    assert result.stdout == ""


def test_missing_memory_is_reported_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("kingmaker.cli.solve.Solver", no_memory)
    result = run("tic_tac_toe")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: there is not enough memory")
    assert result.stderr.count("\n") == 1
