"""What ReviewGame asks of a reviewer, and how it answers from it."""

from __future__ import annotations

from dataclasses import dataclass

from kingmaker import __version__
from kingmaker.cext.errors import InputError
from kingmaker.review.games import PlayedGame, played, read_games
from kingmaker.review.model import Grade, Review
from kingmaker.review.pieces import Pieces, ReviewState
from kingmaker.review.review import STANDARD, Reviewer
from kingmaker.review.words import judgement
from kingmaker.search.analysis import Budget
from kingmaker.search.games import game_type
from kingmaker.v1 import review_service_pb2 as pb

EFFORTS = {
    pb.REVIEW_EFFORT_UNSPECIFIED: STANDARD,
    pb.REVIEW_EFFORT_QUICK: "quick",
    pb.REVIEW_EFFORT_STANDARD: STANDARD,
    pb.REVIEW_EFFORT_DEEP: "deep",
}
GRADES: dict[Grade, pb.MoveGrade] = {
    Grade.FORCED: pb.MOVE_GRADE_FORCED,
    Grade.BEST: pb.MOVE_GRADE_BEST,
    Grade.GOOD: pb.MOVE_GRADE_GOOD,
    Grade.INACCURACY: pb.MOVE_GRADE_INACCURACY,
    Grade.MISTAKE: pb.MOVE_GRADE_MISTAKE,
    Grade.BLUNDER: pb.MOVE_GRADE_BLUNDER,
}
MAX_PLIES = 5000  # of a game; the longest real ones have about 1,000
MAX_RECORD = 1 << 20  # characters


@dataclass(frozen=True, slots=True)
class ReviewJob:
    """Review a game.

    Attributes:
        request: with an effort that exists.
        seed: of the review.
        game_name: name of the game; empty: it stands in the record.
    """

    request: pb.ReviewGameRequest
    seed: int
    game_name: str

    kind = None

    @property
    def budget(self) -> Budget:
        """No limit of time: the effort ends the review."""
        return Budget(simulations=1)

    def begin(self) -> Pieces:
        """Read the game, which may take as long as to play it.

        Raises:
            InputError: a field is wrong.
        """
        request = self.request
        subject = request.WhichOneof("subject") or ""
        try:
            game = read_game(request)
        except InputError as error:
            # A record is one field, whatever its text says.
            for each in error.errors:
                parts = (subject,) if subject == "record" else (subject, each.field)
                each.field = ".".join(part for part in parts if part)
            raise
        effort = EFFORTS[request.effort]
        return Pieces(Reviewer(game, effort=effort, seed=self.seed, engine=request.engine))

    def answer(self, search: Pieces, found: ReviewState) -> pb.ReviewGameResponse:
        """Write the progress or, at the end, the review."""
        review = None if found.review is None else review_message(found.review)
        return pb.ReviewGameResponse(done=found.done, known=found.known, review=review)

    def effort(self, found: ReviewState) -> None:
        """None: it is not known."""


def read_game(request: pb.ReviewGameRequest) -> PlayedGame:
    """Read the game of a request.

    Raises:
        InputError: it is missing, malformed or not possible.
    """
    match request.WhichOneof("subject"):
        case "record":
            if len(request.record) > MAX_RECORD:
                raise InputError(f"the record is longer than {MAX_RECORD} characters")
            games = list(read_games(request.record.splitlines(keepends=True)))
            if len(games) != 1:
                raise InputError(f"the record has {len(games)} games; send one")
            return games[0]
        case "moves":
            given = request.moves
            if len(given.moves) > MAX_PLIES:
                raise InputError(f"the game has {len(given.moves)} plies; {MAX_PLIES} are allowed")
            return played(
                given.game,
                given.moves,
                given.options,
                names=given.names,
                returns=given.returns,
                seed=given.deal_seed if given.HasField("deal_seed") else None,
                ending=given.ending,
            )
    raise InputError("the game is missing; give moves or a record", field="moves")


def review_message(review: Review) -> pb.Review:
    """Write a review."""
    return pb.Review(
        game=review.game,
        names=review.names,
        engine=review.engine,
        seed=review.seed,
        result=review.result,
        start=review.start,
        luck=review.luck,
        plays=review.plays,
        unseen=review.unseen,
        unseen_error=review.unseen_error,
        adjusted=review.adjusted,
        adjusted_error=review.adjusted_error,
        losses=review.losses,
        ending=review.ending,
        ending_change=review.ending_change,
        ending_error=review.ending_error,
        decisions=[
            pb.DecisionReview(
                ply=each.ply,
                seat=each.seat,
                move=each.move,
                description=each.words,
                observation=each.observation,
                best_move=each.best,
                best_description=each.best_words,
                grade=GRADES[each.grade],
                before=each.before,
                after=each.after,
                loss=each.loss,
                loss_error=each.loss_error,
                open_move=each.open_best,
                open_gain=each.open_gain,
                change=each.change,
                change_error=each.change_error,
                explanation=judgement(each),
            )
            for each in review.decisions
        ],
        chances=[
            pb.ChanceReview(
                ply=each.ply,
                moves=each.tokens,
                description=each.words,
                seats=each.seats,
                luck=each.luck,
                luck_error=each.luck_error,
            )
            for each in review.chances
        ],
        shares=[pb.WinShares(values=shares) for shares in review.shares],
        engine_version=__version__,
        rules_version=game_type(review.game).rules_version,
    )
