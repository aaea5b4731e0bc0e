"""The sdist and the wheel, each built once for all tests, and whichever process they run in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[1]
NOT_SOURCE = shutil.ignore_patterns(
    ".*", "build", "dist", "node_modules", "__pycache__", "*.egg-info", "*.so"
)


def run(*arguments: str | Path, cwd: Path | None = None) -> str:
    """Run a command and return its output; shows all of it if the command fails."""
    done = subprocess.run(
        [str(argument) for argument in arguments], cwd=cwd, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Cython tells so where a call checks for an exception that can't come, or takes the GIL.
    assert "performance hint" not in done.stdout + done.stderr
    return done.stdout


def once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder that the first process to come here has filled."""
    top = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        top = top.parent  # of all workers
    folder, done = top / name, top / f"{name}.done"
    with FileLock(top / f"{name}.lock"):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist from a copy of the tree."""

    def make(work: Path) -> None:
        tree = Path(shutil.copytree(ROOT, work / "tree", ignore=NOT_SOURCE))
        run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", work, tree)

    return next(once(tmp_path_factory, "sdist", make).glob("*.tar.gz"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the sdist, as a package index would."""

    def make(work: Path) -> None:
        with tarfile.open(sdist) as archive:
            archive.extractall(work, filter="data")
        tree = next(path for path in work.iterdir() if path.is_dir())
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", work, tree)

    return next(once(tmp_path_factory, "wheel", make).glob("*.whl"))
