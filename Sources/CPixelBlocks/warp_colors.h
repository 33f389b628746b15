/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of 8-bit RGB whose colours have maps of their own, with AVX2.
 *
 * A vector contains the 4 x 4 samples from which one colour of one pixel is interpolated. The samples of the area are
 * arranged for that: a plane for each colour, in which each element is a column of four samples. The sums are those of
 * warp_sums.h. The products are the same, and integers add up to the same in any order.
 */
#ifndef WARP_COLORS_H
#define WARP_COLORS_H

#include "cpu_dispatch.h"
#include "pixel_warp.h"

/* The number of corners of cells in a row of them, and in the block. */
INLINE ptrdiff_t corners_per_row(const pixel_warp_block *block)
{
    return (block->left % PIXEL_WARP_CELL + block->columns - 1) / PIXEL_WARP_CELL + 2;
}

INLINE ptrdiff_t corner_count(const pixel_warp_block *block)
{
    return corners_per_row(block) * ((block->top % PIXEL_WARP_CELL + block->rows - 1) / PIXEL_WARP_CELL + 2);
}

#if HAS_WIDE
#include <immintrin.h>

/* Arranges lanes of warp_sums.h, `width` in a row, as `count` columns of each colour: those at the first pixel, the
 * second and so on. */
WIDE static void arrange_columns(const int16_t *lanes, ptrdiff_t width, ptrdiff_t count, int16_t *columns)
{
    const ptrdiff_t stride = 4 * width, plane = 4 * count;
    ptrdiff_t first = 0;
    for (; first + 4 <= count; first += 4) {
        __m256i rows[4];
        for (int row = 0; row < 4; row++)
            rows[row] = _mm256_loadu_si256((const __m256i *) (lanes + 4 * first + row * stride));
        __m256i above = _mm256_unpacklo_epi16(rows[0], rows[1]), below = _mm256_unpacklo_epi16(rows[2], rows[3]);
        __m256i red_green = _mm256_unpacklo_epi32(above, below), blue = _mm256_unpackhi_epi32(above, below);
        above = _mm256_unpackhi_epi16(rows[0], rows[1]), below = _mm256_unpackhi_epi16(rows[2], rows[3]);
        __m256i next_red_green = _mm256_unpacklo_epi32(above, below), next_blue = _mm256_unpackhi_epi32(above, below);
        __m256i *to = (__m256i *) (columns + 4 * first);
        _mm256_storeu_si256(to, _mm256_unpacklo_epi64(red_green, next_red_green));
        _mm256_storeu_si256((__m256i *) ((int16_t *) to + plane), _mm256_unpackhi_epi64(red_green, next_red_green));
        _mm256_storeu_si256((__m256i *) ((int16_t *) to + 2 * plane), _mm256_unpacklo_epi64(blue, next_blue));
    }
    for (; first < count; first++)
        for (int color = 0; color < 3; color++)
            for (int row = 0; row < 4; row++)
                columns[color * plane + 4 * first + row] = lanes[4 * first + row * stride + color];
}

/* The fractional bits of coordinates, which have 32 bits here, and are relative to the area. */
enum { FRACTION_BITS = 32 - PIXEL_WARP_UNUSED };

/* The largest side of an area. Seven times a coordinate does not overflow. */
enum { LARGEST_SIDE = 512 };

/* With space for whole vectors. */
enum { CORNERS = 16 };
_Static_assert(PIXEL_WARP_COLUMNS / PIXEL_WARP_CELL + 2 <= CORNERS, "a row of corners fits");

typedef struct {
    int32_t x[CORNERS], y[CORNERS];
} corner_row;

/* Loads a row of corners. The others are 0. */
INLINE void load_corners(const pixel_warp_block *block, const pixel_warp_position *positions, corner_row *row)
{
    /* The first of the four pixels is one to the left and up. */
    const int64_t left = (block->area.left + 1) * (1 << FRACTION_BITS);
    const int64_t top = (block->area.top + 1) * (1 << FRACTION_BITS);
    *row = (corner_row) {{0}, {0}};
    for (ptrdiff_t corner = 0; corner < corners_per_row(block); corner++) {
        row->x[corner] = (int32_t) ((positions[corner].x >> PIXEL_WARP_UNUSED) - left);
        row->y[corner] = (int32_t) ((positions[corner].y >> PIXEL_WARP_UNUSED) - top);
    }
}

/* The same as in pixel_warp_interpolate. */
WIDE INLINE void interpolate_corners(const corner_row *upper, const corner_row *lower, int32_t row, corner_row *result)
{
    for (int corner = 0; corner < CORNERS; corner++) {
        result->x[corner] = upper->x[corner] + ((lower->x[corner] - upper->x[corner]) * row >> 3);
        result->y[corner] = upper->y[corner] + ((lower->y[corner] - upper->y[corner]) * row >> 3);
    }
}

/* Where the pixels of a row of cells are interpolated: the element of the plane, and the offsets of the weights in
 * bytes. With space for the last eight pixels to be incomplete. */
enum { PLACES = PIXEL_WARP_COLUMNS + 2 * PIXEL_WARP_CELL };
typedef struct {
    uint32_t element[PLACES], across[PLACES], down[PLACES];
} row_places;

/* The coordinates of the pixels of a cell. */
WIDE INLINE __m256i cell_coordinates(const int32_t corners[2])
{
    const __m256i pixels = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i step = _mm256_set1_epi32((corners[1] - corners[0]) >> 3);
    return _mm256_add_epi32(_mm256_set1_epi32(corners[0]), _mm256_mullo_epi32(pixels, step));
}

WIDE INLINE void find_places(const pixel_warp_block *block, const corner_row *corners, row_places *places)
{
    const __m256i width = _mm256_set1_epi32((int32_t) block->area.width);
    const __m256i across = _mm256_set1_epi32(0xff << 5), down = _mm256_set1_epi32(0xff << 3);
    const ptrdiff_t cells = corners_per_row(block) - 1;
    for (ptrdiff_t cell = 0; cell < cells; cell++) {
        const ptrdiff_t first = PIXEL_WARP_CELL * cell;
        __m256i x = cell_coordinates(corners->x + cell), y = cell_coordinates(corners->y + cell);
        __m256i element = _mm256_mullo_epi32(_mm256_srli_epi32(y, FRACTION_BITS), width);
        element = _mm256_add_epi32(element, _mm256_srli_epi32(x, FRACTION_BITS));
        _mm256_storeu_si256((__m256i *) (places->element + first), element);
        /* A phase is the highest byte of the fraction. */
        x = _mm256_and_si256(_mm256_srli_epi32(x, FRACTION_BITS - 8 - 5), across);
        _mm256_storeu_si256((__m256i *) (places->across + first), x);
        y = _mm256_and_si256(_mm256_srli_epi32(y, FRACTION_BITS - 8 - 3), down);
        _mm256_storeu_si256((__m256i *) (places->down + first), y);
    }
    /* The rest of the last eight pixels are computed too. */
    const ptrdiff_t end = PIXEL_WARP_CELL * cells;
    for (ptrdiff_t pixel = end; pixel < end + PIXEL_WARP_CELL; pixel++) {
        places->element[pixel] = places->element[0];
        places->across[pixel] = places->down[pixel] = 0;
    }
}

typedef int64_t __attribute__((may_alias)) four_weights;

/* The weighted samples of one colour of a pixel. */
WIDE INLINE __m256i weighted(const pixel_warp_weights *weights, const int16_t *plane, const row_places *places,
                             ptrdiff_t column)
{
    const int16_t *from = plane + 4 * (size_t) places->element[column];
    const char *down = (const char *) weights->down + places->down[column];
    const char *across = (const char *) weights->across + places->across[column];
    __m256i samples = _mm256_loadu_si256((const __m256i *) from);
    samples = _mm256_mulhrs_epi16(samples, _mm256_set1_epi64x(*(const four_weights *) down));
    return _mm256_madd_epi16(samples, _mm256_loadu_si256((const __m256i *) across));
}

/* Two vectors become one with half of the numbers of each, their sums. */
WIDE INLINE __m256i add_pairs(__m256i a, __m256i b)
{
    return _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
}

/* Likewise for the results of add_pairs. */
WIDE INLINE __m256i add_fours(__m256i a, __m256i b)
{
    return _mm256_add_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

/* The samples of one colour of a row, in eights. `before`: the pixels of the first cell that are not in the block. */
WIDE INLINE void sum_colors(const pixel_warp_weights *weights, const int16_t *plane, const row_places *places,
                            ptrdiff_t before, ptrdiff_t columns, uint8_t *samples)
{
    for (ptrdiff_t column = 0; column < columns; column += 8) {
        __m256i halves[2];
        for (int half = 0; half < 2; half++) {
            __m256i pixels[4];
            for (int pixel = 0; pixel < 4; pixel++)
                pixels[pixel] = weighted(weights, plane, places, before + column + 4 * half + pixel);
            halves[half] = add_fours(add_pairs(pixels[0], pixels[1]), add_pairs(pixels[2], pixels[3]));
        }
        __m256i sum = _mm256_add_epi32(_mm256_permute2x128_si256(halves[0], halves[1], 0x20),
                                       _mm256_permute2x128_si256(halves[0], halves[1], 0x31));
        sum = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << 19)), 20);
        __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        _mm_storel_epi64((__m128i *) (samples + column), _mm_packus_epi16(words, words));
    }
}

WIDE INLINE void join_colors(const uint8_t planes[3][PIXEL_WARP_COLUMNS], uint8_t *restrict samples, ptrdiff_t columns)
{
    for (ptrdiff_t column = 0; column < columns; column++)
        for (int color = 0; color < 3; color++)
            samples[3 * column + color] = planes[color][column];
}

INLINE bool can_warp_colors(const pixel_warp_block *block)
{
    const bool is_fixed = block->bytes_per_sample == 1 && block->bands == 3;
    return block->maps == 3 && is_fixed && !block->lines && block->area.width <= LARGEST_SIDE &&
           block->area.height <= LARGEST_SIDE;
}

/* Computes a block from the lanes at the start of its working memory. */
WIDE static void wide_warp_colors(const pixel_warp_block *block)
{
    const ptrdiff_t width = (ptrdiff_t) block->area.width, count = width * (ptrdiff_t) (block->area.height - 3);
    const ptrdiff_t before = block->left % PIXEL_WARP_CELL, corners = corners_per_row(block);
    int16_t *columns = (int16_t *) block->space + 4 * width * block->area.height;
    arrange_columns(block->space, width, count, columns);
    corner_row upper[3], lower[3];
    for (ptrdiff_t row = 0; row < block->rows; row++) {
        const ptrdiff_t cell_row = block->top % PIXEL_WARP_CELL + row, within = cell_row % PIXEL_WARP_CELL;
        uint8_t samples[3][PIXEL_WARP_COLUMNS];
        for (int color = 0; color < 3; color++) {
            const pixel_warp_position *positions = block->positions + color * corner_count(block);
            positions += cell_row / PIXEL_WARP_CELL * corners;
            if (row == 0 || within == 0) {
                load_corners(block, positions, &upper[color]);
                load_corners(block, positions + corners, &lower[color]);
            }
            corner_row between;
            row_places places;
            interpolate_corners(&upper[color], &lower[color], (int32_t) within, &between);
            find_places(block, &between, &places);
            sum_colors(block->weights, columns + 4 * count * color, &places, before, block->columns, samples[color]);
        }
        uint8_t *destination = (uint8_t *) block->destination + row * block->destination_bytes_per_row;
        join_colors(samples, destination, block->columns);
    }
}

#endif

#endif
