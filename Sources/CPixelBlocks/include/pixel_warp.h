/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bicubic resampling of blocks of pixels along straight lines, for Image.warped of Vips. A curved map is a sequence of
 * short lines.
 *
 * The formula is the cubic convolution of R. G. Keys (1981) with a = -1/2, also known as Catmull-Rom, at 256 phases
 * between two pixels. Every processor computes the same samples. All functions are thread-safe and stateless.
 * See docs/design/decisions/0052-resampling.md.
 */
#ifndef PIXEL_WARP_H
#define PIXEL_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PIXEL_WARP_PHASES 256

/* The working memory per pixel, in bytes. */
#define PIXEL_WARP_SPACE 32

/* The largest number of columns of a block. */
#define PIXEL_WARP_COLUMNS 64

/* The weights of four adjacent pixels at one phase: with 14 fractional bits, each twice, for vector loads; and in
 * floating point. Those in fixed point add up to exactly 1. */
typedef struct {
    int16_t fixed[8];
    float number[4];
} pixel_warp_phase;

typedef struct {
    pixel_warp_phase phases[PIXEL_WARP_PHASES];
    /* The weights in fixed point for vectors of four columns of four pixels: of the columns, each four times, and of
     * the pixels of a column. */
    int16_t across[PIXEL_WARP_PHASES][16];
    int16_t down[PIXEL_WARP_PHASES][4];
} pixel_warp_weights;

/* Computes the weights. */
void pixel_warp_fill(pixel_warp_weights *weights);

/* Where adjacent pixels of an output row are in the source: the position of the first, and the step to the next. In
 * pixels with 32 fractional bits; pixel centres are whole numbers. The position is rounded down to a phase, so the
 * caller adds half a phase. */
typedef struct {
    int64_t x, y;
    int64_t x_step, y_step;
    /* At least 1. */
    ptrdiff_t columns;
} pixel_warp_line;

/* The distance of the positions of a curved map, in pixels of the result. */
#define PIXEL_WARP_CELL 8

/* In pixels of the source, like those of a line. If there are three maps, the lowest PIXEL_WARP_UNUSED bits are 0. */
typedef struct {
    int64_t x, y;
} pixel_warp_position;

#define PIXEL_WARP_UNUSED 13

/* Fills the lines of a block of the result whose first pixel is (`left`, `top`). A line lies in one cell. `positions`
 * are those at the corners of all cells of the block, row by row, of one of `maps` maps. A pixel has the same position
 * in every block. */
void pixel_warp_interpolate(const pixel_warp_position *positions, ptrdiff_t maps, ptrdiff_t left, ptrdiff_t top,
                            ptrdiff_t columns, ptrdiff_t rows, pixel_warp_line *lines);

typedef struct {
    int64_t left, top;
    int64_t width, height;
} pixel_warp_area;

/* Returns the smallest area with all pixels from which `count` lines, at least 1, are interpolated. It may lie outside
 * the picture. */
pixel_warp_area pixel_warp_source(const pixel_warp_line *lines, ptrdiff_t count);

/* Returns an area with all pixels from which cells are interpolated, for `count` positions at their corners. It may be
 * a pixel larger than necessary. */
pixel_warp_area pixel_warp_cell_source(const pixel_warp_position *positions, ptrdiff_t count);

typedef struct {
    const pixel_warp_weights *weights;
    /* 1, or 3 if red, green and blue have maps of their own. Alpha has that of green. */
    ptrdiff_t maps;
    /* With one map, the bands to write: 1 << 0 for red and so on. */
    unsigned stored_bands;
    /* At most PIXEL_WARP_COLUMNS columns. */
    ptrdiff_t rows, columns;
    /* The lines of the rows, `lines_per_row` in each, for one map after the other. Their pixels in each row add up to
     * `columns`. */
    const pixel_warp_line *lines;
    ptrdiff_t lines_per_row;
    /* Used if `lines` is NULL: the first pixel in the result, and the positions at the corners of cells, row by
     * row, for one map after the other. */
    const pixel_warp_position *positions;
    ptrdiff_t left, top;
    /* 3, or 4 with straight alpha. Colours are weighted with it. */
    ptrdiff_t bands;
    /* 1 or 2. */
    ptrdiff_t bytes_per_sample;
    /* The result of pixel_warp_source or pixel_warp_cell_source for all maps. */
    pixel_warp_area area;
    /* The part of the area inside the picture, or, if there is none, the nearest pixels; and its pixels. */
    pixel_warp_area part;
    const void *source;
    ptrdiff_t source_bytes_per_row;
    /* Whether the nearest pixel is repeated outside the picture. Otherwise the outside is 0 in each band. */
    bool repeats_edges;
    /* Working memory of PIXEL_WARP_SPACE bytes per pixel of the area, aligned for float. */
    void *space;
    void *destination;
    ptrdiff_t destination_bytes_per_row;
} pixel_warp_block;

/* The instructions to use. PIXEL_WARP_PLAIN is C without vectors, PIXEL_WARP_BASELINE is for every processor. */
typedef enum {
    PIXEL_WARP_PLAIN,
    PIXEL_WARP_BASELINE,
    PIXEL_WARP_BEST,
} pixel_warp_code;

void pixel_warp(const pixel_warp_block *block, pixel_warp_code code);

#ifdef __cplusplus
}
#endif

#endif
