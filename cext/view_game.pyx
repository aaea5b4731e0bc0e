"""Shared code of all games with typed views: from a line or message to a checked state, and words.

A valid line of a game that reads and writes lines in C (`read_line`, `write_line`) becomes a state
at once. All other lines and messages take one path. A line is split into a view
(`notation.read_position`); a message is a view already. `pack` checks the form of each field and
writes it into the struct; the compiled rules check the struct (`check_state`); and the view of the
struct must equal the given view or line, so content that a struct has no place for is refused
instead of dropped.

The typed message of an observation has what is seen, a position, apart from what only an
observation has. Games know nothing of that: they write and read *flat views*, with all fields of a
state or observation in one dict, and errors are given the paths of the message here.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.long cimport PyLong_AsLongLong
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memset

from .fields cimport Fields, is_message, message
from .game cimport CHANCE, Refusal, node_at
from .line_text cimport LINE_ROOM, Reader, Writer, put_number, put_text

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(str text, Py_ssize_t* size)
    void PyErr_Clear()
    str PyUnicode_FromStringAndSize(const char* text, Py_ssize_t size)


from functools import lru_cache

from kingmaker.cext.errors import InputError, quoted, refusal, shown
from kingmaker.cext.fields import difference, located
from kingmaker.cext.contract import contract_error
from kingmaker.cext.notation import OBSERVER_WANTED, check_written
from kingmaker.cext.options import text_of

cdef enum:
    MAX_TOKENS = 1 << 10   # that a game keeps
    MAX_GAMES = 64         # of a class, that are kept to read lines

cdef dict GAMES_OF_LINES = {}   # class -> games whose lines were read lately


@lru_cache(maxsize=256)
def game_of(kind: type[Game], options: tuple[tuple[str, str], ...]) -> Game:
    """Return the game with these options; it has no state, so one instance serves all positions."""
    game = kind(**dict(options))
    if isinstance(game, ViewGame):
        (<ViewGame>game).is_shared = True
    return game


def with_options(dict view, dict read) -> dict:
    """Return a view with its options as they were read.

    0 and empty stand for defaults, and the view of a line has options as text.
    """
    if "options" not in read:
        return view
    given = view.get("options") or {}
    same = {
        name: value for name, value in read["options"].items()
        if not given.get(name) or text_of(given[name]) == text_of(value)
    }
    return view | {"options": given | same}


def expected(right: object) -> str:
    """Describe the value that would be right in a field."""
    if isinstance(right, dict):
        right = ", ".join(f"{name} {value}" for name, value in right.items() if value)
        return f"{shown(right)} is expected here" if right else "nothing is expected here"
    return f"{quoted(right)} is expected here" if right else "nothing is expected here"


# --- from lines and messages to states -----------------------------------------------------------

cdef tuple written(cls, str text, str kind, bint is_observation):
    cdef list games = GAMES_OF_LINES.get(cls)
    cdef ViewGame game
    cdef bytes state
    if games is not None:
        for game in games:
            state = proven(game, text, is_observation)
            if state is not None:
                return game, state
    return read_as_view(cls, text, kind)


cdef bint has_observer(str text) except -1:
    """Whether the last field of a line begins as an observer does."""
    cdef Py_ssize_t size
    cdef const char* line = PyUnicode_AsUTF8AndSize(text, &size)
    if line is NULL:   # half a pair of surrogates
        PyErr_Clear()
        return text[text.rfind(" ") + 1:].startswith("@")
    while size and line[size - 1] != c" ":
        size -= 1
    return line[size] == c"@"


cpdef bytes proven(ViewGame game, str text, bint is_observation):
    """Return the state of a canonical line of a game; None: read it as a view."""
    cdef Refusal found
    cdef char[LINE_ROOM] room
    cdef Py_ssize_t size
    cdef const char* given = PyUnicode_AsUTF8AndSize(text, &size)
    if given is NULL:
        PyErr_Clear()
        return None
    cdef Py_ssize_t head = len(head_of(game))
    if not head < size < LINE_ROOM or memcmp(given, PyBytes_AS_STRING(game.line_head), head):
        return None
    cdef bytes state = PyBytes_FromStringAndSize(NULL, game.state_bytes)
    cdef char* here = PyBytes_AS_STRING(state)
    cdef Reader reader = Reader(at=given + head)
    memset(here, 0, game.state_bytes)
    cdef Py_ssize_t end = size
    cdef char last = given[size - 1]
    here[game.observer_at] = <char>NOBODY
    if is_observation:   # it ends with @p and a seat, or with @-
        here[game.observer_at] = last - c"0" if c"0" < last <= c"0" + game.num_seats else 0
        end -= 3 if last == c"-" else 4
    game.read_line(&reader, here)
    # Checked first: no state that breaks the rules can be relied on to have a line.
    if (reader.at != given + end or game.check_state(here, &found)
            or size != write_whole(game, here, room) or memcmp(given, room, size)):
        return None
    return state


cdef bytes head_of(ViewGame game):
    """Return the tag and the options at the beginning of lines."""
    if game.line_head is None:
        options = ""
        if game.choices is not None:
            seats = {"players": game.num_seats} if game.players_rule else {}
            options = game.choices.written(game.told_view() | seats)   # defaults may depend on them
        game.line_head = (game.tag + options).encode()
    return game.line_head


cdef Py_ssize_t write_whole(ViewGame game, const char* here, char* room) except -1:
    """Write a line into LINE_ROOM bytes; return its length, 0 if the game writes in Python."""
    cdef Writer out = Writer(at=room, end=room + LINE_ROOM)
    cdef uint8_t observer = <uint8_t>here[game.observer_at]
    put_text(&out, PyBytes_AS_STRING(game.line_head))
    if not game.write_line(here, &out):
        return 0
    if observer == 0:
        put_text(&out, b" @-")
    elif observer != NOBODY:
        put_text(&out, b" @p")
        put_number(&out, observer)
    return out.at - room


cpdef tuple read_as_view(cls, str text, str kind):
    """Return (game, state) of a line, or say what is wrong with it."""
    cdef ViewGame game
    cdef bytes state
    cdef dict view = cls.read_position(text)
    game, state = checked(cls, view, kind)
    canonical = game.text(state)
    if text != canonical:
        if cls.compares_lines:
            compare(cls, game, view, state, kind)
        rule = cls.canonical_rule or cls.form_rules[1]
        check_written(text, canonical, kind, rule, cls.line_fields)
    keep_game(cls, game)
    return game, state


cdef int keep_game(cls, ViewGame game) except -1:
    """Keep a game for the next of its lines, if it reads lines in C."""
    cdef list games = GAMES_OF_LINES.setdefault(cls, [])
    if game.writes_lines and game not in games:
        if len(games) >= MAX_GAMES:
            games.clear()
        games.append(game)
    return 0


cdef tuple sent(cls, dict view, str kind):
    try:
        game, state = checked(cls, view, kind)
        compare(cls, game, view, state, kind)
    except RecursionError:
        wanted = "lists and messages are nested no deeper than in the game's typed message"
        raise refusal(kind, "a deeper one", cls.form_rules[1], wanted) from None
    return game, state


cdef dict flattened(cls, dict view):
    """Return the flat view of an observation; refuses fields in the wrong one of the two."""
    own = ("observer", *cls.observation_fields)
    seen = view.get("seen") or {}
    if not is_message(seen):
        raise refusal("observation.seen", seen, cls.form_rules[2], "a message is expected")
    cdef dict flat = dict(seen)
    cdef Py_ssize_t num_known = "seen" in view
    for name in own:
        if name in flat:
            wanted = "this is a field of the observation, beside `seen`"
            raise refusal(f"observation.seen.{name}", flat[name], cls.form_rules[2], wanted)
    for name in own:
        if name in view:
            flat[name] = view[name]
            num_known += 1
    if len(view) != num_known:
        name = next(name for name in view if name not in ("seen", *own))
        wanted = f"an observation has {', '.join(own)}, and in `seen` what a position has"
        raise refusal(f"observation.{name}", view[name], cls.form_rules[2], wanted)
    return flat


cdef str path_of(cls, str field):
    """Return the path in the message of a field of an observation's flat view."""
    kind, _, below = field.partition(".")
    name = below.partition(".")[0].partition("[")[0]
    if kind != "observation" or name in ("", "observer", *cls.observation_fields):
        return field
    return f"{kind}.seen.{below}"


cdef int compare(cls, ViewGame game, dict view, bytes state, str kind) except -1:
    """Refuse a flat view that differs from that of its state; names the first such field."""
    read = game.flat_view(state)
    if view == read:
        return 0
    given = cls.tidied(with_options(view, read))
    if found := difference(given, read, kind):
        where, given, right = found
        form_rule = cls.canonical_rule or cls.form_rules[2 if kind == "observation" else 1]
        name = where.removeprefix(f"{kind}.").partition(".")[0]
        given = "nothing" if given is None else given
        raise refusal(where, given, cls.implied.get(name, form_rule), expected(right))
    return 0


cdef tuple checked(cls, dict view, str kind):
    """Return (game, state) of a flat view that keeps all rules but may have surplus content."""
    cdef Fields fields = message(view, kind, cls.form_rules[1])
    cdef ViewGame game = game_of(cls, tuple(cls.options_of(fields).items()))
    state = game.pack(fields)
    try:
        game.check(state)
    except InputError as error:
        error.field = located(view, error.field)
        raise
    return game, state


cdef str written_move(ViewGame game, uint32_t move):
    """Return the token of a move; InputError if the number is none that the game can have."""
    try:
        view = game.move_view(move)
        if game.pack_move(message(view, "move", "")) == move:
            return game.write_move(view)
    except (IndexError, KeyError, InputError):
        pass
    raise InputError(
        f"{game.name} has no move {move}; move_at gives the move of an action's number",
        field="move", value=str(move))


cdef object kept_move(ViewGame game, str text):
    """Return the move of a token, which is read if it was not lately."""
    move = game.moves.get(text)
    if move is None:
        if len(game.moves) >= MAX_TOKENS:
            game.moves.clear()
        move = game.moves[text] = game._parsed_move(text)
    return move


cdef class ViewGame(Game):
    """A game with typed views, defined by its class attributes.

    Class attributes, besides those of `Game`:
        choices: the `Options` of the game; None: it has none.
        players_rule: rule number for the number of players, which is the length of the field
            `players`; empty: it is no option, or one that lines tell.
        observation_fields: fields that only an observation has, besides the observer.
        notation: the module with `read_position(text)` -> flat view, `write_position(view)` -> line
            (both also of observations, whose view has `observer`), `read_move(token)` -> view and
            `write_move(view)` -> token. Reading checks the grammar only. A small game has them as
            static methods instead; one with `write_line` needs no `write_position`.
        words: the module with `render(view)`, `describe_move(view, move)` and
            `changes(before, after, seat)`, seats from 1; and for words that hold in every position
            ANYWHERE, an empty view for `describe_move`, or `describe_anywhere(move)`. A small game
            overrides the methods of `Game` instead.
        form_rules: rule numbers of the notations of (moves, positions, observations).
        implied: field that follows from others -> rule number, if it isn't that of the notation.
        canonical_rule: rule number for lines and views that are not canonical; empty: the rule of
            their notation.
        line_fields: for lines whose fields have no labels; see `check_written`.
        all_features: the meanings of its features with the most seats; those with fewer seats are
            the first of them.
        compares_lines: whether a line that is not canonical is first compared as a view, so that
            the error names a nested field; False if such a view has forms that no state's view has.

    And methods: `pack(fields)` -> state, `fields_of(state)` -> its flat view without options,
    observer and the seat of the node, `pack_move(fields)` -> move, `move_view(move)`.
    """

    choices = None
    players_rule = ""
    observation_fields = ()
    notation = None
    words = None
    form_rules = ("", "", "")
    implied = {}
    canonical_rule = ""
    line_fields = {}
    all_features = ()
    compares_lines = True

    # --- the notation -------------------------------------------------------------------------

    @cython.binding(True)
    @classmethod
    def read_position(cls, str text) -> dict:
        return cls.notation.read_position(text)

    @cython.binding(True)
    @classmethod
    def write_position(cls, dict view) -> str:
        return cls.notation.write_position(view)

    @cython.binding(True)
    @classmethod
    def read_move(cls, str text) -> dict:
        return cls.notation.read_move(text)

    @cython.binding(True)
    @classmethod
    def write_move(cls, dict view) -> str:
        return cls.notation.write_move(view)

    cdef bint write_line(self, const void* state, Writer* out) except -1:
        return False

    cdef int read_line(self, Reader* given, void* state) except -1:
        return 0

    # --- from lines and messages to states ----------------------------------------------------

    @cython.binding(True)
    @classmethod
    def parse_position(cls, str text) -> tuple:
        if has_observer(text):
            last = text[text.rfind(" ") + 1:]
            wanted = "a position has no observer; this is the line of an observation"
            raise refusal("position", last, cls.form_rules[1], wanted)
        return written(cls, text, "position", False)

    @cython.binding(True)
    @classmethod
    def parse_observation(cls, str text) -> tuple:
        if not has_observer(text):
            last = text[text.rfind(" ") + 1:]
            raise refusal("observation.observer", last, cls.form_rules[2], OBSERVER_WANTED)
        try:
            return written(cls, text, "observation", True)
        except InputError as error:
            error.field = path_of(cls, error.field)
            raise

    @cython.binding(True)
    @classmethod
    def from_view(cls, dict view) -> tuple:
        if "observer" not in view:
            return sent(cls, view, "position")
        flat = flattened(cls, view)
        try:
            return sent(cls, flat, "observation")
        except InputError as error:
            error.field = path_of(cls, error.field)
            raise

    @cython.binding(True)
    @classmethod
    def tidied(cls, dict view) -> dict:
        """Return the canonical form of a valid view.

        Overridden by games whose messages have lists without an order.
        """
        return view

    @cython.binding(True)
    @classmethod
    def options_of(cls, Fields fields not None) -> dict:
        """Return the options of a flat view as text."""
        if cls.choices is None:
            return {}
        given = fields.record("options").values()
        if cls.players_rule:
            least, most = min(cls.seat_counts), max(cls.seat_counts)
            players = fields.length("players", most, cls.players_rule, least)
            given = {**given, "players": players}
        try:
            return cls.choices.of_view(given, fields.path("options"))
        except InputError as error:
            if cls.players_rule and error.field == fields.path("options.players"):
                error.field = fields.path("players")
            raise

    # --- moves --------------------------------------------------------------------------------

    def __cinit__(self, *arguments, **options):
        self.tokens = {}
        self.moves = {}
        self.is_overridden = type(self).parse_move is not ViewGame.parse_move

    def move_text(self, uint32_t move) -> str:
        return self.token(move)

    cdef str token(self, uint32_t move):
        token = self.tokens.get(move)
        if token is None:
            if len(self.tokens) >= MAX_TOKENS:
                self.tokens.clear()
            token = self.tokens[move] = written_move(self, move)
        return token

    def parse_move(self, str text) -> int:
        return kept_move(self, text)

    cdef int64_t parsed(self, str text) except -1:
        if self.is_overridden:
            return <uint32_t>self.parse_move(text)
        return PyLong_AsLongLong(kept_move(self, text))

    def _parsed_move(self, str text) -> int:
        try:
            move = self.pack_move(message(self.read_move(text), "move", self.form_rules[0]))
        except InputError as error:   # a caller with a token sent no fields
            error.field, error.value = "move", shown(text)
            raise
        token = self.token(move)
        if token != text:
            raise refusal("move", text, self.form_rules[0], f"this is written {token}")
        return move

    def move_from_view(self, dict view) -> int:
        move = self.pack_move(message(view, "move", self.form_rules[0]))
        if found := difference(view, self.move_view(move), "move"):
            where, given, right = found
            wanted = expected(right) if right else "this move has no such field"
            raise refusal(where, given, self.form_rules[0], wanted)
        return move

    # --- the rest ------------------------------------------------------------------------------

    def text(self, bytes state) -> str:
        cdef char[LINE_ROOM] room
        cdef const char* here = <const char*>self.pointer(state)
        cdef Py_ssize_t size
        head_of(self)
        size = write_whole(self, here, room)
        if size == 0:
            return self.write_position(self.flat_view(state))
        if size == LINE_ROOM:
            raise contract_error(self, f"a line is longer than {LINE_ROOM - 1} letters")
        self.writes_lines = True
        return PyUnicode_FromStringAndSize(room, size)

    cdef dict told_view(self):
        if self.told is None:
            self.told = self.choices.view(self.options)
        return self.told

    def flat_view(self, bytes state) -> dict:
        """Return a state or observation with its options and observer as one dict."""
        view = self.fields_of(state)
        if self.choices is not None and "options" not in view:
            view = {"options": dict(self.told_view()), **view}
        cdef const char* here = <const char*>self.pointer(state)
        cdef int observer = <uint8_t>here[self.observer_at]
        if observer != NOBODY:
            view["observer"] = observer
        # The seat that decides, or that chance deals to or rolls for; or 0.
        cdef int seat = node_at(self, here)
        if seat == CHANCE:
            seat = self.chance_seat(state)
        view["node"]["seat"] = max(seat, -1) + 1
        return view

    def view(self, bytes state) -> dict:
        seen = self.flat_view(state)
        if "observer" not in seen:
            return seen
        own = {name: seen.pop(name) for name in ("observer", *self.observation_fields)}
        return {"seen": seen, **own}

    @property
    def feature_names(self) -> list:
        return [*self.all_features[:self.num_features]]

    def observer_of(self, bytes state):
        cdef const char* here = <const char*>self.pointer(state)
        cdef uint8_t observer = <uint8_t>here[self.observer_at]
        return None if observer == NOBODY else observer - 1

    def view_for_words(self, bytes state) -> dict:
        """Return the flat view for `words`; a game may add results of its compiled rules."""
        return self.flat_view(state)

    def render(self, bytes state) -> str:
        return self.words.render(self.view_for_words(state))

    def describe_move(self, bytes state, uint32_t move) -> str:
        self.token(move)   # refuses a number that is no move
        return self.words.describe_move(self.view_for_words(state), self.move_view(move))

    def describe_anywhere(self, uint32_t move) -> str:
        if self.words is None:
            return Game.describe_anywhere(self, move)
        self.token(move)
        if hasattr(self.words, "describe_anywhere"):
            return self.words.describe_anywhere(self.move_view(move))
        return self.words.describe_move(self.words.ANYWHERE, self.move_view(move))

    def changes(self, bytes before, bytes after, int seat) -> list:
        return self.words.changes(self.view_for_words(before), self.view_for_words(after), seat + 1)
