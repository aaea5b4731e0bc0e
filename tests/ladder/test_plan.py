"""Plans are read from files and flags, and refused for a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.model import Bot
from kingmaker.ladder.pairing import Swiss
from kingmaker.ladder.plan import LadderPlan, group_id, read_plan

PLAN: dict[str, Any] = {"game": "tic_tac_toe", "bots": ["a=random", "b=random"], "num_groups": 3}
TOML = """
game = "kingdom_coinquest"
bots = ["random", "fast=ismcts:time=10ms", { name = "third", spec = "level:3" }]
num_groups = 12
options = { players = 3 }
clock = { move_ms = 200, game_ms = 60000, increment_ms = 10 }
anchor = "random"
"""
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown game": ({"game": "nope"}, "game: there is no game 'nope'"),
    "an unknown option": ({"options": {"players": 2}}, "has no option 'players'"),
    "an option out of range": (
        {"game": "kingdom_coinquest", "options": {"players": 9}},
        "players is a number from 2 to 4; got '9'",
    ),
    "an unknown engine": ({"bots": ["random", "isms"]}, "bots.1: bot 'isms': there is no engine"),
    "an unknown level": ({"bots": ["random", "level:12"]}, "must be a whole number, 1 to 10"),
    "a bot's unknown option": ({"bots": ["random", "ismcts:luck=3"]}, "has no option 'luck'"),
    "a bot that can't play the game": (
        {"game": "hearts", "bots": ["random", "mcts"]},
        "mcts can't search hearts",
    ),
    "a bot that is none": ({"bots": [3, "random"]}, "bots.0: write a bot as"),
    "one bot only": ({"bots": ["random"]}, "two bots or more to play; there is one"),
    "no bots": ({"bots": []}, "there is none"),
    "two bots of one name": ({"bots": ["random", "random"]}, "two bots are called random"),
    "a name that can't be printed": (
        {"bots": ["random", "a\nb=random"]},
        r"'a\nb' is not a valid name",
    ),
    "a name of spaces": (
        {"bots": ["random", {"name": " ", "spec": "random"}]},
        "' ' is not a valid name",
    ),
    "a name without end": ({"bots": ["random", "a" * 200 + "=random"]}, "has 200 characters; 100"),
    "bots without number": ({"bots": [f"b{i}=random" for i in range(1001)]}, "at most 1000 items"),
    "groups without number": ({"num_groups": 10**12}, "less than or equal to 10000000"),
    "plies without number": ({"max_plies": 10**30}, "less than or equal to 1000000, not 1000"),
    "a seed of no integer type": ({"seed": 2**63}, "seed: it must be less than or equal to"),
    "a clock without end": ({"clock": {"move_ms": float("inf")}}, "must be a finite number"),
    "a clock of days": ({"clock": {"game_ms": 1e9}}, "less than or equal to 86400000"),
    "a time without end": ({"bots": ["random", f"flat:time={'9' * 400}s"]}, "write a number with"),
    "a memory without end": ({"bots": ["random", f"flat:memory={'9' * 400}gb"]}, "write a number"),
    "a rating that is no number": ({"anchor_elo": float("nan")}, "must be a finite number"),
    "a test of no difference that there is": ({"sprt": {"elo1": 1e9}}, "must be -2000 to 2000"),
    "an unknown pairing": ({"pairing": "cup"}, "'round_robin', 'gauntlet' or 'swiss', not 'cup'"),
    "two unknown options": (
        {"options": {"players": 2, "size": 4}},
        "options.players: tic_tac_toe has no option 'players'; it has none at all; "
        "options.size: tic_tac_toe has no option 'size'",
    ),
    "a misspelt field": ({"bot": []}, "bot: there is no such field; did you mean bots?"),
    "a misspelt bot": ({"bots": ["random", "b=randm"]}, "; did you mean random?"),
    "an unknown field": ({"colour": 3}, "colour: there is no such field"),
    "no groups": ({"num_groups": 0}, "num_groups: it must be greater than 0, not 0"),
    "a negative seed": ({"seed": -1}, "seed: it must be greater than or equal to 0, not -1"),
    "a negative clock": ({"clock": {"move_ms": -1}}, "clock.move_ms: "),
    "an increment of nothing": ({"clock": {"increment_ms": 5}}, "is given without game_ms"),
    "an anchor that does not play": ({"anchor": "c"}, "the anchor 'c' is not one of the bots a, b"),
    "Swiss pairing without rounds": ({"pairing": "swiss"}, "num_rounds is for Swiss pairing"),
    "rounds without Swiss pairing": ({"num_rounds": 3}, "num_rounds is for Swiss pairing"),
    "Swiss pairing for four": (
        {"game": "hearts", "pairing": "swiss", "num_rounds": 3, "num_groups": None},
        "Swiss pairing is for 2 seats; hearts has 4",
    ),
    "a test of three bots": (
        {"bots": ["a=random", "b=random", "c=random"], "sprt": {}},
        "between two bots",
    ),
    "a test with its bounds exchanged": ({"sprt": {"elo0": 5, "elo1": 1}}, "must be smaller"),
}


def plan(**values: Any) -> LadderPlan:
    return LadderPlan.of(**(PLAN | values))


@pytest.mark.parametrize("what", WRONG)
def test_a_plan_is_refused_for(what: str) -> None:
    values, message = WRONG[what]
    with pytest.raises(InputError) as caught:
        plan(**values)
    assert message in str(caught.value)
    assert caught.value.field


@pytest.mark.parametrize("anchor", ["greedy", " greedy", "greedy:time=100ms"])
def test_an_anchor_may_be_written_as_its_bot(anchor: str) -> None:
    found = plan(bots=["greedy", "random"], anchor=anchor)
    assert found.anchor == found.bots[0].name == "greedy:time=100ms"
    assert LadderPlan.of(**found.to_json()) == found


def test_the_name_of_a_bot_goes_before_the_spec_of_another() -> None:
    assert plan(bots=["greedy=random", "greedy"], anchor="greedy").anchor == "greedy"


def test_all_that_is_wrong_is_reported_at_once() -> None:
    with pytest.raises(InputError, match=r"game: it is not given; bots: it is not given; seed: "):
        LadderPlan.of(seed="x")


def test_a_plan_is_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(TOML)
    found = read_plan(path)
    assert found.bots == (
        Bot("random", "random"),
        Bot("fast", "ismcts:time=10ms"),
        Bot("third", "level:3,time=100ms"),
    )
    assert found.options == {"players": "3"}
    assert (found.num_seats, found.total_games) == (3, 36)
    assert (found.clock.move_ms, found.clock.game_ms, found.clock.increment_ms) == (200, 60000, 10)


def test_a_plan_is_read_from_json(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(PLAN))
    assert read_plan(path) == plan()


def test_a_plan_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(PLAN), encoding="utf-8-sig")
    assert read_plan(path) == plan()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("plan.toml", "game = ", "Invalid value"),
        ("plan.json", "[1]", "must be an object"),
        ("plan.json", "[" * 100_000, "plan.json: maximum recursion depth exceeded"),
        ("plan.json", '{"game": "chess"}', "plan .*plan.json: bots: it is not given"),
        ("none.toml", None, "can't be read: No such file"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_plan(path)


@pytest.mark.parametrize(
    "values",
    [{}, {"sprt": {"elo1": 30}}, {"pairing": "swiss", "num_rounds": 4, "num_groups": None}],
)
def test_a_plan_comes_back_from_its_json(values: dict[str, Any]) -> None:
    first = plan(seed=7, clock={"move_ms": 20}, **values)
    assert LadderPlan.of(**json.loads(json.dumps(first.to_json()))) == first


def test_a_group_is_played_in_all_rotations_on_one_deal() -> None:
    tasks = plan().tasks(plan().schedule().group(2))
    first, second = ([bot.name for bot in task.bots] for task in tasks)
    assert first == second[::-1]
    assert tasks[0].deal_seed == tasks[1].deal_seed
    assert {task.group for task in tasks} == {group_id(2)}


def test_the_games_follow_from_the_plan_alone() -> None:
    once, again = (
        [task.id for index in range(3) for task in each.tasks(each.schedule().group(index))]
        for each in (plan(), plan())
    )
    assert once == again
    assert len(set(once)) == 6


def test_another_seed_is_another_ladder() -> None:
    first, second = plan(), plan(seed=1)
    assert {task.id for task in first.tasks(first.schedule().group(0))}.isdisjoint(
        task.id for task in second.tasks(second.schedule().group(0))
    )


def test_group_ids_sort_as_their_numbers() -> None:
    assert sorted(map(group_id, [10, 9, 1000, 0])) == [*map(group_id, [0, 9, 10, 1000])]


def test_swiss_pairing_counts_rounds() -> None:
    swiss = plan(
        bots=["a=random", "b=random", "c=random", "d=random"],
        pairing="swiss",
        num_rounds=3,
        num_groups=None,
    )
    assert isinstance(swiss.schedule(), Swiss)
    assert swiss.total_games == 12


def test_a_gauntlet_always_seats_the_first_bot() -> None:
    gauntlet = plan(bots=["a=random", "b=random", "c=random"], pairing="gauntlet", num_groups=8)
    assert all("a" in gauntlet.schedule().group(index).bots for index in range(8))


def test_a_test_of_a_game_for_more_seats_has_one_challenger() -> None:
    hearts = plan(game="hearts", sprt={}, num_groups=None)
    assert sorted(hearts.schedule().group(5).bots) == ["a", "b", "b", "b"]
    assert hearts.total_games is None
