"""Features and numbered actions of Chessault."""

from __future__ import annotations

import re

import pytest

from kingmaker.cext.games.chessault import Chessault
from tests.random_play import TERMINAL, VARIANTS, Variant, steps_of

CHESSAULT = [variant for variant in VARIANTS if variant.name == "chessault"]
SUPPLY = "Q2R2B2N2P8"
FIGURES = r"[a-zA-Z][+*~]?-?\.?|[0-9]"  # of a row


def held(line: str, seat: int, owner: str = "") -> set[str]:
    """Return the names of the features that hold, of one owner, without the owner's name."""
    game, state = Chessault.parse_position(line)
    names = [game.feature_names[index] for index in game.features_of(state, seat)]
    return {name.removeprefix(owner) for name in names if name.startswith(owner)}


def test_the_evaluation_s_terms_and_more_are_seen_from_the_own_side() -> None:
    line = (  # White's rook and knight attack the king that holds protect; Black is on the line
        "chs 3r4/8/6p1/3k+4/8/4N3/8/3R3P/K+7/8 p1 5 2 move:nr p1p2 12/1 -/- "
        "Q2R1B2N1P7/q2r1b2n2p7 -/- p3x3c3 - m1k0r0s0"
    )
    assert held(line, 0, "own: ") == {
        *("pawn on h2", "knight on e4", "rook on d2", "king on a1"),
        *("king holds protect", "holders of protect: 1 or more"),
        *(f"credits: {number} or more" for number in (*range(1, 10), 12)),
        *("turn, at move", "actions left: 1 or more", "actions left: 2 or more"),
        *("income of the turn: 1 or more", "rolled a knight", "rolled a rook"),
        *("can move a pawn", "can move a knight", "can move a rook", "can move a king"),
        *("rook attacks the king's protect", "knight attacks the king's protect"),
        *("figures that attack the king: 1 or more", "figures that attack the king: 2 or more"),
        # One takes the token with this roll, the other needs its type, 91/216, in the next one.
        *("roll takes the king's protect", "chance to kill the king: above 0"),
        *(f"chance to kill the king, eighths: {number} or more" for number in (1, 2, 3)),
        "squares open to the king: 3 or fewer",
    }
    assert held(line, 0, "rival: ") == {
        *("pawn on g7", "king on d6", "rook on the line, file d"),
        *("king holds protect", "holders of protect: 1 or more", "credits: 1 or more"),
        *("can move a pawn", "can move a rook", "can move a king"),
    }
    # For Black rows count from row 8; its king stands on file d, so that nothing is mirrored.
    assert held(line, 1, "own: ") == held(line, 0, "rival: ") - {
        *("pawn on g7", "king on d6"),
    } | {"pawn on g2", "king on d3"}


def test_marks_and_dead_figures_and_the_end_of_a_turn_are_features() -> None:
    line = (  # Black's rook escaped a mark and may exchange its token; one mark is still open
        "chs 8/7k+/8/2r+1q3/8/2N1N3/8/8/K+7/8 p2 6 e keep:c6:c p1p2 2/2 -/- "
        "Q2R2B2P8/q1r1b2n2p8 -/- p2x3c2 e4>e6 m0k0r0s0"
    )
    assert {"queen marked, converter apart", "turn, at keep", "turn, at its end"} <= held(
        line, 1, "own: "
    )
    assert {"is offered convert"} == {
        name for name in held(line, 1, "own: ") if name.startswith("is offered")
    }
    assert not any("actions left" in name for name in held(line, 1))
    line = line.replace("r1b2n2p8 -/- ", "b2n2p8 -/r1 ")
    assert {"no rooks in stock", "dead rooks: 1 or more"} <= held(line, 1, "own: ")
    assert {"no rooks in stock", "dead rooks: 1 or more"} <= held(line, 0, "rival: ")


def test_the_probability_to_kill_the_king_is_a_thermometer() -> None:
    """One type of three rolls on a king without protect: 1 - (125/216)^3, 6.4 eighths."""
    line = (
        "chs 8/3k4/8/8/8/8/8/3R4/K+7/8 p1 5 1 action p1p2 0/0 -/- "
        f"Q2R1B2N2P8/{SUPPLY.lower()} -/- p4x3c3 - m0k0r0s0"
    )
    chance = "chance to kill the king"
    wanted = {f"{chance}: above 0", *(f"{chance}, eighths: {n} or more" for n in range(1, 7))}
    for seat, owner in enumerate(("own: ", "rival: ")):
        assert {name for name in held(line, seat, owner) if chance in name} == wanted
    assert not any(chance in name for name in held(line, 0, "rival: "))


@pytest.mark.parametrize("variant", CHESSAULT, ids=str)
def test_both_sides_have_the_same_features_in_the_same_situation(variant: Variant) -> None:
    game = variant.new()
    for step in steps_of(variant):
        if game.node_of(step.state) == TERMINAL:
            continue
        exchanged = at(exchange_sides(game.text(step.state)))
        for seat in range(2):
            assert game.features_of(exchanged, 1 - seat) == game.features_of(step.state, seat)


@pytest.mark.parametrize("variant", CHESSAULT, ids=str)
def test_left_and_right_make_no_difference(variant: Variant) -> None:
    game = variant.new()
    num_mirrored = 0
    for step in steps_of(variant):
        line = game.text(step.state)
        for seat in range(2):
            if ("k", "K")[seat == 0] not in line.split()[1]:
                continue  # nothing tells which side is the left one before the king is placed
            num_mirrored += 1
            mirrored = at(mirror(line))
            assert game.features_of(mirrored, seat) == game.features_of(step.state, seat)
    assert num_mirrored > 100


def test_every_number_has_one_move_that_has_this_number() -> None:
    game = Chessault()
    moves = [game.move_at(index) for index in range(game.num_actions)]
    assert [game.index_of(move) for move in moves] == list(range(game.num_actions))
    tokens = [game.move_text(move) for move in moves]
    assert len(set(tokens)) == len(tokens)
    # A queen and a knight on 64 squares have 1456 and 336 destinations, a king has 420; from the
    # line each quarter has 38.
    verbs = [token.partition(":")[0] for token in tokens]
    assert [(verb, verbs.count(verb)) for verb in dict.fromkeys(verbs)] == [
        *(("deploy", 6), ("buy", 5), ("done", 1), ("place", 80), ("sacrifice", 80), ("roll", 1)),
        *(("pass", 1), ("recruit", 5), ("resurrect", 5), ("king", 420)),
        *(("move", 1456 + 336 + 4 * 38), ("promote", 4), ("keep", 3), ("hold", 1)),
        *(("explode", 1), ("convert", 64)),
    ]


# --- lines seen from the other side ---------------------------------------------------------------


def at(line: str) -> bytes:
    _, state = Chessault.parse_position(line)
    return state


def exchange_sides(line: str) -> str:
    """Give White's situation to Black and the reverse; the turn is one later."""
    fields = line.split()
    fields[1] = "/".join(reversed(fields[1].split("/"))).swapcase()
    fields[2] = other(fields[2])
    if fields[3] != "0":
        fields[3] = str(int(fields[3]) + 1)
    fields[5] = re.sub(r"(?<=[a-h])[0-9]", lambda row: str(9 - int(row[0])), fields[5])
    fields[6] = other(fields[6]) if len(fields[6]) == 2 else fields[6]
    for index in (7, 8, 9, 10):
        fields[index] = "/".join(reversed(fields[index].split("/"))).swapcase()
    fields[12] = re.sub(r"(?<=[a-h])[0-9]", lambda row: str(9 - int(row[0])), fields[12])
    return " ".join(fields)


def other(seats: str) -> str:
    return {"p1": "p2", "p2": "p1"}[seats]


def mirror(line: str) -> str:
    """Exchange left and right."""
    fields = line.split()
    fields[1] = "/".join(
        "".join(reversed(re.findall(FIGURES, row))) for row in fields[1].split("/")
    )
    for index in (5, 12):
        fields[index] = re.sub(
            r"[a-h](?=[0-9])", lambda file: "hgfedcba"["abcdefgh".index(file[0])], fields[index]
        )
    return " ".join(fields)
