/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deinterleaving and interleaving of pixels with AVX2. Each function processes whole vectors only, and returns the
 * number of pixels processed.
 *
 * A vector has two lanes, and shuffles stay inside a lane. One lane is therefore loaded with the first half of the
 * pixels and the other with the second half, which keeps the planes in order.
 */
#ifndef SHUFFLES_H
#define SHUFFLES_H

#include "cpu_dispatch.h"
#include "pixel_blocks.h"

#if HAS_WIDE
#include <immintrin.h>

WIDE INLINE __m256i load_lanes(const uint8_t *low, const uint8_t *high)
{
    __m128i lane = _mm_loadu_si128((const __m128i *) low);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lane), _mm_loadu_si128((const __m128i *) high), 1);
}

WIDE INLINE void store_lanes(__m256i lanes, uint8_t *low, uint8_t *high)
{
    _mm_storeu_si128((__m128i *) low, _mm256_castsi256_si128(lanes));
    _mm_storeu_si128((__m128i *) high, _mm256_extracti128_si256(lanes, 1));
}

/* ---- Four bands, 8 or 16 bit ---- */

/* Exchanges pixels and bands within 16 bytes: four 8-bit or two 16-bit pixels become 32 bits of each band. */
WIDE INLINE __m256i exchange_split(__m256i pixels, int is_8_bit)
{
    const __m128i order =
        is_8_bit ? _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
                 : _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    return _mm256_shuffle_epi8(pixels, _mm256_broadcastsi128_si256(order));
}

WIDE INLINE __m256i exchange_join(__m256i bands, int is_8_bit)
{
    const __m128i order =
        is_8_bit ? _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
                 : _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    return _mm256_shuffle_epi8(bands, _mm256_broadcastsi128_si256(order));
}

/* Transposes the 4 × 4 matrix of 32-bit numbers in each lane. */
WIDE INLINE void transpose(__m256i rows[4])
{
    __m256i a = _mm256_unpacklo_epi32(rows[0], rows[1]), b = _mm256_unpackhi_epi32(rows[0], rows[1]);
    __m256i c = _mm256_unpacklo_epi32(rows[2], rows[3]), d = _mm256_unpackhi_epi32(rows[2], rows[3]);
    rows[0] = _mm256_unpacklo_epi64(a, c);
    rows[1] = _mm256_unpackhi_epi64(a, c);
    rows[2] = _mm256_unpacklo_epi64(b, d);
    rows[3] = _mm256_unpackhi_epi64(b, d);
}

/* Processes 128 bytes per iteration, 32 bytes of each plane. */
WIDE INLINE ptrdiff_t shuffle_split_4(const void *source, void *planes, ptrdiff_t size, ptrdiff_t pixels)
{
    const ptrdiff_t step = 32 / size, plane = PIXEL_BLOCK_CAPACITY * size;
    ptrdiff_t pixel = 0;
    for (; pixel + step <= pixels; pixel += step) {
        const uint8_t *from = (const uint8_t *) source + pixel * 4 * size;
        uint8_t *to = (uint8_t *) planes + pixel * size;
        __m256i rows[4];
        for (int row = 0; row < 4; row++)
            rows[row] = exchange_split(load_lanes(from + 16 * row, from + 64 + 16 * row), size == 1);
        transpose(rows);
        for (int band = 0; band < 4; band++)
            _mm256_storeu_si256((__m256i *) (to + band * plane), rows[band]);
    }
    return pixel;
}

WIDE INLINE ptrdiff_t shuffle_join_4(const void *planes, void *destination, ptrdiff_t size, ptrdiff_t pixels)
{
    const ptrdiff_t step = 32 / size, plane = PIXEL_BLOCK_CAPACITY * size;
    ptrdiff_t pixel = 0;
    for (; pixel + step <= pixels; pixel += step) {
        const uint8_t *from = (const uint8_t *) planes + pixel * size;
        uint8_t *to = (uint8_t *) destination + pixel * 4 * size;
        __m256i rows[4];
        for (int band = 0; band < 4; band++)
            rows[band] = _mm256_loadu_si256((const __m256i *) (from + band * plane));
        transpose(rows);
        for (int row = 0; row < 4; row++)
            store_lanes(exchange_join(rows[row], size == 1), to + 16 * row, to + 64 + 16 * row);
    }
    return pixel;
}

/* ---- Three 16-bit bands ---- */

/* Eight pixels are three vectors of eight numbers. Red is at positions 0, 3, 6 of the first, 1, 4, 7 of the
 * second and 2, 5 of the third. Green and blue are rotated likewise. Each band is gathered by blending, and
 * then put in order. */
#define THIRD_036 0x49
#define THIRD_147 0x92
#define THIRD_25 0x24

WIDE INLINE __m256i blend_3(__m256i at_036, __m256i at_147, __m256i at_25)
{
    return _mm256_blend_epi16(_mm256_blend_epi16(at_036, at_147, THIRD_147), at_25, THIRD_25);
}

/* A permutation of 16-bit numbers, equal in both lanes. */
#define ORDER_16(a, b, c, d, e, f, g, h)                                                                      \
    _mm256_broadcastsi128_si256(_mm_setr_epi8(2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c),            \
        2 * (c) + 1, 2 * (d), 2 * (d) + 1, 2 * (e), 2 * (e) + 1, 2 * (f), 2 * (f) + 1, 2 * (g), 2 * (g) + 1,  \
        2 * (h), 2 * (h) + 1))

WIDE INLINE ptrdiff_t shuffle_split_3_16(const uint16_t *source, uint16_t *planes, ptrdiff_t pixels)
{
    ptrdiff_t pixel = 0;
    for (; pixel + 16 <= pixels; pixel += 16) {
        const uint8_t *from = (const uint8_t *) (source + 3 * pixel);
        __m256i *to = (__m256i *) (planes + pixel);
        __m256i a = load_lanes(from, from + 48), b = load_lanes(from + 16, from + 64),
                c = load_lanes(from + 32, from + 80);
        __m256i red = _mm256_shuffle_epi8(blend_3(a, b, c), ORDER_16(0, 3, 6, 1, 4, 7, 2, 5));
        __m256i green = _mm256_shuffle_epi8(blend_3(c, a, b), ORDER_16(1, 4, 7, 2, 5, 0, 3, 6));
        __m256i blue = _mm256_shuffle_epi8(blend_3(b, c, a), ORDER_16(2, 5, 0, 3, 6, 1, 4, 7));
        _mm256_storeu_si256(to, red);
        _mm256_storeu_si256(to + PIXEL_BLOCK_CAPACITY / 16, green);
        _mm256_storeu_si256(to + 2 * PIXEL_BLOCK_CAPACITY / 16, blue);
    }
    return pixel;
}

WIDE INLINE ptrdiff_t shuffle_join_3_16(const uint16_t *planes, uint16_t *destination, ptrdiff_t pixels)
{
    ptrdiff_t pixel = 0;
    for (; pixel + 16 <= pixels; pixel += 16) {
        const __m256i *from = (const __m256i *) (planes + pixel);
        uint8_t *to = (uint8_t *) (destination + 3 * pixel);
        __m256i red = _mm256_shuffle_epi8(_mm256_loadu_si256(from), ORDER_16(0, 3, 6, 1, 4, 7, 2, 5));
        __m256i green = _mm256_shuffle_epi8(_mm256_loadu_si256(from + PIXEL_BLOCK_CAPACITY / 16),
                                            ORDER_16(5, 0, 3, 6, 1, 4, 7, 2));
        __m256i blue = _mm256_shuffle_epi8(_mm256_loadu_si256(from + 2 * PIXEL_BLOCK_CAPACITY / 16),
                                           ORDER_16(2, 5, 0, 3, 6, 1, 4, 7));
        store_lanes(blend_3(red, green, blue), to, to + 48);
        store_lanes(blend_3(blue, red, green), to + 16, to + 64);
        store_lanes(blend_3(green, blue, red), to + 32, to + 80);
    }
    return pixel;
}

#endif

#endif
