/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_dispatch.h"
#include "pixel_blocks.h"
#if HAS_WIDE
#include <immintrin.h>
#endif

#define PLANE PIXEL_BLOCK_CAPACITY

INLINE int32_t clamped(int32_t number, int32_t greatest)
{
    return number < 0 ? 0 : number > greatest ? greatest : number;
}

/* 8 bit: 7.5 * 255 * 2^16 fits 32 bits. */
INLINE uint8_t product_8(const int32_t row[3], int32_t red, int32_t green, int32_t blue)
{
    return (uint8_t) clamped((row[0] * red + row[1] * green + row[2] * blue + (1 << 15)) >> 16, 255);
}

INLINE void multiply_8(uint8_t *planes, const int32_t matrix[9], ptrdiff_t pixels)
{
    uint8_t *restrict first = planes;
    uint8_t *restrict second = planes + PLANE;
    uint8_t *restrict third = planes + 2 * PLANE;
    for (ptrdiff_t pixel = 0; pixel < pixels; pixel++) {
        int32_t red = first[pixel], green = second[pixel], blue = third[pixel];
        first[pixel] = product_8(matrix, red, green, blue);
        second[pixel] = product_8(matrix + 3, red, green, blue);
        third[pixel] = product_8(matrix + 6, red, green, blue);
    }
}

void pixel_block_plain_multiply_8(uint8_t *planes, const int32_t matrix[9], ptrdiff_t pixels)
{
    multiply_8(planes, matrix, pixels);
}

/* 16 bit: a coefficient is high * 2^12 + low, 0 <= low < 2^12. The sum is split likewise into high * 2^12 +
 * low. Then floor(floor(low / 2^12 + high) / 2^12) equals floor(sum / 2^24), and each part fits 32 bits. */
INLINE int32_t high_part(int32_t coefficient) { return coefficient >> 12; }
INLINE int32_t low_part(int32_t coefficient) { return coefficient & 0xfff; }

INLINE uint16_t product_16(const int32_t row[3], int32_t red, int32_t green, int32_t blue)
{
    int32_t high = high_part(row[0]) * red + high_part(row[1]) * green + high_part(row[2]) * blue;
    int32_t low = low_part(row[0]) * red + low_part(row[1]) * green + low_part(row[2]) * blue + (1 << 23);
    return (uint16_t) clamped((high + (low >> 12)) >> 12, 65535);
}

void pixel_block_plain_multiply_16(uint16_t *planes, const int32_t matrix[9], ptrdiff_t pixels)
{
    uint16_t *restrict first = planes;
    uint16_t *restrict second = planes + PLANE;
    uint16_t *restrict third = planes + 2 * PLANE;
    for (ptrdiff_t pixel = 0; pixel < pixels; pixel++) {
        int32_t red = first[pixel], green = second[pixel], blue = third[pixel];
        first[pixel] = product_16(matrix, red, green, blue);
        second[pixel] = product_16(matrix + 3, red, green, blue);
        third[pixel] = product_16(matrix + 6, red, green, blue);
    }
}

#if HAS_WIDE

WIDE static void wide_multiply_8(uint8_t *planes, const int32_t matrix[9], ptrdiff_t pixels)
{
    multiply_8(planes, matrix, pixels);
}

/* The coefficients of a row for vpmaddwd, which multiplies signed 16-bit numbers and adds adjacent products.
 * Those of red and green are adjacent, and so are those of blue and the constant. */
typedef struct {
    __m256i red_green;
    __m256i blue_constant;
} wide_part;

WIDE INLINE __m256i pair_of(int32_t low, int32_t high)
{
    return _mm256_set1_epi32((int32_t) ((uint32_t) (low & 0xffff) | (uint32_t) high << 16));
}

/* Samples are made signed by subtracting 2^15. The constant, which adds that back plus `rounding` * 2^15, is
 * adjacent to blue, with a sample of -2^15. It fits: the parts of a row add up to at most 30723. */
WIDE INLINE wide_part wide_part_of(int32_t red, int32_t green, int32_t blue, int32_t rounding)
{
    wide_part part = {pair_of(red, green), pair_of(blue, -(red + green + blue + rounding))};
    return part;
}

WIDE INLINE __m256i wide_sum(wide_part part, __m256i red_green, __m256i blue)
{
    return _mm256_add_epi32(
        _mm256_madd_epi16(red_green, part.red_green), _mm256_madd_epi16(blue, part.blue_constant));
}

WIDE INLINE __m256i wide_product(wide_part high, wide_part low, __m256i red_green, __m256i blue)
{
    __m256i rest = _mm256_srai_epi32(wide_sum(low, red_green, blue), 12);
    return _mm256_srai_epi32(_mm256_add_epi32(wide_sum(high, red_green, blue), rest), 12);
}

WIDE static void wide_multiply_16(uint16_t *planes, const int32_t matrix[9], ptrdiff_t pixels)
{
    const __m256i sign = _mm256_set1_epi16(INT16_MIN);
    wide_part high[3], low[3];
    for (int row = 0; row < 3; row++) {
        const int32_t *c = matrix + 3 * row;
        high[row] = wide_part_of(high_part(c[0]), high_part(c[1]), high_part(c[2]), 0);
        low[row] = wide_part_of(low_part(c[0]), low_part(c[1]), low_part(c[2]), 1 << 8);
    }
    /* A plane has space for whole vectors. */
    for (ptrdiff_t pixel = 0; pixel < pixels; pixel += 16) {
        __m256i sample[3];
        for (int band = 0; band < 3; band++)
            sample[band] = _mm256_xor_si256(
                _mm256_loadu_si256((const __m256i *) (planes + band * PLANE + pixel)), sign);
        __m256i red_green[2] = {
            _mm256_unpacklo_epi16(sample[0], sample[1]), _mm256_unpackhi_epi16(sample[0], sample[1])};
        __m256i blue[2] = {_mm256_unpacklo_epi16(sample[2], sign), _mm256_unpackhi_epi16(sample[2], sign)};
        for (int row = 0; row < 3; row++) {
            /* Packing clamps, and reverts the order of unpacking. */
            __m256i result = _mm256_packus_epi32(
                wide_product(high[row], low[row], red_green[0], blue[0]),
                wide_product(high[row], low[row], red_green[1], blue[1]));
            _mm256_storeu_si256((__m256i *) (planes + row * PLANE + pixel), result);
        }
    }
}

#endif

void pixel_block_multiply_8(uint8_t *planes, const int32_t matrix[9], ptrdiff_t pixels)
{
#if HAS_WIDE
    if (has_wide())
        return wide_multiply_8(planes, matrix, pixels);
#endif
    pixel_block_plain_multiply_8(planes, matrix, pixels);
}

void pixel_block_multiply_16(uint16_t *planes, const int32_t matrix[9], ptrdiff_t pixels)
{
#if HAS_WIDE
    if (has_wide())
        return wide_multiply_16(planes, matrix, pixels);
#endif
    pixel_block_plain_multiply_16(planes, matrix, pixels);
}
