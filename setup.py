"""Build steps that pyproject.toml can't express: protoc, Cython and the C compiler.

The folders are at top level, but the package is called `kingmaker`. Cython and type checkers look
modules up on a path that matches the dotted name, so `build/kingmaker` links to the folders.
Sources use that path too, as Cython otherwise can't relate a `.pxd` to its modules.
"""

import gc
import os
import re
import shutil
import subprocess
import tempfile
import time
import tomllib
from importlib.resources import files
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path

import numpy
from Cython.Build import cythonize
from Cython.Build.Dependencies import create_dependency_tree
from Cython.Compiler import Options
from Cython.Compiler.Main import CompilationOptions, Context, default_options
from grpc_tools import protoc
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
PACKAGE = Path("build", "kingmaker")
INCLUDE_PATH = ["build"]
CYTHON_FOLDERS = ("cext", "search")
# Cython's own classes (memoryviews, generators) are in one module, not in each that uses them.
SHARED = "kingmaker.cext.shared_code"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "auto_pickle": False,  # a tenth of the C of a small module; games are pickled by name
    # Functions of C's kind have half as much code around each as those of Python's, and take half
    # as long to call in a wheel. Class methods of a wheel need `cython.binding(True)`.
    "binding": False,
    # A single argument comes by position alone, without a tuple, which in a wheel all others need.
    "always_allow_keywords": False,
    "freethreading_compatible": False,
}
# Debug symbols take a quarter of the compiler's time; CFLAGS=-g adds them. Python's own flags have
# -Wsign-compare, which warns about the C code that Cython generates. Without fused multiply-adds,
# which some processors lack, evaluations are the same on all of them.
FLAGS = [
    "-O3",
    "-fno-math-errno",
    "-ffp-contract=off",
    "-Wno-sign-compare",
    "-Werror=implicit-function-declaration",  # a name that no module could be loaded without
    *os.environ.get("CFLAGS", "-g0").split(),
]

# The oldest Python whose stable interface has all that the modules use: one wheel then fits it and
# all later ones. What is compiled in place is for this interpreter alone, and may be faster.
STABLE_TAG = "cp311"
STABLE_MACROS = [
    ("Py_LIMITED_API", "0x030b0000"),
    # Two macros of the full interface whose functions are in the stable one.
    ("PyBytes_AS_STRING", "PyBytes_AsString"),
    ("PyByteArray_AS_STRING", "PyByteArray_AsString"),
]

# Modules that only say what is wrong with a state or a move, or that call Python throughout: at -O1
# the compiler takes less than half as long for them.
COLD = {
    "legality",
    "names",
    "notation",
    "packing",
    "reasons",
    "shared_code",
    "validity",
    "view_game",
}


def link_package() -> None:
    """Give `build/kingmaker` the layout of the installed package."""
    folders = SETTINGS["tool"]["setuptools"]["package-dir"]
    links = {
        PACKAGE / name: Path(folders["kingmaker"], name)
        for name in ("__init__.py", "__main__.py", "py.typed")
    }
    for name, folder in folders.items():
        if name != "kingmaker":
            links[PACKAGE / name.removeprefix("kingmaker.")] = Path(folder)
    if PACKAGE.is_symlink():  # made by earlier versions
        PACKAGE.unlink()
    PACKAGE.mkdir(parents=True, exist_ok=True)
    for link, target in links.items():
        if not link.is_symlink():
            link.symlink_to(Path("..", "..", target), target_is_directory=target.is_dir())


def generate_protobuf() -> None:
    """Run protoc on `proto/`; the output is in the same folder, as `kingmaker.v1`."""
    protos = sorted((ROOT / "proto").rglob("*.proto"))
    described = ROOT / "proto" / "kingmaker" / "v1" / "api.binpb"  # with the comments
    pairs = [(p, p.with_name(p.stem + "_pb2.py")) for p in protos]
    pairs += [(p, described) for p in protos]
    if all(o.exists() and o.stat().st_mtime > p.stat().st_mtime for p, o in pairs):
        return
    arguments = [
        "protoc",
        f"-I{ROOT / 'proto'}",
        f"-I{files('grpc_tools') / '_proto'}",
        f"--python_out={ROOT / 'proto'}",
        f"--pyi_out={ROOT / 'proto'}",
        f"--grpc_python_out={ROOT / 'proto'}",
        f"--descriptor_set_out={described}",
        "--include_source_info",
        *map(str, protos),
    ]
    if protos and protoc.main(arguments) != 0:
        raise SystemExit("protoc failed")


def long_description() -> str:
    """Return the README for a package index, where relative links are broken.

    They become links into the repository if `project.urls` names one, else paths as text, and
    pictures are left out.
    """
    repository = SETTINGS["project"].get("urls", {}).get("Repository", "")
    link = rf"[\1]({repository}/blob/main/\2)" if repository else r"\1 (`\2`)"
    picture = rf"![\1]({repository}/raw/main/\2)" if repository else ""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"!\[([^]]+)\]\((?!\w+:)([^)]+)\)", picture, text)
    return re.sub(r"\[([^]]+)\]\((?!\w+:|#)([^)]+)\)", link, text)


def extensions() -> list[Extension]:
    """Return one extension per `.pyx`, named by its path under `kingmaker`, and the shared one.

    The longest come first.
    """
    sources = [p for folder in CYTHON_FOLDERS for p in (ROOT / folder).rglob("*.pyx")]
    paths = sorted(sources, key=lambda p: (-p.stat().st_size, p))
    names = ["kingmaker." + ".".join(p.relative_to(ROOT).with_suffix("").parts) for p in paths]
    modules = [str(PACKAGE / p.relative_to(ROOT)) for p in paths]
    shared = str(Path("build", *SHARED.split(".")).with_suffix(".c"))
    return [
        Extension(
            name,
            [source],
            include_dirs=[numpy.get_include()],
            extra_compile_args=FLAGS,
        )
        for name, source in zip([SHARED, *names], [shared, *modules], strict=True)
    ]


class BuildPython(build_py):
    """Leaves out of a wheel the packages that measure the project and need a checkout."""

    def finalize_options(self) -> None:
        """Set the packages to those of pyproject.toml, in a wheel without the benchmarks."""
        super().finalize_options()
        if not self.editable_mode:
            self.packages = [name for name in self.packages if name != "kingmaker.benchmarks"]


class BuildModules(build_ext):
    """Translates and compiles changed modules, one process per core, and reports progress."""

    def run(self) -> None:
        """Build modules; in a checkout directly at the place of import, else for any Python.

        By default setuptools builds them elsewhere (pip in a temporary folder) and copies them, so
        that the next build would compile them again.
        """
        if self.inplace:
            super(build_ext, self).run()
            return
        for extension in self.extensions:
            extension.py_limited_api = True
            extension.define_macros += STABLE_MACROS
        super().run()

    def build_extensions(self) -> None:
        """Build all modules, as many at once as there are cores.

        Raises:
            SystemExit: a module can't be compiled; Cython or the compiler print the reason.
        """
        compiler = self.compiler.compiler_so
        if shutil.which("ccache") and "ccache" not in compiler[0]:
            compiler.insert(0, "ccache")
        about = subprocess.run([*compiler, "--version"], capture_output=True, text=True).stdout
        if "clang" in about:
            FLAGS.append("-Wno-unreachable-code-fallthrough")
        # Cython is not thread-safe, and a forked process needs no arguments by pickle.
        context = get_context("fork")
        waiting = self._changed()
        if waiting:
            _load_cython()
        count, done, running, failed = len(waiting), 0, {}, []
        while running or (waiting and not failed):
            while waiting and not failed and len(running) < _num_cores():
                extension = waiting.pop(0)
                process = context.Process(target=self._build, args=[extension])
                process.start()
                running[process.sentinel] = process, extension, time.perf_counter()
            for sentinel in wait(running):
                process, extension, start = running.pop(sentinel)
                process.join()
                name = extension.name.removeprefix("kingmaker.").replace(".", "/")
                done += 1
                if process.exitcode:
                    failed.append(name)
                    continue
                seconds = time.perf_counter() - start
                print(f"[{done:2}/{count}] compiled {name} ({seconds:.1f} s)", flush=True)
        if failed:
            raise SystemExit(f"{' and '.join(failed)} can't be compiled; the reason is above")

    def _changed(self) -> list[Extension]:
        """List the modules that are older than one of their source files."""
        options = CompilationOptions(default_options, include_path=INCLUDE_PATH)
        tree = create_dependency_tree(Context.from_options(options), quiet=True)
        recipe = os.path.getmtime("setup.py")
        changed = []
        for extension in self.extensions:
            target = Path(self.get_ext_fullpath(extension.name))
            newest = 0.0
            if extension.name != SHARED:
                newest, _ = tree.newest_dependency(extension.sources[0])
            if self.force or not target.exists() or target.stat().st_mtime < max(newest, recipe):
                changed.append(extension)
        return changed

    def _build(self, extension: Extension) -> None:
        """Translate and compile a module."""
        gc.disable()  # a tenth of Cython's time; the process ends with the module
        if Path(extension.sources[0]).stem in COLD:
            extension.extra_compile_args = [*FLAGS, "-O1"]
        [translated] = cythonize(
            [extension],
            force=True,
            include_path=INCLUDE_PATH,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
            show_all_warnings=False,
            quiet=True,
        )
        extension.sources = translated.sources
        self.force = True
        self.build_extension(extension)


def _load_cython() -> None:
    """Translate a small module, so that processes forked from this one need not load all of Cython.

    It loads most of itself and makes its tables with the first module, which takes a second.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "first.pyx")
        source.write_text("cdef class First:\n    cdef int number\n", encoding="utf-8")
        cythonize([str(source)], compiler_directives=DIRECTIVES, quiet=True)


def _num_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


os.chdir(ROOT)
link_package()
generate_protobuf()
Options.fast_fail = True
setup(
    options={"bdist_wheel": {"py_limited_api": STABLE_TAG}},
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildModules, "build_py": BuildPython},
    long_description=long_description(),
    long_description_content_type="text/markdown",
)
