/* SPDX-License-Identifier: Apache-2.0 */
/* The planes of a block and of the pixels around it, and filters that apply the same weights to rows and to
 * columns. */
#ifndef PLANES_H
#define PLANES_H

#include "detail.h"
#include "picture_light_piecewise.h"

/* Fused operations round once instead of twice, and not every processor has them. */
#pragma STDC FP_CONTRACT OFF

/* The distance between the rows of a plane, and the size of a plane, both in samples. */
enum { STRIDE = DT_WIDTH + 2 * DT_REACH, PLANE = STRIDE * (DT_HEIGHT + 2 * DT_REACH) };

/* The size of a block, which is filtered together with a margin around it. */
typedef struct {
    int width;
    int height;
} extent;

/* Returns a row of a plane. Element 0 is the first pixel of the block, and pixels to the left have negative
 * indices. */
PL_INLINE float *row_of(float *plane, int row) { return plane + (row + DT_REACH) * STRIDE + DT_REACH; }
PL_INLINE const float *const_row_of(const float *plane, int row)
{
    return plane + (row + DT_REACH) * STRIDE + DT_REACH;
}

/* Filters with the B3 spline of the starlet transform, whose five weights are `step` pixels apart: Starck, Fadili
 * and Murtagh, "The Undecimated Wavelet Decomposition and its Reconstruction" (2007). Includes `margin` pixels
 * around the block. */
PL_INLINE void smooth(const float *from, float *to, extent size, int margin, int step)
{
    float line[STRIDE];
    float *restrict sum = line + DT_REACH;
    int first = -margin, end = size.width + margin;
    for (int y = -margin; y < size.height + margin; y++) {
        const float *a = const_row_of(from, y - 2 * step), *b = const_row_of(from, y - step);
        const float *c = const_row_of(from, y);
        const float *d = const_row_of(from, y + step), *e = const_row_of(from, y + 2 * step);
        for (int x = first - 2 * step; x < end + 2 * step; x++)
            sum[x] = 0.375f * c[x] + 0.25f * (b[x] + d[x]) + 0.0625f * (a[x] + e[x]);
        float *restrict result = row_of(to, y);
        for (int x = first; x < end; x++)
            result[x] = 0.375f * sum[x] + 0.25f * (sum[x - step] + sum[x + step]) +
                        0.0625f * (sum[x - 2 * step] + sum[x + 2 * step]);
    }
}

/* Filters with a Gaussian blur. Includes `margin` pixels around the block. */
PL_INLINE void blur(const float *from, float *to, const dt_edit *edit, extent size, int margin)
{
    float line[STRIDE];
    float *restrict sum = line + DT_REACH;
    int radius = edit->radius, first = -margin, end = size.width + margin;
    for (int y = -margin; y < size.height + margin; y++) {
        const float *centre = const_row_of(from, y);
        for (int x = first - radius; x < end + radius; x++)
            sum[x] = edit->gaussian[0] * centre[x];
        for (int i = 1; i <= radius; i++) {
            const float *above = const_row_of(from, y - i), *below = const_row_of(from, y + i);
            float weight = edit->gaussian[i];
            for (int x = first - radius; x < end + radius; x++)
                sum[x] += weight * (above[x] + below[x]);
        }
        float *restrict result = row_of(to, y);
        for (int x = first; x < end; x++)
            result[x] = edit->gaussian[0] * sum[x];
        for (int i = 1; i <= radius; i++) {
            float weight = edit->gaussian[i];
            for (int x = first; x < end; x++)
                result[x] += weight * (sum[x - i] + sum[x + i]);
        }
    }
}

#endif
