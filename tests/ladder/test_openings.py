"""Groups of games without chance start from different positions, and repeated ones count once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.coordinator import begin_ladder, run_ladder
from kingmaker.ladder.export import read_records, text_record
from kingmaker.ladder.model import GameTask, from_json, to_json
from kingmaker.ladder.openings import Openings, default_plies
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.play import first_position, play
from kingmaker.ladder.replay import replay
from kingmaker.ladder.results import Result, mirrored_groups, without_repeats
from kingmaker.ladder.store import Store
from kingmaker.ladder.summary import read_summary
from kingmaker.review.games import of_record
from kingmaker.search.position import new_game

from .fake_executor import FakeExecutor
from .samples import sample_task

BOOK = [new_game("tic_tac_toe").apply(*moves).text for moves in (["a1"], ["b2", "a1"], ["c3"])]


def plan_of(**values: object) -> LadderPlan:
    given = {"game": "tic_tac_toe", "bots": ["a=greedy", "b=random"], "num_groups": 6}
    return LadderPlan.of(**(given | values))


def openings(plies: int, seed: int = 1, name: str = "tic_tac_toe") -> Openings:
    return Openings(new_game(name).game, plies, (), seed)


def test_all_games_of_a_group_start_from_one_position_after_random_moves() -> None:
    plan = plan_of(openings=3)
    starts = []
    for index in range(6):
        positions = {first_position(task) for task in plan.tasks(plan.schedule().group(index))}
        [position] = positions
        assert position.text.count("x") + position.text.count("o") >= 3
        starts.append(position.text)
    assert len(set(starts)) == 6


def test_random_openings_differ_as_long_as_there_are_enough() -> None:
    found = openings(1)
    assert len({found.start(index) for index in range(9)}) == 9
    assert found.start(30)  # a repeated one
    assert [found.start(index) for index in (3, 0)] == [openings(1).start(i) for i in (3, 0)]
    assert openings(1, seed=2).start(0) != openings(1, seed=1).start(0)


def test_a_book_is_run_through_again_and_again_in_random_orders() -> None:
    book = Openings(new_game("tic_tac_toe").game, 0, BOOK, 5)
    rounds = [[book.start(3 * turn + place) for place in range(3)] for turn in range(8)]
    assert all(sorted(each) == sorted(BOOK) for each in rounds)
    assert len(set(map(tuple, rounds))) > 1


def test_games_with_chance_have_no_random_openings_but_may_have_a_book() -> None:
    with pytest.raises(InputError, match="kuhn_poker has chance"):
        LadderPlan.of(game="kuhn_poker", bots=["a=random", "b=random"], openings=2)
    line = new_game("kuhn_poker").text
    plan = LadderPlan.of(game="kuhn_poker", bots=["a=random", "b=random"], book=[line])
    [task, _] = plan.tasks(plan.schedule().group(0))
    assert replay(play(task)).is_terminal


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"openings": 9}, "no game of tic_tac_toe goes on after 9 random plies"),
        ({"openings": 2, "book": BOOK}, "not both"),
        ({"book": [*BOOK, "nonsense"]}, "line 4 of the book"),
        ({"book": [new_game("connect_four").text]}, "line 1 of the book"),
    ],
)
def test_openings_that_cannot_be_played_are_refused(
    values: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        plan_of(**values)


def test_a_new_ladder_has_random_openings_if_its_game_has_no_chance(tmp_path: Path) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        assert begin_ladder(store, "new", plan_of()).plan["openings"] == 4
        assert begin_ladder(store, "none", plan_of(openings=0)).plan["openings"] == 0
        assert begin_ladder(store, "book", plan_of(book=BOOK)).plan["openings"] is None
        dice = LadderPlan.of(game="kuhn_poker", bots=["a=random", "b=random"])
        assert begin_ladder(store, "chance", dice).plan["openings"] == 0
    assert default_plies(new_game("tic_tac_toe").game) == 4


def test_the_id_of_a_game_from_the_start_is_that_of_older_versions() -> None:
    task = sample_task(0)
    assert '"start"' not in to_json(task)
    assert task.id == "c49f2fae79c23f6bb5974a1c594efb5a"
    assert replace(task, start="x").id != task.id


def test_a_game_from_an_opening_is_stored_written_replayed_and_reviewed(tmp_path: Path) -> None:
    plan = plan_of(openings=3, num_groups=1)
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        ladder = begin_ladder(store, "spring", plan)
        run_ladder(ladder, FakeExecutor())
        records = list(ladder.records())
    start = plan.starts.start(0)
    for record in records:
        assert record.task.start == start
        assert from_json(GameTask, to_json(record.task)) == record.task
        assert list(read_records(text_record(record).splitlines())) == [record]
        assert replay(record).is_terminal
        assert of_record(record).start.text == start


def test_games_that_repeat_are_counted_once_and_reported(tmp_path: Path) -> None:
    values = {"bots": ["a=expectimax:simulations=9", "b=greedy"], "num_groups": 30}
    plan = plan_of(**values, openings=1, sprt={"elo0": -2000, "elo1": 2000, "alpha": 1e-9})
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        ladder = begin_ladder(store, "spring", plan)
        run_ladder(ladder, FakeExecutor())
        summary = read_summary(ladder)
        lines = [game.line for game in ladder.summaries()]
    assert summary.num_groups + summary.num_repeats == summary.num_games // 2
    assert summary.num_repeats > 0
    assert summary.test[-1].num_groups == summary.num_groups
    assert len(set(lines)) < len(lines)


def test_a_group_repeats_only_if_all_its_games_do_from_the_same_seats() -> None:
    def group(name: str, first: str, second: str) -> list[Result]:
        return [
            Result(name, ("a", "b"), (1.0, 0.0), first),
            Result(name, ("b", "a"), (1.0, 0.0), second),
        ]

    played = [
        *group("1", "x", "y"),
        *group("2", "x", "z"),
        *group("3", "y", "x"),
        *group("4", "x", "y"),
        *group("5", "", ""),
        *group("6", "", ""),
    ]
    assert [each.name for each in without_repeats(mirrored_groups(played))] == list("12356")
