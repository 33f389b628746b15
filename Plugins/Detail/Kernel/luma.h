/* SPDX-License-Identifier: Apache-2.0 */
/* Sharpening and local contrast: differences that are added to luma. */
#ifndef LUMA_H
#define LUMA_H

#include "picture_light_base.h"
#include "planes.h"

#pragma STDC FP_CONTRACT OFF

/* Sets `change` to the unsharp mask of `luma`. `temporary` has two planes, whose contents do not matter.
 *
 * A difference d = luma - blurred luma becomes d m / (1 + |d| / halo). The mask is m = e / (e + flatness), in which
 * e is the blurred d². */
PL_INLINE void sharpen(const dt_edit *edit, const float *luma, float *change, float *temporary, extent size)
{
    float *detail = temporary, *energy = temporary + PLANE;
    bool is_masked = edit->flatness > 0;
    int margin = is_masked ? edit->radius : 0;
    blur(luma, detail, edit, size, margin);
    for (int y = -margin; y < size.height + margin; y++) {
        const float *from = const_row_of(luma, y);
        float *restrict row = row_of(detail, y);
        for (int x = -margin; x < size.width + margin; x++)
            row[x] = from[x] - row[x];
    }
    if (is_masked) {
        /* The squares are stored in the plane of the energy, and their blur in that of the change, which is not yet
         * used. */
        for (int y = -margin; y < size.height + margin; y++) {
            const float *from = const_row_of(detail, y);
            float *restrict row = row_of(energy, y);
            for (int x = -margin; x < size.width + margin; x++)
                row[x] = from[x] * from[x];
        }
        blur(energy, change, edit, size, 0);
    }
    float scale = 1 / edit->halo;
    for (int y = 0; y < size.height; y++) {
        const float *restrict from = const_row_of(detail, y);
        float *restrict row = row_of(change, y);
        for (int x = 0; x < size.width; x++) {
            float amount = is_masked ? edit->sharpening * (row[x] / (row[x] + edit->flatness)) : edit->sharpening;
            float size_of_detail = from[x] < 0 ? -from[x] : from[x];
            row[x] = amount * from[x] / (1 + size_of_detail * scale);
        }
    }
}

/* Adds the difference from the base layer to `change`. The difference is weighted with 1 - (2 luma - 1)^4, so that
 * white and black are not clipped. `parts` must have space for the width of the base layer. */
PL_INLINE void define(
    const dt_edit *edit, const float *luma, float *change, pl_base_part *parts, extent size, int left, int top)
{
    float base[PL_BLOCK];
    for (int y = 0; y < size.height; y++) {
        pl_base_row(&edit->base, top + y, parts);
        for (int start = 0; start < size.width; start += PL_BLOCK) {
            int count = size.width - start < PL_BLOCK ? size.width - start : PL_BLOCK;
            const float *restrict from = const_row_of(luma, y) + start;
            float *restrict row = row_of(change, y) + start;
            memcpy(base, from, (size_t) count * sizeof *base);
            pl_base_luma(&edit->base, parts, base, count, left + start);
            for (int x = 0; x < count; x++) {
                float value = 2 * pl_clamped(from[x]) - 1;
                float square = value * value;
                row[x] += edit->definition * (1 - square * square) * (from[x] - base[x]);
            }
        }
    }
}

#endif
