"""The tables of R7: price, court, mark and effect of each action."""

from libc.stdint cimport uint8_t, uint16_t

cdef extern from *:
    """
    /* A row of the tables of R7. `payment`: below 4 the tower of the price, else a `Payment`;
       `out`: the price of a court of the same book only; `court`: a `Court`, 0 for every player's;
       `mark`: the bit of the mark that is set and must not be set before, plus 1; `effect`: an
       `Effect`; `letters`: of the pieces by whose square the action is named, by bit. */
    typedef struct {
        unsigned char payment, price, out, court, mark, effect; unsigned short letters;} ko_row;
    static const ko_row KO_ROWS[49] = {
        {0, 2, 2, 0, 0, 0, 0x0000},       /* hail */
        {0, 2, 2, 0, 0, 0, 0x0000},       /* tax */
        {0, 4, 4, 0, 0, 0, 0x0000},       /* build */
        {0, 4, 4, 0, 0, 0, 0x03DE},       /* fortify */
        {1, 2, 2, 0, 0, 0, 0x0000},       /* poison */
        {1, 2, 2, 0, 0, 0, 0x0020},       /* charm */
        {1, 4, 4, 0, 0, 0, 0x1FFE},       /* execute */
        {1, 6, 6, 0, 0, 0, 0x0000},       /* sway */
        {2, 2, 2, 0, 0, 0, 0x0000},       /* marry */
        {2, 2, 2, 0, 0, 0, 0x0020},       /* knight */
        {2, 4, 4, 0, 0, 0, 0x0000},       /* feast */
        {2, 8, 8, 0, 0, 0, 0x0000},       /* majesty */
        {3, 2, 2, 0, 19, 0, 0x0000},      /* upper */
        {4, 1, 1, 0, 0, 0, 0x0000},       /* train */
        {4, 1, 1, 0, 7, 0, 0x0000},       /* defend */
        {4, 1, 1, 0, 18, 0, 0x0000},      /* blessing */
        {4, 1, 1, 7, 0, 0, 0x0000},       /* raise */
        {4, 2, 2, 7, 3, 0, 0x0000},       /* blacksails */
        {4, 2, 2, 7, 0, 0, 0x03DE},       /* taint */
        {4, 4, 4, 7, 0, 0, 0x0000},       /* undead */
        {7, 0, 0, 7, 0, 16, 0x0000},      /* lich */
        {4, 0, 1, 5, 4, 0, 0x0000},       /* luck */
        {4, 1, 1, 5, 0, 0, 0x0000},       /* wind */
        {4, 4, 4, 5, 5, 0, 0x0000},       /* punches */
        {6, 0, 0, 5, 0, 4, 0x0000},       /* ladyluck */
        {4, 1, 1, 6, 0, 0, 0x0000},       /* servant */
        {4, 1, 1, 6, 0, 0, 0x03DE},       /* surge */
        {4, 4, 4, 6, 0, 0, 0x0000},       /* force */
        {5, 0, 0, 6, 0, 1, 0x0000},       /* motorhead */
        {9, 0, 1, 8, 0, 0, 0x0000},       /* infight */
        {4, 1, 1, 8, 0, 0, 0x0020},       /* failed */
        {4, 1, 1, 8, 6, 0, 0x0000},       /* conspire */
        {4, 4, 4, 8, 0, 0, 0x07FE},       /* cherry */
        {4, 1, 1, 3, 1, 0, 0x0000},       /* rush */
        {4, 1, 1, 3, 2, 0, 0x0000},       /* seabreeze */
        {4, 2, 2, 3, 10, 0, 0x0000},      /* summer */
        {4, 4, 4, 3, 11, 0, 0x0000},      /* frenzy */
        {7, 0, 0, 3, 0, 32, 0x0000},      /* crimson */
        {4, 0, 1, 1, 14, 0, 0x0000},      /* lionheart */
        {4, 1, 1, 1, 12, 0, 0x0000},      /* insight */
        {8, 1, 1, 1, 13, 0, 0x0000},      /* parlay */
        {5, 0, 0, 1, 0, 2, 0x0000},       /* sha */
        {4, 0, 1, 2, 21, 0, 0x0084},      /* castle */
        {4, 1, 1, 2, 15, 0, 0x0000},      /* shield */
        {4, 2, 2, 2, 16, 0, 0x0000},      /* thorns */
        {6, 0, 0, 2, 0, 8, 0x0000},       /* icequeen */
        {4, 0, 1, 4, 0, 0, 0x0000},       /* balance */
        {4, 1, 1, 4, 17, 0, 0x0000},      /* redirect */
        {4, 4, 4, 4, 0, 0, 0x0000}};      /* boister */
    """
    ctypedef struct Row "ko_row":
        uint8_t payment
        uint8_t price
        uint8_t out
        uint8_t court
        uint8_t mark
        uint8_t effect
        uint16_t letters
    const Row* ROWS "KO_ROWS"

cdef enum Payment:
    PAY_EACH = 4
    PAY_DEVOUR_J
    PAY_DEVOUR_Q
    PAY_DEVOUR_K
    PAY_ANY             # parlay
    PAY_MOVED           # infight
