"""See net.pxd and net.pyi."""

cimport cython
from libc.math cimport NAN

from .game cimport MAX_ACTIONS, MAX_FEATURES, MAX_SEATS, MOVES_ROOM
from .net_kernels cimport NET_BLOCK1, NET_BLOCK2, net_hidden, net_product, net_use_wide
from .softmax cimport net_exp, net_softmax

import json
from hashlib import sha256

import numpy as np

from kingmaker.cext.errors import InputError, check_mapping, check_whole, refusal


VALUE_WEIGHTS = ("w1", "b1", "w2", "b2", "w3", "b3")
POLICY_WEIGHTS = ("wp", "bp")


cdef enum:
    MOST_LOGIT = 40     # that counts in `correct`, and least, too: weights stay in their range

net_use_wide(True)


def use_wide(bint is_wanted) -> bool:
    """Use wide registers, where there are any; see net.pyi."""
    return net_use_wide(is_wanted) != 0


def names_hash(game) -> str:
    """Return a short hash of the names of all features of a game, in their order."""
    return sha256("\n".join(game.feature_names).encode()).hexdigest()[:16]


cdef class Net:
    """See net.pyi."""

    def __init__(self, dict card not None, weights):
        check_card(card)
        self.card = card
        self.num_seats = card["seats"]
        self.weights = checked_weights(weights)
        hidden1, hidden2 = self.weights["w2"].shape
        self.num_features = len(self.weights["w1"])
        self.num_actions = len(self.weights["wp"]) if "wp" in self.weights else 0
        self.size1 = -(-hidden1 // NET_BLOCK1) * NET_BLOCK1
        self.size2 = -(-hidden2 // NET_BLOCK2) * NET_BLOCK2
        self.b3 = self.weights["b3"][0]
        shapes = {
            "w1": (self.num_features, self.size1), "b1": (self.size1,),
            "w2": (self.size1, self.size2), "b2": (self.size2,), "w3": (self.size2,),
            "wp": (self.num_actions, self.size2), "bp": (self.num_actions,)}
        padded = {name: pad(self.weights[name], shape)
                  for name, shape in shapes.items() if name in self.weights}
        self.owned = padded
        self.w1, self.b1 = pointer(padded["w1"]), pointer(padded["b1"])
        self.w2, self.b2 = pointer(padded["w2"]), pointer(padded["b2"])
        self.w3 = pointer(padded["w3"])
        if self.num_actions:
            self.wp, self.bp = pointer(padded["wp"]), pointer(padded["bp"])

    cdef bint hidden(
            self, const int32_t* active, int num_active, float* first,
            float* second) noexcept nogil:
        cdef uint32_t worst = 0
        cdef int i
        for i in range(num_active):
            worst = max(worst, <uint32_t>active[i])
        if num_active < 0 or worst >= <uint32_t>self.num_features:
            return False
        net_hidden(self.w1, self.b1, self.size1, self.w2, self.b2, self.size2, active, num_active,
                   first, second)
        return True

    cdef float score(self, const int32_t* active, int num_active) noexcept nogil:
        cdef float[MAX_HIDDEN] first
        cdef float[MAX_HIDDEN] second
        if not self.hidden(active, num_active, first, second):
            return NAN
        return self.b3 + net_product(self.w3, second, self.size2)

    cdef void evaluate(self, Game game, const void* state, double* out) noexcept nogil:
        cdef int32_t[MAX_FEATURES] active
        cdef int seat, num_active
        for seat in range(game.num_seats):
            num_active = game.features(state, seat, active)
            out[seat] = self.score(active, num_active)
            if out[seat] != out[seat]:
                out[0] = NAN
                return
        net_softmax(out, game.num_seats)

    cdef void priors(
            self, Game game, const void* state, int seat, const uint32_t* moves, int num_moves,
            float* out) noexcept nogil:
        cdef double[MOVES_ROOM] chances
        cdef int i
        self.logits(game, state, seat, moves, num_moves, chances)
        net_softmax(chances, num_moves)
        for i in range(num_moves):
            out[i] = <float>chances[i]

    cdef void correct(
            self, Game game, const void* state, int seat, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        cdef double[MOVES_ROOM] logits
        cdef int i
        self.logits(game, state, seat, moves, num_moves, logits)
        for i in range(num_moves):
            weights[i] *= net_exp(
                (min(MOST_LOGIT, max(-MOST_LOGIT, logits[i])) - MOST_LOGIT) / 2)

    cdef void logits(
            self, Game game, const void* state, int seat, const uint32_t* moves, int num_moves,
            double* out) noexcept nogil:
        cdef int32_t[MAX_FEATURES] active
        cdef float[MAX_HIDDEN] first
        cdef float[MAX_HIDDEN] second
        cdef int i, action
        cdef int num_active = game.features(state, seat, active) if self.num_actions else 0
        cdef bint is_sound = self.num_actions and self.hidden(active, num_active, first, second)
        for i in range(num_moves):
            out[i] = 0
            if is_sound:
                action = game.action_index(moves[i])
                if 0 <= action < self.num_actions:
                    out[i] = self.bp[action] + net_product(
                        self.wp + <size_t>action * self.size2, second, self.size2)

    # --- Python -----------------------------------------------------------------------------------

    def check_fits(self, Game game not None) -> None:
        """Check that the net was made for this game; see net.pyi."""
        wanted = [
            ("game", self.card["game"], game.name),
            ("number of seats", self.num_seats, game.num_seats),
            ("number of features", self.num_features, game.num_features),
            ("hash of the feature names", self.card["features"], names_hash(game))]
        if self.num_actions:
            wanted.append(("number of actions", self.num_actions, game.num_actions))
        for what, own, other in wanted:
            if own != other:
                raise InputError(
                    f"the net does not fit {game.name}: its {what} is {own}, not {other}",
                    field="net", value=str(own))

    def evaluation_of(self, Game game not None, bytes state) -> list:
        """Return the win share of each seat; see net.pyi."""
        cdef double[MAX_SEATS] shares
        self.check_fits(game)
        self.evaluate(game, game.pointer(state), shares)
        return [shares[seat] for seat in range(game.num_seats)]

    def policy_of(self, Game game not None, bytes state) -> list:
        """Return [(move, probability), ...]; see net.pyi."""
        cdef uint32_t[MOVES_ROOM] moves
        cdef float[MOVES_ROOM] found
        self.check_fits(game)
        listed = game.moves_of(state)
        for i, move in enumerate(listed):
            moves[i] = move
        if listed:
            self.priors(game, game.pointer(state), game.node_of(state), moves, len(listed), found)
        return [(move, found[i]) for i, move in enumerate(listed)]

    def scores_of(self, active, starts) -> np.ndarray:
        """Return the score of each list of active features; see net.pyi."""
        cdef const int32_t[::1] indices = np.ascontiguousarray(active, dtype=np.int32)
        cdef const long long[::1] begins = np.ascontiguousarray(starts, dtype=np.longlong)
        if len(begins) == 0:
            raise InputError("starts has no number; give [0] for no list", field="starts")
        cdef int num_rows = len(begins) - 1
        cdef int row
        found = np.empty(num_rows, dtype=np.float32)
        cdef float[::1] out = found
        if begins[0] < 0 or begins[num_rows] > len(indices) or (np.diff(begins) < 0).any():
            raise InputError("starts are not ascending indices of the active features",
                             field="starts")
        cdef const int32_t* first = &indices[0] if len(indices) else NULL
        with nogil:
            for row in range(num_rows):
                out[row] = self.score(first + begins[row], <int>(begins[row + 1] - begins[row]))
        if np.isnan(found).any():
            raise InputError(
                f"a feature is not 0 to {self.num_features - 1}", field="active")
        return found

    @cython.binding(True)
    @classmethod
    def load(cls, path) -> Net:
        """Read a net from a file; see net.pyi."""
        try:
            stored = np.load(path, allow_pickle=False)
            if not isinstance(stored, np.lib.npyio.NpzFile):
                raise TypeError("it has a single array")
            with stored:
                arrays = dict(stored)
            if "card" not in arrays:
                raise InputError("it has no card")
            return cls(json.loads(str(arrays.pop("card"))), arrays)
        except OSError as error:
            raise InputError(
                f"the net {path} can't be read: {error.strerror or error}", field="net",
                value=str(path)) from None
        except Exception as error:  # damaged files raise those of zlib, tokenize and many more
            raise InputError(
                f"{path} is no net: {str(error) or type(error).__name__}", field="net",
                value=str(path)) from None

    def save(self, path) -> None:
        """Write the net to a file; see net.pyi."""
        with open(path, "wb") as file:
            np.savez_compressed(
                file, card=json.dumps(self.card),
                **{name: array.astype(np.float16) for name, array in self.weights.items()})


def check_card(dict card) -> None:
    """Check what a net must say of itself.

    Raises:
        InputError: it is missing or wrong.
    """
    for name in ("game", "seats", "features"):
        if name not in card:
            raise InputError(f"the card of the net has no {name}", field=f"card.{name}")
        if name != "seats" and not isinstance(card[name], str):
            raise refusal(f"card.{name}", card[name], "", f"{name} in the card of a net is a text")
    check_whole("card.seats", card["seats"], 1, MAX_SEATS)


def checked_weights(weights) -> dict:
    """Return the weights, rounded to half precision, in single precision.

    Raises:
        InputError: one is missing, unknown, too large, of a wrong shape or not finite.
    """
    weights = check_mapping("weights", weights)
    names = VALUE_WEIGHTS + (POLICY_WEIGHTS if "wp" in weights or "bp" in weights else ())
    if set(weights) != set(names):
        raise InputError(
            f"a net has the weights {', '.join(VALUE_WEIGHTS)}, and perhaps "
            f"{' and '.join(POLICY_WEIGHTS)}, not {', '.join(sorted(weights))}", field="net")
    with np.errstate(over="ignore"):
        found = {name: np.ascontiguousarray(weights[name], dtype=np.float32).astype(np.float16)
                 .astype(np.float32) for name in names}
    if found["w1"].ndim != 2 or found["w2"].ndim != 2:
        raise InputError("w1 and w2 of a net are matrices", field="net")
    num_features = len(found["w1"])
    hidden1, hidden2 = found["w2"].shape
    num_actions = len(np.atleast_1d(found["bp"])) if "bp" in found else 1
    for what, number, most in (
            ("features", num_features, MAX_FEATURES), ("units", hidden1, MAX_HIDDEN),
            ("units", hidden2, MAX_HIDDEN), ("actions", num_actions, MAX_ACTIONS)):
        if not 1 <= number <= most:
            raise InputError(
                f"the net has {number} {what}; it must have 1 to {most}", field="net",
                value=str(number))
    shapes = {"w1": (num_features, hidden1), "b1": (hidden1,), "w2": (hidden1, hidden2),
              "b2": (hidden2,), "w3": (hidden2,), "b3": (1,), "wp": (num_actions, hidden2),
              "bp": (num_actions,)}
    for name, array in found.items():
        if array.shape != shapes[name]:
            raise InputError(
                f"{name} of the net has the shape {array.shape}, not {shapes[name]}", field="net")
        if not np.isfinite(array).all():
            raise InputError(
                f"{name} of the net has a number beyond half precision", field="net")
        array.flags.writeable = False
    return found


def pad(array, shape) -> np.ndarray:
    """Return a copy filled up with zeros."""
    padded = np.zeros(shape, dtype=np.float32)
    padded[tuple(slice(length) for length in array.shape)] = array
    return padded


cdef const float* pointer(array) except NULL:
    """Return where the numbers of a contiguous array are."""
    cdef const float[::1] flat = array.reshape(-1)
    return &flat[0]
