/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The weighted sums of 4 × 4 pixels along a line.
 *
 * Pixels have four lanes, and `stride` lanes are between two rows. Sums are four per pixel.
 */
#ifndef WARP_SUMS_H
#define WARP_SUMS_H

#include "cpu_dispatch.h"
#include "pixel_warp.h"

#if HAS_WIDE
#include <immintrin.h>
#endif

/* Fused products would round differently. */
#pragma STDC FP_CONTRACT OFF

INLINE int64_t whole(int64_t position) { return position >> 32; }
INLINE ptrdiff_t phase_of(int64_t position) { return (position >> 24) & (PIXEL_WARP_PHASES - 1); }

typedef void sum_pixels(const pixel_warp_phase *phases, const void *lanes, ptrdiff_t stride, pixel_warp_line line,
                        void *sums);

/* ---- 16-bit lanes: 1 is 2^7 in lanes, 2^6 after the vertical sum, 2^20 after the horizontal one ---- */

/* The product with a weight, rounded half up. */
INLINE int16_t rounded_product(int16_t lane, int16_t weight)
{
    return (int16_t) ((lane * weight + (1 << 14)) >> 15);
}

static void plain_fixed_sums(const pixel_warp_phase *phases, const void *lanes, ptrdiff_t stride,
                             pixel_warp_line line, void *sums)
{
    int32_t *sum = sums;
    for (ptrdiff_t column = 0; column < line.columns; column++, sum += 4) {
        const int16_t *from = (const int16_t *) lanes + whole(line.y) * stride + whole(line.x) * 4;
        const int16_t *down = phases[phase_of(line.y)].fixed, *across = phases[phase_of(line.x)].fixed;
        for (int band = 0; band < 4; band++) {
            sum[band] = 0;
            for (int x = 0; x < 4; x++) {
                int16_t vertical = 0;
                for (int y = 0; y < 4; y++)
                    vertical += rounded_product(from[y * stride + 4 * x + band], down[2 * y]);
                sum[band] += vertical * across[2 * x];
            }
        }
        line.x += line.x_step;
        line.y += line.y_step;
    }
}

#if HAS_WIDE

/* Rounds like _mm_mulhrs_epi16, which SSE2 lacks. */
INLINE __m128i rounded_products(__m128i lanes, __m128i weights)
{
    __m128i high = _mm_mulhi_epi16(lanes, weights), low = _mm_mullo_epi16(lanes, weights);
    __m128i rounded = _mm_avg_epu16(_mm_srli_epi16(low, 14), _mm_setzero_si128());
    return _mm_add_epi16(_mm_add_epi16(high, high), rounded);
}

/* The vertical sum of two pixels. */
INLINE __m128i vertical_sum(const int16_t *from, ptrdiff_t stride, const __m128i down[4])
{
    __m128i sum = _mm_setzero_si128();
    for (int y = 0; y < 4; y++) {
        __m128i row = _mm_loadu_si128((const __m128i *) (from + y * stride));
        sum = _mm_add_epi16(sum, rounded_products(row, down[y]));
    }
    return sum;
}

static void baseline_fixed_sums(const pixel_warp_phase *phases, const void *lanes, ptrdiff_t stride,
                            pixel_warp_line line, void *sums)
{
    int32_t *sum = sums;
    for (ptrdiff_t column = 0; column < line.columns; column++, sum += 4) {
        const int16_t *from = (const int16_t *) lanes + whole(line.y) * stride + whole(line.x) * 4;
        __m128i weights = _mm_loadu_si128((const __m128i *) phases[phase_of(line.y)].fixed);
        const __m128i down[4] = {_mm_shuffle_epi32(weights, 0x00), _mm_shuffle_epi32(weights, 0x55),
                                 _mm_shuffle_epi32(weights, 0xaa), _mm_shuffle_epi32(weights, 0xff)};
        weights = _mm_loadu_si128((const __m128i *) phases[phase_of(line.x)].fixed);
        /* Adjacent pixels and their weights alternate, to be multiplied and added. */
        __m128i first = vertical_sum(from, stride, down), last = vertical_sum(from + 8, stride, down);
        first = _mm_unpacklo_epi16(first, _mm_unpackhi_epi64(first, first));
        last = _mm_unpacklo_epi16(last, _mm_unpackhi_epi64(last, last));
        weights = _mm_shufflehi_epi16(_mm_shufflelo_epi16(weights, 0x88), 0x88);
        first = _mm_madd_epi16(first, _mm_shuffle_epi32(weights, 0x00));
        last = _mm_madd_epi16(last, _mm_shuffle_epi32(weights, 0xaa));
        _mm_storeu_si128((__m128i *) sum, _mm_add_epi32(first, last));
        line.x += line.x_step;
        line.y += line.y_step;
    }
}

typedef int32_t __attribute__((may_alias)) weight_twice;

/* The sums of the left two of four pixels, and those of the right two. */
WIDE INLINE __m256i wide_halves(const pixel_warp_phase *phases, const int16_t *lanes, ptrdiff_t stride, int64_t x,
                                int64_t y)
{
    /* Adjacent pixels and their weights alternate, to be multiplied and added. */
    const __m256i alternating = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 4, 5, 0, 1, 4, 5, 0, 1, 4, 5, 0, 1, 4, 5, 8, 9, 12, 13, 8, 9, 12, 13, 8, 9, 12, 13, 8, 9, 12, 13);
    const int16_t *from = lanes + whole(y) * stride + whole(x) * 4;
    const weight_twice *down = (const void *) phases[phase_of(y)].fixed;
    __m256i sum = _mm256_setzero_si256();
    for (int row = 0; row < 4; row++) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *) (from + row * stride));
        sum = _mm256_add_epi16(sum, _mm256_mulhrs_epi16(pixels, _mm256_set1_epi32(down[row])));
    }
    __m128i across = _mm_loadu_si128((const __m128i *) phases[phase_of(x)].fixed);
    __m256i weights = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(across), pairs);
    return _mm256_madd_epi16(_mm256_shuffle_epi8(sum, alternating), weights);
}

WIDE static void wide_fixed_sums(const pixel_warp_phase *phases, const void *lanes, ptrdiff_t stride,
                             pixel_warp_line line, void *sums)
{
    int32_t *sum = sums;
    for (ptrdiff_t column = 0; column < line.columns; column += 2, sum += 8) {
        __m256i first = wide_halves(phases, lanes, stride, line.x, line.y);
        /* A single last pixel is computed twice. */
        ptrdiff_t more = column + 1 < line.columns;
        __m256i second = wide_halves(phases, lanes, stride, line.x + more * line.x_step, line.y + more * line.y_step);
        __m256i left = _mm256_permute2x128_si256(first, second, 0x20);
        __m256i right = _mm256_permute2x128_si256(first, second, 0x31);
        _mm256_storeu_si256((__m256i *) sum, _mm256_add_epi32(left, right));
        line.x += 2 * line.x_step;
        line.y += 2 * line.y_step;
    }
}

#endif

/* ---- Floating-point lanes, in the same order of additions everywhere ---- */

static void plain_number_sums(const pixel_warp_phase *phases, const void *lanes, ptrdiff_t stride,
                              pixel_warp_line line, void *sums)
{
    float *sum = sums;
    for (ptrdiff_t column = 0; column < line.columns; column++, sum += 4) {
        const float *from = (const float *) lanes + whole(line.y) * stride + whole(line.x) * 4;
        const float *down = phases[phase_of(line.y)].number, *across = phases[phase_of(line.x)].number;
        for (int band = 0; band < 4; band++) {
            float vertical[4];
            for (int x = 0; x < 4; x++) {
                vertical[x] = 0;
                for (int y = 0; y < 4; y++)
                    vertical[x] += from[y * stride + 4 * x + band] * down[y];
            }
            sum[band] = vertical[0] * across[0] + vertical[2] * across[2]
                        + (vertical[1] * across[1] + vertical[3] * across[3]);
        }
        line.x += line.x_step;
        line.y += line.y_step;
    }
}

typedef float four_numbers __attribute__((vector_size(16), aligned(4)));
typedef float eight_numbers __attribute__((vector_size(32), aligned(4)));

/* Two pixels per vector. */
INLINE void vector_sums(const pixel_warp_phase *phases, const float *lanes, ptrdiff_t stride, pixel_warp_line line,
                        float *sum)
{
    for (ptrdiff_t column = 0; column < line.columns; column++, sum += 4) {
        const float *from = lanes + whole(line.y) * stride + whole(line.x) * 4;
        const float *down = phases[phase_of(line.y)].number, *a = phases[phase_of(line.x)].number;
        eight_numbers left = {0}, right = {0};
        for (int y = 0; y < 4; y++) {
            left += *(const eight_numbers *) (from + y * stride) * down[y];
            right += *(const eight_numbers *) (from + y * stride + 8) * down[y];
        }
        const eight_numbers across[2] = {{a[0], a[0], a[0], a[0], a[1], a[1], a[1], a[1]},
                                         {a[2], a[2], a[2], a[2], a[3], a[3], a[3], a[3]}};
        left = left * across[0] + right * across[1];
        *(four_numbers *) sum =
            __builtin_shufflevector(left, left, 0, 1, 2, 3) + __builtin_shufflevector(left, left, 4, 5, 6, 7);
        line.x += line.x_step;
        line.y += line.y_step;
    }
}

static void baseline_number_sums(const pixel_warp_phase *phases, const void *lanes, ptrdiff_t stride,
                             pixel_warp_line line, void *sums)
{
    vector_sums(phases, lanes, stride, line, sums);
}

WIDE static void wide_number_sums(const pixel_warp_phase *phases, const void *lanes, ptrdiff_t stride,
                              pixel_warp_line line, void *sums)
{
    vector_sums(phases, lanes, stride, line, sums);
}

#endif
