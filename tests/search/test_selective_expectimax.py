"""Expectimax that looks less deep at what is unlikely to matter, and at move rolls as one node."""

from collections import defaultdict

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import MEGABYTE, Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.expectimax import MAX_WIDTH, Expectimax
from kingmaker.search.position import new_game, parse_position
from kingmaker.search.registry import ENGINES, default_engine
from kingmaker.search.run import analyze
from tests.random_play import CHANCE, VARIANTS, Variant, steps_of

SECOND = 5_000_000
"""States that the search enters in about a second on one thread. The states that a depth takes vary
by a tenth between tables whose sizes differ by some kilobytes."""
TURN_AND_REPLY = 18
"""Plies of six actions: the decision to roll, the dice and the move."""
POSITIONS = {
    "the first turn": "chs 8/3n1p-p-1/2r1k+1q1/8/8/8/8/R3P-1Q1/K+6P-/8 p1 1 1 action p1p2 4/1 -/- "
    "Q1R1B2N2P6/q1r1b2n1p6 -/- p3x3c3 - m0k0r0s0",
    "17 figures in the first turn": "chs 8/1p-qp-p-3/p-r1p-k+3/8/8/8/8/1P-K+2P-1Q/2P-1NBP-P-/8 "
    "p1 1 1 action p1p2 0/1 -/- Q1R2B1N1P3/q1r1b2n2p3 -/- p3x3c3 - m0k0r0s0",
    "18 figures": "chs 1p1p2qp/p7/p2p2k+1/3b4/8/8/8/N3r+3/K+P1Q1N2/3P2PP p1 23 1 action p1p2 8/7 "
    "-/- -/q1 Q1R2B2P4/r1b1n2p2 p2x3c3 - m0k0r0s0",
    "34 figures": "chs pn2qpn1/2r1k+2p/bpp1b1p1/1pr3P1/P2Q~K1Bp/P4q2/3B+2N+1/2P1P1Q1/1R1R1PNP/6P1 "
    "p1 73 1 action p1p2 67/2 -/- -/- -/- p2x3c2 - m0k0r0s0",
    "16 figures and many credits": "chs 1r4q1/p2p4/3p4/5k+1p/1pP5/p5P1/8/8/K2r+QB2/3P4 p1 37 1 "
    "action p1p2 12/13 -/- -/n1 Q1R2B1N2P5/q1b2n1p2 p3x3c3 - m0k0r0s0",
    "13 figures and 11 credits": "chs 2br4/8/4p1p-p-/1BQ*5/8/8/2k*5/4P-3/PP-5K+/7B p1 9 1 action "
    "p1p2 11/4 -/- Q1R1N2P4/q1n2p5 R1P1/q1r1b1 p4x1c3 - m0k0r0s0",
    "9 figures": "chs 5q2/8/2p1q3/8/8/k+7/8/8/2PKN+P2/4P3 p1 31 1 action p1p2 3/6 -/- "
    "Q1P2/p4 Q1R2B2N1P3/r2b2n2p3 p3x3c3 - m0k0r0s0",
}


@pytest.mark.slow
@pytest.mark.parametrize("line", POSITIONS.values(), ids=POSITIONS)
def test_a_second_shows_the_own_turn_and_the_whole_reply_in_chessault(line: str) -> None:
    observation = parse_position("chessault", line).observe(1)
    assert default_engine(observation.game) == "expectimax"
    assert analyze(observation, Budget(simulations=SECOND), seed=1).depth >= TURN_AND_REPLY


def test_looking_at_every_move_in_full_depth_does_not_get_as_far() -> None:
    observation = parse_position("chessault", POSITIONS["18 figures"]).observe(1)
    budget = Budget(simulations=SECOND // 5)
    depths = {
        width: analyze(observation, budget, seed=1, options={"width": width}).depth
        for width in (0, 3, 1)
    }
    assert depths[0] + 5 < depths[3] < depths[1]


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.new().has_move_rolls], ids=str
)
def test_a_move_leads_to_one_state_whatever_outcome_offers_it(variant: Variant) -> None:
    game = variant.new()
    num_shared = 0
    for step in steps_of(variant):
        if game.node_of(step.state) != CHANCE:
            continue
        found = defaultdict(set)
        for outcome, _ in game.outcomes_of(step.state):
            offered = game.after(step.state, outcome)
            for move in game.moves_of(offered):
                found[move].add((game.node_of(offered), game.after(offered, move)))
                num_shared += 1
        num_shared -= len(found)
        assert all(len(ends) == 1 for ends in found.values())
    assert num_shared > 1000


def test_the_width_is_the_games_own_unless_it_is_given() -> None:
    engine = ENGINES["expectimax"]
    assert check_options(engine, new_game("chessault").game, {})["width"] == 3
    assert check_options(engine, new_game("connect_four").game, {})["width"] == 0
    assert check_options(engine, new_game("chessault").game, {"width": "0"})["width"] == 0


@pytest.mark.parametrize("width", [-1, MAX_WIDTH + 1, "wide"])
def test_a_width_out_of_range_is_refused(width: int | str) -> None:
    with pytest.raises(InputError) as refused:
        check_options(ENGINES["expectimax"], new_game("chessault").game, {"width": width})
    assert refused.value.field == "engine_options.width"
    assert refused.value.value == str(width)


def test_every_move_of_the_root_is_looked_at() -> None:
    position = parse_position("chessault", POSITIONS["34 figures"])
    analysis = analyze(position.observe(1), Budget(simulations=100_000), options={"width": 1})
    assert sorted(move.move for move in analysis.moves) == sorted(position.legal_moves())
    assert all(move.visits > 1000 for move in analysis.moves)


def test_selfish_seats_look_at_every_move() -> None:
    start = new_game("kingdom_coinquest", {"players": 3})
    kernels = [
        Expectimax(start.game, start.state, {"depth": 3, "width": width}, MEGABYTE)
        for width in (0, 1)
    ]
    assert [kernel.run(0, 0) for kernel in kernels] == [2, 2]
    assert kernels[0].root_moves() == kernels[1].root_moves()
