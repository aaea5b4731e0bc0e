"""What the sources of settings may have: variables of the environment, keys of a TOML file.

A name that is none is refused, as a misspelt setting would have no effect.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ENVIRONMENT_PREFIX = "KINGMAKER_"
OTHER_VARIABLES = frozenset(
    {
        "KINGMAKER_DATABASE",
        "KINGMAKER_FUZZ_GAMES",
        "KINGMAKER_FUZZ_SECONDS",
        "KINGMAKER_CLIENT_CA",
        "KINGMAKER_CLIENT_CERTIFICATE",
        "KINGMAKER_CLIENT_KEY",
        "KINGMAKER_CLIENT_TOKEN",
    }
)
"""Variables that are not for the service: of the commands, and of the tests."""
SERVICE_LINK = re.compile(
    r"KINGMAKER_(\w+_)?(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)", re.ASCII
)
"""Variables that Kubernetes sets beside services called kingmaker or kingmaker-...."""


def check_environment(settings: Iterable[str]) -> None:
    """Check that every variable with our prefix is one, as a misspelt one would have no effect.

    Raises:
        ValueError: a variable names no setting.
    """
    known = [f"{ENVIRONMENT_PREFIX}{name.upper()}" for name in settings]
    for variable in sorted(os.environ):
        name = variable.upper()  # the case of letters does not matter to pydantic
        if name in {*known, *OTHER_VARIABLES} or SERVICE_LINK.fullmatch(name):
            continue
        if name.startswith(ENVIRONMENT_PREFIX):
            raise _unknown_setting("the environment", variable, name, known)


def read_settings_file(path: str | Path, settings: Iterable[str]) -> dict[str, Any]:
    """Read the settings of a TOML file.

    Raises:
        OSError: there is no such file, or it can't be read.
        ValueError: it is no TOML file, or a key of it is not a setting.
    """
    if not Path(path).exists():  # a pipe is as good as a file
        raise FileNotFoundError(f"there is no settings file {path}")
    try:  # with the mark that some editors put in front
        values = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise OSError(f"the settings file {path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8, as TOML files are: {error}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a TOML file: {error}") from None
    _check_keys(Path(path), values, settings)
    return values


def _check_keys(path: Path, found: Mapping[str, object], settings: Iterable[str]) -> None:
    """Check that every key of the settings file is a setting.

    Raises:
        ValueError: one is not.
    """
    known = sorted(settings)
    for key, value in found.items():
        if isinstance(value, dict):
            raise ValueError(
                f"{path} has a table [{key}]; settings stand at the top level, without [tables]"
            )
        if key == "config":
            raise ValueError(
                f"{path} names another file of settings; only --config and "
                f"{ENVIRONMENT_PREFIX}CONFIG do that"
            )
        if key not in known:
            raise _unknown_setting(str(path), key, key.lower(), known)


def _unknown_setting(where: str, given: str, name: str, known: Sequence[str]) -> ValueError:
    [nearest] = difflib.get_close_matches(name, known, n=1, cutoff=0)
    return ValueError(
        f"{where} has {given}, but there is no such setting; the nearest is {nearest}, and "
        "kingmaker serve --help lists all of them"
    )
