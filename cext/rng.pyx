"""See rng.pxd and rng.pyi.

Sources: O'Neill 2015, "Developing a seed_seq Alternative", for the mixing of seeds; Doty-Humphrey
2010, PractRand, for SFC64; numpy/random/bit_generator.pyx and numpy/random/src/sfc64/sfc64.h.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid

from kingmaker.cext.errors import wrong_type

cdef enum:
    POOL = 4            # words that a seed is mixed into
    SKIPPED = 12        # numbers that a new generator leaves out
    SEED_WORDS = 3      # 64-bit words that seed a generator

cdef uint32_t INIT_A = 0x43B0D7E5
cdef uint32_t MULT_A = 0x931E8875
cdef uint32_t INIT_B = 0x8B51F9DD
cdef uint32_t MULT_B = 0x58F38DED
cdef uint32_t MIX_LEFT = 0xCA01F9DD
cdef uint32_t MIX_RIGHT = 0x4973F715


# The generator whose stream was asked for last, kept alive: to ask it again takes long.
cdef object LATEST
cdef bitgen_t* LATEST_STREAM = NULL


cdef bitgen_t* stream_of(object bit_generator) except NULL:
    global LATEST, LATEST_STREAM
    cdef bitgen_t* stream
    if type(bit_generator) is Sfc64:
        return &(<Sfc64>bit_generator).stream
    if bit_generator is LATEST and LATEST_STREAM is not NULL:
        return LATEST_STREAM
    owner = getattr(bit_generator, "bit_generator", bit_generator)   # of a numpy Generator
    capsule = getattr(owner, "capsule", None)
    if not PyCapsule_IsValid(capsule, "BitGenerator"):
        raise wrong_type(
            "bit_generator", bit_generator, "a random generator of NumPy; "
            "numpy.random.default_rng(1) is one with the seed 1")
    stream = <bitgen_t*>PyCapsule_GetPointer(capsule, "BitGenerator")
    LATEST_STREAM = stream
    LATEST = owner   # the end of the former one may ask for another stream
    return stream


# --- SFC64 ----------------------------------------------------------------------------------------

cdef uint64_t next_uint64(void* state) noexcept nogil:
    cdef uint64_t* words = (<Sfc64State*>state).words
    cdef uint64_t drawn = words[0] + words[1] + words[3]
    words[3] += 1
    words[0] = words[1] ^ (words[1] >> 11)
    words[1] = words[2] + (words[2] << 3)
    words[2] = (words[2] << 24 | words[2] >> 40) + drawn
    return drawn


cdef uint32_t next_uint32(void* state) noexcept nogil:
    cdef Sfc64State* own = <Sfc64State*>state
    cdef uint64_t drawn
    if own.has_half:
        own.has_half = False
        return own.half
    drawn = next_uint64(state)
    own.has_half = True
    own.half = <uint32_t>(drawn >> 32)
    return <uint32_t>drawn


cdef double next_double(void* state) noexcept nogil:
    return <double>(next_uint64(state) >> 11) * (1.0 / 9007199254740992.0)


cdef Sfc64 sfc64_of(uint64_t first, uint64_t second, uint64_t third):
    cdef Sfc64 generator = Sfc64.__new__(Sfc64)
    generator.state.words = [first, second, third, 1]
    generator.state.has_half = False
    generator.stream = bitgen_t(&generator.state, next_uint64, next_uint32, next_double)
    for _ in range(SKIPPED):
        next_uint64(&generator.state)
    return generator


# --- seeds ----------------------------------------------------------------------------------------

cdef uint32_t hashed(uint32_t value, uint32_t* constant, uint32_t factor) noexcept nogil:
    value ^= constant[0]
    constant[0] *= factor
    value *= constant[0]
    return value ^ value >> 16


cdef uint32_t mixed(uint32_t left, uint32_t right) noexcept nogil:
    cdef uint32_t value = MIX_LEFT * left - MIX_RIGHT * right
    return value ^ value >> 16


cdef class Seed:
    def __init__(self, uint64_t number, *places):
        cdef uint32_t[POOL] entropy = [<uint32_t>number, <uint32_t>(number >> 32), 0, 0]
        cdef uint32_t constant = INIT_A
        cdef int i, j
        for i in range(POOL):
            self.pool[i] = hashed(entropy[i], &constant, MULT_A)
        for i in range(POOL):
            for j in range(POOL):
                if i != j:
                    self.pool[j] = mixed(self.pool[j], hashed(self.pool[i], &constant, MULT_A))
        for place in places:
            for j in range(POOL):
                self.pool[j] = mixed(self.pool[j], hashed(place, &constant, MULT_A))

    cdef list streams(self, int number):
        cdef uint32_t constant = INIT_B
        cdef uint64_t[SEED_WORDS] words
        cdef int drawn = 0
        cdef int i
        cdef uint64_t low
        found = []
        for _ in range(number):
            for i in range(SEED_WORDS):
                low = hashed(self.pool[drawn % POOL], &constant, MULT_B)
                words[i] = low | <uint64_t>hashed(
                    self.pool[(drawn + 1) % POOL], &constant, MULT_B) << 32
                drawn += 2
            found.append(sfc64_of(words[0], words[1], words[2]))
        return found

    def word(self) -> int:
        """Return 32 bits; see rng.pyi."""
        cdef uint32_t constant = INIT_B
        return hashed(self.pool[0], &constant, MULT_B)

    def drawn(self, int number, int length) -> list:
        """Draw from each stream; see rng.pyi."""
        cdef bitgen_t* rng
        found = []
        for generator in self.streams(number):
            rng = stream_of(generator)
            found.append([
                (rng.next_uint32(rng.state), rng.next_uint64(rng.state),
                 rng.next_double(rng.state), rng.next_uint32(rng.state))
                for _ in range(length)])
        return found
