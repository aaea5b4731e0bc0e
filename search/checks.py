"""Random games that hold a game to the engine contract, for the author of a new one.

Each position is compared with what the contract demands (contract.pxd): of moves, chance,
observations, worlds, features, notation and words. The probabilities of worlds are not checked.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kingmaker.cext.change import Change
from kingmaker.cext.errors import ContractError, InputError, check_integer
from kingmaker.cext.game import Game

from .foreign import check_line, check_token
from .position import new_game

MAX_GAMES = 10**6
MAX_PLIES = 500  # of a game that are checked; after them it is only played on
MAX_LISTED = 64  # moves or outcomes of a node whose results are compared
SPECTATOR, CHANCE, TERMINAL = -1, -1, -2  # from 0, as in the contract


class Problem(NamedTuple):
    """What a game does against the engine contract.

    Attributes:
        check: what was looked at: `moves`, `observation of p1`, ...
        message: what is wrong.
        line: the position; empty if the game could not write it.
    """

    check: str
    message: str
    line: str

    def __str__(self) -> str:
        where = f"\n  in {self.line}" if self.line else ""
        return f"{self.check}: {self.message}{where}"


class Checked(NamedTuple):
    """What was found: the first problem of each kind, and how much was played."""

    problems: list[Problem]
    games: int
    plies: int


class _Fault(Exception):
    """A game does not do what the contract demands."""


def check_game(
    name: str, options: Mapping[str, str | int] | None = None, games: int = 20, seed: int = 1
) -> Checked:
    """Play random games, and check each of their positions.

    Args:
        name: of the game.
        options: as for `new_game`.
        games: number of games.
        seed: the same seed gives the same games.

    Raises:
        UnknownGameError: no game has this name.
        InputError: an argument is out of range, or the game can't be used at all.
    """
    check_integer("games", games, 1, MAX_GAMES)
    check_integer("seed", seed, 0, 2**63 - 1)
    checker = _Checker(new_game(name, options).game, seed)
    for _ in range(games):
        checker.play()
    return Checked(list(checker.problems.values()), games, checker.plies)


def demand(holds: object, message: str) -> None:
    """Raise an error unless something holds."""
    if not holds:
        raise _Fault(message)


class _Checker:
    """Plays one game after another and keeps the first problem of each kind."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.problems: dict[str, Problem] = {}
        self.plies = 0
        self._bits = np.random.SFC64(seed)
        self._random = np.random.Generator(np.random.SFC64([seed, 1]))
        self._other = game
        self._try("pickle", b"", self._pickle)
        self._try("feature_names", b"", self._feature_names)

    def play(self) -> None:
        """Play a game by random moves, and check it on the way."""
        state = self.game.start_state()
        self._try("playout", state, self.game.played_out, state, self._bits)
        for _ in range(MAX_PLIES):
            self._check(state)
            after = self._try("apply", state, self._next, state)
            if after is None:
                return
            self._try("changes", after, self._changes, state, after)
            state = after
            self.plies += 1

    def _next(self, state: bytes) -> bytes | None:
        """Return the state after a random move or outcome; None at the end."""
        if self.game.node_of(state) == CHANCE:
            return self.game.after(state, self.game.sample(state, self._bits))
        moves = self.game.moves_of(state)
        return self.game.after(state, self._random.choice(moves).item()) if moves else None

    def _try(self, check: str, state: bytes, look: Callable[..., Any], *given: Any) -> Any:
        """Call a check and keep what it finds; returns its result, None after a problem."""
        try:
            return look(*given)
        except (_Fault, ContractError, InputError) as error:
            message = str(error)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
        if check not in self.problems:
            try:
                line = self.game.text(state) if state else ""
            except Exception:  # that is a problem of its own
                line = ""
            self.problems[check] = Problem(check, message, str(line))
        return None

    # --- the game -------------------------------------------------------------------------------

    def _pickle(self) -> None:
        self._other = pickle.loads(pickle.dumps(self.game))
        demand(
            self._other.options == self.game.options,
            f"a copy has the options {self._other.options}, not {self.game.options}",
        )

    def _feature_names(self) -> None:
        names = self.game.feature_names
        demand(
            len(names) == self.game.num_features and len({*names}) == len(names),
            f"{len({*names})} different names of {self.game.num_features} features",
        )

    # --- a position -----------------------------------------------------------------------------

    def _check(self, state: bytes) -> None:
        game = self.game
        node = self._try("node", state, game.node_of, state)
        if node is None:
            return
        self._try("position", state, self._line, state)
        self._try("render", state, lambda: _text("render", game.render(state)))
        self._try("evaluate", state, game.evaluation_of, state)
        self._try("history", state, self._history, state)
        self._try("repetition", state, self._repetition, state)
        if node == TERMINAL:
            self._try("returns", state, game.returns_of, state)
        elif node == CHANCE:
            self._try("outcomes", state, self._outcomes, state)
            for seat in range(SPECTATOR, game.num_seats):
                self._try(f"secrets {_of(seat)}", state, self._secrets, state, seat)
        else:
            self._try("moves", state, self._moves, state)
            self._try("playout_move", state, self._policy, state)
        for seat in range(SPECTATOR, game.num_seats):
            what = f"observation {_of(seat)}"
            self._try(what, state, self._observation, state, seat)
            if seat >= 0 and game.num_features:
                self._try(f"features {_of(seat)}", state, self._features, state, seat)

    def _line(self, state: bytes) -> None:
        demand(self.game.observer_of(state) is None, "observer_of gives an observer of a state")
        check_line(self.game, state)
        json.dumps(self.game.view(state))

    def _history(self, state: bytes) -> None:
        found = self.game.history_of(state)
        if found is None:
            return
        past, moves = found
        for move in moves:
            demand(move in self._listed(past), f"it has {move}, which was not possible")
            past = self.game.after(past, move)
        demand(past == state, "the moves of history don't lead to the state")

    def _repetition(self, state: bytes) -> None:
        """Check that nothing but the state decides what happens."""
        for game in (self.game, self._other):
            demand(game.node_of(state) == self.game.node_of(state), "its node changes")
            listed = self._listed(state)
            demand([*listed] == [*self._listed(state, game)], "its list changes")
            for move in listed[:MAX_LISTED]:
                demand(
                    game.after(state, move) == self.game.after(state, move),
                    f"after {self.game.move_text(move)} it is not always the same",
                )

    def _listed(self, state: bytes, game: Game | None = None) -> list[int]:
        game = game or self.game
        return game.moves_of(state) or [outcome for outcome, _ in game.outcomes_of(state)]

    def _outcomes(self, state: bytes) -> None:
        game, listed = self.game, self._listed(state)
        demand(len({*listed}) == len(listed), f"an outcome is listed twice: {listed}")
        for outcome in listed:
            self._token(state, outcome)
        demand(game.sample(state, self._bits) in listed, "sample_outcome draws one not listed")
        demand(game.outcome_at(state, 0.5) in listed, "outcome_at gives one not listed")
        _text("chance_source", game.chance_source(state))
        seat = game.chance_seat(state)
        demand(seat in range(-1, game.num_seats), f"chance_seat gives {seat}")

    def _moves(self, state: bytes) -> None:
        game, moves = self.game, self.game.moves_of(state)
        demand(len({*moves}) == len(moves), f"a move is listed twice: {moves}")
        for move in moves:
            self._token(state, move)
            if game.has_prior_weights:
                weight = game.prior_weight_of(state, move)
                demand(0 < weight < 1e30, f"the prior weight of {game.move_text(move)} is {weight}")
        if not game.num_actions:
            return
        for move in moves:
            action = game.index_of(move)
            demand(
                0 <= action < game.num_actions and game.move_at(action) == move,
                f"action_index of {game.move_text(move)} is {action}, which is not from 0 to "
                f"{game.num_actions - 1}, or action_at makes another move of it",
            )
        illegal = {game.move_at(action) for action in range(game.num_actions)} - {*moves}
        for move in sorted(illegal)[:MAX_LISTED]:
            why, _ = game.why_illegal(state, move)
            _text("why_illegal", why)

    def _token(self, state: bytes, move: int) -> None:
        check_token(self.game, move)
        _text("describe_move", self.game.describe_move(state, move))
        _text("describe_anywhere", self.game.describe_anywhere(move))

    def _policy(self, state: bytes) -> None:
        move = self.game.policy_move(state, self._bits)
        demand(move in self.game.moves_of(state), f"it draws {move}, which is not legal")

    def _changes(self, before: bytes, after: bytes) -> None:
        for seat in range(SPECTATOR, self.game.num_seats):
            seen = self.game.observed(before, seat), self.game.observed(after, seat)
            for change in self.game.changes(*seen, seat):
                demand(isinstance(change, Change), f"{change!r} is no Change")

    # --- what a seat sees -----------------------------------------------------------------------

    def _observation(self, state: bytes, seat: int) -> None:
        game = self.game
        seen = game.observed(state, seat)
        demand(game.observer_of(seen) == seat, f"observer_of gives {game.observer_of(seen)}")
        check_line(game, seen)
        demand(game.node_of(seen) == game.node_of(state), "its node is not that of the state")
        demand(game.is_consistent(seen, state), "it does not fit the state that it is made of")
        if game.node_of(seen) == seat >= 0:
            demand(game.moves_of(seen) == game.moves_of(state), "it has other legal moves")
        for draw in (game.determinized, game.likely_world_of):
            world = draw(seen, self._bits)
            demand(game.observer_of(world) is None, "determinize leaves an observer")
            demand(game.is_consistent(seen, world), "determinize changes what the seat sees")
            demand(
                game.is_hidden or world == state,
                "something is hidden, as determinize makes another state; but is_hidden is False",
            )
            check_line(game, world)

    def _secrets(self, state: bytes, seat: int) -> None:
        """Check that outcomes look alike to a seat where they lead to what looks alike.

        That need not hold for moves: the last one of several in secret may reveal them all.
        """
        game = self.game
        alike: dict[int, tuple[int, bytes]] = {}
        unlike: dict[bytes, tuple[int, int]] = {}
        for move in self._listed(state)[:MAX_LISTED]:
            after = game.after(state, move)
            if game.node_of(after) == TERMINAL:
                continue  # where all may be shown
            seen = game.observed(after, seat)
            looks = game.seen(state, move, seat)
            first, shown = alike.setdefault(looks, (move, seen))
            demand(
                seen == shown,
                f"it sees {game.move_text(first)} and {game.move_text(move)} alike, but not what "
                "they lead to: observe shows too much, or seen_move too little",
            )
            first, looked = unlike.setdefault(seen, (move, looks))
            demand(
                looks == looked,
                f"it can't tell what {game.move_text(first)} and {game.move_text(move)} lead to "
                "apart, but sees which it is: seen_move shows too much, or observe too little",
            )

    def _features(self, state: bytes, seat: int) -> None:
        game = self.game
        seen = game.observed(state, seat)
        found = game.features_of(state, seat)
        demand(all(a < b for a, b in pairwise(found)), f"they are not ascending: {found}")
        for other in (seen, game.determinized(seen, self._bits)):
            features = game.features_of(other, seat)
            demand(
                features == found,
                f"they are {features} in {game.text(other)}, and {found} in the state: they use "
                "what the seat does not see",
            )


def _of(seat: int) -> str:
    return f"of p{seat + 1}" if seat >= 0 else "of a spectator"


def _text(method: str, found: Any) -> None:
    demand(isinstance(found, str) and found, f"{method} gives {found!r}; it must be a text")
