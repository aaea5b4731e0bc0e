"""One seat of CFR+: its regrets, plans, averages and best responses, in arrays over its sequences.

All arrays of a `Player` have an element for each of its sequences. Its regrets define its policy:
each move in proportion to its regret, or uniform where no move has any. A pass goes over the
seat's information sets forward or backward, in slices of any length.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from .sequence_form cimport InformationSet, Side


cdef enum:
    ARRAYS = 6           # of a `Player`


cdef extern from *:
    """
    #define KINGMAKER_NO_REGRET 1e-200
    """
    const double NO_REGRET "KINGMAKER_NO_REGRET"   # less is none: to divide by it could overflow


cdef struct Player:
    Side* side
    double* regrets  # cumulative regret of not having played the move, never below 0
    double* plan     # reach of the sequence by the present policy, the seat's own moves alone
    double* sums     # plans of all iterations so far, each weighted by the iteration's number
    double* values   # of the information sets after a move that a running backward pass has seen
    double* average  # reach of the sequence by the policy being judged, mostly the average one
    double* best     # as `values`, for best responses; zero between them
    double value     # win share by both policies being judged, as summed by a check
    int32_t slice    # information sets that are done between looks at the cancel flag


cdef inline void set_up(Player* player, int64_t slice_work) noexcept nogil:
    """Lay the arrays out in the memory at `regrets`, which is zero.

    `slice_work`: entries and sequences that a slice of a pass has.
    """
    cdef int32_t count = player.side.num_sequences
    cdef int64_t work = count + player.side.starts[count]
    player.plan = player.regrets + count
    player.sums = player.plan + count
    player.values = player.sums + count
    player.average = player.values + count
    player.best = player.average + count
    player.plan[0] = 1.0
    player.average[0] = 1.0
    player.slice = max(<int64_t>1, slice_work * player.side.num_sets // work)


cdef inline InformationSet* sets_of(const Player* player) noexcept nogil:
    return <InformationSet*>player.side.sets.base


cdef inline double gather(const Side* side, int32_t sequence, const double* rival) noexcept nogil:
    """Value of the histories that end with this sequence of a seat, against a rival's plan."""
    cdef double value = 0.0
    cdef int32_t i
    for i in range(side.starts[sequence], side.starts[sequence + 1]):
        value += side.weights[i] * rival[side.rivals[i]]
    return value


cdef inline void update_regrets(
        Player* player, const double* rival, int32_t begin, int32_t end) noexcept nogil:
    """Value information sets end-1 .. begin under the present policy and update their regrets."""
    cdef const InformationSet* sets = sets_of(player)
    cdef double* values = player.values
    cdef double* regrets = player.regrets
    cdef double value, total, mean
    cdef int32_t i, first, last, s
    for i in range(end - 1, begin - 1, -1):
        first = sets[i].first
        last = sets[i + 1].first
        value = total = mean = 0.0
        for s in range(first, last):
            values[s] += gather(player.side, s, rival)
            mean += values[s]
            total += regrets[s]
            value += regrets[s] * values[s]
        value = value / total if total > NO_REGRET else mean / (last - first)
        for s in range(first, last):
            regrets[s] = max(regrets[s] + values[s] - value, 0.0)
            values[s] = 0.0
        values[sets[i].parent] += value


cdef inline void update_plan(
        Player* player, double weight, int32_t begin, int32_t end) noexcept nogil:
    """Turn regrets into the plan of information sets begin .. end-1 and add it to the average."""
    cdef const InformationSet* sets = sets_of(player)
    cdef const double* regrets = player.regrets
    cdef double* plan = player.plan
    cdef double total, scale, base
    cdef int32_t i, first, last, s
    for i in range(begin, end):
        first = sets[i].first
        last = sets[i + 1].first
        total = 0.0
        for s in range(first, last):
            total += regrets[s]
        # Reach of a move: base where no move has regret, else scale * its regret.
        scale = plan[sets[i].parent] / total if total > NO_REGRET else 0.0
        base = 0.0 if total > NO_REGRET else plan[sets[i].parent] / (last - first)
        for s in range(first, last):
            plan[s] = base + scale * regrets[s]
            player.sums[s] += weight * plan[s]


cdef inline void take_average(Player* player, int32_t begin, int32_t end) noexcept nogil:
    """Write the average policy of information sets begin .. end-1 as a plan."""
    cdef const InformationSet* sets = sets_of(player)
    cdef double total
    cdef int32_t i, first, last, s
    for i in range(begin, end):
        first = sets[i].first
        last = sets[i + 1].first
        total = 0.0
        for s in range(first, last):
            total += player.sums[s]
        for s in range(first, last):
            player.average[s] = player.average[sets[i].parent] * (
                player.sums[s] / total if total > NO_REGRET else 1.0 / (last - first))


cdef inline void respond(
        Player* player, const double* rival, int32_t begin, int32_t end) noexcept nogil:
    """Value information sets end-1 .. begin for a best responder to the rival's plan."""
    cdef const InformationSet* sets = sets_of(player)
    cdef double* values = player.best
    cdef double best, gathered
    cdef int32_t i, s
    for i in range(end - 1, begin - 1, -1):
        best = -INFINITY
        for s in range(sets[i].first, sets[i + 1].first):
            gathered = gather(player.side, s, rival)
            best = max(best, values[s] + gathered)
            values[s] = 0.0
            player.value += player.average[s] * gathered
        values[sets[i].parent] += best


# In `best`, for a while: how often both averages end a game with each sequence as a seat's last. An
# entry of a row weighs what chance does times a share of the win; those of both seats sum to 1.

cdef inline void end_as_last(
        Player* own, const Player* rival, int32_t begin, int32_t end) noexcept nogil:
    """Write the part of sequences begin .. end-1 that the seat's own shares weigh."""
    cdef int32_t s
    for s in range(begin, end):
        own.best[s] = own.average[s] * gather(own.side, s, rival.average)


cdef inline void end_with_rival(
        Player* own, const Player* rival, int32_t begin, int32_t end) noexcept nogil:
    """Add the part that the shares of the rival weigh, with its sequences begin .. end-1."""
    cdef const Side* side = rival.side
    cdef int32_t s, i
    for s in range(begin, end):
        for i in range(side.starts[s], side.starts[s + 1]):
            own.best[side.rivals[i]] += (
                side.weights[i] * rival.average[s] * own.average[side.rivals[i]])


cdef inline void gather_reach(
        Player* own, double* reaches, int32_t begin, int32_t end) noexcept nogil:
    """Take the reach of information sets end-1 .. begin from `best`, and leave zeros."""
    cdef const InformationSet* sets = sets_of(own)
    cdef int32_t i, s
    for i in range(end - 1, begin - 1, -1):
        for s in range(sets[i].first, sets[i + 1].first):
            reaches[i] += own.best[s]
            own.best[s] = 0.0
        own.best[sets[i].parent] += reaches[i]
