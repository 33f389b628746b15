/* SPDX-License-Identifier: Apache-2.0 */
/* Noise reduction: Wiener shrinkage of the starlet transform. */
#ifndef NOISE_H
#define NOISE_H

#include "planes.h"

#pragma STDC FP_CONTRACT OFF

/* Prevents 0 / 0. It is far below the variance of noise in 16 bits. */
#define LEAST_ENERGY 1e-20f

/* Returns the number of scales at which noise is removed. */
PL_INLINE int level_count(const float noise[DT_LEVELS])
{
    int count = DT_LEVELS;
    while (count > 0 && noise[count - 1] == 0)
        count--;
    return count;
}

/* Returns the width of the margin around a block that its noise reduction reads. */
PL_INLINE int noise_reach(const float noise[DT_LEVELS])
{
    int count = level_count(noise);
    /* All steps of smoothing, and the neighbours at the coarsest scale. */
    return count == 0 ? 0 : 2 * ((1 << count) - 1) + (1 << count);
}

/* Subtracts the noise at a scale from `result`: the fraction `noise / energy`, at most 1, of the difference between
 * two smoothed planes. The energy is the mean square of 25 differences that are `step` pixels apart. Mihcak,
 * Kozintsev, Ramchandran and Moulin, "Low-Complexity Image Denoising Based on Statistical Modeling of Wavelet
 * Coefficients" (1999). */
PL_INLINE void subtract_noise(
    const float *fine, const float *coarse, float *result, extent size, int margin, int step, float noise)
{
    float line[STRIDE];
    float *restrict energy = line + DT_REACH;
    float most = 25 * noise;
    int first = -margin, end = size.width + margin;
    for (int y = -margin; y < size.height + margin; y++) {
        for (int x = first - 2 * step; x < end + 2 * step; x++)
            energy[x] = LEAST_ENERGY;
        for (int i = -2; i <= 2; i++) {
            const float *restrict a = const_row_of(fine, y + i * step);
            const float *restrict b = const_row_of(coarse, y + i * step);
            for (int x = first - 2 * step; x < end + 2 * step; x++)
                energy[x] += (a[x] - b[x]) * (a[x] - b[x]);
        }
        const float *restrict a = const_row_of(fine, y), *restrict b = const_row_of(coarse, y);
        float *restrict cleaned = row_of(result, y);
        for (int x = first; x < end; x++) {
            float sum = energy[x] + (energy[x - step] + energy[x + step]) +
                        (energy[x - 2 * step] + energy[x + 2 * step]);
            cleaned[x] -= (a[x] - b[x]) * pl_at_most(most / sum, 1);
        }
    }
}

/* Copies `plane` without its noise to `result`, in the block and `margin` pixels around it. `temporary` has two
 * planes, whose contents do not matter. */
PL_INLINE void reduce_noise(
    const float *plane, float *result, float *temporary, const float noise[DT_LEVELS], extent size, int margin)
{
    for (int y = -margin; y < size.height + margin; y++)
        memcpy(row_of(result, y) - margin, const_row_of(plane, y) - margin, (size_t) (size.width + 2 * margin) * 4);
    const float *fine = plane;
    int count = level_count(noise), around = margin + noise_reach(noise);
    for (int level = 0; level < count; level++) {
        int step = 1 << level;
        float *coarse = temporary + (level & 1) * PLANE;
        around -= 2 * step;
        smooth(fine, coarse, size, around, step);
        subtract_noise(fine, coarse, result, size, margin, step, noise[level]);
        fine = coarse;
    }
}

#endif
