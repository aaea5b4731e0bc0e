"""Facts of a game for the tests that run over every game; each game declares its own."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kingmaker.cext.game import Game
from tests.reference import RuleModel

Options = dict[str, str]
Mutator = Callable[[str, str, random.Random], str]
Kinds = tuple[int, int, int]

SEATS = ["p1", "p2", "p3", "p4", "p5", "p6"]
CARD_COPIES = re.compile(r"([a-zA-Z])([0-9]{0,2})")


def cards_of(ranks: str, suits: str) -> list[str]:
    """Write the cards of these ranks and suits, suit by suit."""
    return [rank + suit for suit in suits for rank in ranks]


def unvaried(options: Options, seed: int) -> Options:
    """Return the same options, for a game without options to vary."""
    return options


def unrepaired(line: str) -> str:
    """Return the same line, for a game whose lines have no sums."""
    return line


def token_of_random_kind(now: RuleModel, rng: random.Random) -> str:
    """Draw a legal move: each kind alike, however many moves it has."""
    kinds: dict[str, list[str]] = {}
    for move in now.legal():
        kinds.setdefault(move.partition(":")[0], []).append(move)
    return rng.choice(rng.choice(list(kinds.values())))


@dataclass(frozen=True)
class Facts:
    """Facts of one game.

    Attributes:
        node_counts: sequences of moves and outcomes of length 0, 1, 2 ... from the start; a comment
            beside them has the source.
        grammar: parts of its tokens; a token has one spelling of each part.
        least_refusals: minimum number of pairs of line and token, and of reasons apart from names
            and numbers, among its golden refusals.
        information_sets: number for each seat, in games small enough to count.
        counted_kinds: position -> sequences of length 0, 1, 2 ... that end at a decision, at chance
            and at the end, which engine and reference must both have.
        compared: position -> depth to which engine and reference must have the same counts.
        compared_starts: options of starts that are compared likewise, to depth 5.
        seats: the numbers of seats that are tested, of a game that has many; None: all.
        more_options: choices of options tested in addition to each number of seats.
        differential_options: further choices, only for comparisons with the reference.
        brief_options: options that end its games soon, if they are long.
        small_options: choices of options with few enough states to list them all.
        playthrough_seeds: file of a playthrough -> seed of a game with rare situations.
        vary: function that varies options by a seed and keeps given ones, such as the seats.
        eager: function that returns moves to situations that are rare in random games.
        random_position: function that draws a position, valid or nearly so, with what random games
            seldom have.
        random_token: function that draws a legal move in play from such a position.
        mutators: functions that damage lines, in addition to those of all games.
        repair: corrects sums and leftovers of a damaged line, so that other damage is tested too.
        mutation_cost: time of a line, in multiples of that of other games.
        num_random_games: default number compared with the reference, for each number of seats.
        needs_hands: whether reasons are given only if the hand of the seat to move is seen.
        is_large: whether it has many golden refusals.
        chance_nodes: positions whose outcomes are sampled.
        uniform_playouts: positions whose playouts are uniform, with an implementation of their own.
        counted_worlds: observations and their number of equally likely states, counted by hand.
        wrong_options: (option, wrong value, rule).
    """

    node_counts: Sequence[int]
    grammar: Sequence[tuple[str | Sequence[str], ...]]
    least_refusals: tuple[int, int]
    information_sets: Sequence[int] | None = None
    counted_kinds: Mapping[str, tuple[str, Sequence[Kinds]]] = field(default_factory=dict)
    compared: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    compared_starts: Sequence[Options] = ()
    seats: Sequence[int] | None = None
    more_options: Sequence[Options] = ()
    differential_options: Sequence[Options] = ()
    brief_options: Options = field(default_factory=dict)
    small_options: Sequence[Options] = ()
    playthrough_seeds: Mapping[str, int] = field(default_factory=dict)
    vary: Callable[[Options, int], Options] = unvaried
    eager: Callable[[Game, bytes], list[int]] | None = None
    random_position: Callable[[random.Random], str] | None = None
    random_token: Callable[[Any, random.Random], str] = token_of_random_kind
    mutators: Sequence[Mutator] = ()
    repair: Callable[[str], str] = unrepaired
    mutation_cost: int = 1
    num_random_games: int = 10
    needs_hands: bool = False
    is_large: bool = False
    chance_nodes: Sequence[str] = ()
    uniform_playouts: Sequence[str] = ()
    counted_worlds: Sequence[tuple[str, int]] = ()
    wrong_options: Sequence[tuple[str, object, str]] = ()
