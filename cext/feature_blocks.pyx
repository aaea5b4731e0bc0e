"""The layout of blocks of features; see the .pxd."""


cdef list lay_out(Block* blocks, dict rows, int first):
    cdef int number, place
    names = []
    for number in range(len(rows)):
        row = rows[number]
        assert len(row.num_held) <= MAX_VALUES
        blocks[number].first = first + len(names)
        blocks[number].least = row.least
        blocks[number].most = row.least + len(row.num_held) - 1
        for place, held in enumerate(row.num_held):
            blocks[number].num_held[place] = held
        names += row.names
    blocks[len(rows)].first = first + len(names)
    return names
