"""Facts of Chessault for the tests that run over every game."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations

from kingmaker.cext.game import Game
from tests.facts.facts import CARD_COPIES, Facts
from tests.reference.chessault_board import FIELDS, SUPPLIES
from tests.reference.chessault_positions import random_position

FIGURE = re.compile(r"[a-zA-Z][+*~]?-?\.?|.")

# Positions of Chessault, and how many sequences of length 0, 1, 2 ... end at a decision, at chance
# and at the end. By hand, at the start: 3 deployments and 4 purchases on 16 squares, for White and
# then for Black. In the opening: a roll and 5 recruits; then 8 outcomes for three movable types, 8
# squares for each recruit, and 1 sacrifice for a queen (docs/rules/chessault.md, R4, R6, R12).
COUNTED_KINDS: dict[str, tuple[str, list[tuple[int, int, int]]]] = {
    "start": (
        "chs 8/8/8/8/8/8/8/8/8/8 p1 0 0 setup - 9/9 K1Q1P2/k1q1p2 Q1R2B2N2P6/q1r2b2n2p6 -/- "
        "p5x3c3 - m0k0r0s0",
        [(1, 0, 0), (7, 0, 0), (112, 0, 0), (784, 0, 0), (12544, 0, 0)],
    ),
    "setup, queen for a sacrifice": (
        "chs 8/3qk+3/3p-p-3/8/8/8/8/3P-4/2NQK+3/8 p1 0 0 setup p2 8/7 P1/- Q1R2B2N1P6/q1r2b2n2p6 "
        "-/- p3x3c3 - m0k0r0s0",
        [(1, 0, 0), (6, 0, 0), (62, 0, 0), (326, 0, 0), (3064, 12, 0)],
    ),
    "opening": (
        "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p1 1 1 action p1p2 9/0 -/- "
        "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0",
        [(1, 0, 0), (5, 1, 0), (41, 0, 0), (189, 33, 0), (1555, 56, 0)],
    ),
    "middle game, abilities and marks": (
        "chs nb1r1pq1/p5pk+/3n~2bp/3r2p1/1p2Q+3/4R*3/1P3pP1/5N2/B1K~P2PR/P1PP1B2 p1 37 3 action "
        "p1p2 7/8 -/- Q1P1/q1 N1/p1 p3x2c0 d6>e5 m1k1r0s0",
        [(1, 0, 0), (3, 1, 0), (52, 1, 0), (808, 5, 0), (1793, 430, 0)],
    ),
    "tactics, explode and convert": (
        "chs 1n4p1/k+2q1r2/3p1b*2/8/2r1N~3/4R*3/8/3P-2Q1/2K+5/1P3N2 p1 7 2 move:nrq p1p2 4/3 -/- "
        "Q1R1B2P5/q1b1n1p5 P1/p1 p3x1c2 - m1k0r0s0",
        [(1, 0, 0), (34, 0, 0), (179, 22, 0), (1271, 132, 0), (14800, 544, 0)],
    ),
    "end of turn, three marks": (
        "chs n7/3p-3k/4N3/8/8/1r+6/2B1q*3/3P4/6K+1/2P5 p2 8 3 move:prqk p1p2 2/1 -/- "
        "Q2R2B1N1P6/q1r1b2n1p7 -/- p3x2c0 x>h8,e7>d8,c3>b4 m1k0r0s0",
        [(1, 0, 0), (41, 0, 0), (152, 3, 0), (765, 85, 0), (6905, 478, 29)],
    ),
    "check, line full": (
        "chs 8/3r2k+1/8/8/3R4/8/2p5/3K4/3N4/PPPPBPPP p1 9 2 action p1p2 9/4 -/- "
        "Q2B1N1P1/q2r1b2n2p7 R1/- p4x3c3 - m1k0r0s0",
        [(1, 0, 0), (9, 1, 0), (49, 8, 0), (611, 15, 0), (6095, 437, 0)],
    ),
    "double supply": (
        "chs;supply=double;max_turns=60 "
        "pppbn3/1pq2r2/1k+2p3/5Q2/1b6/8/P3K+3/1B3NP-1/P-PP-4P-/PPPBP3 p2 16 1 action p1p2 3/8 "
        "-/- Q1R4B2N3P6/q1r3b2n3p10 -/p1 p3x3c3 - m0k0r0s0",
        [(1, 0, 0), (6, 1, 0), (62, 1, 0), (786, 12, 0), (5560, 697, 0)],
    ),
}
TYPES = [*"pnbrqk"]
SQUARES = [column + row for column in "abcdefgh" for row in "0123456789"]
ROLLS = ["".join(types) for count in (1, 2, 3) for types in combinations(TYPES, count)]


def vary(options: dict[str, str], seed: int) -> dict[str, str]:
    """Vary the supply, unless it is given, and the turn limit; every sixth game has defaults.

    A low limit cuts some games short, since the first turns differ most; a game takes 30 to 90.
    """
    if seed % 6 == 0:
        return options
    rng = random.Random(seed)
    limits = [rng.randint(1, 12), rng.randint(13, 60), 150, 400, 400, 400]
    others = {"supply": rng.choice(["standard", "double"]), "max_turns": str(rng.choice(limits))}
    return others | options


def eager(game: Game, state: bytes) -> list[int]:
    """Return moves of the foremost pawns and moves that use or gain an ability; else all moves."""
    view, moves = game.view(state), game.moves_of(state)
    figures = {figure["square"]: figure for figure in view["figures"]}
    pawns: dict[int, list[int]] = {}
    able = []
    for move in moves:
        chosen = game.move_view(move)
        if chosen["verb"] in ("explode", "convert", "keep", "king"):
            able.append(move)
        elif chosen["verb"] == "move" and figures[chosen["source"]]["type"] == "pawn":
            row = int(chosen["target"][1])
            pawns.setdefault(row if view["active"] == 1 else 9 - row, []).append(move)
        elif chosen["verb"] == "move" and chosen["target"] in FIELDS:
            able.append(move)
    return pawns[max(pawns)] if pawns else able or moves


def change_board(line: str, other: str, rng: random.Random) -> str:
    """Swap two squares of a board of Chessault, or put another figure on one."""
    head, space, rest = line.partition(" ")
    board, *fields = rest.split(" ")
    cells = FIGURE.findall(re.sub("[1-8]", lambda run: "1" * int(run[0]), board))
    squares = [index for index, cell in enumerate(cells) if cell != "/"]
    if len(squares) < 2:
        return line
    first, second = rng.sample(squares, 2)
    if rng.random() < 0.5:
        cells[first], cells[second] = cells[second], cells[first]
    else:
        signs = [rng.choice(choices) for choices in (["", "+", "*", "~"], ["", "-"], ["", "."])]
        cells[first] = rng.choice([*"pnbrqkPNBRQK"]) + "".join(signs)
    board = re.sub("1+", lambda run: str(len(run[0])), "".join(cells))
    return head + space + " ".join([board, *fields])


def count_stock(line: str) -> str:
    """Put the remaining figures and tokens of Chessault into stock and pool."""
    fields = line.split(" ")
    if len(fields) < 14:
        return line
    supply = SUPPLIES["double" if "double" in fields[0] else "standard"]
    used = Counter(fields[1])
    for kind, count in CARD_COPIES.findall(f"{fields[8]} {fields[10]}"):
        used[kind] += int(count or 1)
    if placed := re.match("place:(.)|sacrifice", fields[5]):
        used[(placed[1] or "q").swapcase() if fields[2] == "p1" else placed[1] or "q"] += 1
    stocks = (
        "".join(f"{kind}{n}" for kind in kinds if (n := supply[kind.lower()] - used[kind]) > 0)
        for kinds in ("QRBNP", "qrbnp")
    )
    fields[9] = "/".join(stock or "-" for stock in stocks)
    num_marks = fields[12].count(">")
    fields[11] = f"p{5 - used['+']}x{3 - used['*']}c{3 - used['~'] - num_marks}"
    return " ".join(fields)


FACTS = Facts(
    # Each side deploys one of three types or buys one of four, and sets it on one of 16 squares;
    # then White, who has had a rook, has one purchase fewer, and with a queen on the board may buy
    # a queen but has one deployment fewer; with the king it has only that one fewer
    # (docs/rules/chessault.md, R4.2-R4.5).
    node_counts=[1, 7, 7 * 16, 7 * 16 * 7, (7 * 16) ** 2, (5 * 7 + 2 * 6) * 16 * 7 * 16],
    more_options=({"supply": "double"},),
    playthrough_seeds={"chessault": 4784, "chessault_double": 583},
    vary=vary,
    eager=eager,
    random_position=random_position,
    mutators=(change_board,) * 3,
    repair=count_stock,
    mutation_cost=5,
    num_random_games=4,
    counted_kinds=COUNTED_KINDS,
    is_large=True,
    chance_nodes=(
        "chs 8/rn1qk+3/3p-p-p-2/8/8/8/8/3P-P-3/3QK+3/8 p1 1 1 dice p1p2 9/0 -/- "
        "Q1R2B2N2P6/q1r1b2n1p5 -/- p3x3c3 - m0k0r0s0",
        "chs 8/4k+3/8/8/8/8/8/PN2KRQ1/8/2B5 p1 9 1 dice p1p2 0/0 -/- Q1R1B1N1P7/q2r2b2n2p8 "
        "-/- p4x3c3 - m0k0r0s0",
    ),
    wrong_options=(
        ("supply", "double;max_turns=50", "R2.4"),
        ("max_turns", -1, "R10.7"),
    ),
    grammar=[
        (("done", "roll", "pass", "hold", "explode", "dice:-"),),
        (("deploy:", "buy:", "recruit:", "resurrect:", "promote:"), TYPES),
        (("keep:",), ("protect", "explode", "convert")),
        (("place:", "sacrifice:", "convert:"), SQUARES),
        (("king:", "move:"), SQUARES, "-", SQUARES),
        (("dice:",), ROLLS),
        (("faces:",), TYPES, TYPES, TYPES),
    ],
    least_refusals=(5000, 180),
)
