"""The tables of R7: price, court, mark and effect of each action."""

from libc.stdint cimport uint8_t

cdef extern from *:
    """
    /* A row of the tables of R7. `payment`: below 4 the tower of the price, else a `Payment`;
       `out`: the price of a court of the same book only; `court`: a `Court`, 0 for every player's;
       `mark`: the bit of the mark that is set and must not be set before, plus 1; `effect`: an
       `Effect`. */
    typedef struct {unsigned char payment, price, out, court, mark, effect;} ko_row;
    static const ko_row KO_ROWS[49] = {
        {0, 2, 2, 0, 0, 0},     /* hail */
        {0, 2, 2, 0, 0, 0},     /* tax */
        {0, 4, 4, 0, 0, 0},     /* build */
        {0, 4, 4, 0, 0, 0},     /* fortify */
        {1, 2, 2, 0, 0, 0},     /* poison */
        {1, 2, 2, 0, 0, 0},     /* charm */
        {1, 4, 4, 0, 0, 0},     /* execute */
        {1, 6, 6, 0, 0, 0},     /* sway */
        {2, 2, 2, 0, 0, 0},     /* marry */
        {2, 2, 2, 0, 0, 0},     /* knight */
        {2, 4, 4, 0, 0, 0},     /* feast */
        {2, 8, 8, 0, 0, 0},     /* majesty */
        {3, 2, 2, 0, 19, 0},    /* upper */
        {4, 1, 1, 0, 0, 0},     /* train */
        {4, 1, 1, 0, 7, 0},     /* defend */
        {4, 1, 1, 0, 18, 0},    /* blessing */
        {4, 1, 1, 7, 0, 0},     /* raise */
        {4, 2, 2, 7, 3, 0},     /* blacksails */
        {4, 2, 2, 7, 0, 0},     /* taint */
        {4, 4, 4, 7, 0, 0},     /* undead */
        {7, 0, 0, 7, 0, 16},    /* lich */
        {4, 0, 1, 5, 4, 0},     /* luck */
        {4, 1, 1, 5, 0, 0},     /* wind */
        {4, 4, 4, 5, 5, 0},     /* punches */
        {6, 0, 0, 5, 0, 4},     /* ladyluck */
        {4, 1, 1, 6, 0, 0},     /* servant */
        {4, 1, 1, 6, 0, 0},     /* surge */
        {4, 4, 4, 6, 0, 0},     /* force */
        {5, 0, 0, 6, 0, 1},     /* motorhead */
        {9, 0, 1, 8, 0, 0},     /* infight */
        {4, 1, 1, 8, 0, 0},     /* failed */
        {4, 1, 1, 8, 6, 0},     /* conspire */
        {4, 4, 4, 8, 0, 0},     /* cherry */
        {4, 1, 1, 3, 1, 0},     /* rush */
        {4, 1, 1, 3, 2, 0},     /* seabreeze */
        {4, 2, 2, 3, 10, 0},    /* summer */
        {4, 4, 4, 3, 11, 0},    /* frenzy */
        {7, 0, 0, 3, 0, 32},    /* crimson */
        {4, 0, 1, 1, 14, 0},    /* lionheart */
        {4, 1, 1, 1, 12, 0},    /* insight */
        {8, 1, 1, 1, 13, 0},    /* parlay */
        {5, 0, 0, 1, 0, 2},     /* sha */
        {4, 0, 1, 2, 21, 0},    /* castle */
        {4, 1, 1, 2, 15, 0},    /* shield */
        {4, 2, 2, 2, 16, 0},    /* thorns */
        {6, 0, 0, 2, 0, 8},     /* icequeen */
        {4, 0, 1, 4, 0, 0},     /* balance */
        {4, 1, 1, 4, 17, 0},    /* redirect */
        {4, 4, 4, 4, 0, 0}};    /* boister */
    """
    ctypedef struct Row "ko_row":
        uint8_t payment
        uint8_t price
        uint8_t out
        uint8_t court
        uint8_t mark
        uint8_t effect
    const Row* ROWS "KO_ROWS"

cdef enum Payment:
    PAY_EACH = 4
    PAY_DEVOUR_J
    PAY_DEVOUR_Q
    PAY_DEVOUR_K
    PAY_ANY             # parlay
    PAY_MOVED           # infight
