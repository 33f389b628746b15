/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_dispatch.h"
#include "pixel_blocks.h"
#include "shuffles.h"

#define PLANE PIXEL_BLOCK_CAPACITY

/* The loops, starting at a pixel. `bands` is a constant after inlining, which lets the compiler use shuffles. */
#define DEFINE_LOOPS(Sample, bits)                                                                            \
    INLINE void split_##bits(const Sample *restrict source, Sample *restrict planes, ptrdiff_t bands,         \
                             ptrdiff_t first, ptrdiff_t pixels)                                               \
    {                                                                                                         \
        for (ptrdiff_t pixel = first; pixel < pixels; pixel++)                                                \
            for (ptrdiff_t band = 0; band < bands; band++)                                                    \
                planes[band * PLANE + pixel] = source[pixel * bands + band];                                  \
    }                                                                                                         \
    INLINE void join_##bits(const Sample *restrict planes, Sample *restrict destination, ptrdiff_t bands,     \
                            ptrdiff_t first, ptrdiff_t pixels)                                                \
    {                                                                                                         \
        for (ptrdiff_t pixel = first; pixel < pixels; pixel++)                                                \
            for (ptrdiff_t band = 0; band < bands; band++)                                                    \
                destination[pixel * bands + band] = planes[band * PLANE + pixel];                             \
    }

DEFINE_LOOPS(uint8_t, 8)
DEFINE_LOOPS(uint16_t, 16)

#define DEFINE_BANDS(verb, Sample, bits)                                                                      \
    INLINE void verb##_bands_##bits(const Sample *from, Sample *to, ptrdiff_t bands, ptrdiff_t first,         \
                                    ptrdiff_t pixels)                                                         \
    {                                                                                                         \
        if (bands == 1)                                                                                       \
            verb##_##bits(from, to, 1, first, pixels);                                                        \
        else if (bands == 3)                                                                                  \
            verb##_##bits(from, to, 3, first, pixels);                                                        \
        else if (bands == 4)                                                                                  \
            verb##_##bits(from, to, 4, first, pixels);                                                        \
        else                                                                                                  \
            verb##_##bits(from, to, bands, first, pixels);                                                    \
    }

DEFINE_BANDS(split, uint8_t, 8)
DEFINE_BANDS(split, uint16_t, 16)
DEFINE_BANDS(join, uint8_t, 8)
DEFINE_BANDS(join, uint16_t, 16)

#if HAS_WIDE

/* Three 8-bit bands are left to the compiler, which vectorises them well. */
#define DEFINE_WIDE(verb, Sample, bits, threes)                                                               \
    WIDE static void wide_##verb##_##bits(const Sample *from, Sample *to, ptrdiff_t bands, ptrdiff_t pixels)  \
    {                                                                                                         \
        ptrdiff_t first = 0;                                                                                  \
        if (bands == 4)                                                                                       \
            first = shuffle_##verb##_4(from, to, sizeof(Sample), pixels);                                     \
        else if (bands == 3 && threes)                                                                        \
            first = shuffle_##verb##_3_16((const void *) from, (void *) to, pixels);                          \
        verb##_bands_##bits(from, to, bands, first, pixels);                                                  \
    }
#define TRY_WIDE(call)                                                                                        \
    if (has_wide())                                                                                           \
    return call

#else
#define DEFINE_WIDE(verb, Sample, bits, threes)
#define TRY_WIDE(call)
#endif

#define DEFINE(verb, Sample, bits, threes)                                                                    \
    DEFINE_WIDE(verb, Sample, bits, threes)                                                                   \
    void pixel_block_plain_##verb##_##bits(const Sample *from, Sample *to, ptrdiff_t bands, ptrdiff_t pixels) \
    {                                                                                                         \
        verb##_bands_##bits(from, to, bands, 0, pixels);                                                      \
    }                                                                                                         \
    void pixel_block_##verb##_##bits(const Sample *from, Sample *to, ptrdiff_t bands, ptrdiff_t pixels)       \
    {                                                                                                         \
        TRY_WIDE(wide_##verb##_##bits(from, to, bands, pixels));                                              \
        pixel_block_plain_##verb##_##bits(from, to, bands, pixels);                                           \
    }

DEFINE(split, uint8_t, 8, 0)
DEFINE(split, uint16_t, 16, 1)
DEFINE(join, uint8_t, 8, 0)
DEFINE(join, uint16_t, 16, 1)
