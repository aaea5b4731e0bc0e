"""The layout of blocks of features; see the .pxd."""

cdef enum:
    WORD_BITS = 64


cdef list lay_out(Block* blocks, int32_t* word_first, int num_words, dict rows):
    cdef int number, place
    cdef int word = 0
    cdef int used = 0       # bits of the word
    names = []
    for number in range(len(rows)):
        row = rows[number]
        assert len(row.names) <= WORD_BITS and len(row.num_held) <= MAX_VALUES
        assert max(row.num_held) < WORD_BITS
        if used + len(row.names) > WORD_BITS:
            word += 1
            used = 0
        if used == 0:
            assert word < num_words
            word_first[word] = len(names)
        blocks[number].word = word
        blocks[number].shift = used
        blocks[number].first = len(names)
        blocks[number].least = row.least
        blocks[number].most = row.least + len(row.num_held) - 1
        for place, held in enumerate(row.num_held):
            blocks[number].num_held[place] = held
        names += row.names
        used += len(row.names)
    blocks[len(rows)].first = len(names)
    return names
