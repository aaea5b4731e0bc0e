"""Shared code of all games with typed views: from a line or message to a checked state, and words.

Lines and messages take the same way. A line is split into a view (`notation.read_position`); a
message is a view already. `pack` checks the form of each field and writes it into the struct; the
compiled rules check the struct (`check_state`); and the view of the struct must equal the given
view or line, so content that a struct has no place for is refused instead of dropped.
"""

from libc.stdint cimport uint8_t, uint32_t

from collections.abc import Collection
from functools import lru_cache

from kingmaker.cext.errors import InputError, refusal, shown
from kingmaker.cext.fields import Fields, difference
from kingmaker.cext.notation import OBSERVER_WANTED, check_written

cdef enum:
    MAX_TOKENS = 1 << 12   # that a game keeps


@lru_cache(maxsize=256)
def game_of(kind: type[Game], options: tuple[tuple[str, str], ...]) -> Game:
    """Return the game with these options; it has no state, so one instance serves all lines."""
    return kind(**dict(options))


def with_options(dict view, dict read, options: Collection[str]) -> dict:
    """Return a view with its options as they were read.

    0 and empty stand for defaults, and the view of a line has options as text.
    """
    if "options" in read:
        given = view.get("options") or {}
        return view | {"options": with_options(given, read["options"], options)}
    given = {name: view.get(name) or read[name] for name in options if name in read}
    return view | {
        name: read[name] for name, value in given.items()
        if isinstance(value, (str, int)) and shown(value) == shown(read[name])
    }


def expected(right: object) -> str:
    """Describe the value that would be right in a field."""
    return f"{shown(repr(right))} is expected here" if right else "nothing is expected here"


cdef class ViewGame(Game):
    """A game with typed views, defined by its class attributes.

    Class attributes, besides those of `Game`:
        notation: the module with `read_position(text)` -> view, `write_position(view)` -> line
            (both also of observations, whose view has `observer`), `read_move(token)` -> view and
            `write_move(view)` -> token. Reading checks the grammar only. A small game has them as
            static methods instead.
        words: the module with `render(view)`, `describe_move(view, move)`,
            `describe_anywhere(move)` and `changes(before, after, seat)`, seats from 1. A small game
            overrides the methods of `Game` instead.
        form_rules: rule numbers of the notations of (moves, positions, observations).
        implied: field that follows from others -> rule number, if it isn't that of the notation.
        canonical_rule: rule number for lines and views that are not canonical; empty: the rule of
            their notation.
        line_fields: for lines whose fields have no labels; see `check_written`.
        compares_lines: whether a line that is not canonical is first compared as a view, so that
            the error names a nested field; False if such a view has forms that no state's view has.

    And methods: `options_of(view, kind)` (class method: the options as text; none by default),
    `pack(fields)` -> state, `pack_move(fields)` -> move, `view(state)`, `move_view(move)`.
    """

    notation = None
    words = None
    form_rules = ("", "", "")
    implied = {}
    canonical_rule = ""
    line_fields = {}
    compares_lines = True

    # --- the notation -------------------------------------------------------------------------

    @classmethod
    def options_of(cls, dict view, str kind) -> dict:
        return {}

    @classmethod
    def read_position(cls, str text) -> dict:
        return cls.notation.read_position(text)

    @classmethod
    def write_position(cls, dict view) -> str:
        return cls.notation.write_position(view)

    @classmethod
    def read_move(cls, str text) -> dict:
        return cls.notation.read_move(text)

    @classmethod
    def write_move(cls, dict view) -> str:
        return cls.notation.write_move(view)

    # --- from lines and messages to states ----------------------------------------------------

    @classmethod
    def parse_position(cls, str text) -> tuple:
        last = text.rpartition(" ")[2]
        if last.startswith("@"):
            wanted = "a position has no observer; this is the line of an observation"
            raise refusal("position", last, cls.form_rules[1], wanted)
        return cls._written(cls.read_position(text), text, "position")

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        last = text.rpartition(" ")[2]
        if not last.startswith("@"):
            raise refusal("observation.observer", last, cls.form_rules[2], OBSERVER_WANTED)
        return cls._written(cls.read_position(text), text, "observation")

    @classmethod
    def _written(cls, dict view, str text, str kind) -> tuple:
        game, state = cls._checked(view, kind)
        canonical = game.text(state)
        if text != canonical:
            if cls.compares_lines:
                cls._compare(game, view, state, kind)
            rule = cls.canonical_rule or cls.form_rules[1]
            check_written(text, canonical, kind, rule, cls.line_fields)
        return game, state

    @classmethod
    def from_view(cls, dict view) -> tuple:
        kind = "observation" if "observer" in view else "position"
        try:
            game, state = cls._checked(view, kind)
            cls._compare(game, view, state, kind)
        except RecursionError:
            wanted = "lists and messages are nested no deeper than in the game's typed message"
            raise refusal(kind, "a deeper one", cls.form_rules[1], wanted) from None
        return game, state

    @classmethod
    def _compare(cls, Game game, dict view, bytes state, str kind) -> None:
        """Refuse a view that differs from that of its state; names the first such field."""
        read = game.view(state)
        if view == read:
            return
        given = cls.tidied(with_options(view, read, game.options))
        if found := difference(given, read, kind):
            where, given, right = found
            form_rule = cls.canonical_rule or cls.form_rules[2 if kind == "observation" else 1]
            rule = cls.implied.get(where.removeprefix(f"{kind}."), form_rule)
            raise refusal(where, given, rule, expected(right))

    @classmethod
    def tidied(cls, dict view) -> dict:
        """Return the canonical form of a valid view.

        Overridden by games whose messages have lists without an order.
        """
        return view

    @classmethod
    def _checked(cls, dict view, str kind) -> tuple:
        """Return (game, state) of a view that keeps all rules but may have surplus content."""
        cdef ViewGame game = game_of(cls, tuple(cls.options_of(view, kind).items()))
        state = game.pack(Fields(view, kind, cls.form_rules[1]))
        game.check(state)
        return game, state

    # --- moves --------------------------------------------------------------------------------

    def __cinit__(self, *arguments, **options):
        self.tokens = {}
        self.moves = {}

    def move_text(self, uint32_t move) -> str:
        token = self.tokens.get(move)
        if token is None:
            if len(self.tokens) >= MAX_TOKENS:
                self.tokens.clear()
            token = self.tokens[move] = self.write_move(self.move_view(move))
        return token

    def parse_move(self, str text) -> int:
        move = self.moves.get(text)
        if move is None:
            if len(self.moves) >= MAX_TOKENS:
                self.moves.clear()
            move = self.moves[text] = self._parsed_move(text)
        return move

    def _parsed_move(self, str text) -> int:
        try:
            move = self.pack_move(Fields(self.read_move(text), "move", self.form_rules[0]))
        except InputError as error:   # a caller with a token sent no fields
            error.field, error.value = "move", shown(text)
            raise
        token = self.move_text(move)
        if token != text:
            raise refusal("move", text, self.form_rules[0], f"this is written {token}")
        return move

    def move_from_view(self, dict view) -> int:
        move = self.pack_move(Fields(view, "move", self.form_rules[0]))
        if found := difference(view, self.move_view(move), "move"):
            where, given, right = found
            wanted = expected(right) if right else "this move has no such field"
            raise refusal(where, given, self.form_rules[0], wanted)
        return move

    # --- the rest ------------------------------------------------------------------------------

    def text(self, bytes state) -> str:
        return self.write_position(self.view(state))

    def observer_of(self, bytes state):
        cdef const char* here = <const char*>self.pointer(state)
        cdef uint8_t observer = <uint8_t>here[self.observer_at]
        return None if observer == NOBODY else observer - 1

    def view_for_words(self, bytes state) -> dict:
        """Return the view for `words`, to which a game may add results of its compiled rules."""
        return self.view(state)

    def render(self, bytes state) -> str:
        return self.words.render(self.view_for_words(state))

    def describe_move(self, bytes state, uint32_t move) -> str:
        return self.words.describe_move(self.view_for_words(state), self.move_view(move))

    def describe_anywhere(self, uint32_t move) -> str:
        if self.words is None:
            return Game.describe_anywhere(self, move)
        return self.words.describe_anywhere(self.move_view(move))

    def changes(self, bytes before, bytes after, int seat) -> list:
        return self.words.changes(self.view_for_words(before), self.view_for_words(after), seat + 1)
