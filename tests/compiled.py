"""Games written for tests alone, compiled where a test wants them."""

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
from Cython.Build import cythonize
from setuptools import Distribution  # type: ignore[import-untyped]
from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]


def compiled(name: str, folder: Path) -> ModuleType:
    """Compile `tests/<name>/<name>.pyx` into a folder and load it."""
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
    spec = spec_from_file_location(name, command.get_ext_fullpath(name))
    assert spec is not None
    assert spec.loader is not None
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded
