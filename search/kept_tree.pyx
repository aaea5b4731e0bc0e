"""The tree of a seat's earlier search, taken over by its next one in the same game.

A turn may have many decisions of one seat, and most visits of a search are below the move that is
played. So the next search begins with the part of the tree below the decision that shows the
observer what it sees now (`IsmctsSearcher.keep`): such a part is a search of that observation, in
worlds that fit it. Children of nodes with few visits are left behind: they are most of the tree,
and soon found again.

Source: the reuse of subtrees in Silver et al. 2016, "Mastering the game of Go with deep neural
networks and tree search", here by what the observer sees instead of by moves.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from kingmaker.cext.game cimport MOVES_ROOM, listed

from .ismcts cimport IsmctsSearcher, Node
from .puct cimport PRIOR_WORLDS
from .samples cimport Samples
from .searcher cimport NO_NODE


cdef enum:
    KEPT_VISITS = 8   # fewest of a node whose children are taken over


def take_over(IsmctsSearcher search, IsmctsSearcher earlier) -> int:
    """See kept_tree.pyi."""
    cdef int32_t found
    cdef int32_t* origins   # of each copy
    if search.seen == NULL or earlier.seen == NULL:
        raise ValueError("both searches must give keys to decisions; call keep() before they begin")
    if search.num_samples == 0 or search.observer != earlier.observer:
        return 0
    if earlier.is_running:
        raise RuntimeError("the search before still runs, so that its tree can't be taken")
    memcpy(search.seen, search.root, search.game.state_bytes)
    found = most_visited_alike(earlier, search.key_of_seen())
    if found == NO_NODE:
        return 0
    origins = <int32_t*>malloc(<size_t>earlier.arena.used * sizeof(int32_t))
    if origins == NULL:
        raise MemoryError(f"no {4 * earlier.arena.used} bytes to take over a search tree")
    earlier.is_running = True   # so that no other thread starts it meanwhile
    with nogil:
        copy_below(search, earlier, found, origins)
        free(origins)
        settle_root(search)
    earlier.is_running = False
    return search.at(0).visits


cdef int32_t most_visited_alike(IsmctsSearcher earlier, uint64_t key) noexcept nogil:
    """The most visited decision of the observer with this key, or NO_NODE."""
    cdef int32_t best = NO_NODE
    cdef int32_t index
    cdef const Node* node
    for index in range(1, earlier.arena.used):
        node = earlier.at(index)
        if (node.key == key and node.seat == earlier.observer and node.visits >= KEPT_VISITS
                and (best == NO_NODE or node.visits > earlier.at(best).visits)):
            best = index
    return best


cdef void copy_below(
        IsmctsSearcher search, IsmctsSearcher earlier, int32_t found,
        int32_t* origins) noexcept nogil:
    """Copy what is below a node to below the root, parents first, into half of the room."""
    cdef int32_t index = 0
    origins[0] = found
    while copy_children(search, earlier, index, origins[index], origins):
        index += 1
        while index < search.arena.used and search.at(index).visits < KEPT_VISITS:
            index += 1
        if index == search.arena.used:
            return


cdef bint copy_children(
        IsmctsSearcher search, IsmctsSearcher earlier, int32_t parent, int32_t source,
        int32_t* origins) noexcept nogil:
    """Copy the children of a node, without theirs; False if half of the room is used.

    Of the root only moves that a search tries there: in some worlds a rival decided at the node it
    was, and deeper nodes may have pointless moves.
    """
    cdef uint32_t[MOVES_ROOM] moves
    cdef int num_moves = 0
    cdef int32_t origin = earlier.at(source).first_child
    cdef int32_t child
    cdef const Node* old
    cdef Node* node
    cdef int seat
    if parent == 0:
        num_moves = listed(search.game, search.root, search.observer, moves, NULL)
    while origin != NO_NODE:
        old = earlier.at(origin)
        if parent == 0 and (
                old.mover != search.observer or not is_among(old.move, moves, num_moves)
                or search.game.is_pointless(search.root, old.move)):
            origin = old.next_sibling
            continue
        child = search.add(parent, old.move, old.mover, search.place(parent, old.move))
        if child == NO_NODE:
            break
        node = search.at(child)
        node.visits = old.visits
        node.availability = old.availability
        node.value = old.value
        node.weight = old.weight
        node.seat = old.seat
        node.is_over = old.is_over
        node.key = old.key
        for seat in range(search.num_seats):
            node.sums[seat] = old.sums[seat]
        origins[child] = origin
        origin = old.next_sibling
    reverse_children(search, parent)   # they were added youngest first
    return search.arena.used <= search.arena.capacity // 2


cdef bint is_among(uint32_t move, const uint32_t* moves, int num_moves) noexcept nogil:
    cdef int i
    for i in range(num_moves):
        if moves[i] == move:
            return True
    return False


cdef void reverse_children(IsmctsSearcher search, int32_t parent) noexcept nogil:
    cdef int32_t child = search.at(parent).first_child
    cdef int32_t older = NO_NODE
    cdef int32_t following
    while child != NO_NODE:
        following = search.at(child).next_sibling
        search.at(child).next_sibling = older
        older = child
        child = following
    search.at(parent).first_child = older


cdef void settle_root(IsmctsSearcher search) noexcept nogil:
    """Make the root's statistics those of its moves, and their priors those of a root.

    The squares of earlier values are unknown: those of win shares are no larger than the shares,
    so that errors come out too large rather than too small.
    """
    cdef Node* root = search.at(0)
    cdef int32_t child = root.first_child
    cdef Samples* samples
    cdef const Node* node
    cdef int rank = -1
    cdef int seat
    while child != NO_NODE:
        rank += 1
        child = search.at(child).next_sibling
    child = root.first_child
    while child != NO_NODE:
        node = search.at(child)
        root.visits += node.visits
        for seat in range(search.num_seats):
            root.sums[seat] += node.sums[seat]
        samples = &search.samples[rank]
        samples.count = node.visits
        samples.sum = samples.squares = node.sums[search.observer]
        rank -= 1
        child = node.next_sibling
    renew_priors(search)


cdef void renew_priors(IsmctsSearcher search) noexcept nogil:
    cdef uint32_t[MOVES_ROOM] moves
    cdef int num_moves, number, i
    cdef int32_t child
    cdef Node* node
    if search.weighs_by_policy:     # priors are those of the copied nodes
        return
    for number in range(1, PRIOR_WORLDS + 1):
        search.determinize(search.world_rng)
        num_moves = listed(search.game, search.state, search.observer, moves, NULL)
        for i in range(num_moves):
            child = search.index[search.place(
                0, search.game.seen_move(search.state, moves[i], search.observer))]
            if child:
                node = search.at(child)
                if number == 1:
                    node.value = 0
                node.weight = search.weigh_prior(
                    moves[i], search.observer, 0, &node.value, number)
