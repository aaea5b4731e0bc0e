"""Random games of Goofspiel go as in OpenSpiel, see section 7 of the rules page."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

import pytest

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.search.position import CHANCE, TERMINAL

pyspiel: Any = pytest.importorskip("pyspiel")

ORDERS = ("random", "ascending", "descending")
GAMES_EACH = 34  # 1,020 in all
VARIANTS = [(cards, order) for cards, order in product(range(4, 14), ORDERS)]


def peer_game(cards: int, order: str) -> Any:
    return pyspiel.load_game("goofspiel", {"num_cards": cards, "points_order": order})


def facts_of_peer(peer: Any) -> dict[str, list[int]]:
    """Hands, points and the point card turned up last, as OpenSpiel prints them."""
    text = str(peer)
    found = {
        "hands": re.findall(r"^P[01] hand: (.*)$", text, re.MULTILINE),
        "points": re.findall(r"^Points: (.*)$", text, re.MULTILINE),
        "turned up": re.findall(r"^Point card sequence: (.*)$", text, re.MULTILINE),
    }
    return {
        name: [int(number) for line in lines for number in line.split()]
        for name, lines in found.items()
    }


def assert_same(game: Game, state: bytes, peer: Any) -> None:
    """Compare a state between two rounds, or after a prize has been turned up."""
    view, facts = game.view(state), facts_of_peer(peer)
    assert [card for hand in view["hands"] for card in hand["cards"]] == facts["hands"]
    assert view["points"] == facts["points"]
    if view["prize"]:
        assert view["prize"] == facts["turned up"][-1]
    if game.node_of(state) == TERMINAL:
        assert peer.is_terminal()
        assert game.returns_of(state) == [(value + 1) / 2 for value in peer.returns()]
    elif game.node_of(state) == CHANCE:
        prizes = {game.move_text(move): chance for move, chance in game.outcomes_of(state)}
        assert peer.is_chance_node()
        assert prizes == pytest.approx(
            {f"prize:{action + 1}": chance for action, chance in peer.chance_outcomes()}
        )
    else:
        assert peer.is_simultaneous_node()


def bid(game: Game, state: bytes, peer: Any, rng: random.Random) -> int:
    """Choose a bid for the deciding seat, which has the same ones in both."""
    moves = game.moves_of(state)
    assert moves == [action + 1 for action in peer.legal_actions(game.node_of(state))]
    return rng.choice(moves)


def play_beside(game: Game, peer: Any, rng: random.Random) -> None:
    state = game.start_state()
    assert_same(game, state, peer)
    while game.node_of(state) != TERMINAL:
        if game.node_of(state) == CHANCE:
            prize = rng.choice(game.outcomes_of(state))[0]
            peer.apply_action(int(game.move_text(prize).removeprefix("prize:")) - 1)
            state = game.after(state, prize)
        else:
            first = bid(game, state, peer, rng)
            state = game.after(state, first)
            second = bid(game, state, peer, rng)
            state = game.after(state, second)
            peer.apply_actions([first - 1, second - 1])
            state = game.after(state, game.outcomes_of(state)[0][0])
        assert_same(game, state, peer)


@pytest.mark.parametrize(("cards", "order"), VARIANTS)
def test_random_games_go_as_in_open_spiel(cards: int, order: str) -> None:
    game = GAMES["goofspiel"](cards=str(cards), order=order)
    rules = peer_game(cards, order)
    for seed in range(GAMES_EACH):
        play_beside(game, rules.new_initial_state(), random.Random(seed))
