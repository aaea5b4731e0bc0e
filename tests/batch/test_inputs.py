"""Each line of the input becomes a task or says what is wrong with it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kingmaker.batch.inputs import AnalysisDefaults, ReviewDefaults, read_analyses, read_reviews
from kingmaker.batch.tasks import AnalysisTask, ReviewTask
from kingmaker.ladder.export import json_line, text_record
from kingmaker.ladder.play import play
from kingmaker.search.position import new_game
from tests.ladder.fakes import task_of

START = new_game("connect_four")
UNSIGNED = "leduc p1=kh p2=? board=_ bets=-/- node=play:p1"
DEFAULTS = AnalysisDefaults(simulations=300, engine="mcts", options={"exploration": "2"}, seed=9)


def tasks(*lines: str) -> list[AnalysisTask | None]:
    return [entry.task for entry in read_analyses(lines, DEFAULTS)]


def test_one_position_may_be_given_in_several_ways() -> None:
    after = START.apply("d", "e")
    forms = tasks(
        after.text,
        after.observe(1).text + "\n",
        json.dumps({"position": after.text}),
        json.dumps({"observation": after.observe(1).text, "game": "connect_four", "seat": 1}),
        json.dumps({"game": "connect_four", "moves": ["d", "e"]}),
    )
    assert len(set(forms)) == 1
    [task] = set(forms)
    assert task is not None
    assert (task.observation, task.simulations, task.seed) == (after.observe(1).text, 300, 9)
    assert dict(task.options)["exploration"] == "2.0"


def test_a_line_has_its_own_engine_budget_and_seed() -> None:
    [entry] = read_analyses(
        [
            "# a comment\n",
            "\n",
            json.dumps(
                {
                    "game": "knaves_out",
                    "options": {"players": 3},
                    "moves": [],
                    "seat": 2,
                    "engine": "ismcts",
                    "engine_options": {"exploration": 0.5},
                    "simulations": 77,
                    "memory_mb": 2,
                    "seed": 5,
                    "name": "mine",
                }
            ),
        ],
        DEFAULTS,
    )
    assert (entry.line, entry.name) == (3, "mine")
    task = entry.task
    assert task is not None
    assert (task.engine, task.simulations, task.seed) == ("ismcts", 77, 5)
    assert task.memory_bytes == 2 << 20
    assert task.observation.endswith(" @p2")


@pytest.mark.parametrize(
    ("line", "field", "value", "message"),
    [
        ("zzz", "position", "zzz", "no game has the tag 'zzz'"),
        ('{"observation": "zzz"}', "observation", "zzz", "no game has the tag 'zzz'"),
        (UNSIGNED, "position", UNSIGNED, "a line with ? is an observation; end it in @p1, @p2 or"),
        (f'{{"observation": "{UNSIGNED}"}}', "observation", UNSIGNED, "end it in @p1"),
        ("{", "", "{", "Invalid JSON"),
        ('{"move": 1}', "move", "1", "there is no such field; did you mean moves?"),
        ('{"positon": ""}', "positon", "", "there is no such field; did you mean position?"),
        ('{"seat": "1"}', "seat", "1", "valid integer"),
        ("{}", "position", "", "give one of position, observation and moves"),
        ('{"game": "chess", "moves": []}', "game", "chess", "there is no game 'chess'"),
        ('{"game": "connect_four", "moves": ["d", "x"]}', "move", "x", "columns a to g"),
        ('{"game": "connect_four", "moves": [], "seed": -1}', "seed", "-1", "must be 0 to"),
        ('{"game": "leduc_poker", "moves": []}', "seat", "", "choose the observing seat"),
        ('{"game": "connect_four", "moves": [], "engine": "x"}', "engine", "x", "no engine 'x'"),
        (
            '{"game": "connect_four", "moves": [], "simulations": 0}',
            "simulations",
            "0",
            "it must be 1 to",
        ),
        (
            '{"game": "connect_four", "moves": [], "memory_mb": 0}',
            "memory_mb",
            "0",
            "memory_mb is 0; it must be 1 to 1048576",
        ),
        (
            f'{{"position": "{START.text}", "options": {{"a": "b"}}}}',
            "options",
            "",
            "options go with moves",
        ),
    ],
)
def test_a_wrong_line_says_what_is_wrong(line: str, field: str, value: str, message: str) -> None:
    good, bad, last = read_analyses([START.text, line, START.text], DEFAULTS)
    assert good.task == last.task
    assert (bad.line, bad.task) == (2, None)
    assert bad.error is not None
    assert (bad.error.field, bad.error.value) == (field, value)
    assert message in str(bad.error)


def reviews(text: str) -> list[tuple[int, ReviewTask | str]]:
    entries = read_reviews(text.splitlines(keepends=True), ReviewDefaults("quick", "", 3))
    return [(entry.line, entry.task or str(entry.error)) for entry in entries]


def test_games_are_read_as_review_reads_them() -> None:
    record = play(task_of("tic_tac_toe"))
    moves = [move.token for move in record.moves]
    moves_line = json.dumps({"game": "tic_tac_toe", "moves": moves})
    by_line = reviews(json_line(record) + "\n\n" + moves_line)
    assert [line for line, _ in by_line] == [1, 3]
    first, second = (task for _, task in by_line)
    assert isinstance(first, ReviewTask)
    assert isinstance(second, ReviewTask)
    assert first.moves == second.moves == tuple(moves)
    assert (first.name, first.names) == (record.task.id, ("bot 1", "bot 2"))
    assert (first.effort, first.seed) == ("quick", 3)
    assert reviews(text_record(record)) == [(1, first)]
    assert reviews("tic_tac_toe\n" + " ".join(moves)) == [(1, second)]


def test_a_wrong_game_does_not_hide_the_others() -> None:
    game = '{"game": "tic_tac_toe", "moves": ["b2", "a2", "a1", "c3", "b1", "c2", "b3"]}\n'
    found = reviews(game + "not a game\n" + '{"game": "tic_tac_toe", "moves": ["b2"]}\n' + game)
    assert [line for line, _ in found] == [1, 2, 3, 4]
    assert "not a JSON object" in str(found[1][1])
    assert "the list ends where p2 is to move" in str(found[2][1])
    assert found[0][1] == found[3][1]
    assert reviews("tic_tac_toe\nb2 b2\n")[0][1] == reviews("tic_tac_toe\nb2 b2\n")[0][1] != ""


def test_the_lines_of_the_page_are_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "batch.md").read_text()
    [block] = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    entries = list(read_analyses(block.splitlines(), AnalysisDefaults()))
    assert len(entries) == 3
    assert [entry.error for entry in entries] == [None] * 3
