"""Attacks: targets in reach, the order, the pile and its effects (sections 11 and 12)."""

from libc.stdint cimport uint64_t

from kingmaker.cext.bits cimport lowest, pop_lowest

from .state cimport (
    BROKEN, DEFEATED, FIRST, FULL, LOCKED, NO_TOKEN, PARRY, SHIELD, SLOTS, YES, Rules,
    State, chosen, is_weapon, reach, space_between)


cdef inline int in_reach(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The standing opponents that the weapon of a seat reaches (R8.1)."""
    cdef uint64_t others = s.standing & ~(1 << seat)
    cdef int longest = reach(s.weapon[seat])
    cdef int found = 0
    cdef int other
    while others:
        other = pop_lowest(&others)
        found |= (space_between(rules, s.space[seat], s.space[other]) <= longest) << other
    return found


cdef inline int equip(const Rules* rules, State* s) noexcept nogil:
    """Swap weapons (R7.1); returns the attackers with a target in reach (R7.2, R8.2)."""
    cdef uint64_t left = s.standing
    cdef int attackers = 0
    cdef int seat, token
    while left:
        seat = pop_lowest(&left)
        token = s.tokens[s.slot - 1][seat]
        if not is_weapon(token):
            continue
        if s.weapon[seat] != token:
            s.weapon[seat] = token
        elif in_reach(rules, s, seat):
            attackers |= 1 << seat
    return attackers


# --- attack rounds --------------------------------------------------------------------------------

cdef inline int sharing(const State* s) noexcept nogil:
    """The attackers that share their target with another attacker (R8.5)."""
    cdef uint64_t left = chosen(s.choice)
    cdef uint64_t others
    cdef int found = 0
    cdef int seat, other
    while left:
        seat = pop_lowest(&left)
        others = left
        while others:
            other = pop_lowest(&others)
            if s.choice[seat] == s.choice[other]:
                found |= 1 << seat | 1 << other
    return found


cdef inline int earliest(const Rules* rules, const State* s, int seats) noexcept nogil:
    """The first of some seats in initiative order (section 2); there must be one."""
    cdef int first = (s.turn - 1) % rules.num_seats
    cdef int from_first = seats >> first << first
    return lowest(from_first if from_first else seats)


cdef inline void line_up(const Rules* rules, State* s) noexcept nogil:
    """Leave one attack on each target; the other attackers wait (R8.6)."""
    cdef uint64_t left = chosen(s.choice)
    cdef uint64_t others
    cdef int rivals, eager, seat, other, target
    while left:
        seat = lowest(left)
        target = s.choice[seat]
        rivals = eager = 0
        others = left
        while others:
            other = pop_lowest(&others)
            if s.choice[other] == target:
                rivals |= 1 << other
                eager |= (s.answer[other] == FIRST) << other
        left &= ~<uint64_t>rivals
        rivals &= ~(1 << earliest(rules, s, eager if eager else rivals))
        s.waiting |= rivals
        others = rivals
        while others:
            s.choice[pop_lowest(&others)] = 0


# --- one combat -----------------------------------------------------------------------------------

cdef inline int fighter(const Rules* rules, const State* s) noexcept nogil:
    """The attacker of the current combat, or -1 if no attack is left to resolve."""
    cdef int attackers = chosen(s.choice)
    return earliest(rules, s, attackers) if attackers else -1


cdef inline int shields_of(const State* s, int attacker, int target) noexcept nogil:
    """R9.1, R9.2."""
    return s.weapon[attacker] + (s.tokens[s.slot - 1][target] == SHIELD)


cdef inline int hearts_of(const State* s, int attacker, int target) noexcept nogil:
    """R9.1 to R9.4; 0 is an automatic miss."""
    cdef int hearts = 4 - shields_of(s, attacker, target)
    hearts += (s.answer[attacker] == YES) - (s.answer[target] == YES)
    return hearts if hearts > 0 else 0


cdef inline void strike(State* s, int attacker, bint is_hit) noexcept nogil:
    """Apply a hit or miss and end the combat (R9.7, R9.8)."""
    cdef int target = s.choice[attacker] - 1
    s.choice[attacker] = 0
    s.answer[attacker] = 0
    s.answer[target] = 0
    if not is_hit:
        if s.tokens[s.slot - 1][target] == PARRY:
            s.weapon[attacker] = NO_TOKEN
    elif s.heart[target] == FULL:
        s.heart[target] = BROKEN
        if s.slot < SLOTS:
            s.tokens[SLOTS - 1][target] = LOCKED    # R4.8; R4.9 in the last slot
    else:
        s.heart[target] = DEFEATED
