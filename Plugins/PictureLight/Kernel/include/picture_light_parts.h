/* SPDX-License-Identifier: Apache-2.0 */
/* Look-up of functions that are linear in parts, for blocks of at most PL_BLOCK pixels. */
#ifndef PICTURE_LIGHT_PARTS_H
#define PICTURE_LIGHT_PARTS_H

#include <string.h>
#include "picture_light.h"

#define PL_BLOCK 256

#define PL_INLINE static inline __attribute__((always_inline))

/* The greatest float below 1: an argument of 1 would need a part of its own. */
#define PL_ALMOST_ONE 0x1.fffffep-1f

PL_INLINE float pl_at_most(float number, float limit) { return number < limit ? number : limit; }
PL_INLINE float pl_at_least(float number, float limit) { return number > limit ? number : limit; }
PL_INLINE float pl_clamped(float number) { return pl_at_most(pl_at_least(number, 0), PL_ALMOST_ONE); }

/* The part that contains x, 0 <= x < 1: the exponent and the first `bits` bits of the mantissa. */
PL_INLINE int32_t pl_part_of(float x, int octaves, int bits)
{
    int32_t representation;
    memcpy(&representation, &x, sizeof representation);
    int32_t part = ((representation - ((127 - octaves) << 23)) >> (23 - bits)) + 1;
    return part < 0 ? 0 : part;
}

/* Replaces x by the function of x for `count` numbers.
 *
 * The second loop must not become vector code: gathering is slower than single loads. */
PL_INLINE void pl_look_up(const pl_part *parts, float *restrict x, int count, int octaves, int bits)
{
    int32_t part[PL_BLOCK];
    for (int i = 0; i < count; i++)
        part[i] = pl_part_of(x[i], octaves, bits);
#pragma clang loop vectorize(disable) interleave(disable)
    for (int i = 0; i < count; i++)
        x[i] = parts[part[i]].value + parts[part[i]].slope * x[i];
}

/* Reads pixels as light, in planes, which fit into the first-level cache. */
PL_INLINE void pl_load(
    const pl_curves *curves, const void *source, bool is_byte, int bands, int pixels, float color[3][PL_BLOCK])
{
    const uint8_t *bytes = source;
    const uint16_t *words = source;
#pragma clang loop vectorize(disable) interleave(disable)
    for (int i = 0; i < pixels; i++)
        for (int band = 0; band < 3; band++) {
            int level = is_byte ? bytes[i * bands + band] : words[i * bands + band];
            color[band][i] = curves->light[band][level];
        }
}

/* Replaces light, 0...1, by encoded values. */
PL_INLINE void pl_encode(const pl_curves *curves, int pixels, float color[3][PL_BLOCK])
{
    for (int band = 0; band < 3; band++)
        pl_look_up(curves->encoding[band], color[band], pixels, PL_ENCODING_OCTAVES, PL_ENCODING_BITS);
}

/* Writes encoded values, rounded to the nearest level. Bands beyond the third are copied from the source. */
PL_INLINE void pl_store(
    const float color[3][PL_BLOCK], const void *source, void *destination, bool is_byte, int bands, int pixels)
{
    const uint8_t *from_bytes = source;
    const uint16_t *from_words = source;
    uint8_t *bytes = destination;
    uint16_t *words = destination;
    int32_t levels[3][PL_BLOCK];
    float greatest = is_byte ? 255 : 65535;
    for (int band = 0; band < 3; band++)
        for (int i = 0; i < pixels; i++)
            levels[band][i] = (int32_t) (pl_at_most(pl_at_least(color[band][i], 0), 1) * greatest + 0.5f);
    for (int i = 0; i < pixels; i++)
        for (int band = 0; band < bands; band++) {
            int place = i * bands + band;
            if (is_byte)
                bytes[place] = band < 3 ? (uint8_t) levels[band][i] : from_bytes[place];
            else
                words[place] = band < 3 ? (uint16_t) levels[band][i] : from_words[place];
        }
}

#define PL_ROW_PARAMETERS                                                                                             \
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top

/* Defines the pl_row NAME, which uses AVX2 if the processor has it, and PLAIN without. Both call the inlined BODY. */
#if defined(__x86_64__)
#define PL_ROW_FUNCTIONS(NAME, PLAIN, BODY)                                                                           \
    __attribute__((target("avx2"))) static void NAME##_wide(PL_ROW_PARAMETERS)                                        \
    {                                                                                                                 \
        if (is_byte)                                                                                                  \
            BODY(edit, source, destination, true, bands, pixels, left, top);                                          \
        else                                                                                                          \
            BODY(edit, source, destination, false, bands, pixels, left, top);                                         \
    }                                                                                                                 \
    PL_PLAIN_FUNCTION(PLAIN, BODY)                                                                                    \
    void NAME(PL_ROW_PARAMETERS)                                                                                      \
    {                                                                                                                 \
        if (__builtin_cpu_supports("avx2"))                                                                           \
            NAME##_wide(edit, source, destination, is_byte, bands, pixels, left, top);                                \
        else                                                                                                          \
            PLAIN(edit, source, destination, is_byte, bands, pixels, left, top);                                      \
    }
#else
#define PL_ROW_FUNCTIONS(NAME, PLAIN, BODY)                                                                           \
    PL_PLAIN_FUNCTION(PLAIN, BODY)                                                                                    \
    void NAME(PL_ROW_PARAMETERS)                                                                                      \
    {                                                                                                                 \
        PLAIN(edit, source, destination, is_byte, bands, pixels, left, top);                                          \
    }
#endif

#define PL_PLAIN_FUNCTION(PLAIN, BODY)                                                                                \
    void PLAIN(PL_ROW_PARAMETERS)                                                                                     \
    {                                                                                                                 \
        if (is_byte)                                                                                                  \
            BODY(edit, source, destination, true, bands, pixels, left, top);                                          \
        else                                                                                                          \
            BODY(edit, source, destination, false, bands, pixels, left, top);                                         \
    }

#endif
