"""The rows of the policy's factors (choice.pxd): what it distinguishes in a choice."""

cdef enum:
    # Of an action: soldiers of the seat (4 ranges), whether its king or Ivory Tower is threatened;
    # the action.
    NUM_STANDINGS = 8
    NO_ACTION = 49          # to take none
    CALL = 50               # of the Ivory Tower, which is no action
    NUM_KINDS = 51

    # Of a soldier: whether its king or Ivory Tower is threatened, whether a start costs a point,
    # the way to the enemy king, its checkers.
    NUM_WAYS = 8
    NUM_POINTS = 4
    NUM_POSTS = 2 * 2 * NUM_WAYS * NUM_POINTS

    NUM_SORTS = 12          # letters of pieces; the Dark Tower counts as a king
    NUM_AROUND = 9          # squares next to one
    NUM_CHECKERS = 5        # of a soldier that attacks
    MOST_HEIGHT = 13
    MOST_STEPS = 8

cdef enum:
    AT_ACT = 0                                          # standing, kind
    AT_EXECUTE = AT_ACT + NUM_STANDINGS * NUM_KINDS     # letter, whether it falls
    AT_BUILD = AT_EXECUTE + 2 * NUM_SORTS               # rook, knight, bishop; a second one
    AT_FORTIFY = AT_BUILD + 2 * 3                       # letter
    AT_KNIGHT = AT_FORTIFY + NUM_SORTS                  # checkers of the pawn
    AT_MOUNT = AT_KNIGHT + NUM_POINTS                   # its steps to the enemy king
    AT_TAX = AT_MOUNT + MOST_STEPS + 1                  # height of J
    AT_SAVE = AT_TAX + MOST_HEIGHT + 1                  # to take none: lowest stack of the court
    AT_MARCH = AT_SAVE + 5                              # a step to the enemy king: post
    AT_GUARD = AT_MARCH + NUM_POSTS                     # a step to a threat: post
    AT_STAY = AT_GUARD + NUM_POSTS                      # post
    AT_BLOW = AT_STAY + NUM_POSTS                       # letter
    AT_DICE = AT_BLOW + NUM_SORTS                       # at a king or not, checkers, its checkers
    AT_REACH = AT_DICE + 2 * NUM_CHECKERS * NUM_POINTS  # whether a king is in reach, at one or not
    AT_TOWER = AT_REACH + 4                             # tower, height over the lowest, colour
    AT_JOKER = AT_TOWER + 4 * 3 * 2                     # to play one or not
    AT_KEEP = AT_JOKER + 2                              # to keep a full hand or not
    AT_SITE = AT_KEEP + 2                               # of an Ivory Tower: board, squares around
    AT_OWN_WAY = AT_SITE + 2 * NUM_AROUND               # its steps to the own king
    AT_ENEMY_WAY = AT_OWN_WAY + MOST_STEPS + 1
    NUM_ROWS = AT_ENEMY_WAY + MOST_STEPS + 1
