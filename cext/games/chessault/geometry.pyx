"""Fill the table of reaches of Chessault from R7.1, R7.3 and R7.4, when the module is imported."""

from libc.stdint cimport uint64_t

from .state cimport BLACK, NUM_SQUARES, WHITE, line_row

cdef int[8] ROW_STEPS = [1, 0, 1, 1, -1, 0, -1, -1]      # by `Direction`
cdef int[8] FILE_STEPS = [0, 1, 1, -1, 0, -1, 1, -1]
cdef int[8] KNIGHT_ROWS = [1, 2, 2, 1, -1, -2, -2, -1]
cdef int[8] KNIGHT_FILES = [2, 1, -1, -2, -2, -1, 1, 2]


cdef bint is_in_area(int square, int row, int file) noexcept nogil:
    """R7.1: rows 1 to 8; from a recruitment line only its spawn quarter."""
    if not 0 <= file < 8 or not 1 <= row <= 8:
        return False
    if square >> 3 == line_row(WHITE):
        return row <= 4 and file >> 2 == (square & 7) >> 2
    if square >> 3 == line_row(BLACK):
        return row >= 5 and file >> 2 == (square & 7) >> 2
    return True


cdef uint64_t leap(int square, int rows, int files) noexcept nogil:
    """The square at an offset in rows and files; none if it is out of the area."""
    cdef int row = (square >> 3) + rows
    cdef int file = (square & 7) + files
    return <uint64_t>1 << (row - 1) * 8 + file if is_in_area(square, row, file) else 0


cdef uint64_t ray(int square, int direction) noexcept nogil:
    cdef uint64_t squares = 0
    cdef int distance
    for distance in range(1, 8):
        squares |= leap(
            square, distance * ROW_STEPS[direction], distance * FILE_STEPS[direction])
    return squares


cdef void fill(int square) noexcept nogil:
    cdef Reach* reach = &REACH[square]
    cdef int i, forward
    for i in range(8):
        reach.rays[i] = ray(square, i)
        reach.king |= leap(square, ROW_STEPS[i], FILE_STEPS[i])
        reach.knight |= leap(square, KNIGHT_ROWS[i], KNIGHT_FILES[i])
    for i in range(2):
        forward = -1 if i == BLACK else 1
        reach.steps[i] = leap(square, forward, 0)
        reach.strikes[i] = leap(square, forward, -1) | leap(square, forward, 1)


cdef int each
for each in range(NUM_SQUARES):
    fill(each)
