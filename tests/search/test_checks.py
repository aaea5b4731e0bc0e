"""Random games find what a game does against the contract, and nothing in ours."""

from __future__ import annotations

from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search import checks, position
from kingmaker.search.checks import check_game
from kingmaker.search.games import game_types
from kingmaker.search.position import new_game
from tests.python_game.high_card import BACK, CHANGE, DEAL, OBSERVER, STAGE, HighCard


def problems(monkeypatch: pytest.MonkeyPatch, **methods: Any) -> dict[str, str]:
    """Check a changed game; returns the message of each problem by its check."""
    kind: Any = type("Changed", (HighCard,), methods) if methods else HighCard
    begun = position.Position(kind(), kind().start_state())
    monkeypatch.setattr(checks, "new_game", lambda name, options: begun)
    return {each.check: each.message for each in check_game("changed", games=4).problems}


LONG = ["knaves_out", "knights_duty"]  # games with all their seats


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.slow) if each in LONG else each for each in game_types()],
)
def test_our_games_have_no_problem(name: str) -> None:
    for seats in game_types()[name].seat_counts[-1:]:
        options = {"players": seats} if "players" in game_types()[name].option_help else {}
        found = check_game(name, options, games=1, seed=seats)
        assert found.problems == []
        assert found.plies >= 3
        assert new_game(name, options).num_seats == seats


def test_a_game_in_python_has_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems(monkeypatch) == {}


def shows_all(self: Any, state: bytes, seat: int) -> bytes:
    return bytes([*state[:OBSERVER], seat + 1])


def forgets_back(self: Any, observation: bytes, draw: Any) -> bytes:
    world = bytearray(HighCard.determinize(self, observation, draw))
    world[BACK] = 0
    return bytes(world)


def keeps_observer(self: Any, observation: bytes, draw: Any) -> bytes:
    return bytes([*HighCard.determinize(self, observation, draw)[:OBSERVER], 0])


CALLS: list[int] = []


def changes_its_mind(self: Any, state: bytes, move: int) -> bytes:
    CALLS.append(move)
    after = HighCard.apply(self, state, move)
    return after if len(CALLS) % 3 or move >= DEAL else HighCard.apply(self, state, 1 - move)


def never_ends(self: Any, state: bytes) -> int:
    return HighCard.node(self, state) if state[0] * state[1] == 0 else 0


def stays(self: Any, state: bytes, move: int) -> bytes:
    return HighCard.apply(self, state, move) if move >= DEAL else state


def sees_features(self: Any, state: bytes, seat: int) -> list[int]:
    return [min(state[1 - seat], 9)]


def shows_start(self: Any, state: bytes, seat: int) -> bytes:
    return bytes([*HighCard.observe(self, state, seat)[:STAGE], 0, seat + 1])


def deals_twice(self: Any, state: bytes) -> list[tuple[int, float]]:
    cards = HighCard.chance_outcomes(self, state)  # all as likely
    return [*cards[:-1], cards[0]]


def turns_round(self: Any, state: bytes) -> list[int]:
    CALLS.append(0)
    return HighCard.legal_moves(self, state)[:: 1 if len(CALLS) % 2 else -1]


@pytest.mark.parametrize(
    ("methods", "check", "message"),
    [
        ({"observe": shows_all}, "secrets of p2", "observe shows too much"),
        ({"seen_move": lambda self, state, move, seat: move}, "secrets of p2", "shows too much"),
        ({"determinize": forgets_back}, "observation of p1", "changes what the seat sees"),
        ({"determinize": keeps_observer}, "observation of p1", "determinize leaves an observer"),
        (
            {"is_hidden": False},
            "observation of p1",
            "something is hidden, .*; but is_hidden is False",
        ),
        ({"apply": changes_its_mind}, "repetition", "it is not always the same"),
        ({"node": never_ends, "apply": stays}, "playout", "has no end within 1,000,000 plies"),
        ({"legal_moves": lambda self, state: [0, 0]}, "moves", r"a move is listed twice: \[0, 0\]"),
        ({"legal_moves": lambda self, state: []}, "moves", "a decision lists no move"),
        ({"returns": lambda self, state: [0.5, 0.9]}, "returns", r"\[0.5, 0.9\].* must sum to 1"),
        ({"evaluate": lambda self, state: [2.0, -1.0]}, "evaluate", "none may be negative"),
        ({"features": sees_features}, "features of p1", "they use what the seat does not see"),
        ({"features": lambda self, state, seat: [5, 3]}, "features of p1", "not ascending"),
        ({"feature_names": ["a"]}, "feature_names", "1 different names of 25 features"),
        ({"action_index": lambda self, move: 0}, "moves", "action_index of change is 0"),
        ({"chance_seat": lambda self, state: 4}, "outcomes", "chance_seat gives 4"),
        ({"describe_move": lambda self, state, move: None}, "moves", "describe_move gives None"),
        ({"changes": lambda self, a, b, seat: ["x"]}, "changes", "'x' is no Change"),
        ({"render": lambda self, state: 1 / 0}, "render", "ZeroDivisionError"),
        ({"playout_move": lambda self, state, draw: 7}, "playout_move", "it draws 7, which"),
        (
            {"history": lambda self, state: (self.start(), [])},
            "history",
            "don't lead to the state",
        ),
        (
            {"history": lambda self, state: (self.start(), [CHANGE])},
            "history",
            "it has 1, which was not possible",
        ),
        ({"observer_of": lambda self, state: None}, "observation of p1", "^observer_of gives None"),
        ({"observer_of": lambda self, state: 0}, "position", "observer_of gives an observer of a"),
        ({"observe": shows_start}, "observation of p1", "its node is not that of the state"),
        ({"chance_outcomes": deals_twice}, "outcomes", "an outcome is listed twice"),
        ({"legal_moves": turns_round}, "repetition", "its list changes"),
    ],
)
def test_a_mistake_is_named(
    monkeypatch: pytest.MonkeyPatch, methods: dict[str, Any], check: str, message: str
) -> None:
    found = problems(monkeypatch, **methods)
    with pytest.raises(AssertionError, match=message):
        assert not found[check], found[check]


def test_a_problem_has_its_position(monkeypatch: pytest.MonkeyPatch) -> None:
    kind: Any = type("Changed", (HighCard,), {"render": lambda self, state: ""})
    begun = position.Position(kind(), kind().start_state())
    monkeypatch.setattr(checks, "new_game", lambda name, options: begun)
    problem = next(each for each in check_game("changed").problems if each.check == "render")
    line = "hc;cards=5 hands=_/_ back=_/_ node=deal:p1"
    assert str(problem) == f"render: render gives ''; it must be a text\n  in {line}"


def test_the_same_seed_plays_the_same_games() -> None:
    first, second, other = (check_game("hearts", games=2, seed=seed) for seed in (3, 3, 4))
    assert first == second
    assert other.problems == []


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="games is 0"):
        check_game("hearts", games=0)
    with pytest.raises(InputError, match="seed is -1"):
        check_game("hearts", seed=-1)
