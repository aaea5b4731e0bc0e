"""Typed views from the bytes of their messages, in protocol buffers' wire format."""

from typing import Any

class Shape:
    """The fields of a type of messages."""

    def add(
        self,
        number: int,
        name: str,
        kind: str,
        shape: Shape | None,
        is_repeated: bool,
        default: str | int | bool | None,
        /,
    ) -> None:
        """Add a field.

        Args:
            number: of the field.
            name: of the field.
            kind: `bool`, `int32`, `uint32`, `sint32`, `string`, `message` or `map`.
            shape: of a message, or of the entries of a map, `key` and `value`.
            is_repeated: whether it is a list.
            default: of a field that is always in the view; None: it is there if it was sent, or it
                is a list or map.

        Raises:
            KeyError: the kind is another one.
        """

    def view(self, data: bytes, /) -> dict[str, Any]:
        """Return a message as plain data, without fields that the shape does not have.

        Args:
            data: what the library has written of a message of this type.
        """
