"""Legal moves, chances and the rules of movement of A Knight's Duty (R4 to R9, R13.2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .knights_duty_state import SUPPLY, TOKENS, UNFILLED, Cell, State

REACH = {"B": 4, "P": 3, "S": 2}  # R8.1, by weapon
HEARTS = {"B": 1, "P": 2, "S": 3}  # R9.1
PILE_SIZE = 4  # R9.1: hearts and shields, without Inspiration
STAY = "stay"


def legal_moves(state: State) -> list[str]:
    """List the legal moves in canonical order (R13.2)."""
    match state.stage:
        case "clan":
            return [f"clan:c{corner}" for corner in free_corners(state)]
        case "place":
            return [f"place:{kind}" for kind in placeable(state, state.actor)]
        case "step":
            return [f"step:{step}" for step in possible_steps(state, state.actor)]
        case "claim":
            return ["claim:yes", "claim:no"]
        case "target":
            targets = in_range(state, state.actor)
            return [*(f"target:p{seat}" for seat in targets), "target:none"]
        case "order":
            return ["order:first", "order:wait"]
        case "inspire":
            return ["inspire:yes", "inspire:no"]
        case _:
            return []


def chance_outcomes(state: State) -> dict[str, Fraction]:
    """Give each outcome its probability (R9.5); empty unless this is a chance node."""
    if state.stage != "draw":
        return {}
    hearts, shields = pile(state)
    total = hearts + shields
    return {"draw:heart": Fraction(hearts, total), "draw:shield": Fraction(shields, total)}


def free_corners(state: State) -> list[int]:
    """R3.2."""
    taken = [knight.cell for knight in state.knights.values()]
    return [k for k, corner in enumerate(state.options.corners()) if corner not in taken]


def placeable(state: State, seat: int) -> list[str]:
    """List the kinds that a player may place (R4.5, R4.6)."""
    tracker = state.knights[seat].tracker
    kinds = [
        kind
        for kind, letter in TOKENS.items()
        if letter in SUPPLY and tracker.count(letter) < SUPPLY[letter]
    ]
    return [*kinds, "empty"] if state.options.empty_slots == "on" else kinds


def lowest_unfilled(state: State, seat: int) -> int | None:
    """Give the slot that a player fills next (R4.4); None when it is finished."""
    tracker = state.knights[seat].tracker
    return tracker.index(UNFILLED) + 1 if UNFILLED in tracker else None


# Movement (R6)


def occupants(state: State) -> dict[Cell, int]:
    """Give each space with a Knight its seat."""
    return {knight.place(): seat for seat, knight in state.knights.items()}


def possible_steps(state: State, seat: int) -> list[str]:
    """R6.2."""
    options, cell = state.options, state.knights[seat].place()
    enterable = [None, *state.movers()]
    return [STAY] + [
        direction
        for direction in options.directions()
        if options.has_cell(space := options.neighbour(cell, direction))
        and occupants(state).get(space) in enterable
    ]


def unblocked_moves(state: State) -> dict[int, Cell]:
    """Give the moves that have not failed under R6.3, each with its space."""
    moves = {
        seat: state.options.neighbour(state.knights[seat].place(), step)
        for seat, step in state.steps.items()
        if step != STAY
    }
    if state.options.swap == "block":
        moves = without_exchanges(state, moves)
    return without_blocked(state, moves)


def without_exchanges(state: State, moves: Mapping[int, Cell]) -> dict[int, Cell]:
    """Strike out moves of two Knights into each other's space (R6.3, `swap=block`)."""
    seat_on = occupants(state)
    return {
        seat: space
        for seat, space in moves.items()
        if moves.get(seat_on.get(space, 0)) != state.knights[seat].cell
    }


def without_blocked(state: State, moves: Mapping[int, Cell]) -> dict[int, Cell]:
    """Strike out moves onto Knights that do not leave, until nothing changes (R6.3)."""
    seat_on = occupants(state)
    left = dict(moves)
    while True:
        free = {seat: to for seat, to in left.items() if seat_on.get(to) in [None, *left]}
        if free == left:
            return left
        left = free


def contests(moves: Mapping[int, Cell]) -> list[list[int]]:
    """List the contenders of each contested space (R6.4)."""
    rivals: dict[Cell, list[int]] = {}
    for seat, space in moves.items():
        rivals.setdefault(space, []).append(seat)
    return [seats for seats in rivals.values() if len(seats) > 1]


def claimants(state: State) -> list[int]:
    """List those who are asked for a claim, ascending (R6.4)."""
    if state.options.agreements == "off":
        return []
    return sorted(seat for seats in contests(unblocked_moves(state)) for seat in seats)


def successful_moves(state: State) -> dict[int, Cell]:
    """Give the moves that are made, after all claims (R6.4 to R6.6)."""
    moves = unblocked_moves(state)
    for contenders in contests(moves):
        claiming = [seat for seat in contenders if state.claims.get(seat) == "y"]
        for seat in contenders:
            if claiming != [seat]:
                del moves[seat]
    return without_blocked(state, moves)


# Attacks and combat (R8, R9)


def in_range(state: State, seat: int) -> list[int]:
    """List the standing opponents that a player's weapon reaches (R8.1)."""
    attacker = state.knights[seat]
    return [
        other
        for other, knight in state.knights.items()
        if other != seat
        and state.options.distance(attacker.place(), knight.place()) <= REACH[attacker.weapon]
    ]


def attackers_of(state: State, target: int) -> list[int]:
    """List those who have named a target."""
    return [seat for seat, named in state.targets.items() if named == target]


def sharing(state: State) -> list[int]:
    """List the attackers that are not alone with their target, ascending (R8.5)."""
    return sorted(
        seat for seat, target in state.targets.items() if len(attackers_of(state, target)) > 1
    )


def pile(state: State) -> tuple[int, int]:
    """Count hearts and shields of the current combat (R9.1, R9.2, R9.4)."""
    attacker, target = state.queue[0]
    hearts = HEARTS[state.knights[attacker].weapon]
    if state.revealed(target) == TOKENS["shield"]:
        hearts -= 1
    shields = PILE_SIZE - hearts
    hearts += state.inspired.get("ia") == "y"
    hearts -= state.inspired.get("id") == "y"
    return max(hearts, 0), shields
