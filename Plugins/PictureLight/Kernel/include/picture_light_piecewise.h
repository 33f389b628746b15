/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Look-up of functions that are linear in parts, for blocks of at most PL_BLOCK pixels.
 *
 * Numbers after the last pixel, up to a multiple of 8, may be computed too. They are not stored.
 */
#ifndef PICTURE_LIGHT_PIECEWISE_H
#define PICTURE_LIGHT_PIECEWISE_H

#include <string.h>
#include "picture_light.h"

/* A fused operation rounds once instead of twice, and not every processor has one. */
#pragma STDC FP_CONTRACT OFF

#define PL_BLOCK 128

#define PL_INLINE static inline __attribute__((always_inline))

/* The greatest float below 1: an argument of 1 would need a part of its own. */
#define PL_ALMOST_ONE 0x1.fffffep-1f
/* The greatest float in the first part. */
#define PL_LEAST 0x1.fffffep-37f

/* The comparisons return the limit for NAN. */
PL_INLINE float pl_at_most(float number, float limit) { return number < limit ? number : limit; }
PL_INLINE float pl_at_least(float number, float limit) { return number > limit ? number : limit; }

/* A number of pixels, rounded up to a multiple of 8. */
PL_INLINE int pl_rounded(int pixels) { return (pixels + 7) & ~7; }

/* The argument of a function of 0...1, also for NAN. */
PL_INLINE float pl_clamped(float number) { return pl_at_most(pl_at_least(number, PL_LEAST), PL_ALMOST_ONE); }

/* The number of the part that contains a clamped number: its exponent and the first `bits` bits of its mantissa. */
PL_INLINE uint64_t pl_part_of(uint32_t representation, int bits)
{
    return (representation >> (23 - bits)) - (((127 - PL_OCTAVES) << bits) - 1);
}

typedef float pl_eight __attribute__((vector_size(32)));
typedef uint64_t pl_four_parts __attribute__((vector_size(32)));

/* Replaces x by the function of x for `count` numbers, which are clamped first. Also for those after them, up to a
 * multiple of 8.
 *
 * Reads two numbers at once, and a part as one number: loads take most of the time. Gathering is slower. */
PL_INLINE void pl_look_up(const pl_part *parts, float *restrict x, int count, int bits)
{
    count = pl_rounded(count);
    for (int i = 0; i < count; i++)
        x[i] = pl_clamped(x[i]);
    for (int first = 0; first < count; first += 8) {
        uint64_t pairs[4], found[8];
        memcpy(pairs, x + first, sizeof pairs);
        for (int i = 0; i < 4; i++) {
            memcpy(found + 2 * i, parts + pl_part_of((uint32_t) pairs[i], bits), sizeof *found);
            memcpy(found + 2 * i + 1, parts + pl_part_of((uint32_t) (pairs[i] >> 32), bits), sizeof *found);
        }
        pl_eight low = (pl_eight) (pl_four_parts) {found[0], found[1], found[4], found[5]};
        pl_eight high = (pl_eight) (pl_four_parts) {found[2], found[3], found[6], found[7]};
        pl_eight numbers;
        memcpy(&numbers, x + first, sizeof numbers);
        numbers = __builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14) +
                  __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15) * numbers;
        memcpy(x + first, &numbers, sizeof numbers);
    }
}

/* Four numbers of the pixels 0 and 4, 1 and 5, 2 and 6, 3 and 7 become eight of each number. */
PL_INLINE void pl_transpose(pl_eight pixels[4])
{
    pl_eight a = __builtin_shufflevector(pixels[0], pixels[1], 0, 8, 1, 9, 4, 12, 5, 13);
    pl_eight b = __builtin_shufflevector(pixels[2], pixels[3], 0, 8, 1, 9, 4, 12, 5, 13);
    pl_eight c = __builtin_shufflevector(pixels[0], pixels[1], 2, 10, 3, 11, 6, 14, 7, 15);
    pl_eight d = __builtin_shufflevector(pixels[2], pixels[3], 2, 10, 3, 11, 6, 14, 7, 15);
    pixels[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    pixels[1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    pixels[2] = __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13);
    pixels[3] = __builtin_shufflevector(c, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* Copies four floats from each of two places. */
PL_INLINE void pl_copy_pair(pl_eight *to, const void *first, const void *second)
{
    memcpy(to, first, sizeof *to / 2);
    memcpy((char *) to + sizeof *to / 2, second, sizeof *to / 2);
}

/* Reads pixels as light, in planes, which fit into the first-level cache. Those after the last one, up to a multiple of 8,
 * become black. The loop must not become vector code: gathering is slower than single loads. */
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
    for (int band = 0; band < 3; band++)
        for (int i = pixels; i < pl_rounded(pixels); i++)
            color[band][i] = 0;
}

/* Replaces light by encoded values. */
PL_INLINE void pl_encode(const pl_curves *curves, int count, float color[3][PL_BLOCK])
{
    for (int band = 0; band < 3; band++)
        pl_look_up(curves->encoding[band], color[band], count, PL_ENCODING_BITS);
}

/* Defines the function that writes encoded values, rounded to the nearest level, as samples of a type. Bands beyond the
 * third are copied from the source. */
#define PL_STORE_FUNCTION(NAME, SAMPLE, GREATEST)                                                                     \
    PL_INLINE void NAME(                                                                                              \
        const float color[3][PL_BLOCK], const SAMPLE *source, SAMPLE *restrict destination, int bands, int pixels)    \
    {                                                                                                                 \
        SAMPLE levels[3][PL_BLOCK];                                                                                   \
        for (int band = 0; band < 3; band++)                                                                          \
            for (int i = 0; i < pixels; i++) {                                                                        \
                float level = pl_at_most(pl_at_least(color[band][i], 0), 1) * GREATEST + 0.5f;                        \
                levels[band][i] = (SAMPLE) (int32_t) level;                                                           \
            }                                                                                                         \
        for (int i = 0; i < pixels; i++)                                                                              \
            for (int band = 0; band < bands; band++)                                                                  \
                destination[i * bands + band] = band < 3 ? levels[band][i] : source[i * bands + band];                \
    }

PL_STORE_FUNCTION(pl_store_bytes, uint8_t, 255)
PL_STORE_FUNCTION(pl_store_words, uint16_t, 65535)

PL_INLINE void pl_store(
    const float color[3][PL_BLOCK], const void *source, void *destination, bool is_byte, int bands, int pixels)
{
    if (is_byte)
        pl_store_bytes(color, source, destination, bands, pixels);
    else
        pl_store_words(color, source, destination, bands, pixels);
}

#define PL_ROW_PARAMETERS                                                                                             \
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top

/* Calls the inlined BODY with constants, so that the compiler unrolls the loops over bands. */
#define PL_SPECIALISED(BODY)                                                                                          \
    if (is_byte && bands == 3)                                                                                        \
        BODY(edit, source, destination, true, 3, pixels, left, top);                                                  \
    else if (is_byte)                                                                                                 \
        BODY(edit, source, destination, true, bands, pixels, left, top);                                              \
    else if (bands == 3)                                                                                              \
        BODY(edit, source, destination, false, 3, pixels, left, top);                                                 \
    else                                                                                                              \
        BODY(edit, source, destination, false, bands, pixels, left, top);

/* Defines the pl_row NAME, which uses AVX2 if the processor has it, and PLAIN without. */
#if defined(__x86_64__)
#define PL_ROW_FUNCTIONS(NAME, PLAIN, BODY)                                                                           \
    __attribute__((target("avx2"))) static void NAME##_wide(PL_ROW_PARAMETERS) { PL_SPECIALISED(BODY) }               \
    void PLAIN(PL_ROW_PARAMETERS) { PL_SPECIALISED(BODY) }                                                            \
    void NAME(PL_ROW_PARAMETERS)                                                                                      \
    {                                                                                                                 \
        if (__builtin_cpu_supports("avx2"))                                                                           \
            NAME##_wide(edit, source, destination, is_byte, bands, pixels, left, top);                                \
        else                                                                                                          \
            PLAIN(edit, source, destination, is_byte, bands, pixels, left, top);                                      \
    }
#else
#define PL_ROW_FUNCTIONS(NAME, PLAIN, BODY)                                                                           \
    void PLAIN(PL_ROW_PARAMETERS) { PL_SPECIALISED(BODY) }                                                            \
    void NAME(PL_ROW_PARAMETERS) { PL_SPECIALISED(BODY) }
#endif

#endif
