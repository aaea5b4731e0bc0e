"""Files of batches: JSON lines or, by the ending `.parquet`, Apache Parquet."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from importlib import import_module
from pathlib import Path
from typing import Any

from kingmaker.cext.errors import InputError

STDOUT = ("-", "/dev/stdout")
"""Names of standard output, whose file must keep what others have written to it."""
PARQUET = ".parquet"
ROWS_PER_GROUP = 1000
LINE = "line"
"""A column of Parquet with this name alone has lines, as a text file."""


def read_lines(file: str) -> Iterator[str]:
    """Read the lines of a file, or standard input for `-`; a row of Parquet is a line of JSON.

    Raises:
        InputError: it can't be read.
        ModuleNotFoundError: it is Parquet, and pyarrow is not installed.
    """
    if file == "-":
        yield from sys.stdin
        return
    try:
        if file.endswith(PARQUET):
            yield from _read_parquet(file)
        else:
            with Path(file).open(encoding="utf-8-sig") as lines:
                yield from lines
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"{file} can't be read: {reason}", field="file", value=file) from None


def write_rows(rows: Iterable[dict[str, Any]], file: str) -> None:
    """Write rows as JSON lines or Parquet; each name of `STDOUT` is standard output.

    A file is there only when it is complete: until then it has another name. A device or a pipe
    is written as it comes.

    Raises:
        InputError: it can't be written.
        ModuleNotFoundError: it is Parquet, and pyarrow is not installed.
    """
    if file in STDOUT:
        for row in rows:
            sys.stdout.write(json_line(row))
        sys.stdout.flush()
        return
    with _replacing(file) as path:
        if file.endswith(PARQUET):
            _write_parquet(rows, path)
        else:
            with path.open("w", encoding="utf-8") as lines:
                lines.writelines(map(json_line, rows))


def check_files(source: str, target: str) -> None:
    """Check before a long run that its files can be used.

    Raises:
        InputError: the folder of the target can't be written to, or it is a folder itself.
        ModuleNotFoundError: one is Parquet, and pyarrow is not installed.
    """
    if source.endswith(PARQUET) or target.endswith(PARQUET):
        import_module("pyarrow.parquet")
    if target not in STDOUT:
        with suppress(_Unused), _replacing(target) as path:
            if not path.exists():
                path.touch()
            raise _Unused


def json_line(row: dict[str, Any]) -> str:
    """Write a row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"


class _Unused(Exception):
    """Nothing was to be written."""


@contextmanager
def _replacing(file: str) -> Iterator[Path]:
    """Give the path of a new file, which at the end takes the place of another.

    A link stays, also one to a file that is not there yet, and a device or pipe is written itself.
    """
    target = Path(file)
    is_replaced = target.is_file() or not target.exists()
    if is_replaced:
        target = Path(os.path.realpath(target))
    path = target.with_name(f"{target.name}.{os.getpid()}.part") if is_replaced else target
    try:
        if target.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        yield path
        if is_replaced:
            path.replace(target)
    except OSError as error:
        message = f"{file} can't be written: {error.strerror}"
        raise InputError(message, field="output", value=file) from None
    finally:
        if is_replaced:
            path.unlink(missing_ok=True)


def _read_parquet(file: str) -> Iterator[str]:
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(file) as table:
            for group in table.iter_batches():
                for row in group.to_pylist(maps_as_pydicts="strict"):
                    filled = _filled(row)
                    is_line = filled.keys() == {LINE}
                    yield filled[LINE] if is_line else json.dumps(filled)
    except pyarrow.ArrowInvalid as error:
        raise InputError(f"{file} is not Parquet: {error}", field="file", value=file) from None


def _filled(value: Any) -> Any:
    """Leave out what is null."""
    if isinstance(value, dict):
        return {key: _filled(each) for key, each in value.items() if each is not None}
    return value


def _write_parquet(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Write rows; a column with objects or lists of lists as JSON text."""
    import pyarrow
    import pyarrow.parquet

    found = list(rows)
    columns: dict[str, list[Any]] = {}
    for key in dict.fromkeys(key for row in found for key in row):
        values = [row.get(key) for row in found]
        if any(map(_is_nested, values)):
            values = [None if value is None else json.dumps(value) for value in values]
        columns[key] = values
    table = pyarrow.Table.from_pydict(columns)
    pyarrow.parquet.write_table(table, path, row_group_size=ROWS_PER_GROUP)


def _is_nested(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(isinstance(each, dict | list | tuple) for each in value)
    return isinstance(value, dict)
