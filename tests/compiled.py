"""Games written for tests alone, compiled where a test wants them and kept in `build/games`."""

from __future__ import annotations

import hashlib
import shutil
import sysconfig
from importlib.metadata import version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
from filelock import FileLock

from tests.wheels import ROOT

KEPT = ROOT / "build" / "games"


def compiled(name: str, folder: Path) -> ModuleType:
    """Compile `tests/<name>/<name>.pyx` into a folder and load it."""
    compile_game(name, folder)
    return loaded(name, folder)


def compiled_once(name: str) -> ModuleType:
    """Load the module that the first process to come here has compiled, in this run or earlier."""
    folder = KEPT / f"{name}-{_digest(name)}"
    KEPT.mkdir(parents=True, exist_ok=True)
    with FileLock(KEPT / f"{name}.lock"):
        done = folder / "done"
        if not done.exists():
            for former in KEPT.glob(f"{name}-*"):
                shutil.rmtree(former)
            folder.mkdir()
            compile_game(name, folder)
            done.touch()
    return loaded(name, folder)


def _digest(name: str) -> str:
    """Tell apart what is compiled from other sources, declarations, flags or by other tools."""
    sources = [Path(__file__), ROOT / "tests" / name / f"{name}.pyx"]
    sources += sorted((ROOT / "cext").rglob("*.pxd"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources))
    for tool in (version("cython"), version("numpy"), sysconfig.get_config_var("EXT_SUFFIX")):
        digest.update(tool.encode())
    return digest.hexdigest()[:16]


def compile_game(name: str, folder: Path) -> None:
    # Imported here, as few processes compile and importing them takes long.
    from Cython.Build import cythonize
    from setuptools import Distribution  # type: ignore[import-untyped]
    from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

    source = shutil.copy(ROOT / "tests" / name / f"{name}.pyx", folder)
    (module,) = cythonize(  # type: ignore[no-untyped-call]
        [source],
        include_path=[str(ROOT / "build")],
        compiler_directives={"language_level": 3, "cdivision": True},
        quiet=True,
    )
    module.include_dirs.append(np.get_include())
    module.extra_compile_args.append("-O1")
    command = build_ext(Distribution({"ext_modules": [module]}))
    command.build_lib = command.build_temp = str(folder)
    command.ensure_finalized()
    command.run()


def loaded(name: str, folder: Path) -> ModuleType:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    spec = spec_from_file_location(name, folder / f"{name}{suffix}")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
