/* SPDX-License-Identifier: Apache-2.0 */
/* The falloff of light: the share of it that each pixel has received. */
#ifndef LENS_FALLOFF_H
#define LENS_FALLOFF_H

#include "lens_correction.h"
#include "picture_light_piecewise.h"

/* Fused products would round differently. */
#pragma STDC FP_CONTRACT OFF

/* The largest gain is its inverse. A model may reach zero in the corners. */
#define LEAST_FALLOFF 0.01f

/* Computes the polynomial from lensfun's falloff at some points of the picture. */
void find_falloff(ln_falloff *model, struct lfModifier *vignetting, int width, int height);

/* The polynomial of x in a row, by the power of x. */
PL_INLINE void row_terms(const ln_falloff *model, int top, float terms[LN_PADDED_TERMS])
{
    const double y = ((float) top - model->center[1]) * model->scale[1];
    double sums[LN_PADDED_TERMS] = {0};
    for (int power = LN_TERMS - 1; power >= 0; power--)
        for (int term = 0; term < LN_PADDED_TERMS; term++)
            sums[term] = sums[term] * y + model->terms[power][term];
    for (int term = 0; term < LN_PADDED_TERMS; term++)
        terms[term] = (float) sums[term];
}

/* The falloff at PL_BLOCK pixels or fewer, and at those after them, up to a multiple of 8. */
PL_INLINE void row_falloff(
    const ln_falloff *model, const float terms[LN_PADDED_TERMS], int left, int pixels, float *falloff)
{
    for (int i = 0; i < pl_rounded(pixels); i++) {
        float x = ((float) (left + i) - model->center[0]) * model->scale[0];
        float sum = terms[LN_TERMS - 1];
        for (int power = LN_TERMS - 2; power >= 0; power--)
            sum = sum * x + terms[power];
        falloff[i] = pl_at_least(sum, LEAST_FALLOFF);
    }
}

#endif
