"""Lines of Kingdom Coinquest for its tests: completing them, playing on from them."""

from __future__ import annotations

import re

from kingmaker.cext.games.kingdom_coinquest import KingdomCoinquest

CARDS = [rank + suit for suit in "hsdc" for rank in "a23456789tjq"]
CARD = re.compile(r"(?<![a-z0-9])[a2-9tjq][hsdc](?![a-z0-9])")


def filled(line: str) -> str:
    """Put the right number in the place of `forge=*`: the cards that the line does not name."""
    return line.replace("forge=*", f"forge={48 - len(CARD.findall(line)) - line.count('?')}")


def graveyard(line: str, forge: str) -> str:
    """Complete a line that ends in `grave=`: every card but those of `forge` goes there."""
    gone = {*CARD.findall(line), *forge.split()}
    return line + ",".join(card for card in CARDS if card not in gone)


def at(line: str) -> tuple[KingdomCoinquest, bytes]:
    return KingdomCoinquest.parse_position(filled(line))


def legal(line: str) -> list[str]:
    game, state = at(line)
    return [game.move_text(move) for move in game.moves_of(state)]


def after(line: str, *tokens: str) -> str:
    """The position after these moves and outcomes, each of which must be possible."""
    game, state = at(line)
    for token in tokens:
        move = game.parse_move(token)
        outcomes = [outcome for outcome, _ in game.outcomes_of(state)]
        assert move in game.moves_of(state) + outcomes, token
        state = game.after(state, move)
    return game.text(state)


def player(line: str, seat: int) -> str:
    """The part of one player of a line."""
    return line.split(" ")[3 + seat].partition("=")[2]


def grave(line: str) -> str:
    return line.partition("grave=")[2]


IDLE_P2 = "p2=s/20/-/-/-/-/-/-"
MID_GAME = (
    "kc turn=31 epoch=0 node=play:p1 p1=h/20/th,3s,5d/-/-/-/9c+jh/- p2=s/4/as/-/6s:1/4h+4d/-/- "
    "forge=* grave=7d,qd"
)
