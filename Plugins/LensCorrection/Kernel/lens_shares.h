/* SPDX-License-Identifier: Apache-2.0 */
/* The share of light that pixels have received. */
#ifndef LENS_SHARES_H
#define LENS_SHARES_H

#include "lens_correction.h"
#include "picture_light_parts.h"

/* Fused products would round differently. */
#pragma STDC FP_CONTRACT OFF

/* The largest gain is its inverse. A model may reach zero in the corners. */
#define LEAST_SHARE 0.01f

/* Computes the polynomial from lensfun's shares at some points of the picture. */
void find_shares(ln_shares *shares, struct lfModifier *vignetting, int width, int height);

/* The polynomial of x in a row, by the power of x. */
PL_INLINE void row_terms(const ln_shares *shares, int top, float terms[LN_PADDED_TERMS])
{
    const double y = ((float) top - shares->center[1]) * shares->scale[1];
    double sums[LN_PADDED_TERMS] = {0};
    for (int power = LN_TERMS - 1; power >= 0; power--)
        for (int term = 0; term < LN_PADDED_TERMS; term++)
            sums[term] = sums[term] * y + shares->terms[power][term];
    for (int term = 0; term < LN_PADDED_TERMS; term++)
        terms[term] = (float) sums[term];
}

/* The shares of at most PL_BLOCK pixels, and of those after them, up to a multiple of 8. */
PL_INLINE void row_shares(
    const ln_shares *shares, const float terms[LN_PADDED_TERMS], int left, int pixels, float *share)
{
    for (int i = 0; i < pl_rounded(pixels); i++) {
        float x = ((float) (left + i) - shares->center[0]) * shares->scale[0];
        float sum = terms[LN_TERMS - 1];
        for (int power = LN_TERMS - 2; power >= 0; power--)
            sum = sum * x + terms[power];
        share[i] = pl_at_least(sum, LEAST_SHARE);
    }
}

#endif
