"""The positions to search: the same in every run, and for the peer."""

from __future__ import annotations

import numpy as np

from kingmaker.search.position import Position, new_game, parse_position

NUM_POSITIONS = 8


def kingdom_coinquest_middle(num_seats: int) -> Position:
    """Return a decision of the 30th turn or so of a game by the playout policy."""
    return _middle("kingdom_coinquest", num_seats, 100)


def code_of_chivalry_middle(num_seats: int) -> Position:
    """Return a decision with much to choose from, early in a game by the playout policy."""
    return _middle("code_of_chivalry", num_seats, 16, min_moves=5)


def knights_duty_middle(num_seats: int) -> Position:
    """Return a programming decision in an early turn, with tokens that lie face down."""
    return _middle("knights_duty", num_seats, 10 + 6 * num_seats, min_moves=5)


def knaves_out_middle(num_seats: int) -> Position:
    """Return a decision with much to choose from in the middle of a game by the playout policy."""
    return _middle("knaves_out", num_seats, 60 * num_seats, min_moves=15)


def knaves_out_turns() -> list[Position]:
    """Return beginnings of turns of two seats with soldiers, in games by the policy still open."""
    deal, moves = np.random.SFC64(1), np.random.SFC64(2)
    found: list[Position] = []
    while len(found) < NUM_POSITIONS:
        position, _ = new_game("knaves_out", {"players": 2}).settle(deal)
        turn = 0
        while not position.is_terminal:
            has_drawn = position.legal_moves()[-1] == "end_turn"
            if has_drawn and turn != position.view["turn"]:
                turn = position.view["turn"]
                if _is_open(position):
                    found.append(position)
                    break
            token = position.game.move_text(position.game.policy_move(position.state, moves))
            position, _ = position.apply(token).settle(deal)
    return found[:NUM_POSITIONS]


def _is_open(position: Position) -> bool:
    """Tell whether each player of Knaves Out has a soldier, and chances to win."""
    soldiers = [
        sum(piece["kind"] in ("pawn", "unpawn") for piece in player["pieces"])
        for player in position.view["players"]
    ]
    return min(soldiers) >= 1 and min(position.game.evaluation_of(position.state)) > 0.3


def chessault_middle() -> Position:
    """Return an action in the middle of a game, with abilities, a mark and a fresh recruit."""
    return parse_position(
        "chessault",
        "chs nb1r1pq1/p5pk+/3n~2bp/3r2p1/1p2Q+3/4R*3/1P3pP1/5N2/B1K~P2PR/P1PP1B2 p1 37 1 action "
        "p1p2 7/8 -/- Q1P1/q1 N1/p1 p3x2c0 d6>e5 m0k0r0s0",
    )


def _middle(game: str, num_seats: int, num_decisions: int, min_moves: int = 1) -> Position:
    """Return a decision of the first game by the playout policy with this length."""
    deal, moves = np.random.SFC64(1), np.random.SFC64(2)
    while True:
        position, _ = new_game(game, {"players": num_seats}).settle(deal)
        made = 0
        while not position.is_terminal:
            if made >= num_decisions and len(position.legal_moves()) >= min_moves:
                return position
            token = position.game.move_text(position.game.policy_move(position.state, moves))
            position, _ = position.apply(token).settle(deal)
            made += 1


Decision = tuple[list[str], Position]
"""A position at which a seat decides, after the tokens that lead there."""


def leduc_decisions() -> list[Decision]:
    """Return the first decisions of random games."""
    stream = np.random.SFC64(1)
    found: list[Decision] = []
    while len(found) < NUM_POSITIONS:
        found += _random_game("leduc_poker", stream)
    return found[:NUM_POSITIONS]


def hearts_decisions() -> list[Decision]:
    """Return plays of one random game, evenly spread over its tricks, where there is a choice."""
    plays = [
        (tokens, position)
        for tokens, position in _random_game("hearts", np.random.SFC64(1))
        if position.legal_moves()[0].startswith("play:") and len(position.legal_moves()) > 1
    ]
    return [plays[i * len(plays) // NUM_POSITIONS] for i in range(NUM_POSITIONS)]


def _random_game(name: str, stream: np.random.BitGenerator) -> list[Decision]:
    """Play a game by the playout policy and return all its decisions."""
    found: list[Decision] = []
    position, tokens = new_game(name).settle(stream)
    while not position.is_terminal:
        found.append((list(tokens), position))
        tokens.append(position.game.move_text(position.game.policy_move(position.state, stream)))
        position, drawn = position.apply(tokens[-1]).settle(stream)
        tokens += drawn
    return found
