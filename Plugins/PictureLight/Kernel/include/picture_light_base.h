/* SPDX-License-Identifier: Apache-2.0 */
/* Enlarges a base layer to the size of the picture. */
#ifndef PICTURE_LIGHT_BASE_H
#define PICTURE_LIGHT_BASE_H

#include "picture_light_piecewise.h"

#pragma STDC FP_CONTRACT OFF

/* The base layer's coefficients at a pixel of it, and their differences to the next one. */
typedef struct {
    float slope, offset, slope_step, offset_step;
} pl_base_part;

/* A number between two others. */
PL_INLINE float pl_between(float first, float second, float fraction) { return first + (second - first) * fraction; }

/* Interpolates the coefficients for a row of the picture. `parts` has space for the width of the base layer. */
PL_INLINE void pl_base_row(const pl_base *base, int top, pl_base_part *parts)
{
    double position = (top + 0.5) / base->rows_per_pixel - 0.5;
    position = position < 0 ? 0 : position > base->height - 1 ? base->height - 1 : position;
    int above = (int) position;
    int below = above + 1 < base->height ? above + 1 : above;
    float fraction = (float) (position - above);
    size_t first = (size_t) above * base->width, second = (size_t) below * base->width;
    for (int i = 0; i < base->width; i++) {
        parts[i].slope = pl_between(base->slopes[first + i], base->slopes[second + i], fraction);
        parts[i].offset = pl_between(base->offsets[first + i], base->offsets[second + i], fraction);
    }
    for (int i = 0; i < base->width; i++) {
        int next = i + 1 < base->width ? i + 1 : i;
        parts[i].slope_step = parts[next].slope - parts[i].slope;
        parts[i].offset_step = parts[next].offset - parts[i].offset;
    }
}

/* Replaces the luma of at most PL_BLOCK pixels by the base layer. Computes the numbers after them, up to a multiple of 8,
 * too. */
PL_INLINE void pl_base_luma(
    const pl_base *base, const pl_base_part *parts, float luma[PL_BLOCK], int pixels, int left)
{
    float scale = (float) (1 / base->columns_per_pixel);
    float last = (float) (base->width - 1);
    int count = pl_rounded(pixels);
    int32_t part[PL_BLOCK];
    float fraction[PL_BLOCK];
    for (int i = 0; i < count; i++) {
        /* From the pixel's own position, so that it does not depend on the tile. */
        float position = pl_at_most(pl_at_least(((float) (left + i) + 0.5f) * scale - 0.5f, 0), last);
        part[i] = (int32_t) position;
        fraction[i] = position - (float) part[i];
    }
    for (int first = 0; first < count; first += 8) {
        pl_eight at[4], numbers, fractions;
        for (int i = 0; i < 4; i++)
            pl_copy_pair(at + i, parts + part[first + i], parts + part[first + i + 4]);
        pl_transpose(at);
        memcpy(&numbers, luma + first, sizeof numbers);
        memcpy(&fractions, fraction + first, sizeof fractions);
        numbers = (at[0] + at[2] * fractions) * numbers + (at[1] + at[3] * fractions);
        memcpy(luma + first, &numbers, sizeof numbers);
    }
    for (int i = 0; i < count; i++)
        luma[i] = pl_clamped(luma[i]);
}

#endif
