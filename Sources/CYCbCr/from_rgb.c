/* SPDX-License-Identifier: Apache-2.0 */
#include "arithmetic.h"
#include "ycbcr.h"

#include <pixel_blocks.h>

enum {
    COLUMNS = 2048, /* processed together */
    SAMPLES = COLUMNS / 2,
    MARGIN = 2,     /* pairs of columns read to the left by reduction; one less to the right */
    ROWS = 8,       /* read for a row of chroma */
};

/* Rec. ITU-R BT.709, 3.2 to 3.4, in limited range: 0.2126 R + 0.7152 G + 0.0722 B times 219/255, and the
 * differences of blue and of red from it times 224/255, in 1/2^15. The chroma coefficients add up to 0. */
enum {
    BITS = 15,
    Y_RED = 5983, Y_GREEN = 20127, Y_BLUE = 2032,
    CB_RED = -3298, CB_GREEN = -11094, CB_BLUE = 14392,
    CR_RED = 14392, CR_GREEN = -13073, CR_BLUE = -1319,
};

/* Weights of rows at 1/4, 3/4, 5/4 and 7/4 of the distance between two chroma rows, in 1/2^16, for a pair
   each. */
enum { ROW_1 = 28416, ROW_2 = 7424, ROW_3 = -2304, ROW_4 = -768 };

INLINE void write_luma(const uint8_t *restrict planes, uint8_t *restrict y, ptrdiff_t pixels)
{
    const uint8_t *restrict red = planes;
    const uint8_t *restrict green = planes + PIXEL_BLOCK_CAPACITY;
    const uint8_t *restrict blue = planes + 2 * PIXEL_BLOCK_CAPACITY;
    const int32_t black = 16 << BITS | 1 << (BITS - 1);
    for (ptrdiff_t index = 0; index < pixels; index++)
        y[index] = (uint8_t)((Y_RED * red[index] + Y_GREEN * green[index] + Y_BLUE * blue[index]
                              + black)
                             >> BITS);
}

INLINE void pair_columns(
    const uint8_t *restrict plane, int16_t *restrict even, int16_t *restrict odd, ptrdiff_t pairs)
{
    for (ptrdiff_t index = 0; index < pairs; index++) {
        even[index] = (int16_t)(plane[2 * index] - 128);
        odd[index] = (int16_t)(plane[2 * index + 1] - 128);
    }
}

/* The cubic at every second column: -1, 0, 9, 16, 9, 0, -1, divided by 32. */
INLINE void halve_columns(
    const int16_t *restrict even, const int16_t *restrict odd, int16_t *restrict to,
    ptrdiff_t samples)
{
    for (ptrdiff_t index = 0; index < samples; index++) {
        int inner = odd[index - 1] + odd[index], outer = odd[index - 2] + odd[index + 1];
        to[index] = (int16_t)(2 * (16 * even[index] + 9 * inner - outer));
    }
}

/* Reduces rows by the weights. Truncation loses 1/2 on average, four times. */
INLINE void halve_rows(
    const int16_t *const rows[ROWS], int16_t *restrict to, ptrdiff_t samples)
{
    for (ptrdiff_t index = 0; index < samples; index++)
        to[index] = (int16_t)(part(rows[3][index] + rows[4][index], ROW_1)
                              + part(rows[2][index] + rows[5][index], ROW_2)
                              + part(rows[1][index] + rows[6][index], ROW_3)
                              + part(rows[0][index] + rows[7][index], ROW_4) + 2);
}

INLINE void write_chroma(
    const int16_t *restrict red, const int16_t *restrict green, const int16_t *restrict blue,
    int16_t by_red, int16_t by_green, int16_t by_blue, uint8_t *restrict to, ptrdiff_t samples)
{
    const int32_t middle = 128 << (BITS + 6) | 1 << (BITS + 5);
    for (ptrdiff_t index = 0; index < samples; index++)
        to[index] = clamped((by_red * red[index] + by_green * green[index]
                             + by_blue * blue[index] + middle)
                            >> (BITS + 6));
}

/* Writes the luma of some columns of a row, and reduces their chroma. */
INLINE void reduce_row(
    const uint8_t *rgb, ptrdiff_t width, ptrdiff_t first, ptrdiff_t samples, uint8_t *y,
    int16_t to[3][SAMPLES])
{
    int16_t even[3][MARGIN + SAMPLES + MARGIN], odd[3][MARGIN + SAMPLES + MARGIN];
    const ptrdiff_t begin = first - MARGIN, end = first + samples + MARGIN;
    const ptrdiff_t from = begin < 0 ? 0 : begin, until = end > width / 2 ? width / 2 : end;
    uint8_t block[3 * PIXEL_BLOCK_CAPACITY];
    for (ptrdiff_t pair = from; pair < until; pair += PIXEL_BLOCK_CAPACITY / 2) {
        const ptrdiff_t left = until - pair;
        const ptrdiff_t pairs =
            left < PIXEL_BLOCK_CAPACITY / 2 ? left : PIXEL_BLOCK_CAPACITY / 2;
        pixel_block_split_8(rgb + 6 * pair, block, 3, 2 * pairs);
        write_luma(block, y + 2 * pair, 2 * pairs);
        for (int band = 0; band < 3; band++)
            pair_columns(
                block + band * PIXEL_BLOCK_CAPACITY, even[band] + (pair - begin),
                odd[band] + (pair - begin), pairs);
    }
    for (int band = 0; band < 3; band++) {
        for (ptrdiff_t pair = begin; pair < from; pair++)
            odd[band][pair - begin] = even[band][from - begin];
        for (ptrdiff_t pair = until; pair < end; pair++)
            odd[band][pair - begin] = odd[band][until - 1 - begin];
        halve_columns(even[band] + MARGIN, odd[band] + MARGIN, to[band], samples);
    }
}

INLINE ptrdiff_t within(ptrdiff_t row, ptrdiff_t height)
{
    return row < 0 ? 0 : row >= height ? height - 1 : row;
}

/* Writes the chroma of some columns of a row. */
INLINE void reduce_rows(
    const int16_t kept[ROWS][3][SAMPLES], ptrdiff_t row, ptrdiff_t height, ptrdiff_t samples,
    uint8_t *cb, uint8_t *cr)
{
    int16_t mean[3][SAMPLES];
    for (int band = 0; band < 3; band++) {
        const int16_t *rows[ROWS];
        for (int index = 0; index < ROWS; index++)
            rows[index] = kept[within(2 * row - 3 + index, height) % ROWS][band];
        halve_rows(rows, mean[band], samples);
    }
    write_chroma(mean[0], mean[1], mean[2], CB_RED, CB_GREEN, CB_BLUE, cb, samples);
    write_chroma(mean[0], mean[1], mean[2], CR_RED, CR_GREEN, CR_BLUE, cr, samples);
}

INLINE void convert(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3])
{
    int16_t kept[ROWS][3][SAMPLES];
    for (ptrdiff_t first = 0; first < width / 2; first += SAMPLES) {
        const ptrdiff_t left = width / 2 - first;
        const ptrdiff_t samples = left < SAMPLES ? left : SAMPLES;
        ptrdiff_t next = 0; /* chroma row */
        for (ptrdiff_t row = 0; row < height; row++) {
            reduce_row(
                rgb + (size_t)row * stride, width, first, samples, planes[0] + row * strides[0],
                kept[row % ROWS]);
            for (; next < height / 2 && within(2 * next + 4, height) <= row; next++)
                reduce_rows(
                    kept, next, height, samples, planes[1] + next * strides[1] + first,
                    planes[2] + next * strides[2] + first);
        }
    }
}

void ycbcr_plain_from_rgb(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3])
{
    convert(rgb, stride, width, height, planes, strides);
}

WIDE static void wide_from_rgb(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3])
{
    convert(rgb, stride, width, height, planes, strides);
}

void ycbcr_from_rgb(
    const uint8_t *rgb, size_t stride, ptrdiff_t width, ptrdiff_t height, uint8_t *const planes[3],
    const ptrdiff_t strides[3])
{
    (has_wide() ? wide_from_rgb : ycbcr_plain_from_rgb)(rgb, stride, width, height, planes, strides);
}
