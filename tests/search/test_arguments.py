"""Wrong arguments of the Python interface: every error names the argument and a right value."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from kingmaker import (
    Budget,
    InputError,
    LevelSearch,
    Limits,
    Record,
    RivalPolicy,
    Search,
    Seen,
    Solver,
    analyze,
    believed_worlds,
    explain,
    new_game,
    parse_observation,
    parse_position,
    sample_worlds,
    seen_at,
    seen_so_far,
    select_move,
    solve,
    weigh_worlds,
)
from kingmaker.review.games import played
from kingmaker.review.review import Reviewer, review_game
from kingmaker.search import position
from kingmaker.search.levels import choose_move

MOST_CHARACTERS = 700
START = new_game("tic_tac_toe")
SEEN = START.observe(1)
BUDGET = Budget(simulations=5)
ANALYSIS = analyze(SEEN, BUDGET, seed=1)
KUHN = new_game("kuhn_poker")
DEALT = KUHN.apply("deal:k", "deal:j")
RECORD = Record(seen_so_far(KUHN, ["deal:k", "deal:j"], 1))
HIDDEN = Seen(2, "deal:?")
KING = DEALT.observe(1).with_record(RECORD)
GAME = played("tic_tac_toe", ["a1", "b1", "a2", "b2", "a3"])
STREAM = np.random.SFC64(1)
LEVEL = LevelSearch(SEEN, BUDGET, level=3, seed=1)

WRONG: Sequence[Any] = (
    None,
    "",
    "1",
    "x" * 10_000,
    1.5,
    float("nan"),
    float("inf"),
    -1,
    2**70,
    10**5000,
    True,
    b"",
    [],
    [None],
    (1,),
    ["a"],
    {},
    {1: 2},
    {"a": None},
    object(),
    int,
    np.array(1.0),
    np.array([1, 2]),
    START,
    SEEN,
    KUHN,
    KING,
    BUDGET,
    ANALYSIS,
    RECORD,
)


def search(name: str, value: Any) -> Search:
    """Begin a search with one more argument."""
    return Search(SEEN, BUDGET, **{name: value})


SEARCH = {"observation": SEEN, "budget": BUDGET, "engine": "", "seed": 1, "options": None}
LEVELS = {**SEARCH, "level": 3, "threads": 1, "cache": None}
SOLVER = {"subject": START, "limits": None, "method": "limited", "depth": 1, "target": None}
WORLDS = {"observation": KING, "seed": 1, "policy": None}
PLAYED = {"game": "tic_tac_toe", "moves": GAME.tokens}
CALLS: Sequence[tuple[Callable[..., object], dict[str, Any]]] = (
    (new_game, {"name": "kuhn_poker", "options": None}),
    (parse_position, {"name": "tic_tac_toe", "text": START.text}),
    (parse_observation, {"name": "tic_tac_toe", "text": SEEN.text}),
    (Budget, {"milliseconds": 1.0, "simulations": 1, "memory_bytes": 1 << 20}),
    (Limits, {"milliseconds": 1.0, "nodes": 1, "memory_bytes": 1 << 20}),
    (Record, {"seen": (), "options": {}}),
    (KING.with_record, {"record": RECORD}),
    (lambda seen: KING.with_record(Record(seen)), {"seen": RECORD.seen}),
    (lambda seat: KING.with_record(Record((Seen(seat, "deal:k"), HIDDEN))), {"seat": 1}),
    (lambda move: KING.with_record(Record((Seen(1, move), HIDDEN))), {"move": "deal:k"}),
    (RivalPolicy, {"temperature": 0.0, "floor": 0.2, "power": 1.0, "pasts": 8, "choose": None}),
    (seen_so_far, {"start": KUHN, "tokens": ["deal:k"], "viewer": 1}),
    (seen_at, {"position": KUHN, "token": "deal:k", "viewer": 1}),
    (Search, {**SEARCH, "threads": 1, "worlds": None, "cache": None}),
    (Search, {**SEARCH, "all_moves": True, "replies": False}),
    (analyze, {**SEARCH, "threads": 1, "all_moves": True}),
    (partial(Search, SEEN, BUDGET), {"options": {"exploration": 1}}),
    (lambda value: Search(SEEN, BUDGET, options={"exploration": value}), {"value": 1.0}),
    (lambda value: Search(SEEN, BUDGET, options={"playout": value}), {"value": "policy"}),
    (Search(SEEN, BUDGET).advance, {"milliseconds": 1.0}),
    (select_move, LEVELS),
    (choose_move, LEVELS),
    (choose_move, {**LEVELS, "engine": "random", "level": 10}),
    (LEVEL.choose, {"analysis": ANALYSIS}),
    (LEVEL.policy, {"analysis": ANALYSIS}),
    (explain, {"observation": SEEN, "analysis": ANALYSIS, "top": 1}),
    (solve, SOLVER),
    (Solver(START).step, {"milliseconds": 1.0}),
    (sample_worlds, {"observation": KING, "count": 1, "seed": 1}),
    (weigh_worlds, {**WORLDS, "worlds": [DEALT]}),
    (believed_worlds, {**WORLDS, "count": 1}),
    (DEALT.observe, {"seat": 1}),
    (START.seen_move, {"token": "a1", "seat": 1}),
    (START.apply, {}),
    (KUHN.settle, {"stream": STREAM}),
    (KING.determinize, {"stream": STREAM}),
    (KING.is_consistent, {"position": DEALT}),
    (KING.changes, {"after": KING}),
    (played, {**PLAYED, "names": ("a", "b"), "returns": (1.0, 0.0), "seed": None, "ending": ""}),
    (played, {**PLAYED, "options": None, "name": "", "group": "", "start": ""}),
    (Reviewer, {"game": GAME, "effort": "standard", "seed": 0, "engine": ""}),
    (partial(review_game, played("tic_tac_toe", [], returns=[0.5, 0.5])), {"threads": 1}),
)


@pytest.mark.parametrize(
    ("call", "right", "name"),
    [
        pytest.param(call, right, name, id=f"{number}-{name}")
        for number, (call, right) in enumerate(CALLS)
        for name in right
    ],
)
def test_a_wrong_argument_is_accepted_or_refused_in_words(
    call: Callable[..., object], right: dict[str, Any], name: str
) -> None:
    assert error_of(call, right) is None
    errors = [error_of(call, {**right, name: wrong}) for wrong in WRONG]
    assert [error for error in errors if not is_clear(error)] == []


def error_of(call: Callable[..., object], arguments: dict[str, Any]) -> Exception | None:
    """Return the error of a call, if any."""
    try:
        call(**arguments)
    except Exception as error:
        return error
    return None


def is_clear(error: Exception | None) -> bool:
    """Whether an error, if there is one, is short and in our words."""
    if isinstance(error, InputError):
        return len(str(error)) < MOST_CHARACTERS and len(error.value) < MOST_CHARACTERS
    return error is None or (
        isinstance(error, TypeError)
        and "; it must be " in str(error)
        and len(str(error)) < MOST_CHARACTERS
    )


@pytest.mark.parametrize(
    ("call", "arguments", "named"),
    [
        (KING.with_record, [None], "record is None; it must be a Record"),
        (Record, [(), 3], "record.options is 3; it must be a mapping"),
        (Record, [None], "record.seen is None; it must be a tuple of Seen(seat, move)"),
        (search, ["cache", 1], "cache is 1; it must be a TreeCache, or None"),
        (search, ["worlds", 1], "worlds is 1; it must be full states"),
        (search, ["all_moves", "false"], "all_moves is 'false'; it must be True or False"),
        (search, ["replies", 1], "replies is 1; it must be True or False"),
        (
            lambda value: Solver(KUHN, include_policy=value),
            [[0]],
            "include_policy is [0]; it must be True",
        ),
        (search, ["threads", [1]], "threads is [1]; it must be a whole number, 1 to 256"),
        (search, ["options", {1: 2}], "a name in options is 1; it must be a text"),
        (Search(SEEN, BUDGET).advance, ["1"], "milliseconds is '1'; it must be a number"),
        (explain, [SEEN, ANALYSIS, "1"], "top is '1'; it must be a whole number, 1 to 100"),
        (explain, [SEEN, None, 1], "analysis is None; it must be an Analysis"),
        (new_game, [[]], "name is []; it must be a text, the name of a game"),
        (new_game, ["kuhn_poker", {1: 2}], "a name in options is 1; it must be a text"),
        (seen_at, [None, "deal:k", 1], "position is None; it must be a full state"),
        (seen_so_far, [KUHN, None, 1], "tokens is None; it must be a list of tokens"),
        (weigh_worlds, [KING, [DEALT], 1, 3], "policy is 3; it must be a RivalPolicy"),
        (Reviewer, [None], "game is None; it must be a PlayedGame"),
    ],
)
def test_the_error_for_a_wrong_kind_names_a_right_one(
    call: Callable[..., object], arguments: list[Any], named: str
) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(named)}"):
        call(*arguments)


def test_a_truth_value_may_be_that_of_numpy() -> None:
    assert not search("all_moves", np.array([0, 1]).all()).is_finished


def test_a_wrong_entry_of_a_record_is_named_by_its_place() -> None:
    entries: Any = (*RECORD.seen, 3)
    with pytest.raises(TypeError, match=r"^record\.seen\[2\] is 3; it must be Seen\(seat, move\)"):
        KING.with_record(Record(entries))


def test_numbers_of_any_length_are_refused_as_out_of_range() -> None:
    right = "is a value too large to show; it must be"
    for call in (
        partial(Budget, simulations=10**5000),
        partial(sample_worlds, SEEN, 10**5000, 1),
        partial(sample_worlds, SEEN, 1, 10**5000),
        partial(RivalPolicy, 10**5000),
        partial(RivalPolicy, pasts=10**5000),
        partial(select_move, SEEN, BUDGET, level=10**5000),
        partial(select_move, SEEN, BUDGET, threads=10**5000),
    ):
        with pytest.raises(InputError, match=right):
            call()
    with pytest.raises(InputError, match="seat a value too large to show of a 2-seat game"):
        START.observe(10**5000)


def test_a_long_option_reaches_the_game_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**texts: str) -> None:
        raise InputError("the board is long", value=texts["board"])

    monkeypatch.setattr(position, "game_type", lambda name: refuse)
    with pytest.raises(InputError) as caught:
        new_game("any", {"board": "x" * 100})
    assert caught.value.value == "x" * 100


def test_worlds_and_entries_of_a_record_may_be_any_list() -> None:
    worlds = weigh_worlds(KING, (world for world in [DEALT]), 1)
    assert worlds == [1.0]
    assert KING.with_record(Record(list(RECORD.seen))) == KING  # type: ignore[arg-type]
