"""Games written for tests alone, compiled where a test wants them."""

import shutil
import sysconfig
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from Cython.Build import cythonize
from setuptools import Distribution  # type: ignore[import-untyped]
from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

from tests.wheels import ROOT, once


def compiled(name: str, folder: Path) -> ModuleType:
    """Compile `tests/<name>/<name>.pyx` into a folder and load it."""
    compile_game(name, folder)
    return loaded(name, folder)


def compiled_once(name: str, temporary: pytest.TempPathFactory) -> ModuleType:
    """Load the module that the first process to come here has compiled."""
    return loaded(name, once(temporary, name, partial(compile_game, name)))


def compile_game(name: str, folder: Path) -> None:
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
