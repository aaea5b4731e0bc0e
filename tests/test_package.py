"""What a user installs: the wheel, the sdist, and a game of somebody else's compiled against it."""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.wheels import NOT_SOURCE, run

ROOT = Path(__file__).parents[1]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # everything is compiled from nothing
FOREIGN_GAME = Path(__file__).parent / "foreign_game"


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install wheel and foreign game in an environment of their own; returns its bin folder.

    Other packages are found where this interpreter has them. A path in a .pth file doesn't bring
    along the editable install of that place, so that `kingmaker` can only be the wheel's.
    """
    venv = tmp_path_factory.mktemp("foreign") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv)
    python = venv / "bin" / "python"
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (own / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    source = shutil.copytree(FOREIGN_GAME, venv / "source", ignore=NOT_SOURCE)
    install: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-deps",
    ]
    run(*install, "--no-index", wheel)
    run(*install, "--no-index", "--no-build-isolation", source)
    return venv / "bin"


def sources(pattern: str, *folders: str) -> set[str]:
    return {
        f"kingmaker/{path.relative_to(ROOT).as_posix()}"
        for folder in folders
        for path in (ROOT / folder).rglob(pattern)
    }


def test_the_wheel_installs_nothing_at_top_level_but_kingmaker(wheel: Path) -> None:
    names = {name.split("/")[0] for name in ZipFile(wheel).namelist()}
    [metadata] = names - {"kingmaker"}
    assert metadata.endswith(".dist-info")


def test_the_wheel_holds_all_that_foreign_code_compiles_and_checks_against(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    wanted = {
        *sources("*.pxd", "cext", "search"),
        *sources("*.pyx", "cext", "search"),
        *sources("*.pyi", "cext", "search"),
        *(f"kingmaker/rules/{path.name}" for path in (ROOT / "docs" / "rules").glob("*.md")),
        *("kingmaker/__init__.py", "kingmaker/py.typed"),
    }
    protos = {f"kingmaker/v1/{path.name}" for path in (ROOT / "proto").rglob("*.proto")}
    assert not (wanted | protos) - names


def test_the_wheel_holds_the_page_and_what_it_shows(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    page = {
        f"kingmaker/{path.relative_to(ROOT)}"
        for path in (ROOT / "web").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    play = {f"kingmaker/play/{path.name}" for path in (ROOT / "docs" / "play").glob("*.md")}
    assert {"kingmaker/web/index.html", "kingmaker/play/chessault.md"} <= page | play
    missing = (page | play | {"kingmaker/v1/api.binpb"}) - names
    assert not missing


def test_the_description_for_an_index_has_no_link_into_the_checkout(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        description = archive.read(metadata).decode()
    assert "(`docs/rules/kingdom_coinquest.md`)" in description or "https://" in description
    assert "](docs/" not in description
    assert not re.search(r"!?pictures/\w+\.(png|svg)`", description)


def test_the_wheel_that_is_built_from_the_sdist_is_compiled(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    modules = {
        name.removesuffix(".pyx") + ".abi3.so" for name in sources("*.pyx", "cext", "search")
    }
    assert modules
    assert not modules - names


def test_one_wheel_is_for_every_python_from_3_11_on(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name
    assert not [name for name in ZipFile(wheel).namelist() if ".cpython-" in name]


def test_the_wheel_holds_nothing_that_belongs_to_the_repository_alone(wheel: Path) -> None:
    inside = {name.split("/")[1] for name in ZipFile(wheel).namelist()}
    assert not inside & {"tests", "loadtests", "benchmarks", "build", "proto", "docs", "setup.py"}


def test_the_description_on_an_index_has_no_links_to_files(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        [path] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        about = email.message_from_bytes(archive.read(path))
    text = str(about.get_payload())
    assert "# Kingmaker" in text
    assert "[Apache License 2.0](" not in text
    assert not re.findall(r"\]\((?!https?://)[^)]*\)", text)
    assert about["Author"] == "The Kingmaker authors"
    assert "Typing :: Typed" in about.get_all("Classifier", [])


def test_bench_of_the_wheel_says_where_the_benchmarks_are(installed: Path) -> None:
    done = subprocess.run([installed / "kingmaker", "bench"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "error: the benchmarks are in a checkout of Kingmaker, not in the installed package; "
        "run `make bench` there\n"
    )


def test_the_sdist_holds_sources_and_nothing_generated(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [Path(name) for name in archive.getnames()]
    generated = {".so", ".c", ".binpb"}
    assert not [name for name in names if name.suffix in generated or "_pb2" in name.name]
    inside = {Path(*name.parts[1:]).as_posix() for name in names}
    assert {"LICENSE", "README.md", "Makefile", "setup.py", "tests/test_package.py"} <= inside
    assert {"api/__init__.py", "benchmarks/catalogue.py"} <= inside


def test_the_command_of_the_wheel_is_the_wheels(installed: Path) -> None:
    where = run(installed / "python", "-c", "import kingmaker; print(kingmaker.__file__)")
    assert Path(where.strip()).is_relative_to(installed.parent)


def test_the_foreign_game_is_listed(installed: Path) -> None:
    games = json.loads(run(installed / "kingmaker", "games", "--json", cwd=installed))
    assert "take_away" in [game["name"] for game in games]


def test_the_foreign_game_is_searched(installed: Path) -> None:
    found = json.loads(
        run(installed / "kingmaker", "analyze", "ta stones=7 node=p1", "--json", cwd=installed)
    )
    # Four stones lose for who is to move, so 3 of 7 must be taken.
    assert found["moves"][0]["move"] == "take:3"
    assert found["values"] == [1.0, 0.0]
    assert found["stop_reason"] == "solved"


def test_the_foreign_game_has_features_and_numbered_actions(installed: Path) -> None:
    script = (
        "import take_away; game, state = take_away.TakeAway.parse_position('ta stones=7 node=p2')\n"
        "for seat in range(2):\n"
        "    print([game.feature_names[index] for index in game.features_of(state, seat)])\n"
        "print([game.index_of(move) for move in game.moves_of(state)])\n"
        "print([game.move_at(index) for index in range(game.num_actions)])\n"
    )
    assert run(installed / "python", "-c", script, cwd=installed).splitlines() == [
        "['stones left: 7']",
        "['stones left: 7', 'own turn']",
        "[0, 1, 2]",
        "[1, 2, 3]",
    ]


def test_the_foreign_game_is_played_to_its_end(installed: Path) -> None:
    lines = run(
        *(installed / "kingmaker", "play", "take_away", "--seat", "0", "--option", "stones=9"),
        *("--level", "10", "--budget-ms", "50", "--json"),
        cwd=installed,
    ).splitlines()
    assert json.loads(lines[-1]) == {"event": "end", "returns": [1.0, 0.0], "seat": 0}


@pytest.mark.parametrize(("platform", "wheels"), [("linux", 1), ("macos", 2)])
def test_a_release_has_one_wheel_for_each_platform(platform: str, wheels: int) -> None:
    pytest.importorskip("cibuildwheel")
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform"]
    names = run(*command, platform, ROOT).split()
    assert len(names) == wheels
    assert all(name.startswith(("cp311-manylinux", "cp311-macosx")) for name in names)


def test_the_wheel_serves_as_in_the_image(installed: Path, tmp_path: Path) -> None:
    """The commands of the Dockerfile, with ports that are free here."""
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text()
    [serve] = re.findall(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)
    [check] = re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", dockerfile, re.MULTILINE)
    words = [word.replace("0.0.0.0:9464", "127.0.0.1:0") for word in json.loads(serve)]
    environment = {
        **os.environ,
        "PATH": f"{installed}{os.pathsep}{os.environ['PATH']}",
        "KINGMAKER_ANONYMOUS": "player",
        "KINGMAKER_PORT": "0",
    }
    log = tmp_path / "log"
    with log.open("wb") as stream:
        server = subprocess.Popen(words, cwd=tmp_path, env=environment, stderr=stream)
    try:
        line = first_line(log, server)
        metrics = urlopen(line["metrics"], timeout=30).read().decode()
        assert "kingmaker_build_info" in metrics
        address = line["address"].replace("0.0.0.0", "127.0.0.1")
        done = subprocess.run([*json.loads(check), address], env=environment, capture_output=True)
        assert (done.returncode, done.stdout) == (0, b"SERVING\n"), done.stderr
        server.terminate()
        assert server.wait(60) == 0
    finally:
        server.kill()


def first_line(log: Path, server: subprocess.Popen[bytes]) -> dict[str, str]:
    """Wait for the line that says where a server listens."""
    while "\n" not in log.read_text():
        assert server.poll() is None, log.read_text()
        time.sleep(0.05)
    line: dict[str, str] = json.loads(log.read_text().splitlines()[0])
    assert line["event"] == "listening", line
    return line
