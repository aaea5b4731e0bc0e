"""A task's id depends on all that its result depends on, and its result on nothing else."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from kingmaker.batch.tasks import (
    AnyTask,
    analysis_task,
    read_analysis,
    read_review,
    read_task,
    review_task,
    run,
    task_text,
)
from kingmaker.cext.errors import InputError, StateError
from kingmaker.review.games import played
from kingmaker.review.review import review_game
from kingmaker.search.analysis import Budget
from kingmaker.search.position import new_game
from kingmaker.search.run import analyze
from kingmaker.tasks.model import InfrastructureError

GAME = played("leduc_poker", ["raise", "call", "call", "call"], seed=3)
OBSERVATION = new_game("connect_four").observe(1)
TASKS: list[AnyTask] = [
    analysis_task(OBSERVATION, simulations=50, seed=4),
    analysis_task(GAME.positions[3].observe(1), simulations=50),
    review_task(GAME, effort="quick", seed=2),
]


@pytest.mark.parametrize("task", TASKS, ids=["open", "hidden", "review"])
def test_a_task_travels_as_text(task: AnyTask) -> None:
    again = read_task(task_text(task))
    assert again == task
    assert again.id == task.id
    assert len(task.id) == 32


@pytest.mark.parametrize("task", TASKS, ids=["open", "hidden", "review"])
def test_a_result_is_the_same_bytes_however_it_is_computed(task: AnyTask) -> None:
    whole = run(task)
    search = task.begin()
    while not search.is_finished:
        search.step(0.1)
    assert task.result(search.snapshot()) == whole  # type: ignore[arg-type]
    assert whole.task_id == task.id


@pytest.mark.parametrize("task", TASKS[::2], ids=["analysis", "review"])
def test_every_field_is_part_of_the_id(task: Any) -> None:
    others = {
        replace(task, **{field.name: changed(field.name, getattr(task, field.name))}).id
        for field in fields(task)
    }
    assert len(others | {task.id}) == len(fields(task)) + 1


def changed(name: str, value: object) -> object:
    match value:
        case int():
            return value + 1
        case str():
            return value + "x"
        case tuple():
            more = {"options": ("x", "y"), "returns": 0.5}
            return (*value, more.get(name, "x"))
    raise AssertionError


def test_defaults_that_are_spelt_out_make_no_other_task() -> None:
    short = analysis_task(OBSERVATION)
    long = analysis_task(
        OBSERVATION, simulations=1000, engine=short.engine, options={"exploration": "1.5"}
    )
    assert dict(short.options)["exploration"] == "1.5"
    assert long.id == short.id


def test_results_are_those_of_a_search_and_of_a_review() -> None:
    found = read_analysis(run(TASKS[0]).text)
    assert found == analyze(OBSERVATION, Budget(simulations=50), seed=4, all_moves=True)
    review = read_review(run(TASKS[2]).text)
    expected = review_game(GAME, effort="quick", seed=2)
    assert replace(review, seconds=expected.seconds) == expected


def test_a_task_of_another_version_is_not_run() -> None:
    with pytest.raises(InfrastructureError, match="the task is for Kingmaker 0, and this is"):
        run(replace(TASKS[0], version="0"))


def test_what_can_not_be_searched_is_no_task() -> None:
    over = new_game("tic_tac_toe").apply("a1", "a2", "b1", "b2", "c1")
    with pytest.raises(StateError, match="the game is over"):
        analysis_task(over.observe(1))
    with pytest.raises(InputError, match="mcts can't search leduc_poker"):
        analysis_task(GAME.positions[3].observe(1), engine="mcts")
    with pytest.raises(InputError, match="there is no effort 'huge'"):
        review_task(GAME, effort="huge")


def test_a_review_starts_where_its_game_did() -> None:
    opening = new_game("connect_four").apply("a").apply("a")
    moves = ["d", "b", "d", "b", "d", "b", "d"]
    game = played("connect_four", moves, start=opening.text)
    task = read_task(task_text(review_task(game, effort="quick")))
    found = read_review(run(task).text)
    assert found.start == review_game(game, effort="quick").start
    assert found.decisions[0].observation == game.positions[0].observe(1).text
    assert task.id != review_task(played("connect_four", moves), effort="quick").id


def test_a_task_of_a_review_keeps_how_its_game_was_broken_off() -> None:
    known, unknown = (
        review_task(
            played("tic_tac_toe", ["b2"], returns=(0.5, 0.5), ending=ending), effort="quick"
        )
        for ending in ("drawn", "")
    )
    assert "ending" not in task_text(unknown)  # as before there were endings
    again = read_task(task_text(known))
    assert again == known
    review = read_review(run(again).text)
    assert review.ending == "drawn"
    assert len(review.ending_change) == 2
