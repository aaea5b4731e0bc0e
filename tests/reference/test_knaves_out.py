"""The reference model of Knaves Out holds what its rules page says, whatever is played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from kingmaker.search.scenario import Block, read_blocks, run_block

from .knaves_out import Reference
from .knaves_out_cards import CARDS, JOKER, NUM_JOKERS
from .knaves_out_nodes import KEYS, SETUP
from .knaves_out_positions import kind_of, random_position, random_state, random_token
from .knaves_out_prices import ROWS
from .knaves_out_state import MARKS

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "knaves_out.md"
BLOCKS = read_blocks(PAGE)
WHOLE_DECK = Counter([*CARDS, *[JOKER] * NUM_JOKERS])
MAX_NODES = 250
VARIANTS = [
    {},
    {"players": "3", "max_turns": "9", "kings": "fixed"},
    {"players": "3", "max_turns": "12", "limit_result": "rank", "start_court": "on"},
    {"players": "4", "layout": "place", "direction": "ccw", "start_court": "on", "fuel": "on"},
    {"players": "6", "start_court": "on", "start_jokers": "on", "aos": "off", "first": "p5"},
    {"players": "8", "layout": "place", "each": "present", "friendly_fire": "off"},
    {"start_court": "on", "start_jokers": "on", "fuel": "on", "aos": "devour", "kings": "fixed"},
    {"each": "present", "two_towers": "off", "max_turns": "30"},
]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: str(block.number))
def test_the_worked_example_holds(block: Block) -> None:
    failed = [result for result in run_block(block, Reference) if not result.has_passed]
    assert not failed, "".join(f"\n{result}\n    {result.line}" for result in failed)


def check(now: Reference) -> None:
    """Check what holds at every node."""
    line = now.text()
    assert Reference.parse(line).text() == line
    for seat in {0, 1, now.state.active, now.state.options.players}:
        assert Reference.parse_observation(now.observe(seat)) == now.observe(seat)
    for player in now.state.players.values():
        assert Counter([*player.hand, *player.deck(), *player.open_cards()]) == WHOLE_DECK
    moves, outcomes = now.legal(), now.chance()
    assert len(set(moves)) == len(moves)
    if now.node() == "end":
        assert sum(now.returns()) == 1
    elif now.node() == "chance":
        assert sum(outcomes.values()) == 1
        assert not moves
    else:
        assert moves
        assert not outcomes


def play(now: Reference, rng: random.Random, num_nodes: int) -> Iterator[Reference]:
    """Play at random, from this node on."""
    for _ in range(num_nodes):
        yield now
        if now.node() == "end":
            return
        now = now.apply(random_token(now, rng))


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_node_of_a_random_game_is_valid(options: dict[str, str]) -> None:
    for now in play(Reference.new(options), random.Random(str(options)), MAX_NODES):
        check(now)


@pytest.mark.parametrize("limit_result", ["draw", "rank"])
def test_a_game_ends_at_the_turn_limit(limit_result: str) -> None:
    options = {"players": "3", "max_turns": "7", "limit_result": limit_result}
    *_, last = play(Reference.new(options), random.Random(limit_result), 10**5)
    assert last.node() == "end"
    assert last.state.turn == 7


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 9))
def test_play_from_random_positions_stays_valid(players: int) -> None:
    rng = random.Random(players)
    for _ in range(12):
        for now in play(Reference.parse(random_position(rng, players)), rng, 8):
            check(now)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: str(block.number))
def test_play_from_the_worked_examples_stays_valid(block: Block) -> None:
    rng = random.Random(block.number)
    for line in block.lines:
        verb, _, position = line.text.partition(" ")
        if verb in ("given", "at"):
            for now in play(Reference.parse(position), rng, 8):
                check(now)


@pytest.mark.slow
def test_every_action_leads_to_valid_positions() -> None:
    """Every kind of move of many positions is made once."""
    rng = random.Random(1)
    kinds: set[str] = set()
    for index in range(350):
        now = Reference(random_state(rng, 2 + index % 7))
        moves = {kind_of(move): move for move in rng.sample(now.legal(), len(now.legal()))}
        kinds |= moves.keys()
        for after in (now.apply(move) for move in moves.values()):
            assert Reference.parse(after.text()).text() == after.text()
    assert {kind for kind in kinds if kind.startswith("act:")} == {f"act:{code}" for code in ROWS}


@pytest.mark.slow
def test_random_positions_have_all_nodes_and_marks() -> None:
    rng = random.Random(1)
    nodes: set[str] = set(SETUP)
    marks: set[str] = set()
    for index in range(700):
        for now in play(Reference.parse(random_position(rng, 2 + index % 4)), rng, 4):
            node = now.state.node
            nodes.add(f"{node.name}:{node['k']}" if "k" in node.context else node.name)
            for player in now.state.players.values():
                marks |= player.marks
    assert nodes == {*KEYS, "end"}
    assert marks == set(MARKS)
