"""What all games with typed views share: from a line or a message to a checked state, and words.

The way in is one for both. A line is split into a view (`notation.read_position`); a message is one
already. `pack` reads the fields of a view, each for its form, into the struct; the compiled rules
check that (`check_state`); and the view, or the line, must be the one that the struct gives back:
so what a struct can't hold is refused instead of dropped.
"""

from libc.stdint cimport uint8_t, uint32_t

from functools import lru_cache

from kingmaker.cext.errors import InputError, refusal, shown
from kingmaker.cext.fields import Fields, difference
from kingmaker.cext.notation import OBSERVER_WANTED, check_written


@lru_cache(maxsize=256)
def game_of(kind: type[Game], options: tuple[tuple[str, str], ...]) -> Game:
    """Return the game with these options; having no state, one serves all lines."""
    return kind(**dict(options))


def without_options(dict view, Game game) -> dict:
    """Leave out the options, which were checked; 0 and empty are defaults there."""
    return {
        name: value for name, value in view.items()
        if name != "options" and name not in game.options
    }


cdef class ViewGame(Game):
    """A game with typed views; see the class attributes for what it must say.

    Class attributes, besides those of `Game`:
        notation: the module with `read_position(text)` -> view, `write_position(view)` -> line
            (both also of observations, whose view has `observer`), `read_move(token)` -> view and
            `write_move(view)` -> token. Reading minds the grammar alone.
        words: the module with `render(view)`, `describe_move(view, move)`,
            `describe_anywhere(move)` and `changes(before, after, seat)`, seats from 1.
        form_rules: rule numbers of the notation of (moves, positions, observations).
        line_paths: of lines whose fields have no labels, the path of each; see `check_written`.

    And methods: `options_of(view)` (class method: the options as text), `pack(fields)` -> state,
    `pack_move(fields)` -> move, `view(state)`, `move_view(move)`.
    """

    notation = None
    words = None
    form_rules = ("", "", "")
    line_paths = ()

    # --- from lines and messages to states ----------------------------------------------------

    @classmethod
    def parse_position(cls, str text) -> tuple:
        last = text.rpartition(" ")[2]
        if last.startswith("@"):
            wanted = "a position has no observer; this is the line of an observation"
            raise refusal("position", last, cls.form_rules[1], wanted)
        return cls._written(text, "position")

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        last = text.rpartition(" ")[2]
        if not last.startswith("@"):
            raise refusal("observation.observer", last, cls.form_rules[2], OBSERVER_WANTED)
        return cls._written(text, "observation")

    @classmethod
    def _written(cls, str text, str kind) -> tuple:
        game, state = cls._checked(cls.notation.read_position(text), kind)
        check_written(text, game.text(state), kind, cls.form_rules[1], cls.line_paths)
        return game, state

    @classmethod
    def from_view(cls, dict view) -> tuple:
        kind = "observation" if "observer" in view else "position"
        game, state = cls._checked(view, kind)
        read = game.view(state)
        if view != read and (found := difference(
                cls.tidied(without_options(view, game)), without_options(read, game), kind)):
            where, given, right = found
            wanted = f"{right!r} is expected here" if right else "nothing is expected here"
            rule = cls.form_rules[2 if kind == "observation" else 1]
            raise refusal(where, given, rule, wanted)
        return game, state

    @classmethod
    def tidied(cls, dict view) -> dict:
        """Return a valid view as states give theirs, where one may also be sent in another way.

        A game overrides it whose messages have lists without an order.
        """
        return view

    @classmethod
    def _checked(cls, dict view, str kind) -> tuple:
        """Return (game, state) of a view that keeps all rules but may have more to it."""
        cdef ViewGame game = game_of(cls, tuple(cls.options_of(view, kind).items()))
        state = game.pack(Fields(view, kind, cls.form_rules[1]))
        game.check(state)
        return game, state

    # --- moves --------------------------------------------------------------------------------

    def move_text(self, uint32_t move) -> str:
        return self.notation.write_move(self.move_view(move))

    def parse_move(self, str text) -> int:
        try:
            move = self.pack_move(Fields(self.notation.read_move(text), "move", self.form_rules[0]))
        except InputError as error:   # callers who write a token sent no fields
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
            wanted = f"{right!r} is expected here" if right else "this move has no such field"
            raise refusal(where, given, self.form_rules[0], wanted)
        return move

    # --- the rest ------------------------------------------------------------------------------

    def text(self, bytes state) -> str:
        return self.notation.write_position(self.view(state))

    def observer_of(self, bytes state):
        cdef const char* here = <const char*>self.pointer(state)
        cdef uint8_t observer = <uint8_t>here[self.observer_at]
        return None if observer == NOBODY else observer - 1

    def told_view(self, bytes state) -> dict:
        """Return what `words` gets: the view, and what a game adds to it by its compiled rules."""
        return self.view(state)

    def render(self, bytes state) -> str:
        return self.words.render(self.told_view(state))

    def describe_move(self, bytes state, uint32_t move) -> str:
        return self.words.describe_move(self.told_view(state), self.move_view(move))

    def describe_anywhere(self, uint32_t move) -> str:
        return self.words.describe_anywhere(self.move_view(move))

    def changes(self, bytes before, bytes after, int seat) -> list:
        return self.words.changes(self.told_view(before), self.told_view(after), seat + 1)
