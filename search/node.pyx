"""See node.pyi."""

from kingmaker.cext.game cimport (
    CHANCE, TERMINAL, Game, check_limits, determinized_state, node_at, observed_state,
    possible_state)

from kingmaker.cext.errors import wrong_type


cdef extern from "Python.h":
    ctypedef object (*newfunc)(type kind, tuple arguments, void* names)
    int Py_tp_new
    void* PyType_GetSlot(type kind, int slot)


cdef type POSITION, OBSERVATION   # of position.py, which are derived from Node


cdef class Node:
    """See node.pyi."""

    cdef readonly Game game
    cdef readonly bytes state

    def __init__(self, Game game not None, bytes state not None):
        self.game = game
        self.state = state

    @property
    def seat(self) -> int:
        """The seat to decide, 1..n; 0 at a chance node and at the end."""
        return max(node_at(self.game, self.game.pointer(self.state)) + 1, 0)

    @property
    def is_chance(self) -> bool:
        """Whether this is a chance node."""
        return node_at(self.game, self.game.pointer(self.state)) == CHANCE

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return node_at(self.game, self.game.pointer(self.state)) == TERMINAL

    @property
    def num_seats(self) -> int:
        """Number of seats."""
        return self.game.num_seats

    @property
    def _is_own_decision(self) -> bool:
        """Whether this is an observation of the seat that is to decide."""
        cdef int node = node_at(self.game, self.game.pointer(self.state))
        return node >= 0 and self.game.observer_of(self.state) == node

    def _move(self, token):
        """Return the move or outcome of a token."""
        return self.game.parse_move(plain(token))

    def _after(self, token):
        """Return the node after a move or outcome; None if it is not possible here."""
        cdef bytes after = possible_state(self.game, self.state, self.game.parsed(plain(token)))
        return None if after is None else like(type(self), self.game, after)

    def _observed(self, Py_ssize_t seat):
        """Return the observation of a seat, from 0, or of a spectator, -1."""
        return like(OBSERVATION, self.game, observed_state(self.game, self.state, seat))

    def _determinized(self, bit_generator):
        """Return a position drawn from those consistent with an observation."""
        return like(POSITION, self.game, determinized_state(self.game, self.state, bit_generator))


cdef str plain(token):
    """Return a token as the rules take it: no subclass of `str`, as NumPy's choices are."""
    if type(token) is str:
        return token
    if isinstance(token, str):
        return str.__str__(token)
    wanted = "a text, such as legal_moves() lists; apply(*tokens) takes several"
    raise wrong_type("token", token, wanted)


# What makes nodes of all kinds: in a wheel, asking each kind for it takes longer.
cdef newfunc NEW_NODE = <newfunc>PyType_GetSlot(Node, Py_tp_new)


def set_kinds(type position not None, type observation not None) -> None:
    """Set the classes of the nodes that `_observed` and `_determinized` return."""
    global POSITION, OBSERVATION
    POSITION, OBSERVATION = position, observation


def check_position(name, position) -> None:
    """Check that an argument is a full state; see node.pyi."""
    if not isinstance(position, POSITION):
        raise wrong_type(name, position, "a full state; observation.determinize(stream) draws one")


def position_of(tuple found not None) -> Node:
    """Return the position of a game that was read and its state."""
    return read(POSITION, found)


def observation_of(tuple found not None) -> Node:
    """Return the observation of a game that was read and what is seen."""
    return read(OBSERVATION, found)


cdef Node read(type kind, tuple found):
    cdef Game game = found[0]
    check_limits(game)
    return like(kind, game, found[1])


cdef Node like(type kind, Game game, bytes state):
    """Return a node of a class, without the detour of a call from Python."""
    cdef Node node = <Node>NEW_NODE(kind, (), NULL)
    node.game = game
    node.state = state
    return node
