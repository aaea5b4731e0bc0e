"""The rows of the policy's factors (choice.pxd): what it distinguishes in a choice.

Numbers above the last that is told apart count as the last. "Missing" is what a seat lacks to win.
"""

cdef enum:
    NUM_SIZES = 8           # cards of the own hand
    NUM_CARDS = 6           # cards of another hand
    NUM_GEMS = 6
    NUM_MISSING = 5         # 1 to 5 gems
    NUM_FORTS = 4           # castle, archer, both
    NUM_BEST = 5            # the strongest card of a hand (`best_of`)
    NUM_AHEAD = 4           # turns until a seat is active
    NUM_COPIES = 4          # of a card in hand
    NUM_STOPS = 8           # probability that an attack is stopped
    NUM_PILES = 6           # cards in the draw pile
    NUM_STAKES = 5          # gems that an attack takes

    # Plays: revolts of one to four, then roles; each with and without a jester.
    NUM_REVOLTS = 4
    NUM_ATTACKS = 2 * (NUM_REVOLTS + 8)
    NUM_OPENINGS = 2 * 3    # ladder, catapult, archer
    NUM_RESPONSES = 2 * (1 + NUM_REVOLTS + 7)
    NUM_FORTIFIES = 2 * 3
    NUM_SPECIALS = 2 * 3
    NUM_THREATS = 7         # what is answered: strengths 1 to 4, ninja, dragon, archer
    NUM_ROBS = 3            # pass, highwayman, jester
    NUM_TURNS = 4           # attack, fortify, special action, discard
    NUM_KINDS = 19          # cards

cdef enum:
    # An attack
    AT_GAIN = 0                                             # play, gems of the rival, own missing
    AT_STOP = AT_GAIN + NUM_ATTACKS * NUM_GEMS * NUM_MISSING    # play, odds that it is stopped
    AT_SPENT = AT_STOP + NUM_ATTACKS * NUM_STOPS            # play, own cards, whether the last one
    AT_WIN = AT_SPENT + NUM_ATTACKS * NUM_SIZES * 2         # play, whether it may win, missing
    AT_DANGER = AT_WIN + NUM_ATTACKS * 2 * NUM_MISSING      # play, further one, rival's missing
    AT_REST = AT_DANGER + NUM_ATTACKS * 2 * NUM_MISSING     # play, best card left, own forts
    AT_OPENS = AT_REST + NUM_ATTACKS * NUM_BEST * NUM_FORTS     # opening, best card, forts
    AT_AHEAD = AT_OPENS + NUM_OPENINGS * NUM_BEST * NUM_FORTS   # seats ahead, rival's missing
    # A response or pass
    AT_ANSWER = AT_AHEAD + NUM_AHEAD * NUM_MISSING          # play, threat, stake
    AT_ANSWER_SPENT = AT_ANSWER + NUM_RESPONSES * NUM_THREATS * NUM_STAKES  # as of an attack
    AT_ANSWER_WINS = AT_ANSWER_SPENT + NUM_RESPONSES * NUM_SIZES * 2
    AT_ANSWER_CARDS = AT_ANSWER_WINS + NUM_RESPONSES * 4 * NUM_MISSING
    AT_ANSWER_REST = AT_ANSWER_CARDS + NUM_RESPONSES * NUM_CARDS
    # A robbery or pass
    AT_ROB = AT_ANSWER_REST + NUM_RESPONSES * NUM_BEST * NUM_FORTS  # play, whose gems, stake
    AT_ROB_WINS = AT_ROB + NUM_ROBS * 2 * NUM_STAKES        # play, whether the receiver wins
    AT_ROB_SIZE = AT_ROB_WINS + NUM_ROBS * 2 * NUM_MISSING
    # A fortification
    AT_FORTIFY = AT_ROB_SIZE + NUM_ROBS * NUM_SIZES         # play, own forts, own cards
    AT_FORTIFY_MISSING = AT_FORTIFY + NUM_FORTIFIES * NUM_FORTS * NUM_SIZES     # richest's, own
    AT_FORTIFY_GEMS = AT_FORTIFY_MISSING + NUM_FORTIFIES * NUM_MISSING * NUM_MISSING
    AT_FORTIFY_BEST = AT_FORTIFY_GEMS + NUM_FORTIFIES * NUM_GEMS
    # A special action
    AT_SPECIAL = AT_FORTIFY_BEST + NUM_FORTIFIES * NUM_BEST     # play, own cards
    AT_SPECIAL_MISSING = AT_SPECIAL + NUM_SPECIALS * NUM_SIZES
    AT_SPECIAL_FORTS = AT_SPECIAL_MISSING + NUM_SPECIALS * NUM_MISSING
    AT_BUY = AT_SPECIAL_FORTS + NUM_SPECIALS * NUM_FORTS    # seller's missing
    AT_BUY_CARDS = AT_BUY + NUM_MISSING
    # A discard, a card shown or given, the one chosen, a tax
    AT_DISCARD = AT_BUY_CARDS + NUM_CARDS                   # card, own cards, own forts
    AT_DISCARD_COPIES = AT_DISCARD + NUM_KINDS * NUM_SIZES * NUM_FORTS
    AT_DISCARD_MISSING = AT_DISCARD_COPIES + NUM_KINDS * NUM_COPIES     # richest rival's
    AT_SHOW = AT_DISCARD_MISSING + NUM_KINDS * NUM_MISSING  # card, whether it is given
    AT_SHOW_COPIES = AT_SHOW + NUM_KINDS * 2
    AT_CHOOSE = AT_SHOW_COPIES + NUM_KINDS * NUM_COPIES     # card
    AT_CHOOSE_MISSING = AT_CHOOSE + NUM_KINDS
    AT_TAX = AT_CHOOSE_MISSING + NUM_MISSING                # payment, own gems
    AT_TAX_SIZE = AT_TAX + 2 * NUM_GEMS
    AT_TAX_MISSING = AT_TAX_SIZE + 2 * NUM_SIZES            # payment, missing of who taxes
    # The end of a turn
    AT_END = AT_TAX_MISSING + 2 * NUM_MISSING               # attack or not, own cards, best one
    AT_END_FORTS = AT_END + 2 * NUM_SIZES * NUM_BEST        # best card, forts of the target
    AT_END_GEMS = AT_END_FORTS + NUM_BEST * NUM_FORTS       # gems of the target, own missing
    # What a turn is used for
    AT_TURN = AT_END_GEMS + NUM_GEMS * NUM_MISSING          # turn, pile, own missing
    NUM_ROWS = AT_TURN + NUM_TURNS * NUM_PILES * NUM_MISSING
