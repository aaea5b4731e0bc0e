"""Kingmaker: opponents, hints and analysis for tabletop games with hidden hands and dice."""

from importlib.metadata import version as _version

__version__ = _version("kingmaker")
