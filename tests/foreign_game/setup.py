"""Compile the game against the .pxd files of the installed kingmaker."""

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    ext_modules=cythonize(
        Extension("take_away", ["take_away.pyx"], include_dirs=[numpy.get_include()]),
        compiler_directives={"language_level": 3},
    )
)
