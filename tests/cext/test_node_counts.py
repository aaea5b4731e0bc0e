"""Sequences of moves and outcomes of length 0, 1, 2 ... from the start, and information sets.

The numbers stand in the facts of each game, with their sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.facts import FACTS
from tests.random_play import CHANCE, TERMINAL, possible
from tests.reference import REFERENCES, RuleModel

STARTS = [(name, options) for name, facts in FACTS.items() for options in facts.compared_starts]
COMPARED = [
    pytest.param(name, line, depth, id=f"{name}-{title}")
    for name, facts in FACTS.items()
    for title, (line, depth) in facts.compared.items()
]
COUNTED = [
    pytest.param(name, line, kinds, id=f"{name}-{title}")
    for name, facts in FACTS.items()
    for title, (line, kinds) in facts.counted_kinds.items()
]


def next_layer(game: Game, layer: Mapping[bytes, int]) -> Counter[bytes]:
    """Count the sequences to each state one ply further on."""
    successors: Counter[bytes] = Counter()
    for state, sequences in layer.items():
        for move in possible(game, state):
            successors[game.after(state, move)] += sequences
    return successors


def node_counts(game: Game, state: bytes, depth: int) -> list[int]:
    layer = Counter({state: 1})
    counts = [1]
    for _ in range(depth):
        layer = next_layer(game, layer)
        counts.append(layer.total())
    return counts


def reference_node_counts(state: RuleModel, depth: int) -> list[int]:
    layer = Counter({state.text(): 1})
    counts = [1]
    for _ in range(depth):
        successors: Counter[str] = Counter()
        for line, sequences in layer.items():
            here = type(state).parse(line)
            for token in here.legal() or here.chance():
                successors[here.apply(token).text()] += sequences
        layer = successors
        counts.append(layer.total())
    return counts


@pytest.mark.parametrize("name", GAMES)
def test_the_tree_has_as_many_nodes_as_counted_by_hand(name: str) -> None:
    game = GAMES[name]()
    expected = list(FACTS[name].node_counts)
    assert node_counts(game, game.start_state(), len(expected) - 1) == expected


def test_tic_tac_toe_has_255168_games() -> None:
    game = GAMES["tic_tac_toe"]()
    layer = Counter({game.start_state(): 1})
    games = 0
    while layer:
        games += sum(n for state, n in layer.items() if not possible(game, state))
        layer = next_layer(game, layer)
    assert games == 255168


def test_tic_tac_toe_has_5478_positions() -> None:
    game = GAMES["tic_tac_toe"]()
    layer = Counter({game.start_state(): 1})
    found = set(layer)
    while layer:
        layer = next_layer(game, layer)
        found |= set(layer)
    assert len(found) == 5478


@pytest.mark.parametrize("name", [name for name in GAMES if FACTS[name].information_sets])
def test_a_game_has_as_many_information_sets_as_counted_by_hand(name: str) -> None:
    game = GAMES[name]()
    layer = Counter({game.start_state(): 1})
    found: list[set[bytes]] = [set(), set()]
    while layer:
        for state in layer:
            if (seat := game.node_of(state)) >= 0:
                found[seat].add(game.observed(state, seat))
        layer = next_layer(game, layer)
    assert [len(observations) for observations in found] == FACTS[name].information_sets


@pytest.mark.parametrize(("name", "options"), STARTS)
def test_a_game_begins_as_in_the_reference(name: str, options: dict[str, str]) -> None:
    game = GAMES[name](**options)
    reference = REFERENCES[name].new(options)
    assert node_counts(game, game.start_state(), 5) == reference_node_counts(reference, 5)


@pytest.mark.parametrize(("name", "line", "depth"), COMPARED)
def test_a_game_goes_on_as_in_the_reference(name: str, line: str, depth: int) -> None:
    game, state = GAMES[name].parse_position(line)
    reference = REFERENCES[name].parse(line)
    assert node_counts(game, state, depth) == reference_node_counts(reference, depth)


def node_kinds(layer: Iterable[tuple[str, int]]) -> tuple[int, int, int]:
    """Count the sequences that end at a decision, at chance and at the end of the game."""
    kinds: Counter[str] = Counter()
    for asked, sequences in layer:
        kinds[asked] += sequences
    chance, end = kinds["chance"], kinds["end"]
    return kinds.total() - chance - end, chance, end


@pytest.mark.parametrize(("name", "line", "expected"), COUNTED)
def test_a_game_has_as_many_nodes_of_each_kind_as_counted(
    name: str, line: str, expected: list[tuple[int, int, int]]
) -> None:
    game, state = GAMES[name].parse_position(line)
    names = {CHANCE: "chance", TERMINAL: "end"}
    layer = Counter({state: 1})
    for depth, kinds in enumerate(expected):
        layer = next_layer(game, layer) if depth else layer
        assert (
            node_kinds((names.get(game.node_of(s), "seat"), n) for s, n in layer.items()) == kinds
        )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line", "expected"), COUNTED)
def test_the_reference_has_them_too(
    name: str, line: str, expected: list[tuple[int, int, int]]
) -> None:
    states = {line: REFERENCES[name].parse(line)}
    layer = Counter({line: 1})
    for depth, kinds in enumerate(expected):
        states, layer = next_reference_layer(states, layer) if depth else (states, layer)
        assert node_kinds((states[text].node(), n) for text, n in layer.items()) == kinds


def next_reference_layer(
    states: Mapping[str, RuleModel], layer: Mapping[str, int]
) -> tuple[dict[str, RuleModel], Counter[str]]:
    """Count the sequences to each line one ply further on; no line is parsed, which takes long."""
    successors: dict[str, RuleModel] = {}
    counts: Counter[str] = Counter()
    for line, sequences in layer.items():
        here = states[line]
        for token in here.legal() or here.chance():
            after = here.apply(token)
            successors[after.text()] = after
            counts[after.text()] += sequences
    return successors, counts
