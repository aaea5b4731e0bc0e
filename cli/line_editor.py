"""Lines typed at a terminal, with GNU readline or libedit: history of the session, completion."""

from __future__ import annotations

import readline
from collections.abc import Sequence


class LineEditor:
    """Reads lines; the arrow keys return to earlier ones, and Tab completes words."""

    def __init__(self) -> None:
        self._words: list[str] = []
        is_libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
        readline.set_completer_delims(" ")  # moves have all other signs
        readline.set_completer(self._complete)

    def read(self, prompt: str, words: Sequence[str]) -> str | None:
        """Read a line; None at the end of the input.

        Args:
            prompt: stands before it.
            words: that Tab completes.
        """
        self._words = list(words)
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            return None

    def _complete(self, begun: str, number: int) -> str | None:
        found = [word for word in self._words if word.startswith(begun.casefold())]
        return found[number] if number < len(found) else None
