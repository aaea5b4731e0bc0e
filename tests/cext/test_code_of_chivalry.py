"""Code of Chivalry where the worked examples of its rules page are silent.

Test names and docstrings cite docs/rules/code_of_chivalry.md. In a line `*` for the discard pile
stands for all cards that lie nowhere else (`filled`).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations, permutations
from math import isclose

import pytest
from numpy.random import PCG64

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.code_of_chivalry import CodeOfChivalry
from kingmaker.cext.games.code_of_chivalry.cards import BASE_COUNTS, LETTERS
from tests.cext.notations import seen_by

CHANCE, TERMINAL, SPECTATOR = -1, -2, -1
LETTER_ORDER = "".join(LETTERS.values())
ON_TABLE = {"attack": slice(1, 2), "respond": slice(1, 3), "rob": slice(0, 1)}
"""Where the node field has ladder and attack card (R13.3)."""


# --- lines ------------------------------------------------------------------------------------


def spelled(multiset: str) -> str:
    """Write every copy of a multiset (R13.2): `p3k` is `pppk`."""
    copies = re.sub(r"([a-z])(\d+)", lambda found: found[1] * int(found[2]), multiset)
    return copies.replace("-", "")


def written(letters: Iterable[str]) -> str:
    """Write a multiset from its copies."""
    counts = Counter(letters)
    parts = (c + (str(counts[c]) if counts[c] > 1 else "") for c in LETTER_ORDER if counts[c])
    return "".join(parts) or "-"


def filled(line: str) -> str:
    """Put all cards that the line has nowhere into the discard pile, if it is `*`."""
    fields = line.split(" ")
    tag, players, draw, discard, node = (fields[i] for i in (0, 4, 5, 6, 7))
    if discard != "*":
        return line
    rest = Counter({letter: BASE_COUNTS[card] for card, letter in LETTERS.items()})
    rest["i"] = int("0" + "".join(re.findall(r"minstrels=(\d)", tag)))
    rest["o"] = int("0" + "".join(re.findall(r"monks=(\d)", tag)))
    kind, *parts = node.split(":")
    on_table = parts[ON_TABLE[kind]] if kind in ON_TABLE else []
    for cards in (draw, *(part for seat in players.split("/") for part in seat.split(",")[1:])):
        on_table.append(cards)
    for cards in on_table:
        rest.subtract(spelled(re.sub("[A-Z]", "j", cards)))
    fields[6] = written(rest.elements())
    return " ".join(fields)


def at(line: str) -> tuple[CodeOfChivalry, bytes]:
    game, state = CodeOfChivalry.parse_position(filled(line))
    assert isinstance(game, CodeOfChivalry)
    return game, state


def after(line: str, *moves: str) -> str:
    """Return the line after moves and outcomes, each of which must be possible."""
    game, state = at(line)
    for token in moves:
        move = game.parse_move(token)
        assert move in game.moves_of(state) or move in [o for o, _ in game.outcomes_of(state)]
        state = game.after(state, move)
    return game.text(state)


def legal(line: str) -> list[str]:
    game, state = at(line)
    return [game.move_text(move) for move in game.moves_of(state)]


# --- legal moves ------------------------------------------------------------------------------

ALL_BUT_FIVE_LADDERS = "p24s16k9g3n5d3a6c6lu2h2m2t2w3r2x2j2i4o4"


def test_no_hand_has_more_moves_than_the_game_says() -> None:
    """Every card at MAIN: 84 attacks on each rival, and all else but the monk for its object."""
    rivals = "/".join(["5,-,l2", "5,-,l2", "5,-,l", "5,-,-", "5,-,-"])
    options = "coc;players=6;minstrels=4;monks=4"
    line = f"{options} 5 p1 0 5,-,{ALL_BUT_FIVE_LADDERS}/{rivals} - * main - -"
    moves = legal(line)
    specials = 2 * (1 + 2)  # herald, and merchant with two sellers; each by a jester too
    assert len(moves) == 5 * 84 + 6 + specials + 19
    assert len(set(moves)) == len(moves)
    assert len(moves) <= at(line)[0].max_moves == 459


def test_plays_stand_in_canonical_order() -> None:
    """R12.2."""
    options = "coc;players=3;minstrels=1"
    line = f"{options} 5 p1 0 5,-,l/5,-,p2st2xj2/5,-,p - * respond:p2:-:k:p2 - -"
    assert [move.removeprefix("respond:") for move in legal(line)] == [
        "peasant",
        "peasant*2",
        "soldier",
        "traitor",
        "executioner",
        "jester=peasant",
        "jester=soldier",
        "jester=knight",
        "jester=king",
        "jester=traitor",
        "jester=princess",
        "jester=executioner",
        "jester=minstrel",
        "peasant*1+jester*1",
        "peasant*2+jester*1",
        "peasant*0+jester*2",
        "peasant*1+jester*2",
        "peasant*2+jester*2",
        "pass",
    ]


def test_fortifications_and_specials_stand_in_canonical_order() -> None:
    """R12.2: the castle before the archer, unlike card order."""
    options = "coc;players=3;minstrels=1;monks=1"
    line = f"{options} 5 p2 0 5,c,n2/5,-,achmjio/5,-,l2 - * main - -"
    assert [move for move in legal(line) if move.startswith(("fortify", "special"))] == [
        "fortify:castle",
        "fortify:archer",
        "fortify:minstrel",
        "fortify:jester=castle",
        "fortify:jester=archer",
        "fortify:jester=minstrel",
        "special:herald",
        "special:merchant:p1",
        "special:merchant:p3",
        "special:monk",
        "special:jester=herald",
        "special:jester=merchant:p1",
        "special:jester=merchant:p3",
        "special:jester=monk",
    ]


def test_a_seat_without_a_gem_buys_nothing() -> None:
    """R7.3."""
    line = "coc;players=3 5 p1 0 0,-,mj/8,-,s2/7,-,s2 - * main - -"
    assert not [move for move in legal(line) if move.startswith("special:") and "merchant" in move]


def test_a_second_minstrel_is_no_answer() -> None:
    """R5.1: a traitored card meets a victim with a minstrel face up."""
    options = "coc;players=3;minstrels=2"
    for forts, answers in (("i", ["pass"]), ("-", ["respond:minstrel", "pass"])):
        line = f"{options} 5 p1 0 5,{forts},i/5,-,s/5,-,s - * respond:p2:-:k:p1 - -"
        assert legal(line) == answers


# --- transitions ------------------------------------------------------------------------------


def test_a_traitored_knight_can_be_taken_by_the_attacker() -> None:
    """R5.5, D29: the attack goes on against the same rival."""
    line = "coc;players=3 5 p1 0 5,-,sr/5,-,p/5,-,s - * respond:p2:-:k:p1 - -"
    assert " attack:p2:- *>p1:k " in after(line, "respond:princess")


def test_a_jester_minstrel_is_discarded_as_a_jester() -> None:
    """R3.1, R8.2."""
    options = "coc;players=3;minstrels=1"
    line = f"{options} 5 p1 0 5,-,s/5,-,p/5,-,j p20 * respond:p3:-:k:p3 - -"
    face_up = after(line, "respond:jester=minstrel")
    assert "/5,I,- " in face_up
    assert face_up.endswith("x2ji draw:2 - -")
    turn_of_p3 = after(face_up, "draw:peasant", "draw:peasant", "discard:peasant")
    assert "/5,-,- " in turn_of_p3
    assert turn_of_p3.endswith("x2j2i draw:2 - -")


def test_a_jester_ladder_is_discarded_as_a_jester_when_the_game_ends() -> None:
    """5.8: nothing else happens, a ladder on the table is discarded."""
    line = "coc;players=3 5 p1 0 9,-,s/3,c,-/3,-,l p9 * rob:L:p2:p1:2:p3 - -"
    assert filled(line).endswith("x2j rob:L:p2:p1:2:p3 - -")
    assert after(line, "pass").endswith("x2j2 over:gems:p1 - -")


def test_the_first_turn_draws_one_card_whoever_begins() -> None:
    """R2.4, D6."""
    game = CodeOfChivalry(players=3, first_player="p3")
    state, stream = game.start_state(), PCG64(1)
    for _ in range(6):
        state = game.after(state, game.sample(state, stream))
    view = game.view(state)
    assert (view["turn"], view["active"], view["node"]) == (
        1,
        3,
        {"type": "draw", "seat": 3, "left": 1},
    )


def test_a_tax_can_end_the_game() -> None:
    """R7.4, R9.4."""
    line = "coc;players=3 5 p1 0 9,-,s/3,c,s/3,c,s2 - * tax:p2 - -"
    assert " over:gems:p1 " in after(line, "tax:gem")


def test_the_target_never_falls_below_its_floor() -> None:
    """R9.1."""
    options = "coc;players=3;reshuffle_step=3;target_floor=7"
    for gems, node in ((5, " draw:2 "), (6, " over:gems:p1 ")):
        line = f"{options} 50 p1 4 {gems},-,s/{15 - gems},c,s/0,-,l p5 * tax:p2 - *:p5"
        assert node in after(line, "tax:gem")


# --- what seats know --------------------------------------------------------------------------


def test_a_revolt_takes_known_peasants_and_jesters_out_of_the_rows() -> None:
    """R11.2, physical cards."""
    line = "coc;players=3 5 p1 0 5,-,p3j2/5,-,s/5,-,s p9 * main *>p1:p2j;p3>p1:p3j2 -"
    assert " *>p1:j;p3>p1:pj2 " in after(line, "attack:p2:peasant*2")
    assert " p3>p1:p -" in after(line, "attack:p2:peasant*2+jester*2")


def test_a_card_shown_to_a_herald_is_counted_once() -> None:
    """R11.2: at least one, not one more."""
    line = "coc;players=3 5 p1 0 5,-,h/5,-,s2/5,-,s p9 * main *>p2:s;p3>p2:s2 -"
    shown = after(line, "special:herald", "show:soldier", "show:soldier")
    assert " *>p2:s;*>p3:s;p3>p2:s2 " in shown
    assert " *>p1:s;*>p3:s;p3>p2:s " in after(shown, "choose:p2")


def test_a_blind_transfer_leaves_what_is_known_of_the_taker() -> None:
    """R11.2: third seats lose one copy of each card of the giver's row only."""
    line = "coc;players=3 5 p1 0 5,-,k/5,-,p2sg/5,-,s p9 * take:p2:2 *>p1:k;*>p2:p2s -"
    assert " *>p1:k;*>p2:p;p1>p2:p2;p2>p1:sk" in after(line, "take:soldier")


def test_blind_cards_are_named_to_giver_and_taker_only() -> None:
    """R11.1."""
    take = "coc;players=3 5 p1 0 5,-,k/5,-,p2sg/5,-,s p9 * take:p2:2 - -"
    assert seen_by(*at(take), "take:king") == ["take:?", "take:king", "take:king", "take:?"]
    give = "coc;players=3 5 p1 0 5,-,k/5,-,s/5,c,p2 p9 * give:p3:2 - -"
    assert seen_by(*at(give), "give:peasant") == [
        "give:?",
        "give:peasant",
        "give:?",
        "give:peasant",
    ]
    draw = "coc;players=3 5 p2 0 5,-,k/5,-,s/5,c,p2 p9 * draw:2 - -"
    assert seen_by(*at(draw), "draw:peasant") == ["draw:?", "draw:?", "draw:peasant", "draw:?"]


def test_the_last_card_shown_to_a_herald_is_seen_by_all() -> None:
    """R11.1: with it all are face up."""
    line = "coc 5 p2 0 5,-,k/5,-,s/5,-,p2/5,-,- p9 * {} - -"
    first = seen_by(*at(line.format("show:p3:-")), "show:peasant")
    assert first == ["show:?", "show:?", "show:?", "show:peasant", "show:?"]
    assert seen_by(*at(line.format("show:p1:p3=p")), "show:knight") == ["show:knight"] * 5


def test_a_jester_that_all_know_of_is_asked_for() -> None:
    """R10.2, R10.3: whatever else may be elsewhere."""
    line = "coc;players=3 5 p1 0 5,-,n/5,-,{}/5,-,s p9 * main *>p2:{} -"
    assert " respond:p2:" in after(line.format("j", "j"), "attack:p2:ninja")
    assert " draw:2 " in after(line.format("k", "k"), "attack:p2:ninja")


# --- determinization --------------------------------------------------------------------------


def deals(cards: str, places: Iterable[int]) -> Counter[tuple[str, ...]]:
    """Count the ways to deal single cards, that are told apart, into hands of these sizes."""
    counts: Counter[tuple[str, ...]] = Counter()
    sizes = list(places)
    for order in permutations(cards):
        at, hands = 0, []
        for size in sizes:
            hands.append(written(order[at : at + size]))
            at += size
        counts[tuple(hands)] += 1
    return counts


def check_worlds(line: str, seat: int, expected: Counter[str]) -> None:
    """The worlds of a line are exactly the expected ones, as often as their weights say."""
    game, state = at(line)
    observation = game.observed(state, seat)
    stream = PCG64(3)
    num_draws = 400 * len(expected)
    counts = Counter(game.text(game.determinized(observation, stream)) for _ in range(num_draws))
    assert counts.keys() == expected.keys()
    total = expected.total()
    chi_squared = sum(
        (counts[world] - num_draws * weight / total) ** 2 / (num_draws * weight / total)
        for world, weight in expected.items()
    )
    freedom = len(expected) - 1
    # five standard deviations above the mean of chi squared
    assert chi_squared <= freedom + 5 * (2 * freedom) ** 0.5


def test_worlds_before_a_reshuffle_are_all_deals_of_the_unseen_cards() -> None:
    """R11.5: p1 knows the knight, the four others are anywhere."""
    line = "coc;players=3 9 p1 0 5,-,p/5,-,{}/5,-,{} {} * main p1>p2:k -"
    discard = filled(line.format("sk", "g", "sd")).split(" ")[6]
    expected = Counter(
        {
            line.format(written(p2 + "k"), p3, draw).replace("*", discard): weight
            for (p2, p3, draw), weight in deals("ssdg", (1, 1, 2)).items()
        }
    )
    check_worlds(line.format("sk", "g", "sd"), 0, expected)


RESHUFFLED = "coc;players=3 60 p1 1 5,-,p/5,-,{}/5,-,{} {} * main - *:psgd;p1:p"


def test_worlds_after_a_reshuffle_keep_what_was_not_reshuffled_in_the_hands() -> None:
    """R11.5: of two soldiers and a knight one soldier at most can be in the pile."""
    start = RESHUFFLED.format("sk", "s", "gd")
    discard = filled(start).split(" ")[6]
    expected: Counter[str] = Counter()
    for pile in combinations("sgd", 2):
        (left_over,) = set("sgd") - set(pile)
        for (p2, p3), weight in deals("sk" + left_over, (2, 1)).items():
            line = RESHUFFLED.format(p2, p3, written(pile)).replace(" * ", f" {discard} ")
            expected[line] += weight
    check_worlds(start, 0, expected)


def test_the_worlds_of_an_observation_are_its_consistent_positions() -> None:
    """R11.4, of all that can be made of the unseen cards."""
    start = filled(RESHUFFLED.format("sk", "s", "gd"))
    game, state = at(start)
    observation = game.observed(state, 0)
    stream = PCG64(4)
    worlds = {game.text(game.determinized(observation, stream)) for _ in range(400)}
    consistent = set()
    for p2, p3, draw in deals("ssgdk", (2, 1, 2)):
        line = RESHUFFLED.format(p2, p3, draw).replace("*", start.split(" ")[6], 1)
        with suppress(InputError):  # the pile holds what was not reshuffled
            if game.is_consistent(observation, CodeOfChivalry.parse_position(line)[1]):
                consistent.add(line)
    assert worlds == consistent


def test_a_position_with_another_base_is_not_consistent() -> None:
    """R11.4."""
    start = RESHUFFLED.format("sk", "s", "gd")
    game, state = at(start)
    _, other = at(start.replace("*:psgd", "*:pskgd"))
    assert game.is_consistent(game.observed(state, 0), state)
    assert not game.is_consistent(game.observed(state, 0), other)


def test_a_hidden_pick_is_any_card_of_the_hand() -> None:
    """R11.5: of three cards two are soldiers."""
    line = "coc;players=3 9 p1 0 5,-,p/5,-,s2k/5,-,g - * show:p3:p2={} *>p2:s2k;*>p3:g -"
    expected = Counter({filled(line.format("s")): 2, filled(line.format("k")): 1})
    check_worlds(line.format("k"), SPECTATOR, expected)
    check_worlds(line.format("k"), 1, Counter({filled(line.format("k")): 1}))


# --- playouts and evaluation ------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_playout_is_the_policy_step_by_step(players: int) -> None:
    game = CodeOfChivalry(players=players, deck="stretch")
    for seed in range(5):
        end, plies, shares = game.played_out(game.start_state(), PCG64(seed))
        state, stream = game.start_state(), PCG64(seed)
        for _ in range(plies):
            is_chance = game.node_of(state) == CHANCE
            draw = game.sample if is_chance else game.policy_move
            state = game.after(state, draw(state, stream))
        assert state == end
        assert game.node_of(end) == TERMINAL
        assert shares == game.returns_of(end)


def test_an_evaluation_prefers_gems_cards_and_the_next_turn() -> None:
    """Section 14."""
    line = "coc;players=3 5 p1 0 {},-,p/{},-,{}/5,-,p p9 * main - -"
    even, richer, fuller = (
        game.evaluation_of(state)
        for game, state in (
            at(line.format(*position)) for position in ((5, 5, "p"), (4, 6, "p"), (5, 5, "pgt"))
        )
    )
    assert isclose(sum(even), 1)
    assert even[1] > even[0]
    assert richer[1] > even[1] > richer[0]
    assert fuller[1] > even[1]


def turned(line: str) -> str:
    """Return the line with every seat's things one seat further on."""
    fields = line.split(" ")
    *before, last = fields[4].split("/")
    fields[4] = "/".join([last, *before])
    count = len(before) + 1
    for i in (2, 7):
        fields[i] = re.sub(r"p(\d)", lambda seat: f"p{int(seat[1]) % count + 1}", fields[i])
    return " ".join(fields)


@pytest.mark.parametrize(
    "node", ["main", "draw:2", "attack:p4:-", "respond:p4:-:k:p4", "rob:-:p4:p3:3:p4"]
)
def test_an_evaluation_is_the_same_from_every_seat(node: str) -> None:
    line = f"coc 9 p3 0 8,-,psk/4,c,-/2,a,k2gnu/6,-,p4w p9 * {node} - -"
    shares = evaluation(line)
    assert isclose(sum(shares), 1)
    for _ in range(4):
        line = turned(line)
        shares = [shares[-1], *shares[:-1]]
        assert evaluation(line) == pytest.approx(shares)


def evaluation(line: str) -> list[float]:
    game, state = at(line)
    return game.evaluation_of(state)


def test_an_evaluation_is_of_what_comes_of_an_attack() -> None:
    """The king takes four gems of p2, if no executioner or highwayman stops it (R5.6, R6.3)."""
    line = "coc;players=3 5 p1 0 {},-,p/5,-,{}/{},-,p p9 * {} - -"
    taken = evaluation(line.format(5, "h", 5, "respond:p2:-:g:p2"))
    assert taken == evaluation(line.format(5, "h", 5, "rob:-:p2:p1:4:p2"))
    stopped = evaluation(line.format(5, "x", 5, "respond:p2:-:g:p2"))
    robbed_back = evaluation(line.format(5, "w", 5, "rob:-:p2:p1:4:p2"))
    assert taken[0] > max(stopped[0], robbed_back[0])
    assert evaluation(line.format(7, "h", 3, "respond:p2:-:g:p2")) == [1, 0, 0]


def test_an_evaluation_fears_who_is_near_the_target_and_next() -> None:
    line = "coc 9 {} 0 8,-,pk/4,-,pk/4,-,pk/4,-,pk p9 * draw:2 - -"
    on_turn, last, next_but_one, following = (
        evaluation(line.format(f"p{seat}"))[0] for seat in (1, 2, 3, 4)
    )
    assert on_turn > following > next_but_one > last


# --- random games -----------------------------------------------------------------------------


def passive_move(game: CodeOfChivalry, state: bytes, rng: random.Random) -> int:
    """A move that takes few gems, so that the game lives to see reshuffles."""
    moves = game.moves_of(state)
    meek = [m for m in moves if game.move_view(m)["verb"] in ("discard", "end", "pass", "fortify")]
    return rng.choice(meek or moves)


@pytest.mark.parametrize("auto_pass", ["public", "off", "private"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_meek_games_reshuffle_and_their_worlds_stay_consistent(
    players: int, auto_pass: str
) -> None:
    game = CodeOfChivalry(players=players, deck="stretch", auto_pass=auto_pass, turn_limit=70)
    state, stream, rng = game.start_state(), PCG64(players), random.Random(players)
    while (node := game.node_of(state)) != TERMINAL:
        move = game.sample(state, stream) if node == CHANCE else passive_move(game, state, rng)
        state = game.after(state, move)
        seat = rng.randrange(-1, players)
        observation = game.observed(state, seat)
        world = game.determinized(observation, stream)
        assert game.observed(world, seat) == observation
        assert game.is_consistent(observation, world)
        assert game.is_consistent(observation, state)
        if rng.random() < 0.1:
            assert CodeOfChivalry.parse_position(game.text(world))[1] == world
            assert CodeOfChivalry.parse_observation(game.text(observation))[1] == observation
    assert game.view(state)["reshuffles"] > 0
