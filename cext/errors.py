"""What is raised when a caller gives something wrong; every message names what would be right."""


class InputError(ValueError):
    """A value is wrong in itself: malformed, out of range or inconsistent.

    Attributes:
        field: what is wrong, as a path (`options.players`, `position.grave`); may be empty.
        value: the value given, as text.
        rule: number of the rule that refuses it (`R12.4`); may be empty.
    """

    def __init__(self, message: str, *, field: str = "", value: str = "", rule: str = "") -> None:
        super().__init__(f"{message} ({rule})" if rule else message)
        self.field = field
        self.value = value
        self.rule = rule


class UnknownGameError(InputError):
    """No game has this name."""


class StateError(InputError):
    """The value is fine, but not in this position: an illegal move, a game that is over."""
