"""The types of the page, from its comments."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TSC = ROOT / "tests" / "clients" / "node" / "node_modules" / ".bin" / "tsc"


@pytest.mark.slow
def test_the_types_of_the_page_are_right() -> None:
    if not (TSC.exists() and shutil.which("node")):
        pytest.skip("TypeScript is not installed: install node, then `make node`")
    command = [str(TSC), "--project", str(ROOT / "web")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout
