"""A review adds up, grades honestly and is the same on any number of threads."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.games import GAMES
from kingmaker.ladder.play import play
from kingmaker.review.decisions import change_of, decision_of, is_undecided, judge
from kingmaker.review.games import PlayedGame, of_record, played
from kingmaker.review.model import THRESHOLDS, Grade, Review, grade_of, is_bad
from kingmaker.review.report import shares_chart, write_html
from kingmaker.review.review import Reviewer, review_game
from kingmaker.review.values import EFFORTS, Values
from kingmaker.review.words import judgement, verdict
from tests.ladder.fakes import task_of

CUT = 40  # plies of the longer games here


def random_game(name: str, max_plies: int = CUT) -> PlayedGame:
    return of_record(play(task_of(name, max_plies=max_plies)))


@pytest.fixture(scope="module")
def blunder() -> Review:
    """Noughts leaves a line open that crosses then does not close."""
    game = played("tic_tac_toe", ["b2", "a2", "a1", "c3", "b1", "c2", "b3"])
    return review_game(game, effort="quick")


@pytest.mark.parametrize("name", GAMES)
def test_the_parts_add_up_to_the_result(name: str) -> None:
    game = random_game(name)
    review = review_game(game, effort="quick")
    parts = (review.start, review.luck, review.plays, review.unseen)
    total = sum(map(np.array, parts)) + np.array(review.ending_change or (0.0,) * game.num_seats)
    assert total == pytest.approx(review.result, abs=1e-12)
    assert np.array(review.adjusted) == pytest.approx(np.array(review.result) - review.luck)
    by_seat = np.zeros(game.num_seats)
    for decision in review.decisions:
        assert decision.loss >= 0
        own = decision.before[decision.seat - 1] - decision.after[decision.seat - 1]
        assert decision.loss == pytest.approx(own, abs=1e-12)
        by_seat[decision.seat - 1] -= decision.change[decision.seat - 1]
        assert sum(decision.change) == pytest.approx(0, abs=1e-9)
    assert by_seat == pytest.approx(review.losses)
    num_plies = len(review.decisions) + sum(len(chance.tokens) for chance in review.chances)
    assert num_plies == len(game.tokens)
    assert len(review.shares) == num_plies + 1 + bool(review.ending_change)
    assert review.shares[-1] == review.result


def test_without_chance_and_hidden_cards_moves_explain_the_result(blunder: Review) -> None:
    assert blunder.luck == (0.0, 0.0)
    assert blunder.adjusted == blunder.result
    # What is left is the error of the estimate of the start.
    assert abs(blunder.unseen[0]) < 4 * blunder.unseen_error + 0.1


def test_a_blunder_is_found_with_the_better_move_and_a_reason(blunder: Review) -> None:
    worst = blunder.worst(1)[0]
    assert worst.grade is Grade.BLUNDER
    assert worst.move != worst.best
    assert worst.reason.startswith("Put ")
    assert worst.is_deep
    losses = [each.loss for each in blunder.worst(10)]
    assert losses == sorted(losses, reverse=True)


def test_a_judgement_names_the_better_move_once(blunder: Review) -> None:
    worst = blunder.worst(1)[0]
    words = judgement(worst)
    assert re.match(rf"It costs [\d.]+ ± [\d.]+ points; best was to {worst.best_words}[:;] ", words)
    assert words.lower().count(worst.best_words) == 1
    assert words.endswith(worst.reason[len(worst.best_words) :])


def test_a_move_of_the_best_line_is_the_best() -> None:
    game = played("tic_tac_toe", ["b2", "a2", "a1", "c3", "b1", "c2", "b3"])
    last = review_game(game, effort="quick").decisions[-1]
    assert (last.move, last.grade, last.loss) == ("b3", Grade.BEST, 0.0)


@pytest.mark.parametrize("name", ["kingdom_coinquest", "leduc_poker"])
def test_threads_do_not_change_a_review(name: str) -> None:
    game = random_game(name, max_plies=25)
    one, two = (
        replace(review_game(game, effort="quick", seed=5, threads=threads), seconds=0.0)
        for threads in (1, 3)
    )
    assert one == two


def test_the_error_of_luck_is_its_spread_over_seeds() -> None:
    game = random_game("leduc_poker")
    reviews = [review_game(game, effort="quick", seed=seed) for seed in range(24)]
    spread = np.std([review.luck for review in reviews], axis=0, ddof=1).max()
    shown = np.sqrt(np.mean([review.adjusted_error**2 for review in reviews]))
    assert 0.7 * spread < shown < 1.4 * spread


def test_a_decision_is_judged_by_what_its_seat_saw() -> None:
    """Two deals that look alike to p2 get the same judgement; what it could not know differs."""
    reviews = [
        review_game(played("kuhn_poker", [card, "deal:q", "bet", "pass"]), effort="quick")
        for card in ("deal:k", "deal:j")
    ]
    first, second = (review.decisions[1] for review in reviews)
    assert first.observation == second.observation
    assert (first.before, first.after, first.loss) == (second.before, second.after, second.loss)
    # Against the jack a bet wins, against the king it loses; the best move can't be both.
    gains = {"pass": first.open_gain, "bet": second.open_gain}
    assert gains.pop(first.best) == 0
    assert gains.popitem()[1] > 0.1


def test_moves_are_told_in_words_that_fit_what_the_seat_saw() -> None:
    """R9.3: p2 does not see whether the attacker uses Inspiration: its own may do nothing."""
    moves = (
        "place:bow place:move place:bow place:empty place:move place:shield step:sw step:ne "
        "target:p2"
    )
    words = []
    for choice in ("inspire:yes", "inspire:no"):
        tokens = [*moves.split(), choice, "inspire:yes"]
        game = played("knights_duty", tokens, {"radius": "3"}, returns=(0, 1), ending="resigned")
        values = Values("", EFFORTS["quick"], 0)
        judged = judge(game, len(tokens) - 1, values, 50)
        decision = decision_of(game, len(tokens) - 1, values, judged, judged)
        words.append((decision.words, decision.best_words))
        assert "if it is used" in decision.words
    assert words[0] == words[1]


def test_errors_of_losses_cancel_in_the_sum_of_many() -> None:
    """All corners are equal: where a search calls another one the best, nothing was lost."""
    game = played("tic_tac_toe", ["b2", "a1"], returns=(0.5, 0.5), ending="drawn")
    losses, changes = [], []
    for seed in range(150):
        values = Values("", EFFORTS["quick"], seed)
        first = judge(game, 1, values, 60)
        if first.best in ("a3", "c1", "c3"):
            other = judge(game, 1, values, 60, number=1)
            losses.append(other.loss)
            changes.append(change_of(game, 1, values, first, other).shares[1])
    assert len(changes) > 30
    error = np.std(changes) / len(changes) ** 0.5
    assert abs(np.mean(changes)) < 3 * error
    assert np.mean(losses) > 5 * error


def test_the_error_that_moves_share_is_none_of_a_loss() -> None:
    game = random_game("kingdom_coinquest")
    values = Values("", EFFORTS["quick"], 1)
    plies = [ply for ply, each in enumerate(game.positions) if len(each.legal_moves()) > 1]
    judged = [judge(game, ply, values, 200) for ply in plies[:20]]
    best = [next(m for m in each.analysis.moves if m.move == each.best) for each in judged]
    compared = [pair for pair in zip(judged, best, strict=True) if pair[1].shared_error > 0]
    assert compared
    for each, move in compared:
        assert each.before.error < move.standard_error


def test_only_luck_that_searches_differ_in_is_measured_again() -> None:
    game = random_game("chessault")
    sizes = [
        len(next(Reviewer(game, effort="quick", seed=1, engine=engine).rounds()))
        for engine in ("expectimax", "mcts")
    ]
    assert sizes[0] == 1 + 1 + CUT < sizes[1]


def test_the_sums_are_of_changes_and_not_of_losses_that_are_shown() -> None:
    game = random_game("kingdom_coinquest")
    review = review_game(game, effort="quick")
    shown = np.zeros(2)
    for decision in review.decisions:
        shown[decision.seat - 1] += decision.loss
    own = [
        -sum(each.change[seat] for each in review.decisions if each.seat == seat + 1)
        for seat in (0, 1)
    ]
    assert own == pytest.approx(review.losses)
    assert sum(shown) > sum(review.losses) + 0.02


def test_no_move_is_called_a_mistake_within_its_error() -> None:
    assert grade_of(0.2, 0.1) is Grade.GOOD
    assert grade_of(0.2, 0.01) is Grade.BLUNDER
    assert grade_of(0.06, 0.01) is Grade.MISTAKE
    assert grade_of(0.03, 0.001) is Grade.INACCURACY
    assert grade_of(0.01, 0.0) is Grade.GOOD
    assert [is_bad(grade) for grade in Grade] == [False] * 3 + [True] * 3
    assert [grade for grade, _ in THRESHOLDS] == [Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY]


def test_a_draw_is_no_blunder_because_a_search_proved_another_draw() -> None:
    """A short search proves that b2 draws against b1, and seldom that b3 does."""
    for seed in range(20):
        game = played("tic_tac_toe", ["b1", "b3", "a1", "c1", "b2", "a2", "c2", "c3", "a3"])
        answer = review_game(game, effort="quick", engine="mcts", seed=seed).decisions[1]
        assert answer.move == "b3"
        assert not is_bad(answer.grade), (seed, answer.loss, answer.loss_error)


def test_a_proven_loss_is_a_blunder_whatever_a_short_search_thought_of_it() -> None:
    """An edge loses against the centre, and the second search proves it."""
    for seed in range(12):
        game = played("tic_tac_toe", ["b2", "b1", "a1", "c3", "a3", "c1", "a2"])
        answer = review_game(game, effort="quick", engine="mcts", seed=seed).decisions[1]
        assert (answer.loss, answer.loss_error) == (0.5, 0.0)
        assert answer.grade is Grade.BLUNDER


def test_a_large_loss_within_its_error_is_looked_at_again() -> None:
    """Ben leaves a column with three; of 300 seeds these called it good, as errors were large."""
    for seed in (5, 37, 57, 84, 116):
        game = played("connect_four", list("ababaca"))
        answer = review_game(game, effort="quick", seed=seed).decisions[5]
        assert answer.grade is Grade.BLUNDER, (seed, answer.loss, answer.loss_error)


def test_passes_that_disagree_leave_a_blunder_open() -> None:
    game = played("connect_four", list("ababaca"))
    judged = judge(game, 5, Values("", EFFORTS["quick"], 1), 400)
    first, second = replace(judged, loss=0.26), replace(judged, loss=0.12, error=0.03)
    assert is_undecided(first, second)
    assert not is_undecided(second, second)
    assert not is_undecided(first, replace(second, error=0.0))
    assert not is_undecided(first, replace(second, loss=0.09))


def test_a_bad_grade_always_had_a_second_look() -> None:
    review = review_game(random_game("connect_four"), effort="quick")
    bad = [decision for decision in review.decisions if is_bad(decision.grade)]
    assert bad
    assert all(decision.is_deep for decision in bad)


def test_a_game_that_was_broken_off_adds_up_too() -> None:
    game = random_game("chessault", max_plies=6)
    assert game.ending == "cut"
    review = review_game(game, effort="quick")
    assert review.result == (0.5, 0.5)
    assert review.shares[-1] == (0.5, 0.5)


def test_what_a_resignation_changed_is_no_error_of_the_values() -> None:
    """X threatens two lines, and resigns."""
    moves = ["b2", "a2", "a1", "c3", "b1"]
    game = played("tic_tac_toe", moves, returns=(0.0, 1.0), ending="resigned")
    review = review_game(game, effort="quick")
    assert review.ending == "resigned"
    last = np.array(review.shares[-2])
    assert last[0] > 0.9
    assert np.array(review.ending_change) == pytest.approx(np.array(review.result) - last)
    assert review.shares[-1] == (0.0, 1.0)
    assert len(review.shares) == len(moves) + 2
    assert abs(review.unseen[0]) < 4 * review.unseen_error + 0.1
    assert "resigned -" in verdict(review, 1)


@pytest.mark.parametrize("ending", ["resigned", ""])
def test_an_ending_that_is_not_known_or_not_beyond_the_rules_changes_nothing(ending: str) -> None:
    moves = ["b2", "a2", "a1", "c3", "b1", "c2", "b3"]
    if ending:
        game = played("tic_tac_toe", moves, ending=ending)
    else:
        game = played("tic_tac_toe", moves[:5], returns=(0.0, 1.0))
    review = review_game(game, effort="quick")
    assert (review.ending, review.ending_change) == ("", ())
    assert len(review.shares) == len(game.tokens) + 1
    assert "resigned" not in verdict(review, 1)


def test_a_game_that_was_resigned_at_once_adds_up() -> None:
    game = played("tic_tac_toe", [], returns=(0.0, 1.0), ending="resigned")
    review = review_game(game, effort="quick")
    assert review.unseen == pytest.approx((0.0, 0.0))
    assert review.shares == (review.start, (0.0, 1.0))


def test_a_resignation_is_valued_by_what_the_seat_saw() -> None:
    """With the queen, after a bet, p2 gives up the same whatever p1 has."""
    lost = [
        review_game(
            played("kuhn_poker", [card, "deal:q", "bet"], returns=(1, 0), ending="resigned"),
            effort="quick",
        ).ending_change
        for card in ("deal:k", "deal:j")
    ]
    assert lost[0] == lost[1]
    assert lost[0][1] < 0


def test_the_chart_ends_in_how_the_game_was_broken_off() -> None:
    game = played("tic_tac_toe", ["b2"], returns=(0.5, 0.5), ending="drawn")
    review = review_game(game, effort="quick")
    page = write_html(game, review)
    assert page.count("drawn by agreement") == 3  # the head, a column and the sum
    assert shares_chart(review) != shares_chart(replace(review, ending_change=()))


def test_a_decision_with_more_moves_than_simulations_is_reviewed() -> None:
    moves = (
        "first:p5 king:5f2 king:6d3 king:7g7 king:8h6 king:1b1 king:2g1 king:3e1 king:4a1 "
        "court:jc court:qh court:kd court:js court:qc court:ks court:jc court:qc court:kd "
        "court:jc court:qs court:ks court:jh court:qc court:kd court:js court:qs court:kh "
        "court:jd court:qc court:kd court:jh court:qc court:ks draw:jd draw:qc draw:td draw:8c "
        "draw:3d draw:3h draw:6h draw:8d draw:9d draw:5s dark:p8 red:7 at:6f8 end_turn "
        "discard_hand "
    )
    options = {"players": "8", "max_turns": "1", "start_jokers": "off", "start_court": "on"}
    game = played("knaves_out", moves.split(), {**options, "limit_result": "rank"})
    tower = game.tokens.index("at:6f8")
    assert len(game.positions[tower].legal_moves()) > EFFORTS["quick"].decision
    values = Values("", EFFORTS["quick"], 0)
    judged = judge(game, tower, values, EFFORTS["quick"].decision)
    decision = decision_of(game, tower, values, judged, judged)
    assert 0 <= decision.loss <= 1


def test_the_best_move_with_open_cards_has_the_words_of_the_list_of_moves() -> None:
    """Where nobody has bet, the token `call` is a check: a move has one name for its player."""
    moves = "deal:js deal:qs raise call deal:jh call raise call"
    decision = review_game(played("leduc_poker", moves.split()), effort="quick").decisions[3]
    assert (decision.words, decision.open_best, decision.open_words) == (
        "bet 4 chips",
        "call",
        "check",
    )
    assert re.search(
        r"With all cards known, which p2 could not know, it would have gained [\d.]+ points more "
        r"to check\.$",
        judgement(decision),
    )


def test_luck_takes_no_share_out_of_its_bounds() -> None:
    review = review_game(random_game("chessault", 200), effort="quick")
    for shares in review.shares:
        assert min(shares) >= 0
        assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"effort": "hard"}, "there is no effort 'hard'; they are quick, standard, deep"),
        ({"seed": -1}, "seed is -1"),
        ({"engine": "random"}, "engine is 'random', which values no moves; those that do are"),
        ({"engine": "magic"}, "there is no engine 'magic'"),
        ({"engine": "mcts"}, "mcts can't search kuhn_poker"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    game = played("kuhn_poker", ["deal:k", "deal:q", "bet", "pass"])
    with pytest.raises(InputError, match=message):
        Reviewer(game, **arguments)  # type: ignore[arg-type]
