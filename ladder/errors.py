"""The errors of ladders, apart from wrong input; fast to import."""

from __future__ import annotations

from kingmaker.cext.errors import InputError


class LadderError(Exception):
    """The ladder can't continue; stored games are kept, and it can be resumed.

    Attributes:
        message: what is wrong, in words of our own.
        detail: more on it, which may quote what another machine has answered; part of the text of
            the error, but not for strangers.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message, detail)
        self.message = message
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.message}: {self.detail}" if self.detail else self.message


class UnknownLadderError(InputError):
    """No ladder of the database has this name."""


class LadderExistsError(InputError):
    """A ladder of the database has this name already."""


class StoreError(Exception):
    """The database can't be opened, read or written; the failed call left nothing in it.

    Exception: if a connection breaks during the commit itself, the outcome is unknown. Adding a
    game again is always safe.

    Attributes:
        public: what is wrong, for strangers: without the place of the database, and what its driver
            says; the text of the error where that has neither.
    """

    def __init__(self, message: str, public: str = "") -> None:
        super().__init__(message, public)
        self.public = public or message

    def __str__(self) -> str:
        return str(self.args[0])


class NewerVersionError(Exception):
    """What is stored has what only a newer version knows; a server of that one goes on with it."""


class NewerSchemaError(StoreError):
    """The database was written by a newer version of Kingmaker."""


class DiskFullError(StoreError):
    """The disk is full; with free space, the same call succeeds."""
