/* SPDX-License-Identifier: Apache-2.0 */
#include "arithmetic.h"
#include "ycbcr.h"

#include <math.h>
#include <pixel_blocks.h>

enum {
    BITS = 16,
    COLUMNS = 2048, /* processed together, to stay in the cache */
    SAMPLES = COLUMNS / 2,
    MARGIN = 2,     /* samples read to either side by interpolation */
};

/* ---- Chroma ---- */

/* Weights of four samples in 1/2^15, at 1/4 and at 1/2 of the distance from the second to the third. */
#define QUARTER_1 (-2304)
#define QUARTER_2 28416
#define QUARTER_3 7424
#define QUARTER_4 (-768)
#define HALF_1 (-2048)
#define HALF_2 18432

/* In 1/2^7, centred at 0. */
INLINE int16_t centered(uint8_t sample) { return (int16_t)((sample - 128) * 128); }

/* Four rows: `near` is the one at 1/4, `far` at 3/4. In 1/2^6. Truncation loses 1/2 on average, four times. */
INLINE void blend_rows(
    const uint8_t *restrict before, const uint8_t *restrict near, const uint8_t *restrict far,
    const uint8_t *restrict behind, int16_t *restrict line, ptrdiff_t samples)
{
    for (ptrdiff_t index = 0; index < samples; index++)
        line[index] = (int16_t)(part(centered(before[index]), QUARTER_1)
                                + part(centered(near[index]), QUARTER_2)
                                + part(centered(far[index]), QUARTER_3)
                                + part(centered(behind[index]), QUARTER_4) + 2);
}

/* Uses only 16 bits, of which a vector holds twice as many numbers as of 32. */
INLINE uint8_t rounded(int16_t number)
{
    const int16_t half = (int16_t)(number + 32);
    const int16_t sample = (int16_t)((half >> 6) + 128);
    return (uint8_t)(sample < 0 ? 0 : sample > 255 ? 255 : sample);
}

INLINE int16_t quarter(const int16_t *restrict line, ptrdiff_t near, ptrdiff_t step)
{
    return (int16_t)(part(2 * line[near - step], QUARTER_1) + part(2 * line[near], QUARTER_2)
                     + part(2 * line[near + step], QUARTER_3)
                     + part(2 * line[near + 2 * step], QUARTER_4) + 2);
}

/* Two columns for each sample: at its position, and half-way to the next. */
INLINE void widen_left(const int16_t *restrict line, uint8_t *restrict columns, ptrdiff_t samples)
{
    for (ptrdiff_t index = 0; index < samples; index++) {
        int outer = part(2 * line[index - 1], HALF_1) + part(2 * line[index + 2], HALF_1);
        int inner = part(2 * line[index], HALF_2) + part(2 * line[index + 1], HALF_2);
        columns[2 * index] = rounded(line[index]);
        columns[2 * index + 1] = rounded((int16_t)(outer + inner + 2));
    }
}

/* Two columns for each sample, a quarter to either side. */
INLINE void widen_centered(
    const int16_t *restrict line, uint8_t *restrict columns, ptrdiff_t samples)
{
    for (ptrdiff_t index = 0; index < samples; index++) {
        columns[2 * index] = rounded(quarter(line, index, -1));
        columns[2 * index + 1] = rounded(quarter(line, index, 1));
    }
}

/* Interpolates halved chroma for some columns of a row. */
INLINE void interpolate(
    const ycbcr_planes *picture, int plane, bool is_left, ptrdiff_t row, ptrdiff_t start,
    ptrdiff_t count, uint8_t columns[COLUMNS])
{
    const ptrdiff_t width = (picture->width + 1) / 2, height = (picture->height + 1) / 2;
    const uint8_t *rows[4];
    /* Rows are at 1/4 and 3/4 between chroma rows; the nearest has the greatest weight. */
    const ptrdiff_t near = row / 2, step = row % 2 ? 1 : -1;
    for (int index = 0; index < 4; index++) {
        ptrdiff_t wanted = near + (index - 1) * step;
        wanted = wanted < 0 ? 0 : wanted >= height ? height - 1 : wanted;
        rows[index] = picture->planes[plane] + wanted * picture->strides[plane];
    }
    int16_t line[MARGIN + SAMPLES + MARGIN];
    const ptrdiff_t first = start / 2 - MARGIN, samples = (count + 1) / 2;
    const ptrdiff_t end = first + samples + 2 * MARGIN;
    const ptrdiff_t from = first < 0 ? 0 : first, to = end > width ? width : end;
    blend_rows(
        rows[0] + from, rows[1] + from, rows[2] + from, rows[3] + from, line + (from - first),
        to - from);
    for (ptrdiff_t index = first; index < from; index++) line[index - first] = line[from - first];
    for (ptrdiff_t index = to; index < end; index++) line[index - first] = line[to - 1 - first];
    if (is_left)
        widen_left(line + MARGIN, columns, samples);
    else
        widen_centered(line + MARGIN, columns, samples);
}

/* ---- The matrix ---- */

/* The weight of each sample, in 1/2^16. */
typedef struct {
    int32_t luma;
    int32_t red_cr;
    int32_t green_cb;
    int32_t green_cr;
    int32_t blue_cb;
    int32_t black; /* black level of luma */
} weights;

static weights make_weights(const ycbcr_coding *coding)
{
    double red = coding->red, blue = coding->blue;
    double green = 1 - red - blue;
    double luma = coding->is_full ? 1 : 255.0 / 219;
    double chroma = coding->is_full ? 1 : 255.0 / 224;
    double one = 1 << BITS;
    return (weights){
        .luma = (int32_t)lround(luma * one),
        .red_cr = (int32_t)lround(2 * (1 - red) * chroma * one),
        .green_cb = (int32_t)lround(2 * (1 - blue) * blue / green * chroma * one),
        .green_cr = (int32_t)lround(2 * (1 - red) * red / green * chroma * one),
        .blue_cb = (int32_t)lround(2 * (1 - blue) * chroma * one),
        .black = coding->is_full ? 0 : 16};
}

INLINE void multiply(
    const weights *by, const uint8_t *restrict y, const uint8_t *restrict cb,
    const uint8_t *restrict cr, uint8_t *restrict planes, ptrdiff_t pixels)
{
    uint8_t *restrict red = planes;
    uint8_t *restrict green = planes + PIXEL_BLOCK_CAPACITY;
    uint8_t *restrict blue = planes + 2 * PIXEL_BLOCK_CAPACITY;
    const weights w = *by;
    const int32_t half = 1 << (BITS - 1);
    for (ptrdiff_t index = 0; index < pixels; index++) {
        int32_t luma = w.luma * (y[index] - w.black) + half;
        int32_t b = cb[index] - 128;
        int32_t r = cr[index] - 128;
        red[index] = clamped((luma + w.red_cr * r) >> BITS);
        green[index] = clamped((luma - w.green_cb * b - w.green_cr * r) >> BITS);
        blue[index] = clamped((luma + w.blue_cb * b) >> BITS);
    }
}

INLINE void convert(
    const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride)
{
    const weights by = make_weights(coding);
    uint8_t chroma[2][COLUMNS];
    uint8_t block[3 * PIXEL_BLOCK_CAPACITY];
    for (ptrdiff_t row = 0; row < picture->height; row++)
        for (ptrdiff_t start = 0; start < picture->width; start += COLUMNS) {
            const ptrdiff_t left = picture->width - start;
            const ptrdiff_t count = left < COLUMNS ? left : COLUMNS;
            const uint8_t *from[3];
            for (int plane = 0; plane < 3; plane++)
                if (plane > 0 && coding->is_halved) {
                    interpolate(
                        picture, plane, coding->is_left, row, start, count, chroma[plane - 1]);
                    from[plane] = chroma[plane - 1];
                } else
                    from[plane] =
                        picture->planes[plane] + row * picture->strides[plane] + start;
            uint8_t *to = rgb + (size_t)row * stride + (size_t)start * 3;
            for (ptrdiff_t place = 0; place < count; place += PIXEL_BLOCK_CAPACITY) {
                const ptrdiff_t rest = count - place;
                const ptrdiff_t pixels =
                    rest < PIXEL_BLOCK_CAPACITY ? rest : PIXEL_BLOCK_CAPACITY;
                multiply(&by, from[0] + place, from[1] + place, from[2] + place, block, pixels);
                pixel_block_join_8(block, to + place * 3, 3, pixels);
            }
        }
}

void ycbcr_plain_to_rgb(
    const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride)
{
    convert(picture, coding, rgb, stride);
}

WIDE static void wide_to_rgb(
    const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride)
{
    convert(picture, coding, rgb, stride);
}

void ycbcr_to_rgb(
    const ycbcr_planes *picture, const ycbcr_coding *coding, uint8_t *rgb, size_t stride)
{
    (has_wide() ? wide_to_rgb : ycbcr_plain_to_rgb)(picture, coding, rgb, stride);
}
