"""Hints say what search and position say."""

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import Budget, Reply
from kingmaker.search.hints import Hint, explain
from kingmaker.search.position import (
    Observation,
    Position,
    new_game,
    parse_observation,
    parse_position,
)
from kingmaker.search.run import analyze

ATTACK = (
    "kc turn=31 epoch=0 node=play:p1 p1=h/20/3s,5d,9c/-/-/-/{weapon}/- "
    "p2=s/{health}/{rival}/-/-/-/-/- forge=41 grave=qd"
)


def attack(weapon: str = "8h", health: int = 20, rival: str = "as,5s") -> Observation:
    text = ATTACK.format(weapon=weapon, health=health, rival=rival)
    return parse_position("kingdom_coinquest", text).observe(1)


def hints(observation: Observation, top: int = 9) -> dict[str, Hint]:
    analysis = analyze(observation, Budget(simulations=4000), seed=1)
    return {hint.analysis.move: hint for hint in explain(observation, analysis, top)}


def test_a_hint_names_the_move_and_what_it_gains_in_words() -> None:
    text = hints(attack())["attack:p2"].text
    assert "eight of hearts" in text
    assert re.search(r"p2 \w+ from 20 to 12", text)


def test_the_gain_follows_the_position() -> None:
    assert "from 15 to 6" in hints(attack("9h", 15))["attack:p2"].text


def test_the_figures_are_those_of_the_search() -> None:
    for hint in hints(attack()).values():
        share = f"{100 * hint.analysis.values[0]:.0f} %"
        assert share in hint.text
        assert f"{hint.analysis.visits} simulations" in hint.text or hint.analysis.visits < 2


def test_a_reply_is_one_that_the_search_met_and_a_risk_costs_something() -> None:
    found = list(hints(attack("8h", 20)).values())
    for hint in found:
        for reply in filter(None, (hint.reply, hint.risk)):
            assert reply in hint.analysis.replies
            assert f"{100 * reply.value:.0f} %" in hint.text
        if hint.risk:
            assert hint.risk.value < hint.analysis.values[0]


def test_equal_values_with_large_errors_do_not_make_moves_the_same() -> None:
    observation = attack()
    analysis = analyze(observation, Budget(simulations=300), seed=1)
    first, second, *others = analysis.moves
    for error, words in ((0.01, "about the same as"), (0.1, "not clearly better or worse than")):
        equal = replace(
            analysis,
            moves=(
                replace(first, values=(0.5, 0.5), standard_error=0.0, is_exact=False),
                replace(second, values=(0.5, 0.5), standard_error=error, is_examined=True),
                *(replace(other, values=(0.2, 0.8)) for other in others),
            ),
        )
        assert words in explain(observation, equal, 1)[0].text


MANY_REPLIES = (
    "kingdom_coinquest",
    "kc turn=27 epoch=0 node=play:p1 p1=h/4/6h,7h,5s/td,9c/8h:0/-/-/- "
    "p2=d/7/?,?/ah,9s,tc/6d:0/-/-/- forge=6 grave=7c,7d,2s,th,ts,2d,3h,8c,8d,2h,7s,jc,3d,js,4h,4s,"
    "9d,3c,5h,5d,3s,6c,5c,8s,2c,qs,qc,as,ad,qd old=- @p1",
)
TWO_ROUNDS = ("leduc_poker", "leduc p1=? p2=ks board=_ bets=r/- node=play:p2 @p2")


@pytest.mark.parametrize(("game", "line"), [MANY_REPLIES, TWO_ROUNDS])
def test_no_reply_is_called_the_most_likely_where_another_is_likelier(game: str, line: str) -> None:
    words = []
    for hint in hints(parse_observation(game, line)).values():
        if hint.reply is not None:
            most = max(reply.frequency for reply in hint.analysis.replies)
            words.append(("The most likely reply" in hint.text, "A frequent reply" in hint.text))
            assert words[-1] == (hint.reply.frequency == most, hint.reply.frequency < most)
    assert (False, True) in words


@pytest.mark.parametrize("simulations", [300, 1000])
def test_a_risk_rests_on_ten_games_and_costs_more_than_its_error(simulations: int) -> None:
    num_risks = 0
    for game, line in (MANY_REPLIES, TWO_ROUNDS):
        observation = parse_observation(game, line)
        for seed in range(1, 11):
            analysis = analyze(observation, Budget(simulations=simulations), seed=seed)
            for hint in explain(observation, analysis, 9):
                for reply in hint.analysis.replies:
                    of_ten = (10 * reply.value * (1 - reply.value) + 0.25) / (11 * 10)
                    assert reply.standard_error <= math.sqrt(of_ten) + 1e-9
                if hint.risk is not None:
                    num_risks += 1
                    value = hint.analysis.values[observation.seat - 1]
                    assert hint.risk.value + hint.risk.standard_error < value
    assert num_risks


def test_a_proven_reply_is_certain_after_few_games() -> None:
    observation = parse_position("tic_tac_toe", "ttt board=x../o.x/..o node=play:p1").observe(1)
    analysis = analyze(observation, Budget(simulations=100), seed=1)
    errors = [
        reply.standard_error
        for move in analysis.moves
        for reply in move.replies
        if reply.frequency * move.visits < 9.5
    ]
    assert errors
    assert not any(errors)


def test_a_threatening_rival_is_named_as_risk() -> None:
    text = (
        "kc turn=31 epoch=0 node=play:p1 p1=h/6/3s,5d,9c/-/-/-/-/- "
        "p2=s/20/as/-/-/-/ts/- forge=42 grave=qd"
    )
    position = parse_position("kingdom_coinquest", text)
    hint = hints(position.observe(1))["pass"]
    assert hint.risk is not None or hint.reply is not None
    assert "attack p1" in hint.text


def test_an_effect_is_not_told_twice() -> None:
    text = "kc turn=13 epoch=0 node=play:p1 p1=h/20/7s,7d,5c/9c/8c+8s:0/-/5s+jd/- "
    text += "p2=s/20/6d!,?/6h,ac/9s:1/3d+jh/-/- forge=32 grave=2h old=- @p1"
    observation = parse_observation("kingdom_coinquest", text)
    hints = explain(observation, analyze(observation, Budget(simulations=20_000), seed=1), 9)
    texts = [hint.text for hint in hints]
    assert any("p2 can put the queen of spades into the salvage yard" in text for text in texts)
    assert any("equip the peasant with the nine of spades" in text for text in texts)
    assert not any(words in text for words in ("p2 puts", "peasant gets") for text in texts)
    assert any("p1's quartermaster is free again" in text for text in texts)


def test_a_later_reply_is_not_told_from_amounts_that_nobody_has_seen() -> None:
    observation = parse_observation(
        "knaves_out",
        "ko 0,0/8,0 t=19;f=p1;a=p1 main@p1 I=2a1.p1.r7b3;D=- p1:+:6s8s9c9sthtsjhjskhks:tdjcqhkc:"
        "jd=ad2d3s:qd=ac2h3h4s:kd=ah2c*3c4d5c6d7s8d9d:-:K1f1.4:-:feast.acts1:228da00/1,8da00/2,"
        "ca00/3,4200/9 p2:+:?8:ac2djo:jh=as:qc=ah:kc=ad:-:P2e4.2,K2f5.4,R2f6.0:-:-:- @p1",
    )
    texts = " ".join(hint.text for hint in hints(observation).values())
    assert re.search(r"p2 can play the three of \w+ on the King \(in", texts)
    # The stack has a card now, and will have had two.
    assert not re.search(r"the three of \w+ on the King, so that", texts)


def test_a_loss_is_told_though_the_move_has_its_words() -> None:
    text = (
        "chs 1b1p4/n4p-n1/2k+R+.1bpp-/4p3/8/8/P7/1q5P-/2K+.5/PP1BR1P1 p1 9 3 move:pr p1p2 0/3 -/- "
        "Q1B1N2P3/q1r2p2 Q1/p1 p2x3c2 b2>a3 m2k1r0s1 @p1"
    )
    observation = parse_observation("chessault", text)
    analysis = analyze(observation, Budget(simulations=500), seed=1)
    moved = next(
        hint
        for hint in explain(observation, analysis, 99)
        if hint.text.startswith("Move the pawn from a0 to a1")
    )
    assert "p1 loses a pawn" in moved.text


def test_a_certain_win_is_called_certain() -> None:
    observation = parse_position("tic_tac_toe", "ttt board=oo./.../xx. node=play:p1").observe(1)
    assert "certainly wins" in hints(observation)["c1"].text


def test_hints_say_nothing_about_hidden_cards() -> None:
    first = attack()
    other = attack(rival="th,jc")
    assert first == other
    assert [hint.text for hint in hints(first).values()] == [
        hint.text for hint in hints(other).values()
    ]


@pytest.mark.parametrize("top", [0, -1, 101])
def test_a_number_of_hints_out_of_range_is_refused(top: int) -> None:
    with pytest.raises(InputError, match="top is"):
        hints(attack(), top)


def test_top_limits_the_hints_to_the_best() -> None:
    analysis = analyze(attack(), Budget(simulations=500), seed=1)
    found = explain(attack(), analysis, 1)
    assert [hint.analysis.move for hint in found] == [analysis.best_move]


def test_nobody_gets_hints_for_a_rival() -> None:
    position = parse_position(
        "kingdom_coinquest", ATTACK.format(weapon="8h", health=20, rival="as,5s")
    )
    analysis = analyze(position.observe(2), Budget(simulations=50), seed=1)
    with pytest.raises(StateError, match="p1 is to move"):
        explain(position.observe(2), analysis, 3)
    with pytest.raises(TypeError, match=r"^observation is Position.* position\.observe\(seat\)"):
        explain(position, analysis, 3)  # type: ignore[arg-type]


def test_an_analysis_of_another_position_is_refused() -> None:
    position = new_game("tic_tac_toe")
    first, second = position.observe(1), position.apply("a1").observe(2)
    budget = Budget(simulations=20)
    for observation, other, why in (
        (second, first, "a1 is not legal here"),
        (first, second, "a1 is legal here, and not in it"),
    ):
        with pytest.raises(InputError, match=why) as caught:
            explain(observation, analyze(other, budget, seed=1), 3)
        assert (caught.value.field, caught.value.value) == ("analysis", "a1")


def test_replies_foretell_no_card_that_is_not_drawn_yet() -> None:
    # p2 may take what p1 discards, which is one of the cards that p1 has yet to draw.
    text = (
        "kc turn=14 epoch=0 node=draw:p1 p1=h/15/9s!/-/6h:1/-/-/- p2=s/20/?/-/-/-/7s/- "
        "forge=36 grave=9d,3s,2s,5d,4c,2h,5h,4h old=- @p1"
    )
    observation = parse_observation("kingdom_coinquest", text)
    analysis = analyze(observation, Budget(simulations=4000), seed=1)
    texts = [
        words.partition(" (in ")[0]
        for hint in explain(observation, analysis, 9)
        for words in hint.text.split("p2 can ")[1:]
        if "draw:grave" in [each.move for each in (hint.reply, hint.risk) if each]
    ]
    assert "take the top card from the graveyard" in texts
    assert not [words for words in texts if " of " in words and "graveyard" in words]


FEW_DISCARDS = (
    "kingdom_coinquest",
    "kc turn=7 epoch=0 node=draw:p1 p1=d/20/8h,9h/ts,7c/-/-/-/- p2=c/20/?,?/th/-/-/-/- "
    "forge=39 grave=8s,2h old=- @p1",
    "p2 can use the ace of clubs to put the top of the graveyard on the peasant (in ",
)
FEW_MERCHANTS = (
    "code_of_chivalry",
    "coc;players=2 60 p2 1 7,-,?2/5,c,k2gnd2ac3lwx ?46 p13s6knda2lhmt2w2rx main *>p2:d "
    "*:p20s11k6g3n5d2a5c4l6u2h2m2w3rj2;p2:p4gn2ac2l2mw @p2",
    "p1 can buy half of the cards of p2 for a gem with a merchant (in ",
)


@pytest.mark.parametrize(("game", "line", "words"), [FEW_DISCARDS, FEW_MERCHANTS])
def test_a_reply_that_few_worlds_allow_is_told_in_words_that_fit_all(
    game: str, line: str, words: str
) -> None:
    # One or two worlds share what the observer discards before it, or a number of cards.
    observation = parse_observation(game, line)
    analysis = analyze(observation, Budget(simulations=800), seed=1)
    assert words in explain(observation, analysis, 1)[0].text


# p1 may take the three of clubs itself at the end of its turn, or lay another card on it.
OWN_DRAW = (
    "kc turn=23 epoch=0 node=play:p1 p1=h/5/8h,as,ad/7d,qd/-/-/9s+jh/- "
    "p2=s/3/-/th,ac,tc/td+jd:0/-/-/qh+qc forge=14 grave=3c,4s,4d,9d,9h,3h,7s,7c,8d,2d,5d,ts,jc,6s,"
    "3d,8c,6c,5c,2c,6d old=- @p1",
    "prep:8h",
    "draw:grave",
    "three of clubs",
)
# p1 may still give its peasant a card, which the attack then meets.
OWN_ACE = (
    "kc turn=33 epoch=0 node=draw:p1 p1=h/3/ah!,7h/7d/6h:0/-/-/qs+qd "
    "p2=s/3/-/ac/tc+th:3/-/5s/- forge=2 grave=8s,4h,2s,9s,jh,5h,8h,td,jd,4c,3s,2h,3c,4s,4d,9d,9h,"
    "3h,7s,7c,8d,2d,5d,ts,jc,6s,3d,8c,6c,5c,2c,6d,as,ad,qh,qc old=- @p1",
    "draw:salvage:7d",
    "attack:p1",
    "p1's queen slot loses",
)


@pytest.mark.parametrize(("line", "move", "reply", "guess"), [OWN_DRAW, OWN_ACE])
def test_a_reply_is_told_by_what_holds_whatever_the_observer_does_before_it(
    line: str, move: str, reply: str, guess: str
) -> None:
    observation = parse_observation("kingdom_coinquest", line)
    analysis = analyze(observation, Budget(simulations=500), seed=1)
    moves = tuple(
        replace(each, replies=(Reply(2, reply, 0.5, 0.04),)) if each.move == move else each
        for each in analysis.moves
    )
    found = explain(observation, replace(analysis, moves=moves), 100)
    [text] = [hint.text for hint in found if hint.analysis.move == move]
    assert " reply: p2 can " in text
    assert guess not in text


def test_the_main_risk_does_not_depend_on_the_worlds_of_its_description(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    num_risks = 0
    for game, line, _ in (FEW_DISCARDS, FEW_MERCHANTS):
        observation = parse_observation(game, line)
        analysis = analyze(observation, Budget(simulations=800), seed=1)
        told = []
        for num_worlds in (1, 48):
            monkeypatch.setattr("kingmaker.search.hints.NUM_WORLDS", num_worlds)
            told.append([(hint.reply, hint.risk) for hint in explain(observation, analysis, 9)])
        assert told[0] == told[1]
        num_risks += sum(risk is not None for _, risk in told[0])
    assert num_risks


@pytest.mark.parametrize("players", [3, 6])
def test_rivals_that_want_to_win_have_likely_replies(players: int) -> None:
    stream = np.random.SFC64(1)
    position, _ = new_game("code_of_chivalry", {"players": players}).settle(stream)
    for _ in range(10):
        if len(position.legal_moves()) > 1:
            best, *_ = hints(position.observe(position.seat), 1).values()
            if best.reply is not None:
                assert "likely reply: " in best.text or "frequent reply: " in best.text
                assert best.reply.frequency >= 0.2
                return
        position, _ = position.apply(position.legal_moves()[0]).settle(stream)
    pytest.fail("no hint tells a reply")


def hints_in_words(position: Position, players: int) -> int:
    """Look through the hints of a decision; returns how many tell of a reply."""
    found = hints(position.observe(position.seat), 3).values()
    for hint in found:
        assert (hint.reply is None) or players == 2  # more rivals are taken to be hostile
        assert not re.search(r"(draw|prep|equip|attack|queen|ace|discard|salvage):\S", hint.text)
    return sum((hint.reply or hint.risk) is not None for hint in found)


@pytest.mark.parametrize(("players", "health", "opening"), [(2, 20, 0), (3, 6, 20), (4, 20, 120)])
def test_hints_are_words_without_a_token_of_the_notation(
    players: int, health: int, opening: int
) -> None:
    deal = np.random.SFC64(players)
    options = {"players": players, "health": health}
    position, _ = new_game("kingdom_coinquest", options).settle(deal)
    num_replies = 0
    for ply in range(opening + 40):
        if ply >= opening:
            num_replies += hints_in_words(position, players)
        move = position.game.move_text(position.game.policy_move(position.state, deal))
        position, _ = position.apply(move).settle(deal)
    assert num_replies > 10


def test_a_reply_that_the_observer_does_not_see_is_not_worth_a_word() -> None:
    # After both bids p1 bids again, face down, before p2 is asked.
    observation = new_game("goofspiel").apply("prize:7", "bid:5").observe(2)
    analysis = analyze(observation, Budget(simulations=500), seed=1)
    assert {reply.move for move in analysis.moves for reply in move.replies} == {"bid:?"}
    for hint in explain(observation, analysis, 9):
        assert hint.reply is None
        assert hint.risk is None
        assert "p1" not in hint.text


def test_a_reply_that_everybody_sees_is_reported_in_a_game_with_secrets() -> None:
    observation = new_game("leduc_poker").apply("deal:kh", "deal:qh").observe(1)
    assert any(hint.reply for hint in hints(observation).values())


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("leduc_poker", {"fold": "fold", "call": "check or call", "raise": "bet or raise"}),
        ("kuhn_poker", {"pass": "check or fold", "bet": "bet or call"}),
    ],
)
def test_a_reply_to_moves_that_differ_has_the_words_of_both(
    game: str, words: dict[str, str]
) -> None:
    position = new_game(game)
    assert {token: position.observe(1).describe_anywhere(token) for token in words} == words


@pytest.mark.parametrize("game", GAMES)
def test_words_for_every_position_are_those_of_the_game(game: str) -> None:
    """Not "play d", which the contract says for a game without words of its own."""
    position, _ = new_game(game).settle(np.random.SFC64(1))
    for token in position.legal_moves():
        assert position.describe_anywhere(token) != f"play {token}"


INSPIRE = "kd t3 2.inspire p2 0,0/F/S/u/SS?;2,0/F/P/u/PMM q1>2;ia=? @p2"
STEP = "kd t2 1.step p2 1,0/F/S/d/M??;-1,0/F/B/u/MBB m1=? @p2"


@pytest.mark.parametrize("line", [INSPIRE, STEP])
@pytest.mark.parametrize("seed", range(12))
def test_what_depends_on_hidden_choices_is_not_reported_as_a_fact(line: str, seed: int) -> None:
    observation = parse_observation("knights_duty", line)
    analysis = analyze(observation, Budget(simulations=60), seed=seed)
    for hint in explain(observation, analysis, 9):
        assert "p1's Inspiration is spent" not in hint.text
        assert "moves to the High Ground" not in " ".join(hint.gains)


@pytest.mark.parametrize("line", [INSPIRE, STEP])
@pytest.mark.parametrize("seed", range(12))
def test_a_reply_that_nobody_can_see_is_not_named(line: str, seed: int) -> None:
    observation = parse_observation("knights_duty", line)
    analysis = analyze(observation, Budget(simulations=60), seed=seed)
    assert not [hint.text for hint in explain(observation, analysis, 9) if "unseen" in hint.text]


@pytest.mark.parametrize("num_nodes", [500, 1000, 2000, 5000, 10_000, 20_000, 30_000])
def test_nothing_is_said_of_simulations_where_there_were_none(num_nodes: int) -> None:
    line = (
        "chs 8/1k1pp3/7R/p3Q3/BN4K1/3Q4/3N1BP1/P-1R5/1P-3P-b1/2PPP2P p1 5 1 move:pnbrqk p1p2 0/0 "
        "-/- -/q2r2b1n2p5 -/- p5x3c3 - m0k0r0s0"
    )
    observation = parse_position("chessault", line).observe(1)
    analysis = analyze(observation, Budget(simulations=num_nodes), engine="expectimax", seed=1)
    for hint in explain(observation, analysis, 9):
        assert "simulations" not in hint.text
        assert "give or take" not in hint.text
        assert "%" in hint.text


def test_no_error_is_reported_as_none_at_all() -> None:
    observation = attack()
    found = analyze(observation, Budget(simulations=4000), seed=1)
    sure = replace(found, moves=tuple(replace(each, standard_error=4e-4) for each in found.moves))
    [hint] = explain(observation, sure, 1)
    assert f" in {hint.analysis.visits} simulations" in hint.text
    assert "give or take" not in hint.text
    assert "(give or take " in explain(observation, found, 1)[0].text


@pytest.mark.parametrize(
    ("share", "error", "words"),
    [
        (0.61, 0.001, "about the same as to pass"),
        (0.574, 0.001, "4 points worse than to pass"),
        (0.574, 0.03, "not clearly better or worse than to pass"),
        (0.52, 0.053, "not clearly better or worse than to pass"),
        (0.52, 0.001, "9 points worse than to pass"),
        (0.7, 0.001, "9 points better than to pass"),
    ],
)
def test_a_comparison_fits_the_shares_that_are_shown(
    share: float, error: float, words: str
) -> None:
    observation = attack()
    found = analyze(observation, Budget(simulations=200), seed=1)
    figures = {"pass": (0.606, 0.001), "attack:p2": (share, error)}
    moves = tuple(
        replace(
            move,
            values=(figures[move.move][0], 1 - figures[move.move][0]),
            standard_error=figures[move.move][1],
            shared_error=0.0,
            is_exact=False,
            is_examined=True,
        )
        for move in found.moves
        if move.move in figures
    )
    told = {
        hint.analysis.move: hint.text
        for hint in explain(observation, replace(found, moves=moves, policy=(1.0, 0.0)), 9)
    }
    assert words in told["attack:p2"]


@pytest.mark.parametrize(
    ("shared", "words"), [(0.0, ", not clearly better or worse than "), (0.05, ", 9 points better")]
)
def test_an_error_that_moves_share_does_not_count_between_them(shared: float, words: str) -> None:
    observation = attack()
    found = analyze(observation, Budget(simulations=200), seed=1)
    moves = tuple(
        replace(
            move,
            values=(share, 1 - share),
            standard_error=0.0501,
            shared_error=shared,
            is_exact=False,
            is_examined=True,
        )
        for move, share in zip(found.moves[:2], (0.69, 0.6), strict=True)
    )
    known = replace(found, moves=moves, policy=(1.0, 0.0))
    assert words in explain(observation, known, 1)[0].text


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (0.04, ", not clearly better or worse than to "),
        (-0.04, ", not clearly better or worse than to "),
        (0.07, ", 7 points better than to "),
        (-0.07, ", 7 points worse than to "),
    ],
)
def test_an_estimate_at_some_depth_is_compared_with_its_error(gain: float, words: str) -> None:
    position, _ = new_game("connect_four").settle(np.random.SFC64(1))
    observation = position.observe(1)
    analysis = analyze(observation, Budget(simulations=2000), engine="expectimax", seed=1)
    assert not analysis.moves[0].standard_error
    values = [0.5 + gain, *[0.5] * (len(analysis.moves) - 1)]
    moves = tuple(
        replace(move, values=(value, 1 - value))
        for move, value in zip(analysis.moves, values, strict=True)
    )
    assert words in explain(observation, replace(analysis, moves=moves), 1)[0].text


def test_a_mixed_policy_tells_how_often_to_play_each_move() -> None:
    position = new_game("leduc_poker").apply("deal:kh", "deal:qs", "call", "raise")
    observation = position.observe(1)
    analysis = analyze(observation, Budget(simulations=3000), seed=1)
    texts = {each.analysis.move: each.text for each in explain(observation, analysis, 9)}
    policy = dict(zip((each.move for each in analysis.moves), analysis.policy, strict=True))
    assert policy["fold"] == 0
    assert texts["fold"].endswith(" Never play it.")
    assert f"Play it in {100 * policy['raise']:.0f} % of cases." in texts["raise"]
    rare = tuple({"fold": 0.004, "call": 0.496}.get(move, 0.5) for move in policy)
    texts = {
        each.analysis.move: each.text
        for each in explain(observation, replace(analysis, policy=rare), 9)
    }
    assert "Play it in less than 1 % of cases." in texts["fold"]


def test_that_a_move_wins_repeats_nothing() -> None:
    """It is one word more than the move, as verbs are that only describe it again."""
    line = (
        "coc;players=2 24 p2 0 3,-,s3k3nclm2x/9,-,p2gnc2lwx p18s12k3a5c2l4 "
        "p4sk3g2n3d3acu2h2t2w2r2j2 rob:-:p1:p1:3:p2 *>p1:x -"
    )
    observation = parse_position("code_of_chivalry", line).observe(2)
    text = hints(observation)["rob:highwayman"].text
    assert text.startswith("Steal 3 gems in flight with a highwayman: p2 wins, ")


UNSURE = {"values": (0.15, 0.85), "standard_error": 0.2, "is_exact": False}
LOSS = {"values": (0.0, 1.0), "standard_error": 0.0, "is_exact": True}
WIN = {"values": (1.0, 0.0), "standard_error": 0.0, "is_exact": True}


@pytest.mark.parametrize(
    ("figures", "endings"),
    [
        ((UNSURE, LOSS, LOSS), [", while all other moves certainly lose.", "certainly loses."]),
        (
            (UNSURE, LOSS, UNSURE),
            [", not clearly better or worse than to put x on c3.", "certainly loses."],
        ),
        ((LOSS, LOSS, LOSS), ["certainly loses.", "certainly loses."]),
        ((WIN, LOSS, LOSS), ["certainly wins.", "loses, 100 points worse than to put x on a2."]),
    ],
)
def test_a_certain_loss_is_not_called_perhaps_better(
    figures: tuple[dict[str, Any], ...], endings: list[str]
) -> None:
    observation = new_game("tic_tac_toe").apply("a1", "b1", "c1", "b2", "b3", "a3").observe(1)
    found = analyze(observation, Budget(simulations=200), seed=1)
    listed = sorted(found.moves, key=lambda move: move.move)
    moves = tuple(
        replace(move, shared_error=0.0, is_examined=True, replies=(), **each)
        for move, each in zip(listed, figures, strict=True)
    )
    texts = [each.text for each in explain(observation, replace(found, moves=moves), 2)]
    assert all(map(str.endswith, texts, endings)), texts


@pytest.mark.parametrize("figures", [LOSS, WIN])
def test_a_reply_that_leaves_another_result_is_not_told_of_a_certain_one(
    figures: dict[str, Any],
) -> None:
    """What a rival may do wrong says nothing of a move that certainly loses."""
    observation = new_game("connect_four").apply("b", "g").observe(1)
    found = analyze(observation, Budget(simulations=2000), seed=1)
    share = figures["values"][0]
    for value, is_told in ((0.42, False), (share, True)):
        reply = Reply(seat=2, move="a", frequency=0.9, value=value)
        move = replace(found.moves[0], **figures, replies=(reply,))
        analysis = replace(found, moves=(move, *found.moves[1:]))
        text = explain(observation, analysis, 1)[0].text
        assert ("p2 can" in text) == is_told, text
