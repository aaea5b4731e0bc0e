"""Adds up the statistics of the searches on several threads."""

from libc.math cimport INFINITY, hypot, sqrt
from libc.stdint cimport int64_t

from kingmaker.cext.game cimport Game

from .samples cimport variance_of_mean
from .searcher cimport Searcher

from collections import deque

from .analysis import Bound, MoveAnalysis, Reply


cdef enum:
    MAX_REPLIES = 12
    MIN_REPLIED = 20
    EXAMINED_VISITS = 10
    LEAST_VISITS = 2

# Replies to a move are listed if `MIN_REPLIED` of its simulations, and this part of them, include a
# reply: the few that do in a wide tree are a biased sample. A reply is listed with
# `EXAMINED_VISITS` or a proof: the worst of many values that rest on a game or two is bad luck.
cdef double MIN_REPLIED_SHARE = 0.1
# Standard errors around a value that contain the true one in 95 % of cases.
WITHIN = 1.96
# Visits from which on a move may come before the most visited one, as a part of its visits.
cdef double OFTEN_PART = 0.25
# Moves of a mixed policy below this part of the likeliest move's probability are dropped.
cdef double MIN_PROBABILITY = 0.01
# A move is examined with `EXAMINED_VISITS`, or with this part of those of the most visited move,
# but not with fewer than `LEAST_VISITS`: without a proof its average says nothing.
cdef double EXAMINED_PART = 0.1
# Key among the replies that counts all simulations with a reply.
REPLIED = (-1, 0)


def policy_of(observation, searchers, moves) -> tuple:
    """See merge.pyi."""
    cdef list mixed = [policy for each in searchers if (policy := each.root_policy())]
    cdef list weights
    cdef double floor, total
    if not mixed or not moves:
        return tuple([float(rank == 0) for rank in range(len(moves))])
    numbers = [observation.game.parse_move(move.move) for move in moves]
    weights = [sum([policy[number] for policy in mixed]) for number in numbers]
    weights = without_unexamined(weights, moves)
    if len(mixed) > 1:
        weights = without_worse(weights, moves, observation.seat - 1)
    floor = MIN_PROBABILITY * max(weights)
    weights = [weight if weight >= floor else 0.0 for weight in weights]
    total = sum(weights)
    return tuple([weight / total for weight in weights])


cdef list without_unexamined(list weights, moves):
    """Drop moves whose values say nothing, if another one is left."""
    kept = [weight if move.is_examined else 0.0
            for weight, move in zip(weights, moves, strict=True)]
    return kept if any(kept) else weights


cdef list without_worse(list weights, moves, int seat):
    cdef list examined = [move for move in moves if move.is_examined]
    cdef list kept = []
    for weight, move in zip(weights, moves, strict=True):
        for other in examined:
            if (other.values[seat] - move.values[seat]
                    > <double>WITHIN * hypot(other.standard_error, move.standard_error)):
                kept.append(0.0)
                break
        else:
            kept.append(weight)
    return kept if any(kept) else weights


def bound_of(searchers, bint is_exact):
    """See merge.pyi."""
    if is_exact:
        return Bound.EXACT
    known = searchers[0].bound if len(searchers) == 1 else None
    return known or Bound.HEURISTIC


def fusion_risk_of(moves) -> float:
    """See merge.pyi."""
    world_share = moves[0].world_share if moves else None
    return 0.0 if world_share is None else 1 - world_share


def totals_of(searchers) -> tuple:
    """See merge.pyi."""
    cdef Searcher each
    cdef int64_t simulations = 0
    cdef int depth = 0
    num_nodes = memory_bytes = 0
    for each in searchers:
        simulations += each.simulations
        depth = max(depth, each.depth)
        num_nodes += each.num_nodes
        memory_bytes += each.memory_bytes
    return simulations, num_nodes, depth, memory_bytes


def merge(observation, searchers, *, bint by_value=False, bint replies=True, bint mixes=False):
    """See merge.pyi."""
    cdef int num_seats = observation.num_seats
    cdef int seat = observation.seat - 1
    cdef int64_t visits = 0
    cdef int64_t more_visits
    cdef list sums = None
    cdef list more_sums
    cdef tuple proof = None
    for searcher in searchers:
        more_visits, more_sums, is_exact = searcher.root_values()
        visits += more_visits
        sums = added(sums, more_sums) if sums is not None else more_sums
        if is_exact:
            proof = divided(more_sums, more_visits)
    cdef tuple moves = ()
    if observation._is_own_decision:
        moves = ranked(move_analyses(observation, searchers, replies, mixes), seat, by_value, mixes)
        tell(observation.game, searchers, moves)
    if proof is not None:
        return moves, proof, True
    if moves and moves[0].visits:
        return moves, moves[0].values, False
    if visits:
        return moves, divided(sums, visits), False
    return moves, even(num_seats), False


cdef list move_analyses(observation, searchers, bint with_replies, bint mixes):
    cdef Game game = observation.game
    cdef dict totals = dict.fromkeys(game.moves_of(observation.state))
    cdef MoveTotal total
    cdef Searcher searcher
    cdef int64_t num_visits = 0
    cdef int64_t most_visits = 0
    cdef double least, unvisited_share
    cdef tuple even_values
    for searcher in searchers:
        # Trees that mix stand at different levels of value, so what one visits most must not weigh
        # most: each counts once, as in the average of their policies.
        for move, visits, sums, variance, is_exact, line in searcher.root_moves():
            if visits:
                total_of(totals, move).add(visits, sums, variance, is_exact, line, mixes)
        if with_replies:
            for move, replies in searcher.replies().items():
                total_of(totals, move).add_replies(replies)
        for move, worlds in searcher.best_worlds().items():
            total = total_of(totals, move)
            total.best_worlds = worlds + (total.best_worlds or 0)
    for total in totals.values():
        if total is not None:
            num_visits += total.visits
            most_visits = max(most_visits, total.visits)
    least = least_examined(most_visits)
    if searchers[0].bound is not None:  # by evaluations at some depth, which don't vary
        least = 1
    cdef bint is_belief = (<Searcher>searchers[0]).is_belief
    # A search that ended before its first simulation has no values.
    unvisited_share = 0.0 if num_visits else 1.0 / len(totals)
    even_values = even(game.num_seats)
    return [
        (<MoveTotal>total).analysis(game, move, num_visits, least, is_belief)
        if total is not None and (<MoveTotal>total).visits
        else unvisited(game.token(move), unvisited_share, even_values)
        for move, total in totals.items()
    ]


cdef tell(Game game, searchers, tuple moves):
    """Give moves the values that are told, where those that they rank by are others."""
    cdef list told = [found for each in searchers if (found := each.told_moves())]
    cdef list sums
    cdef double visits, error, shared
    if not told:
        return
    for move in moves:
        number = game.parse_move(move.move)
        known = [each[number] for each in told if number in each]
        if move.is_exact or not known:
            continue
        visits = error = shared = 0
        sums = None
        for more_visits, more_sums, squared, squared_shared in known:
            visits += more_visits
            error += more_visits * squared
            shared += more_visits * squared_shared
            sums = added(sums, more_sums) if sums is not None else more_sums
        move.values = divided(sums, visits)
        # What it will still move by is the same on all threads.
        move.standard_error = min(
            0.5, sqrt(move.standard_error ** 2 + (error + shared) / visits))
        move.shared_error = sqrt(shared / visits)


cdef MoveTotal total_of(dict totals, move):
    """Return the statistics of a legal move, made when the first of them come."""
    cdef MoveTotal total = totals[move]
    if total is None:
        total = totals[move] = MoveTotal()
    return total


cdef tuple even(int num_seats):
    return (1 / <double>num_seats,) * num_seats


cdef object unvisited(str text, double share, tuple values):
    return MoveAnalysis(text, 0, share, values, 0.5, (text,), (), False, None, False)


cdef double least_examined(int64_t most_visits) noexcept:
    """Return the visits from which on an estimated move counts as examined."""
    cdef double least = min(<double>EXAMINED_VISITS, EXAMINED_PART * most_visits)
    return max(<double>LEAST_VISITS, least)


def ranked_moves(moves, int seat, *, bint by_value) -> tuple:
    """See merge.pyi."""
    return ranked(list(moves), seat, by_value, False)


cdef tuple ranked(list moves, int seat, bint by_value, bint mixes):
    cdef list wins = []
    cdef list proven = []
    cdef list estimated = []
    cdef list unexamined = []
    cdef list unvisited = []   # of equal rank
    cdef list losses = []
    for move in moves:
        if move.is_exact:
            value = move.values[seat]
            (wins if value >= 1 else proven if value > 0 else losses).append(move)
        elif not move.visits:
            unvisited.append(move)
        else:
            (estimated if by_value or move.is_examined else unexamined).append(move)
    estimated = by_rank(estimated, seat, by_value)
    if not (by_value or mixes):
        estimated = better_first(estimated, seat)
    if proven:
        estimated = woven(by_rank(proven, seat, by_value), estimated, seat)
    return (*by_rank(wins, seat, by_value), *estimated, *by_rank(unexamined, seat, by_value),
            *unvisited, *by_rank(losses, seat, by_value))


cdef list better_first(list moves, int seat):
    """Put a move first that is worth more than the most visited one, beyond the error of both.

    The search found it late, and would turn to it with more time (docs/experiments.md).
    """
    if len(moves) < 2:
        return moves
    first = moves[0]
    often = [move for move in moves if move.visits >= <double>OFTEN_PART * first.visits]
    best = max(often, key=lambda move: move.values[seat])
    error = hypot(best.standard_error, first.standard_error)
    if best.values[seat] - first.values[seat] > <double>WITHIN * error:
        return [best, *[move for move in moves if move is not best]]
    return moves


cdef list by_rank(list moves, int seat, bint by_value):
    """Return moves by rank; those of equal rank stay in their order."""
    if len(moves) < 2:
        return moves
    keys = [rank_of(move, seat, by_value) for move in moves]
    return [moves[place] for place in sorted(range(len(moves)), key=keys.__getitem__)]


cdef tuple rank_of(move, int seat, bint by_value):
    value = move.values[seat]
    if move.is_exact:
        haste = (value >= 1) - (value <= 0)
        length = move.visits if by_value else len(move.line)  # the line of a table has gaps
        return (-value, haste * length, -move.visits)
    return (-value,) if by_value else (-move.visits, -value)


cdef list woven(list proven, list estimated, int seat):
    """Return the estimated moves in their order, each after the proven ones that are as good."""
    cdef list found = []
    left = deque(proven)
    for estimate in estimated:
        while left and left[0].values[seat] >= estimate.values[seat]:
            found.append(left.popleft())
        found.append(estimate)
    found.extend(left)
    return found


cdef list added(list first, list second):
    return [<double>a + <double>b for a, b in zip(first, second, strict=True)]


cdef double largest_error(double games, double mean):
    """Return the standard error of a mean of games that were all won or lost, the largest one."""
    return 0.0 if games == INFINITY else sqrt(variance_of_mean(games, games * mean, games * mean))


cdef tuple divided(list sums, double visits):
    return tuple([<double>each / visits for each in sums])


cdef class MoveTotal:
    """Statistics of one root move, added up over the searchers."""

    cdef int64_t visits
    cdef int64_t weight
    cdef list sums
    cdef double variance
    cdef tuple proof
    cdef list line
    cdef int64_t line_visits
    cdef dict replies
    cdef object best_worlds

    cdef add(self, int64_t visits, list sums, double variance, bint is_exact, list line,
             bint counts_once):
        """Add those of a searcher; its values weigh as its visits, or as one."""
        cdef int64_t weight = 1 if counts_once else visits
        self.visits += visits
        self.weight += weight
        if is_exact:
            self.proof = divided(sums, visits)
        if weight != visits:
            sums = [<double>each * weight / visits for each in sums]
        self.sums = sums if self.sums is None else added(self.sums, sums)
        self.variance += <double>(weight * weight) * variance
        if visits > self.line_visits:
            self.line, self.line_visits = line, visits

    cdef add_replies(self, dict replies):
        if self.replies is None:
            self.replies = {}
        for key, (visits, total, games) in replies.items():
            entry = self.replies.setdefault(key, [0.0, 0.0, 0.0, None])
            entry[0] += visits
            entry[1] += total
            entry[2] += games
            if games == INFINITY:
                entry[3] = total / visits

    cdef object analysis(
            self, Game game, move, int64_t num_visits, double least_examined, bint is_belief):
        """Return the statistics of a move with visits.

        Where they rest on a belief, replies share its error.
        """
        cdef bint is_exact = self.proof is not None
        error = 0.0 if is_exact else min(0.5, sqrt(self.variance) / self.weight)
        return MoveAnalysis(
            game.token(move),
            self.visits,
            <double>self.visits / num_visits,
            self.proof if is_exact else divided(self.sums, self.weight),
            error,
            tuple([game.token(each) for each in self.line]),
            self.most_frequent(game, error if is_belief else 0) if self.replies else (),
            is_exact,
            None if self.best_worlds is None else self.best_worlds / self.visits,
            is_exact or self.visits >= least_examined,
        )

    cdef tuple most_frequent(self, Game game, double least_error):
        """List replies, with at least this error if they are not proven."""
        num_replied = self.replies.pop(REPLIED, [0.0])[0]
        if num_replied < max(<double>MIN_REPLIED, MIN_REPLIED_SHARE * self.visits):
            return ()
        known = [item for item in self.replies.items() if item[1][2] >= EXAMINED_VISITS]
        replies = sorted(known, key=lambda item: (-item[1][0], item[0]))
        found = []
        for (mover, reply), (visits, total, games, proof) in replies[:MAX_REPLIES]:
            value = total / visits if proof is None else proof
            found.append(Reply(mover + 1, game.token(reply), visits / num_replied, value,
                               0.0 if games == INFINITY else max(
                                   least_error, largest_error(games, value))))
        return tuple(found)
