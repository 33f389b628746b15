/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the samples of 8-bit pictures become, in a table. The falloff is a float, whose exponent and first bits number a
 * step; results are linear in between. Integers are used, so that the code for AVX2 and that for every processor
 * compute the same bytes.
 */
#ifndef VIGNETTING_TABLE_H
#define VIGNETTING_TABLE_H

#include "lens_correction.h"
#include "picture_light_piecewise.h"

/* The bits of a float below a step, and those of the fraction of a step that are used. */
#define STEP_BITS 17
#define FRACTION_BITS 14
/* The fractional bits of results. */
#define RESULT_BITS 6
/* A result multiplied by fractions, and a half of it. */
#define SUM_BITS (FRACTION_BITS + RESULT_BITS)
#define SUM_HALF (1 << (SUM_BITS - 1))

/* Computes the tables for the curves of an edit. Returns false if out of memory. */
bool make_steps(ln_steps *steps, const pl_curves *curves, const ln_falloff *model);

/* Where pixels are in the tables: the first entry of a step, and the weights of its start, in the low half, and of its
 * end. */
typedef struct {
    int32_t entry[PL_BLOCK], weights[PL_BLOCK];
} step_places;

PL_INLINE void find_steps(const ln_steps *steps, const float *falloff, int pixels, step_places *places)
{
    const int32_t last = steps->count - 1;
    for (int i = 0; i < pixels; i++) {
        int32_t bits;
        memcpy(&bits, falloff + i, sizeof bits);
        int32_t step = (bits >> STEP_BITS) - steps->first;
        step = step < 0 ? 0 : step > last ? last : step;
        places->entry[i] = 256 * step;
        int32_t fraction = (bits >> (STEP_BITS - FRACTION_BITS)) & ((1 << FRACTION_BITS) - 1);
        places->weights[i] = fraction << 16 | ((1 << FRACTION_BITS) - fraction);
    }
}

/* Edits pixels from the first one on. */
PL_INLINE void store_steps(
    const ln_steps *steps, const step_places *places, const uint8_t *source, uint8_t *destination, int bands, int first,
    int pixels)
{
    for (int i = first; i < pixels; i++) {
        const int16_t start = (int16_t) places->weights[i], end = (int16_t) (places->weights[i] >> 16);
        for (int band = 0; band < 3; band++) {
            int32_t entry = steps->levels[band][places->entry[i] + source[i * bands + band]];
            int32_t level = ((int16_t) entry * start + (entry >> 16) * end + SUM_HALF) >> SUM_BITS;
            destination[i * bands + band] = (uint8_t) (level > 255 ? 255 : level);
        }
        if (bands == 4)
            destination[i * 4 + 3] = source[i * 4 + 3];
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

/* The same in fours. Returns the number of pixels. */
__attribute__((target("avx2"), always_inline)) static inline int wide_store_steps(
    const ln_steps *steps, const step_places *places, const uint8_t *source, uint8_t *destination, int bands,
    int pixels)
{
    const __m128i half = _mm_set1_epi32(SUM_HALF), alpha = _mm_set1_epi32((int) 0xff000000);
    const __m128i order = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int first = 0;
    for (; first + 4 <= pixels; first += 4) {
        const uint8_t *from = source + first * bands;
        uint8_t *to = destination + first * bands;
        __m128i levels[4];
        for (int i = 0; i < 4; i++) {
            const ptrdiff_t entry = places->entry[first + i];
            const uint8_t *sample = from + i * bands;
            /* Gathering is slower than single loads. */
            __m128i pixel = _mm_cvtsi32_si128(steps->levels[0][entry + sample[0]]);
            pixel = _mm_insert_epi32(pixel, steps->levels[1][entry + sample[1]], 1);
            pixel = _mm_insert_epi32(pixel, steps->levels[2][entry + sample[2]], 2);
            pixel = _mm_madd_epi16(pixel, _mm_set1_epi32(places->weights[first + i]));
            levels[i] = _mm_srai_epi32(_mm_add_epi32(pixel, half), SUM_BITS);
        }
        __m128i bytes =
            _mm_packus_epi16(_mm_packs_epi32(levels[0], levels[1]), _mm_packs_epi32(levels[2], levels[3]));
        if (bands == 4) {
            __m128i kept = _mm_and_si128(_mm_loadu_si128((const __m128i *) from), alpha);
            _mm_storeu_si128((__m128i *) to, _mm_or_si128(bytes, kept));
        } else {
            bytes = _mm_shuffle_epi8(bytes, order);
            _mm_storel_epi64((__m128i *) to, bytes);
            int32_t last = _mm_extract_epi32(bytes, 2);
            memcpy(to + 8, &last, sizeof last);
        }
    }
    return first;
}

#endif

#endif
