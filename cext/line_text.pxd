"""Lines as text of C: writing a state without objects of Python, and reading one likewise.

A reader reports no errors. Its state is used only if it is valid and is written as the very same
line; every other line is read as a view, which finds and names the errors.
"""

cdef enum:
    LINE_ROOM = 1 << 14   # bytes of the longest line and one more

cdef struct Writer:
    char* at
    char* end             # of the room, where a writer stays that comes so far

cdef struct Reader:
    const char* at        # in a text that ends with 0; a reader that fails goes to an empty one


# --- writing --------------------------------------------------------------------------------------

cdef inline void put_char(Writer* out, char letter) noexcept nogil:
    if out.at < out.end:
        out.at[0] = letter
        out.at += 1


cdef inline void put_text(Writer* out, const char* text) noexcept nogil:
    while text[0]:
        put_char(out, text[0])
        text += 1


cdef inline const char* after_space(const char* text) noexcept nogil:
    while text[0] != c" ":
        text += 1
    return text + 1


cdef inline void put_word(Writer* out, const char* words, int place) noexcept nogil:
    """Write one of some words, after each of which comes a space."""
    while place:
        words = after_space(words)
        place -= 1
    while words[0] != c" ":
        put_char(out, words[0])
        words += 1


cdef inline void put_number(Writer* out, int number) noexcept nogil:
    cdef char[12] digits
    cdef unsigned int rest = <unsigned int>number
    cdef int length = 0
    if number < 0:
        put_char(out, c"-")
        rest = -rest
    while rest >= 10:
        digits[length] = c"0" + rest % 10
        length += 1
        rest //= 10
    put_char(out, c"0" + rest)
    while length:
        length -= 1
        put_char(out, digits[length])


cdef inline void put_seat(Writer* out, int seat) noexcept nogil:
    """Write p1 for seat 0, and so on."""
    put_char(out, c"p")
    put_char(out, c"1" + seat)


# --- reading --------------------------------------------------------------------------------------

cdef inline int fail(Reader* given) noexcept nogil:
    given.at = b""
    return 0


cdef inline bint skip(Reader* given, char letter) noexcept nogil:
    """Pass a letter if it is the next one; return whether it is."""
    if given.at[0] != letter:
        return False
    given.at += 1
    return True


cdef inline void expect(Reader* given, const char* text) noexcept nogil:
    """Pass a text."""
    while text[0]:
        if not skip(given, text[0]):
            fail(given)
            return
        text += 1


cdef inline int read_int(Reader* given, int most) noexcept nogil:
    """Read a number from 0 to `most`, which is at most 10**8."""
    cdef int number = 0
    if not c"0" <= given.at[0] <= c"9":
        return fail(given)
    while c"0" <= given.at[0] <= c"9" and number <= most:
        number = 10 * number + given.at[0] - c"0"
        given.at += 1
    return number if number <= most else fail(given)


cdef inline int read_letter(Reader* given, const char* letters) noexcept nogil:
    """Read one of some letters, and return its place among them."""
    cdef int place = 0
    while letters[place]:
        if given.at[0] == letters[place]:
            given.at += 1
            return place
        place += 1
    return fail(given)


cdef inline int read_seat_from_0(Reader* given, int seats) noexcept nogil:
    """Read p1 as 0, and so on."""
    cdef int seat
    expect(given, b"p")
    seat = read_int(given, seats) - 1
    return seat if seat >= 0 else fail(given)


cdef inline int read_word(Reader* given, const char* words) noexcept nogil:
    """Read the longest word that the text goes on with, and return its place; see `put_word`."""
    cdef int longest = 0
    cdef int found = 0
    cdef int place = 0
    cdef int length
    while words[0]:
        length = 0
        while words[length] != c" " and given.at[length] == words[length]:
            length += 1
        if words[length] == c" " and length > longest:
            longest = length
            found = place
        words = after_space(words)
        place += 1
    given.at += longest
    return found if longest else fail(given)
