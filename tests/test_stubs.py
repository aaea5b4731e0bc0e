"""The stubs of compiled modules say nothing that the modules do not have."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHOICES = ["--ignore-missing-stub", "--ignore-positional-only", "--ignore-disjoint-bases"]
MEANT = "|".join(
    (
        r"\.__init__$",  # compiled constructors show any arguments, as __cinit__ gets them too
        r"\.ViewGame\.(notation|words)$",  # None until a game sets them
        # Of every engine, but not of the class that they extend.
        r"\.Searcher\.(memory_bytes|num_nodes|replies|root_moves|root_values)$",
    )
)


@pytest.mark.slow
def test_stubs_say_nothing_that_modules_do_not_have() -> None:
    stubs = [each for folder in ("cext", "search") for each in (ROOT / folder).rglob("*.pyi")]
    modules = [".".join(each.relative_to(ROOT).with_suffix("").parts) for each in stubs]
    found = subprocess.run(
        [
            *(sys.executable, "-m", "mypy.stubtest", "--concise", *CHOICES),
            *(f"kingmaker.{module}" for module in modules),
        ],
        env=os.environ | {"MYPYPATH": str(ROOT / "build")},
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )
    assert found.stderr == ""
    lines = found.stdout.splitlines()
    assert lines  # or else it has compared nothing: there are some that are meant
    assert [line for line in lines if not re.search(MEANT, line.split(" ")[0])] == []
