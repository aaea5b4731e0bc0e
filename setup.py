"""Build steps that pyproject.toml can't spell: protoc and Cython.

The folders stand at top level while the package is called `kingmaker`; Cython looks cimports up
on a path that spells the dotted name, so `build/kingmaker` links back to this folder.
"""

from importlib.resources import files
from pathlib import Path

import numpy
from Cython.Build import cythonize
from Cython.Compiler import Options
from grpc_tools import protoc
from setuptools import Extension, setup

ROOT = Path(__file__).parent
CYTHON_FOLDERS = ("cext", "search")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "freethreading_compatible": False,
}


def link_package() -> None:
    """Make `build/kingmaker -> ..` so that `kingmaker.*` cimports resolve."""
    link = ROOT / "build" / "kingmaker"
    link.parent.mkdir(exist_ok=True)
    if not link.is_symlink():
        link.symlink_to("..", target_is_directory=True)


def generate_protobuf() -> None:
    """Run protoc over `proto/` into the same folder, where `kingmaker.v1` is."""
    protos = sorted((ROOT / "proto").rglob("*.proto"))
    pairs = [(p, p.with_name(p.stem + "_pb2.py")) for p in protos]
    if all(o.exists() and o.stat().st_mtime > p.stat().st_mtime for p, o in pairs):
        return
    arguments = [
        "protoc",
        f"-I{ROOT / 'proto'}",
        f"-I{files('grpc_tools') / '_proto'}",
        f"--python_out={ROOT / 'proto'}",
        f"--pyi_out={ROOT / 'proto'}",
        f"--grpc_python_out={ROOT / 'proto'}",
        *map(str, protos),
    ]
    if protos and protoc.main(arguments) != 0:
        raise SystemExit("protoc failed")


def extensions() -> list[Extension]:
    """One extension per `.pyx`, named by its path under `kingmaker`."""
    sources = sorted(p for folder in CYTHON_FOLDERS for p in (ROOT / folder).rglob("*.pyx"))
    return [
        Extension(
            "kingmaker." + ".".join(p.relative_to(ROOT).with_suffix("").parts),
            [str(p.relative_to(ROOT))],
            include_dirs=[numpy.get_include()],
            define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
            extra_compile_args=["-O3", "-fno-math-errno", "-Wno-unreachable-code-fallthrough"],
        )
        for p in sources
    ]


def is_header_newer() -> bool:
    """Tell whether a `.pxd` has changed since the C code was made.

    Cython follows relative cimports by the folders that hold an `__init__`, and ours stands above
    the top, so it misses them; a struct would then have two layouts in one process.
    """
    headers = [p.stat().st_mtime for f in CYTHON_FOLDERS for p in (ROOT / f).rglob("*.pxd")]
    made = [p.stat().st_mtime for f in CYTHON_FOLDERS for p in (ROOT / f).rglob("*.c")]
    return bool(made) and max(headers) > min(made)


link_package()
generate_protobuf()
Options.fast_fail = True
setup(
    ext_modules=cythonize(
        extensions(),
        include_path=["build"],
        force=is_header_newer(),
        compiler_directives=DIRECTIVES,
        show_all_warnings=False,
        nthreads=2,
    ),
    options={"build_ext": {"parallel": True}},
)
