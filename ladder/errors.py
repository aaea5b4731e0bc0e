"""The errors of ladders, apart from wrong input; fast to import."""

from __future__ import annotations

from kingmaker.cext.errors import InputError


class LadderError(Exception):
    """The ladder can't continue; stored games are kept, and it can be resumed."""


class UnknownLadderError(InputError):
    """No ladder of the database has this name."""


class LadderExistsError(InputError):
    """A ladder of the database has this name already."""


class StoreError(Exception):
    """The database can't be opened, read or written; the failed call left nothing in it.

    Exception: if a connection breaks during the commit itself, the outcome is unknown. Adding a
    game again is always safe.
    """


class NewerSchemaError(StoreError):
    """The database was written by a newer version of Kingmaker."""


class DiskFullError(StoreError):
    """The disk is full; with free space, the same call succeeds."""
