"""Values of the figures and abilities of Chessault, in pawns: section 18 of the rules page."""

cdef extern from *:
    """
    static const float CHS_VALUES[7] = {0.f, 1.f, 3.f, 3.f, 5.f, 9.f, 20.f};    // by type
    /* Of holding one, by ability */
    static const float CHS_ABILITY_VALUES[4] = {0.f, 1.f, 1.5f, 1.5f};
    """
    const float* VALUES "CHS_VALUES"
    const float* ABILITY_VALUES "CHS_ABILITY_VALUES"
