"""Why a move is not legal: the codes that the conditions of the rules return, 0 for none.

Legal moves, the reasons for refusals and the checks of positions all use these conditions.
"""

cdef enum Fault:
    NO_FAULT
    # Cards
    FAULT_NOT_IN_HAND           # the card, or the Joker
    FAULT_NOT_IN_DECK
    FAULT_NO_BASE               # the tower has none
    # Actions: limit, price (R6)
    FAULT_ACTS                  # the limit R6.1
    FAULT_BASE_OF_PRICE         # the court card to pay from is not in play (R6.2)
    FAULT_COURT                 # "each": not all court cards are in play (R6.3)
    FAULT_BOOK                  # not an action of the own court's book (R5.10)
    FAULT_PRICE                 # too few cards
    FAULT_COLOUR                # too few cards of the book's colour on top (R6.4)
    FAULT_NOT_FULL              # devour: not 13 cards
    FAULT_WAIVER                # waive: nothing to take off, or the rest is not payable then
    # Actions: conditions of the rows of R7
    FAULT_IN_FORCE              # the mark is set, the effect is in force
    FAULT_HAS_COURT_CARD        # hail, marry: the base is in play already
    FAULT_NO_KING               # marry, poison: base K is not in play
    FAULT_WRONG_CARD            # hail, marry: not a king, not a queen
    FAULT_TOO_MANY              # as many of that kind as there may be (R1.3)
    FAULT_NO_ROOM               # no empty square where one is needed
    FAULT_NO_SUCH_PIECE         # no piece on the square that the action could be about
    FAULT_FULL_PIECE            # four checkers
    FAULT_NO_CHECKER            # no unused checker
    FAULT_NO_BUILDING           # the rook, knight or bishop that the action needs
    FAULT_NOT_TOUCHING          # execute: no own building or soldier is adjacent
    FAULT_NO_ENEMY              # not another living player
    FAULT_SWAYED_ALREADY
    FAULT_SKIPS_ALREADY
    FAULT_EMPTY_STACK
    FAULT_TAINTED
    FAULT_SAME_TOWER
    FAULT_NOTHING_TO_MOVE       # infight
    FAULT_ENDED                 # attacks are over (R9.1)
    FAULT_NO_MATCH              # cherry: no enemy piece of that kind
    FAULT_FEAST_ONLY            # parlay: `-` exactly with the mark `feast`
    # Steps, sea
    FAULT_NO_MOVER              # no own soldier or surged building stands there
    FAULT_OCCUPIED
    FAULT_NOT_ADJACENT
    FAULT_NO_STEP               # no step left (R8.3)
    FAULT_HEART_ATTACK          # R8.9
    FAULT_NOT_COASTAL
    FAULT_FARE                  # sail: no checker to pay
    FAULT_NOT_AT_SEA            # or only fresh ones
    # Attacks
    FAULT_NO_ATTACKER           # no own soldier, or knight with `defend`
    FAULT_ATTACKED
    FAULT_SWAYED
    FAULT_NO_CONSPIRE
    FAULT_NO_TARGET             # nothing there that may be attacked
    FAULT_OWN_TARGET            # friendly_fire=off
    # The Two Towers
    FAULT_NO_TOWERS             # two_towers=off
    FAULT_TOWER_USED
    FAULT_FEW_CHECKERS
