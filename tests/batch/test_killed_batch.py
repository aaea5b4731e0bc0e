"""A batch that is killed again and again loses no result, and runs no task again that has one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .killed_batch import NUM_TASKS
from .works import Diary, searches

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "num_kills", [3, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(400)])]
)
def test_a_killed_batch_goes_on_without_losing_or_repeating_a_task(
    tmp_path: Path, num_kills: int
) -> None:
    # Not -m: spawned workers would import that main module, too, which takes them twice as long.
    script = [sys.executable, "-c", "from tests.batch.killed_batch import main; main()"]
    done = subprocess.run(
        [*script, str(tmp_path), str(num_kills), "7"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    *before, after = (set(ids) for ids in json.loads(done.stdout))
    assert after == {task.id for task in searches(NUM_TASKS)}
    assert 0 < len(before[-1]) < NUM_TASKS
    for number, (known, then) in enumerate(zip(before, [*before[1:], after], strict=True)):
        assert known <= then
        begun = Diary(tmp_path / f"diary{number}").begun()
        assert begun.keys().isdisjoint(known)
        assert then - known <= begun.keys()
        assert max(begun.values(), default=1) == 1
