"""Numbers of the moves of Code of Chivalry.

The moves of decisions in one list, those that name a seat first, with all seats next to one
another. The list has what some hand can play in some state of any deck, so a number has the same
meaning with all options but the number of seats.
"""

from libc.stdint cimport uint32_t

from .state cimport (
    PEASANT, VERB_ATTACK, VERB_CHOOSE, VERB_DISCARD, VERB_END, VERB_FORTIFY, VERB_GIVE, VERB_PASS,
    VERB_RESPOND, VERB_ROB, VERB_SHOW, VERB_SPECIAL, VERB_TAX_CARDS, VERB_TAX_GEM, jesters_of,
    move_of, peasants_of, role_of, verb_of)

from .cards import ATTACKS, BASE_COUNTS, CARD_INDEX, CARDS, FORTIFICATIONS

MOST_PEASANTS, MOST_JESTERS = BASE_COUNTS["peasant"], BASE_COUNTS["jester"]
RESPONSES = ("soldier", "knight", "king", "traitor", "princess", "executioner", "minstrel")


def revolts(int verb) -> list[int]:
    """List the plays of peasants and jesters as peasants."""
    return [
        move_of(verb, PEASANT, 0, peasants, jesters)
        for jesters in range(MOST_JESTERS + 1)
        for peasants in range(jesters == 0, MOST_PEASANTS + 1)
    ]


def plays(int verb, *roles) -> list[int]:
    """List the plays of one card, itself or a jester."""
    return [
        move_of(verb, CARD_INDEX[role], 0, 0, jesters) for role in roles for jesters in range(2)]


def cards(int verb) -> list[int]:
    """List the moves of any card as it is."""
    return [move_of(verb, card) for card in range(len(CARDS))]


def all_plays() -> list[int]:
    """List the moves of all decisions, without their seats."""
    seated = [
        *revolts(VERB_ATTACK),
        *plays(VERB_ATTACK, *[role for role in ATTACKS if role != "peasant"]),
        *plays(VERB_SPECIAL, "merchant"),
        move_of(VERB_CHOOSE),
    ]
    assert len(seated) == NUM_SEATED
    return seated + [
        *revolts(VERB_RESPOND),
        *plays(VERB_RESPOND, *RESPONSES),
        *plays(VERB_FORTIFY, *FORTIFICATIONS),
        *plays(VERB_SPECIAL, "herald", "monk"),
        *plays(VERB_ROB, "highwayman"),
        *cards(VERB_DISCARD),
        *cards(VERB_SHOW),
        *cards(VERB_GIVE),
        move_of(VERB_END),
        move_of(VERB_PASS),
        move_of(VERB_TAX_GEM),
        move_of(VERB_TAX_CARDS),
    ]


def fill_tables() -> None:
    """Fill the tables."""
    cdef uint32_t move
    moves = all_plays()
    assert len(moves) == NUM_PLAYS
    for number, move in enumerate(moves):
        PLAYS[number] = move
        PLAY_INDEX[verb_of(move)][role_of(move)][jesters_of(move)] = number - peasants_of(move)


fill_tables()
