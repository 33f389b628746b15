/* SPDX-License-Identifier: Apache-2.0 */
#include <lensfun.h>
#include "lens_falloff.h"

static float product(struct lfModifier *vignetting, float number, float x, float y)
{
    lf_modifier_apply_color_modification(vignetting, &number, x, y, 1, 1, LF_CR_1(INTENSITY), 0);
    return number;
}

/* lensfun's falloff at a position in the picture. It is less than 0 beyond the corners of some lenses. lensfun returns
 * 0 for a product below 0, so both signs are needed. */
static float falloff_at(struct lfModifier *vignetting, const ln_falloff *model, double x, double y)
{
    const float column = (float) (model->center[0] * (1 + x)), row = (float) (model->center[1] * (1 + y));
    return product(vignetting, 1, column, row) - product(vignetting, -1, column, row);
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

static void find_terms(ln_falloff *model, struct lfModifier *vignetting)
{
    /* cos((2 * node + 1) * pi / 14): the nodes of Chebyshev amplify rounding errors least. */
    static const double nodes[LN_TERMS] = {
        0.97492791218182361, 0.78183148246802981, 0.43388373911755812, 0,
        -0.43388373911755812, -0.78183148246802981, -0.97492791218182361};
    double basis[LN_TERMS][LN_TERMS];
    find_basis(nodes, basis);
    for (int row = 0; row < LN_TERMS; row++)
        for (int column = 0; column < LN_TERMS; column++) {
            const double falloff = falloff_at(vignetting, model, nodes[column], nodes[row]);
            for (int y = 0; y < LN_TERMS; y++)
                for (int x = 0; x < LN_TERMS; x++)
                    model->terms[y][x] += falloff * basis[row][y] * basis[column][x];
        }
}

/* The sides of the picture in the samples of find_range. */
#define RANGE_STEPS 32

static void find_range(ln_falloff *model, struct lfModifier *vignetting)
{
    model->least = model->greatest = falloff_at(vignetting, model, 0, 0);
    for (int row = -RANGE_STEPS; row <= RANGE_STEPS; row++)
        for (int column = -RANGE_STEPS; column <= RANGE_STEPS; column++) {
            float falloff = falloff_at(vignetting, model, (double) column / RANGE_STEPS, (double) row / RANGE_STEPS);
            model->least = pl_at_most(falloff, model->least);
            model->greatest = pl_at_least(falloff, model->greatest);
        }
}

void find_falloff(ln_falloff *model, struct lfModifier *vignetting, int width, int height)
{
    const int last[2] = {width - 1, height - 1};
    for (int side = 0; side < 2; side++) {
        model->center[side] = 0.5f * (float) last[side];
        model->scale[side] = last[side] > 0 ? 2 / (float) last[side] : 0;
    }
    find_terms(model, vignetting);
    find_range(model, vignetting);
}
