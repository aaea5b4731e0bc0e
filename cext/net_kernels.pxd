"""The arithmetic of a net (net.pyx), with the same results on every machine.

Each sum has a fixed order whatever the width of the registers: vectors are only added and
multiplied lane by lane, and nothing is contracted to a fused multiply-add (setup.py).
"""

from libc.stdint cimport int32_t


cdef extern from *:
    """
    #include <stdint.h>

    /* Numbers that are added and multiplied at once: four on all machines, eight with AVX2. */
    typedef float NetFour __attribute__((vector_size(16), aligned(4), may_alias));
    typedef float NetEight __attribute__((vector_size(32), aligned(4), may_alias));

    enum { NET_BLOCK1 = 32, NET_BLOCK2 = 16 };

    #define NET_AT(LANES, array, index) (*(LANES*)((array) + (index)))
    #define NET_RELU(LANES, x) ((LANES)(((x) > 0) & (__typeof__((x) > 0))(x)))

    /* In the second layer even and odd inputs are apart, as an addition takes four cycles. */
    #define NET_HIDDEN(NAME, ATTRIBUTES, LANES)                                           \\
        static ATTRIBUTES void NAME(                                                      \\
            const float* w1, const float* b1, int size1,                                  \\
            const float* w2, const float* b2, int size2,                                  \\
            const int32_t* active, int num_active, float* first, float* second)           \\
        {                                                                                 \\
            enum { WIDTH = sizeof(LANES) / sizeof(float) };                               \\
            for (int at = 0; at < size1; at += NET_BLOCK1) {                              \\
                LANES sums[NET_BLOCK1 / WIDTH];                                           \\
                for (int k = 0; k < NET_BLOCK1 / WIDTH; k++)                              \\
                    sums[k] = NET_AT(const LANES, b1, at + WIDTH * k);                    \\
                for (int i = 0; i < num_active; i++) {                                    \\
                    const float* row = w1 + (size_t)active[i] * size1 + at;               \\
                    for (int k = 0; k < NET_BLOCK1 / WIDTH; k++)                          \\
                        sums[k] += NET_AT(LANES, row, WIDTH * k);                         \\
                }                                                                         \\
                for (int k = 0; k < NET_BLOCK1 / WIDTH; k++)                              \\
                    NET_AT(LANES, first, at + WIDTH * k) = NET_RELU(LANES, sums[k]);      \\
            }                                                                             \\
            for (int at = 0; at < size2; at += NET_BLOCK2) {                              \\
                LANES even[NET_BLOCK2 / WIDTH], odd[NET_BLOCK2 / WIDTH];                  \\
                for (int k = 0; k < NET_BLOCK2 / WIDTH; k++) {                            \\
                    even[k] = NET_AT(LANES, b2, at + WIDTH * k);                          \\
                    odd[k] = (LANES){0};                                                  \\
                }                                                                         \\
                for (int i = 0; i < size1; i += 2) {                                      \\
                    const float* row = w2 + (size_t)i * size2 + at;                       \\
                    for (int k = 0; k < NET_BLOCK2 / WIDTH; k++) {                        \\
                        even[k] += first[i] * NET_AT(LANES, row, WIDTH * k);              \\
                        odd[k] += first[i + 1] * NET_AT(LANES, row, size2 + WIDTH * k);   \\
                    }                                                                     \\
                }                                                                         \\
                for (int k = 0; k < NET_BLOCK2 / WIDTH; k++)                              \\
                    NET_AT(LANES, second, at + WIDTH * k) = NET_RELU(LANES, even[k] + odd[k]);\\
            }                                                                             \\
        }

    NET_HIDDEN(net_hidden_four, , NetFour)
    #if defined(__x86_64__)
    NET_HIDDEN(net_hidden_eight, __attribute__((target("avx2"))), NetEight)
    #else
    #define net_hidden_eight net_hidden_four
    #endif

    static int net_is_wide;

    /* Use eight lanes if that is wanted and possible; return whether they are used. */
    static inline int net_use_wide(int is_wanted)
    {
    #if defined(__x86_64__)
        net_is_wide = is_wanted && __builtin_cpu_supports("avx2");
    #endif
        return net_is_wide;
    }

    static inline void net_hidden(
        const float* w1, const float* b1, int size1, const float* w2, const float* b2, int size2,
        const int32_t* active, int num_active, float* first, float* second)
    {
        (net_is_wide ? net_hidden_eight : net_hidden_four)(
            w1, b1, size1, w2, b2, size2, active, num_active, first, second);
    }

    /* The lanes of whole blocks first, then their sum by halves. */
    static inline float net_product(const float* weights, const float* second, int size2)
    {
        NetFour low = {0}, high = {0};
        for (int at = 0; at < size2; at += 8) {
            low += NET_AT(const NetFour, weights, at) * NET_AT(const NetFour, second, at);
            high += NET_AT(const NetFour, weights, at + 4) * NET_AT(const NetFour, second, at + 4);
        }
        low += high;
        return (low[0] + low[2]) + (low[1] + low[3]);
    }
    """
    enum:
        NET_BLOCK1
        NET_BLOCK2

    int net_use_wide(int is_wanted)

    # Write the second hidden layer for a list of active features. w1 is [num_features, size1], w2
    # [size1, size2]; size1 is a multiple of NET_BLOCK1, size2 one of NET_BLOCK2; first [size1] is
    # scratch.
    void net_hidden(
        const float* w1, const float* b1, int size1, const float* w2, const float* b2, int size2,
        const int32_t* active, int num_active, float* first, float* second) noexcept nogil

    # The product of a head's weights with the second layer, both [size2].
    float net_product(const float* weights, const float* second, int size2) noexcept nogil
