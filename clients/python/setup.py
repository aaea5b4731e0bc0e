"""Generates the client's code from the protos of the repository; an sdist has it already."""

import re
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
PACKAGE = HERE / "src" / "kingmaker_client"


def generate() -> None:
    """Write `kingmaker_client.v1` and `kingmaker_client.details_pb2`."""
    with tempfile.TemporaryDirectory() as folder:
        protos = sorted((REPOSITORY / "proto").rglob("*.proto"))
        services = [proto for proto in protos if "_service" in proto.stem]
        run_protoc(folder, REPOSITORY / "proto", protos, "python", "mypy")
        run_protoc(folder, REPOSITORY / "proto", services, "grpc_python", "mypy_grpc")
        details = REPOSITORY / "clients" / "details.proto"
        run_protoc(folder, details.parent, [details], "python", "mypy")
        for path in sorted(Path(folder, "kingmaker", "v1").iterdir()):
            write(PACKAGE / "v1" / path.name, moved(path.read_text(encoding="utf-8")))
        for path in Path(folder).glob("details_pb2.*"):
            write(PACKAGE / path.name, path.read_text(encoding="utf-8"))
        write(PACKAGE / "v1" / "__init__.py", '"""The messages and services of Kingmaker."""\n')


def run_protoc(folder: str, root: Path, protos: list[Path], *generators: str) -> None:
    """Run protoc with some generators, whose plugins are those of this interpreter."""
    plugins = Path(sys.executable).parent.glob("protoc-gen-mypy*")
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc", f"-I{root}"),
        f"-I{files('grpc_tools') / '_proto'}",
        *(f"--{name}_out={folder}" for name in generators),
        *(f"--plugin={plugin}" for plugin in plugins),
        *map(str, protos),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)


def moved(code: str) -> str:
    """Import from this package: `kingmaker` is the server's.

    The names of files, messages and services in descriptors and paths of calls stay.
    """
    code = re.sub(
        r"^from kingmaker\.v1 import", "from kingmaker_client.v1 import", code, flags=re.M
    )
    return re.sub(r"(DESCRIPTOR, ')kingmaker(\.v1\.\w+_pb2')", r"\1kingmaker_client\2", code)


def write(path: Path, text: str) -> None:
    """Write a file if that changes it."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if (REPOSITORY / "proto").is_dir():
    generate()
setup()
