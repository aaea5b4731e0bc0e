"""Knaves Out where the worked examples of its rules page are silent.

Test names and docstrings cite docs/rules/knaves_out.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations

import pytest
from numpy.random import PCG64, SFC64

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.search.position import parse_position
from tests.cext.notations import played, tokens_of
from tests.cext.test_determinizers import Fit
from tests.random_play import CHANCE, TERMINAL

CARDS = [rank + suit for rank in "a23456789tjqk" for suit in "cdhs"]


at = partial(played, GAMES["knaves_out"])


def after(line: str, *tokens: str) -> str:
    game, state = at(line, *tokens)
    return game.text(state)


def line(p1: str, p2: str, *others: str, head: str = "main@p1 I=-;D=-", turn: int = 1) -> str:
    """A line of a position: what follows the hand of each player, which is empty.

    Boards of four seats lie in a square, those of two side by side.
    """
    players = (p1, p2, *others)
    world = {2: "0,0/8,0", 3: "0,0/8,0/4,8", 4: "0,0/8,0/8,8/0,8"}[len(players)]
    seats = " ".join(f"p{seat}:+:-:{rest}" for seat, rest in enumerate(players, 1))
    return f"ko {world} t={turn};f=p1;a=p1 {head} {seats}"


BARE = "-:-:-:-:-:{}:-:{}:-"
NOBODY_ELSE = BARE.format("K2h8.4", "-")


# --- size and numbers -----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "most"), [(2, 1126), (8, 4095)])
def test_states_are_short(players: int, most: int) -> None:
    """A search copies a state in every simulation."""
    assert GAMES["knaves_out"](players=str(players)).state_bytes <= most


@pytest.mark.parametrize("layout", ["fixed", "place"])
def test_pairs_of_squares_have_numbers_across_boards(layout: str) -> None:
    """Steps over the edge of a board, on fixed boards and on placed ones."""
    options = "" if layout == "fixed" else ";layout=place"
    boards = "0,0/8,0" if layout == "fixed" else "0,0/8,3"
    text = line(
        BARE.format("K1a1.4,P1h4.1,P1h5.3,P2a1.2", "conspire"), BARE.format("P2a2.0,K2h8.4", "-")
    ).replace("ko 0,0/8,0", f"ko{options} {boards}")
    game, state = at(text)
    moves = game.moves_of(state)
    crossing = [m for m in moves if game.move_text(m).startswith(("move:1h4-2", "attack:1h5-2"))]
    numbers = [game.index_of(move) for move in moves]
    assert crossing
    assert len(set(numbers)) == len(moves)
    assert max(numbers) < game.num_actions
    assert [game.move_at(number) for number in numbers] == moves


# --- determinization ------------------------------------------------------------------------------


def laws(
    cards: list[str], records: list[tuple[set[str], int]], size: int
) -> Iterator[tuple[frozenset[str], Fraction]]:
    """Yield the ways of R13.5 to deal a hand, with their probabilities; one hand in many ways."""
    stages = [(mask, floor) for mask, floor in records] + [(set(), size)]

    def dealt(hand: frozenset[str], stage: int) -> Iterator[tuple[frozenset[str], Fraction]]:
        if stage == len(stages):
            yield hand, Fraction(1)
            return
        mask, floor = stages[stage]
        pool = [card for card in cards if card not in hand and card not in mask]
        ways = list(combinations(pool, floor - len(hand)))
        for way in ways:
            for end, probability in dealt(hand | set(way), stage + 1):
                yield end, probability / len(ways)

    yield from dealt(frozenset(), 0)


@pytest.mark.parametrize(
    ("record", "masks"),
    [
        ("-", []),
        ("30/2", [({"2c", "2d"}, 2)]),
        ("70/1,30/3", [({"2c", "2d", "2h"}, 1), ({"2c", "2d"}, 3)]),
    ],
)
def test_hands_are_drawn_record_by_record(record: str, masks: list[tuple[set[str], int]]) -> None:
    """R13.5: unseen are 2c 2d 2h 2s 3c and a Joker; the hand has four of them."""
    unseen = ["2c", "2d", "2h", "2s", "3c", "jo"]
    discard = "".join(card for card in CARDS if card not in unseen) + "jo"
    text = line(BARE.format("K1a1.4", "-"), NOBODY_ELSE)
    text = text.replace(f"p2:+:-:{NOBODY_ELSE}", f"p2:+:?4:{discard}:-:-:-:-:K2h8.4:-:-:{record}")
    game, observation = GAMES["knaves_out"].parse_observation(f"{text} @p1")
    expected: defaultdict[frozenset[str], float] = defaultdict(float)
    for hand, probability in laws(unseen, masks, 4):
        expected[hand] += probability
    stream = PCG64(1)
    drawn: Counter[frozenset[str]] = Counter()
    for _ in range(2000):
        cards = game.text(game.determinized(observation, stream)).split(" p2:+:")[1].split(":")[0]
        drawn[frozenset(cards[i : i + 2] for i in range(0, len(cards), 2))] += 1
    fit = Fit()
    fit.add(drawn, expected)
    fit.check()


# --- rules that no example shows ------------------------------------------------------------------

SHA = "jd(sha.ac2d3h4s5c6d7h8s9ctdjhqskd)=:-:-:-"


def test_one_pawn_a_turn_steps_on_a_board_with_sheer_heart_attack() -> None:
    """R8.9: the first pawn holds the permission, unpawns need none."""
    text = line(
        BARE.format("K1a1.4,P1h4.1,P1h6.1,p1h8.1", "-"),
        f"-:{SHA}:K2e5.4:-:-:-",
    )
    game, state = at(text, "move:1h4-2a4")
    assert "shap2@2a4" in game.text(state)
    moves = tokens_of(game, state)
    assert "move:2a4-2b4" in moves
    assert "move:1h6-1g6" in moves
    assert "move:1h6-2a6" not in moves
    assert "move:1h8-2a8" in moves


def test_a_pawn_that_sails_uses_the_permission_up() -> None:
    """R8.9: going to sea from the board counts; after it no other pawn may."""
    text = line(
        BARE.format("K1a1.4,P1h6.1,P2c8.1", "-"),
        f"-:{SHA}:K2e5.4:-:-:-",
    )
    game, state = at(text, "sail:2c8")
    assert "shap2@x" in game.text(state)
    assert "move:1h6-2a6" not in tokens_of(game, state)


def test_damage_of_the_ivory_tower_can_be_redirected_before_the_step() -> None:
    """R8.5, R10.3: the rook takes the point, and the bare pawn makes its step."""
    text = line(
        BARE.format("K1a1.4,P1d4.0,R1d5.1", "redirect"),
        BARE.format("K2h8.4", "-"),
        head="main@p1 I=1h8.p2.r4b6;D=-",
    )
    game, state = at(text, "move:1d4-1c4")
    assert "redirect@p1{k=hazard,on=1d4,dmg=1,step=move.1d4.1c4}" in game.text(state)
    assert "P1c4.0/m1>,R1d5.0" in after(text, "move:1d4-1c4", "redir:1d5")
    assert "P1" not in after(text, "move:1d4-1c4", "take").split(" p1:")[1].split(":")[7]


def test_the_turn_of_a_player_ends_who_redirects_a_blow_to_his_own_king() -> None:
    """R4.6, R12.3: the counter strike kills the king, and the attack is dropped with the turn."""
    text = line(
        BARE.format("K1g4.0,P1h4.0", "redirect"),
        BARE.format("P2a4.0,K2h8.4", "frenzy"),
        NOBODY_ELSE.replace("2h8", "3h8"),
    )
    game, state = at(text, "attack:1h4-2a4", "die:5", "die:1", "redir:1g4")
    assert " t=2;f=p1;a=p2 " in game.text(state)
    assert " p1:x:" in game.text(state)


def test_thorns_end_with_a_kingdom_that_falls() -> None:
    """R10.5, R12.1: the last blow on a king building is not answered."""
    text = line(
        BARE.format("K1a1.4,P2g8.0", "-"),
        BARE.format("K2h8.0", "thorns"),
        NOBODY_ELSE.replace("2h8", "3h8"),
    )
    assert "P2g8.0/a" in after(text, "attack:2g8-2h8", "die:6")


def test_two_kings_bombed_among_four_leave_the_turn_to_the_next() -> None:
    """R7/cherry, R12.3."""
    tower = "ac2c3c4c:qc=as2s3s4s:kd=ah2h3h4h"
    text = line(
        f"-:jc={tower}:-:K1a1.4:-:-:-",
        NOBODY_ELSE,
        *(BARE.format(f"K{seat}h8.4", "-") for seat in (3, 4)),
    )
    found = after(text, "act:cherry:1a1", "on:3h8")
    assert " t=2;f=p1;a=p2 draw@-" in found
    assert [seat in found for seat in (" p1:x:", " p2:+:", " p3:x:", " p4:+:")] == [True] * 4


def test_castling_takes_checkers_and_taints_along() -> None:
    """R7/castle: king and rook change squares."""
    text = line("-:jd=ac:qd=as:kd=ah:-:K1a1.3,r1c5.1:-:-:-", NOBODY_ELSE)
    found = after(text, "act:castle:1c5")
    assert "r1a1.1,K1c5.3" in found
    assert "castled" in found


def test_luck_covers_the_die_of_a_tainted_queen() -> None:
    """R9.5, D20."""
    text = line(
        "-:jc=:qs*=ac2c:kc=:-:K1a1.4:-:luck:-",
        NOBODY_ELSE,
    )
    assert tokens_of(*at(text, "act:poison")) == [f"die:{face}" for face in range(2, 7)]


def test_an_effect_is_lost_with_its_king() -> None:
    """R5.8, D12: Poison discards what Lich King devoured, with its Jokers."""
    devoured = "lich.ac2d3h4s5c6d7hjo8s9ctdjhqskd"
    text = line(f"-:jc=:qh=ah2h:ks({devoured})=:-:K1a1.4:-:-:-", NOBODY_ELSE)
    found = after(text, "act:poison")
    discard = found.split(" p1:")[1].split(":")[2]
    assert discard == "acah2d2h3h4s5c6d7h8s9ctdjhqskdksjo"


def test_the_active_seat_stays_at_the_turn_limit() -> None:
    """R12.4: the turn that would begin is nobody's."""
    text = line(BARE.format("K1a1.4", "-"), NOBODY_ELSE).replace("ko ", "ko;max_turns=1 ", 1)
    assert "t=1;f=p1;a=p1 end@-{p1=1/2,p2=1/2}" in after(text, "end_turn")


@pytest.mark.parametrize(
    ("effects", "is_right"),
    [("(lich.{0})(crimson.{1})", True), ("(crimson.{1})(lich.{0})", False)],
)
def test_devoured_stacks_stand_in_the_order_of_their_effects(effects: str, is_right: bool) -> None:
    """R14.5a: their order has no effect."""
    stacks = "ac2d3h4s5c6d7h8s9ctdjhqskd", "ad2h3s4c5d6h7s8c9dthjsqcks"
    text = line(f"-:jc=:qh=:kh{effects.format(*stacks)}=:-:K1a1.4:-:-:-", NOBODY_ELSE)
    if is_right:
        at(text)
    else:
        with pytest.raises(InputError):
            at(text)


# --- ways by sea in playouts and the evaluation ---------------------------------------------------

ISLAND = (
    "ko;max_turns=60 0,0/8,0i/4,8 t=1;f=p1;a=p1 main@p1 I=*;D=- p1:+:-:-:-:-:-:-:{} "
    "p2:+:-:-:-:-:-:-:K2d4.0:-:-:- p3:x:-:-:-:-:-:-:-:-:-:-"
)
"""The king of p2 stands on an island, and p3 has fallen."""


@pytest.mark.parametrize("options", [{}, {"layout": "place"}, {"friendly_fire": "off"}], ids=str)
@pytest.mark.parametrize("players", [2, 4, 8])
def test_playouts_draw_what_the_policy_draws_without_memory(
    players: int, options: dict[str, str]
) -> None:
    """A playout keeps what it looked at in the ply before; a policy move looks at all anew."""
    game = GAMES["knaves_out"](players=str(players), **options)
    for seed in range(3):
        value, plies = game.playouts(game.start_state(), SFC64(seed), 1)
        stream, state, drawn = SFC64(seed), game.start_state(), 0
        while (node := game.node_of(state)) != TERMINAL:
            draw = game.sample if node == CHANCE else game.policy_move
            state, drawn = game.after(state, draw(state, stream)), drawn + 1
        assert drawn == plies
        assert list(game.returns_of(state)) == list(value)


def test_playouts_take_a_king_on_an_island() -> None:
    game, state = at(ISLAND.format("K1a1.4,P1h3.4,P1h4.4,P1h5.4:-:-:-"))
    shares, _ = game.playouts(state, PCG64(1), 100)
    assert shares[0] > 0.8


def test_the_evaluation_prefers_sailing_to_walking_where_an_island_lies_between() -> None:
    text = ISLAND.format("K1a1.4,P1h4.2:-:-:-")
    game, state = at(text)
    values = {
        move: game.evaluation_of(game.after(state, game.parse_move(move)))[0]
        for move in tokens_of(game, state)
        if move.startswith(("sail", "move", "end_turn"))
    }
    assert max(values, key=values.__getitem__) == "sail:1h4"


# --- the Dark Tower in the evaluation -------------------------------------------------------------

DARK = (
    "ko;max_turns=60 0,0/8,0 t=1;f=p1;a=p1 main@p1 I=-;D={} p1:+:-:-:-:-:-:-:{}:-:-:- "
    "p2:+:-:-:-:-:-:-:K2e5.4:-:-:-"
)
"""A king each; the soldiers of p1 and the Dark Tower vary."""
AROUND_IT = "K1a1.4,P2g7.4,P2g8.4"


def share(tower: str, pieces: str, *tokens: str) -> float:
    game, state = at(DARK.format(tower, pieces), *tokens)
    return float(game.evaluation_of(state)[0])


def test_the_evaluation_of_the_dark_tower_needs_two_points_with_the_last_checker() -> None:
    """R11.6: ten dice seldom show fewer; a soldier of one die never takes both."""
    assert share("2h8.p1>p2.r0b1", AROUND_IT) > 0.8
    assert share("2h8.p1>p2.r0b1", "K1a1.4,P2g7.0") < 0.05
    assert share("2h8.p1>p2.r0b1", "K1a1.4,P1g7.4") < 0.05
    assert share("-", "K1a1.4,P2g7.0") > 0.2


def test_a_point_too_early_on_the_dark_tower_is_bad() -> None:
    """R11.6: with one of two checkers gone the other goes by itself, before the next attack."""
    pieces = "K1a1.4,P2g7.1,P2g8.1"
    waits = share("2h8.p1>p2.r0b2", pieces)
    assert share("2h8.p1>p2.r0b2", pieces, "attack:2g7-2h8", "die:6") < waits


@pytest.mark.parametrize(
    ("checkers", "least", "most"), [(1, 0.8, 1.0), (2, 0.0, 0.05), (8, 0.0, 0.05)]
)
def test_playouts_wait_for_the_last_checker_of_the_dark_tower(
    checkers: int, least: float, most: float
) -> None:
    """R11.6: then its Chosen One attacks or falls; before, each point shortens the clock."""
    game, state = at(DARK.format(f"2h8.p1>p2.r0b{checkers}", AROUND_IT))
    stream = SFC64(1)
    moves = [game.move_text(game.policy_move(state, stream)) for _ in range(300)]
    assert least <= sum(move.endswith("-2h8") for move in moves) / 300 <= most


def test_to_call_the_dark_tower_costs_a_seat_that_leads() -> None:
    leads = "K1a1.4,P2d3.4,P2d4.4"
    assert share("-", leads, "dark:p2") < share("-", leads) - 0.1


def test_the_words_say_that_the_clock_of_the_dark_tower_has_run_down() -> None:
    # R11.6
    before = parse_position(
        "knaves_out",
        "ko 0,0/8,0 t=6;f=p1;a=p2 main@p2 I=-;D=2h8.p1>p2.r0b1 "
        "p1:+:-:-:-:-:-:-:K1a1.4,P2g7.0:-:-:- p2:+:-:-:-:-:-:-:K2e5.4,P2g8.0:-:-:-",
    )
    changes = before.observe(2).changes(before.apply("end_turn").observe(2))
    texts = [change.text for change in changes]
    assert "the Dark Tower loses its last checker, so its Chosen One is defeated" in texts


@pytest.mark.parametrize("token", ["act:knight:3f4", "king:8a1", "sail:8h8"])
def test_a_square_on_a_board_that_is_not_there_is_refused_as_one(token: str) -> None:
    with pytest.raises(InputError) as refused:
        GAMES["knaves_out"](players="2").parse_move(token)
    assert "this game has 2 boards" in str(refused.value)


@pytest.mark.parametrize("token", ["act:knight:1z4", "king:9a1", "king:a1"])
def test_a_square_of_another_form_is_refused_with_its_form(token: str) -> None:
    with pytest.raises(InputError, match="a square is its board, file and row, such as 2e5"):
        GAMES["knaves_out"](players="2").parse_move(token)
