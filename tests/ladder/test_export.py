"""Games as files: what is written is read back to the last bit, and what is wrong is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from io import StringIO
from typing import TextIO

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.ladder.export import (
    json_line,
    read_records,
    text_record,
    write_json_lines,
    write_text_records,
)
from kingmaker.ladder.model import Bot, Cause, GameRecord, TimeControl, to_json
from kingmaker.ladder.play import play
from kingmaker.ladder.replay import replay

from .fakes import task_of
from .samples import sample_record, sample_task

Write = Callable[[Iterable[GameRecord], TextIO], int]
WRITERS = pytest.mark.parametrize("write", [write_json_lines, write_text_records])
ODD = replace(
    sample_record(1),
    task=replace(
        sample_task(1),
        options=(),
        bots=(Bot('"quoted"', " spec "), Bot("", "a: b"), Bot("Ω\u2028", "end: x")),
        clock=TimeControl(None, 1e-3, 1e22),
        group="none",
    ),
    moves=(),
    end="",
    returns=(0.5, 0.0, 0.5),
    thinking_ms=(1e-300, 0.0, 5.0),
    cause=Cause.CRASHED,
    culprit=2,
    detail="line one\nline two\r\n\0",
)
TEXT = """\
kingmaker game record 1
id: c49f2fae79c23f6bb5974a1c594efb5a
game: leduc_poker
option players: 2
bot 1: careful
spec 1: ismcts:time=100ms,threads=1
bot 2: hasty
spec 2: random
group: g0
rotation: 0
deal_seed: 18446744073709551615
seed: 1180591620717411303424
move_ms: 50.0
game_ms: none
increment_ms: 0.1
rules_version: 1.0
max_plies: 1000
cause: finished
culprit: 0
detail: ""
returns: 0.3333333333333333 0.6666666666666666
thinking_ms: 33.333333333333336 0.1
wall_ms: 0.30000000000000004
finished_at: 2026-01-02T03:04:05.678901+00:00

1. chance bet:0 0.0
2. p1 bet:1 0.3333333333333333
3. p2 bet:2 0.6666666666666666
end: leduc bets=0 node=end
"""


@WRITERS
def test_what_is_written_is_read_back(write: Write) -> None:
    records = [sample_record(0), ODD, sample_record(2, num_plies=0)]
    file = StringIO()
    assert write(records, file) == 3
    file.seek(0)
    assert list(read_records(file)) == records


@pytest.mark.parametrize("name", GAMES)
def test_the_text_record_of_every_game_replays(name: str) -> None:
    record = play(task_of(name))
    [read] = read_records(text_record(record).splitlines())
    assert read == record
    assert replay(read).text == record.end


def test_a_text_record_looks_like_this() -> None:
    assert text_record(sample_record(0, num_plies=3)) == TEXT


def test_a_json_line_is_json_for_everybody() -> None:
    file = StringIO()
    write_json_lines([sample_record(0), ODD], file)
    lines = file.getvalue().split("\n")
    assert lines.pop() == ""
    assert [json.loads(line)["returns"] for line in lines] == [[1 / 3, 2 / 3], [0.5, 0.0, 0.5]]


def test_both_forms_may_stand_in_one_file_with_any_line_ends() -> None:
    file = StringIO()
    write_json_lines([sample_record(0)], file)
    write_text_records([sample_record(1)], file)
    lines = [line + "\r\n" for line in file.getvalue().split("\n")]
    assert list(read_records(lines)) == [sample_record(0), sample_record(1)]


def test_an_empty_file_holds_no_game() -> None:
    assert list(read_records(["\n", "  \n"])) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("record 1", "record 2", "line 1: 'kingmaker game record 2' is not the start of a game"),
        ("seed: 1180", "seed: 1181", "line 29: the headers were changed: they are of game "),
        ("hasty", "rapid", "the headers were changed"),
        ("culprit: 0", "culprit: none", "culprit is 'none'; it must be a number"),
        ("wall_ms: 0.3", "wall_ms: x", "wall_ms is 'x.*'; it must be a number"),
        ("cause: finished", "cause: boredom", "'boredom' is not a valid Cause"),
        ("group: g0\n", "", "the game has no header 'group'"),
        ("group: g0\n", "group: g0\ncolour: red\n", "there is no header named colour"),
        ("group: g0\n", "group: g0\ngroup: g0\n", "line 10: 'group: g0' is not a header, or"),
        ("group: g0\n", "group\n", "line 9: 'group' is not a header, or"),
        ("2. p1", "3. p1", "line 27: '3. p1 bet:1 .*' is not move 2; write it as"),
        ("2. p1", "2. p0", "'2. p0 .*' is not move 2"),
        ("end: leduc", "last: leduc", "'last: leduc .*' is not move 4"),
    ],
)
def test_a_wrong_line_of_a_text_record_is_reported(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError, match=message):
        list(read_records(TEXT.replace(old, new).splitlines(keepends=True)))


@WRITERS
def test_a_file_that_ends_within_a_game_is_refused_after_the_games_before(write: Write) -> None:
    file = StringIO()
    write([sample_record(0), sample_record(1)], file)
    records = read_records(StringIO(file.getvalue()[:-40]))
    assert next(records) == sample_record(0)
    with pytest.raises(InputError, match=r"^line \d+: "):
        next(records)


def test_a_wrong_json_line_is_reported() -> None:
    fields = json.loads(to_json(sample_record(0)))
    with pytest.raises(InputError, match=r"^line 2: a: there is no such field$"):
        list(read_records(["\n", json.dumps(fields | {"a": 1})]))


def test_an_error_shows_the_beginning_of_a_long_line() -> None:
    with pytest.raises(InputError, match="is not the start of a game") as refused:
        list(read_records(["[" * 100_000 + "\n"]))
    assert len(str(refused.value)) < 400


def test_of_many_wrong_fields_three_are_listed() -> None:
    fields = json.loads(to_json(sample_record(0)))
    line = json.dumps(fields | {"moves": ["call"] * 100})
    with pytest.raises(InputError, match=r"moves\.2: [^;]+; and 97 more$") as error:
        list(read_records([line]))
    assert str(error.value).count(";") == 3


def test_a_json_line_carries_the_id_of_the_game() -> None:
    record = sample_record(3)
    line = json_line(record)
    assert json.loads(line)["id"] == record.task.id
    assert list(read_records([line])) == [record]
    assert list(read_records([to_json(record)])) == [record]  # as written by earlier versions
    assert list(read_records([json.dumps(json.loads(line), sort_keys=True)])) == [record]
    with pytest.raises(InputError, match="the game was changed"):
        list(read_records([json_line(record).replace(record.task.id, "0" * 32)]))
