"""Chessault where the worked examples of its rules page are silent.

Test names and docstrings cite docs/rules/chessault.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import isclose

import pytest
from numpy.random import PCG64

from kingmaker.cext.games.chessault import Chessault
from kingmaker.search.analysis import Budget
from kingmaker.search.position import parse_position
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import analyze
from kingmaker.search.solution import InfeasibleError, Limits, Method
from kingmaker.search.solver import solve
from tests.random_play import CHANCE, TERMINAL, Variant, play, steps_of, varied
from tests.reference.chessault_moves import movable_kinds
from tests.reference.chessault_reading import read_position

TYPES = ("pawn", "knight", "bishop", "rook", "queen", "king")
LETTERS = dict(zip(TYPES, "pnbrqk", strict=True))
SIX_TYPES = (  # 128 legal moves
    "chs 8/1k1pp3/7R/p3Q3/BN4K1/3Q4/3N1BP1/P-1R5/1P-3P-b1/2PPP2P p1 5 1 move:pnbrqk p1p2 0/0 -/- "
    "-/q2r2b1n2p5 -/- p5x3c3 - m0k0r0s0"
)


def at(line: str) -> tuple[Chessault, bytes]:
    game, state = Chessault.parse_position(line)
    assert isinstance(game, Chessault)
    return game, state


def after(line: str, *moves: str) -> str:
    """Return the line after moves and outcomes, each of which must be possible."""
    game, state = at(line)
    for token in moves:
        assert token in legal(game, state) or token in outcomes(game, state)
        state = game.after(state, game.parse_move(token))
    return game.text(state)


def legal(game: Chessault, state: bytes) -> list[str]:
    return [game.move_text(move) for move in game.moves_of(state)]


def outcomes(game: Chessault, state: bytes) -> list[str]:
    return [game.move_text(outcome) for outcome, _ in game.outcomes_of(state)]


def chosen(line: str, seeds: int = 20) -> set[str]:
    """Return what the playout policy does with several seeds."""
    game, state = at(line)
    return {game.move_text(game.policy_move(state, PCG64(seed))) for seed in range(seeds)}


# --- both sides play by the same rules --------------------------------------------------------


def mirrored(line: str) -> str:
    """Exchange White and Black and turn the board upside down; the turn is the next one."""
    fields = line.split(" ")
    tag, board, side, turn, _, node, done, credits, *piles, _, marks, _ = fields
    limit = re.search(r"max_turns=(\d+)", tag)
    most = int(limit[1]) if limit else 400
    fields[0] = re.sub(r";max_turns=\d+", "", tag)
    if most + 1 != 400:
        fields[0] += f";max_turns={most + 1}"
    fields[1] = "/".join(reversed(board.swapcase().split("/")))
    fields[2] = "p2" if side == "p1" else "p1"
    fields[3] = str(int(turn) + 1)
    fields[5] = re.sub("p[12]", other_seat, node) if node[:3] == "end" else upside_down(node)
    assert done == "p1p2"
    fields[7] = "/".join(reversed(credits.split("/")))
    for index, pile in enumerate(piles[:3], 8):
        fields[index] = "/".join(reversed(pile.swapcase().split("/")))
    fields[12] = upside_down(marks)
    return " ".join(fields)


def other_seat(match: re.Match[str]) -> str:
    return "p2" if match[0] == "p1" else "p1"


def upside_down(text: str) -> str:
    """Turn the squares of a move, a node or marks upside down."""
    return re.sub(r"\b([a-h])(\d)\b", lambda found: found[1] + str(9 - int(found[2])), text)


def played_states() -> Iterator[tuple[Chessault, bytes]]:
    """Yield states after the setup from random games of both supplies."""
    for supply in ("standard", "double"):
        variant = Variant("chessault", {"supply": supply})
        game = variant.new()
        assert isinstance(game, Chessault)
        for step in steps_of(variant):
            if game.view(step.state)["turn"] > 0:
                yield game, step.state


def test_black_has_the_mirrored_moves_of_white() -> None:
    """The order of the moves differs, since squares count from White's side (R13.6)."""
    for game, state in played_states():
        other, reflection = at(mirrored(game.text(state)))
        assert sorted(map(upside_down, legal(game, state))) == sorted(legal(other, reflection))
        assert outcomes(game, state) == outcomes(other, reflection)


def test_the_mirrored_state_is_worth_as_much_to_the_other_side() -> None:
    for game, state in played_states():
        other, reflection = at(mirrored(game.text(state)))
        white, black = game.evaluation_of(state)
        assert isclose(white + black, 1)
        assert [black, white] == pytest.approx(other.evaluation_of(reflection))


# --- legal moves and dice ---------------------------------------------------------------------


def test_the_dice_show_the_types_that_can_move() -> None:
    """R6.1, R12.1: M is found on whole boards, the moves one figure at a time."""
    num_nodes = 0
    for game, state in played_states():
        if game.node_of(state) != CHANCE:
            continue
        shown = {t for o, _ in game.outcomes_of(state) for t in game.move_view(o)["types"]}
        movable = movable_kinds(read_position(game.text(state)))
        assert shown == {kind for kind in TYPES if LETTERS[kind] in movable}
        num_nodes += 1
        for outcome, _ in game.outcomes_of(state):
            rolled = game.move_view(outcome)["types"]
            node = game.after(state, outcome)
            if rolled:
                assert moved_types(game, node) == set(rolled)
    assert num_nodes > 50


def moved_types(game: Chessault, state: bytes) -> set[str]:
    figures = {figure["square"]: figure["type"] for figure in game.view(state)["figures"]}
    return {figures[game.move_view(move)["source"]] for move in game.moves_of(state)}


def test_no_move_node_has_more_moves_than_the_game_says() -> None:
    """max_moves sums up what every figure does alone on the board; D50: six types are rolled."""
    line = (
        "chs;supply=double 8/1k+5K/8/3Q4/8/R6R/5Q2/1R4R1/P-1P-1P-1P-1/8 p1 5 1 move:prq p1p2 "
        "0/0 -/- B4N4P12/q2r4b4n4p16 -/- p4x3c3 - m0k0r0s0"
    )
    game, state = at(line)
    every_type = 8 + 2 * 27 + 4 * 14 + 4 * 13 + 4 * 8 + 16 * 4
    assert 90 < len(game.moves_of(state)) <= game.max_moves == every_type
    game, state = at(SIX_TYPES)
    every_type = 8 + 2 * 27 + 2 * 14 + 2 * 13 + 2 * 8 + 8 * 4
    assert 8 * 4 + 2 * 27 + 2 * 14 < len(game.moves_of(state)) <= game.max_moves == every_type


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_every_engine_answers_where_six_types_were_rolled(engine: str) -> None:
    """D50: the most moves at one node in any known line."""
    observation = parse_position("chessault", SIX_TYPES).observe(1)
    found = analyze(observation, engine=engine, budget=Budget(simulations=300))
    assert len(found.moves) == len(observation.legal_moves()) == 128


def test_a_bounce_leaves_a_recruit_on_its_line() -> None:
    """R7.6, R8.2; and the line of that state is read back as it is."""
    line = (
        "chs 8/7k+/8/8/8/8/3r+4/8/7K+/3R4 p1 5 1 move:r p1p2 0/2 -/- "
        "Q2R1B2N2P8/q2r1b2n2p8 -/- p2x3c3 - m0k0r0s0"
    )
    found = after(line, "move:d0-d3")
    assert found.split(" ")[1] == "8/7k+/8/8/8/8/3r4/8/7K+/3R.4"
    game, state = at(found)
    assert game.text(state) == found
    assert outcomes(game, game.after(state, game.parse_move("roll"))) == ["dice:-", "dice:k"]


# --- rules that the worked examples do not show -----------------------------------------------

FIELDS = {"*": "a1 h1 c3 f3 c6 f6 a8 h8", "~": "b2 g2 d4 e4 d5 e5 b7 g7"}
NAMES = "tag board side turn action node done credits unplaced stock dead pool marks tally"


def position(
    node: str = "action",
    *,
    side: str = "p1",
    action: str = "1",
    credits: str = "3/3",
    dead: str = "-/-",
    marks: str = "-",
    tag: str = "chs",
    **figures: str,
) -> str:
    """Write a line of turn 5 or 6 with these figures; all others are in stock."""
    rows = ["".join(figures.get(f"{file}{row}", "1") for file in "abcdefgh") for row in range(10)]
    board = "/".join(re.sub("1+", lambda run: str(len(run[0])), row) for row in reversed(rows))
    used = Counter(board)
    for kind, count in re.findall(r"([a-zA-Z])(\d)", dead):
        used[kind] += int(count)
    supply = {"q": 2, "r": 2, "b": 2, "n": 2, "p": 8}
    stock = "/".join(
        "".join(f"{kind}{n}" for kind in kinds if (n := supply[kind.lower()] - used[kind])) or "-"
        for kinds in ("QRBNP", "qrbnp")
    )
    pool = f"p{5 - used['+']}x{3 - used['*']}c{3 - used['~'] - marks.count('>')}"
    turn = "5" if side == "p1" else "6"
    line = [tag, board, side, turn, action, node, "p1p2", credits, "-/-", stock, dead, pool, marks]
    return " ".join([*line, "m0k0r0s0"])


def field(line: str, name: str) -> str:
    """Return one of the 14 fields of a line (section 13)."""
    return line.split(" ")[NAMES.split(" ").index(name)]


def row(line: str, number: int) -> str:
    return field(line, "board").split("/")[9 - number]


def possible(line: str, *tokens: str) -> list[str]:
    """Return the legal moves or outcomes after some, each of which must be possible."""
    game, state = at(after(line, *tokens))
    return legal(game, state) or outcomes(game, state)


@pytest.mark.parametrize("side", ["p1", "p2"])
@pytest.mark.parametrize(
    ("square", "sign"),
    [(square, sign) for sign, squares in FIELDS.items() for square in squares.split(" ")],
)
def test_a_field_gives_its_ability_in_the_other_half_alone(
    square: str, sign: str, side: str
) -> None:
    """R2.2, R9.3."""
    start = chr(ord(square[0]) + (1 if square[0] < "e" else -1)) + square[1]
    far = "h5" if square[0] < "e" else "a5"
    king, other = ("K", "k") if side == "p1" else ("k", "K")
    line = position("move:k", side=side, **{start: king, far: other})
    is_other_half = (int(square[1]) > 4) == (side == "p1")
    found = row(after(line, f"move:{start}-{square}"), int(square[1]))
    assert (f"{king}{sign}." if is_other_half else f"{king}.") in found


def test_a_recruit_may_move_in_the_same_turn() -> None:
    """R6.9, R7.1."""
    line = position(credits="3/0", h1="K", a8="k")
    assert "dice:n" in possible(line, "recruit:n", "place:b0", "roll")
    assert possible(line, "recruit:n", "place:b0", "roll", "dice:n") == [
        "move:b0-d1",
        "move:b0-a2",
        "move:b0-c2",
    ]


def test_credits_are_not_there_before_the_end_of_the_turn() -> None:
    """R6.10."""
    line = position("move:n", credits="0/0", c3="N", b5="r", h1="K", h8="k")
    assert possible(line, "move:c3-b5") == ["roll"]


def test_a_full_line_gets_a_queen_for_one_that_stands_there() -> None:
    """R6.6, R6.7."""
    full = {f"{file}0": "B" if file == "e" else "P" for file in "abcdefgh"}
    line = position(credits="9/0", d2="N", h1="K", a8="k", **full)
    assert possible(line) == ["roll", "recruit:q"]
    assert possible(line, "recruit:q") == ["sacrifice:e0"]
    assert possible(line, "recruit:q", "sacrifice:e0") == ["place:e0"]


def test_a_bounce_leaves_a_pawn_fresh() -> None:
    """R7.5, R8.2."""
    line = position("move:p", d2="P-", e3="n+", h1="K", a8="k")
    assert row(after(line, "move:d2-e3"), 2) == "3P-.4"


@pytest.mark.parametrize(("king", "is_check"), [("d6", True), ("e6", False), ("d4", False)])
def test_a_recruit_gives_check_within_its_quarter(king: str, is_check: bool) -> None:
    """R7.8: protect is ignored."""
    line = position(d9="r", a1="k", **{king: "K+"})
    assert any(move.startswith("king:") for move in possible(line)) == is_check


@pytest.mark.parametrize(("marks", "is_check"), [("g5>h4", True), ("x>h4", False)])
def test_a_mark_gives_check_while_its_converter_lives_and_touches(
    marks: str, is_check: bool
) -> None:
    """R7.8: the knight would give none."""
    line = position(marks=marks, g5="n", h4="K", a8="k")
    assert any(move.startswith("king:") for move in possible(line)) == is_check


def test_a_pawn_without_a_figure_to_become_is_dead() -> None:
    """R8.6."""
    line = position("move:p", dead="Q2R2B2N2/-", b7="P", h1="K", h8="k")
    found = after(line, "move:b7-b8")
    assert (row(found, 8), field(found, "node")) == ("7k", "action")
    assert field(found, "dead") == "Q2R2B2N2P1/-"
    assert field(found, "tally") == "m1k0r1s0"


def test_only_an_ability_that_was_kept_can_be_used_after_a_choice() -> None:
    """R9.4, R9.7."""
    line = position("move:r", b1="R*", b5="n", c6="p", h1="K", h8="k")
    assert possible(line, "move:b1-b5") == ["keep:protect", "keep:explode"]
    assert possible(line, "move:b1-b5", "keep:explode") == ["hold", "explode"]
    assert field(after(line, "move:b1-b5", "keep:protect"), "node") == "action"


def test_any_unmarked_enemy_on_the_board_can_be_marked() -> None:
    """R9.12, R9.2: kings, pawns and protected figures too."""
    figures = {"e3": "k", "c5": "q+", "d5": "p", "e5": "r", "c3": "P", "h1": "K"}
    line = position("move:n", marks="x>e5", b3="N~", **figures)
    assert possible(line, "move:b3-d4") == ["hold", "convert:e3", "convert:c5", "convert:d5"]


def test_figures_on_a_line_cannot_be_marked() -> None:
    """R9.12."""
    line = position("move:r", d2="R~", c9="n", e7="b", h1="K", a1="k")
    assert possible(line, "move:d2-d8") == ["hold", "convert:e7"]


@pytest.mark.parametrize(
    ("node", "side", "token", "marks", "pool"),
    [
        ("move:r", "p2", "move:c5-c6", "c4>c6", "p5x3c2"),
        ("move:n", "p1", "move:c4-d6", "d6>c5", "p5x3c2"),
        ("move:b", "p2", "move:f7-c4", "x>c5", "p4x3c2"),
        ("move:r", "p1", "move:h5-c5", "-", "p4x3c3"),
    ],
)
def test_a_mark_follows_its_figures_until_one_is_dead(
    node: str, side: str, token: str, marks: str, pool: str
) -> None:
    """R9.13-R9.15: who kills a figure does not inherit its mark."""
    figures = {"c4": "N", "c5": "r", "f7": "b", "h5": "R", "h1": "K", "h8": "k"}
    found = after(position(node, side=side, marks="c4>c5", **figures), token)
    assert (field(found, "marks"), field(found, "pool")) == (marks, pool)


@pytest.mark.parametrize(("square", "marks"), [("d4", "x>d5"), ("d3", "-")])
def test_a_sacrifice_may_end_a_mark(square: str, marks: str) -> None:
    """R6.7, R9.15: of its converter, of its target."""
    pending = "d4>d5" if square == "d4" else "e4>d3"
    line = position(credits="7/0", marks=pending, d4="N", d5="r", d3="B", e4="q", h1="K", h8="k")
    assert field(after(line, "recruit:q", f"sacrifice:{square}"), "marks") == marks


def test_a_turn_resolves_the_marks_on_figures_of_its_player() -> None:
    """R10.4: White's rook stays marked at the end of Black's turn."""
    figures = {"d4": "N", "d5": "r", "g7": "n", "b2": "R", "h1": "K", "h8": "k"}
    line = position("dice", side="p2", action="3", marks="g7>b2,d4>d5", **figures)
    found = after(line, "dice:-")
    assert field(found, "marks") == "g7>b2"
    assert row(found, 5) == "3R4"


@pytest.mark.parametrize(
    ("marks", "left", "credits"),
    [("d4>d5,d4>e5", "d4>e5", "4/3"), ("d4>e5,d4>d5", "-", "5/3")],
)
def test_marks_are_resolved_oldest_first_until_a_king_is_converted(
    marks: str, left: str, credits: str
) -> None:
    """R10.4, R10.5, R11.3."""
    line = position("dice", side="p2", action="3", marks=marks, d4="N", d5="k", e5="r", h1="K")
    found = after(line, "dice:-")
    assert [field(found, name) for name in ("node", "marks", "credits")] == [
        "end:p1",
        left,
        credits,
    ]


def test_a_king_is_converted_before_the_limit_of_turns_makes_a_draw() -> None:
    """R10.7, R11.4."""
    figures = {"d4": "N", "d5": "k", "h1": "K"}
    for marks, node in (("d4>d5", "end:p1"), ("-", "end:draw")):
        line = position(
            "dice", side="p2", action="3", marks=marks, tag="chs;max_turns=6", **figures
        )
        assert field(after(line, "dice:-"), "node") == node


def test_an_escaped_holder_of_convert_leaves_the_token() -> None:
    """R10.6."""
    line = position("dice", side="p2", action="3", marks="x>d5", d5="n~", h1="K", h8="k")
    found = after(line, "dice:-")
    assert (row(found, 5), field(found, "pool")) == ("3n~4", "p5x3c2")
    assert field(found, "node") == "action"


def test_an_explosion_that_kills_no_enemy_gives_nothing() -> None:
    """R9.10, R9.11: a protected enemy loses protect, the own pawn dies."""
    line = position("move:r", b1="R*", b6="n+", a4="P", h1="K", h8="k")
    found = after(line, "move:b1-b5", "explode")
    assert (row(found, 6), row(found, 5), row(found, 4)) == ("1n6", "1R.6", "8")
    assert field(found, "dead") == "P1/-"
    assert field(found, "pool") == "p5x3c3"
    assert (field(found, "node"), field(found, "tally")) == ("action", "m1k0r0s0")


@pytest.mark.parametrize(
    ("token", "reaches"), [("move:d5-d8", "r1"), ("move:d5-a5", "r0"), ("move:c8-b8", "r0")]
)
def test_the_endzone_is_reached_by_arriving_from_another_row(token: str, reaches: str) -> None:
    """D21."""
    line = position("move:r", d5="R", c8="R", h1="K", h3="k")
    assert reaches in field(after(line, token), "tally")


def test_a_bounce_reaches_no_endzone() -> None:
    """R8.2."""
    line = position("move:r", d5="R", d8="b+", h1="K", h3="k")
    assert field(after(line, "move:d5-d8"), "tally") == "m1k0r0s0"


def test_random_games_come_to_everything() -> None:
    """The other tests that play random games rest on it; see tests/random_play.py."""
    found: Counter[str] = Counter()
    for seed in range(60):
        game = varied(Variant("chessault", {}), seed).new()
        for state, move in play(game, seed):
            view = game.view(state)
            node = view["node"]["type"]
            found[f"{node} in the setup" if view["turn"] == 0 else node] += 1
            found[f"{node} after the turn" if view["action"] == 4 else node] += 1
            found[view["options"]["supply"]] += 1
            if move is not None:
                found[game.move_view(move)["verb"]] += 1
            elif node == "end":
                found[f"won by {view['node']['winner']}"] += 1
    assert found.keys() >= {
        *("sacrifice", "sacrifice in the setup", "promote", "keep", "keep after the turn"),
        *("activate", "hold", "explode", "convert", "king", "resurrect", "end after the turn"),
        *("standard", "double", "won by 0", "won by 1", "won by 2"),
    }


# --- policy and evaluation --------------------------------------------------------------------


def test_the_policy_kills_a_king_when_it_can() -> None:
    line = (
        "chs 8/3k3q/8/8/8/8/3R3R/8/7K+/8 p1 5 1 move:rk p1p2 0/2 -/- "
        "Q2B2N2P8/q1r2b2n2p8 -/- p4x3c3 - m0k0r0s0"
    )
    assert chosen(line) == {"move:d3-d8"}


def test_the_policy_does_not_blow_up_its_own_king() -> None:
    line = (
        "chs 8/7k+/8/8/8/4K3/3pR*3/8/8/8 p1 5 1 activate:e3 p1p2 0/2 -/- "
        "Q2R1B2N2P8/q2r2b2n2p7 -/- p4x2c3 - m1k0r0s0"
    )
    assert chosen(line.replace("R*3/8/8/8 ", "R*.3/8/8/8 ")) == {"hold"}


def test_the_policy_wins_nearly_all_games_against_uniform_moves() -> None:
    game = Chessault()
    won = 0.0
    for seed in range(40):
        stream = PCG64(seed)
        state = game.start_state()
        while (node := game.node_of(state)) != TERMINAL:
            if node == CHANCE:
                move = game.sample(state, stream)
            elif node == seed % 2:
                move = game.policy_move(state, stream)
            else:
                moves = game.moves_of(state)
                move = moves[stream.random_raw() % len(moves)]
            state = game.after(state, move)
        won += game.returns_of(state)[seed % 2]
    assert won >= 34


ATTACKED = (
    "chs 8/3k3q/8/8/8/8/3R4/8/7K+/8 {} p1p2 {}/2 -/- Q2R1B2N2P8/q1r2b2n2p8 -/- p{}x3c3 - m0k0r0s0"
)


def test_an_attack_on_the_king_is_worth_its_chance_to_win_at_once() -> None:
    """One rook on a bare king: 1 - (125/216)^3 in three rolls (section 18)."""
    game, state = at(ATTACKED.format("p1 5 1 action", 0, 4))
    assert game.evaluation_of(state)[0] > 1 - (125 / 216) ** 3
    game, fewer = at(ATTACKED.format("p1 5 3 action", 0, 4))
    assert 91 / 216 < game.evaluation_of(fewer)[0] < game.evaluation_of(state)[0]
    game, rolled = at(ATTACKED.format("p1 5 3 move:r", 0, 4))
    assert game.evaluation_of(rolled)[0] == 1


def test_an_attack_on_a_king_that_holds_protect_is_a_term() -> None:
    """A single one can't kill it in this turn, so all depends on the terms."""
    line = ATTACKED.format("p1 5 1 action", 0, 3).replace("3k3q", "3k+3q")
    game, attacked = at(line)
    white, black = game.terms_of(attacked)
    assert [mine - theirs for mine, theirs in zip(white, black, strict=True)] == pytest.approx(
        [
            *(0, 0, 0, 1, -1),  # active: White has a rook, Black a queen
            *(0, 0, 0, 0, 0),
            *(0, 0, 0, -1, 1),
            *(-2, 0, 0, 0, 1, 0),  # credits; the rook's attack, for three actions
        ]
    )
    game, aside = at(line.replace("/3R4/", "/2R5/"))
    assert game.evaluation_of(aside)[0] < game.evaluation_of(attacked)[0]


def test_terms_are_left_out_where_a_king_may_be_killed_at_once() -> None:
    for line, num_lists in (("p1 5 1 action", 0), ("p2 6 1 action", 2)):
        game, state = at(ATTACKED.format(line, 0, 4))
        assert len(game.terms_of(state)) == num_lists


def test_protect_on_the_rival_king_is_worth_something_to_the_rival() -> None:
    game, bare = at(ATTACKED.format("p2 6 1 action", 0, 4))
    _, shielded = at(ATTACKED.format("p2 6 1 action", 0, 3).replace("3k3q", "3k+3q"))
    assert game.evaluation_of(shielded)[0] < game.evaluation_of(bare)[0] - 0.1


def test_a_king_that_one_move_kills_is_proven_dead_in_the_midst_of_a_game() -> None:
    line = (
        "chs 8/7k/3R4/8/8/8/7R/8/K+7/7P p1 5 3 move:r p1p2 3/5 -/- Q2B2N2P7/q2r2b2n2p8 -/- "
        "p4x3c3 - m0k0r0s0"
    )
    limits = Limits(nodes=10**6)
    solution = solve(parse_position("chessault", line), limits, method=Method.EXACT)
    assert solution.is_exact
    assert (solution.values, solution.moves[0].move) == ((1.0, 0.0), "move:h3-h8")
    without_rooks = parse_position("chessault", line.replace("move:r", "move:k"))
    with pytest.raises(InfeasibleError, match="a proof is infeasible"):
        solve(without_rooks, limits, method=Method.EXACT)
