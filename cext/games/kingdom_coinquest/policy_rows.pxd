"""The rows of the policy's factors (choice.pxd): what it distinguishes in a choice.

Numbers above the last that is told apart count as the last. Ranks are those of equipment, 0 for
none. The kind of a card tells its rank, and how its owner can play it: as own card, as a pair with
another one that he holds, or not yet.
"""

cdef enum:
    NUM_RANKS = 11
    NUM_USES = 3            # own, of a pair, alone
    NUM_KINDS = 13 * NUM_USES
    NUM_SIZES = 4           # cards in hand or in the salvage yard
    NUM_LOADED = 3          # no load on the quartermaster, one in preparation, a prepared one
    NUM_ACES = 3            # none that can be played, a pair, the own one
    NUM_STRIKES = 44        # what a strike does (`struck` of terms.pxd)
    NUM_HEALTHS = 13        # in steps of two
    NUM_STANDINGS = 9       # of a rival: others that are healthier, rivals
    NUM_LEFT = 8            # turns to the turn limit
    NUM_LEADS = 12          # health over the healthiest rival, in steps of two
    NUM_VERBS = 6           # pass or hold, prep, equip, attack, queen, ace
    NUM_AHEAD = 3           # turns until a rival's

cdef enum:
    # A draw
    AT_DRAW = 0                                             # source, cards in hand, loaded
    AT_DRAW_KIND = AT_DRAW + 3 * NUM_SIZES * NUM_LOADED     # of a known card: source, loaded, kind
    AT_DRAW_STORES = AT_DRAW_KIND + 2 * NUM_LOADED * NUM_KINDS  # source, kind, salvaged cards
    AT_DRAW_BEST = AT_DRAW_STORES + 2 * NUM_SIZES * NUM_KINDS   # its rank, the best one in stores
    AT_DRAW_LEFT = AT_DRAW_BEST + 2 * NUM_RANKS * NUM_RANKS     # top left: its kind for the next
    AT_DRAW_FORGE = AT_DRAW_LEFT + NUM_KINDS                # best rank in stores, loaded
    AT_DRAW_ACE = AT_DRAW_FORGE + NUM_LOADED * NUM_RANKS    # source, own aces, rank of the top
    # A discard, a card put into the salvage yard, a load scrapped
    AT_DISCARD = AT_DRAW_ACE + 3 * NUM_ACES * NUM_RANKS     # salvaged or not, loaded, kind
    AT_DISCARD_SIZE = AT_DISCARD + 2 * NUM_LOADED * NUM_KINDS   # kind, salvaged cards
    AT_DISCARD_NEXT = AT_DISCARD_SIZE + 2 * NUM_SIZES * NUM_KINDS   # its kind for the next seat
    AT_DISCARD_ACE = AT_DISCARD_NEXT + NUM_KINDS            # own aces, its rank
    AT_DISCARD_BEST = AT_DISCARD_ACE + NUM_ACES * NUM_RANKS     # its rank, the best one in stores
    AT_SCRAP = AT_DISCARD_BEST + 2 * NUM_RANKS * NUM_RANKS  # counters, rank
    AT_SCRAP_BEST = AT_SCRAP + 4 * NUM_RANKS                # best one in stores, rank
    # A play
    AT_PLAY = AT_SCRAP_BEST + NUM_RANKS * NUM_RANKS         # verb, turns left, lead
    AT_PLAY_THREAT = AT_PLAY + NUM_VERBS * NUM_LEFT * NUM_LEADS     # verb, worst strike of a rival
    AT_PLAY_STRIKE = AT_PLAY_THREAT + NUM_VERBS * NUM_STRIKES   # verb, best own strike
    AT_PREP = AT_PLAY_STRIKE + NUM_VERBS * NUM_STRIKES      # rank, armour
    AT_PREP_WEAPON = AT_PREP + NUM_RANKS * NUM_RANKS        # rank, weapon
    AT_PREP_CARDS = AT_PREP_WEAPON + NUM_RANKS * NUM_RANKS  # alone, pair, with a jack; rank
    AT_EQUIP = AT_PREP_CARDS + 3 * NUM_RANKS                # unit, new and old rank
    AT_EQUIP_OTHER = AT_EQUIP + 2 * NUM_RANKS * NUM_RANKS   # unit, new rank, rank of the other unit
    AT_EQUIP_STRIKE = AT_EQUIP_OTHER + 2 * NUM_RANKS * NUM_RANKS    # unit, best strike by it
    AT_EQUIP_THREAT = AT_EQUIP_STRIKE + 2 * NUM_STRIKES     # unit, worst strike at it
    AT_ACE = AT_EQUIP_THREAT + 2 * NUM_STRIKES              # an ace's unit, as of equip
    AT_ATTACK = 2 * AT_ACE - AT_EQUIP                       # rivals, what it does
    AT_ATTACK_ARMOUR = AT_ATTACK + 4 * NUM_STRIKES          # weapon, armour
    AT_ATTACK_HEALTH = AT_ATTACK_ARMOUR + NUM_RANKS * NUM_RANKS     # standing, health
    AT_ATTACK_WEAPON = AT_ATTACK_HEALTH + NUM_STANDINGS * NUM_HEALTHS   # turns until, its strike
    AT_QUEEN = AT_ATTACK_WEAPON + NUM_AHEAD * NUM_STRIKES   # alone or pair, own health
    AT_LOADED = AT_QUEEN + 2 * NUM_HEALTHS                  # verb, loaded, weapon
    AT_STANDING = AT_LOADED + NUM_VERBS * NUM_LOADED * NUM_RANKS    # verb, rivals, healthier ones
    NUM_ROWS = AT_STANDING + NUM_VERBS * 4 * 4
