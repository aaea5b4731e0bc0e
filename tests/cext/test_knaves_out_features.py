"""Features and numbered actions of Knaves Out; the rules are docs/rules/knaves_out.md."""

from __future__ import annotations

import re

import pytest

from kingmaker.cext.games import GAMES
from tests.random_play import TERMINAL, Variant, steps_of

TWO_SEATS = Variant("knaves_out", {"players": "2"})
SQUARE = re.compile(r"(?<!\.r)[12][a-h][1-8]")  # not the checkers of one of the Two Towers
COURT = "jd=ac2s:qh=ah2d:kd=as2h3c:-"
WORLD = "ko 0,0/8,0 t=7;f=p1;a=p1"


def held(line: str, seat: int, owner: str = "") -> set[str]:
    """Return the names of the features that hold for a seat (from 1), without the owner's name."""
    game, state = GAMES["knaves_out"].parse_position(line)
    names = [game.feature_names[index] for index in game.features_of(state, seat - 1)]
    return {name.removeprefix(owner) for name in names if name.startswith(owner)}


def levels(text: str, most: int, least: int = 1) -> set[str]:
    return {text.format(number) for number in range(least, most + 1)}


def test_hand_and_deck_are_those_of_the_seat() -> None:
    line = (
        f"{WORLD} main@p1 I=-;D=- p1:+:as3d4ctsjhjo:-:jd=ac2s:-:-:-:K1c4.4:-:-:- "
        "p2:+:3djcqc:-:jd=ac2s:-:-:-:K2f5.4:-:-:-"
    )
    assert held(line, 1, "own hand: ") == {
        *("red three", "red jack", "black ace", "black four", "black ten"),
        *("jack of hearts", "ace of spades", "1 Jokers or more"),
        "1 ranks that fit or more",  # the three
        "1 ranks that soon fit or more",  # the four; a five would also be one
    }
    assert "red three" in held(line, 2, "own hand: ")
    assert "queen of clubs" in held(line, 2, "own hand: ")
    # Nothing of the rival's hand but what its open cards leave: all threes are in hand or deck.
    assert held(line, 1, "rival 1: ranks") == levels(" in hand and deck that fit: {} or more", 1)
    assert held(line, 1, "rival 1: cards in hand") == levels(": {} or more", 3)


def test_court_and_towers() -> None:
    line = (
        f"{WORLD} main@p1 I=-;D=- p1:+:-:-:{COURT}:K1c4.4:-:upper:- "
        f"p2:+:-:-:jd*=ac2s:-:-:-:K2f5.4:-:-:-"
    )
    found = held(line, 1, "own: ")
    assert {"red court", "Knave", "Queen", "King", "mark upper"} <= found
    assert not {"tainted Knave", "Ace of Spades"} & found
    assert levels("on the King: {} cards or more", 3) <= found
    assert levels("cards on each of the court: {} or more", 2) <= found
    assert "cards on each of the court: 3 or more" not in found
    # On top are the black two of spades, a red two and the black three of clubs.
    assert not any("on top of each" in name for name in found)
    rival = held(line, 1, "rival 1: ")
    assert {"Knave", "tainted Knave"} <= rival
    assert not any("court" in name and "cards" not in name for name in rival)


def test_soldiers_and_buildings_near_a_king() -> None:
    """Each checker is a point, and so is the piece; a seat's board shows what stands there."""
    line = (
        f"{WORLD} main@p1 I=-;D=- "
        "p1:+:-:-:jd=:-:-:-:K1c4.4,R1c5.2,P2e5.2/a,P2e6.0:-:-:- "
        "p2:+:-:-:jd=:-:-:-:p1a1.0,K2f5.3,P2f6.1:-:-:-"
    )
    own, rival = held(line, 1, "own: "), held(line, 1, "rival 1: ")
    points = "points of soldiers within 1 of an enemy king: {} or more"
    assert levels(points, 4) <= own
    assert points.format(6) not in own
    ready = "points of soldiers beside an enemy king that have not attacked: {} or more"
    assert {name for name in own if name.startswith(ready[:30])} == levels(ready, 1)
    assert levels("points of other soldiers beside the king: {} or more", 4) <= rival
    assert {name for name in rival if "near the king" in name} == levels(
        "points of own soldiers near the king: {} or more", 2
    )
    assert levels("pawns: {} or more", 2) <= own
    assert {"pawns: 1 or more", "unpawns: 1 or more"} <= rival
    assert levels("king: {} points or more", 4) <= rival
    assert "king: 5 points or more" not in rival
    assert {"rook", "checkers under other buildings: 2 or more"} <= own
    assert {name for name in own if name.startswith("board")} == {
        "board: building other than a king on c5",
        "board: soldier of a rival on a1",
    }
    assert {name for name in rival if name.startswith("board")} == {
        "board: soldier of the own seat on e5",
        "board: soldier of the own seat on e6",
        "board: soldier of a rival on f6",
    }


def test_a_roll_under_way() -> None:
    """Four dice are rolled; of 2 and 5 one hits."""
    line = f"{WORLD} main@p1 I=-;D=- p1:+:-:-:jd=:-:-:-:K1c4.4,P2e5.3:-:-:- "
    line += "p2:+:-:-:jd=:-:-:-:K2f5.3:-:-:-"
    game, state = GAMES["knaves_out"].parse_position(line)
    for token in ("attack:2e5-2f5", "die:2", "die:5"):
        state = game.after(state, game.parse_move(token))
    rolling = game.text(state)
    common = {"rolls: pawn", "is rolled at: king", "node: the roll of a die", "hits: 1 or more"}
    assert common | levels("dice to come: {} or more", 2) <= held(rolling, 1)
    assert "dice to come: 3 or more" not in held(rolling, 1)
    assert "an own piece rolls" in held(rolling, 1)
    assert "an own piece is rolled at" not in held(rolling, 1)
    assert "an own piece is rolled at" in held(rolling, 2)


def test_rivals_are_in_seating_order_and_the_dead_have_no_turn() -> None:
    line = "ko;direction=ccw 0,0/8,0/4,8 t=7;f=p1;a=p3 main@p3 I=-;D=- "
    line += "p1:+:-:-:-:-:-:-:K1c4.4:-:upper:- p2:x:-:-:-:-:-:-:-:-:-:- "
    line += "p3:+:-:-:-:-:-:-:K3c4.4:-:feast:-"
    assert "seats before the own turn: 1" in held(line, 1)  # seat 2 would be between them
    assert {"alive", "mark feast", "on turn"} <= held(line, 1, "rival 1: ")
    assert "alive" not in held(line, 1, "rival 2: ")
    assert {"alive", "mark upper"} <= held(line, 3, "rival 2: ")


def test_both_seats_have_the_same_features_in_the_same_situation() -> None:
    """A world of two seats looks the same when it is turned by 180 degrees."""
    game = TWO_SEATS.new()
    for step in steps_of(TWO_SEATS):
        if game.node_of(step.state) == TERMINAL:
            continue
        line = game.text(step.state)
        _, turned = GAMES["knaves_out"].parse_position(exchange_seats(line))
        for seat in range(2):
            if "K" not in line.split(" ")[5 + seat].upper():
                continue  # nothing tells which side is the upper one before the king is placed
            assert game.features_of(turned, 1 - seat) == game.features_of(step.state, seat)


@pytest.mark.parametrize(
    "options",
    [{}, {"players": "3", "start_court": "on"}, {"players": "3", "layout": "place"}],
    ids=str,
)
def test_every_number_has_one_move_that_has_this_number(options: dict[str, str]) -> None:
    game = GAMES["knaves_out"](**options)
    moves = [game.move_at(index) for index in range(game.num_actions)]
    assert [game.index_of(move) for move in moves] == list(range(game.num_actions))
    tokens = [game.move_text(move) for move in moves]
    assert len(set(tokens)) == len(tokens)
    assert [game.parse_move(token) for token in tokens] == moves


def test_moves_are_numbered_by_verb() -> None:
    game = GAMES["knaves_out"]()
    moves = [game.move_text(game.move_at(index)) for index in range(game.num_actions)]
    verbs = [move.partition(":")[0] for move in moves]
    # Two boards side by side have 2 * 420 pairs of adjacent squares, and 22 * 2 across the edge.
    pairs = 2 * 420 + 2 * 22
    assert [(verb, verbs.count(verb)) for verb in dict.fromkeys(verbs)] == [
        *(("king", 128), ("court", 52), ("under", 4), ("fuel", 208), ("shuffle", 1), ("keep", 1)),
        *(("play", 208), ("joker", 208), ("act", 2119), ("move", pairs), ("sail", 128)),
        *(("land", 10), ("attack", pairs), ("last", pairs), ("ivory", 1), ("dark", 2)),
        *(("end_turn", 1), ("waive", 4), ("find", 208), ("skip", 1), ("at", 128), ("on", 128)),
        *(("step", 128), ("stop", 1), ("red", 11), ("from", 128), ("insight", 128), ("pass", 1)),
        *(("parlay", 1), ("reroll", 6), ("redir", 128), ("take", 1), ("discard_hand", 1)),
        ("keep_hand", 1),
    ]


# --- lines seen from the other side ---------------------------------------------------------------


def exchange_seats(line: str) -> str:
    """Give each seat the situation of the other one, on boards turned by 180 degrees."""
    head, (first, second) = line.split(" ")[:-2], line.split(" ")[-2:]
    head[2:] = [turned(swapped(field)) for field in head[2:]]
    return " ".join([*head, exchanged(second), exchanged(first)])


def exchanged(player: str) -> str:
    fields = player.split(":")
    fields[0] = swapped(fields[0])
    pieces = [] if fields[8] == "-" else [turned(piece) for piece in fields[8].split(",")]
    fields[8] = ",".join(sorted(pieces, key=lambda piece: SQUARE.findall(piece))) or "-"
    fields[10] = turned(swapped(fields[10]))
    return ":".join(fields)


def swapped(text: str) -> str:
    """Exchange the seats; `s=p1` is a pawn with a checker that lands."""
    return re.sub("(?<!s=)p[12]", lambda seat: "p2" if seat[0] == "p1" else "p1", text)


def turned(text: str) -> str:
    def square(match: re.Match[str]) -> str:
        board, file, row = [*match[0]]
        return f"{3 - int(board)}{'hgfedcba'['abcdefgh'.index(file)]}{9 - int(row)}"

    return SQUARE.sub(square, text)
