"""The rows of the policy's factors (choice.pxd): what it distinguishes in a choice.

Numbers above the last that is told apart count as the last. A card is *out* if it is neither in the
own hand nor played.
"""

cdef enum:
    NUM_SUITS = 4
    NUM_CARDS = 52          # by suit and rank
    NUM_KINDS = 7           # clubs, diamonds, hearts, low spades, then queen, king, ace of spades
    NUM_CLASSES = 4         # of spades: low ones, queen, king, ace
    NUM_SHAPES = 3          # a suit that was led: clubs or diamonds, hearts, spades
    NUM_BETWEEN = 6         # cards out that are lower or higher: 0, 1, 2, 3, 4 or 5, more
    NUM_ABOVE = 3           # cards out that are higher: 0, 1, more
    NUM_LENGTHS = 7         # own cards of a suit, from 1; of spades, from 0
    NUM_LONG = 8            # own cards of a suit, from 1, in a pass
    NUM_PLACES = 6          # own cards of the suit that are lower
    NUM_VOIDS = 4           # rivals known to have none of a suit
    NUM_HOLDINGS = 8        # of queen, king and ace of spades
    NUM_GUARDS = 4          # own spades in a pass: up to 2, 3, 4, more
    NUM_HIGH = 8            # own cards from the jack up
    NUM_LOSERS = 5          # own cards with a higher one out: 0, 1, 2, 3 or 4, more
    NUM_EXITS = 5           # suits with an own card below all that are out
    NUM_STAGES = 4          # tricks before: 0, 1 to 3, 4 to 7, more
    NUM_SEATS_AFTER = 3     # seats still to play in the trick
    NUM_STAKES = 5          # of a trick: the first one; points: 0, 1, 2 or 3, the queen's
    NUM_ASIDE = 3           # own cards set aside
    NUM_DIRECTIONS = 3      # of a pass
    NUM_QUEENS = 5          # `Queen`
    NUM_LEVELS = 4          # points: 1 to 4, 5 to 12, 13 to 19, more
    NUM_STANDS = 14         # `Standing`

# Where the queen of spades is.
cdef enum Queen:
    QUEEN_GONE
    QUEEN_HERE              # in the running trick
    QUEEN_OWN
    QUEEN_OUT
    QUEEN_GIVEN             # out, by a pass of the own seat

# Who has taken all points so far, and from the third on by `NUM_LEVELS`.
cdef enum Standing:
    STAND_NONE              # nobody has points
    STAND_SPLIT             # several have
    STAND_OWN
    STAND_RIVAL = STAND_OWN + NUM_LEVELS
    STAND_TAKER = STAND_RIVAL + NUM_LEVELS      # a rival that takes the trick so far

cdef enum:
    # A lead
    AT_LEAD = 0                                             # suit, out below and above, queen
    AT_LEAD_KIND = AT_LEAD + NUM_SUITS * NUM_BETWEEN * NUM_BETWEEN * NUM_QUEENS     # kind, queen
    AT_LEAD_LENGTH = AT_LEAD_KIND + NUM_KINDS * NUM_QUEENS  # suit, own cards, out, stage
    AT_LEAD_STAND = AT_LEAD_LENGTH + NUM_SUITS * NUM_LENGTHS * NUM_BETWEEN * NUM_STAGES
    AT_LEAD_VOIDS = AT_LEAD_STAND + NUM_STANDS * NUM_SUITS * NUM_BETWEEN * NUM_ABOVE
    AT_LEAD_HOLDS = AT_LEAD_VOIDS + NUM_SUITS * NUM_VOIDS * NUM_BETWEEN * NUM_QUEENS
    AT_LEAD_LOSERS = AT_LEAD_HOLDS + NUM_KINDS * NUM_HOLDINGS * NUM_LENGTHS
    AT_LEAD_PLACE = AT_LEAD_LOSERS + 2 * NUM_LOSERS * NUM_STANDS * NUM_STAGES
    # A card of the suit that was led; over or under the highest so far
    AT_FOLLOW = AT_LEAD_PLACE + NUM_SUITS * NUM_PLACES * NUM_LENGTHS
    AT_FOLLOW_ORDER = AT_FOLLOW + (
        NUM_SHAPES * 2 * NUM_SEATS_AFTER * NUM_STAKES * NUM_BETWEEN * NUM_BETWEEN)
    AT_FOLLOW_STAND = AT_FOLLOW_ORDER + NUM_SHAPES * 2 * NUM_BETWEEN * NUM_BETWEEN
    AT_FOLLOW_PLACE = AT_FOLLOW_STAND + 2 * NUM_STANDS * NUM_STAKES * NUM_SEATS_AFTER
    AT_FOLLOW_VOIDS = AT_FOLLOW_PLACE + (
        2 * NUM_PLACES * NUM_LENGTHS * NUM_STAGES * NUM_SEATS_AFTER)
    AT_FOLLOW_EXITS = AT_FOLLOW_VOIDS + NUM_SHAPES * 2 * NUM_VOIDS * NUM_BETWEEN * NUM_QUEENS
    AT_FOLLOW_LOSERS = AT_FOLLOW_EXITS + (
        2 * NUM_EXITS * NUM_STAGES * NUM_SEATS_AFTER * NUM_STAKES)
    AT_FOLLOW_SPADE = AT_FOLLOW_LOSERS + 2 * NUM_LOSERS * NUM_STANDS * NUM_STAKES
    # A card of another suit
    AT_FOLLOW_GUARD = AT_FOLLOW_SPADE + (
        NUM_CLASSES * NUM_CLASSES * NUM_QUEENS * NUM_SEATS_AFTER)
    # A card of another suit
    AT_DISCARD = AT_FOLLOW_GUARD + 2 * NUM_CLASSES * NUM_QUEENS * NUM_LENGTHS
    AT_DISCARD_QUEEN = AT_DISCARD + NUM_SUITS * NUM_BETWEEN * NUM_BETWEEN * NUM_QUEENS
    AT_DISCARD_LENGTH = AT_DISCARD_QUEEN + NUM_KINDS * NUM_QUEENS
    AT_DISCARD_KIND = AT_DISCARD_LENGTH + NUM_SUITS * NUM_LENGTHS * NUM_BETWEEN * NUM_STAGES
    AT_DISCARD_CARD = AT_DISCARD_KIND + NUM_KINDS * NUM_STANDS * NUM_STAKES * NUM_SEATS_AFTER
    AT_DISCARD_PLACE = AT_DISCARD_CARD + NUM_CARDS * NUM_STANDS
    AT_DISCARD_HOLDS = AT_DISCARD_PLACE + NUM_SUITS * NUM_PLACES * NUM_LENGTHS
    AT_DISCARD_LOSERS = AT_DISCARD_HOLDS + NUM_KINDS * NUM_HOLDINGS * NUM_LENGTHS
    # A card that is set aside
    AT_PASS = AT_DISCARD_LOSERS + 2 * NUM_LOSERS * NUM_STANDS   # card, length
    AT_PASS_SPADES = AT_PASS + NUM_CARDS * NUM_LONG
    AT_PASS_PLACE = AT_PASS_SPADES + NUM_CARDS * NUM_HOLDINGS * NUM_GUARDS
    AT_PASS_ASIDE = AT_PASS_PLACE + NUM_CARDS * NUM_PLACES
    AT_PASS_VOID = AT_PASS_ASIDE + NUM_CARDS * NUM_DIRECTIONS * NUM_ASIDE
    AT_PASS_HIGH = AT_PASS_VOID + NUM_SUITS * NUM_LONG * NUM_ASIDE * NUM_HOLDINGS
    NUM_ROWS = AT_PASS_HIGH + NUM_CARDS * NUM_HIGH
