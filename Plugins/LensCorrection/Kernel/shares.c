/* SPDX-License-Identifier: Apache-2.0 */
#include <lensfun.h>
#include <math.h>
#include "lens_shares.h"

/* lensfun's share at a position in the picture. */
static float share_at(struct lfModifier *vignetting, const ln_shares *shares, double x, double y)
{
    float share = 1;
    lf_modifier_apply_color_modification(
        vignetting, &share, (float) (shares->center[0] * (1 + x)), (float) (shares->center[1] * (1 + y)), 1, 1,
        LF_CR_1(INTENSITY), 0);
    return share;
}

/* Computes polynomials that are 1 at one node and 0 at the others (Lagrange), by node and power. */
static void find_basis(const double nodes[LN_TERMS], double basis[LN_TERMS][LN_TERMS])
{
    for (int node = 0; node < LN_TERMS; node++) {
        double *terms = basis[node];
        for (int power = 0; power < LN_TERMS; power++)
            terms[power] = power == 0;
        for (int other = 0; other < LN_TERMS; other++) {
            if (other == node)
                continue;
            /* Multiplies by (x - other) / (node - other). */
            const double factor = 1 / (nodes[node] - nodes[other]);
            for (int power = LN_TERMS - 1; power >= 0; power--)
                terms[power] = ((power > 0 ? terms[power - 1] : 0) - nodes[other] * terms[power]) * factor;
        }
    }
}

static void find_terms(ln_shares *shares, struct lfModifier *vignetting)
{
    double nodes[LN_TERMS], basis[LN_TERMS][LN_TERMS];
    /* Those of Chebyshev amplify rounding errors least. */
    for (int node = 0; node < LN_TERMS; node++)
        nodes[node] = cos((2 * node + 1) * 3.14159265358979323846 / (2 * LN_TERMS));
    find_basis(nodes, basis);
    for (int row = 0; row < LN_TERMS; row++)
        for (int column = 0; column < LN_TERMS; column++) {
            const double share = share_at(vignetting, shares, nodes[column], nodes[row]);
            for (int y = 0; y < LN_TERMS; y++)
                for (int x = 0; x < LN_TERMS; x++)
                    shares->terms[y][x] += share * basis[row][y] * basis[column][x];
        }
}

/* The sides of the picture in shares that find_range looks at. */
#define RANGE_STEPS 32

static void find_range(ln_shares *shares, struct lfModifier *vignetting)
{
    shares->least = shares->greatest = share_at(vignetting, shares, 0, 0);
    for (int row = -RANGE_STEPS; row <= RANGE_STEPS; row++)
        for (int column = -RANGE_STEPS; column <= RANGE_STEPS; column++) {
            float share = share_at(vignetting, shares, (double) column / RANGE_STEPS, (double) row / RANGE_STEPS);
            shares->least = pl_at_most(share, shares->least);
            shares->greatest = pl_at_least(share, shares->greatest);
        }
}

void find_shares(ln_shares *shares, struct lfModifier *vignetting, int width, int height)
{
    const int last[2] = {width - 1, height - 1};
    for (int side = 0; side < 2; side++) {
        shares->center[side] = 0.5f * (float) last[side];
        shares->scale[side] = last[side] > 0 ? 2 / (float) last[side] : 0;
    }
    find_terms(shares, vignetting);
    find_range(shares, vignetting);
}
