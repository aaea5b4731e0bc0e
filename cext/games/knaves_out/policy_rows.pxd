"""The rows of the policy's factors (choice.pxd): what it distinguishes in a move.

Numbers above the last that is told apart count as the last. *Own* points are those of soldiers
that can reach a square next to the king of the nearest enemy and attack this turn, points in
*danger* those of enemies near enough to the own king. The points of a piece are its checkers and
one.
"""

cdef enum:
    NUM_SORTS = 12          # letters of pieces; the Dark Tower counts as a king
    NUM_AROUND = 9          # squares next to one
    NUM_POSTS = 2 * 2 * 8 * 4   # threat, whether a start costs a point, way, checkers
    NUM_STANDINGS = 8       # soldiers of the seat (4 ranges), whether its king is threatened
    NUM_POINTS = 5          # of a piece
    NUM_REACHES = 7         # points of several soldiers
    NUM_COURTS = 5          # court cards in play, ace
    NUM_EACH = 5            # cards of each court card that can be paid
    NUM_HEIGHTS = 14
    NUM_CLASSES = 4         # of courts: none, light, chaos, dark
    NUM_TYPES = 9           # of a court
    NUM_TURNS = 3           # of a step: closer, as near, farther
    NUM_WAYS = 17           # steps
    NUM_NEAR = 9            # steps, or none at the last
    NUM_HANDS = 11
    NUM_PLAYABLE = 4
    NUM_FOES = 4            # enemy soldiers next to a square
    NUM_KINDS = 16          # of what is placed (`Kind`)
    NUM_CLOCK = 11          # checkers of the Dark Tower
    NUM_SIZES = 9           # of decks and discards, in steps of six

cdef enum:                  # sorts of moves at `main`: the actions, then
    SORT_PLAY = 49
    SORT_JOKER
    SORT_MOVE
    SORT_SAIL
    SORT_LAND
    SORT_ATTACK
    SORT_LAST
    SORT_IVORY
    SORT_DARK
    SORT_END
    NUM_MOVE_SORTS

cdef enum:
    # Of any move at `main`: its sort and
    AT_STANDING = 0                                                 # standing
    AT_REACH = AT_STANDING + NUM_MOVE_SORTS * NUM_STANDINGS         # points in reach and danger
    AT_COURT = AT_REACH + NUM_MOVE_SORTS * NUM_REACHES * NUM_REACHES    # court, actions left
    AT_KINGS = AT_COURT + NUM_MOVE_SORTS * NUM_COURTS * 2           # points of both kings
    AT_EACH = AT_KINGS + NUM_MOVE_SORTS * NUM_POINTS * NUM_POINTS   # each, soldiers' range
    AT_MEANS = AT_EACH + NUM_MOVE_SORTS * NUM_EACH * 4              # class of the court, each
    AT_RIVAL_MEANS = AT_MEANS + NUM_MOVE_SORTS * NUM_CLASSES * NUM_EACH     # of the nearest enemy
    # A card played, by a Joker, found
    AT_CARD = AT_RIVAL_MEANS + NUM_MOVE_SORTS * NUM_CLASSES * NUM_EACH      # how, tower, height
    AT_LEVEL = AT_CARD + 3 * 4 * NUM_HEIGHTS                        # tower, over lowest, colour
    AT_COLOUR = AT_LEVEL + 4 * 3 * 2                                # tower, colour of the book
    AT_BASE = AT_COLOUR + 4 * 3                                     # suit
    AT_JOKER = AT_BASE + 4                                          # court, tower
    AT_SKIP = AT_JOKER + NUM_COURTS * 4                             # tower of the search
    # Actions
    AT_HAIL = AT_SKIP + 5                                           # suits of knave and king
    AT_MARRY = AT_HAIL + 16                                         # type of the court
    AT_BY_JOKER = AT_MARRY + NUM_TYPES                              # hail, marry
    AT_TAX = AT_BY_JOKER + 2                                        # height of the knave's stack
    AT_BUILD = AT_TAX + NUM_HEIGHTS                                 # letter, number of it, rooks
    AT_FORTIFY = AT_BUILD + 3 * 2 * 3                               # letter, points
    AT_KNIGHT = AT_FORTIFY + NUM_SORTS * NUM_POINTS                 # points, steps to the king
    AT_GUARDIAN = AT_KNIGHT + NUM_POINTS * NUM_WAYS                 # points, steps to a threat
    AT_EXECUTE = AT_GUARDIAN + NUM_POINTS * NUM_NEAR                # sort, points
    AT_CHARM = AT_EXECUTE + NUM_SORTS * NUM_POINTS                  # points, steps to the own king
    AT_PIECE = AT_CHARM + NUM_POINTS * NUM_NEAR                     # surge, castle, taint: letter
    AT_FAILED = AT_PIECE + 3 * NUM_SORTS                            # points, steps to the enemy
    AT_CHERRY = AT_FAILED + NUM_POINTS * NUM_WAYS                   # sort, points
    AT_RIVAL = AT_CHERRY + NUM_SORTS * NUM_POINTS                   # action, nearest, danger
    AT_FORCE = AT_RIVAL + 4 * 2 * NUM_REACHES                       # tower, height
    AT_INFIGHT = AT_FORCE + 4 * NUM_HEIGHTS                         # towers, height
    AT_BALANCE = AT_INFIGHT + 16 * NUM_HEIGHTS                      # turn, points of both
    AT_PARLAY = AT_BALANCE + NUM_TURNS * NUM_POINTS * NUM_POINTS    # tower
    # A step
    AT_STEP = AT_PARLAY + 5                                         # turn, post
    AT_TO_THREAT = AT_STEP + NUM_TURNS * NUM_POSTS                  # turn, steps, points
    AT_INTO = AT_TO_THREAT + NUM_TURNS * NUM_NEAR * NUM_POINTS      # turn, foes there, points
    AT_ARRIVE = AT_INTO + NUM_TURNS * NUM_FOES * NUM_POINTS         # at the king, attacked, points
    AT_LEAVE = AT_ARRIVE + 2 * 2 * NUM_POINTS                       # own king's side, danger
    AT_BESIDE = AT_LEAVE + 2 * 2 * NUM_REACHES                      # building there, attacked
    AT_SIEGE = AT_BESIDE + 2 * 2                                    # turn to an Ivory Tower
    AT_COAST = AT_SIEGE + NUM_TURNS                                 # turn to it, points
    AT_SURGE = AT_COAST + NUM_TURNS * NUM_POINTS                    # letter
    AT_SAIL = AT_SURGE + NUM_SORTS                                  # cut off, points, steps
    AT_LAND = AT_SAIL + 2 * NUM_POINTS * NUM_WAYS                   # points
    # An attack
    AT_BLOW = AT_LAND + NUM_POINTS                                  # sort, own, last
    AT_DICE = AT_BLOW + NUM_SORTS * 2 * 2                           # king, points of both
    AT_ODDS = AT_DICE + 2 * NUM_POINTS * NUM_POINTS                 # lowest face, halved
    AT_ONWARD = AT_ODDS + 4 * 2                                     # steps to the king, king
    AT_NEAR_OWN = AT_ONWARD + NUM_NEAR * 2                          # sort, next to the own king
    AT_ASSAULT = AT_NEAR_OWN + NUM_SORTS * 2                        # points of the king, in reach
    AT_DARK = AT_ASSAULT + NUM_POINTS * NUM_REACHES                 # checkers of the Dark Tower
    # The end of a turn
    AT_END = AT_DARK + NUM_CLOCK                                    # attackers, movers, each
    AT_END_HAND = AT_END + 3 * 3 * NUM_EACH * 2                     # cards that fit, hand
    # Other nodes
    AT_KING_SQUARE = AT_END_HAND + NUM_PLAYABLE * NUM_HANDS         # of two seats
    AT_KING_AROUND = AT_KING_SQUARE + 64                            # squares around
    AT_KING_WAY = AT_KING_AROUND + NUM_AROUND                       # steps to the nearest king
    AT_SHUFFLE = AT_KING_WAY + NUM_WAYS                             # or keep; deck, discard
    AT_KEEP = AT_SHUFFLE + 2 * NUM_SIZES * NUM_SIZES                # or discard; Jokers, soon
    AT_PLACE = AT_KEEP + 2 * 3 * NUM_POINTS                         # kind, steps to the enemy
    AT_PLACE_OWN = AT_PLACE + NUM_KINDS * NUM_WAYS                  # kind, steps to the own king
    AT_PLACE_THREAT = AT_PLACE_OWN + NUM_KINDS * NUM_NEAR           # kind, steps to a threat
    AT_PLACE_AROUND = AT_PLACE_THREAT + NUM_KINDS * NUM_NEAR        # kind, board, squares around
    AT_PLACE_FOES = AT_PLACE_AROUND + NUM_KINDS * 2 * NUM_AROUND    # kind, foes there
    AT_AWAY = AT_PLACE_FOES + NUM_KINDS * NUM_FOES                  # steps to those who called it
    AT_TARGET = AT_AWAY + NUM_WAYS                                  # sort, points
    AT_TARGET_SEAT = AT_TARGET + NUM_SORTS * NUM_POINTS             # nearest enemy
    AT_LURE = AT_TARGET_SEAT + 2                                    # steps to the own king
    AT_LURE_TURN = AT_LURE + NUM_NEAR                               # turn
    AT_LURE_STOP = AT_LURE_TURN + NUM_TURNS                         # steps to the own king
    AT_MIX = AT_LURE_STOP + NUM_NEAR                                # red checkers
    AT_SAC = AT_MIX + 11                                            # letter, points
    AT_WAIVE = AT_SAC + NUM_SORTS * NUM_POINTS                      # tower, over the lowest
    AT_INSIGHT = AT_WAIVE + 4 * 3                                   # still adjacent; pass
    AT_INSIGHT_WAY = AT_INSIGHT + 3                                 # steps to the own king
    AT_ANSWER = AT_INSIGHT_WAY + NUM_NEAR                           # parlay or pass; own, king
    AT_REROLL = AT_ANSWER + 2 * 2 * 2                               # roller, face; pass
    AT_TAKE = AT_REROLL + 2 * 7                                     # sort, points
    AT_REDIRECT = AT_TAKE + NUM_SORTS * NUM_POINTS                  # sort, points
    AT_COURT_CARD = AT_REDIRECT + NUM_SORTS * NUM_POINTS            # stage, suit
    AT_UNDER = AT_COURT_CARD + 3 * 4                                # tower
    AT_OTHER = AT_UNDER + 5                                         # any other move
    NUM_ROWS = AT_OTHER + 1
