"""What goes wrong with ladders, apart from wrong input; light to import."""

from __future__ import annotations

from kingmaker.cext.errors import InputError


class LadderError(Exception):
    """The ladder can't go on; what is stored stays, and it can be resumed."""


class UnknownLadderError(InputError):
    """No ladder of the database has this name."""


class LadderExistsError(InputError):
    """A ladder of the database has this name already."""


class StoreError(Exception):
    """The database can't be opened, read or written; nothing of the failed call is in it.

    Only when a connection breaks during the commit itself, nobody knows. A game may be added again
    in any case.
    """


class NewerSchemaError(StoreError):
    """The database was written by a newer version of Kingmaker."""


class DiskFullError(StoreError):
    """There is no room for what was to be written; with room, the same call succeeds."""
